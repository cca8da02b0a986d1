"""Inference over one function or constant: contract, then body."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.body import Body
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.inference.declare import Declarations
from rlvr_gym.verifiers.verus.inference.finish import finish
from rlvr_gym.verifiers.verus.inference.patterns import bind
from rlvr_gym.verifiers.verus.inference.types import BOOL, UNIT, Type
from rlvr_gym.verifiers.verus.syntax.tree import (
    BindPattern,
    Const,
    Function,
    Ghostness,
    Local,
    Parameter,
    VariantPattern,
)


def infer_function(function: Function, declarations: Declarations, crate: Crate) -> None:
    """Find the types of everything in ``function``, whose signature is known already.

    Raises:
        Rejected: a name or type is wrong.
        Unsupported: something is outside of the subset.
    """
    assert function.result_type is not None
    body = Body(declarations, crate, declarations.home(function), function, result=function.result_type)
    body.ghost = function.mode != "exec"
    _parameters(body, function)
    for clause in (*function.requires, *function.recommends):
        body.condition(clause)
    _result(body, function)
    for clause in function.ensures:
        body.condition(clause)
        # `#![trigger ..]` at the head of a clause of a broadcast function.
        for attribute in clause.attributes:
            for term in attribute.expressions:
                body.ghostly(term)
    for attribute in function.attributes:
        for term in attribute.expressions:
            body.ghostly(term)
    with body.scope():
        # The result has no name here.
        if function.result_local is not None:
            _close(body, function.result_local)
        if function.returns is not None:
            body.ghostly(function.returns, function.result_type)
        for measure in function.decreases:
            body.ghostly(measure)
        if function.when is not None:
            body.ghostly(function.when, BOOL)
        if function.body is not None:
            body.check(function.body, function.result_type)
    finish(body)


def infer_const(const: Const, declarations: Declarations, crate: Crate) -> None:
    """Find the types in a constant's value, whose declared type is known already."""
    assert const.found is not None
    body = Body(declarations, crate, declarations.home(const))
    body.ghost = const.mode in ("spec", "proof")
    if const.ensures:
        raise Unsupported("a constant with a contract", const.place)
    if const.value is not None:
        body.check(const.value, const.found)
    finish(body)


def _parameters(body: Body, function: Function) -> None:
    seen: set[str] = set()
    for item, type in zip(function.parameters, function.parameter_types, strict=True):
        own = _wrapped(item, type)
        if item.name != "_":
            if item.name in seen:
                raise Rejected(
                    f"identifier `{item.name}` is bound more than once in this parameter list", item.place
                )
            seen.add(item.name)
        item.local = body.declare(
            item.name, own, "parameter", item.place, mutable=item.mutable, ghostness=item.ghostness
        )
        if item.pattern is None:
            continue
        if own is type:
            bind(body, item.pattern, type, kind="parameter", ghostness=item.ghostness)
            repeated = seen & body.scopes[-1].keys() - {"_"}
            seen |= body.scopes[-1].keys()
            if len(repeated) > len(seen):
                raise Rejected("a name is bound more than once in this parameter list", item.place)
        else:
            item.pattern.type = type
            body.seen.append(item.pattern)
            inner = item.pattern.fields[0][1] if isinstance(item.pattern, VariantPattern) else None
            if isinstance(inner, BindPattern):
                inner.local, inner.type = item.local, own
                body.seen.append(inner)


def _wrapped(item: Parameter, type: Type) -> Type:
    """Return the type of the variable: of what is inside for ``Ghost(x): Ghost<T>``."""
    if item.pattern is not None and item.ghostness != "exec":
        name = "Ghost" if item.ghostness == "ghost" else "Tracked"
        if type.name != name:
            raise Rejected(f"mismatched types: expected `{type}`, found `{name}(..)`", item.place)
        return type.args[0]
    return type


def _result(body: Body, function: Function) -> None:
    """Open the result's name for the ``ensures`` clauses."""
    assert function.result_type is not None
    if function.result_pattern is not None:
        raise Unsupported("a result that is bound by a pattern", function.result_pattern.place)
    name = function.result_name
    if name is None or name == "_":
        if function.result_type == UNIT:
            return
        local = Local("", function.result_type, kind="result", unique="~result", place=function.place)
        body.seen.append(local)
        function.locals.append(local)
        function.result_local = local
        return
    if body.local(name) is not None:
        raise Rejected(f"the result `{name}` has the name of a parameter", function.place)
    ghostness: Ghostness = (
        "tracked" if function.result_tracked else "ghost" if function.mode != "exec" else "exec"
    )
    function.result_local = body.declare(
        name, function.result_type, "result", function.place, ghostness=ghostness
    )


def _close(body: Body, local: Local) -> None:
    """Make the result's name unknown again."""
    for scope in body.scopes:
        if scope.get(local.name) is local:
            del scope[local.name]
