"""The slow second opinion: sympy on trees of ours, for what balls leave open. Runs only in a killable worker."""

from __future__ import annotations

from rlvr_gym.verifiers.calculus.to_sympy import to_sympy
from rlvr_gym.verifiers.calculus.tree import Expr


def same_by_algebra(answer: Expr, integrand: Expr, variable: str) -> bool:
    """Return whether sympy reduces the difference of the derivative and the integrand to the number 0."""
    import sympy

    symbol = sympy.Symbol(variable, real=True)
    difference = sympy.diff(to_sympy(answer, variable), symbol) - to_sympy(integrand, variable)
    for reduce in (sympy.expand, sympy.simplify):
        difference = reduce(difference)
        if difference == 0:
            return True
    return False
