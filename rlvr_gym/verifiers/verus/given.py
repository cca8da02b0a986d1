"""The items of a program by what they are called, and the names that they mention."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.printer import show
from rlvr_gym.verifiers.verus.syntax.walk import walk

Named = (
    tree.Function
    | tree.Struct
    | tree.Enum
    | tree.Const
    | tree.TypeAlias_
    | tree.Trait
    | tree.BroadcastItem
    | tree.OtherItem
)


@dataclass(frozen=True, slots=True)
class Key:
    """What one item is called: two items of a program with one key are duplicates."""

    module: str
    owner: str
    """The head of the ``impl`` that it stands in: ``impl<T> Trait for Type``."""
    space: str
    """``value``, ``type`` or the kind of what has no name."""
    name: str

    def __str__(self) -> str:
        parts = [self.module, self.owner.removeprefix("impl ") if self.owner else "", self.name]
        return "::".join(filter(None, parts))


@dataclass(frozen=True, slots=True)
class Entry:
    """An item with its key."""

    key: Key
    item: Named


def entries(items: Iterable[tree.Item], owner: str = "") -> Iterator[Entry]:
    """Yield the items that have a meaning of their own: modules and ``impl`` blocks are opened, ``use`` left out."""
    for item in items:
        if isinstance(item, tree.Mod):
            yield from entries(item.items)
        elif isinstance(item, tree.Impl):
            yield from entries(item.items, head(item))
        elif not isinstance(item, tree.Use):
            yield Entry(key(item, owner), item)


def head(item: tree.Impl) -> str:
    """Return an ``impl`` block without its items."""
    generics = f"<{', '.join(map(show, item.generics))}>" if item.generics else ""
    trait = f"{show(item.trait)} for " if item.trait is not None else ""
    return f"impl{generics} {trait}{show(item.subject)}"


def key(item: Named, owner: str) -> Key:
    """Return what ``item`` is called."""
    if isinstance(item, tree.Function | tree.Const):
        return Key(item.module, owner, "value", item.name)
    if isinstance(item, tree.BroadcastItem) and item.name is not None:
        return Key(item.module, owner, "value", item.name)
    if isinstance(item, tree.BroadcastItem | tree.OtherItem):
        return Key(item.module, owner, type(item).__name__, show(item))
    return Key(item.module, owner, "type", item.name)


@dataclass(frozen=True, slots=True)
class Mentions:
    """The names that a program leans on, bound variables left out."""

    names: frozenset[str]
    """Of items, as declared or as used in paths."""
    members: frozenset[str]
    """Of methods and fields."""


def mentioned(file: tree.File) -> Mentions:
    """Return the names that the items inside the macro lean on."""
    names: set[str] = set()
    members: set[str] = set()
    for item in file.items:
        if item.outside:
            continue
        used: set[str] = set()
        bound: set[str] = set()
        for node in walk(item):
            names |= _declared(node)
            members |= _members(node)
            used |= _used(node)
            bound |= _bound(node)
            if isinstance(node, tree.Call) and isinstance(node.callee, tree.PathExpr):
                names.add(node.callee.segments[-1].name)
        names |= used - bound
    return Mentions(frozenset(names), frozenset(members))


def _declared(node: tree.Node) -> set[str]:
    if isinstance(
        node, tree.Function | tree.Struct | tree.Enum | tree.Const | tree.Mod | tree.TypeAlias_ | tree.Trait
    ):
        return {node.name}
    if isinstance(node, tree.Variant):
        return {node.name}
    if isinstance(node, tree.Use):
        return {name for _, name in node.leaves}
    return set()


def _members(node: tree.Node) -> set[str]:
    if isinstance(node, tree.Field | tree.Arrow | tree.MethodCall | tree.Function):
        return {node.name}
    if isinstance(node, tree.StructLit | tree.VariantPattern):
        return {name for name, _ in node.fields}
    return set()


def _used(node: tree.Node) -> set[str]:
    if isinstance(node, tree.Segment):
        return {node.name}
    return {node.name} if isinstance(node, tree.MacroCall) else set()


def _bound(node: tree.Node) -> set[str]:
    if isinstance(node, tree.BindPattern | tree.Parameter | tree.Generic):
        return {node.name}
    if isinstance(node, tree.Function) and node.result_name is not None:
        return {node.result_name}
    return set()
