"""One HTML file per run that stands on its own: no script, no network, light and dark."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files

from rlvr_gym.report import paths, strata
from rlvr_gym.report.charts import Curve, histogram, line_chart
from rlvr_gym.report.graph import SHADES, draw
from rlvr_gym.report.panels import MEASURED, PANELS, Panel, funnel, other_panels, role_of, roles
from rlvr_gym.report.run_data import Alarm, GraphNode, RunData, Sample
from rlvr_gym.report.text import visible

MOST_REASONS = 12
MOST_SAMPLES = 40
_HEADLINES = (
    ("heldout/accuracy", "held-out accuracy"),
    ("measured/valid_share", "valid proposals"),
    ("proposer/useful_share", "useful proposals"),
    ("solver/solve_rate", "solve rate on the run's own tasks"),
)
# Nothing on the page may load or run anything, whatever a policy managed to write.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def render(run: RunData) -> str:
    """Return the page of ``run``."""
    style = files("rlvr_gym.report").joinpath("page.css").read_text(encoding="utf-8")
    sections = [
        _header(run),
        _curves(run),
        *_by_labels(run),
        _proposals(run),
        _graph(run.graph),
        _counts("Why proposals were refused", run.reasons),
        _counts("Verdicts by status", run.statuses),
        _samples(run.samples),
        _alarms(run.alarms),
        _accounting(run.accounting),
        _config(run.config),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{visible(run.title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        + "\n".join(section for section in sections if section)
        + "\n</body>\n</html>\n"
    )


def _header(run: RunData) -> str:
    facts = " · ".join(f"{visible(name)} {visible(value)}" for name, value in run.facts.items())
    cards = [_change(run, name, label) for name, label in _HEADLINES]
    if run.alarms:
        cards.append(_fact(str(len(run.alarms)), "alarms and actions"))
    body = "".join(card for card in cards if card)
    return f'<h1>{visible(run.title)}</h1>\n<p class="quiet">{facts}</p>\n<div class="facts">{body}</div>'


def _change(run: RunData, name: str, label: str) -> str:
    _, values = run.series(name)
    if not values:
        return ""
    if len(values) == 1:
        return _fact(f"{values[0]:.3f}", label)
    return _fact(f"{values[0]:.3f} → {values[-1]:.3f}", f"{label}, first and last step measured")


def _fact(value: str, label: str) -> str:
    return f'<div class="card fact"><b>{visible(value)}</b><span>{visible(label)}</span></div>'


def _curves(run: RunData) -> str:
    marks = _marks(run)
    panels = [panel for panel in PANELS if any(run.series(name)[1] for name in panel.names(run))]
    more = _grid("", [_curve(run, panel, marks) for panel in other_panels(run)])
    rest = f"<details><summary>All other figures of the run</summary>{more}</details>" if more else ""
    return _grid("Curves", [_curve(run, panel, marks) for panel in panels]) + rest


def _marks(run: RunData) -> list[float]:
    return sorted({float(alarm.step) for alarm in run.alarms if alarm.kind == "alarm"})


def _by_labels(run: RunData) -> list[str]:
    return [
        _grid(f"By {label}", [_card(*card) for card in strata.cards(run, label, _marks(run))])
        for label in strata.labels(run)
    ]


def _curve(run: RunData, panel: Panel, marks: Sequence[float]) -> str:
    known = roles(run)
    curves = []
    for name in panel.names(run):
        steps, values = run.series(name)
        low, high = (run.series(name.partition("/")[0] + end)[1] for end in ("/low", "/high"))
        interval = name in MEASURED and len(low) == len(high) == len(values)
        colour = known.index(role_of(name)) if panel.by_role and role_of(name) in known else None
        curves.append(
            Curve(
                panel.label(name),
                steps,
                values,
                low if interval else None,
                high if interval else None,
                colour,
            )
        )
    chart = line_chart(
        curves[:6], unit=panel.unit, marks=marks, salt=panel.title, legend=panel.by_role or len(curves) > 1
    )
    return _card(panel.title, chart, panel.note)


def _card(title: str, body: str, note: str = "") -> str:
    foot = f'<p class="quiet">{visible(note)}</p>' if note else ""
    return f'<div class="card"><h3>{visible(title)}</h3>{body}{foot}</div>'


def _grid(title: str, cards: Sequence[str]) -> str:
    head = f"<h2>{visible(title)}</h2>\n" if title else ""
    return f'{head}<div class="grid">{"".join(cards)}</div>' if cards else ""


def _proposals(run: RunData) -> str:
    cards = []
    if stages := funnel(run):
        cards.append(_card("What became of the proposals", _bars(stages)))
    if run.rates:
        edges = [i / 10 for i in range(11)]
        counts = Counter(min(9, int(rate * 10 + 1e-9)) for rate in run.rates)
        chart = histogram(
            [counts[i] for i in range(10)], edges, label="share of attempts that solved it", salt="rates"
        )
        cards.append(_card("How hard the attempted proposals were", chart))
    return _grid("Proposals", cards)


def _bars(counts: Mapping[str, int]) -> str:
    most = max(counts.values(), default=0) or 1
    rows = "".join(
        f"<tr><td>{visible(label, limit=160)}</td><td>{_bar(count / most)}</td>"
        f'<td class="number">{count:,}</td></tr>'
        for label, count in counts.items()
    )
    return f'<div class="wide"><table class="bars">{rows}</table></div>'


def _bar(share: float) -> str:
    return f'<div class="bar" style="width:{100 * share:.1f}%"></div>' if share else ""


def _graph(nodes: Sequence[GraphNode]) -> str:
    if not nodes:
        return ""
    retired = sum(node.retired for node in nodes)
    roots = sum(node.parent is None for node in nodes)
    swatches = "".join(f'<span class="swatch graph-{i}"></span>' for i in range(SHADES))
    note = (
        f"{len(nodes)} specifications, {roots} of them roots, {retired} retired, as of the last checkpoint. A row is a "
        "depth, and each lies below the one that it was proposed from. Where there are very many, those that were "
        "parents most often are drawn."
    )
    legend = (
        f'<p class="quiet legend">solve rate 0 {swatches} 1 '
        '<span class="swatch none"></span> never attempted '
        '<span class="swatch visits"></span> how often it was a parent '
        '<span class="swatch gone"></span> retired</p>'
    )
    return f'<h2>Curriculum</h2>\n<p class="quiet">{note}</p>\n<div class="card wide">{draw(nodes)}{legend}</div>'


def _counts(title: str, counts: Mapping[str, int]) -> str:
    if not counts:
        return ""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    shown = dict(ordered[:MOST_REASONS])
    if rest := sum(count for _, count in ordered[MOST_REASONS:]):
        shown["all others"] = rest
    return f'<h2>{visible(title)}</h2>\n<div class="card">{_bars(shown)}</div>'


def _samples(samples: Sequence[Sample]) -> str:
    if not samples:
        return ""
    accepted = [sample for sample in samples if sample.status == "passed"]
    refused = [sample for sample in samples if sample.status != "passed"]
    chosen = sorted(_spread(accepted) + _spread(refused), key=lambda sample: sample.step)
    note = (
        f"{len(chosen)} of {len(samples)}, accepted and refused ones, each spread evenly over the run. "
        "Open one to see what was written."
    )
    return f'<h2>Sampled problems</h2>\n<p class="quiet">{note}</p>\n' + "\n".join(map(_sample, chosen))


def _spread(samples: Sequence[Sample]) -> list[Sample]:
    """Return some of the samples, evenly spaced, so that early and late ones can be compared."""
    count = min(MOST_SAMPLES // 2, len(samples))
    return [samples[i * len(samples) // count] for i in range(count)]


def _sample(sample: Sample) -> str:
    solved = f" · solved {sample.solved} of {sample.tried}" if sample.tried else ""
    head = f'{_tag(sample.status)}<span class="sample">{visible(sample.text, limit=90)}</span>'
    attempts = "".join(
        f"<p>{_tag(attempt.status)} {visible(attempt.reason, limit=300)}</p><pre>{visible(attempt.text)}</pre>"
        for attempt in sample.attempts
    )
    shelf = f" · {visible(sample.shelf)}" if sample.shelf else ""
    walk = _walk(sample) if sample.drawing else ""
    return (
        f'<details><summary>{head} <span class="quiet">step {sample.step}{solved}{shelf}</span></summary>'
        f"<p>Gate: {visible(sample.reason, limit=300)}</p><pre>{visible(sample.text)}</pre>{walk}{attempts}</details>"
    )


def _walk(sample: Sample) -> str:
    drawn = paths.draw(sample.drawing, sample.attempts) if sample.drawing else ""
    legend = (
        '<p class="quiet">what the question is about: <span class="swatch start"></span> start '
        '<span class="swatch answer"></span> answers <span class="swatch wrong"></span> ended there and was not right</p>'
    )
    return f'<div class="wide">{drawn}</div>{legend}' if drawn else ""


def _tag(status: str) -> str:
    return f'<span class="tag {visible(status)}">{visible(status)}</span>'


def _alarms(alarms: Sequence[Alarm]) -> str:
    if not alarms:
        return ""
    rows = [(alarm.step, alarm.kind, alarm.name, alarm.message) for alarm in alarms]
    return f'<h2>Alarms and actions</h2>\n<div class="card">{_table(("step", "kind", "name", "message"), rows)}</div>'


def _accounting(accounts: Sequence[Mapping[str, object]]) -> str:
    if not accounts:
        return ""
    columns = tuple(accounts[0])
    return (
        '<h2>Accounts</h2>\n<p class="quiet">Every planned piece of work, by what became of it.</p>\n'
        f'<div class="card">{_table(columns, [tuple(row.get(column, "") for column in columns) for row in accounts])}</div>'
    )


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    body = [tuple(row) for row in rows]
    numeric = [all(isinstance(row[i], int | float) for row in body) for i in range(len(columns))]

    def cells(values: Sequence[object], mark: str) -> str:
        starts = (f'<{mark} class="number">' if number else f"<{mark}>" for number in numeric)
        parts = (
            f"{start}{visible(value, limit=400)}</{mark}>"
            for start, value in zip(starts, values, strict=True)
        )
        return f"<tr>{''.join(parts)}</tr>"

    return f'<div class="wide"><table>{cells(columns, "th")}{"".join(cells(row, "td") for row in body)}</table></div>'


def _config(config: Mapping[str, object]) -> str:
    if not config:
        return ""
    text = visible(json.dumps(config, indent=2, ensure_ascii=False), limit=200_000)
    return (
        f"<h2>Settings</h2>\n<details><summary>The whole resolved recipe</summary><pre>{text}</pre></details>"
    )
