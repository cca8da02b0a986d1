"""What one job shares: the solver's context, and the facts that come with each sort and function."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from rlvr_gym.verifiers.verus.core import Program
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.logic.z3api import Z3, Handle
from rlvr_gym.verifiers.verus.report import NOWHERE

_MOST_INLINED = 50_000


class OutOfTime(Exception):
    """The wall clock of the whole job ran out, or its memory."""

    def __init__(self, message: str = "out of time") -> None:
        super().__init__(message)


class Rewrap(Exception):
    """A trigger contains arithmetic: the job starts again with all sums wrapped, so that such triggers can match."""


@dataclass(eq=False)
class Node:
    """A sort or function with its facts. A query that reaches it gets the facts, and those of what they reach."""

    name: str
    build: Callable[[], list[Handle]] | None = None
    """Makes the facts when they are first needed; None: there are none."""
    owner: str | None = None
    """Id of the spec function whose definition this is: it may be hidden, or left out of a query."""
    guarded: bool = False
    """Whether the facts hold only where the owner is revealed, wherever this is asked."""
    key: tuple[object, ...] = ()
    """For a function: its id and type arguments, which triggers of axioms are compared with."""
    _facts: list[Handle] | None = None
    reaches: dict[Node, None] = field(default_factory=dict)

    def facts(self, world: World) -> list[Handle]:
        """Return the facts."""
        if self._facts is None:
            if self.build is None:
                self._facts = []
            else:
                outer, world.reached = world.reached, self.reaches
                try:
                    self._facts = self.build()
                finally:
                    world.reached = outer
        return self._facts


class World:
    """The state of one job.

    Args:
        program: What is verified.
        deadline: When the job must have ended, on `time.monotonic`.
        wrapped: Whether sums are applications that a trigger can name.
    """

    def __init__(self, program: Program, *, deadline: float, wrapped: bool = False) -> None:
        self.program = program
        self.z3 = Z3()
        self.deadline = deadline
        self.wrapped = wrapped
        self._inlined = 0
        self.reached: dict[Node, None] = {}
        """Where nodes go that the term under construction mentions."""

    def use(self, node: Node) -> None:
        """Note that what is being built mentions ``node``."""
        self.reached[node] = None

    def inlined(self) -> None:
        """Count one more call that is replaced by a body; chains of such bodies can double at every link.

        Raises:
            Unsupported: there are too many.
        """
        self._inlined += 1
        if self._inlined > _MOST_INLINED:
            raise Unsupported("inline functions unfold to too large a term", NOWHERE)

    def tick(self) -> None:
        """Raise when the time is over.

        Raises:
            OutOfTime: it is.
        """
        if time.monotonic() > self.deadline:
            raise OutOfTime
