"""The share of passed tests against all of them as the reward: programs of three operations on integers.

A problem is what a program must return on the integers -3 ... 4, ``3,2,1,0,1,2,3,4`` for one. A program is three
letters, each an operation, applied from left to right; it is run on the eight integers, and each is a test. The 512
programs behave in 262 ways, of which 90 are held out. The base has seen right programs of the others, too few times to
write them always.

Both arms sample the same number of programs and differ in the reward only: 1 if all tests pass and else 0, or the
share of the tests that pass. ``pass_rate`` judges, over a verifier that interprets the letters: nothing is executed.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal, cast

import numpy as np

from experiments.design import LIMITS, Base, Curves, Experiment, Job, Plan, Run, SizeName, decoder
from experiments.inference import (
    Analysis,
    Test,
    both,
    by_seed,
    curves_of,
    not_above,
    paired,
    superiority,
)
from rlvr_gym.agents import Demonstration, Domain
from rlvr_gym.agents.base import DOMAINS
from rlvr_gym.agents.environment import EnvironmentDomain
from rlvr_gym.config import Config, NoConfig
from rlvr_gym.envs import SingleTurnEnv, register
from rlvr_gym.envs.splits import Split, in_split
from rlvr_gym.errors import TaskError
from rlvr_gym.learner.diagnostics import REACH_BINS
from rlvr_gym.store import RunStore
from rlvr_gym.types import Check, Status, Task, Verdict
from rlvr_gym.verifiers import verifier

WORLD = "integer_programs"
OPERATIONS: dict[str, Callable[[int], int]] = {
    "a": abs,
    "d": lambda x: 2 * x,
    "i": lambda x: x + 1,
    "l": lambda x: max(x, -1),
    "m": lambda x: min(x, 3),
    "n": lambda x: -x,
    "r": lambda x: x % 3,
    "s": lambda x: x - 2,
}
LENGTH = 3
INPUTS = range(-3, 5)
HELDOUT_SHARE = 0.344
"""Holds out 90 of the 262 behaviours."""
ALPHABET = f"0123456789-,{''.join(OPERATIONS)}"


def behaviour(program: str) -> str:
    """Return what ``program`` returns on the inputs.

    Example:
        >>> behaviour("aaa")
        '3,2,1,0,1,2,3,4'
    """
    found = []
    for x in INPUTS:
        for letter in program:
            x = OPERATIONS[letter](x)
        found.append(str(x))
    return ",".join(found)


@cache
def programs() -> Mapping[str, Sequence[str]]:
    """Return every behaviour with the programs that have it, in a fixed order."""
    found: dict[str, list[str]] = defaultdict(list)
    for letters in itertools.product(OPERATIONS, repeat=LENGTH):
        program = "".join(letters)
        found[behaviour(program)].append(program)
    return dict(sorted(found.items()))


@verifier(WORLD, bounded=True)
def judge(task: Task, response: str, config: NoConfig) -> Verdict:
    """Pass when the response is a program with the reference's behaviour; a check for each input."""
    if not isinstance(task.reference, str) or task.reference not in programs():
        raise TaskError(f"task '{task.id}': the reference must be a behaviour of a program.")
    if len(response) != LENGTH or not set(response) <= OPERATIONS.keys():
        return Verdict.of(Status.MALFORMED, f"not {LENGTH} letters of {''.join(OPERATIONS)}")
    pairs = zip(behaviour(response).split(","), task.reference.split(","), strict=True)
    checks = tuple(Check(f"f({x})", got == asked) for x, (got, asked) in zip(INPUTS, pairs, strict=True))
    right = all(check.passed for check in checks)
    reason = f"{sum(check.passed for check in checks)} of {len(checks)} tests pass"
    return Verdict.of(Status.PASSED if right else Status.FAILED, reason, checks=checks)


class Programs(Config):
    """Settings of the world."""

    reward: Literal["all", "rate"] = "all"
    """Mode of ``pass_rate``."""
    split: Split = "train"
    """Which behaviours."""


class ProgramsEnv(SingleTurnEnv):
    """Write three operations that turn the integers -3 to 4 into the given ones."""

    def __init__(self, config: Programs) -> None:
        super().__init__("pass_rate", {"verifier": WORLD, "mode": config.reward})
        self.config = config
        self._choices = [text for text in programs() if in_split(text, config.split, HELDOUT_SHARE)]

    def draw(self, rng: np.random.Generator) -> Task:
        """Return a behaviour of the split, any alike."""
        text = self._choices[int(rng.integers(len(self._choices)))]
        return Task(f"{WORLD}:{text}", prompt=text, reference=text)

    def oracle(self, task: Task) -> str:
        """Return the first right program."""
        return programs()[task.prompt][0]


