"""``rlvr-gym list``: what is registered, with papers and settings."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from rlvr_gym.report.catalog import Kind, catalog, markdown


def command(
    kind: Annotated[
        str | None, typer.Argument(help="env, verifier, policy, algorithm, ...; all when left out.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the tables of docs/registered.md.")
    ] = False,
) -> None:
    """Show what is registered: names, papers, settings with their defaults."""
    kinds = catalog(kind)
    if as_json:
        print(json.dumps({found.kind: found.to_dict() for found in kinds}, indent=2))
    elif as_markdown:
        print(markdown(kinds), end="")
    else:
        console = Console(soft_wrap=False)
        for found in kinds:
            _show(console, found)


def _show(console: Console, kind: Kind) -> None:
    if kind.missing:
        console.print(f"[bold]{kind.kind}[/]  {escape(kind.missing)}\n")
        return
    table = Table(title=f"{kind.kind} ({len(kind.things)})", title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("name", no_wrap=True, style="bold")
    table.add_column("what it is", ratio=3)
    table.add_column("settings", ratio=2)
    for thing in kind.things:
        what = thing.summary + (f" ({thing.paper})" if thing.paper else "")
        settings = ", ".join(s.assignment for s in thing.settings)
        table.add_row(thing.name, escape(what), escape(settings))
    console.print(table)
