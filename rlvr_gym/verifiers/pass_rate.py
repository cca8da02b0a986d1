"""The share of passed checks, or all of them: dense against binary rewards of unit tests (arXiv:2605.02944)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from rlvr_gym.types import Check, Status, Verdict
from rlvr_gym.verifiers.composition import Asked, composed, masked
from rlvr_gym.verifiers.ranges import PASS_OR_FAIL, ScoreRange


class PassRate(Asked):
    """Settings of the pass rate."""

    mode: Literal["all", "rate"] = "all"
    """``rate`` pays passed / total, ``all`` pays 1 when passed = total and else 0. The paper finds no reliable gain
    of the rate over the binary reward."""


def only_part(config: PassRate) -> Sequence[Asked]:
    """Return the one verifier whose checks are counted."""
    return (config,)


def rate_range(ranges: Sequence[ScoreRange], config: PassRate) -> ScoreRange:
    """Return 1 for a success; what fails may have passed some checks."""
    return PASS_OR_FAIL if config.mode == "all" else ScoreRange(passed=(1.0, 1.0), failed=(0.0, 1.0))


@composed("pass_rate", config=PassRate, span=rate_range, parts=only_part, paper="arXiv:2605.02944")
def pass_rate(verdicts: Sequence[Verdict], config: PassRate) -> Verdict:
    """Pass when a verifier passes a response with all of its checks; ``mode = "rate"`` pays the share otherwise.

    Both modes score 1 for exactly the same responses. A verdict without checks counts as one check of itself.
    Nothing is paid for a response that is malformed or over its limit, nor for one that fails with every check
    passed: then something that no check names is wrong. A verdict keeps its first 1,000 checks, and those are counted.
    """
    verdict = verdicts[0]
    if (unknown := masked(verdicts, (config,))) is not None:
        return unknown
    checks = verdict.checks or (Check(config.title, verdict.passed, verdict.reason),)
    num_passed = sum(check.passed for check in checks)
    reason = f"{num_passed} of {len(checks)} checks pass"
    complete = num_passed == len(checks)
    if verdict.passed and complete:
        return Verdict(Status.PASSED, 1.0, reason, checks=checks, label=verdict.label)
    status = Status.FAILED if verdict.passed else verdict.status
    if status is not Status.FAILED or complete:
        return Verdict.of(status, f"{reason}, yet: {verdict.reason}", checks=checks, label=verdict.label)
    score = num_passed / len(checks) if config.mode == "rate" else 0.0
    return Verdict(status, score, reason, checks=checks, label=verdict.label)
