"""Values that a test's source spells out, read without running it."""

from __future__ import annotations

import ast
import operator
from typing import Any

_MAX_SIZE = 100_000
"""Bits of a number, items of a repeated list."""
_OPERATORS: dict[type, Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_EMPTY: dict[str, Any] = {"set": set, "frozenset": frozenset, "dict": dict, "list": list, "tuple": tuple}
_NUMBERS = (int, float, complex)


class NotLiteralError(ValueError):
    """An expression whose value is not spelled out."""


def literal(node: ast.expr) -> Any:
    """Return the value of an expression of constants, displays, arithmetic, ``float("inf")`` and ``set()``.

    Raises:
        NotLiteralError: anything else.
    """
    match node:
        case ast.Constant(value=value) if value is not Ellipsis:
            return value
        case ast.List(elts=items):
            return [literal(item) for item in items]
        case ast.Tuple(elts=items):
            return tuple(literal(item) for item in items)
        case ast.Set(elts=items):
            return _hashed(set, [literal(item) for item in items])
        case ast.Dict(keys=keys, values=values):
            return _hashed(dict, [(_key(k), literal(v)) for k, v in zip(keys, values, strict=True)])
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            value = literal(operand)
            if type(value) not in _NUMBERS:
                raise NotLiteralError("a sign before what is no number")
            return -value if isinstance(node.op, ast.USub) else value
        case ast.BinOp(left=left, op=op, right=right):
            return _computed(_OPERATORS.get(type(op)), literal(left), literal(right))
        case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str(text))], keywords=[]):
            try:
                return float(text)
            except ValueError:
                raise NotLiteralError("no float") from None
        case ast.Call(func=ast.Name(id=name), args=[], keywords=[]) if name in _EMPTY:
            return _EMPTY[name]()
        case ast.Call(func=ast.Name(id=("set" | "frozenset") as name), args=[items], keywords=[]):
            return _hashed(_EMPTY[name], literal(items))
    raise NotLiteralError(f"{type(node).__name__} is not spelled out")


def _key(node: ast.expr | None) -> Any:
    if node is None:
        raise NotLiteralError("an unpacked dict")
    return literal(node)


def _hashed(kind: Any, items: Any) -> Any:
    try:
        return kind(items)
    except TypeError as error:
        raise NotLiteralError(str(error)) from None


def _computed(compute: Any, left: Any, right: Any) -> Any:
    """Return the value of an operation whose result is small."""
    kinds = type(left), type(right)
    if compute is None:
        raise NotLiteralError("an unknown operator")
    if (
        compute is operator.mul
        and int in kinds
        and (kinds[0] in (list, tuple, str) or kinds[1] in (list, tuple, str))
    ):
        sequence, times = (left, right) if kinds[1] is int else (right, left)
        if len(sequence) * times > _MAX_SIZE:
            raise NotLiteralError("too long")
        return sequence * times
    if compute is operator.add and kinds[0] is kinds[1] and kinds[0] in (list, tuple, str):
        return left + right
    if not all(kind in _NUMBERS for kind in kinds):
        raise NotLiteralError("arithmetic with what are no numbers")
    if (
        compute is operator.pow
        and kinds == (int, int)
        and (right > _MAX_SIZE or left.bit_length() * right > _MAX_SIZE)
    ):
        raise NotLiteralError("too large")
    try:
        return compute(left, right)
    except (ArithmeticError, TypeError, ValueError) as error:
        raise NotLiteralError(str(error)) from None
