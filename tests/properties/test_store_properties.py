"""The store against a model in plain Python, over random histories of plans, results, commits and rollbacks."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rlvr_gym.errors import StoreError
from rlvr_gym.store import DivergedError, Fold, Record, RunStore, Work, WorkState
from rlvr_gym.store.canonical import canonical, digest, normal, timeless

_ROLES = ("proposer", "solver")
_REASONS = ("stale", "timeout", "no_signal")


class StoreMachine(RuleBasedStateMachine):
    """Each rule acts on the store and on a model that knows nothing of events."""

    @initialize()
    def create(self) -> None:
        self.base = Path(tempfile.mkdtemp())
        self.store = RunStore.create(self.base / "run", config={}, seed=0, code_version="1")
        self.step = 0
        self.counter = 0
        self.works: dict[str, dict[str, Any]] = {}
        """Work id -> step, role, settled, void, and what closed it as (commit, state, reason)."""
        self.memos: dict[str, tuple[int, int]] = {}
        self.events: dict[str, tuple[int, int]] = {}
        self.commits: list[int] = []
        self.kept: list[tuple[int, bool]] = []
        """Steps with a checkpoint, and whether it was healthy."""
        self.history: list[tuple[int, list[WorkState]]] = []

    def state(self, work: dict[str, Any]) -> str:
        if work["void"]:
            return "void"
        if work["closed"]:
            return str(work["closed"][1])
        return "settled" if work["settled"] else "planned"

    def named(self, *states: str) -> list[str]:
        return [name for name, work in self.works.items() if self.state(work) in states]

    def pick(self, data: st.DataObject, names: Sequence[str]) -> list[str]:
        chosen = data.draw(st.lists(st.booleans(), min_size=len(names), max_size=len(names)))
        return [name for name, yes in zip(names, chosen, strict=True) if yes]

    @rule(roles=st.lists(st.sampled_from(_ROLES), max_size=3), ahead=st.integers(0, 1))
    def plan(self, roles: list[str], ahead: int) -> None:
        step = self.step + ahead
        works = []
        for role in roles:
            works.append(Work(f"w{self.counter}", "rollout", role))
            self.works[f"w{self.counter}"] = {
                "step": step, "role": role, "settled": False, "void": False, "closed": None,
            }  # fmt: skip
            self.counter += 1
        self.store.planned(step, works)

    def record(self, name: str) -> Record:
        # Some results have arrays and some have none.
        number = int(name[1:])
        return Record(name, {"n": number}, {"a": np.arange(number)} if number % 2 else {})

    @rule(data=st.data())
    def settle(self, data: st.DataObject) -> None:
        names = self.pick(data, self.named("planned", "settled"))
        self.store.settle([self.record(name) for name in names])
        for name in names:
            self.works[name]["settled"] = True

    @rule(data=st.data())
    def mistake(self, data: st.DataObject) -> None:
        names = self.pick(data, self.named("settled", "charged"))
        others = self.pick(data, self.named("planned"))
        before = self.store.dump()
        if names:
            records = [Record(names[0], {"n": "other"}), *(self.record(name) for name in others)]
            with pytest.raises(DivergedError):
                self.store.settle(records)
        closed = self.pick(data, self.named("charged", "dropped", "masked", "void"))
        if closed:
            with pytest.raises(StoreError):
                self.store.commit(self.step, manifest={}, fingerprint="", charged=closed)
        assert self.store.dump() == before

    @rule(key=st.sampled_from("abc"), value=st.integers(0, 3))
    def remember(self, key: str, value: int) -> None:
        got = self.store.once(self.step, "judged", key, lambda: value)
        self.memos.setdefault(key, (self.step, value))
        assert got == self.memos[key][1]

    @rule(key=st.sampled_from("abc"), value=st.integers(0, 1))
    def event(self, key: str, value: int) -> None:
        if self.events.setdefault(key, (self.step, value)) == (self.step, value):
            self.store.event(self.step, "alarm", key, value)
        else:
            with pytest.raises(DivergedError):
                self.store.event(self.step, "alarm", key, value)

    @rule(data=st.data(), ahead=st.integers(0, 1), healthy=st.booleans())
    def whole_step(self, data: st.DataObject, ahead: int, healthy: bool) -> None:
        """What a loop does, so that short histories reach rollbacks with work left open across steps."""
        self.plan(["solver", "proposer"], ahead)
        names = self.named("planned")
        self.store.settle([self.record(name) for name in names])
        for name in names:
            self.works[name]["settled"] = True
        self.commit(data, checkpoint=True, healthy=healthy)

    @rule(data=st.data())
    def commit_only(self, data: st.DataObject) -> None:
        self.commit(data, checkpoint=False, healthy=False)

    @rule(data=st.data(), healthy=st.booleans())
    def commit_with_checkpoint(self, data: st.DataObject, healthy: bool) -> None:
        self.commit(data, checkpoint=True, healthy=healthy)

    def commit(self, data: st.DataObject, checkpoint: bool, healthy: bool) -> None:
        ends: dict[str, dict[str, str]] = {"charged": {}, "dropped": {}, "masked": {}}
        for name in self.pick(data, self.named("planned", "settled")):
            choices = (
                ["charged", "dropped", "masked"] if self.works[name]["settled"] else ["dropped", "masked"]
            )
            state = data.draw(st.sampled_from(choices))
            ends[state][name] = "" if state == "charged" else data.draw(st.sampled_from(_REASONS))
        step = self.step
        arguments: dict[str, Any] = {
            "manifest": {"n": len(ends["charged"])},
            "fingerprint": str(step),
            "charged": list(ends["charged"]),
            "dropped": ends["dropped"],
            "masked": ends["masked"],
            "state": {"step": step},
            "checkpoint": (lambda folder: (folder / "w").write_text(str(step)) and None)
            if checkpoint
            else None,
            "healthy": healthy,
        }
        assert self.store.commit(step, **arguments)
        before = self.store.dump()
        assert not self.store.commit(step, **arguments)
        with pytest.raises(DivergedError):
            self.store.commit(step, **{**arguments, "fingerprint": "other"})
        assert self.store.dump() == before
        for state, reasons in ends.items():
            for name, reason in reasons.items():
                self.works[name]["closed"] = (step, state, reason)
        self.commits.append(step)
        if checkpoint:
            self.kept.append((step, healthy))
            newest_healthy = [s for s, ok in self.kept if ok][-1:]
            self.kept = [
                (s, ok)
                for i, (s, ok) in enumerate(self.kept)
                if i >= len(self.kept) - 2 or s in newest_healthy
            ]
        self.step += 1

    @precondition(lambda self: self.kept)
    @rule(data=st.data())
    def rollback(self, data: st.DataObject) -> None:
        to = data.draw(st.sampled_from(self.kept))[0]
        branch = self.store.branch
        assert self.store.rollback(self.step, to, "alarm") == branch + 1 == self.store.branch
        for work in self.works.values():
            if work["step"] > to:
                work |= {"void": True, "closed": None}
            elif work["closed"] and work["closed"][0] > to:
                work["closed"] = None
        self.memos = {key: entry for key, entry in self.memos.items() if entry[0] <= to}
        self.events = {key: entry for key, entry in self.events.items() if entry[0] <= to}
        self.commits = [step for step in self.commits if step <= to]
        self.kept = [(step, ok) for step, ok in self.kept if step <= to]
        self.step = to + 1

    @rule()
    def reopen(self) -> None:
        before = self.store.dump()
        self.store.close()
        self.store = RunStore.open(self.base / "run", config={})
        assert self.store.dump() == before

    @invariant()
    def accounts_agree(self) -> None:
        expected: dict[tuple[int, str], Counter[tuple[str, str]]] = {}
        for work in self.works.values():
            reason = work["closed"][2] if work["closed"] else ""
            counter = expected.setdefault((work["step"], work["role"]), Counter())
            counter[self.state(work), reason] += 1
        found = {(a.step, a.role): a for a in self.store.accounting()}
        assert found.keys() == expected.keys()
        for key, counter in expected.items():
            account = found[key]
            assert account.balanced
            assert account.planned == counter.total()
            assert account.charged == counter["charged", ""]
            assert account.void == counter["void", ""]
            assert account.open == counter["planned", ""] + counter["settled", ""]
            for state, reasons in (("dropped", account.dropped), ("masked", account.masked)):
                assert reasons == {r: n for (s, r), n in counter.items() if s == state}
        assert self.store.verify_accounts() == []
        self.history.append((len(self.store.events(void=True)), self.store.works()))

    @invariant()
    def reads_agree(self) -> None:
        assert self.store.recall("judged", list("abc")) == {k: v for k, (_, v) in self.memos.items()}
        assert {e.key: (e.step, e.payload) for e in self.store.events("alarm")} == self.events
        assert [c.step for c in self.store.commits()] == self.commits
        checkpoint = self.store.last_checkpoint()
        assert (checkpoint.step if checkpoint else None) == max((s for s, _ in self.kept), default=None)
        healthy = self.store.last_checkpoint(healthy=True)
        assert (healthy.step if healthy else None) == max((s for s, ok in self.kept if ok), default=None)
        if checkpoint:
            assert checkpoint.state == {"step": checkpoint.step}
            assert (checkpoint.path / "w").read_text() == str(checkpoint.step)
        settled = [name for name, work in self.works.items() if work["settled"] and not work["void"]]
        records = self.store.settled(settled)
        assert records is not None
        for name, record in zip(settled, records, strict=True):
            assert record.payload == {"n": int(name[1:])}
            for array in record.arrays.values():
                np.testing.assert_array_equal(array, np.arange(int(name[1:])))

    def teardown(self) -> None:
        if not hasattr(self, "store"):
            return
        # Invariant 14: folding twice gives equal state, and folding a prefix gives the state then.
        events = self.store.events(void=True)
        grown, taken = Fold(), 0
        for count, works in self.history:
            for event in events[taken:count]:
                grown.apply(event)
            taken = count
            assert ordered(grown.works) == ordered(works)
        assert Fold(events).works == Fold(events).works == grown.works
        assert self.store.problems() == []
        self.store.close()
        shutil.rmtree(self.base)


def ordered(works: list[WorkState]) -> list[WorkState]:
    return sorted(works, key=lambda work: (work.branch, work.work_id))


TestStore = StoreMachine.TestCase
TestStore.settings = settings(
    max_examples=60,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    # Shortening a history of 40 steps takes minutes; the seed is fixed, so the long one can be played again.
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)


_LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
_KEYS = st.text(max_size=5) | st.sampled_from(["seconds", "wall", "step_seconds"])


def _nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return _LEAVES | st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3)


# Three levels by hand: st.recursive at times believes that its rule never recurses, and warns.
_VALUES = _nested(_nested(_nested(_LEAVES)))


@given(_VALUES)
def test_a_value_read_back_has_the_same_text_and_digest(value: Any) -> None:
    assert canonical(normal(value)) == canonical(value)
    assert digest(normal(value)) == digest(value) == digest(timeless(value))
    assert canonical(value).isascii()


@given(st.dictionaries(st.integers() | st.text(max_size=3), st.integers(), max_size=5))
def test_keys_of_any_kind_have_one_order(value: dict[Any, int]) -> None:
    assert digest(normal(value)) == digest(value)
    assert list(normal(value)) == sorted(normal(value))
