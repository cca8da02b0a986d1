"""Questions about paths through a knowledge graph: whether one asks a path that was shown, and gives nothing away."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from rlvr_gym.config import Config, NoConfig, build
from rlvr_gym.errors import ConfigError, TaskError
from rlvr_gym.graphs.asking import Decision, Row, decide
from rlvr_gym.graphs.structure import Reject
from rlvr_gym.types import Json, Status, Task, Verdict
from rlvr_gym.verifiers.base import verifier
from rlvr_gym.verifiers.ranges import pass_or_fail

_MOST_PATHS = 64


class _Reference(Config):
    paths: tuple[Row, ...] = Field(min_length=1, max_length=_MOST_PATHS)


@verifier("kg_question", bounded=True, scores=pass_or_fail)
def kg_question(task: Task, response: str, config: NoConfig) -> Verdict:
    """Pass when the response is a question that asks one of the shown paths, a sound one, and names only its start.

    The reason begins with the code of what refuses it, or says which path it asks: ``path 2`` is the second one.
    """
    try:
        decision = _decided(response, task.reference)
    except ConfigError as error:
        line = str(error).splitlines()[0]
        raise TaskError(f"task '{task.id}': the reference is not made of question rows: {line}") from None
    if decision.place is not None:
        return Verdict.of(Status.PASSED, f"path {decision.place + 1}")
    status = Status.MALFORMED if decision.reject is Reject.UNREADABLE else Status.FAILED
    return Verdict.of(status, f"{decision.reject}: {decision.clause}")


def asked_path(text: str, reference: Json) -> int | None:
    """Return the place, from 0, of the shown path that a question asks; None when it is refused.

    Raises:
        ConfigError: a reference that is not made of question rows.
    """
    return _decided(text, reference).place


def asked_question(text: str, reference: Json) -> tuple[int, str] | None:
    """Return the place of the shown path that a question asks, and the question to pose; None when it is refused.

    What is posed is a sentence of the library's own that asks the same, so that a text can hide nothing in its letters.

    Raises:
        ConfigError: a reference that is not made of question rows.
    """
    decision = _decided(text, reference)
    return None if decision.place is None else (decision.place, decision.question)


def _decided(text: str, reference: Any) -> Decision:
    if not isinstance(reference, dict):
        raise ConfigError("a table with 'paths' is needed.")
    rows = build(_Reference, reference, where="").paths
    if len({row.wording for row in rows}) > 1:
        raise ConfigError("paths: all must have one wording.")
    return decide(rows, text)
