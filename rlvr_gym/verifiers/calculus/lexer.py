"""Text to tokens, for plain formulas, LaTeX, and any mix of the two."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from rlvr_gym.verifiers.calculus.characters import to_ascii
from rlvr_gym.verifiers.calculus.limits import Limits, ParseError


@dataclass(frozen=True, slots=True)
class Token:
    """One token. ``kind`` is ``num sym const func sqrt cbrt frac int dx _ = , end``, an operator or a bracket."""

    kind: str
    text: str = ""


END: Final = Token("end")

_PLAIN: Final = [
    "exp",
    "log",
    "abs",
    "sin",
    "cos",
    "tan",
    "cot",
    "sec",
    "csc",
    "sinh",
    "cosh",
    "tanh",
    "coth",
    "sech",
    "csch",
]
_INVERTIBLE: Final = frozenset(
    ["sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "coth", "sech", "csch"]
)


_CONSTANT_WORDS: Final = ("const", "constant", "Const", "Constant", "CONST", "CONSTANT")


def _names() -> dict[str, Token]:
    table = {name: Token("func", name) for name in _PLAIN}
    for name in _INVERTIBLE:
        prefixes = ("a", "arc", "ar") if name.endswith("h") else ("a", "arc")
        table.update({prefix + name: Token("func", f"a{name}") for prefix in prefixes})
    table |= {"ln": Token("func", "log"), "Abs": Token("func", "abs"), "cosec": Token("func", "csc")}
    table |= {
        "sqrt": Token("sqrt"),
        "cbrt": Token("cbrt"),
        "pi": Token("const", "pi"),
        "e": Token("const", "e"),
    }
    # Short names of other languages, and Mathematica's with their capitals.
    table |= {"tg": table["tan"], "ctg": table["cot"], "arctg": table["atan"], "arcctg": table["acot"]}
    for name in _INVERTIBLE:
        table[name.capitalize()] = table[name]
        table["Arc" + name] = table["Arc" + name.capitalize()] = table[f"a{name}"]
        if name.endswith("h"):
            table[f"arg{name}"] = table[f"a{name}"]
    table |= {
        "Ln": table["ln"],
        "Log": table["log"],
        "Exp": table["exp"],
        "Sqrt": table["sqrt"],
        "E": table["e"],
    }
    table |= {"int": Token("int"), "integral": Token("int"), "Integral": Token("int")}
    table |= {word: Token("sym", "constant") for word in _CONSTANT_WORDS}
    return table


NAMES: Final = _names()
"""Words of the grammar; inside a run of letters the longest one wins."""

_LONGEST = max(map(len, NAMES))
_GREEK: Final = frozenset(
    [
        "alpha",
        "beta",
        "gamma",
        "delta",
        "epsilon",
        "zeta",
        "eta",
        "theta",
        "iota",
        "kappa",
        "lambda",
        "mu",
        "nu",
        "xi",
        "rho",
        "sigma",
        "tau",
        "phi",
        "chi",
        "psi",
        "omega",
        "Phi",
        "Psi",
        "Omega",
    ]
)
_SKIPPED: Final = frozenset(
    [
        "left",
        "right",
        "big",
        "Big",
        "bigg",
        "Bigg",
        "bigl",
        "bigr",
        "Bigl",
        "Bigr",
        "biggl",
        "biggr",
        "displaystyle",
        "textstyle",
        "limits",
        "nolimits",
        "quad",
        "qquad",
        "thinspace",
        "space",
        "large",
        "Large",
        "LARGE",
        "huge",
        "small",
        "normalsize",
        "middle",
    ]
)
_COMMANDS: Final[dict[str, Token]] = {
    "frac": Token("frac"), "dfrac": Token("frac"), "tfrac": Token("frac"), "cfrac": Token("frac"),
    "cdot": Token("*"), "times": Token("*"), "ast": Token("*"), "div": Token("/"), "int": Token("int"),
    "vert": Token("|"), "mid": Token("|"), "over": Token("over"), "lvert": Token("lbar"), "rvert": Token("rbar"),
    "lbrace": Token("(", "{"), "rbrace": Token(")", "{"),
}  # fmt: skip
_WRITTEN: Final = frozenset(
    [
        "mathrm",
        "mathcal",
        "mathbf",
        "operatorname",
        "text",
        "textrm",
        "textbf",
        "mathit",
        "mathsf",
        "boldsymbol",
        "bm",
    ]
)
_WORDS_ONLY: Final = frozenset(["operatorname", "text", "textrm", "textbf", "mathcal"])
_OPEN: Final = {"(": Token("(", "("), "[": Token("(", "["), "{": Token("(", "{")}
_CLOSE: Final = {")": Token(")", "("), "]": Token(")", "["), "}": Token(")", "{")}
_SINGLE: Final = {c: Token(c) for c in "+-*/^|_=,"} | _OPEN | _CLOSE

_LETTERS = re.compile(r"[A-Za-z]+")
# A scientific exponent needs its digits at once, so that 2e^x and 2e stay products.
_NUMBER = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE]([+-]?[0-9]+))?")
_SUBSCRIPT = re.compile(r"_?[0-9]{1,3}|_\{[0-9]{1,3}\}")
_BASED_LOG = re.compile(r"(?:10|2)(?=\()")
_BRACED = re.compile(r"\s*\{\s*([A-Za-z]+)\.?\s*\}")
_CONSTANT_PHRASE = re.compile(
    r"\s*\{\s*(?:an? |the |some )?(?:arbitrary |integration )?const(?:ant|\.)?(?: of integration)?\s*\}",
    re.IGNORECASE,
)
_GROUP = re.compile(r"\s*\{")
# Programs write math.log(x) and np.exp(x).
_MODULE = re.compile(r"(?:math|cmath|np|numpy|sympy|sp|mp|mpmath|jnp)\.(?=[A-Za-z])")


def lex(text: str, variable: str, limits: Limits) -> list[Token]:
    """Return the tokens of ``text``.

    Raises:
        ParseError: a character, word or size outside the grammar.
    """
    if len(text) > limits.max_chars:
        raise ParseError("too_long", f"{len(text)} characters, at most {limits.max_chars}")
    source = to_ascii(text)
    tokens: list[Token] = []
    at = 0
    while at < len(source):
        char = source[at]
        if char == " " or char == "~":
            at += 1
        elif char == "\\":
            at = _command(source, at + 1, variable, tokens)
        elif char.isalpha():
            module = _MODULE.match(source, at)
            at = module.end() if module is not None else at
            match = _LETTERS.match(source, at)
            assert match is not None
            at = _word(source, at, match.end(), variable, tokens)
        elif char.isdigit() or char == ".":
            at = _number(source, at, limits, tokens)
        elif source.startswith("**", at):
            tokens.append(Token("^"))
            at += 2
        elif char in _SINGLE:
            tokens.append(_SINGLE[char])
            at += 1
        else:
            raise ParseError("character", f"{char!r} is outside the grammar")
    return _differentials(tokens, variable)


def _number(source: str, at: int, limits: Limits, tokens: list[Token]) -> int:
    match = _NUMBER.match(source, at)
    if match is None:
        raise ParseError("syntax", "a point without digits")
    digits, exponent = match.groups()
    # Counted before int() sees them: CPython refuses more than 4,300 digits with an exception.
    if len(digits) > limits.max_digits or (exponent and len(exponent) > 4):
        raise ParseError("digits", f"a number of more than {limits.max_digits} digits")
    if exponent and abs(int(exponent)) > limits.max_digits:
        raise ParseError("digits", f"a number of more than {limits.max_digits} digits")
    tokens.append(Token("num", match.group()))
    return match.end()


def value(token: Token) -> Fraction:
    """Return the exact value of a ``num`` token.

    Example:
        >>> value(Token("num", "0.25"))
        Fraction(1, 4)
    """
    # The shortcut matters: Fraction reads text with a regular expression.
    return Fraction(int(token.text)) if token.text.isdigit() else Fraction(token.text)


def _word(source: str, at: int, end: int, variable: str, tokens: list[Token]) -> int:
    """Split the letters ``source[at:end]`` into words of the grammar and single letters."""
    while at < end:
        # The variable may be a letter that also is a word of the grammar.
        for length in range(min(_LONGEST, end - at), 0, -1):
            token = NAMES.get(source[at : at + length])
            if token is not None and source[at : at + length] != variable:
                at += length
                break
        else:
            token = Token("sym", source[at])
            at += 1
        if token.kind == "sym" and token.text != variable:
            at = _subscript(source, at, end, token, tokens)
        else:
            tokens.append(token)
    # Programming languages write log10(x) and log2(x).
    based = _BASED_LOG.match(source, at) if tokens[-1] == NAMES["log"] else None
    if based is not None:
        tokens += (Token("_"), Token("num", based.group()))
        return based.end()
    return at


def _subscript(source: str, at: int, end: int, token: Token, tokens: list[Token]) -> int:
    match = _SUBSCRIPT.match(source, at) if at == end else None
    if match is None:
        tokens.append(token)
        return at
    tokens.append(Token("sym", token.text + "_" + match.group().strip("_{}")))
    return match.end()


def _command(source: str, at: int, variable: str, tokens: list[Token]) -> int:
    """Read the LaTeX command whose name begins at ``at``."""
    match = _LETTERS.match(source, at)
    if match is None:
        sign = source[at : at + 1]
        if sign in (",", ";", ":", "!", " "):
            return at + 1
        if sign in ("{", "}"):
            tokens.append(_SINGLE[sign])
            return at + 1
        if sign == "|":
            tokens.append(Token("|"))
            return at + 1
        raise ParseError("syntax", f"\\{sign} is outside the grammar")
    name, at = match.group(), match.end()
    if name in ("left", "right") and source[at : at + 1] == "|":
        tokens.append(Token("lbar" if name == "left" else "rbar"))
        return at + 1
    if name in _SKIPPED:
        return at
    if name in _COMMANDS:
        tokens.append(_COMMANDS[name])
    elif name in _WRITTEN:
        phrase = _CONSTANT_PHRASE.match(source, at)
        if phrase is not None:
            tokens.append(Token("sym", "constant"))
            return phrase.end()
        braced = _BRACED.match(source, at)
        if braced is None and name not in _WORDS_ONLY and _GROUP.match(source, at):
            # A style of the whole group.
            return at
        word = braced.group(1) if braced is not None else ""
        if braced is None or not (len(word) == 1 or word in NAMES or word == f"d{variable}"):
            raise ParseError("word", f"\\{name} with anything but one word of the grammar")
        _word(source, braced.start(1), braced.end(1), variable, tokens)
        at = braced.end()
    elif name in _GREEK:
        tokens.append(Token("sym", name))
    elif name in NAMES and name not in ("e", "const", "constant"):
        tokens.append(NAMES[name])
    else:
        raise ParseError("word", f"\\{name[:20]} is outside the grammar")
    return at


def _differentials(tokens: list[Token], variable: str) -> list[Token]:
    """Join the letters ``d`` and ``variable`` to one ``dx`` token."""
    joined: list[Token] = []
    for token in tokens:
        if joined and token == Token("sym", variable) and joined[-1] == Token("sym", "d") and variable != "d":
            joined[-1] = Token("dx")
        else:
            joined.append(token)
    joined.append(END)
    return joined
