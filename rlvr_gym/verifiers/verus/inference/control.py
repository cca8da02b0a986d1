"""Blocks, statements, branches and loops."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.body import Body, LoopFrame, infers
from rlvr_gym.verifiers.verus.inference.nested import enter_items
from rlvr_gym.verifiers.verus.inference.patterns import bind
from rlvr_gym.verifiers.verus.inference.types import BOOL, NEVER, UNIT, Type, is_integer
from rlvr_gym.verifiers.verus.syntax.tree import (
    Assert,
    AssertForall,
    BlockExpr,
    Break,
    BroadcastUse,
    Calc,
    Continue,
    Expr,
    ExprStatement,
    For,
    IfExpr,
    ItemStatement,
    Let,
    LetCondition,
    Loop,
    LoopClauses,
    MatchExpr,
    Proof,
    RangeExpr,
    Return,
    Reveal,
    Statement,
    While,
)

_ERASED = (Assert, AssertForall, BroadcastUse, Calc, Proof, Reveal)
"""Ghost statements, which may stand as the tail of a block."""


@infers(BlockExpr)
def block(body: Body, expr: BlockExpr, expected: Type | None) -> Type:
    """``{ statements; tail }``; without a tail it never ends if a statement never does."""
    home = body.home
    items = [statement.item for statement in expr.statements if isinstance(statement, ItemStatement)]
    if items:
        enter_items(body, items)
    ends = True
    with body.scope():
        for statement in expr.statements:
            if statement_never_ends(body, statement):
                ends = False
        if expr.tail is None:
            found = UNIT if ends else NEVER
        else:
            found = body.expr(expr.tail, expected)
            if expected is not None and ends:
                # Each branch is coerced on its own: where two differ in more than references, `_join` says so.
                body.fit(found, expected, expr.tail.place)
            elif not ends and isinstance(expr.tail, _ERASED):
                # What a machine runs has no tail there.
                found = NEVER
    body.home = home
    return found


def statement_never_ends(body: Body, statement: Statement) -> bool:
    """Infer one statement; True where control never gets past it."""
    if isinstance(statement, Let):
        return _let(body, statement)
    if isinstance(statement, ItemStatement):
        return False
    assert isinstance(statement, ExprStatement)
    value = statement.value
    if statement.semicolon:
        found = body.expr(value)
    else:
        found = body.expr(value, UNIT if isinstance(value, IfExpr | MatchExpr | BlockExpr) else None)
        body.fit(found, UNIT, value.place)
    return body.variables.head(found).name == "!"


def _let(body: Body, let: Let) -> bool:
    outer = body.ghost
    if let.ghostness != "exec":
        body.ghost = True
    ends = True
    declared = None if let.declared is None else body.read_type(let.declared)
    if let.value is None:
        found = declared if declared is not None else body.fresh()
    elif declared is not None:
        ends = body.variables.head(body.check(let.value, declared)).name != "!"
        found = declared
    else:
        found = body.expr(let.value)
        ends = body.variables.head(found).name != "!"
    if let.otherwise is not None:
        other = body.expr(let.otherwise)
        if body.variables.head(other).name != "!":
            raise Rejected("`else` clause of `let...else` does not diverge", let.otherwise.place)
    bind(body, let.pattern, found, kind="let", ghostness=let.ghostness)
    body.ghost = outer
    return not ends


def condition(body: Body, expr: Expr) -> None:
    """Infer the condition of an ``if`` or ``while``; what ``let P = e`` binds stays open in the current scope."""
    if not isinstance(expr, LetCondition):
        body.check(expr, BOOL)
        return
    value = body.expr(expr.value)
    bind(body, expr.pattern, value)
    expr.type = BOOL
    expr.ghost = body.ghost
    body.seen.append(expr)


@infers(LetCondition)
def let_condition(body: Body, expr: LetCondition, expected: Type | None) -> Type:
    """``let P = e`` is a condition only at its head: chains are outside of the subset."""
    raise Unsupported("`let` inside of a larger condition", expr.place)


@infers(IfExpr)
def if_(body: Body, expr: IfExpr, expected: Type | None) -> Type:
    """``if c {} else {}``: both branches agree; without ``else`` there is no value."""
    if expr.otherwise is None:
        with body.scope():
            condition(body, expr.condition)
            body.check(expr.then, UNIT)
        return UNIT
    with body.scope():
        condition(body, expr.condition)
        first = body.expr(expr.then, expected)
    hint = expected
    if hint is None and body.variables.head(first).name != "!":
        hint = first
    second = body.expr(expr.otherwise, hint)
    return _join(body, first, second, expected, expr.otherwise)


def _join(body: Body, first: Type, second: Type, expected: Type | None, expr: Expr) -> Type:
    """Return the type of two branches that fit ``expected`` each, or agree if nothing is expected."""
    if expected is None or body.variables.head(first).name == "!" or body.variables.head(second).name == "!":
        return body.join(first, second, expr.place)
    if body.variables.attempt(second, first):
        return first
    body.checks.append(lambda: body.of_one_form(second, first, expr.place))
    return first


@infers(MatchExpr)
def match(body: Body, expr: MatchExpr, expected: Type | None) -> Type:
    """``match e { P if g => b, .. }``: all arms agree."""
    scrutinee = body.expr(expr.scrutinee)
    found: Type = NEVER
    for arm in expr.arms:
        with body.scope():
            bind(body, arm.pattern, scrutinee)
            if arm.guard is not None:
                if isinstance(arm.guard, LetCondition):
                    raise Unsupported("`if let` as a guard", arm.guard.place)
                body.check(arm.guard, BOOL)
            hint = expected if expected is not None else None if found is NEVER else found
            own = body.expr(arm.body, hint)
            if expected is not None:
                body.fit(own, expected, arm.body.place)
        found = _join(body, found, own, expected, arm.body)
    return found


# ---------------------------------------------------------------- loops


def clauses(body: Body, written: LoopClauses) -> None:
    """Infer what stands between a loop's head and its body."""
    for group in (written.invariant_except_break, written.invariant, written.ensures):
        for item in group:
            body.condition(item)
    for item in written.decreases:
        body.ghostly(item)


