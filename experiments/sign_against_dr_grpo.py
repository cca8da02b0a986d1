"""Sign against Dr.GRPO where many groups are all right or all wrong: countdown with three digits.

A problem is three digits and a target; an answer uses all three, with + - *, read from left to right (``3+5*2`` is
16). The base has seen right answers, not enough of them. Both arms sample the same number of answers and differ in
the advantage only: 2r - 1, or r minus the group's mean, which is 0 for a group whose answers are all alike.

In expectation the two gradients point the same way; they differ in length and in variance, so a comparison at one
learning rate also compares step lengths. That is why each arm's rate is tuned, on seeds of their own.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from experiments.design import LIMITS, Base, Curves, Experiment, Job, Plan, Run, SizeName, decoder
from experiments.inference import Analysis, BySeed, Test, by_seed, curves_of, equality, paired, superiority
from rlvr_gym.agents import Demonstration, Domain
from rlvr_gym.agents.base import DOMAINS
from rlvr_gym.agents.environment import EnvironmentDomain
from rlvr_gym.config import Config, NoConfig
from rlvr_gym.envs import SingleTurnEnv, register
from rlvr_gym.envs.base import draw_until
from rlvr_gym.envs.splits import Split, in_split
from rlvr_gym.errors import TaskError
from rlvr_gym.store import RunStore
from rlvr_gym.types import Status, Task, Verdict
from rlvr_gym.verifiers import verifier

WORLD = "countdown_3"
ALPHABET = "0123456789+-*:"
_ANSWER = re.compile(r"([1-9])([+*-])([1-9])([+*-])([1-9])")
_PROBLEM = re.compile(r"([1-9]{3}):([0-9]{1,2})")


def value(expression: str) -> int | None:
    """Return what ``expression`` comes to, read from left to right; None when it is not three digits and two signs.

    Example:
        >>> value("3+5*2")
        16
    """
    match = _ANSWER.fullmatch(expression)
    if match is None:
        return None
    a, first, b, second, c = match.groups()
    return _apply(second, _apply(first, int(a), int(b)), int(c))


def _apply(sign: str, left: int, right: int) -> int:
    return {"+": left + right, "-": left - right, "*": left * right}[sign]


def solutions(digits: str, target: int) -> list[str]:
    """Return every right answer, in a fixed order."""
    orders = sorted(set(itertools.permutations(digits)))
    signs = itertools.product("+-*", repeat=2)
    found = (f"{a}{s}{b}{t}{c}" for (a, b, c), (s, t) in itertools.product(orders, signs))
    return [expression for expression in found if value(expression) == target]


@verifier(WORLD, bounded=True)
def judge(task: Task, response: str, config: NoConfig) -> Verdict:
    """Pass when the response uses the reference's three digits and comes to its target; ``235:16`` is a reference."""
    problem = _PROBLEM.fullmatch(task.reference) if isinstance(task.reference, str) else None
    if problem is None:
        raise TaskError(f"task '{task.id}': the reference must be three digits, ':' and a target up to 99.")
    result = value(response)
    if result is None:
        return Verdict.of(Status.MALFORMED, "not three digits with two signs between them")
    if sorted(re.findall("[1-9]", response)) != sorted(problem[1]):
        return Verdict.of(Status.FAILED, "other digits")
    right = result == int(problem[2])
    return Verdict.of(Status.PASSED if right else Status.FAILED, "on target" if right else "off target")


class Countdown(Config):
    """Settings of the world."""

    split: Split = "train"
    """Which problems."""


