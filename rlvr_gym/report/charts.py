"""Charts as inline SVG whose colours are the page's own, so that they follow light and dark."""

from __future__ import annotations

import io
import itertools
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rlvr_gym.errors import MissingExtraError

try:
    import matplotlib
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator
except ModuleNotFoundError as error:
    raise MissingExtraError("The HTML page of a run", "train") from error

# matplotlib writes literal colours; these stand-ins are replaced by the page's CSS variables.
_INK, _LINE, _ALARM = "#0a0a01", "#0a0a02", "#0a0a03"
_SERIES = ("#0a0a11", "#0a0a12", "#0a0a13", "#0a0a14", "#0a0a15", "#0a0a16")
_VARIABLES = {_INK: "var(--muted)", _LINE: "var(--line)", _ALARM: "var(--bad)"} | {
    c: f"var(--c{i})" for i, c in enumerate(_SERIES, 1)
}

_STYLE = {
    "font.size": 9.0,
    "font.family": "sans-serif",
    "svg.fonttype": "none",
    "text.color": _INK,
    "text.parse_math": False,
    "axes.edgecolor": _LINE,
    "axes.labelcolor": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": _LINE,
    "ytick.color": _LINE,
    "xtick.labelcolor": _INK,
    "ytick.labelcolor": _INK,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "grid.color": _LINE,
    "grid.linewidth": 0.5,
    "axes.axisbelow": True,
    "lines.linewidth": 1.6,
    "legend.frameon": False,
}


@dataclass(frozen=True, slots=True)
class Curve:
    """One named line, with an interval where ``low`` and ``high`` are given; points without a number are left out."""

    label: str
    steps: Sequence[float]
    values: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None
    colour: int | None = None
    """Which of the page's six; the place in the chart when left out."""


def line_chart(
    curves: Sequence[Curve], *, unit: bool, marks: Sequence[float], salt: str, legend: bool = True
) -> str:
    """Return an SVG element with all ``curves`` over the step.

    Args:
        curves: At most six.
        unit: Whether values are shares, shown on a fixed axis from 0 to 1.
        marks: Steps at which an alarm rang, drawn as dotted lines.
        salt: Keeps ids of several charts on one page apart.
        legend: Whether the labels are shown.
    """

    def draw(axes: Axes) -> None:
        for place, curve in enumerate(curves):
            colour = _SERIES[(place if curve.colour is None else curve.colour) % len(_SERIES)]
            points = [i for i, value in enumerate(curve.values) if math.isfinite(value)]
            steps = [curve.steps[i] for i in points]
            # A line of one point is invisible, and rare measurements should be seen as such.
            marker = "o" if len(points) <= 25 else None
            axes.plot(
                steps,
                [curve.values[i] for i in points],
                color=colour,
                marker=marker,
                markersize=3,
                label=curve.label,
            )
            if curve.low is not None and curve.high is not None:
                low, high = [curve.low[i] for i in points], [curve.high[i] for i in points]
                axes.fill_between(steps, low, high, color=colour, alpha=0.18, linewidth=0)
        for mark in marks:
            axes.axvline(mark, color=_ALARM, linestyle=":", linewidth=1.0)
        if unit:
            axes.set_ylim(-0.03, 1.03)
        axes.set_xlabel("step")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=7))
        if legend:
            axes.legend(
                loc="lower left", bbox_to_anchor=(-0.02, 1.0), ncols=4, borderaxespad=0, handlelength=1.2
            )

    return _svg(draw, salt)


def interval_chart(curves: Sequence[Curve], *, label: str, salt: str) -> str:
    """Return an SVG element with each curve's values as dots with their intervals, joined by a thin line.

    Args:
        curves: Shares in [0, 1], with ``low`` and ``high``; the last is drawn in the first colour, those before it quietly.
        label: Of the axis that ``steps`` stand for.
        salt: Keeps ids of several charts on one page apart.
    """

    def draw(axes: Axes) -> None:
        for place, curve in enumerate(curves):
            assert curve.low is not None
            assert curve.high is not None
            last = place == len(curves) - 1
            colour = _SERIES[0] if last else _INK
            axes.plot(
                curve.steps,
                curve.values,
                color=colour,
                marker="o",
                markersize=4 if last else 3,
                linewidth=1.2 if last else 0.8,
                linestyle="-" if last else "--",
                label=curve.label,
            )
            axes.vlines(curve.steps, curve.low, curve.high, color=colour, linewidth=1.6 if last else 1.0)
        axes.set_ylim(-0.03, 1.03)
        axes.set_xlabel(label)
        axes.margins(x=0.08)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=10))
        axes.legend(loc="lower left", bbox_to_anchor=(-0.02, 1.0), ncols=4, borderaxespad=0, handlelength=1.6)

    return _svg(draw, salt)


def histogram(counts: Sequence[int], edges: Sequence[float], *, label: str, salt: str) -> str:
    """Return an SVG element with one bar per bin; ``edges`` has one number more than ``counts``."""

    def draw(axes: Axes) -> None:
        widths = [high - low for low, high in itertools.pairwise(edges)]
        axes.bar(edges[:-1], counts, width=[0.92 * w for w in widths], align="edge", color=_SERIES[0])
        axes.set_xlabel(label)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=5))

    return _svg(draw, salt)


def _svg(draw: Callable[[Axes], None], salt: str) -> str:
    with matplotlib.rc_context({**_STYLE, "svg.hashsalt": salt}):
        figure = Figure(figsize=(4.8, 2.5), layout="constrained")
        draw(figure.subplots())
        out = io.StringIO()
        figure.savefig(
            out,
            format="svg",
            transparent=True,
            metadata={"Date": None, "Creator": None, "Format": None, "Type": None},
        )
    return _inline(out.getvalue())


def _inline(svg: str) -> str:
    """Return the element alone: no prolog, namespaces or fixed size, and colours by variable."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    head, _, body = svg.partition(">")
    box = re.search(r'viewBox="[^"]*"', head)
    assert box is not None
    for stand_in, variable in _VARIABLES.items():
        body = body.replace(stand_in, variable)
    body = re.sub(r"<style.*?</style>", "", body, flags=re.DOTALL)
    body = re.sub(r'<g id="[^"]*">', "<g>", body)
    body = re.sub(r"font-family: [^;]*; ", "", body)
    return f'<svg {box[0]} role="img">{body}'.replace("xlink:href", "href").replace("\n", " ")
