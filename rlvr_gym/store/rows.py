"""What the ledger holds, as records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from numpy.typing import NDArray

from rlvr_gym.types import Json, Role

State: TypeAlias = Literal["planned", "settled", "charged", "dropped", "masked", "void"]
"""planned -> settled -> charged, dropped or masked; void after a rollback before its step."""


@dataclass(frozen=True, slots=True)
class Work:
    """A piece of work that a plan asks for; its id is fixed by the plan, so that a retry reuses it."""

    work_id: str
    kind: str
    """``"rollout"``, ``"verify"``, ..."""
    role: Role = ""
    parent: str | None = None
    """Work id of what it hangs from."""


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """The result of a piece of work: a JSON value and named arrays."""

    work_id: str
    payload: Json
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the ledger."""

    seq: int
    branch: int
    step: int
    kind: str
    key: str
    payload: Json
    digest: str
    """Of payload and arrays without what the clock decided; two events are equal when this is."""
    blob: int | None
    at: float
    """Unix time of writing."""


@dataclass(frozen=True, slots=True)
class WorkState:
    """What became of a piece of work."""

    work_id: str
    branch: int
    step: int
    kind: str
    role: Role
    parent: str | None
    state: State
    reason: str
    """Why it was dropped or masked."""
    settled: bool
    closed: int | None
    """Step whose commit charged, dropped or masked it."""


@dataclass(frozen=True, slots=True)
class Commit:
    """One committed step of the current branch."""

    step: int
    branch: int
    manifest: Json
    fingerprint: str
    version_in: str
    version_out: str
    charged: tuple[str, ...]
    dropped: Mapping[str, str]
    masked: Mapping[str, str]
    checkpoint: str | None
    """Name of its checkpoint folder, if it has one that was kept."""
    healthy: bool
