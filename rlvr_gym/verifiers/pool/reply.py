"""Verdicts and other results as JSON, bounded in size."""

from __future__ import annotations

import json
import traceback
from dataclasses import replace
from typing import Any

from rlvr_gym import errors
from rlvr_gym.types import Check, Json, Verdict
from rlvr_gym.verifiers.pool import wire

MAX_TEXT = 2_000
"""Characters that a reason keeps."""
MAX_DETAIL = 500
"""Characters that the name and the detail of a check keep."""
MAX_CHECKS = 1_000
"""Named parts that a verdict keeps."""
_MAX_TRACEBACK = 20_000


class VerifierBug(RuntimeError):
    """An exception inside a judge. It is never a verdict: the judge has to be mended."""


def trimmed(verdict: Verdict) -> Verdict:
    """Return the verdict with long texts cut and unpaired surrogates replaced, so that any file can hold it."""
    if not verdict.parts and type(verdict.score) in _SCORES and _fits(verdict.reason, MAX_TEXT):
        checks = verdict.checks
        if len(checks) <= MAX_CHECKS and all(map(_is_plain, checks)):
            return verdict
    checks = verdict.checks[:MAX_CHECKS]
    return replace(
        verdict,
        score=None if verdict.score is None else float(verdict.score),
        reason=_text(verdict.reason, MAX_TEXT),
        checks=tuple(
            Check(_text(c.name, MAX_DETAIL), bool(c.passed), _text(c.detail, MAX_DETAIL)) for c in checks
        ),
        parts=tuple(trimmed(part) for part in verdict.parts[:MAX_CHECKS]),
    )


_SCORES = (float, type(None))


def _is_plain(check: Check) -> bool:
    name, detail = check.name, check.detail
    return (
        type(check.passed) is bool
        and len(name) <= MAX_DETAIL
        and len(detail) <= MAX_DETAIL
        and name.isascii()
        and detail.isascii()
    )


def _fits(text: str, size: int) -> bool:
    return len(text) <= size and text.isascii()


def _text(text: str, size: int) -> str:
    if len(text) > size:
        text = text[: size - 3] + "..."
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def pack_value(value: object) -> bytes:
    """Return the body of a reply.

    Raises:
        TypeError: when the value is neither a verdict nor JSON.
        ValueError: when it is too large.
    """
    row = {"verdict": trimmed(value).to_dict()} if isinstance(value, Verdict) else {"value": value}
    try:
        body = json.dumps(row).encode()
    except (TypeError, ValueError, RecursionError):
        raise TypeError(f"the judge returned {type(value).__name__}, neither a Verdict nor JSON") from None
    if len(body) > wire.MAX_REPLY:
        raise ValueError(f"the judge returned {len(body)} bytes, more than {wire.MAX_REPLY}")
    return body


def pack_error(error: BaseException) -> bytes:
    """Return the body of a reply that carries an exception as data."""
    name = next((c.__name__ for c in type(error).__mro__ if getattr(errors, c.__name__, None) is c), "")
    text = "".join(traceback.format_exception(error))
    row = {"name": name, "message": str(error)[:MAX_TEXT], "traceback": text[-_MAX_TRACEBACK:]}
    return json.dumps(row).encode()


def unpack(kind: bytes, body: bytes, *, several: bool) -> Verdict | Json | Exception:
    """Return the value of a reply, or the exception to raise in the parent.

    A deliberate error of the library, such as a reference that does not parse, keeps its class; everything
    else is a `VerifierBug` with the worker's traceback.

    Raises:
        ValueError, KeyError, TypeError: the reply is none.
    """
    row = json.loads(body)
    if kind == wire.VALUE:
        return [_value(each) for each in row] if several else _value(row)
    if kind != wire.ERROR:
        raise ValueError(f"kind {kind!r}")
    error_class = getattr(errors, row["name"]) if row["name"] else None
    if error_class is None:
        return VerifierBug(f"{row['message']}\n\n{row['traceback']}")
    # Not through __init__: some of these build their message from parts.
    return error_class.__new__(error_class, row["message"])


def _value(row: dict[str, Any]) -> Verdict | Json:
    return Verdict.from_dict(row["verdict"]) if "verdict" in row else row["value"]
