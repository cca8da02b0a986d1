"""One number, compared exactly: strict forms for full marks, the last number of the response for part of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from math import gcd

from pydantic import Field

from rlvr_gym.config import Config
from rlvr_gym.errors import TaskError
from rlvr_gym.types import Status, Task, Verdict
from rlvr_gym.verifiers.base import verifier
from rlvr_gym.verifiers.ranges import ScoreRange

_DIGITS = r"(?:[0-9]{1,3}(?:,[0-9]{3})++|[0-9]++)"
_DECIMAL = rf"(?:{_DIGITS}(?:\.[0-9]++)?|\.[0-9]++)"
_NUMBER = rf"[+-]?{_DECIMAL}(?:/{_DIGITS})?"
_WHOLE = re.compile(rf"(?:[A-Za-z] ?= ?)?([+-]?{_DECIMAL}(?: ?/ ?{_DIGITS})?)")
_FRACTION = re.compile(r"([+-]?) ?\\[dt]?frac ?(?:\{([^{}]*)\}|([0-9])) ?(?:\{([^{}]*)\}|([0-9]))")
_WRAPPERS = (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"), ("{", "}"))
_INVISIBLE = "\N{ZERO WIDTH SPACE}\N{ZERO WIDTH NO-BREAK SPACE}\N{WORD JOINER}"
# \w is Unicode here: a digit of another script, or a letter, next to the digits makes them something else.
_IN_TEXT = re.compile(rf"(?<![\w.,/])({_NUMBER})(?!\w|%|[.,/][0-9])")
_SIGN_AFTER = re.compile(r"[\w)\]}]")
_TAIL_CHARS = 4_000
# Above this many digits a fraction is compared as text only.
_MAX_FRACTION_DIGITS = 400
_OPENING = re.compile(r"\\(?:boxed|fbox)\s*+\{")
_JOINED = re.compile(r"[\s$.,;)\]}\\]*+\(?(?:or|alternatively|maybe|perhaps)\b", re.IGNORECASE)
_HEDGED = re.compile(r"\b(?:or|not|nor)\s*[$*]*$", re.IGNORECASE)
_BETWEEN_CANDIDATES = re.compile(r"[^.!?\n]{0,30}\b(?:or|nor)\b[^.!?\n]{0,30}", re.IGNORECASE)


class Number(Config):
    """Settings of the number verifier."""

    lenient_score: float = Field(default=0.0, ge=0.0, le=1.0)
    """Score of a response whose last number is right but which is neither that number alone nor boxes it.

    0 is the strict mode: only the whole response, ``\\boxed{}`` or ``<answer></answer>`` count.
    """


@dataclass(frozen=True, slots=True)
class _Value:
    """A number as text in lowest terms; equality of values is equality of texts."""

    sign: str
    numerator: str
    denominator: str


def number_range(config: Number) -> ScoreRange:
    """Return 1, or the lenient score, for what passes."""
    return ScoreRange(passed=(config.lenient_score or 1.0, 1.0), failed=(0.0, 0.0))


@verifier("number", config=Number, bounded=True, scores=number_range)
def number(task: Task, response: str, config: Number) -> Verdict:
    """Pass when the answer of ``response`` equals ``task.reference``, as exact rationals.

    Digits are ASCII. Boxes that disagree are a hedge and fail, and so is a box followed by "or". A box with one number
    is the answer, whatever else follows it.
    """
    wanted = _reference(task)
    found = _find(response)
    if found.value is not None:
        return _judged(found.value, wanted, 1.0, "the answer")
    if config.lenient_score == 0.0 or found.refusal is not None:
        return found.refusal or Verdict.of(Status.MALFORMED, "the response is not one number and boxes none")
    if found.last is None:
        return Verdict.of(Status.MALFORMED, "there is no one last number in the response")
    return _judged(found.last, wanted, config.lenient_score, "the last number")


def read_number(response: str, *, lenient: bool) -> Fraction | None:
    """Return the number that the verifier would judge, None where it finds none or one too long to compute with."""
    found = _find(response)
    value = found.value
    if value is None and lenient and found.refusal is None:
        value = found.last
    if value is None or max(len(value.numerator), len(value.denominator)) > _MAX_FRACTION_DIGITS:
        return None
    return Fraction(int(value.sign + value.numerator), int(value.denominator))


@dataclass(frozen=True, slots=True)
class _Found:
    """What a response holds: a strict answer, or a reason to refuse it, or else its last number."""

    value: _Value | None = None
    refusal: Verdict | None = None
    last: _Value | None = None


def _find(response: str) -> _Found:
    text = _answer_part(response)
    if text is None:
        return _Found(refusal=Verdict.of(Status.MALFORMED, "the response never leaves its <think> block"))
    boxes, end = _boxes(text)
    if end is None:
        return _Found(refusal=Verdict.of(Status.MALFORMED, "a box or answer tag without an end"))
    values = {_whole(box) for box in boxes} or {_whole(text)}
    if len(values) > 1:
        return _Found(refusal=Verdict.of(Status.FAILED, "the boxes hold different answers"))
    if boxes and _JOINED.match(text, end):
        return _Found(refusal=Verdict.of(Status.FAILED, "the box is joined to another answer"))
    value = values.pop()
    return _Found(value=value) if value is not None else _Found(last=_last(text))


def _judged(value: _Value, wanted: _Value, score: float, what: str) -> Verdict:
    if value == wanted:
        return Verdict(status=Status.PASSED, score=score, reason=f"{what} is right")
    return Verdict.of(Status.FAILED, f"{what} is {_shown(value)}, which is wrong")


def _reference(task: Task) -> _Value:
    reference = task.reference
    # A bool is an int to Python, and a float is not the number it was written as.
    if isinstance(reference, int) and not isinstance(reference, bool):
        value = _from_int(reference)
    elif isinstance(reference, str):
        value = _whole(reference)
    else:
        value = None
    if value is None:
        raise TaskError(
            f"verifier 'number': the reference must be an int or a number as text, such as '-3/4', got {reference!r:.80}."
        )
    return value


def _from_int(reference: int) -> _Value | None:
    try:
        return _whole(str(reference))
    except ValueError:  # more digits than int-to-text conversion allows
        return None


def _answer_part(response: str) -> str | None:
    """Return what follows the last think block, None when one is left open."""
    text = response.replace("\N{MINUS SIGN}", "-")
    head, closing, tail = text.rpartition("</think>")
    if "<think>" in tail:
        return None
    return tail if closing else head + tail


def _boxes(text: str) -> tuple[list[str], int | None]:
    """Return the contents of all boxes and answer tags, and where the last one ends; None for one without an end."""
    found: list[str] = []
    last = 0
    at = _OPENING.search(text)
    while at is not None:
        end = _closing_brace(text, at.end())
        if end is None:
            return found, None
        found.append(text[at.end() : end])
        last = end + 1
        at = _OPENING.search(text, end)
    start = text.find("<answer>")
    while start >= 0:
        end = text.find("</answer>", start)
        if end < 0:
            return found, None
        content = text[start + len("<answer>") : end]
        # A box inside a tag has been found already.
        if _OPENING.search(content) is None:
            found.append(content)
        last = max(last, end + len("</answer>"))
        start = text.find("<answer>", end)
    return found, last


def _closing_brace(text: str, start: int) -> int | None:
    depth = 1
    for match in re.compile(r"[{}]").finditer(text, start):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.start()
    return None


def _whole(text: str) -> _Value | None:
    """Return the value of a text that is one number, plain or in LaTeX."""
    text = _unwrapped(text)
    fraction = _FRACTION.fullmatch(text)
    if fraction is not None:
        sign, *parts = fraction.groups()
        top, bottom = (a if a is not None else b for a, b in (parts[:2], parts[2:]))
        top = top.strip()
        if sign and top[:1] in ("+", "-"):
            return None
        text = f"{sign}{top}/{bottom.strip()}"
    match = _WHOLE.fullmatch(text)
    return _value(match[1].replace(" ", "")) if match else None


def _unwrapped(text: str) -> str:
    """Return ``text`` without space, full stop, delimiters and LaTeX spacing around or inside a number."""
    text = text.strip().strip(_INVISIBLE).strip()
    if len(text) < _TAIL_CHARS and ("\\" in text or "{" in text):
        text = text.replace("{,}", ",")
        text = re.sub(r"(?<=[0-9])\\[,; ](?=[0-9]{3})", ",", text)
        text = re.sub(r"^(?:\\[,;!: ]|\s)+|(?:\\[,;!: ]|\s)+$", "", text)
    for _ in range(3):
        text = text.removesuffix(".").rstrip()
        for left, right in _WRAPPERS:
            if text.startswith(left) and text.endswith(right) and len(text) > len(left) + len(right):
                text = text[len(left) : -len(right)].strip()
                break
    return text


def _last(text: str) -> _Value | None:
    tail = text
    if len(text) > _TAIL_CHARS:
        # The cut may have split a number, so that the first word is dropped.
        tail = text[-_TAIL_CHARS:].partition(" ")[2]
    found = list(_IN_TEXT.finditer(tail))
    if not found:
        return None
    last = found[-1]
    if _HEDGED.search(tail[max(0, last.start() - 12) : last.start()]):
        return None
    if len(found) > 1 and _BETWEEN_CANDIDATES.fullmatch(tail[found[-2].end() : last.start()]):
        return None
    written = last[1]
    if written[0] in "+-" and last.start() > 0 and _SIGN_AFTER.match(tail[last.start() - 1]):
        written = written[1:]  # the minus of a difference such as 8-3
    return _value(written)


def _value(written: str) -> _Value | None:
    sign = "-" if written.startswith("-") else ""
    numerator, _, denominator = written.lstrip("+-").replace(",", "").partition("/")
    whole, _, decimals = numerator.partition(".")
    decimals = decimals.rstrip("0")
    denominator = denominator.lstrip("0") if denominator else "1"
    if not denominator:
        return None
    numerator = (whole + decimals).lstrip("0") or "0"
    if numerator == "0":
        return _Value("", "0", "1")
    scaled = denominator + "0" * len(decimals)
    if scaled != "1":
        if max(len(numerator), len(scaled)) > _MAX_FRACTION_DIGITS:
            return _Value(sign, numerator, scaled)
        common = gcd(int(numerator), int(scaled))
        numerator, scaled = str(int(numerator) // common), str(int(scaled) // common)
    return _Value(sign, numerator, scaled)


def _shown(value: _Value) -> str:
    text = value.sign + value.numerator + (f"/{value.denominator}" if value.denominator != "1" else "")
    return text if len(text) <= 40 else f"{text[:30]}... ({len(text)} characters)"
