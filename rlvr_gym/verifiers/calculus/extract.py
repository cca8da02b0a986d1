"""The answer inside a response: after the thinking, from a box, a tag, a line, or the whole text.

No regular expression runs over the response: it may be long and written to make one slow.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from rlvr_gym.verifiers.calculus.limits import ParseError

Mode: TypeAlias = Literal["auto", "boxed", "answer", "whole"]

_TAIL: Final = 20_000
"""Characters searched, from the end."""
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
            ``"auto"`` takes a tag, else a box, else the last line that begins with ``answer:``, else everything.

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
            return _boxed(tagged) or tagged
        if mode == "answer":
            raise ParseError("no_answer", "no <answer>...</answer>")
    boxed = _boxed(tail)
    if boxed is not None:
        return boxed
    if mode == "boxed":
        raise ParseError("no_answer", "no closed \\boxed{...}")
    return _line(tail) or text


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
    if _joins(text[end : end + 40].partition("\n")[0], prefix=True):
        raise ParseError("hedge", "more follows the box")
    before = _last_box(text, start)
    if before >= 0:
        other, other_end = _braced(text, before)
        if other is not None and other_end <= start and other.strip() != content.strip():
            gap = text[other_end:start]
            if len(gap) <= 60 and _joins(gap, prefix=False):
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


def _joins(gap: str, *, prefix: bool) -> bool:
    """Return whether ``gap`` only joins two answers, or begins by doing so."""
    words = "".join(c if c.isalpha() else " " for c in gap).lower().split()
    if prefix:
        return (
            bool(words)
            and words[0] in ("or", "lor", "vee", "alternatively")
            and not gap.lstrip(" $").startswith(".")
        )
    return all(word in _JOINING for word in words)


def _line(text: str) -> str | None:
    """Return the rest of the last line that begins with ``answer:`` or ``final answer:``."""
    for line in reversed(text.splitlines()):
        words = line.strip().strip("*# ")
        for start in ("final answer:", "answer:"):
            if words[: len(start)].lower() == start:
                return words[len(start) :].strip("* ")
    return None
