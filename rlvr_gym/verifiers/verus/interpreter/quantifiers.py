"""Quantifiers, evaluated over finite domains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rlvr_gym.verifiers.verus.interpreter.domains import Domains, conditions
from rlvr_gym.verifiers.verus.interpreter.frame import Frame, evaluates
from rlvr_gym.verifiers.verus.interpreter.values import Unknown, Value
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.tree import Expr, Local, Parameter


def _locals(parameters: Sequence[Parameter]) -> list[Local]:
    found = []
    for parameter in parameters:
        if parameter.local is None or parameter.pattern is not None:
            raise Unknown("a pattern as a bound variable")
        found.append(parameter.local)
    return found


def _instances(
    frame: Frame, locals: Sequence[Local], needed: Sequence[Expr]
) -> tuple[Iterator[tuple[Value, ...]], bool]:
    """Return the values of bound variables to look at, and whether the others do not matter."""
    for local in locals:
        frame.values.pop(local, None)
    domains = Domains(locals, frame.machine.crate, frame.value)
    domains.narrow(needed)
    return domains.tuples()


def _with(frame: Frame, locals: Sequence[Local], values: tuple[Value, ...], body: Expr) -> bool | None:
    frame.values.update(zip(locals, values, strict=True))
    try:
        return bool(frame.value(body))
    except Unknown:
        return None


@evaluates(tree.Quantifier)
def quantifier(frame: Frame, node: tree.Quantifier) -> Value:
    """``forall``, ``exists``, ``choose``."""
    locals = _locals(node.parameters)
    needed = list(conditions(node.body, holds=node.kind != "forall"))
    instances, complete = _instances(frame, locals, needed)
    found: list[tuple[Value, ...]] = []
    try:
        for values in instances:
            truth = _with(frame, locals, values, node.body)
            if truth is None:
                complete = False
            elif node.kind == "choose":
                found += [values] * truth
            elif truth == (node.kind == "exists"):
                # One instance decides, whatever else there is.
                return truth
    finally:
        for local in locals:
            frame.values.pop(local, None)
    if not complete:
        raise Unknown("a quantifier over more than can be looked at")
    if node.kind != "choose":
        return node.kind == "forall"
    if len(found) != 1:
        raise Unknown("which value is chosen is left open")
    return found[0][0] if len(locals) == 1 else found[0]


def judge(frame: Frame, node: tree.AssertForall) -> bool | None:
    """Return whether the statement ``assert forall`` is true; None where that cannot be told."""
    locals = _locals(node.parameters)
    needed = list(conditions(node.conclusion, holds=False))
    if node.premise is not None:
        needed += conditions(node.premise, holds=True)
    instances, complete = _instances(frame, locals, needed)
    try:
        for values in instances:
            premise = True if node.premise is None else _with(frame, locals, values, node.premise)
            conclusion = True if premise is False else _with(frame, locals, values, node.conclusion)
            if premise and conclusion is False:
                return False
            if premise is None or conclusion is None:
                complete = False
    finally:
        for local in locals:
            frame.values.pop(local, None)
    return True if complete else None
