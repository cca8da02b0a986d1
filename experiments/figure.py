"""Curves of all arms as one SVG file."""

from __future__ import annotations

import io
from collections.abc import Mapping

import numpy as np

from experiments.inference import Curve

_COLOURS = ("#1f6fb2", "#c8501e", "#3a8a4d", "#8452a8", "#8a6d1b", "#555555", "#b3386b", "#1f9aa0")
_COLUMNS = 2
_MOST_POINTS = 50


def smooth(curve: Curve) -> tuple[list[float], np.ndarray]:
    """Return at most fifty points of every seed, each the mean of neighbouring steps, shape (seeds, points).

    Example:
        >>> points, values = smooth(Curve([0, 25], {0: [0.1, 0.2]}))
        >>> points, values.tolist()
        ([0.0, 25.0], [[0.1, 0.2]])
    """
    rows = np.array([curve.steps, *curve.seeds.values()], dtype=float)
    chunks = np.array_split(rows, min(_MOST_POINTS, rows.shape[1]), axis=1)
    means = np.stack([chunk.mean(axis=1) for chunk in chunks], axis=1)
    return means[0].tolist(), means[1:]


def draw(figures: Mapping[str, Mapping[str, Curve]], *, salt: str) -> str:
    """Return an SVG with a panel per figure: the mean over seeds as a line, each seed as a thin one, smoothed.

    Args:
        figures: Figure -> arm -> curve.
        salt: Fixes the ids in the file, so that the same curves give the same bytes.
    """
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    rows = -(-len(figures) // _COLUMNS)
    style = {"svg.hashsalt": salt, "svg.fonttype": "none", "font.size": 8.0, "text.parse_math": False}
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(9.0, 2.7 * rows), layout="constrained")
        panels = figure.subplots(rows, _COLUMNS, squeeze=False).ravel()
        for panel, (name, arms) in zip(panels, figures.items(), strict=False):
            for colour, (arm, curve) in zip(_COLOURS, arms.items(), strict=False):
                steps, values = smooth(curve)
                for row in values:
                    panel.plot(steps, row, color=colour, linewidth=0.5, alpha=0.4)
                panel.plot(steps, values.mean(axis=0), color=colour, linewidth=1.8, label=arm)
            panel.set_title(name.replace("_", " "), loc="left")
            panel.set_xlabel(next(iter(arms.values())).axis)
            panel.xaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 2.5, 5, 10]))
            panel.grid(axis="y", linewidth=0.3)
            panel.spines[["top", "right"]].set_visible(False)
            panel.legend(frameon=False)
        for panel in panels[len(figures) :]:
            panel.set_visible(False)
        out = io.StringIO()
        # A white ground: pages are read in dark themes too.
        figure.savefig(out, format="svg", facecolor="white", metadata={"Date": None, "Creator": None})
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"
