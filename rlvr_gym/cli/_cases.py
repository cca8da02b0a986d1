"""Rows of cases to judge: one JSON object per line, read so that a bad row costs only itself."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rlvr_gym.types import Json, Task


@dataclass(frozen=True, slots=True)
class Case:
    """One row: what to judge, or what is wrong with it."""

    line: int
    id: Json
    task: Task | None = None
    response: str = ""
    error: str = ""
    given: str = field(default="", repr=False)
    """The row as written, cut, for messages."""


def read_cases(lines: Iterable[bytes], verifier: str) -> Iterator[Case]:
    """Yield one case per line that is not blank."""
    for number, raw in enumerate(lines, start=1):
        if raw.strip():
            yield _case(number, raw, verifier)


def _case(number: int, raw: bytes, verifier: str) -> Case:
    given = _cut(raw)
    try:
        row = json.loads(raw)
    except (ValueError, RecursionError) as error:
        return Case(number, number, error=f"not JSON ({_first_line(error)})", given=given)
    if not isinstance(row, dict):
        return Case(number, number, error="not a JSON object", given=given)
    wrong = _wrong(row)
    id = row.get("id", number)
    if wrong:
        return Case(number, id, error=wrong, given=given)
    task = Task(id=str(id), prompt=row.get("prompt") or "", reference=row["reference"], verifier=verifier)
    return Case(number, id, task, row["response"], given=given)


def _wrong(row: Mapping[str, Any]) -> str:
    for name in ("reference", "response"):
        if name not in row:
            return f"'{name}' is missing"
    if not isinstance(row["response"], str):
        return f"'response' must be a text, got {type(row['response']).__name__}"
    if not isinstance(row.get("prompt"), str | None):
        return f"'prompt' must be a text, got {type(row['prompt']).__name__}"
    return ""


def _cut(raw: bytes) -> str:
    text = json.dumps(raw[:200].decode("utf-8", "backslashreplace").rstrip("\r\n"))[1:-1].replace('\\"', '"')
    return text if len(text) <= 80 else f"{text[:77]}..."


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:100]
