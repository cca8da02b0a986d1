"""Core programs as text: for tests, and for people who look at what became of a program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rlvr_gym.verifiers.verus import core
from rlvr_gym.verifiers.verus.core import (
    Clause,
    CodeFunction,
    Expression,
    Param,
    Program,
    SpecFunction,
    Statement,
)
from rlvr_gym.verifiers.verus.inference.types import Type

_INFIX = frozenset(
    (
        "+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "=~=", "=~~=", "and", "or", "=>", "<=>",
        "&", "|", "^", "<<", ">>", "wrap+", "wrap-", "wrap*", "height<",
    )
)  # fmt: skip


def show_expression(term: Expression) -> str:
    """Return a term as text: infix operators in parentheses, everything else as calls."""
    match term:
        case core.Var():
            return term.name
        case core.Literal_():
            return str(term.value).lower() if isinstance(term.value, bool) else str(term.value)
        case core.Text():
            return repr(term.value)
        case core.Op():
            return _operator(term)
        case core.Apply():
            return f"{term.function}{_types(term.type_arguments)}({_list(term.arguments)})"
        case core.Construct():
            name = "" if term.variant == "tuple" else f"{term.type.name}.{term.variant}"
            return f"{name}({_list(term.fields)})"
        case core.Project():
            return f"{show_expression(term.operand)}.{term.variant}.{term.index}"
        case core.Test():
            return f"({show_expression(term.operand)} is {term.variant})"
        case core.LetIn():
            return f"(let {term.name} = {show_expression(term.value)} in {show_expression(term.body)})"
        case core.Quantified():
            groups = "".join(f" {{{_list(group)}}}" for group in term.triggers)
            return f"({term.kind} {_binders(term.binders)}{groups} {show_expression(term.body)})"
        case core.Lambda():
            return f"(|{_binders(term.binders)}| {show_expression(term.body)})"
        case core.ApplyValue():
            return f"{show_expression(term.function)}!({_list(term.arguments)})"


def _operator(term: core.Op) -> str:
    if term.op in _INFIX:
        return "(" + f" {term.op} ".join(map(show_expression, term.operands)) + ")"
    if term.op == "ite":
        condition, then, otherwise = map(show_expression, term.operands)
        return f"(if {condition} then {then} else {otherwise})"
    if term.op in ("min_of", "max_of"):
        return f"{term.type}::{term.op[:3].upper()}"
    if term.op == "clip":
        return f"({show_expression(term.operands[0])} as {term.type})"
    return f"{term.op}({_list(term.operands)})"


def _types(types: Sequence[Type]) -> str:
    return f"<{', '.join(map(str, types))}>" if types else ""


def _list(terms: Sequence[Expression]) -> str:
    return ", ".join(map(show_expression, terms))


def _binders(binders: Sequence[tuple[str, Type]]) -> str:
    return ", ".join(f"{name}: {type}" for name, type in binders)


def show_statements(steps: Sequence[Statement], indent: str = "") -> Iterator[str]:
    """Yield the lines of a list of statements."""
    for step in steps:
        yield from _statement(step, indent)


def _statement(step: Statement, indent: str) -> Iterator[str]:
    deeper = indent + "  "
    match step:
        case core.Set():
            yield f"{indent}{step.name} := {show_expression(step.value)}"
        case core.Havoc():
            yield f"{indent}havoc {step.name}: {step.type}"
        case core.Check():
            yield f"{indent}check@{step.place.line} {show_expression(step.condition)}: {step.message}"
        case core.Assume():
            yield f"{indent}assume {show_expression(step.condition)}"
        case core.CallStep():
            yield indent + _call(step)
        case core.Branch():
            yield f"{indent}if {show_expression(step.condition)}:"
            yield from show_statements(step.then, deeper)
            if step.otherwise:
                yield f"{indent}else:"
                yield from show_statements(step.otherwise, deeper)
        case core.LoopStep():
            yield from _loop(step, indent)
        case core.BreakStep() | core.ContinueStep():
            yield f"{indent}{type(step).__name__.removesuffix('Step').lower()} {step.label}"
        case core.ReturnStep():
            yield f"{indent}return@{step.place.line}" + (
                f" {show_expression(step.value)}" if step.value else ""
            )
        case core.AssertBy():
            yield f"{indent}assert@{step.place.line} {show_expression(step.condition)} by:"
            yield from show_statements(step.body, deeper)
        case core.AssertForallBy():
            premise = f"{show_expression(step.premise)} implies " if step.premise is not None else ""
            conclusion = f"{premise}{show_expression(step.conclusion)}"
            yield f"{indent}assert@{step.place.line} forall {_binders(step.binders)} {conclusion} by:"
            yield from show_statements(step.body, deeper)
            yield f"{indent}so {show_expression(step.fact)}"
        case core.Isolated():
            yield f"{indent}assert@{step.place.line} {show_expression(step.condition)} by {step.prover}"
            yield from _clauses("requires", step.requires, deeper)
            yield from show_statements(step.body, deeper)
        case core.RevealStep():
            yield f"{indent}reveal {step.function} {step.fuel}"
        case core.BroadcastStep():
            yield f"{indent}broadcast {', '.join(step.functions)}"
        case core.DeadEnd():
            yield f"{indent}dead end"
        case core.Scope():
            yield f"{indent}scope:"
            yield from show_statements(step.body, deeper)


def _call(step: core.CallStep) -> str:
    result = f"{step.result} := " if step.result is not None else ""
    mutated = "".join(f" [{position} -> {name}]" for position, name in step.mutated.items())
    return f"{result}call@{step.place.line} {step.function}{_types(step.type_arguments)}({_list(step.arguments)}){mutated}"


def _loop(step: core.LoopStep, indent: str) -> Iterator[str]:
    kind = ("simple " if step.simple else "") + ("isolated " if step.isolated else "")
    yield f"{indent}{kind}loop {step.label} modifies {', '.join(sorted(step.modified)) or 'nothing'}:"
    deeper = indent + "  "
    yield from _clauses("invariant", step.invariants, deeper)
    yield from _clauses("except_break", step.except_break, deeper)
    yield from _clauses("ensures", step.ensures, deeper)
    if step.decreases:
        yield f"{deeper}decreases {_list(step.decreases)}"
    for title, steps in (("head", step.head), ("body", step.body), ("step", step.step)):
        if title == "body" and step.condition is not None:
            yield f"{deeper}while {show_expression(step.condition)}"
        if steps:
            yield f"{deeper}{title}:"
            yield from show_statements(steps, deeper + "  ")


def _clauses(title: str, clauses: Sequence[Clause], indent: str) -> Iterator[str]:
    for clause in clauses:
        silent = " silent" if clause.silent else ""
        yield f"{indent}{title}@{clause.place.line}{silent} {show_expression(clause.condition)}"


def _parameters(params: Sequence[Param]) -> str:
    return ", ".join(f"{p.name}: {'&mut ' if p.mutable_reference else ''}{p.type}" for p in params)


def show_spec(function: SpecFunction) -> Iterator[str]:
    """Yield the lines of a spec function."""
    generics = f"<{', '.join(function.type_parameters)}>" if function.type_parameters else ""
    marks = [name for name in ("opaque", "inline", "constant") if getattr(function, name)]
    marks += [f"recursive({function.group}, cycle {function.cycle})"] if function.recursive else []
    tail = f" [{', '.join(marks)}]" if marks else ""
    yield f"spec {function.id}{generics}({_parameters(function.params)}) -> {function.result}{tail}"
    if function.when is not None:
        yield f"  when {show_expression(function.when)}"
    if function.decreases:
        yield f"  decreases {_list(function.decreases)}"
    if function.body is not None:
        yield f"  = {show_expression(function.body)}"
    if function.decreases_by:
        yield "  by:"
        yield from show_statements(function.decreases_by, "    ")


def show_code(function: CodeFunction) -> Iterator[str]:
    """Yield the lines of an exec or proof function."""
    generics = f"<{', '.join(function.type_parameters)}>" if function.type_parameters else ""
    result = f" -> {_parameters([function.result])}" if function.result is not None else ""
    prover = f" by {function.prover}" if function.prover else ""
    yield f"{function.mode} {function.id}{generics}({_parameters(function.params)}){result}{prover}"
    for group in function.triggers:
        yield f"  trigger {{{_list(group)}}}"
    yield from _clauses("requires", function.requires, "  ")
    yield from _clauses("ensures", function.ensures, "  ")
    if function.decreases:
        yield f"  decreases {_list(function.decreases)}"
    if function.body is not None:
        yield "  body:"
        yield from show_statements(function.body, "    ")


def show(program: Program, *, library: bool = False) -> str:
    """Return a program as text: its own declarations, and with ``library`` those of the library too."""
    lines: list[str] = []
    for spec in program.specs.values():
        if library or not spec.library:
            lines.extend(show_spec(spec))
    for name, steps in program.constants.items():
        if steps:
            lines.append(f"checks of {name}")
            lines.extend(show_statements(steps, "  "))
    for code in program.codes.values():
        if library or not code.library:
            lines.extend(show_code(code))
    return "\n".join(lines) + "\n"
