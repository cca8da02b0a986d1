"""Graphs of nodes 0 to n - 1."""

from __future__ import annotations

from rlvr_gym.envs.code_problems.base import Rng, code_problem, integer


def _edges(rng: Rng, nodes: int, most: int) -> list[list[int]]:
    pairs = [[integer(rng, 0, nodes - 1), integer(rng, 0, nodes - 1)] for _ in range(integer(rng, 0, most))]
    return [pair for pair in pairs if pair[0] != pair[1]]


def _graph(rng: Rng) -> tuple[int, list[list[int]]]:
    nodes = integer(rng, 1, 8)
    return nodes, _edges(rng, nodes, 9)


@code_problem("graphs", 3, _graph, [(1, []), (3, [[0, 1], [1, 0]])])
def component_count(n: int, edges: list[list[int]]) -> int:
    """Return into how many connected parts the nodes 0 to n - 1 fall; edges [a, b] can be used both ways."""
    part = list(range(n))
    for a, b in edges:
        old, new = part[a], part[b]
        part = [new if p == old else p for p in part]
    return len(set(part))


@code_problem("graphs", 4, _graph, [(1, []), (3, [[2, 1], [1, 0]]), (2, [[0, 1], [1, 0]])])
def work_order(n: int, before: list[list[int]]) -> list[int]:
    """Return all tasks 0 to n - 1 in an order in which a comes before b for each pair [a, b].

    Of several tasks that could come next, the smallest comes. The list is empty when there is no such order.
    """
    waiting = set(range(n))
    order = []
    while waiting:
        ready = [b for b in waiting if not any(a in waiting and c == b for a, c in before)]
        if not ready:
            return []
        waiting.remove(min(ready))
        order.append(min(ready))
    return order


def _roads(rng: Rng) -> tuple[int, list[list[int]], int, int]:
    nodes, edges = _graph(rng)
    roads = [[a, b, integer(rng, 1, 9)] for a, b in edges]
    return nodes, roads, integer(rng, 0, nodes - 1), integer(rng, 0, nodes - 1)


@code_problem("graphs", 5, _roads, [(1, [], 0, 0), (3, [[0, 1, 5], [1, 2, 1], [0, 2, 9]], 0, 2)])
def cheapest_route(n: int, roads: list[list[int]], start: int, goal: int) -> int:
    """Return the least total cost of a way from start to goal, -1 when there is none.

    Roads are [from, to, cost] with positive costs and can be used in this direction only.
    """
    cost = {start: 0}
    for _ in range(n):
        for a, b, price in roads:
            if a in cost and cost[a] + price < cost.get(b, cost[a] + price + 1):
                cost[b] = cost[a] + price
    return cost.get(goal, -1)
