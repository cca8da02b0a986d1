"""Structs and enums: finite in size, with a value to start from, and with derived traits that hold."""

from __future__ import annotations

from collections.abc import Iterator

import networkx as nx

from rlvr_gym.verifiers.verus.checks.walk import attribute
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate, own_type, variants
from rlvr_gym.verifiers.verus.inference.types import Type
from rlvr_gym.verifiers.verus.syntax.tree import Enum, Struct

_HEAP = frozenset(("Box", "Vec", "Seq"))
"""What keeps a type that contains itself finite in size."""
_INLINE = frozenset(("tuple", "array", "Option", "Result"))
_REFUSED_INSIDE = frozenset(
    ("Set", "ISet", "Map", "IMap", "Multiset", "spec_fn", "&", "&mut", "slice", "Ghost", "Tracked")
)
_IMPLIED_BY = {"Copy": "Clone", "Eq": "PartialEq", "Ord": "PartialOrd"}


def check_datatypes(crate: Crate) -> None:
    """Check the file's structs and enums.

    Raises:
        Rejected: infinite size, no base case, an unused parameter, or a derived trait that a field lacks.
        Unsupported: recursion through a type that the subset does not follow, references in fields, empty enums.
    """
    own = {datatype.id: datatype for datatype in crate.datatypes}
    graph = nx.DiGraph()
    graph.add_nodes_from(own)
    for datatype in crate.datatypes:
        for type in _fields(datatype):
            for mentioned in _mentioned(type):
                if mentioned.name in own:
                    graph.add_edge(datatype.id, mentioned.name)
    for datatype in crate.datatypes:
        _check_names(datatype)
        _check_parameters(datatype)
        _check_derives(crate, datatype)
        if isinstance(datatype, Enum) and not datatype.variants:
            raise Unsupported(f"the empty enum `{datatype.name}`", datatype.place)
        for type in _fields(datatype):
            if any(mentioned.name in ("&", "&mut") for mentioned in _mentioned(type)):
                raise Unsupported("references in the fields of a type", datatype.place)
    for group in nx.strongly_connected_components(graph):
        start = next(iter(group))
        if len(group) > 1 or graph.has_edge(start, start):
            _check_recursion(own, group)
    _check_base(crate, own)


def _fields(datatype: Struct | Enum) -> Iterator[Type]:
    for variant in variants(datatype):
        yield from variant.types


def _mentioned(type: Type) -> Iterator[Type]:
    yield type
    for argument in type.args:
        yield from _mentioned(argument)


def _check_names(datatype: Struct | Enum) -> None:
    for variant in variants(datatype):
        if "_" in (datatype.name, variant.name, *(name for name, _, _ in variant.fields)):
            raise Rejected("expected a name, found `_`", datatype.place)


def _check_parameters(datatype: Struct | Enum) -> None:
    used = {mentioned.name for type in _fields(datatype) for mentioned in _mentioned(type)}
    for generic in datatype.generics:
        if generic.kind == "lifetime":
            raise Unsupported("lifetimes of a type", datatype.place)
        if generic.kind == "type" and "'" + generic.name not in used:
            raise Rejected(f"type parameter `{generic.name}` is never used", generic.place)
    rejecting = attribute(datatype.attributes, "verifier::reject_recursive_types")
    marked = rejecting.arguments if rejecting is not None else ()
    for type in _fields(datatype):
        for name in _behind_arrows(type, False):
            if name not in marked:
                raise Rejected(
                    f"type parameter `{name}` must be marked reject_recursive_types to stand there",
                    datatype.place,
                )


def _behind_arrows(type: Type, behind: bool) -> Iterator[str]:
    """Yield the parameters that stand where a type may not contain itself: keys, and what functions take."""
    if behind and type.name[0] == "'":
        yield type.name[1:]
    for position, argument in enumerate(type.args):
        inside = (
            type.name in ("Set", "ISet", "Multiset")
            or (type.name in ("Map", "IMap") and position == 0)
            or (type.name == "spec_fn" and position < len(type.args) - 1)
        )
        yield from _behind_arrows(argument, behind or inside)


