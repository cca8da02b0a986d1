"""Calls: of functions, constructors, ghost function values, and of the functions that the language itself has."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.body import Body, infers
from rlvr_gym.verifiers.verus.inference.crate import field_types
from rlvr_gym.verifiers.verus.inference.known import BUILT_IN_FUNCTIONS, UNMODELLED_FUNCTIONS
from rlvr_gym.verifiers.verus.inference.methods import check_arguments, ghost_twin
from rlvr_gym.verifiers.verus.inference.paths import find_value, signature, unknown
from rlvr_gym.verifiers.verus.inference.types import Type, is_integer
from rlvr_gym.verifiers.verus.inference.visibility import check_fields_visible
from rlvr_gym.verifiers.verus.syntax.tree import Call, FunctionRef, PathExpr, VariantRef


@infers(Call)
def call(body: Body, expr: Call, expected: Type | None) -> Type:
    """``f(args)``."""
    callee = expr.callee
    if not isinstance(callee, PathExpr):
        return _value_call(body, expr)
    found = find_value(body, callee.segments, callee.place)
    if found is None:
        return _built_in(body, expr, callee, expected)
    target, type = found
    if isinstance(target, FunctionRef):
        return _function_call(body, expr, callee, target, expected)
    if isinstance(target, VariantRef) and type is not None:
        return _construct(body, expr, callee, target, type, expected)
    return _value_call(body, expr)


def _function_call(
    body: Body, expr: Call, callee: PathExpr, target: FunctionRef, expected: Type | None
) -> Type:
    if body.ghost:
        target = ghost_twin(body, target, expr.place)
    callee.target = expr.target = target
    callee.ghost = body.ghost
    parameters, result = signature(body, target)
    if expected is not None and target.type_arguments:
        _hint(body, result, expected)
    check_arguments(body, target.function.name, expr.arguments, parameters, expr.place)
    return result


def _construct(
    body: Body, expr: Call, callee: PathExpr, target: VariantRef, type: Type, expected: Type | None
) -> Type:
    if not target.variant.positional:
        raise Rejected(f"expected function, found `{target.variant.name}`", callee.place)
    callee.target = expr.target = target
    callee.ghost = body.ghost
    check_fields_visible(body, target.datatype, expr.place)
    if expected is not None and target.type_arguments:
        _hint(body, type, expected)
    check_arguments(body, target.variant.name, expr.arguments, field_types(target), expr.place)
    return type


def _hint(body: Body, result: Type, expected: Type) -> None:
    """Let the type that is asked for reach the arguments, unless a coercion may stand between."""
    wanted = body.variables.head(expected)
    if wanted.name in ("?", "&", "&mut") or wanted.name[0] == "?" or wanted.name != result.name:
        return
    if all(body.variables.head(arg).name not in ("&", "&mut") for arg in wanted.args):
        body.variables.attempt(result, wanted)


def _value_call(body: Body, expr: Call) -> Type:
    """Return the type of a call of a ghost function value."""
    found = body.peeled(body.known(body.expr(expr.callee), expr.callee.place))
    if found.name != "spec_fn":
        raise Rejected(f"expected function, found `{body.show(found)}`", expr.callee.place)
    check_arguments(body, "the function", expr.arguments, found.args[:-1], expr.place)
    return found.args[-1]


def _built_in(body: Body, expr: Call, callee: PathExpr, expected: Type | None) -> Type:
    """Return the type of a call of a function that the language has; the targets stay None."""
    name = callee.segments[-1].name
    arguments = expr.arguments
    if len(callee.segments) > 1:
        raise unknown(body, callee)
    if name in ("old", "final") and len(arguments) == 1:
        found = body.known(body.ghostly(arguments[0]), expr.place)
        if found.name != "&mut":
            raise Rejected(
                f"`{name}` needs a `&mut` parameter, found `{body.show(found)}`", arguments[0].place
            )
        return found
    if name in ("Ghost", "Tracked") and len(arguments) == 1:
        return Type(name, (body.ghostly(arguments[0]),))
    if name in ("add", "sub", "mul") and len(arguments) == 2:
        left = body.expr(arguments[0], expected)
        right = body.expr(arguments[1], left)
        if not body.variables.unify(right, left):
            body.mismatch(right, left, arguments[1].place)
        body.checks.append(lambda: _integers(body, name, left, expr))
        return left
    if name == "arbitrary" and not arguments:
        return body.fresh()
    if name in UNMODELLED_FUNCTIONS:
        raise Unsupported(f"`{name}`", expr.place)
    if name in BUILT_IN_FUNCTIONS:
        raise Rejected(f"`{name}`: wrong number of arguments", expr.place)
    raise unknown(body, callee)


def _integers(body: Body, name: str, type: Type, expr: Call) -> None:
    found = body.variables.resolved(type)
    if not is_integer(found):
        raise Rejected(f"`{name}` needs integers, found `{found}`", expr.place)
