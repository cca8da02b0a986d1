"""Dialogues: one trajectory of many turns, every token as it was sampled, every answer recorded before it is seen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rlvr_gym.agents import EnvironmentDomain
from rlvr_gym.envs import MultiTurnEnv, Reply, make_env
from rlvr_gym.errors import UsageError
from rlvr_gym.policies.scripted import STOP_ID, ScriptedPolicy
from rlvr_gym.selfplay.asks import Sampling
from rlvr_gym.selfplay.coordinator import Fates
from rlvr_gym.selfplay.credit import credit_single_turn
from rlvr_gym.selfplay.dialogue import Dialogue, attempts
from rlvr_gym.selfplay.hall import Hall
from rlvr_gym.selfplay.protocols import SingleTurn
from rlvr_gym.selfplay.stage import STEPPED
from rlvr_gym.store import RunStore
from rlvr_gym.types import Completion, Conversation, Episode, SampleRequest, Setup, Status, Task, Verdict

LOG: list[str] = []
"""What the copies of `Counting` did; they are pickled, so that they cannot hold it themselves."""


class Counting(MultiTurnEnv):
    """Counts upwards with the policy: turn n must be answered with n. Logs what its copies are asked."""

    def __init__(self, *, max_turns: int = 4, lost: str = "", bug: str = "") -> None:
        super().__init__("number", max_turns=max_turns)
        self.lost = lost
        self.bug = bug

    def draw(self, rng: np.random.Generator) -> Task:
        return Task("count", "Count.", reference=self.max_turns)

    def reply(self, task: Task, conversation: Conversation) -> Reply:
        said = conversation[-1].content
        LOG.append(f"reply {said}")
        if said == self.bug:
            raise ZeroDivisionError("a bug of the environment")
        if said == self.lost:
            return Reply("", Verdict.of(Status.INFRASTRUCTURE, "the sandbox is gone"))
        turn = sum(message.role == "assistant" for message in conversation)
        if said == "5":
            return Reply("", Verdict.of(Status.PASSED, "five"))
        return Reply(f"{turn} done.")

    def reset(self, **given: Any) -> tuple[str, dict[str, Any]]:
        LOG.append("reset")
        return super().reset(**given)

    def close(self) -> None:
        LOG.append("close")


class Recorder:
    """A policy that draws digits and notes every request; it may die at its n-th batch."""

    def __init__(
        self, texts: Sequence[str] = ("1", "2", "5"), *, dies_at: int = -1, context: int | None = None
    ):
        self.inner = ScriptedPolicy.random(texts)
        self.version = self.inner.version
        self.render, self.render_added = self.inner.render, self.inner.render_added
        self.decode = self.inner.decode
        self.requests: list[list[SampleRequest]] = []
        self.dies_at = dies_at
        if context is not None:
            self.context = context

    def sample(self, requests: Sequence[SampleRequest]) -> list[Completion]:
        if len(self.requests) == self.dies_at:
            raise KeyboardInterrupt
        self.requests.append(list(requests))
        return self.inner.sample(requests)


@pytest.fixture(autouse=True)
def clean() -> None:
    LOG.clear()


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore.create(tmp_path / "run", config={}, seed=0, code_version="test")


def play(
    store: RunStore, policy: Any, env: MultiTurnEnv, *, number: int = 3, limit: int | None = None, **more: Any
) -> list[Episode]:
    hall = Hall(
        store,
        {"solver": policy},
        {"solver": Sampling(4, max_trajectory_tokens=limit)},
        root=7,
        run="r",
        step=1,
        batch_size=4,
    )
    protocol = Dialogue(EnvironmentDomain(env), env, **more)
    task = env.tasks(1, seed=0)[0]
    return hall.play(
        [(Setup(f"w{i}", "dialogue", task=task, attempts=2), protocol.play) for i in range(number)]
    )


def contents(episodes: list[Episode]) -> list[object]:
    return [
        [
            (
                (t.id, t.text, t.finish, t.turns, [(s.kind, s.version) for s in t.segments]),
                (t.ids.tolist(), t.logprobs.tolist(), t.entropies.tolist()),
            )
            for t in e.trajectories
        ]
        + [(key, v.status, v.reason) for key, v in e.verdicts.items()]
        for e in episodes
    ]


def test_invariant_11_the_sampler_saw_exactly_the_recorded_ids_at_every_turn(store: RunStore) -> None:
    policy = Recorder()
    episodes = play(store, policy, Counting())
    seen = {request.key: request.prompt_ids for batch in policy.requests for request in batch}
    lengths = set()
    for episode in episodes:
        for trajectory in episode.trajectories:
            written = [i for i, s in enumerate(trajectory.segments) if s.kind == "sampled"]
            assert len(written) == len(trajectory.turns)
            lengths.add(len(written))
            for turn, at in zip(trajectory.turns, written, strict=True):
                before = np.concatenate([s.ids for s in trajectory.segments[:at]])
                np.testing.assert_array_equal(before, seen[turn])
    assert max(lengths) > 1


def test_only_what_the_policy_wrote_carries_loss_and_has_a_law_and_a_version(store: RunStore) -> None:
    for episode in play(store, Recorder(), Counting()):
        for trajectory in episode.trajectories:
            kinds = [s.kind for s in trajectory.segments]
            assert kinds == ["prompt", *["sampled", "environment"] * 9][: len(kinds)]
            assert kinds[-1] == "sampled"
            for segment in trajectory.segments:
                assert (segment.logprobs is not None) == (segment.kind == "sampled")
                assert (segment.version is not None) == (segment.kind == "sampled")
            text = "".join(chr(i) for i in trajectory.ids[trajectory.loss_mask] if i < STOP_ID)
            assert set(text) <= set("125")


def test_played_again_nothing_is_sampled_and_no_environment_is_asked(store: RunStore) -> None:
    before = play(store, Recorder(), Counting())
    LOG.clear()
    policy = Recorder()
    after = play(store, policy, Counting())
    assert policy.requests == []
    assert LOG == []
    assert contents(after) == contents(before)


@pytest.mark.parametrize("dies_at", [1, 2, 3, 4])
def test_stopped_between_turns_it_goes_on_as_if_it_had_not(
    tmp_path: Path, store: RunStore, dies_at: int
) -> None:
    with pytest.raises(KeyboardInterrupt):
        play(store, Recorder(dies_at=dies_at), Counting())
    LOG.clear()
    resumed = play(store, Recorder(), Counting())
    other = RunStore.create(tmp_path / "other", config={}, seed=0, code_version="test")
    assert contents(resumed) == contents(play(other, Recorder(), Counting()))
    assert store.dump() == other.dump()


def test_turns_of_all_attempts_share_batches(store: RunStore) -> None:
    policy = Recorder()
    play(store, policy, Counting())
    assert [len(batch) for batch in policy.requests[:2]] == [4, 2]


def test_a_turn_limit_is_a_failure(store: RunStore) -> None:
    (episode,) = play(store, Recorder(["1"]), Counting(max_turns=2), number=1)
    for trajectory in episode.trajectories:
        assert len(trajectory.turns) == 2
        assert episode.verdicts[trajectory.id].status is Status.FAILED
        assert "2 turns" in episode.verdicts[trajectory.id].reason


@pytest.mark.parametrize("by", ["context", "limit"])
def test_no_room_for_another_turn_is_a_failure(store: RunStore, by: str) -> None:
    policy = Recorder(["1"], context=32 if by == "context" else None)
    (episode,) = play(store, policy, Counting(), number=1, limit=32 if by == "limit" else None)
    for trajectory in episode.trajectories:
        # 8 of the prompt, 2 of each turn, 9 of each answer: there is room for three turns.
        assert len(trajectory.turns) == 3
        assert len(trajectory.ids) <= 32
        verdict = episode.verdicts[trajectory.id]
        assert verdict.status is Status.FAILED
        assert "no room for another turn" in verdict.reason
    assert all(len(r.prompt_ids) + r.max_new_tokens <= 32 for batch in policy.requests for r in batch)


def test_a_prompt_that_leaves_no_room_is_refused(store: RunStore) -> None:
    with pytest.raises(UsageError, match="8 tokens of task 'count' leave no room"):
        play(store, Recorder(), Counting(), limit=8)


def test_a_turn_cut_at_its_token_limit_is_closed_before_the_answer(store: RunStore) -> None:
    (episode,) = play(store, Recorder(["111111"]), Counting(max_turns=2), number=1)
    trajectory = episode.trajectories[0]
    assert STOP_ID not in trajectory.segments[1].ids
    assert trajectory.segments[2].kind == "environment"
    assert trajectory.segments[2].ids[0] == STOP_ID


def test_a_lost_environment_is_masked_and_leaves_the_group(store: RunStore) -> None:
    episodes = play(store, Recorder(["1", "3"]), Counting(lost="3"), number=4)
    credit = credit_single_turn(episodes)
    lost = {id for e in episodes for id, v in e.verdicts.items() if v.status is Status.INFRASTRUCTURE}
    assert lost
    assert set(credit.masked) == lost
    for group in credit.groups:
        for member, reward in zip(group.members, group.rewards, strict=True):
            assert (reward is None) == (member.id in lost)


def test_a_bug_of_an_environment_ends_the_step_and_closes_all_copies(store: RunStore) -> None:
    with pytest.raises(ZeroDivisionError, match="a bug of the environment"):
        play(store, Recorder(["1", "2"]), Counting(bug="2"), number=2)
    assert LOG.count("close") == LOG.count("reset") > 1


def test_every_copy_is_closed_when_its_episode_ends(store: RunStore) -> None:
    episodes = play(store, Recorder(), Counting())
    assert LOG.count("close") == sum(len(e.trajectories) for e in episodes)


def test_answers_of_a_moment_are_recorded_together(store: RunStore) -> None:
    with pytest.raises(ZeroDivisionError):
        play(store, Recorder(["1", "2"]), Counting(bug="2"), number=2)
    assert "reply 1" in LOG
    assert store.events(STEPPED) == []


def test_a_trajectory_closes_all_its_turns() -> None:
    works = {"a": ("a", "a1", "a2"), "b": ("b",), "c": ("c", "c1")}
    fates = Fates(charged=("a",), dropped={"b": "no_signal"}, masked={"c": "infrastructure"}).of_works(works)
    assert fates.charged == ("a", "a1", "a2")
    assert fates.dropped == {"b": "no_signal"}
    assert fates.masked == {"c": "infrastructure", "c1": "infrastructure"}


def test_the_environment_decides_how_its_tasks_are_attempted() -> None:
    assert isinstance(attempts(EnvironmentDomain(make_env("guess-v0"))), Dialogue)
    assert isinstance(attempts(EnvironmentDomain(make_env("sums-v0"))), SingleTurn)
