"""Operators on integers, as Rust runs them and as specifications mean them."""

from __future__ import annotations

import operator
from collections.abc import Callable

from rlvr_gym.verifiers.verus.inference.types import Type, is_machine
from rlvr_gym.verifiers.verus.interpreter.values import (
    Panic,
    Unknown,
    bits,
    euclidean,
    is_character,
    limits,
    truncated,
    wrapped,
)
from rlvr_gym.verifiers.verus.report import Place

_EXACT: dict[str, Callable[[int, int], int]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}
_BITWISE: dict[str, Callable[[int, int], int]] = {"&": operator.and_, "|": operator.or_, "^": operator.xor}
COMPARE: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def fitting(value: int, type: Type, what: str, place: Place) -> int:
    """Return ``value`` if it fits the type; compiled code stops otherwise."""
    bounds = limits(type)
    if bounds is not None and not bounds[0] <= value <= bounds[1]:
        raise Panic(what, place)
    return value


def compiled(op: str, left: int, right: int, type: Type, place: Place) -> int:
    """Return the value of an operator in compiled code, on operands of one type (but for shifts).

    Raises:
        Panic: overflow, division by zero, or a shift by the width or more.
    """
    if not is_machine(type):
        raise Unknown("a mathematical integer at run time")
    if op in _EXACT:
        return fitting(_EXACT[op](left, right), type, "arithmetic overflow", place)
    if op in _BITWISE:
        return _BITWISE[op](left, right)
    if op in ("/", "%"):
        if right == 0:
            raise Panic("division by zero", place)
        quotient, remainder = truncated(left, right)
        fitting(quotient, type, "arithmetic overflow", place)
        return quotient if op == "/" else remainder
    if op in ("<<", ">>"):
        if not 0 <= right < bits(type):
            raise Panic("shift by the width or more", place)
        return wrapped(left << right, type) if op == "<<" else left >> right
    raise Unknown(f"`{op}` in compiled code")


def mathematical(op: str, left: int, right: int, type: Type) -> int:
    """Return the value of an operator in a specification; ``type`` is the left operand's.

    Raises:
        Unknown: division by zero and shifts out of range have some value, and nobody says which.
    """
    if op in _EXACT:
        return _EXACT[op](left, right)
    if op in ("/", "%"):
        if right == 0:
            raise Unknown("division by zero")
        return euclidean(left, right)[op == "%"]
    if not is_machine(type):
        raise Unknown("a bit operator on a mathematical integer")
    if op in _BITWISE:
        return _BITWISE[op](left, right)
    if op in ("<<", ">>"):
        if not 0 <= right < bits(type):
            raise Unknown("a shift out of range")
        return wrapped(left << right, type) if op == "<<" else left >> right
    raise Unknown(f"`{op}` in a specification")


def cast(value: int, type: Type) -> int:
    """Return ``value as type``: the low bits for machine integers, which is also one meaning of a ghost cast."""
    if is_machine(type):
        return wrapped(int(value), type)
    if type.name == "nat" and value < 0:
        raise Unknown("a negative number as nat")
    if type.name == "char" and not is_character(value):
        raise Unknown("no character has this number")
    return int(value)
