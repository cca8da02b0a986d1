"""From Unicode to the ASCII the lexer reads; what is not listed here is refused, never guessed."""

from __future__ import annotations

import unicodedata
from typing import Final

from rlvr_gym.verifiers.calculus.limits import ParseError

_SUPERSCRIPTS: Final = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿˣ", "0123456789+-()nx", strict=True))

_SUBSCRIPTS: Final = dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))
_FRACTIONS: Final = {
    "½": "1/2",
    "⅓": "1/3",
    "⅔": "2/3",
    "¼": "1/4",
    "¾": "3/4",
    "⅕": "1/5",
    "⅙": "1/6",
    "⅛": "1/8",
}

_REPLACE: Final[dict[str, str]] = {
    # Signs.
    "−": "-", "–": "-", "‐": "-", "‑": "-", "﹣": "-",
    "·": "*", "⋅": "*", "∙": "*", "×": "*", "∗": "*", "⁎": "*",
    "÷": "/", "∕": "/", "⁄": "/",
    "∣": "|", "│": "|", "❘": "|",
    # Spaces, and marks that print nothing.
    "\u00a0": " ", "\u2002": " ", "\u2003": " ", "\u2009": " ", "\u200a": " ", "\u202f": " ", "\u3000": " ",
    "\u200b": "", "\u200c": "", "\u200d": "", "\u2060": "", "\u2061": "", "\u2062": "*", "\ufeff": "",
    # Letters and operators with a name in the grammar.
    "π": "\\pi ", "∫": "\\int ", "√": "\\sqrt ", "∛": "\\cbrt ", "θ": "\\theta ", "ℯ": "e", "ⅇ": "e", "ⅆ": "d",
}  # fmt: skip


def to_ascii(text: str) -> str:
    """Return ``text`` in ASCII: signs and superscripts translated, full-width and mathematical letters folded.

    Digits of other scripts are refused: ``int`` would read them, a person would not write them.

    Raises:
        ParseError: ``character``, for anything else outside printable ASCII.
    """
    if text.isascii() and text.isprintable():
        return text
    out: list[str] = []
    raised = False
    for char in text:
        if char in _SUPERSCRIPTS:
            out.append(_SUPERSCRIPTS[char] if raised else "^(" + _SUPERSCRIPTS[char])
            raised = True
            continue
        if raised:
            out.append(")")
            raised = False
        if char in _SUBSCRIPTS:
            out.append(f"_{_SUBSCRIPTS[char]}")
        elif char in _FRACTIONS:
            if out and out[-1].isdigit():
                raise ParseError("character", f"a mixed number, {out[-1]}{char}")
            out.append(f"({_FRACTIONS[char]})")
        else:
            out.append(_one(char))
    if raised:
        out.append(")")
    return "".join(out)


def _one(char: str) -> str:
    if " " <= char <= "~":
        return char
    if char in "\t\n\r\f\v":
        return " "
    if char in _REPLACE:
        return _REPLACE[char]
    # Full-width forms and the mathematical alphabets are styles of ASCII; everything else is another character.
    if "\uff01" <= char <= "\uff5e" or "\U0001d400" <= char <= "\U0001d7ff":
        folded = unicodedata.normalize("NFKC", char)
        if len(folded) == 1 and " " < folded <= "~":
            return folded
        if folded in _REPLACE:
            return _REPLACE[folded]
    raise ParseError("character", f"U+{ord(char):04X} is outside the grammar")
