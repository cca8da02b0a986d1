"""VHG against naive two-party self-play, in a world where a wrong reference answer is easy to write.

The world is antiderivatives mod 7: a problem is the digits f_0 ... f_{n-1} of a polynomial over the field of seven
elements, its answer the digits F_k = f_{k-1} / k of an antiderivative, k = 1 ... n with n at most 5, so that every
k has an inverse. A setter writes ``f=F``; 30 % of what it first imitates has one wrong digit in F.

Both arms start from one base, pay a setter for difficulty and train the same network on the same number of
proposals. The naive arm judges attempts by the setter's own F and pays 1 - p. The VHG arm asks the gate first and
pays (1 - p) for p > 0, divided by the number of copies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
from pydantic import Field

from experiments.design import LIMITS, Base, Curves, Experiment, Job, Plan, Run, SizeName, decoder
from experiments.inference import Analysis, Test, both, by_seed, curves_of, paired, superiority
from rlvr_gym.agents import Demonstration, Domain
from rlvr_gym.agents.base import DOMAINS
from rlvr_gym.agents.environment import EnvironmentDomain
from rlvr_gym.config import Config, NoConfig
from rlvr_gym.envs import SingleTurnEnv, register
from rlvr_gym.envs.base import draw_until
from rlvr_gym.envs.splits import Split, in_split, is_heldout
from rlvr_gym.errors import TaskError
from rlvr_gym.selfplay import CURRICULA
from rlvr_gym.selfplay.curricula.uniform import Uniform
from rlvr_gym.store import RunStore
from rlvr_gym.types import Conversation, Message, Provenance, Status, Task, Verdict
from rlvr_gym.verifiers import Verifier, verifier

WORLD = "antiderivative_mod7"
INVERSES = {1: 1, 2: 4, 3: 5, 4: 2, 5: 3}
"""k -> 1/k mod 7."""
MAX_LENGTH = 5
IMITATED_LENGTHS = (4.0, 4.0, 1.5, 0.5, 0.25)
"""Weights of the lengths 1 ... 5 in what the base imitates: long problems are nearly new to it."""
WRONG_REFERENCES = 0.3
ALPHABET = "0123456=s"
_PAIR = re.compile(r"([0-6]{1,5})=([0-6]{1,5})")
_DIGITS = re.compile(r"[0-6]{1,5}")


def antiderivative(problem: str) -> str:
    """Return the digits F_1 ... F_n of the antiderivative without constant term.

    Example:
        >>> antiderivative("123")
        '111'
    """
    return "".join(str(int(digit) * INVERSES[k] % 7) for k, digit in enumerate(problem, start=1))


@verifier(WORLD, bounded=True)
def judge(task: Task, response: str, config: NoConfig) -> Verdict:
    """Pass when the response is the reference, digit by digit."""
    if not isinstance(task.reference, str) or not _DIGITS.fullmatch(task.reference):
        raise TaskError(f"task '{task.id}': the reference must be 1 to 5 digits 0 to 6.")
    if not _DIGITS.fullmatch(response):
        return Verdict.of(Status.MALFORMED, "not 1 to 5 digits 0 to 6")
    right = response == task.reference
    return Verdict.of(Status.PASSED if right else Status.FAILED, "equal" if right else "another polynomial")


@verifier(f"{WORLD}_setter", bounded=True)
def gate(task: Task, response: str, config: NoConfig) -> Verdict:
    """Pass when the response is ``f=F`` and F is the antiderivative of f."""
    pair = _PAIR.fullmatch(response)
    if pair is None:
        return Verdict.of(Status.MALFORMED, "unreadable: not f=F in digits 0 to 6")
    if pair[2] != antiderivative(pair[1]):
        return Verdict.of(Status.FAILED, "wrong_reference: F is not an antiderivative of f")
    return Verdict.of(Status.PASSED, "right pair")


class Antiderivative(Config):
    """Settings of the world."""

    max_length: int = Field(default=MAX_LENGTH, ge=1, le=MAX_LENGTH)
    """Most digits of a problem; every length is as likely."""
    split: Split = "train"
    """Which problems."""


class AntiderivativeEnv(SingleTurnEnv):
    """Find the antiderivative mod 7 of a polynomial given by its digits."""

    def __init__(self, config: Antiderivative) -> None:
        super().__init__(WORLD)
        self.config = config

    def draw(self, rng: np.random.Generator) -> Task:
        """Return a problem of the split: a length, then digits, both uniform."""

        def digits() -> str:
            length = int(rng.integers(1, self.config.max_length + 1))
            return "".join(map(str, rng.integers(0, 7, size=length).tolist()))

        split = self.config.split
        problem = draw_until(digits, lambda f: in_split(f, split), what=f"env '{WORLD}' with split '{split}'")
        return pose(problem)

    def oracle(self, task: Task) -> str:
        """Return the right digits."""
        return str(task.reference)


def pose(problem: str) -> Task:
    """Return the task of a problem."""
    return Task(
        f"{WORLD}:{problem}",
        prompt=problem,
        reference=antiderivative(problem),
        verifier=WORLD,
        env=f"{WORLD}-v0",
        strata={"length": len(problem)},
    )


class AntiderivativeDomain(EnvironmentDomain):
    """Setter and solver of antiderivatives mod 7. The setter sees no seed: it writes what it likes."""

    def __init__(self, env: SingleTurnEnv) -> None:
        super().__init__(env)
        self._gate = Verifier(f"{WORLD}_setter")

    @property
    def gate(self) -> Verifier:
        """Passes right pairs."""
        return self._gate

    def warm_start(self, mistakes: Mapping[str, float]) -> str:
        """What imitation teaches."""
        return "mostly short problems; a share of the setter's references has one wrong digit"

    def proposer_view(self, parent: Task) -> Conversation:
        """Return one fixed sign; nothing of the seed is shown."""
        return (Message("user", "s"),)

    def gate_task(self, text: str, parent: Task) -> Task:
        """Return the gate's task, which needs no reference."""
        return Task("gate", prompt="", verifier=self._gate.name)

    def read(self, text: str, parent: Task, *, trajectory: str, step: int) -> Task | None:
        """Return the task that ``f=F`` states, with F as the claim."""
        pair = _PAIR.fullmatch(text)
        if pair is None:
            return None
        provenance = Provenance("proposed", (parent.id,), trajectory, step)
        return replace(pose(pair[1]), hidden={"claim": pair[2]}, provenance=provenance)

    def form(self, task: Task) -> str:
        """Return the problem: no two texts ask the same."""
        return task.prompt

    def held_out(self, task: Task) -> bool:
        """Return whether the problem is held out."""
        return is_heldout(task.prompt)

    def demonstrations(
        self, rng: np.random.Generator, number: int, mistakes: Mapping[str, float]
    ) -> Sequence[Demonstration]:
        """Return a solver's and a setter's text in turn, on train problems of mostly short lengths."""
        weights = np.array(IMITATED_LENGTHS) / sum(IMITATED_LENGTHS)

        def digits() -> str:
            length = 1 + int(rng.choice(MAX_LENGTH, p=weights))
            return "".join(map(str, rng.integers(0, 7, size=length).tolist()))

        found: list[Demonstration] = []
        for index in range(number):
            problem = draw_until(digits, lambda f: not is_heldout(f), what="demonstrations")
            answer = antiderivative(problem)
            role = "proposer" if index % 2 else "solver"
            if rng.random() < mistakes.get(role, 0.0):
                answer = _misread(answer, rng)
            if role == "solver":
                found.append(Demonstration(role, self.solver_view(pose(problem)), answer))
            else:
                found.append(Demonstration(role, self.proposer_view(pose(problem)), f"{problem}={answer}"))
        return found


