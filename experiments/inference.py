"""What an experiment may conclude: paired tests over seeds, levels with intervals, and curves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from rlvr_gym.metrics import Interval, Side, bootstrap_interval, holm, sign_flip_test, tost

if TYPE_CHECKING:
    from experiments.design import Run

LEVEL = 0.05
"""Adjusted p-values below this hold."""
BySeed = dict[int, float]


@dataclass(frozen=True, slots=True)
class Test:
    """One claim with its evidence: a value per seed, their interval, and a p-value where it is tested."""

    __test__ = False

    name: str
    claim: str
    kind: str
    """``sign-flip``, ``TOST``, ``all parts`` or ``level``, which is reported and not tested."""
    values: dict[int, float]
    """Seed -> paired difference, or level."""
    interval: Interval
    p: float | None = None
    adjusted: float | None = None
    """After Holm, for primaries."""

    @classmethod
    def level(cls, name: str, claim: str, values: BySeed) -> Test:
        """Return a figure without a test."""
        return cls(name, claim, "level", values, bootstrap_interval(list(values.values())))

    @property
    def holds(self) -> bool | None:
        """Whether the claim is supported, None for a figure that is not tested."""
        p = self.adjusted if self.adjusted is not None else self.p
        return None if p is None else p < LEVEL

    def to_dict(self) -> dict[str, Any]:
        """Return the test as JSON values."""
        return {**asdict(self), "values": {str(k): v for k, v in self.values.items()}, "holds": self.holds}


@dataclass(frozen=True, slots=True)
class Curve:
    """One arm's figure over the steps, a row per seed."""

    steps: list[int]
    seeds: dict[int, list[float]]
    """Seed -> value at each step."""
    axis: str = "step"
    """What ``steps`` counts."""


@dataclass(frozen=True, slots=True)
class Table:
    """Figures side by side."""

    title: str
    columns: list[str]
    rows: list[list[str]]


@dataclass(frozen=True, slots=True)
class Analysis:
    """What an experiment came to."""

    primaries: list[Test]
    parts: list[Test] = field(default_factory=list)
    """Tests that a primary is made of."""
    secondary: list[Test] = field(default_factory=list)
    curves: dict[str, dict[str, Curve]] = field(default_factory=dict)
    """Figure -> arm -> curve."""
    tables: list[Table] = field(default_factory=list)
    """Shown between the claims and the curves."""
    notes: list[str] = field(default_factory=list)
    """Findings in words, such as which learning rate was chosen."""


def paired(arm: Mapping[int, float], control: Mapping[int, float]) -> BySeed:
    """Return arm minus control by seed.

    Raises:
        ValueError: the two do not have the same seeds.
    """
    if arm.keys() != control.keys():
        raise ValueError(f"not paired: seeds {sorted(arm)} against {sorted(control)}")
    return {seed: arm[seed] - control[seed] for seed in sorted(arm)}


def superiority(name: str, claim: str, differences: BySeed, *, side: Side) -> Test:
    """Return the exact one-sided permutation test on paired differences."""
    values = list(differences.values())
    p = sign_flip_test(values, side=side)
    return Test(name, claim, "sign-flip", differences, bootstrap_interval(values), p)


def equality(name: str, claim: str, differences: BySeed, *, margin: float) -> Test:
    """Return the two one-sided tests that the mean lies within ``margin`` of 0; one seed can show nothing."""
    values = list(differences.values())
    p = tost(values, margin=margin) if len(values) > 1 else 1.0
    return Test(name, claim, "TOST", differences, bootstrap_interval(values), p)


def not_above(name: str, claim: str, differences: BySeed, *, margin: float) -> Test:
    """Return the exact one-sided permutation test that the mean lies below ``margin``; the differences stay as they are."""
    values = list(differences.values())
    p = sign_flip_test([value - margin for value in values], side="less")
    return Test(
        name, claim, f"sign-flip of difference - {margin:g}", differences, bootstrap_interval(values), p
    )


def both(name: str, claim: str, tests: Sequence[Test]) -> Test:
    """Return the claim that all of ``tests`` hold; its p-value is their largest (intersection-union test).

    Differences and interval are those of the weakest part.
    """
    worst = max(tests, key=lambda test: test.p if test.p is not None else 1.0)
    return Test(name, claim, "all parts", worst.values, worst.interval, worst.p)


def adjusted(tests: Sequence[Test]) -> list[Test]:
    """Return the primaries with p-values adjusted for their number."""
    p = holm({test.name: test.p if test.p is not None else 1.0 for test in tests})
    return [replace(test, adjusted=p[test.name]) for test in tests]


def by_seed(runs: Sequence[Run], value: Callable[[Run], float]) -> BySeed:
    """Return a value per seed.

    Raises:
        ValueError: two runs of one seed.
    """
    found = {run.seed: value(run) for run in runs}
    if len(found) != len(runs):
        raise ValueError("two runs share a seed: name one arm only")
    return dict(sorted(found.items()))


def curves_of(arms: Mapping[str, Sequence[Run]], names: Sequence[str]) -> dict[str, dict[str, Curve]]:
    """Return figure -> arm -> curve, at the steps that all seeds of an arm have."""
    found: dict[str, dict[str, Curve]] = {}
    for name in names:
        for arm, runs in arms.items():
            steps = sorted(set.intersection(*(set(run.curves[name]) for run in runs))) if runs else []
            if steps:
                rows = {run.seed: [run.curves[name][step] for step in steps] for run in runs}
                found.setdefault(name, {})[arm] = Curve(steps, dict(sorted(rows.items())))
    return found
