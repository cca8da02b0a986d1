"""Is an integrand one entry of the table of integrals, up to a factor and a linear substitution?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Final, TypeAlias

from flint import acb, acb_series, arb, ctx, fmpq

from rlvr_gym.verifiers.calculus.points import Cell, Stream
from rlvr_gym.verifiers.calculus.precision import ball_precision
from rlvr_gym.verifiers.calculus.tape import Ball, Op, Step, Tape, compile_tape
from rlvr_gym.verifiers.calculus.tree import Expr

Jet: TypeAlias = Any
"""A power series of order 3 over balls, ``flint.acb_series``."""

_ORDER: Final = 4
_POINTS: Final = 5
_CANDIDATES: Final = 60
_BITS: Final = 256
_ACCURATE: Final = 100
_TINY: Final = 2.0**-160


def is_trivial(expr: Expr, variable: str = "x") -> bool:
    """Return whether ``expr`` is ``c g(a x + b)`` for a function ``g`` of the table.

    The table: constants, powers, exp, log, sin, cos, tan, cot, sec, csc and their squares ``sec^2`` and ``csc^2``,
    the same hyperbolic ones, and the derivatives of the inverse functions, ``1/q`` and ``1/sqrt(q)`` for a
    quadratic ``q``. Each has a differential equation that no rewriting can hide; it is tested on power series. A formula
    without a power series at enough points counts as trivial.
    """
    tape = compile_tape(expr, variable)
    if tape.is_constant:
        return True
    jets = _jets(tape)
    if len(jets) < _POINTS:
        # Real at a quarter of all points, yet regular nowhere: written so that nothing can be told, as x + sqrt(x-x).
        return True
    with ball_precision(_BITS):
        return any(test(jets) for test in _TESTS)


def _jets(tape: Tape) -> list[list[Ball]]:
    """Return value and first three derivatives at points where the integrand is real and regular."""
    stream = Stream("is_trivial")
    jets: list[list[Ball]] = []
    for index in range(_CANDIDATES):
        cell = _POSITIVE if index % 2 == 0 else _NEGATIVE
        with ball_precision(_BITS):
            series = _series(tape, stream.point(cell, index // 2 % 6).ball())
            c = [series[i] for i in range(_ORDER)]
            jet = [c[0], c[1], 2 * c[2], 6 * c[3]]
            # Wide balls contain 0 whatever they stand for, so only accurate values may testify.
            if all(_usable(d) for d in jet) and not jet[0].contains(0):
                jets.append([acb(d.real) for d in jet])
        if len(jets) == _POINTS:
            break
    return jets


_POSITIVE: Final = Cell(Fraction(0), None)
_NEGATIVE: Final = Cell(None, Fraction(0))


def _series(tape: Tape, x: Ball) -> Jet:
    """Return the power series at ``x``."""
    before = ctx.cap
    ctx.cap = _ORDER
    try:
        slots: list[Any] = [
            acb_series([value], _ORDER) if value is not None else None for value in tape.constants()
        ]
        for step in tape.variable:
            if step.op is Op.VAR:
                slots[step.out] = acb_series([x, 1], _ORDER)
            else:
                try:
                    slots[step.out] = _RULES[step.op](step, slots)
                except (ValueError, ZeroDivisionError):
                    # No expansion here, as at a zero under a root.
                    return acb_series([acb(arb.nan())] * _ORDER, _ORDER)
        return slots[tape.root]
    finally:
        ctx.cap = before


def _tanh(u: Jet) -> Jet:
    double = (u + u).exp()
    return (double - 1) / (double + 1)


def _from_slope(u: Jet, value: Ball, slope: Jet) -> Jet:
    """Return the series of a function of ``u`` from its value at the centre and its derivative as a function of ``u``."""
    return (slope * u.derivative()).integral() + value


def _positive(u: Jet) -> Jet:
    """Return ``|u|`` around a real centre."""
    if u[0].real > 0:
        return u
    return -u if u[0].real < 0 else u * acb(arb.nan())


_RULES: Final[dict[Op, Callable[[Step, list[Jet]], Jet]]] = {
    Op.ADD: lambda s, v: v[s.a] + v[s.b],
    Op.MUL: lambda s, v: v[s.a] * v[s.b],
    Op.DIV: lambda s, v: v[s.a] / v[s.b],
    Op.NEG: lambda s, v: -v[s.a],
    Op.INT_POW: lambda s, v: v[s.a] ** s.number,
    Op.SQRT: lambda s, v: v[s.a].sqrt(),
    Op.RATIONAL_POW: lambda s, v: (
        v[s.a].log() * acb(arb(fmpq(s.number.numerator, s.number.denominator)))
    ).exp(),
    Op.POW: lambda s, v: (v[s.a].log() * v[s.b]).exp(),
    Op.EXP: lambda s, v: v[s.a].exp(),
    Op.LOG: lambda s, v: v[s.a].log(),
    Op.SIN: lambda s, v: v[s.a].sin(),
    Op.COS: lambda s, v: v[s.a].cos(),
    Op.TAN: lambda s, v: v[s.a].tan(),
    Op.SINH: lambda s, v: (v[s.a].exp() - (-v[s.a]).exp()) / 2,
    Op.COSH: lambda s, v: (v[s.a].exp() + (-v[s.a]).exp()) / 2,
    Op.TANH: lambda s, v: _tanh(v[s.a]),
    Op.ATAN: lambda s, v: v[s.a].atan(),
    Op.ABS: lambda s, v: _positive(v[s.a]),
    Op.LOG_ABS: lambda s, v: _positive(v[s.a]).log(),
    Op.ASIN: lambda s, v: _from_slope(v[s.a], v[s.a][0].asin(), 1 / (1 - v[s.a] * v[s.a]).sqrt()),
    Op.ACOS: lambda s, v: _from_slope(v[s.a], v[s.a][0].acos(), -1 / (1 - v[s.a] * v[s.a]).sqrt()),
    Op.ASINH: lambda s, v: _from_slope(v[s.a], v[s.a][0].asinh(), 1 / (1 + v[s.a] * v[s.a]).sqrt()),
    Op.ACOSH: lambda s, v: _from_slope(
        v[s.a], v[s.a][0].acosh(), 1 / ((v[s.a] - 1).sqrt() * (v[s.a] + 1).sqrt())
    ),
    Op.ATANH: lambda s, v: _from_slope(v[s.a], v[s.a][0].atanh(), 1 / (1 - v[s.a] * v[s.a])),
}


def _usable(ball: Ball) -> bool:
    if not ball.is_finite() or not ball.imag.contains(0):
        return False
    return bool(ball.rel_accuracy_bits() >= _ACCURATE or ball.rad() < _TINY)


def _zero(ball: Ball) -> bool:
    return bool(ball.contains(0))


def _constant(values: Sequence[Ball]) -> bool:
    return all(_zero(value - values[0]) for value in values[1:])


def _affine(xs: Sequence[Ball], ys: Sequence[Ball]) -> bool:
    """Return whether the points (x, y) lie on one line."""
    dx, dy = xs[1] - xs[0], ys[1] - ys[0]
    return all(_zero((x - xs[0]) * dy - (y - ys[0]) * dx) for x, y in zip(xs[2:], ys[2:], strict=True))


def _power(jets: list[list[Ball]]) -> bool:
    # f f'' / f'^2 is (n-1)/n for the n-th power of a linear function and 1 for an exponential.
    return all(not _zero(f1) for _, f1, _, _ in jets) and _constant(
        [f0 * f2 / (f1 * f1) for f0, f1, f2, _ in jets]
    )


def _linear_or_constant(jets: list[list[Ball]]) -> bool:
    return all(_zero(f2) for _, _, f2, _ in jets)


def _oscillation(jets: list[list[Ball]]) -> bool:
    return _constant([f2 / f0 for f0, _, f2, _ in jets])


def _logarithm(jets: list[list[Ball]]) -> bool:
    return all(not _zero(f2) and _zero(f1 * f3 / (f2 * f2) - 2) for _, f1, f2, f3 in jets)


def _tangent(jets: list[list[Ball]]) -> bool:
    return _affine([f0 * f0 for f0, *_ in jets], [f1 for _, f1, *_ in jets])


def _secant(jets: list[list[Ball]]) -> bool:
    return _affine([f0 * f0 for f0, *_ in jets], [(f1 / f0) ** 2 for f0, f1, *_ in jets])


def _secant_squared(jets: list[list[Ball]]) -> bool:
    return _affine([f0 for f0, *_ in jets], [(f1 / f0) ** 2 for f0, f1, *_ in jets])


def _inverse_quadratic(jets: list[list[Ball]]) -> bool:
    return all(_zero(_third(_reciprocal(jet))) for jet in jets)


def _inverse_root(jets: list[list[Ball]]) -> bool:
    return all(_zero(_third(_reciprocal(jet) ** 2)) for jet in jets)


def _reciprocal(jet: list[Ball]) -> Jet:
    return acb_series([1], _ORDER) / acb_series([jet[0], jet[1], jet[2] / 2, jet[3] / 6], _ORDER)


def _third(series: Jet) -> Ball:
    return series[3]


_TESTS: Final = (
    _linear_or_constant,
    _power,
    _oscillation,
    _logarithm,
    _tangent,
    _secant,
    _secant_squared,
    _inverse_quadratic,
    _inverse_root,
)
