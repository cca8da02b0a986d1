"""Invariant 24: a rollback restores weights, moments, random streams and curriculum together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rlvr_gym.selfplay import DETECTORS, SelfPlay, load_recipe
from rlvr_gym.selfplay.cast import Cast
from rlvr_gym.selfplay.recipe import Recipe
from rlvr_gym.store import RunStore


@pytest.fixture
def recipe() -> Recipe:
    return load_recipe(
        {
            "loop": {
                "name": "vhg",
                "parents": 2,
                "siblings": 2,
                "attempts": 2,
                "practice": 2,
                "practice_attempts": 2,
            },
            "environment": {"name": "integral-v0", "families": ["table_sum"], "style": "compact"},
            "policies": {"main": {"name": "tiny", "layers": 1, "width": 16, "heads": 2}},
            "steps": 5,
            "checkpoint_every": 2,
            "threads": 1,
            "sampling": {"max_new_tokens": 12},
            "learner": {"algorithm": "sign", "optimizer": {"name": "adamw", "lr": 1e-2}},
            "evaluation": {"tasks": 2, "proposals": 2},
            "alarms": {"extremes": "rollback"},
            "max_rollbacks": 1,
        }
    )


def test_invariant_24_a_rollback_restores_everything_together(
    recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alarms = iter([None, None, None, "planted"])
    entry = DETECTORS["extremes"]
    monkeypatch.setitem(
        DETECTORS._entries, "extremes", type(entry)("extremes", lambda rows, window: next(alarms, None))
    )
    found: dict[str, Any] = {}
    store = RunStore.create(tmp_path / "run", config={}, seed=0, code_version="test")

    def watch(stage: str, done: int, total: int, figures: object) -> None:
        if stage == "rollback":
            checkpoint = store.last_checkpoint()
            assert checkpoint is not None
            written = json.loads((checkpoint.path / "learners/main/state.json").read_text())
            found.update(
                step=done,
                learner=run.cast._learners["main"].fingerprint() == written["fingerprint"],
                loop=run.cast.loop.state() == checkpoint.state,
                version=run.cast.version,
                rows=len(run.rows),
            )

    run = SelfPlay(recipe, store, Cast(recipe), watch)
    report = run.run()
    assert found == {"step": 2, "learner": True, "loop": True, "version": "main:2", "rows": 3}
    assert report.steps == 5
    assert [(a.detector, a.step, a.message) for a in report.alarms] == [("extremes", 4, "planted")]
    assert store.branch == 1
    assert store.verify_accounts() == []
    planned = {e.branch: e.payload["setups"] for e in store.events(kind="plan", void=True) if e.step == 3}
    assert set(planned) == {0, 1}
    assert planned[0] != planned[1]
    store.close()
