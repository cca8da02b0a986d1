"""Verifiers made of verifiers: how parts are named in settings, asked one after another and kept in the verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from pydantic import AfterValidator, Field, field_validator, model_validator

from rlvr_gym.config import Config
from rlvr_gym.errors import TaskError
from rlvr_gym.types import Check, Status, Task, Verdict
from rlvr_gym.verifiers.base import VERIFIERS, Rules, Verifier
from rlvr_gym.verifiers.pool import VerifierPool
from rlvr_gym.verifiers.ranges import ScoreRange

MASKED_STATUSES = (Status.INFRASTRUCTURE, Status.TIMEOUT, Status.UNDECIDED, Status.UNSUPPORTED)
"""Statuses without a score, the most serious first."""
_LABELS: tuple[Literal["hard", "soft", "pseudo"], ...] = ("hard", "soft", "pseudo")


class Asked(Config):
    """Which verifier is asked, and what it judges against."""

    verifier: str | dict[str, Any]
    """Registered name, or a table of ``name`` and settings."""
    reference: str | None = None
    """Key of the task's reference to judge against; all of the reference when left out."""

    @field_validator("verifier")
    @classmethod
    def _exists(cls, value: str | dict[str, Any]) -> str | dict[str, Any]:
        name = value if isinstance(value, str) else value.get("name")
        VERIFIERS.resolve(value, where="it" if name is None else f"verifier '{name}'")
        return value

    @property
    def table(self) -> dict[str, Any]:
        """The verifier's settings with its ``name``."""
        return {"name": self.verifier} if isinstance(self.verifier, str) else self.verifier

    @property
    def title(self) -> str:
        """What verdicts call it."""
        return str(self.table["name"])


class Part(Asked):
    """One of several verifiers that are asked. Its name alone will do: ``"number"``."""

    name: str = ""
    """What verdicts call it; the verifier's name when left out."""

    @model_validator(mode="before")
    @classmethod
    def _name_alone(cls, value: Any) -> Any:
        return {"verifier": value} if isinstance(value, str) else value

    @property
    def title(self) -> str:
        """What verdicts call it."""
        return self.name or super().title


P = TypeVar("P", bound=Part)


def _distinct(parts: tuple[P, ...]) -> tuple[P, ...]:
    # Not Field(min_length=1): it would say so again of parts that are wrong in themselves.
    if not parts:
        raise ValueError("name at least one part")
    titles = [part.title for part in parts]
    for title in titles:
        if titles.count(title) > 1:
            raise ValueError(f"two parts are called '{title}': give each a name of its own")
    return parts


Parts: TypeAlias = Annotated[tuple[P, ...], Field(max_length=100), AfterValidator(_distinct)]
"""Parts in the order in which they are asked."""
Combine: TypeAlias = Callable[[Sequence[Verdict], Any], Verdict | None]
"""``combine(verdicts, config)`` gets the verdicts so far; None asks the next part. With all of them it must decide."""
Span: TypeAlias = Callable[[Sequence[ScoreRange], Any], ScoreRange]
"""``span(ranges, config)`` returns the range of the combined score from the ranges of the parts."""
F = TypeVar("F", bound=Combine)


def parts_of(config: Any) -> Sequence[Asked]:
    """Return ``config.parts``."""
    parts: Sequence[Asked] = config.parts
    return parts


def composed(
    name: str,
    *,
    config: type[Config],
    span: Span,
    parts: Callable[[Any], Sequence[Asked]] = parts_of,
    version: int = 1,
    paper: str = "",
) -> Callable[[F], F]:
    """Register the decorated rule as a verifier that asks other verifiers.

    Each part runs under its own rules, in the caller's process or in the pool, and under its own limit: together
    they take at most the sum of their limits.

    Args:
        name: What tasks and recipes call it.
        config: Settings class, handed to the rule as its second argument.
        span: The range of the combined score.
        parts: Which parts the settings name, in the order in which they are asked.
        version: Rises whenever any verdict can change.
        paper: Where the method is from.
    """

    def decorate(combine: F) -> F:
        compose = partial(Composition, combine, span, parts)
        summary = (combine.__doc__ or "").strip().partition("\n")[0]
        VERIFIERS.add(
            name, Rules.composed(compose, version=version), config=config, paper=paper, summary=summary
        )
        return combine

    return decorate


