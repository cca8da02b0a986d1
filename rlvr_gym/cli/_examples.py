"""Rows of examples for an audit: a reference, right responses, and optionally wrong ones."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rlvr_gym.errors import UsageError

if TYPE_CHECKING:
    from rlvr_gym.testing import Example


def read_examples(path: Path) -> list[Example]:
    """Return the examples of a file of JSON lines; a row with several right responses gives several.

    Raises:
        UsageError: no such file, or a row that is no example, with its line.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}.") from None
    found: list[Example] = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            found += _examples(line, f"{path}:{number}")
    if not found:
        raise UsageError(f"{path}: there is no example in it.")
    return found


def _examples(line: bytes, where: str) -> list[Example]:
    from rlvr_gym.testing import Example

    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise UsageError(f"{where}: not JSON: {line[:80].decode('utf-8', 'backslashreplace')}") from None
    if not isinstance(row, dict) or "reference" not in row:
        raise UsageError(
            f"{where}: a row is an object with 'reference', 'right', and optionally 'wrong' and 'prompt'."
        )
    rights, wrongs = _texts(row, "right", where), _texts(row, "wrong", where)
    prompt = row.get("prompt") or ""
    if not isinstance(prompt, str):
        raise UsageError(f"{where}: 'prompt' must be a text, got {type(prompt).__name__}.")
    first = [Example(row["reference"], rights[0] if rights else None, prompt, tuple(wrongs))]
    return first + [Example(row["reference"], right, prompt) for right in rights[1:]]


def _texts(row: Mapping[str, Any], name: str, where: str) -> list[str]:
    value = row.get(name, [])
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise UsageError(f"{where}: '{name}' must be a text or a list of texts, got {value!r:.80}.")
    return texts
