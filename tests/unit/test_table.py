"""The table: batches are a function of the plan and the records, never of timing (invariants 11, 12, 16)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from rlvr_gym.policies.scripted import ScriptedPolicy
from rlvr_gym.selfplay.asks import Sampling
from rlvr_gym.selfplay.hall import Hall
from rlvr_gym.selfplay.table import Table
from rlvr_gym.store import RunStore
from rlvr_gym.types import Completion, Episode, Message, SampleRequest, Setup, Task, Verdict
from rlvr_gym.verifiers import Verifier

TASK = Task("t", "1+1=", reference="2", verifier="number")
NUMBER = Verifier("number")


class Recorder:
    """A scripted policy that notes which requests shared a batch."""

    def __init__(self) -> None:
        self.inner = ScriptedPolicy.random(["2", "3", "two"])
        self.version = self.inner.version
        self.render, self.render_added, self.decode = (
            self.inner.render,
            self.inner.render_added,
            self.inner.decode,
        )
        self.batches: list[list[str]] = []

    def sample(self, requests: Sequence[SampleRequest]) -> list[Completion]:
        self.batches.append([request.key for request in requests])
        return self.inner.sample(requests)


def hall(store: RunStore, policy: Recorder, batch_size: int = 4) -> Hall:
    return Hall(
        store, {"solver": policy}, {"solver": Sampling(8)}, root=7, run="r", step=1, batch_size=batch_size
    )


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore.create(tmp_path / "run", config={}, seed=0, code_version="test")


def setups(number: int) -> list[Setup]:
    return [Setup(f"w{i}", "test", task=TASK) for i in range(number)]


async def three_then_one(setup: Setup, table: Table) -> None:
    """Three attempts side by side, each judged; then one more that waits for all of them."""

    async def one(k: int) -> Verdict:
        said = await table.say("solver", TASK.conversation(), place=(0, k), task="t")
        return await table.verify(NUMBER, TASK, said, place=(0, k))

    verdicts = await table.gather(*(one(k) for k in range(3)))
    if any(v.passed for v in verdicts):
        await one(3)


def contents(episodes: list[Episode]) -> list[object]:
    return [
        [(t.id, t.text, t.ids.tolist(), t.logprobs.tolist()) for t in e.trajectories]
        + [(key, v.status, v.reason) for key, v in e.verdicts.items()]
        for e in episodes
    ]


def test_requests_form_batches_in_plan_order(store: RunStore) -> None:
    policy = Recorder()
    episodes = hall(store, policy).play([(setup, three_then_one) for setup in setups(4)])
    first = [t.id for e in episodes for t in e.trajectories[:3]]
    assert [key for batch in policy.batches[:3] for key in batch] == first
    assert [len(batch) for batch in policy.batches[:3]] == [4, 4, 4]
    # The second wave holds the fourth attempts of all episodes that had a success.
    late = [t.id for e in episodes for t in e.trajectories[3:]]
    assert late
    assert [key for batch in policy.batches[3:] for key in batch] == late


def test_played_again_everything_is_read_and_nothing_sampled(store: RunStore) -> None:
    before = hall(store, Recorder()).play([(setup, three_then_one) for setup in setups(4)])
    policy = Recorder()
    after = hall(store, policy).play([(setup, three_then_one) for setup in setups(4)])
    assert policy.batches == []
    assert contents(after) == contents(before)


def test_a_half_settled_step_asks_for_whole_batches(tmp_path: Path, store: RunStore) -> None:
    class Dies(Recorder):
        def sample(self, requests: Sequence[SampleRequest]) -> list[Completion]:
            if len(self.batches) == 2:
                raise KeyboardInterrupt
            return super().sample(requests)

    with pytest.raises(KeyboardInterrupt):
        hall(store, Dies()).play([(setup, three_then_one) for setup in setups(4)])
    again = Recorder()
    resumed = hall(store, again).play([(setup, three_then_one) for setup in setups(4)])
    whole = Recorder()
    other = RunStore.create(tmp_path / "other", config={}, seed=0, code_version="test")
    straight = hall(other, whole).play([(setup, three_then_one) for setup in setups(4)])
    assert again.batches == whole.batches[2:]
    assert contents(resumed) == contents(straight)


def test_invariant_11_the_sampler_saw_exactly_the_recorded_ids(store: RunStore) -> None:
    seen: dict[str, np.ndarray] = {}

    class Sees(Recorder):
        def sample(self, requests: Sequence[SampleRequest]) -> list[Completion]:
            found = super().sample(requests)
            seen.update(
                (request.key, np.concatenate([request.prompt_ids, completion.ids]))
                for request, completion in zip(requests, found, strict=True)
            )
            return found

    for episode in hall(store, Sees()).play([(setup, three_then_one) for setup in setups(2)]):
        for trajectory in episode.trajectories:
            np.testing.assert_array_equal(trajectory.ids, seen[trajectory.id])


def test_invariant_12_hidden_fields_never_reach_a_prompt(store: RunStore) -> None:
    secret = Task("t", "1+1=", reference="CANARY", hidden={"claim": "CANARY"}, verifier="number")
    prompts: list[str] = []

    class Reads(Recorder):
        def sample(self, requests: Sequence[SampleRequest]) -> list[Completion]:
            prompts.extend(self.inner.decode(request.prompt_ids) for request in requests)
            return super().sample(requests)

    async def one(setup: Setup, table: Table) -> None:
        await table.say("solver", secret.conversation(), place=(0, 0), task="t")

    hall(store, Reads()).play([(setup, one) for setup in setups(1)])
    assert prompts == ["1+1="]


def test_an_error_in_one_episode_ends_the_step_and_is_raised(store: RunStore) -> None:
    async def fails(setup: Setup, table: Table) -> None:
        await table.say("solver", TASK.conversation(), place=(0, 1), task="t")
        if setup.work == "w1":
            raise ValueError("a bug of the protocol")

    async def waits(setup: Setup, table: Table) -> None:
        async def one(k: int) -> None:
            await table.say("solver", (Message("user", "x"),), place=(0, k), task="t")

        await table.gather(one(0), fails(setup, table), one(2))

    with pytest.raises(ValueError, match="a bug of the protocol"):
        hall(store, Recorder()).play([(setup, waits) for setup in setups(3)])


def test_no_episode_is_a_step_too(store: RunStore) -> None:
    assert hall(store, Recorder()).play([]) == []


def test_invariant_16_the_order_in_which_an_episode_asks_changes_nothing(
    tmp_path: Path, store: RunStore
) -> None:
    async def backwards(setup: Setup, table: Table) -> None:
        async def one(k: int) -> Verdict:
            said = await table.say("solver", TASK.conversation(), place=(0, k), task="t")
            return await table.verify(NUMBER, TASK, said, place=(0, k))

        verdicts = await table.gather(*(one(k) for k in reversed(range(3))))
        if any(v.passed for v in verdicts):
            await one(3)

    one, other = Recorder(), Recorder()
    second = RunStore.create(tmp_path / "other", config={}, seed=0, code_version="test")
    straight = hall(store, one).play([(setup, three_then_one) for setup in setups(4)])
    turned = hall(second, other).play([(setup, backwards) for setup in setups(4)])
    assert one.batches == other.batches
    assert [sorted(map(str, rows)) for rows in contents(turned)] == [
        sorted(map(str, rows)) for rows in contents(straight)
    ]
