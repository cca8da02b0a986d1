"""TOML of plain tables, for ``task.toml``: Python reads the format, and does not write it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def to_toml(table: Mapping[str, Any]) -> str:
    """Return ``table`` as TOML; values that are None are left out.

    Example:
        >>> print(to_toml({"version": 1, "task": {"name": "a/b"}, "steps": [{"name": "x"}]}))
        version = 1
        <BLANKLINE>
        [task]
        name = "a/b"
        <BLANKLINE>
        [[steps]]
        name = "x"
        <BLANKLINE>

    Raises:
        TypeError: a value that TOML has no form for.
    """
    return "\n".join(_lines((), table)).lstrip("\n") + "\n"


def _lines(path: tuple[str, ...], table: Mapping[str, Any]) -> list[str]:
    plain = {key: value for key, value in table.items() if value is not None}
    tables = {key: value for key, value in plain.items() if isinstance(value, Mapping)}
    lists = {key: value for key, value in plain.items() if _is_tables(value)}
    lines = [
        f"{_key(key)} = {_value(value)}"
        for key, value in plain.items()
        if key not in tables and key not in lists
    ]
    for key, value in tables.items():
        inner = (*path, _key(key))
        lines += ["", f"[{'.'.join(inner)}]", *_lines(inner, value)]
    for key, values in lists.items():
        inner = (*path, _key(key))
        for value in values:
            lines += ["", f"[[{'.'.join(inner)}]]", *_lines(inner, value)]
    return lines


def _is_tables(value: Any) -> bool:
    return (
        isinstance(value, list | tuple) and bool(value) and all(isinstance(each, Mapping) for each in value)
    )


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    raise TypeError(f"TOML has no form for {value!r:.80}")


def _text(value: str) -> str:
    # JSON escapes what TOML does, but for DEL; its pairs of surrogates are the one thing that TOML does not read.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
