"""A resumed run may change its number of steps and its alarms: what is recorded depends on neither."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rlvr_gym.selfplay import DETECTORS
from rlvr_gym.selfplay.train import train
from rlvr_gym.store import RunStore

RECIPE: dict[str, Any] = {
    "loop": {"name": "rlvr", "prompts": 2, "attempts": 2},
    "environment": {"name": "sums-v0"},
    "policies": {"main": {"name": "tiny", "layers": 1, "width": 16, "heads": 2}},
    "checkpoint_every": 10,
    "threads": 1,
    "sampling": {"max_new_tokens": 4},
    "learner": {"algorithm": "sign"},
    "evaluation": {"tasks": 2},
}


def events(folder: Path) -> list[tuple[int, str, Any]]:
    with RunStore.open(folder, config=None) as store:
        return [
            (e.step, e.kind, {k: v for k, v in e.payload.items() if not k.startswith("wall/")})
            for e in store.events(void=True)
            if isinstance(e.payload, dict)
        ]


@pytest.fixture
def interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of five steps that was interrupted after its third, with an alarm at the first."""
    entry = DETECTORS["extremes"]
    monkeypatch.setitem(
        DETECTORS._entries,
        "extremes",
        type(entry)("extremes", lambda rows, window: "planted" if len(rows) == 2 else None),
    )

    def watch(stage: str, done: int, total: int, figures: object) -> None:
        if (stage, done) == ("step", 3):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train({**RECIPE, "steps": 5}, folder=tmp_path / "run", watch=watch)
    return tmp_path / "run"


@pytest.mark.parametrize("steps", [2, 3, 4])
def test_any_number_of_steps_repeats_what_is_recorded(interrupted: Path, steps: int) -> None:
    before = events(interrupted)
    report = train({**RECIPE, "steps": steps}, folder=interrupted, resume=True)
    assert report.steps == steps
    assert events(interrupted)[: len(before)] == before


@pytest.mark.parametrize("action", ["ignore", "warn"])
def test_an_alarm_may_be_heard_otherwise(interrupted: Path, action: str) -> None:
    report = train({**RECIPE, "steps": 4, "alarms": {"extremes": action}}, folder=interrupted, resume=True)
    assert (report.steps, report.stopped) == (4, "")


def test_an_alarm_may_stop_what_it_only_warned_of(interrupted: Path) -> None:
    report = train({**RECIPE, "steps": 5, "alarms": {"extremes": "stop"}}, folder=interrupted, resume=True)
    assert (report.steps, report.stopped) == (1, "extremes: planted")
