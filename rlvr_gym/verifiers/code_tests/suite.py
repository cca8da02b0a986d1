"""Tests as tasks hold them: our own form, and the fields of the data sets that people have."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rlvr_gym.errors import TaskError
from rlvr_gym.types import Json
from rlvr_gym.verifiers.code_tests.cases import Call, Rule, Script, Suite, Test
from rlvr_gym.verifiers.code_tests.conversion import check_function, read_tests
from rlvr_gym.verifiers.code_tests.inside.plain import NotPlainError, encode

MAX_TESTS = 1_000
"""Most tests of a task; a verdict keeps no more."""


def read_suite(reference: Json) -> Suite:
    """Return the tests of a reference.

    It is a table with one of

    - ``tests``: a list of sources of assertions, of ``{"args": [...], "output": ...}`` for ``entry_point``, and of
      ``{"stdin": ..., "stdout": ...}``;
    - ``test_list``, with ``test_setup_code`` or ``test_imports``, as in MBPP;
    - ``test``, a source with ``check(candidate)``, and ``entry_point``, as in HumanEval;
    - ``input_output``, a table or its JSON text of ``inputs``, ``outputs`` and perhaps ``fn_name``, as in APPS;

    and perhaps with ``setup``, trusted code for the tests, and ``prelude``, trusted code for the candidate.

    Raises:
        TaskError: it is none of these, or holds no test.
    """
    table = {"tests": reference} if isinstance(reference, list | str) else reference
    if not isinstance(table, Mapping):
        raise TaskError(f"the reference must be a table of tests, it is {reference!r:.60}.")
    try:
        tests = _tests(table)
    except (SyntaxError, RecursionError) as error:
        raise TaskError(f"the tests are no Python: {error}.") from None
    except (KeyError, TypeError, ValueError, NotPlainError) as error:
        raise TaskError(f"the tests cannot be read: {error}.") from None
    if not tests:
        raise TaskError("the reference holds no test: a test that is not there would be passed by anything.")
    if len(tests) > MAX_TESTS:
        raise TaskError(f"the reference holds {len(tests)} tests, more than {MAX_TESTS}.")
    return Suite(tests, _text(table.get("prelude")) or _starter(table))


def _tests(table: Mapping[str, Any]) -> list[Test]:
    setup = _text(table.get("setup"))
    entry = _text(table.get("entry_point"))
    if "tests" in table:
        given = table["tests"]
        return [
            t for each in ([given] if isinstance(given, str) else given) for t in _own(each, setup, entry)
        ]
    if "test_list" in table:
        setup = "\n".join([setup, _text(table.get("test_setup_code")), *(table.get("test_imports") or [])])
        return [test for source in table["test_list"] for test in read_tests(source, setup, entry)]
    if "test" in table:
        return check_function(_text(table["test"]), entry, setup)
    found = _input_output(table)
    if isinstance(found, Mapping) and "inputs" in found:
        return _paired(found)
    raise ValueError("it has none of 'tests', 'test_list', 'test' and 'input_output'")


def _own(test: Any, setup: str, entry: str) -> list[Test]:
    if isinstance(test, str):
        return read_tests(test, setup, entry)
    if "stdout" in test:
        return [Script(_text(test.get("stdin")), _text(test["stdout"]))]
    name = test.get("function", entry)
    if not isinstance(name, str) or not name:
        raise ValueError("a test of arguments needs 'entry_point', the name of the function")
    kwargs = {key: encode(value) for key, value in test.get("kwargs", {}).items()}
    return [Call(name, [encode(arg) for arg in test.get("args", [])], _expected(test["output"]), kwargs)]


def _paired(table: Mapping[str, Any]) -> list[Test]:
    inputs, outputs, name = table["inputs"], table["outputs"], table.get("fn_name")
    if len(inputs) != len(outputs):
        raise ValueError(f"there are {len(inputs)} inputs, but {len(outputs)} outputs")
    if not name:
        return [Script(_lines(given), _lines(wanted)) for given, wanted in zip(inputs, outputs, strict=True)]
    return [
        Call(name, [encode(arg) for arg in args], _expected(output, wrapped=True))
        for args, output in zip(inputs, outputs, strict=True)
    ]


def _input_output(table: Mapping[str, Any]) -> Any:
    found = table.get("input_output", table)
    return json.loads(found) if isinstance(found, str) else found


def _starter(table: Mapping[str, Any]) -> str:
    """Return what code for rows with ``fn_name`` may count on: their starter code has types that it does not import."""
    found = _input_output(table)
    return "from typing import *" if isinstance(found, Mapping) and found.get("fn_name") else ""


def _expected(value: Any, *, wrapped: bool = False) -> Rule:
    """Return the rule for an expected value from JSON; some rows of APPS wrap it in a list of one."""
    if wrapped and isinstance(value, list) and len(value) == 1:
        return Rule("among", [encode(value), encode(value[0])], tuples_are_lists=True)
    return Rule("equal", encode(value), tuples_are_lists=True)


def _lines(value: Any) -> str:
    if isinstance(value, list):
        return "\n".join(map(_text, value)) + "\n"
    return _text(value)


def _text(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError(f"a text is needed, not {value!r:.40}")
    return value