def _check_derives(crate: Crate, datatype: Struct | Enum) -> None:
    found = attribute(datatype.attributes, "derive")
    derived = set(found.arguments) if found is not None else set()
    derived = {name.rpartition("::")[2] for name in derived}
    has = derived | set(crate.derived.get(datatype.id, ()))
    for trait, needed in _IMPLIED_BY.items():
        if trait in derived and needed not in has:
            raise Rejected(f"`{datatype.name}` derives {trait} without {needed}", datatype.place)
    # A derived trait asks the same of each field; for parameters the derivation itself adds the bound.
    for trait in sorted(derived & {"Copy", "Clone", "PartialEq", "Eq"}):
        for type in _fields(datatype):
            assumed = Type(type.name, tuple(type.args), type.size)
            if not _has(crate, assumed, trait, own_type(datatype)):
                if trait == "Copy":
                    raise Rejected(f"a field of `{datatype.name}` is not Copy (type {type})", datatype.place)
                raise Unsupported(f"deriving {trait} over a field of type {type}", datatype.place)


def _has(crate: Crate, type: Type, trait: str, itself: Type) -> bool:
    if type == itself or type.name.startswith("'"):
        return True
    if type.name in ("Vec", "Box", "Option", "tuple", "array", "Result") and (
        trait != "Copy" or type.name not in _HEAP
    ):
        return all(_has(crate, argument, trait, itself) for argument in type.args)
    return crate.has_trait(type, trait)


def _check_recursion(own: dict[str, Struct | Enum], group: set[str]) -> None:
    """Check how the types of one group contain each other."""
    inline = nx.DiGraph()
    for id in group:
        datatype = own[id]
        for type in _fields(datatype):
            for name, boxed, refused in _occurrences(type, group, False, None):
                if refused is not None:
                    raise Unsupported(f"`{datatype.name}` contains itself through {refused}", datatype.place)
                if not boxed:
                    inline.add_edge(id, name)
            for mentioned in _mentioned(type):
                if mentioned.name in group and mentioned.args != own_type(datatype).args:
                    raise Unsupported(
                        f"`{datatype.name}` contains itself at other type arguments", datatype.place
                    )
    for loop in nx.strongly_connected_components(inline):
        start = next(iter(loop))
        if len(loop) > 1 or inline.has_edge(start, start):
            raise Rejected(f"recursive type `{own[start].name}` has infinite size", own[start].place)


def _occurrences(
    type: Type, group: set[str], boxed: bool, refused: str | None
) -> Iterator[tuple[str, bool, str | None]]:
    """Yield each mention of a type of the group: its name, whether it stands behind a pointer, what forbids it."""
    if type.name in group:
        yield type.name, boxed, refused
    inside = boxed or type.name in _HEAP
    if type.name in _REFUSED_INSIDE:
        refused = type.name
    elif type.name not in _HEAP | _INLINE:
        # The parameter of another type: how that type holds it is not followed.
        refused = type.name if type.args else refused
    for argument in type.args:
        yield from _occurrences(argument, group, inside, refused)


def _check_base(crate: Crate, own: dict[str, Struct | Enum]) -> None:
    """Check that each type has a value that needs no other value of its group."""
    grounded: set[str] = set()

    def is_grounded(type: Type) -> bool:
        if type.name in own:
            return type.name in grounded and all(is_grounded(argument) for argument in type.args)
        if type.name in ("Vec", "Seq", "Option", "Set", "Map", "Multiset", "spec_fn", "slice"):
            return True
        return all(is_grounded(argument) for argument in type.args)

    changed = True
    while changed:
        changed = False
        for datatype in own.values():
            if datatype.id in grounded:
                continue
            if any(all(is_grounded(type) for type in variant.types) for variant in variants(datatype)):
                grounded.add(datatype.id)
                changed = True
    for datatype in own.values():
        if datatype.id not in grounded:
            raise Rejected(
                f"`{datatype.name}` has no variant that does not contain `{datatype.name}` again",
                datatype.place,
            )
