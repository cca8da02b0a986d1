"""Calls of ``inline`` spec functions, replaced by their bodies: triggers are chosen in what is left."""

from __future__ import annotations

import dataclasses
from typing import TypeVar

from rlvr_gym.verifiers.verus.checks.walk import attribute, is_expression
from rlvr_gym.verifiers.verus.inference.crate import Crate, argument_map, type_parameters
from rlvr_gym.verifiers.verus.inference.types import Type, substituted
from rlvr_gym.verifiers.verus.syntax.tree import (
    Binary,
    Call,
    ConstRef,
    Expr,
    Function,
    FunctionRef,
    Index,
    Local,
    MethodCall,
    Node,
    PathExpr,
    VariantRef,
    View,
)

INLINE = "verifier::inline"
_DEEPEST = 32
"""Inline functions cannot be recursive; this only bounds how deep they may call each other."""
_N = TypeVar("_N")


def is_inline(function: Function) -> bool:
    """Return whether calls of ``function`` stand for its body."""
    return attribute(function.attributes, INLINE) is not None


def arguments_of(node: Call | MethodCall | Index | View) -> tuple[Expr, ...]:
    """Return a call's arguments in the order of the parameters, the receiver first."""
    match node:
        case Call():
            return node.arguments
        case MethodCall():
            return (node.receiver, *node.arguments)
        case Index():
            return (node.operand, node.index)
        case View():
            return (node.operand,)


def inlined(crate: Crate, node: Expr, depth: int = 0) -> Expr:
    """Return the body that a call of an inline function stands for; ``node`` itself where it is no such call.

    An operator on a type of the library is the call of its method: ``s + t`` is ``s.spec_add(t)``.
    """
    if isinstance(node, Binary) and node.target is not None:
        method = MethodCall(
            node.left,
            node.op,
            None,
            (node.right,),
            node.target,
            type=node.type,
            ghost=node.ghost,
            place=node.place,
        )
        node = dataclasses.replace(method, attributes=node.attributes)
    if not isinstance(node, Call | MethodCall | Index | View) or not isinstance(node.target, FunctionRef):
        return node
    if not is_inline(node.target.function):
        return node
    # Bodies of the library are inferred when they are asked for.
    function = crate.function(node.target.function.id)
    body = function.body
    if depth > _DEEPEST or body is None or body.statements or body.tail is None:
        return node
    values: dict[int, Expr] = {}
    for parameter, argument in zip(function.parameters, arguments_of(node), strict=True):
        if parameter.local is None:
            return node
        values[id(parameter.local)] = argument
    if len(node.target.type_arguments) != len(type_parameters(function)):
        return node
    types = argument_map(function, node.target.type_arguments)
    found = _Copy(values, types).of(body.tail)
    assert is_expression(found)
    return inlined(crate, found, depth + 1)


@dataclasses.dataclass(slots=True)
class _Copy:
    """Copies a body with its parameters and type parameters replaced."""

    values: dict[int, Expr]
    types: dict[str, Type]

    def of(self, value: _N) -> _N:
        """Return ``value`` with everything replaced that stands in it."""
        if isinstance(value, PathExpr) and isinstance(value.target, Local):
            return self.values.get(id(value.target), value)  # type: ignore[return-value]  # an expression for another
        if isinstance(value, Type):
            return substituted(value, self.types)  # type: ignore[return-value]  # Type for Type
        if isinstance(value, FunctionRef | VariantRef):
            arguments = tuple(substituted(type, self.types) for type in value.type_arguments)
            return dataclasses.replace(value, type_arguments=arguments)
        if isinstance(value, tuple):
            return tuple(self.of(item) for item in value)  # type: ignore[return-value]  # tuple for tuple
        if isinstance(value, Local | ConstRef) or not isinstance(value, Node):
            return value
        changes = {found.name: self.of(getattr(value, found.name)) for found in dataclasses.fields(value)}
        return dataclasses.replace(value, **changes)
