"""``python -m experiments list|run|report``."""

from __future__ import annotations

import os
import shlex
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, cast

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

# Before anything imports torch: with more threads than one a run of this size is slower, not faster.
os.environ["OMP_NUM_THREADS"] = "1"

from experiments.catalog import EXPERIMENTS
from experiments.design import Experiment, SizeName
from experiments.harness import RUNS, make_base, run_plan
from experiments.results import document, report, write
from rlvr_gym.errors import RLVRError, UsageError, did_you_mean

app = typer.Typer(
    rich_markup_mode=None, no_args_is_help=True, pretty_exceptions_enable=False, add_completion=False
)
RESULTS = Path("docs/results")


class Size(StrEnum):
    """Sizes that may be asked for."""

    XS = "xs"
    S = "s"
    M = "m"


class Watcher:
    """A bar over the steps of all jobs met so far; without a terminal a line per finished job."""

    def __init__(self, bar: Progress, title: str) -> None:
        self._bar = bar
        self._title = title
        self._task = bar.add_task(title, total=None, label="")
        self._steps: dict[str, tuple[int, int]] = {}

    def __call__(self, label: str, done: int, total: int) -> None:
        """Take one report of one job."""
        if self._steps.get(label) == (done, total):
            return
        self._steps[label] = (done, total)
        finished = sum(d == t for d, t in self._steps.values())
        if self._bar.disable and done == total:
            typer.echo(f"{self._title}: {label} done ({finished} so far)", err=True)
        sums = [sum(column) for column in zip(*self._steps.values(), strict=True)]
        self._bar.update(self._task, completed=sums[0], total=sums[1], label=label)


@app.command("list")
def list_() -> None:
    """What experiments there are."""
    for experiment in EXPERIMENTS.values():
        typer.echo(f"{experiment.name:24} {experiment.title}")


@app.command()
def run(
    names: Annotated[list[str], typer.Argument(help="Experiments to run, or 'all'.")],
    size: Annotated[Size, typer.Option(case_sensitive=False, help="m is the evidence, xs a trial.")] = Size.M,
    seeds: Annotated[int, typer.Option(min=1, max=22, help="How many seeds: 0, 1, ...")] = 6,
    processes: Annotated[int, typer.Option(min=1, help="Runs side by side.")] = 2,
    out: Annotated[Path, typer.Option(help="Folder of results.")] = RESULTS,
) -> None:
    """Run experiments and write their results; finished runs are kept, and an interrupted one goes on."""
    chosen = list(EXPERIMENTS) if names == ["all"] else names
    for name in chosen:
        if name not in EXPERIMENTS:
            raise UsageError(f"No experiment is named '{name}'.{did_you_mean(name, EXPERIMENTS)}")
    for name in chosen:
        # Results are written one by one, so that a failure in the second costs nothing of the first.
        _run(EXPERIMENTS[name], cast(SizeName, str(size)), seeds, processes, out)
    for path in report(out, EXPERIMENTS):
        typer.echo(path)


def _run(experiment: Experiment, size: SizeName, seeds: int, processes: int, out: Path) -> None:
    given = ["run", experiment.name, "--size", size, "--seeds", str(seeds), "--processes", str(processes)]
    with _bar() as bar:
        watch = Watcher(bar, experiment.name)
        runs = run_plan(experiment, experiment.plan(size, range(seeds)), processes=processes, tell=watch)
        made = make_base(experiment.base(size), RUNS, watch)
    command = f"python -m experiments {shlex.join(given)}"
    path = write(document(experiment, size, range(seeds), runs, command=command, made=made), out)
    typer.echo(path)


@app.command("report")
def report_(
    out: Annotated[Path, typer.Option(help="Folder of results.")] = RESULTS,
) -> None:
    """Write all pages again from the JSON files."""
    written = report(out, EXPERIMENTS)
    if not written:
        raise UsageError(f"{out}: there are no results here. Run an experiment first.")
    for path in written:
        typer.echo(path)


def _bar() -> Progress:
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[label]}"),
        console=console,
        disable=not console.is_terminal,
        transient=True,
    )


def main() -> None:
    """Run the command line; a user's error is one line and exit code 2."""
    try:
        app()
    except RLVRError as error:
        typer.echo(f"error: {error}", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
