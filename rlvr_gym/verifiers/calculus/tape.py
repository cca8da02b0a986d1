"""Trees as straight-line code over balls: common parts once, constants once per precision."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, TypeAlias

from flint import acb, arb, ctx, fmpq

from rlvr_gym.verifiers.calculus.precision import ball_precision
from rlvr_gym.verifiers.calculus.tree import Add, Call, Const, Expr, Mul, Num, Pow, Sym

Ball: TypeAlias = Any
"""A complex ball, ``flint.acb``."""


class Op(enum.IntEnum):
    """What one instruction does with the values at ``a`` and ``b``."""

    NUM = enum.auto()
    PI = enum.auto()
    E = enum.auto()
    VAR = enum.auto()
    ADD = enum.auto()
    MUL = enum.auto()
    DIV = enum.auto()
    NEG = enum.auto()
    INT_POW = enum.auto()
    SQRT = enum.auto()
    RATIONAL_POW = enum.auto()
    POW = enum.auto()
    EXP = enum.auto()
    LOG = enum.auto()
    LOG_ABS = enum.auto()
    ABS = enum.auto()
    SIN = enum.auto()
    COS = enum.auto()
    TAN = enum.auto()
    SINH = enum.auto()
    COSH = enum.auto()
    TANH = enum.auto()
    ASIN = enum.auto()
    ACOS = enum.auto()
    ATAN = enum.auto()
    ASINH = enum.auto()
    ACOSH = enum.auto()
    ATANH = enum.auto()


@dataclass(frozen=True, slots=True)
class Step:
    """One instruction: the result stands at ``out``; ``number`` is a value or an exponent."""

    out: int
    op: Op
    a: int = -1
    b: int = -1
    number: Any = None


@dataclass(slots=True)
class Tape:
    """The code of one expression in one variable."""

    constant: list[Step] = field(default_factory=list)
    """Steps without the variable, evaluated once per precision."""
    variable: list[Step] = field(default_factory=list)
    """Steps that depend on the variable, in order."""
    length: int = 0
    root: int = -1
    _ready: dict[int, list[Ball]] = field(default_factory=dict)

    @property
    def is_constant(self) -> bool:
        """True when the expression does not contain the variable."""
        return not self.variable

    def constants(self) -> list[Ball]:
        """Return a list of all slots with the constants filled in, at FLINT's current precision."""
        ready = self._ready.get(ctx.prec)
        if ready is None:
            ready = [None] * self.length
            for step in self.constant:
                ready[step.out] = apply(step, ready)
            self._ready[ctx.prec] = ready
        return ready[:]

    def values(self, x: Ball) -> list[Ball]:
        """Return the value of every slot at ``x``."""
        slots = self.constants()
        for step in self.variable:
            slots[step.out] = x if step.op is Op.VAR else apply(step, slots)
        return slots

    def part(self, slots: list[int]) -> Tape:
        """Return the code that only computes ``slots``, which keep their numbers."""
        needed = set(slots)
        for step in reversed((*self.constant, *self.variable)):
            if step.out in needed:
                needed.update((step.a, step.b))
        return Tape(
            [s for s in self.constant if s.out in needed],
            [s for s in self.variable if s.out in needed],
            self.length,
            slots[0],
        )

    def value(self, x: Ball) -> Ball:
        """Return the value of the expression at ``x``."""
        return self.values(x)[self.root]


def apply(step: Step, v: list[Ball]) -> Ball:
    """Return the value of one step from the slots ``v``."""
    return _APPLY[step.op](step, v)


def rational_ball(value: Fraction) -> Ball:
    """Return the real ball of a rational number."""
    return arb(fmpq(value.numerator, value.denominator))


def _rational_power(base: Ball, exponent: Fraction) -> Ball:
    # Through the square root a negative base gives a value whose real or imaginary part is exactly 0.
    if exponent.denominator == 2:
        return base.sqrt() ** exponent.numerator
    return base.pow(acb(rational_ball(exponent)))


