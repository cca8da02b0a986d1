"""Casts and assignments."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.body import Body, infers
from rlvr_gym.verifiers.verus.inference.operators import check_operands, no_reference, operand
from rlvr_gym.verifiers.verus.inference.types import UNIT, Type, is_integer, is_machine
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax.tree import (
    ArrayLit,
    Assign,
    Call,
    Cast,
    Expr,
    Field,
    Index,
    IntLit,
    MethodCall,
    PathExpr,
    StructLit,
    TupleExpr,
    Unary,
    View,
)


@infers(Cast)
def cast(body: Body, expr: Cast, expected: Type | None) -> Type:
    """``e as T``."""
    to = body.read_type(expr.to)
    if body.ghost:
        found = operand(body, expr.operand, "widen")
    else:
        # A bare number in front of `as` is of that type at once; a variable is not.
        bare = isinstance(expr.operand, IntLit | Unary) and is_machine(to)
        found = body.expr(expr.operand, to if bare else None)
    ghost = body.ghost
    body.checks.append(lambda: _castable(body, found, to, expr.place, ghost=ghost))
    return to


def _castable(body: Body, found: Type, to: Type, place: Place, *, ghost: bool) -> None:
    found, to = body.variables.resolved(found), body.variables.resolved(to)
    if to.name[0] == "'" or found.name[0] == "'":
        raise Unsupported(f"cast from `{found}` to `{to}`", place)
    if is_integer(to) and (is_integer(found) or found.name == "char"):
        if not ghost and not (is_machine(to) and (is_machine(found) or found.name == "char")):
            raise Rejected(f"non-primitive cast in compiled code: `{found}` as `{to}`", place)
        return
    if found == to and found.name == "char":
        return
    if to.name == "char" and (found.name == "u8" or (ghost and is_integer(found))):
        if found.name != "u8" and body.crate.dialect != "classic":
            raise Unsupported(f"cast from `{found}` to `{to}`", place)
        return
    if is_machine(to) and found.name == "bool" and not ghost:
        raise Unsupported(f"cast from `{found}` to `{to}`", place)
    if found.name in body.declarations.datatypes and not ghost:
        raise Unsupported(f"cast from `{found}` to `{to}`", place)
    raise Rejected(f"non-primitive cast: `{found}` as `{to}`", place)


@infers(Assign)
def assign(body: Body, expr: Assign, expected: Type | None) -> Type:
    """``target = value`` and ``target op= value``."""
    _check_place(expr.target)
    target = body.expr(expr.target)
    if expr.op is None:
        body.check(expr.value, target)
        return UNIT
    op = expr.op
    value = body.expr(expr.value, None if op in ("<<", ">>") else target)
    no_reference(body, target, expr.target.place)
    no_reference(body, value, expr.value.place)
    if op not in ("<<", ">>") and not body.variables.unify(value, target):
        body.mismatch(value, target, expr.value.place)
    body.checks.append(lambda: check_operands(body, op, target, expr.place))
    if op in ("<<", ">>"):
        body.checks.append(lambda: check_operands(body, op, value, expr.place))
    return UNIT


def _check_place(target: Expr) -> None:
    """Refuse an assignment to what is no place."""
    if isinstance(target, TupleExpr | StructLit | View | ArrayLit) or (
        isinstance(target, PathExpr) and target.segments[0].name == "_"
    ):
        raise Unsupported("an assignment that takes a value apart", target.place)
    inner: Expr = target
    while isinstance(inner, Field | Index):
        inner = inner.operand
    if not isinstance(inner, PathExpr | Unary | MethodCall | Call) or (
        inner is target and isinstance(inner, MethodCall | Call)
    ):
        raise Rejected("invalid left-hand side of assignment", target.place)
    if isinstance(inner, Unary) and inner.op != "*":
        raise Rejected("invalid left-hand side of assignment", target.place)
