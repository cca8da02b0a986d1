"""What is worked out for a reference is kept: it is compared with many answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, TypeVar

from rlvr_gym.verifiers.algebra.tree import Expr, size

T = TypeVar("T")

_MAX_KEPT: Final = 4096
_MAX_NODES: Final = 64


class Kept(Generic[T]):
    """A function of an expression that remembers what it returned, by identity: to hash a tree takes as long as to compile it.

    Args:
        work: The function.
        fits: Whether a result is small enough to be kept. Large expressions never are.
    """

    def __init__(self, work: Callable[[Expr], T], fits: Callable[[T], bool]) -> None:
        self._work = work
        self._fits = fits
        # With the expression itself, so that its id stays its own.
        self._known: dict[int, tuple[Expr, T]] = {}

    def __call__(self, expr: Expr) -> T:
        """Return the result for ``expr``; exceptions pass and are not kept."""
        known = self._known.get(id(expr))
        if known is not None:
            return known[1]
        result = self._work(expr)
        if size(expr) <= _MAX_NODES and self._fits(result):
            if len(self._known) >= _MAX_KEPT:
                self._known.clear()
            self._known[id(expr)] = (expr, result)
        return result
