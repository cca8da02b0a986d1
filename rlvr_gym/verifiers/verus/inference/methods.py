"""Calls of methods, indexing, views: what a name behind a dot stands for."""

from __future__ import annotations

from rlvr_gym.errors import did_you_mean
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.body import Body, dereferenced, infers
from rlvr_gym.verifiers.verus.inference.cloning import same_when_cloned
from rlvr_gym.verifiers.verus.inference.crate import names
from rlvr_gym.verifiers.verus.inference.paths import arguments_for, note_bounds, signature
from rlvr_gym.verifiers.verus.inference.types import Type, is_integer, substituted
from rlvr_gym.verifiers.verus.inference.visibility import check_visible
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax.tree import (
    Closure,
    Expr,
    Function,
    FunctionRef,
    Index,
    MethodCall,
    RangeExpr,
    Try,
    TypeExpr,
    View,
)

_MOST_STEPS = 16
"""How many references and boxes a receiver may be looked through."""
# Methods of traits that any type may have: their absence here says nothing about the real compiler.
_OF_TRAITS = frozenset(
    (
        "as_mut", "as_ref", "borrow", "borrow_mut", "clone", "clone_from", "cmp", "deep_view", "eq", "fmt", "from", "ge",
        "gt", "hash", "into", "into_iter", "le", "lt", "max", "min", "ne", "partial_cmp", "to_owned", "to_string", "try_into",
        "view",
    )
)  # fmt: skip


def find_method(
    body: Body, receiver: Type, name: str, place: Place, generics: tuple[TypeExpr, ...] | None = None
) -> FunctionRef | None:
    """Return the method ``name`` of ``receiver``, looked for through references, boxes and slices; None if none has it.

    Raises:
        Rejected: the type is not known yet, or what is found is private or outside of the macro.
    """
    type = body.known(receiver, place)
    if name == "clone" and type.name == "&" and body.head(type.args[0]).name == "&":
        raise Unsupported("a clone of a reference", place)
    for _ in range(_MOST_STEPS):
        if type.name[0] == "?" or (name == "clone" and type.name == "Box"):
            # A box has a `clone` of its own, which gives a box.
            return None
        candidates = body.declarations.method(type.name, name)
        fitting = [
            ref for item in candidates if (ref := _as_method(body, item, type, generics, place)) is not None
        ]
        if len(fitting) > 1:
            raise Unsupported(f"`{name}` is defined by several `impl`s that fit here", place)
        if fitting:
            ref = fitting[0]
            if ref.function.outside:
                raise Rejected(f"cannot call `{name}`, which stands outside of `verus!`", place)
            check_visible(body, ref.function, place)
            body.seen.append(ref)
            note_bounds(body, ref, place)
            return ref
        below = dereferenced(type)
        if below is None:
            return None
        type = body.known(below, place)
    raise Unsupported("a receiver behind very many references", place)


def _as_method(
    body: Body, function: Function, type: Type, generics: tuple[TypeExpr, ...] | None, place: Place
) -> FunctionRef | None:
    owner = function.owner
    if owner is None or not function.parameters or function.parameters[0].name != "self":
        return None
    if function.outside:
        return FunctionRef(function, ())
    assert owner.subject_type is not None
    outer = arguments_for(body, owner.generics)
    subject = substituted(owner.subject_type, dict(zip(names(owner.generics), outer, strict=True)))
    if not body.variables.attempt(subject, type):
        return None
    own: tuple[Type, ...]
    if generics is None:
        own = arguments_for(body, function.generics)
    else:
        own = tuple([body.read_type(item) for item in generics])
        if len(own) != len(names(function.generics)):
            message = (
                f"`{function.name}` takes {len(names(function.generics))} generic arguments, {len(own)} given"
            )
            raise Rejected(message, place)
    return FunctionRef(function, outer + own)


def ghost_twin(body: Body, ref: FunctionRef, place: Place) -> FunctionRef:
    """Return the spec function that a compiled one means in ghost code, or the function itself where it has none."""
    function = ref.function
    if function.mode != "exec":
        return ref
    for attribute in function.attributes:
        if attribute.path == "verifier::when_used_as_spec" and attribute.arguments:
            name = attribute.arguments[0].rpartition("::")[2]
            twin = _twin(body, function, name)
            if twin is None or twin.mode != "spec" or len(twin.parameters) != len(function.parameters):
                raise Rejected(f"`when_used_as_spec({name})`: no spec function of that name and shape", place)
            found = FunctionRef(twin, ref.type_arguments)
            body.seen.append(found)
            return found
    return ref


def _twin(body: Body, function: Function, name: str) -> Function | None:
    if function.owner is not None:
        for member in function.owner.items:
            if isinstance(member, Function) and member.name == name:
                return member
        return None
    found = body.declarations.names.find((name,), body.declarations.home(function).scope, "value")
    return found if isinstance(found, Function) else None


def check_arguments(
    body: Body, name: str, arguments: tuple[Expr, ...], parameters: tuple[Type, ...], place: Place
) -> None:
    """Infer the arguments of a call, closures last: what their parameters are may come from the others.

    Raises:
        Rejected: too many or too few.
    """
    if len(arguments) != len(parameters):
        raise Rejected(f"`{name}` takes {len(parameters)} arguments, {len(arguments)} given", place)
    late: list[tuple[Expr, Type]] = []
    for argument, parameter in zip(arguments, parameters, strict=True):
        if isinstance(argument, Closure):
            late.append((argument, parameter))
        else:
            body.check(argument, parameter)
    for argument, parameter in late:
        body.check(argument, parameter)


