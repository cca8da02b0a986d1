"""Measures: they must fall at every recursive call and with every turn of a loop."""

from __future__ import annotations

from collections.abc import Sequence

from rlvr_gym.verifiers.verus.inference.types import Type
from rlvr_gym.verifiers.verus.logic.terms import Theory
from rlvr_gym.verifiers.verus.logic.z3api import Handle

Measure = Sequence[tuple[Type, Handle]]


def falls(theory: Theory, new: Measure, old: Measure) -> Handle:
    """Return that ``new`` is below ``old``: lexicographically, over the shorter of the two.

    Where all shared parts are equal, the longer list is the lower one.
    """
    z3, heights = theory.world.z3, theory.heights
    shared = min(len(new), len(old))
    formula = z3.true if len(new) > len(old) else z3.false
    for (new_type, new_value), (old_type, old_value) in reversed(
        list(zip(new[:shared], old[:shared], strict=True))
    ):
        less = heights.less(new_type, new_value, old_type, old_value)
        if formula.value == z3.false.value:
            formula = less
        else:
            equal = heights.equal(new_type, new_value, old_type, old_value)
            formula = z3.or_(less, z3.and_(equal, formula))
    return formula
