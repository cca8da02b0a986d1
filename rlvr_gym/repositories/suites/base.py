"""What a kind of test suite has to know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from rlvr_gym.errors import TaskError
from rlvr_gym.registry import Registry
from rlvr_gym.runtimes.base import Limits, Runtime, Spec
from rlvr_gym.types import Json, Verdict

if TYPE_CHECKING:
    from rlvr_gym.repositories.instances import Instance


@dataclass(frozen=True, slots=True)
class Workspace:
    """What an agent's sandbox starts with."""

    spec: Spec
    files: Callable[[], Mapping[str, bytes]]
    """Content of every regular file of the repository as the agent is given it, by path from its root, without ``.git``."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How a patch is graded."""

    runtime: Runtime
    limits: Limits
    """Of the grading sandbox; ``wall_s`` is the time of the whole suite."""


class Suite(Protocol):
    """Tests of a repository, and where it lies. A frozen dataclass of JSON values, tuples of texts, and paths."""

    kind: ClassVar[str]

    def workspace(self, instance: Instance, limits: Limits) -> Workspace:
        """Return what an agent's sandbox starts with: the repository at ``/workspace``, no later history, no solution."""
        ...

    def grade(self, instance: Instance, patch: str, terms: Terms) -> Verdict:
        """Return the verdict on an untrusted patch, from a fresh sandbox that no agent has touched.

        A passed verdict is proof that every test of ``fail_to_pass`` and ``pass_to_pass`` passed; ``checks`` has one
        entry for each of them. A lost sandbox is ``INFRASTRUCTURE``.
        """
        ...


SUITES: Registry[type[Any]] = Registry("test suite", "rlvr_gym.repositories.suites")
"""Classes of suites by kind."""


def suite_to_dict(suite: Any) -> dict[str, Json]:
    """Return a suite as JSON values, with its kind; paths as absolute texts."""
    values = {name: _plain(value) for name, value in asdict(suite).items()}
    return {"kind": suite.kind, **values}


def suite_from_dict(row: Mapping[str, Json]) -> Any:
    """Read what ``suite_to_dict`` wrote.

    Raises:
        UnknownNameError: no such kind.
        TaskError: fields that the kind does not have.
    """
    values = dict(row)
    cls = SUITES[values.pop("kind")].value
    kinds = {field.name: str(field.type) for field in fields(cls)}
    if unknown := values.keys() - kinds.keys():
        raise TaskError(f"A suite of kind '{cls.kind}' has no field '{min(unknown)}'.")
    return cls(**{name: _typed(kinds[name], value) for name, value in values.items()})


def _plain(value: Any) -> Json:
    if isinstance(value, Path):
        return str(value.absolute())
    return list(value) if isinstance(value, tuple) else value


def _typed(kind: str, value: Json) -> Any:
    # Annotations are texts here; paths and tuples of texts are all that JSON does not carry.
    if value is not None and kind.startswith("Path"):
        return Path(value)
    return tuple(value) if kind.startswith("tuple") else value
