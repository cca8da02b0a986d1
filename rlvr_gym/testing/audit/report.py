"""What an audit found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Literal, TypeAlias

from rlvr_gym.types import Json

Fault: TypeAlias = Literal["paid", "refused", "hung", "crashed", "changed", "other"]
"""``paid``: a wrong answer earned something. ``refused``: a right one earned nothing. ``hung``: no verdict in time.
``crashed``: an exception or a dead process. ``changed``: another verdict on the same text. ``other``: a score out of
range, or something left behind in the caller's process.
"""
FAULTS: tuple[Fault, ...] = ("paid", "refused", "hung", "crashed", "changed", "other")
_TEXT = 20_000


@dataclass(frozen=True, slots=True)
class Finding:
    """One text, or one behaviour, with what went wrong."""

    fault: Fault
    family: str
    name: str
    """Which probe of the family."""
    detail: str
    """What happened."""
    text: str = ""
    """The response that was judged."""
    reference: Json = None
    """What it was judged against."""
    grave: bool = True
    """Whether it makes the audit fail; a remark does not."""

    def to_dict(self) -> dict[str, Json]:
        """Return the finding as JSON values, a long text cut."""
        return {**asdict(self), "text": self.text[:_TEXT], "num_chars": len(self.text)}


@dataclass(slots=True)
class Row:
    """One family of probes, or one behaviour."""

    family: str
    num_probes: int = 0
    num_skipped: int = 0
    """Probes not tried, because those before them had cost too many processes."""
    statuses: Counter[str] = field(default_factory=Counter)
    """What the verdicts were."""
    findings: list[Finding] = field(default_factory=list)

    def num(self, fault: Fault) -> int:
        """Return how many findings of one kind there are, remarks left out."""
        return sum(finding.fault == fault and finding.grave for finding in self.findings)


@dataclass(frozen=True, slots=True)
class AuditReport:
    """The whole of an audit."""

    name: str
    kind: str
    rows: Sequence[Row]
    seconds: float

    @property
    def findings(self) -> list[Finding]:
        """What makes the audit fail."""
        return [finding for row in self.rows for finding in row.findings if finding.grave]

    @property
    def remarks(self) -> list[Finding]:
        """What is worth a look and may be as intended."""
        return [finding for row in self.rows for finding in row.findings if not finding.grave]

    @property
    def clean(self) -> bool:
        """True when nothing was found and nothing was left out."""
        return not self.findings and not any(row.num_skipped for row in self.rows)

    def row(self, family: str) -> Row:
        """Return the row of one family.

        Raises:
            KeyError: no family of that name was tried.
        """
        return {row.family: row for row in self.rows}[family]

    def to_dict(self) -> dict[str, Json]:
        """Return the report as JSON values."""
        return {
            "name": self.name,
            "kind": self.kind,
            "clean": self.clean,
            "families": [
                {
                    "family": row.family,
                    "probes": row.num_probes,
                    "skipped": row.num_skipped,
                    **{fault: row.num(fault) for fault in FAULTS},
                    "statuses": dict(row.statuses),
                }
                for row in self.rows
            ],
            "findings": [finding.to_dict() for finding in self.findings],
            "remarks": [finding.to_dict() for finding in self.remarks],
            "seconds": round(self.seconds, 3),
        }
