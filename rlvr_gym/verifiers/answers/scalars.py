"""Two scalars: exactly the same, or the same as far as the reference's digits say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import blake2b
from typing import Final

from rlvr_gym.verifiers import algebra
from rlvr_gym.verifiers.algebra import Add, Call, Decision, Expr, Mul, Num, Outcome, Pow, Sym, tree
from rlvr_gym.verifiers.answers.reach import within_reach
from rlvr_gym.verifiers.answers.tolerance import MIN_DIGITS, Rounded

SAME = Decision(Outcome.SAME, "the same value")
DIFFERENT = Decision(Outcome.DIFFERENT, "another value")
_COUNTERS: Final = frozenset("nkm")
_WHOLE: Final = frozenset(["factorial", "double_factorial", "floor", "ceil", "binom"])
"""Functions that make a letter in them a whole number, when it is one of those for it."""
_SMOOTH: Final = _WHOLE - {"floor", "ceil"} | {"gamma", "cos", "sin"}
"""Functions without jumps: what agrees far out agrees nearby."""
_FIRST: Final = (7, 1, 2, 3, 4, 5)
_DRAWS: Final = 8
_MINUS_ONE: Final = Num(Fraction(-1))


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
    if _rounds(gold, answer, rules):
        return SAME
    letter = counted(gold)
    return exact if letter is None or not _agree(gold, answer, letter, rules.key) else SAME


def counted(gold: Expr) -> str | None:
    """Return the letter that stands for whole numbers only, the n of n! or (-1)^n; None when there is none."""
    names = algebra.symbols(gold)
    if len(names) != 1 or names.isdisjoint(_COUNTERS):
        return None
    (name,) = names
    for part in tree.walk(gold):
        if isinstance(part, Call) and part.name in _WHOLE and algebra.symbols(part):
            return name
        if isinstance(part, Pow) and part.base == _MINUS_ONE and algebra.symbols(part.exponent):
            return name
    return None


def _agree(gold: Expr, answer: Expr, letter: str, key: str) -> bool:
    """Return whether two formulas have the same value wherever they are tried on whole numbers."""
    if algebra.symbols(answer) != {letter} or not (within_reach(gold) and within_reach(answer)):
        return False
    growing = _grows(gold) or _grows(answer)
    if growing and any(isinstance(part, Call) and part.name not in _SMOOTH for part in tree.walk(answer)):
        return False
    for value in (*_FIRST, *_drawn(key, growing=growing)):
        point = {letter: Num(Fraction(value))}
        if algebra.same(put(gold, point), put(answer, point), key=key).outcome is not Outcome.SAME:
            return False
    return True


def _grows(expr: Expr) -> bool:
    """Return whether a formula grows too fast for numbers larger than all of its coefficients."""
    for part in tree.walk(expr):
        if isinstance(part, Call) and part.name not in ("floor", "ceil", "cos", "sin"):
            return True
        if isinstance(part, Pow) and part.base != _MINUS_ONE and algebra.symbols(part.exponent):
            return True
    return False


def _drawn(key: str, *, growing: bool) -> list[int]:
    """Return whole numbers that nobody can guess from one of the texts."""
    found = []
    for at in range(_DRAWS):
        digest = blake2b(f"{key}\0{at}".encode("utf-8", "replace"), digest_size=40, key=b"whole").digest()
        number = int.from_bytes(digest)
        found.append(10 + number % 390 if growing else number)
    return found


def put(expr: Expr, point: Mapping[str, Expr]) -> Expr:
    """Return ``expr`` with values in place of its symbols."""
    if isinstance(expr, Sym):
        return point.get(expr.name, expr)
    if isinstance(expr, Add):
        return Add(tuple(put(term, point) for term in expr.terms))
    if isinstance(expr, Mul):
        return Mul(tuple(put(factor, point) for factor in expr.factors))
    if isinstance(expr, Pow):
        return Pow(put(expr.base, point), put(expr.exponent, point))
    if isinstance(expr, Call):
        return Call(expr.name, tuple(put(arg, point) for arg in expr.args))
    return expr


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
