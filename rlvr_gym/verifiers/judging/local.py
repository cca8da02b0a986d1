"""A policy in this process as the judge."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rlvr_gym.policies.base import Policy, make_policy, opening
from rlvr_gym.types import SampleRequest
from rlvr_gym.verifiers.judging.prompt import Question


@dataclass(frozen=True, slots=True)
class _Loaded:
    policy: Policy
    lock: threading.Lock = field(default_factory=threading.Lock)
    """Models are not asked from two threads at once."""


_loaded: dict[str, _Loaded] = {}
_lock = threading.Lock()


def ask_policy(
    table: str | Mapping[str, Any], questions: Sequence[Question], *, temperature: float, max_tokens: int
) -> list[str]:
    """Return one reply per question, sampled as one batch.

    The policy is built when first asked and shared by all judges of this process that name it with the same settings.

    Raises:
        ConfigError: an unknown policy or a wrong setting.
        UsageError: a question that does not fit the policy's context.
    """
    loaded = _policy(table)
    with loaded.lock:
        requests = [
            SampleRequest(
                f"judge/{i}",
                opening(loaded.policy, question.conversation),
                question.seed,
                max_tokens,
                temperature=temperature,
            )
            for i, question in enumerate(questions)
        ]
        return [completion.text for completion in loaded.policy.sample(requests)]


def _policy(table: str | Mapping[str, Any]) -> _Loaded:
    key = json.dumps(table, sort_keys=True, default=repr)
    with _lock:
        if key not in _loaded:
            _loaded[key] = _Loaded(make_policy(table, where="verifier 'judge'.policy"))
        return _loaded[key]


def _after_fork() -> None:
    # Another thread of the parent may have held a lock.
    global _lock
    _lock = threading.Lock()
    _loaded.clear()


os.register_at_fork(after_in_child=_after_fork)
