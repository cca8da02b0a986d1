"""Whether a specification is worth solving: well formed, satisfiable, and not met by just any program.

All checks put another body into the function that is to be written and ask the prover. ``requires`` holds of nothing
if ``false`` follows from it; ``ensures`` says nothing if a body that returns any value at all meets it; and it is too
weak to be a task if a body that computes nothing does: a default value, or one of the parameters.
"""

from __future__ import annotations

import copy
import dataclasses
import time
from collections.abc import Iterator
from dataclasses import dataclass

from rlvr_gym.verifiers.verus import core
from rlvr_gym.verifiers.verus.cheats import scan
from rlvr_gym.verifiers.verus.checks import check
from rlvr_gym.verifiers.verus.errors import Rejected, Stop
from rlvr_gym.verifiers.verus.given import entries
from rlvr_gym.verifiers.verus.inference.program import infer
from rlvr_gym.verifiers.verus.inference.types import BOOL, CHAR, UNIT, Type, is_integer
from rlvr_gym.verifiers.verus.limits import Limits
from rlvr_gym.verifiers.verus.logic.prove import prove
from rlvr_gym.verifiers.verus.logic.world import OutOfTime
from rlvr_gym.verifiers.verus.lowering import lower
from rlvr_gym.verifiers.verus.report import NOWHERE, Dialect, Finding, Outcome, Report
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.parser import parse
from rlvr_gym.verifiers.verus.syntax.walk import walk

_ENDLESS = "verus!{ fn f() { loop {} } }"
_UNREACHED = "this end is never reached"
_FALSE = core.Literal_(False, type=BOOL)


@dataclass(frozen=True, slots=True)
class Rules:
    """Which specifications are refused."""

    trivial_bodies: bool = True
    """Those that a body without any computation meets."""
    unused: bool = True
    """Those that mention a parameter or the result nowhere."""


def check_specification(
    source: str, function: str, *, dialect: Dialect, limits: Limits, rules: Rules | None = None
) -> Report:
    """Return whether the contract of ``function`` in ``source`` is a task; its body is not looked at.

    ``verified`` says that it is one. ``failed`` names what is wrong with it; the other outcomes are those of `verify`.
    """
    deadline = time.monotonic() + limits.wall_s

    def report(outcome: Outcome, *findings: Finding) -> Report:
        return Report(outcome, findings, dialect=dialect, engine="embedded", partial=True)

    try:
        file = parse(source)
        item = _function(file, function)
        # Looked at without a body, since a stub in it is no cheat.
        item.body = tree.BlockExpr((), place=item.place)
        item.attributes = tuple(one for one in item.attributes if one.path != "verifier::external_body")
        if cheats := scan(file):
            return report(Outcome.CHEAT, *cheats)
        _open(item)
        if rules is None:
            rules = Rules()
        if rules.unused and (unused := list(_unused(item))):
            return report(Outcome.FAILED, *unused)
        program, id = _lowered(file, function, dialect)
        rest = dataclasses.replace(program, checked=tuple(other for other in program.checked if other != id))
        proof = prove(rest, limits, deadline)
        if proof.findings:
            return report(Outcome.FAILED, *proof.findings)
        for what, body in _probes(program.codes[id], item, rules):
            if _proved(program, id, body, limits, deadline):
                return report(Outcome.FAILED, Finding(what, item.place, function=id))
    except Stop as stop:
        return report(stop.outcome, Finding(stop.message, stop.place))
    except OutOfTime:
        return report(Outcome.TIMEOUT, Finding(f"not done after {limits.wall_s:g} s", NOWHERE))
    except RecursionError:
        return report(Outcome.UNSUPPORTED, Finding("nested too deeply", NOWHERE))
    return Report(Outcome.VERIFIED, functions=(id,), dialect=dialect, engine="embedded")


def reaches_end(source: str, function: str, *, dialect: Dialect, limits: Limits) -> bool:
    """Return whether control may reach the end of ``function``, as far as the prover can tell.

    Where loops need no measure, a body that never ends meets every contract; this is how it is found out. The program
    must be a verified one.

    Raises:
        Stop: it is not even well formed.
        OutOfTime: not done in time.
    """
    program = _program(parse(source), dialect)
    id = _id_of(program, function)
    body = program.codes[id].body
    assert body is not None, "a checked function has a body"
    probe = tuple(_with_checks(body))
    changed = dataclasses.replace(program.codes[id], body=probe)
    program = dataclasses.replace(program, codes={**program.codes, id: changed}, checked=(id,))
    found = prove(program, limits, time.monotonic() + limits.wall_s).findings
    return any(finding.message == _UNREACHED for finding in found)


def endless(source: str, *, dialect: Dialect, limits: Limits) -> str:
    """Return the name of a compiled function that promises something and may never keep it, or nothing.

    That is one whose end is never reached, and a recursive one without a measure: through such a helper any contract
    could be met. The program must be a verified one.

    Raises:
        Stop: it is not even well formed.
        OutOfTime: not done in time.
    """
    crate = infer(parse(source), dialect=dialect)
    check(crate)
    for item in crate.functions:
        if item.mode != "exec" or item.body is None or not (item.ensures or item.returns is not None):
            continue
        if item.group is not None and not item.decreases:
            return item.name
        loops = any(isinstance(node, tree.Loop | tree.While) for node in walk(item.body))
        if loops and not reaches_end(source, item.id, dialect=dialect, limits=limits):
            return item.name
    return ""


