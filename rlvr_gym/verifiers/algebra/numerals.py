"""Numbers as the lexer found them to values."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from rlvr_gym.verifiers.algebra.limits import ParseError
from rlvr_gym.verifiers.algebra.tree import Based, Call, Expr, Num, Sym, mul
from rlvr_gym.verifiers.algebra.words import BASES

_DIGITS: Final = "0123456789ABCDEF"


_SMALL: Final = {str(k): Num(Fraction(k)) for k in range(200)}


def number(text: str) -> Num:
    """Return the node of a ``num`` token."""
    return _SMALL.get(text) or Num(_value(text))


def _value(text: str) -> Fraction:
    """Return the exact value of a ``num`` token: digits, a decimal, or the quotient of a repeating one."""
    if text.isdigit():
        return Fraction(int(text))
    top, quotient, bottom = text.partition("/")
    if quotient:
        return Fraction(int(top), int(bottom))
    mantissa, _, exponent = text.replace("E", "e").partition("e")
    whole, _, part = mantissa.partition(".")
    shift = (int(exponent) if exponent else 0) - len(part)
    digits = int(whole + part)
    return Fraction(digits * 10**shift) if shift >= 0 else Fraction(digits, 10**-shift)


def based(text: str) -> Based:
    """Return a numeral with its base, ``1011_{2}``.

    Raises:
        ParseError: a digit that the base does not have, or no base from 2 to 16.
    """
    digits, _, written = text.partition("_")
    word = written.removeprefix("{").removesuffix("}")
    if "\\" in word:
        word = word.removeprefix("\\text{").removesuffix("}")
        base = BASES.get(word, 0)
    else:
        base = int(word)
    if not 2 <= base <= 16 or any(digit not in _DIGITS[:base] for digit in digits):
        raise ParseError("syntax", f"{digits[:20]} is no number in base {word}")
    return Based(digits, base)


def choose(text: str) -> Expr:
    """Return a number of combinations or permutations from ``n C k`` or ``n P k``.

    Raises:
        ParseError: more than a number or a letter beside the C.
    """
    n, letter, k = text.split()
    top, bottom = _number_or_letter(n), _number_or_letter(k)
    chosen = Call("binom", (top, bottom))
    return chosen if letter == "C" else mul(chosen, Call("factorial", (bottom,)))


def _number_or_letter(text: str) -> Expr:
    if text.isdigit():
        return Num(Fraction(int(text)))
    if len(text) > 1:
        raise ParseError("syntax", f"{text} under or over a C")
    return Sym(text)
