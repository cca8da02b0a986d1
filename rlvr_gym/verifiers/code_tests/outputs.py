"""Whether a program printed what it should: spaces at the end of lines and empty lines at the end do not count."""

from __future__ import annotations

import math

_MAX_NUMBER = 40


def same_output(wanted: str, given: str, *, tolerance: float = 0.0) -> bool:
    """Return whether two outputs are the same line by line.

    Args:
        wanted: Expected output.
        given: Printed output.
        tolerance: Where above 0, words that are numbers may differ so much, relatively or absolutely, and any space
            between words is like any other.
    """
    lines = _lines(wanted), _lines(given)
    if lines[0] == lines[1]:
        return True
    if tolerance <= 0 or len(lines[0]) != len(lines[1]):
        return False
    return all(_close(a.split(), b.split(), tolerance) for a, b in zip(*lines, strict=True))


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().split("\n")]


def _close(wanted: list[str], given: list[str], tolerance: float) -> bool:
    return len(wanted) == len(given) and all(
        a == b or _near(a, b, tolerance) for a, b in zip(wanted, given, strict=True)
    )


def _near(a: str, b: str, tolerance: float) -> bool:
    both = a + b
    # float() also takes 1_0 and the digits of other scripts.
    if max(len(a), len(b)) > _MAX_NUMBER or not both.isascii() or "_" in both:
        return False
    try:
        numbers = float(a), float(b)
    except ValueError:
        return False
    # What is too large for a float is not infinite, so equal to no other such number.
    if any(math.isinf(each) for each in numbers) and any(each.isdigit() for each in both):
        return False
    return math.isclose(*numbers, rel_tol=tolerance, abs_tol=tolerance)