def _with_checks(body: tuple[core.Statement, ...]) -> Iterator[core.Statement]:
    """Yield ``body`` with a false obligation in front of every return."""
    for step in body:
        if isinstance(step, core.ReturnStep):
            yield core.Check(_FALSE, _UNREACHED, place=step.place)
        fields = {
            name: tuple(_with_checks(getattr(step, name)))
            for name in ("then", "otherwise", "body", "head", "step")
            if isinstance(getattr(step, name, None), tuple)
            and not isinstance(step, core.AssertBy | core.AssertForallBy | core.Isolated)
        }
        changed = copy.copy(step)
        for name, value in fields.items():
            setattr(changed, name, value)
        yield changed


def _function(file: tree.File, name: str) -> tree.Function:
    """Return the compiled function called ``name``.

    Raises:
        Rejected: there is none.
    """
    for entry in entries(file.items):
        item = entry.item
        if isinstance(item, tree.Function) and item.name == name and not item.outside and item.mode == "exec":
            return item
    raise Rejected(f"the specification has no function `{name}`", file.place)


def _open(item: tree.Function) -> None:
    """Give a function a body that type-checks whatever it returns."""
    (stub,) = parse(_ENDLESS).items
    assert isinstance(stub, tree.Function)
    item.body = stub.body
    allowed = tree.Attribute("verifier::exec_allows_no_decreases_clause", place=item.place)
    item.attributes = (*item.attributes, allowed)


def _unused(item: tree.Function) -> Iterator[Finding]:
    """Yield a finding for each parameter and for the result if the contract does not mention it."""
    if not item.ensures and item.returns is None:
        yield Finding("there is no `ensures`", item.place)
        return
    clauses = (*item.requires, *item.ensures, *([item.returns] if item.returns is not None else []))
    said = {
        node.segments[-1].name
        for clause in clauses
        for node in walk(clause)
        if isinstance(node, tree.PathExpr)
    }
    after = {
        node.segments[-1].name
        for one in item.ensures
        for node in walk(one)
        if isinstance(node, tree.PathExpr)
    }
    for parameter in item.parameters:
        if parameter.name not in said:
            yield Finding(f"the contract does not mention `{parameter.name}`", parameter.place)
    if item.result is not None and item.returns is None and item.result_name not in after:
        yield Finding("`ensures` does not mention the result", item.place)


def _program(file: tree.File, dialect: Dialect) -> core.Program:
    crate = infer(file, dialect=dialect)
    check(crate)
    return lower(crate)


def _lowered(file: tree.File, function: str, dialect: Dialect) -> tuple[core.Program, str]:
    program = _program(file, dialect)
    return program, _id_of(program, function)


def _id_of(program: core.Program, function: str) -> str:
    for id in program.checked:
        if id == function or id.endswith(f"::{function}"):
            return id
    raise Rejected(f"the program has no function `{function}`", NOWHERE)


def _proved(
    program: core.Program, id: str, body: tuple[core.Statement, ...], limits: Limits, deadline: float
) -> bool:
    changed = dataclasses.replace(program.codes[id], body=body)
    probe = dataclasses.replace(program, codes={**program.codes, id: changed}, checked=(id,))
    return not prove(probe, limits, deadline).findings


def _probes(
    function: core.CodeFunction, item: tree.Function, rules: Rules
) -> Iterator[tuple[str, tuple[core.Statement, ...]]]:
    """Yield what is wrong if the prover accepts a body, and the body."""
    yield "`requires` holds of nothing", (core.Check(_FALSE, "satisfiable"), core.DeadEnd())
    yield "`ensures` holds of every result", _any_value(function)
    if rules.trivial_bodies:
        for what, body in _idle_bodies(function, item):
            yield f"a body that returns {what} is enough", body


def _any_value(function: core.CodeFunction) -> tuple[core.Statement, ...]:
    """Return a body that gives any value at all to the result and to what it may change."""
    steps: list[core.Statement] = [
        core.Havoc(f"{one.name}~final", one.type) for one in function.params if one.mutable_reference
    ]
    if function.result is None:
        return (*steps, core.ReturnStep(None))
    steps.append(core.Havoc("any~value", function.result.type))
    return (*steps, core.ReturnStep(core.Var("any~value", type=function.result.type)))


def _idle_bodies(
    function: core.CodeFunction, item: tree.Function
) -> Iterator[tuple[str, tuple[core.Statement, ...]]]:
    """Yield bodies that compute nothing, with what they return."""
    result = function.result
    if result is None:
        yield "at once", (core.ReturnStep(None),)
        return
    for what, value in _constants(result.type):
        yield what, (core.ReturnStep(value),)
    if result.type.name == "Vec":
        made = core.CallStep("std::vec::Vec::new", result.type.args, (), "empty~vec")
        yield "an empty vector", (made, core.ReturnStep(core.Var("empty~vec", type=result.type)))
    for one, type in zip(function.params, item.parameter_types, strict=True):
        # What is only borrowed cannot be returned, unless it is copied.
        copied = is_integer(result.type) or result.type in (BOOL, CHAR)
        if one.type == result.type and (copied or type == item.result_type):
            yield f"`{one.name}`", (core.ReturnStep(core.Var(one.name, type=one.type)),)


def _constants(type: Type) -> Iterator[tuple[str, core.Expression]]:
    if type == BOOL:
        yield "`true`", core.Literal_(True, type=BOOL)
        yield "`false`", core.Literal_(False, type=BOOL)
    elif is_integer(type):
        yield "0", core.Literal_(0, type=type)
        yield "1", core.Literal_(1, type=type)
    elif type == UNIT:
        yield "nothing", core.Construct("tuple", (), type=UNIT)
    elif type.name == "Option":
        yield "`None`", core.Construct("None", (), type=type)
