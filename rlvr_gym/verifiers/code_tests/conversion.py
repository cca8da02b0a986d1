"""Assertions turned into calls: what goes in and what has to come out, read from the trusted source of the tests."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from rlvr_gym.repositories.parsing import parse_python
from rlvr_gym.verifiers.code_tests.cases import Call, Check, Relation, Rule, Test
from rlvr_gym.verifiers.code_tests.inside.main import WRAPPERS
from rlvr_gym.verifiers.code_tests.inside.plain import NotPlainError, encode
from rlvr_gym.verifiers.code_tests.literals import NotLiteralError, literal

_BUILTIN_NAMES = frozenset(dir(builtins))
_MODULES = frozenset(
    ("collections", "copy", "datetime", "functools", "itertools", "json", "math", "random", "re", "string")
)
"""Modules that tests use without importing them."""
_ORDER: dict[type, Relation] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_SWAPPED: dict[Relation, Relation] = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


class NotACallError(ValueError):
    """A test that is more than calls with spelled-out arguments, judged by comparison with spelled-out values."""


def read_tests(source: str, setup: str = "", entry_point: str = "") -> list[Test]:
    """Return the tests of a source: as calls where all of it can be turned into calls, else as it stands.

    Args:
        source: Assertions, functions named ``test...``, or a function ``check(candidate)`` that was called.
        setup: Trusted code that the tests need.
        entry_point: A name that the candidate defines, needed where it is also a builtin's.

    Raises:
        SyntaxError: it is no Python.
    """
    tree = parse_python(source)
    names = free_names(parse_python(f"{setup}\n{source}"))
    if entry_point:
        names.add(entry_point)
    try:
        return list(_calls(tree.body, names))
    except (NotACallError, NotLiteralError, NotPlainError):
        pass
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    tested = [name for name in functions if name.startswith("test")]
    modules = "".join(f"import {name}\n" for name in sorted(names & _MODULES))
    whole = Check(
        f"{modules}{setup}\n{source}",
        sorted(names - _MODULES),
        _looks_at_arguments(tree, names),
        _catches(parse_python(setup)) or _catches(tree),
    )
    if not tested or any(isinstance(node, ast.Assert) for node in tree.body):
        return [whole]
    return [replace(whole, source=f"{whole.source}\n{name}()\n") for name in tested]


def check_function(source: str, entry_point: str, setup: str = "") -> list[Test]:
    """Return the tests of a function ``check(candidate)``.

    Raises:
        SyntaxError: it is no Python.
        ValueError: there is no such function.
    """
    tree = parse_python(source)
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "check"]
    if len(found) != 1 or len(found[0].args.args) != 1:
        raise ValueError("there is no function check(candidate)")
    body, parameter = found[0].body, found[0].args.args[0].arg
    if not all(node is found[0] or _is_idle(node) for node in tree.body):
        return read_tests(f"{source}\ncheck({entry_point})\n", setup, entry_point)
    if not all(isinstance(node, ast.Assert) or _is_idle(node) for node in body):
        return read_tests(f"{source}\ncheck({entry_point})\n", setup, entry_point)
    # Nothing but assertions: each is a test of its own, and one that is no call takes nothing from the others.
    imports = [
        ast.unparse(node) for node in [*tree.body, *body] if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    before = "\n".join([*imports, f"{parameter} = {entry_point}"])
    tests: list[Test] = []
    for node in body:
        if _is_idle(node):
            continue
        try:
            tests += [replace(call, function=entry_point) for call in _calls([node], {parameter})]
        except (NotACallError, NotLiteralError, NotPlainError):
            tests += read_tests(f"{before}\n{ast.unparse(node)}\n", setup, entry_point)
    return tests


def free_names(tree: ast.Module) -> set[str]:
    """Return the names that a source uses and nowhere binds."""
    used: set[str] = set()
    bound: set[str] = set(_BUILTIN_NAMES) | {"__name__", "__file__"}
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                used.add(name)
            case ast.Name(id=name) | ast.arg(arg=name):
                bound.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AsyncFunctionDef(name=name):
                bound.add(name)
            case ast.alias(name=name, asname=asname):
                bound.add(asname or name.partition(".")[0])
            case ast.ExceptHandler(name=str(name)):
                bound.add(name)
    return used - bound


def _looks_at_arguments(tree: ast.Module, names: Collection[str]) -> bool:
    """Return whether a call's value is thrown away: then what it did to its arguments is what is tested."""
    return any(
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
        and node.value.func.id in names
        and bool(node.value.args)
        for node in ast.walk(tree)
    )


def _catches(tree: ast.Module) -> bool:
    """Return whether a source may be meant to go on after an exception: by ``try``, ``with`` or an ``assertRaises``."""
    return any(
        isinstance(node, ast.Try | ast.TryStar | ast.With | ast.AsyncWith)
        or (isinstance(node, ast.Attribute) and "raises" in node.attr.lower())
        or (isinstance(node, ast.Name) and "raises" in node.id.lower())
        for node in ast.walk(tree)
    )


