"""``assert(P) by (prover)``: a question of its own that knows the variables by their types alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlvr_gym.verifiers.verus.core import Expression, Isolated
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.logic.bitvectors import BitQuestion
from rlvr_gym.verifiers.verus.logic.compute import Evaluator, evaluated
from rlvr_gym.verifiers.verus.logic.query import Query
from rlvr_gym.verifiers.verus.logic.shapes import variables
from rlvr_gym.verifiers.verus.logic.tree import Block

if TYPE_CHECKING:
    from rlvr_gym.verifiers.verus.logic.execution import Body, Environment


def isolated(body: Body, step: Isolated, block: Block, environment: Environment) -> None:
    """Run such an assertion: what it requires is checked here, that the condition follows there."""
    for clause in step.requires:
        condition = body.scope(environment).translate(clause.condition)
        body.goal(block, condition, "requires not satisfied", clause.place, environment)
    if step.body and step.prover != "compute":
        raise Unsupported(f"statements in `by ({step.prover})`", step.place)
    if step.prover == "nonlinear_arith":
        _nonlinear(body, step, environment)
    elif step.prover == "bit_vector":
        premises = tuple(clause.condition for clause in step.requires)
        ask_bits(body, premises, step.condition, step)
    else:
        _compute(body, step, block, environment)
    body.fact(block, body.scope(environment).translate(step.condition))


def _nonlinear(body: Body, step: Isolated, environment: Environment) -> None:
    outer, world = body.query, body.theory.world
    query = Query("assert_nonlinear_by", nonlinear=True, place=step.place, rlimit=outer.rlimit)
    body.queries.append(query)
    body.query, outer_reached, world.reached = query, world.reached, query.reached
    try:
        block = query.tree.block
        scope = body.scope(dict(environment))
        scope.native = True
        formulas: list[Expression] = [clause.condition for clause in step.requires]
        for name in sorted(variables([*formulas, step.condition]) & set(environment)):
            body.fact(block, scope.typed(body.types[name], environment[name]))
        for formula in formulas:
            body.fact(block, scope.translate(formula))
        condition = scope.translate(step.condition)
        body.goal(block, condition, "assertion failed", step.place, environment)
    finally:
        body.query, world.reached = outer, outer_reached


def ask_bits(body: Body, premises: tuple[Expression, ...], condition: Expression, step: Isolated) -> None:
    """Ask over bit vectors."""
    body.bits.append(BitQuestion(premises, condition, "assertion failed", step.place))


def _compute(body: Body, step: Isolated, block: Block, environment: Environment) -> None:
    value = evaluated(Evaluator(body.theory.world), step.condition)
    if value is True:
        return
    if step.prover == "compute_only" or value is False:
        body.goal(block, body.z3.false, "assertion failed", step.place, environment)
        return
    condition = body.scope(environment).translate(step.condition)
    body.goal(block, condition, "assertion failed", step.place, environment)
