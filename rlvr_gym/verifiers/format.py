"""The form of a response: tags once, closed and in order, one box, nothing after the answer."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from pydantic import Field, StringConstraints, model_validator

from rlvr_gym.config import Config
from rlvr_gym.types import Check, Status, Task, Verdict
from rlvr_gym.verifiers.base import verifier
from rlvr_gym.verifiers.ranges import pass_or_fail

_OPENING = re.compile(r"\\(?:boxed|fbox)\s*+\{")
_AROUND_A_BOX = " \t\r\n.$)]\\*"
_SHOWN = 40


class Format(Config):
    """Settings of the format verifier; the defaults are the form that DeepSeek-R1-Zero was trained to."""

    tags: tuple[Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$")], ...] = Field(
        default=("think", "answer"), max_length=20
    )
    """Tags that stand in the response once each, closed, not empty and in this order."""
    opened: bool = False
    """Whether the prompt ends with the opening of the first tag, so that the response only closes it."""
    box: bool = False
    """Whether exactly one ``\\boxed{}`` or ``\\fbox{}`` with something in it must stand after the think block."""
    text_before: bool = False
    """Whether other text may stand before the first tag, between tags and before the box."""
    text_after: bool = False
    """Whether other text may follow the last tag, or the box where one is wanted."""
    forbidden: tuple[Annotated[str, StringConstraints(min_length=1)], ...] = Field(default=(), max_length=100)
    """Texts that must not occur, such as tags of another protocol."""
    scripts: tuple[str, ...] = Field(default=(), max_length=20)
    """Scripts whose letters may occur, by the first word of their Unicode names, such as ``LATIN`` and ``GREEK``;
    every script when empty."""

    @model_validator(mode="after")
    def _asks_something(self) -> Format:
        if len(set(self.tags)) < len(self.tags):
            raise ValueError("a tag is named twice")
        if self.opened and not self.tags:
            raise ValueError("opened needs tags: which one has the prompt opened?")
        if not (self.tags or self.box or self.forbidden or self.scripts):
            raise ValueError("no term is asked for: name tags, box, forbidden or scripts")
        return self


@verifier("format", config=Format, bounded=True, paper="arXiv:2501.12948", scores=pass_or_fail)
def format(task: Task, response: str, config: Format) -> Verdict:
    """Pass when the response has the form that is asked for; the reference is not used.

    Each term is a check. Inside ``pass_rate`` with ``mode = "rate"`` every term earns its share.
    """
    text = f"<{config.tags[0]}>{response}" if config.opened else response
    checks = tuple(_terms(text, config))
    broken = [check for check in checks if not check.passed]
    if broken:
        reason = "; ".join(f"{check.name}: {check.detail}" for check in broken)
        return Verdict.of(Status.FAILED, reason, checks=checks)
    return Verdict.of(Status.PASSED, f"all {len(checks)} terms hold", checks=checks)


def _terms(text: str, config: Format) -> Iterator[Check]:
    found: dict[str, tuple[int, int]] = {}
    for tag in config.tags:
        span = _tag(text, tag)
        if isinstance(span, str):
            yield Check(tag, False, span)
        else:
            yield Check(tag, True)
            found[tag] = span
    if config.box:
        start = found["think"][1] if "think" in found else 0
        span = _box(text, start)
        if isinstance(span, str):
            yield Check("box", False, span)
        else:
            yield Check("box", True)
            found["box"] = span
    yield from _places(text, config, found)
    if config.forbidden:
        seen = next((each for each in config.forbidden if each in text), None)
        yield Check("forbidden", seen is None, "" if seen is None else f"{seen[:_SHOWN]!r} occurs")
    if config.scripts:
        foreign = _foreign_letter(text, config.scripts)
        yield Check("scripts", foreign is None, foreign or "")


def _places(text: str, config: Format, found: Mapping[str, tuple[int, int]]) -> Iterator[Check]:
    """Yield the terms about where things stand; they fail when one of those things is missing."""
    wanted = [*config.tags, *(["box"] if config.box else [])]
    missing = [f"{name} is missing or broken" for name in wanted if name not in found]
    spans = [found[name] for name in wanted if name in found]
    if len(config.tags) > 1:
        tags = spans[: len(config.tags)]
        apart = all(before[1] <= after[0] for before, after in itertools.pairwise(tags))
        detail = missing[0] if missing else "" if apart else "not one after another"
        yield Check("order", not detail, detail)
    if wanted and not config.text_before:
        detail = missing[0] if missing else _before(text, spans)
        yield Check("before", not detail, detail)
    if wanted and not config.text_after:
        detail = missing[0] if missing else _after(text, spans, boxed=config.box)
        yield Check("after", not detail, detail)


def _tag(text: str, tag: str) -> tuple[int, int] | str:
    """Return where the tag stands, or what is wrong with it."""
    opening, closing = f"<{tag}>", f"</{tag}>"
    counts = text.count(opening), text.count(closing)
    if counts != (1, 1):
        return f"opened {counts[0]} and closed {counts[1]} times"
    start, end = text.find(opening), text.find(closing)
    if end < start:
        return "closed before it is opened"
    if _is_blank(text[start + len(opening) : end]):
        return "empty"
    return start, end + len(closing)


def _box(text: str, start: int) -> tuple[int, int] | str:
    """Return where the only box from ``start`` on stands, or what is wrong."""
    opening = _OPENING.search(text, start)
    if opening is None:
        return "none"
    end = _closing_brace(text, opening.end())
    if end < 0:
        return "not closed"
    if _is_blank(text[opening.end() : end]):
        return "empty"
    if _OPENING.search(text, end):
        return "more than one"
    return opening.start(), end + 1


def _is_blank(text: str) -> bool:
    # Zero-width characters are no white space, and show nothing either.
    return not any(char.isprintable() and not char.isspace() for char in text)


def _closing_brace(text: str, start: int) -> int:
    depth, escaped = 1, False
    for at in range(start, len(text)):
        char = text[at]
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif char in "{}":
            depth += 1 if char == "{" else -1
            if depth == 0:
                return at
    return -1


def _before(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return the first text before or between ``spans``, nothing when there is none."""
    at = 0
    for start, end in sorted(spans):
        if gap := text[at:start].strip():
            return f"{gap[:_SHOWN]!r}"
        at = max(at, end)
    return ""


def _after(text: str, spans: Sequence[tuple[int, int]], *, boxed: bool) -> str:
    """Return what text follows the last of ``spans``; a box may be followed by what ends a formula."""
    end = max(right for _, right in spans)
    tail = text[end:].strip()
    if boxed and end == spans[-1][1]:
        tail = tail.strip(_AROUND_A_BOX)
    return f"{tail[:_SHOWN]!r}" if tail else ""


def _foreign_letter(text: str, scripts: tuple[str, ...]) -> str | None:
    # Each character once: names take a while to look up.
    for char in sorted({char for char in text if char.isalpha()}):
        name = unicodedata.name(char, "a letter without a name")
        if name.split()[0] not in scripts:
            return name
    return None
