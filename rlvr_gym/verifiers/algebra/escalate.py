"""The slow second opinion on what balls leave open: sympy, on objects built node by node. Only in a killable worker."""

from __future__ import annotations

from typing import Any, Final

from rlvr_gym.verifiers.algebra.decide import Decision, Outcome, plausible
from rlvr_gym.verifiers.algebra.tree import Add, Based, Call, Const, Expr, Mul, Num, Pow, Sym, children, walk

_RENAMED: Final = {
    "ln": "log", "abs": "Abs", "ceil": "ceiling", "double_factorial": "factorial2", "binom": "binomial",
    "min": "Min", "max": "Max", "mod": "Mod", "conj": "conjugate",
}  # fmt: skip


def same_by_algebra(a: Expr, b: Expr) -> Decision:
    """Return ``SAME`` when sympy reduces the difference to the number 0, else ``OPEN``.

    Symbols are real unless a real part or conjugate is taken of something. Time and memory are bounded by nothing
    but the worker's limits.
    """
    if any(type(node) is Const and node.name == "inf" for expr in (a, b) for node in walk(expr)):
        return Decision(Outcome.OPEN, "algebra: infinity")
    if not plausible(a, b, key="algebra"):
        return Decision(Outcome.OPEN, "algebra: no values that agree")
    import sympy

    kinds = {node.name for expr in (a, b) for node in walk(expr) if type(node) is Call}
    builder = _Builder(sympy, real=not kinds & {"re", "im", "conj", "arg"})
    left, right = builder.build(a), builder.build(b)
    undefined = (sympy.nan, sympy.zoo, sympy.oo, -sympy.oo)
    if left.has(*undefined) or right.has(*undefined):
        return Decision(Outcome.OPEN, "algebra: undefined")
    difference = left - right
    for reduce in (sympy.expand, sympy.simplify):
        difference = reduce(difference)
        if difference == 0:
            return Decision(Outcome.SAME, "algebra: the difference is 0")
    return Decision(Outcome.OPEN, "algebra: no proof found")


class _Builder:
    def __init__(self, sympy: Any, *, real: bool) -> None:
        self._sympy = sympy
        self._real = real

    def build(self, expr: Expr) -> Any:
        """Return ``expr`` as a sympy object."""
        sympy = self._sympy
        if isinstance(expr, Num):
            return sympy.Rational(expr.value.numerator, expr.value.denominator)
        if isinstance(expr, Based):
            return sympy.Integer(int(expr.digits, expr.base))
        if isinstance(expr, Const):
            return {"pi": sympy.pi, "e": sympy.E, "i": sympy.I}[expr.name]
        if isinstance(expr, Sym):
            return sympy.Symbol(expr.name, real=True) if self._real else sympy.Symbol(expr.name)
        parts = [self.build(part) for part in children(expr)]
        if isinstance(expr, Add):
            return sympy.Add(*parts)
        if isinstance(expr, Mul):
            return sympy.Mul(*parts)
        if isinstance(expr, Pow):
            return self._power(*parts)
        return self._call(expr.name, parts)

    def _power(self, base: Any, exponent: Any) -> Any:
        sympy = self._sympy
        # Our odd roots of negative numbers are real.
        if exponent.is_Rational and exponent.q % 2 and exponent.q > 1 and not base.is_nonnegative:
            return sympy.real_root(base, exponent.q) ** exponent.p
        return sympy.Pow(base, exponent)

    def _call(self, name: str, parts: list[Any]) -> Any:
        sympy = self._sympy
        if name == "acot":
            # Ours is the branch without a jump.
            return sympy.pi / 2 - sympy.atan(parts[0])
        if name in ("gcd", "lcm"):
            return getattr(sympy, name)(parts)
        return getattr(sympy, _RENAMED.get(name, name))(*parts)
