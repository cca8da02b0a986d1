"""A training run under a progress bar, and what it came to as a table."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from rlvr_gym.cli._progress import progress_bar
from rlvr_gym.report.reading import write_page

if TYPE_CHECKING:
    from rlvr_gym.selfplay import RunReport
    from rlvr_gym.types import Json

_FIGURES = {
    "loss": "loss",
    "heldout/accuracy": "held-out",
    "solver/solve_rate": "solve",
    "solver/reward": "reward",
    "proposer/valid_share": "valid",
}
# How many lines a log gets per stage where no bar can be drawn.
_LINES = 10


class Watcher:
    """Shows a run's progress: a bar with live figures, or now and then a line where there is no terminal."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._stage = ""
        self._task = bar.add_task("starting", total=None, figures="")
        self._figures: dict[str, float] = {}
        self._told = 0

    def __call__(self, stage: str, done: int, total: int, figures: Mapping[str, Any]) -> None:
        """Take one report of the run."""
        if stage != "warm start":
            self._figures.pop("loss", None)
        self._figures |= {
            name: value for name, value in figures.items() if name in _FIGURES and value is not None
        }
        shown = "  ".join(
            f"{_FIGURES[name]} {self._figures[name]:.3f}" for name in _FIGURES if name in self._figures
        )
        if self._bar.disable:
            self._tell(stage, done, total, shown)
        self._bar.update(self._task, description=stage, completed=done, total=total, figures=shown)
        self._stage = stage

    def _tell(self, stage: str, done: int, total: int, shown: str) -> None:
        share = done * _LINES // total if total else 0
        if stage != self._stage or share > self._told:
            print(f"{stage} {done}/{total}  {shown}".rstrip(), file=sys.stderr, flush=True)
        self._told = share


def run(
    recipe: Path, *, folder: Path, overrides: Sequence[str], resume: bool, again: Sequence[str]
) -> tuple[RunReport, Path]:
    """Run a recipe and return its report and the path of its page.

    Args:
        recipe: A TOML file.
        folder: Where the run is recorded.
        overrides: ``a.b=c`` each.
        resume: Go on with the run in ``folder``.
        again: The command that goes on with the run, told after an interruption.

    Raises:
        RLVRError: what ``selfplay.train`` raises.
        typer.Exit: 130 after Ctrl-C.
    """
    from rlvr_gym.selfplay import train

    with progress_bar() as bar:
        try:
            report = train(recipe, folder=folder, overrides=overrides, resume=resume, watch=Watcher(bar))
        except KeyboardInterrupt:
            bar.stop()
            print(f"interrupted: everything settled so far is kept in {folder}", file=sys.stderr)
            print(f"go on with: {shlex.join(again)}", file=sys.stderr)
            raise typer.Exit(130) from None
    return report, write_page(folder)


def show(report: RunReport, page: Path) -> None:
    """Print what a run came to."""
    table = Table(box=box.SIMPLE_HEAD)
    for name in ("", "before", "after"):
        table.add_column(name)
    table.add_row("held-out accuracy", _shown(report.heldout_before), _shown(report.heldout_after))
    if report.valid_before is not None:
        table.add_row("valid proposals", _shown(report.valid_before), _shown(report.valid_after))
    Console().print(table)
    print(f"{report.steps} steps, {report.seconds:.1f} s, {len(report.alarms)} alarms")
    for alarm in report.alarms:
        print(f"alarm at step {alarm.step}: {alarm.detector}: {alarm.message}")
    if report.stopped:
        print(f"stopped early: {report.stopped}")
    print(f"page: {page}")


def _shown(estimate: Json) -> str:
    if estimate is None or estimate["mean"] is None:
        return "undefined"
    return f"{estimate['mean']:.3f} [{estimate['low']:.3f}, {estimate['high']:.3f}]"
