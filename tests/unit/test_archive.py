"""The archive: what was proposed is never forgotten, what teaches is kept (invariants 14, 23)."""

from __future__ import annotations

import json

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rlvr_gym.selfplay.archive import Archive
from rlvr_gym.types import Estimate, Task

visits = st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 4), st.integers(0, 2)), max_size=30)


def task(name: str) -> Task:
    return Task(name, f"prompt {name}", reference=name)


def fold(archive: Archive, rows: list[tuple[str, int, int]], first: int = 0) -> Archive:
    for step, (form, solved, masked) in enumerate(rows, first):
        archive.propose(form)
        archive.admit(form, task(form), Estimate(form, tried=4, solved=solved, masked=masked), step)
    return archive


@given(visits, st.integers(0, 30))
def test_invariant_14_a_state_written_and_read_goes_on_the_same(rows: list, at: int) -> None:
    straight = fold(Archive(capacity=3), rows)
    resumed = Archive(capacity=3)
    resumed.load(json.loads(json.dumps(fold(Archive(capacity=3), rows[:at]).state())))
    fold(resumed, rows[at:], first=len(rows[:at]))
    assert resumed.state() == straight.state()
    assert list(resumed.kept) == list(straight.kept)


@given(visits)
def test_invariant_23_a_form_is_kept_once_and_counted_always(rows: list) -> None:
    archive = fold(Archive(capacity=3), rows)
    assert len(archive.kept) <= 3
    for form in "abcdef":
        assert archive.copies(form) == sum(row[0] == form for row in rows)


@given(visits)
def test_drawn_tasks_are_distinct_and_were_solved_sometimes_but_not_always(rows: list) -> None:
    archive = fold(Archive(), rows)
    drawn = archive.draw(np.random.default_rng(0), 4, step=99)
    assert len({form for form, _ in drawn}) == len(drawn)
    for form, _ in drawn:
        rate = archive.kept[form].rate
        assert rate is not None
        assert 0.0 < rate < 1.0


def test_the_least_informative_leaves_first() -> None:
    archive = fold(Archive(capacity=2), [("easy", 4, 0), ("half", 2, 0), ("quarter", 1, 0)])
    assert list(archive.kept) == ["half", "quarter"]
    assert archive.copies("easy") == 1


def test_old_counts_fade_and_masked_attempts_touch_no_rate() -> None:
    archive = fold(Archive(discount=0.5), [("a", 4, 0)])
    archive.visit("a", Estimate("a", tried=4, solved=0, masked=3), step=5)
    item = archive.kept["a"]
    assert (item.tried, item.solved, item.masked, item.seen) == (6, 2, 3, 5)
    archive.visit("a", Estimate("a", tried=0, solved=0, masked=4), step=6)
    assert (item.tried, item.solved, item.masked) == (6, 2, 7)


def test_staleness_lifts_the_long_unseen() -> None:
    archive = fold(Archive(), [("old", 2, 0)])
    archive.propose("new")
    archive.admit("new", task("new"), Estimate("new", tried=4, solved=2), step=100)
    rng = np.random.default_rng(0)
    first = [archive.draw(rng, 1, step=100)[0][0] for _ in range(4000)]
    # Equal rates give one half each; a tenth of the relative age, 101 : 1, comes on top: 0.599 : 0.501.
    assert abs(first.count("old") / 4000 - 0.599 / 1.1) < 0.03
