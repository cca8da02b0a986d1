"""Operators. Compiled code makes both sides equal; ghost code keeps them apart and computes with mathematical integers."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.body import Arithmetic, Body, infers, sum_type
from rlvr_gym.verifiers.verus.inference.equality import check_compiled_equality, check_ghost_equality
from rlvr_gym.verifiers.verus.inference.methods import find_method
from rlvr_gym.verifiers.verus.inference.paths import signature
from rlvr_gym.verifiers.verus.inference.types import (
    BOOL,
    INT,
    NAT,
    SIGNED,
    WIDTHS,
    Type,
    is_integer,
    is_machine,
)
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax.tree import (
    BigLogic,
    Binary,
    BlockExpr,
    Borrow,
    Chain,
    Expr,
    IfExpr,
    IntLit,
    MatchExpr,
    Unary,
)

_LOGIC = frozenset(("&&", "||", "==>", "<==", "<==>"))
_EQUAL = frozenset(("==", "!="))
_SAME = frozenset(("===", "!==", "=~=", "!~=", "=~~=", "!=~=", "!=~~="))
_ORDER = frozenset(("<", "<=", ">", ">="))
# Types that compiled code may compare although they differ.
_COMPARED_ACROSS = frozenset(("String", "str", "Vec", "slice", "array"))
# The methods that ghost operators on other values than integers call.
_METHODS = {
    "+": "spec_add", "-": "spec_sub", "*": "spec_mul", "/": "spec_euclidean_div", "%": "spec_euclidean_mod",
    "<": "spec_lt", "<=": "spec_le", ">": "spec_gt", ">=": "spec_ge",
    "&": "spec_bitand", "|": "spec_bitor", "^": "spec_bitxor", "<<": "spec_shl", ">>": "spec_shr",
}  # fmt: skip


@infers(Binary)
def binary(body: Body, expr: Binary, expected: Type | None) -> Type:
    """Any infix operator but assignment."""
    op = expr.op
    if op in _LOGIC:
        body.check(expr.left, BOOL)
        body.check(expr.right, BOOL)
        return BOOL
    if op in _SAME:
        # These are functions of two parameters of one type.
        body.plain(expr.right, body.expr(expr.left))
        return BOOL
    return _ghost(body, expr) if body.ghost else _compiled(body, expr, expected)


# ---------------------------------------------------------------- compiled code


def _compiled(body: Body, expr: Binary, expected: Type | None) -> Type:
    op = expr.op
    if op in _EQUAL or op in _ORDER:
        left = body.expr(expr.left)
        right = body.expr(expr.right, left)
        if not body.variables.unify(right, left):
            kinds = {body.peeled(left).name, body.peeled(right).name}
            if kinds <= _COMPARED_ACROSS:
                raise Unsupported(f"`{op}` between `{body.show(left)}` and `{body.show(right)}`", expr.place)
            body.mismatch(right, left, expr.right.place)
        if op in _EQUAL:
            body.checks.append(lambda: check_compiled_equality(body, left, expr.place))
        else:
            body.checks.append(lambda: _ordered(body, left, expr.place))
        return BOOL
    if op in ("<<", ">>"):
        left = body.expr(expr.left, expected)
        right = body.expr(expr.right)
        body.checks.append(lambda: check_operands(body, op, left, expr.place))
        body.checks.append(lambda: check_operands(body, op, right, expr.place))
        return left
    left = body.expr(expr.left, expected)
    right = body.expr(expr.right, left)
    no_reference(body, left, expr.place)
    no_reference(body, right, expr.place)
    if not body.variables.unify(right, left):
        body.mismatch(right, left, expr.right.place)
    body.checks.append(lambda: check_operands(body, op, left, expr.place))
    return left


def no_reference(body: Body, type: Type, place: Place) -> None:
    """Refuse a reference as an operand of compiled arithmetic."""
    if body.head(type).name in ("&", "&mut"):
        raise Unsupported("arithmetic on references", place)


def _ordered(body: Body, type: Type, place: Place) -> None:
    found = body.variables.resolved(type)
    while found.name == "&":
        found = found.args[0]
    if is_integer(found) or found.name == "char":
        return
    raise Unsupported(f"comparison of `{found}` by order", place)


def check_operands(body: Body, op: str, type: Type, place: Place) -> None:
    """Refuse an operator of compiled code on a type that has none."""
    found = body.variables.resolved(type)
    if is_integer(found) or (op in ("&", "|", "^") and found.name == "bool"):
        return
    if found.name in ("bool", "char", "tuple", "str") or found.name in body.declarations.datatypes:
        raise Rejected(f"no implementation for `{found} {op} {found}`", place)
    raise Unsupported(f"operator `{op}` on `{found}`", place)


# ---------------------------------------------------------------- ghost code


def operand(body: Body, expr: Expr, how: str, expected: Type | None = None) -> Type:
    """Infer an operand of a ghost operator.

    A bare number in a sum or comparison is a ``nat`` (``widen``), one next to a bit operator a machine integer
    (``fixed``); elsewhere it takes the type that is asked for.
    """
    if isinstance(expr, IntLit) and expr.suffix is None:
        found = NAT if how == "widen" else body.variables.fresh("machine")
        expr.type, expr.ghost = found, True
        body.seen.append(expr)
        return found
    return body.expr(expr, expected)


def _ghost(body: Body, expr: Binary) -> Type:
    op = expr.op
    if op in _EQUAL:
        left, right = operand(body, expr.left, "widen"), operand(body, expr.right, "widen")
        body.checks.append(lambda: check_ghost_equality(body, expr, left, right))
        return BOOL
    if op in ("/", "%"):
        return _ghost_division(body, expr)
    how = "fixed" if op in ("&", "|", "^", "<<", ">>") else "widen"
    left = operand(body, expr.left, how)
    inner = body.peeled(body.known(left, expr.left.place))
    if inner.name[0] != "?" and not is_integer(inner) and inner.name not in ("char", "bool"):
        return _by_method(body, expr, left)
    if how == "widen" and inner.name[0] != "?":
        _ghost_number(body, op, inner, expr.left.place)
    right = operand(body, expr.right, how)
    if how == "fixed":
        return _ghost_bits(body, expr, inner, right)
    body.checks.append(lambda: _ghost_number(body, op, right, expr.right.place))
    if op in _ORDER:
        return BOOL
    if op == "-":
        return INT
    result = sum_type(inner, body.head(right)) if inner.name[0] != "?" else INT
    if result is None:
        result = body.fresh()
        body.waiting.append(Arithmetic(op, inner, right, result, expr.place))
    return result


def _ghost_division(body: Body, expr: Binary) -> Type:
    left = body.expr(expr.left)
    inner = body.peeled(body.known(left, expr.left.place))
    if inner.name[0] != "?" and not is_integer(inner):
        return _by_method(body, expr, left)
    right = body.expr(expr.right, inner)
    if not body.variables.unify(right, inner):
        body.mismatch(right, inner, expr.right.place)
    inner = body.head(inner)
    body.checks.append(lambda: _ghost_number(body, expr.op, inner, expr.left.place))
    if expr.op == "%":
        return inner
    if inner.name[0] == "?":
        raise Rejected("type annotations needed", expr.left.place)
    return INT if inner.name in SIGNED else inner


def _ghost_bits(body: Body, expr: Binary, left: Type, right: Type) -> Type:
    op = expr.op
    if op in ("<<", ">>"):
        body.checks.append(lambda: _ghost_number(body, op, right, expr.right.place))
    elif not body.variables.unify(right, left):
        body.mismatch(right, left, expr.right.place)
    body.checks.append(lambda: _bit_operand(body, op, left, expr.place))
    left = body.head(left)
    if left.name[0] != "?":
        return left
    # Both sides are bare numbers: what comes out is as open as they are until the end.
    result = body.fresh()
    body.waiting.append(Arithmetic(op, left, left, result, expr.place))
    return result


def _bit_operand(body: Body, op: str, type: Type, place: Place) -> None:
    found = body.variables.resolved(type)
    if not (is_machine(found) or (op == "^" and found.name == "bool")):
        raise Rejected(f"no method `{_METHODS[op]}` for `{found}`", place)


def _ghost_number(body: Body, op: str, type: Type, place: Place) -> None:
    found = body.variables.resolved(type)
    if not is_integer(found) and not (found.name == "char" and op in _ORDER):
        if found.name[0] == "'":
            raise Unsupported(f"operator `{op}` on a generic type", place)
        raise Rejected(f"no implementation for `{op}` with `{found}`", place)


def _by_method(body: Body, expr: Binary, left: Type) -> Type:
    """Return the type of an operator that is a method of the left side, as sequences and sets have them."""
    ref = find_method(body, left, _METHODS[expr.op], expr.left.place)
    if ref is None:
        shown = body.show(left)
        raise Rejected(f"no implementation for `{expr.op}` with `{shown}`", expr.place)
    parameters, result = signature(body, ref)
    if len(parameters) != 2:
        raise Rejected(f"`{_METHODS[expr.op]}` does not take one operand", expr.place)
    body.check(expr.right, parameters[1])
    expr.target = ref
    return result


@infers(Chain)
def chain(body: Body, expr: Chain, expected: Type | None) -> Type:
    """``a <= b < c``: integers of any types."""
    for item in expr.operands:
        found = operand(body, item, "widen")
        _check_chained(body, found, item.place)
    return BOOL


def _check_chained(body: Body, type: Type, place: Place) -> None:
    def check() -> None:
        found = body.variables.resolved(type)
        if not is_integer(found) and found.name != "char":
            raise Rejected(f"a chain of comparisons needs integers, found `{found}`", place)

    body.checks.append(check)


@infers(BigLogic)
def big_logic(body: Body, expr: BigLogic, expected: Type | None) -> Type:
    """``&&& a &&& b``."""
    for item in expr.operands:
        body.check(item, BOOL)
    return BOOL


# ---------------------------------------------------------------- one operand


@infers(Unary)
def unary(body: Body, expr: Unary, expected: Type | None) -> Type:
    """``-e``, ``!e``, ``*e``."""
    if expr.op == "*":
        found = body.known(body.expr(expr.operand), expr.operand.place)
        if found.name not in ("&", "&mut", "Box"):
            if found.name in ("Ghost", "Tracked", "Vec", "String"):
                raise Unsupported(f"`*` on `{body.show(found)}`", expr.place)
            raise Rejected(f"type `{body.show(found)}` cannot be dereferenced", expr.place)
        return found.args[0]
    literal = isinstance(expr.operand, IntLit)
    if literal:
        body.negated.add(expr.operand)
    if expr.op == "!":
        if literal:
            body.negated.discard(expr.operand)
        found = (
            operand(body, expr.operand, "fixed", expected)
            if body.ghost
            else body.expr(expr.operand, expected)
        )
        body.checks.append(lambda: _invertible(body, found, expr.place))
        return found
    if body.ghost:
        found = operand(body, expr.operand, "widen")
        if isinstance(expr.operand, IntLit) and expr.operand.suffix in WIDTHS:
            # A number with a suffix of compiled code keeps its type, and so does its negation.
            body.checks.append(lambda: _negatable(body, found, expr.place))
            return found
        inner = body.peeled(body.known(found, expr.operand.place))
        body.checks.append(lambda: _ghost_number(body, "-", inner, expr.place))
        return INT
    found = body.expr(expr.operand, expected)
    body.checks.append(lambda: _negatable(body, found, expr.place))
    return found


def _invertible(body: Body, type: Type, place: Place) -> None:
    found = body.variables.resolved(type)
    if not (found.name == "bool" or is_machine(found)):
        raise Rejected(f"cannot apply unary operator `!` to type `{found}`", place)


def _negatable(body: Body, type: Type, place: Place) -> None:
    found = body.variables.resolved(type)
    if found.name not in SIGNED and found != INT:
        raise Rejected(f"cannot apply unary operator `-` to type `{found}`", place)


@infers(Borrow)
def borrow(body: Body, expr: Borrow, expected: Type | None) -> Type:
    """``&e`` and ``&mut e``."""
    hint: Type | None = None
    if expected is not None:
        wanted = body.variables.head(expected)
        if wanted.name in ("&", "&mut"):
            hint = body.variables.head(wanted.args[0])
            if hint.name in ("slice", "str") or isinstance(expr.operand, BlockExpr | IfExpr | MatchExpr):
                # What is borrowed may as well be a vector or a string: the borrow is coerced, not the value.
                hint = None
    return Type("&mut" if expr.mutable else "&", (body.expr(expr.operand, hint),))
