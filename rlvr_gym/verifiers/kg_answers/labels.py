"""Words that say that the answer follows, and statements of an answer wherever they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rlvr_gym.verifiers.answers.words import listed

LABEL = re.compile(
    r"(?:^|(?<=[.!?;]\s)|(?<=[.!?;]\s\s))[\s>#*_\"'`]{0,8}(?:[-+\u2022]\s{1,4}[\s*_\"'`]{0,4})?(?:\\text(?:bf|it)\{)?"
    r"(?:(?:so|thus|therefore|hence|finally|consequently|then|in\sconclusion|in\ssummary|in\sshort|as\sa\sresult)[,:]?\s)?"
    r"(?:(?:the|my|our)\s)?(?:(?:final|correct|right|complete|full)\s)?answers?(?:\sto\s(?:the|this|your)\squestion)?"
    r"[\s*_]{0,4}(?::|=|\uff1a|\s(?:is|are)\b:?)[\s*_}]{0,4}",
    re.IGNORECASE,
)
"""Words at the beginning of a sentence that say that the answer follows."""
HEADING = re.compile(r"[#*_>\s]{0,8}(?:the\s)?(?:final\s)?answers?[*_#:\s]{0,8}", re.IGNORECASE)
HASHES: Final = "####"
MARKS: Final = ("<answer>", "\\boxed", "\\fbox")
_CLAIM = re.compile(
    r"(?<!to\s)(?<!\w)(?:answers?|ans)\.?(?:,\s[^,\n.:=]{1,30},|\s?\([^()\n]{1,20}\)|\s?#?[0-9]{1,2}(?![0-9])|\s(?:to|of|for|here|should|would|must)\b[^\n.:=]{0,60}?)?"
    r"[\s*_)\"'}\]]{0,4}(?:[:=\uff1a]|\b(?:is|are|was|be)\b:?)[\s*_}]{0,4}",
    re.IGNORECASE,
)
"""Words anywhere that say what an answer is, or was."""
_SUPPOSED = re.compile(r"\b(?:whether|if|suppose|assume)\b[^.;:]*$", re.IGNORECASE)
_BEFORE_CHARS: Final = 24
_HEADINGS: Final = listed(
    """
    step reasoning answer answers solution analysis explanation conclusion summary thought thoughts thinking facts evidence
    documents final question approach background details overview result verification check hop part
    """
)
_CLAIM_CHARS: Final = 300


def label_of(line: str, *, last: bool) -> tuple[int, int]:
    """Return where the last label of a line begins and ends, -1 twice when it has none.

    Args:
        line: The line.
        last: Whether no line follows it: only then four hashes stand before an answer rather than a heading.
    """
    if HEADING.fullmatch(line):
        return 0, len(line)
    found = (-1, -1)
    if "nswer" in line or "NSWER" in line:
        for match in LABEL.finditer(line):
            found = match.span()
    if found[1] < 0 and last and line.startswith(HASHES):
        return 0, len(HASHES)
    return found


def claims(text: str) -> Iterator[str]:
    """Yield what a text says the answer is, without what only leads to a tag or a box."""
    lines = text.splitlines()
    for row, line in enumerate(lines):
        ends = [
            match.end()
            for match in _CLAIM.finditer(line)
            if not _SUPPOSED.search(line[max(0, match.start() - _BEFORE_CHARS) : match.start()])
        ]
        if HEADING.fullmatch(line):
            ends = [len(line)]
        elif not ends and line.startswith(HASHES) and not _is_heading(line):
            ends = [len(HASHES)]
        for end in ends:
            content = line[end : end + _CLAIM_CHARS].strip()
            if not any(map(str.isalnum, content)):
                following = (other[:_CLAIM_CHARS].strip() for other in lines[row + 1 : row + 9])
                content = next((other for other in following if any(map(str.isalnum, other))), "")
            if content and not any(mark in line[end:] or mark in content for mark in MARKS):
                yield content


def _is_heading(line: str) -> bool:
    words = re.findall("[a-z]+", line[:_CLAIM_CHARS].lower())
    return not words or words[0] in _HEADINGS
