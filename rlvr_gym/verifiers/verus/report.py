"""What a verification says: one outcome, and each finding with its place."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Dialect = Literal["current", "classic"]
"""``current`` is Verus of 2026; ``classic`` is Verus of 2024, which most published data was written for."""


class Outcome(enum.StrEnum):
    """What became of one program. Only the first earns a reward."""

    VERIFIED = "verified"
    """Every function is inside the subset, passed the static checks, and every obligation was proved."""
    FAILED = "failed"
    """At least one obligation was not proved."""
    REJECTED = "rejected"
    """The compiler would refuse it before any proof: syntax, names, types, modes, moves, missing measures."""
    UNSUPPORTED = "unsupported"
    """Something outside the subset was seen; nothing is claimed."""
    CHEAT = "cheat"
    """The program assumes what it should prove."""
    SPEC_CHANGED = "spec_changed"
    """The given specification does not stand in the solution unchanged."""
    TIMEOUT = "timeout"
    """The wall clock or a limit of the checker was hit."""
    CRASH = "crash"
    """The checker or its solver died; says nothing about the program."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where something stands in a source text; lines and columns count from 1, the end is exclusive."""

    line: int
    column: int
    end_line: int = 0
    end_column: int = 0


NOWHERE = Place(0, 0)
"""The place of what no source text shows."""
NOT_PROVED = "not proved here"
"""The one finding of a program that was only looked at, and had nothing against it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, worded as Verus words it."""

    message: str
    """``"postcondition not satisfied"``, ``"mismatched types: expected u32, found bool"``, ..."""
    place: Place
    related: Place | None = None
    """The clause that the message is about, where that stands elsewhere."""
    function: str = ""
    model: tuple[tuple[str, str], ...] = ()
    """Variables with the values of a counterexample, where the solver gave one."""

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as JSON values."""
        found: dict[str, Any] = {
            "message": self.message,
            "line": self.place.line,
            "column": self.place.column,
        }
        if self.related is not None:
            found["related"] = self.related.line
        if self.function:
            found["function"] = self.function
        if self.model:
            found["model"] = dict(self.model)
        return found

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Finding:
        """Return the finding that `to_dict` wrote; the ends of its places are not kept."""
        related = Place(row["related"], 0) if "related" in row else None
        model = tuple(row.get("model", {}).items())
        return cls(row["message"], Place(row["line"], row["column"]), related, row.get("function", ""), model)


@dataclass(frozen=True, slots=True)
class Report:
    """The answer to one call of ``verify``."""

    outcome: Outcome
    findings: tuple[Finding, ...] = ()
    functions: tuple[str, ...] = ()
    """Functions whose every obligation was proved."""
    dialect: Dialect = "current"
    engine: str = ""
    """``embedded/VERSION`` or ``verus/VERSION``."""
    partial: bool = False
    """Whether the program was only partly read before the outcome was clear."""
    used: int = 0
    """Resource units of the solver, all queries together."""

    @property
    def verified(self) -> bool:
        """True for a proved program and nothing else."""
        return self.outcome is Outcome.VERIFIED

    @property
    def reason(self) -> str:
        """The outcome with its first finding, in one line."""
        if not self.findings:
            return str(self.outcome)
        first = self.findings[0]
        where = f"line {first.place.line}: " if first.place.line else ""
        return f"{self.outcome}: {where}{first.message}"

    def to_dict(self) -> Mapping[str, Any]:
        """Return the report as JSON values."""
        return {
            "outcome": str(self.outcome),
            "findings": [finding.to_dict() for finding in self.findings],
            "functions": list(self.functions),
            "dialect": self.dialect,
            "engine": self.engine,
            "partial": self.partial,
            "used": self.used,
        }

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Report:
        """Return the report that `to_dict` wrote."""
        return cls(
            Outcome(row["outcome"]),
            tuple(Finding.from_dict(finding) for finding in row["findings"]),
            tuple(row["functions"]),
            row["dialect"],
            row["engine"],
            row["partial"],
            row["used"],
        )
