"""What an episode asks of the hall, with the future through which it is told."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from rlvr_gym.types import SampleRequest, Segment, Task, Trajectory, Verdict
from rlvr_gym.verifiers import Verifier

Path = tuple[int, ...]
"""Where in a step something is asked: slot, place in the episode, turn."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How text is sampled for one role."""

    max_new_tokens: int
    temperature: float = 1.0
    top_p: float = 1.0
    max_trajectory_tokens: int | None = None


@dataclass(slots=True)
class Say:
    """One turn of text."""

    path: Path
    role: str
    task: str
    parent: str | None
    request: SampleRequest
    added: Segment
    future: asyncio.Future[Trajectory]


@dataclass(slots=True)
class Enter:
    """Room for the environments of an episode."""

    slot: int
    seats: int
    limit: int | None
    future: asyncio.Future[None]


@dataclass(slots=True)
class Check:
    """One verdict."""

    path: Path
    verifier: Verifier
    task: Task
    trajectory: str
    text: str
    future: asyncio.Future[Verdict]
