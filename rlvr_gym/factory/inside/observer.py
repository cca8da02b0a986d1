"""A plugin of pytest that watches tests inside a sandbox: which lines each runs, and how each fails.

It runs beside untrusted code: what it reports is a hint for choosing and describing bugs, and never a verdict.
Only the standard library and pytest are at hand.
"""

import ast
import json
import linecache
import os
import sys

import pytest

_TEXT = 400
_SNIPPET = 4000


class Observer:
    def __init__(self, settings):
        self.root = settings["root"]
        self.sources = {os.path.join(self.root, path): path for path in settings["sources"]}
        self.traced = settings["lines"]
        self.out = settings["out"]
        self.lines = {}
        self.failures = {}
        self.outcomes = {}
        self.compared = {}
        self.current = None

    def global_trace(self, frame, event, _):
        path = self.sources.get(frame.f_code.co_filename)
        if path is None or self.current is None:
            return None
        seen = self.current.setdefault(path, set())
        seen.add(frame.f_lineno)

        def local_trace(frame, event, _):
            if event == "line":
                seen.add(frame.f_lineno)
            return local_trace

        return local_trace

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item):
        if self.traced:
            self.current = self.lines.setdefault(item.nodeid, {})
            sys.settrace(self.global_trace)
        yield
        sys.settrace(None)
        self.current = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_assertrepr_compare(self, config, op, left, right):
        self.compared = {"op": op, "left": _repr(left), "right": _repr(right)}

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        outcome = yield
        report = outcome.get_result()
        if report.when == "call" or report.outcome != "passed":
            self.outcomes[item.nodeid] = report.outcome
        if call.excinfo is not None and report.outcome == "failed" and report.when == "call":
            try:
                self.failures[item.nodeid] = self.describe(item, call.excinfo)
            except Exception:
                self.failures[item.nodeid] = {}
        self.compared = {}

    def describe(self, item, excinfo):
        file = str(item.path)
        frames = [entry for entry in excinfo.traceback if str(entry.path) == file]
        found = {"type": excinfo.typename, "message": str(excinfo.value)[:_TEXT], "compared": self.compared}
        # The comparison that was last explained is the one that failed only if an assertion is what failed.
        if excinfo.typename != "AssertionError":
            found["compared"] = {}
        function = getattr(item, "function", None)
        frame = next((each for each in frames if function and each.frame.code.name == function.__name__), None)
        if frame is not None:
            found.update(snippet(file, function, frame.lineno + 1))
            values = {}
            for name in getattr(getattr(item, "callspec", None), "params", {}):
                values[name] = _repr(item.callspec.params[name])
            found["values"] = values
        return found

    def pytest_sessionfinish(self):
        report = {
            "outcomes": self.outcomes,
            "failures": self.failures,
            "lines": {
                test: {path: sorted(lines) for path, lines in files.items()} for test, files in self.lines.items()
            },
        }
        with open(self.out, "w") as file:
            json.dump(report, file)


def _repr(value):
    try:
        return repr(value)[:_TEXT]
    except Exception:
        return "?"


def snippet(file, function, line):
    """Return the statements of a test up to the one that failed, and the imports whose names they use."""
    tree = ast.parse("".join(linecache.getlines(file)))
    start = getattr(function, "__wrapped__", function).__code__.co_firstlineno
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
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
        if isinstance(each, (ast.Import, ast.ImportFrom)):
            used = [a for a in each.names if (a.asname or a.name).split(".")[0] in names or a.name == "*"]
            if used:
                each.names = used
                imports.append(ast.unparse(each))
    return {
        "imports": imports,
        "statements": texts[:-1],
        "last": texts[-1],
        "size": sum(map(len, texts)),
    } if sum(map(len, texts)) <= _SNIPPET else {}


def pytest_configure(config):
    with open(os.environ["RLVR_OBSERVE"]) as file:
        settings = json.load(file)
    config.pluginmanager.register(Observer(settings), "observer of tests")
