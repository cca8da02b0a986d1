"""The drawing of a curriculum's graph: everything lies below what it came from, however many there are."""

from __future__ import annotations

import itertools
import re

import pytest

from rlvr_gym.report.graph import MOST_NODES, draw
from rlvr_gym.report.page import render
from rlvr_gym.report.run_data import GraphNode, RunData

FIVE = [
    GraphNode("%7=3", None, 0, 4.0, 0.5),
    GraphNode(">49", None, 0, 1.0, None),
    GraphNode("%7=3,>20", 0, 1, 2.0, 0.0),
    GraphNode("%7=3,<60", 0, 1, 0.0, 1.0, retired=True),
    GraphNode("%7=3,>20,d=09", 2, 2, 0.0, 0.125),
]
_RECT = re.compile(r'<rect x="([\d.]+)" width="([\d.]+)" y="([\d.]+)" height="([\d.]+)" class="([^"]+)"/>')


def boxes(svg: str) -> list[tuple[float, float, float, str]]:
    """Return left edge, right edge, top and class of each task, in order."""
    found = [(float(x), float(x) + float(w), float(y), name) for x, w, y, _, name in _RECT.findall(svg)]
    return [box for box in found if box[3] not in ("visits", "gone")]


def test_each_task_lies_in_the_row_of_its_depth_below_its_parent() -> None:
    drawn = boxes(draw(FIVE))
    assert [box[2] for box in drawn] == [0.0, 0.0, 50.0, 50.0, 100.0]
    for node, (left, right, *_) in zip(FIVE, drawn, strict=True):
        if node.parent is not None:
            above = drawn[node.parent]
            assert above[0] - 0.01 <= left < right <= above[1] + 1.01


def test_a_task_is_as_wide_as_what_grew_from_it() -> None:
    (first, second, *_) = boxes(draw(FIVE))
    # Two leaves grew from the first root, none from the second: 637.33 and 318.67 of 956.
    assert first[1] - first[0] == pytest.approx(637.33 - 1, abs=0.02)
    assert second[1] - second[0] == pytest.approx(318.67 - 1, abs=0.02)


def test_the_colour_is_the_solve_rate_in_fifths() -> None:
    assert [box[3] for box in boxes(draw(FIVE))] == ["graph-2", "none", "graph-0", "graph-4", "graph-0"]


def test_bars_are_as_high_as_visits_and_retired_tasks_have_a_band() -> None:
    marks = [(float(h), name) for *_, h, name in _RECT.findall(draw(FIVE)) if name in ("visits", "gone")]
    assert marks == [(14.0, "visits"), (3.5, "visits"), (7.0, "visits"), (4.0, "gone")]


def many(number: int) -> list[GraphNode]:
    nodes = [GraphNode(f"root {i}", None, 0, float(i), 0.5) for i in range(20)]
    while len(nodes) < number:
        parent = (7 * len(nodes)) % len(nodes)
        nodes.append(GraphNode("x", parent, nodes[parent].depth + 1, float(len(nodes) % 13), 0.5))
    return nodes


@pytest.mark.parametrize("number", [20, 500, 5000])
def test_hundreds_keep_their_places_and_thousands_are_thinned_with_their_ancestors(number: int) -> None:
    drawn = boxes(draw(many(number)))
    assert len(drawn) == number if number <= MOST_NODES else MOST_NODES - 20 < len(drawn) <= MOST_NODES
    assert all(44.0 <= left < right <= 1000.01 for left, right, *_ in drawn)
    by_row: dict[float, list[tuple[float, float]]] = {}
    for left, right, top, _ in drawn:
        by_row.setdefault(top, []).append((left, right))
    for row in by_row.values():
        ordered = sorted(row)
        assert all(a[1] <= b[0] + 0.02 for a, b in itertools.pairwise(ordered))


def test_what_a_policy_wrote_stays_text() -> None:
    page = render(
        RunData("a run", graph=[GraphNode("</svg><script>alert(1)</script>\u202e", None, 0, 1.0, 0.5)])
    )
    assert "<script>" not in page
    assert "\u202e" not in page
    assert "Curriculum" in page


def test_a_run_without_a_graph_has_no_such_section() -> None:
    assert draw([]) == ""
    assert "Curriculum" not in render(RunData("a run"))
