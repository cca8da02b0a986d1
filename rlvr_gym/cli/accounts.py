"""``rlvr-gym accounts``: whether every planned piece of work is accounted for exactly once."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from rlvr_gym.report.reading import COLUMNS, totals
from rlvr_gym.store import RunStore

_MOST_LINES = 20


def command(
    folder: Annotated[Path, typer.Argument(help="Run folder.")],
    whole: Annotated[
        bool, typer.Option("--files", help="Also read every stored array and checkpoint.")
    ] = False,
) -> None:
    """Check a run's accounts: planned = charged + dropped + masked + void + open; exit code 1 if they do not add up."""
    with RunStore.open(folder, readonly=True) as store:
        rows = totals(store.accounting())
        problems = store.problems() if whole else store.verify_accounts()
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("role")
    for name in COLUMNS:
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(str(row["role"]), *(f"{row[name]:,}" for name in COLUMNS))
    Console().print(table)
    for line in problems[:_MOST_LINES]:
        print(line, file=sys.stderr)
    if problems:
        print(f"{len(problems)} problems", file=sys.stderr)
        raise typer.Exit(1)
    print("every piece of work is accounted for")
