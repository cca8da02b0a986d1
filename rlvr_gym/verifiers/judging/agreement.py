"""How far judges agree: with themselves, with the order turned round, and with labels known to be right."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from rlvr_gym.errors import UsageError
from rlvr_gym.types import Status, Verdict
from rlvr_gym.verifiers.judging.votes import POSITION

_SIDES = (Status.PASSED, Status.FAILED, Status.UNDECIDED)


@dataclass(frozen=True, slots=True)
class Agreement:
    """What many verdicts of one judge say of the judge. A figure without any case to rest on is None."""

    voted: int
    """Verdicts with votes; only these count below."""
    decided: int
    """Those of them that passed or failed."""
    vote_agreement: float | None
    """Mean share of votes on the larger side."""
    fleiss_kappa: float | None
    """Agreement among votes beyond chance."""
    position_consistency: float | None
    """Share of compared votes that did not change with the order of the answers."""
    labelled: int
    """Decided verdicts with a label."""
    accuracy: float | None
    """Share of labelled verdicts that agree with their label."""
    cohen_kappa: float | None
    """Agreement with the labels beyond chance."""


def agreement(verdicts: Sequence[Verdict], labels: Sequence[bool | None] | None = None) -> Agreement:
    """Return how far the votes of ``verdicts`` agree, and the verdicts with ``labels``.

    Args:
        verdicts: Verdicts of the judge under one setting. Malformed ones and those of a failing endpoint have no
            votes and are left out.
        labels: Whether each response is truly good; None where nobody knows.

    Raises:
        UsageError: not one label per verdict, or verdicts of different numbers of votes.
    """
    if labels is not None and len(labels) != len(verdicts):
        raise UsageError(f"agreement needs one label per verdict, got {len(labels)} for {len(verdicts)}.")
    known = labels if labels is not None else [None] * len(verdicts)
    voted = [(verdict, label) for verdict, label in zip(verdicts, known, strict=True) if verdict.parts]
    counts = [[_votes(verdict)[side] for side in _SIDES] for verdict, _ in voted]
    decided = [(verdict.passed, label) for verdict, label in voted if verdict.decided]
    labelled = [(passed, label) for passed, label in decided if label is not None]
    positions = [
        check.passed
        for verdict, _ in voted
        for vote in verdict.parts
        for check in vote.checks
        if check.name == POSITION
    ]
    return Agreement(
        voted=len(voted),
        decided=len(decided),
        vote_agreement=_mean([max(row[0], row[1]) / sum(row) for row in counts]),
        fleiss_kappa=fleiss_kappa(counts),
        position_consistency=_mean(positions),
        labelled=len(labelled),
        accuracy=_mean([passed == label for passed, label in labelled]),
        cohen_kappa=cohen_kappa([passed for passed, _ in labelled], [label for _, label in labelled]),
    )


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """Return (observed - chance) / (1 - chance) of two raters (Cohen 1960), None where chance alone agrees always.

    Raises:
        UsageError: lists of different lengths.
    """
    if len(first) != len(second):
        raise UsageError(f"kappa compares two equal lists, got {len(first)} and {len(second)}.")
    size = len(first)
    if not size:
        return None
    counts = Counter(first), Counter(second)
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / size
    chance = sum(counts[0][value] * counts[1][value] for value in counts[0]) / size**2
    return _beyond(observed, chance)


def fleiss_kappa(counts: Sequence[Sequence[int]]) -> float | None:
    """Return the kappa of several raters (Fleiss 1971), None for under two votes or where all are of one kind.

    Args:
        counts: For each case, how many of its votes fell into each kind.

    Raises:
        UsageError: cases with different numbers of votes.
    """
    sizes = {sum(row) for row in counts}
    if len(sizes) > 1:
        raise UsageError(f"kappa needs the same number of votes for each case, got {sorted(sizes)}.")
    if not sizes or (votes := sizes.pop()) < 2:
        return None
    observed = statistics.fmean(sum(n * (n - 1) for n in row) / (votes * (votes - 1)) for row in counts)
    shares = [sum(column) / (votes * len(counts)) for column in zip(*counts, strict=True)]
    return _beyond(observed, sum(share**2 for share in shares))


def _beyond(observed: float, chance: float) -> float | None:
    return (observed - chance) / (1 - chance) if chance < 1 else None


def _votes(verdict: Verdict) -> Counter[Status]:
    return Counter(vote.status for vote in verdict.parts)


def _mean(values: Sequence[float]) -> float | None:
    return statistics.fmean(values) if values else None
