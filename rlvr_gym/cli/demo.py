"""``rlvr-gym demo``: the embedded self-play run."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Annotated

import typer

from rlvr_gym.cli._running import run, show


def command(
    given: Annotated[
        list[str] | None, typer.Option("--set", metavar="a.b=c", help="Change one setting of the recipe.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            help="Run folder; the first free one of runs/demo, runs/demo-2, ... when left out.",
            show_default=False,
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in the folder given by --out.")
    ] = False,
) -> None:
    """Let a small policy set itself integrals and learn from them, offline, on a CPU.

    Prints held-out accuracy and the share of valid proposals, before and after.
    """
    from rlvr_gym.selfplay import DEMO

    overrides = given or []
    folder = out or _free()
    again = ["rlvr-gym", "demo", *(part for override in overrides for part in ("--set", override))]
    again += ["--out", str(folder), "--resume"]
    report, page = run(DEMO, folder=folder, overrides=overrides, resume=resume, again=again)
    print(f"warm start: {report.warm_start}")
    show(report, page)


def _free() -> Path:
    names = itertools.chain(["demo"], (f"demo-{number}" for number in itertools.count(2)))
    return next(folder for name in names if not (folder := Path("runs") / name).exists())
