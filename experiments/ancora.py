"""ANCORA with and without what keeps it from collapsing, in a world where most of what the base writes is nonsense.

The world is `constraints`: a specification is one to four constraints on a number from 00 to 99, valid when it can be
read and met, by at most fifty numbers, and repeats no constraint. The base has imitated specifications with a part of
their characters drawn anew, so that a few in a hundred of what it writes are valid.

All arms propose, attempt and update alike, and start from one base. ``full`` imitates verified pairs until enough
proposals are valid, chooses parents by UCB in a graph that admits what was solved, and refuses near-duplicates;
``none`` does nothing of this and draws parents uniformly from all that was valid. The other arms lack one part each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from experiments.design import LIMITS, Base, Curves, Experiment, Job, Plan, Run, SizeName, decoder
from experiments.inference import Analysis, Test, both, by_seed, curves_of, not_above, paired, superiority
from rlvr_gym.store import RunStore
from rlvr_gym.verifiers.constraints import normal_form

WORLD = "constraints-v0"
ALPHABET = "0123456789%=<>d,ps"
FULL, NONE = "full", "none"
_ALONE: dict[str, dict[str, Any]] = {
    "Freeze-Q": {"freeze_proposer": True},
    "Freeze-S": {"freeze_solver": True},
    "no descent": {"curriculum": {"root_quota": 1.0}},
    "no admission": {"curriculum": {"solved_only": False}},
    "no projection": {"projection": {"rounds": 0}},
    "uniform": {"curriculum": {"choice": "uniform"}},
}
"""Arm -> what it changes in ``full``."""
ARMS = (FULL, NONE, *_ALONE)
_LAST = 20
"""Steps at the end that tell a collapse."""
_SETTINGS: dict[SizeName, dict[str, int]] = {
    "xs": {"steps": 2, "imitation": 4, "parents": 2, "siblings": 2, "roots": 4, "tasks": 6, "every": 1},
    "s": {
        "steps": 160,
        "imitation": 800,
        "parents": 8,
        "siblings": 6,
        "roots": 68,
        "tasks": 400,
        "every": 40,
    },
    "m": {
        "steps": 100,
        "imitation": 800,
        "parents": 8,
        "siblings": 6,
        "roots": 68,
        "tasks": 400,
        "every": 25,
    },
}
MARGIN = 0.03
"""Held-out accuracy that the full loop may lose against none and still be as good."""


class Ancora(Experiment):
    """The loop with all of its parts, with none, and without each."""

    arms: tuple[str, ...] = ARMS
    world = WORLD
    alphabet = ALPHABET
    context = 64
    answer_tokens = 3
    spec_tokens = 20
    sizes = _SETTINGS
    more: Mapping[str, Any] = {}
    """Further settings of the loop, the same in all arms."""
    form = staticmethod(normal_form)
    """Canonical form of a specification."""

    name = "ancora"
    title = "ANCORA with and without its stabilisers (constraints on a number)"
    expected = (
        "Without stabilisers nearly nothing that is proposed is valid, and the few useful specifications are too few "
        "to learn from. With them the graph of solved specifications grows, and the solver is no worse on held-out "
        "ones. Proposer learning, solver learning, admission and the projection matter; UCB and descent may not."
    )
    limits = (
        *LIMITS,
        "The steps of the projection are steps of the run like any other, so that all arms propose equally often; arms "
        "whose proposals are valid more often sample more attempts, and the table says how many.",
        "A frozen role's loss is left out. Both roles share one network, so that its behaviour still moves.",
    )

    def settings(self, size: SizeName) -> dict[str, Any]:
        """Return steps and counts of a size."""
        return {
            **self.sizes[size],
            "attempts": 4,
            "lr": 3e-4,
            "corrupted": {"proposer": 0.3, "solver": 0.1},
            "margin": MARGIN,
        }

    def base(self, size: SizeName) -> Base:
        """Return what all arms start from."""
        s = self.settings(size)
        return Base(
            environment=self.world,
            policy=decoder(size, self.alphabet, context=self.context),
            steps=s["imitation"],
            examples=64 * s["imitation"],
            mistakes=s["corrupted"],
        )

    def plan(self, size: SizeName, seeds: Sequence[int]) -> Plan:
        """Run all arms on every seed."""
        yield [self._job(size, arm, seed) for seed in seeds for arm in self.arms]

    def _job(self, size: SizeName, arm: str, seed: int) -> Job:
        s = self.settings(size)
        return Job(
            experiment=self.name,
            arm=arm,
            seed=seed,
            base=self.base(size),
            recipe={
                "loop": {
                    "name": "ancora",
                    "parents": s["parents"],
                    "siblings": s["siblings"],
                    "attempts": s["attempts"],
                    **self.more,
                    **_loop(arm, s["roots"]),
                },
                "environment": self.world,
                "seed": seed,
                "steps": s["steps"],
                "sampling": {"max_new_tokens": self.answer_tokens},
                "sampling_of": {"proposer": {"max_new_tokens": self.spec_tokens}},
                "learner": {"algorithm": "grpo", "optimizer": {"name": "adamw", "lr": s["lr"]}},
                "evaluation": {"every": s["every"], "tasks": s["tasks"], "n": 4, "proposals": 0},
            },
        )

    def curves(self, store: RunStore) -> Curves:
        """Return held-out accuracy, useful specifications so far, shares and the size of the graph, by step."""
        found: Curves = {"heldout_accuracy": {}, "useful": {}, "useful_share": {}, "distinct_share": {}}
        found |= {"rollouts": {}, **{curve: {} for curve in _METRICS}}
        for event in store.events("evaluated"):
            found["heldout_accuracy"][event.step] = event.payload["heldout"]["mean"]
        useful: set[str] = set()
        for event in store.events("proposed"):
            rows = event.payload
            valid = Counter(self.form(row["problem"]) for row in rows if row["valid"])
            fresh = {
                self.form(row["problem"]) for row in rows if row["valid"] and 0 < row["solved"] < row["tried"]
            } - useful
            useful |= fresh
            found["useful"][event.step] = float(len(useful))
            found["useful_share"][event.step] = len(fresh) / len(rows)
            found["rollouts"][event.step] = float(len(rows) + sum(row["tried"] for row in rows))
            if valid:
                found["distinct_share"][event.step] = len(valid) / valid.total()
        for event in store.events("metrics"):
            for curve, metric in _METRICS.items():
                if metric in event.payload:
                    found[curve][event.step] = event.payload[metric]
        return found

    def analyse(self, runs: Sequence[Run]) -> Analysis:
        """Return the primaries, what each part adds, and levels."""
        arms = {arm: [run for run in runs if run.arm == arm] for arm in self.arms}

        def end(arm: str, curve: str) -> dict[int, float]:
            return by_seed(arms[arm], lambda run: run.last(curve))

        useful = superiority(
            "useful",
            "the full loop finds more different useful specifications than the one without stabilisers",
            paired(end(FULL, "useful"), end(NONE, "useful")),
            side="greater",
        )
        solver = not_above(
            "solver_not_worse",
            f"without stabilisers the solver's held-out accuracy ends less than {100 * MARGIN:.0f} points above the full loop's",
            paired(end(NONE, "heldout_accuracy"), end(FULL, "heldout_accuracy")),
            margin=MARGIN,
        )
        start = by_seed(arms[FULL], lambda run: run.first("heldout_accuracy"))
        gain = superiority(
            "gain_over_base",
            "the full loop's solver improves on the base, held-out accuracy",
            paired(end(FULL, "heldout_accuracy"), start),
            side="greater",
        )
        primary = both(
            "stabilised", "Both: more useful specifications, and a solver that is no worse", [useful, solver]
        )
        return Analysis(
            primaries=[primary, gain],
            parts=[useful, solver],
            secondary=[*_parts(arms), *_levels(arms)],
            curves=curves_of(arms, ["heldout_accuracy", "useful", "valid_share", "nodes"]),
            notes=_collapses(arms),
        )


_METRICS = {
    "valid_share": "proposer/valid_share",
    "near_duplicate_share": "proposer/near_duplicate_share",
    "solve_rate": "solver/solve_rate",
    "nodes": "dag/nodes",
    "depth": "dag/solved_depth",
    "root_share": "dag/root_share",
}


def _loop(arm: str, roots: int) -> dict[str, Any]:
    graph: dict[str, Any] = {"name": "ucb_dag", "roots": roots}
    if arm == NONE:
        # Above 1 nothing is a near-duplicate.
        return {
            "similarity": 2.0,
            "projection": {"rounds": 0},
            "curriculum": {**graph, "choice": "uniform", "solved_only": False},
        }
    changes = dict(_ALONE.get(arm, {}))
    return {**changes, "curriculum": {**graph, **changes.get("curriculum", {})}}


def _parts(arms: Mapping[str, Sequence[Run]]) -> Iterator[Test]:
    """Yield what the full loop has over the loop without one part: useful specifications, and held-out accuracy."""
    for arm in arms:
        if arm == FULL:
            continue
        without = "the loop without stabilisers" if arm == NONE else f"'{arm}'"
        for curve, what in {
            "useful": "useful specifications",
            "heldout_accuracy": "held-out accuracy at the end",
        }.items():
            if arm == NONE and curve == "useful":
                continue
            differences = paired(
                by_seed(arms[FULL], lambda run, c=curve: run.last(c)),  # type: ignore[misc]
                by_seed(arms[arm], lambda run, c=curve: run.last(c)),  # type: ignore[misc]
            )
            yield superiority(
                f"full_over/{arm}/{curve}",
                f"{what}: the full loop has more than {without}",
                differences,
                side="greater",
            )


def _levels(arms: Mapping[str, Sequence[Run]]) -> Iterator[Test]:
    """Yield the arms' own levels, which no test compares."""
    for arm, runs in arms.items():
        for curve, what in {
            "useful": "different useful specifications",
            "heldout_accuracy": "held-out accuracy at the end",
            "nodes": "size of the graph at the end",
            "depth": "depth of the deepest solved specification",
        }.items():
            values = by_seed(runs, lambda run, c=curve: run.last(c))  # type: ignore[misc]
            yield Test.level(f"{arm}/{curve}", f"{arm}: {what}", values)
        for curve, what in {"valid_share": "valid share", "solve_rate": "solve rate of proposals"}.items():
            known = [run for run in runs if run.curves[curve]]
            if known:
                values = by_seed(known, lambda run, c=curve: run.tail(c, _LAST))  # type: ignore[misc]
                yield Test.level(f"{arm}/{curve}", f"{arm}: {what}, last {_LAST} steps", values)
        rollouts = by_seed(runs, lambda run: float(sum(run.curves["rollouts"].values())))
        yield Test.level(f"{arm}/rollouts", f"{arm}: trajectories sampled", rollouts)


def _collapses(arms: Mapping[str, Sequence[Run]]) -> list[str]:
    """Return how many runs of each arm ended collapsed: nearly nothing useful, or one specification repeated."""

    def collapsed(run: Run) -> bool:
        distinct = run.curves["distinct_share"]
        return run.tail("useful_share", _LAST) < 0.01 or (
            bool(distinct) and run.tail("distinct_share", _LAST) < 0.3
        )

    counts = ", ".join(f"{arm} {sum(map(collapsed, runs))} of {len(runs)}" for arm, runs in arms.items())
    return [
        f"Collapsed at the end (useful share of the last {_LAST} steps below 1 %, or fewer than 30 % of the valid "
        f"proposals of a step different): {counts}."
    ]