_APPLY: Final[dict[Op, Callable[[Step, list[Ball]], Ball]]] = {
    Op.NUM: lambda s, v: acb(rational_ball(s.number)),
    Op.PI: lambda s, v: acb.pi(),
    Op.E: lambda s, v: acb(arb.const_e()),
    Op.ADD: lambda s, v: v[s.a] + v[s.b],
    Op.MUL: lambda s, v: v[s.a] * v[s.b],
    Op.DIV: lambda s, v: v[s.a] / v[s.b],
    Op.NEG: lambda s, v: -v[s.a],
    Op.INT_POW: lambda s, v: v[s.a] ** s.number,
    Op.SQRT: lambda s, v: v[s.a].sqrt(),
    Op.RATIONAL_POW: lambda s, v: _rational_power(v[s.a], s.number),
    Op.POW: lambda s, v: (v[s.b] * v[s.a].log()).exp(),
    Op.EXP: lambda s, v: v[s.a].exp(),
    Op.LOG: lambda s, v: v[s.a].log(),
    Op.LOG_ABS: lambda s, v: acb(abs(v[s.a]).log()),
    Op.ABS: lambda s, v: acb(abs(v[s.a])),
    Op.SIN: lambda s, v: v[s.a].sin(),
    Op.COS: lambda s, v: v[s.a].cos(),
    Op.TAN: lambda s, v: v[s.a].tan(),
    Op.SINH: lambda s, v: v[s.a].sinh(),
    Op.COSH: lambda s, v: v[s.a].cosh(),
    Op.TANH: lambda s, v: v[s.a].tanh(),
    Op.ASIN: lambda s, v: v[s.a].asin(),
    Op.ACOS: lambda s, v: v[s.a].acos(),
    Op.ATAN: lambda s, v: v[s.a].atan(),
    Op.ASINH: lambda s, v: v[s.a].asinh(),
    Op.ACOSH: lambda s, v: v[s.a].acosh(),
    Op.ATANH: lambda s, v: v[s.a].atanh(),
}

_DIRECT: Final = {
    "exp": Op.EXP, "log": Op.LOG, "abs": Op.ABS, "sin": Op.SIN, "cos": Op.COS, "tan": Op.TAN, "sinh": Op.SINH,
    "cosh": Op.COSH, "tanh": Op.TANH, "asin": Op.ASIN, "acos": Op.ACOS, "atan": Op.ATAN, "asinh": Op.ASINH,
    "acosh": Op.ACOSH, "atanh": Op.ATANH,
}  # fmt: skip
_RECIPROCAL: Final = {"sec": Op.COS, "csc": Op.SIN, "sech": Op.COSH, "csch": Op.SINH}
_QUOTIENT: Final = {"cot": (Op.COS, Op.SIN), "coth": (Op.COSH, Op.SINH)}
_OF_RECIPROCAL: Final = {
    "asec": Op.ACOS, "acsc": Op.ASIN, "asech": Op.ACOSH, "acsch": Op.ASINH, "acoth": Op.ATANH,
}  # fmt: skip
_MAX_INT_POW = 1 << 20


def constant_value(expr: Expr) -> Fraction:
    """Return the real value of an expression without symbols: exact for a number, else to 480 bits.

    Raises:
        ValueError: no finite real number.
    """
    if isinstance(expr, Num):
        return expr.value
    with ball_precision(480):
        value = compile_tape(expr, "").value(acb(0))
        if not value.is_finite() or not value.imag.contains(0):
            raise ValueError("no finite real number")
        mantissa, exponent = value.real.mid().man_exp()
    if abs(int(exponent)) > 20_000:
        raise ValueError("a number out of scale")
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def compile_tape(expr: Expr, variable: str) -> Tape:
    """Return the code of ``expr``.

    The depth of ``expr`` is bounded by the parser's limits, so the recursion is too.

    Raises:
        ValueError: a symbol other than ``variable``; parsing has refused or removed those.
    """
    compiler = _Compiler(variable)
    root = compiler.visit(expr)
    compiler.tape.root = root
    compiler.tape.length = len(compiler.depends)
    return compiler.tape


