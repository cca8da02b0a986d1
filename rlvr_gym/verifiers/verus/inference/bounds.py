"""Limits on what is declared: the size of types, and parameters that nothing determines."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.types import WIDTHS, Type
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax.tree import Enum, Generic, Impl, Struct

MOST_PARTS = 500
"""How many parts a type may have: written with aliases or inferred, it can double with every step."""
RESERVED = frozenset(
    (*WIDTHS, "int", "nat", "bool", "char", "str", "f32", "f64", "Box", "Ghost", "Tracked", "Self", "!")
)
"""Names of built-in types, which a program may not give to anything of its own here."""
FREE_BOUNDS = frozenset(("Sized", "?Sized", "Send", "Sync", "Debug", "std::fmt::Debug"))
"""Bounds that every type of the subset has, or that mean nothing to a proof."""


def check_size(type: Type, place: Place) -> Type:
    """Return ``type``.

    Raises:
        Unsupported: it has too many parts.
    """
    if type.args and _parts(type, MOST_PARTS) < 0:
        raise Unsupported("type too large", place)
    return type


def check_value(type: Type, place: Place) -> Type:
    """Return ``type``, which a value of its own is to have: a slice or ``str`` stands behind a reference only.

    Raises:
        Rejected: its size is not known at compilation time.
        Unsupported: it has too many parts.
    """
    check_size(type, place)
    _sized(type, place)
    return type


def _sized(type: Type, place: Place) -> None:
    if type.name in ("slice", "str"):
        raise Rejected(f"the size for values of type `{type}` cannot be known at compilation time", place)
    for arg in type.args:
        if type.name in ("&", "&mut", "Box") and arg.name in ("slice", "str"):
            for inner in arg.args:
                _sized(inner, place)
        else:
            _sized(arg, place)


def _parts(type: Type, left: int) -> int:
    """Return what is left of ``left`` after counting the parts of ``type``; negative as soon as it is used up."""
    left -= 1
    for arg in type.args:
        if left < 0:
            break
        left = _parts(arg, left)
    return left


def check_parameters(datatype: Struct | Enum, types: list[Type]) -> None:
    """Refuse a parameter of a datatype that no field uses, and bounds on one.

    Raises:
        Rejected: it is unused.
        Unsupported: it has a bound, which every use of the type would have to satisfy.
    """
    used = {name for type in types for name in _mentioned(type)}
    for generic in datatype.generics:
        if generic.kind == "type" and generic.name not in used:
            raise Rejected(f"type parameter `{generic.name}` is never used", datatype.place)
        if any(bound not in FREE_BOUNDS for bound in generic.bounds) and generic.kind == "type":
            raise Unsupported(f"bound on the parameter `{generic.name}` of a type", datatype.place)


def check_constrained(impl: Impl, subject: Type) -> None:
    """Refuse an ``impl`` with a parameter that its type does not mention.

    Raises:
        Rejected: so the compiler says.
    """
    used = _mentioned(subject)
    for generic in impl.generics:
        if generic.kind != "lifetime" and generic.name not in used:
            raise Rejected(f"the type parameter `{generic.name}` is not constrained", impl.place)


# Traits of the standard library that a bound may name.
_TRAITS = FREE_BOUNDS | {
    "Clone",
    "Copy",
    "Default",
    "Eq",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Structural",
    "View",
}


def check_generics(generics: tuple[Generic, ...]) -> None:
    """Refuse two parameters of one name, and bounds by traits that are not known.

    Raises:
        Rejected: a name stands twice.
        Unsupported: a bound that may or may not be a trait.
    """
    names = [generic.name for generic in generics]
    for index, name in enumerate(names):
        if name in names[:index]:
            message = f"the name `{name}` is already used for a generic parameter"
            raise Rejected(message, generics[index].place)
        if name in RESERVED:
            raise Unsupported(f"a generic parameter named `{name}`", generics[index].place)
        if generics[index].kind == "const" and generics[index].bounds != ("usize",):
            raise Unsupported(f"generic constant `{name}` of a type other than usize", generics[index].place)
        for bound in generics[index].bounds:
            trait = bound.split("<", 1)[0].rpartition("::")[2].strip()
            if generics[index].kind == "type" and trait not in _TRAITS and not trait.startswith("'"):
                raise Unsupported(f"bound `{name}: {bound}`", generics[index].place)


def _mentioned(type: Type) -> set[str]:
    """Return the parameters that ``type`` is written with, constants included."""
    found = {type.name[1:]} if type.name[0] == "'" else set()
    if isinstance(type.size, str):
        found.add(type.size)
    return found.union(*map(_mentioned, type.args))
