"""The part of a knowledge graph that a question is about, as one SVG element that reads from left to right.

The path lies in a row, an entity per column; ways to other answers lie below it, what else the graph says of its
entities above it. What attempts answered instead stands in a column of its own, with how often; where that is one of
the drawn entities, it is marked there.
"""

from __future__ import annotations

import html
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rlvr_gym.report.run_data import Attempt, Drawing
from rlvr_gym.report.text import visible

_MOST = 24
"""Characters of a label; the rest is in its tooltip."""
_CHARACTER, _PAD = 6.7, 9.0
"""Width of a character of a label, and room on either side of it."""
_BOX, _ROW, _ABOVE = 26.0, 46.0, 84.0
"""Height of a box, distance of two rows, and distance from the path up to what lies beside it."""
_LEAST_GAP = 56.0
"""Between two columns, where the arrows are."""
_MOST_WRONG = 6


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a box stands: its left edge, its middle line, its width."""

    x: float
    y: float
    width: float

    @property
    def centre(self) -> float:
        return self.x + self.width / 2

    @property
    def right(self) -> float:
        return self.x + self.width


def draw(drawing: Drawing, attempts: Sequence[Attempt] = ()) -> str:
    """Return the drawing with the wrong ends of ``attempts``; empty for one without nodes."""
    if not drawing.nodes:
        return ""
    ends = Counter(end for attempt in attempts if (end := wrong_end(attempt, drawing.width)) is not None)
    labels = [label for label, _ in drawing.nodes]
    beside = [(end, number) for end, number in ends.most_common() if end not in labels][:_MOST_WRONG]
    boxes = [(label, kind, f"{label}, {kind}", ends.get(label, 0)) for label, kind in drawing.nodes]
    boxes += [(end, "wrong", f"{end}, in no place of the drawing", number) for end, number in beside]
    places = _layout(drawing, [_width(end) for end, _ in beside])
    parts = [*_arrows(drawing, places)]
    for place, (label, kind, tip, number) in zip(places, boxes, strict=True):
        parts.append(_box(place, label, kind, tip, number))
    # Room for counts at the right, and for arcs that lead back below.
    width = max(place.right for place in places) + 24
    back = any(kind == "path" and places[a].x >= places[b].x for a, b, _, kind in drawing.edges)
    height = max(place.y for place in places) + _BOX / 2 + (32 if back else 8)
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" style="width:{width:.0f}px"'
    return f'<svg {size} class="walk" role="img">{"".join(parts)}</svg>'


def wrong_end(attempt: Attempt, width: int | None) -> str | None:
    r"""Return what an attempt that failed ended in, None where that cannot be told.

    Args:
        attempt: Its text is a chain of codes, or says its answer behind ``Answer:`` or in its last line.
        width: Characters of a code; None where answers are words.

    Example:
        >>> wrong_end(Attempt("born in London\nAnswer: France", "failed", ""), None)
        'France'
        >>> wrong_end(Attempt("cgt", "failed", ""), 1)
        't'
    """
    lines = attempt.text.strip().splitlines()
    if attempt.status != "failed" or not lines:
        return None
    if width is not None:
        return lines[-1][-width:]
    mark = lines[-1].lower().rfind("answer:")
    said = lines[-1] if mark < 0 else lines[-1][mark + len("answer:") :]
    return said.strip().rstrip(".") or None


def _cut(text: str) -> str:
    return text if len(text) <= _MOST else f"{text[: _MOST - 1]}…"


def _width(text: str) -> float:
    """Return the width of a label's box, whose label is as the page shows it."""
    shown = html.unescape(visible(_cut(text)))
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in shown)
    return (len(shown) + 0.8 * wide) * _CHARACTER + 2 * _PAD


def _columns(drawing: Drawing) -> list[list[int]]:
    """Return the nodes that the path reaches, by how many steps away they are; those of the path itself come first."""
    after: dict[int, list[int]] = {}
    for tail, head, _, kind in drawing.edges:
        if kind == "path":
            after.setdefault(tail, []).append(head)
    columns, seen = [[0]], {0}
    while True:
        reached = {end for node in columns[-1] for end in after.get(node, ())} - seen
        if not reached:
            return columns
        columns.append(sorted(reached))
        seen |= reached


def _layout(drawing: Drawing, wrong: Sequence[float]) -> list[_Place]:
    """Return the places of nodes, then of wrong ends of these widths."""
    columns = _columns(drawing)
    widths = [_width(label) for label, _ in drawing.nodes]
    reached = {node for column in columns for node in column}
    others = [node for node in range(len(drawing.nodes)) if node not in reached]
    places: dict[int, _Place] = {}
    x, y = 1.0, (_ABOVE if others else 0.0) + _BOX / 2 + 8
    for column in columns:
        room = max(widths[node] for node in column)
        for row, node in enumerate(column):
            places[node] = _Place(x + (room - widths[node]) / 2, y + row * _ROW, widths[node])
        labels = [
            _width(label) for tail, _, label, kind in drawing.edges if kind == "path" and tail in column
        ]
        x += room + max([_LEAST_GAP, *labels])
    places |= _around(drawing, others, places, widths)
    beside = [_Place(x, y + row * (_BOX + 8), width) for row, width in enumerate(wrong)]
    return [places[node] for node in range(len(drawing.nodes))] + beside


