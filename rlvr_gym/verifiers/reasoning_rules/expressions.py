"""Answers that are expressions: arithmetic with given numbers, expanded polynomials, antiderivatives."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

from rlvr_gym.types import Task, Verdict
from rlvr_gym.verifiers.reasoning_rules.base import Entry, Unreadable

_MAX_CHARS = 400
_MAX_DEPTH = 20
_TOKEN = re.compile(r"\s*+(?:([0-9]{1,9})(?![0-9])|([-+*/()]))")


def makes(target: Callable[[Entry], int]) -> Callable[[str, Entry], bool]:
    """Return a rule for expressions that use each given number once and have the value ``target(entry)``."""

    def made(answer: str, entry: Entry) -> bool:
        value, used = evaluated(answer)
        return sorted(used) == sorted(entry.metadata["numbers"]) and value == target(entry)

    return made


def evaluated(text: str) -> tuple[Fraction, list[int]]:
    """Return the exact value of an arithmetic expression, and the numbers in it.

    Raises:
        Unreadable: anything but whole numbers, ``+ - * /`` and round brackets.
    """
    tokens = _tokens(text)
    used = [int(token) for token in tokens if token.isdigit()]
    tokens.append("")
    value, at = _sum(tokens, 0, 0)
    if tokens[at]:
        raise Unreadable(f"'{tokens[at]}' does not belong there")
    return value, used


def _tokens(text: str) -> list[str]:
    text = text.strip()
    if len(text) > _MAX_CHARS:
        raise Unreadable(f"the expression has more than {_MAX_CHARS} characters")
    found, at = [], 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise Unreadable(f"'{text[at : at + 10]}' is no part of an arithmetic expression")
        found.append(match[1] or match[2])
        at = match.end()
    return found


def _sum(tokens: list[str], at: int, depth: int) -> tuple[Fraction, int]:
    value, at = _product(tokens, at, depth)
    while tokens[at] in ("+", "-"):
        sign = 1 if tokens[at] == "+" else -1
        other, at = _product(tokens, at + 1, depth)
        value += sign * other
    return value, at


def _product(tokens: list[str], at: int, depth: int) -> tuple[Fraction, int]:
    value, at = _factor(tokens, at, depth)
    while tokens[at] in ("*", "/"):
        operator = tokens[at]
        other, at = _factor(tokens, at + 1, depth)
        if operator == "/" and not other:
            raise Unreadable("the expression divides by 0")
        value = value * other if operator == "*" else value / other
    return value, at


def _factor(tokens: list[str], at: int, depth: int) -> tuple[Fraction, int]:
    token = tokens[at]
    if depth > _MAX_DEPTH:
        raise Unreadable("the expression is nested too deeply")
    if token == "-":
        value, at = _factor(tokens, at + 1, depth + 1)
        return -value, at
    if token == "(":
        value, at = _sum(tokens, at + 1, depth + 1)
        if tokens[at] != ")":
            raise Unreadable("a bracket has no end")
        return value, at + 1
    if not token.isdigit():
        raise Unreadable("a number is missing")
    return Fraction(int(token)), at + 1


_TERM = re.compile(r"\s*+([+-]?)\s*+([^+\s-][^+-]*+)")
_POWER = re.compile(r"([A-Za-z])(?:(?:\*\*|\^)([0-9]{1,3}))?")


def same_polynomial(answer: str, entry: Entry) -> bool:
    """The same polynomial, written as a sum of monomials."""
    return monomials(answer) == monomials(entry.answer)


def monomials(text: str) -> dict[tuple[tuple[str, int], ...], int]:
    """Return the coefficient of every product of powers in an expanded polynomial.

    Raises:
        Unreadable: brackets, or anything else that is no sum of monomials.
    """
    found: Counter[tuple[tuple[str, int], ...]] = Counter()
    at, text = 0, text.strip().replace("**", "^")
    while at < len(text):
        match = _TERM.match(text, at)
        if match is None or (at and not match[1]):
            raise Unreadable(f"'{text[at : at + 20]}' is no monomial")
        coefficient, powers = -1 if match[1] == "-" else 1, Counter[str]()
        for factor in match[2].split("*"):
            factor = factor.strip()
            power = _POWER.fullmatch(factor)
            if power is not None:
                powers[power[1]] += int(power[2] or 1)
            elif factor.isascii() and factor.isdigit() and len(factor) < 40:
                coefficient *= int(factor)
            else:
                raise Unreadable(f"'{factor[:20]}' is no factor of a monomial")
        found[tuple(sorted((name, power) for name, power in powers.items() if power))] += coefficient
        at = match.end()
    return {powers: coefficient for powers, coefficient in found.items() if coefficient}


def antiderivative(answer: str, entry: Entry) -> Verdict:
    """An antiderivative of the integrand, as the ``integral`` verifier says."""
    # Imported here: it loads the calculus library.
    from rlvr_gym.verifiers.integral import IntegralConfig, integral

    reference = {"integrand": entry.metadata["integrand"], "variable": entry.metadata["variable"]}
    task = Task(id="integral", prompt="", reference=reference)
    return integral(task, answer, IntegralConfig(extract="whole"))
