"""Prefix Sampling against plain sampling on a long chain of steps, of which every one must be right.

A task is a digit, behind two digits that only name it. In each of its turns the policy writes 3y + c mod 10, where y is
the digit it wrote last, or was given; c is shown each time and always the same. Only a chain without a mistake is
rewarded. The base has seen steps that are right four times in five, so that it solves at most .8^16, one in forty.

Both arms visit the same tasks in the same order and differ in the controller's gain only, which is 0 for the plain one.
What counts is sampled tokens: replayed ones cost steps of an environment, not turns of sampling.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from pydantic import PositiveInt

from experiments.design import LIMITS, Base, Curves, Experiment, Job, Plan, Run, SizeName, decoder
from experiments.inference import (
    Analysis,
    BySeed,
    Curve,
    Test,
    by_seed,
    curves_of,
    equality,
    paired,
    superiority,
)
from rlvr_gym.agents import Demonstration, Domain
from rlvr_gym.agents.base import DOMAINS
from rlvr_gym.agents.environment import EnvironmentDomain
from rlvr_gym.config import Config, NoConfig
from rlvr_gym.envs import MultiTurnEnv, Reply, TaskEnv, register
from rlvr_gym.envs.splits import Split, in_split
from rlvr_gym.errors import TaskError
from rlvr_gym.store import RunStore
from rlvr_gym.types import Conversation, Message, Status, Task, Verdict
from rlvr_gym.verifiers import verifier

WORLD = "digit_chain"
ALPHABET = "0123456789"
_C = "7"
_DIGITS = re.compile("[0-9]+")


def right_answers(start: str, turns: int) -> str:
    """Return the digits that solve a chain.

    Example:
        >>> right_answers("4", 3)
        '949'
    """
    digits = start
    for _ in range(turns):
        digits += _following(digits[-1])
    return digits[1:]


def _following(digit: str) -> str:
    return str((3 * int(digit) + int(_C)) % 10)


@verifier(WORLD, bounded=True)
def judge(task: Task, response: str, config: NoConfig) -> Verdict:
    """Pass when the response is the digits of all steps, each right; the reference is the right ones."""
    if not isinstance(task.reference, str) or not _DIGITS.fullmatch(task.reference):
        raise TaskError(f"task '{task.id}': the reference must be the digits of all steps.")
    if not _DIGITS.fullmatch(response):
        return Verdict.of(Status.MALFORMED, "a step is not one digit")
    right = response == task.reference
    return Verdict.of(Status.PASSED if right else Status.FAILED, "no mistake" if right else "a mistake")


class Chain(Config):
    """Settings of the world."""

    turns: PositiveInt = 16
    """Steps, a turn each."""
    split: Split = "train"
    """Which chains."""


class ChainEnv(MultiTurnEnv):
    """Write one digit per turn, each from the one before it."""

    def __init__(self, config: Chain) -> None:
        super().__init__(WORLD, max_turns=config.turns)
        self.config = config

    def draw(self, rng: np.random.Generator) -> Task:
        """Return a random name and digit."""
        while True:
            name = f"{rng.integers(1000):03}"
            if in_split(name, self.config.split):
                return Task(f"{WORLD}:{name}", prompt=name, reference=right_answers(name[-1], self.max_turns))

    def reply(self, task: Task, conversation: Conversation) -> Reply:
        """Return c, or the verdict on all steps after the last."""
        written = [message.content for message in conversation if message.role == "assistant"]
        if len(written[-1]) != 1 or len(written) == self.max_turns:
            return Reply("", self.verifier.check(task, "".join(written)))
        return Reply(_C)


class ChainDomain(EnvironmentDomain):
    """A solver of chains, with a teacher that makes mistakes."""

    def __init__(self, env: ChainEnv) -> None:
        super().__init__(env)
        self._env = env

    def warm_start(self, mistakes: Mapping[str, float]) -> str:
        """What imitation teaches."""
        return f"steps of chains, each wrong with probability {mistakes.get('solver', 0.0):g}"

    def demonstrations(
        self, rng: np.random.Generator, number: int, mistakes: Mapping[str, float]
    ) -> Sequence[Demonstration]:
        """Return whole chains as a teacher with mistakes writes them."""
        wrong = mistakes.get("solver", 0.0)
        found = []
        for _ in range(number):
            task = self._env.draw(rng)
            digits = task.prompt
            for _ in range(self._env.max_turns):
                digit = _following(digits[-1])
                if rng.random() < wrong:
                    digit = str((int(digit) + int(rng.integers(1, 10))) % 10)
                digits += digit
            steps = digits[len(task.prompt) :]
            more = tuple(((Message("user", _C),), digit) for digit in steps[1:])
            found.append(Demonstration("solver", task.conversation(), steps[0], more=more))
        return found


def _domain(env: TaskEnv) -> Domain:
    return cast(Domain, ChainDomain(cast(ChainEnv, env)))


register(WORLD, ChainEnv, Chain)
DOMAINS.add(WORLD, _domain, summary="Chains of digits, a step per turn.")

PLAIN, PREFIX = "plain", "prefix"
_GAINS = {PLAIN: 0.0, PREFIX: 0.25}
_GOAL = 0.5
_SETTINGS: dict[SizeName, dict[str, int]] = {
    "xs": {"steps": 4, "imitation": 20, "held_out": 8, "every": 2, "turns": 4, "prompts": 4, "tasks": 4},
    "s": {
        "steps": 100,
        "imitation": 1000,
        "held_out": 100,
        "every": 5,
        "turns": 16,
        "prompts": 16,
        "tasks": 16,
    },
    "m": {
        "steps": 100,
        "imitation": 1000,
        "held_out": 100,
        "every": 5,
        "turns": 16,
        "prompts": 16,
        "tasks": 16,
    },
}
_ATTEMPTS = 8
_BATCH = 8
"""Chains per step of imitation."""
_LR = 3e-4


class PrefixSamplingAgainstPlain(Experiment):
    """The loop with its controller, and with a gain of 0."""

    name = "prefix_sampling"
    title = "Prefix Sampling against plain sampling (chains of sixteen steps)"
    expected = (
        "With prefixes the solver needs fewer sampled tokens to solve half of the held-out chains, about 1.4 times "
        "fewer in a pilot of another program, in about as many steps: most of the saving is tokens that are replayed."
    )
    limits = (
        *LIMITS,
        "In a chain a mistake cannot be made good, so that a handicap is either a harmless prefix or a lost chain: the "
        "downward half of the controller is not tested fairly here.",
        "Replayed tokens are counted as free. In this world they are; where an environment's steps are dear, "
        "playing them again is not.",
        "Tokens are read off between two evaluations by a straight line.",
    )

    def settings(self, size: SizeName) -> dict[str, Any]:
        """Return steps and counts of a size."""
        return {**_SETTINGS[size], "attempts": _ATTEMPTS, "lr": _LR, "gains": _GAINS, "goal": _GOAL}

    def base(self, size: SizeName) -> Base:
        """Return what both arms start from."""
        s = _SETTINGS[size]
        return Base(
            environment=WORLD,
            policy=decoder(size, ALPHABET, context=96),
            steps=s["imitation"],
            examples=_BATCH * s["imitation"],
            mistakes={"solver": 0.2},
            batch_size=_BATCH,
            lr=1e-3,
        )

    def plan(self, size: SizeName, seeds: Sequence[int]) -> Plan:
        """Run both arms on every seed."""
        yield [self._job(size, arm, seed) for seed in seeds for arm in _GAINS]

    def _job(self, size: SizeName, arm: str, seed: int) -> Job:
        s = _SETTINGS[size]
        return Job(
            experiment=self.name,
            arm=arm,
            seed=seed,
            base=self.base(size),
            recipe={
                "loop": {
                    "name": "prefix_sampling",
                    "prompts": s["prompts"],
                    "attempts": _ATTEMPTS,
                    "tasks": s["tasks"],
                    "gain": _GAINS[arm],
                },
                "environment": {"name": WORLD, "turns": s["turns"]},
                "seed": seed,
                "steps": s["steps"],
                "sampling": {"max_new_tokens": 2},
                "learner": {
                    "algorithm": {"name": "dr_grpo", "max_tokens": 2 * s["turns"]},
                    "optimizer": {"name": "adamw", "lr": _LR},
                },
                "evaluation": {"every": s["every"], "tasks": s["held_out"]},
            },
        )

    def curves(self, store: RunStore) -> Curves:
        """Return held-out accuracy and the figures of the prefixes."""
        found: Curves = defaultdict(dict)
        for event in store.events("evaluated"):
            found["heldout_accuracy"][event.step] = event.payload["heldout"]["mean"]
        names = {
            "solver/informative_share": "informative_share",
            "prefix/share": "prefix_share",
            "prefix/depth": "depth",
            "prefix/head_starts": "head_starts",
            "prefix/handicaps": "handicaps",
            "prefix/discarded": "discarded",
            "prefix/tokens_sampled": "tokens_sampled",
            "prefix/tokens_replayed": "tokens_replayed",
        }
        for event in store.events("metrics"):
            for name, short in names.items():
                if name in event.payload:
                    found[short][event.step] = event.payload[name]
        return dict(found)

    def analyse(self, runs: Sequence[Run]) -> Analysis:
        """Return the primary, the log ratio of tokens, and the figures beside it."""
        arms = {arm: [run for run in runs if run.arm == arm] for arm in _GAINS}
        # A run that never gets there has used what the dearest run of the experiment used.
        budget = max(sum(run.curves["tokens_sampled"].values()) for run in runs)
        last = max(max(run.curves["heldout_accuracy"]) for run in runs)

        def log_ratio(tokens: Mapping[str, BySeed]) -> BySeed:
            # A base that is there already has used nothing.
            logs = {
                arm: {seed: math.log(max(n, 1.0)) for seed, n in found.items()}
                for arm, found in tokens.items()
            }
            return paired(logs[PREFIX], logs[PLAIN])

        tokens = {
            arm: by_seed(found, lambda run: tokens_to(run, _GOAL, budget)) for arm, found in arms.items()
        }
        steps = {
            arm: by_seed(found, lambda run: steps_to(run, _GOAL, float(last))) for arm, found in arms.items()
        }
        ends = {arm: by_seed(found, lambda run: run.last("heldout_accuracy")) for arm, found in arms.items()}
        primary = superiority(
            "tokens_to_half",
            f"Prefix Sampling needs fewer sampled tokens to reach {_GOAL:g} (log ratio; unreached counts as the budget)",
            log_ratio(tokens),
            side="less",
        )
        informative = paired(
            by_seed(arms[PREFIX], lambda run: run.mean("informative_share")),
            by_seed(arms[PLAIN], lambda run: run.mean("informative_share")),
        )
        secondary = [
            superiority(
                "steps_to_half", "fewer steps to get there (log ratio)", log_ratio(steps), side="less"
            ),
            superiority(
                "informative", "more groups are informative, over the whole run", informative, side="greater"
            ),
            equality(
                "equal_ends",
                "both arms end within 5 points of each other",
                paired(ends[PREFIX], ends[PLAIN]),
                margin=0.05,
            ),
        ]
        for arm in _GAINS:
            secondary += [
                Test.level(f"{arm}_tokens", f"{arm}: thousand tokens to {_GOAL:g}", _thousands(tokens[arm])),
                Test.level(f"{arm}_steps", f"{arm}: steps to {_GOAL:g}", steps[arm]),
                Test.level(
                    f"{arm}_start",
                    f"{arm}: held-out accuracy of the base",
                    by_seed(arms[arm], lambda run: run.first("heldout_accuracy")),
                ),
                Test.level(f"{arm}_end", f"{arm}: held-out accuracy at the end", ends[arm]),
                Test.level(
                    f"{arm}_informative",
                    f"{arm}: share of informative groups",
                    by_seed(arms[arm], lambda run: run.mean("informative_share")),
                ),
            ]
        for name, claim in {
            "prefix_share": "share of groups with a prefix",
            "head_starts": "groups with a head start, a step",
            "handicaps": "groups with a handicap, a step",
            "discarded": "prefixes that could not be replayed, a step",
        }.items():
            values = {run.seed: run.mean(name) for run in arms[PREFIX]}
            secondary.append(Test.level(name, f"prefix: {claim}", values))
        figures = {"heldout_accuracy by sampled tokens": _by_tokens(arms)}
        figures |= curves_of(
            arms, ["heldout_accuracy", "informative_share", "tokens_sampled", "prefix_share", "depth"]
        )
        reached = {arm: sum(n < budget for n in found.values()) for arm, found in tokens.items()}
        notes = [
            f"Of {len(arms[arm])} runs of arm '{arm}', {reached[arm]} reached {_GOAL:g}." for arm in _GAINS
        ]
        notes.append(f"The budget is {budget / 1000:.0f} thousand tokens, those of the dearest run.")
        return Analysis([primary], secondary=secondary, curves=figures, notes=notes)


def steps_to(run: Run, goal: float, otherwise: float) -> float:
    """Return the step at which held-out accuracy first reaches ``goal``, between evaluations on a straight line."""
    curve = run.curves["heldout_accuracy"]
    before: int | None = None
    for step_ in sorted(curve):
        if curve[step_] >= goal:
            if before is None:
                return float(step_)
            return before + (step_ - before) * (goal - curve[before]) / (curve[step_] - curve[before])
        before = step_
    return otherwise


def tokens_to(run: Run, goal: float, otherwise: float) -> float:
    """Return the tokens that were sampled up to the step at which ``goal`` is reached."""
    at = steps_to(run, goal, math.inf)
    if math.isinf(at):
        return otherwise
    spent = _spent(run)
    low = math.floor(at)
    return spent[low] + (at - low) * (spent.get(low + 1, spent[low]) - spent[low])


def _spent(run: Run) -> dict[int, float]:
    """Return step -> tokens sampled until its end."""
    total, spent = 0.0, {0: 0.0}
    for step_, tokens in sorted(run.curves["tokens_sampled"].items()):
        total += tokens
        spent[step_] = total
    return spent


def _thousands(values: BySeed) -> BySeed:
    return {seed: value / 1000 for seed, value in values.items()}


def _by_tokens(arms: Mapping[str, Sequence[Run]]) -> dict[str, Curve]:
    """Return accuracy against thousands of sampled tokens, up to the least that a run of the arm sampled."""
    found = {}
    for arm, runs in arms.items():
        most = min(sum(run.curves["tokens_sampled"].values()) for run in runs) / 1000
        grid = np.unique(np.linspace(0, most, 40).round().astype(int)).tolist()
        rows = {}
        for run in runs:
            spent, curve = _spent(run), run.curves["heldout_accuracy"]
            steps = sorted(curve)
            rows[run.seed] = np.interp(
                grid, [spent[s] / 1000 for s in steps], [curve[s] for s in steps]
            ).tolist()
        found[arm] = Curve(grid, rows, axis="thousand sampled tokens")
    return found
