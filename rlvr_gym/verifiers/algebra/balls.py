"""Values of a tape as complex balls, which contain the true value whatever the precision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from flint import acb, arb, fmpq

from rlvr_gym.verifiers.algebra.tape import Op, Step, Tape

Ball: TypeAlias = Any
"""``flint.acb``."""

_MAX_ROOT: Final = 10_000
_MAX_FACTORIAL_BITS: Final = 200
_MAX_WHOLE: Final = 1 << 40
NOT_A_NUMBER: Final = acb(arb.nan())


def evaluate(tape: Tape, point: list[Ball]) -> list[Ball]:
    """Return the values of all slots at FLINT's current precision; what is undefined or unknown is not finite."""
    values: list[Ball] = []
    append = values.append
    for step in tape.steps:
        op, a, b, extra = step
        if op == Op.NUM:
            append(acb(extra))
        elif op == Op.SYM:
            append(point[extra])
        elif op == Op.ADD:
            append(values[a] + values[b])
        elif op == Op.MUL:
            append(values[a] * values[b])
        elif op == Op.DIV:
            append(values[a] / values[b])
        elif op == Op.FUNCTION:
            append(_FUNCTIONS[extra](values, a, b))
        else:
            append(_OTHERS[op](values, step))
    return values


def is_real(ball: Ball) -> bool:
    """Return whether the imaginary part is exactly 0."""
    return bool(ball.imag.is_zero())


def may_be_real(ball: Ball) -> bool:
    """Return whether the imaginary part cannot be told from 0."""
    return bool(ball.imag.contains(0))


def _int_power(values: list[Ball], step: Step) -> Ball:
    _, a, _, power = step
    if power > 0:
        return values[a] ** power
    if power == 0:
        return NOT_A_NUMBER if values[a].contains(0) else acb(1)
    return 1 / values[a] ** -power


def _root_power(values: list[Ball], step: Step) -> Ball:
    """Return a rational power; of a negative number it is the real one if the degree of the root is odd."""
    base: Ball = values[step[1]]
    top, degree = step[3]
    if degree == 2:
        root = base.sqrt()
        return root**top if top > 0 else 1 / root**-top
    real = base.real
    if is_real(base) and (degree % 2 == 1 or real >= 0) and not real.contains(0):
        negative = bool(real < 0)
        size = abs(real)
        root = size.root(degree) if degree <= _MAX_ROOT else (size.log() / degree).exp()
        result = acb(root**top if top > 0 else 1 / root**-top)
        return -result if negative and top % 2 else result
    if base.is_zero():
        return acb(0) if top > 0 else NOT_A_NUMBER
    if real.contains(0):
        # Either branch of a root may apply.
        return NOT_A_NUMBER
    if not is_real(base) and may_be_real(base) and real < 0 and degree % 2 == 1:
        return NOT_A_NUMBER
    return (base.log() * acb(fmpq(top, degree))).exp()


def _power(values: list[Ball], step: Step) -> Ball:
    base, power = values[step[1]], values[step[2]]
    if may_be_real(base) and may_be_real(power) and not base.real > 0:
        whole = _whole(power) if is_real(power) else None
        # A ball does not say whether its exponent is a fraction of odd denominator, for which the root is real.
        return base**whole if whole is not None and base.real < 0 else NOT_A_NUMBER
    return (power * base.log()).exp()


def _whole(ball: Ball) -> int | None:
    """Return the integer that a ball is exactly, if it is of a size that a power can have."""
    real = ball.real
    return (
        int(real.unique_fmpz()) if real.is_exact() and abs(real) < _MAX_WHOLE and real.is_integer() else None
    )


_OTHERS: Final[dict[int, Callable[[list[Ball], Step], Ball]]] = {
    Op.PI: lambda v, s: acb.pi(),
    Op.E: lambda v, s: acb(arb.const_e()),
    Op.I: lambda v, s: acb(0, 1),
    Op.INT_POW: _int_power,
    Op.ROOT_POW: _root_power,
    Op.POW: _power,
    Op.EXP: lambda v, s: v[s[1]].exp(),
    Op.LN: lambda v, s: v[s[1]].log(),
}


