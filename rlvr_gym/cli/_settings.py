"""Settings given as ``--set a=b``, and third parties' files given as ``--file``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from rlvr_gym.config import apply_overrides

Settings = Annotated[
    list[str] | None, typer.Option("--set", metavar="a.b=c", help="One setting; may be given several times.")
]
Plugin = Annotated[
    Path | None,
    typer.Option("--file", help="A Python file to load first, which registers things of your own."),
]


def settings(given: Sequence[str] | None) -> dict[str, Any]:
    """Return the settings that the options give.

    Raises:
        ConfigError: one that is not written ``a.b=c``.
    """
    return apply_overrides({}, given or ())


def load_plugin(file: Path | None) -> None:
    """Load a file that registers things, if one is given.

    Raises:
        UsageError: no such Python file.
    """
    if file is not None:
        from rlvr_gym.testing.files import load_file

        load_file(file)
