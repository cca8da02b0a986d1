"""The controller of Prefix Sampling: how much of a stored trajectory the attempts at a task replay (arXiv:2605.05112).

Groups say most where half of their attempts succeed: there the entropy of the reward, the chance 1 - p^G - (1-p)^G
that a group is informative, the energy p(1-p) of its advantages and its number of pairs are all largest.
"""

from __future__ import annotations

from dataclasses import dataclass

TARGET = 0.5
"""The pass rate that is steered to."""


@dataclass(frozen=True, slots=True)
class Controller:
    """Moves a task's signed depth against the distance of its pass rate from one half.

    A depth is in [-1, 1]: its size is the share of the stored trajectory that is replayed, its sign the kind,
    positive for a head start from a success and negative for a handicap from a failure.

    [R] The paper names an adaptive, two-sided controller; this rule, its gain and its dead band are our
    reconstruction of it.
    """

    gain: float = 0.25
    """Change of the depth per unit of distance."""
    band: float = 0.25
    """Distance from one half up to which nothing changes."""

    def moved(self, depth: float, rate: float, *, successes: bool, failures: bool) -> float:
        """Return the depth after a visit.

        Args:
            depth: The depth before.
            rate: Pass rate of the visit.
            successes: Whether there is a success to replay; without one the depth does not rise above 0.
            failures: Whether there is a failure to replay; without one it does not fall below 0.
        """
        if abs(rate - TARGET) <= self.band:
            return depth
        low, high = -1.0 if failures else min(0.0, depth), 1.0 if successes else max(0.0, depth)
        return min(high, max(low, depth + self.gain * (TARGET - rate)))


def turns_at(depth: float, turns: int) -> int:
    """Return how many of a trajectory's ``turns`` are replayed at ``depth``; at least one is left to sample.

    Example:
        >>> [turns_at(depth, 16) for depth in (0.0, 0.02, -0.5, 1.0)]
        [0, 0, 8, 15]
    """
    return min(round(abs(depth) * turns), turns - 1)
