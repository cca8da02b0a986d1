"""``rlvr-gym harbor``: check Harbor task folders, and write instances as such."""

from __future__ import annotations

import enum
import sys
from pathlib import Path
from typing import Annotated

import typer

from rlvr_gym.cli._progress import progress_bar
from rlvr_gym.errors import UsageError
from rlvr_gym.repositories.harbor.exporting import export
from rlvr_gym.repositories.harbor.loading import find_folders
from rlvr_gym.repositories.harbor.validating import Finding, validate
from rlvr_gym.repositories.rows import read_instances
from rlvr_gym.runtimes.base import make_runtime

_EXPORT_ARGUMENTS = 2


class What(enum.StrEnum):
    """What can be done with task folders."""

    VALIDATE = "validate"
    EXPORT = "export"


def command(
    what: Annotated[What, typer.Argument(help="validate or export.")],
    paths: Annotated[
        list[Path],
        typer.Argument(help="validate: FOLDER...; export: ROWS OUT.", show_default=False),
    ],
    runtime: Annotated[str, typer.Option("--runtime", help="Where scripts run: local or docker.")] = "local",
    image: Annotated[str, typer.Option("--image", help="Image built from the Dockerfile, for docker.")] = "",
) -> None:
    """Check task folders, or write the instances of a data set as task folders.

    `validate` reads each folder (or those right below it), then runs its tests twice on its own solution, which must
    earn 1, and twice on nothing, which must earn less. Exit code 1 when a folder does not hold that. `export` reads a
    data set that `rlvr-gym swe-tasks` wrote, and writes one folder for each instance below OUT.
    """
    if what is What.EXPORT:
        _export(paths)
        return
    chosen = make_runtime(runtime)
    folders = [folder for path in paths for folder in find_folders(path)]
    num_bad = 0
    with progress_bar() as bar:
        task = bar.add_task("validate", total=len(folders), figures="")
        for folder in folders:
            finding = validate(folder, chosen, image=image)
            num_bad += not finding.holds
            _tell(folder, finding)
            bar.update(task, advance=1, figures=f"{num_bad} bad" if num_bad else "")
    if num_bad:
        print(f"{num_bad} of {len(folders)} task folders do not hold", file=sys.stderr)
        raise typer.Exit(1)


def _tell(folder: Path, finding: Finding) -> None:
    state = "holds" if finding.holds else "bad" if finding.supported else "not supported"
    print(f"{state}: {folder}")
    for line in finding.notes:
        print(f"  note: {line}")
    for line in finding.problems:
        print(f"  {line}", file=sys.stderr)


def _export(paths: list[Path]) -> None:
    if len(paths) != _EXPORT_ARGUMENTS:
        raise UsageError(f"export takes ROWS and OUT, not {len(paths)} paths.")
    rows, out = paths
    instances = read_instances(rows)
    out.mkdir(parents=True, exist_ok=True)
    for instance in instances:
        print(f"wrote {export(instance, out)}")
