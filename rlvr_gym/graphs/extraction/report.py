"""What the builder did: counts of each stage, what was dropped and why, and the audit."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rlvr_gym.graphs.extraction.audit import Audited

if TYPE_CHECKING:
    from rich.console import Group


@dataclass(slots=True)
class Report:
    """Figures of one extraction."""

    counts: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """What each stage found: by the name of the stage, ``structural``, ``reference``, ``semantic``, ``result``."""
    dropped: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """What each stage left out, by reason."""
    audited: Sequence[Audited] = ()
    contradictions: Sequence[str] = ()
    """Heads of functional relations with several tails, in words."""

    def count(self, stage: str, what: str, number: int = 1) -> None:
        """Count something that was found."""
        self.counts[stage][what] += number

    def drop(self, stage: str, reason: str, number: int = 1) -> None:
        """Count something that was left out."""
        self.dropped[stage][reason] += number

    def __rich__(self) -> Group:
        return self.table()

    def table(self) -> Group:
        """Return the figures as tables that ``rich`` prints."""
        from rich.console import Group
        from rich.table import Table

        stages = Table("stage", "what", "number", title="Found and dropped", title_justify="left")
        for stage in dict.fromkeys((*self.counts, *self.dropped)):
            for what, number in sorted(self.counts[stage].items()):
                stages.add_row(stage, what, str(number))
            for reason, number in sorted(self.dropped[stage].items()):
                stages.add_row(stage, f"dropped: {reason}", str(number))
        relations = Table("relation", "facts", "heads", "one tail", "most tails", "functional")
        for row in self.audited:
            share = f"{row.single:.1%}" if row.heads else ""
            relations.add_row(
                row.relation,
                str(row.facts),
                str(row.heads),
                share,
                str(row.most),
                "yes" if row.functional else "",
            )
        parts = [stages, relations]
        if self.contradictions:
            several = Table("contradictions")
            for words in self.contradictions:
                several.add_row(words)
            parts.append(several)
        return Group(*parts)
