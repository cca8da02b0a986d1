"""Forms that a problem asks for by name: the right value in another form is not what was asked."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from rlvr_gym.verifiers import algebra
from rlvr_gym.verifiers.algebra import Add, Based, Const, Expr, Mul, Node, Num, Pow

_FACTOR = re.compile(
    r"(?:^|[.?!:;,$]\s*|\b(?:completely|fully|please|and|then|to)\s+)factor(?:i[sz]e)?\b(?!\s+(?:of|by)\b)"
    r"|\bfactor(?:ed\s+form|i[sz]ation\s+of|i[sz]e\s+(?:completely|fully)|\s+(?:completely|fully))",
    re.IGNORECASE,
)
_EXPAND = re.compile(
    r"(?:^|[.?!:;,$]\s*|\b(?:please|and|then|to)\s+)(?:expand|multiply\s+out)\b|\bexpanded\s+form\b",
    re.IGNORECASE,
)
_PRIMES = re.compile(
    r"\bprime\s+factori[sz]|\bproduct\s+of\s+(?:its\s+|powers\s+of\s+)?primes?\b", re.IGNORECASE
)
_BASE = re.compile(r"\bbase\b|\bbinary\b|\boctal\b|\bhexadecimal\b|\bternary\b", re.IGNORECASE)
_MANY: Final = 1_000


def other_form(node: Node, wanted: Node | None, prompt: str) -> str:
    """Return what is wrong with the form of an answer of the right value, empty when nothing is.

    Args:
        node: The answer.
        wanted: The reference.
        prompt: The problem; without it nothing is asked for.
    """
    if not prompt or not isinstance(node, Expr) or not isinstance(wanted, Expr):
        return ""
    if isinstance(wanted, Based) and _BASE.search(prompt):
        same = isinstance(node, Based) and node.base == wanted.base
        return "" if same else f"not in base {wanted.base}"
    if _PRIMES.search(prompt) and isinstance(wanted, Mul | Pow):
        return "" if _bases(node) <= _bases(wanted) else "not a product of primes"
    if _FACTOR.search(prompt):
        found, needed = _num_factors(node), _num_factors(wanted)
        return "not factored as far" if found < needed else ""
    if _EXPAND.search(prompt) and _is_expanded(wanted):
        return "" if _is_expanded(node) else "not expanded"
    return ""


def is_unrounded(node: Node, wanted: Node | None) -> bool:
    """Return whether an answer that passes for a decimal reference has another value than it."""
    if not isinstance(node, Expr) or not isinstance(wanted, Expr):
        return False
    found, value = algebra.value(node), algebra.value(wanted)
    return found is not None and value is not None and found != value


def _bases(expr: Expr) -> set[Fraction]:
    """Return the numbers that are multiplied, exponents left out; 1 is none."""
    if isinstance(expr, Num):
        return {abs(expr.value)} - {Fraction(1)}
    if isinstance(expr, Pow):
        return _bases(expr.base)
    if isinstance(expr, Mul):
        return set().union(*map(_bases, expr.factors))
    # Whatever else stands in a product is no prime.
    return {Fraction(-1)}


def _num_factors(expr: Expr) -> int:
    """Return how many factors with a letter a product has, each as often as its power says."""
    if isinstance(expr, Num | Const | Based):
        return 0
    if isinstance(expr, Mul):
        return sum(map(_num_factors, expr.factors))
    if isinstance(expr, Pow) and isinstance(expr.exponent, Num):
        times = expr.exponent.value
        return int(times) * _num_factors(expr.base) if times.denominator == 1 and 0 < times < _MANY else 1
    return 1


def _is_expanded(expr: Expr) -> bool:
    """Return whether no sum is multiplied by anything, or raised to a power."""
    if isinstance(expr, Add):
        return all(map(_is_expanded, expr.terms))
    if isinstance(expr, Mul):
        return not any(isinstance(part, Add) for part in expr.factors) and all(
            map(_is_expanded, expr.factors)
        )
    if isinstance(expr, Pow) and isinstance(expr.base, Add):
        # A denominator or a root is not multiplied out.
        return not isinstance(expr.exponent, Num) or expr.exponent.value < 2
    return True
