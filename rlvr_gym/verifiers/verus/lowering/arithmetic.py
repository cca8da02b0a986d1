"""Arithmetic of compiled code: the exact value, behind the obligations that make it the machine's."""

from __future__ import annotations

from typing import cast

from rlvr_gym.verifiers.verus.core import Expression, Operator
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.types import BOOL, CHAR, INT, SIGNED, Type, is_machine
from rlvr_gym.verifiers.verus.lowering.operators import arithmetic, comparison, logic, width
from rlvr_gym.verifiers.verus.lowering.places import Places
from rlvr_gym.verifiers.verus.lowering.steps import DIVISION_BY_ZERO, OVERFLOW, SHIFT
from rlvr_gym.verifiers.verus.lowering.terms import (
    bounds,
    choice,
    conjunction,
    equal,
    fits,
    integer,
    negation,
    op,
)
from rlvr_gym.verifiers.verus.report import Place


class Arithmetic(Places):
    """Applies operators of compiled code."""

    def machine(self, operator: str, left: Expression, right: Expression, place: Place) -> Expression:
        """Return the value of an arithmetic or bit operator, with its obligations in front."""
        type = left.type
        if type == BOOL:
            made = logic(operator, left, right, place)
            if made is not None:
                return made
        if self._is_ghost_number(type) and operator in ("+", "-", "*"):
            return op(cast("Operator", operator), left, right, type=INT, place=place)
        if not is_machine(type) or not is_machine(right.type):
            raise Unsupported(f"`{operator}` on `{type}` in compiled code", place)
        if operator in ("/", "%"):
            return self._division(operator, left, right, type, place)
        if operator in ("<<", ">>"):
            least = op("<=", integer(0, place=place), right, place=place)
            self.check(conjunction((least, op("<", right, width(type, place), place=place))), SHIFT, place)
        value = arithmetic(operator, left, right, type, place)
        if value is None:
            raise Unsupported(f"`{operator}` in compiled code", place)
        if operator in ("+", "-", "*"):
            self.check(fits(value, type, place), OVERFLOW, place)
        return value

    def negative(self, value: Expression, place: Place) -> Expression:
        """Return ``-value``, behind the obligation that it fits."""
        if value.type.name not in SIGNED:
            raise Unsupported(f"`-` on `{value.type}`", place)
        made = op("neg", value, type=value.type, place=place)
        self.check(fits(made, value.type, place), OVERFLOW, place)
        return made

    def _division(
        self, operator: str, left: Expression, right: Expression, type: Type, place: Place
    ) -> Expression:
        if type.name in SIGNED and self.frame.crate.dialect == "classic":
            raise Unsupported(f"`{operator}` on `{type}` in compiled code of the classic dialect", place)
        self.check(negation(equal(right, integer(0, place=place), place)), DIVISION_BY_ZERO, place)
        name = cast("Operator", operator)
        exact = op(name, left, right, type=type, place=place)
        if type.name not in SIGNED:
            return exact
        least, _ = bounds(type)
        lowest = equal(left, least, place)
        minus_one = equal(right, integer(-1, place=place), place)
        self.check(negation(conjunction((lowest, minus_one), place)), OVERFLOW, place)
        # The machine rounds towards zero, the mathematical operators keep the remainder from being negative.
        opposite = op("neg", left, type=INT, place=place)
        mirrored = op(name, opposite, right, type=INT, place=place)
        below = op("neg", mirrored, type=type, place=place)
        return choice(op("<=", integer(0, place=place), left, place=place), exact, below, type, place)

    def compared(self, operator: str, left: Expression, right: Expression, place: Place) -> Expression | None:
        """Return a comparison of compiled code; None for other operators.

        ``==`` runs the type's own code, which means equality for scalars and where it is derived on everything inside.
        """
        if operator in ("==", "!=") and not self._has_plain_equality(left.type):
            raise Unsupported(f"`{operator}` on `{left.type}` in compiled code", place)
        return comparison(operator, left, right, place)

    def _is_ghost_number(self, type: Type) -> bool:
        """Return whether a type is `int`, which Verus of 2024 let compiled code have: it computes exactly."""
        return type == INT and self.frame.crate.dialect == "classic"

    def _has_plain_equality(self, type: Type) -> bool:
        if is_machine(type) or type in (BOOL, CHAR) or self._is_ghost_number(type):
            return True
        if type.name in ("tuple", "Option"):
            return all(self._has_plain_equality(arg) for arg in type.args)
        crate = self.frame.crate
        return type.name in crate.datatypes_by_id and all(
            crate.has_trait(type, trait) for trait in ("PartialEq", "Structural")
        )