class CountdownEnv(SingleTurnEnv):
    """Reach a target with three digits, all used, read from left to right."""

    def __init__(self, config: Countdown) -> None:
        super().__init__(WORLD)
        self.config = config

    def draw(self, rng: np.random.Generator) -> Task:
        """Return the problem of a random expression whose value is 0 to 99."""

        def problem() -> str:
            a, b, c = rng.integers(1, 10, size=3).tolist()
            s, t = rng.choice(list("+-*"), size=2).tolist()
            return f"{''.join(sorted(f'{a}{b}{c}'))}:{value(f'{a}{s}{b}{t}{c}')}"

        split = self.config.split
        text = draw_until(
            problem,
            lambda text: _PROBLEM.fullmatch(text) is not None and in_split(text, split),
            what=f"env '{WORLD}' with split '{split}'",
        )
        return Task(f"{WORLD}:{text}", prompt=text, reference=text)

    def oracle(self, task: Task) -> str:
        """Return the first right answer."""
        digits, _, target = task.prompt.partition(":")
        return solutions(digits, int(target))[0]


class CountdownDomain(EnvironmentDomain):
    """A solver of countdown, with a teacher that knows every answer."""

    def warm_start(self, mistakes: Mapping[str, float]) -> str:
        """What imitation teaches."""
        return "right answers to problems of the train split, any of them, not enough to generalise well"

    def demonstrations(
        self, rng: np.random.Generator, number: int, mistakes: Mapping[str, float]
    ) -> Sequence[Demonstration]:
        """Return right answers; where there are several, any of them."""
        found = []
        for _ in range(number):
            task = self.env.draw(rng)
            digits, _, target = task.prompt.partition(":")
            answers = solutions(digits, int(target))
            answer = answers[int(rng.integers(len(answers)))]
            found.append(Demonstration("solver", self.solver_view(task), answer))
        return found


def _domain(env: SingleTurnEnv) -> Domain:
    return cast(Domain, CountdownDomain(env))


register(WORLD, CountdownEnv, Countdown)
DOMAINS.add(WORLD, _domain, summary="Countdown with three digits, read from left to right.")

SIGN, DR_GRPO = "sign", "dr_grpo"
ARMS = (SIGN, DR_GRPO)
RATES = (1e-4, 3e-4, 1e-3)
TUNING_SEEDS = (1000, 1001)
"""Seeds that choose the learning rates and are in no test."""
_SAMPLES = 128
"""Answers per step, whatever the group size."""
_SGD_RATES = (0.03, 0.1, 0.3)
_SETTINGS: dict[SizeName, dict[str, int]] = {
    "xs": {"steps": 2, "tuning_steps": 2, "imitation": 4, "tasks": 8, "every": 1},
    "s": {"steps": 200, "tuning_steps": 200, "imitation": 600, "tasks": 200, "every": 20},
    "m": {"steps": 200, "tuning_steps": 100, "imitation": 300, "tasks": 200, "every": 25},
}


def arm_name(algorithm: str, group: int, optimizer: str, lr: float, *, tuning: bool = False) -> str:
    """Return an arm's name, such as ``sign G=4 adamw 0.0003``."""
    return f"{'tuning ' if tuning else ''}{algorithm} G={group} {optimizer} {lr:g}"


