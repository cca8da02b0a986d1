"""Words before an answer that deny it, or that set another answer beside it."""

from __future__ import annotations

import re
from typing import Final

from rlvr_gym.verifiers.answers.refusal import Refusal
from rlvr_gym.verifiers.answers.words import HEDGES, listed, words_of

_NEAR: Final = 400
_WORDS_NEAR: Final = 4
DENIALS: Final = listed(
    """
    not never no neither nor except without wrong incorrect false untrue unlikely isn't wasn't aren't cannot can't don't
    doesn't won't wouldn't couldn't shouldn't didn't nobody lie lies lied lying refuse deny denies fake joke kidding mistake
    mistaken absurd ridiculous nonsense hardly barely opposite instead unlike contrary
    approximately roughly nearly almost than least
    """
)
"""Words that take back, or weaken, what they stand before."""
_LIES: Final = listed(
    "wrong incorrect false untrue lie lies lied fake joke kidding mistake mistaken absurd nonsense refuse deny"
)
"""What makes a sentence about an answer take it back, whatever it is about otherwise."""
_INNOCENT = re.compile(
    r"\b(?:(?:there(?:'s|\sis)\s)?(?:no|without(?:\sa)?)\s(?:doubt|question|need)|(?:no|none)\sother(?:\sthan)?|not\s(?:only|much|in\sdoubt)|not\ssure,\sbut)\b",
    re.IGNORECASE,
)
_OF_ANOTHER = re.compile(
    r"(?:\b(?i:not|never|cannot|neither|nor)|n't)\s(?:(?:be|in|from|the|is)\s){0,2}([A-Z]\w{0,60})"
)
"""What is denied of something with a name of its own is not denied of the answer."""
_ALL_BUT = re.compile(r"\b(?:any\w*|every\w*|all|nothing|other)\s(?:but|than)\b[^.]{0,40}$", re.IGNORECASE)
_FOLLOWS = re.compile(
    r"\b(?:what\s(?:follows|comes\snext|is\sbelow)|(?:the\s)?(?:following|next|below)"
    r"(?:\s(?:line|answer|statement|claim|one|sentence|box|text|part))?(?:\sbelow)?|the\s(?:line|answer|box)\sbelow)"
    r"\s(?:is|are|isn't|was|will|must|may|can|cannot|can't|does|doesn't)\b",
    re.IGNORECASE,
)
"""A sentence about what follows it."""
_CONCLUDES = re.compile(
    r"[;\u2014]|\bbecause\b|(?:^|,\s)(?:so|therefore|thus|hence)\b(?!\s?(?:,|that\b))"
    r"|,(?!\s(?:that|as|which|who|if|when|though)\b)(?=[^,]{0,80}\b(?:is|are|was|answer|conclude|obtain|get|gives|yields|found)\b[^,]*$)",
    re.IGNORECASE,
)
"""Where a clause of its own begins, which the words before do not deny."""
_SUPPOSED = re.compile(r"\bif\b.{0,200}\bwould\b", re.IGNORECASE)
"""What would be the answer is none."""
_CONCLUDING: Final = listed(
    "therefore thus hence so finally consequently conclusion then summary short result"
)
_LEADING: Final = listed("the a an that say is be it as to this")
_SPACING: Final = " \t*_$(`\"'[\\{"
_CHANGING: Final = tuple("~\u2248\u2260\u00ac\u00b1<\u2264\u2265")
"""Signs that make what follows something else than the answer."""
_SET_APART: Final = " \t\n*_$(`>#\"'[\\"
"""What may stand between an answer and the words that lead to it."""
_STRIKE = re.compile(r"<(/?)(?:s|del|strike)>|~~|\\(?:sout|xout|cancel)\{", re.IGNORECASE)


def refuse_denied(before: str, content: str, *, apart: bool = False) -> None:
    """Refuse an answer that the words before it deny, or set beside another one.

    Args:
        before: The text before the answer, or before the label that introduces it.
        content: The answer.
        apart: Whether a label introduces it; only words that lead up to the label count then.

    Raises:
        Refusal: ``hedge``.
    """
    _refuse_struck(before)
    if not apart and (before[-1:].isalnum() or before.rstrip(_SPACING).endswith(_CHANGING)):
        raise Refusal("hedge", "what stands before the answer alters it", failed=True)
    before = before.rstrip(_SET_APART)[-_NEAR:].replace("\u2019", "'")
    if not before:
        return
    if before[-1] in ".!?":
        sentence = _without_others(re.split(r"[.!?\n]", before[:-1])[-1], content)
        if _FOLLOWS.search(sentence) and not DENIALS.isdisjoint(words_of(sentence)):
            raise Refusal("hedge", "the words before the answer deny it", failed=True)
        return
    clause = _without_others(re.split(r"[.!?\n]", before)[-1], content)
    words = words_of(clause)
    if _denies(clause, words, apart=apart):
        raise Refusal("hedge", "the words before the answer deny it", failed=True)
    near = words[-1 if apart and before[-1] != ":" else -_WORDS_NEAR :]
    if not HEDGES.isdisjoint(near) or ("either" in words and not apart):
        raise Refusal("hedge", "another answer stands before the answer", failed=True)
    beside = before[-1] in ",;/|&+" or (words and words[-1] in ("and", "also"))
    # A clause with a verb before a label is no other answer: "This is the capital, and".
    if beside and not (words and words[-1] in _CONCLUDING) and not (apart and len(words) > _WORDS_NEAR):
        raise Refusal("hedge", "another answer stands before the answer", failed=True)


def _denies(clause: str, words: list[str], *, apart: bool) -> bool:
    if _ALL_BUT.search(clause) and (
        not apart or clause.rstrip().endswith(":") or words[-1] in ("but", "than")
    ):
        return True
    if not apart and _SUPPOSED.search(clause):
        return True
    if not apart:
        last = max((match.end() for match in _CONCLUDES.finditer(clause)), default=0)
        return not DENIALS.isdisjoint(words_of(clause[last:])) or not DENIALS.isdisjoint(words[-_WORDS_NEAR:])
    if clause.rstrip().endswith(":"):
        return not DENIALS.isdisjoint(words)
    # A line without an end before a label: what it ends with may belong to the answer.
    open_end = len(words) <= _WORDS_NEAR or words[-1] in _LEADING
    near = words[-_WORDS_NEAR:] if open_end else words[-1:]
    return not DENIALS.isdisjoint(near) or (bool(_FOLLOWS.search(clause)) and not _LIES.isdisjoint(words))


def _without_others(clause: str, content: str) -> str:
    """Return a clause without denials that are about something else than the answer."""
    clause = _INNOCENT.sub(" ", clause)
    return _OF_ANOTHER.sub(lambda match: match[0] if match[1] in content else match[1], clause)


def _refuse_struck(before: str) -> None:
    """Refuse an answer that stands in what is crossed out."""
    tags = marks = 0
    for match in _STRIKE.finditer(before):
        if match[0] == "~~":
            marks += 1
        elif match[0].startswith("<"):
            tags = max(0, tags - 1) if match[1] else tags + 1
    if tags or marks % 2:
        raise Refusal("hedge", "what stands before the answer crosses it out", failed=True)
