"""The answer inside a response: after the thinking, from a box, a tag, a line, or the whole text.

No regular expression runs over the response: it may be long and written to make one slow.
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

from rlvr_gym.verifiers.calculus.limits import ParseError
from rlvr_gym.verifiers.calculus.statement import hedges, last_statement

Mode: TypeAlias = Literal["auto", "boxed", "answer", "whole"]

_TAIL: Final = 20_000
"""Characters searched, from the end."""
_GAP: Final = 200
"""Characters after an answer in which another may be joined to it."""
_BOXES: Final = ("\\boxed", "\\fbox")
_JOINING: Final = frozenset(
    [
        "or",
        "and",
        "also",
        "either",
        "else",
        "maybe",
        "perhaps",
        "possibly",
        "alternatively",
        "otherwise",
        "xor",
        "lor",
        "vee",
        "text",
        "quad",
    ]
)


def visible(response: str) -> str:
    """Return what follows the thinking.

    Raises:
        ParseError: ``unclosed_think``.
    """
    end = response.rfind("</think>")
    text = response[end + len("</think>") :] if end >= 0 else response
    if "<think>" in text:
        raise ParseError("unclosed_think", "the thinking has no end")
    return text


def extract(response: str, mode: Mode = "auto") -> str:
    """Return the text of the answer.

    Args:
        response: What the policy wrote.
        mode: ``"boxed"`` wants a box, ``"answer"`` an ``<answer>`` tag, ``"whole"`` takes everything;
            ``"auto"`` takes a tag, else a box, else the line that begins with ``answer:``, else the last statement.

    Raises:
        ParseError: ``unclosed_think``, ``no_answer`` or ``hedge``.
    """
    text = visible(response)
    if mode == "whole":
        return text
    tail = text[-_TAIL:]
    if mode in ("auto", "answer"):
        tagged = _tagged(tail, "answer")
        if tagged is not None:
            content = _boxed(tagged)
            content = last_statement(tagged) if content is None else content
            _follows(tail.rpartition("</answer>")[2], content)
            return content
        if mode == "answer":
            raise ParseError("no_answer", "no <answer>...</answer>")
    boxed = _boxed(tail)
    if boxed is not None:
        return boxed
    if mode == "boxed":
        raise ParseError("no_answer", "no closed \\boxed{...}")
    line = _line(tail)
    return last_statement(text) if line is None else line


def _tagged(text: str, tag: str) -> str | None:
    """Return what the last ``<tag>`` holds; several that differ are a hedge."""
    parts = text.split(f"<{tag}>")
    if len(parts) == 1:
        return None
    contents = []
    for part in parts[1:]:
        content, closed, _ = part.partition(f"</{tag}>")
        if not closed:
            raise ParseError("no_answer", f"<{tag}> has no end")
        contents.append(content.strip())
    if len(set(contents)) > 1:
        raise ParseError("hedge", f"{len(contents)} different answers")
    return contents[-1]


def _boxed(text: str) -> str | None:
    """Return what the last box holds, or None without a box."""
    start = _last_box(text, len(text))
    if start < 0:
        return None
    content, end = _braced(text, start)
    if content is None:
        raise ParseError("no_answer", "the last box has no end")
    _follows(text[end:], content)
    before = _last_box(text, start)
    if before >= 0:
        other, other_end = _braced(text, before)
        if other is not None and other_end <= start and other.strip() != content.strip():
            gap = text[other_end:start]
            if len(gap) <= _GAP and (_joins(gap) or hedges(gap) or "option" in gap.lower()):
                raise ParseError("hedge", "several boxes joined")
    return content


def _last_box(text: str, end: int) -> int:
    return max(text.rfind(name, 0, end) for name in _BOXES)


def _braced(text: str, start: int) -> tuple[str | None, int]:
    """Return the braces' content after the command at ``start`` and where it ends; None when they do not close."""
    opened = text.find("{", start)
    if opened < 0 or text[start:opened].strip() not in _BOXES:
        return None, start
    level = 0
    at = opened
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 2
            continue
        if char == "{":
            level += 1
        elif char == "}":
            level -= 1
            if level == 0:
                return text[opened + 1 : at], at + 1
        at += 1
    return None, start


def _joins(gap: str) -> bool:
    """Return whether ``gap`` only joins two answers."""
    words = "".join(c if c.isalpha() else " " for c in gap).lower().split()
    return all(word in _JOINING for word in words)


def _follows(rest: str, content: str) -> None:
    """Refuse an answer that is taken back, or joined to another one, by what follows it.

    Raises:
        ParseError: ``hedge``.
    """
    words = "".join(c if c.isalpha() else " " for c in rest[:_GAP].strip().partition("\n")[0]).split()
    if hedges(" ".join(words[:2])):
        raise ParseError("hedge", "more follows the answer")
    start = _last_box(rest, len(rest))
    if start >= 0 and (other := _braced(rest, start)[0]) is not None and other.strip() != content.strip():
        raise ParseError("hedge", "another answer follows")


def _line(text: str) -> str | None:
    """Return what follows ``answer:`` or ``final answer:`` at the beginning of a line, or stands on the next line.

    Raises:
        ParseError: ``hedge``.
    """
    found: list[str] = []
    rest_of_text = ""
    lines = [line for line in map(str.strip, text.splitlines()) if line and not line.startswith("```")]
    for at, line in enumerate(lines):
        words = line.strip("*#> _")
        for start in _LABELS:
            if words[: len(start)].lower() == start:
                rest = words[len(start) :].lstrip("* _")
                if not rest.startswith(":") and not (line.startswith(("#", "**")) and not rest):
                    continue
                content = rest.lstrip(": *")
                following = at + 1 if content else at + 2
                found.append(content or _display(lines[at + 1 :]))
                rest_of_text = "\n".join(lines[following:])
                if following < len(lines) and hedges(" ".join(lines[following].split()[:2])):
                    raise ParseError("hedge", "more follows the answer")
                break
    if len({content.strip(" .$") for content in found}) > 1:
        raise ParseError("hedge", f"{len(found)} different answers")
    for match in _LABEL.finditer(rest_of_text):
        if not rest_of_text[match.end() :].strip(" :*$").startswith(found[-1].strip(" .*$")):
            raise ParseError("hedge", "another answer follows")
    return found[-1] if found else None


_LABEL = re.compile(r"\banswer\s?+(?::|is\b)", re.IGNORECASE)
_LABELS: Final = ("the final answer", "final answer", "the answer", "answer")


def _display(lines: list[str]) -> str:
    """Return the first line, or the displayed formula that begins there."""
    if not lines or lines[0] not in ("$$", "\\["):
        return lines[0] if lines else ""
    end = next((at for at, line in enumerate(lines[1:], 1) if line in ("$$", "\\]")), len(lines))
    return "\n".join(lines[1:end])
