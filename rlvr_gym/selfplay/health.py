"""Figures of a step that pages show and detectors watch."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from rlvr_gym.selfplay.credit import Credit, Judged
from rlvr_gym.selfplay.protocols import HELD_OUT, PROPOSER, SOLVER
from rlvr_gym.types import Group


def mean(values: Sequence[float]) -> float:
    """Return the mean, NaN for nothing."""
    return math.fsum(values) / len(values) if values else math.nan


def solver_health(credit: Credit) -> dict[str, float]:
    """Return the solver's figures: solve rate, group shares, masked share, lengths."""
    groups = [g for g in credit.groups if g.key.role == SOLVER]
    rates = [e.solved / e.tried for e in credit.estimates.values() if e.tried]
    tried = sum(e.tried for e in credit.estimates.values())
    masked = sum(e.masked for e in credit.estimates.values())
    return {
        "solver/solve_rate": mean(rates),
        "solver/groups": float(len(groups)),
        "solver/informative_share": mean([float(g.informative) for g in groups]),
        "solver/extreme_share": mean([float(r in (0.0, 1.0)) for r in rates]),
        "solver/masked_share": masked / (masked + tried) if masked + tried else math.nan,
        "solver/reward": mean([r for g in groups for r in g.rewards if r is not None]),
        "solver/length": mean([float(t.num_sampled) for g in groups for t in g.members]),
        "solver/truncated_share": mean([float(t.finish == "length") for g in groups for t in g.members]),
        "solver/entropy": _entropy(groups),
    }


def proposer_health(credit: Credit) -> dict[str, float]:
    """Return the proposer's figures: the funnel parsed, valid, new, solvable, useful, and what it earned.

    Proposals that fall in the held-out split are left out: the proposer cannot know the split.
    """
    apart = held_out(credit)
    judged = [j for j in credit.proposals if j.proposal.trajectory not in apart]
    groups = [g for g in credit.groups if g.key.role == PROPOSER]
    valid = [j for j in judged if j.proposal.valid]
    forms = Counter(j.form for j in valid)
    return {
        "proposer/proposals": float(len(credit.proposals)),
        "proposer/held_out_share": len(apart) / len(credit.proposals) if credit.proposals else math.nan,
        "proposer/parsed_share": mean([float(j.form is not None) for j in judged]),
        "proposer/valid_share": mean([float(j.proposal.valid) for j in judged]),
        "proposer/new_share": mean([float(is_new(j)) for j in judged]),
        "proposer/solvable_share": mean([float(is_new(j) and _solved(j) > 0) for j in judged]),
        "proposer/useful_share": mean([float(is_useful(j)) for j in judged]),
        "proposer/distinct_share": len(forms) / len(valid) if valid else math.nan,
        "proposer/p_hat": mean(
            [j.estimate.solved / j.estimate.tried for j in valid if j.estimate and j.estimate.tried]
        ),
        "proposer/reward": mean([j.reward for j in judged if j.reward is not None]),
        "proposer/informative_share": mean([float(g.informative) for g in groups]),
        "proposer/length": mean([float(t.num_sampled) for g in groups for t in g.members]),
        "proposer/entropy": _entropy(groups),
    }


def collapse_figures(credit: Credit) -> dict[str, float]:
    """Return what tells early that proposals narrow: near-duplicates, lengths, solve rates at either end."""
    valid = [j for j in credit.proposals if j.proposal.valid]
    rates = [e.solved / e.tried for j in valid if (e := j.estimate) is not None and e.tried]
    checks = sum(e.tried + e.masked for e in credit.estimates.values())
    return {
        "proposer/near_duplicate_share": mean([float(j.proposal.near is not None) for j in valid]),
        "proposer/spec_length": mean([float(len(j.proposal.task.prompt)) for j in valid if j.proposal.task]),
        "proposer/never_solved_share": mean([float(rate == 0.0) for rate in rates]),
        "proposer/always_solved_share": mean([float(rate == 1.0) for rate in rates]),
        "solver/solves_per_check": sum(e.solved for e in credit.estimates.values()) / checks
        if checks
        else math.nan,
    }


def held_out(credit: Credit) -> set[str]:
    """Return the trajectories of proposals that were refused only because they belong to the held-out split."""
    return {trajectory for trajectory, why in credit.dropped.items() if why == HELD_OUT}


def is_new(judged: Judged) -> bool:
    """Return True for a valid proposal whose form was never proposed before this step."""
    return judged.proposal.valid and judged.proposal.shelf != "rejected"


def is_useful(judged: Judged) -> bool:
    """Return True for a valid, new proposal that some but not all attempts solved."""
    e = judged.estimate
    return is_new(judged) and e is not None and 0 < e.solved < e.tried


def _solved(judged: Judged) -> int:
    return judged.estimate.solved if judged.estimate else 0


def _entropy(groups: Sequence[Group]) -> float:
    values = [t.entropies[t.loss_mask] for g in groups for t in g.members]
    tokens = sum(len(v) for v in values)
    return float(sum(float(v.sum()) for v in values) / tokens) if tokens else math.nan
