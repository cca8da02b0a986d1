"""Which values are known to be the same after ``clone``."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.inference.body import Body
from rlvr_gym.verifiers.verus.inference.types import Type, is_integer


def same_when_cloned(body: Body, type: Type) -> bool:
    """Return whether ``clone`` of ``type`` is specified to return an equal value.

    Being Copy is not enough: nothing is said about the ``clone`` of tuples and of generic parameters, a type may have
    a ``clone`` of its own, and that of derived ones is specified since 2025 only.
    """
    name = type.name
    if is_integer(type) or name in ("bool", "char", "&"):
        return True
    if name in ("Option", "Box"):
        return same_when_cloned(body, type.args[0])
    if name == "array":
        return is_integer(type.args[0]) or type.args[0].name in ("bool", "char")
    derived = body.crate.derived.get(name, ())
    return body.crate.dialect == "current" and "Clone" in derived and "Copy" in derived
