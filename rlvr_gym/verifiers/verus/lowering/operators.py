"""Operators whose meaning does not depend on the mode: casts, comparisons, logic and bits."""

from __future__ import annotations

from dataclasses import replace

from rlvr_gym.verifiers.verus.core import Expression, Op, Operator
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.types import (
    BOOL,
    CHAR,
    INT,
    NAT,
    UNSIGNED,
    WIDTHS,
    Type,
    is_integer,
    is_machine,
)
from rlvr_gym.verifiers.verus.lowering.terms import bounds, choice, equal, integer, negation, op
from rlvr_gym.verifiers.verus.report import Place

_COMPARISONS: dict[str, Operator] = {"<": "<", "<=": "<=", ">": ">", ">=": ">="}
_ARITHMETIC: dict[str, Operator] = {"+": "+", "-": "-", "*": "*", "/": "/", "%": "%"}
_LOGIC: dict[str, Operator] = {
    "&&": "and", "&&&": "and", "||": "or", "|||": "or", "==>": "=>", "<==>": "<=>",
}  # fmt: skip
_EQUALITIES: dict[str, tuple[Operator, bool]] = {
    "==": ("==", True), "===": ("==", True), "!=": ("==", False), "!==": ("==", False),
    "=~=": ("=~=", True), "!~=": ("=~=", False), "=~~=": ("=~~=", True), "!~~=": ("=~~=", False),
}  # fmt: skip
_BITS: dict[str, Operator] = {"&": "&", "|": "|", "^": "^", "<<": "<<", ">>": ">>"}
# Operators whose value depends on the type of the term.
_BY_TYPE = frozenset(("clip", "wrap+", "wrap-", "wrap*", "min_of", "max_of"))
_U32_MAX = 0xFFFF_FFFF


def cast(value: Expression, to: Type, place: Place) -> Expression:
    """Return ``value as to``: the value itself where that is its own type or mathematical, else clipped."""
    source = value.type
    if not (is_integer(source) or source == CHAR) or not (is_integer(to) or to == CHAR):
        if source == to:
            return value
        raise Unsupported(f"cast from `{source}` to `{to}`", place)
    if source == to:
        return value
    if to == INT or (to == NAT and (source == CHAR or source.name in UNSIGNED)):
        return retyped(value, to)
    return op("clip", value, type=to, place=place)


def retyped(value: Expression, type: Type) -> Expression:
    """Return an integer term as one of another integer type; values are the same, only what is known differs.

    A variable gets the invariant of the type of what is first assigned to it, so that has to be the variable's own.
    """
    if value.type == type:
        return value
    if isinstance(value, Op) and value.op in _BY_TYPE:
        return op("clip", value, type=type, place=value.place)
    return replace(value, type=type)


def comparison(operator: str, left: Expression, right: Expression, place: Place) -> Expression | None:
    """Return ``left < right`` and the like, ``==`` and its kin; None for other operators or other types."""
    if operator in _EQUALITIES:
        name, positive = _EQUALITIES[operator]
        if left.type == BOOL and name != "==":
            name = "=="
        formula = Op(name, (left, right), type=BOOL, place=place)
        return formula if positive else replace(negation(formula), place=place)
    if operator in _COMPARISONS and _is_number(left.type) and _is_number(right.type):
        return op(_COMPARISONS[operator], left, right, place=place)
    return None


def logic(operator: str, left: Expression, right: Expression, place: Place) -> Expression | None:
    """Return a connective, short circuit or not; None for other operators."""
    if operator == "<==":
        return op("=>", right, left, place=place)
    if operator in _LOGIC:
        return op(_LOGIC[operator], left, right, place=place)
    if left.type != BOOL:
        return None
    if operator in ("&", "|"):
        return op("and" if operator == "&" else "or", left, right, place=place)
    if operator == "^":
        return replace(negation(equal(left, right, place)), place=place)
    return None


def arithmetic(
    operator: str, left: Expression, right: Expression, type: Type, place: Place
) -> Expression | None:
    """Return the mathematical value of an operator on integers, bit operators included; None for others."""
    if not is_integer(left.type) or not is_integer(right.type):
        return None
    if operator in _ARITHMETIC:
        return op(_ARITHMETIC[operator], left, right, type=type, place=place)
    if operator in _BITS:
        return op(_BITS[operator], left, right, type=type, place=place)
    return None


def opposite(value: Expression, place: Place) -> Expression:
    """Return ``!value`` of a truth value or an integer."""
    if value.type == BOOL:
        return replace(negation(value), place=place)
    if is_machine(value.type):
        return op("bitnot", value, type=value.type, place=place)
    raise Unsupported(f"`!` of type `{value.type}`", place)


def width(type: Type, place: Place) -> Expression:
    """Return how many bits a machine integer type has; for the machine's own it is 32 or 64, by its bound."""
    bits = WIDTHS[type.name]
    if bits:
        return integer(bits, place=place)
    _, greatest = bounds(Type("usize"))
    small = equal(greatest, integer(_U32_MAX), place)
    return choice(small, integer(32, place=place), integer(64, place=place), INT, place)


def _is_number(type: Type) -> bool:
    return is_integer(type) or type == CHAR
