"""A small self-play run of real parts, played in forked processes that are killed; driven by test_selfplay_crashes.py.

Reads one JSON scenario per line from standard input and answers each with one line. The parent has torch loaded
and no threads, so that each attempt costs only its own work.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from killing import serve

from rlvr_gym.selfplay import detector, train
from rlvr_gym.selfplay.train import load_recipe

torch.set_num_threads(1)

RECIPE = {
    "loop": {
        "name": "vhg", "parents": 2, "siblings": 2, "attempts": 2, "practice": 2, "practice_attempts": 3,
        "schedule": "alternate", "setter_steps": 2, "solver_steps": 1,
    },
    "environment": {"name": "integral-v0", "families": ["table_sum"], "style": "compact"},
    "policies": {"main": {"name": "tiny", "alphabet": "0123456789+-*/^()|xcosinelt", "layers": 1, "width": 16, "heads": 2}},
    "steps": 7,
    "batch_size": 4,
    "checkpoint_every": 3,
    "threads": 1,
    "window": 2,
    "sampling": {"max_new_tokens": 12},
    "sampling_of": {"proposer": {"max_new_tokens": 20}},
    "learner": {"algorithm": "sign"},
    "warm_start": {"examples": 64, "steps": 6, "warmup_steps": 1, "batch_size": 16, "lr": 1e-2},
    "evaluation": {"every": 3, "tasks": 4, "proposals": 4},
    "alarms": {"test_step_5": "rollback"},
    "max_rollbacks": 1,
}  # fmt: skip


@detector("test_step_5")
def at_step_5(rows: object, window: int) -> str | None:
    """Alarm at the fifth step, so that every run goes back once."""
    return "planted" if len(rows) == 6 else None  # type: ignore[arg-type]


def play(folder: Path) -> None:
    train(RECIPE, folder=folder, resume=(folder / "run.sqlite").exists())


if __name__ == "__main__":
    load_recipe(RECIPE)
    serve(play, sys.stdin, sys.stdout)