def _misread(answer: str, rng: np.random.Generator) -> str:
    """Return ``answer`` with one digit changed to another."""
    place = int(rng.integers(len(answer)))
    digit = (int(answer[place]) + int(rng.integers(1, 7))) % 7
    return f"{answer[:place]}{digit}{answer[place + 1 :]}"


def _domain(env: SingleTurnEnv) -> Domain:
    return cast(Domain, AntiderivativeDomain(env))


register(WORLD, AntiderivativeEnv, Antiderivative)
DOMAINS.add(WORLD, _domain, summary="Antiderivatives mod 7: the setter writes f=F, a solver sees f.")


class StepCopies(Uniform):
    """Fresh seeds; a proposal's copies are those of its own step.

    The library's curricula count copies since the first step. Here that would empty the short lengths, of which
    there are few, within some steps, and the setter would be paid for lengths that it cannot write yet.
    """

    def copies(self, form: str) -> int:
        """Return 0: earlier steps do not count."""
        return 0


CURRICULA.add("step_copies", StepCopies)

NAIVE, VHG = "naive", "vhg"
_LAST = 25
"""Steps at the end over which the invalid share is averaged."""
_SETTINGS: dict[SizeName, dict[str, int]] = {
    "xs": {"steps": 2, "imitation": 4, "proposals": 6, "tasks": 12, "every": 1},
    "s": {"steps": 200, "imitation": 250, "proposals": 48, "tasks": 200, "every": 25},
    "m": {"steps": 150, "imitation": 400, "proposals": 48, "tasks": 200, "every": 25},
}
_LOOPS: dict[str, dict[str, Any]] = {
    NAIVE: {"name": "naive", "unsafe_ungated": True},
    VHG: {"name": "vhg", "difficulty": "solvable_hard", "novelty": True, "curriculum": "step_copies"},
}