def _is_idle(node: ast.stmt) -> bool:
    """Return whether a statement does nothing that a call would need."""
    match node:
        case ast.Pass() | ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Assign(targets=[ast.Name(id="METADATA")]):
            return True
        case ast.Assert(test=ast.Constant(value=True)):
            return True
    return False


def _calls(statements: Sequence[ast.stmt], names: Collection[str]) -> list[Call]:
    found: list[Call] = []
    for node in statements:
        if _is_idle(node):
            continue
        if not isinstance(node, ast.Assert):
            raise NotACallError(type(node).__name__)
        found += _asserted(node.test, names)
    if not found:
        raise NotACallError("there is no assertion")
    return found


def _asserted(test: ast.expr, names: Collection[str]) -> list[Call]:
    """Return the calls of one assertion."""
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            return [call for value in values for call in _asserted(value, names)]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return [_called(operand, Rule("false"), names)]
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return [_compared(left, op, right, names)]
        case ast.Call(func=ast.Attribute(value=ast.Name(id="math"), attr="isclose") | ast.Name(id="isclose")):
            return [_isclose(test, names)]
    return [_called(test, Rule("true"), names)]


def _compared(left: ast.expr, op: ast.cmpop, right: ast.expr, names: Collection[str]) -> Call:
    if isinstance(op, ast.Lt | ast.LtE) and (inner := _difference(left)) is not None:
        bound = literal(right)
        value, wanted = inner if _has_call(inner[0], names) else (inner[1], inner[0])
        # isclose() takes <=; the next float below makes it <.
        return _called(value, Rule("close", encode(literal(wanted)), abs_=_below(bound, op)), names)
    if not _has_call(left, names):
        if isinstance(op, ast.Eq | ast.NotEq):
            left, right = right, left
        elif type(op) in _ORDER:
            return _called(right, Rule(_SWAPPED[_ORDER[type(op)]], encode(literal(left))), names)
    wanted_value = literal(right)
    match op:
        case ast.Eq():
            rule = Rule("equal", encode(wanted_value))
        case ast.NotEq():
            rule = Rule("different", encode(wanted_value))
        case ast.Is() if wanted_value is None or type(wanted_value) is bool:
            rule = Rule("is", wanted_value)
        case ast.IsNot() if wanted_value is None:
            rule = Rule("different", None)
        case ast.In() if type(wanted_value) in (list, tuple, set):
            rule = Rule("among", [encode(each) for each in wanted_value])
        case _ if type(op) in _ORDER and type(wanted_value) in (int, float):
            rule = Rule(_ORDER[type(op)], encode(wanted_value))
        case _:
            raise NotACallError(type(op).__name__)
    return _called(left, rule, names)


def _difference(node: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """Return a and b of ``abs(a - b)``."""
    match node:
        case ast.Call(
            func=ast.Name(id="abs") | ast.Attribute(value=ast.Name(id="math"), attr="fabs"),
            args=[ast.BinOp(left=left, op=ast.Sub(), right=right)],
            keywords=[],
        ):
            return left, right
    return None


def _below(bound: Any, op: ast.cmpop) -> float:
    import math

    if type(bound) not in (int, float) or not bound > 0:
        raise NotACallError("a bound that nothing keeps")
    return math.nextafter(bound, 0.0) if isinstance(op, ast.Lt) else float(bound)


def _isclose(node: ast.Call, names: Collection[str]) -> Call:
    if len(node.args) != 2 or not all(word.arg in ("rel_tol", "abs_tol") for word in node.keywords):
        raise NotACallError("isclose()")
    value, wanted = node.args if _has_call(node.args[0], names) else reversed(node.args)
    tolerances = {str(word.arg): float(literal(word.value)) for word in node.keywords}
    rule = Rule(
        "close",
        encode(literal(wanted)),
        rel=tolerances.get("rel_tol", 1e-9),
        abs_=tolerances.get("abs_tol", 0.0),
    )
    return _called(value, rule, names)


def _has_call(node: ast.expr, names: Collection[str]) -> bool:
    return any(isinstance(each, ast.Name) and each.id in names for each in ast.walk(node))


def _called(node: ast.expr, rule: Rule, names: Collection[str]) -> Call:
    """Return the call of an expression: a function of the candidate, perhaps inside of builtin ones."""
    if not isinstance(node, ast.Call) or any(word.arg is None for word in node.keywords):
        raise NotACallError(type(node).__name__)
    keywords = {str(word.arg): literal(word.value) for word in node.keywords}
    match node.func:
        case ast.Name(id=name) if name in names:
            pass
        case ast.Attribute(value=ast.Call(func=ast.Name(id="Solution"), args=[], keywords=[]), attr=name):
            pass
        case ast.Name(id=name) if name in WRAPPERS and node.args:
            more = [literal(arg) for arg in node.args[1:]]
            if more and keywords:
                raise NotACallError("arguments of both kinds")
            inner = _called(node.args[0], rule, names)
            return replace(inner, wraps=[*inner.wraps, (name, encode(keywords or more))])
        case _:
            raise NotACallError("a call of something else")
    args = [encode(literal(arg)) for arg in node.args]
    return Call(name, args, rule, {name: encode(value) for name, value in keywords.items()})
