"""Small Verus contracts: read, made into real Verus, proved; trying all arguments says the same as the prover."""

from __future__ import annotations

import numpy as np
import pytest

import rlvr_gym
from rlvr_gym.agents.small_verus import SmallVerusDomain
from rlvr_gym.envs.small_verus import SmallVerusEnv, draw_body, is_task, meets, pose, solve, values_of
from rlvr_gym.verifiers import verify
from rlvr_gym.verifiers.small_verus import (
    UnreadableError,
    judged,
    judged_spec,
    normal_form,
    program,
    read_body,
    read_spec,
)


def test_a_contract_and_a_body_become_real_verus() -> None:
    assert program("x<50;r>x;r%2=1", "x%2=0?x+1:x+2") == (
        "use vstd::prelude::*;\nverus! {\nfn f(x: u8) -> (r: u8)\n"
        "    requires\n        x < 50,\n    ensures\n        r > x,\n        r % 2 == 1,\n"
        "{\n    if x % 2 == 0 { x + 1 } else { x + 2 }\n}\n}\n"
    )


@pytest.mark.parametrize(
    "text",
    ["", "x<50", "r>y", "r>x;;r<3", "r%3=3", "r>0x1", "r>٣", "r>x+10", "r>x ", "r>1;r>2;r>3;r>4;r>5", "x<100;r>x"],
)  # fmt: skip
def test_what_is_no_contract_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableError):
        read_spec(text)
    assert verify("small_verus_spec", text, reference=None).status == "malformed"


@pytest.mark.parametrize(
    "text", ["", "x+", "y", "x?1:2", "x<3?1", "3x", "x%1=0?1:2", "x+1+1", "{}", "loop {}"]
)
def test_what_is_no_body_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableError):
        read_body(text)
    assert verify("small_verus", text, reference="r>3").status == "malformed"


@pytest.mark.parametrize(
    ("spec", "body", "passed"),
    [
        ("x<50;r>x", "x+1", True),
        # 255 + 1 overflows.
        ("r>x", "x+1", False),
        ("x<50;r>x", "x", False),
        ("x<50;r=2x", "2x", True),
        # 2 * 128 overflows a u8, and x < 99 keeps the argument below it.
        ("x<99;r=2x", "2x", True),
        ("r=2x", "2x", False),
        # 0 - 1 underflows.
        ("x<50;r<x+1", "x-1", False),
        ("x>0;r<x", "x-1", True),
        ("x<50;r>x;r<x+4;r%2=1", "x%2=0?x+1:x+2", True),
        ("x<50;r>x;r<x+4;r%2=1", "x+1", False),
        ("r%3=2", "8", True),
    ],
)  # fmt: skip
def test_bodies_are_proved_or_not_for_reasons_worked_out_by_hand(spec: str, body: str, passed: bool) -> None:
    assert verify("small_verus", body, reference=spec).passed is passed
    assert bool(meets(spec, values_of(body)).all()) is passed


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("x<3;x>20;r>5", "`requires` holds of nothing"),
        ("r>x-9;r<300", None),
        ("r>0", "a body that returns 1 is enough"),
        ("r<7", "a body that returns 0 is enough"),
        ("r>x-1", "a body that returns `x` is enough"),
        ("x>5;r>x-9;r<x+9", "a body that returns `x` is enough"),
        ("r>x;r>x", "repeated"),
    ],
)  # fmt: skip
def test_contracts_that_are_no_tasks_say_why(spec: str, why: str | None) -> None:
    verdict = verify("small_verus_spec", spec, reference=None)
    assert verdict.status == ("malformed" if why is None else "failed")
    assert why is None or why in verdict.reason


def test_the_prover_and_all_arguments_tried_agree() -> None:
    env = rlvr_gym.make("small_verus-v0")
    assert isinstance(env, SmallVerusEnv)
    rng = np.random.default_rng(5)
    wrong = 0
    for _ in range(20):
        spec, body = env.draw_pair(rng, 4)
        assert is_task(spec)
        assert judged_spec(spec).verified, spec
        assert judged(spec, body).verified, (spec, body)
        for _ in range(3):
            other = draw_body(rng)
            right = bool(meets(spec, values_of(other)).all())
            wrong += not right
            assert judged(spec, other).verified is right, (spec, other)
    assert wrong > 20


def test_the_oracle_solves_what_is_drawn() -> None:
    env = rlvr_gym.make("small_verus-v0", split="heldout")
    for task in env.tasks(12, seed=3):
        answer = env.oracle(task)
        assert answer is not None
        assert env.judge(task, answer).passed, (task.id, answer)
    assert solve("x<50;r>x;r<x+1") is None


def test_the_domain_reads_what_the_gate_passes_and_keeps_held_out_apart() -> None:
    env = rlvr_gym.make("small_verus-v0")
    assert isinstance(env, SmallVerusEnv)
    domain = SmallVerusDomain(env)
    parent = pose("x<50;r>x")
    task = domain.read("r>x+2;x<50", parent, trajectory="t", step=3)
    assert task is not None
    assert domain.form(task) == normal_form("x<50;r>x+2")
    assert domain.read("nonsense", parent, trajectory="t", step=3) is None
    rng = np.random.default_rng(0)
    for shown in domain.demonstrations(rng, 40, {"solver": 0.0, "proposer": 0.0}):
        if shown.role == "proposer":
            assert judged_spec(shown.completion).verified
            assert not domain.held_out(pose(shown.completion))
        else:
            assert judged(shown.prompt[-1].content, shown.completion).verified