class VHGAgainstNaive(Experiment):
    """The two loops on one base."""

    name = "vhg_against_naive"
    title = "VHG against naive two-party self-play (antiderivatives mod 7)"
    expected = (
        "Without a verifier the setter learns to write references that are wrong, since nobody solves those; the "
        "solver then learns wrong answers. With the gate the setter stays valid and the solver improves."
    )
    limits = (
        *LIMITS,
        "Both arms write the same number of problems, but the gate leaves some unattempted: VHG samples fewer "
        "trajectories, and the table says how many.",
        "Copies are counted within a step, not since the first step as the library's own curricula do.",
    )

    def settings(self, size: SizeName) -> dict[str, Any]:
        """Return steps and counts of a size."""
        return {**_SETTINGS[size], "attempts": 4, "lr": 3e-4}

    def base(self, size: SizeName) -> Base:
        """Return what both arms start from."""
        return Base(
            environment=WORLD,
            policy=decoder(size, ALPHABET, context=32),
            steps=_SETTINGS[size]["imitation"],
            examples=64 * _SETTINGS[size]["imitation"],
            mistakes={"proposer": WRONG_REFERENCES},
        )

    def plan(self, size: SizeName, seeds: Sequence[int]) -> Plan:
        """Run both arms on every seed."""
        yield [self._job(size, arm, seed) for seed in seeds for arm in (NAIVE, VHG)]

    def _job(self, size: SizeName, arm: str, seed: int) -> Job:
        s = self.settings(size)
        loop = {
            **_LOOPS[arm],
            "parents": 1,
            "siblings": s["proposals"],
            "attempts": s["attempts"],
            "practice": 0,
        }
        return Job(
            experiment=self.name,
            arm=arm,
            seed=seed,
            base=self.base(size),
            recipe={
                "loop": loop,
                "environment": WORLD,
                "seed": seed,
                "steps": s["steps"],
                "sampling": {"max_new_tokens": 8},
                "sampling_of": {"proposer": {"max_new_tokens": 14}},
                "learner": {
                    "algorithm": {"name": "dr_grpo", "max_tokens": 8},
                    "optimizer": {"name": "adamw", "lr": s["lr"]},
                },
                "evaluation": {"every": s["every"], "tasks": s["tasks"], "n": 4, "proposals": 0},
            },
        )

    def curves(self, store: RunStore) -> Curves:
        """Return what is compared: shares by step and held-out accuracy, the mean over lengths."""
        found = metric_curves(store)
        for event in store.events("evaluated"):
            lengths = [row["accuracy"]["mean"] for row in event.payload["heldout"]["strata"]]
            found["heldout_accuracy"][event.step] = sum(lengths) / len(lengths)
        return found

    def analyse(self, runs: Sequence[Run]) -> Analysis:
        """Return both primaries, which must hold together, and what goes with them."""
        arms = {arm: [run for run in runs if run.arm == arm] for arm in (NAIVE, VHG)}

        def last(arm: str, curve: str) -> dict[int, float]:
            return by_seed(arms[arm], lambda run: run.tail(curve, _LAST))

        def end(arm: str) -> dict[int, float]:
            return by_seed(arms[arm], lambda run: run.last("heldout_accuracy"))

        invalid = superiority(
            "invalid_share",
            f"VHG writes fewer invalid problems than naive play (last {_LAST} steps)",
            paired(last(VHG, "invalid_share"), last(NAIVE, "invalid_share")),
            side="less",
        )
        accuracy = superiority(
            "heldout_accuracy",
            "VHG's solver ends with a higher held-out accuracy, mean over lengths",
            paired(end(VHG), end(NAIVE)),
            side="greater",
        )
        start = by_seed(arms[VHG], lambda run: run.first("heldout_accuracy"))
        gain = superiority(
            "gain_over_base", "VHG's solver improves on the base", paired(end(VHG), start), side="greater"
        )
        primary = both(
            "vhg_beats_naive", "Both: fewer invalid problems and a better solver", [invalid, accuracy]
        )
        return Analysis(
            primaries=[primary],
            parts=[invalid, accuracy],
            secondary=[gain, *_levels(arms)],
            curves=curves_of(arms, ["heldout_accuracy", "invalid_share", "distinct_share", "solve_rate"]),
        )


