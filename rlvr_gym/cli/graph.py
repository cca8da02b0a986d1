"""``rlvr-gym graph``: what there is to know of a knowledge graph before training on it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from rlvr_gym.cli._console import wide_console
from rlvr_gym.cli._progress import progress_bar
from rlvr_gym.cli._settings import Settings, settings

if TYPE_CHECKING:
    from rlvr_gym.graphs.corpus import Corpus
    from rlvr_gym.graphs.sampling import Sampler
    from rlvr_gym.graphs.structure import GateConfig
    from rlvr_gym.graphs.summary import HopFigures, RelationFigures

_MOST_RELATIONS = 40
"""Rows of the table on a screen; JSON has all."""


def command(
    graph: Annotated[
        str,
        typer.Argument(
            help="A file (.tsv, .ttl, .graphml, .json, ...) or a registered source, such as world."
        ),
    ],
    hops: Annotated[int, typer.Option(min=1, max=8, help="Longest paths to try.")] = 3,
    inverse: Annotated[
        bool, typer.Option("--inverse", help="Also walk relations from tail to head.")
    ] = False,
    questions: Annotated[int, typer.Option(min=0, max=1000, help="How many questions to show.")] = 6,
    wording: Annotated[Literal["text", "codes"], typer.Option(help="How questions are written.")] = "text",
    seed: Annotated[int, typer.Option(min=0, help="Of the paths that are drawn.")] = 0,
    given: Settings = None,
    gate: Annotated[
        list[str] | None,
        typer.Option(metavar="a=b", help="One setting of the question gate, such as answers=set."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Also write the graph to a .tsv, .json or .graphml file.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Read GRAPH and show its size, its relations, its ambiguous names and which questions it makes.

    A file that is no graph is refused with the line and the reason, and exit code 2.
    """
    import numpy as np

    from rlvr_gym.config import build
    from rlvr_gym.graphs import open_corpus
    from rlvr_gym.graphs.sampling import Sampler
    from rlvr_gym.graphs.structure import GateConfig
    from rlvr_gym.graphs.summary import name_figures, relation_figures, sample_questions
    from rlvr_gym.graphs.writing import write_graph

    config = build(GateConfig, settings(gate), where="--gate")
    corpus = open_corpus(_table(graph, settings(given)))
    if out is not None:
        write_graph(corpus.graph, out)
    sampler = Sampler(corpus.graph, inverse=inverse)
    rng = np.random.default_rng(seed)
    relations = relation_figures(corpus.graph)
    names = name_figures(corpus.graph)
    by_hop = _by_hop(sampler, hops, config, rng, wording)
    asked = [
        {"hops": path.hops, "question": question, "answers": answers, "path": path.to_json(corpus.graph)}
        for path, question, answers in sample_questions(
            sampler, questions, hops, config, rng, wording=wording
        )
    ]
    if as_json:
        print(
            json.dumps(
                {
                    "entities": corpus.graph.num_entities,
                    "facts": corpus.graph.num_facts,
                    "documents": len(corpus.documents),
                    "notes": list(corpus.notes),
                    "names": names[0],
                    "ambiguous_names": names[1],
                    "relations": [asdict(row) for row in relations],
                    "hops": [row.to_dict() for row in by_hop],
                    "questions": asked,
                }
            )
        )
        return
    console = wide_console()
    _show_size(console, corpus, names)
    _show_relations(console, relations)
    _show_hops(console, by_hop)
    for row in asked:
        console.print(
            f"{row['hops']}  {escape(row['question'])}  [green]{escape('; '.join(row['answers']))}[/]"
        )


def _table(graph: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return what names the source: the settings may say more of a file than its suffix does."""
    from rlvr_gym.graphs import resolve_source

    if "/" in graph or Path(graph).suffix:
        return {"name": resolve_source(graph)[0].name, "file": graph, **given}
    return {"name": graph, **given}


def _by_hop(
    sampler: Sampler, hops: int, config: GateConfig, rng: Any, wording: Literal["text", "codes"]
) -> list[HopFigures]:
    from rlvr_gym.graphs.summary import hop_figures

    found = []
    with progress_bar() as bar:
        task = bar.add_task("gate", total=hops, figures="")
        for number in range(1, hops + 1):
            found.append(hop_figures(sampler, number, config, rng, wording=wording))
            bar.update(task, advance=1, figures=f"{number} hops")
    return found


def _show_size(console: Console, corpus: Corpus, names: tuple[int, int]) -> None:
    graph = corpus.graph
    documents = f", {len(corpus.documents):,} documents" if corpus.documents else ""
    console.print(
        f"[bold]{graph.num_facts:,}[/] facts, [bold]{graph.num_entities:,}[/] entities, "
        f"[bold]{graph.num_relations:,}[/] relations{documents}; "
        f"{names[1]:,} of {names[0]:,} names mean several entities"
    )
    for note in corpus.notes:
        console.print(f"[yellow]{escape(note)}[/]")


def _show_relations(console: Console, rows: Sequence[RelationFigures]) -> None:
    table = Table(title="relations", title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("relation", overflow="fold")
    table.add_column("in questions", overflow="fold")
    for name in ("facts", "heads", "tails", "one tail", "one head"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows[:_MOST_RELATIONS]:
        table.add_row(
            escape(row.id),
            escape(row.words),
            *(f"{number:,}" for number in (row.facts, row.heads, row.tails)),
            f"{row.functional:.0%}",
            f"{row.inverse_functional:.0%}",
        )
    console.print(table)
    if len(rows) > _MOST_RELATIONS:
        console.print(f"and {len(rows) - _MOST_RELATIONS:,} more; --json has all\n")


def _show_hops(console: Console, rows: Sequence[HopFigures]) -> None:
    table = Table(title="paths through the gate", title_justify="left", box=box.SIMPLE_HEAD)
    for name in ("hops", "drawn", "sound", "make a question"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("refused", overflow="fold")
    for row in rows:
        sound = f"{row.sound / row.drawn:.1%}" if row.drawn else "-"
        share = f"{row.share:.1%}" if row.drawn else "-"
        rejects = ", ".join(
            f"{reason.replace('_', ' ')} {number:,}" for reason, number in row.rejects.items()
        )
        table.add_row(
            f"{row.hops}", f"{row.drawn:,}", sound, share, rejects or "no path is so long" * (not row.drawn)
        )
    console.print(table)