@infers(While)
def while_(body: Body, expr: While, expected: Type | None) -> Type:
    """``while c {}``."""
    with body.scope():
        condition(body, expr.condition)
        if isinstance(expr.condition, LetCondition):
            # The variables of the pattern are open in the body alone.
            names = body.scopes.pop()
            clauses(body, expr.clauses)
            body.scopes.append(names)
        else:
            clauses(body, expr.clauses)
        _loop_body(body, expr.body, LoopFrame(expr.label, None))
    return UNIT


@infers(Loop)
def loop(body: Body, expr: Loop, expected: Type | None) -> Type:
    """``loop {}``: its value is what it is broken with; without ``break`` it never ends."""
    clauses(body, expr.clauses)
    frame = LoopFrame(expr.label, expected if expected is not None else body.fresh())
    _loop_body(body, expr.body, frame)
    assert frame.result is not None
    return frame.result if frame.left else NEVER


@infers(For)
def for_(body: Body, expr: For, expected: Type | None) -> Type:
    """``for i in a..b {}``."""
    if not isinstance(expr.iterable, RangeExpr):
        found = body.expr(expr.iterable)
        raise Unsupported(f"`for` over `{body.show(found)}`", expr.iterable.place)
    start, end = expr.iterable.start, expr.iterable.end
    if start is None or end is None:
        raise Unsupported("`for` over a range without two ends", expr.iterable.place)
    item = body.expr(start)
    other = body.expr(end, item)
    if not body.variables.unify(other, item):
        body.mismatch(other, item, end.place)
    expr.iterable.type = Type("range", (item,))
    expr.iterable.ghost = body.ghost
    body.seen.append(expr.iterable)

    def check() -> None:
        found = body.variables.resolved(item)
        if not is_integer(found):
            raise Unsupported(f"`for` over a range of `{found}`", expr.iterable.place)

    body.checks.append(check)
    with body.scope():
        if expr.ghost_name is not None:
            expr.ghost_local = body.declare(
                expr.ghost_name, expr.iterable.type, "for", expr.place, ghostness="ghost"
            )
        bind(body, expr.pattern, item, kind="for")
        clauses(body, expr.clauses)
        _loop_body(body, expr.body, LoopFrame(expr.label, None))
    return UNIT


def _loop_body(body: Body, inner: BlockExpr, frame: LoopFrame) -> None:
    body.loops.append(frame)
    body.check(inner, UNIT)
    body.loops.pop()


def _frame(body: Body, label: str | None, expr: Expr) -> LoopFrame:
    if label is None:
        if not body.loops:
            raise Rejected("`break` or `continue` outside of a loop", expr.place)
        return body.loops[-1]
    for frame in reversed(body.loops):
        if frame.label == label:
            return frame
    raise Rejected(f"use of undeclared label `{label}`", expr.place)


@infers(Break)
def break_(body: Body, expr: Break, expected: Type | None) -> Type:
    """``break`` and ``break value``."""
    frame = _frame(body, expr.label, expr)
    frame.left = True
    if frame.result is None:
        if expr.value is not None:
            raise Rejected("`break` with value from a `while` or `for` loop", expr.place)
    elif expr.value is not None:
        body.plain(expr.value, frame.result)
    elif not body.variables.unify(frame.result, UNIT):
        body.mismatch(UNIT, frame.result, expr.place)
    return NEVER


@infers(Continue)
def continue_(body: Body, expr: Continue, expected: Type | None) -> Type:
    """``continue``."""
    _frame(body, expr.label, expr)
    return NEVER


@infers(Return)
def return_(body: Body, expr: Return, expected: Type | None) -> Type:
    """``return value``."""
    if body.closures:
        raise Unsupported("`return` in a closure", expr.place)
    if expr.value is not None:
        body.check(expr.value, body.result)
    elif not body.variables.unify(UNIT, body.result):
        body.mismatch(UNIT, body.result, expr.place)
    return NEVER
