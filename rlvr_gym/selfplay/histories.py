"""What is remembered of a task's attempts, so that their first turns can be replayed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rlvr_gym.selfplay.depths import turns_at
from rlvr_gym.types import Json, Prefix, Task


@dataclass(frozen=True, slots=True)
class Stored:
    """A trajectory whose tokens and observations the run store keeps."""

    id: str
    turns: tuple[str, ...]
    step: int
    """When it ended. One step makes one policy version, so that its age counts versions."""

    def to_dict(self) -> Json:
        """Return the reference as JSON values."""
        return {"id": self.id, "turns": list(self.turns), "step": self.step}

    @classmethod
    def from_dict(cls, row: Json) -> Stored:
        """Read what ``to_dict`` wrote."""
        return cls(row["id"], tuple(row["turns"]), row["step"])


@dataclass(slots=True)
class History:
    """One task: its depth, and its last trajectories by outcome, the newest first."""

    task: Task
    depth: float = 0.0
    successes: list[Stored] = field(default_factory=list)
    failures: list[Stored] = field(default_factory=list)

    def store(self, found: Iterable[tuple[Stored, bool]], *, keep: int) -> None:
        """Take in trajectories, each with whether it succeeded."""
        for stored, success in found:
            kind = self.successes if success else self.failures
            kind.insert(0, stored)
            del kind[keep:]

    def forget(self, *, before: int) -> None:
        """Drop what ended before a step."""
        self.successes = [stored for stored in self.successes if stored.step >= before]
        self.failures = [stored for stored in self.failures if stored.step >= before]

    def discard(self, trajectory: str) -> None:
        """Drop a trajectory that could not be replayed."""
        self.successes = [stored for stored in self.successes if stored.id != trajectory]
        self.failures = [stored for stored in self.failures if stored.id != trajectory]

    def prefix(self) -> Prefix | None:
        """Return what the next visit replays: the newest trajectory of the depth's kind, up to a turn's end."""
        kept = self.successes if self.depth > 0 else self.failures
        for stored in kept:
            turns = turns_at(self.depth, len(stored.turns))
            if turns > 0:
                return Prefix(stored.id, stored.turns[:turns], "head_start" if self.depth > 0 else "handicap")
        return None

    def to_dict(self) -> Json:
        """Return the history as JSON values."""
        return {
            "task": self.task.to_dict(),
            "depth": self.depth,
            "successes": [stored.to_dict() for stored in self.successes],
            "failures": [stored.to_dict() for stored in self.failures],
        }

    @classmethod
    def from_dict(cls, row: Mapping[str, Json]) -> History:
        """Read what ``to_dict`` wrote."""
        return cls(
            Task.from_dict(row["task"]),
            row["depth"],
            [Stored.from_dict(stored) for stored in row["successes"]],
            [Stored.from_dict(stored) for stored in row["failures"]],
        )
