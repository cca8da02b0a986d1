"""Loops: isolated ones are questions of their own, others go on with what is known around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rlvr_gym.verifiers.verus.core import (
    AssertBy,
    AssertForallBy,
    Branch,
    BreakStep,
    Clause,
    ContinueStep,
    Isolated,
    LoopStep,
    Scope,
    Statement,
)
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.types import Type
from rlvr_gym.verifiers.verus.logic.query import Query
from rlvr_gym.verifiers.verus.logic.statements import assigned_in
from rlvr_gym.verifiers.verus.logic.termination import falls
from rlvr_gym.verifiers.verus.logic.tree import Block
from rlvr_gym.verifiers.verus.logic.z3api import Handle
from rlvr_gym.verifiers.verus.report import Place

if TYPE_CHECKING:
    from rlvr_gym.verifiers.verus.logic.execution import Body, End, Environment


@dataclass(eq=False)
class Frame:
    """A loop whose body is being run."""

    step: LoopStep
    measure: list[tuple[Type, Handle]]
    ends: list[End] = field(default_factory=list)
    """Runs that broke out of a loop that is not isolated."""


def loop(body: Body, step: LoopStep, block: Block, environment: Environment) -> bool:
    """Run a loop; False when no run gets past it."""
    # What the loop changes must be forgotten behind it, whatever the lowering says.
    assigned = {name for part in (step.head, step.body, step.step) for name in assigned_in(part)}
    assert assigned & environment.keys() <= step.modified, f"a loop forgets too little: {assigned}"
    entered = _at_head(step)
    for clause in entered:
        _goal(body, block, clause, "invariant not satisfied before loop", clause.place, environment)
    if step.isolated:
        return _isolated(body, step, block, environment)
    if step.except_break or step.ensures:
        raise Unsupported("`invariant_except_break` or `ensures` on a loop that is not isolated", step.place)
    _forget(body, step, block, environment)
    _assume(body, block, entered, environment)
    frame = Frame(step, [])
    inside: Block = []
    values = dict(environment)
    _turn(body, frame, inside, values)
    return body.join(block, [inside], frame.ends, environment)


def _isolated(body: Body, step: LoopStep, block: Block, environment: Environment) -> bool:
    outer_query = body.query
    world = body.theory.world
    query = Query(
        "while loop", hidden=outer_query.hidden, excluded=outer_query.excluded, place=step.place,
        rlimit=outer_query.rlimit,
    )  # fmt: skip
    body.queries.append(query)
    body.query, outer_reached, world.reached = query, world.reached, query.reached
    try:
        inside = query.tree.block
        values = dict(environment)
        _forget(body, step, inside, values)
        scope = body.scope({})
        known = {**{f"entry {name}": value for name, value in body.entry.items()}, **values}
        seen = set()
        for name, value in known.items():
            plain = name.removeprefix("entry ")
            if plain not in step.modified or name != plain:
                if value.value in seen:
                    continue
                seen.add(value.value)
                body.fact(inside, scope.typed(body.types[plain], value))
        _assume(body, inside, _at_head(step), values)
        frame = Frame(step, [])
        _turn(body, frame, inside, values)
    finally:
        body.query, world.reached = outer_query, outer_reached
    _forget(body, step, block, environment)
    if step.simple:
        _assume(body, block, step.invariants, environment)
        # What the condition needs was proved at the head, from no more than is known here.
        outer, body.assuming = body.assuming, True
        alive = body.run(step.head, block, environment)
        body.assuming = outer
        if not alive or step.condition is None:
            return False
        condition = body.scope(environment).translate(step.condition)
        body.fact(block, body.z3.not_(condition))
        return True
    _assume(body, block, (*step.invariants, *step.ensures), environment)
    # A loop without a condition and without a break to it never ends.
    return step.condition is not None or breaks_to(step.label, step.body) or breaks_to(step.label, step.head)


def _turn(body: Body, frame: Frame, block: Block, values: Environment) -> None:
    """Run one turn of the body from the head to its end, and all ways out of it."""
    step = frame.step
    body.frames.append(frame)
    try:
        # The measure is read at the head, before the condition has run.
        frame.measure = body.measured(step.decreases, values)
        if not body.run(step.head, block, values):
            return
        if step.condition is not None:
            condition = body.scope(values).translate(step.condition)
            if not step.isolated or not step.simple:
                outside: Block = []
                body.fact(outside, body.z3.not_(condition))
                inside: Block = []
                _leave_by_condition(body, frame, outside, dict(values))
                body.fact(inside, condition)
                body.join(block, [outside, inside], [], values)
                block = inside
            else:
                body.fact(block, condition)
        if body.run(step.body, block, values):
            _end_of_turn(body, frame, block, values, None)
    finally:
        body.frames.pop()


def _leave_by_condition(body: Body, frame: Frame, block: Block, values: Environment) -> None:
    step = frame.step
    if not step.isolated:
        frame.ends.append((block, values))
        return
    for clause in (*step.invariants, *step.ensures):
        _goal(body, block, clause, "loop invariant not satisfied", step.place, values, clause.place)


def _end_of_turn(body: Body, frame: Frame, block: Block, values: Environment, at: Place | None) -> None:
    """Check what must hold where the next turn begins; ``at`` is the place of a ``continue``."""
    step = frame.step
    if not body.run(step.step, block, values):
        return
    for clause in _at_head(step):
        if at is None:
            _goal(body, block, clause, "invariant not satisfied at end of loop body", clause.place, values)
        else:
            _goal(body, block, clause, "loop invariant not satisfied", at, values, clause.place)
    if step.decreases:
        message = (
            "decreases not satisfied at end of loop" if at is None else "decreases not satisfied at continue"
        )
        goal = falls(body.theory, body.measured(step.decreases, values), frame.measure)
        body.goal(block, goal, message, at or step.place, values, step.decreases[0].place)


def leave(body: Body, step: BreakStep | ContinueStep, block: Block, environment: Environment) -> None:
    """Run a ``break`` or ``continue``."""
    crossed = []
    for frame in reversed(body.frames):
        crossed.append(frame)
        if frame.step.label == step.label:
            break
    else:
        raise Unsupported("a `break` or `continue` whose loop is not around it", step.place)
    isolated = any(each.step.isolated for each in crossed[:-1])
    if isinstance(step, ContinueStep):
        _end_of_turn(body, frame, block, environment, step.place)
    elif frame.step.isolated:
        for clause in (*frame.step.invariants, *frame.step.ensures):
            _goal(body, block, clause, "loop invariant not satisfied", step.place, environment, clause.place)
    elif isolated:
        raise Unsupported("a `break` out of an isolated loop to one that is not", step.place)
    else:
        frame.ends.append((block, environment))


def _at_head(step: LoopStep) -> tuple[Clause, ...]:
    """Return what holds at the head of every turn."""
    return (*step.invariants, *step.except_break)


def _forget(body: Body, step: LoopStep, block: Block, environment: Environment) -> None:
    """Give new values to what the loop changes."""
    for name in sorted(step.modified):
        if name in environment:
            environment[name] = body.unknown(name, body.types[name], block)


def _assume(body: Body, block: Block, clauses: Sequence[Clause], environment: Environment) -> None:
    for clause in clauses:
        body.fact(block, body.scope(environment).translate(clause.condition))


def _goal(
    body: Body,
    block: Block,
    clause: Clause,
    message: str,
    place: Place,
    environment: Environment,
    related: Place | None = None,
) -> None:
    condition = body.scope(environment).translate(clause.condition)
    if clause.silent:
        body.fact(block, condition)
    else:
        body.goal(block, condition, message, place, environment, related)


def breaks_to(label: str, statements: Sequence[Statement]) -> bool:
    """Return whether a ``break`` to the loop ``label`` stands among the statements."""
    for statement in statements:
        match statement:
            case BreakStep():
                if statement.label == label:
                    return True
            case Branch():
                if breaks_to(label, statement.then) or breaks_to(label, statement.otherwise):
                    return True
            case LoopStep():
                parts = (statement.head, statement.body, statement.step)
                if any(breaks_to(label, part) for part in parts):
                    return True
            case Scope() | AssertBy() | AssertForallBy() | Isolated():
                if breaks_to(label, statement.body):
                    return True
    return False
