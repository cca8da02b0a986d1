"""Invariant 13 on SPARK: kill -9 anywhere, resume, and curriculum, archive and weights are those of the undisturbed run.

The run alternates phases with a frozen solver, has a channel whose advantage rule has a memory, and one rollback.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

Play = Callable[[Path, list[dict[str, Any]]], dict[str, Any]]
POINTS = ("memo-after", "commit-inside", "rollback-after")
"""Where questions are posed, where a step ends, and where the run goes back; the other points are no different here."""


@pytest.fixture(scope="module")
def play(start_child: Callable[[str], Play]) -> Play:
    return start_child("spark_child.py")


@pytest.fixture(scope="module")
def undisturbed(play: Play, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return play(tmp_path_factory.mktemp("undisturbed") / "run", [])


def assert_equal_run(run: dict[str, Any], undisturbed: dict[str, Any]) -> None:
    assert run["problems"] == []
    for part, value in undisturbed["end"].items():
        assert run["end"][part] == value, part
    assert run["charged"] == undisturbed["charged"]


def test_the_undisturbed_run_has_all_that_a_kill_could_harm(undisturbed: dict[str, Any]) -> None:
    assert undisturbed["problems"] == []
    assert max(Counter(undisturbed["charged"]).values()) == 1
    metrics = undisturbed["end"]["metrics"]
    # Questions are accepted before and after the step that the run goes back to, the limit rises, and both learn.
    assert metrics[-1]["curriculum/proposed"] > metrics[1]["curriculum/proposed"] > 0
    assert metrics[-1]["curriculum/hop_limit"] == 2.0
    assert any("learner/proposer/loss" in row for row in metrics)
    assert any("learner/solver/channel/path/reward_mean" in row for row in metrics)
    kinds = Counter(kind for _, _, kind, *_ in undisturbed["end"]["dump"]["events"])
    assert {"rollback", "alarm", "evaluated", "proposed"} <= set(kinds)


@pytest.mark.parametrize("point", POINTS)
def test_a_kill_at_a_named_point_changes_nothing(
    play: Play, undisturbed: dict[str, Any], tmp_path: Path, point: str
) -> None:
    run = play(tmp_path / "run", [{"point": point, "visit": 1}, {"point": point, "visit": 2}])
    assert run["died"] >= 1, "the point was never reached"
    assert_equal_run(run, undisturbed)


@pytest.mark.parametrize(
    "number", [pytest.param(n, marks=pytest.mark.slow if n % 2 else ()) for n in range(5)]
)
def test_a_kill_at_a_random_moment_changes_nothing(
    play: Play, undisturbed: dict[str, Any], tmp_path: Path, number: int
) -> None:
    # The moment is a share of the time that the undisturbed run took: one in each fifth.
    share = (number + np.random.default_rng(number).random()) / 5
    for tries in range(10):
        run = play(tmp_path / f"run-{tries}", [{"delay": share * undisturbed["seconds"]}])
        assert_equal_run(run, undisturbed)
        if run["died"]:
            return
        # It ran faster than the undisturbed one and ended before its moment.
        share /= 2
    pytest.fail("the run was never killed")
