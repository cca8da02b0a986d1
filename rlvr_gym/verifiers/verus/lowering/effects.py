"""What expressions and statements do besides having a value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rlvr_gym.verifiers.verus import core
from rlvr_gym.verifiers.verus.checks.walk import parts, walk
from rlvr_gym.verifiers.verus.core import Statement
from rlvr_gym.verifiers.verus.lowering.names import twin_name
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.tree import FunctionRef, Node

_EFFECTS = (
    tree.Assign, tree.Return, tree.Break, tree.Continue, tree.While, tree.Loop, tree.For, tree.Assert, tree.AssertForall,
    tree.Assume, tree.Proof, tree.Reveal, tree.Calc, tree.BroadcastUse, tree.Try, tree.MacroCall, tree.Other,
)  # fmt: skip


def has_effect(node: Node) -> bool:
    """Return whether evaluating ghost code means more than a value: it proves, assigns, leaves or calls a lemma."""
    todo = [node]
    while todo:
        next_ = todo.pop()
        if isinstance(next_, _EFFECTS) or _calls_code(next_):
            return True
        if isinstance(next_, tree.Let) and (next_.otherwise is not None or next_.value is None):
            return True
        if not isinstance(next_, tree.Quantifier | tree.Closure):
            todo.extend(parts(next_))
    return False


def _calls_code(node: Node) -> bool:
    if not isinstance(node, tree.Call | tree.MethodCall) or not isinstance(node.target, FunctionRef):
        return False
    function = node.target.function
    return function.mode != "spec" and twin_name(function) is None


def changes_values(node: Node) -> bool:
    """Return whether skipping a statement could change the value of what follows: it assigns or leaves."""
    kinds = (tree.Assign, tree.Return, tree.Break, tree.Continue, tree.Try, tree.While, tree.Loop, tree.For)
    return any(isinstance(part, kinds) for part in walk(node))


def assigned(steps: Sequence[Statement]) -> set[str]:
    """Return the names that statements give a value to, at any depth."""
    found: set[str] = set()
    for step in every(steps):
        match step:
            case core.Set() | core.Havoc():
                found.add(step.name)
            case core.CallStep():
                found.update(step.mutated.values())
                if step.result is not None:
                    found.add(step.result)
    return found


def every(steps: Sequence[Statement]) -> Iterator[Statement]:
    """Yield statements and all that are inside of them."""
    todo = list(reversed(steps))
    while todo:
        step = todo.pop()
        yield step
        for block in reversed(_blocks(step)):
            todo.extend(reversed(block))


def _blocks(step: Statement) -> tuple[tuple[Statement, ...], ...]:
    match step:
        case core.Branch():
            return (step.then, step.otherwise)
        case core.LoopStep():
            return (step.head, step.body, step.step)
        case core.AssertBy() | core.AssertForallBy() | core.Isolated() | core.Scope():
            return (step.body,)
    return ()


def breaks_out(steps: Sequence[Statement], label: str) -> bool:
    """Return whether a ``break`` of the loop ``label`` stands in statements."""
    return any(isinstance(step, core.BreakStep) and step.label == label for step in every(steps))


def diverges(steps: Sequence[Statement]) -> bool:
    """Return whether control never gets past the last statement."""
    if not steps:
        return False
    match steps[-1]:
        case core.ReturnStep() | core.BreakStep() | core.ContinueStep() | core.DeadEnd():
            return True
        case core.Branch(then=then, otherwise=otherwise):
            return diverges(then) and diverges(otherwise)
        case core.Scope(body=body):
            return diverges(body)
        case core.LoopStep(condition=None, body=body, label=label):
            return not breaks_out(body, label)
    return False
