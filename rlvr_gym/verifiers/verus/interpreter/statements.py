"""Blocks, branches, loops, and proof statements."""

from __future__ import annotations

from collections.abc import Callable

from rlvr_gym.verifiers.verus.interpreter.calls import check_decrease, measures
from rlvr_gym.verifiers.verus.interpreter.frame import Frame, evaluates
from rlvr_gym.verifiers.verus.interpreter.patterns import matches
from rlvr_gym.verifiers.verus.interpreter.places import place
from rlvr_gym.verifiers.verus.interpreter.quantifiers import judge
from rlvr_gym.verifiers.verus.interpreter.values import (
    UNKNOWN,
    BreakOut,
    ContinueOn,
    Contradiction,
    Panic,
    Reference,
    ReturnFrom,
    Unknown,
    Value,
    plain,
)
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.tree import Expr, Local
from rlvr_gym.verifiers.verus.syntax.walk import walk

_PROOFS = (
    tree.Assert,
    tree.AssertForall,
    tree.Proof,
    tree.Reveal,
    tree.Calc,
    tree.BroadcastUse,
    tree.MacroCall,
)


@evaluates(tree.BlockExpr)
def block(frame: Frame, node: tree.BlockExpr) -> Value:
    """``{ statements; tail }``."""
    for statement in node.statements:
        match statement:
            case tree.Let():
                _let(frame, statement)
            case tree.ExprStatement(value=value):
                _effect(frame, value)
            case tree.ItemStatement():
                pass
    if node.tail is None:
        return ()
    if isinstance(node.tail, _PROOFS):
        _effect(frame, node.tail)
        return ()
    return frame.raw(node.tail)


def _let(frame: Frame, let: tree.Let) -> None:
    if let.value is None:
        return
    if let.ghostness != "exec" or let.value.ghost:
        try:
            with frame.machine.aside():
                matches(frame, let.pattern, frame.value(let.value))
        except Unknown:
            _forget(frame, let)
        return
    value = frame.raw(let.value)
    found = matches(frame, let.pattern, value)
    if not found:
        if let.otherwise is None:
            raise Panic("a pattern that does not match", let.place)
        frame.raw(let.otherwise)


def _effect(frame: Frame, node: Expr) -> None:
    """Run a statement; a ghost one that cannot be computed leaves what it would have changed unknown."""
    if not (node.ghost or isinstance(node, _PROOFS)):
        frame.raw(node)
        return
    if frame.function is not None and frame.function.mode == "spec":
        # Proofs inside of a definition say nothing about its value.
        return
    try:
        with frame.machine.aside():
            frame.raw(node)
    except Unknown:
        _forget(frame, node)


def _forget(frame: Frame, node: tree.Node) -> None:
    for each in walk(node):
        root: tree.Node | None = None
        if isinstance(each, tree.BindPattern) and each.local is not None:
            frame.values[each.local] = UNKNOWN
        elif isinstance(each, tree.Assign):
            root = each.target
        elif isinstance(each, tree.Borrow) and each.mutable:
            root = each.operand
        while isinstance(root, tree.Field | tree.Index | tree.Unary):
            root = root.operand
        if isinstance(root, tree.PathExpr) and isinstance(root.target, Local):
            frame.values[root.target] = UNKNOWN


# ---------------------------------------------------------------- branches


def _condition(frame: Frame, node: Expr) -> bool:
    if isinstance(node, tree.LetCondition):
        return matches(frame, node.pattern, frame.raw(node.value))
    return bool(frame.value(node))


@evaluates(tree.IfExpr)
def if_(frame: Frame, node: tree.IfExpr) -> Value:
    """``if c {} else {}``."""
    if _condition(frame, node.condition):
        return frame.raw(node.then)
    return () if node.otherwise is None else frame.raw(node.otherwise)


@evaluates(tree.MatchExpr)
def match_(frame: Frame, node: tree.MatchExpr) -> Value:
    """``match e { P if g => b }``."""
    mutable = node.scrutinee.type is not None and node.scrutinee.type.name == "&mut"
    value = place(frame, node.scrutinee) if mutable else frame.raw(node.scrutinee)
    if isinstance(value, Reference) and not mutable:
        value = plain(value)
    for arm in node.arms:
        if matches(frame, arm.pattern, value) and (arm.guard is None or frame.value(arm.guard)):
            return frame.raw(arm.body)
    raise Panic("no arm matches", node.place)


