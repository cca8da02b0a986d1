"""What is asked about one declaration: a function's body, a constant's initialiser, a spec function's recursion."""

from __future__ import annotations

from collections.abc import Sequence

from rlvr_gym.verifiers.verus.core import CodeFunction, Op, ReturnStep, SpecFunction, Statement
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.types import BOOL
from rlvr_gym.verifiers.verus.logic.bitvectors import BitQuestion
from rlvr_gym.verifiers.verus.logic.execution import Body
from rlvr_gym.verifiers.verus.logic.query import Query
from rlvr_gym.verifiers.verus.logic.statements import hidden_in
from rlvr_gym.verifiers.verus.logic.terms import Theory
from rlvr_gym.verifiers.verus.logic.wellfounded import calls_within


def of_code(function: CodeFunction, theory: Theory) -> Body:
    """Return the questions about an exec or proof function."""
    assert function.body is not None
    query = Query(
        "function body", hidden=hidden_in(function.body), nonlinear=function.prover == "nonlinear_arith",
        place=function.place, rlimit=function.rlimit,
    )  # fmt: skip
    body = Body(theory, function, query)
    if function.prover is not None:
        if any(not isinstance(statement, ReturnStep) for statement in function.body):
            raise Unsupported(f"statements in a function by ({function.prover})", function.place)
        if function.prover == "bit_vector":
            return _over_bits(function, body)
        if function.prover != "nonlinear_arith":
            raise Unsupported(f"a function by ({function.prover})", function.place)
        body.native = True
    theory.world.reached = query.reached
    block = query.tree.block
    environment = {}
    for param in function.params:
        value = body.unknown(param.name, param.type, block)
        body.entry[param.name] = environment[param.name] = value
        if param.mutable_reference:
            final = f"{param.name}~final"
            environment[final], body.types[final] = value, param.type
    for clause in function.requires:
        body.fact(block, body.scope(environment).translate(clause.condition))
    if function.group is not None:
        body.measure = body.measured(function.decreases, environment)
    if body.run(function.body, block, environment):
        body.run((ReturnStep(None, place=function.place),), block, environment)
    return body


def _over_bits(function: CodeFunction, body: Body) -> Body:
    premises = tuple(clause.condition for clause in function.requires)
    if function.ensures:
        conditions = tuple(clause.condition for clause in function.ensures)
        goal = Op("and", conditions, type=BOOL, place=function.place)
        place = function.ensures[0].place
        body.bits.append(BitQuestion(premises, goal, "postcondition not satisfied", place))
    return body


def of_constant(checks: Sequence[Statement], theory: Theory) -> Body:
    """Return the questions about the initialiser of a constant."""
    query = Query("constant")
    body = Body(theory, None, query)
    theory.world.reached = query.reached
    body.run(checks, query.tree.block, {})
    return body


def of_recursion(function: SpecFunction, theory: Theory) -> Body:
    """Return the questions about a recursive spec function: nothing of its own group is known in them."""
    group = frozenset(
        other.id
        for other in theory.world.program.specs.values()
        if other.recursive and other.group == function.group
    )
    query = Query(
        "function body", hidden=hidden_in(function.decreases_by), excluded=group, place=function.place
    )
    body = Body(theory, None, query)
    theory.world.reached = query.reached
    block = query.tree.block
    environment = {param.name: body.unknown(param.name, param.type, block) for param in function.params}
    if function.when is not None:
        body.fact(block, body.scope(environment).translate(function.when))
    body.measure = body.measured(function.decreases, environment)
    inside = dict(environment)
    if body.run(function.decreases_by, block, inside) and function.body is not None:
        calls_within(body, function, block, environment)
    return body
