"""From runs to a JSON document, and from JSON documents to pages; the documents alone are enough for the pages."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from experiments.design import Base, Experiment, Run, SizeName
from experiments.figure import draw
from experiments.inference import LEVEL, Analysis, Test, adjusted

Document = dict[str, Any]
_SIZES: tuple[SizeName, ...] = ("m", "s", "xs")


def document(
    experiment: Experiment,
    size: SizeName,
    seeds: Sequence[int],
    runs: Sequence[Run],
    *,
    command: str,
    made: Mapping[str, Any],
) -> Document:
    """Return everything that is known of an experiment's runs, as JSON values."""
    analysis = experiment.analyse(runs)
    return {
        "experiment": experiment.name,
        "size": size,
        "seeds": list(seeds),
        "command": command,
        "versions": _versions(),
        "settings": experiment.settings(size),
        "base": {**_base(experiment.base(size)), **made},
        "cpu_seconds": round(sum(run.cpu_seconds for run in runs), 1),
        "primaries": [test.to_dict() for test in adjusted(analysis.primaries)],
        "parts": [test.to_dict() for test in analysis.parts],
        "secondary": [test.to_dict() for test in analysis.secondary],
        "notes": analysis.notes,
        "runs": [run.to_dict() for run in runs],
    }


def _versions() -> dict[str, str]:
    names = ("rlvr-gym", "numpy", "torch", "transformers")
    return {"python": platform.python_version(), **{name: version(name) for name in names}}


def _base(base: Base) -> dict[str, Any]:
    return {**asdict(base), "mistakes": dict(base.mistakes), "key": base.key}


def file_stem(name: str, size: str) -> str:
    """Return the name that an experiment's files share."""
    return f"{name}-{size}"


def write(found: Document, folder: Path) -> Path:
    """Write a document to ``folder`` and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{file_stem(found['experiment'], found['size'])}.json"
    path.write_text(f"{_dense(found)}\n", encoding="utf-8")
    return path


def _dense(found: Document) -> str:
    """Return JSON with a line per entry, and a line per run, so that files stay short and differences readable."""
    rows = []
    for key, entry in found.items():
        if isinstance(entry, list) and entry and isinstance(entry[0], dict):
            inner = ",\n".join(f"  {json.dumps(item)}" for item in entry)
            rows.append(f"{json.dumps(key)}: [\n{inner}\n ]")
        else:
            rows.append(f"{json.dumps(key)}: {json.dumps(entry)}")
    return "{\n " + ",\n ".join(rows) + "\n}"


def report(folder: Path, experiments: Mapping[str, Experiment]) -> list[Path]:
    """Write the page and figure of every document in ``folder`` and the index of all, and return the paths."""
    # The folder may hold files of others, such as those of benchmarks.
    paths = [folder / f"{file_stem(name, size)}.json" for size in _SIZES for name in sorted(experiments)]
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in paths if path.is_file()]
    written = []
    for found in documents:
        experiment = experiments[found["experiment"]]
        analysis = experiment.analyse([Run.from_dict(row) for row in found["runs"]])
        stem = file_stem(found["experiment"], found["size"])
        (folder / f"{stem}.svg").write_text(draw(analysis.curves, salt=stem), encoding="utf-8")
        (folder / f"{stem}.md").write_text(page(experiment, found, analysis), encoding="utf-8")
        written += [folder / f"{stem}.md", folder / f"{stem}.svg"]
    if documents:
        (folder / "index.md").write_text(index(experiments, documents), encoding="utf-8")
        written.append(folder / "index.md")
    return written


def page(experiment: Experiment, found: Document, analysis: Analysis) -> str:
    """Return an experiment's page in Markdown."""
    primaries = adjusted(analysis.primaries)
    stem = file_stem(experiment.name, found["size"])
    size, policy, base = found["size"].upper(), found["base"]["policy"], found["base"]
    lines = [
        f"# {experiment.title}",
        "",
        f"Size {size}: {policy['layers']} layers of width {policy['width']}, {base['parameters']:,} parameters; "
        f"{len(found['seeds'])} seeds, paired across arms. Written by `{found['command']}`.",
        "",
        f"**Expected.** {experiment.expected}",
        "",
        f"**Found.** {_verdict(primaries)}",
        "",
        "## Primary claims",
        "",
        *_table(primaries, adjusted_p=True),
        "",
    ]
    if analysis.parts:
        lines += ["Its parts; the line above shows the weakest:", "", *_table(analysis.parts), ""]
    for table in analysis.tables:
        lines += [f"{table.title}:", "", *_rows([table.columns, *table.rows]), ""]
    lines += [f"![curves]({stem}.svg)", ""]
    tests = [test for test in analysis.secondary if test.kind != "level"]
    levels = [test for test in analysis.secondary if test.kind == "level"]
    lines += ["## Beside them", "", "Not adjusted for their number.", "", *_table(tests), ""]
    lines += ["| figure | mean over seeds [95 %] |", "|---|---|"]
    lines += [f"| {test.claim} | {_interval(test)} |" for test in levels]
    lines += ["", *(f"- {note}" for note in analysis.notes), ""] if analysis.notes else [""]
    lines += [
        "## What fell short",
        "",
        *(f"- {line}" for line in _shortfalls(experiment, primaries, analysis)),
    ]
    lines += ["", "## How it was made", "", *(f"- {line}" for line in _made(found)), ""]
    return "\n".join(lines)


