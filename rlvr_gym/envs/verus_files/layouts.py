"""The columns of the families of Verus data sets, as one kind of row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from rlvr_gym.envs.task_files import Source
from rlvr_gym.envs.task_files.rows import Row, read_rows
from rlvr_gym.errors import ConfigError
from rlvr_gym.verifiers.verus.report import Dialect

VerusLayout: TypeAlias = Literal["auto", "own", "alphaverus", "vericoding", "vericontest", "programs"]
"""``own``: spec, and optionally code, solution, function, description, dialect, difficulty. ``alphaverus``: x, the
start of a program, and y, all of it. ``vericoding``: a program with ``<vc-..>`` marks, as a file or in columns.
``vericontest``: folders with spec.rs, code_spec.rs, verified.rs and description.md. ``programs``: a folder of .rs
files, those of a sub-folder ``unverified`` without their proofs and those of ``verified`` with them."""

_BODY = "\n    unimplemented!()\n}\n"


@dataclass(frozen=True, slots=True)
class Found:
    """What one row says of a task."""

    where: str
    description: str = ""
    spec: str = ""
    """The program with a hole."""
    code: str = ""
    """The program without its proof."""
    solution: str = ""
    function: str = ""
    dialect: Dialect = "current"
    strata: Mapping[str, str | int] = field(default_factory=dict)
    fault: str = ""


def read_found(source: Source, layout: VerusLayout) -> Iterator[Found]:
    """Yield what each row or program of ``source`` says.

    Raises:
        ConfigError: nothing there, or a layout that the source cannot have.
    """
    if (
        isinstance(source, Path)
        and source.is_dir()
        and layout in ("auto", "vericontest", "programs", "vericoding")
    ):
        folders = sorted(path.parent for path in source.rglob("spec.rs"))
        if folders and layout in ("auto", "vericontest"):
            yield from map(_vericontest, folders)
            return
        files = sorted(source.rglob("*.rs"))
        if files:
            yield from _programs(source, files)
            return
        if layout != "auto":
            raise ConfigError(f"{source}: there are no .rs files.")
    for row in read_rows(source):
        yield _row(row, layout)


def _row(row: Row, layout: VerusLayout) -> Found:
    values = row.values
    if row.fault:
        return Found(row.where, fault=row.fault)
    if layout == "alphaverus" or (layout == "auto" and {"x", "y"} <= values.keys()):
        return _alphaverus(row.where, values)
    if layout == "vericoding" or (layout == "auto" and "vc-spec" in values):
        return _vericoding(row.where, values)
    dialect = values.get("dialect", "current")
    if dialect not in ("current", "classic"):
        return Found(row.where, fault=f"a dialect is current or classic, got {dialect!r}")
    texts = {name: values.get(name) or "" for name in ("description", "spec", "code", "solution", "function")}
    for name, text in texts.items():
        if not isinstance(text, str):
            return Found(row.where, fault=f"{name} must be a text, got {type(text).__name__}")
    if not (texts["spec"] or texts["code"] or texts["solution"]):
        return Found(row.where, fault="a row needs spec, code or solution")
    difficulty = values.get("difficulty")
    strata = {"level": difficulty} if isinstance(difficulty, int) else {}
    return Found(row.where, dialect=dialect, strata=strata, **texts)


def _alphaverus(where: str, values: Mapping[str, Any]) -> Found:
    start, whole = str(values["x"]), str(values["y"])
    if not start.rstrip().endswith("{"):
        return Found(where, fault="x does not end where a body begins")
    names = re.findall(r"\bfn\s+(\w+)", start)
    # The given part ends inside the macro: what closes it is not part of the task.
    spec = start.rstrip() + _BODY + "\n}\n"
    strata = {"set": str(values["dset"])} if "dset" in values else {}
    return Found(
        where,
        spec=spec,
        solution=whole,
        function=names[-1] if names else "",
        dialect="classic",
        strata=strata,
    )


_PARTS = ("vc-description", "vc-preamble", "vc-helpers", "vc-spec", "vc-code")


def _vericoding(where: str, values: Mapping[str, Any]) -> Found:
    """Return a task from the columns that carry the marks' names."""
    parts = {name: str(values.get(name) or "") for name in _PARTS}
    spec = parts["vc-preamble"] + "\n" + parts["vc-spec"].rstrip() + "\n{" + _BODY
    postamble = str(values.get("vc-postamble") or "\n}\nfn main() {}\n")
    return Found(where, description=parts["vc-description"], spec=spec + postamble)


def _marked(where: str, text: str) -> Found:
    """Return a task from a program with ``<vc-..>`` marks: the body behind ``<vc-code>`` is its hole."""
    start, mark, rest = text.partition("// <vc-code>")
    _, end, tail = rest.partition("// </vc-code>")
    if not mark or not end:
        return Found(where, fault="<vc-code> has no end")
    description = re.search(r"/\*\s*<vc-description>(.*?)</vc-description>\s*\*/", text, re.DOTALL)
    start = start.replace(description[0], "") if description else start
    return Found(
        where, description=description[1].strip() if description else "", spec=start + "{" + _BODY + tail
    )


def _vericontest(folder: Path) -> Found:
    texts = {
        name: (folder / name).read_text(encoding="utf-8") if (folder / name).is_file() else ""
        for name in ("spec.rs", "code_spec.rs", "verified.rs", "description.md")
    }
    return Found(
        str(folder),
        description=texts["description.md"],
        spec=texts["spec.rs"],
        code=texts["code_spec.rs"],
        solution=texts["verified.rs"],
    )


def _programs(root: Path, files: list[Path]) -> Iterator[Found]:
    for file in files:
        where = str(file)
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            yield Found(where, fault=str(error))
            continue
        if "<vc-code>" in text:
            yield _marked(where, text)
        elif file.parent.name == "unverified":
            twin = file.parent.parent / "verified" / file.name
            solution = twin.read_text(encoding="utf-8") if twin.is_file() else ""
            yield Found(where, code=text, solution=solution, dialect="classic")
        elif file.parent.name != "verified" or not (file.parent.parent / "unverified" / file.name).is_file():
            yield Found(where, solution=text, dialect="classic")
