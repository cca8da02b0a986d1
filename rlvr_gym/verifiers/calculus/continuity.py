"""Does an antiderivative jump? Its rise over an interval against the integral over it, both with error bounds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Final

from flint import acb, arb

from rlvr_gym.verifiers.calculus.breaks import Breaks
from rlvr_gym.verifiers.calculus.points import Cell, Domain, Point, Stream, cells
from rlvr_gym.verifiers.calculus.precision import ball_precision
from rlvr_gym.verifiers.calculus.tape import Ball, Op, Tape, apply

_BITS: Final = 80
_TOLERANCE: Final = 2.0**-30
_EVALUATIONS: Final = 1500
_STEPS: Final = 6
"""Points per cell; in an infinite cell they are about 1.5 apart, so that they span a period of the sine."""
_SPACING: Final = 1.5
_CELLS: Final = 12


def find_jump(integrand: Tape, answer: Tape, stream: Stream, domain: Domain) -> tuple[float, float] | None:
    """Return two points between which ``answer`` jumps although ``integrand`` is analytic there, or None."""
    first, second = Breaks(integrand), Breaks(answer)
    parts = cells(domain.low, domain.high, [*first.kinks, *first.edges, *second.kinks])
    points = [_place(cell, stream, index) for cell in parts[:_CELLS] for index in range(_STEPS)]
    # Pairs across a break count as well: where only the answer has it, the integral still exists.
    for left, right in pairwise(sorted(points, key=float)):
        if _jumps(integrand, answer, left, right):
            return float(left), float(right)
    return None


def _place(cell: Cell, stream: Stream, index: int) -> Point:
    point = stream.point(cell, 0)
    if cell.low is not None and cell.high is not None:
        return point
    return point.moved(_SPACING * index if cell.high is None else -_SPACING * index)


def _jumps(integrand: Tape, answer: Tape, left: Point, right: Point) -> bool:
    with ball_precision(_BITS):
        a, b = left.ball(), right.ball()
        rise = (answer.value(b) - answer.value(a)).real
        if not rise.is_finite():
            return False
        area = acb.integral(
            _analytic(integrand),
            a.mid(),
            b.mid(),
            rel_tol=_TOLERANCE,
            abs_tol=_TOLERANCE,
            eval_limit=_EVALUATIONS,
        ).real
        # The ends were rounded to their midpoints, far below this margin.
        return bool(area.is_finite() and abs(rise - area) > _TOLERANCE * (1 + abs(rise)))


def _analytic(tape: Tape) -> Callable[[Ball, bool], Ball]:
    """Return the integrand as a function that gives no value where it is not analytic on the whole ball."""

    def function(z: Ball, strict: bool) -> Ball:
        slots = tape.constants()
        for step in tape.variable:
            if step.op is Op.VAR:
                slots[step.out] = z
                continue
            cut = _CUTS.get(step.op) if strict else None
            if cut is not None and cut(slots[step.a]):
                return _NOTHING
            if strict and (step.op is Op.ABS or step.op is Op.LOG_ABS):
                slots[step.out] = _signed(slots[step.a], step.op)
            else:
                slots[step.out] = apply(step, slots)
        return slots[tape.root]

    return function


_NOTHING: Final = acb(arb.nan(), arb.nan())


def _signed(u: Ball, op: Op) -> Ball:
    """Return the analytic continuation of ``|u|`` or ``log|u|`` from the real line, where ``u`` has one sign."""
    positive = u if u.real > 0 else -u
    return positive if op is Op.ABS else positive.log()


def _negative(u: Ball) -> bool:
    return bool(u.imag.contains(0) and not u.real > 0)


def _unsigned(u: Ball) -> bool:
    return bool(u.real.contains(0))


def _beyond_one(u: Ball) -> bool:
    return bool(u.imag.contains(0) and not abs(u.real) < 1)


def _below_one(u: Ball) -> bool:
    return bool(u.imag.contains(0) and not u.real > 1)


def _beyond_i(u: Ball) -> bool:
    return bool(u.real.contains(0) and not abs(u.imag) < 1)


_CUTS: Final[dict[Op, Callable[[Any], bool]]] = {
    Op.ABS: _unsigned,
    Op.LOG_ABS: _unsigned,
    Op.SQRT: _negative,
    Op.RATIONAL_POW: _negative,
    Op.POW: _negative,
    Op.LOG: _negative,
    Op.ASIN: _beyond_one,
    Op.ACOS: _beyond_one,
    Op.ATANH: _beyond_one,
    Op.ACOSH: _below_one,
    Op.ATAN: _beyond_i,
    Op.ASINH: _beyond_i,
}
