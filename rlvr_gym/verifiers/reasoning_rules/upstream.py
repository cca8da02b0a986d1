"""What runs `reasoning-gym` itself; every function here is called in a killable worker only."""

from __future__ import annotations

import contextlib
import io
import json
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import lru_cache
from random import seed as seed_python
from typing import Any

import numpy as np

from rlvr_gym.errors import ConfigError, did_you_mean
from rlvr_gym.types import Json
from rlvr_gym.verifiers.reasoning_rules.base import Entry, Unreadable

# Names that other generators are made of; it draws nothing of its own.
_NO_GENERATOR = ("composite",)


def names() -> list[str]:
    """Return the names of all generators."""
    from reasoning_gym.factory import DATASETS

    return sorted(name for name in DATASETS if name not in _NO_GENERATOR)


def check_settings(dataset: str, config: Mapping[str, Json]) -> None:
    """Ask whether a generator exists and takes these settings.

    Raises:
        ConfigError: it does not.
    """
    _generator(dataset, config, 0)


def draw(dataset: str, config: Mapping[str, Json], seed: int) -> Json:
    """Return the one entry of a generator with this seed: its question, answer and metadata as JSON values."""
    # Some generators ask the global streams besides their own.
    seed_python(seed)
    np.random.seed(seed)
    with contextlib.redirect_stdout(io.StringIO()):
        entry = _generator(dataset, config, seed)[0]
    # Tuples become lists now instead of when the task is stored, and other types become texts.
    return json.loads(
        json.dumps({name: entry[name] for name in ("question", "answer", "metadata")}, default=str)
    )


def score(answer: str, entry: Entry) -> float:
    """Return upstream's score of an answer.

    Raises:
        Unreadable: its scorer raised.
    """
    reference = {"answer": entry.answer or None, "metadata": json.loads(json.dumps(dict(entry.metadata)))}
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return float(
                _scorer(entry.dataset, json.dumps(dict(entry.config), sort_keys=True))(answer, reference)
            )
    except Exception as error:
        # Whatever a text makes another library's scorer raise says that the text is no answer. Leaving it undecided
        # would let a policy escape a 0 by writing such texts.
        raise Unreadable(f"upstream's scorer raised {type(error).__name__}") from None


def upstream(pattern: str) -> Callable[[str, Entry], bool]:
    """Return a rule that asks upstream's scorer for a full score, for answers that are written like ``pattern``."""
    guard = re.compile(pattern)

    def accepted(answer: str, entry: Entry) -> bool:
        if guard.fullmatch(answer.strip()) is None:
            raise Unreadable("the answer is not written as the question asks")
        return score(answer.strip(), entry) >= 1.0

    return accepted


@lru_cache(maxsize=64)
def _scorer(dataset: str, config: str) -> Any:
    return _generator(dataset, json.loads(config), 0).score_answer


def _generator(dataset: str, config: Mapping[str, Json], seed: int) -> Any:
    """Return a generator of one entry.

    Raises:
        ConfigError: no such generator, or settings that it does not take.
    """
    from reasoning_gym.factory import DATASETS, create_dataset

    if dataset not in names():
        raise ConfigError(f"reasoning-gym has no generator '{dataset}'.{did_you_mean(dataset, names())}")
    known = {each.name for each in fields(DATASETS[dataset][1])} - {"seed", "size"}
    for name in config:
        if name not in known:
            raise ConfigError(f"generator '{dataset}' has no setting '{name}'.{did_you_mean(name, known)}")
    try:
        return create_dataset(dataset, **config, seed=seed, size=1)
    except (AssertionError, TypeError, ValueError) as error:
        raise ConfigError(f"generator '{dataset}': {str(error) or type(error).__name__}.") from None


def conclusion(answer: str, entry: Entry) -> bool:
    """A conclusion that upstream accepts and that says something else than each premise.

    Raises:
        Unreadable: no statement in the notation of the question.
    """
    if not accepted_conclusion(answer, entry):
        return False
    from reasoning_gym.logic.propositional_logic import Expression

    generator = _scorer(entry.dataset, json.dumps(dict(entry.config), sort_keys=True)).__self__
    stated = Expression.from_string(answer.strip())
    premises = [Expression.from_string(premise) for premise in entry.metadata["premises"]]
    follows = generator._is_valid_conclusion
    return not any(follows([premise], stated) and follows([stated], premise) for premise in premises)


accepted_conclusion = upstream(r"[A-Z∨∧→↔¬()\s]{1,400}")
"""The rule of upstream's scorer alone."""
