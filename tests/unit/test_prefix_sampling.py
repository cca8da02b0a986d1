"""Prefix Sampling: the controller, the histories, and replay by re-execution with a fingerprint at the boundary."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rlvr_gym.agents import EnvironmentDomain, make_domain
from rlvr_gym.envs import MultiTurnEnv, Reply
from rlvr_gym.errors import ConfigError
from rlvr_gym.policies.scripted import ScriptedPolicy
from rlvr_gym.selfplay.asks import Sampling
from rlvr_gym.selfplay.credit import Credit, credit_single_turn
from rlvr_gym.selfplay.depths import Controller, turns_at
from rlvr_gym.selfplay.hall import Hall
from rlvr_gym.selfplay.histories import History, Stored
from rlvr_gym.selfplay.loops import LOOPS, Plan
from rlvr_gym.selfplay.stage import STEPPED
from rlvr_gym.store import RunStore
from rlvr_gym.types import Conversation, Episode, Estimate, Status, Task, Verdict

WORLD = {"drift": 0}
"""What `Doors` depends on besides its actions once it is not 0."""


class Doors(MultiTurnEnv):
    """Four doors, each opened by 1; a wrong key is not told, and all must have been right."""

    def __init__(self, turns: int = 4) -> None:
        super().__init__("number", max_turns=turns)
        self.opened: list[str] = []

    def draw(self, rng: np.random.Generator) -> Task:
        number = int(rng.integers(3))
        return Task(f"doors:{number}", f"House {number}.", reference=1)

    def reset(self, **given: Any) -> tuple[str, dict[str, Any]]:
        self.opened = []
        return super().reset(**given)

    def reply(self, task: Task, conversation: Conversation) -> Reply:
        keys = [message.content for message in conversation if message.role == "assistant"]
        self.opened = keys
        if len(keys) == self.max_turns:
            right = all(key == "1" for key in keys)
            return Reply("", Verdict.of(Status.PASSED if right else Status.FAILED, "all doors"))
        return Reply(f"Door {len(keys)}.")

    def fingerprint(self) -> str:
        return f"{self.opened}{WORLD['drift']}"


@pytest.fixture(autouse=True)
def calm() -> None:
    WORLD["drift"] = 0


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore.create(tmp_path / "run", config={}, seed=0, code_version="test")


def make_loop(**settings: Any) -> Any:
    entry, config = LOOPS.resolve(
        {"name": "prefix_sampling", "prompts": 3, "attempts": 4, "tasks": 3, **settings}, where="loop"
    )
    return entry.value(config, EnvironmentDomain(Doors()))


def a_step(
    loop: Any, store: RunStore, step: int, keys: dict[str, float] | str
) -> tuple[Plan, list[Episode], Credit]:
    """Play a step with a policy that draws keys, commit it as far as the loop is concerned, and return it."""
    law = {keys: 1.0} if isinstance(keys, str) else keys
    policy = ScriptedPolicy(lambda _message, _request: law)
    plan = loop.plan(step, np.random.default_rng(step), lambda slot: f"{step}/{slot}")
    hall = Hall(
        store, {"solver": policy}, {"solver": Sampling(2)}, root=step, run="r", step=step, batch_size=64
    )
    episodes = hall.play([(setup, loop.play(setup)) for setup in plan.setups])
    credit = loop.credit(plan, episodes)
    loop.fold(step, plan, credit)
    return plan, episodes, credit


# The controller


def test_failing_tasks_get_a_head_start_and_passing_ones_a_handicap() -> None:
    controller = Controller()
    assert controller.moved(0.0, 0.0, successes=True, failures=True) == pytest.approx(0.125)
    assert controller.moved(0.0, 1.0, successes=True, failures=True) == pytest.approx(-0.125)
    assert controller.moved(0.5, 1.0, successes=True, failures=True) == pytest.approx(0.375)


@pytest.mark.parametrize("rate", [0.25, 0.4, 0.5, 0.6, 0.75])
def test_nothing_moves_within_the_dead_band(rate: float) -> None:
    for depth in (-0.4, 0.0, 0.9):
        assert Controller().moved(depth, rate, successes=True, failures=True) == depth


def test_depths_stay_within_one_trajectory() -> None:
    controller, depth = Controller(gain=3.0), 0.0
    for rate in (0.0, 0.0, 0.0, 1.0, 1.0, 1.0):
        depth = controller.moved(depth, rate, successes=True, failures=True)
        assert -1.0 <= depth <= 1.0


@pytest.mark.parametrize("band", [0.25, 0.0])
@pytest.mark.parametrize("ease", [-6.0, -3.0, 0.0, 3.0, 6.0])
def test_its_fixed_point_is_one_half_for_a_response_that_rises_with_depth(ease: float, band: float) -> None:
    controller, depth = Controller(band=band), 0.0

    def rate(at: float) -> float:
        return 1.0 / (1.0 + math.exp(-(ease + 8.0 * at)))

    for _ in range(300):
        depth = controller.moved(depth, rate(depth), successes=True, failures=True)
    assert abs(rate(depth) - 0.5) <= max(band, 1e-3)
    assert controller.moved(depth, rate(depth), successes=True, failures=True) == pytest.approx(
        depth, abs=1e-3
    )


def test_a_depth_grows_only_towards_what_is_stored() -> None:
    controller = Controller()
    assert controller.moved(0.0, 0.0, successes=False, failures=True) == 0.0
    assert controller.moved(0.0, 1.0, successes=True, failures=False) == 0.0
    # What it has it keeps, and it may shrink.
    assert controller.moved(0.5, 0.0, successes=False, failures=True) == 0.5
    assert controller.moved(-0.5, 0.0, successes=False, failures=True) == pytest.approx(-0.375)


@pytest.mark.parametrize("turns", [1, 2, 3, 16])
def test_a_prefix_leaves_a_turn_to_sample(turns: int) -> None:
    for depth in np.linspace(-1, 1, 41):
        assert 0 <= turns_at(float(depth), turns) <= turns - 1


# Histories


def stored(name: str, step: int = 1, turns: int = 4) -> Stored:
    return Stored(name, tuple(f"{name}{i}" for i in range(turns)), step)


def test_the_newest_trajectories_of_each_kind_are_kept() -> None:
    history = History(Task("t", ""))
    history.store([(stored(name), name in "ace") for name in "abcdef"], keep=2)
    assert [s.id for s in history.successes] == ["e", "c"]
    assert [s.id for s in history.failures] == ["f", "d"]


def test_old_trajectories_are_dropped() -> None:
    history = History(Task("t", ""))
    history.store([(stored("a", 1), True), (stored("b", 5), False)], keep=4)
    history.forget(before=5)
    assert history.successes == []
    assert [s.id for s in history.failures] == ["b"]


def test_the_sign_of_the_depth_chooses_the_kind_and_its_size_the_turns() -> None:
    history = History(Task("t", ""), successes=[stored("s")], failures=[stored("f")])
    history.depth = 0.5
    prefix = history.prefix()
    assert prefix is not None
    assert (prefix.kind, prefix.turns) == ("head_start", ("s0", "s1"))
    history.depth = -0.75
    prefix = history.prefix()
    assert prefix is not None
    assert (prefix.kind, prefix.turns) == ("handicap", ("f0", "f1", "f2"))
    history.depth = 0.0
    assert history.prefix() is None


def test_a_task_without_a_success_gets_no_head_start() -> None:
    assert History(Task("t", ""), depth=1.0, failures=[stored("f")]).prefix() is None
    assert History(Task("t", ""), depth=-1.0, successes=[stored("s")]).prefix() is None


# The loop


def test_a_failing_task_is_helped_once_it_has_a_success(store: RunStore) -> None:
    loop = make_loop(gain=1.0)
    for step in range(1, 4):
        plan, *_ = a_step(loop, store, step, "2")
        assert all(setup.prefix is None for setup in plan.setups)
    # One attempt in sixteen opens all four doors, so that a success comes with time.
    for step in range(4, 40):
        plan, episodes, _ = a_step(loop, store, step, {"1": 0.5, "2": 0.5})
        if any(setup.prefix is not None and setup.prefix.kind == "head_start" for setup in plan.setups):
            break
    else:
        pytest.fail("no head start in 36 steps")
    for setup, episode in zip(plan.setups, episodes, strict=True):
        replayed = {sum(s.kind == "replay" for s in t.segments) for t in episode.trajectories}
        assert replayed == {len(setup.prefix.turns) if setup.prefix is not None else 0}


def head_started(store: RunStore) -> tuple[Any, int]:
    """Return a loop whose tasks all have a head start of two of four turns, and the next step."""
    loop = make_loop()
    for step in (1, 2):
        a_step(loop, store, step, "1")
    assert len(loop._histories) == 3
    for history in loop._histories.values():
        history.depth = 0.5
    return loop, 3


def test_the_replayed_tokens_are_the_stored_ones_and_carry_no_loss(store: RunStore) -> None:
    loop, step = head_started(store)
    plan, episodes, _ = a_step(loop, store, step, {"1": 0.5, "2": 0.5})
    for setup, episode in zip(plan.setups, episodes, strict=True):
        assert setup.prefix is not None
        records = store.settled(setup.prefix.turns)
        assert records is not None
        assert [t.id for t in episode.trajectories] == [t.works[0] for t in episode.trajectories]
        for trajectory in episode.trajectories:
            kinds = [s.kind for s in trajectory.segments]
            assert kinds[:5] == ["prompt", "replay", "environment", "replay", "environment"]
            assert set(kinds[5:]) == {"sampled", "environment"}
            replayed = [s for s in trajectory.segments if s.kind == "replay"]
            for record, segment in zip(records, replayed, strict=True):
                np.testing.assert_array_equal(record.arrays["ids1"], segment.ids)
                np.testing.assert_array_equal(record.arrays["logprobs1"], segment.logprobs)
            carried = trajectory.segments[5:]
            assert trajectory.loss_mask.sum() == sum(len(s.ids) for s in carried if s.kind == "sampled")
            assert trajectory.turns[:2] == setup.prefix.turns
            assert len(trajectory.works) == 2
            assert not set(trajectory.works) & set(setup.prefix.turns)


def test_the_state_at_the_boundary_is_the_recorded_one(store: RunStore) -> None:
    loop, step = head_started(store)
    plan, *_ = a_step(loop, store, step, "1")
    replays = [event.payload for event in store.events(STEPPED, step) if event.payload["replayed"]]
    assert len(replays) == 12
    recorded = {
        store.recall(STEPPED, [s.prefix.turns[-1]])[s.prefix.turns[-1]]["fingerprint"] for s in plan.setups
    }
    assert {row["fingerprint"] for row in replays} == recorded


def test_a_replay_that_leads_elsewhere_is_discarded_counted_and_played_plainly(store: RunStore) -> None:
    loop, step = head_started(store)
    WORLD["drift"] = 1
    before = {id: h.prefix().trajectory for id, h in loop._histories.items()}
    plan, episodes, credit = a_step(loop, store, step, "2")
    assert loop.health(plan, credit)["prefix/discarded"] == 3
    assert loop.health(plan, credit)["prefix/share"] == 0
    for episode in episodes:
        for trajectory in episode.trajectories:
            assert trajectory.num_replayed == 0
            assert len(trajectory.turns) == len(trajectory.works) == 4
    for id, history in loop._histories.items():
        assert before[id] not in [s.id for s in history.successes]
        assert history.depth == 0.5


def test_an_environment_that_ends_within_the_prefix_is_a_mismatch(store: RunStore) -> None:
    loop, step = head_started(store)
    loop._protocol.env = Doors(turns=2)
    plan, episodes, credit = a_step(loop, store, step, "1")
    assert loop.health(plan, credit)["prefix/discarded"] == 3
    assert all(t.num_replayed == 0 for e in episodes for t in e.trajectories)


def test_success_behind_a_prefix_is_never_merged_with_plain_success(store: RunStore) -> None:
    loop, step = head_started(store)
    _, _, credit = a_step(loop, store, step, "1")
    assert credit.estimates == {}
    assert {e.source for e in credit.behind_prefixes.values()} == {"prefix"}
    assert {(e.tried, e.solved) for e in credit.behind_prefixes.values()} == {(4, 4)}
    both = Credit()
    both.note(Estimate("t", tried=4, solved=1))
    both.note(Estimate("t", tried=4, solved=4, source="prefix"))
    both.note(Estimate("t", tried=4, solved=1))
    assert both.estimates["t"] == Estimate("t", tried=8, solved=2)
    assert both.behind_prefixes["t"] == Estimate("t", tried=4, solved=4, source="prefix")


def test_a_trajectory_behind_a_prefix_is_stored_whole_and_can_be_replayed(store: RunStore) -> None:
    loop, step = head_started(store)
    _, episodes, _ = a_step(loop, store, step, "1")
    for history in loop._histories.values():
        assert len(history.successes[0].turns) == 4
        assert history.successes[0].step == step
        history.depth = 0.75
    plan, replayed, _ = a_step(loop, store, step + 1, "1")
    for setup, episode in zip(plan.setups, replayed, strict=True):
        assert setup.prefix is not None
        assert setup.prefix.trajectory in {t.id for e in episodes for t in e.trajectories}
        assert all(len(t.works) == 1 for t in episode.trajectories)
        assert all(v.passed for v in episode.verdicts.values())


def test_the_figures_count_tokens_apart(store: RunStore) -> None:
    loop, step = head_started(store)
    plan, _, credit = a_step(loop, store, step, "1")
    figures = loop.health(plan, credit)
    # Three groups of four; two turns of two tokens each way.
    assert figures["prefix/tokens_sampled"] == figures["prefix/tokens_replayed"] == 3 * 4 * 4
    assert figures["prefix/share"] == 1
    assert figures["prefix/head_starts"] == 3
    assert figures["prefix/handicaps"] == figures["prefix/discarded"] == 0
    assert figures["prefix/solve_rate"] == 1


def test_masked_attempts_are_neither_stored_nor_counted(store: RunStore) -> None:
    loop = make_loop()
    plan = loop.plan(1, np.random.default_rng(1), lambda slot: f"1/{slot}")
    hall = Hall(
        store,
        {"solver": ScriptedPolicy(lambda _m, _r: "1")},
        {"solver": Sampling(2)},
        root=1,
        run="r",
        step=1,
        batch_size=64,
    )
    episodes = hall.play([(setup, loop.play(setup)) for setup in plan.setups])
    lost = Verdict.of(Status.INFRASTRUCTURE, "the sandbox is gone")
    for episode in episodes:
        first = episode.trajectories[0].id
        episode.verdicts[first] = lost  # type: ignore[index]
    loop.fold(1, plan, credit_single_turn(episodes))
    for history in loop._histories.values():
        assert len(history.successes) == 3


def test_the_state_survives_json_and_gives_the_same_plans(store: RunStore) -> None:
    loop, step = head_started(store)
    other = make_loop()
    other.load(json.loads(json.dumps(loop.state())))

    def plan(of: Any) -> Plan:
        return of.plan(step, np.random.default_rng(step), str)

    assert plan(other) == plan(loop)
    assert any(setup.prefix is not None for setup in plan(other).setups)
    assert other.state() == loop.state()


def test_tasks_are_visited_in_turn_once_there_are_enough(store: RunStore) -> None:
    loop = make_loop(prompts=2)
    seen = []
    for step in range(1, 8):
        plan, *_ = a_step(loop, store, step, "1")
        seen.append([setup.task.id for setup in plan.setups])
    assert len(loop._histories) == 3
    flat = [id for ids in seen[-3:] for id in ids]
    assert sorted(flat) == sorted(2 * list(loop._histories))


def test_an_environment_of_one_turn_is_refused() -> None:
    entry, config = LOOPS.resolve("prefix_sampling", where="loop")
    with pytest.raises(ConfigError, match="Did you mean 'rlvr'"):
        entry.value(config, make_domain("sums-v0"))