def _plain(name: str) -> Callable[[list[Ball], int, int], Ball]:
    method = getattr(acb, name)
    return lambda v, a, b: method(v[a])


def _step(function: Callable[[Any], Any]) -> Callable[[list[Ball], int, int], Ball]:
    """Return a function that jumps, undefined where it cannot be told on which side of a jump its argument lies."""

    def apply(values: list[Ball], a: int, b: int) -> Ball:
        ball = values[a]
        if not is_real(ball) or not ball.is_finite():
            return NOT_A_NUMBER
        result = function(ball.real)
        return acb(result) if result.is_exact() else NOT_A_NUMBER

    return apply


def _extreme(name: str) -> Callable[[list[Ball], int, int], Ball]:
    method = getattr(arb, name)

    def apply(values: list[Ball], a: int, b: int) -> Ball:
        if b < 0:
            return values[a]
        if not is_real(values[a]) or not is_real(values[b]):
            return NOT_A_NUMBER
        return acb(method(values[a].real, values[b].real))

    return apply


def _gamma(ball: Ball) -> Ball:
    size = ball.abs_upper()
    # Beyond this the value is out of reach of every exponent used here, and the series takes long to say so.
    if not size < arb(2) ** _MAX_FACTORIAL_BITS:
        return NOT_A_NUMBER
    return ball.gamma()


def _binomial(values: list[Ball], a: int, b: int) -> Ball:
    n, k = values[a], values[b]
    return _gamma(n + 1) / (_gamma(k + 1) * _gamma(n - k + 1))


def _double_factorial(values: list[Ball], a: int, b: int) -> Ball:
    # n!! = 2^(n/2 + (1 - cos pi n)/4) pi^((cos pi n - 1)/4) gamma(n/2 + 1).
    n = values[a]
    swing = (n.cos_pi() - 1) / 4
    two, pi = acb(2), acb.pi()
    return ((n / 2 - swing) * two.log() + swing * pi.log()).exp() * _gamma(n / 2 + 1)


def _argument(values: list[Ball], a: int, b: int) -> Ball:
    ball = values[a]
    if ball.contains(0) or (may_be_real(ball) and not is_real(ball) and not ball.real > 0):
        return NOT_A_NUMBER
    return acb(ball.arg())


def _modulo(values: list[Ball], a: int, b: int) -> Ball:
    top, bottom = values[a], values[b]
    if not is_real(top) or not is_real(bottom):
        return NOT_A_NUMBER
    turns = (top / bottom).real.floor()
    return top - bottom * acb(turns) if turns.is_exact() else NOT_A_NUMBER


def _no_ball(values: list[Ball], a: int, b: int) -> Ball:
    return NOT_A_NUMBER


_FUNCTIONS: Final[dict[str, Callable[[list[Ball], int, int], Ball]]] = {
    name: _plain(name)
    for name in ("sin", "cos", "sinh", "cosh", "tanh", "asin", "acos", "atan", "asinh", "acosh", "atanh")
} | {
    # pi/2 - atan x, the branch without a jump.
    "acot": lambda v, a, b: acb.pi() / 2 - v[a].atan(),
    "abs": lambda v, a, b: acb(abs(v[a])),
    "floor": _step(lambda x: x.floor()),
    "ceil": _step(lambda x: x.ceil()),
    "sign": _step(lambda x: x.sgn()),
    "min": _extreme("min"),
    "max": _extreme("max"),
    "mod": _modulo,
    "gcd": _no_ball,
    "lcm": _no_ball,
    "factorial": lambda v, a, b: _gamma(v[a] + 1),
    "gamma": lambda v, a, b: _gamma(v[a]),
    "double_factorial": _double_factorial,
    "binom": _binomial,
    "re": lambda v, a, b: acb(v[a].real),
    "im": lambda v, a, b: acb(v[a].imag),
    "conj": lambda v, a, b: v[a].conjugate(),
    "arg": _argument,
}
