"""Which variables a term mentions, and the shape of a term with its closed parts cut out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rlvr_gym.verifiers.verus.core import (
    Apply,
    ApplyValue,
    Construct,
    Expression,
    Lambda,
    LetIn,
    Literal_,
    Op,
    Project,
    Quantified,
    Test,
    Var,
)


def children(term: Expression) -> Sequence[Expression]:
    """Return the direct parts of a term, triggers included."""
    match term:
        case Op():
            return term.operands
        case Apply():
            return term.arguments
        case Construct():
            return term.fields
        case Project() | Test():
            return (term.operand,)
        case LetIn():
            return (term.value, term.body)
        case Quantified():
            return (*(each for group in term.triggers for each in group), term.body)
        case Lambda():
            return (term.body,)
        case ApplyValue():
            return (term.function, *term.arguments)
    return ()


def walk(term: Expression) -> Iterator[Expression]:
    """Yield a term and all its parts."""
    waiting = [term]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(children(current))


def variables(terms: Sequence[Expression]) -> set[str]:
    """Return the names of all variables in terms, bound ones included: names are unique in a function."""
    return {each.name for term in terms for each in walk(term) if isinstance(each, Var)}


def mentions(term: Expression, names: frozenset[str]) -> bool:
    """Return whether a term mentions any of the variables."""
    return any(isinstance(each, Var) and each.name in names for each in walk(term))


def is_literal(term: Expression) -> bool:
    """Return whether a term is a number as written, with a sign or without."""
    if isinstance(term, Op) and term.op == "neg":
        return is_literal(term.operands[0])
    return isinstance(term, Literal_)
