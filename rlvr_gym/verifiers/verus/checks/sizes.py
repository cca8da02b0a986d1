"""Slices and texts have no size of their own: they stand behind references only."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.errors import Rejected
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.inference.types import Type
from rlvr_gym.verifiers.verus.report import Place

_UNSIZED = frozenset(("slice", "str"))
_POINTERS = frozenset(("&", "&mut", "Box"))


def check_sizes(crate: Crate) -> None:
    """Check the types of variables and results.

    Raises:
        Rejected: a slice or a text by value.
    """
    for function in crate.functions:
        for type in function.parameter_types:
            _check(type, function.place)
        if function.result_type is not None:
            _check(function.result_type, function.place)
        for local in function.locals:
            _check(local.type, local.place)


def _check(type: Type, place: Place, *, behind: bool = False) -> None:
    if type.name in _UNSIZED and not behind:
        raise Rejected(
            f"the size of a value of type `{type}` is not known; it stands behind a reference", place
        )
    for argument in type.args:
        _check(argument, place, behind=type.name in _POINTERS)
