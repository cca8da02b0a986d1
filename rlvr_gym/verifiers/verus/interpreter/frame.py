"""The state of one call, and what all calls of a run share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.interpreter.values import OutOfSteps, Reference, Unknown, Value, plain
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.tree import Expr, Function, Local

Handler = Callable[["Frame", Any], Value]
HANDLERS: dict[type, Handler] = {}
"""For each kind of expression the function that evaluates it."""


def evaluates(*kinds: type) -> Callable[[Handler], Handler]:
    """Register a function as the one that evaluates expressions of ``kinds``."""

    def register(handler: Handler) -> Handler:
        for kind in kinds:
            HANDLERS[kind] = handler
        return handler

    return register


@dataclass(eq=False, slots=True)
class Machine:
    """What the calls of one run share."""

    crate: Crate
    left: int
    """Steps that may still be taken."""
    ghost_steps: int
    """Steps of one ghost expression: a specification may be slow to compute where the code is not."""
    ghost_left: int
    """Steps that all ghost expressions together may still take; the postcondition at the end gets its own."""
    checking: bool = True
    """Whether assertions, invariants and contracts of callees are looked at."""
    trusting: bool = True
    """Whether the library's contracts for compiled functions are left alone."""
    memo: dict[tuple[Any, ...], Value] = field(default_factory=dict)
    """Values of spec functions."""
    constants: dict[str, Value] = field(default_factory=dict)
    depth: int = 0

    def spend(self) -> None:
        """Take a step."""
        self.left -= 1
        if self.left < 0:
            raise OutOfSteps

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Compute something ghost, with steps of its own."""
        saved, allowed = self.left, min(self.ghost_steps, self.ghost_left)
        self.left = allowed
        try:
            yield
        except RecursionError:
            raise Unknown("nested too deeply") from None
        finally:
            self.ghost_left -= allowed - max(self.left, 0)
            self.left = saved


@dataclass(eq=False, slots=True)
class Frame:
    """One call: its variables, and the parameters' values at entry."""

    machine: Machine
    function: Function | None = None
    values: dict[Local, Value] = field(default_factory=dict)
    entry: dict[Local, Value] = field(default_factory=dict)
    at_exit: bool = False
    """Whether a postcondition is evaluated, where the values at exit exist."""

    def raw(self, node: Expr) -> Value:
        """Evaluate ``node``; a mutable reference stays one."""
        self.machine.spend()
        handler = HANDLERS.get(type(node))
        if handler is None:
            raise Unknown(type(node).__name__)
        return handler(self, node)

    def value(self, node: Expr) -> Value:
        """Evaluate ``node`` and look through references."""
        found = self.raw(node)
        return plain(found) if isinstance(found, Reference) else found

    def all(self, nodes: tuple[Expr, ...]) -> tuple[Value, ...]:
        """Evaluate ``nodes`` from left to right."""
        return tuple([self.value(node) for node in nodes])

    def holds(self, condition: Expr) -> bool | None:
        """Return whether a ghost condition holds here; None where that cannot be told."""
        try:
            with self.machine.aside():
                found = self.value(condition)
        except Unknown:
            return None
        return bool(found)

    def copy(self) -> Frame:
        """Return the frame as it is now: what a ghost function value sees later."""
        return Frame(self.machine, self.function, dict(self.values), self.entry, self.at_exit)

    def local_reference(self, local: Local) -> Reference:
        """Return a variable as a place."""
        values = self.values

        def get() -> Value:
            if local not in values:
                raise Unknown(f"`{local.name}` has no value here")
            return values[local]

        def put(value: Value) -> None:
            values[local] = value

        return Reference(get, put)


def callee_name(call: tree.Call) -> str:
    """Return the plain name that is called, or nothing."""
    return call.callee.segments[-1].name if isinstance(call.callee, tree.PathExpr) else ""
