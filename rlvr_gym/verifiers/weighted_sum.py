"""A weighted mean of scores, paid when the parts that matter pass."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pydantic import Field

from rlvr_gym.config import Config
from rlvr_gym.types import Status, Verdict
from rlvr_gym.verifiers.composition import Part, Parts, composed, masked, scores_of, weakest_label
from rlvr_gym.verifiers.ranges import ScoreRange


class WeightedPart(Part):
    """A part with its weight."""

    weight: float = Field(default=1.0, gt=0.0, le=1e6, allow_inf_nan=False)
    """Its share of the score, relative to the other weights; they need not add up to 1."""
    required: bool = False
    """Whether it must pass. When no part says so, the first must."""


class WeightedSum(Config):
    """Settings of the weighted sum."""

    parts: Parts[WeightedPart]
    """What is asked, all of it and in this order."""
    partial: bool = False
    """Whether a response keeps the weighted sum when a required part fails; it then scores 0 when left out."""

    def required(self) -> list[bool]:
        """Return for each part whether it must pass."""
        flags = [part.required for part in self.parts]
        return flags if any(flags) else [True, *flags[1:]]

    def mean(self, scores: Sequence[float]) -> float:
        """Return the weighted mean; exact sums keep it in [0, 1] and independent of the order of the parts."""
        weights = [part.weight for part in self.parts]
        return math.fsum(w * s for w, s in zip(weights, scores, strict=True)) / math.fsum(weights)


def weighted_range(ranges: Sequence[ScoreRange], config: WeightedSum) -> ScoreRange:
    """Return where the weighted means lie, with and without a failing required part."""
    required = config.required()
    spans = [
        each.passed if must else (each.low, each.high) for each, must in zip(ranges, required, strict=True)
    ]
    passed = config.mean([low for low, _ in spans]), config.mean([high for _, high in spans])
    if not config.partial:
        return ScoreRange(passed, failed=(0.0, 0.0))
    highs = [
        config.mean([each.failed[1] if i == j else each.high for j, each in enumerate(ranges)])
        for i, must in enumerate(required)
        if must
    ]
    return ScoreRange(passed, failed=(config.mean([each.low for each in ranges]), max(highs)))


@composed("weighted_sum", config=WeightedSum, span=weighted_range)
def weighted_sum(verdicts: Sequence[Verdict], config: WeightedSum) -> Verdict | None:
    """Pass when the required parts pass; the score is then the weighted mean of all scores.

    When a required part fails, the score is 0: marks for form without substance are what a policy learns to farm.
    ``partial = true`` pays them all the same, for a response that still counts as failed. A part without a decision
    leaves the sum undecided wherever the score depends on it.
    """
    if len(verdicts) < len(config.parts):
        return None
    failing = next(
        (
            (part, verdict)
            for part, verdict, must in zip(config.parts, verdicts, config.required(), strict=True)
            if must and verdict.decided and not verdict.passed
        ),
        None,
    )
    if failing is not None and not config.partial:
        part, verdict = failing
        return Verdict.of(verdict.status, f"{part.title}: {verdict.reason}", label=verdict.label)
    if (unknown := masked(verdicts, config.parts)) is not None:
        return unknown
    scores = scores_of(verdicts)
    score = config.mean(scores)
    terms = " + ".join(
        f"{part.weight:.4g} * {part.title} {value:.4g}"
        for part, value in zip(config.parts, scores, strict=True)
    )
    status = Status.PASSED if failing is None else failing[1].status
    if status is not Status.PASSED and score > 0.0:
        # Of what does not pass, only a failed verdict may carry marks.
        status = Status.FAILED
    return Verdict(status=status, score=score, reason=terms, label=weakest_label(verdicts))
