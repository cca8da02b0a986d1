"""Cases for the Verus verifier: small programs with the outcome that was worked out for them by hand.

A file holds cases separated by header lines ``//@ name | expectation | reason``. The expectation is one or
more outcomes joined by ``/``, or ``!verified`` where any refusal is right; behind it may stand ``classic``
(the dialect of 2024) and ``raw`` (the case is the whole file, not only the text inside the macro).
A line with FAILS in a comment is one that a finding must name, as its own line or as the related one.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rlvr_gym.verifiers.verus.report import Dialect, Outcome, Report

RULES = Path(__file__).parent / "data" / "verus" / "rules"
_OPENING = "use vstd::prelude::*;\nverus! {\n"
_CLOSING = "} // verus!\n"
# The checker or its solver giving up is never what a case expects.
_REFUSALS = frozenset(
    {Outcome.FAILED, Outcome.REJECTED, Outcome.UNSUPPORTED, Outcome.CHEAT, Outcome.SPEC_CHANGED}
)


@dataclass(frozen=True, slots=True)
class Case:
    """One program and what must become of it."""

    name: str
    expected: frozenset[Outcome]
    dialect: Dialect
    source: str
    reason: str

    @property
    def marks(self) -> frozenset[int]:
        """The lines that findings must name."""
        lines = self.source.splitlines()
        return frozenset(number for number, line in enumerate(lines, 1) if "FAILS" in line)

    def complaint(self, report: Report) -> str:
        """Return what is wrong with ``report``, or nothing."""
        if report.outcome not in self.expected:
            wanted = "/".join(sorted(self.expected))
            return f"expected {wanted} ({self.reason}), got {report.reason}"
        if not self.marks or report.outcome not in (Outcome.FAILED, Outcome.REJECTED):
            return ""
        named = [{found.place.line, found.related.line if found.related else 0} for found in report.findings]
        missed = sorted(self.marks - set().union(*named))
        if missed:
            return f"no finding names line {missed[0]} ({self.reason}), got {report.reason}"
        stray = [lines for lines in named if not lines & self.marks]
        if stray and report.outcome is Outcome.FAILED:
            return f"a finding at {sorted(stray[0])} that no mark expects, got {report.reason}"
        return ""


def read_cases(path: Path) -> list[Case]:
    """Return the cases of one file, in its order."""
    cases: list[Case] = []
    for block in ("\n" + path.read_text(encoding="utf-8")).split("\n//@ ")[1:]:
        header, _, body = block.partition("\n")
        name, expectation, reason = (part.strip() for part in header.split("|", 2))
        wanted, *flags = expectation.split()
        unknown = set(flags) - {"classic", "raw"}
        assert not unknown, f"{path.name}: case {name}: no flag {unknown}"
        expected = (
            _REFUSALS if wanted == "!verified" else frozenset(Outcome(word) for word in wanted.split("/"))
        )
        body = body.rstrip("\n") + "\n"
        cases.append(
            Case(
                name=f"{path.stem}/{name}",
                expected=expected,
                dialect="classic" if "classic" in flags else "current",
                source=body if "raw" in flags else _OPENING + body + _CLOSING,
                reason=reason,
            )
        )
    assert len({case.name for case in cases}) == len(cases), f"{path.name}: two cases of one name"
    return cases


def all_cases() -> list[Case]:
    """Return the cases of every rule file."""
    return [case for path in sorted(RULES.glob("*.rs")) for case in read_cases(path)]


def read_theorems(path: Path) -> list[Case]:
    """Return the battery of ``path``: false theorems (``-``), true ones (``+``), false ones of any refusal (``?``)."""
    expected = {
        "+": frozenset({Outcome.VERIFIED}),
        "-": frozenset({Outcome.FAILED}),
        "?": _REFUSALS,
    }
    theorems: list[Case] = []
    text = "\n" + path.read_text(encoding="utf-8")
    for block in text.split("\n//")[1:]:
        header, _, body = block.partition("\n")
        kind, reason = header[0], header[2:].strip()
        theorems.append(
            Case(
                name=f"{len(theorems):03d}{kind} {reason}",
                expected=expected[kind],
                dialect="current",
                source=_OPENING + body.rstrip("\n") + "\n" + _CLOSING,
                reason=reason,
            )
        )
    return theorems
