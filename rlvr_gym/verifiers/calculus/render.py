"""Trees to plain text that parses back to the same tree."""

from __future__ import annotations

from fractions import Fraction

from rlvr_gym.verifiers.calculus.tree import HALF, Add, Call, Const, Expr, Mul, Num, Pow, Sym


def render(expr: Expr) -> str:
    r"""Return ``expr`` as plain text, with ``parse(render(expr)) == expr``.

    Example:
        >>> from rlvr_gym.verifiers.calculus.parser import parse
        >>> render(parse(r"\frac{x^2}{2} - 3\sin x"))
        '1/2*x^2 - 3*sin(x)'
    """
    if isinstance(expr, Add):
        text = render(expr.terms[0])
        for term in expr.terms[1:]:
            part = render(term)
            text += f" - {part[1:]}" if part.startswith("-") else f" + {part}"
        return text
    if isinstance(expr, Mul):
        return _product(expr.factors)
    if isinstance(expr, Pow):
        bottom = _divisor(expr)
        return f"1/{bottom}" if bottom is not None else _power(expr.base, expr.exponent)
    if isinstance(expr, Call):
        return f"{expr.name}({render(expr.arg)})"
    if isinstance(expr, Num):
        return str(expr.value)
    return expr.name


def _product(factors: tuple[Expr, ...]) -> str:
    first = factors[0]
    if isinstance(first, Num) and first.value == -1:
        return "-" + _product(factors[1:])
    text = str(first.value) if isinstance(first, Num) else _first(first)
    for factor in factors[1:]:
        bottom = _divisor(factor)
        text += f"/{bottom}" if bottom is not None else f"*{_factor(factor)}"
    return text


def _first(factor: Expr) -> str:
    bottom = _divisor(factor)
    return f"1/{bottom}" if bottom is not None else _factor(factor)


def _divisor(factor: Expr) -> str | None:
    """Return what stands below the line, or None when ``factor`` is no quotient."""
    if not isinstance(factor, Pow) or not isinstance(factor.exponent, Num) or factor.exponent.value >= 0:
        return None
    base, exponent = factor.base, -factor.exponent.value
    if exponent == 1:
        # 1/x^2 reads as x^-2, so a power to the power -1 is written as a power.
        return None if isinstance(base, Pow) and _divisor_power(base) else _factor(base)
    return _power(base, Num(exponent))


def _divisor_power(base: Pow) -> bool:
    return isinstance(base.exponent, Num) and base.exponent.value != -1


def _power(base: Expr, exponent: Expr) -> str:
    if exponent == HALF:
        return f"sqrt({render(base)})"
    return f"{_base(base)}^{_base(exponent)}"


def _factor(expr: Expr) -> str:
    if isinstance(expr, Pow) and _divisor(expr) is None:
        return _power(expr.base, expr.exponent)
    return _base(expr)


def _base(expr: Expr) -> str:
    """Return ``expr`` in brackets unless it is a single symbol, number or call."""
    if isinstance(expr, Sym | Const | Call) or (isinstance(expr, Num) and _is_natural(expr.value)):
        return render(expr)
    return f"({render(expr)})"


def _is_natural(value: Fraction) -> bool:
    return value.denominator == 1 and value >= 0
