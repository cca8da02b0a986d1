"""All parts must pass, and their scores multiply."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rlvr_gym.config import Config
from rlvr_gym.types import Status, Verdict
from rlvr_gym.verifiers.composition import Part, Parts, composed, masked, scores_of, weakest_label
from rlvr_gym.verifiers.ranges import ScoreRange


class Gate(Config):
    """Settings of the gate."""

    parts: Parts[Part]
    """What must pass. The cheapest first: nothing is asked after a part has failed."""


def gate_range(ranges: Sequence[ScoreRange], config: Gate) -> ScoreRange:
    """Return the product of the ranges of passing parts; what fails scores 0."""
    low, high = (_product([each.passed[end] for each in ranges]) for end in (0, 1))
    return ScoreRange(passed=(low, high), failed=(0.0, 0.0))


@composed("gate", config=Gate, span=gate_range)
def gate(verdicts: Sequence[Verdict], config: Gate) -> Verdict | None:
    """Pass when every part passes; the score is then the product of theirs, and 0 when one fails.

    One failure settles it whatever the others say, so a part without a decision does not end the asking: the gate
    is undecided only when no part fails. Part marks of a failing part do not count, or the order of the parts would
    decide whether they do.
    """
    title, last = config.parts[len(verdicts) - 1].title, verdicts[-1]
    if last.decided and not last.passed:
        return Verdict.of(last.status, f"{title}: {last.reason}", label=last.label)
    if len(verdicts) < len(config.parts):
        return None
    if (unknown := masked(verdicts, config.parts)) is not None:
        return unknown
    score = _product(scores_of(verdicts))
    return Verdict(
        status=Status.PASSED,
        score=score,
        reason=f"all {len(verdicts)} parts pass",
        label=weakest_label(verdicts),
    )


def _product(scores: Sequence[float]) -> float:
    # Sorted: rounding must not depend on the order of the parts.
    return math.prod(sorted(scores))
