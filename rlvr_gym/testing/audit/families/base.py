"""What a family of probes is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rlvr_gym.testing.audit.ground import Ground

Expect: TypeAlias = Literal["paid", "unpaid", "any"]
Named: TypeAlias = tuple[str, str]
"""Name and text of a probe."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One text with what may become of it."""

    family: str
    name: str
    case: int
    text: str
    expect: Expect
    grave: bool = True
    """Whether breaking the expectation is a finding; else it is a remark."""


@dataclass(frozen=True, slots=True)
class Family:
    """One idea of what a policy may try.

    ``make`` yields the probes of one example. Texts of a ``blind`` family are written without the answer in mind;
    those that hit it by chance are left out. ``cases`` says how many examples are probed.
    """

    name: str
    make: Callable[[Ground], Iterator[Named]]
    expect: Expect = "unpaid"
    grave: bool = True
    blind: bool = False
    heavy: bool = False
    """Whether the texts are made to be slow, so that a verifier may give up on them."""
    cases: int = 3

    def probes(self, ground: Ground) -> list[Probe]:
        """Return the probes of one example, each text once."""
        found: dict[str, Probe] = {}
        for name, text in self.make(ground):
            if not (self.blind and ground.accident(text)):
                probe = Probe(self.name, name, ground.case, text, self.expect, self.grave)
                found.setdefault(text, probe)
        return list(found.values())
