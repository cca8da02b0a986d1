"""Claims about the agreement report; kappas worked by hand."""

from __future__ import annotations

import pytest

from rlvr_gym.errors import UsageError
from rlvr_gym.types import Check, Status, Verdict
from rlvr_gym.verifiers.judging import agreement, cohen_kappa, fleiss_kappa

P, F, U = Status.PASSED, Status.FAILED, Status.UNDECIDED


def _verdict(status: Status, *votes: Status) -> Verdict:
    return Verdict.of(status, "", parts=tuple(Verdict.of(vote, "") for vote in votes), label="soft")


def test_cohen_kappa_by_hand() -> None:
    # 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: observed 35/50; chance 0.5*0.6 + 0.5*0.4 = 0.5.
    first = [True] * 25 + [False] * 25
    second = [True] * 20 + [False] * 5 + [True] * 10 + [False] * 15
    assert cohen_kappa(first, second) == pytest.approx((0.7 - 0.5) / 0.5)
    assert cohen_kappa(first, first) == pytest.approx(1.0)
    assert cohen_kappa(first, [not each for each in first]) == pytest.approx(-1.0)
    assert cohen_kappa([True] * 3, [True] * 3) is None
    assert cohen_kappa([], []) is None


def test_fleiss_kappa_by_hand() -> None:
    # Observed: (1 + 1/3 + 1/3 + 1) / 4 = 2/3; shares 6/12 each, chance 1/2.
    assert fleiss_kappa([[3, 0], [2, 1], [1, 2], [0, 3]]) == pytest.approx((2 / 3 - 1 / 2) / (1 / 2))
    assert fleiss_kappa([[3, 0], [0, 3]]) == pytest.approx(1.0)
    assert fleiss_kappa([[1, 1], [1, 1]]) == pytest.approx(-1.0)
    assert fleiss_kappa([[3, 0], [3, 0]]) is None
    assert fleiss_kappa([[1, 0], [0, 1]]) is None
    assert fleiss_kappa([]) is None


def test_fleiss_kappa_of_the_example_of_1971_table_as_published() -> None:
    # The worked example that textbooks use: 10 cases, 14 raters, 5 kinds, kappa 0.210.
    counts = [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ]
    assert fleiss_kappa(counts) == pytest.approx(0.210, abs=5e-4)


def test_the_report_by_hand() -> None:
    verdicts = [
        _verdict(P, P, P, P),
        _verdict(P, P, P, F),
        _verdict(F, F, P, F),
        _verdict(F, F, F, F),
        _verdict(U, U, U, P),
        _verdict(Status.MALFORMED),
        _verdict(Status.INFRASTRUCTURE),
    ]
    report = agreement(verdicts, [True, False, False, False, True, False, None])
    assert (report.voted, report.decided, report.labelled) == (5, 4, 4)
    assert report.vote_agreement == pytest.approx((1 + 2 / 3 + 2 / 3 + 1 + 1 / 3) / 5)
    # Votes: 7 passed, 6 failed, 2 undecided of 15. Observed (1 + 1/3 + 1/3 + 1 + 1/3) / 5 = 0.6.
    chance = (49 + 36 + 4) / 225
    assert report.fleiss_kappa == pytest.approx((0.6 - chance) / (1 - chance))
    assert report.accuracy == pytest.approx(3 / 4)
    # Chance: 2/4 * 1/4 passed + 2/4 * 3/4 failed = 1/2.
    assert report.cohen_kappa == pytest.approx(1 / 2)
    assert report.position_consistency is None


def test_position_consistency_counts_votes() -> None:
    def vote(same: bool) -> Verdict:
        return Verdict.of(P if same else U, "", checks=(Check("same in both orders", same),))

    verdicts = [
        Verdict.of(P, "", parts=(vote(True), vote(True), vote(False))),
        Verdict.of(P, "", parts=(vote(True), vote(True), Verdict.of(U, "unreadable"))),
    ]
    assert agreement(verdicts).position_consistency == pytest.approx(4 / 5)


def test_nothing_to_report_is_none_not_zero() -> None:
    report = agreement([_verdict(Status.MALFORMED)], [True])
    assert (report.voted, report.labelled) == (0, 0)
    assert report.vote_agreement is report.fleiss_kappa is report.accuracy is report.cohen_kappa is None


def test_labels_and_votes_must_match() -> None:
    with pytest.raises(UsageError, match="one label per verdict, got 1 for 2"):
        agreement([_verdict(P, P), _verdict(P, P)], [True])
    with pytest.raises(UsageError, match="same number of votes"):
        agreement([_verdict(P, P), _verdict(P, P, P, P)])
    with pytest.raises(UsageError, match="two equal lists"):
        cohen_kappa([1], [])
