"""What a judge's reply says: one exact last line, or nothing."""

from __future__ import annotations

from rlvr_gym.policies.quoting import AnswerForm

_HEAD, _TAIL = 300, 150


def read_reply(text: str, form: AnswerForm) -> dict[str, str] | None:
    """Return the words of the last line of ``text``, by field; None when the reply does not answer.

    Thinking is dropped. The last line must have the form exactly, and no other line may answer differently.
    """
    said = answer_part(text)
    if said is None:
        return None
    lines = [line.strip() for line in said.strip().split("\n")]
    words = form.read(lines[-1])
    others = [form.read(line) for line in lines[:-1] if form.code in line]
    return None if any(other is not None and other != words for other in others) else words


def answer_part(text: str) -> str | None:
    """Return what follows the last think block, None when one is left open."""
    _, _, tail = text.rpartition("</think>")
    return None if "<think>" in tail else tail


def cut(text: str) -> str:
    """Return ``text`` with its middle left out if it is long; a judge's last words are its verdict."""
    if len(text) <= _HEAD + _TAIL:
        return text
    return f"{text[:_HEAD]} [...] {text[-_TAIL:]}"
