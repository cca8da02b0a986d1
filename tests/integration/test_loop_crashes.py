"""Invariant 13 on loops: kill -9 anywhere, resume, and curriculum, archive and weights are those of the undisturbed run.

Each run has checkpoints and one rollback, and whatever its loop does that others do not; `loop_child.py` says what.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

Play = Callable[[Path, list[dict[str, Any]]], dict[str, Any]]
POINTS = {
    "ancora": ("sft", "memo-after", "commit-inside", "rollback-after"),
    "spark": ("memo-after", "commit-inside", "rollback-after"),
}
"""Where a loop does what the others do not, where a step ends, and where a run goes back."""


@dataclass(frozen=True)
class Loop:
    name: str
    play: Play
    undisturbed: dict[str, Any]


@pytest.fixture(scope="module")
def loops(
    start_child: Callable[..., Play], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Loop]:
    """Return a function from a loop's name to its runs, the undisturbed one played once."""
    made: dict[str, Loop] = {}

    def loop(name: str) -> Loop:
        if name not in made:
            play = start_child("loop_child.py", name)
            made[name] = Loop(name, play, play(tmp_path_factory.mktemp(name) / "run", []))
        return made[name]

    return loop


def assert_equal_run(run: dict[str, Any], undisturbed: dict[str, Any]) -> None:
    assert run["problems"] == []
    for part, value in undisturbed["end"].items():
        assert run["end"][part] == value, part
    assert run["charged"] == undisturbed["charged"]


@pytest.mark.parametrize("name", POINTS)
def test_the_undisturbed_run_has_all_that_a_kill_could_harm(loops: Callable[[str], Loop], name: str) -> None:
    undisturbed = loops(name).undisturbed
    assert undisturbed["problems"] == []
    assert max(Counter(undisturbed["charged"]).values()) == 1
    metrics = undisturbed["end"]["metrics"]
    kinds = Counter(kind for _, _, kind, *_ in undisturbed["end"]["dump"]["events"])
    assert {"rollback", "alarm", "evaluated", "proposed"} <= set(kinds)
    if name == "ancora":
        # The graph grows, before and after the step that it goes back to, and lessons are given.
        assert metrics[-1]["dag/admitted"] > metrics[1]["dag/admitted"] > 0
        assert sum(row.get("projection/lesson", 0) for row in metrics) >= 2
        assert kinds["sft_done"] >= 2
    else:
        # Questions are accepted before and after the step that the run goes back to, the limit rises, and both learn.
        assert metrics[-1]["curriculum/proposed"] > metrics[1]["curriculum/proposed"] > 0
        assert metrics[-1]["curriculum/hop_limit"] == 2.0
        assert any("learner/proposer/loss" in row for row in metrics)
        assert any("learner/solver/channel/path/reward_mean" in row for row in metrics)


@pytest.mark.parametrize(
    ("name", "point"), [(name, point) for name, points in POINTS.items() for point in points]
)
def test_a_kill_at_a_named_point_changes_nothing(
    loops: Callable[[str], Loop], tmp_path: Path, name: str, point: str
) -> None:
    loop = loops(name)
    run = loop.play(tmp_path / "run", [{"point": point, "visit": 1}, {"point": point, "visit": 2}])
    assert run["died"] >= 1, "the point was never reached"
    assert_equal_run(run, loop.undisturbed)


@pytest.mark.parametrize(
    "number", [pytest.param(n, marks=pytest.mark.slow if n % 2 else ()) for n in range(5)]
)
@pytest.mark.parametrize("name", POINTS)
def test_a_kill_at_a_random_moment_changes_nothing(
    loops: Callable[[str], Loop], tmp_path: Path, name: str, number: int
) -> None:
    loop = loops(name)
    # The moment is a share of the time that the undisturbed run took: one in each fifth.
    share = (number + np.random.default_rng(number).random()) / 5
    for tries in range(10):
        run = loop.play(tmp_path / f"run-{tries}", [{"delay": share * loop.undisturbed["seconds"]}])
        assert_equal_run(run, loop.undisturbed)
        if run["died"]:
            return
        # It ran faster than the undisturbed one and ended before its moment.
        share /= 2
    pytest.fail("the run was never killed")
