"""Issues written from how a test fails: what was called, what is expected, what comes out."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterable, Mapping
from typing import Any

_OPENERS = (
    "I get a wrong result in {package} for the following:",
    "{package} does not do what it should here:",
    "The following gives something unexpected with {package}:",
)
_EQUALITIES = frozenset(
    {"assertEqual", "assertEquals", "assertDictEqual", "assertListEqual", "assertTupleEqual"}
)
_LONGEST_VALUE = 300


def statement(package: str, failures: Iterable[Mapping[str, Any]], rng: random.Random) -> str:
    """Return the text of an issue about ``failures``, as `observing.observe` reports them; it names no test.

    Args:
        package: What the issue is about.
        failures: How tests fail, one example each.
        rng: Chooses the words.
    """
    examples = [text for failure in failures if (text := example(failure))]
    return "\n\n".join([rng.choice(_OPENERS).format(package=f"`{package}`"), *dict.fromkeys(examples)])


def example(failure: Mapping[str, Any]) -> str:
    """Return one example of an issue, or nothing where the failure does not tell enough.

    Example:
        >>> print(example({"type": "AssertionError", "message": "", "compared": {"op": "==", "left": "3", "right": "2"},
        ...                "imports": ["import calc"], "statements": [], "last": "assert calc.add(1, 1) == 2"}))
        ```python
        import calc
        calc.add(1, 1)
        ```
        <BLANKLINE>
        Expected: `2`
        <BLANKLINE>
        Got: `3`
    """
    try:
        return _example(failure)
    except (SyntaxError, IndexError, ValueError, RecursionError, MemoryError):
        # Texts from a sandbox: not each is a program that can be read.
        return ""


def _example(failure: Mapping[str, Any]) -> str:
    final = ast.parse(str(failure.get("last", ""))).body[0]
    call, expected, got = _outcome(final, failure)
    told = [*_needed([str(text) for text in failure.get("statements", ())], final), call]
    used = set().union(*(_names(ast.parse(text)) for text in told))
    values = [f"{name} = {value}" for name, value in sorted(_values(failure).items()) if name in used]
    imports = [str(line) for line in failure.get("imports", ()) if _bound(str(line)) & used]
    lines = ["```python", *imports, *values, *told, "```"]
    return "\n".join([*lines, "", f"Expected: {expected}", "", f"Got: {got}"])


def _needed(statements: list[str], final: ast.stmt) -> list[str]:
    """Return the statements that lead to the last: no other checks, and no values that it does not depend on."""
    used, kept = _names(final), []
    for text in reversed(statements):
        node = ast.parse(text).body[0]
        if isinstance(node, ast.Assert) or _is_check(node, final):
            continue
        bound = _bound(text)
        if bound and not bound & used:
            continue
        used |= _names(node)
        kept.append(text)
    return kept[::-1]


def _is_check(node: ast.stmt, final: ast.stmt) -> bool:
    """Return whether a statement is a check of its own: of unittest, or by the helper that the last one calls too."""
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    called = ast.unparse(node.value.func)
    same = (
        isinstance(final, ast.Expr)
        and isinstance(final.value, ast.Call)
        and called == ast.unparse(final.value.func)
    )
    return called.startswith("self.assert") or (same and "." not in called)


def _bound(text: str) -> set[str]:
    """Return the names that a simple statement gives values to; nothing for one that does other things too."""
    node = ast.parse(text).body[0]
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else []
    if any(
        isinstance(each, ast.Attribute | ast.Subscript) for target in targets for each in ast.walk(target)
    ):
        return set()
    return {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _values(failure: Mapping[str, Any]) -> dict[str, str]:
    """Return the parameters of the test that can be written down."""
    listed = dict(failure.get("values", {})).items()
    return {
        str(name): str(value)
        for name, value in listed
        if str(name).isidentifier() and _is_literal(str(value))
    }


def _outcome(final: ast.stmt, failure: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return what is called, what is expected, and what comes out."""
    kind, message = str(failure.get("type", "")), _shown(str(failure.get("message", "")))
    source = ast.unparse(final)
    if "DID NOT RAISE" in message or "not raised" in message:
        return _raising(final, source), "an exception", "no exception"
    if kind not in ("AssertionError", "Failed"):
        return _called(final, source), "no exception", f"`{kind}: {message}`" if message else f"`{kind}`"
    sides = _sides(final)
    if sides is not None:
        actual, wanted = sides
        compared = dict(failure.get("compared", {}))
        left, right = str(compared.get("left", "")), str(compared.get("right", ""))
        if not compared and " != " in message:
            left, _, right = message.splitlines()[0].partition(" : ")[0].partition(" != ")
        swapped = not _calls(actual) and _calls(wanted)
        if swapped:
            actual, wanted, left, right = wanted, actual, right, left
        value = right if _is_literal(right) else ast.unparse(wanted)
        return ast.unparse(actual), f"`{_shown(value)}`", f"`{_shown(left)}`" if left else "something else"
    if isinstance(final, ast.Assert):
        return ast.unparse(final.test), "it holds", "it does not hold"
    return source, "this passes", f"`{message.splitlines()[0]}`" if message else "it does not"


def _sides(final: ast.stmt) -> tuple[ast.expr, ast.expr] | None:
    """Return what a final check compares for equality."""
    if isinstance(final, ast.Assert) and isinstance(final.test, ast.Compare):
        if len(final.test.ops) == 1 and isinstance(final.test.ops[0], ast.Eq):
            return final.test.left, final.test.comparators[0]
    elif isinstance(final, ast.Expr) and isinstance(final.value, ast.Call):
        call = final.value
        if isinstance(call.func, ast.Attribute) and call.func.attr in _EQUALITIES and len(call.args) >= 2:
            return call.args[0], call.args[1]
    return None


def _called(final: ast.stmt, source: str) -> str:
    """Return what a final check looks at, since it never came to the check."""
    sides = _sides(final)
    if sides is not None:
        actual, wanted = sides
        return ast.unparse(wanted if _calls(wanted) and not _calls(actual) else actual)
    return ast.unparse(final.test) if isinstance(final, ast.Assert) else source


def _raising(final: ast.stmt, source: str) -> str:
    return "\n".join(map(ast.unparse, final.body)) if isinstance(final, ast.With) else source


def _calls(node: ast.expr) -> bool:
    return any(isinstance(each, ast.Call) for each in ast.walk(node))


def _shown(text: str) -> str:
    # Where the sandbox keeps the repository says nothing, and the folders of tests would.
    text = re.sub(r"/workspace/\S*", "...", text).strip().replace("`", "'")
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}..."


def _is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False
    return True
