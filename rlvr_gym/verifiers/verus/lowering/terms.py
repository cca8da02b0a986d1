"""Small constructors of core terms, so that the lowering reads like what it means."""

from __future__ import annotations

from collections.abc import Iterable

from rlvr_gym.verifiers.verus.core import (
    Apply,
    ApplyValue,
    Construct,
    Expression,
    Lambda,
    LetIn,
    Literal_,
    Op,
    Operator,
    Project,
    Quantified,
    Test,
    Text,
    Var,
)
from rlvr_gym.verifiers.verus.inference.types import BOOL, INT, UNIT, Type
from rlvr_gym.verifiers.verus.report import NOWHERE, Place


def integer(value: int, type: Type = INT, place: Place = NOWHERE) -> Literal_:
    """Return a number."""
    return Literal_(value, type=type, place=place)


def truth(value: bool, place: Place = NOWHERE) -> Literal_:
    """Return a truth value."""
    return Literal_(value, type=BOOL, place=place)


def unit(place: Place = NOWHERE) -> Construct:
    """Return ``()``."""
    return Construct("tuple", (), type=UNIT, place=place)


def op(name: Operator, *operands: Expression, type: Type = BOOL, place: Place | None = None) -> Op:
    """Return an operator's term; a formula unless a ``type`` is given, placed like its first operand unless told."""
    return Op(name, operands, type=type, place=place or (operands[0].place if operands else NOWHERE))


def conjunction(formulas: Iterable[Expression], place: Place = NOWHERE) -> Expression:
    """Return the formulas joined by ``and``: true when there is none, the formula itself when there is one."""
    kept = [formula for formula in formulas if not is_literal(formula, True)]
    if not kept:
        return truth(True, place)
    return kept[0] if len(kept) == 1 else Op("and", tuple(kept), type=BOOL, place=place)


def disjunction(formulas: Iterable[Expression], place: Place = NOWHERE) -> Expression:
    """Return the formulas joined by ``or``: true as soon as one is, the formula itself when there is one."""
    kept = list(formulas)
    if any(is_literal(formula, True) for formula in kept):
        return truth(True, place)
    return kept[0] if len(kept) == 1 else Op("or", tuple(kept), type=BOOL, place=place)


def negation(formula: Expression) -> Expression:
    """Return ``not formula``."""
    return Op("not", (formula,), type=BOOL, place=formula.place)


def equal(left: Expression, right: Expression, place: Place | None = None) -> Op:
    """Return ``left == right``."""
    return op("==", left, right, place=place)


def choice(
    condition: Expression, then: Expression, otherwise: Expression, type: Type, place: Place
) -> Expression:
    """Return ``if condition { then } else { otherwise }``; the branch itself where the condition is a literal."""
    if is_literal(condition, True):
        return then
    return Op("ite", (condition, then, otherwise), type=type, place=place)


def is_literal(term: Expression, value: int | bool) -> bool:
    """Return whether ``term`` is this very literal (``True`` is not ``1``)."""
    return (
        isinstance(term, Literal_) and term.value is value
        if isinstance(value, bool)
        else (isinstance(term, Literal_) and not isinstance(term.value, bool) and term.value == value)
    )


def bounds(type: Type) -> tuple[Op, Op]:
    """Return the least and the greatest value of a machine integer type."""
    return Op("min_of", (), type=type), Op("max_of", (), type=type)


def fits(value: Expression, type: Type, place: Place) -> Expression:
    """Return that ``value`` is a value of the machine integer type."""
    least, greatest = bounds(type)
    return conjunction((op("<=", least, value, place=place), op("<=", value, greatest, place=place)), place)


def subterms(term: Expression) -> tuple[Expression, ...]:
    """Return the direct parts of a term, triggers left out."""
    match term:
        case Op(operands=parts) | Construct(fields=parts) | Apply(arguments=parts):
            return parts
        case Project(operand=part) | Test(operand=part):
            return (part,)
        case Var() | Literal_() | Text():
            return ()
        case ApplyValue(function=function, arguments=arguments):
            return (function, *arguments)
        case LetIn(value=value, body=body):
            return (value, body)
        case Quantified(body=body) | Lambda(body=body):
            return (body,)


def names_in(term: Expression) -> set[str]:
    """Return the names of all variables in a term, bound ones included (they are unique, so this does no harm)."""
    found: set[str] = set()
    todo = [term]
    while todo:
        next_ = todo.pop()
        if isinstance(next_, Var):
            found.add(next_.name)
        else:
            todo.extend(subterms(next_))
    return found
