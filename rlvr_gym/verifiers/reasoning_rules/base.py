"""What a rule is: how one generator's answers are read and compared."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from rlvr_gym.errors import TaskError
from rlvr_gym.types import Json, Verdict


@dataclass(frozen=True, slots=True)
class Entry:
    """A drawn problem without its question."""

    dataset: str
    answer: str
    """Upstream's own answer, empty where it has none."""
    metadata: Mapping[str, Json]
    config: Mapping[str, Json] = field(default_factory=dict)
    """Settings of the generator, where they are not its defaults."""

    @classmethod
    def of(cls, reference: Json) -> Entry:
        """Return the entry that a task's reference holds.

        Raises:
            TaskError: it holds none.
        """
        if not isinstance(reference, Mapping):
            raise TaskError(
                f"verifier 'reasoning_gym': the reference must be a table, got {type(reference).__name__}."
            )
        dataset, answer = reference.get("dataset"), reference.get("answer", "")
        metadata, config = reference.get("metadata", {}), reference.get("config", {})
        if not isinstance(dataset, str) or not isinstance(answer, str):
            raise TaskError("verifier 'reasoning_gym': the reference needs texts as 'dataset' and 'answer'.")
        if not isinstance(metadata, Mapping) or not isinstance(config, Mapping):
            raise TaskError(
                "verifier 'reasoning_gym': 'metadata' and 'config' of the reference must be tables."
            )
        return cls(dataset, answer, metadata, config)

    def to_dict(self) -> dict[str, Json]:
        """Return the entry as a task's reference."""
        found = {"dataset": self.dataset, "answer": self.answer, "metadata": dict(self.metadata)}
        return {**found, "config": dict(self.config)} if self.config else found


class Unreadable(ValueError):
    """An answer that is not written as the problem asks."""


Compare: TypeAlias = Callable[[str, Entry], "bool | Verdict"]
"""``compare(answer, entry)``: whether the answer is right; raises `Unreadable` for one that is no answer."""


@dataclass(frozen=True, slots=True)
class Rule:
    """How the answers of one generator are judged."""

    compare: Compare
    what: str
    """What passes, in a few words."""
    why: str = ""
    """What upstream's scorer would pay for besides, where that is worth saying."""
    known: Callable[[Entry], str] = lambda entry: entry.answer
    """A right answer, empty where none is known."""
    executes: bool = False
    """Upstream's scorer evaluates the answer as code, so that it is never called."""


def read_json(answer: str) -> Json:
    """Return the JSON value that an answer is.

    Raises:
        Unreadable: it is none.
    """
    try:
        return json.loads(answer)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"the answer is no JSON ({str(error)[:60] or 'nested too deeply'})") from None
