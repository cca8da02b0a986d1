"""The final statement of a response that names entities, and all else that it says the answer is.

The last statement is the answer and must end the response: a tag, boxes, a label such as "Answer:" with everything
behind it, or the whole response. Every other statement of an answer must agree with it, so nobody gets two guesses.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Final

from rlvr_gym.verifiers.answers.extraction import boxes, visible
from rlvr_gym.verifiers.answers.refusal import Refusal
from rlvr_gym.verifiers.answers.surroundings import altered
from rlvr_gym.verifiers.kg_answers.denials import refuse_denied
from rlvr_gym.verifiers.kg_answers.labels import MARKS, claims, label_of

_MOST_CHARS: Final = 1_000_000
"""Characters of a response."""
_TAIL: Final = 20_000
"""Characters from the end in which statements are looked for."""
_LINE: Final = 2_000
_COMMENT: Final = "<!--"
_KEYS: Final = ("answer", "answers", "final_answer")
_MOST_OTHERS: Final = 20

_JOINS = re.compile(
    r"[\s$,;&]{0,20}(?:\\[)(\]\[]\s?)?(?:and)?[\s$,;&]{0,20}(?:\\[)(\]\[]\s?)?", re.IGNORECASE
)
_SILENT = re.compile(r"(?:[\s.$*_`!)\]]|\\[)\]])*+")
_CLOSINGS = re.compile(
    r"(?:(?<=[\s.!*$}>])|^)(?:i\shope\sit\sis\scorrect|(?:i\s)?hope\s(?:this|that)\s(?:helps|is\shelpful)|"
    r"(?:please\s)?let\sme\sknow\sif\syou\s(?:need\sanything\selse|have\sany\s(?:other\s|more\s|further\s)?questions))[.!*\s]*$",
    re.IGNORECASE,
)
"""What a response may end with that says nothing."""
_CLOSING_CHARS: Final = 120


@dataclass(frozen=True, slots=True)
class Statement:
    """What a response says the answer is."""

    content: str
    """The text of the answer, as it was written."""
    before: str
    """The reasoning: everything that was said earlier, thinking included."""
    others: tuple[str, ...] = ()
    """Other tags and boxes, which must hold the same."""
    claims: tuple[str, ...] = ()
    """Whatever else is called the answer, which must not be another one."""


def find_statement(response: str) -> Statement:
    """Return the final statement of a response.

    Raises:
        Refusal: ``unclosed_think``, ``no_answer``, ``too_long`` or ``hedge``.
    """
    if len(response) > _MOST_CHARS:
        raise Refusal("too_long", f"a response of {len(response)} characters")
    if _COMMENT in response.rpartition("</think>")[2]:
        raise Refusal("hedge", "a part that nobody gets to see", failed=True)
    seen = _unremarked(visible(response.rstrip()))
    thought = response.rpartition("</think>")[0]
    text = seen[-_TAIL:]
    found = _labelled(text)
    if found is None and "<answer>" in text:
        found = _tagged(text)
    elif found is None and ("\\boxed" in text or "\\fbox" in text):
        found = _boxed(text)
    elif found is None:
        found = _whole(seen)
    before = f"{thought}\n{seen[: len(seen) - len(text)]}{found.before}"
    return Statement(found.content, before, found.others, found.claims)


def _unremarked(text: str) -> str:
    """Return ``text`` without the white space and the closing remarks at its end."""
    text = text.rstrip()
    closing = _CLOSINGS.search(text[-_CLOSING_CHARS:])
    return text if closing is None else text[: len(text) - len(closing[0])].rstrip()


def _tagged(text: str) -> Statement:
    contents: list[str] = []
    after = text
    for part in text.split("<answer>")[1:]:
        content, closed, after = part.partition("</answer>")
        if not closed:
            raise Refusal("no_answer", "<answer> has no end")
        contents.append(content.strip())
    _refuse_more(after)
    before = text[: text.rfind("<answer>")]
    refuse_denied(before, contents[-1])
    return _stated(_unboxed(contents[-1]), before)


def _boxed(text: str) -> Statement:
    found, truncated = boxes(text)
    if truncated or not found:
        raise Refusal("no_answer", "a box has no end")
    if not found[-1].text.strip():
        raise Refusal("no_answer", "the last box is empty")
    _refuse_more(text[found[-1].end :])
    first = len(found) - 1
    while first and _JOINS.fullmatch(text[found[first - 1].end : found[first].start][:_LINE]):
        first -= 1
    start = found[first].start
    parts = [box.text for box in found[first:]]
    # The same box again is one answer, said twice.
    content = parts[0] if len(set(parts)) == 1 else "; ".join(parts)
    refuse_denied(text[:start], content)
    if any(altered(text, box.start, box.end) for box in found[first:]):
        raise Refusal("hedge", "what stands round the box alters it", failed=True)
    return _stated(content, text[:start])


def _labelled(text: str) -> Statement | None:
    """Return what stands behind the last label, None when there is none or when it leads to a tag or a box."""
    lines = text.splitlines()
    for row in range(len(lines) - 1, -1, -1):
        line = lines[row]
        at, end = label_of(line, last=row == len(lines) - 1)
        if end < 0:
            continue
        content = "\n".join([line[end:], *lines[row + 1 :]]).strip()
        before = "\n".join([*lines[:row], line[:at]])
        if any(mark in content for mark in MARKS):
            return None
        if not content.strip(" *_.:"):
            raise Refusal("no_answer", "nothing follows the words that say that the answer follows")
        refuse_denied(before, content, apart=True)
        return _stated(content, before)
    return None


def _whole(text: str) -> Statement:
    content = text.strip()
    if not content.strip(" *_.,;:!?-\"'`\u200b\u2060\ufeff"):
        raise Refusal("no_answer", "the response is empty")
    if content.startswith("{"):
        content = _from_json(content)
    return Statement(content, "")


def _from_json(text: str) -> str:
    """Return the answer that a JSON object with nothing else holds, one item a line; ``text`` where it is none."""
    try:
        pairs = json.loads(text, object_pairs_hook=tuple)
    except (ValueError, RecursionError):
        return text
    if len(pairs) != 1 or pairs[0][0].lower() not in _KEYS:
        return text
    value = pairs[0][1] if isinstance(pairs[0][1], list) else [pairs[0][1]]
    return "\n".join(value) if value and all(isinstance(item, str) for item in value) else text


def _stated(content: str, before: str) -> Statement:
    """Return a statement with all others in the text before it, without empty tags and boxes.

    Raises:
        Refusal: ``hedge``, when there are very many.
    """
    tags = [part.partition("</answer>") for part in before.split("<answer>")[1:]]
    others = [_unboxed(inner) for inner, closed, _ in tags if closed]
    others += [box.text for box in boxes(before)[0]] if "\\boxed" in before or "\\fbox" in before else []
    # A tag that never closes may be a mention of tags.
    said = [inner.strip().partition("\n")[0][:_LINE] for inner, closed, _ in tags if not closed]
    said += claims(before)
    others = list(dict.fromkeys(text for text in others if text.strip(" .") and text.strip() != content))
    said = list(dict.fromkeys(text for text in said if text.strip(" .") and text.strip() != content))
    if len(others) + len(said) > _MOST_OTHERS:
        raise Refusal("hedge", f"{len(others) + len(said) + 1} statements of the answer", failed=True)
    if sum(map(len, others)) > _MOST_OTHERS * (len(content) + _LINE):
        raise Refusal("hedge", "other statements of the answer are very long", failed=True)
    return Statement(content, before, tuple(others), tuple(said))


def _unboxed(content: str) -> str:
    """Return what the box holds, where ``content`` is nothing but a box."""
    found = boxes(content)[0] if "\\boxed" in content or "\\fbox" in content else []
    alone = (
        len(found) == 1 and not content[: found[0].start].strip() and not content[found[0].end :].strip(" .")
    )
    return found[0].text if alone else content


def _refuse_more(after: str) -> None:
    if not _SILENT.fullmatch(after):
        raise Refusal("hedge", "more follows the answer", failed=True)
