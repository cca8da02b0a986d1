"""Walks over statements of the core language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rlvr_gym.verifiers.verus.core import (
    AssertBy,
    AssertForallBy,
    Assume,
    Branch,
    CallStep,
    Check,
    Expression,
    Havoc,
    Isolated,
    LoopStep,
    ReturnStep,
    RevealStep,
    Scope,
    Set,
    Statement,
)


def nested(statement: Statement) -> tuple[Sequence[Statement], ...]:
    """Return the bodies inside a statement."""
    match statement:
        case Branch():
            return statement.then, statement.otherwise
        case LoopStep():
            return statement.head, statement.body, statement.step
        case AssertBy() | AssertForallBy() | Isolated() | Scope():
            return (statement.body,)
    return ()


def each_statement(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Yield statements with all that are inside them."""
    waiting = list(reversed(statements))
    while waiting:
        current = waiting.pop()
        yield current
        for body in nested(current):
            waiting.extend(reversed(body))


def terms(statement: Statement) -> Iterator[Expression]:
    """Yield the terms that stand directly in a statement."""
    match statement:
        case Set():
            yield statement.value
        case Check() | Assume() | Branch() | AssertBy():
            yield statement.condition
        case CallStep():
            yield from statement.arguments
        case LoopStep():
            if statement.condition is not None:
                yield statement.condition
            for clause in (*statement.invariants, *statement.except_break, *statement.ensures):
                yield clause.condition
            yield from statement.decreases
        case ReturnStep():
            if statement.value is not None:
                yield statement.value
        case AssertForallBy():
            if statement.premise is not None:
                yield statement.premise
            yield statement.conclusion
            yield statement.fact
        case Isolated():
            yield statement.condition
            for clause in statement.requires:
                yield clause.condition


def assigned_in(statements: Sequence[Statement]) -> set[str]:
    """Return the variables that statements give values to."""
    found: set[str] = set()
    for statement in each_statement(statements):
        match statement:
            case Set() | Havoc():
                found.add(statement.name)
            case CallStep():
                found.update(statement.mutated.values())
                if statement.result is not None:
                    found.add(statement.result)
    return found


def hidden_in(statements: Sequence[Statement]) -> frozenset[str]:
    """Return the functions that ``hide`` names anywhere: they are hidden in the whole body."""
    return frozenset(
        each.function
        for each in each_statement(statements)
        if isinstance(each, RevealStep) and each.fuel == 0
    )
