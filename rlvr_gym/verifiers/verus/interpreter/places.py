"""Assignable places: a variable, a field, an element, read and replaced as a whole."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.interpreter.frame import Frame
from rlvr_gym.verifiers.verus.interpreter.values import (
    Data,
    Mapping,
    Panic,
    Reference,
    Unknown,
    Value,
    plain,
)
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.tree import Expr, Local


def place(frame: Frame, node: Expr) -> Reference:
    """Return the place that an expression names; a temporary value gets a place of its own."""
    match node:
        case tree.PathExpr(target=Local() as local):
            found = frame.values.get(local)
            return found if isinstance(found, Reference) else frame.local_reference(local)
        case tree.Unary(op="*") | tree.Borrow():
            return place(frame, node.operand)
        case tree.Field():
            return part(place(frame, node.operand), node.index)
        case tree.Index():
            outer = place(frame, node.operand)
            at = frame.value(node.index)
            index_of(plain(outer), at, node)
            return part(outer, at)
    found = frame.raw(node)
    return found if isinstance(found, Reference) else _temporary(found)


def part(outer: Reference, index: int) -> Reference:
    """Return the place of a field or element inside of another place."""

    def get() -> Value:
        value = plain(outer)
        return value.fields[index] if isinstance(value, Data) else value[index]

    def put(new: Value) -> None:
        value = plain(outer)
        items = value.fields if isinstance(value, Data) else value
        changed = (*items[:index], new, *items[index + 1 :])
        outer.set(Data(value.type, value.variant, changed) if isinstance(value, Data) else changed)

    return Reference(get, put)


def _temporary(value: Value) -> Reference:
    cell = [value]
    return Reference(lambda: cell[0], lambda new: cell.__setitem__(0, new))


def index_of(base: Value, at: Value, node: tree.Index) -> Value:
    """Return an element.

    Raises:
        Panic: there is none, in compiled code.
        Unknown: there is none, in a specification.
    """
    if isinstance(base, Mapping):
        found = base.to_dict()
        if at not in found:
            raise Unknown("a key without a value")
        return found[at]
    if not isinstance(base, tuple) or not isinstance(at, int):
        raise Unknown("index of this value")
    if 0 <= at < len(base):
        return base[at]
    if node.ghost:
        raise Unknown("index out of range")
    raise Panic("index out of bounds", node.place)