@evaluates(tree.Return)
def return_(frame: Frame, node: tree.Return) -> Value:
    """``return value``."""
    raise ReturnFrom(() if node.value is None else frame.raw(node.value))


@evaluates(tree.Try)
def try_(frame: Frame, node: tree.Try) -> Value:
    """``e?``."""
    value = frame.value(node.operand)
    if value.variant in ("None", "Err"):
        raise ReturnFrom(value)
    return value.fields[0]


# ---------------------------------------------------------------- loops


@evaluates(tree.While)
def while_(frame: Frame, node: tree.While) -> Value:
    """``while c {}``."""
    _repeat(frame, node, lambda: _condition(frame, node.condition), lambda: None)
    return ()


@evaluates(tree.Loop)
def loop(frame: Frame, node: tree.Loop) -> Value:
    """``loop {}``."""
    _repeat(frame, node, lambda: True, lambda: None)
    return ()


@evaluates(tree.For)
def for_(frame: Frame, node: tree.For) -> Value:
    """``for i in a..b {}``; the invariants also hold when ``i`` has come to the end."""
    ends = node.iterable
    if not isinstance(ends, tree.RangeExpr) or ends.start is None or ends.end is None:
        raise Unknown("a loop over something that is no range")
    start, end = frame.value(ends.start), frame.value(ends.end)
    counter = [start]
    stop = end + 1 if ends.inclusive else end

    def enter() -> bool:
        if counter[0] >= stop:
            return False
        show()
        return True

    def show() -> None:
        matches(frame, node.pattern, counter[0])
        if node.ghost_local is not None:
            frame.values[node.ghost_local] = (start, counter[0], end)

    def advance() -> None:
        counter[0] += 1
        show()

    show()
    _repeat(frame, node, enter, advance)
    return ()


def _repeat(
    frame: Frame,
    node: tree.While | tree.Loop | tree.For,
    goes_on: Callable[[], bool],
    advance: Callable[[], None],
) -> None:
    clauses = node.clauses
    checking = frame.machine.checking
    while True:
        frame.machine.spend()
        if checking:
            _clauses(frame, (*clauses.invariant, *clauses.invariant_except_break))
        before = measures(frame, clauses.decreases) if checking else None
        if not goes_on():
            if checking:
                _clauses(frame, clauses.ensures)
            return
        try:
            frame.raw(node.body)
        except ContinueOn as jump:
            if jump.label not in (None, node.label):
                raise
        except BreakOut as jump:
            if jump.label not in (None, node.label):
                raise
            if checking:
                _clauses(frame, (*clauses.invariant, *clauses.ensures))
            return
        advance()
        if checking:
            check_decrease(before, measures(frame, clauses.decreases), node.place)


def _clauses(frame: Frame, nodes: tuple[Expr, ...]) -> None:
    for node in nodes:
        if frame.holds(node) is False:
            raise Contradiction("invariant not satisfied", node.place)


@evaluates(tree.Break)
def break_(frame: Frame, node: tree.Break) -> Value:
    """``break``."""
    if node.value is not None:
        raise Unknown("a break with a value")
    raise BreakOut(node.label)


@evaluates(tree.Continue)
def continue_(frame: Frame, node: tree.Continue) -> Value:
    """``continue``."""
    raise ContinueOn(node.label)


# ---------------------------------------------------------------- proofs


@evaluates(tree.Proof)
def proof(frame: Frame, node: tree.Proof) -> Value:
    """``proof { }``."""
    return frame.raw(node.body)


@evaluates(tree.Assert)
def assert_(frame: Frame, node: tree.Assert) -> Value:
    """``assert(P)``, however it is proved."""
    if frame.machine.checking and frame.holds(node.condition) is False:
        raise Contradiction("assertion failed", node.place)
    return ()


@evaluates(tree.AssertForall)
def assert_forall(frame: Frame, node: tree.AssertForall) -> Value:
    """``assert forall|x| P implies Q by { }``."""
    if frame.machine.checking and judge(frame, node) is False:
        raise Contradiction("assertion failed", node.place)
    return ()


@evaluates(tree.Reveal, tree.BroadcastUse, tree.Calc, tree.MacroCall)
def nothing(frame: Frame, node: Expr) -> Value:
    """What helps proofs changes nothing."""
    return ()
