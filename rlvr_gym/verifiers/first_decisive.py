"""The first part that can tell decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from rlvr_gym.config import Config
from rlvr_gym.types import Verdict
from rlvr_gym.verifiers.composition import Part, Parts, composed, masked
from rlvr_gym.verifiers.ranges import ScoreRange, hull


class FirstDecisive(Config):
    """Settings of the first decisive part."""

    parts: Parts[Part]
    """Who is asked, the most trusted first, such as an exact verifier before a judge."""
    pass_on: tuple[Literal["undecided", "unsupported", "timeout", "infrastructure"], ...] = (
        "undecided",
        "unsupported",
    )
    """After which outcomes the next part is asked. ``timeout`` and ``infrastructure`` are left out: a slow machine
    or a service that is down must not hand a decision to a weaker part unnoticed."""


def first_range(ranges: Sequence[ScoreRange], config: FirstDecisive) -> ScoreRange:
    """Return the union of the parts' ranges: any of them may decide."""
    return ScoreRange(hull([each.passed for each in ranges]), hull([each.failed for each in ranges]))


@composed("first_decisive", config=FirstDecisive, span=first_range)
def first_decisive(verdicts: Sequence[Verdict], config: FirstDecisive) -> Verdict | None:
    """Return the verdict of the first part that decides.

    ``malformed`` is a decision. When nobody decides, the most serious of the outcomes stands.
    """
    title, last = config.parts[len(verdicts) - 1].title, verdicts[-1]
    if last.decided:
        return Verdict(
            status=last.status, score=last.score, reason=f"{title}: {last.reason}", label=last.label
        )
    if last.status.value in config.pass_on and len(verdicts) < len(config.parts):
        return None
    return masked(verdicts, config.parts)
