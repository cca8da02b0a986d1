"""What the tests of a Harbor task leave behind, and the score that it stands for."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass

from rlvr_gym.types import Check, Status, Verdict

JSON_FILE = "/logs/verifier/reward.json"
TEXT_FILE = "/logs/verifier/reward.txt"
_DETAIL = 80


@dataclass(frozen=True, slots=True)
class Rewards:
    """What was found: numbers by name, or why there are none."""

    numbers: Mapping[str, float]
    problem: str = ""


def read_rewards(as_json: bytes | None, as_text: bytes | None) -> Rewards:
    """Return what the two files say; the first wins wherever it is there, also when it is broken.

    Args:
        as_json: Content of ``reward.json``, a flat object of finite numbers; None where there is none.
        as_text: Content of ``reward.txt``, one finite number.
    """
    if as_json is not None:
        return _from_json(as_json)
    if as_text is not None:
        return _from_text(as_text)
    return Rewards({}, f"the tests wrote neither {JSON_FILE} nor {TEXT_FILE}")


def verdict_of(rewards: Rewards, key: str = "") -> Verdict:
    """Return the verdict that rewards stand for.

    One number counts: that named ``key``; without a key that named ``reward``, or else the only one. 1 passes; less
    is a failure that keeps its score. A missing or broken file fails with 0, which is what Harbor's averages count for
    it: were it masked, a patch that breaks the tests would cost nothing.

    Args:
        rewards: What ``read_rewards`` found.
        key: Name of the number that counts.
    """
    if rewards.problem:
        return Verdict.of(Status.FAILED, rewards.problem)
    numbers = rewards.numbers
    checks = tuple(
        Check(name[:_DETAIL], value >= 1, f"{value:g}") for name, value in list(numbers.items())[:1000]
    )
    key = key or ("reward" if "reward" in numbers or len(numbers) != 1 else next(iter(numbers)))
    if key not in numbers:
        given = ", ".join(sorted(numbers))[:_DETAIL] or "nothing"
        reason = f"no number '{key}' among the rewards: {given}; name the one that counts as reward_key"
        return Verdict.of(Status.UNSUPPORTED, reason, checks=checks)
    score = numbers[key]
    if not 0 <= score <= 1:
        return Verdict.of(
            Status.UNSUPPORTED, f"'{key}' is {score:g}, and a score lies in [0, 1]", checks=checks
        )
    status = Status.PASSED if score == 1 else Status.FAILED
    return Verdict(status, float(score), f"'{key}' is {score:g}", checks=checks)


def _from_json(content: bytes) -> Rewards:
    try:
        # Its own bound on digits is an error of the same kind.
        found = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        return Rewards({}, f"{JSON_FILE} is not JSON: {str(error)[:_DETAIL]}")
    if not isinstance(found, dict):
        return Rewards({}, f"{JSON_FILE} is no object of numbers")
    for name, value in found.items():
        if not isinstance(value, int | float) or not _is_finite(value):
            return Rewards({}, f"{JSON_FILE}: '{name[:_DETAIL]}' is no finite number: {str(value)[:_DETAIL]}")
    return Rewards({name: float(value) for name, value in found.items()})


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _from_text(content: bytes) -> Rewards:
    text = content.decode("utf-8", errors="replace")
    try:
        value = float(text)
    except ValueError:
        return Rewards({}, f"{TEXT_FILE} holds no number: {text.strip()[:_DETAIL]!r}")
    if not math.isfinite(value):
        return Rewards({}, f"{TEXT_FILE} holds no finite number: {value}")
    return Rewards({"reward": value})
