"""Places: the variable that an expression stands for, and the way from it (fields, references, elements)."""

from __future__ import annotations

from dataclasses import dataclass

from rlvr_gym.verifiers.verus.inference.types import Type
from rlvr_gym.verifiers.verus.syntax.tree import Expr, Field, Index, Local, PathExpr, Unary

ELEMENT = "[]"
_POINTERS = ("&", "&mut", "Box")


@dataclass(frozen=True, slots=True)
class PlacePath:
    """``x``, ``x.f``, ``*x``, ``x.f[i].g``: a local and the steps from it.

    Steps: ``.name``, ``*&``, ``*&mut``, ``*Box`` (written or implied), ``[]``.
    """

    local: Local
    steps: tuple[str, ...] = ()

    @property
    def has_index(self) -> bool:
        """Whether an element of something is meant."""
        return ELEMENT in self.steps

    @property
    def behind_shared(self) -> bool:
        """Whether the way goes through ``&``, so that nothing there can change."""
        return "*&" in self.steps

    @property
    def behind_reference(self) -> bool:
        """Whether the way goes through a reference, so that what is there is somebody else's."""
        return "*&" in self.steps or "*&mut" in self.steps

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields on the way, up to the first element: what tells two places apart."""
        steps = self.steps[: self.steps.index(ELEMENT)] if self.has_index else self.steps
        return tuple(step for step in steps if step[0] == ".")

    def overlaps(self, other: PlacePath) -> bool:
        """Return whether changing the one may change the other."""
        if self.local is not other.local:
            return False
        mine, theirs = self.fields, other.fields
        shared = min(len(mine), len(theirs))
        return mine[:shared] == theirs[:shared]


def place_of(node: Expr) -> PlacePath | None:
    """Return the place that ``node`` stands for; None where it is a value of its own."""
    match node:
        case PathExpr(target=Local() as local):
            return PlacePath(local)
        case Field():
            base = place_of(node.operand)
            return None if base is None else step(base, node.operand.type, "." + node.name)
        case Index():
            base = place_of(node.operand)
            return None if base is None else step(base, node.operand.type, ELEMENT)
        case Unary(op="*"):
            base = place_of(node.operand)
            kind = node.operand.type.name if node.operand.type is not None else "&"
            return None if base is None else PlacePath(base.local, (*base.steps, "*" + kind))
        case _:
            return None


def step(base: PlacePath, type: Type | None, to: str) -> PlacePath:
    """Return the place one step on, through the references and boxes that are followed without being written."""
    steps = base.steps
    while type is not None and type.name in _POINTERS:
        steps = (*steps, "*" + type.name)
        type = type.args[0]
    return PlacePath(base.local, (*steps, to))


def reads_ghost_field(node: Field) -> bool:
    """Return whether ``node`` is a field that is declared ghost."""
    if node.target is None:
        return False
    fields = node.target.variant.fields
    return node.index < len(fields) and fields[node.index][2] != "exec"
