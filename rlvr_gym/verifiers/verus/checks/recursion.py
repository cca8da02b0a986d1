"""Recursion: which functions call each other, which measures are missing, how long the cycles are."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import networkx as nx

from rlvr_gym.verifiers.verus.checks.settings import allows_no_decreases
from rlvr_gym.verifiers.verus.checks.walk import all_nodes, roots, walk
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.inference.types import BOOL, erased
from rlvr_gym.verifiers.verus.syntax.tree import (
    Call,
    Closure,
    Expr,
    For,
    Function,
    FunctionRef,
    Index,
    Loop,
    MethodCall,
    Node,
    Reveal,
    View,
    While,
)


def check_recursion(crate: Crate) -> None:
    """Find the recursion groups (`Function.group`) and check that every measure that is needed is there.

    Raises:
        Rejected: a recursive function or a loop without ``decreases``.
        Unsupported: recursion that the subset does not follow, and measures that it cannot compare.
    """
    graph = _graph(crate)
    for number, group in enumerate(_groups(graph)):
        members = [function for function in crate.functions if function.id in group]
        if len({function.mode for function in members}) > 1:
            raise Unsupported("recursion between functions of different modes", members[0].place)
        for function in members:
            function.group = number
            if not function.decreases and not (
                function.mode == "exec" and allows_no_decreases(crate, function)
            ):
                raise Rejected(
                    f"recursive function `{function.name}` must have a decreases clause", function.place
                )
            if function.decreases:
                _check_measure(function, group)
            _check_calls(function, group)
    for function in crate.functions:
        for clause in function.decreases:
            _refuse_bool(clause)
        _check_loops(crate, function)
    for node in all_nodes(crate):
        if isinstance(node, Reveal) and node.target is not None and (node.fuel or 0) > 1:
            revealed = node.target.function
            if not revealed.decreases:
                raise Rejected("reveal_with_fuel needs a spec function with a decreases clause", node.place)


def cycles(crate: Crate) -> dict[str, int]:
    """Return for each recursive spec function the length of the shortest chain of calls from it back to it."""
    graph = _graph(crate)
    found: dict[str, int] = {}
    for group in _groups(graph):
        for id in group:
            if crate.function(id).mode == "spec":
                found[id] = _shortest(graph, id)
    return found


def called(node: Node) -> Iterator[tuple[FunctionRef, Node]]:
    """Yield the functions that ``node`` calls, with the place of each call."""
    for found in walk(node):
        if isinstance(found, Call | MethodCall | Index | View) and isinstance(found.target, FunctionRef):
            yield found.target, found


def _graph(crate: Crate) -> nx.DiGraph:
    own = {function.id for function in crate.functions}
    graph = nx.DiGraph()
    graph.add_nodes_from(sorted(own))
    for function in crate.functions:
        for root in roots(function):
            for target, _ in called(root):
                if target.function.id in own:
                    graph.add_edge(function.id, target.function.id)
        if function.via is not None and function.via in own:
            graph.add_edge(function.id, function.via)
    return graph


def _groups(graph: nx.DiGraph) -> list[set[str]]:
    """Return the sets of functions that reach each other, in a fixed order."""
    found = [
        group
        for group in nx.strongly_connected_components(graph)
        if len(group) > 1 or graph.has_edge(next(iter(group)), next(iter(group)))
    ]
    return sorted(found, key=min)


def _shortest(graph: nx.DiGraph, start: str) -> int:
    """Return the length of the shortest cycle through ``start``."""
    queue = deque([(start, 0)])
    seen: set[str] = set()
    while queue:
        node, length = queue.popleft()
        for following in graph.successors(node):
            if following == start:
                return length + 1
            if following not in seen:
                seen.add(following)
                queue.append((following, length + 1))
    raise AssertionError(f"{start} is in no cycle")


def _check_measure(function: Function, group: set[str]) -> None:
    for clause in function.decreases:
        for target, node in called(clause):
            if target.function.id in group:
                raise Unsupported(
                    f"a decreases clause that calls `{target.function.name}` of its own group", node.place
                )


def _check_calls(function: Function, group: set[str]) -> None:
    """Refuse a recursive call under a closure, whose argument nothing bounds."""
    for root in roots(function):
        for node in walk(root):
            if isinstance(node, Closure):
                for target, call in called(node.body):
                    if target.function.id in group:
                        raise Unsupported(
                            f"a recursive call of `{target.function.name}` in a closure", call.place
                        )


def _refuse_bool(clause: Expr) -> None:
    if clause.type is not None and erased(clause.type) == BOOL:
        raise Unsupported("a measure of type bool", clause.place)


def _check_loops(crate: Crate, function: Function) -> None:
    if function.body is None:
        return
    for node in walk(function.body):
        if not isinstance(node, While | Loop | For):
            continue
        for clause in node.clauses.decreases:
            _refuse_bool(clause)
        if isinstance(node, For) or node.clauses.decreases:
            continue
        if not allows_no_decreases(crate, function, node):
            raise Rejected("loop must have a decreases clause", node.place)
