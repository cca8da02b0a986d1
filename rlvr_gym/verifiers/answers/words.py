"""Words that change what an answer says: hedges, corrections, retractions, and labels of a final statement."""

from __future__ import annotations

import re
from typing import Final


def listed(words: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(words.split())


_WORD = re.compile(r"[a-z']+")

HEDGES: Final = listed(
    """
    or either alternatively maybe perhaps possibly otherwise unless versus vs xor lor vee else nor
    """
)
"""Words that leave the choice between two answers open."""
JOINERS: Final = listed(
    """
    and text quad qquad as well also both textbf mathrm land
    """
)
"""Words that only join two parts of one answer."""
_CORRECTIONS: Final = listed(
    """
    wait actually correction corrected sorry oops mistake mistaken error wrong incorrect instead rather
    recheck recalculate rechecking redo revised revise hmm apologies apologize scratch reconsider
    """
)
_SAME_AGAIN: Final = (
    "equivalently", "approximately", "about", "roughly", "simply", "around", "in other words", "more precisely", "in decimal",
    "rather", "just", "in simplest", "simplified", "written", "in fraction", "as a",
)  # fmt: skip
_RETRACTIONS: Final = (
    "that is wrong", "this is wrong", "it is wrong", "which is wrong", "answer is wrong", "is incorrect", "not correct", "not right", "is not the answer", "isn't right", "scratch that", "ignore that",
    "ignore the above", "correction:", "the real answer", "the actual answer", "not the final answer", "just a guess",
    "another possib", "other possib", "not sure", "if that is wrong", "if not,", "if that's wrong", "second answer", "other answer",
)  # fmt: skip
_INSTEAD = re.compile(
    r"\b(?:should|could|might|may|must)\s(?:also\s|actually\s|instead\s|rather\s|well\s)?be\s[$\\(*]*+-?[0-9]|alternatively,?\s[$\\(*]*+-?[0-9]"
)
_SHORTLY: Final = 240
"""Characters after an answer in which it may be taken back."""


NEGATIONS: Final = listed(
    """
    not never no none wrong incorrect except unlike without twice half double triple negative minus opposite reciprocal inverse less
    more greater smaller than least most below above false isn't nor neither guess suppose assume if when let think believe try could
    might would should can sure probably
    """
)
"""Words that make what stands beside a number something else than its name."""


def words_of(text: str) -> list[str]:
    """Return the words of a stretch of prose in lower case."""
    return _WORD.findall(text.lower())


def hedges(text: str) -> bool:
    """Return whether ``text`` leaves the choice between what stands before and after it open."""
    return not HEDGES.isdisjoint(words_of(text))


def corrects(text: str) -> bool:
    """Return whether ``text`` takes back what stands before it."""
    found = words_of(text)
    return not _CORRECTIONS.isdisjoint(found) or "no" in found[:1] or "let's check" in text.lower()


_OFFERS: Final = (
    "another", "could be", "might be", "may be", "possib", "option", "candidate", "guess", "choice", "attempt", "case 1", "case 2",
    "other answer", "second answer", "try ", "not sure", "unless", "probably",
)  # fmt: skip
_LEADS: Final = listed(
    """
    so then thus therefore hence which use using get gives give gave giving making finally final next now substituting
    substitute plug plugging adding multiplying dividing subtracting combining because since implies
    answer follows obtain obtaining leads yields total
    """
)


def offers(text: str) -> bool:
    """Return whether ``text`` sets one answer beside another instead of going on from it."""
    lower = text.lower()
    return hedges(lower) or any(phrase in lower for phrase in _OFFERS)


def leads(text: str) -> bool:
    """Return whether ``text`` goes on from a result to the next one."""
    return not _LEADS.isdisjoint(words_of(text))


_OTHERWISE: Final = frozenset(["alternatively", "otherwise"])
"""Words that begin remarks on the way as often as other answers."""
_TEXT: Final = frozenset(["text", "quad", "qquad", "mathrm", "textbf"])
_GOES_ON = re.compile(
    r"[ \t$}\\),\]]*+(?:\\?(?:pm|mp|cdot|times|div)(?![a-z])|[±∓×÷]|\*\s?[0-9]|[-+/]\s?[0-9\\]|\^\s?\{?[0-9])"
)


_LISTED = re.compile(r"[ \t$}\\)\]]*+[,;][ \t]?\$?-?[0-9.]++\$?[ \t]?(?:[,;.\n]|$|or\b|and\b)")


def goes_on(text: str) -> bool:
    r"""Return whether a formula or a list goes on behind a box, as in ``\boxed{7} \pm 1`` or ``\boxed{7}, 8``."""
    return _GOES_ON.match(text) is not None or _LISTED.match(text) is not None


def offered_before(text: str) -> bool:
    """Return whether what stands before an answer sets another one beside it: "either 8 or ..."."""
    last = words_of(text[-40:].rpartition(". ")[2])
    return bool(last) and (last[-1] in HEDGES or "either" in last)


def retracts(text: str) -> bool:
    """Return whether what follows an answer takes it back or offers another.

    "or equivalently", "or about" and the like only say it again.
    """
    lower = text[:_SHORTLY].lower()
    if _WORD.search(lower) is None:
        return False
    first = [word for word in words_of(lower[:80]) if word not in _TEXT][:1]
    if first and first[0] in HEDGES - _OTHERWISE:
        rest = lower.partition(first[0])[2].lstrip(" ,}")
        if not rest.startswith(_SAME_AGAIN):
            return True
    return any(phrase in lower for phrase in _RETRACTIONS) or _INSTEAD.search(lower) is not None


LABEL = re.compile(
    r"(?:(?<=[\s,.;:!*_(#>-])|^)(?:(?:the|my|our|your)\s)?\s?(?:(?:final|correct|right|overall|numerical)\s)?\s?"
    r"(?:answer|ans\.?)(?P<of>\sto\s[^.:=\n]{1,80}?)?[*_]{0,3}(?:\s?(?::|=)|\sis(?::|\stherefore|\sthus|\ssimply)?|(?=\s(?:\$|\\[\[(])))[*_]{0,3}(?=[\s$\\(*\[]|$)",
    re.IGNORECASE,
)
"""Words that say that the answer follows; run over single lines of bounded length only."""
CLOSING_REMARKS: Final = ("i hope it is correct", "hope this helps", "i hope this helps")
