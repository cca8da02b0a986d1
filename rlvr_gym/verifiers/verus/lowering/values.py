"""Values of constructs that mean the same in ghost and in compiled code once their parts are there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rlvr_gym.verifiers.verus.core import Construct, Expression, Lambda, Op, Var
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.crate import field_types
from rlvr_gym.verifiers.verus.inference.types import INT, NAT, Type, is_machine
from rlvr_gym.verifiers.verus.lowering.frame import Frame
from rlvr_gym.verifiers.verus.lowering.names import apply_method
from rlvr_gym.verifiers.verus.lowering.operators import arithmetic, comparison, logic
from rlvr_gym.verifiers.verus.lowering.patterns import projection
from rlvr_gym.verifiers.verus.lowering.terms import choice, integer, op
from rlvr_gym.verifiers.verus.lowering.types import core_type
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax import tree


def found(type: Type | None) -> Type:
    """Return the core type of a node that inference has been at."""
    assert type is not None, "inference left a node without a type"
    return core_type(type)


def callee_name(call: tree.Call) -> str:
    """Return the plain name that is called, or nothing."""
    return call.callee.segments[-1].name if isinstance(call.callee, tree.PathExpr) else ""


def operation(operator: str, left: Expression, right: Expression, type: Type, place: Place) -> Expression:
    """Return the mathematical value of a built-in operator."""
    made = logic(operator, left, right, place) or comparison(operator, left, right, place)
    made = made or arithmetic(operator, left, right, type, place)
    if made is None:
        raise Unsupported(f"`{operator}` on `{left.type}`", place)
    return made


def field_of(value: Expression, node: tree.Arrow | tree.Field) -> Expression:
    """Return a field of a value."""
    if node.target is not None:
        return projection(value, node.target.variant.name, node.index, found(node.type), node.place)
    if value.type.name != "tuple":
        raise Unsupported(f"field `{node.name}` of type `{value.type}`", node.place)
    if isinstance(value, Construct):
        return value.fields[node.index]
    return projection(value, "tuple", node.index, found(node.type), node.place)


def structure(node: tree.StructLit, values: dict[str, Expression], base: Expression | None) -> Expression:
    """Return a struct from its fields; those not written come from ``base``."""
    ref = node.target
    assert ref is not None
    type = found(node.type)
    fields: list[Expression] = []
    for number, (name, _, _) in enumerate(ref.variant.fields):
        value = values.get(name)
        if value is None:
            if base is None:
                raise Unsupported(f"struct without field `{name}`", node.place)
            value = projection(base, ref.variant.name, number, field_types(ref)[number], node.place)
        fields.append(value)
    return Construct(ref.variant.name, tuple(fields), type=type, place=node.place)


def repeated(frame: Frame, value: Expression, count: Expression, place: Place) -> Expression:
    """Return a sequence of ``count`` times the same value."""
    type = Type("Seq", (value.type,))
    element = Lambda(((frame.fresh(), INT),), value, type=Type("spec_fn", (INT, value.type)), place=place)
    return apply_method(frame.crate, type, "new", (count, element), type, place)


def listed(frame: Frame, items: Sequence[Expression], element: Type, place: Place) -> Expression:
    """Return a sequence as Verus knows a literal of compiled code: by a function from positions to values.

    It is not built from ghost operations, so equality with one that is has to be proved element by element.
    """
    type = Type("Seq", (element,))
    if not items:
        return apply_method(frame.crate, type, "empty", (), type, place)
    index = Var(frame.fresh(), type=INT, place=place)

    def between(start: int, end: int) -> Expression:
        if end - start == 1:
            return items[start]
        # Halves keep the term shallow, however long the list is.
        middle = (start + end) // 2
        below = op("<", index, integer(middle, place=place), place=place)
        return choice(below, between(start, middle), between(middle, end), element, place)

    lambda_type = Type("spec_fn", (INT, element))
    value = Lambda(((index.name, INT),), between(0, len(items)), type=lambda_type, place=place)
    return apply_method(frame.crate, type, "new", (integer(len(items), NAT, place), value), type, place)


def wrapping(name: str, left: Expression, right: Expression, type: Type, place: Place) -> Expression:
    """Return ``add(x, y)`` and the like: wrapping within a machine type, plain on ``int``."""
    if is_machine(type):
        operators: dict[str, Any] = {"add": "wrap+", "sub": "wrap-", "mul": "wrap*"}
    else:
        operators = {"add": "+", "sub": "-", "mul": "*"}
    return Op(operators[name], (left, right), type=type, place=place)
