"""``rlvr-gym swe-tasks``: validated software-engineering tasks from packages with tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.markup import escape
from rich.table import Table

from rlvr_gym.cli._console import wide_console
from rlvr_gym.cli._progress import progress_bar
from rlvr_gym.errors import UsageError

if TYPE_CHECKING:
    from rlvr_gym.factory.build import Row
    from rlvr_gym.factory.recipe import Recipe


def command(
    packages: Annotated[
        list[str] | None,
        typer.Argument(
            help="NAME, NAME==VERSION,VERSION (oldest first), or a folder with a slash in its name."
        ),
    ] = None,
    recipe: Annotated[
        Path | None, typer.Option(help="A TOML file with packages and numbers.", show_default=False)
    ] = None,
    out: Annotated[
        Path, typer.Option(help="Folder of the data set; an interrupted command goes on in it.")
    ] = Path("swe-tasks"),
    fixes: Annotated[
        int | None,
        typer.Option(min=0, help="Most real fixes of a package. [default: 10]", show_default=False),
    ] = None,
    bugs: Annotated[
        int | None, typer.Option(min=0, help="Seeded bugs of a package. [default: 20]", show_default=False)
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Chooses the bugs. [default: 0]", show_default=False)
    ] = None,
    requires: Annotated[
        list[str] | None,
        typer.Option(
            "--with", help="A requirement of the tests of PACKAGE, as pip takes it; may be repeated."
        ),
    ] = None,
    environment: Annotated[
        Path | None,
        typer.Option(
            help="A folder of dependencies, pytest among them, in place of those that pip installs."
        ),
    ] = None,
    processes: Annotated[int, typer.Option(min=0, help="Candidates at a time; 0: one per processor.")] = 0,
    runtime: Annotated[str, typer.Option(help="Where all code of the packages runs.")] = "local",
) -> None:
    """Make validated software-engineering tasks from the releases of packages; exit code 1 if there are none."""
    from rlvr_gym.factory.build import Factory
    from rlvr_gym.repositories.rows import FILE
    from rlvr_gym.runtimes.base import UnavailableError, make_runtime

    chosen = _recipe(packages or [], recipe, requires or [], {"fixes": fixes, "bugs": bugs, "seed": seed})
    if environment is not None and not environment.is_dir():
        raise UsageError(f"--environment {environment}: there is no such folder.")
    place = make_runtime(runtime, where="--runtime")
    if lines := place.missing():
        raise UnavailableError(f"The runtime '{runtime}' cannot isolate here. Missing: {'; '.join(lines)}.")
    with progress_bar() as bar:
        task = bar.add_task("", total=None, figures="")

        def watch(what: str, done: int, total: int, figures: str) -> None:
            bar.update(task, description=what, completed=done, total=total, figures=figures)

        rows = Factory(chosen, out, place, processes, environment, watch).build()
    _print(rows)
    num = sum(sum(row.made.values()) for row in rows)
    print(f"{num} instances in {out / FILE}")
    if not num:
        raise typer.Exit(1)


def _recipe(
    packages: Sequence[str], file: Path | None, requires: Sequence[str], numbers: dict[str, int | None]
) -> Recipe:
    from rlvr_gym.factory.recipe import Recipe, package_of, read_recipe

    if not packages and file is None:
        raise UsageError("Name a package, or a recipe by --recipe.")
    if requires and len(packages) != 1:
        raise UsageError("--with belongs to one PACKAGE; a recipe has 'requires' for each.")
    found = read_recipe(file) if file is not None else Recipe()
    named = tuple(package_of(text, requires) for text in packages)
    given = {name: value for name, value in numbers.items() if value is not None}
    return found.model_copy(update={"packages": (*found.packages, *named), **given})


def _print(rows: Sequence[Row]) -> None:
    table = Table(box=box.SIMPLE_HEAD)
    for name in ("package", "license"):
        table.add_column(name, overflow="fold")
    for name in ("releases", "fixes", "of", "bugs", "of", "seconds"):
        table.add_column(name, justify="right")
    table.add_column("")
    for row in rows:
        counts = [str(counter[kind]) for kind in ("fix", "bug") for counter in (row.made, row.tried)]
        cells = [row.package, row.license, str(row.releases), *counts, f"{row.seconds:.0f}", row.failed]
        table.add_row(*map(escape, cells))

    def total(kind: str) -> list[str]:
        return [str(sum(row.made[kind] for row in rows)), str(sum(row.tried[kind] for row in rows))]

    table.add_section()
    seconds = sum(row.seconds for row in rows)
    table.add_row(f"{len(rows)} packages", "", "", *total("fix"), *total("bug"), f"{seconds:.0f}", "")
    console = wide_console()
    console.print(table)
    dropped = sum((row.dropped for row in rows), Counter())
    reasons = Table(box=box.SIMPLE_HEAD)
    reasons.add_column("dropped", justify="right")
    reasons.add_column("because", overflow="fold")
    for reason, count in sorted(dropped.items(), key=lambda item: (-item[1], item[0])):
        reasons.add_row(str(count), escape(reason))
    if dropped:
        console.print(reasons)
