"""Which types have the few traits that are understood: by nature, by derivation, or by a bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlvr_gym.verifiers.verus.inference.types import WIDTHS, Type
from rlvr_gym.verifiers.verus.syntax.tree import Generic

if TYPE_CHECKING:
    from rlvr_gym.verifiers.verus.inference.crate import Crate

DERIVABLE = frozenset(
    (
        "Clone",
        "Copy",
        "PartialEq",
        "Eq",
        "Structural",
        "StructuralEq",
        "Debug",
        "Hash",
        "Default",
        "PartialOrd",
        "Ord",
    )
)
"""Traits that ``#[derive(..)]`` may name; the first five mean something here."""

_SCALARS = frozenset((*WIDTHS, "int", "nat", "bool", "char"))
# What a bound also gives.
_IMPLIED = {"Copy": ("Clone",), "Eq": ("PartialEq",)}
# Library types that have a trait whenever their arguments do.
_BY_ARGUMENTS = {
    "Option": frozenset(("Copy", "Clone", "PartialEq", "Eq", "Structural")),
    "Result": frozenset(("Copy", "Clone", "PartialEq", "Eq", "Structural")),
    "tuple": frozenset(("Copy", "Clone", "PartialEq", "Eq", "Structural")),
    "array": frozenset(("Copy", "Clone", "PartialEq", "Eq")),
    "Vec": frozenset(("Clone", "PartialEq", "Eq")),
    "Box": frozenset(("Clone", "PartialEq", "Eq")),
    "slice": frozenset(("PartialEq", "Eq")),
}
_ALWAYS = {
    "String": frozenset(("Clone", "PartialEq", "Eq")),
    "str": frozenset(("PartialEq", "Eq")),
    "Ghost": frozenset(("Copy", "Clone")),
    "&": frozenset(("Copy", "Clone")),
    "!": frozenset(("Copy", "Clone", "PartialEq", "Eq")),
}


def has_trait(crate: Crate, type: Type, trait: str, generics: tuple[Generic, ...] = ()) -> bool:
    """Return whether ``type`` has ``trait``; False also where that is merely not known."""
    name = type.name
    if name in _SCALARS:
        return True
    if name[0] == "'":
        return any(generic.name == name[1:] and _bounded(generic, trait) for generic in generics)
    if trait in _ALWAYS.get(name, ()):
        return True
    if name == "&" and trait in ("PartialEq", "Eq"):
        return has_trait(crate, type.args[0], trait, generics)
    if trait == "Clone" and f"{name}::clone" in crate.functions_by_id:
        return True
    if trait in _BY_ARGUMENTS.get(name, ()) or trait in crate.derived.get(name, ()):
        return all(has_trait(crate, arg, trait, generics) for arg in type.args)
    return False


def _bounded(generic: Generic, trait: str) -> bool:
    for bound in generic.bounds:
        name = bound.split("<", 1)[0].rpartition("::")[2].strip()
        if name == trait or trait in _IMPLIED.get(name, ()):
            return True
    return False
