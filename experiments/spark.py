"""SPARK's claim: questions from paths of a knowledge graph teach more than questions from flat text, and more so with each hop.

The world has 24 entities and 4 relations, each a permutation of all entities, so that every walk leads to exactly one
place; a question is a start and one to four steps, an answer the chain of entities that they lead through. The base
has imitated such chains with each hop right with probability .65. Only the last entity is rewarded.

Two pairs of arms ask from templates, equally often and of equally many hops; nobody learns to ask. ``kg`` walks the
graph and labels with what the graph says. ``flat`` sees a passage of twelve facts and reads the label off the passage
by matching relations, so that it is right for one hop and ever less for more. In the pair of ``gated`` arms both ask only
what passes the whole gate: no entity twice, every hop needed, no shortcut.

Beside them the loop as it is meant, with a proposer that learns, and the controls that the loop offers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from experiments.design import LIMITS, Base, Curves, Experiment, Job, Plan, Run, SizeName, decoder
from experiments.inference import (
    Analysis,
    BySeed,
    Curve,
    Table,
    Test,
    both,
    by_seed,
    curves_of,
    paired,
    superiority,
)
from rlvr_gym.store import RunStore

ALPHABET = "abcdefghijklmnopqrstuvwxABCDEFGH|"
"""24 entities, four relations both ways, and what a proposer's prompt has besides."""
HOPS = (1, 2, 3, 4)
KG, FLAT, KG_GATED, FLAT_GATED = "kg", "flat", "kg gated", "flat gated"
LOOP = "spark"
PAIRS = {"all questions": (KG, FLAT), "gated questions": (KG_GATED, FLAT_GATED)}
_UNGATED = {"necessity": False, "shortcut": "off"}
"""What of the gate the arms without it leave out; no question takes an entity twice or has two answers."""
_CONTROLS: dict[str, dict[str, Any]] = {
    LOOP: {},
    "path only": {"gate": _UNGATED},
    "symmetric": {"symmetric": True},
}
"""Arm -> what it changes in the loop."""
IMITATION = "imitation"
ARMS = (*PAIRS["all questions"], *PAIRS["gated questions"], LOOP, "path only", "symmetric", IMITATION)
ERROR = 0.35
"""Chance that a hop of what the base imitates is a random entity."""
# Every other demonstration is a proposer's, so that the solver of the base learns from 800 batches of 1600.
_SETTINGS: dict[SizeName, dict[str, int]] = {
    "xs": {"steps": 2, "imitation": 4, "questions": 2, "tasks": 16, "every": 1, "beside": 1},
    "s": {"steps": 200, "imitation": 1600, "questions": 8, "tasks": 200, "every": 50, "beside": 2},
    "m": {"steps": 200, "imitation": 1600, "questions": 8, "tasks": 200, "every": 50, "beside": 2},
}
_ATTEMPTS = 4
_LR = 3e-4


def accuracy(hops: object) -> str:
    """Return the curve of held-out accuracy at a number of hops."""
    return f"accuracy_{hops}_hops"


def wrong_labels(hops: int) -> str:
    """Return the curve of the share of training questions of so many hops whose label is not what the graph says."""
    return f"wrong_labels_{hops}_hops"


_METRICS = {
    "solve_rate": "solver/solve_rate",
    "valid_share": "proposer/valid_share",
    "useful_share": "proposer/useful_share",
    "informative_share": "solver/informative_share",
    **{wrong_labels(h): f"hops/{h}/wrong_share" for h in HOPS},
}
_FIGURES = {
    "rollouts": "trajectories sampled, a step",
    "solve_rate": "solve rate of its own questions",
    "informative_share": "share of groups with a signal",
    "valid_share": "share of proposals that pass the gate",
    "useful_share": "share of proposals that are solved sometimes, not always",
}


