"""Rows of known data sets as tasks: the problem, the tests, a solution and labels."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from rlvr_gym.envs.code_files.prompts import fenced, header_of, imports_and_helpers, with_examples
from rlvr_gym.types import Json
from rlvr_gym.verifiers.code_tests.conversion import free_names

CodeLayout: TypeAlias = Literal["auto", "plain", "mbpp", "humaneval", "apps"]
"""A layout of ``CODE_LAYOUTS``, or ``auto``: the first whose columns a row has."""


@dataclass(frozen=True, slots=True)
class CodeRow:
    """A row as a task."""

    problem: str
    reference: Json
    """As the verifier ``code`` takes it."""
    solution: str = ""
    strata: Mapping[str, str | int] = field(default_factory=dict)


def plain(row: Mapping[str, Any], num_examples: int) -> CodeRow:
    """Read a row of our own: ``prompt`` and ``tests``, perhaps ``entry_point``, ``setup``, ``prelude`` and ``solution``."""
    kept = ("tests", "entry_point", "setup", "prelude")
    reference = {name: row[name] for name in kept if row.get(name)}
    examples = (
        [test for test in row["tests"] if isinstance(test, str)] if isinstance(row["tests"], list) else []
    )
    problem = with_examples(_text(row, "prompt"), examples[:num_examples])
    return CodeRow(
        problem, reference, _text(row, "solution", ""), _labels(row, "level", "family", "difficulty")
    )


def mbpp(row: Mapping[str, Any], num_examples: int) -> CodeRow:
    """Read a row of MBPP: ``text`` or ``prompt``, ``test_list``, ``test_setup_code`` or ``test_imports``, and ``code``."""
    tests, solution = list(row["test_list"]), _text(row, "code", "")
    name = _entry_point(tests, solution)
    reference: dict[str, Json] = {"tests": tests, "entry_point": name}
    setup = [_text(row, "test_setup_code", ""), *(row.get("test_imports") or [])]
    if any(part.strip() for part in setup):
        reference["setup"] = "\n".join(setup)
    problem = _text(row, "text" if row.get("text") else "prompt")
    header = header_of(solution, name)
    problem += f"\n\nWrite the function `{header.removeprefix('def ').removesuffix(':') or name}`."
    return CodeRow(with_examples(problem, tests[:num_examples]), reference, solution)


def humaneval(row: Mapping[str, Any], num_examples: int) -> CodeRow:
    """Read a row of HumanEval: ``prompt``, ``test``, ``entry_point`` and ``canonical_solution``."""
    prompt, name = _text(row, "prompt"), _text(row, "entry_point")
    helpers = imports_and_helpers(prompt, name)
    reference = {"test": _text(row, "test"), "entry_point": name}
    if helpers:
        # The tests use the prompt's own helpers, whatever the candidate calls by their names.
        reference |= {"setup": helpers, "prelude": helpers}
    rest = _text(row, "canonical_solution", "")
    return CodeRow(
        f"Complete this function.\n\n{fenced(prompt)}", reference, f"{prompt}{rest}" if rest else ""
    )


def apps(row: Mapping[str, Any], num_examples: int) -> CodeRow:
    """Read a row of APPS or TACO: ``question``, ``input_output``, ``starter_code`` and ``solutions``."""
    found = row["input_output"]
    tests = json.loads(found) if isinstance(found, str) else found
    if not isinstance(tests, Mapping):
        raise TypeError(f"'input_output' must be a table, got {tests!r:.40}")
    reference = {name: tests[name] for name in ("inputs", "outputs", "fn_name") if tests.get(name)}
    starter = _text(row, "starter_code", "").strip()
    how = (
        f"Write the function `{tests['fn_name']}`."
        if tests.get("fn_name")
        else "Write a program that reads from standard input and writes to standard output."
    )
    if starter:
        how += f" Begin with:\n{fenced(starter)}"
    return CodeRow(
        f"{_text(row, 'question').strip()}\n\n{how}",
        reference,
        _solution(row.get("solutions")),
        _labels(row, "difficulty"),
    )


CODE_LAYOUTS: Mapping[str, tuple[tuple[str, ...], Callable[[Mapping[str, Any], int], CodeRow]]] = {
    "mbpp": (("test_list",), mbpp),
    "humaneval": (("test", "entry_point"), humaneval),
    "apps": (("question", "input_output"), apps),
    "plain": (("prompt", "tests"), plain),
}
"""Columns that tell a layout, and how it is read."""


def read_row(row: Mapping[str, Any], layout: CodeLayout, num_examples: int) -> CodeRow:
    """Return a row as a task.

    Args:
        row: Values by column.
        layout: How to read it.
        num_examples: Tests that the prompt shows, where it can.

    Raises:
        ValueError: a row of another layout, or with a column that is not what it should be.
    """
    fitting = (
        name
        for name, (columns, _) in CODE_LAYOUTS.items()
        if layout == name or (layout == "auto" and all(row.get(column) for column in columns))
    )
    name = next(fitting, "")
    if not name:
        raise ValueError(f"no layout has the columns {', '.join(map(str, row)) or 'of an empty row'}")
    columns, read = CODE_LAYOUTS[name]
    missing = [column for column in columns if not row.get(column)]
    if missing:
        raise ValueError(f"there is no '{missing[0]}'")
    try:
        return read(row, num_examples)
    except (KeyError, TypeError, SyntaxError, RecursionError) as error:
        raise ValueError(f"it is no row of the layout '{name}': {error}") from None


def _entry_point(tests: list[str], solution: str) -> str:
    """Return the function that tests call: of those that the solution defines, the one it defines last.

    Raises:
        ValueError: they call none, or there is no telling which.
    """
    called = free_names(ast.parse("\n".join(tests)))
    try:
        names = [node.name for node in ast.parse(solution).body if isinstance(node, ast.FunctionDef)]
    except SyntaxError:
        names = []
    used = {node.id for node in ast.walk(ast.parse("\n".join(tests))) if isinstance(node, ast.Name)}
    defined = [name for name in names if name in used]
    if defined:
        return defined[-1]
    called -= {"math"}
    if len(called) != 1:
        raise ValueError(f"the tests do not say which function they are for: {sorted(called) or 'none'}")
    return called.pop()


def _solution(given: Any) -> str:
    """Return the first solution of a list, which APPS holds as JSON text."""
    try:
        found = json.loads(given) if isinstance(given, str) and given.strip() else given
    except ValueError:
        return ""
    return found[0] if isinstance(found, list) and found and isinstance(found[0], str) else ""


_REQUIRED = object()


def _text(row: Mapping[str, Any], column: str, otherwise: Any = _REQUIRED) -> str:
    value = row.get(column)
    if value is None and otherwise is not _REQUIRED:
        return str(otherwise)
    if not isinstance(value, str):
        raise TypeError(f"'{column}' must be a text, got {value!r:.40}")
    return value


def _labels(row: Mapping[str, Any], *names: str) -> dict[str, str | int]:
    return {name: row[name] for name in names if isinstance(row.get(name), str | int)}
