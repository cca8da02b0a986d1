"""Figures by a label of the tasks, such as the number of hops: over the steps, and the first against the last."""

from __future__ import annotations

import html
from collections.abc import Collection, Mapping, Sequence

from rlvr_gym.report.charts import Curve, interval_chart, line_chart
from rlvr_gym.report.panels import by_value
from rlvr_gym.report.run_data import Measured, RunData
from rlvr_gym.report.text import visible

MOST_LINES = 6
"""A chart over the steps has six colours."""
MOST_ROWS = 16
"""Of a table; those with the most tasks are shown."""
_Card = tuple[str, str, str]
"""Title, body and note."""
_Rows = Mapping[str, Measured]


def labels(run: RunData) -> list[str]:
    """Return the labels that tell tasks of the run apart, in the order of appearance."""
    values: dict[str, set[str]] = {}
    for point in run.strata:
        values.setdefault(point.name, set()).add(point.value)
    found = [name for name, seen in values.items() if len(seen) > 1]
    return list(dict.fromkeys([*found, *(metric.partition("/")[0] for metric in by_value(run))]))


def cards(run: RunData, label: str, marks: Sequence[float]) -> list[_Card]:
    """Return what is known by the values of one label.

    Args:
        run: Of the page.
        label: One of ``labels``.
        marks: Steps at which an alarm rang.
    """
    points = [point for point in run.strata if point.name == label]
    found = [_first_and_last(points, label)] if points else []
    if len({point.step for point in points}) > 1:
        series: dict[str, tuple[list[float], list[float]]] = {}
        for point in points:
            steps, means = series.setdefault(point.value, ([], []))
            steps.append(float(point.step))
            means.append(point.mean)
        found.append(_over_steps(f"Held-out accuracy by {label}", series, marks, unit=True))
    figures: dict[str, dict[str, tuple[list[float], list[float]]]] = {}
    for metric in by_value(run):
        name, value, figure = metric.split("/")
        if name == label:
            figures.setdefault(figure, {})[value] = run.series(metric)
    for figure, series in figures.items():
        title = f"{figure.replace('_', ' ').capitalize()} by {label}"
        found.append(_over_steps(title, series, marks, unit=figure.endswith(("_rate", "_share"))))
    return found


def _over_steps(
    title: str,
    series: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    marks: Sequence[float],
    *,
    unit: bool,
) -> _Card:
    values = _ordered(series)
    shown = [values[i * len(values) // MOST_LINES] for i in range(MOST_LINES)]
    shown = values if len(values) <= MOST_LINES else shown
    curves = [Curve(_plain(value), *series[value]) for value in shown]
    return title, line_chart(curves, unit=unit, marks=marks, salt=title), _left_out(shown, values)


def _first_and_last(points: Sequence[Measured], label: str) -> _Card:
    steps = sorted({point.step for point in points})
    rows = {step: {p.value: p for p in points if p.step == step} for step in (steps[0], steps[-1])}
    title = f"Held-out accuracy against {label}"
    if not all(_is_number(value) for row in rows.values() for value in row):
        shown = _ordered(_most(rows[steps[-1]]))
        return title, _table(rows, shown), f"With 95 % intervals. {_left_out(shown, rows[steps[-1]])}"
    curves = []
    for step, row in rows.items():
        own = [row[value] for value in _ordered(row)]
        places = [float(point.value) for point in own]
        means, lows, highs = [p.mean for p in own], [p.low for p in own], [p.high for p in own]
        curves.append(Curve(f"step {step}", places, means, lows, highs))
    note = "The first and the last evaluation, with 95 % intervals."
    return title, interval_chart(curves, label=_plain(label), salt=title), note


def _table(rows: Mapping[int, _Rows], shown: Sequence[str]) -> str:
    first, last = min(rows), max(rows)
    lines = []
    for value in shown:
        now, before = rows[last][value], rows[first].get(value)
        was = f"{before.mean:.2f} → " if before is not None and first != last else ""
        lines.append(
            f'<tr><td>{visible(value, limit=60)}</td><td><div class="bar" style="width:{100 * now.mean:.1f}%"></div></td>'
            f'<td class="number">{was}{now.mean:.2f} [{now.low:.2f}, {now.high:.2f}]</td>'
            f'<td class="number">{now.tasks:,}</td></tr>'
        )
    head = (
        f'<tr><th></th><th>step {last}</th><th class="number">accuracy</th><th class="number">tasks</th></tr>'
    )
    return f'<div class="wide"><table class="bars by-label">{head}{"".join(lines)}</table></div>'


def _most(row: _Rows) -> list[str]:
    return sorted(row, key=lambda value: (-row[value].tasks, value))[:MOST_ROWS]


def _ordered(values: Collection[str]) -> list[str]:
    """Return numbers by size, before all other texts."""
    return sorted(
        values, key=lambda value: (0, float(value), value) if _is_number(value) else (1, 0.0, value)
    )


def _is_number(value: str) -> bool:
    # No spelling of infinity: it has no place on an axis.
    return value.isascii() and value.removeprefix("-").replace(".", "", 1).isdecimal() and len(value) < 16


def _left_out(shown: Collection[str], values: Collection[str]) -> str:
    return "" if len(shown) == len(values) else f"{len(shown)} of {len(values)} values are shown."


def _plain(text: str) -> str:
    """Return a text that any font can draw, hidden characters and those of rare scripts as escapes."""
    shown = html.unescape(visible(text if len(text) <= 18 else f"{text[:17]}…"))
    return shown.encode("latin-1", "backslashreplace").decode("latin-1")
