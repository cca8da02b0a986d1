"""Symbolic differentiation of trees, by the school rules and without simplification."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rlvr_gym.verifiers.calculus.tree import (
    MINUS_ONE,
    ONE,
    ZERO,
    Add,
    Call,
    Expr,
    Mul,
    Num,
    Pow,
    Sym,
    add,
    call,
    div,
    mul,
    neg,
    num,
    power,
    root,
)


def derivative(expr: Expr, variable: str = "x") -> Expr:
    """Return the derivative of ``expr``; its depth must be within the parser's limits.

    Example:
        >>> from rlvr_gym.verifiers.calculus.parser import parse
        >>> from rlvr_gym.verifiers.calculus.render import render
        >>> render(derivative(parse("x*sin(x)")))
        'sin(x) + x*cos(x)'
    """
    if isinstance(expr, Sym):
        return ONE if expr.name == variable else ZERO
    if isinstance(expr, Add):
        return add(*(derivative(term, variable) for term in expr.terms))
    if isinstance(expr, Mul):
        slopes = [derivative(factor, variable) for factor in expr.factors]
        return add(
            *(
                mul(*expr.factors[:i], slope, *expr.factors[i + 1 :])
                for i, slope in enumerate(slopes)
                if slope != ZERO
            )
        )
    if isinstance(expr, Pow):
        return _power(expr, variable)
    if isinstance(expr, Call):
        inner = derivative(expr.arg, variable)
        return ZERO if inner == ZERO else mul(_RULES[expr.name](expr.arg), inner)
    return ZERO


def _power(expr: Pow, variable: str) -> Expr:
    base, exponent = expr.base, expr.exponent
    slope = derivative(base, variable)
    if isinstance(exponent, Num):
        return ZERO if slope == ZERO else mul(exponent, power(base, num(exponent.value - 1)), slope)
    change = add(mul(derivative(exponent, variable), call("log", base)), mul(exponent, div(slope, base)))
    return mul(expr, change)


def _square(u: Expr) -> Expr:
    return power(u, num(2))


def _one_minus_square(u: Expr) -> Expr:
    return add(ONE, neg(_square(u)))


def _over(bottom: Callable[[Expr], Expr]) -> Callable[[Expr], Expr]:
    return lambda u: div(ONE, bottom(u))


def _minus(rule: Callable[[Expr], Expr]) -> Callable[[Expr], Expr]:
    return lambda u: neg(rule(u))


def _one_plus_square(u: Expr) -> Expr:
    return add(_square(u), ONE)


def _acosh_bottom(u: Expr) -> Expr:
    return mul(root(add(u, MINUS_ONE), 2), root(add(u, ONE), 2))


def _asec_bottom(u: Expr) -> Expr:
    return mul(_square(u), root(_one_minus_square(power(u, MINUS_ONE)), 2))


_asin = _over(lambda u: root(_one_minus_square(u), 2))
_atan = _over(_one_plus_square)
_atanh = _over(_one_minus_square)
_asec = _over(_asec_bottom)

_RULES: Final[dict[str, Callable[[Expr], Expr]]] = {
    "exp": lambda u: call("exp", u),
    "log": _over(lambda u: u),
    "abs": lambda u: div(u, call("abs", u)),
    "sin": lambda u: call("cos", u),
    "cos": lambda u: neg(call("sin", u)),
    "tan": lambda u: _square(call("sec", u)),
    "cot": lambda u: neg(_square(call("csc", u))),
    "sec": lambda u: mul(call("sec", u), call("tan", u)),
    "csc": lambda u: neg(mul(call("csc", u), call("cot", u))),
    "asin": _asin,
    "acos": _minus(_asin),
    "atan": _atan,
    "acot": _minus(_atan),
    "asec": _asec,
    "acsc": _minus(_asec),
    "sinh": lambda u: call("cosh", u),
    "cosh": lambda u: call("sinh", u),
    "tanh": lambda u: _square(call("sech", u)),
    "coth": lambda u: neg(_square(call("csch", u))),
    "sech": lambda u: neg(mul(call("sech", u), call("tanh", u))),
    "csch": lambda u: neg(mul(call("csch", u), call("coth", u))),
    "asinh": _over(lambda u: root(_one_plus_square(u), 2)),
    "acosh": _over(_acosh_bottom),
    "atanh": _atanh,
    "acoth": _atanh,
    "asech": lambda u: div(MINUS_ONE, mul(_square(u), _acosh_bottom(power(u, MINUS_ONE)))),
    "acsch": lambda u: div(MINUS_ONE, mul(_square(u), root(_one_plus_square(power(u, MINUS_ONE)), 2))),
}