class Spark(Experiment):
    """Two pairs of arms without a proposer, the loop, and its controls."""

    name = "spark"
    title = "SPARK: questions from a knowledge graph against flat text, by hops (permutations)"
    expected = (
        "A label read off a passage is wrong more often with every hop, so that the graph's lead grows with the hops: "
        "+.02, +.06, +.08, +.12 at 1 to 4 hops in a pilot of another program. The same holds for questions that pass the gate."
    )
    limits = (
        *LIMITS,
        "Questions are codes of a few letters, and the world has no ambiguity: it shows what wrong labels cost, not what "
        "language costs.",
        "The arms of each pair learn from templates. The loop with a proposer that learns, and the controls, stand beside "
        "them on fewer seeds and are not claimed; a proposer is shown one path, which it can only ask about or spoil.",
        "Wrong labels come from how a passage is drawn and read here. A reader who followed facts across passages would "
        "label more questions rightly.",
        "A graph that holds all answers can be imitated directly, as arm 'imitation' does with the truth of every hop; the "
        "table shows what that is worth beside play, which is told of the last entity alone.",
        "The graph's arms end close to 1 at few hops, which bounds the gap there.",
        "All questions are asked from memory, so that the closed-book control has nothing to compare.",
    )

    def settings(self, size: SizeName) -> dict[str, Any]:
        """Return steps and counts of a size."""
        return {**_SETTINGS[size], "attempts": _ATTEMPTS, "lr": _LR, "wrong_hops": ERROR}

    def base(self, size: SizeName) -> Base:
        """Return what all arms start from."""
        return Base(
            environment=_world(gated=False),
            policy=decoder(size, ALPHABET, context=96),
            steps=_SETTINGS[size]["imitation"],
            examples=64 * _SETTINGS[size]["imitation"],
            mistakes={"solver": ERROR, "proposer": ERROR},
        )

    def plan(self, size: SizeName, seeds: Sequence[int]) -> Plan:
        """Run both pairs on every seed, then the other arms on the first few."""
        pairs = [arm for pair in PAIRS.values() for arm in pair]
        yield [self._job(size, arm, seed) for seed in seeds for arm in pairs]
        few = list(seeds)[: _SETTINGS[size]["beside"]]
        yield [self._job(size, arm, seed) for seed in few for arm in ARMS if arm not in pairs]

    def _job(self, size: SizeName, arm: str, seed: int) -> Job:
        s = self.settings(size)
        return Job(
            experiment=self.name,
            arm=arm,
            seed=seed,
            base=self.base(size),
            recipe={
                "loop": {**_loop(arm, s["questions"]), "attempts": s["attempts"]},
                # What is held out is of the same kind as what is asked.
                "environment": _world(gated=arm not in PAIRS["all questions"]),
                "seed": seed,
                "steps": s["steps"],
                "sampling": {"max_new_tokens": 6},
                "sampling_of": {"proposer": {"max_new_tokens": 8}},
                "learner": {
                    "algorithm": {"name": "dr_grpo", "max_tokens": 6},
                    "optimizer": {"name": "adamw", "lr": s["lr"]},
                },
                "evaluation": {"every": s["every"], "tasks": s["tasks"], "n": 4, "proposals": 0},
            },
        )

    def curves(self, store: RunStore) -> Curves:
        """Return held-out accuracy and the solve rate of training, by hops, and what else tells the arms apart."""
        found: Curves = {
            curve: {} for curve in ("heldout_accuracy", "rollouts", *map(accuracy, HOPS), *_METRICS)
        }
        for event in store.events("evaluated"):
            found["heldout_accuracy"][event.step] = event.payload["heldout"]["mean"]
            for row in event.payload["heldout"]["strata"]:
                if row["name"] == "hops" and row["accuracy"] is not None:
                    found[accuracy(row["value"])][event.step] = row["accuracy"]["mean"]
        for event in store.events("metrics"):
            for curve, metric in _METRICS.items():
                if metric in event.payload:
                    found[curve][event.step] = event.payload[metric]
            if "solver/groups" in event.payload:
                proposals = event.payload.get("proposer/proposals", 0.0)
                found["rollouts"][event.step] = proposals + _ATTEMPTS * event.payload["solver/groups"]
        return found

    def analyse(self, runs: Sequence[Run]) -> Analysis:
        """Return both primaries, each of two parts, and what goes with them."""
        arms = {arm: [run for run in runs if run.arm == arm] for arm in ARMS}
        arms = {arm: found for arm, found in arms.items() if found}
        gaps = {what: gap_by_hops(arms[graph], arms[flat]) for what, (graph, flat) in PAIRS.items()}
        parts: list[Test] = []
        primaries = []
        for what, gap in gaps.items():
            own = [
                superiority(
                    f"slope/{what}",
                    f"{what}: the gap between graph and flat text grows with the hops (slope per hop)",
                    {seed: slope(row) for seed, row in gap.items()},
                    side="greater",
                ),
                superiority(
                    f"gap/{what}",
                    f"{what}: the graph's arm ends above that of flat text at {HOPS[-1]} hops",
                    {seed: row[-1] for seed, row in gap.items()},
                    side="greater",
                ),
            ]
            primaries.append(
                both(f"graph_over_flat/{what}", f"{what}: both, a gap that grows and a lead at the end", own)
            )
            parts += own
        return Analysis(
            primaries,
            parts=parts,
            secondary=[*_beside(arms), *_levels(arms)],
            curves={
                "accuracy at the end by hops": {arm: _ends(found) for arm, found in arms.items()},
                "graph - flat by hops": {
                    what: Curve(list(HOPS), gap, axis="hops") for what, gap in gaps.items()
                },
                **curves_of(arms, [*map(accuracy, HOPS), "solve_rate", "informative_share"]),
            },
            tables=[_gap_table(arms, gaps)],
            notes=_same_seeds(arms),
        )


