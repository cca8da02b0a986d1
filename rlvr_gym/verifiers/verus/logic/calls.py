"""Calls: the callee's ``requires`` are goals, its ``ensures`` are all that is known afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlvr_gym.verifiers.verus.core import CallStep, CodeFunction, Literal_, Var
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.types import erased, substituted
from rlvr_gym.verifiers.verus.logic.termination import falls
from rlvr_gym.verifiers.verus.logic.tree import Block
from rlvr_gym.verifiers.verus.logic.z3api import Handle

if TYPE_CHECKING:
    from rlvr_gym.verifiers.verus.logic.execution import Body, Environment
    from rlvr_gym.verifiers.verus.logic.terms import Translator


def call(body: Body, step: CallStep, block: Block, environment: Environment) -> None:
    """Run a call."""
    theory = body.theory
    callee = theory.world.program.codes.get(step.function)
    if callee is None:
        raise Unsupported(f"a call of `{step.function}`", step.place)
    types = dict(
        zip(
            callee.type_parameters,
            (body.scope({}).type_of(each) for each in step.type_arguments),
            strict=True,
        )
    )
    outside = body.scope(environment)
    values: dict[str, Handle] = {}
    for param, argument in zip(callee.params, step.arguments, strict=True):
        value = outside.translate(argument)
        if not isinstance(argument, Var | Literal_):
            # A constant of its own keeps the argument in sight of triggers, whether the contract mentions it or not.
            value = body.bind(f"~{param.name}", argument.type, value, block)
        values[param.name] = value
    inside = theory.scope(values, types)
    inside.native = body.native
    for clause in callee.requires:
        condition = inside.translate(clause.condition)
        # Lines of the library's own files would mislead.
        related = None if callee.library else clause.place
        body.goal(block, condition, "precondition not satisfied", step.place, environment, related)
    caller = body.function
    if caller is not None and caller.group is not None and callee.group == caller.group:
        _terminates(body, callee, inside, block, step, environment)
    for position, name in step.mutated.items():
        param = callee.params[position]
        type = erased(substituted(param.type, types))
        environment[name] = values[f"{param.name}~final"] = body.unknown(name, type, block)
    if callee.result is not None:
        name = step.result or f"~result of {callee.name or callee.id}"
        result = body.unknown(name, erased(substituted(callee.result.type, types)), block)
        values[callee.result.name] = result
        if step.result is not None:
            environment[step.result] = result
    elif step.result is not None:
        raise Unsupported(f"the value of `{step.function}`, which has none", step.place)
    for clause in callee.ensures:
        body.fact(block, inside.translate(clause.condition))


def _terminates(
    body: Body,
    callee: CodeFunction,
    inside: Translator,
    block: Block,
    step: CallStep,
    environment: Environment,
) -> None:
    """Check that the measure falls at a recursive call."""
    assert body.function is not None
    if not callee.decreases or not body.function.decreases:
        if callee.mode == "proof" or body.function.mode == "proof":
            raise Rejected("recursive function must have a decreases clause", body.function.place)
        return
    new = [(inside.type_of(term.type), inside.translate(term)) for term in callee.decreases]
    goal = falls(body.theory, new, body.measure)
    body.goal(block, goal, "could not prove termination", step.place, environment)
