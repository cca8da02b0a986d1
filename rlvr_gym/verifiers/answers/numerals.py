"""Plain numbers as text: integers of any length, decimals and fractions of integers, read exactly."""

from __future__ import annotations

import re
from fractions import Fraction

_INTEGER = re.compile(r"([+-]?)(?:([0-9]{1,3}(?:,[0-9]{3})++)|([0-9]++))(?:\.0*+)?")
_DECIMAL = re.compile(r"([+-]?)(?:([0-9]{1,3}(?:,[0-9]{3})++)|([0-9]*+))\.([0-9]++)")
_FRACTION = re.compile(
    r"([+-]?)\s?(?:([0-9]++)\s?/\s?([0-9]++)|\\[dtc]?frac\s?(?:\{\s?(-?[0-9]++)\s?\}|([0-9]))\s?(?:\{\s?([0-9]++)\s?\}|([0-9])))"
)
_MAX_CHARS = 20_000
_CHUNK = 4_000


def integer_text(text: str) -> str | None:
    """Return the one spelling of an integer, None for anything else; as text, since ``int`` has a limit of digits."""
    if text.isdecimal() and text.isascii() and text[0] != "0":
        return text
    match = _INTEGER.fullmatch(text)
    if match is None:
        return None
    digits = (match[2].replace(",", "") if match[2] else match[3]).lstrip("0")
    if not digits:
        return "0"
    return f"-{digits}" if match[1] == "-" else digits


def plain_number(text: str) -> Fraction | None:
    """Return the value of an integer, a decimal or a fraction of integers; None for anything else, or one too long."""
    if len(text) > _MAX_CHARS:
        return None
    if text.isdecimal() and text.isascii():
        return Fraction(_int(text))
    match = _FRACTION.fullmatch(text)
    if match is not None:
        top, bottom = _int(match[2] or match[4] or match[5]), _int(match[3] or match[6] or match[7])
        if not bottom or (top < 0 and match[1]):
            return None
        return Fraction(-top if match[1] == "-" else top, bottom)
    match = _DECIMAL.fullmatch(text)
    if match is not None:
        whole = (match[2] or match[3] or "").replace(",", "")
        value = Fraction(_int(whole + match[4]), 10 ** len(match[4]))
        return -value if match[1] == "-" else value
    integer = integer_text(text)
    return None if integer is None else Fraction(_int(integer))


def _int(digits: str) -> int:
    """Return the value of a numeral of any length, in pieces that ``int`` takes."""
    if len(digits) <= _CHUNK:
        return int(digits)
    sign = -1 if digits[0] == "-" else 1
    digits = digits.lstrip("-")
    value = 0
    for at in range(0, len(digits), _CHUNK):
        piece = digits[at : at + _CHUNK]
        value = value * 10 ** len(piece) + int(piece)
    return sign * value
