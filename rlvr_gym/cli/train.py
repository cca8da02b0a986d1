"""``rlvr-gym train``: run a recipe."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rlvr_gym.cli._running import run, show
from rlvr_gym.cli._settings import Plugin, load_plugin


def command(
    recipe: Annotated[Path, typer.Argument(help="A TOML file, such as recipes/grpo_sums_smollm2.toml.")],
    given: Annotated[
        list[str] | None, typer.Option("--set", metavar="a.b=c", help="Change one setting of the recipe.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Run folder; runs/RECIPE-SEED when left out.", show_default=False),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run that the folder holds.")
    ] = False,
    file: Plugin = None,
) -> None:
    """Train as a recipe says; everything is recorded in the run folder as it happens.

    After a stop of any kind, the same command with --resume goes on as if there had been none.
    """
    from rlvr_gym.selfplay import load_recipe

    load_plugin(file)
    overrides = given or []
    folder = out or Path("runs") / f"{recipe.stem}-{load_recipe(recipe, overrides).seed}"
    again = [
        "rlvr-gym",
        "train",
        str(recipe),
        *(part for override in overrides for part in ("--set", override)),
    ]
    again += ["--out", str(folder), *(["--file", str(file)] if file else []), "--resume"]
    report, page = run(recipe, folder=folder, overrides=overrides, resume=resume, again=again)
    show(report, page)
