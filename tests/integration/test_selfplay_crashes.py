"""Invariant 13 on the real loop: kill -9 anywhere, resume, and the run is the one that was never stopped, bit for bit.

The run is VHG on integrals with a tiny transformer: warm start, both phases with a frozen solver, checkpoints, one
rollback, an alarm that stops it.
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
    return start_child("selfplay_child.py")


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
    dump = undisturbed["end"]["dump"]
    kinds = Counter(kind for _, _, kind, *_ in dump["events"])
    assert {
        "planned",
        "settled",
        "judged",
        "proposed",
        "evaluated",
        "alarm",
        "rollback",
        "sft_done",
        "update_done",
    } <= set(kinds)
    assert any("frozen" in name for name in undisturbed["end"]["files"])
    assert {work[6] for work in dump["works"]} >= {"charged", "void"}


@pytest.mark.parametrize("point", [p for p in CRASH_POINTS if not p.startswith("create")])
def test_a_kill_at_a_named_point_changes_nothing(
    play: Play, undisturbed: dict[str, Any], tmp_path: Path, point: str
) -> None:
    run = play(tmp_path / "run", [{"point": point, "visit": 1}, {"point": point, "visit": 2}])
    assert run["died"] >= 1, "the point was never reached"
    assert_equal_run(run, undisturbed)


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