class ProgramsDomain(EnvironmentDomain):
    """A writer of programs, with a teacher that knows all of them."""

    def warm_start(self, mistakes: Mapping[str, float]) -> str:
        """What imitation teaches."""
        return (
            "right programs for behaviours of the train split, any of them, not enough to write them always"
        )

    def demonstrations(
        self, rng: np.random.Generator, number: int, mistakes: Mapping[str, float]
    ) -> Sequence[Demonstration]:
        """Return right programs; where there are several, any of them."""
        found = []
        for _ in range(number):
            task = self.env.draw(rng)
            right = programs()[task.prompt]
            found.append(
                Demonstration("solver", self.solver_view(task), right[int(rng.integers(len(right)))])
            )
        return found


def _domain(env: SingleTurnEnv) -> Domain:
    return cast(Domain, ProgramsDomain(env))


register(WORLD, ProgramsEnv, Programs)
DOMAINS.add(WORLD, _domain, summary="Programs of three operations on integers, judged by eight tests.")

ALL, RATE = "all", "rate"
ARMS = (ALL, RATE)
MARGIN = 0.03
"""A gain of full passes below this is none."""
_LAST = 25
"""Steps at the end over which figures of training are averaged."""
_SETTINGS: dict[SizeName, dict[str, int]] = {
    "xs": {"steps": 2, "imitation": 4, "prompts": 4, "tasks": 8, "every": 1, "diagnose": 1},
    "s": {"steps": 150, "imitation": 300, "prompts": 32, "tasks": 90, "every": 30, "diagnose": 10},
    "m": {"steps": 150, "imitation": 190, "prompts": 32, "tasks": 90, "every": 30, "diagnose": 10},
}
_DIAGNOSED = ("alignment", "conflict", *(f"full_reachable_{most}" for most in REACH_BINS))


