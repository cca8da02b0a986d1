"""Circles that no measure is checked for: the last look before anything is proved, whatever was found before."""

from __future__ import annotations

from collections.abc import Iterable

from rlvr_gym.verifiers.verus.core import (
    Apply,
    BroadcastStep,
    CallStep,
    CodeFunction,
    Expression,
    Program,
    SpecFunction,
    Statement,
)
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.logic.shapes import walk
from rlvr_gym.verifiers.verus.logic.statements import each_statement, terms


def refuse_broadcast_cycles(program: Program) -> None:
    """Raise when a lemma's proof may rest on itself in a way that no measure is checked for.

    Raises:
        Rejected: it may.
    """
    edges: dict[str, set[str]] = {}
    special: list[tuple[str, str]] = []
    own_codes = [function for function in program.codes.values() if not function.library]
    own_specs = [function for function in program.specs.values() if not function.library]
    lemmas = {function.id for function in own_codes if function.broadcast}
    if not lemmas and not any(function.decreases_by for function in own_specs):
        return
    for code in own_codes:
        edges[code.id] = _of_code(code)
        for statement in each_statement(code.body or ()):
            if isinstance(statement, BroadcastStep):
                special += [(code.id, used) for used in statement.functions if used in lemmas]
    for spec in own_specs:
        edges[spec.id] = _of_spec(spec)
        helped = {step.function for step in each_statement(spec.decreases_by) if isinstance(step, CallStep)}
        helped |= {
            used
            for step in each_statement(spec.decreases_by)
            if isinstance(step, BroadcastStep)
            for used in step.functions
        }
        special += [(spec.id, used) for used in helped]
    for user, used in sorted(special):
        if user in _reachable(used, edges):
            place = (program.codes.get(user) or program.specs[user]).place
            raise Rejected(f"the proof of `{used}` depends on `{user}`, which uses it", place)


def refuse_unmarked_recursion(program: Program) -> None:
    """Raise when functions call each other in a circle that is not marked as recursive.

    Raises:
        Unsupported: they do. Its definition could contradict itself, and nothing would be checked.
    """
    specs = {function.id: function for function in program.specs.values() if not function.library}
    codes = {function.id: function for function in program.codes.values() if not function.library}
    edges: dict[str, set[str]] = {}
    for id, spec in specs.items():
        terms_of = [term for term in (spec.body, spec.when, *spec.decreases) if term is not None]
        edges[id] = _of_terms(terms_of) & specs.keys()
    for id, code in codes.items():
        edges[id] = _called(code) & codes.keys()
    for id, targets in edges.items():
        for target in sorted(targets):
            if id not in _reachable(target, edges):
                continue
            one, other = (specs.get(each) or codes[each] for each in (id, target))
            marked = one.group is not None and one.group == other.group
            if isinstance(one, SpecFunction):
                marked = marked and one.recursive and bool(one.decreases)
            if not marked:
                raise Unsupported(f"`{id}` and `{target}` call each other without being marked so", one.place)


def _called(function: CodeFunction) -> set[str]:
    return {step.function for step in each_statement(function.body or ()) if isinstance(step, CallStep)}


def _of_code(function: CodeFunction) -> set[str]:
    clauses = [clause.condition for clause in (*function.requires, *function.ensures)]
    return _of_terms([*clauses, *function.decreases]) | _of_statements(function.body or ())


def _of_spec(function: SpecFunction) -> set[str]:
    body = [] if function.body is None else [function.body]
    when = [] if function.when is None else [function.when]
    return _of_terms([*body, *when, *function.decreases]) | _of_statements(function.decreases_by)


def _of_statements(statements: Iterable[Statement]) -> set[str]:
    found: set[str] = set()
    for statement in each_statement(tuple(statements)):
        if isinstance(statement, CallStep):
            found.add(statement.function)
        elif isinstance(statement, BroadcastStep):
            found |= set(statement.functions)
        found |= _of_terms(terms(statement))
    return found


def _of_terms(expressions: Iterable[Expression]) -> set[str]:
    return {each.function for term in expressions for each in walk(term) if isinstance(each, Apply)}


def _reachable(start: str, edges: dict[str, set[str]]) -> set[str]:
    seen = {start}
    waiting = [start]
    while waiting:
        for target in edges.get(waiting.pop(), ()):
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return seen
