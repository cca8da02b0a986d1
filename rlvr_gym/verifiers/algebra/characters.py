"""From Unicode to the ASCII that the lexer reads; what is not listed is refused, never guessed."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from rlvr_gym.verifiers.algebra.limits import ParseError

_RAISED: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿˣⁱ", "0123456789+-=()nxi")
_LOWERED: Final = str.maketrans("₀₁₂₃₄₅₆₇₈₉ₙₓₖ", "0123456789nxk")
_FRACTIONS: Final = {
    "½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5", "⅘": "4/5",
    "⅙": "1/6", "⅚": "5/6", "⅐": "1/7", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8", "⅑": "1/9", "⅒": "1/10",
}  # fmt: skip

_RAISED_RUN = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿˣⁱ]+")
_LOWERED_RUN = re.compile("[₀₁₂₃₄₅₆₇₈₉ₙₓₖ]+")
# A whole number right before such a sign can only be a mixed number.
_FRACTION = re.compile(r"([0-9]*) ?([½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒])")
# Digits under a line, typed with U+0305.
_LINED = re.compile("(?:[0-9]\u0305)+")

_COMMANDS: Final = {
    "π": "pi", "√": "sqrt", "∛": "cbrt", "∞": "infty", "∅": "emptyset", "⌀": "emptyset", "°": "degree", "º": "degree",
    "∪": "cup", "∩": "cap", "∖": "setminus", "±": "pm", "∓": "mp", "≤": "le", "≥": "ge", "⩽": "le", "⩾": "ge",
    "≦": "le", "≧": "ge", "≠": "ne", "≈": "approx", "≡": "equiv", "∈": "in", "∉": "notin", "⊂": "subset",
    "⊆": "subseteq", "∧": "land", "∨": "lor", "⟨": "langle", "⟩": "rangle", "〈": "langle", "〉": "rangle",
    "⌊": "lfloor", "⌋": "rfloor", "⌈": "lceil", "⌉": "rceil", "∼": "sim",
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ϵ": "epsilon", "ζ": "zeta",
    "η": "eta", "θ": "theta", "ϑ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "µ": "mu",
    "ν": "nu", "ξ": "xi", "ρ": "rho", "σ": "sigma", "τ": "tau", "φ": "phi", "ϕ": "phi", "χ": "chi", "ψ": "psi",
    "ω": "omega", "Γ": "Gamma", "Δ": "Delta", "∆": "Delta", "Θ": "Theta", "Λ": "Lambda", "Σ": "Sigma",
    "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega",
}  # fmt: skip
_PLAIN: Final = {
    "-": "−–‐‑﹣‒—", "*": "·⋅∙×∗⁎⨯✕•", "/": "÷∕⁄", "|": "∣│❘", "=": "＝", ":": "∶",
    " ": "\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
    "": "\u200b\u200c\u200d\u2060\u2061\u2064\ufeff\u00ad\u200e\u200f\u2062",
    "e": "ℯⅇ", "i": "ⅈ", "<": "‹", ">": "›", ",": "，、", "'": "′’", "(": "（", ")": "）",
}  # fmt: skip
_SETS: Final = {"ℝ": "R", "ℤ": "Z", "ℕ": "N", "ℚ": "Q", "ℂ": "C"}

_TABLE: Final[dict[int, str]] = (
    {ord(char): f"\\{name} " for char, name in _COMMANDS.items()}
    | {ord(char): plain for plain, chars in _PLAIN.items() for char in chars}
    | {ord(char): f"\\mathbb{{{name}}}" for char, name in _SETS.items()}
)


def to_ascii(text: str) -> str:
    """Return ``text`` in ASCII: signs become commands, raised digits powers, full-width letters plain ones.

    Digits of other scripts are refused: ``int`` would read them, a person would not write them here.

    Raises:
        ParseError: ``character``, for anything else outside ASCII, or a control character.
    """
    if text.isascii():
        return text
    text = _LINED.sub(lambda run: "\\overline{" + run[0].replace("\u0305", "") + "}", text)
    text = _FRACTION.sub(_fraction, text)
    text = _RAISED_RUN.sub(lambda run: f"^({run[0].translate(_RAISED)})", text)
    text = _LOWERED_RUN.sub(lambda run: f"_{{{run[0].translate(_LOWERED)}}}", text)
    text = text.translate(_TABLE)
    return text if text.isascii() else "".join(map(_fold, text))


def _fraction(found: re.Match[str]) -> str:
    whole, sign = found.groups()
    return f"({whole}+{_FRACTIONS[sign]})" if whole else f"({_FRACTIONS[sign]})"


def _fold(char: str) -> str:
    if char < "\x80":
        return char
    # Full-width forms and the mathematical alphabets are styles of ASCII; everything else is another character.
    if "\uff01" <= char <= "\uff5e" or "\U0001d400" <= char <= "\U0001d7ff" or char in "ℎℓℐℛℬ":
        folded = unicodedata.normalize("NFKC", char)
        if len(folded) == 1:
            if " " < folded <= "~":
                return folded
            if ord(folded) in _TABLE:
                return _TABLE[ord(folded)]
    raise ParseError("character", f"U+{ord(char):04X} is outside the grammar")
