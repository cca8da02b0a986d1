"""``rlvr-gym page``: the HTML page of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rlvr_gym.report.reading import write_page


def command(folder: Annotated[Path, typer.Argument(help="Run folder.")]) -> None:
    """Write a run's HTML page again and print its path; works while the run goes on."""
    print(write_page(folder))
