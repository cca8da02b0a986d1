"""The graph of a curriculum as one SVG element: a row for each depth, every task below the one it was proposed from.

A task is as wide as all that grew from it, so that edges need no lines and hundreds of tasks still show where the
graph grows. Its colour is the solve rate, the bar at its foot how often it was a parent,
a band at its head that it is retired.
"""

from __future__ import annotations

from collections.abc import Sequence

from rlvr_gym.report.run_data import GraphNode
from rlvr_gym.report.text import visible

MOST_NODES = 600
"""More would be narrower than two pixels; those that were parents most often are shown, with all above them."""
_WIDTH, _LEFT, _ROW, _GAP = 1000.0, 44.0, 44.0, 6.0
_BAR = 14.0
"""Height of the bar of the task that was a parent most often."""
_BAND = 4.0
"""Height of the band at the head of a retired task."""
_CHARACTER = 6.2
"""Width of a character of a label."""
SHADES = 5
"""Classes of colour, for solve rates from 0 to 1."""


def draw(nodes: Sequence[GraphNode]) -> str:
    """Return the drawing of ``nodes``, in which parents come before their children; empty for none."""
    shown = _shown(nodes)
    if not shown:
        return ""
    children: dict[int, list[int]] = {}
    for i in shown:
        parent = nodes[i].parent
        if parent is not None:
            children.setdefault(parent, []).append(i)
    width: dict[int, float] = {}
    for i in reversed(shown):
        width[i] = sum(width[child] for child in children.get(i, ())) or 1.0
    roots = [i for i in shown if nodes[i].parent is None]
    unit = (_WIDTH - _LEFT) / sum(width[i] for i in roots)
    most = max(nodes[i].visits for i in shown) or 1.0
    left: dict[int, float] = {}
    cells, at = [], _LEFT
    for i in shown:
        if nodes[i].parent is None:
            left[i], at = at, at + width[i] * unit
        below = left[i]
        for child in children.get(i, ()):
            left[child], below = below, below + width[child] * unit
        cells.append(_cell(nodes[i], left[i], width[i] * unit, most))
    depth = max(nodes[i].depth for i in shown)
    labels = "".join(
        f'<text x="0" y="{row * (_ROW + _GAP) + _ROW / 2 + 4:.0f}" class="quiet">{row}</text>'
        for row in range(depth + 1)
    )
    height = (depth + 1) * (_ROW + _GAP)
    return f'<svg viewBox="0 0 {_WIDTH:.0f} {height:.0f}" class="graph" role="img">{labels}{"".join(cells)}</svg>'


def _shown(nodes: Sequence[GraphNode]) -> list[int]:
    """Return the places of those that are drawn, in order."""
    if len(nodes) <= MOST_NODES:
        return list(range(len(nodes)))
    chosen: set[int] = set()
    for i in sorted(range(len(nodes)), key=lambda i: (-nodes[i].visits, i)):
        way: list[int] = []
        at: int | None = i
        while at is not None and at not in chosen:
            way.append(at)
            at = nodes[at].parent
        if len(chosen) + len(way) <= MOST_NODES:
            chosen.update(way)
    return sorted(chosen)


def _cell(node: GraphNode, x: float, width: float, most: float) -> str:
    y = node.depth * (_ROW + _GAP)
    # A hair of paper between neighbours, as long as there is room for it.
    drawn = width - min(1.0, 0.2 * width)
    shade = "none" if node.rate is None else f"graph-{min(SHADES - 1, int(node.rate * SHADES))}"
    rate = "never attempted" if node.rate is None else f"solve rate {node.rate:.2f}"
    tip = f"{node.text}\n{rate}, {node.visits:.1f} visits, depth {node.depth}" + (
        ", retired" if node.retired else ""
    )
    bar = _BAR * node.visits / most
    box = f'x="{x:.2f}" width="{drawn:.2f}"'
    parts = [
        f"<g><title>{visible(tip, limit=400)}</title>",
        f'<rect {box} y="{y:.1f}" height="{_ROW:.0f}" class="{shade}"/>',
    ]
    if node.retired:
        parts.append(f'<rect {box} y="{y:.1f}" height="{_BAND:.0f}" class="gone"/>')
    if bar >= 0.5:
        parts.append(f'<rect {box} y="{y + _ROW - bar:.1f}" height="{bar:.1f}" class="visits"/>')
    room = int((drawn - 6) / _CHARACTER)
    if room >= min(4, len(node.text)):
        text = node.text if len(node.text) <= room else f"{node.text[: room - 1]}…"
        parts.append(f'<text x="{x + 4:.2f}" y="{y + 16:.1f}">{visible(text)}</text>')
    return "".join([*parts, "</g>"])
