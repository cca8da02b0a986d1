"""Equations and inequalities: the same up to a constant factor, and up to which side stands left."""

from __future__ import annotations

import operator
from fractions import Fraction
from hashlib import blake2b
from typing import Final

from rlvr_gym.verifiers import algebra
from rlvr_gym.verifiers.algebra import Add, Decision, Expr, Mul, Node, Num, Outcome, Relation, Sym
from rlvr_gym.verifiers.answers.scalars import Rules, put, same_scalar

_FLIPPED: Final = {">": "<", ">=": "<="}
_TRIES: Final = 6
_MINUS: Final = Num(Fraction(-1))


def same_relation(gold: Relation, answer: Relation, rules: Rules) -> Decision:
    """Return whether two relations between scalars say the same: ``x + y = 1`` and ``2y = 2 - 2x``."""
    (op, first), (other_op, second) = _difference(gold), _difference(answer)
    if op != other_op:
        return Decision(Outcome.DIFFERENT, f"{answer.op} instead of {gold.op}")
    if first is None or second is None:
        return Decision(Outcome.DIFFERENT, "no relation between numbers")
    names = algebra.symbols(first)
    if names != algebra.symbols(second):
        return Decision(Outcome.DIFFERENT, "other letters")
    for attempt in range(_TRIES):
        point = _point(sorted(names), rules.key, attempt)
        at_first, at_second = put(first, point), put(second, point)
        signs = _sign(at_first), _sign(at_second)
        if signs[1] == 0 and signs[0]:
            return Decision(Outcome.DIFFERENT, "holds where the reference does not")
        if None in signs or 0 in signs:
            continue
        if op in ("<", "<=") and signs[0] != signs[1]:
            return Decision(Outcome.DIFFERENT, "the other side of the same border")
        return algebra.same(Mul((first, at_second)), Mul((second, at_first)), key=rules.key)
    return Decision(Outcome.OPEN, "no point at which both sides can be told apart")


def _difference(relation: Relation) -> tuple[str, Expr | None]:
    """Return the sign, with ``>`` turned round, and left minus right."""
    left, right = relation.left, relation.right
    op: str = relation.op
    if op in _FLIPPED:
        op, left, right = _FLIPPED[op], right, left
    if not isinstance(left, Expr) or not isinstance(right, Expr):
        return op, None
    return op, Add((left, Mul((_MINUS, right))))


def _point(names: list[str], key: str, attempt: int) -> dict[str, Num]:
    """Return positive numbers for ``names`` that nobody can guess from the texts alone."""
    point = {}
    for name in names:
        digest = blake2b(
            f"{key}\0{name}\0{attempt}".encode("utf-8", "replace"), digest_size=4, key=b"relation"
        ).digest()
        point[name] = Num(Fraction(int.from_bytes(digest[:2]) % 997 + 2, int.from_bytes(digest[2:]) % 89 + 3))
    return point


def _sign(expr: Expr) -> int | None:
    """Return the certain sign of a constant, None where it has none."""
    value = algebra.value(expr)
    if value is not None:
        return (value > 0) - (value < 0)
    return algebra.compare(expr, Num(Fraction(0)))


def is_solved(relation: Relation) -> bool:
    """Return whether a relation gives one letter its value."""
    right = relation.right
    return (
        relation.op == "="
        and isinstance(relation.left, Sym)
        and isinstance(right, Expr)
        and not algebra.symbols(right)
    )


def same_solution(gold: Relation, answer: Relation, rules: Rules) -> Decision:
    """Compare with an equation that gives a letter its value; one that has yet to be solved is no answer."""
    given = answer if isinstance(answer.left, Sym) else Relation(answer.op, answer.right, answer.left)
    if not is_solved(given) or not isinstance(gold.right, Expr) or not isinstance(given.right, Expr):
        return Decision(Outcome.DIFFERENT, "an equation that is not solved")
    if given.left != gold.left:
        return Decision(Outcome.DIFFERENT, "another letter")
    return same_scalar(gold.right, given.right, rules)


def renamed(gold: Relation, answer: Relation, rules: Rules) -> Decision | None:
    """Return whether ``f(x) = ...`` and ``y = ...`` give the same formula; None when they are no such pair."""
    if not isinstance(gold.right, Expr) or not isinstance(answer.right, Expr):
        return None
    letters = algebra.symbols(gold.right)
    sides = [_is_function(gold.left, letters), _is_function(answer.left, algebra.symbols(answer.right))]
    others = [isinstance(side.left, Sym) and side.left.name not in letters for side in (gold, answer)]
    if not letters or not any(sides) or not all(map(operator.or_, sides, others)):
        return None
    given = answer.right
    if isinstance(gold.left, Mul) and isinstance(answer.left, Mul) and gold.left != answer.left:
        # f(n) = n for f(x) = x: the same function, whatever its argument is called.
        (name, argument), (other, letter) = gold.left.factors, answer.left.factors
        if name != other or not isinstance(letter, Sym) or algebra.symbols(given) != {letter.name}:
            return None
        given = put(given, {letter.name: argument})
    decision = same_scalar(gold.right, given, rules)
    return decision if decision.outcome is Outcome.SAME else None


def _is_function(node: Node, letters: frozenset[str]) -> bool:
    """Return whether ``node`` is a letter applied to one of ``letters``, which is read as a product of the two."""
    if not isinstance(node, Mul) or len(node.factors) != 2:
        return False
    name, argument = node.factors
    if not isinstance(name, Sym) or not isinstance(argument, Sym):
        return False
    plain = "prime" not in name.name and name.name not in ("x", "y", "z")
    return plain and argument.name in letters and name.name not in letters
