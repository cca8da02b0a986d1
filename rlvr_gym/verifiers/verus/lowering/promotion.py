"""Where Verus proves ``==`` element by element: in what is asserted, in positive position."""

from __future__ import annotations

from dataclasses import replace

from rlvr_gym.verifiers.verus.core import Expression, LetIn, Op, Quantified
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.inference.types import Type
from rlvr_gym.verifiers.verus.lowering.types import is_builtin_extensional


def promoted(formula: Expression, crate: Crate) -> Expression:
    """Return the formula with each ``==`` between extensional values in positive position made ``=~=``."""
    match formula:
        case Op(op="==", operands=(left, _)) if is_extensional(left.type, crate):
            return replace(formula, op="=~=")
        case Op(op="and" | "or", operands=operands):
            return replace(formula, operands=tuple(promoted(operand, crate) for operand in operands))
        case Op(op="=>", operands=(left, right)):
            return replace(formula, operands=(left, promoted(right, crate)))
        case Op(op="ite", operands=(condition, then, otherwise)):
            return replace(formula, operands=(condition, promoted(then, crate), promoted(otherwise, crate)))
        case Quantified(kind="forall" | "exists"):
            return replace(formula, body=promoted(formula.body, crate))
        case LetIn():
            return replace(formula, body=promoted(formula.body, crate))
    return formula


def is_extensional(type: Type, crate: Crate) -> bool:
    """Return whether values of a type are equal when all their elements or fields are."""
    if is_builtin_extensional(type):
        return True
    datatype = crate.datatype(type.name)
    return datatype is not None and any(
        attribute.path == "verifier::ext_equal" for attribute in datatype.attributes
    )
