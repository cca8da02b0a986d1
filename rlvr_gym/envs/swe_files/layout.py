"""The registry of layouts, and what their readers share."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from rlvr_gym.registry import Registry
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.patches import changed_lines
from rlvr_gym.repositories.suites.script import ScriptSuite
from rlvr_gym.types import Json

Values: TypeAlias = Mapping[str, Any]
"""A row: values by column."""


@dataclass(frozen=True, slots=True)
class SweLayout:
    """How the rows of a family of data sets are told from others, and read."""

    fits: Callable[[Values], bool]
    read: Callable[[Values], Instance]
    """Raises ValueError, TypeError or KeyError for a row that is no task."""
    rank: int
    """Of several layouts that fit a row, the one with the smallest number reads it."""


SWE_LAYOUTS: Registry[SweLayout] = Registry("swe layout", "rlvr_gym.envs.swe_files.layouts")
"""Layouts by name, such as ``swe_bench``."""


def has(row: Values, *columns: str) -> bool:
    """Return whether a row has something in each of these columns."""
    return all(row.get(column) not in (None, "") for column in columns)


def text(row: Values, column: str, otherwise: str | None = None) -> str:
    """Return a text.

    Raises:
        ValueError: nothing there, and no other value given; or something else.
    """
    value = row.get(column)
    if value is None and otherwise is not None:
        return otherwise
    if value is None:
        raise ValueError(f"there is no '{column}'")
    if not isinstance(value, str):
        raise ValueError(f"'{column}' must be a text, got {value!r:.40}")
    return value


def parsed(row: Values, column: str) -> Any:
    """Return a value that some data sets hold as it is, and others as JSON text.

    Raises:
        ValueError: nothing there, or a text that is no JSON.
    """
    value = row.get(column)
    if value is None:
        raise ValueError(f"there is no '{column}'")
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"'{column}' is no JSON ({error})") from None


def tests(row: Values, column: str) -> tuple[str, ...]:
    """Return ids of tests, given as a list or as JSON text, each once.

    Raises:
        ValueError: neither.
    """
    found = parsed(row, column)
    if isinstance(found, Mapping) or not hasattr(found, "__iter__") or isinstance(found, str):
        raise ValueError(f"'{column}' must be a list of tests, got {found!r:.40}")
    names = list(found)
    if not all(isinstance(name, str) for name in names):
        raise ValueError(f"'{column}' holds something that is no text")
    return tuple(dict.fromkeys(names))


def instance(row: Values, suite: ScriptSuite, *, layout: str, **more: Any) -> Instance:
    """Return the instance of a row with the columns of SWE-bench; ``more`` replaces fields.

    Raises:
        ValueError: a column that is missing, or no test that a patch has to turn.
    """
    fields: dict[str, Any] = {
        "id": text(row, "instance_id") if "id" not in more else "",
        "problem": text(row, "problem_statement") if "problem" not in more else "",
        "patch": text(row, "patch") if "patch" not in more else "",
        "test_patch": text(row, "test_patch", ""),
        "repo": text(row, "repo", ""),
        "version": str(row.get("version") or ""),
        "license": text(row, "license_name", ""),
    } | more
    for name in ("fail_to_pass", "pass_to_pass"):
        if name not in fields:
            fields[name] = tests(row, name.upper())
    if not fields["fail_to_pass"]:
        raise ValueError("no test has to turn from failing to passing, so every patch would solve it")
    strata: dict[str, str | int] = {"dataset": layout, "changed_lines": changed_lines(fields["patch"])}
    if isinstance(row.get("difficulty"), str):
        strata["difficulty"] = row["difficulty"]
    provenance: dict[str, Json] = {
        name: row[name] for name in ("base_commit", "created_at") if isinstance(row.get(name), str)
    }
    return Instance(suite=suite, strata=strata, provenance=provenance | {"image": suite.image}, **fields)
