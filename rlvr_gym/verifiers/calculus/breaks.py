"""Where a formula can change its analytic piece: zeros of what stands under absolute values, roots and logarithms.

Between two breaks a formula is one analytic function, so agreement at random points there holds all over the cell.
Without this, ``|x - 1000| + x - 1000`` would be 0 at every point anybody samples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, Final

from flint import fmpq, fmpq_poly

from rlvr_gym.verifiers.calculus.precision import ball_precision
from rlvr_gym.verifiers.calculus.signs import Sign, signs
from rlvr_gym.verifiers.calculus.tape import Op, Step, Tape, rational_ball

_MAX_DEGREE: Final = 10
_MAX_HEIGHT: Final = 64
"""Bits of the coefficients. Roots that lie very close take FLINT minutes to tell apart; such a polynomial counts as
no polynomial, unless its degree is 1 or 2."""
_MAX_POWER_BITS: Final = 4096
"""Bits of the coefficients of a power."""
_MAX_ISOLATIONS: Final = 12
"""Polynomials of degree 3 and more per formula."""
_ROOT_BITS: Final = 480
_KINKED: Final = frozenset({Op.ABS, Op.SQRT, Op.RATIONAL_POW, Op.POW, Op.ASIN, Op.ACOS, Op.ACOSH})


class Breaks:
    """The breaks of one formula.

    Attributes:
        kinks: Where a sign or a branch can change.
        edges: Where a logarithm's argument vanishes: the domain can end, the derivative's formula does not change.
        hidden: Slots under a root, a sign or a branch whose zeros are not those of a polynomial.
    """

    def __init__(self, tape: Tape) -> None:
        self.kinks: list[Fraction] = []
        self.edges: list[Fraction] = []
        self.hidden: list[tuple[Op, int]] = []
        zeros: _Zeros | None = None
        known: dict[int, Sign] | None = None
        for step in tape.variable:
            if step.op is Op.LOG:
                zeros = zeros or _Zeros(tape)
                self.edges.extend(zeros.of(step.a) or ())
            elif step.op in _KINKED:
                zeros = zeros or _Zeros(tape)
                found = zeros.of_unit(step.a) if step.op in UNIT else zeros.of(step.a)
                if found is None:
                    known = known or signs(tape)
                    if step.op in UNIT or known[step.a] is not Sign.POSITIVE:
                        self.hidden.extend(zeros.parts(step))
                else:
                    self.kinks.extend(found)


class _Zeros:
    """Real zeros and poles of the slots of a tape, where they follow from those of polynomials."""

    def __init__(self, tape: Tape) -> None:
        self._steps = {step.out: step for step in tape.variable}
        self._rational = _rational_functions(tape)
        self._isolations = 0

    def of(self, slot: int) -> list[Fraction] | None:
        """Return where ``slot`` vanishes or has a pole, or None when that is unknown."""
        found: list[Fraction] = []
        pending = [slot]
        while pending:
            step = self._steps.get(pending.pop())
            # A constant has no zeros worth a break, and an exponential has none at all.
            if step is None or step.op is Op.EXP or step.op is Op.COSH:
                continue
            if step.op in _SAME_ZEROS:
                pending.append(step.a)
            elif step.op is Op.MUL or step.op is Op.DIV:
                pending += (step.a, step.b)
            else:
                zeros = self._of_polynomials(step.out, lambda top, bottom: (top, bottom))
                if zeros is None:
                    return None
                found += zeros
        return found

    def parts(self, step: Step) -> list[tuple[Op, int]]:
        """Return what vanishes where the argument of ``step`` does: the base of a power, the factors of a product."""
        if step.op in UNIT:
            return [(step.op, step.a)]
        found: list[tuple[Op, int]] = []
        pending = [step.a]
        while pending:
            inner = self._steps.get(slot := pending.pop())
            if inner is None or inner.op in (Op.EXP, Op.COSH):
                continue
            if inner.op in _SAME_ZEROS:
                pending.append(inner.a)
            elif inner.op in (Op.MUL, Op.DIV):
                pending += {inner.a, inner.b}
            elif (step.op, slot) not in found:
                found.append((step.op, slot))
        return found

    def of_unit(self, slot: int) -> list[Fraction] | None:
        """Return where ``slot`` is 1 or -1 or has a pole, or None when that is unknown."""
        if slot not in self._steps:
            return []
        return self._of_polynomials(slot, lambda top, bottom: (top - bottom, top + bottom, bottom))

    def _of_polynomials(self, slot: int, which: Callable[[Any, Any], Iterable[Any]]) -> list[Fraction] | None:
        quotient = self._rational.get(slot)
        if quotient is None:
            return None
        found: list[Fraction] = []
        for polynomial in which(*quotient):
            if polynomial.degree() > 2:
                self._isolations += 1
                heavy = int(polynomial.numer().height_bits()) > _MAX_HEIGHT
                if heavy or polynomial.degree() > _MAX_DEGREE or self._isolations > _MAX_ISOLATIONS:
                    return None
            found += _real_roots(polynomial)
        return found


UNIT: Final = frozenset({Op.ASIN, Op.ACOS, Op.ACOSH})
"""Functions whose branch changes where the argument is 1 or -1."""
_SAME_ZEROS: Final = frozenset(
    {Op.NEG, Op.ABS, Op.INT_POW, Op.SQRT, Op.RATIONAL_POW, Op.SINH, Op.TANH, Op.ATAN, Op.ASINH}
)


def _rational_functions(tape: Tape) -> dict[int, tuple[Any, Any] | None]:
    """Return numerator and denominator of every slot that is a quotient of small rational polynomials."""
    table: dict[int, tuple[Any, Any] | None] = {}
    with ball_precision(_ROOT_BITS):
        constants = tape.constants()
    for step in tape.constant:
        value = constants[step.out]
        table[step.out] = _rational(step, table)
        # Breaks are places to look between, so a constant such as pi may be rounded far below all distances.
        if table[step.out] is None and value.imag.contains(0) and _is_moderate(value.real):
            centre = middle(value.real)
            table[step.out] = fmpq_poly([fmpq(centre.numerator, centre.denominator)]), fmpq_poly([1])
    for step in tape.variable:
        table[step.out] = _rational(step, table)
    return table


def _rational(step: Step, table: dict[int, tuple[Any, Any] | None]) -> tuple[Any, Any] | None:
    one = fmpq_poly([1])
    if step.op is Op.NUM:
        return fmpq_poly([fmpq(step.number.numerator, step.number.denominator)]), one
    if step.op is Op.VAR:
        return fmpq_poly([0, 1]), one
    left = table.get(step.a)
    if left is None:
        return None
    p, q = left
    if step.op is Op.NEG:
        return -p, q
    if step.op is Op.INT_POW:
        height = max(int(p.numer().height_bits()), int(p.denom().bit_length()))
        if step.number * max(p.degree(), q.degree()) > _MAX_DEGREE or step.number * height > _MAX_POWER_BITS:
            return None
        return p**step.number, q**step.number
    right = table.get(step.b)
    if right is None or p.degree() + q.degree() + right[0].degree() + right[1].degree() > _MAX_DEGREE:
        return None
    r, s = right
    if step.op is Op.ADD:
        return (p + r, q) if q == s else (p * s + r * q, q * s)
    if step.op is Op.MUL:
        return p * r, q * s
    if step.op is Op.DIV and r != 0:
        return p * s, q * r
    return None


def _real_roots(polynomial: Any) -> list[Fraction]:
    """Return the real roots: of degree 1 exactly, others to 480 bits."""
    degree = polynomial.degree()
    if degree < 1:
        return []
    coefficients = [Fraction(int(c.p), int(c.q)) for c in polynomial.coeffs()]
    if degree == 1:
        return [-coefficients[0] / coefficients[1]]
    if degree == 2:
        return _quadratic_roots(*coefficients)
    with ball_precision(_ROOT_BITS):
        return [middle(z.real) for z, _ in polynomial.numer().complex_roots() if z.imag.contains(0)]


def _quadratic_roots(c: Fraction, b: Fraction, a: Fraction) -> list[Fraction]:
    discriminant = b * b - 4 * a * c
    # Coefficients may have been rounded, so a discriminant this close to 0 counts as a double root.
    if abs(discriminant) <= b * b / (1 << _ROOT_BITS - 80):
        return [-b / (2 * a)]
    if discriminant < 0:
        return []
    with ball_precision(_ROOT_BITS):
        half = middle(rational_ball(discriminant).sqrt()) / (2 * a)
    return [-b / (2 * a) - half, -b / (2 * a) + half]


def _is_moderate(ball: Any) -> bool:
    """Return whether a ball's middle has a size that exact arithmetic can hold: e^(9^9) has not."""
    if not ball.is_finite():
        return False
    mantissa, exponent = ball.mid().man_exp()
    return abs(int(exponent)) <= _MAX_POWER_BITS or int(mantissa) == 0


def middle(ball: Any) -> Fraction:
    """Return the midpoint of a real ball: exact, but no larger than 2^20000 and 0 below 2^-20000.

    Balls have exponents of any size, and a fraction writes all their digits out.
    """
    mantissa, exponent = ball.mid().man_exp()
    mantissa, exponent = int(mantissa), int(exponent)
    size = exponent + mantissa.bit_length()
    if size > _MAX_EXPONENT:
        return Fraction(2) ** _MAX_EXPONENT * (1 if mantissa > 0 else -1)
    if size < -_MAX_EXPONENT:
        return Fraction(0)
    return Fraction(mantissa) * Fraction(2) ** exponent


_MAX_EXPONENT: Final = 20_000
