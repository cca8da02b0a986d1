"""A small run of the loop that is given by name, played in forked processes that are killed; driven by test_loop_crashes.py.

Reads one JSON scenario per line from standard input and answers each with one line. The base that all runs start
from is made once, in a fork, so that this process stays without threads.
"""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import dataclass
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

QUESTIONS: dict[str, Any] = {
    "name": "kg-v0", "graph": {"name": "permutations", "entities": 8, "relations": 2}, "wording": "codes", "max_hops": 2,
}  # fmt: skip
POLICY = {
    "name": "tiny", "markers": [], "layers": 1, "width": 32, "heads": 2, "device": "cpu",
}  # fmt: skip
SETTINGS: dict[str, Any] = {
    "checkpoint_every": 3,
    "threads": 1,
    "window": 2,
    "evaluation": {"every": 3, "tasks": 4, "proposals": 4},
    "max_rollbacks": 1,
}


@dataclass(frozen=True)
class Case:
    """A run: its base, and what its recipe has besides `SETTINGS`."""

    policy: dict[str, Any]
    """What the policy has besides `POLICY`."""
    mistakes: dict[str, float]
    imitation: int
    """Steps of it, after which some proposals pass and some attempts are right."""
    recipe: dict[str, Any]


CASES = {
    # A projection, a refresh and practice.
    "ancora": Case(
        {"alphabet": "0123456789%=<>d,ps", "context": 64}, {}, 150,
        {
            "loop": {
                "name": "ancora", "parents": 3, "siblings": 4, "attempts": 4, "practice": 2, "practice_attempts": 3,
                "curriculum": {"name": "ucb_dag", "roots": 5},
                "projection": {"rounds": 2, "least": 1, "refresh": 2, "valid": 1.0},
            },
            "environment": "constraints-v0", "steps": 7, "batch_size": 16,
            "sampling": {"max_new_tokens": 3}, "sampling_of": {"proposer": {"max_new_tokens": 20}},
        },
    ),
    # Phases of two steps, so that a snapshot of the solver is kept from one to the next, and a channel with a memory.
    "spark": Case(
        {"alphabet": "abcdefghABCD|", "context": 48}, {"solver": 0.3}, 300,
        {
            "loop": {
                "name": "spark", "parents": 3, "siblings": 4, "attempts": 4, "choices": 2, "solver_groups": 4,
                "schedule": "alternate", "phase_steps": 2, "channels": {"path": 0.2},
                "curriculum": {"name": "hops", "start": 1, "raise_above": 0.1, "least_tries": 4},
            },
            "environment": QUESTIONS, "steps": 8, "batch_size": 32, "sampling": {"max_new_tokens": 4},
            "learner": {"algorithm": {"name": "reinforce", "advantage": {"name": "reinforce", "baseline": "running_mean"}}},
        },
    ),
}  # fmt: skip


@detector("test_step_5")
def at_step_5(rows: object, window: int) -> str | None:
    """Alarm at the fifth step, so that every run goes back once."""
    return "planted" if len(rows) == 6 else None  # type: ignore[arg-type]


def make_base(case: Case, folder: Path) -> None:
    """Imitate right answers and proposals."""
    from rlvr_gym.learner import Learner, LearnerConfig, SFTConfig
    from rlvr_gym.selfplay.imitation import example_of

    lm: Any = make_policy({**POLICY, **case.policy})
    domain = make_domain(case.recipe["environment"])
    demonstrations = domain.demonstrations(generator(0, "base"), 2000, case.mistakes)
    config = SFTConfig(optimizer={"name": "adamw", "lr": 1e-2}, steps=case.imitation, batch_size=32)
    Learner(LearnerConfig(), lm, seed=0).sft([example_of(d, lm) for d in demonstrations], config)
    lm.save(folder)


def main(case: Case) -> None:
    """Make the base and answer scenarios."""
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder) / "base"
        child = os.fork()
        if child == 0:
            make_base(case, base)
            os._exit(0)
        os.waitpid(child, 0)
        recipe = {
            **SETTINGS,
            **case.recipe,
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
    main(CASES[sys.argv[1]])
