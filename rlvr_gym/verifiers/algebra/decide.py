"""Have two scalars the same value? Exactly, by residues, or by balls at keyed points; proven or left open."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from flint import acb

from rlvr_gym.verifiers.algebra.balls import Ball, evaluate, may_be_real
from rlvr_gym.verifiers.algebra.folding import UndefinedError
from rlvr_gym.verifiers.algebra.keys import Stream
from rlvr_gym.verifiers.algebra.points import Point, kinks, more_points, points
from rlvr_gym.verifiers.algebra.render import render
from rlvr_gym.verifiers.algebra.residues import (
    exact_equal,
    extent,
    fits_exact,
    fits_residues,
    residues_equal,
)
from rlvr_gym.verifiers.algebra.resolution import GUARD_BITS, UnresolvedError, depth, magnitude
from rlvr_gym.verifiers.algebra.surds import kept_surd, surd
from rlvr_gym.verifiers.algebra.tape import Compiler, Tape, started
from rlvr_gym.verifiers.algebra.towers import double_log
from rlvr_gym.verifiers.algebra.tree import Const, Expr, Mul, Num, walk
from rlvr_gym.verifiers.calculus.precision import ball_precision

_MAX_BITS: Final = 4096
_PLAUSIBLE_BITS: Final = 1024
_PLAUSIBLE_SHARE: Final = 1 << 64
_BUDGET: Final = 60_000.0
"""Cost after which a pair is left open; a unit is about a microsecond."""
_OUT_OF_REACH: Final = 50.0
"""Of numbers above 2 to the power of 2 to the power of this no ball is finite, nor compared."""
_ANALYTIC_POINTS: Final = 2
"""Agreeing points for functions without branches and kinks: where one vanishes is known to nobody."""
_POINTS: Final = 3
"""Agreeing points for others, besides which all further points must not disagree."""


class Outcome(enum.StrEnum):
    """What is known of a pair."""

    SAME = "same"
    DIFFERENT = "different"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Decision:
    """An outcome with its reason, which begins with a short code."""

    outcome: Outcome
    reason: str


def same(a: Expr, b: Expr, *, key: str) -> Decision:
    """Return whether two scalars are the same number, or the same function of their symbols.

    Functions are compared where both are real; where that is nowhere, by their principal values. An isolated point
    at which one of them is undefined does not count, so ``(x^2 - 1)/(x - 1)`` is ``x + 1``; what has no value at
    all, such as ``1/0``, is different from everything.

    Args:
        a: One scalar.
        b: The other; the order does not matter.
        key: What fixes the random points and primes: the texts of both.
    """
    if (infinity := _infinite(a, b)) is not None:
        return infinity
    left_form = kept_surd(a)
    right_form = None if left_form is None else surd(b)
    if left_form is not None and right_form is not None:
        rational = left_form.keys() | right_form.keys() <= {1}
        return _decision(
            left_form == right_form, f"exact: {'rational numbers' if rational else 'square roots'}"
        )
    try:
        compiler, first = started(a)
        roots = first, compiler.add(b)
    except UndefinedError as error:
        return Decision(Outcome.DIFFERENT, f"undefined: {error}")
    tape = compiler.tape
    left, right = tape.values[roots[0]], tape.values[roots[1]]
    if left is not None and right is not None:
        return _decision(bool(left == right), "exact: rational numbers")
    stream = Stream(key)
    if tape.rational:
        size = extent(tape, roots)
        if fits_exact(size):
            equal, how = exact_equal(tape, roots, stream), "exact: rational functions at a random point"
        elif fits_residues(tape, size):
            equal, how = residues_equal(tape, roots, stream), "residues: modulo two random primes"
        else:
            equal, how = None, ""
        if equal is not None:
            return _decision(equal, how)
        if how:
            return Decision(Outcome.DIFFERENT, "undefined: a division by 0")
    judge = _Judge(tape, roots)
    decision = judge.functions(stream) if tape.symbols else judge.constants()
    if decision.outcome is Outcome.OPEN and roots[0] == roots[1] and (judge.seen or _surely_positive(a)):
        return Decision(Outcome.SAME, "identical: the same formula")
    if decision.outcome is Outcome.OPEN and not tape.symbols and (_dwarfs(a, b) or _dwarfs(b, a)):
        return Decision(Outcome.DIFFERENT, "sizes: one of them is larger than any ball")
    return decision


def is_undefined(expr: Expr) -> bool:
    """Return whether a scalar has no value wherever it is looked at, such as ``1/(x - x)``; infinity is a value."""
    if infinite_sign(expr) or kept_surd(expr) is not None:
        return False
    try:
        compiler, _ = started(expr)
    except UndefinedError:
        return True
    # Balls do not show it: what no ball holds may have a value.
    return compiler.tape.rational and same(expr, expr, key="undefined").outcome is Outcome.DIFFERENT


def _dwarfs(large: Expr, small: Expr) -> bool:
    """Return whether the size of one number is certainly beyond ``2^2^50``, and that of the other far below."""
    least = double_log(large)
    if least is None or least < _OUT_OF_REACH:
        return False
    other = ball(small, 128)
    return other is not None and magnitude(other) < 2.0 ** (_OUT_OF_REACH - 1)


def _decision(equal: bool, how: str) -> Decision:
    return Decision(Outcome.SAME if equal else Outcome.DIFFERENT, how)


def infinite_sign(expr: Expr) -> int:
    """Return 1 for infinity, -1 for its negative, 0 for everything else."""
    if type(expr) is Const and expr.name == "inf":
        return 1
    if type(expr) is Mul and len(expr.factors) == 2 and type(expr.factors[0]) is Num:
        first, second = expr.factors
        if type(second) is Const and second.name == "inf" and first.value:  # type: ignore[union-attr]
            return 1 if first.value > 0 else -1  # type: ignore[union-attr]
    return 0


def _infinite(a: Expr, b: Expr) -> Decision | None:
    left, right = infinite_sign(a), infinite_sign(b)
    if not left and not right:
        return None
    return _decision(left == right, "exact: infinity")


def _surely_positive(expr: Expr) -> bool:
    """Return whether ``expr`` is a tower of positive numbers, defined although no ball can hold it."""
    for node in walk(expr):
        kind = type(node).__name__
        if kind == "Num":
            if node.value <= 0:  # type: ignore[union-attr]
                return False
        elif kind == "Call":
            if node.name != "factorial":  # type: ignore[union-attr]
                return False
        elif kind not in ("Add", "Mul", "Pow", "Based"):
            return False
    return True


class _At(enum.IntEnum):
    """What is known at one point; whole numbers, because they are counted often."""

    AGREE = 0
    AGREE_COMPLEX = 1
    DIFFER = 2
    DIFFER_COMPLEX = 3
    MISMATCH = 4
    """One is real, the other is not."""
    UNRESOLVED = 5
    """Both have values that overlap, but not all parts of them show."""
    UNKNOWN = 6


class _Judge:
    def __init__(self, tape: Tape, roots: tuple[int, int]) -> None:
        self._tape = tape
        self._roots = roots
        self._left = _BUDGET
        needed = tape.info_bits + GUARD_BITS + 24
        self._start = max(128, (needed + 63) // 64 * 64)
        # Of each minimum and maximum, whether the first and the second part has been the smaller one.
        self._sides: dict[int, set[bool]] = {
            slot: set()
            for slot, (_, a, b, extra) in enumerate(tape.steps)
            if extra in ("min", "max") and b >= 0 and (tape.varies[a] or tape.varies[b])
        } if tape.kinked else {}  # fmt: skip
        self.seen = False
        """Whether both had a value somewhere."""

    def at(self, point: Point) -> _At:
        """Compare at one point, at rising precision until all parts of both formulas show."""
        tape, (a, b) = self._tape, self._roots
        bits = self._start
        found = _At.UNKNOWN
        while bits <= _MAX_BITS and self._left > 0:
            self._left -= len(tape.steps) * (1 + (bits / 128) ** 1.3)
            with ball_precision(bits):
                values = evaluate(tape, [acb(x) for x in point])
                left, right = values[a], values[b]
                if left.is_finite() and right.is_finite():
                    self.seen = True
                    if not left.overlaps(right):
                        return _told_apart(left, right)
                    if self._resolved(values):
                        real = may_be_real(left) and may_be_real(right)
                        self._start = bits
                        self._look_at_sides(values)
                        return _At.AGREE if real else _At.AGREE_COMPLEX
                    found = _At.UNRESOLVED
            bits *= 3
        return found

    def _look_at_sides(self, values: list[Ball]) -> None:
        for slot, sides in self._sides.items():
            _, a, b, _ = self._tape.steps[slot]
            if values[a].real < values[b].real:
                sides.add(True)
            elif values[a].real > values[b].real:
                sides.add(False)

    def _resolved(self, values: list[Ball]) -> bool:
        tape, (a, b) = self._tape, self._roots
        try:
            depths = depth(tape, values, (a, b))
        except UnresolvedError:
            return False
        if (depths[0] < 0) != (depths[1] < 0):
            # One is 0, the other is not: a wide ball around the first says nothing of the second.
            return False
        need = tape.info_bits + GUARD_BITS
        for root, below in zip((a, b), depths, strict=True):
            if below >= 0 and values[root].rel_accuracy_bits() < below + need:
                return False
        return True

    def constants(self) -> Decision:
        """Decide a pair without symbols."""
        found = self.at([])
        if found in (_At.AGREE, _At.AGREE_COMPLEX):
            return Decision(Outcome.SAME, "balls: equal beyond chance")
        if found in (_At.UNKNOWN, _At.UNRESOLVED):
            return Decision(Outcome.OPEN, "balls: the precision does not show all of both numbers")
        return Decision(Outcome.DIFFERENT, "balls: disjoint")

    def functions(self, stream: Stream) -> Decision:
        """Decide a pair with symbols."""
        tape = self._tape
        analytic = not (tape.branched or tape.kinked or tape.piecewise or tape.whole)
        needed = _ANALYTIC_POINTS if analytic else _POINTS
        counts = [0] * len(_At)
        for point, far in points(tape, stream):
            found = self.at(point)
            if found is _At.UNRESOLVED and far:
                continue
            counts[found] += 1
            if analytic:
                # Without branches principal values decide as well as real ones.
                if counts[_At.AGREE] + counts[_At.AGREE_COMPLEX] >= needed:
                    return Decision(Outcome.SAME, "balls: equal at random points")
                if found in (_At.DIFFER, _At.DIFFER_COMPLEX, _At.MISMATCH):
                    return Decision(Outcome.DIFFERENT, "balls: disjoint at a point")
            elif found is _At.DIFFER:
                return Decision(Outcome.DIFFERENT, "balls: disjoint at a point")
            if self._left <= 0:
                break
        if 0 < counts[_At.AGREE] < needed:
            for point in more_points(tape, stream):
                found = self.at(point)
                counts[found] += 1
                if found is _At.DIFFER:
                    return Decision(Outcome.DIFFERENT, "balls: disjoint at a point")
                if counts[_At.AGREE] >= needed or self._left <= 0:
                    break
        if counts[_At.AGREE] >= needed and any(self.at(point) is _At.DIFFER for point in kinks(tape, stream)):
            return Decision(Outcome.DIFFERENT, "balls: disjoint near a kink")
        return self._summary(counts, needed)

    def _summary(self, counts: list[int], needed: int) -> Decision:
        tape = self._tape
        if counts[_At.UNRESOLVED]:
            # Another piece of the functions may be the one that differs.
            return Decision(Outcome.OPEN, "balls: the precision does not show all of both at some point")
        if counts[_At.AGREE] >= needed:
            if any(len(sides) < 2 for sides in self._sides.values()):
                return Decision(Outcome.OPEN, "kinks: only one part of a minimum or maximum was seen")
            if tape.piecewise:
                return Decision(
                    Outcome.OPEN, "jumps: equal at all points tried, which proves nothing between jumps"
                )
            return Decision(Outcome.SAME, "balls: equal at random points")
        if counts[_At.AGREE] == 0 and not tape.whole:
            if counts[_At.DIFFER_COMPLEX]:
                return Decision(Outcome.DIFFERENT, "balls: disjoint at a point")
            if counts[_At.MISMATCH]:
                return Decision(Outcome.DIFFERENT, "balls: only one of them is real")
            if counts[_At.AGREE_COMPLEX] >= needed and not tape.piecewise:
                return Decision(Outcome.SAME, "balls: equal at random points")
        return Decision(Outcome.OPEN, "balls: too few points at which both are known")


def plausible(a: Expr, b: Expr, *, key: str) -> bool:
    """Return whether two scalars have values, and narrow balls show no difference of them wherever both are known.

    A proof by somebody else's rules counts only then: some rules take ``ln 0`` in disguise for anything.
    """
    compiled = _compiled(a, b)
    if compiled is None:
        return False
    tape, roots = compiled
    places: list[Point] = [point for point, _ in points(tape, Stream(key))] if tape.symbols else [[]]
    close = 0
    for point in places:
        with ball_precision(_PLAUSIBLE_BITS):
            values = evaluate(tape, [acb(x) for x in point])
            left, right = values[roots[0]], values[roots[1]]
            if not (left.is_finite() and right.is_finite()):
                continue
            if not abs(left - right) < (1 + abs(right)) / _PLAUSIBLE_SHARE:
                return False
            close += 1
    return close >= (_POINTS if tape.symbols else 1)


def _told_apart(left: Ball, right: Ball) -> _At:
    real = may_be_real(left), may_be_real(right)
    if all(real):
        return _At.DIFFER
    return _At.MISMATCH if any(real) else _At.DIFFER_COMPLEX


def _compiled(*exprs: Expr) -> tuple[Tape, list[int]] | None:
    compiler = Compiler()
    try:
        return compiler.tape, [compiler.add(expr) for expr in exprs]
    except UndefinedError:
        return None


def value(expr: Expr) -> Fraction | None:
    """Return the exact value if it is seen to be rational and is not too long to be worked out."""
    compiled = _compiled(expr)
    if compiled is None:
        return None
    found = compiled[0].values[compiled[1][0]]
    return None if found is None else Fraction(int(found.p), int(found.q))


def ball(expr: Expr, bits: int) -> Ball | None:
    """Return a complex ball, ``flint.acb``, around the value of a number, or None if none is known to be finite."""
    compiled = _compiled(expr)
    if compiled is None or compiled[0].symbols:
        return None
    tape, (root,) = compiled
    with ball_precision(min(bits, _MAX_BITS)):
        found = evaluate(tape, [])[root]
    return found if found.is_finite() else None


def is_real_number(expr: Expr) -> bool:
    """Return whether ``expr`` has no symbols and a finite value that cannot be told from a real one."""
    found = ball(expr, 256)
    return found is not None and may_be_real(found)


def compare(a: Expr, b: Expr) -> int | None:
    """Return the sign of ``a - b`` for real numbers or infinities, or None when it is not certain."""
    left, right = infinite_sign(a), infinite_sign(b)
    if left or right:
        return _compare_infinite(a, b, left, right)
    if not (is_real_number(a) and is_real_number(b)):
        return None
    compiled = _compiled(a, b)
    if compiled is None:
        return None
    tape, roots = compiled
    low, high = tape.values[roots[0]], tape.values[roots[1]]
    if low is not None and high is not None:
        return int(low > high) - int(low < high)
    for bits in (128, 1024):
        with ball_precision(bits):
            values = evaluate(tape, [])
            x, y = values[roots[0]].real, values[roots[1]].real
            if x < y:
                return -1
            if x > y:
                return 1
    return 0 if same(a, b, key=f"{render(a)}\n{render(b)}").outcome is Outcome.SAME else None


def _compare_infinite(a: Expr, b: Expr, left: int, right: int) -> int | None:
    for expr, sign in ((a, left), (b, right)):
        if not sign and not is_real_number(expr):
            return None
    return (left > right) - (left < right)