class SignAgainstDrGRPO(Experiment):
    """The two advantages at group sizes 4 and 16, with AdamW and with plain gradient descent."""

    name = "sign_against_dr_grpo"
    title = "Sign against Dr.GRPO (countdown with three digits)"
    expected = (
        "More groups are all right or all wrong than problems of one common difficulty would give, always. At one "
        "learning rate and G = 4 Sign is at least as good as Dr.GRPO, and the gap is smaller at G = 16. The 45 "
        "points of the paper's large model are not expected here: the two gradients differ in length, not direction."
    )
    limits = (
        *LIMITS,
        "Rates come from a grid of three; at the grid's edge a better one may lie outside.",
    )

    def settings(self, size: SizeName) -> dict[str, Any]:
        """Return steps and counts of a size."""
        return {**_SETTINGS[size], "samples": _SAMPLES if size != "xs" else 16, "rates": list(RATES)}

    def base(self, size: SizeName) -> Base:
        """Return what all arms start from."""
        steps = _SETTINGS[size]["imitation"]
        return Base(
            environment=WORLD,
            policy=decoder(size, ALPHABET, context=32),
            steps=steps,
            examples=64 * steps,
            mistakes={},
        )

    def plan(self, size: SizeName, seeds: Sequence[int]) -> Plan:
        """Tune each arm's rate, then compare."""
        tuned = yield [
            self._job(size, arm, 4, "adamw", lr, seed, tuning=True)
            for seed in TUNING_SEEDS
            for arm in ARMS
            for lr in RATES
        ]
        common, own = choose_rates(tuned)
        first = [
            self._job(size, arm, 4, "adamw", lr, seed)
            for seed in seeds
            for arm in ARMS
            for lr in sorted({common, own[arm]})
        ]
        wide = [self._job(size, arm, 16, "adamw", common, seed) for seed in seeds for arm in ARMS]
        plain = [
            self._job(size, arm, 4, "sgd", lr, seed)
            for seed in seeds[:2]
            for arm in ARMS
            for lr in _SGD_RATES
        ]
        yield first + wide + plain

    def _job(
        self,
        size: SizeName,
        arm: str,
        group: int,
        optimizer: str,
        lr: float,
        seed: int,
        *,
        tuning: bool = False,
    ) -> Job:
        s = self.settings(size)
        return Job(
            experiment=self.name,
            arm=arm_name(arm, group, optimizer, lr, tuning=tuning),
            seed=seed,
            base=self.base(size),
            recipe={
                "loop": {"name": "rlvr", "prompts": s["samples"] // group, "attempts": group},
                "environment": WORLD,
                "seed": seed,
                "steps": s["tuning_steps" if tuning or optimizer == "sgd" else "steps"],
                "sampling": {"max_new_tokens": 6},
                "learner": {
                    "algorithm": {"name": arm, "max_tokens": 6},
                    "optimizer": {"name": optimizer, "lr": lr},
                },
                "evaluation": {"every": s["every"], "tasks": s["tasks"], "n": 4},
            },
        )

    def curves(self, store: RunStore) -> Curves:
        """Return held-out accuracy, reward, entropy, and the degenerate share with its value for one difficulty."""
        found: Curves = defaultdict(dict)
        for event in store.events("evaluated"):
            found["heldout_accuracy"][event.step] = event.payload["heldout"]["mean"]
        group = store.config["loop"]["attempts"]
        for event in store.events("metrics"):
            row = event.payload
            if "learner/solver/all_right_share" not in row:
                continue
            degenerate = row["learner/solver/all_right_share"] + row["learner/solver/all_wrong_share"]
            p = row["learner/solver/reward_mean"]
            found["reward"][event.step] = p
            found["degenerate_share"][event.step] = degenerate
            found["degenerate_excess"][event.step] = degenerate - degenerate_if_alike(p, group)
            found["entropy"][event.step] = row["learner/solver/entropy"]
        return dict(found)

    def analyse(self, runs: Sequence[Run]) -> Analysis:
        """Return the primaries (a) and (b), the comparisons beside them, and what the tuning chose."""
        arms: dict[str, list[Run]] = defaultdict(list)
        for run in runs:
            arms[run.arm].append(run)
        common, own = choose_rates([run for run in runs if run.arm.startswith("tuning ")])

        def end(arm: str, group: int, lr: float, optimizer: str = "adamw") -> BySeed:
            chosen = arms[arm_name(arm, group, optimizer, lr)]
            return by_seed(chosen, lambda run: run.last("heldout_accuracy"))

        def gap(group: int) -> BySeed:
            return paired(end(SIGN, group, common), end(DR_GRPO, group, common))

        control = arms[arm_name(DR_GRPO, 4, "adamw", common)]
        excess = superiority(
            "degenerate_share",
            "(a) more groups of 4 are degenerate under Dr.GRPO than p^4 + (1 - p)^4 at the batch's mean p",
            by_seed(control, lambda run: run.mean("degenerate_excess")),
            side="greater",
        )
        accuracy = superiority(
            "sign_minus_dr_grpo",
            f"(b) Sign ends above Dr.GRPO at G = 4 and the common rate {common:g}",
            gap(4),
            side="greater",
        )
        narrower = {seed: gap(4)[seed] - gap(16)[seed] for seed in gap(4)}
        secondary = [
            superiority(
                "gap_shrinks", "the gap is smaller at G = 16 than at G = 4", narrower, side="greater"
            ),
            equality("equal_at_16", "Sign and Dr.GRPO are within 3 points at G = 16", gap(16), margin=0.03),
            equality("no_large_gap", "Sign and Dr.GRPO are within 10 points at G = 4", gap(4), margin=0.1),
            superiority(
                "each_at_its_own_rate",
                f"Sign at {own[SIGN]:g} ends above Dr.GRPO at {own[DR_GRPO]:g}, each arm's tuned rate",
                paired(end(SIGN, 4, own[SIGN]), end(DR_GRPO, 4, own[DR_GRPO])),
                side="greater",
            ),
        ]
        shown = {name: found for name, found in sorted(arms.items()) if not name.startswith("tuning ")}
        for name, found in shown.items():
            ends = by_seed(found, lambda run: run.last("heldout_accuracy"))
            secondary.append(Test.level(name, f"{name}: held-out accuracy at the end", ends))
        main = {
            f"{arm} G={group}": arms[arm_name(arm, group, "adamw", common)]
            for group in (4, 16)
            for arm in ARMS
        }
        sgd = {f"{arm} sgd {lr:g}": arms[arm_name(arm, 4, "sgd", lr)] for arm in ARMS for lr in _SGD_RATES}
        tuning = {
            f"{arm} {lr:g}": arms[arm_name(arm, 4, "adamw", lr, tuning=True)] for arm in ARMS for lr in RATES
        }
        figures = curves_of(main, ["heldout_accuracy", "degenerate_share", "reward", "entropy"])
        figures |= {f"{name} (sgd)": c for name, c in curves_of(sgd, ["heldout_accuracy"]).items()}
        figures |= {f"{name} (tuning)": c for name, c in curves_of(tuning, ["heldout_accuracy"]).items()}
        return Analysis(
            [excess, accuracy], secondary=secondary, curves=figures, notes=_choices(runs, common, own)
        )


def degenerate_if_alike(p: float, group: int) -> float:
    """Return the share of all-right and all-wrong groups if every problem had the success rate ``p``.

    Example:
        >>> degenerate_if_alike(0.5, 4)
        0.125
    """
    return p**group + (1.0 - p) ** group


def choose_rates(tuned: Sequence[Run]) -> tuple[float, dict[str, float]]:
    """Return the rate that is best for both arms on average, and each arm's own best, by accuracy at the end."""
    score: dict[str, list[float]] = defaultdict(list)
    for run in tuned:
        score[run.arm].append(run.last("heldout_accuracy"))

    def mean(arm: str, lr: float) -> float:
        return float(np.mean(score[arm_name(arm, 4, "adamw", lr, tuning=True)]))

    own = {arm: max(RATES, key=lambda lr: mean(arm, lr)) for arm in ARMS}
    return max(RATES, key=lambda lr: sum(mean(arm, lr) for arm in ARMS)), own


def _choices(runs: Sequence[Run], common: float, own: Mapping[str, float]) -> list[str]:
    return [
        f"Tuning on seeds {list(TUNING_SEEDS)} chose the common rate {common:g}; "
        + ", ".join(f"{arm} alone {lr:g}" for arm, lr in own.items())
        + ".",
        "The plain gradient descent arms ran on the first two seeds only, for as many steps as the tuning, and are in "
        "no test.",
    ]