def slope(gap: Sequence[float]) -> float:
    """Return the slope of a straight line through the gaps at 1, 2, 3 and 4 hops, by least squares.

    Example:
        >>> round(slope([0.0, 0.1, 0.2, 0.3]), 9)
        0.1
    """
    middle = sum(HOPS) / len(HOPS)
    return sum((h - middle) * g for h, g in zip(HOPS, gap, strict=True)) / sum(
        (h - middle) ** 2 for h in HOPS
    )


def gap_by_hops(graph: Sequence[Run], flat: Sequence[Run]) -> dict[int, list[float]]:
    """Return seed -> final held-out accuracy of the first minus the second, at each number of hops."""
    rows = [paired(by_seed(graph, _last(accuracy(h))), by_seed(flat, _last(accuracy(h)))) for h in HOPS]
    return {seed: [row[seed] for row in rows] for seed in rows[0]}


def _world(*, gated: bool) -> dict[str, Any]:
    """Return the environment: questions of one to four hops, from memory, with the whole gate or without its last parts."""
    return {
        "name": "kg-v0",
        "graph": {"name": "permutations", "entities": 24, "relations": 4},
        "wording": "codes",
        "min_hops": HOPS[0],
        "max_hops": HOPS[-1],
        "gate": {} if gated else _UNGATED,
    }


def _loop(arm: str, questions: int) -> dict[str, Any]:
    """Return the loop of an arm; each number of hops is as likely, and asked ``questions`` times a step in the mean."""
    hops = {"name": "hops", "start": HOPS[-1], "least_share": 1 / len(HOPS), "candidates": 1}
    loop = {"name": "spark", "parents": questions, "siblings": len(HOPS), "curriculum": hops}
    if arm in _CONTROLS:
        return {**loop, "curriculum": "hops", **_CONTROLS[arm]}
    if arm == IMITATION:
        return {**loop, "method": "imitation", "imitation": {"examples": questions * len(HOPS) * _ATTEMPTS}}
    corpus = "flat" if arm in (FLAT, FLAT_GATED) else "graph"
    return {**loop, "proposer": "template", "corpus": corpus}


def _ends(runs: Sequence[Run]) -> Curve:
    """Return accuracy at the end against the hops."""
    rows = {run.seed: [run.last(accuracy(h)) for h in HOPS] for run in runs}
    return Curve(list(HOPS), dict(sorted(rows.items())), axis="hops")


