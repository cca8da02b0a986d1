"""PSV: classes by solve rate, prompts that ask for one, a solver that imitates what was verified."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlvr_gym.agents import make_domain
from rlvr_gym.errors import UsageError
from rlvr_gym.selfplay import train
from rlvr_gym.selfplay.classes import CLASSES, class_of
from rlvr_gym.selfplay.loops import LOOPS
from rlvr_gym.store import RunStore
from rlvr_gym.types import Estimate

DOMAIN = make_domain({"name": "constraints-v0", "classes": True})


@pytest.mark.parametrize(
    ("solved", "tried", "label"),
    [
        (8, 10, "easy"),
        (4, 5, "easy"),
        (799, 1000, "medium"),
        (2, 10, "medium"),
        (1, 5, "medium"),
        (199, 1000, "hard"),
        (1, 1000, "hard"),
        (0, 10, "impossible"),
        (1, 1, "easy"),
    ],
)
def test_class_edges(solved: int, tried: int, label: str) -> None:
    assert class_of(solved, tried) == label


@given(st.integers(1, 200), st.data())
def test_more_solves_are_never_a_harder_class(tried: int, data: st.DataObject) -> None:
    solved = data.draw(st.integers(0, tried - 1))
    assert CLASSES.index(class_of(solved + 1, tried)) <= CLASSES.index(class_of(solved, tried))


@pytest.mark.parametrize(("solved", "tried"), [(0, 0), (2, 1), (-1, 4)])
def test_a_rate_of_nothing_has_no_class(solved: int, tried: int) -> None:
    with pytest.raises(ValueError, match="solved of"):
        class_of(solved, tried)


def loop(**changes: Any) -> Any:
    entry, config = LOOPS.resolve({"name": "psv", "seeds": 4, "prompts": 1, **changes}, where="loop")
    return entry.value(config, DOMAIN)


def planned(of: Any, step: int) -> Any:
    return of.plan(step, np.random.default_rng(step), lambda slot: f"w{slot}")


def labelled(of: Any) -> Any:
    """Return the loop with a specification of each class but medium in its pool."""
    for spec, solved in ((">49", 9), (">50", 8), (">51", 1), (">52", 0)):
        task = DOMAIN.read(spec, DOMAIN.seed(np.random.default_rng(0)), trajectory="t", step=1)
        of._label(task, Estimate("t", tried=10, solved=solved))
    return of


def test_the_first_step_attempts_seeds_and_trains_nobody() -> None:
    plan = planned(loop(), 1)
    assert [s.protocol for s in plan.setups] == ["single_turn"] * 4
    assert {s.attempts for s in plan.setups} == {10}
    assert (plan.train, plan.lesson) == (frozenset(), None)


def test_every_class_is_asked_for_as_often_with_what_the_pool_has_of_each() -> None:
    of = labelled(loop(prompts=2))
    plan = planned(of, 2)
    views = [s.views["proposer"] for s in plan.setups]
    assert [view["wanted"] for view in views] == [label for label in CLASSES for _ in range(2)]
    for view in views:
        assert sorted((label, row["prompt"]) for label, row in view["examples"]) == [
            ("easy", ">49"), ("easy", ">50"), ("hard", ">51"), ("impossible", ">52"),
        ]  # fmt: skip
    shown = of._view(plan.setups[-1])[-1].content
    assert shown.endswith(";h>51;i>52;i")


def test_at_most_so_many_examples_of_a_class_are_shown() -> None:
    (view, *_) = [s.views["proposer"] for s in planned(labelled(loop(shown=1)), 2).setups]
    assert [label for label, _ in view["examples"]] == ["easy", "hard", "impossible"]


def test_a_specification_that_was_attempted_again_has_its_new_class_and_undecided_attempts_say_nothing() -> (
    None
):
    of = labelled(loop())
    task = of.pool[">52"].task
    of._label(task, Estimate("t", tried=0, masked=10))
    assert of.pool[">52"].label == "impossible"
    of._label(task, Estimate("t", tried=10, solved=5))
    assert of.pool[">52"].label == "medium"
    assert list(of.pool)[-1] == ">52"


def test_the_pool_forgets_the_oldest_first() -> None:
    assert list(labelled(loop(capacity=2)).pool) == [">51", ">52"]


def test_a_state_written_and_read_plans_the_same() -> None:
    of, other = labelled(loop()), loop()
    other.load(json.loads(json.dumps(of.state())))
    assert planned(other, 2) == planned(of, 2)
    assert other.state() == of.state()


def test_a_domain_that_cannot_ask_by_examples_is_told_so() -> None:
    domain = make_domain({"name": "integral-v0", "families": ["table_sum"], "style": "compact"})
    with pytest.raises(UsageError, match="loop 'psv'"):
        domain.examples_view((), "easy")


def test_a_run_labels_asks_and_imitates_solutions_only(tmp_path: Path) -> None:
    recipe: dict[str, Any] = {
        "loop": {"name": "psv", "seeds": 6, "prompts": 1, "siblings": 3, "attempts": 5},
        "environment": {"name": "constraints-v0", "classes": True},
        "policies": {"main": {"name": "tiny", "alphabet": "0123456789%=<>d,psc;emhi", "markers": [], "layers": 1, "width": 32, "heads": 2, "context": 320, "device": "cpu"}},
        "steps": 3,
        "threads": 1,
        "sampling": {"max_new_tokens": 3},
        "sampling_of": {"proposer": {"max_new_tokens": 20}},
        "warm_start": {"examples": 2000, "steps": 150, "batch_size": 32, "lr": 1e-2, "mistakes": {"solver": 0.0, "proposer": 0.0}},
        "evaluation": {"tasks": 4, "proposals": 4},
    }  # fmt: skip
    train(recipe, folder=tmp_path / "run")
    with RunStore.open(tmp_path / "run", readonly=True) as store:
        assert store.problems() == []
        lessons = {event.step: event.payload["main"] for event in store.events("sft_done") if event.step}
        metrics = [event.payload for event in store.events("metrics")]
        works = store.works()
    solutions = {step: row["pool/solutions"] for step, row in enumerate(metrics) if "pool/solutions" in row}
    assert solutions[1] > 0
    assert lessons[2]["num_examples"] == solutions[1]
    assert {work.reason for work in works if work.role == "proposer"} <= {
        "rejected",
        "near_duplicate",
        "held_out",
        "phase",
        "few_decided",
    }
    assert not any(work.state == "charged" for work in works)
