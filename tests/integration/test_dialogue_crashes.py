"""Invariant 13 on dialogues: kill -9 between any two turns, resume, and the run is the one that was never stopped.

The run has several turns per trajectory, an environment that answers, and prefixes replayed from the run's own history.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

Play = Callable[[Path, list[dict[str, Any]]], dict[str, Any]]
POINTS = ("planned-after", "blob-half", "settled-inside", "settled-after", "memo-inside", "memo-after")
"""Where a turn writes; the other points are no different from those of single turns."""


@pytest.fixture(scope="module")
def play(start_child: Callable[[str], Play]) -> Play:
    return start_child("dialogue_child.py")


@pytest.fixture(scope="module")
def undisturbed(play: Play, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return play(tmp_path_factory.mktemp("undisturbed") / "run", [])


def assert_equal_run(run: dict[str, Any], undisturbed: dict[str, Any]) -> None:
    assert run["problems"] == []
    for part, value in undisturbed["end"].items():
        assert run["end"][part] == value, part
    assert run["charged"] == undisturbed["charged"]


def test_the_undisturbed_run_has_turns_and_prefixes(undisturbed: dict[str, Any]) -> None:
    assert undisturbed["problems"] == []
    assert max(Counter(undisturbed["charged"]).values()) == 1
    metrics = undisturbed["end"]["metrics"]
    assert sum(row.get("prefix/head_starts", 0) for row in metrics) > 0
    assert sum(row.get("prefix/discarded", 0) for row in metrics) == 0
    assert sum(row.get("prefix/tokens_replayed", 0) for row in metrics) > 0
    kinds = Counter(kind for _, _, kind, *_ in undisturbed["end"]["dump"]["events"])
    # Every turn was answered, and turns of one trajectory are more than one.
    assert kinds["stepped"] >= kinds["settled"] > 6 * 6
    assert {work[6] for work in undisturbed["end"]["dump"]["works"]} >= {"charged"}


@pytest.mark.parametrize("point", POINTS)
def test_a_kill_at_a_named_point_changes_nothing(
    play: Play, undisturbed: dict[str, Any], tmp_path: Path, point: str
) -> None:
    run = play(tmp_path / "run", [{"point": point, "visit": 5}, {"point": point, "visit": 9}])
    assert run["died"] >= 1, "the point was never reached"
    assert_equal_run(run, undisturbed)


@pytest.mark.parametrize(
    "number", [0, *(pytest.param(number, marks=pytest.mark.slow) for number in range(1, 4))]
)
def test_a_kill_at_a_random_visit_of_any_point_changes_nothing(
    play: Play, undisturbed: dict[str, Any], tmp_path: Path, number: int
) -> None:
    visits = np.random.default_rng(number).integers(1, 150, size=3).tolist()
    run = play(tmp_path / "run", [{"point": "any", "visit": visit} for visit in visits])
    assert run["died"] >= 1
    assert_equal_run(run, undisturbed)
