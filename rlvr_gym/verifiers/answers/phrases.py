"""Answers in words: yes and no, no solution, does not exist, all real numbers, numbers up to a hundred, plain text."""

from __future__ import annotations

import re
from typing import Final, Literal

from rlvr_gym.verifiers.answers.normalise import plain_words
from rlvr_gym.verifiers.answers.words import listed

_PUNCTUATION = re.compile(r"[^\w%°+]+|_")
_ARTICLES: Final = frozenset(["a", "an", "the"])
_GROUPS: Final = {
    "true": "true|yes|that is true|yes it is|yes it does",
    "false": "false|no|that is false|no it is not|no it does not",
    "empty": "no solution|no solutions|no real solution|no real solutions|no real roots|no real root|no roots|none|empty set|null set|empty|"
    "there is no solution|there are no solutions|no integer solutions|no such number|no such numbers|no answer exists|"
    "no possible values|no values|there are none|impossible|not possible|no such function exists",
    "undefined": "does not exist|dne|d n e|undefined|not defined|limit does not exist|doesn t exist|do not exist|is undefined|nonexistent",
    "diverges": "diverges|divergent|diverge|series diverges|it diverges|integral diverges",
    "converges": "converges|convergent|converge|series converges|it converges|integral converges",
    "integers": "all integers|set of all integers|set of integers|any integer|every integer",
    "naturals": "all natural numbers|set of all natural numbers|set of natural numbers|any natural number",
    "rationals": "all rational numbers|set of all rational numbers|set of rational numbers",
    "many": "infinitely many|infinite|infinity many|there are infinitely many|infinitely many solutions|infinite solutions|infinite number of solutions|infinitely many points",
    "reals": "all real numbers|all reals|any real number|every real number|real numbers|set of all real numbers|set of real numbers|all real x|"
    "x is any real number|all real values",
    "sufficient": "enough information|sufficient",
    "not enough": "not enough information|cannot be determined|insufficient information|can not be determined|it cannot be determined|"
    "cannot be determined from information given|not enough information to determine",
}  # fmt: skip
_MEANINGS: Final = {phrase: meaning for meaning, phrases in _GROUPS.items() for phrase in phrases.split("|")}
_SMALL: Final = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS: Final = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def _number_words() -> dict[str, int]:
    words = {word: at for at, word in enumerate(_SMALL)}
    for at, ten in enumerate(_TENS, 2):
        words[ten] = 10 * at
        words |= {f"{ten} {word}": 10 * at + digit for digit, word in enumerate(_SMALL[1:10], 1)}
    return {**words, "hundred": 100, "one hundred": 100, "thousand": 1000, "one thousand": 1000}


_SHARES: Final = {
    "half": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "eighth": 8,
    "tenth": 10,
}


_HALF_LINES: Final = {
    "positive": "(0,\\infty)",
    "negative": "(-\\infty,0)",
    "nonnegative": "[0,\\infty)",
    "non negative": "[0,\\infty)",
    "nonpositive": "(-\\infty,0]",
    "non positive": "(-\\infty,0]",
}


NUMBER_WORDS: Final = {
    **{word: str(value) for word, value in _number_words().items()},
    **{
        f"{begin}{sign} {reals}": line
        for begin in ("", "all ", "any ", "set of all ")
        for sign, line in _HALF_LINES.items()
        for reals in ("real numbers", "reals", "real number", "real x")
    },
    **{
        f"{sign} {word}": str(-value)
        for sign in ("minus", "negative")
        for word, value in _number_words().items()
        if value
    },
    **{
        f"{_SMALL[top]} {name}{'s' * (top > 1)}": f"{top}/{bottom}"
        for name, bottom in _SHARES.items()
        for top in range(1, bottom)
    },
}
"""Numbers, fractions and half-lines in words, folded."""


def folded(text: str) -> str:
    r"""Return the words of ``text`` in lower case, without articles and punctuation.

    Example:
        >>> folded("The \\\\text{North-East}.")
        'north east'
    """
    words = _PUNCTUATION.sub(" ", plain_words(text).casefold().replace("'", "")).split()
    kept = [word for word in words if word not in _ARTICLES]
    return " ".join(kept or words)


_BRACKETS: Final = frozenset("\\{}()[]")


_MARKS = re.compile(
    r"(?<![\w)])[-+<>=≤≥±]\s?(?=[0-9])|[0-9]+(?:[.,:/^-][0-9]+)*|[(\[{][^()\[\]{}]{0,40},[^()\[\]{}]{0,40}[)\]}]"
)


def marks(text: str) -> list[str]:
    """Return what ``folded`` drops and a number or an interval among words needs: signs, points and brackets."""
    return [mark.replace(" ", "") for mark in _MARKS.findall(plain_words(text).replace("\u2212", "-"))]


_DENIAL = re.compile(r"^\s?(?:[-!¬~]|\\(?:lnot|neg|sim|not)(?![A-Za-z]))|\?$")


def is_denied(text: str) -> bool:
    """Return whether a sign of negation stands before some words, or a question mark behind them."""
    return _DENIAL.search(text.strip()) is not None


def meaning(text: str) -> str | None:
    """Return what a fixed phrase means, such as ``"empty"`` for "no solution", None for any other text."""
    if len(text) > 120 or not _BRACKETS.isdisjoint(plain_words(text)):
        return None
    found = _MEANINGS.get(folded(text))
    return None if found is None or is_denied(text) else found


_WORD = re.compile(r"(?<!\\)(?<![A-Za-z\\])[A-Za-z]{2,}")
_KNOWN: Final = listed(
    """
    sin cos tan cot sec csc arcsin arccos arctan asin acos atan sinh cosh tanh coth sech csch ln log exp
    sqrt cbrt abs floor ceil ceiling pi inf infinity oo theta alpha beta gamma delta epsilon lambda mu nu
    phi psi omega rho sigma tau kappa eta zeta xi chi max min gcd lcm mod binom or and in nCr lg frac
    root nthroot det e i sign sgn re im erf union cup cap arsinh arcosh artanh arcsinh arccosh arctanh arccot arcsec arccsc cis factorial times pm
    """
)


_SHORT_WORDS: Final = listed(
    """
    an am as at be by do go he hi if is it me my no of oh ok on so to up us we all and any are ant arm
    ask bad bag bat bed bee big bit box boy bus but can car cat cow cup cut day did dog dry due ear eat
    egg end eye far fat few fig fit fix fly for fox fri fun get god got gun guy had has hat hen her him
    his hot how ice ink its jan feb mar apr may jun jul aug sep oct nov dec job key kid kit law lay leg
    let lie lip log lot low mad man map mat men met mix mon mum nor not now nut odd off oil old one our
    out own pan pay pen pet pie pig pot put rat raw red row run sad sat saw say sea see set she shy sir
    sit six sky son sun tax tea ten the thu tie tin tip toe too top toy try tue two use van war was way
    wed wet who why win yes yet you zoo pm kg cm mm km ft
    """
)
"""Words of two or three letters; other short runs of letters are products of variables."""


_SIGNS: Final = frozenset("\\^={}<>|+*")


def is_prose(text: str) -> bool:
    """Return whether a text is words and no formula."""
    plain = plain_words(text)
    if not _SIGNS.isdisjoint(plain):
        return False
    found = _WORD.findall(plain)
    return any(word not in _KNOWN and (len(word) > 3 or word.lower() in _SHORT_WORDS) for word in found)


SETS: Final[dict[str, Literal["R", "Z", "N", "Q"]]] = {
    "reals": "R",
    "integers": "Z",
    "naturals": "N",
    "rationals": "Q",
}
"""Sets of numbers by their meanings."""
