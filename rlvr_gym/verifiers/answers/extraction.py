"""The answer inside a response: after the thinking, from a box, a tag, a last line, or the whole text.

No regular expression that could go back runs over the response: it may be long and written to make one slow.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from rlvr_gym.verifiers.answers.normalise import closing_brace
from rlvr_gym.verifiers.answers.refusal import Refusal
from rlvr_gym.verifiers.answers.surroundings import (
    altered,
    alternative_after,
    alternatives,
    disowned,
    is_silent,
    others,
    statements,
)
from rlvr_gym.verifiers.answers.words import (
    CLOSING_REMARKS,
    JOINERS,
    LABEL,
    corrects,
    goes_on,
    hedges,
    leads,
    offered_before,
    offers,
    retracts,
    words_of,
)

Mode: TypeAlias = Literal["auto", "boxed", "answer", "whole", "lenient"]

TAIL: Final = 20_000
"""Characters searched, from the end."""
_LINE: Final = 2_000
"""Characters of a line that is searched for a final statement."""
_NEAR: Final = 60
"""Characters before a box that introduce it."""
_MAX_GAP: Final = 4_000
"""Characters between two boxes in which a correction is looked for."""
_MAX_STATEMENTS: Final = 8
"""Last statements of the answer that are compared with each other."""
_MAX_REPLACED: Final = 3
"""Times that a later box may replace an earlier one."""
_MAX_CORRECTED: Final = 2
"""Times of these that it may take it back."""
_BOX: Final = "\\boxed"
# The second backslash is what is left of a text that was escaped twice.
_MARK = re.compile(r"\\{1,2}(?:boxed|fbox)(?![A-Za-z])|\\[\s\S]|[{}]")
_PUNCTUATION: Final = " \t\r\n.,;:!$*_()[]\\"
_PLACEHOLDERS: Final = frozenset(
    [
        "",
        "...",
        "…",
        "\\ldots",
        "\\dots",
        "answer",
        "your answer",
        "\\text{answer}",
        "final answer",
        "\\cdot",
        "\\text{...}",
    ]
)


@dataclass(frozen=True, slots=True)
class Found:
    """The text of an answer and where it stood."""

    text: str
    source: Literal["box", "boxes", "tag", "line", "whole"]
    also: tuple[str, ...] = ()
    """Other statements of the answer, which must not contradict it."""
    equal: tuple[str, ...] = ()
    """What an "or" joins to the answer, which must be the same again."""


@dataclass(frozen=True, slots=True)
class _Box:
    start: int
    end: int
    text: str


_HEADING = re.compile(r"[#*_>\s]{0,8}(?:the\s)?(?:final\s)?answer[*_#:\s]{0,8}", re.IGNORECASE)
_BOLD = re.compile(r"\*\*([^*]{1,400})\*\*[.!]?")
_FENCED = re.compile(r"```(?:text|txt|plaintext|latex|tex|math|markdown|python)?\n([^`]{1,2000})```")
_OPTION = re.compile(
    r"\b(?:(?:[Oo]ption|[Cc]hoice)s?\s\(?([A-J])\)?|(?:[Tt]he|[Aa]ll)\sothers?(?:\s(?:options|choices))?)"
    r"\s(?:is|are)\s(?:not\scorrect|incorrect|wrong)\b[^.;\n]{0,300}[.;\n]?"
)
"""What is wrong with another option of a choice."""
_REMARK = re.compile(r"[.,:;!]\s[^0-9*$\\]{0,400}|[.,:;!]")
_NAMES_NEXT = re.compile(r"\$?\s?\\?[A-Za-z]{1,8}(?:_\{?[A-Za-z0-9]{1,3}\}?)?\s?=\s?$")
_END_MARK = re.compile(r"(?:<\|[a-z_]{1,20}\|>|</s>|<eos>)$")
_THINK = re.compile(
    r"<\s?\|?\s?/?(?:(?:begin|end)_of_)?(?:think(?:ing)?|thoughts?|reasoning|reflection|scratchpad)\s?\|?>"
    r"|◁/?think▷|\[/?THINK\]",
    re.IGNORECASE,
)
_ANSWER = re.compile(r"</?answer>", re.IGNORECASE)


def visible(response: str) -> str:
    """Return what follows the thinking.

    Raises:
        Refusal: ``unclosed_think``.
    """
    if not has_marks(response):
        return response
    end = 0
    opened = False
    for match in _THINK.finditer(response):
        if "/" in match[0] or "end_of" in match[0].lower():
            end, opened = match.end(), False
        else:
            opened = True
    if opened:
        raise Refusal("unclosed_think", "the thinking has no end")
    text = _ANSWER.sub(lambda match: match[0].lower(), _uncommented(response[end:]))
    return _END_MARK.sub("", text[-TAIL - _NEAR :]) if text.endswith(">") else text


def has_marks(text: str) -> bool:
    """Return whether ``text`` has a sign that thinking, tags and comments begin with."""
    return "<" in text or "◁" in text or "[THINK]" in text


def _uncommented(text: str) -> str:
    """Return ``text`` without ``<!-- -->``, which nobody gets to see."""
    kept: list[str] = []
    end = 0
    while (start := text.find("<!--", end)) >= 0:
        kept.append(text[end:start])
        closed = text.find("-->", start)
        end = closed + 3 if closed >= 0 else len(text)
    return "".join((*kept, text[end:])) if kept else text


def extract(response: str, mode: Mode = "auto") -> Found:
    """Return the answer that ``response`` gives.

    Args:
        response: What the policy wrote.
        mode: ``"boxed"`` wants a box, ``"answer"`` an ``<answer>`` tag, ``"whole"`` takes everything. ``"auto"`` takes
            a tag, else a box, else a last line that says "the answer is", else the whole text. ``"lenient"`` also takes
            ``#### 42``, "the answer is" in an earlier line, and at last the end of the last line.

    Raises:
        Refusal: ``unclosed_think``, ``no_answer``, ``too_long`` or ``hedge``.
    """
    text = visible(response)
    if mode == "whole":
        return _whole(text)
    tail = text[-TAIL:]
    if mode != "boxed" and "<answer>" in tail:
        return _tagged(tail)
    if mode == "answer":
        raise Refusal("no_answer", "no <answer>...</answer>")
    if "\\boxed" in tail or "\\fbox" in tail:
        return _boxed(tail)
    if mode == "boxed":
        raise Refusal("no_answer", "no \\boxed{...}")
    if mode == "lenient":
        return Found(_lenient(tail), "line")
    line = _last_statement(tail)
    return _whole(text) if line is None else Found(line, "line", tuple(statements(tail))[-_MAX_STATEMENTS:])


def _whole(text: str) -> Found:
    text = text.strip()
    if not text:
        raise Refusal("no_answer", "the response is empty")
    if len(text) > TAIL:
        raise Refusal("too_long", f"an answer of {len(text)} characters")
    if "\\boxed" in text or "\\fbox" in text:
        return _boxed(text)
    fenced = _FENCED.fullmatch(text)
    return Found(text if fenced is None else fenced[1].strip(), "whole")


def _tagged(text: str) -> Found:
    contents: list[str] = []
    end = 0
    for part in text.split("<answer>")[1:]:
        content, closed, rest = part.partition("</answer>")
        if not closed:
            raise Refusal("no_answer", "<answer> has no end")
        contents.append(
            _boxed(content).text if "\\boxed" in content or "\\fbox" in content else content.strip()
        )
        end = len(rest)
    if len(set(contents)) > 1:
        raise Refusal("hedge", f"{len(set(contents))} different answers", failed=True)
    after = text[len(text) - end :] if end else ""
    if retracts(after):
        raise Refusal("hedge", "more follows the answer", failed=True)
    outside = text.partition("<answer>")[0][-_MAX_GAP:] + " " + after
    for box in boxes(outside)[0]:
        if box.text.strip() not in (*_PLACEHOLDERS, contents[-1]):
            raise Refusal("hedge", "the tag and a box differ", failed=True)
    start = text.rfind("<answer>")
    _refuse_altered(text, start, len(text) - end)
    return Found(contents[-1], "tag", others(text, len(text) - end))


def boxes(text: str) -> tuple[list[_Box], bool]:
    """Return the closed boxes that lie in no other one, in order, and whether one after them never closes."""
    only = _only_box(text)
    if only is not None:
        return [only], False
    found: list[_Box] = []
    # Positions of open braces; those of a box are negative.
    levels: list[int] = []
    box_at: dict[int, int] = {}
    for match in _MARK.finditer(text):
        mark, at = match[0], match.start()
        if mark == "{":
            levels.append(at)
        elif mark == "}":
            if levels and (opened := levels.pop()) in box_at:
                start = box_at[opened]
                while found and found[-1].start > start:
                    found.pop()
                found.append(_Box(start, at + 1, text[opened + 1 : at]))
        elif len(mark) > 2:
            after = _skip_spaces(text, match.end())
            if text[after : after + 1] == "{":
                box_at[after] = at
            elif (
                not any(level in box_at for level in levels[-8:]) and (end := _bare_end(text, after)) > after
            ):
                found.append(_Box(at, end, text[after:end]))
    last = found[-1].end if found else 0
    return found, any(opened in box_at and box_at[opened] >= last for opened in levels)


def _only_box(text: str) -> _Box | None:
    """Return the box of a text with one well-formed box, which is what most texts are; None to look closer."""
    start = text.rfind(_BOX)
    opened = start + len(_BOX)
    if not text.startswith("{", opened) or text.find(_BOX) != start or "\\fbox" in text:
        return None
    if text[start - 1 : start] == "\\":
        return None
    end = closing_brace(text, opened)
    return None if end < 0 else _Box(start, end + 1, text[opened + 1 : end])


def _skip_spaces(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\n":
        at += 1
    return at


def _bare_end(text: str, at: int) -> int:
    """Return where the argument of a box without braces ends; a word after the command is no argument."""
    if text[at : at + 2].isalpha():
        return at
    end = at
    while end < len(text) and end - at < 40 and text[end] not in " $\n\t,;":
        end += 1
    return end


def _boxed(text: str) -> Found:
    """Return the one answer that the boxes of ``text`` give.

    Boxes that agree are one. Boxes with nothing but "and" or a comma between them are one list. A later box replaces
    the earlier ones when the words between them take those back, or go on from a result that was not called the
    answer. Anything else is a list of candidates.
    """
    every, truncated = boxes(text)
    if truncated or not every:
        raise Refusal("no_answer", "a box has no end")
    found = [box for box in every if box.text.strip().lower() not in _PLACEHOLDERS]
    if not found or found[-1].end != every[-1].end:
        raise Refusal("no_answer", "the last box is empty")
    equal = alternatives(text, found[0].start, found[-1].end)
    also: tuple[str, ...] = ()
    if not is_silent(text[found[-1].end :]):
        again = alternative_after(text, found[-1].end)
        rest = text[found[-1].end if again is None else again.end() :][:_MAX_GAP]
        if retracts(_without_other_options(rest, found[-1].text)) or goes_on(rest):
            raise Refusal("hedge", "more follows the box", failed=True)
        also = others(text, found[-1].end)
    near = text[: found[0].start][-_NEAR:]
    if offered_before(near) and (not equal or "either" in near.lower()):
        raise Refusal("hedge", "another answer stands before the box", failed=True)
    contents = {" ".join(box.text.split()) for box in found}
    kept = found[-1:] if len(contents) == 1 else _kept(text, found)
    for box in kept:
        _refuse_altered(text, box.start, box.end)
    if len({" ".join(box.text.split()) for box in kept}) == 1:
        return Found(kept[-1].text, "box", also, equal)
    return Found("; ".join(box.text for box in kept), "boxes", also, equal)


def _without_other_options(text: str, answer: str) -> str:
    """Return ``text`` without the sentences that say what is wrong with options that are not the answer."""
    return _OPTION.sub(
        lambda match: " answer is wrong " if match[1] and match[1] in answer else " ", text[:_MAX_GAP]
    )


def _refuse_altered(text: str, start: int, end: int) -> None:
    reason = altered(text, start, end)
    if reason is not None:
        raise Refusal("hedge", reason, failed=True)


def _kept(text: str, found: Sequence[_Box]) -> list[_Box]:
    """Return the boxes that make up the answer.

    Raises:
        Refusal: ``hedge``.
    """
    kept = [found[0]]
    replaced = corrected = 0
    for before, box in itertools.pairwise(found):
        gap = text[before.end : box.start]
        if " ".join(before.text.split()) == " ".join(box.text.split()):
            continue
        if _joins(gap):
            kept.append(box)
            continue
        beside = offers(gap) or "also" in words_of(gap)[-3:]
        if len(gap) > _MAX_GAP or beside or offers(text[max(0, before.start - _NEAR) : before.start]):
            raise Refusal("hedge", "boxes that leave the answer open", failed=True)
        answered = "answer" in text[max(0, before.start - _NEAR) : before.start].lower()
        if not corrects(gap) and (answered or not leads(gap)):
            raise Refusal("hedge", f"{len(found)} boxes that differ", failed=True)
        replaced += 1
        corrected += corrects(gap)
        kept = [box]
    if replaced > _MAX_REPLACED or corrected > _MAX_CORRECTED:
        raise Refusal("hedge", f"{replaced + 1} answers one after the other", failed=True)
    return kept


def _joins(gap: str) -> bool:
    """Return whether ``gap`` only joins two parts of one answer."""
    gap = _NAMES_NEXT.sub("", gap[-2 * _NEAR :]) if len(gap) <= _NEAR else gap
    return (
        len(gap) <= _NEAR
        and all(word in JOINERS for word in words_of(gap))
        and not any(c.isdigit() for c in gap)
    )


def _lines(text: str) -> list[str]:
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("```") and line.strip("*-_ #=")]


def _last_statement(text: str) -> str | None:
    """Return what the end of ``text`` says the answer is, None when it does not say.

    Raises:
        Refusal: ``hedge``, when an earlier statement says something else.
    """
    lines = _lines(text)
    if lines and lines[-1].startswith("####"):
        marked = {line.lstrip("# ") for line in lines if line.startswith("####")}
        if len(marked) > 1:
            raise Refusal("hedge", f"{len(marked)} final answers", failed=True)
        return marked.pop()
    for back in range(1, min(4, len(lines)) + 1):
        line = lines[-back][-_LINE:]
        match = _last_label(line) or _HEADING.fullmatch(line)
        if match is None:
            continue
        content = _trimmed(line[match.end() :])
        rest = lines[len(lines) - back + 1 :]
        if content and rest:
            return None
        _refuse_others(lines, content or " ".join(rest))
        return content or _trimmed(" ".join(rest)) or None
    return None


def _last_label(line: str) -> re.Match[str] | None:
    labels = (match for match in LABEL.finditer(line) if not disowned(line, match.start()))
    return next(reversed(list(labels)), None)


def _trimmed(content: str) -> str:
    content = content.strip()
    bold = _BOLD.fullmatch(content)
    content = bold[1].strip() if bold is not None else content.strip("*").strip()
    head, closed, rest = content.partition("**")
    if (
        closed
        and head
        and _REMARK.fullmatch(rest)
        and not retracts(rest)
        and not hedges(rest)
        and not corrects(rest)
    ):
        content = head.strip()
    for remark in CLOSING_REMARKS:
        at = content.lower().find(remark)
        if at > 0:
            content = content[:at].strip()
    return content


def _refuse_others(lines: Sequence[str], content: str) -> None:
    wanted = content.strip(_PUNCTUATION)
    for heading, following in itertools.pairwise(lines[-200:]):
        other = following.strip(_PUNCTUATION)
        if _HEADING.fullmatch(heading[-_LINE:]) and not (
            other.startswith(wanted) or wanted.startswith(other)
        ):
            raise Refusal("hedge", "two statements of the answer", failed=True)
    for line in lines[-200:]:
        for match in LABEL.finditer(line[-_LINE:]):
            other = _trimmed(line[-_LINE:][match.end() :])
            begins = other.lstrip(_PUNCTUATION)[:1]
            if not begins or not (begins.isdigit() or begins in "-√π"):
                continue
            if not other.strip(_PUNCTUATION).startswith(wanted) and not wanted.startswith(
                other.strip(_PUNCTUATION)
            ):
                raise Refusal("hedge", "two statements of the answer", failed=True)


_NUMBERS = re.compile(r"-?\$?[0-9][0-9,]*+(?:\.[0-9]++)?(?:/[0-9]++)?%?")


def _lenient(text: str) -> str:
    """Return the last statement of an answer, wherever it stands, else the end of the last line."""
    lines = _lines(text)
    if not lines:
        raise Refusal("no_answer", "the response is empty")
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at][-_LINE:]
        if line.startswith("####"):
            return line[4:].strip()
        match = _last_label(line)
        if match is not None:
            content = _trimmed(line[match.end() :]) or (lines[at + 1] if at + 1 < len(lines) else "")
            if content:
                if retracts(" ".join(lines[at + 1 : at + 3])):
                    raise Refusal("hedge", "more follows the answer", failed=True)
                return content
    last = lines[-1][-_LINE:]
    spans = last.split("$")
    if len(spans) >= 3 and len(spans) % 2 == 1:
        if hedges(spans[-3][-_NEAR:]):
            raise Refusal("hedge", "the last line leaves the answer open", failed=True)
        return spans[-2]
    numbers = list(_NUMBERS.finditer(last))
    if not any(c.isalpha() for c in last) or not numbers:
        return last
    if hedges(last[max(0, numbers[-1].start() - 12) : numbers[-1].start()]):
        raise Refusal("hedge", "the last line leaves the answer open", failed=True)
    return numbers[-1][0].rstrip(",")