def _levels(arms: Mapping[str, Sequence[Run]]) -> Iterator[Test]:
    """Yield the arms' own levels, which no test compares."""
    for arm, runs in arms.items():
        for curve in ("invalid_share", "distinct_share"):
            values = by_seed(runs, lambda run, curve=curve: run.tail(curve, _LAST))  # type: ignore[misc]
            yield Test.level(
                f"{arm}/{curve}", f"{arm}: {curve.replace('_', ' ')}, last {_LAST} steps", values
            )
        ends = by_seed(runs, lambda run: run.last("heldout_accuracy"))
        yield Test.level(f"{arm}/heldout_accuracy", f"{arm}: held-out accuracy at the end", ends)
        rollouts = by_seed(runs, lambda run: float(sum(run.curves["rollouts"].values())))
        yield Test.level(f"{arm}/rollouts", f"{arm}: trajectories sampled", rollouts)


def metric_curves(store: RunStore) -> dict[str, dict[int, float]]:
    """Return the curves that the ledger's proposals and metrics hold, by step."""
    found: dict[str, dict[int, float]] = {
        name: {}
        for name in (
            "heldout_accuracy",
            "invalid_share",
            "distinct_share",
            "solve_rate",
            "entropy",
            "rollouts",
        )
    }
    for event in store.events("proposed"):
        # A problem of the held-out split is refused whatever its reference is, in both arms: it is no evidence.
        rows = [row for row in event.payload if not row["reason"].startswith("held_out")]
        if rows:
            found["invalid_share"][event.step] = sum(not row["valid"] for row in rows) / len(rows)
        read = {row["problem"] for row in event.payload if row["parsed"]}
        found["distinct_share"][event.step] = len(read) / len(event.payload)
        found["rollouts"][event.step] = float(len(event.payload) + sum(row["tried"] for row in event.payload))
    for event in store.events("metrics"):
        for curve, metric in {"solve_rate": "solver/solve_rate", "entropy": "proposer/entropy"}.items():
            if metric in event.payload:
                found[curve][event.step] = event.payload[metric]
    return found