def index(experiments: Mapping[str, Experiment], documents: Sequence[Document]) -> str:
    """Return the page that lists all experiments, primaries adjusted over all of one size together."""
    lines = [
        "# Results of the experiments",
        "",
        "Primaries of one size form one family: their p-values are adjusted together (Holm). A claim holds when its "
        f"adjusted p-value is below {LEVEL}. `python -m experiments report` writes these pages again from the JSON files.",
    ]
    for size in _SIZES:
        family: list[tuple[Document, Test]] = []
        for found in documents:
            if found["size"] == size:
                runs = [Run.from_dict(row) for row in found["runs"]]
                family += [(found, test) for test in experiments[found["experiment"]].analyse(runs).primaries]
        if not family:
            continue
        # Names of two experiments may be the same.
        named = [replace(test, name=str(i)) for i, (_, test) in enumerate(family)]
        lines += ["", f"## Size {size.upper()}", ""]
        # Of n seeds the smallest p-value is 1 / 2^n.
        least = len(family) * max(0.5 ** len(found["seeds"]) for found, _ in family)
        if least >= LEVEL:
            lines += [
                f"With these numbers of seeds and of claims the smallest adjusted p-value there can be is {least:.2g}: no claim "
                "can hold here, whatever the runs show. The pages of the experiments adjust within each.",
                "",
            ]
        lines += [
            "| experiment | claim | difference [95 %] | p | p adjusted | |",
            "|---|---|---|---|---|---|",
        ]
        for (found, _), test in zip(family, adjusted(named), strict=True):
            link = f"[{found['experiment']}]({file_stem(found['experiment'], size)}.md)"
            lines.append(
                f"| {link} | {test.claim} | {_interval(test)} | {_p(test.p)} | {_p(test.adjusted)} | {_word(test)} |"
            )
    return "\n".join([*lines, ""])


def _table(tests: Sequence[Test], *, adjusted_p: bool = False) -> list[str]:
    last = "p | p adjusted" if adjusted_p else "p"
    lines = [f"| claim | test | mean difference [95 %] | by seed | {last} | |", "|---|---|---|---|---|---|"]
    if adjusted_p:
        lines[1] += "---|"
    for test in tests:
        seeds = ", ".join(f"{value:+.3f}" for value in test.values.values())
        p = f"{_p(test.p)} | {_p(test.adjusted)}" if adjusted_p else _p(test.p)
        lines.append(f"| {test.claim} | {test.kind} | {_interval(test)} | {seeds} | {p} | {_word(test)} |")
    return lines


def _rows(rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return [lines[0], "|---" * len(rows[0]) + "|", *lines[1:]]


def _interval(test: Test) -> str:
    return str(test.interval)


def _p(p: float | None) -> str:
    return "" if p is None else f"{p:.4f}"


def _word(test: Test) -> str:
    return {True: "holds", False: "**not shown**", None: ""}[test.holds]


def _verdict(primaries: Sequence[Test]) -> str:
    failed = [test for test in primaries if not test.holds]
    if not failed:
        return "All primary claims hold."
    held = len(primaries) - len(failed)
    return (
        f"{held} of {len(primaries)} primary claims hold. Not shown: "
        + "; ".join(t.claim for t in failed)
        + "."
    )


def _shortfalls(experiment: Experiment, primaries: Sequence[Test], analysis: Analysis) -> list[str]:
    lines = [
        f"Not shown: {test.claim} ({_interval(test)}, p = {_p(test.p)})."
        for test in [*primaries, *analysis.parts, *analysis.secondary]
        if test.holds is False
    ]
    return [*lines, *experiment.limits]


def _made(found: Document) -> list[str]:
    base, versions = found["base"], found["versions"]
    world = base["environment"]
    world = world if isinstance(world, str) else json.dumps(world)
    return [
        f"Settings: `{json.dumps(found['settings'])}`.",
        f"Base: {base['steps']} steps of imitation of `{world}` in batches of {base['batch_size']} "
        f"at {base['lr']:g}, last loss {base['last_loss']:.3f}, {base['cpu_seconds']:.0f} CPU seconds.",
        f"Runs: {len(found['runs'])}, {found['cpu_seconds'] / 60:.1f} CPU minutes, one torch thread each.",
        "Versions: " + ", ".join(f"{name} {number}" for name, number in versions.items()) + ".",
        "Tests: exact one-sided sign-flip permutation of paired differences; 95 % bootstrap intervals over seeds; "
        "equality by two one-sided t-tests.",
    ]
