"""Two scalars: exactly the same, or the same as far as the reference's digits say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from rlvr_gym.verifiers import algebra
from rlvr_gym.verifiers.algebra import Decision, Expr, Num, Outcome, tree
from rlvr_gym.verifiers.answers.reach import within_reach
from rlvr_gym.verifiers.answers.tolerance import MIN_DIGITS, Rounded

SAME = Decision(Outcome.SAME, "the same value")
DIFFERENT = Decision(Outcome.DIFFERENT, "another value")


@dataclass(frozen=True, slots=True)
class Rules:
    """How two scalars of one comparison are compared."""

    key: str
    """Seeds the random points."""
    rounded: Mapping[Fraction, Rounded] = field(default_factory=dict)
    """Decimals printed in the reference, by absolute value."""
    printed: Mapping[Fraction, Rounded] = field(default_factory=dict)
    """Decimals printed in the answer that may stand for an exact reference; empty unless the task allows it."""
    tolerance: Fraction | None = None
    """Largest difference, where the task states one."""
    slow: bool = False
    """Whether sympy may be asked about what stays open."""
    point: bool = False
    """Whether round brackets with two numbers are a point or vector, and no interval."""


def same_scalar(gold: Expr, answer: Expr, rules: Rules) -> Decision:
    """Return whether ``answer`` is the value of ``gold``."""
    if type(gold) is Num and type(answer) is Num:
        exact = SAME if gold.value == answer.value else DIFFERENT
    else:
        exact = algebra.same(gold, answer, key=rules.key)
        if exact.outcome is Outcome.OPEN and rules.slow and within_reach(gold) and within_reach(answer):
            exact = algebra.same_by_algebra(gold, answer)
    if exact.outcome is Outcome.SAME:
        return exact
    return SAME if _rounds(gold, answer, rules) else exact


def _rounds(gold: Expr, answer: Expr, rules: Rules) -> bool:
    """Return whether one of the two is a rounding of the other that the task takes."""
    if rules.tolerance is None and not rules.rounded and not rules.printed:
        return False
    if algebra.symbols(gold) or algebra.symbols(answer):
        return False
    value = algebra.value(gold)
    if value is not None:
        if rules.tolerance is not None and _within(answer, value, rules.tolerance):
            return True
        rounded = rules.rounded.get(abs(value))
        if rounded is not None and _takes(rounded, value, answer):
            return True
    elif rules.tolerance is not None and (given := algebra.value(answer)) is not None:
        return _within(gold, given, rules.tolerance)
    given = algebra.value(answer) if rules.printed else None
    if given is not None:
        printed = rules.printed.get(abs(given))
        if printed is not None and printed.digits >= MIN_DIGITS and (value is None or value.denominator > 1):
            return _within(gold, given, printed.half)
    return False


def _takes(rounded: Rounded, value: Fraction, answer: Expr) -> bool:
    given = algebra.value(answer)
    if given is not None:
        return given * value >= 0 and rounded.takes(abs(given))
    return rounded.takes_irrational and _within(answer, value, rounded.half)


def _within(expr: Expr, centre: Fraction, radius: Fraction) -> bool:
    """Return whether the constant ``expr`` certainly lies at most ``radius`` from ``centre``."""
    value = algebra.value(expr)
    if value is not None:
        return abs(value - centre) <= radius
    if not algebra.is_real_number(expr):
        return False
    return algebra.compare(expr, Num(centre - radius)) in (0, 1) and algebra.compare(
        expr, Num(centre + radius)
    ) in (-1, 0)


def times(expr: Expr, factor: Fraction) -> Expr:
    """Return ``expr`` times ``factor``."""
    if factor == 1:
        return expr
    if isinstance(expr, Num):
        return Num(expr.value * factor)
    return tree.mul(tree.num(factor), expr)
