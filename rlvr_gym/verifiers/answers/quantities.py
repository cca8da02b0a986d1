"""Two numbers of which at least one has a unit, a percent sign or a degree sign."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from rlvr_gym.verifiers import algebra
from rlvr_gym.verifiers.algebra import Decision, Expr, Outcome, tree
from rlvr_gym.verifiers.answers.gold import Gold
from rlvr_gym.verifiers.answers.scalars import Rules, same_scalar, times
from rlvr_gym.verifiers.answers.units import Measured, compatible, is_counted


def same_quantity(
    gold: Gold, wanted: Expr, node: Expr, apart: Measured, rules: Rules, prompt: str
) -> Decision:
    """Return whether the number ``node`` with the unit of ``apart`` is the reference.

    One that either side leaves out is taken for that of the other; both must agree where both are there.
    """
    unit, given = gold.unit, apart.unit
    if given is not None and given.noun and not is_counted(given, f"{prompt} {gold.text}"):
        return Decision(Outcome.DIFFERENT, f"unit: '{given.name:.40}' behind the number")
    if given is not None and given.dims == _RADIAN and unit is not None and unit.dims == _DEGREE:
        return same_scalar(tree.mul(wanted, _DEGREE_IN_RADIANS), node, Rules(rules.key))
    factor = apart.factor / gold.factor
    if unit is not None and given is not None:
        if not compatible(unit, given):
            return Decision(Outcome.DIFFERENT, f"unit: {given.name} instead of {unit.name}")
        return same_scalar(wanted, times(node, factor * given.scale / unit.scale), rules)
    plain = same_scalar(wanted, times(node, factor), rules)
    if given is not None and given.percent:
        # 25% for 1/4; 30% for 30 only where percent are asked for.
        if plain.outcome is Outcome.SAME and _asks_for_percent(prompt):
            return plain
        return same_scalar(wanted, times(node, factor * given.scale), rules)
    if unit is not None and unit.percent:
        if plain.outcome is Outcome.SAME and not _below_one(wanted):
            return plain
        return same_scalar(times(wanted, unit.scale), node, Rules(rules.key))
    if given is not None and given.dims == _DEGREE and unit is None and _has_pi(wanted) and _has_pi(node):
        return Decision(Outcome.DIFFERENT, "unit: degrees of an angle in radians")
    if plain.outcome is Outcome.SAME:
        return plain
    if unit is not None and unit.dims == _DEGREE and given is None and _has_pi(node):
        return same_scalar(tree.mul(wanted, _DEGREE_IN_RADIANS), node, Rules(rules.key))
    if given is not None and given.dims == _DEGREE and unit is None and _has_pi(wanted):
        return same_scalar(wanted, tree.mul(node, _DEGREE_IN_RADIANS), Rules(rules.key))
    return plain


_DEGREE: Final = (("deg", 1),)
_RADIAN: Final = (("rad", 1),)
_DEGREE_IN_RADIANS: Final = tree.mul(tree.num(Fraction(1, 180)), algebra.Const("pi"))


def _has_pi(expr: Expr) -> bool:
    return any(part == algebra.Const("pi") for part in tree.walk(expr))


_PERCENT_ASKED = re.compile(
    r"percentage|(?:what|which|how many|as a|as|in|find the|the)\s(?:[a-z]+\s)?per\s?cent|(?:what|how many|as a|in)\s\\?%|per\s?cent\s(?:are|is|did|does|were|was|do|change|increase|decrease|more|less|profit|loss|error)",
    re.IGNORECASE,
)


def _asks_for_percent(prompt: str) -> bool:
    return _PERCENT_ASKED.search(prompt) is not None


def _below_one(expr: Expr) -> bool:
    value = algebra.value(expr)
    return value is not None and abs(value) < 1
