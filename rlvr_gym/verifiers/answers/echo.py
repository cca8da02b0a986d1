"""Answers that only repeat the problem: ``2 + 3`` to "Compute 2 + 3"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from functools import lru_cache
from math import gcd
from typing import Final

from rlvr_gym.verifiers import algebra
from rlvr_gym.verifiers.algebra import Add, Call, Const, Expr, Mul, Node, Num, ParseError, Pow, Sym, tree
from rlvr_gym.verifiers.answers.asked import is_unrounded
from rlvr_gym.verifiers.answers.faults import scalars
from rlvr_gym.verifiers.answers.normalise import normalise, plain_words, squashed
from rlvr_gym.verifiers.answers.notation import read

_MAX_PROMPT: Final = 20_000
_MAX_SPANS: Final = 40
_MAX_SPAN: Final = 200
_WORDS = re.compile(
    r"\\[()\[\]]|(?<![\\A-Za-z])(?!(?:sin|cos|tan|log|ln|sqrt|exp|pi)(?![A-Za-z]))[A-Za-z]{2,}|[?!.,:;](?=\s|$)"
)
"""What separates the formulas of a problem that does not mark them."""
_FRACTION = re.compile(r"-?([0-9]{1,30})/([0-9]{1,30})")
_NUMERAL = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_QUOTIENT = re.compile(
    r"-?\s?(?:\\[dtc]?frac\s?\{\s?-?([0-9]{1,30})\s?\}\s?\{\s?-?([0-9]{1,30})\s?\}|([0-9]{1,30})\s?/\s?\(?-?([0-9]{1,30})\)?)"
)
_CONVERSION = re.compile(r"\b(?:write|express|convert|rewrite|simplify|reduce)\b", re.IGNORECASE)


def is_echo(answer: str, node: Node, gold: str, gold_node: Node | None, prompt: str) -> bool:
    """Return whether an answer of the right value is a formula of the problem, left as it stands there.

    The digits and parts of the reference, in whatever order, are an answer even where the problem mentions them. So is
    a plain number or a fraction in lowest terms, unless the problem asks for another way to write a number.

    Args:
        answer: The answer with its unit.
        node: Its tree, without the unit.
        gold: The reference with its unit.
        gold_node: Its tree, without the unit.
        prompt: The problem.
    """
    if not prompt:
        return False
    plain, wanted = squashed(plain_words(answer)), squashed(plain_words(gold))
    form = shape(node)
    if gold_node is not None and form == shape(gold_node) and _digits(plain) == _digits(wanted):
        return False
    problem = squashed(plain_words(prompt[-_MAX_PROMPT:].translate(_DASHES)))
    if _is_plain_number(plain):
        converted = _CONVERSION.search(prompt) is not None and not _is_plain_number(wanted)
        return (converted or is_unrounded(node, gold_node)) and _stands_in(plain, problem)
    if _stands_in(plain, problem) or _is_whole_quotient(answer, problem):
        return True
    if isinstance(node, Expr):
        return any(
            _repeats(part, prompt, problem)
            for part in tree.walk(node)
            if part is node or (isinstance(gold_node, Expr) and _equal(part, gold_node))
        )
    return form in _shapes(prompt[-_MAX_PROMPT:])


def _repeats(part: Expr, prompt: str, problem: str) -> bool:
    """Return whether an answer, or the part of it that already is its value, is a formula of the problem."""
    if isinstance(part, Num | Sym | Const):
        return False
    return _is_arithmetic_of(part, problem) or shape(part) in _shapes(prompt[-_MAX_PROMPT:])


def _equal(part: Expr, gold: Expr) -> bool:
    """Return whether a part of an answer has the value of the reference: the rest of it then does nothing."""
    if isinstance(part, Num | Sym | Const):
        return False
    return algebra.same(part, gold, key="echo").outcome is algebra.Outcome.SAME


def _is_whole_quotient(answer: str, problem: str) -> bool:
    """Return whether an answer leaves a division of two numbers of the problem that comes out even."""
    match = _QUOTIENT.fullmatch(answer.strip())
    if match is None:
        return False
    top, bottom = match[1] or match[3], match[2] or match[4]
    given = _NUMBER.findall(problem)
    return int(bottom) > 1 and int(top) % int(bottom) == 0 and top in given and bottom in given


def _digits(plain: str) -> list[str]:
    return sorted(char for char in plain if char.isdigit())


def _is_plain_number(plain: str) -> bool:
    """Return whether a text is an integer, a decimal or a fraction in lowest terms."""
    match = _FRACTION.fullmatch(plain)
    if match is None:
        return _NUMERAL.fullmatch(plain) is not None
    return match[2] != "1" and gcd(int(match[1]), int(match[2])) == 1


@lru_cache(maxsize=256)
def _shapes(prompt: str) -> frozenset[Hashable]:
    """Return the shapes of the formulas in a problem, and of the sides of its equations."""
    found: set[Hashable] = set()
    spans = prompt.split("$")[1::2] if "$" in prompt else _WORDS.split(prompt)
    for span in spans[:_MAX_SPANS]:
        for side in (span, *re.split(r"[=<>]", span)):
            text = normalise(side)
            if 2 < len(text) <= _MAX_SPAN:
                try:
                    found.add(shape(read(text)))
                except ParseError:
                    continue
    return frozenset(found)


_DASHES: Final = str.maketrans({"\u2212": "-", "\u2013": "-", "\u00a0": " ", "\n": " "})


def _stands_in(plain: str, problem: str) -> bool:
    start = problem.find(plain)
    while start >= 0:
        end = start + len(plain)
        before, after = problem[start - 1 : start], problem[end : end + 1]
        # 1+2 does not stand in 11+2 or in 1+25.
        if not (before.isdigit() and plain[0].isdigit()) and not (after.isdigit() and plain[-1].isdigit()):
            return True
        start = problem.find(plain, start + 1)
    return False


def _is_arithmetic_of(node: Expr, problem: str) -> bool:
    """Return whether an answer is a sum, difference or product of numbers that the problem gives."""
    if not _is_plain_arithmetic(node):
        return False
    wanted = [abs(part.value) for part in tree.walk(node) if isinstance(part, Num)]
    given = set(map(Fraction, _NUMBER.findall(problem)))
    # Nothing is worked out by adding 0 or multiplying by 1.
    return len(wanted) >= 2 and set(wanted) - {0, 1} <= given


def _is_plain_arithmetic(node: Expr) -> bool:
    """Return whether nothing but numbers is added or multiplied, at least once."""
    if isinstance(node, Pow):
        return node.exponent == tree.num(-1) and (
            isinstance(node.base, Num) or _is_plain_arithmetic(node.base)
        )
    if not isinstance(node, Add | Mul):
        return False
    parts = node.terms if isinstance(node, Add) else node.factors
    return all(isinstance(part, Num) or _is_plain_arithmetic(part) for part in parts)


_UNORDERED: Final = frozenset(["gcd", "lcm", "min", "max"])


def shape(node: Node) -> Hashable:
    """Return a form of a tree in which the order of terms and factors does not show."""
    if isinstance(node, Add | Mul):
        parts = node.terms if isinstance(node, Add) else node.factors
        neutral = tree.ZERO if isinstance(node, Add) else tree.ONE
        parts = tuple(part for part in parts if part != neutral)
        if len(parts) == 1:
            return shape(parts[0])
        return type(node).__name__, frozenset(Counter(map(shape, parts)).items())
    if isinstance(node, Pow) and node.exponent == tree.ONE:
        return shape(node.base)
    if isinstance(node, Pow):
        return "Pow", shape(node.base), shape(node.exponent)
    if isinstance(node, Call):
        arguments = map(shape, node.args)
        return node.name, frozenset(Counter(arguments).items()) if node.name in _UNORDERED else tuple(
            arguments
        )
    if isinstance(node, Expr):
        return node
    return type(node).__name__, tuple(map(shape, scalars(node)))
