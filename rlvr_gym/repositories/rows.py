"""Our own data sets of instances: a folder with one JSON row per instance, and all that the rows need beside it.

The rows have the columns of SWE-bench, so that other tools read them, and a column ``rlvr_gym`` with what those do not
carry. Repositories and environments lie in the same folder and are named by relative paths: it can be moved and shared.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rlvr_gym.errors import TaskError
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.suites.base import suite_from_dict, suite_to_dict
from rlvr_gym.types import Json

FILE = "instances.jsonl"
_FOLDERS = {"repository": "repositories", "environment": "environments"}
"""Where the folders that a suite names are kept, by field."""


class _Place(NamedTuple):
    """A folder of the data set."""

    relative: str
    sha256: str


def write_instances(folder: Path, instances: Iterable[Instance]) -> Path:
    """Write a data set and return its file, ``instances.jsonl``; folders that lie elsewhere are copied in.

    The file appears whole or not at all, and replaces one that is there.

    Raises:
        TaskError: two instances of one id.
    """
    folder.mkdir(parents=True, exist_ok=True)
    places: dict[Path, _Place] = {}
    lines: dict[str, str] = {}
    for instance in instances:
        if instance.id in lines:
            raise TaskError(f"{folder / FILE}: two instances have the id '{instance.id}'.")
        lines[instance.id] = json.dumps(_row(instance, folder, places), ensure_ascii=False, sort_keys=True)
    file = folder / FILE
    new = file.with_name(f"{FILE}.new")
    new.write_text("".join(f"{line}\n" for line in lines.values()), encoding="utf-8")
    return new.rename(file)


def read_instances(path: Path) -> list[Instance]:
    """Return the instances of a data set, given its folder or its file.

    Raises:
        TaskError: no such file, or a row that ``write_instances`` did not write; names the line.
    """
    file = path / FILE if path.is_dir() else path
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TaskError(f"{file}: cannot be read: {error}") from None
    found = []
    # Not splitlines: a text may hold other characters that it takes for the end of a line.
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                found.append(_instance(json.loads(line), file.absolute().parent))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise TaskError(f"{file}:{number}: not a row of this library: {error!r}") from None
    return found


def tree_hash(folder: Path) -> str:
    """Return the SHA-256 of the files of a folder: their paths from it, and their content, without compiled files."""
    found = hashlib.sha256()
    for path in sorted(each for each in folder.rglob("*") if each.is_file() and not each.is_symlink()):
        if "__pycache__" in path.parts:
            continue
        content = path.read_bytes()
        found.update(
            f"{path.relative_to(folder).as_posix()}\0{len(content)}\0".encode(errors="surrogateescape")
        )
        found.update(content)
    return found.hexdigest()


def _row(instance: Instance, folder: Path, places: dict[Path, _Place]) -> dict[str, Json]:
    suite = suite_to_dict(instance.suite)
    hashes = []
    for field in _paths(instance.suite):
        place = _kept(Path(suite[field]), folder, _FOLDERS.get(field, field), places)
        suite[field] = place.relative
        hashes.append(place.sha256)
    # No commit is at hand: the hash names what the agent starts with, as a commit would.
    content = json.dumps([suite, hashes], sort_keys=True).encode()
    start = hashlib.sha1(content, usedforsecurity=False).hexdigest()
    return {
        "instance_id": instance.id,
        "repo": instance.repo,
        "version": instance.version,
        "base_commit": start,
        "environment_setup_commit": start,
        "problem_statement": instance.problem,
        "hints_text": "",
        "patch": instance.patch,
        "test_patch": instance.test_patch,
        # Texts, as in the rows of SWE-bench.
        "FAIL_TO_PASS": json.dumps(list(instance.fail_to_pass)),
        "PASS_TO_PASS": json.dumps(list(instance.pass_to_pass)),
        "created_at": "",
        "rlvr_gym": {
            "suite": suite,
            "license": instance.license,
            "strata": dict(instance.strata),
            "provenance": dict(instance.provenance),
        },
    }


def _instance(row: Mapping[str, Json], folder: Path) -> Instance:
    ours = row["rlvr_gym"]
    suite: Any = suite_from_dict(ours["suite"])
    values = suite_to_dict(suite)
    for field in _paths(suite):
        values[field] = str(_inside(folder, ours["suite"][field]))
    return Instance(
        id=row["instance_id"],
        problem=row["problem_statement"],
        suite=suite_from_dict(values),
        patch=row["patch"],
        test_patch=row["test_patch"],
        fail_to_pass=tuple(json.loads(row["FAIL_TO_PASS"])),
        pass_to_pass=tuple(json.loads(row["PASS_TO_PASS"])),
        repo=row["repo"],
        version=row["version"],
        license=ours["license"],
        strata=ours["strata"],
        provenance=ours["provenance"],
    )


def _paths(suite: Any) -> list[str]:
    """Return the fields of a suite that name folders."""
    return [name for name in suite.__dataclass_fields__ if isinstance(getattr(suite, name), Path)]


def _inside(folder: Path, relative: str) -> Path:
    """Return a folder of the data set; a row from elsewhere may not name another place of this machine."""
    path = Path(relative)
    if path.is_absolute() or ".." in path.parts:
        raise ValueError(f"'{relative}' is not a path inside the data set")
    return folder / path


def _kept(source: Path, folder: Path, kind: str, places: dict[Path, _Place]) -> _Place:
    """Return where a folder lies in the data set; it is copied into it if it lies elsewhere."""
    if source not in places:
        places[source] = _Place(_placed(source, folder, kind), tree_hash(source))
    return places[source]


def _placed(source: Path, folder: Path, kind: str) -> str:
    if source.resolve().is_relative_to(folder.resolve()):
        return source.resolve().relative_to(folder.resolve()).as_posix()
    target = folder / kind / source.name
    if target.exists() and tree_hash(target) != tree_hash(source):
        target = target.with_name(f"{source.name}-{tree_hash(source)[:12]}")
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        new = target.with_name(f"{target.name}.new")
        shutil.rmtree(new, ignore_errors=True)
        shutil.copytree(source, new, symlinks=True)
        new.rename(target)
    return target.relative_to(folder).as_posix()
