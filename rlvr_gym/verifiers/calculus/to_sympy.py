"""Trees to sympy objects, piece by piece: no text of a policy ever reaches sympy's own parser."""

from __future__ import annotations

from typing import Any

from rlvr_gym.verifiers.calculus.tree import Add, Call, Const, Expr, Mul, Num, Pow, Sym


def to_sympy(expr: Expr, variable: str) -> Any:
    """Return ``expr`` as a sympy object in one real symbol.

    sympy is imported here and nowhere else, since this runs in a worker.
    """
    import sympy

    symbol = sympy.Symbol(variable, real=True)

    def convert(node: Expr) -> Any:
        if isinstance(node, Num):
            return sympy.Rational(node.value.numerator, node.value.denominator)
        if isinstance(node, Const):
            return sympy.pi if node.name == "pi" else sympy.E
        if isinstance(node, Sym):
            return symbol
        if isinstance(node, Add):
            return sympy.Add(*(convert(term) for term in node.terms))
        if isinstance(node, Mul):
            return sympy.Mul(*(convert(factor) for factor in node.factors))
        if isinstance(node, Pow):
            return sympy.Pow(convert(node.base), convert(node.exponent))
        return _call(sympy, node, convert(node.arg))

    return convert(expr)


def _call(sympy: Any, node: Call, arg: Any) -> Any:
    if node.name == "abs":
        return sympy.Abs(arg)
    if node.name == "acot":
        # Ours is the branch without a jump.
        return sympy.pi / 2 - sympy.atan(arg)
    return getattr(sympy, node.name)(arg)
