"""The list of statements that grows while code is lowered."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rlvr_gym.verifiers.verus.core import (
    CallStep,
    Check,
    Expression,
    Havoc,
    Set,
    Statement,
    Var,
)
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.types import INT, Type, is_integer
from rlvr_gym.verifiers.verus.lowering.effects import assigned, diverges
from rlvr_gym.verifiers.verus.lowering.frame import Frame
from rlvr_gym.verifiers.verus.lowering.names import method_id, type_arguments
from rlvr_gym.verifiers.verus.lowering.operators import retyped
from rlvr_gym.verifiers.verus.lowering.patterns import Binding
from rlvr_gym.verifiers.verus.lowering.pure import Pure
from rlvr_gym.verifiers.verus.lowering.terms import names_in
from rlvr_gym.verifiers.verus.lowering.types import core_type, refuse_stored_references
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax.tree import Expr, Local

OVERFLOW = "possible arithmetic underflow/overflow"
DIVISION_BY_ZERO = "possible division by zero"
SHIFT = "possible bit shift underflow/overflow"
ASSERTION = "assertion failed"

# What a value of one type becomes where one of another is wanted, through which method of its own.
_COERCIONS = {("Vec", "slice"): "as_slice", ("array", "slice"): "as_slice", ("String", "str"): "as_str"}


class Steps(ABC):
    """Collects the statements of one body."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.pure = Pure(frame)
        self.out: list[Statement] = []
        self.declared: set[str] = set()
        """Names that have got a value so far."""
        self.ghost = False
        """Whether ghost code is being lowered: proof functions, proof blocks, ghost ``let``."""

    @abstractmethod
    def value(self, node: Expr) -> Expression:
        """Lower an expression's effects and return its value."""

    # ------------------------------------------------------------ writing statements

    def emit(self, step: Statement) -> None:
        """Add a statement, unless control never gets here."""
        if diverges(self.out):
            return
        match step:
            case Set() | Havoc():
                self.declared.add(step.name)
            case CallStep():
                self.declared.update(step.mutated.values())
                if step.result is not None:
                    self.declared.add(step.result)
        self.out.append(step)

    @contextmanager
    def inside(self) -> Iterator[list[Statement]]:
        """Collect statements in a list of their own."""
        outer, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = outer

    @contextmanager
    def ghosted(self) -> Iterator[None]:
        """Lower as ghost code."""
        before, self.ghost = self.ghost, True
        try:
            yield
        finally:
            self.ghost = before

    def set(self, name: str, value: Expression, place: Place) -> None:
        """Give a variable a value."""
        self.emit(Set(name, value, place=place))

    def check(self, condition: Expression, message: str, place: Place) -> None:
        """Add an obligation."""
        self.emit(Check(condition, message, place=place))

    def keep(self, value: Expression, place: Place) -> Expression:
        """Return a variable of its own with the present value of a term."""
        name = self.frame.fresh()
        self.set(name, value, place)
        return Var(name, type=value.type, place=place)

    def declare(self, local: Local, value: Expression, place: Place) -> None:
        """Give a new local its first value."""
        refuse_stored_references(local.type, place)
        name, type = self.frame.name(local), core_type(local.type)
        if value.type != type and diverges(self.out):
            # The value never comes.
            self.emit(Havoc(name, type, place=place))
            return
        self.set(name, self.coerced(value, type, place), place)

    def bind(self, bindings: Sequence[Binding], place: Place) -> None:
        """Give the variables of a pattern their values."""
        for local, value in bindings:
            self.declare(local, value, place)

    # ------------------------------------------------------------ values in order

    def values(self, nodes: Sequence[Expr]) -> list[Expression]:
        """Lower expressions from left to right and return their values."""
        found: list[Expression] = []
        for node in nodes:
            start = len(self.out)
            found.append(self.value(node))
            self.protect(found, len(found) - 1, start)
        return found

    def protect(self, values: list[Expression], count: int, start: int) -> None:
        """Keep the first ``count`` values apart from what the statements from ``start`` on have changed."""
        changed = assigned(self.out[start:])
        if not changed:
            return
        for position in range(count):
            value = values[position]
            if changed & names_in(value):
                name = self.frame.fresh()
                self.declared.add(name)
                self.out.insert(start, Set(name, value, place=value.place))
                values[position] = Var(name, type=value.type, place=value.place)
                start += 1

    def coerced(self, value: Expression, type: Type, place: Place) -> Expression:
        """Return a value where one of ``type`` is wanted: a vector as a slice, else of that type already."""
        if value.type == type or diverges(self.out):
            return value
        if type == INT and is_integer(value.type):
            return retyped(value, type)
        method = _COERCIONS.get((value.type.name, type.name))
        if method is None:
            raise Unsupported(f"a value of type `{value.type}` as `{type}`", place)
        return self.call_method(value.type, method, (value,), type, place)

    def call_method(
        self, owner: Type, name: str, arguments: tuple[Expression, ...], result: Type, place: Place
    ) -> Expression:
        """Call an exec method of a library type that has its owner's type parameters only."""
        made = self.frame.fresh()
        id = method_id(self.frame.crate, owner, name, place)
        self.emit(CallStep(id, type_arguments(owner), arguments, made, place=place))
        return Var(made, type=result, place=place)
