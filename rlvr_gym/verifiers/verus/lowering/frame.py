"""What the lowering of one function carries along: how its variables are called, and fresh names."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from rlvr_gym.verifiers.verus.core import Expression, Var
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.lowering.types import core_type
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax.tree import Function, Local

Moment = Literal["entry", "exit", "body"]
"""Whose values a parameter's name means: at entry (``requires``), at exit (``ensures``), or now."""


def final(name: str) -> str:
    """Return the name of a ``&mut`` parameter's value at exit, which in the body is its current value."""
    return name + "~final"


def current(name: str) -> str:
    """Return the name of the body's own copy of a ``mut`` parameter by value."""
    return name + "~now"


def is_borrowed(local: Local) -> bool:
    """Return whether a local is a ``&mut`` parameter."""
    return local.kind == "parameter" and local.type.name == "&mut"


@dataclass(eq=False)
class Frame:
    """The lowering of one function or constant."""

    crate: Crate
    function: Function | None = None
    replaced: dict[Local, Expression] = field(default_factory=dict)
    """Locals that stand for a term instead of a variable of their own name."""
    moment: Moment = "body"
    _made: int = 0

    def fresh(self) -> str:
        """Return a name that nothing else has."""
        self._made += 1
        return f"~{self._made}"

    def name(self, local: Local) -> str:
        """Return the name that holds a local's value now."""
        if is_borrowed(local):
            return final(local.unique)
        if local.kind == "parameter" and local.mutable and self.moment == "body":
            return current(local.unique)
        return local.unique

    def variable(self, local: Local, place: Place) -> Expression:
        """Return the value of a local at the present moment."""
        replaced = self.replaced.get(local)
        if replaced is not None:
            return replaced
        type = core_type(local.type)
        if not is_borrowed(local):
            return Var(self.name(local), type=type, place=place)
        if self.moment == "entry":
            return Var(local.unique, type=type, place=place)
        if self.moment == "exit" and self.crate.dialect == "current":
            raise Unsupported(f"`{local.name}` without old() or final() in a postcondition", place)
        return Var(final(local.unique), type=type, place=place)

    def at_entry(self, local: Local, place: Place) -> Expression:
        """Return what ``old(local)`` means."""
        if not is_borrowed(local):
            raise Unsupported(f"old() of `{local.name}`, which is not a mutable reference", place)
        return Var(local.unique, type=core_type(local.type), place=place)

    def at_exit(self, local: Local, place: Place) -> Expression:
        """Return what ``final(local)`` means."""
        if not is_borrowed(local) or self.moment != "exit":
            raise Unsupported(f"final({local.name}) here", place)
        return Var(final(local.unique), type=core_type(local.type), place=place)