class Composition:
    """The parts of one verifier with its settings, built once, and the rule that makes one verdict of theirs."""

    def __init__(
        self,
        combine: Combine,
        span: Span,
        parts: Callable[[Any], Sequence[Asked]],
        config: Any,
        pool: VerifierPool | None,
    ) -> None:
        self._combine = combine
        self._config = config
        self._parts = tuple(parts(config))
        self._verifiers = tuple(_verifier(part.table, pool) for part in self._parts)
        self.range = span([verifier.range for verifier in self._verifiers], config)

    def check(self, task: Task, response: str) -> Verdict:
        """Return the combined verdict; parts are asked one by one until it is settled."""
        verdicts: list[Verdict] = []
        for part, verifier in zip(self._parts, self._verifiers, strict=True):
            with _named(part):
                verdicts.append(verifier.check(_task_of(part, task), response))
            if (verdict := self._combined(verdicts)) is not None:
                return verdict
        raise AssertionError("the rule decided nothing although every part was asked")

    async def acheck(self, task: Task, response: str) -> Verdict:
        """Return what ``check`` does without blocking the event loop."""
        verdicts: list[Verdict] = []
        for part, verifier in zip(self._parts, self._verifiers, strict=True):
            with _named(part):
                verdicts.append(await verifier.acheck(_task_of(part, task), response))
            if (verdict := self._combined(verdicts)) is not None:
                return verdict
        raise AssertionError("the rule decided nothing although every part was asked")

    def _combined(self, verdicts: Sequence[Verdict]) -> Verdict | None:
        verdict = self._combine(verdicts, self._config)
        if verdict is None:
            return None
        checks = verdict.checks or tuple(
            Check(part.title, each.passed, f"{each.status}: {each.reason}")
            for part, each in zip(self._parts, verdicts, strict=False)
        )
        return replace(verdict, checks=checks, parts=tuple(verdicts))


def masked(verdicts: Sequence[Verdict], parts: Sequence[Asked]) -> Verdict | None:
    """Return a verdict with the most serious status among those without a score, None when all have one."""
    for status in MASKED_STATUSES:
        for part, verdict in zip(parts, verdicts, strict=False):
            if verdict.status is status:
                return Verdict.of(status, f"{part.title}: {verdict.reason}", label=verdict.label)
    return None


def weakest_label(verdicts: Sequence[Verdict]) -> Literal["hard", "soft", "pseudo"]:
    """Return ``hard`` only when every verdict is; one pseudo label makes the whole pseudo."""
    return _LABELS[max(_LABELS.index(verdict.label) for verdict in verdicts)]


def scores_of(verdicts: Sequence[Verdict]) -> list[float]:
    """Return the scores of decided verdicts."""
    scores = [verdict.score for verdict in verdicts if verdict.score is not None]
    assert len(scores) == len(verdicts), "a masked verdict has no score"
    return scores


def _verifier(table: Mapping[str, Any], pool: VerifierPool | None) -> Verifier:
    settings = {key: value for key, value in table.items() if key != "name"}
    return Verifier(table["name"], settings, pool=pool)


def _task_of(part: Asked, task: Task) -> Task:
    if part.reference is None:
        return task
    if not isinstance(task.reference, Mapping) or part.reference not in task.reference:
        given = (
            f"has {sorted(map(str, task.reference))}"
            if isinstance(task.reference, Mapping)
            else f"is {task.reference!r:.80}"
        )
        raise TaskError(f"the reference must be a table with '{part.reference}', it {given}.")
    return replace(task, reference=task.reference[part.reference])


@contextmanager
def _named(part: Asked) -> Iterator[None]:
    """Name the part whose reference cannot be judged against."""
    try:
        yield
    except TaskError as error:
        raise TaskError(f"part '{part.title}': {error}") from error
