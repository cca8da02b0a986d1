"""The world of constraints on a number: judged by hand, and by looking at all numbers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlvr_gym.agents import Domain, make_domain
from rlvr_gym.seeding import generator
from rlvr_gym.types import Status
from rlvr_gym.verifiers import verify
from rlvr_gym.verifiers.constraints import UnreadableError, normal_form, parse, solutions


@pytest.mark.parametrize(
    ("spec", "numbers"),
    [
        ("%9=8,<50", (8, 17, 26, 35, 44)),
        ("d=18", (99,)),
        ("d=01", (1, 10)),
        (">95,%2=0", (96, 98)),
        (">50,<51", ()),
        # 19 needs two digits whose sum is 19: the largest is 9 + 9.
        ("d=19", ()),
    ],
)
def test_the_numbers_that_meet_a_specification_are_those_worked_by_hand(
    spec: str, numbers: tuple[int, ...]
) -> None:
    assert solutions(spec) == numbers


@pytest.mark.parametrize(
    "text",
    [
        "",
        ">5",
        ">005",
        "%7=7",
        "%1=0",
        "d=9",
        ">10,",
        ",>10",
        ">10;<20",
        "> 10",
        ">1٣",
        ">10\n",
        ",".join([">10"] * 5),
        ">" * 10_000,
    ],
)
def test_what_is_no_specification_is_not_read(text: str) -> None:
    with pytest.raises(UnreadableError):
        parse(text)


@pytest.mark.parametrize(
    ("spec", "status", "reason"),
    [
        ("%7=3,>20", Status.PASSED, "11 numbers"),  # 24, 31, ... 94
        (">49", Status.PASSED, "50 numbers"),
        (">48", Status.FAILED, "loose"),
        (">50,<51", Status.FAILED, "unsatisfiable"),
        ("d=09,d=09", Status.FAILED, "repeated"),
        ("d=9", Status.MALFORMED, "unreadable"),
    ],
)
def test_the_gate_takes_what_some_numbers_meet_but_not_many(spec: str, status: Status, reason: str) -> None:
    verdict = verify("constraints_spec", spec, reference=None)
    assert verdict.status is status
    assert verdict.reason.startswith(reason)


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("24", Status.PASSED),
        (" 24\n", Status.PASSED),
        ("17", Status.FAILED),
        ("25", Status.FAILED),
        ("3", Status.MALFORMED),
        ("024", Status.MALFORMED),
        ("٢٤", Status.MALFORMED),
        ("24 31", Status.MALFORMED),
    ],
)
def test_an_answer_is_two_digits_that_meet_every_constraint(answer: str, status: Status) -> None:
    assert verify("constraints", answer, reference="%7=3,>20").status is status


@given(st.permutations(["%7=3", ">20", "<90", "d=10"]))
def test_the_order_of_constraints_makes_no_difference(parts: list[str]) -> None:
    text = ",".join(parts)
    assert normal_form(text) == "%7=3,<90,>20,d=10"
    assert solutions(text) == (73,)


@pytest.fixture(scope="module")
def domain() -> Domain:
    return make_domain({"name": "constraints-v0", "classes": True})


def test_without_mistakes_demonstrations_are_right_and_never_held_out(domain: Any) -> None:
    demonstrations = domain.demonstrations(generator(0, "d"), 200, {"solver": 0.0, "proposer": 0.0})
    asked = 0
    for demo in demonstrations:
        shown = demo.prompt[-1].content
        if demo.role == "solver":
            assert verify("constraints", demo.completion, reference=shown).passed
            continue
        assert verify("constraints_spec", demo.completion, reference=None).passed
        assert not domain.held_out(
            domain.read(demo.completion, domain.seed(generator(0)), trajectory="t", step=1)
        )
        asked += demo.prompt[0].content == "c"
    assert 0 < asked < 100


def test_mistakes_spoil_that_share_of_the_characters(domain: Any) -> None:
    rng = generator(0, "m")
    texts = [d.completion for d in domain.demonstrations(rng, 400, {"proposer": 1.0}) if d.role == "proposer"]
    # Drawn from 16 characters, a text of five or more that is still readable is next to impossible.
    assert sum(verify("constraints_spec", text, reference=None).passed for text in texts) <= 4


def test_examples_are_shown_with_the_letter_of_their_class(domain: Any) -> None:
    tasks = [domain.read(text, domain.seed(generator(0)), trajectory="t", step=1) for text in (">49", "d=18")]
    view = domain.examples_view([("easy", tasks[0]), ("hard", tasks[1])], "medium")
    assert view[-1].content == "e>49;hd=18;m"
