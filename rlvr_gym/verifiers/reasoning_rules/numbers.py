"""Answers compared as exact numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from rlvr_gym.verifiers.reasoning_rules.base import Entry, Unreadable

_DIGITS = r"(?:[0-9]{1,3}(?:,[0-9]{3})++(?![0-9])|[0-9]++)"
_NUMBER = re.compile(
    rf"([+-]?)({_DIGITS}(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE]([+-]?[0-9]{{1,4}}))?(?:\s*+/\s*+([0-9]++))?"
)
_MAX_DIGITS = 400
_IMAGINARY = re.compile(r"(.*?)([+-]?)\s*+((?:[0-9]++(?:\.[0-9]++)?)?)\s*+\*?[ij]")
_FRACTION = re.compile(
    r"\\[dt]?frac\s*+\{\s*+([0-9]++)\s*+\}\s*+\{\s*+([0-9]++)\s*+\}|([0-9]++)\s*+/\s*+([0-9]++)"
)


def number(text: str) -> Fraction:
    """Return the number that a text is: whole, decimal, with an exponent or a fraction.

    Raises:
        Unreadable: it is none.
    """
    match = _NUMBER.fullmatch(text.strip().strip("$").strip().replace("\N{MINUS SIGN}", "-"))
    if match is None or len(match[0]) > _MAX_DIGITS:
        raise Unreadable(f"'{text[:40]}' is not a number")
    sign, digits, exponent, divisor = match.groups()
    if divisor is not None and not int(divisor):
        raise Unreadable("the number divides by 0")
    value = Fraction(digits.replace(",", "").rstrip(".")) * Fraction(10) ** int(exponent or 0)
    return value * (-1 if sign == "-" else 1) / int(divisor or 1)


def same_number(answer: str, entry: Entry) -> bool:
    """The same number, exactly."""
    return number(answer) == number(entry.answer)


def reduced_fraction(answer: str, entry: Entry) -> bool:
    """The fraction in lowest terms, written as ``a/b`` or in LaTeX."""
    match = _FRACTION.fullmatch(answer.strip().strip("$").strip())
    if match is None or len(match[0]) > _MAX_DIGITS:
        raise Unreadable("the answer is not one fraction")
    found = [int(part) for part in match.groups() if part is not None]
    return found == [entry.metadata["simplified_numerator"], entry.metadata["simplified_denominator"]]


def rounded_to(digits: int) -> Callable[[str, Entry], bool]:
    """Return a rule for a number that may be rounded, to no fewer than ``digits`` significant digits."""

    def rounded(answer: str, entry: Entry) -> bool:
        found, exact = number(answer), number(entry.answer)
        if found == exact:
            return True
        written = _NUMBER.fullmatch(answer.strip())
        mantissa = (written[2] if written else "").replace(",", "")
        significant = len(mantissa.replace(".", "").lstrip("0"))
        if significant < digits or not exact or (written is not None and written[4]):
            return False
        decimals = len(mantissa.partition(".")[2]) - int((written and written[3]) or 0)
        # Right when the answer is the nearest of all numbers with as many digits; a tie may go either way.
        return abs(found - exact) <= Fraction(10) ** -decimals / 2

    return rounded


def numbers(text: str) -> list[Fraction]:
    """Return the numbers of a list, with or without brackets, quotes and degree signs.

    Raises:
        Unreadable: anything else in it.
    """
    return [number(part) for part in _parts(text)]


def _parts(text: str) -> list[str]:
    text = text.strip()
    if (text[:1], text[-1:]) in {("[", "]"), ("(", ")")}:
        text = text[1:-1]
    if not text.strip():
        return []
    return [part.strip().strip("'\"").removesuffix("°") for part in _split(text)]


def _split(text: str) -> list[str]:
    # Thousands take no space after their comma, and lists here do.
    return (
        re.split(r",\s++|,(?=['\"+-])|(?<=['\"]),", text) if ", " in text or "'" in text else text.split(",")
    )


def same_numbers(answer: str, entry: Entry) -> bool:
    """The same numbers in the same order, each exactly."""
    return numbers(answer) == numbers(entry.answer)


def same_solutions(answer: str, entry: Entry) -> bool:
    """The same numbers in any order, each exactly."""
    return sorted(numbers(answer)) == sorted(numbers(entry.answer))


def rounded_numbers(answer: str, entry: Entry) -> bool:
    """The same numbers in the same order, each with as many decimals or more, equal where it is rounded alike."""
    found, exact = _parts(answer), _parts(entry.answer)
    return len(found) == len(exact) and all(map(_rounds_to, found, exact))


def _rounds_to(part: str, exact: str) -> bool:
    found, decimals = number(part), len(exact.partition(".")[2])
    enough = len(part.partition(".")[2]) >= decimals
    return found == number(exact) or (enough and 2 * abs(found - number(exact)) <= Fraction(1, 10**decimals))


def same_factors(answer: str, entry: Entry) -> bool:
    """The same factors in any order, joined by a sign of multiplication."""
    return _factors(answer) == _factors(entry.answer)


def _factors(text: str) -> list[Fraction]:
    return sorted(number(part) for part in re.split(r"×|\\times|\\cdot|\*|x", text.strip().strip("$")))


def rounded_grid(answer: str, entry: Entry) -> bool:
    """The same rows of numbers, each exact or rounded to two or more decimals."""
    found = [line.split() for line in answer.strip().splitlines()]
    exact = [line.split() for line in entry.answer.strip().splitlines()]
    if [len(row) for row in found] != [len(row) for row in exact]:
        return False
    return all(
        _near(cell, number(other))
        for row, others in zip(found, exact, strict=True)
        for cell, other in zip(row, others, strict=True)
    )


def _near(cell: str, exact: Fraction) -> bool:
    found, decimals = number(cell), len(cell.partition(".")[2])
    return found == exact or (decimals >= 2 and abs(found - exact) <= Fraction(1, 2 * 10**decimals))


def same_complex(answer: str, entry: Entry) -> bool:
    """The same real and imaginary part, exactly."""
    return _complex(answer) == _complex(entry.answer)


def _complex(text: str) -> tuple[Fraction, Fraction]:
    text = text.strip().strip("$").strip().replace("\N{MINUS SIGN}", "-")
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip()
    if not text.endswith(("i", "j")):
        return number(text), Fraction(0)
    match = _IMAGINARY.fullmatch(text)
    if match is None or len(text) > _MAX_DIGITS:
        raise Unreadable(f"'{text[:40]}' is not a complex number")
    real, sign, size = match[1].strip(), match[2], match[3]
    if real and not sign:
        raise Unreadable(f"'{text[:40]}' is not a complex number")
    imaginary = number(size or "1")
    return number(real) if real else Fraction(0), -imaginary if sign == "-" else imaginary


def same_candidate(answer: str, entry: Entry) -> bool:
    """The value of the candidate that is the solution, as the question or upstream's answer writes it."""
    solution = number(entry.answer)
    candidates = [number(text) for text in entry.metadata["formatted_candidates"]]
    # In the question it may have been rounded by a float.
    return number(answer) in {solution, min(candidates, key=lambda each: abs(each - solution))}
