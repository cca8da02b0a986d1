"""Sets of real numbers as unions of intervals, however they are written: intervals, inequalities, set differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias

from rlvr_gym.verifiers import algebra
from rlvr_gym.verifiers.algebra import (
    Add,
    All,
    Call,
    Chain,
    Const,
    Decision,
    Expr,
    Interval,
    ListOf,
    Mul,
    NamedSet,
    Node,
    Num,
    Outcome,
    Relation,
    SetBuilder,
    SetOf,
    Sym,
    TupleOf,
    tree,
)
from rlvr_gym.verifiers.answers.logic import every
from rlvr_gym.verifiers.answers.scalars import Rules, same_scalar

_MAX_PARTS: Final = 16
_INF: Final = Const("inf")
_MINUS_INF: Final = Mul((Num(Fraction(-1)), _INF))


@dataclass(frozen=True, slots=True)
class Piece:
    """One interval; an infinite end is open, and one number is an interval of itself."""

    low: Expr
    high: Expr
    low_closed: bool
    high_closed: bool


Pieces: TypeAlias = tuple[Piece, ...]
ALL: Final[Pieces] = (Piece(_MINUS_INF, _INF, False, False),)


class _Unclear(Exception):
    """No set of real numbers whose ends can be put in order."""


@dataclass(frozen=True, slots=True)
class Region:
    """Pieces in order, with the variable that an inequality names."""

    pieces: Pieces
    variable: str = ""


def region(node: Node) -> Region | None:
    """Return the set of real numbers that ``node`` describes, None when it describes none or too intricate a one."""
    try:
        variables: set[str] = set()
        pieces = _pieces(node, variables)
    except _Unclear:
        return None
    return Region(pieces, variables.pop() if variables else "") if len(variables) <= 1 else None


def same_region(gold: Region, answer: Region, rules: Rules) -> Decision:
    """Return whether two sets of real numbers are the same."""
    if not gold.pieces:
        return Decision(Outcome.DIFFERENT, "an empty interval")
    if gold.variable and answer.variable and gold.variable != answer.variable:
        return Decision(Outcome.DIFFERENT, f"{answer.variable} instead of {gold.variable}")
    if len(gold.pieces) != len(answer.pieces):
        return Decision(Outcome.DIFFERENT, f"{len(answer.pieces)} pieces, not {len(gold.pieces)}")
    for one, other in zip(gold.pieces, answer.pieces, strict=True):
        if (one.low_closed, one.high_closed) != (other.low_closed, other.high_closed):
            return Decision(Outcome.DIFFERENT, "an end is open in one and closed in the other")
    pairs = zip(gold.pieces, answer.pieces, strict=True)
    return every(
        _same_end(a, b, rules)
        for one, other in pairs
        for a, b in ((one.low, other.low), (one.high, other.high))
    )


def _same_end(gold: Expr, answer: Expr, rules: Rules) -> Decision:
    if algebra.infinite_sign(gold) or algebra.infinite_sign(answer):
        same = algebra.infinite_sign(gold) == algebra.infinite_sign(answer)
        return Decision(Outcome.SAME if same else Outcome.DIFFERENT, "an infinite end")
    return same_scalar(gold, answer, rules)


def _order(a: Expr, b: Expr) -> int:
    """Return -1, 0 or 1.

    Raises:
        _Unclear: when the order is not certain.
    """
    left, right = algebra.infinite_sign(a), algebra.infinite_sign(b)
    if left or right:
        return (left > right) - (left < right)
    if isinstance(a, Num) and isinstance(b, Num):
        return (a.value > b.value) - (a.value < b.value)
    order = algebra.compare(a, b)
    if order is None:
        raise _Unclear
    return order


def _pieces(node: Node, variables: set[str]) -> Pieces:
    if isinstance(node, NamedSet):
        if node.name != "R":
            raise _Unclear
        return ALL
    if isinstance(node, Interval):
        return _written(node.low, node.high, node.low_closed, node.high_closed)
    if isinstance(node, TupleOf):
        if len(node.items) != 2:
            raise _Unclear
        low, high = (_end(item) for item in node.items)
        return _written(low, high, False, False)
    if isinstance(node, SetOf):
        return _joined([Piece(end, end, True, True) for end in map(_end, node.items)])
    if isinstance(node, algebra.Union | algebra.Any):
        parts = [_pieces(part, variables) for part in node.parts]
        return _joined([piece for part in parts for piece in part])
    if isinstance(node, algebra.Intersection | All):
        common = ALL
        for part in node.parts:
            common = _common(common, _pieces(part, variables))
        return common
    if isinstance(node, algebra.Minus):
        return _common(_pieces(node.left, variables), _complement(_pieces(node.right, variables)))
    if isinstance(node, SetBuilder):
        return _builder(node, variables)
    if isinstance(node, Relation):
        return _relation(node.op, node.left, node.right, variables)
    if isinstance(node, Chain):
        common = ALL
        for op, left, right in zip(node.ops, node.terms, node.terms[1:], strict=False):
            common = _common(common, _relation(op, left, right, variables))
        return common
    raise _Unclear


def _builder(node: SetBuilder, variables: set[str]) -> Pieces:
    element, condition = node.element, node.condition
    if isinstance(condition, ListOf):
        condition = All(condition.items)
    pieces = _pieces(condition, variables)
    if isinstance(element, Relation) and element.op == "in" and element.right == NamedSet("R"):
        element = element.left
    if not isinstance(element, Sym) or not variables <= {element.name}:
        raise _Unclear
    # The letter is bound: it names nothing outside of the braces.
    variables.clear()
    return pieces


def _relation(op: str, left: Node, right: Node, variables: set[str]) -> Pieces:
    if isinstance(left, Sym):
        variables.add(left.name)
        if op == "in":
            return _pieces(right, set())
        if op == "not in":
            return _complement(_pieces(right, set()))
        return _half_line(op, _end(right))
    if isinstance(right, Sym):
        variables.add(right.name)
        return _half_line(_FLIPPED.get(op, op), _end(left))
    for one, other, sign in ((left, right, op), (right, left, _FLIPPED.get(op, op))):
        if isinstance(one, Call) and one.name == "abs" and sign in ("<", "<=", ">", ">="):
            return _distance(sign, one.args[0], _end(other), variables)
        if not isinstance(one, Mul) or len(one.factors) != 2:
            continue
        factor, letter = one.factors
        if isinstance(letter, Sym) and factor == Num(Fraction(-1)):
            variables.add(letter.name)
            return _half_line(_FLIPPED.get(sign, sign), tree.neg(_end(other)))
        if isinstance(letter, Sym) and isinstance(factor, Sym) and factor.name in _FUNCTIONS:
            variables.add(letter.name)
            return _half_line(sign, _end(other))
    raise _Unclear


def _distance(op: str, inner: Expr, radius: Expr, variables: set[str]) -> Pieces:
    """Return the numbers at most, or at least, ``radius`` away from a centre: ``|x - 2| < 3``."""
    terms = inner.terms if isinstance(inner, Add) else (inner,)
    letter, rest = terms[0], terms[1:]
    if not isinstance(letter, Sym) or len(rest) > 1 or _order(radius, Num(Fraction(0))) < 0:
        raise _Unclear
    variables.add(letter.name)
    shift: Expr = tree.neg(_end(rest[0])) if rest else Num(Fraction(0))
    near = op in ("<", "<=")
    closed = (op in ("<=", ">=")) == near
    ends = tree.add([shift, tree.neg(radius)]), tree.add([shift, radius])
    inside = _interval(*ends, closed, closed)
    return inside if near else _complement(inside)


_FUNCTIONS: Final = frozenset("fgh")
"""Letters whose product with another one is a function: the range of f is where f(x) lies."""
_FLIPPED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def _half_line(op: str, end: Expr) -> Pieces:
    if op == "=":
        return (Piece(end, end, True, True),)
    if op == "!=":
        return _complement((Piece(end, end, True, True),))
    if op in ("<", "<="):
        return _interval(_MINUS_INF, end, False, op == "<=")
    if op in (">", ">="):
        return _interval(end, _INF, op == ">=", False)
    raise _Unclear


def _end(node: Node) -> Expr:
    if not isinstance(node, Expr) or algebra.symbols(node):
        raise _Unclear
    return node


def _written(low: Expr, high: Expr, low_closed: bool, high_closed: bool) -> Pieces:
    """Return an interval as somebody wrote it: one whose ends are the wrong way round is no interval."""
    if _order(low, high) > 0:
        raise _Unclear
    return _interval(low, high, low_closed, high_closed)


def _interval(low: Expr, high: Expr, low_closed: bool, high_closed: bool) -> Pieces:
    _end(low)
    _end(high)
    # An infinite end is no number, however its bracket is written.
    piece = Piece(
        low,
        high,
        low_closed and not algebra.infinite_sign(low),
        high_closed and not algebra.infinite_sign(high),
    )
    order = _order(low, high)
    if order > 0 or (order == 0 and not (piece.low_closed and piece.high_closed)):
        return ()
    return (piece,)


def _joined(pieces: Sequence[Piece]) -> Pieces:
    """Return pieces in order, those that touch as one."""
    if len(pieces) > _MAX_PARTS:
        raise _Unclear
    left = list(pieces)
    found: list[Piece] = []
    while left:
        first = left.pop(_first(left))
        if not found or not _touch(found[-1], first):
            found.append(first)
            continue
        last = found[-1]
        order = _order(last.high, first.high)
        low_closed = last.low_closed or (first.low_closed and _order(last.low, first.low) == 0)
        high = last.high if order >= 0 else first.high
        closed = (
            last.high_closed or first.high_closed
            if order == 0
            else (last if order > 0 else first).high_closed
        )
        found[-1] = Piece(last.low, high, low_closed, closed)
    return tuple(found)


def _first(pieces: Sequence[Piece]) -> int:
    best = 0
    for at, piece in enumerate(pieces):
        order = _order(piece.low, pieces[best].low)
        if order < 0 or (order == 0 and piece.low_closed and not pieces[best].low_closed):
            best = at
    return best


def _touch(left: Piece, right: Piece) -> bool:
    order = _order(left.high, right.low)
    return order > 0 or (order == 0 and (left.high_closed or right.low_closed))


def _complement(pieces: Pieces) -> Pieces:
    found: list[Piece] = []
    low: Expr = _MINUS_INF
    low_closed = False
    for piece in pieces:
        found += _interval(low, piece.low, low_closed, not piece.low_closed)
        low, low_closed = piece.high, not piece.high_closed
    if not algebra.infinite_sign(low) or not pieces:
        found += _interval(low, _INF, low_closed, False)
    return tuple(found)


def _common(left: Pieces, right: Pieces) -> Pieces:
    if len(left) * len(right) > _MAX_PARTS**2:
        raise _Unclear
    found: list[Piece] = []
    for one in left:
        for other in right:
            low = _order(one.low, other.low)
            high = _order(one.high, other.high)
            low_closed = (
                one.low_closed and other.low_closed if low == 0 else (other if low < 0 else one).low_closed
            )
            high_closed = (
                one.high_closed and other.high_closed
                if high == 0
                else (one if high < 0 else other).high_closed
            )
            found += _interval(
                other.low if low < 0 else one.low,
                one.high if high <= 0 else other.high,
                low_closed,
                high_closed,
            )
    return _joined(found)
