r"""One spelling for what prints the same: characters, delimiters, wrappers and LaTeX spacing.

``normalise`` keeps everything that could matter to a parser; ``key`` is for comparing texts only.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from rlvr_gym.verifiers.answers.systems import flattened

_CHARACTERS: Final = {
    # Marks that print nothing.
    **dict.fromkeys("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2063\u2064\ufeff\ufe0e\ufe0f", ""),
    # Spaces.
    **dict.fromkeys("\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t\n\r\f\v", " "),
    # Dashes that stand for a minus.
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d", "-"),
    **dict.fromkeys("\u2018\u2019\u02bc\u2032", "'"),
    **dict.fromkeys("\u201c\u201d\u2033", '"'),
    "或": " or ", "且": " and ", "和": " and ", "\u2014": " - ", "\u3002": ".", "\u3001": ",", "º": "°", "˚": "°",
    # Full-width forms of ASCII.
    **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if code != 0xFF0D},
    # Bold, italic and other styles of the ten digits.
    **{chr(0x1D7CE + at): "0123456789"[at % 10] for at in range(50)},
}  # fmt: skip
_TABLE: Final = str.maketrans(_CHARACTERS)
_SPANS: Final = (
    ("$$", "$$"),
    ("$", "$"),
    ("\\(", "\\)"),
    ("\\[", "\\]"),
    ("**", "**"),
    ("__", "__"),
    ("``", "``"),
    ("`", "`"),
)
_OPENING: Final = tuple(left for left, _ in _SPANS)
_COMMANDS: Final = (
    "\\text", "\\textbf", "\\textit", "\\textrm", "\\textsf", "\\texttt", "\\mathrm", "\\mathbf", "\\mathit", "\\mathsf", "\\mathtt",
    "\\boldsymbol", "\\bm", "\\mbox", "\\hbox", "\\boxed", "\\fbox", "\\emph", "\\ensuremath", "\\operatorname", "\\displaystyle",
    "\\underline", "\\bf", "\\rm", "\\large", "\\Large", "\\textnormal", "\\mathop",
)  # fmt: skip
_COMMAND = re.compile(
    rf"(?:{'|'.join(map(re.escape, sorted(_COMMANDS, key=len, reverse=True)))})(?![A-Za-z])\s*+"
)
_SPACING = re.compile(
    r"\\\\|\\(?:[,;:!> ]|q?quad(?![A-Za-z])|hspace\{[^{}]{0,20}\}|(?:displaystyle|limits|nolimits|left|right|[bB]igg?[lr]?)(?![A-Za-z])(?:\.(?=\s|$))?)|~"
)
_FRACTION = re.compile(r"\\[dtc]frac(?![A-Za-z])")
_THOUSANDS = re.compile(r"(?<=[0-9])\s?(?:\{\s?,\s?\}|,?\\[!,])\s?(?=[0-9]{3}(?![0-9]))")
_COLOR = re.compile(r"\\(?:text)?color\s?\{[A-Za-z]{1,20}\}\s?(?:\{([^{}]*)\})?")
_MODULUS = re.compile(r"\\pmod\s?\{([0-9A-Za-z]{1,20})\}")
_ONE_SIGN = re.compile(r"([\^_])\s?\{\s?([0-9A-Za-z])\s?\}(?![0-9A-Za-z])")
_LEADING = re.compile(
    r"(?:\\(?:Rightarrow|Longrightarrow|implies|therefore)(?![A-Za-z])|\u21d2|\u27f9|\u2234)\s*+"
)
_SIGN_IN_TEXT = re.compile(r"\\(?:text|mathrm|mbox)\s?\{\s?([-,.+:])\s?\}")
_GLUED = re.compile(r"\\(q?quad)(?=[A-Za-z])")
_FUNCTION = re.compile(r"(?<![A-Za-z\\0-9)}])([xyz])\s?\((?!\1)[xtsn]\)\s?=(?!=)")
"""The solution of an equation for a function, ``y(x) =``."""
_UNIT_QUOTIENT = re.compile(
    r"(?<=[0-9\s,}])\\[dt]?frac\s?\{\s?\\(?:text|mathrm|mbox)\s?\{\s?([A-Za-z]{1,12})\s?\}\s?\}"
    r"\s?\{\s?\\(?:text|mathrm|mbox)\s?\{\s?([A-Za-z]{1,12}(?:\^[23])?)\s?\}\s?\}$"
)
"""A quotient of units behind a number."""
_SLANTED = re.compile(r"\\(?:nicefrac|sfrac)(?![A-Za-z])")
_RELATION = re.compile(r"[=<>]|\\[lg]eq?(?![A-Za-z])|\\in(?![A-Za-z])")
_INNER = re.compile(r"\{[^{}]*\}")
_DOLLAR = re.compile(r"(?<!\\)\$")
_LOOSE_SPACE = re.compile(r"(?<![0-9A-Za-z]) | (?![0-9A-Za-z])")


def normalise(text: str) -> str:
    r"""Return ``text`` with plain characters and without delimiters, wrappers or a full stop around it.

    Example:
        >>> normalise("$\\\\boxed{\\\\text{East}}$.")
        'East'
    """
    if not text.isascii() or not text.isprintable():
        text = text.translate(_TABLE)
    if "\\" in text:
        text = _SIGN_IN_TEXT.sub(_first_group, text)
        if "quad" in text:
            text = _GLUED.sub(r"\\\1 ", text)
    text = (
        _LEADING.sub("", text.strip(), count=1)
        if text.strip()[:1] in "\\\u21d2\u27f9\u2234"
        else text.strip()
    )
    for _ in range(6):
        bare = _peeled(text)
        if bare == text:
            break
        text = bare
    if "\\" in text or "{" in text:
        text = _THOUSANDS.sub(",", text).replace("\\!", "")
        if "color" in text:
            text = _COLOR.sub(r"\1", text)
        if "\\begin" in text:
            text = flattened(text)
        if "frac" in text:
            text = _UNIT_QUOTIENT.sub(r"\\text{\1/\2}", _SLANTED.sub(r"\\frac", text))
    if "(" in text and "=" in text:
        text = _FUNCTION.sub(r"\1=", text)
    if "$" in text and _DOLLAR.subn("", text)[1] % 2 == 0:
        # $28$ %: several pieces of mathematics in a line.
        text = _DOLLAR.sub("", text)
    elif text.endswith("$") and text[0] in "0123456789" and text.count("$") == 1:
        # 18.90$: a currency behind its number.
        text = f"${text[:-1]}"
    return text


def _peeled(text: str) -> str:
    """Return ``text`` without one layer around it."""
    if text.endswith((".", ",", ";", ":")) and not text.endswith(("..", "\\,", "\\;", "\\:", "a.m.", "p.m.")):
        text = text[:-1].rstrip()
    if text.endswith(("\\,", "\\;", "\\:", "\\ ", "\\!")) and not text.endswith(("\\\\,", "\\\\;")):
        text = text[:-2].rstrip()
    if text.startswith(("\\,", "\\;", "\\:", "\\ ", "\\!")):
        text = text[2:].lstrip()
    text = text.rstrip("\\").rstrip()
    for left, right in _SPANS if text.startswith(_OPENING) else ():
        if len(text) > len(left) + len(right) and text.startswith(left) and text.endswith(right):
            inner = text[len(left) : -len(right)]
            if left not in inner.replace("\\$", "") and not inner.endswith("\\"):
                return inner.strip()
    if text.startswith("\\"):
        match = _COMMAND.match(text)
        if match is not None:
            rest = text[match.end() :]
            if match[0].strip() in ("\\displaystyle", "\\bf", "\\rm", "\\large", "\\Large"):
                return rest
            if rest.startswith("{") and closing_brace(rest, 0) == len(rest) - 1:
                return rest[1:-1].strip()
    if len(text) > 2 and text[0] == "{" and closing_brace(text, 0) == len(text) - 1 and _is_one(text[1:-1]):
        return text[1:-1].strip()
    if len(text) > 2 and text[0] == text[-1] and text[0] in "\"'" and text[0] not in text[1:-1]:
        return text[1:-1].strip()
    return text


_BRACE = re.compile(r"\\[\s\S]|[{}]")


def _is_one(text: str) -> bool:
    """Return whether braces round ``text`` only group it: it is no list of values, which would make it a set."""
    outside = _INNER.sub("", text)
    return "," not in outside.replace("\\,", "") or (
        "|" not in outside and _RELATION.search(outside) is not None
    )


def closing_brace(text: str, at: int) -> int:
    """Return where the brace that opens at ``at`` closes, -1 when it does not."""
    level = 0
    for brace in _BRACE.finditer(text, at):
        if brace[0] == "{":
            level += 1
        elif brace[0] == "}":
            level -= 1
            if level == 0:
                return brace.start()
    return -1


def _first_group(match: re.Match[str]) -> str:
    # Quicker than the template r"\1".
    return match[1]


_WORDY: Final = "|".join(sorted(map(re.escape, _COMMANDS), key=len, reverse=True))
_UNWRAPPED: Final = re.compile(rf"(?:{_WORDY})\s*+\{{((?:[^{{}}]|\{{[^{{}}]*\}})*+)\}}")


def plain_words(text: str) -> str:
    r"""Return ``text`` with ``\text{...}`` and its kin replaced by what they hold."""
    if "\\" not in text:
        return text
    # One answer is asked for often.
    return _plain_words(text) if len(text) <= _CACHED_CHARS else _plain_words.__wrapped__(text)


@lru_cache(maxsize=1024)
def _plain_words(text: str) -> str:
    for _ in range(3):
        bare = _UNWRAPPED.sub(_first_group, text)
        if bare == text:
            break
        text = bare
    return text


def key(text: str) -> str:
    """Return what two texts that print the same have in common; ``text`` is normalised already."""
    # Long texts come once, and would fill the memory.
    return _key(text) if len(text) <= _CACHED_CHARS else _key.__wrapped__(text)


_CACHED_CHARS: Final = 400


@lru_cache(maxsize=4096)
def _key(text: str) -> str:
    if "\\" in text or "~" in text:
        text = _SPACING.sub(lambda match: match[0] if match[0] == "\\\\" else " ", text)
        if "frac" in text:
            text = _FRACTION.sub(r"\\frac", text)
        if "pmod" in text:
            text = _MODULUS.sub(r"\\pmod \1", text)
    if "{" in text and ("^" in text or "_" in text):
        text = _ONE_SIGN.sub(r"\1\2", text)
    if " " in text:
        text = _LOOSE_SPACE.sub("", " ".join(text.split()))
    return text


_DOTS = re.compile(r"\\(?:[cl]?dots|dotsc|dotsb)(?![A-Za-z])|\.\.\.")
_SAME_SIGN = re.compile(r"\\(le|ge|ne)q(?:slant)?(?![A-Za-z])")
_LOGIC: Final = {
    "wedge": "land", "vee": "lor", "neg": "lnot", "to": "rightarrow", "implies": "Rightarrow", "iff": "Leftrightarrow",
    "Longrightarrow": "Rightarrow", "Longleftrightarrow": "Leftrightarrow",
}  # fmt: skip
_LOGIC_CHARS: Final = str.maketrans({"∧": "\\land ", "∨": "\\lor ", "¬": "\\lnot ", "→": "\\rightarrow "})
_LOGIC_SIGN = re.compile(rf"\\({'|'.join(_LOGIC)})(?![A-Za-z])")
_CONDITION = re.compile(r",?&(?:if|for|when)?")


def loosened(text: str) -> str:
    """Return what two texts that no parser reads have in common when they say the same."""
    text = plain_words(key(text))
    text = _DOTS.sub("\u2026", _SAME_SIGN.sub(r"\\\1", text))
    text = _LOGIC_SIGN.sub(lambda match: "\\" + _LOGIC[match[1]], text.translate(_LOGIC_CHARS))
    return _CONDITION.sub("&", key(text).replace(" ", "")).replace("~", "")


_SIGNS: Final = (("\\cdot", "*"), ("\\times", "*"), ("×", "*"), ("·", "*"), ("⋅", "*"), ("**", "^"), ("\\div", "/"), ("÷", "/"), ("²", "^2"), ("³", "^3"), ("√", "sqrt"))  # fmt: skip


def squashed(text: str) -> str:
    """Return ``text`` with the same signs for multiplication and so on, and without what only groups or spaces."""
    text = key(text)
    for sign, plain in _SIGNS:
        text = text.replace(sign, plain)
    return text.replace("\\", "").replace("{", "").replace("}", "").replace(" ", "").replace("$", "")
