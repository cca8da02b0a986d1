"""Prefixes of swe-v0: files in a real sandbox, rebuilt by running the recorded actions, and compared before going on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rlvr_gym.agents import make_domain
from rlvr_gym.envs.swe_play.actions import fenced
from rlvr_gym.policies.scripted import ScriptedPolicy
from rlvr_gym.runtimes.local import LocalRuntime
from rlvr_gym.selfplay.asks import Sampling
from rlvr_gym.selfplay.credit import Credit
from rlvr_gym.selfplay.hall import Hall
from rlvr_gym.selfplay.loops import LOOPS, Plan
from rlvr_gym.selfplay.stage import STEPPED
from rlvr_gym.store import RunStore
from rlvr_gym.types import Episode
from tests.integration.test_swe_env import ID, LIMITS, RIGHT, SUBMIT


@pytest.fixture(autouse=True, scope="module")
def _isolates() -> None:
    if missing := LocalRuntime().missing():
        pytest.skip("; ".join(missing))


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore.create(tmp_path / "run", config={}, seed=0, code_version="test")


def make_loop() -> Any:
    domain = make_domain({"name": "swe-v0", "ids": (ID,), **LIMITS})
    entry, config = LOOPS.resolve(
        {"name": "prefix_sampling", "prompts": 1, "attempts": 2, "tasks": 1}, where="loop"
    )
    return entry.value(config, domain)


def a_step(loop: Any, store: RunStore, step: int, command: str) -> tuple[Plan, Episode, Credit, list[str]]:
    """Play a step of a policy that edits, runs ``command`` and submits; return it with what the policy answered to."""
    asked: list[str] = []

    def script(message: str, _request: Any) -> str:
        asked.append(message)
        if message.startswith("spans/sets.py: changed"):
            return fenced(command)
        return SUBMIT if "exit code" in message.lower() or "No output" in message else RIGHT

    plan = loop.plan(step, np.random.default_rng(step), lambda slot: f"{step}/{slot}")
    hall = Hall(
        store,
        {"solver": ScriptedPolicy(script)},
        {"solver": Sampling(2000)},
        root=step,
        run="r",
        step=step,
        batch_size=8,
    )
    (episode,) = hall.play([(setup, loop.play(setup)) for setup in plan.setups])
    assert hall._stage._live == {}
    credit = loop.credit(plan, [episode])
    loop.fold(step, plan, credit)
    return plan, episode, credit, asked


def test_a_head_start_finds_the_files_that_the_replayed_actions_left(store: RunStore) -> None:
    loop = make_loop()
    a_step(loop, store, 1, "mkdir notes; echo looked > notes/seen")
    (history,) = loop._histories.values()
    assert [len(s.turns) for s in history.successes] == [3, 3]
    history.depth = 0.7
    plan, episode, credit, asked = a_step(loop, store, 2, "exit 1")
    assert plan.setups[0].prefix is not None
    # Only the last turn was written anew, and the edit of the first is in what it submitted.
    assert len(asked) == 2
    assert all(verdict.passed for verdict in episode.verdicts.values())
    assert all(len(t.works) == 1 and len(t.turns) == 3 for t in episode.trajectories)
    assert loop.health(plan, credit)["prefix/head_starts"] == 1
    replays = [event.payload for event in store.events(STEPPED, 2) if event.payload["replayed"]]
    stored = store.recall(STEPPED, plan.setups[0].prefix.turns)[plan.setups[0].prefix.turns[-1]]
    assert [row["fingerprint"] for row in replays] == [stored["fingerprint"]] * 2


def test_files_that_come_out_differently_are_noticed_and_the_prefix_is_dropped(store: RunStore) -> None:
    loop = make_loop()
    a_step(loop, store, 1, "echo $RANDOM$RANDOM > drawn")
    (history,) = loop._histories.values()
    dropped = history.successes[0].id
    history.depth = 0.7
    plan, episode, credit, asked = a_step(loop, store, 2, "true")
    assert loop.health(plan, credit)["prefix/discarded"] == 1
    # Played plainly from the opening on, in a sandbox that holds nothing of the failed replay.
    assert len(asked) == 6
    assert all(t.num_replayed == 0 for t in episode.trajectories)
    assert all(verdict.passed for verdict in episode.verdicts.values())
    assert dropped not in [s.id for s in history.successes]
    assert history.depth == 0.7
