"""What is known of hops and relations: how often questions over them were tried and solved, and which were asked."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rlvr_gym.types import Json

Tally = list[float]
"""Decided attempts and solved ones, discounted."""
Signature = tuple[str, ...]
"""The steps of a question, without its entities."""


@dataclass(slots=True)
class EdgeStats:
    """Tries and solves per relation and per hop, and how often each signature was shown and asked.

    Everything is a fold over committed steps.

    Args:
        discount: Factor on all tries and solves at each step, so that rates follow the policy.
    """

    discount: float = 0.9
    hops: dict[int, Tally] = field(default_factory=dict)
    """Number of hops -> attempts at questions of so many."""
    relations: dict[str, Tally] = field(default_factory=dict)
    """Step -> attempts at questions that take it."""
    signatures: dict[int, dict[str, int]] = field(default_factory=dict)
    """Number of hops -> signature -> how often a question of it was accepted; 0 for those that were only shown."""

    def fade(self) -> None:
        """Let a step pass."""
        for tally in (*self.hops.values(), *self.relations.values()):
            tally[0] *= self.discount
            tally[1] *= self.discount

    def attempt(self, signature: Signature, tried: int, solved: int) -> None:
        """Count attempts at a question."""
        tallies = [self.hops.setdefault(len(signature), [0.0, 0.0])]
        tallies += [self.relations.setdefault(step, [0.0, 0.0]) for step in dict.fromkeys(signature)]
        for tally in tallies:
            tally[0] += tried
            tally[1] += solved

    def show(self, signature: Signature) -> None:
        """Note that a proposer was shown a path of this signature."""
        self.signatures.setdefault(len(signature), {}).setdefault(json.dumps(signature), 0)

    def ask(self, signature: Signature) -> None:
        """Count an accepted question."""
        self.show(signature)
        self.signatures[len(signature)][json.dumps(signature)] += 1

    def tried(self, hops: int) -> float:
        """Return the decided attempts at questions of so many hops, discounted."""
        return self.hops.get(hops, (0.0, 0.0))[0]

    def rate(self, hops: int) -> float | None:
        """Return p_h: the solve rate of questions of so many hops, None before the first attempt."""
        tried, solved = self.hops.get(hops, (0.0, 0.0))
        return solved / tried if tried else None

    def novelty(self, signature: Signature) -> float:
        """Return N in [1/2, 1]: 1 for a signature that is asked no more often than the average one, less for others.

        [R] N = (1 + min(1, (1 + m) / (1 + n))) / 2, with n the accepted questions of this signature and m their mean
        over all signatures of as many hops that proposers were shown.
        """
        known = self.signatures.get(len(signature), {})
        asked = known.get(json.dumps(signature), 0)
        mean = sum(known.values()) / len(known) if known else 0.0
        return 0.5 + 0.5 * min(1.0, (1.0 + mean) / (1.0 + asked))

    def rarity(self, signature: Signature) -> float:
        """Return how little the steps of a path were tried: 1 for untried ones, 1/2 for those tried as the average.

        [R] The mean over the steps of 1 / (1 + tries / mean tries).
        """
        total = sum(tally[0] for tally in self.relations.values())
        mean = total / len(self.relations) if total else 1.0
        shares = [self.relations.get(step, (0.0, 0.0))[0] / mean for step in signature]
        return sum(1.0 / (1.0 + share) for share in shares) / len(shares)

    def state(self) -> Json:
        """Return everything as JSON values."""
        return {
            "hops": {str(hops): list(tally) for hops, tally in self.hops.items()},
            "relations": {step: list(tally) for step, tally in self.relations.items()},
            "signatures": {str(hops): dict(known) for hops, known in self.signatures.items()},
        }

    def load(self, state: Mapping[str, Json]) -> None:
        """Restore what ``state`` returned."""
        self.hops = {int(hops): list(tally) for hops, tally in state["hops"].items()}
        self.relations = {step: list(tally) for step, tally in state["relations"].items()}
        self.signatures = {int(hops): dict(known) for hops, known in state["signatures"].items()}


def hop_weights(rates: Sequence[float | None], least: float) -> list[float]:
    """Return the chance of each number of hops: in proportion to 1 - |p - 1/2|, and none below ``least``.

    A number of hops that was never tried counts as p = 1/2. [R] The floor is ours: what is hopeless now is tried again.

    Example:
        >>> hop_weights([1.0, 0.5], 0.0)
        [0.3333333333333333, 0.6666666666666666]
    """
    weights = [1.0 - abs((0.5 if rate is None else rate) - 0.5) for rate in rates]
    floor = min(least, 1.0 / len(weights))
    return [floor + (1.0 - floor * len(weights)) * weight / sum(weights) for weight in weights]
