"""Forward-mode differentiation along the real line, over complex balls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from flint import acb, arb

from rlvr_gym.verifiers.calculus.tape import Ball, Op, Step, Tape, rational_ball

UNDEFINED: Final = acb(arb.nan())
Pair: TypeAlias = tuple[Ball, Ball]


def differentiate(tape: Tape, x: Ball) -> tuple[list[Ball], list[Ball | None]]:
    """Return value and derivative of every slot at the real ball ``x``; None is a derivative that is exactly 0.

    Every rule gives the derivative along the real line of the principal value. Where that value has a cut on the
    way (roots and inverse functions of an argument that is not real) the derivative is undefined, not guessed.
    """
    values = tape.constants()
    slopes: list[Ball | None] = [None] * tape.length
    for step in tape.variable:
        if step.op is Op.VAR:
            values[step.out], slopes[step.out] = x, _ONE
        else:
            values[step.out], slopes[step.out] = _RULES[step.op](step, values, slopes)
    return values, slopes


_ONE: Final = acb(1)
Rule: TypeAlias = Callable[[Step, list[Any], list[Any]], tuple[Ball, Ball | None]]


def _add(s: Step, v: list[Any], d: list[Any]) -> Pair:
    da, db = d[s.a], d[s.b]
    return v[s.a] + v[s.b], db if da is None else da if db is None else da + db


def _mul(s: Step, v: list[Any], d: list[Any]) -> Pair:
    a, b, da, db = v[s.a], v[s.b], d[s.a], d[s.b]
    if da is None:
        return a * b, a * db
    if db is None:
        return a * b, da * b
    return a * b, a * db + da * b


def _div(s: Step, v: list[Any], d: list[Any]) -> Pair:
    b, da, db = v[s.b], d[s.a], d[s.b]
    value = v[s.a] / b
    if db is None:
        return value, da / b
    change = -value * db if da is None else da - value * db
    return value, change / b


def _int_pow(s: Step, v: list[Any], d: list[Any]) -> Pair:
    a, n = v[s.a], s.number
    below = a if n == 2 else a ** (n - 1)
    return below * a, below * n * d[s.a]


def _sqrt(s: Step, v: list[Any], d: list[Any]) -> Pair:
    root = v[s.a].sqrt()
    return root, _along_axis(v[s.a], d[s.a] / (2 * root))


def _rational_pow(s: Step, v: list[Any], d: list[Any]) -> Pair:
    a, q = v[s.a], s.number
    value = a.sqrt() ** q.numerator if q.denominator == 2 else a.pow(acb(rational_ball(q)))
    return value, _along_axis(a, value * d[s.a] / a * rational_ball(q))


def _pow(s: Step, v: list[Any], d: list[Any]) -> Pair:
    a, b, da, db = v[s.a], v[s.b], d[s.a], d[s.b]
    log = a.log()
    value = (b * log).exp()
    inner = _ZERO
    if db is not None:
        inner = db * log
    if da is not None:
        inner = inner + _along_axis(a, b * da / a)
    return value, value * inner


def _exp(s: Step, v: list[Any], d: list[Any]) -> Pair:
    value = v[s.a].exp()
    return value, value * d[s.a]


def _log(s: Step, v: list[Any], d: list[Any]) -> Pair:
    return v[s.a].log(), d[s.a] / v[s.a]


def _log_abs(s: Step, v: list[Any], d: list[Any]) -> Pair:
    return acb(abs(v[s.a]).log()), acb((d[s.a] / v[s.a]).real)


def _abs(s: Step, v: list[Any], d: list[Any]) -> Pair:
    a = v[s.a]
    size = acb(abs(a))
    return size, acb((a.conjugate() * d[s.a]).real) / size


def _sin(s: Step, v: list[Any], d: list[Any]) -> Pair:
    sin, cos = v[s.a].sin_cos()
    return sin, cos * d[s.a]


def _cos(s: Step, v: list[Any], d: list[Any]) -> Pair:
    sin, cos = v[s.a].sin_cos()
    return cos, -sin * d[s.a]


def _tan(s: Step, v: list[Any], d: list[Any]) -> Pair:
    tan = v[s.a].tan()
    return tan, (1 + tan * tan) * d[s.a]


def _sinh(s: Step, v: list[Any], d: list[Any]) -> Pair:
    sinh, cosh = v[s.a].sinh_cosh()
    return sinh, cosh * d[s.a]


def _cosh(s: Step, v: list[Any], d: list[Any]) -> Pair:
    sinh, cosh = v[s.a].sinh_cosh()
    return cosh, sinh * d[s.a]


def _tanh(s: Step, v: list[Any], d: list[Any]) -> Pair:
    tanh = v[s.a].tanh()
    # Through cosh, since 1 - tanh^2 would lose all digits where tanh is near 1.
    cosh = v[s.a].cosh()
    return tanh, d[s.a] / (cosh * cosh)


def _asin(s: Step, v: list[Any], d: list[Any]) -> Pair:
    a = v[s.a]
    return a.asin(), _inside_unit(a, d[s.a])


def _acos(s: Step, v: list[Any], d: list[Any]) -> Pair:
    a = v[s.a]
    return a.acos(), -_inside_unit(a, d[s.a])


def _atan(s: Step, v: list[Any], d: list[Any]) -> Pair:
    a = v[s.a]
    return a.atan(), d[s.a] / (1 + a * a)


def _asinh(s: Step, v: list[Any], d: list[Any]) -> Pair:
    a = v[s.a]
    return a.asinh(), _along_axis(a, d[s.a] / (1 + a * a).sqrt())


def _acosh(s: Step, v: list[Any], d: list[Any]) -> Pair:
    a = v[s.a]
    return a.acosh(), _along_axis(a, d[s.a] / ((a - 1).sqrt() * (a + 1).sqrt()))


def _atanh(s: Step, v: list[Any], d: list[Any]) -> Pair:
    a = v[s.a]
    return a.atanh(), d[s.a] / (1 - a * a)


def _along_axis(argument: Ball, slope: Ball) -> Ball:
    """Return ``slope`` if the argument is real: only then does it run along the cut instead of across it."""
    return slope if argument.imag.is_zero() else UNDEFINED


def _inside_unit(argument: Ball, change: Ball) -> Ball:
    rest = 1 - argument * argument
    return change / rest.sqrt() if argument.imag.is_zero() and rest.real > 0 else UNDEFINED


_ZERO: Final = acb(0)
_RULES: Final[dict[Op, Rule]] = {
    Op.ADD: _add,
    Op.MUL: _mul,
    Op.DIV: _div,
    Op.NEG: lambda s, v, d: (-v[s.a], -d[s.a]),
    Op.INT_POW: _int_pow,
    Op.SQRT: _sqrt,
    Op.RATIONAL_POW: _rational_pow,
    Op.POW: _pow,
    Op.EXP: _exp,
    Op.LOG: _log,
    Op.LOG_ABS: _log_abs,
    Op.ABS: _abs,
    Op.SIN: _sin,
    Op.COS: _cos,
    Op.TAN: _tan,
    Op.SINH: _sinh,
    Op.COSH: _cosh,
    Op.TANH: _tanh,
    Op.ASIN: _asin,
    Op.ACOS: _acos,
    Op.ATAN: _atan,
    Op.ASINH: _asinh,
    Op.ACOSH: _acosh,
    Op.ATANH: _atanh,
}
