"""A small SPARK run of real parts, played in forked processes that are killed; driven by test_spark_crashes.py.

Reads one JSON scenario per line from standard input and answers each with one line. The base that all runs start
from is made once, in a fork, so that this process stays without threads.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import torch
from killing import serve

from rlvr_gym.agents import make_domain
from rlvr_gym.policies import make_policy
from rlvr_gym.seeding import generator
from rlvr_gym.selfplay import DETECTORS, detector, train
from rlvr_gym.selfplay.cast import Cast
from rlvr_gym.selfplay.train import load_recipe

torch.set_num_threads(1)

ENVIRONMENT: dict[str, Any] = {
    "name": "kg-v0", "graph": {"name": "permutations", "entities": 8, "relations": 2}, "wording": "codes", "max_hops": 2,
}  # fmt: skip
POLICY = {
    "name": "tiny", "alphabet": "abcdefghABCD|", "markers": [], "layers": 1, "width": 32, "heads": 2, "context": 48,
    "device": "cpu",
}  # fmt: skip
RECIPE: dict[str, Any] = {
    # Phases of two steps: a snapshot of the solver is kept from a proposer's first step to its second.
    "loop": {
        "name": "spark", "parents": 3, "siblings": 4, "attempts": 4, "choices": 2, "solver_groups": 4,
        "schedule": "alternate", "phase_steps": 2, "channels": {"path": 0.2},
        "curriculum": {"name": "hops", "start": 1, "raise_above": 0.1, "least_tries": 4},
    },
    "environment": ENVIRONMENT,
    "steps": 8,
    "batch_size": 32,
    "checkpoint_every": 3,
    "threads": 1,
    "window": 2,
    "sampling": {"max_new_tokens": 4},
    "learner": {"algorithm": {"name": "reinforce", "advantage": {"name": "reinforce", "baseline": "running_mean"}}},
    "evaluation": {"every": 3, "tasks": 4, "proposals": 4},
    "max_rollbacks": 1,
}  # fmt: skip


@detector("test_step_5")
def at_step_5(rows: object, window: int) -> str | None:
    """Alarm at the fifth step, so that every run goes back once."""
    return "planted" if len(rows) == 6 else None  # type: ignore[arg-type]


def make_base(folder: Path) -> None:
    """Imitate until some proposals pass and some attempts are right."""
    from rlvr_gym.learner import Learner, LearnerConfig, SFTConfig
    from rlvr_gym.selfplay.imitation import example_of

    lm: Any = make_policy(POLICY)
    domain = make_domain(ENVIRONMENT)
    demonstrations = domain.demonstrations(generator(0, "base"), 2000, {"solver": 0.3})
    config = SFTConfig(optimizer={"name": "adamw", "lr": 1e-2}, steps=300, batch_size=32)
    Learner(LearnerConfig(), lm, seed=0).sft([example_of(d, lm) for d in demonstrations], config)
    lm.save(folder)


def main() -> None:
    """Make the base and answer scenarios."""
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder) / "base"
        child = os.fork()
        if child == 0:
            make_base(base)
            os._exit(0)
        os.waitpid(child, 0)
        recipe = {
            **RECIPE,
            "policies": {"main": {"name": "torch_lm", "model": str(base), "device": "cpu"}},
            # So small a run is sick in many ways; a checkpoint at which an alarm rings is not gone back to.
            "alarms": {**dict.fromkeys(DETECTORS, "ignore"), "test_step_5": "rollback"},
        }
        # Loaded once, so that each attempt costs only its own work.
        Cast(load_recipe(recipe))

        def play(run: Path) -> None:
            train(recipe, folder=run, resume=(run / "run.sqlite").exists())

        serve(play, sys.stdin, sys.stdout)


if __name__ == "__main__":
    main()
