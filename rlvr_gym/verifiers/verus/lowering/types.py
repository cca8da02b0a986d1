"""Types as the core language has them: without references, boxes and ghost wrappers."""

from __future__ import annotations

from functools import lru_cache

from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.types import UNIT, Type
from rlvr_gym.verifiers.verus.report import Place

_WRAPPERS = frozenset(("&", "&mut", "Box", "Ghost", "Tracked"))
_EXTENSIONAL = frozenset(("Seq", "Set", "Map", "ISet", "IMap", "Multiset", "spec_fn", "array", "slice"))


@lru_cache(maxsize=4096)
def core_type(type: Type) -> Type:
    """Return a type as the logic sees it; a value that never comes is of type ``()``."""
    while type.name in _WRAPPERS:
        type = type.args[0]
    if type.name == "!":
        return UNIT
    if not type.args:
        return type
    return Type(type.name, tuple(core_type(arg) for arg in type.args), type.size)


@lru_cache(maxsize=4096)
def hides_mutable_reference(type: Type) -> bool:
    """Return whether a mutable reference stands anywhere in a type."""
    return type.name == "&mut" or any(hides_mutable_reference(arg) for arg in type.args)


def refuse_stored_references(type: Type, place: Place) -> None:
    """Raise where a value of ``type`` would hold a mutable reference.

    The lowering writes a mutable borrow back when the call that got it ends; a borrow that lives on in a variable or a
    result would be written back never.
    """
    if hides_mutable_reference(type):
        raise Unsupported(f"a mutable reference as a value (type `{type}`)", place)


def is_builtin_extensional(type: Type) -> bool:
    """Return whether ``==`` on a built-in core type may be proved element by element where it is asserted."""
    return type.name in _EXTENSIONAL or (type.name == "tuple" and bool(type.args))
