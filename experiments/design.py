"""What an experiment is: its bases, jobs and runs, and the class that every experiment extends."""

from __future__ import annotations

import abc
import json
from collections.abc import Generator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from experiments.inference import Analysis
from rlvr_gym import __version__
from rlvr_gym.seeding import work_id
from rlvr_gym.store import RunStore

SizeName: TypeAlias = Literal["xs", "s", "m"]
"""``m`` is the evidence, ``s`` a smaller one of the same kind, ``xs`` only shows that everything runs."""
_SHAPES: dict[SizeName, tuple[int, int]] = {"xs": (1, 32), "s": (3, 64), "m": (5, 128)}
Curves: TypeAlias = dict[str, dict[int, float]]
"""Figure -> step -> value."""
LIMITS = (
    "All arms and seeds share one base checkpoint: seeds vary sampling and the order of tasks, not the base.",
    "The decoder is a small Llama (rotary positions, a token per character), trained from scratch; nothing here "
    "speaks of large models.",
)
"""What holds for every experiment."""


def decoder(size: SizeName, alphabet: str, *, context: int) -> dict[str, Any]:
    """Return the policy of a size: a decoder from scratch, a token per character."""
    layers, width = _SHAPES[size]
    return {
        "name": "tiny",
        "alphabet": alphabet,
        "markers": [],
        "layers": layers,
        "width": width,
        "heads": 4,
        "context": context,
        "device": "cpu",
    }


@dataclass(frozen=True, slots=True)
class Base:
    """A checkpoint that arms share: a decoder after imitating its domain's demonstrations."""

    environment: str | dict[str, Any]
    policy: dict[str, Any]
    steps: int
    examples: int
    mistakes: Mapping[str, float]
    batch_size: int = 64
    lr: float = 1e-3
    seed: int = 0

    @property
    def key(self) -> str:
        """A hash of the settings and of the library's version."""
        return _key("base", {**asdict(self), "mistakes": dict(self.mistakes), "version": __version__})


@dataclass(frozen=True, slots=True)
class Job:
    """One run: an arm with a seed."""

    experiment: str
    arm: str
    seed: int
    base: Base
    recipe: dict[str, Any]
    """Of ``rlvr_gym.selfplay``, without policies: the base is the only one."""

    @property
    def key(self) -> str:
        """A hash of all that fixes the result."""
        return _key("job", {"base": self.base.key, "recipe": self.recipe})

    @property
    def label(self) -> str:
        """Arm and seed, for people."""
        return f"{self.arm}, seed {self.seed}"


@dataclass(frozen=True, slots=True)
class Run:
    """What a job came to."""

    arm: str
    seed: int
    curves: Curves
    cpu_seconds: float
    """CPU time of the process that finished it; after an interruption, of the last one only."""

    def first(self, curve: str) -> float:
        """Return the value at the first step."""
        return self.curves[curve][min(self.curves[curve])]

    def last(self, curve: str) -> float:
        """Return the value at the last step."""
        return self.curves[curve][max(self.curves[curve])]

    def tail(self, curve: str, steps: int) -> float:
        """Return the mean over the last ``steps`` steps that have a value."""
        values = self.curves[curve]
        return float(np.mean([values[step] for step in sorted(values)[-steps:]]))

    def mean(self, curve: str) -> float:
        """Return the mean over all steps."""
        return float(np.mean(list(self.curves[curve].values())))

    def to_dict(self) -> dict[str, Any]:
        """Return the run as JSON values: for each curve the steps, as first, last and stride, and the values."""
        rows = {
            name: {"steps": _stride(list(curve)), "values": [round(v, 5) for v in curve.values()]}
            for name, curve in self.curves.items()
        }
        return {"arm": self.arm, "seed": self.seed, "cpu_seconds": round(self.cpu_seconds, 2), "curves": rows}

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Run:
        """Read what ``to_dict`` wrote."""
        curves = {
            name: dict(zip(_steps(curve["steps"]), curve["values"], strict=True))
            for name, curve in row["curves"].items()
        }
        return cls(row["arm"], row["seed"], curves, row["cpu_seconds"])


def _stride(steps: list[int]) -> dict[str, int] | list[int]:
    """Return evenly spaced steps in short, others as they are."""
    gap = steps[1] - steps[0] if len(steps) > 1 else 1
    if steps and steps == list(range(steps[0], steps[-1] + 1, gap)):
        return {"first": steps[0], "last": steps[-1], "every": gap}
    return steps


def _steps(written: dict[str, int] | list[int]) -> list[int]:
    if isinstance(written, list):
        return written
    return list(range(written["first"], written["last"] + 1, written["every"]))


Plan: TypeAlias = Generator[list[Job], list[Run], None]
"""Yields jobs that may run side by side and is sent their results, so that later jobs can depend on earlier ones."""


class Experiment(abc.ABC):
    """A question, the runs that answer it, and what follows from them."""

    name: str
    title: str
    expected: str
    """What was expected before anything ran."""
    limits: tuple[str, ...]
    """What its outcome does not show."""

    @abc.abstractmethod
    def settings(self, size: SizeName) -> dict[str, Any]:
        """Return what a size fixes."""

    @abc.abstractmethod
    def base(self, size: SizeName) -> Base:
        """Return the checkpoint that all arms start from."""

    @abc.abstractmethod
    def plan(self, size: SizeName, seeds: Sequence[int]) -> Plan:
        """Return the jobs, in stages."""

    @abc.abstractmethod
    def curves(self, store: RunStore) -> Curves:
        """Return the figures of a finished run."""

    @abc.abstractmethod
    def analyse(self, runs: Sequence[Run]) -> Analysis:
        """Return what the runs say; a function of them alone."""


def _key(*parts: Any) -> str:
    return work_id(*(json.dumps(part, sort_keys=True) for part in parts))
