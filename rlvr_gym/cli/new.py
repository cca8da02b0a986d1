"""``rlvr-gym new``: one working file with its unit test, to start from."""

from __future__ import annotations

import enum
import keyword
import re
import sys
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Annotated

import typer

from rlvr_gym.errors import UsageError
from rlvr_gym.report.catalog import catalog

_NAME = re.compile(r"[a-z][a-z0-9_]*")


class What(enum.StrEnum):
    """What can be started."""

    ENV = "env"
    VERIFIER = "verifier"
    ALGORITHM = "algorithm"


def command(
    what: Annotated[What, typer.Argument(help="env, verifier or algorithm.")],
    name: Annotated[str, typer.Argument(help="Its registered name, in snake case.")],
    folder: Annotated[Path, typer.Option("--dir", help="Where to write the two files.")] = Path(),
) -> None:
    """Write NAME.py and test_NAME.py: something small that works at once."""
    _check_name(what, name)
    targets = {folder / f"{name}.py": f"{what}.txt", folder / f"test_{name}.py": f"{what}_test.txt"}
    for target in targets:
        if target.exists():
            raise UsageError(f"{target} exists. It was left as it is.")
    class_name = "".join(part.capitalize() for part in name.split("_"))
    folder.mkdir(parents=True, exist_ok=True)
    for target, template in targets.items():
        text = files("rlvr_gym.cli").joinpath("templates", template).read_text(encoding="utf-8")
        target.write_text(Template(text).substitute(name=name, class_name=class_name), encoding="utf-8")
        print(f"wrote {target}")
    print(f"try   pytest {folder / f'test_{name}.py'}")
    file = folder / f"{name}.py"
    if what is What.ENV:
        print(f"      rlvr-gym check {name} --file {file}")
    elif what is What.VERIFIER:
        print(f"      rlvr-gym check {name} --file {file} --reference Paris --right Paris")


def _check_name(what: What, name: str) -> None:
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        raise UsageError(f"'{name}' is no name. Write it in snake case, such as 'word_count'.")
    if name in sys.stdlib_module_names:
        raise UsageError(f"'{name}' is a module of Python's own; a file of that name would hide it.")
    taken = {thing.name.partition("-v")[0] for thing in catalog(what)[0].things}
    if name in taken:
        raise UsageError(f"{what} '{name}' is registered already.")
