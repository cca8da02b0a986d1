"""What a response says round about its answer: signs that belong to it, words that take it back, other answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rlvr_gym.verifiers.answers.words import LABEL

_NEAR: Final = 80
_AFTER: Final = 4_000
_LINE: Final = 2_000
_MAX_OTHERS: Final = 8

_OPEN: Final = r"[\s:$*_(\[{}\\]{0,12}$"
"""What may stand between a word and the box after it."""
_DENIED = re.compile(
    r"(?:\bnot|\bnever|n't|n’t|(?:any|every)thing but|all but|≠|¬|\\(?:neq?|lnot|neg|not|pm|mp|[bx]?cancel|sout|[hv]?phantom)\b)"
    + _OPEN,
    re.IGNORECASE,
)
_DENIALS: Final = ("not", "never", "n't", "n’t", "but", "≠", "¬")
"""One of these, or a command, is in every denial."""
_NEGATED = re.compile(r"(?:[$=({,:]|\\[(\[])[ \t]?[-−][ \t]?$|(?:^|\s)[-−]$")
_GLUED_BEFORE = re.compile(r"[0-9]$")
_GLUED_AFTER = re.compile(r"\.?[0-9]")
_OPERATOR_BEFORE = re.compile(
    r"(?:[0-9]\s?[-+/^]|\\(?:cdot|times|div|log|ln|sin|cos|tan)|\\(?:sqrt|[dt]?frac)\s?\{)\s?$"
)
_OPERATOR_AFTER = re.compile(r"\s?(?:[+/^](?!\s?\{?\s?\\circ)|\\(?:cdot|times|div)(?![A-Za-z])|-\s?[0-9])")
_GOES_ON = re.compile(
    r"[\s$]{0,4}(?:,\s?and|,|and|&)\s{0,2}\$?-?[0-9][0-9./]{0,20}\$?\s?[.!?]?\s{0,4}(?:\n|$)"
)
_TAKEN_BACK = re.compile(
    r"[\s$).,*\]\\]{0,8}(?:[✗✘❌]|(?:(?:but|which|this|that|it|and),?\s){0,3}"
    r"(?:(?:is|was|seems|looks)(?:n't|\snot)\s(?:the\s|an?\s)?(?:right|correct|valid|true|answer|final|it\b)"
    r"|(?:is|was|seems|looks)\s(?:the\s|an?\s)?(?:false|wrong|incorrect|invalid)"
    r"|can(?:'t|not)\sbe\s(?:it\b|right|correct|true)|(?:that's|this\sis)\s(?:wrong|false|incorrect)))",
    re.IGNORECASE,
)
_SHARED = re.compile(
    r"(?:also (?:works|correct|possible|valid|right|acceptable)|works (?:too|as well))", re.IGNORECASE
)
_OR_BEFORE = re.compile(r"(\$[^$\n]{1,60}\$|-?[0-9][0-9.,/]{0,30})\s?,?\sor" + _OPEN)
_OR_AFTER = re.compile(
    r"[\s$).,\]}*]{0,8}\(?or\s(\$[^$\n]{1,60}\$|-?[0-9][0-9.,/]{0,30}|\\[dt]?frac\{[0-9]{1,9}\}\{[0-9]{1,9}\})(?![0-9A-Za-z\\])"
)
_CORRECTED = re.compile(
    r"\b(?:wait|hmm+|actually|oops|no|sorry|correction)\b[^\n]{0,160}?"
    r"\b(?:it's|it\sis|it\smust\sbe|it\sshould\sbe|should\sbe|make\s(?:it|that)|i\smeant?|rather)\s\$?(-?[0-9][0-9.,/]{0,30})",
    re.IGNORECASE,
)
_LETTER = re.compile(r"[A-Za-z]")
_DISOWNED = re.compile(r"(?:wrong|incorrect|false|possible|another|other|bad|trial)\s{0,2}$", re.IGNORECASE)
_NO_STATEMENTS: Final = frozenset(
    [
        *("clear", "obvious", "correct", "right", "unique", "below", "above", "simple", "known", "unclear"),
        *(
            "reasonable",
            "consistent",
            "verified",
            "valid",
            "confirmed",
            "final",
            "exact",
            "plausible",
            "as follows",
        ),
    ]
)


def altered(text: str, start: int, end: int) -> str | None:
    """Return what next to the box at ``text[start:end]`` changes what it says, None when nothing does."""
    before, after = text[max(0, start - _NEAR) : start], text[end : end + _NEAR]
    # What is quick to find out comes first: these expressions go through all of the text.
    last, commands = before.rstrip()[-1:], "\\" in before
    if (commands or any(map(before.lower().__contains__, _DENIALS))) and _DENIED.search(before):
        return "the box is denied"
    if last in "-−" and _NEGATED.search(before):
        return "a sign stands before the box"
    if last.isdigit() and _GLUED_BEFORE.search(before):
        return "digits touch the box"
    operator = (commands or last in "-+/^") and _OPERATOR_BEFORE.search(before)
    if not operator and is_silent(after):
        return None
    if _GLUED_AFTER.match(after):
        return "digits touch the box"
    if _TAKEN_BACK.match(after) or _SHARED.search(after.partition("\n")[0]):
        return "more follows the box"
    if _GOES_ON.match(after):
        return "a list goes on after the box"
    # 10 + [7] = 17 fills a gap.
    rest = after.partition("\n")[0]
    if _OPERATOR_AFTER.match(after) and "=" not in rest:
        return "the box is part of a formula"
    if operator and "=" not in rest and "=" not in before.rpartition("\n")[2]:
        return "the box is part of a formula"
    return None


def is_silent(after: str) -> bool:
    """Return whether nothing follows but what ends a sentence or a formula."""
    return not after.strip(" .$\n*)")


def alternatives(text: str, start: int, end: int) -> tuple[str, ...]:
    """Return the values that an "or" joins to the box at ``text[start:end]``; they must be equal to it."""
    found = [after[1]] if (after := alternative_after(text, end)) is not None else []
    before = text[max(0, start - _NEAR) : start]
    while "or" in before and (match := _OR_BEFORE.search(before)) is not None:
        found.append(match[1])
        before = before[: match.start()]
    return tuple(value.strip("$., ") for value in found)


def alternative_after(text: str, end: int) -> re.Match[str] | None:
    """Return the match of a value that "or" joins to what ends at ``text[end]``."""
    return _OR_AFTER.match(text, end, end + 2 * _NEAR)


def others(text: str, end: int) -> tuple[str, ...]:
    """Return other answers that ``text`` gives behind ``text[end]``."""
    after = text[end : end + _AFTER]
    if _LETTER.search(after) is None:
        return ()
    found = [match[1] for match in _CORRECTED.finditer(after)]
    found += statements(after)
    return tuple(found[:_MAX_OTHERS])


def statements(text: str) -> Iterator[str]:
    """Yield what follows "the answer is" and the like, up to the end of the sentence or on the next line."""
    if "ans" not in text.casefold():
        return
    lines = [line.strip()[:_LINE] for line in text.splitlines() if line.strip()]
    for row, line in enumerate(lines):
        labels = list(LABEL.finditer(line))
        for at, match in enumerate(labels):
            if disowned(line, match.start()):
                continue
            stop = labels[at + 1].start() if at + 1 < len(labels) else len(line)
            content = line[match.end() : stop].partition(". ")[0].rstrip(" *_.").lstrip(" *_")
            if not content and at + 1 == len(labels) and row + 1 < len(lines):
                content = lines[row + 1].rstrip(" *_.").lstrip(" *_")
            if content and "\\boxed" not in content and content.lower() not in _NO_STATEMENTS:
                yield content


def disowned(line: str, at: int) -> bool:
    """Return whether the words before a label say that what follows is not the answer."""
    return _DISOWNED.search(line[max(0, at - 20) : at]) is not None
