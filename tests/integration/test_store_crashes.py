"""kill -9 at any moment, then resume: the same ledger, files and weights as a run that was never stopped.

Invariant 13 of the run store, and with it: every piece of work is charged exactly once, and nothing that was
settled is made again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rlvr_gym.store import CRASH_POINTS

Play = Callable[[Path, list[dict[str, Any]]], dict[str, Any]]


@pytest.fixture(scope="module")
def play(start_child: Callable[[str], Play]) -> Play:
    return start_child("store_child.py")


@pytest.fixture(scope="module")
def undisturbed(play: Play, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return play(tmp_path_factory.mktemp("undisturbed") / "run", [])


def assert_equal_run(run: dict[str, Any], undisturbed: dict[str, Any]) -> None:
    assert run["problems"] == []
    for part, value in undisturbed["end"].items():
        assert run["end"][part] == value, part
    assert run["charged"] == undisturbed["charged"]
    assert max(Counter(run["charged"]).values()) == 1


def test_the_undisturbed_run_does_what_the_others_are_compared_by(undisturbed: dict[str, Any]) -> None:
    assert undisturbed["problems"] == []
    commits = undisturbed["end"]["dump"]["commits"]
    # Steps 0 to 6, a rollback to 2 that makes four of them void, and steps 3 to 8 again in branch 1.
    assert [(branch, step, void) for branch, step, _, _, _, void in commits] == [
        *((0, step, step > 2) for step in range(7)),
        *((1, step, False) for step in range(3, 9)),
    ]
    assert [name for _, _, name, *_ in commits if name] == ["step-000002", "step-000005", "step-000008"]
    assert len(undisturbed["made"]) == len(set(undisturbed["made"]))
    masked = [work for work in undisturbed["end"]["dump"]["works"] if work[6] == "masked"]
    assert len(masked) > 3
    # Nine steps of eight pieces of work each, charged or masked.
    assert len(undisturbed["charged"]) + len(masked) == 72


@pytest.mark.parametrize("point", CRASH_POINTS)
def test_a_kill_at_a_named_point_changes_nothing(
    play: Play, undisturbed: dict[str, Any], tmp_path: Path, point: str
) -> None:
    run = play(tmp_path / "run", [{"point": point, "visit": 1}, {"point": point, "visit": 4}])
    assert run["died"] >= 1, "the point was never reached"
    assert_equal_run(run, undisturbed)
    # At most the batch in hand is made again: three samples or eight verdicts.
    assert len(run["made"]) - len(set(run["made"])) <= 8 * run["died"]


@pytest.mark.parametrize("point", ["commit-inside", "checkpoint-half", "checkpoint-renamed", "mirror-half"])
def test_what_was_settled_is_not_made_again(
    play: Play, undisturbed: dict[str, Any], tmp_path: Path, point: str
) -> None:
    run = play(tmp_path / "run", [{"point": point, "visit": n} for n in (1, 2, 3)])
    assert run["died"] == 3
    assert sorted(run["made"]) == sorted(undisturbed["made"])


@pytest.mark.parametrize("number", range(20))
def test_a_kill_at_a_random_moment_changes_nothing(
    play: Play, undisturbed: dict[str, Any], tmp_path: Path, number: int
) -> None:
    # The moment is a share of the time that the undisturbed run took: one in each twentieth.
    share = (number + np.random.default_rng(number).random()) / 20
    for tries in range(10):
        run = play(tmp_path / f"run-{tries}", [{"delay": share * undisturbed["seconds"]}])
        assert_equal_run(run, undisturbed)
        if run["died"]:
            return
        # It ran faster than the undisturbed one and ended before its moment.
        share /= 2
    pytest.fail("the run was never killed")


@pytest.mark.parametrize("number", range(3))
def test_many_kills_in_one_run_change_nothing(
    play: Play, undisturbed: dict[str, Any], tmp_path: Path, number: int
) -> None:
    visits = np.random.default_rng(number).integers(1, 60, size=25)
    run = play(tmp_path / "run", [{"point": "any", "visit": int(visit)} for visit in visits])
    assert run["died"] >= 10
    assert_equal_run(run, undisturbed)