def _around(
    drawing: Drawing, others: Sequence[int], places: Mapping[int, _Place], widths: Sequence[float]
) -> dict[int, _Place]:
    """Return the places of ``others`` in a row, each about above the node that it is a neighbour of."""
    above = dict.fromkeys(others, 0.0)
    for tail, head, _, _ in drawing.edges:
        for node, anchor in ((tail, head), (head, tail)):
            if node in above and anchor in places:
                above[node] = places[anchor].centre
    found: dict[int, _Place] = {}
    least = 1.0
    order = sorted(others, key=lambda node: (above[node], node))
    for at, node in enumerate(order):
        # Those of one anchor stand around it, pushed aside by what came before.
        same = [other for other in order if above[other] == above[node]]
        whole = sum(widths[other] + 14 for other in same) - 14
        want = above[node] - whole / 2 + sum(widths[other] + 14 for other in same[: same.index(node)])
        x = max(least, want) if at else max(1.0, want)
        found[node] = _Place(x, _BOX / 2 + 1, widths[node])
        least = x + widths[node] + 14
    return found


def _arrows(drawing: Drawing, places: Sequence[_Place]) -> Iterator[str]:
    for tail, head, label, kind in drawing.edges:
        a, b = places[tail], places[head]
        if kind == "path" and b.x > a.right:
            yield _onward(a, b, label)
        elif kind == "path" or a.y == b.y:
            yield _arc(a, b, label, kind)
        else:
            upper = min(a, b, key=lambda place: place.y)
            row = sorted(place.x for place in places if place.y == upper.y)
            # Labels of neighbours at one height would run into each other.
            yield _straight(a, b, label, kind, share=(0.3, 0.5, 0.7)[row.index(upper.x) % 3])


def _onward(a: _Place, b: _Place, label: str) -> str:
    """Return a step to the next column."""
    middle = (a.right + b.x) / 2
    # Where several fan out they part in the middle: their labels stand at their ends.
    x = middle if a.y == b.y else b.x - 12 - (_width(label) / 2 - _PAD)
    line = f"M{a.right:.1f} {a.y:.1f}C{middle:.1f} {a.y:.1f} {middle:.1f} {b.y:.1f} {b.x - 6:.1f} {b.y:.1f}"
    return _arrow(line, (b.x, b.y, 1.0, 0.0), (x, b.y - 5), label, "path")


def _arc(a: _Place, b: _Place, label: str, kind: str) -> str:
    """Return a step that leads back, below the row, or a fact between two of the row, above it."""
    side = 1.0 if kind == "path" else -1.0
    apart = 10.0 if a == b else 0.0
    start, end = a.y + side * _BOX / 2, b.y + side * _BOX / 2
    top = max(a.y, b.y) + side * (_BOX / 2 + 30)
    x, to = a.centre - apart, b.centre + apart
    line = f"M{x:.1f} {start:.1f}C{x:.1f} {top:.1f} {to:.1f} {top:.1f} {to:.1f} {end + 6 * side:.1f}"
    return _arrow(line, (to, end, 0.0, -side), ((x + to) / 2, top - side * 4), label, kind)


def _straight(a: _Place, b: _Place, label: str, kind: str, *, share: float) -> str:
    """Return a fact between two rows, with its label at this share of the way down."""
    down = 1.0 if b.y > a.y else -1.0
    start, end = a.y + down * _BOX / 2, b.y - down * _BOX / 2
    along = share if down > 0 else 1 - share
    at = (a.centre + along * (b.centre - a.centre), start + along * (end - start) + 3)
    line = f"M{a.centre:.1f} {start:.1f}L{b.centre:.1f} {end - 6 * down:.1f}"
    return _arrow(line, (b.centre, end, 0.0, down), at, label, kind)


def _arrow(
    line: str, tip: tuple[float, float, float, float], at: tuple[float, float], label: str, kind: str
) -> str:
    """Return a line with its head at ``tip``, which is a point and the direction it looks in, and its label."""
    x, y, right, down = tip
    corners = " ".join(
        f"L{x - 8 * right + side * 3.5 * down:.1f} {y - 8 * down + side * 3.5 * right:.1f}"
        for side in (1, -1)
    )
    return (
        f'<g class="{_name(kind)}"><path d="{line}" class="line"/><path d="M{x:.1f} {y:.1f}{corners}Z" class="head"/>'
        f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" class="step">{visible(_cut(label))}</text></g>'
    )


def _box(place: _Place, label: str, kind: str, tip: str, wrong: int) -> str:
    marks = f"{_name(kind)} missed" if wrong and kind != "wrong" else _name(kind)
    times = ""
    if wrong > 1:
        times = f'<text x="{place.right + 3:.1f}" y="{place.y - 6:.1f}" class="times">×{wrong}</text>'
    tip += f"; wrong answer of {wrong} attempts" if wrong else ""
    return (
        f'<g class="{marks}"><title>{visible(tip, limit=400)}</title><rect x="{place.x:.1f}" '
        f'y="{place.y - _BOX / 2:.1f}" width="{place.width:.1f}" height="{_BOX:.0f}" rx="6"/>'
        f'<text x="{place.centre:.1f}" y="{place.y + 4:.1f}">{visible(_cut(label))}</text>{times}</g>'
    )


def _name(kind: str) -> str:
    """Return the class of a kind; what no reader knows is drawn as what lies beside."""
    return kind if kind in ("start", "middle", "answer", "wrong", "path") else "beside"
