"""A plugin of pytest that watches tests inside a sandbox: which lines each runs, and how each fails.

It runs beside untrusted code: what it reports is a hint for choosing and describing bugs, and never a verdict.
Only the standard library and pytest are at hand.
"""

from __future__ import annotations

import ast
import json
import linecache
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

_TEXT = 400
_SNIPPET = 4000


class Observer:
    """The plugin: collects while tests run, and writes one report at the end."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.sources = {f"{settings['root']}/{path}": path for path in settings["sources"]}
        self.traced = settings["lines"]
        self.out = Path(settings["out"])
        self.lines: dict[str, dict[str, set[int]]] = {}
        self.failures: dict[str, dict[str, Any]] = {}
        self.outcomes: dict[str, str] = {}
        self.compared: dict[str, str] = {}
        self.current: dict[str, set[int]] | None = None

    def trace(self, frame: FrameType, event: str, _: Any) -> Any:
        """Note the lines of a function that is entered, if it is one of the package's own."""
        path = self.sources.get(frame.f_code.co_filename)
        if path is None or self.current is None:
            return None
        seen = self.current.setdefault(path, set())
        seen.add(frame.f_lineno)

        def local_trace(frame: FrameType, event: str, _: Any) -> Any:
            if event == "line":
                seen.add(frame.f_lineno)
            return local_trace

        return local_trace

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Watch one test, its fixtures included."""
        if self.traced:
            self.current = self.lines.setdefault(item.nodeid, {})
            sys.settrace(self.trace)
        yield
        sys.settrace(None)
        self.current = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_assertrepr_compare(self, op: str, left: object, right: object) -> None:
        """Note the values of a comparison that failed."""
        self.compared = {"op": op, "left": _repr(left), "right": _repr(right)}

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
        """Note how a test ended."""
        outcome: Any = yield
        report = outcome.get_result()
        if report.when == "call" or report.outcome != "passed":
            self.outcomes[item.nodeid] = report.outcome
        if call.excinfo is not None and report.outcome == "failed" and report.when == "call":
            try:
                self.failures[item.nodeid] = self.describe(item, call.excinfo)
            except (
                Exception
            ):  # objects of the package may do anything; the failure then goes without a description
                self.failures[item.nodeid] = {}
        self.compared = {}

    def describe(self, item: Any, excinfo: pytest.ExceptionInfo[BaseException]) -> dict[str, Any]:
        """Return how a test failed: the exception, the values compared, and the statements that led to it."""
        file = str(item.path)
        frames = [entry for entry in excinfo.traceback if str(entry.path) == file]
        found: dict[str, Any] = {
            "type": excinfo.typename,
            "message": str(excinfo.value)[:_TEXT],
            "compared": self.compared,
        }
        # The comparison that was last explained is the one that failed only if an assertion is what failed.
        if excinfo.typename != "AssertionError":
            found["compared"] = {}
        function = getattr(item, "function", None)
        frame = next(
            (each for each in frames if function and each.frame.code.name == function.__name__), None
        )
        if frame is not None:
            found.update(snippet(file, function, frame.lineno + 1))
            values = {}
            for name in getattr(getattr(item, "callspec", None), "params", {}):
                values[name] = _repr(item.callspec.params[name])
            found["values"] = values
        return found

    def pytest_sessionfinish(self) -> None:
        """Write the report."""
        report = {
            "outcomes": self.outcomes,
            "failures": self.failures,
            "lines": {
                test: {path: sorted(lines) for path, lines in files.items()}
                for test, files in self.lines.items()
            },
        }
        self.out.write_text(json.dumps(report))


def _repr(value: object) -> str:
    try:
        return repr(value)[:_TEXT]
    except Exception:  # a __repr__ of the package's may do anything
        return "?"


def snippet(file: str, function: Any, line: int) -> dict[str, Any]:
    """Return the statements of a test up to the one that failed, and the imports whose names they use."""
    tree = ast.parse("".join(linecache.getlines(file)))
    start = getattr(function, "__wrapped__", function).__code__.co_firstlineno
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            if first == start and node.name == function.__name__:
                break
    else:
        return {}
    body = list(node.body)
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    kept = [each for each in body if each.lineno <= line]
    if not kept:
        return {}
    texts = [ast.unparse(each) for each in kept]
    names = {each.id for part in kept for each in ast.walk(part) if isinstance(each, ast.Name)}
    imports = []
    for each in tree.body:
        if isinstance(each, ast.Import | ast.ImportFrom):
            used = [a for a in each.names if (a.asname or a.name).split(".")[0] in names or a.name == "*"]
            if used:
                each.names = used
                imports.append(ast.unparse(each))
    return (
        {
            "imports": imports,
            "statements": texts[:-1],
            "last": texts[-1],
        }
        if sum(map(len, texts)) <= _SNIPPET
        else {}
    )


def pytest_configure(config: pytest.Config) -> None:
    """Start watching."""
    settings = json.loads(Path(os.environ["RLVR_OBSERVE"]).read_text())
    config.pluginmanager.register(Observer(settings), "observer of tests")
