"""One question to the solver: a tree of goals, the facts that it reaches, and what came of it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rlvr_gym.verifiers.verus.logic.axioms import Axioms
from rlvr_gym.verifiers.verus.logic.solver import Answer, Solver
from rlvr_gym.verifiers.verus.logic.terms import Theory
from rlvr_gym.verifiers.verus.logic.tree import Goal, Tree, failing
from rlvr_gym.verifiers.verus.logic.values import shown
from rlvr_gym.verifiers.verus.logic.world import Node
from rlvr_gym.verifiers.verus.logic.z3api import Handle
from rlvr_gym.verifiers.verus.report import NOWHERE, Finding, Place

_MOST_FINDINGS = 12
"""Failed goals of one query that are told; more say nothing new."""


@dataclass(eq=False)
class Query:
    """A question with all that it may use.

    `hidden` and `excluded` are ids of spec functions: whose definitions hold only where revealed, and whose are left
    out altogether.
    """

    title: str
    tree: Tree = field(default_factory=Tree)
    reached: dict[Node, None] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    excluded: frozenset[str] = frozenset()
    broadcasts: dict[str, None] = field(default_factory=dict)
    """Axioms that some ``broadcast use`` in it names."""
    nonlinear: bool = False
    place: Place = NOWHERE
    rlimit: float = 1.0


def facts(query: Query, theory: Theory, axioms: Axioms) -> Iterator[Handle]:
    """Yield the facts that a query reaches, each once."""
    world, functions = theory.world, theory.functions
    waiting, seen = list(query.reached), set(query.reached)
    keys: set[tuple[object, ...]] = set()
    while waiting:
        node = waiting.pop()
        world.tick()
        found = axioms.reached(node.key, keys, query.broadcasts) if node.key and not query.nonlinear else ()
        for axiom in found:
            if axiom not in seen:
                seen.add(axiom)
                waiting.append(axiom)
        if node.owner is not None and (query.nonlinear or node.owner in query.excluded):
            continue
        guard = None
        if node.owner is not None and (node.guarded or node.owner in query.hidden):
            guard = functions.visible(node.owner)
        for fact in node.facts(world):
            yield fact if guard is None else world.z3.implies(guard, fact)
        for other in node.reaches:
            if other not in seen:
                seen.add(other)
                waiting.append(other)


def answer(query: Query, theory: Theory, axioms: Axioms, solver: Solver) -> list[Finding]:
    """Return what is not proved; empty: all of it is."""
    z3 = theory.world.z3
    formula = failing(z3, query.tree)
    if formula.value == z3.false.value:
        return []
    known = [*facts(query, theory, axioms), formula]
    solver.start(known, nonlinear=query.nonlinear)
    goals = dict.fromkeys(query.tree.goals)
    suspects: list[Goal] = []
    while len(suspects) < _MOST_FINDINGS:
        theory.world.tick()
        result = solver.check(query.rlimit)
        if result is Answer.PROVED:
            return _each_alone(query, known, theory, solver, suspects)
        suspect = None
        if result is Answer.OPEN:
            suspect = next((goal for goal in goals if solver.is_true(goal.label)), None)
        if suspect is None:
            # Out of resources, or no candidate that names a goal: all of them are open.
            break
        suspects.append(suspect)
        del goals[suspect]
        solver.add(z3.not_(suspect.label))
    return _each_alone(query, known, theory, solver, query.tree.goals)


def _each_alone(
    query: Query, known: list[Handle], theory: Theory, solver: Solver, goals: Iterable[Goal]
) -> list[Finding]:
    """Return the findings of goals that are not proved alone: the solver has less to do than for all together."""
    z3 = theory.world.z3
    findings: list[Finding] = []
    started = time.monotonic()
    for goal in goals:
        theory.world.tick()
        # A solver that has seen other goals fail gives up on some that it proves when it is fresh.
        solver.start(known, nonlinear=query.nonlinear)
        for other in query.tree.goals:
            if other is not goal:
                solver.add(z3.not_(other.label))
        result = solver.check(query.rlimit)
        if result is Answer.OUT_OF_RESOURCES:
            findings.append(Finding(f"{query.title}: resource limit exceeded", goal.place, goal.related))
        elif result is Answer.OPEN:
            model = shown(solver, theory, goal.values)
            findings.append(Finding(goal.message, goal.place, goal.related, model=model))
        if len(findings) >= _MOST_FINDINGS or (
            findings and time.monotonic() - started > solver.limits.query_s
        ):
            break
    return findings