@infers(MethodCall)
def method_call(body: Body, expr: MethodCall, expected: Type | None) -> Type:
    """``e.name(args)``."""
    receiver = body.expr(expr.receiver)
    ref = find_method(body, receiver, expr.name, expr.place, expr.generics)
    if ref is None:
        return _built_in(body, expr, receiver)
    if body.ghost:
        ref = ghost_twin(body, ref, expr.place)
    expr.target = ref
    parameters, result = signature(body, ref)
    check_arguments(body, expr.name, expr.arguments, parameters[1:], expr.place)
    return result


def _built_in(body: Body, expr: MethodCall, receiver: Type) -> Type:
    """Return the type of the few methods that stand in no library file, and refuse all others."""
    type = body.peeled(receiver)
    if expr.name == "view" and not expr.arguments and _is_its_own_view(type):
        return type
    if expr.name == "clone" and not expr.arguments:
        if body.ghost:
            raise Rejected("cannot call the compiled function `clone` in ghost code", expr.place)
        return _clone(body, expr, body.head(receiver))
    shown = body.show(type)
    if type.name[0] == "?":
        raise Rejected(
            f"cannot call method `{expr.name}` on ambiguous numeric type `{{integer}}`", expr.place
        )
    own = type.name in body.declarations.datatypes
    if own and expr.name not in _OF_TRAITS:
        hint = did_you_mean(expr.name, body.declarations.method_names(type.name))
        raise Rejected(f"no method named `{expr.name}` found for `{shown}`.{hint}", expr.place)
    raise Unsupported(f"method `{expr.name}` of `{shown}`", expr.place)


def _clone(body: Body, expr: MethodCall, receiver: Type) -> Type:
    """Return what ``clone`` copies: the value behind one reference, or that reference if the value cannot be."""
    type = receiver
    while type.name == "&mut":
        type = body.head(type.args[0])
    if type.name == "&":
        below = body.head(type.args[0])
        own = below.name in body.declarations.datatypes
        if own and not body.crate.has_trait(below, "Clone", body.home.generics):
            return type
        type = below

    def check() -> None:
        found = body.variables.resolved(type)
        if not same_when_cloned(body, found):
            own = found.name in body.declarations.datatypes
            if own and not body.crate.has_trait(found, "Clone", body.home.generics):
                raise Rejected(f"no method named `clone` found for `{found}`", expr.place)
            raise Unsupported(f"`clone` of `{found}`", expr.place)

    body.checks.append(check)
    return type


def _is_its_own_view(type: Type) -> bool:
    return is_integer(type) or type.name in ("bool", "char") or type.name[0] == "?"


@infers(View)
def view(body: Body, expr: View, expected: Type | None) -> Type:
    """``e@``."""
    operand = body.expr(expr.operand)
    outermost = body.known(operand, expr.operand.place)
    inner = body.peeled(outermost)
    if inner.name in ("Ghost", "Tracked"):
        return inner.args[0]
    ref = find_method(body, operand, "view", expr.place)
    if ref is None:
        if _is_its_own_view(inner):
            return inner
        if inner.name in body.declarations.datatypes:
            raise Rejected(f"no method named `view` found for `{body.show(inner)}`", expr.place)
        raise Unsupported(f"`@` of `{body.show(inner)}`", expr.place)
    expr.target = ref
    return signature(body, ref)[1]


@infers(Index)
def index(body: Body, expr: Index, expected: Type | None) -> Type:
    """``e[i]``: ``spec_index`` in ghost code, the library's ``index`` in compiled code."""
    operand = body.expr(expr.operand)
    name = "spec_index" if body.ghost else "index"
    ref = find_method(body, operand, name, expr.operand.place)
    if ref is None or (not body.ghost and not ref.function.library):
        shown = body.show(body.peeled(operand))
        if body.peeled(operand).name in body.declarations.datatypes or is_integer(body.peeled(operand)):
            raise Rejected(f"cannot index into a value of type `{shown}`", expr.place)
        raise Unsupported(f"indexing into `{shown}`", expr.place)
    if isinstance(expr.index, RangeExpr):
        raise Unsupported("indexing by a range", expr.index.place)
    expr.target = ref
    parameters, result = signature(body, ref)
    check_arguments(body, name, (expr.index,), parameters[1:], expr.place)
    # In compiled code `v[i]` is the place itself, not the reference that the function returns.
    return result.args[0] if result.name == "&" and not body.ghost else result


@infers(Try)
def try_(body: Body, expr: Try, expected: Type | None) -> Type:
    """``e?``: the function's result must be an `Option` or `Result` too."""
    operand = body.known(body.expr(expr.operand), expr.operand.place)
    result = body.known(body.result, expr.place)
    if body.closures:
        raise Unsupported("`?` in a closure", expr.place)
    if operand.name not in ("Option", "Result"):
        raise Rejected(f"the `?` operator cannot be applied to `{body.show(operand)}`", expr.place)
    if result.name != operand.name:
        message = (
            f"the `?` operator on `{body.show(operand)}` in a function that returns `{body.show(result)}`"
        )
        raise Rejected(message, expr.place)
    if operand.name == "Result" and not body.variables.unify(operand.args[1], result.args[1]):
        raise Unsupported("`?` that converts the error", expr.place)
    return operand.args[0]
