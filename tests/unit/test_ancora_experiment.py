"""The experiment on ANCORA: its arms, what counts as useful, and what its analysis says of made-up runs."""

from __future__ import annotations

import importlib
from types import SimpleNamespace
from typing import Any

import pytest


@pytest.fixture(scope="module")
def ancora() -> Any:
    return importlib.import_module("experiments.ancora")


@pytest.fixture(scope="module")
def design() -> Any:
    return importlib.import_module("experiments.design")


def recipes(ancora: Any) -> dict[str, Any]:
    jobs = next(ancora.Ancora().plan("s", [0]))
    assert len({job.base.key for job in jobs}) == 1
    return {job.arm: job.recipe for job in jobs}


def test_every_arm_proposes_and_attempts_alike(ancora: Any) -> None:
    made = recipes(ancora)
    assert list(made) == list(ancora.ARMS)
    same = {name: {k: v for k, v in recipe.items() if k != "loop"} for name, recipe in made.items()}
    assert all(recipe == same["full"] for recipe in same.values())
    for recipe in made.values():
        loop = recipe["loop"]
        assert (loop["parents"], loop["siblings"], loop["attempts"]) == (8, 6, 4)
        assert loop["curriculum"]["roots"] == 68


def test_each_arm_but_none_lacks_one_part(ancora: Any) -> None:
    def flat(arm: str) -> set[tuple[str, str, str]]:
        return {
            (key, name, str(value))
            for key, table in recipes(ancora)[arm]["loop"].items()
            for name, value in (table.items() if isinstance(table, dict) else [("", table)])
        }

    full = flat("full")
    assert {arm: len(flat(arm) ^ full) for arm in ancora.ARMS} == {
        "full": 0, "none": 4, "Freeze-Q": 1, "Freeze-S": 1, "no descent": 1, "no admission": 1, "no projection": 1, "uniform": 1,
    }  # fmt: skip


class Store:
    """Events as a run store gives them."""

    def __init__(self, **events: list[tuple[int, Any]]) -> None:
        self._events = events

    def events(self, kind: str) -> list[Any]:
        return [SimpleNamespace(step=step, payload=payload) for step, payload in self._events.get(kind, [])]


def row(problem: str | None, solved: int, *, valid: bool = True, tried: int = 4) -> dict[str, Any]:
    return {"problem": problem, "solved": solved, "tried": tried if valid else 0, "valid": valid}


def test_a_specification_is_useful_once_and_only_when_some_attempts_succeed(ancora: Any) -> None:
    proposed = [
        (
            1,
            [row(">51,%2=0", 1), row("%2=0,>51", 2), row(">60", 0), row(">70", 4), row(None, 0, valid=False)],
        ),
        (2, [row(">51,%2=0", 1), row(">60", 1)]),
    ]
    curves = ancora.Ancora().curves(Store(proposed=proposed))
    assert curves["useful"] == {1: 1.0, 2: 2.0}
    assert curves["useful_share"] == {1: 0.2, 2: 0.5}
    # Four valid proposals at first, two of them the same.
    assert curves["distinct_share"] == {1: 0.75, 2: 1.0}
    assert curves["rollouts"] == {1: 21.0, 2: 10.0}


def runs(ancora: Any, design: Any, **useful: float) -> list[Any]:
    """Return six runs of every arm that end with so many useful specifications, 100 where nothing is said."""

    def run(arm: str, seed: int) -> Any:
        ends = {"useful": useful.get(arm, 100.0) + seed, "heldout_accuracy": 0.2 + 0.01 * seed}
        levels = ("useful_share", "distinct_share", "rollouts", *ancora._METRICS)
        curves = {name: {1: 0.5, 2: 0.5} for name in levels}
        curves |= {name: {0: 0.1, 2: end} for name, end in ends.items()}
        return design.Run(arm, seed, curves, 1.0)

    return [run(arm, seed) for arm in ancora.ARMS for seed in range(6)]


def test_more_useful_specifications_and_a_solver_no_worse_confirm_the_experiment(
    ancora: Any, design: Any
) -> None:
    analysis = ancora.Ancora().analyse(runs(ancora, design, none=10.0))
    stabilised, gain = analysis.primaries
    assert stabilised.p == gain.p == 1 / 64
    assert {test.name: test.interval.mean for test in analysis.parts} == pytest.approx(
        {"useful": 90.0, "solver_not_worse": 0.0}
    )
    # What a part does not add is said as well.
    secondary = {test.name: test for test in analysis.secondary}
    assert secondary["full_over/uniform/useful"].holds is False


def test_as_many_useful_specifications_confirm_nothing(ancora: Any, design: Any) -> None:
    stabilised, _ = ancora.Ancora().analyse(runs(ancora, design, none=100.0)).primaries
    assert stabilised.p == 1.0


def test_a_run_that_repeats_one_specification_is_a_collapse(ancora: Any, design: Any) -> None:
    made = runs(ancora, design)
    made[0].curves["distinct_share"] = {1: 0.1, 2: 0.1}
    (note,) = ancora.Ancora().analyse(made).notes
    assert "full 1 of 6, none 0 of 6" in note
