"""Runs of a function on chosen or random inputs, judged by its contract."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.interpreter import expressions, operators, quantifiers, statements
from rlvr_gym.verifiers.verus.interpreter.calls import (
    bind,
    contract_frame,
    defined,
    invoke,
    run_body,
    spec_value,
)
from rlvr_gym.verifiers.verus.interpreter.draw import Draw
from rlvr_gym.verifiers.verus.interpreter.frame import HANDLERS, Frame, Machine
from rlvr_gym.verifiers.verus.interpreter.values import (
    Contradiction,
    OutOfSteps,
    Panic,
    Reference,
    Unknown,
    Value,
)
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax.tree import Expr, Function, Local

# Importing these modules fills the table of handlers.
_PARTS = (expressions, operators, statements, quantifiers)
assert HANDLERS

_FRAMES = 20_000
"""Python calls inside of each other while a program runs; each call of the program needs about ten."""
_DRAWS = 40
"""Inputs drawn for each one that satisfies the precondition, at most."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A run on which something that the verifier vouches for is false."""

    function: str
    kind: str
    """``"postcondition not satisfied"``, ``"arithmetic overflow"``, ..."""
    place: Place
    arguments: tuple[Value, ...]

    def __str__(self) -> str:
        shown = ", ".join(map(str, self.arguments))
        return f"{self.function}({shown}): line {self.place.line}: {self.kind}"


@dataclass(frozen=True, slots=True)
class Tally:
    """What became of a number of runs."""

    runs: int
    """Runs that came to their end with a precondition that held."""
    unfinished: int
    """Runs that took too long or needed something that cannot be computed; they say nothing."""
    violations: tuple[Violation, ...]


class Interpreter:
    """Runs the functions of a checked program, straight from its annotated tree."""

    def __init__(
        self, crate: Crate, *, steps: int = 40_000, ghost_steps: int = 8_000, trusting: bool = True
    ) -> None:
        """Prepare to run.

        Args:
            crate: The program.
            steps: Expressions that the compiled code of one run may evaluate.
            ghost_steps: Expressions that one specification may evaluate.
            trusting: Whether the library's contracts for compiled functions are left alone.
        """
        self._crate = crate
        self._steps = steps
        self._ghost_steps = ghost_steps
        self._trusting = trusting

    def _machine(self, *, checking: bool) -> Machine:
        pool = 3 * self._ghost_steps
        return Machine(self._crate, self._steps, self._ghost_steps, pool, checking, self._trusting)

    def call(
        self, function: Function, arguments: Sequence[Value], *, checking: bool = False
    ) -> Value | Panic:
        """Return what a function returns, or how it stops.

        Mutable references are passed as `Reference`s. With ``checking``, assertions, invariants and the contracts of
        this function and of all that it calls are looked at.

        Raises:
            Contradiction: one of these is false.
            Unknown: the run takes too long, or something cannot be computed.
        """
        try:
            with _deep():
                return invoke(self._machine(checking=checking), function, arguments, function.place)
        except RecursionError:
            raise OutOfSteps from None
        except Panic as panic:
            return panic

    def spec(self, function: Function, arguments: Sequence[Value], *, by_definition: bool = False) -> Value:
        """Return the value of a spec function; ``by_definition`` also where the interpreter has its own for the library's.

        Raises:
            Unknown: it has none that can be computed.
        """
        ask = defined if by_definition else spec_value
        with _deep():
            return ask(self._machine(checking=False), function, tuple(arguments))

    def holds(self, condition: Expr, values: Mapping[Local, Value]) -> bool | None:
        """Return whether a ghost condition holds; None where that cannot be told."""
        with _deep():
            return Frame(self._machine(checking=False), values=dict(values), entry=dict(values)).holds(
                condition
            )

    def satisfies(self, function: Function, arguments: Sequence[Value]) -> bool | None:
        """Return whether arguments satisfy the precondition; None where that cannot be told."""
        frame = Frame(self._machine(checking=False), function)
        bind(frame, arguments)
        truths = []
        with _deep():
            for clause in function.requires:
                truth = frame.holds(clause)
                if truth is False:
                    return False
                truths.append(truth)
        return None if None in truths else True

    def tally(self, function: Function, rng: random.Random, tries: int, *, most: int = 3) -> Tally:
        """Run a function on up to ``tries`` random inputs that satisfy its precondition, until ``most`` went wrong."""
        runs = unfinished = 0
        found: list[Violation] = []
        for _ in range(tries):
            if len(found) >= most:
                break
            drawn = self._inputs(function, rng)
            if drawn is None:
                # Preconditions that random inputs hardly ever satisfy are not worth more draws.
                unfinished += 1
                if unfinished > 2 and not runs:
                    break
                continue
            try:
                result = self.call(function, _places(function, drawn), checking=True)
            except Contradiction as contradiction:
                found.append(Violation(function.id, contradiction.kind, contradiction.place, drawn))
            except Unknown:
                unfinished += 1
            else:
                runs += 1
                if isinstance(result, Panic):
                    found.append(Violation(function.id, result.message, result.place, drawn))
        return Tally(runs, unfinished, tuple(found))

    def judged(self, function: Function, rng: random.Random) -> tuple[bool | None, ...] | None:
        """Return which postconditions hold after one run on a random input; None where there was no such run."""
        drawn = self._inputs(function, rng)
        if drawn is None:
            return None
        machine = self._machine(checking=False)
        frame = Frame(machine, function)
        bind(frame, _places(function, drawn))
        try:
            with _deep():
                after = contract_frame(frame, run_body(frame))
                return tuple([after.holds(clause) for clause in function.ensures])
        except (Panic, Unknown, RecursionError):
            return None

    def _inputs(self, function: Function, rng: random.Random) -> tuple[Value, ...] | None:
        for _ in range(_DRAWS):
            draw = Draw(self._crate, rng)
            try:
                values = tuple([draw.value(type) for type in function.parameter_types])
            except Unknown:
                return None
            if self.satisfies(function, _places(function, values)):
                return values
        return None


def violations(crate: Crate, function: Function, rng: random.Random, tries: int) -> list[Violation]:
    """Return what random inputs find wrong with a function that the verifier has accepted."""
    return list(Interpreter(crate).tally(function, rng, tries).violations)


def _places(function: Function, values: Sequence[Value]) -> list[Value]:
    """Return the arguments with a place of its own for every mutable reference."""
    return [
        _cell(value) if type.name == "&mut" else value
        for value, type in zip(values, function.parameter_types, strict=True)
    ]


def _cell(value: Value) -> Reference:
    cell = [value]
    return Reference(lambda: cell[0], lambda new: cell.__setitem__(0, new))


@contextmanager
def _deep() -> Iterator[None]:
    """Allow as many calls inside of each other as running programs needs."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