class _Compiler:
    def __init__(self, variable: str) -> None:
        self.tape = Tape()
        self.depends: list[bool] = []
        self._variable = variable
        self._seen: dict[tuple[Any, ...], int] = {}

    def _emit(self, op: Op, a: int = -1, b: int = -1, number: Any = None) -> int:
        key = (op, a, b, number)
        found = self._seen.get(key)
        if found is not None:
            return found
        out = len(self.depends)
        depends = op is Op.VAR or (a >= 0 and self.depends[a]) or (b >= 0 and self.depends[b])
        self.depends.append(depends)
        (self.tape.variable if depends else self.tape.constant).append(Step(out, op, a, b, number))
        self._seen[key] = out
        return out

    def visit(self, expr: Expr) -> int:
        if isinstance(expr, Num):
            return self._emit(Op.NUM, number=expr.value)
        if isinstance(expr, Sym):
            if expr.name != self._variable:
                raise ValueError(f"symbol {expr.name}")
            return self._emit(Op.VAR)
        if isinstance(expr, Const):
            return self._emit(Op.PI if expr.name == "pi" else Op.E)
        if isinstance(expr, Add):
            total = self.visit(expr.terms[0])
            for term in expr.terms[1:]:
                total = self._emit(Op.ADD, total, self.visit(term))
            return total
        if isinstance(expr, Mul):
            return self._product(expr)
        if isinstance(expr, Pow):
            return self._power(expr)
        return self._call(expr)

    def _product(self, expr: Mul) -> int:
        factors = expr.factors
        if isinstance(factors[0], Num) and factors[0].value == -1:
            return self._emit(Op.NEG, self._chain(factors[1:]))
        return self._chain(factors)

    def _chain(self, factors: tuple[Expr, ...]) -> int:
        total = -1
        for factor in factors:
            if (
                total >= 0
                and isinstance(factor, Pow)
                and isinstance(factor.exponent, Num)
                and factor.exponent.value < 0
            ):
                bottom = self._number_power(self.visit(factor.base), -factor.exponent.value)
                total = self._emit(Op.DIV, total, bottom)
            else:
                at = self.visit(factor)
                total = at if total < 0 else self._emit(Op.MUL, total, at)
        return total

    def _power(self, expr: Pow) -> int:
        base = self.visit(expr.base)
        if isinstance(expr.exponent, Num) and expr.exponent.value:
            if expr.exponent.value < 0:
                one = self._emit(Op.NUM, number=Fraction(1))
                return self._emit(Op.DIV, one, self._number_power(base, -expr.exponent.value))
            return self._number_power(base, expr.exponent.value)
        # A zero exponent goes this way too, so that an undefined base stays undefined.
        return self._emit(Op.POW, base, self.visit(expr.exponent))

    def _number_power(self, base: int, exponent: Fraction) -> int:
        if exponent == 1:
            return base
        if exponent.denominator == 1 and exponent.numerator <= _MAX_INT_POW:
            return self._emit(Op.INT_POW, base, number=exponent.numerator)
        if exponent == Fraction(1, 2):
            return self._emit(Op.SQRT, base)
        if exponent.denominator != 1 and exponent.numerator <= _MAX_INT_POW:
            return self._emit(Op.RATIONAL_POW, base, number=exponent)
        return self._emit(Op.POW, base, self._emit(Op.NUM, number=exponent))

    def _call(self, expr: Call) -> int:
        name = expr.name
        if name == "log" and isinstance(expr.arg, Call) and expr.arg.name == "abs":
            # The derivative of log|u| needs no sign of u, so it is one analytic step.
            return self._emit(Op.LOG_ABS, self.visit(expr.arg.arg))
        arg = self.visit(expr.arg)
        if name in _DIRECT:
            return self._emit(_DIRECT[name], arg)
        one = self._emit(Op.NUM, number=Fraction(1))
        if name in _RECIPROCAL:
            return self._emit(Op.DIV, one, self._emit(_RECIPROCAL[name], arg))
        if name in _QUOTIENT:
            top, bottom = _QUOTIENT[name]
            return self._emit(Op.DIV, self._emit(top, arg), self._emit(bottom, arg))
        if name in _OF_RECIPROCAL:
            return self._emit(_OF_RECIPROCAL[name], self._emit(Op.DIV, one, arg))
        # acot is pi/2 - atan, the branch without a jump.
        half_pi = self._emit(Op.MUL, self._emit(Op.NUM, number=Fraction(1, 2)), self._emit(Op.PI))
        return self._emit(Op.ADD, half_pi, self._emit(Op.NEG, self._emit(Op.ATAN, arg)))
