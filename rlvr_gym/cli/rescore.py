"""``rlvr-gym rescore``: judge a run's recorded texts again, and list the verdicts that change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.markup import escape
from rich.table import Table

from rlvr_gym.cli._console import wide_console
from rlvr_gym.cli._progress import progress_bar
from rlvr_gym.cli._settings import Plugin, Settings, load_plugin, settings
from rlvr_gym.errors import UsageError
from rlvr_gym.verifiers import Verifier
from rlvr_gym.verifiers.pool import shared_pool

if TYPE_CHECKING:
    from rlvr_gym.selfplay.rescoring import Rescored, RescoreReport
    from rlvr_gym.types import Verdict

_TEXT = 60


def command(
    folder: Annotated[Path, typer.Argument(help="Run folder; the run may be going on.")],
    verifier: Annotated[
        str | None, typer.Option(help="Who judges; the run's own verifier, as it is today, when left out.")
    ] = None,
    given: Settings = None,
    role: Annotated[str, typer.Option(help="Whose texts.")] = "solver",
    file: Plugin = None,
    show: Annotated[int, typer.Option(min=0, help="Changed verdicts shown.")] = 20,
    out: Annotated[Path | None, typer.Option("--json", help="Where all changed verdicts go.")] = None,
) -> None:
    """Judge what a run has recorded with another verifier, version or settings, and list the changed verdicts.

    Nothing in the run changes. Exit code 1 if a task cannot be judged by that verifier.
    """
    from rlvr_gym.selfplay.rescoring import rescore

    load_plugin(file)
    if verifier is None and given:
        raise UsageError("--set belongs to the --verifier that judges.")
    judge = None if verifier is None else Verifier(verifier, settings(given))
    with progress_bar() as bar:
        task = bar.add_task(f"rescore {folder.name}", total=None, figures="")

        def watch(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        try:
            report = rescore(folder, judge, role=role, watch=watch)
        except KeyboardInterrupt:
            # Ends what runs in the workers; the process would wait for it otherwise.
            shared_pool().close()
            raise
    _print(report, show)
    if out is not None:
        try:
            out.write_text(json.dumps(report.to_dict(), indent=2) + "\n", encoding="utf-8")
        except OSError as error:
            raise UsageError(f"{out}: {error.strerror}.") from None
    if report.errors:
        raise typer.Exit(1)


def _print(report: RescoreReport, show: int) -> None:
    console = wide_console()
    changes = report.changes[:show]
    if changes:
        table = Table(box=box.SIMPLE_HEAD)
        for name in ("step", "task", "attempt"):
            table.add_column(name, justify="left" if name == "task" else "right", overflow="ellipsis")
        for name in ("old", "new"):
            table.add_column(name, no_wrap=True)
        table.add_column("text", no_wrap=True, overflow="ellipsis", ratio=1)
        for row in changes:
            table.add_row(*_cells(row))
        console.print(table)
    if len(report.changes) > len(changes):
        print(f"and {len(report.changes) - len(changes):,} more; --show and --json give them")
    summary = Table(box=box.SIMPLE_HEAD)
    summary.add_column("verdicts")
    summary.add_column("number", justify="right")
    for transition, number in report.transitions().items():
        summary.add_row(transition, f"{number:,}")
    console.print(summary)
    for reason in dict.fromkeys(row.error for row in report.errors[:show]):
        console.print(escape(reason), soft_wrap=True, highlight=False)
    unjudged = f", {len(report.errors):,} cannot be judged" if report.errors else ""
    print(f"{report.verifier}: {len(report.changes):,} of {len(report.rows):,} verdicts change{unjudged}")


def _cells(row: Rescored) -> tuple[str, ...]:
    old = row.old
    new = "cannot be judged" if row.new is None else _shown(row.new)
    # ASCII only: what a policy wrote must not reach the terminal as control characters.
    text, task = (json.dumps(value)[1:-1] for value in (old.text[:_TEXT], old.task.id[:_TEXT]))
    return str(old.step), escape(task), str(old.attempt), _shown(old.verdict), new, escape(text)


def _shown(verdict: Verdict) -> str:
    return f"{verdict.status} {'masked' if verdict.score is None else format(verdict.score, 'g')}"