class PassRateAgainstAll(Experiment):
    """The two rewards on one base."""

    name = "pass_rate"
    title = "Pass rate against pass all (programs of three operations)"
    expected = (
        "With the share of passed tests as the reward more groups have rewards that differ. That does not make more "
        f"programs pass all tests: the gain over the binary reward is below {100 * MARGIN:.0f} points, on what is "
        "trained on and on what is held out."
    )
    limits = (
        *LIMITS,
        "One learning rate for both arms, not tuned for either.",
        "Full passes are frequent from the start; where they are so rare that hardly any group has one, a dense "
        "reward has more to offer, and this world does not test that.",
    )

    def settings(self, size: SizeName) -> dict[str, Any]:
        """Return steps and counts of a size."""
        return {**_SETTINGS[size], "attempts": 8, "lr": 3e-4, "margin": MARGIN}

    def base(self, size: SizeName) -> Base:
        """Return what both arms start from."""
        steps = _SETTINGS[size]["imitation"]
        return Base(
            environment=WORLD,
            policy=decoder(size, ALPHABET, context=48),
            steps=steps,
            examples=64 * steps,
            mistakes={},
        )

    def plan(self, size: SizeName, seeds: Sequence[int]) -> Plan:
        """Run both arms on every seed; the first seed's runs are diagnosed, which changes nothing in them."""
        yield [self._job(size, arm, seed, diagnosed=seed == seeds[0]) for seed in seeds for arm in ARMS]

    def _job(self, size: SizeName, arm: str, seed: int, *, diagnosed: bool) -> Job:
        s = self.settings(size)
        return Job(
            experiment=self.name,
            arm=arm,
            seed=seed,
            base=self.base(size),
            recipe={
                "loop": {"name": "rlvr", "prompts": s["prompts"], "attempts": s["attempts"]},
                "environment": {"name": WORLD, "reward": arm},
                "seed": seed,
                "steps": s["steps"],
                "sampling": {"max_new_tokens": LENGTH + 1},
                "learner": {
                    "algorithm": {"name": "dr_grpo", "max_tokens": LENGTH + 1},
                    "optimizer": {"name": "adamw", "lr": s["lr"]},
                    "diagnose_every": s["diagnose"] if diagnosed else 0,
                },
                "evaluation": {"every": s["every"], "tasks": s["tasks"], "n": 8},
            },
        )

    def curves(self, store: RunStore) -> Curves:
        """Return full passes on train and held-out behaviours, group shares, rewards, and diagnostics if taken."""
        found: Curves = defaultdict(dict)
        for event in store.events("evaluated"):
            found["heldout_full_pass"][event.step] = event.payload["heldout"]["mean"]
        names = {
            "train_full_pass": "solver/solve_rate",
            "informative_share": "solver/informative_share",
            "reward": "solver/reward",
            "entropy": "solver/entropy",
            **{name: f"learner/solver/{name}" for name in _DIAGNOSED},
        }
        for event in store.events("metrics"):
            for curve, metric in names.items():
                if metric in event.payload:
                    found[curve][event.step] = event.payload[metric]
        return dict(found)

    def analyse(self, runs: Sequence[Run]) -> Analysis:
        """Return the primary, whose three parts must hold together, and what goes with them."""
        arms = {arm: [run for run in runs if run.arm == arm] for arm in ARMS}

        def last(arm: str, curve: str) -> dict[int, float]:
            return by_seed(arms[arm], lambda run: run.tail(curve, _LAST))

        def end(arm: str) -> dict[int, float]:
            return by_seed(arms[arm], lambda run: run.last("heldout_full_pass"))

        points = f"{100 * MARGIN:.0f} points"
        train = not_above(
            "train_full_pass",
            f"full passes on train behaviours, last {_LAST} steps: pass rate gains less than {points}",
            paired(last(RATE, "train_full_pass"), last(ALL, "train_full_pass")),
            margin=MARGIN,
        )
        heldout = not_above(
            "heldout_full_pass",
            f"full passes on held-out behaviours at the end: pass rate gains less than {points}",
            paired(end(RATE), end(ALL)),
            margin=MARGIN,
        )
        informative = superiority(
            "informative_share",
            "more groups have rewards that differ under pass rate, mean over all steps",
            paired(*(by_seed(arms[arm], lambda run: run.mean("informative_share")) for arm in (RATE, ALL))),
            side="greater",
        )
        primary = both(
            "denser_not_better", "All: denser rewards, and no more full passes", [train, heldout, informative]
        )
        worse = superiority(
            "rate_below_all",
            f"pass rate ends below pass all on train behaviours, last {_LAST} steps",
            train.values,
            side="less",
        )
        shown = curves_of(arms, ["train_full_pass", "heldout_full_pass", "informative_share", "entropy"])
        return Analysis(
            primaries=[primary],
            parts=[train, heldout, informative],
            secondary=[worse, *_levels(arms), *_diagnosed(arms)],
            curves=shown | curves_of(_with(arms, "alignment"), ["alignment"]),
            notes=[
                "Alignment, conflict and reachability are of the first seed alone, from the learner's `diagnose_every`."
            ],
        )


def _levels(arms: Mapping[str, Sequence[Run]]) -> Iterator[Test]:
    """Yield the arms' own levels, which no test compares."""
    for arm, runs in arms.items():
        ends = by_seed(runs, lambda run: run.last("heldout_full_pass"))
        yield Test.level(f"{arm}/heldout", f"{arm}: full passes on held-out behaviours at the end", ends)
        starts = by_seed(runs, lambda run: run.first("train_full_pass"))
        yield Test.level(f"{arm}/start", f"{arm}: full passes on train behaviours, first step", starts)
        for curve, what in {
            "train_full_pass": "full passes on train behaviours",
            "informative_share": "share of groups whose rewards differ",
        }.items():
            tails = by_seed(runs, lambda run, curve=curve: run.tail(curve, _LAST))  # type: ignore[misc]
            yield Test.level(f"{arm}/{curve}", f"{arm}: {what}, last {_LAST} steps", tails)


def _with(arms: Mapping[str, Sequence[Run]], curve: str) -> dict[str, list[Run]]:
    """Return the runs that have a curve."""
    return {arm: [run for run in runs if run.curves.get(curve)] for arm, runs in arms.items()}


def _diagnosed(arms: Mapping[str, Sequence[Run]]) -> Iterator[Test]:
    """Yield the means of the diagnostics that were taken."""
    for name in _DIAGNOSED:
        for arm, runs in _with(arms, name).items():
            if runs:
                values = by_seed(runs, lambda run, name=name: run.mean(name))  # type: ignore[misc]
                yield Test.level(f"{arm}/{name}", f"{arm}: {name.replace('_', ' ')}, mean over steps", values)
