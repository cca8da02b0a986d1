"""A small run of several turns, with prefixes that are replayed, in forked processes that are killed.

Driven by test_dialogue_crashes.py, as selfplay_child.py is by test_selfplay_crashes.py.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from killing import serve

from rlvr_gym.selfplay import train
from rlvr_gym.selfplay.train import load_recipe

torch.set_num_threads(1)

RECIPE = {
    "loop": {"name": "prefix_sampling", "prompts": 2, "attempts": 3, "tasks": 3, "gain": 1.0, "band": 0.0},
    "environment": {"name": "guess-v0", "low": 0, "high": 3, "max_turns": 4},
    "policies": {"main": {"name": "tiny", "alphabet": "0123456789", "markers": [], "layers": 1, "width": 16, "heads": 2}},
    "seed": 3,
    "steps": 6,
    "batch_size": 4,
    "checkpoint_every": 3,
    "threads": 1,
    "sampling": {"max_new_tokens": 2},
    "learner": {"algorithm": "sign"},
    "warm_start": {"examples": 64, "steps": 8, "warmup_steps": 1, "batch_size": 16, "lr": 1e-2},
    "evaluation": {"every": 3, "tasks": 2},
}  # fmt: skip


def play(folder: Path) -> None:
    train(RECIPE, folder=folder, resume=(folder / "run.sqlite").exists())


if __name__ == "__main__":
    load_recipe(RECIPE)
    serve(play, sys.stdin, sys.stdout)
