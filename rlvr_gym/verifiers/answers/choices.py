r"""Choice letters: ``B``, ``(B)``, ``B) 5``, ``\text{(B)}``, ``option B``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rlvr_gym.verifiers.answers.normalise import normalise, plain_words
from rlvr_gym.verifiers.answers.words import hedges

_LEAD = re.compile(
    r"^(?:the\s)?(?:correct\s)?(?:option|choice|answer|letter)(?:\s(?:is|letter))?:?\s", re.IGNORECASE
)
_ALONE = re.compile(r"[(\[]?\s?([A-Za-z])\s?[)\]]?[.:]?")
_WITH_VALUE = re.compile(r"(?:\(\s?([A-Za-z])\s?\)|([A-Z])(?:\s?[).:]|\s-))\s*(.+)", re.DOTALL)
_DENIED = re.compile(
    r"(?:is\s)?(?:wrong|incorrect|false)\b|is\snot\b|isn't\b|not(?:\s(?:right|correct|true|it|the\sanswer))?$|[/*^_=<>?]",
    re.IGNORECASE,
)
"""What takes a letter back, or makes a formula of it: ``(i)/2``."""
_SIGNS = re.compile(r"[^0-9A-Za-z]")
_OTHER_LETTER = re.compile(r"\(\s?[A-Z]\s?\)|(?:^|\s)[A-J](?:[).:]|\s|$)")


@dataclass(frozen=True, slots=True)
class Choice:
    """A letter, and the text beside it if any."""

    letter: str
    rest: str = ""


def read_choice(text: str) -> Choice | None:
    """Return the choice that ``text`` makes, None when it names no letter, or more than one."""
    plain = _LEAD.sub(
        "",
        " ".join(re.sub(r"\\[,;:! ]|\\(?:q?quad|left|right)(?![A-Za-z])|~", " ", plain_words(text)).split()),
    )
    match = _ALONE.fullmatch(plain)
    if match is not None:
        return Choice(match[1].upper())
    match = _WITH_VALUE.fullmatch(plain)
    if match is None:
        return None
    rest = normalise(match[3])
    # "C..D" and "C) (D" name two letters.
    if (
        hedges(rest)
        or _DENIED.match(rest)
        or _OTHER_LETTER.search(rest)
        or (len(_SIGNS.sub("", rest)) == 1 and not rest.isdigit())
    ):
        return None
    return Choice((match[1] or match[2]).upper(), rest)
