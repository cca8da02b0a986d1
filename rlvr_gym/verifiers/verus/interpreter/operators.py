"""Operators. Connectives in ghost code have a third truth value: not known."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.inference.types import SIGNED, is_integer
from rlvr_gym.verifiers.verus.interpreter import arithmetic
from rlvr_gym.verifiers.verus.interpreter.calls import call_spec
from rlvr_gym.verifiers.verus.interpreter.frame import Frame, evaluates
from rlvr_gym.verifiers.verus.interpreter.places import place
from rlvr_gym.verifiers.verus.interpreter.values import Contradiction, Unknown, Value, limits, stripped
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.tree import Expr


@evaluates(tree.Unary)
def unary(frame: Frame, node: tree.Unary) -> Value:
    """``-e``, ``!e``, ``*e``."""
    if node.op == "*":
        return frame.raw(node.operand)
    type = stripped(node.type)
    if node.op == "!":
        value = frame.value(node.operand)
        if isinstance(value, bool):
            return not value
        bounds = limits(type)
        if bounds is None:
            raise Unknown("`!` of this type")
        return ~value if type.name in SIGNED else bounds[1] - value
    if isinstance(node.operand, tree.IntLit):
        return -node.operand.value
    value = frame.value(node.operand)
    return -value if node.ghost else arithmetic.fitting(-value, type, "arithmetic overflow", node.place)


@evaluates(tree.Borrow)
def borrow(frame: Frame, node: tree.Borrow) -> Value:
    """``&e`` is the value, since values never change; ``&mut e`` is a place."""
    return place(frame, node.operand) if node.mutable else frame.value(node.operand)


@evaluates(tree.Binary)
def binary(frame: Frame, node: tree.Binary) -> Value:
    """An infix operator."""
    if node.target is not None:
        return call_spec(frame, node.target, frame.all((node.left, node.right)))
    op = node.op
    match op:
        case "&&":
            return _and(frame, node.left, node.right)
        case "||":
            return _or(frame, node.left, node.right)
        case "==>":
            return _implies(frame, node.left, node.right)
        case "<==":
            return _implies(frame, node.right, node.left)
    left = frame.value(node.left)
    right = frame.value(node.right)
    if op in ("==", "===", "=~=", "=~~=", "<==>"):
        return same(left, right)
    if op in ("!=", "!==", "!~=", "!~~="):
        return not same(left, right)
    if op in arithmetic.COMPARE:
        return arithmetic.COMPARE[op](left, right)
    if isinstance(left, bool):
        return {"&": left and right, "|": left or right, "^": left != right}[op]
    type = stripped(node.left.type)
    if not is_integer(type):
        raise Unknown(f"`{op}` on `{type}`")
    if node.ghost:
        return arithmetic.mathematical(op, left, right, type)
    return arithmetic.compiled(op, left, right, type, node.place)


def same(left: Value, right: Value) -> bool:
    """Return whether two values are equal; ghost functions are only if they are one."""
    if callable(left) or callable(right):
        if left is right:
            return True
        raise Unknown("equality of functions")
    return bool(left == right)


def _tried(frame: Frame, node: Expr, *, guarded: bool = True) -> bool | None:
    """Return a truth value, None where it is not known; in compiled code nothing is unknown.

    Behind a guard that is itself not known (``guarded`` False), recursion may lead anywhere and says nothing.
    """
    if not node.ghost:
        return bool(frame.value(node))
    try:
        return bool(frame.value(node))
    except Unknown:
        return None
    except Contradiction:
        if guarded:
            raise
        return None


def _and(frame: Frame, left: Expr, right: Expr) -> bool:
    first = _tried(frame, left)
    if first is False:
        return False
    second = _tried(frame, right, guarded=first is not None)
    if second is False:
        return False
    if first is None or second is None:
        raise Unknown("a conjunction")
    return True


def _or(frame: Frame, left: Expr, right: Expr) -> bool:
    first = _tried(frame, left)
    if first:
        return True
    second = _tried(frame, right, guarded=first is not None)
    if second:
        return True
    if first is None or second is None:
        raise Unknown("a disjunction")
    return False


def _implies(frame: Frame, left: Expr, right: Expr) -> bool:
    first = _tried(frame, left)
    if first is False:
        return True
    second = _tried(frame, right, guarded=first is not None)
    if second:
        return True
    if first is None or second is None:
        raise Unknown("an implication")
    return False


@evaluates(tree.BigLogic)
def big_logic(frame: Frame, node: tree.BigLogic) -> Value:
    """``&&& a &&& b`` and ``||| a ||| b``."""
    deciding = node.op == "|||"
    found: list[bool | None] = []
    for operand in node.operands:
        value = _tried(frame, operand, guarded=None not in found)
        if value is deciding:
            return deciding
        found.append(value)
    if None in found:
        raise Unknown("a list of conditions")
    return not deciding


@evaluates(tree.Chain)
def chain(frame: Frame, node: tree.Chain) -> Value:
    """``a <= b < c``."""
    values = frame.all(node.operands)
    return all(
        left == right if op == "==" else arithmetic.COMPARE[op](left, right)
        for op, left, right in zip(node.ops, values, values[1:], strict=False)
    )


@evaluates(tree.Cast)
def cast(frame: Frame, node: tree.Cast) -> Value:
    """``e as T``."""
    return arithmetic.cast(frame.value(node.operand), stripped(node.type))
