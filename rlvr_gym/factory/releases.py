"""Releases of packages as folders of files: downloaded by pip, unpacked as data, never built or run."""

from __future__ import annotations

import email.parser
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from rlvr_gym.errors import UsageError
from rlvr_gym.factory.layout import belongs
from rlvr_gym.repositories.checkouts import cache_folder

_SCRIPT = Path(__file__).with_name("sdist_only.py")
_PIP_S = 300
_MAX_FILE = 5_000_000
_MAX_TREE = 60_000_000
_ARCHIVES = (".tar.gz", ".zip", ".tar.bz2", ".tgz")
NO_LICENSE = "unknown"


@dataclass(frozen=True, slots=True)
class Release:
    """The files of one release, and what its metadata say."""

    name: str
    version: str
    archive: str
    """Name of the file that it came in; empty for a folder."""
    sha256: str
    """Of that file, or of the folder's files."""
    license: str
    requires: tuple[str, ...]
    """What it needs when it runs, as it says so itself."""
    extras: tuple[str, ...]
    """What it needs for some purpose only, such as its tests."""
    files: Mapping[str, bytes]


def normal(name: str) -> str:
    """Return the name of a package in the form that all its spellings share.

    Example:
        >>> normal("More_Itertools")
        'more-itertools'
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def versions_of(name: str) -> list[str]:
    """Return the versions of a package that have a source release, the oldest first.

    Raises:
        UsageError: pip finds none; its own words are in the message.
    """
    text = _pip(name, "index", "versions", "--no-binary", ":all:", name)
    for line in text.splitlines():
        _, label, listed = line.partition("Available versions:")
        if label:
            return [version.strip() for version in listed.split(",")][::-1]
    raise UsageError(f"package '{name}': pip lists no versions of it.")


def download(name: str, version: str) -> Release:
    """Return a release, downloaded once and kept in a cache.

    Raises:
        UsageError: pip cannot get it, or it holds something no release should.
    """
    folder = cache_folder("releases") / f"{normal(name)}-{version}"
    if not folder.exists():
        with tempfile.TemporaryDirectory(dir=folder.parent) as place:
            _pip(
                name,
                *("download", "--no-deps", "--no-binary", ":all:", "--no-build-isolation", "--quiet"),
                *("--dest", place, f"{name}=={version}"),
            )
            try:
                Path(place).rename(folder)
                Path(place).mkdir()
            except OSError:
                # Another process was faster.
                if not folder.exists():
                    raise
    archives = [path for path in folder.iterdir() if path.name.endswith(_ARCHIVES)]
    if len(archives) != 1:
        raise UsageError(f"package '{name}' {version}: pip brought no source archive.")
    return read_archive(archives[0], name, version)


def read_archive(path: Path, name: str, version: str) -> Release:
    """Return the release that an archive holds.

    Raises:
        UsageError: it cannot be read.
    """
    try:
        members = _zipped(path) if path.suffix == ".zip" else _tarred(path)
    except (OSError, tarfile.TarError, zipfile.BadZipFile, EOFError) as error:
        raise UsageError(f"{path.name}: not an archive that can be read: {error}") from None
    metadata = email.parser.BytesParser().parsebytes(members.get("PKG-INFO", b""))
    declared = [str(line) for line in metadata.get_all("Requires-Dist", [])]
    return Release(
        name=normal(name),
        version=version,
        archive=path.name,
        sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
        license=_license(metadata),
        requires=tuple(line for line in declared if "extra" not in line.partition(";")[2]),
        extras=tuple(
            line.partition(";")[0].strip() for line in declared if "extra" in line.partition(";")[2]
        ),
        files={
            path: content for path, content in sorted(members.items()) if belongs(path) and path != "PKG-INFO"
        },
    )


def read_folder(path: Path) -> Release:
    """Return the files of a folder of the user's as a release; links are left out.

    Raises:
        UsageError: there is no such folder, or its pyproject.toml cannot be read.
    """
    if not path.is_dir():
        raise UsageError(f"{path}: there is no such folder.")
    files: dict[str, bytes] = {}
    for file in sorted(path.rglob("*")):
        inside = file.relative_to(path).as_posix()
        if belongs(inside) and file.is_file() and not file.is_symlink():
            files[inside] = file.read_bytes()
    try:
        project = tomllib.loads(files.get("pyproject.toml", b"").decode()).get("project", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path / 'pyproject.toml'}: {error}") from None
    digest = hashlib.sha256()
    for name, content in files.items():
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    license_ = project.get("license", NO_LICENSE)
    extras = project.get("optional-dependencies", {}).values()
    return Release(
        name=normal(project.get("name", path.resolve().name)),
        version=str(project.get("version", "0")),
        archive="",
        sha256=digest.hexdigest(),
        license=str(license_.get("text", NO_LICENSE) if isinstance(license_, dict) else license_),
        requires=tuple(project.get("dependencies", ())),
        extras=tuple(line for extra in extras for line in extra),
        files=files,
    )


def write_tree(release: Release, folder: Path) -> Path:
    """Return ``folder`` with the files of a release in it, written whole or not at all."""
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        new = folder.with_name(f"{folder.name}.new")
        shutil.rmtree(new, ignore_errors=True)
        for path, content in release.files.items():
            (new / path).parent.mkdir(parents=True, exist_ok=True)
            (new / path).write_bytes(content)
        new.rename(folder)
    return folder


def _pip(name: str, *arguments: str) -> str:
    command: Sequence[str] = [sys.executable, "-I", str(_SCRIPT), *arguments]
    # A limit on what is installed here says nothing about what tasks are made from.
    with tempfile.TemporaryFile() as errors:
        try:
            done = subprocess.run(
                command,
                stdout=subprocess.PIPE,
                stderr=errors,
                timeout=_PIP_S,
                check=False,
                env=_environment(),
            )
        except subprocess.TimeoutExpired:
            raise UsageError(f"package '{name}': pip did not answer in {_PIP_S} seconds.") from None
        errors.seek(0)
        said = errors.read().decode(errors="replace")
    if done.returncode:
        lines = [line for line in said.splitlines() if line.startswith("ERROR") or "Error" in line]
        raise UsageError(f"package '{name}': {(lines or said.splitlines() or ['pip failed'])[-1].strip()}")
    return done.stdout.decode(errors="replace")


def _environment() -> dict[str, str]:
    return {**os.environ, "PIP_CONSTRAINT": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def _tarred(path: Path) -> dict[str, bytes]:
    found = {}
    with tarfile.open(path) as archive:
        members = [member for member in archive if member.isreg()]
        _check_sizes(path, {member.name: member.size for member in members})
        for member in members:
            if inside := _inside(member.name):
                file = archive.extractfile(member)
                assert file is not None, "a regular file has content"
                found[inside] = file.read()
    return found


def _zipped(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        members = [member for member in archive.infolist() if not member.is_dir()]
        _check_sizes(path, {member.filename: member.file_size for member in members})
        pairs = ((_inside(member.filename), member) for member in members)
        return {inside: archive.read(member) for inside, member in pairs if inside}


def _check_sizes(path: Path, sizes: Mapping[str, int]) -> None:
    if (sizes and max(sizes.values()) > _MAX_FILE) or sum(sizes.values()) > _MAX_TREE:
        raise UsageError(
            f"{path.name}: holds more than a source release of this kind should ({sum(sizes.values())} B)."
        )


def _inside(name: str) -> str:
    """Return a path without the archive's own folder; nothing for one that leads elsewhere."""
    pure = PurePosixPath(name)
    parts = [part for part in pure.parts if part != "."]
    if pure.is_absolute() or ".." in parts or "\\" in name or "\0" in name:
        return ""
    return "/".join(parts[1:])


def _license(metadata: Any) -> str:
    """Return the licence as the metadata give it; a whole licence text is told by its classifier."""
    stated = str(metadata.get("License-Expression") or "").strip()
    if stated:
        return stated
    classifiers = [str(line) for line in metadata.get_all("Classifier", [])]
    licenses = [line.rpartition("::")[2].strip() for line in classifiers if line.startswith("License ::")]
    free = str(metadata.get("License") or "").strip()
    if free and free != "UNKNOWN" and "\n" not in free and len(free) <= 60:
        return free
    return " or ".join(licenses) or NO_LICENSE


def recorded(release: Release) -> dict[str, Any]:
    """Return where a release is from, for the records."""
    return {
        "name": release.name,
        "version": release.version,
        "archive": release.archive,
        "sha256": release.sha256,
    }
