"""What an answer can be besides a scalar: lists, tuples, sets, intervals, relations, matrices, ratios."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from rlvr_gym.verifiers.algebra.tree import Expr


@dataclass(frozen=True, slots=True)
class ListOf:
    """Items that stand beside each other without brackets: ``1, 2 and 3``."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class TupleOf:
    """Items in round brackets: a point, an ordered tuple, or an open interval; the reference decides."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class SetOf:
    """Items in curly brackets; none for the empty set."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class SetBuilder:
    r"""All ``element`` that meet ``condition``: ``\{x \mid x > 2\}``."""

    element: Node
    condition: Node


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval with at least one square bracket. ``[a, b]`` may also be meant as a list of two."""

    low: Expr
    high: Expr
    low_closed: bool
    high_closed: bool


@dataclass(frozen=True, slots=True)
class Brackets:
    """Items in square brackets that are no pair and no rows of a matrix: ``[1, 2, 3]``."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class NamedSet:
    """One of the usual sets of numbers."""

    name: Literal["R", "Z", "N", "Q", "C"]


@dataclass(frozen=True, slots=True)
class Union:
    """The union of at least two sets."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Intersection:
    """The intersection of at least two sets."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Minus:
    """``left`` without the elements of ``right``."""

    left: Node
    right: Node


Op: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">=", "in", "not in", "subset", "~", "approx", "equiv"]


@dataclass(frozen=True, slots=True)
class Relation:
    """``left op right``."""

    op: Op
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Chain:
    """At least three terms: ``a < b < c``; ``ops[k]`` stands between ``terms[k]`` and ``terms[k + 1]``."""

    terms: tuple[Node, ...]
    ops: tuple[Op, ...]


@dataclass(frozen=True, slots=True)
class Any:
    """Alternatives joined by "or"."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class All:
    """Relations of which all hold, joined by "and"; commas alone make a list."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows of equal length; a column vector has rows of one entry."""

    rows: tuple[tuple[Expr, ...], ...]


@dataclass(frozen=True, slots=True)
class Ratio:
    """``a : b : c``."""

    parts: tuple[Expr, ...]


Structure: TypeAlias = (
    ListOf
    | TupleOf
    | SetOf
    | SetBuilder
    | Interval
    | Brackets
    | NamedSet
    | Union
    | Intersection
    | Minus
    | Relation
    | Chain
    | Any
    | All
    | Matrix
    | Ratio
)
"""Anything that is no scalar."""

Node: TypeAlias = Expr | Structure
"""What ``parse`` returns."""
