"""Figures of a step's questions about a graph: solve rates by hops, why proposals were refused, what they ask about."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from rlvr_gym.agents.kg import KGDomain, hops_of, signature_of
from rlvr_gym.graphs.structure import Reject
from rlvr_gym.selfplay.closed_book import remembered
from rlvr_gym.selfplay.credit import Credit
from rlvr_gym.selfplay.health import held_out, mean
from rlvr_gym.selfplay.loops.base import Plan
from rlvr_gym.types import Estimate, Task

_SHORTCUTS = (Reject.SHORTCUT, Reject.UNNECESSARY)
_LEAKS = (Reject.NAMES_ANSWER, Reject.NAMES_MIDDLE)


def graph_figures(
    domain: KGDomain, plan: Plan, credit: Credit, closed: Mapping[str, Estimate]
) -> dict[str, float]:
    """Return the figures of a step.

    Args:
        domain: Whose questions they are.
        plan: What was played.
        credit: What it came to.
        closed: Closed-book attempts by proposal.
    """
    given = {setup.task.id: setup.task for setup in plan.setups if setup.task is not None}
    asked = [j.proposal.task for j in credit.proposals if j.proposal.task is not None and j.proposal.valid]
    tasks = given | {task.id: task for task in asked}
    attempted = [tasks[id] for id in credit.estimates if id in tasks]
    figures = {**_by_hops(credit, tasks), **_channels(credit), **_wrong(attempted)}
    if credit.proposals:
        figures |= _refusals(credit) | _questions(domain, asked)
        rates = [e.rate for id in given if (e := credit.estimates.get(id)) is not None and e.rate is not None]
        if rates:
            figures["solver/replayed_rate"] = mean(rates)
    if closed:
        figures["solver/closed_book_rate"] = mean([e.rate for e in closed.values() if e.rate is not None])
        figures["proposer/closed_book_share"] = mean([float(remembered(e)) for e in closed.values()])
    return figures


def _by_hops(credit: Credit, tasks: Mapping[str, Task]) -> dict[str, float]:
    rates: dict[int, list[float]] = {}
    for id, estimate in credit.estimates.items():
        if id in tasks and estimate.rate is not None:
            rates.setdefault(hops_of(tasks[id]), []).append(estimate.rate)
    groups = {f"hops/{hops}/groups": float(len(found)) for hops, found in sorted(rates.items())}
    return {**{f"hops/{hops}/solve_rate": mean(found) for hops, found in sorted(rates.items())}, **groups}


def _refusals(credit: Credit) -> dict[str, float]:
    """Return the share of proposals by why they were refused; those of the held-out split are left out."""
    apart = held_out(credit)
    judged = [j for j in credit.proposals if j.proposal.trajectory not in apart]
    codes = Counter(j.proposal.gate.reason.partition(":")[0] for j in judged if not j.proposal.gate.passed)
    number = max(1, len(judged))
    return {
        "proposer/shortcut_share": sum(codes[code] for code in _SHORTCUTS) / number,
        "proposer/leak_share": sum(codes[code] for code in _LEAKS) / number,
        **{f"gate/{code}": count / number for code, count in sorted(codes.items())},
    }


def _questions(domain: KGDomain, asked: list[Task]) -> dict[str, float]:
    """Return how various the step's accepted questions are."""
    steps = Counter(step for task in asked for step in signature_of(task))
    figures = {
        "proposer/hops": mean([float(hops_of(task)) for task in asked]),
        "proposer/relation_entropy": _entropy(steps.values()),
    }
    documents = [domain.documents(task) for task in asked]
    if any(documents):
        figures["proposer/cross_document_share"] = mean([float(len(found) > 1) for found in documents])
    return figures


def _entropy(counts: Iterable[int]) -> float:
    """Return the entropy in nats of a distribution given by its counts, NaN for none."""
    found = list(counts)
    total = sum(found)
    return -math.fsum(n / total * math.log(n / total) for n in found) if total else math.nan


def _wrong(attempted: list[Task]) -> dict[str, float]:
    """Return, of the flat control, the share of attempted questions whose label the graph says is wrong, by hops."""
    wrong: dict[int, list[float]] = {}
    for task in attempted:
        if "wrong" in task.hidden:
            wrong.setdefault(hops_of(task), []).append(float(task.hidden["wrong"]))
    if not wrong:
        return {}
    return {
        "flat/wrong_share": mean([value for values in wrong.values() for value in values]),
        **{f"hops/{hops}/wrong_share": mean(values) for hops, values in sorted(wrong.items())},
    }


def _channels(credit: Credit) -> dict[str, float]:
    """Return the mean reward of each channel of the solver's groups."""
    rewards: dict[str, list[float]] = {}
    for group in credit.groups:
        for channel in group.decided().channels:
            name = f"{group.key.role}/channel/{channel.name}"
            rewards.setdefault(name, []).extend(r for r in channel.rewards if r is not None)
    return {name: mean(values) for name, values in sorted(rewards.items())}
