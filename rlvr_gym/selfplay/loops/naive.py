"""Naive two-party play: a setter paid for difficulty alone, no verifier between. The control that collapses.

Every proposal that can be read is attempted and judged against the setter's own claimed answer, and the setter
earns 1 - p. Wrong references make problems that nobody can solve, which is what the rule pays for.
"""

from __future__ import annotations

from typing import Any

from rlvr_gym.errors import ConfigError
from rlvr_gym.selfplay.loops.base import LOOPS
from rlvr_gym.selfplay.loops.vhg import VHG, VHGLoop


class Naive(VHG):
    """Settings of the naive loop."""

    unsafe_ungated: bool = False
    """Must be set: this loop trains on answers that nobody verified."""
    difficulty: str = "one_minus_solved"
    """Registered difficulty rule."""
    novelty: bool = False
    """Divide a proposal's reward by the number of its copies."""
    curriculum: str | dict[str, Any] = "uniform"
    """Where seeds and practice problems come from."""


class NaiveLoop(VHGLoop):
    """VHG without its gate."""

    gated = False

    def __init__(self, config: Naive, domain: Any) -> None:
        if not config.unsafe_ungated:
            raise ConfigError(
                "loop.unsafe_ungated must be true: the naive loop trains on unverified answers."
            )
        super().__init__(config, domain)


LOOPS.add("naive", NaiveLoop, config=Naive)