def _gap_table(arms: Mapping[str, Sequence[Run]], gaps: Mapping[str, Mapping[int, Sequence[float]]]) -> Table:
    """Return accuracy by hops of all arms, and the gaps."""

    def cell(values: BySeed) -> str:
        return str(Test.level("", "", values).interval)

    seeds = max(map(len, arms.values()))
    rows = [["base, all questions", *(cell(by_seed(arms[KG], _first(accuracy(h)))) for h in HOPS)]]
    for arm, runs in arms.items():
        ends = [by_seed(runs, _last(accuracy(h))) for h in HOPS]
        rows.append([arm if len(runs) == seeds else f"{arm} (seeds 0 to {len(runs) - 1})", *map(cell, ends)])
    for what, gap in gaps.items():
        columns = [{seed: row[i] for seed, row in gap.items()} for i in range(len(HOPS))]
        rows.append([f"**graph - flat, {what}**", *map(cell, columns)])
    return Table(
        "Held-out accuracy by hops, at the end",
        ["", *(f"{h} hops" if h > 1 else "1 hop" for h in HOPS)],
        rows,
    )


def _same_seeds(arms: Mapping[str, Sequence[Run]]) -> list[str]:
    """Return all arms on the seeds that each of them ran; nothing is tested on so few."""
    common = set.intersection(*({run.seed for run in runs} for runs in arms.values()))
    if len(arms) < len(ARMS) or not common:
        return []
    most = accuracy(HOPS[-1])
    ends = {
        arm: [run.last(most) for run in sorted(runs, key=lambda run: run.seed) if run.seed in common]
        for arm, runs in arms.items()
    }
    told = "; ".join(f"{arm} {', '.join(f'{end:.3f}' for end in found)}" for arm, found in ends.items())
    return [
        f"Held-out accuracy at {_hops(HOPS[-1])} on the seeds that all arms ran ({sorted(common)}): {told}."
    ]


def _beside(arms: Mapping[str, Sequence[Run]]) -> Iterator[Test]:
    """Yield what is not claimed of the pairs: gains on the base, and the gap at fewer hops."""
    for arm in (arm for pair in PAIRS.values() for arm in pair):
        runs = arms[arm]
        for h in (HOPS[0], HOPS[-1]):
            gain = paired(by_seed(runs, _last(accuracy(h))), by_seed(runs, _first(accuracy(h))))
            yield superiority(
                f"{arm}/gain_{h}",
                f"{arm}: improves on the base at {_hops(h)}",
                gain,
                side="greater",
            )
    for what, (graph, flat) in PAIRS.items():
        for h in HOPS[:-1]:
            gap = {seed: row[HOPS.index(h)] for seed, row in gap_by_hops(arms[graph], arms[flat]).items()}
            yield superiority(
                f"gap_{h}/{what}",
                f"{what}: the graph's arm ends above flat text at {_hops(h)}",
                gap,
                side="greater",
            )


def _levels(arms: Mapping[str, Sequence[Run]]) -> Iterator[Test]:
    """Yield the arms' own levels, which no test compares."""
    for arm, runs in arms.items():
        for h in HOPS:
            known = [run for run in runs if run.curves.get(wrong_labels(h))]
            if known:
                values = by_seed(known, _mean(wrong_labels(h)))
                yield Test.level(f"{arm}/wrong_{h}", f"{arm}: share of wrong labels at {_hops(h)}", values)
        for curve, what in _FIGURES.items():
            known = [run for run in runs if run.curves.get(curve)]
            if known:
                values = by_seed(known, _mean(curve))
                yield Test.level(f"{arm}/{curve}", f"{arm}: {what}", values)


def _hops(number: int) -> str:
    return "1 hop" if number == 1 else f"{number} hops"


def _first(curve: str) -> Callable[[Run], float]:
    return lambda run: run.first(curve)


def _last(curve: str) -> Callable[[Run], float]:
    return lambda run: run.last(curve)


def _mean(curve: str) -> Callable[[Run], float]:
    return lambda run: run.mean(curve)
