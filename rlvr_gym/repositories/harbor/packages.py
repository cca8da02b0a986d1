"""What ``RUN`` lines install: wheels into a folder, and programs of the system that are here already or not at all."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from rlvr_gym.repositories.harbor.errors import UnsupportedError
from rlvr_gym.repositories.harbor.run_lines import Apt, Pip, is_requirement
from rlvr_gym.repositories.harbor.trees import Files

_INSTALLED = Path("/var/lib/dpkg/info")
_SEEN = "/usr/local/bin:/usr/bin:/bin"
"""Where a sandbox finds programs."""
_PROGRAMS = {"python3-pip": "python3", "python3-venv": "python3", "build-essential": "gcc", "g++": "g++"}
"""Packages whose program has another name."""
_WITHOUT_PROGRAM = frozenset(
    ("ca-certificates", "locales", "tzdata", "apt-transport-https", "tmux", "asciinema")
)
"""Packages that nothing here needs; the last two are for agents of Harbor's own."""
_TIMEOUT_S = 600


def add_wheels(requirements: Iterable[str], target: Path, *, where: str) -> None:
    """Install packages and what they need into a folder: wheels only, so that nothing of theirs runs here.

    Raises:
        UnsupportedError: pip refuses; with its last line.
    """
    if importlib.util.find_spec("pip") is None:
        raise UnsupportedError(f"{where}: pip is not installed beside {sys.executable}.")
    options = ["--only-binary", ":all:", "--target", str(target), "--no-input"]
    command = [
        sys.executable,
        "-I",
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        *options,
    ]
    try:
        done = subprocess.run(
            [*command, "--", *requirements],
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        raise UnsupportedError(f"{where}: pip took more than {_TIMEOUT_S} s.") from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or ["it failed"]
        raise UnsupportedError(f"{where}: pip: {lines[-1].removeprefix('ERROR: ')}")


def asked_for(step: Pip, files: Files, workdir: str, *, where: str) -> list[str]:
    """Return the requirements of a line, those in its files included.

    Raises:
        UnsupportedError: a file that is not in the working folder, or a line of it that is no plain requirement.
    """
    found = list(step.requirements)
    for name in step.files:
        path = name.removeprefix(f"{workdir}/")
        if path not in files:
            raise UnsupportedError(f"{where}: there is no {name} in {workdir}.")
        for number, line in enumerate(files[path][0].decode("utf-8", errors="replace").splitlines(), 1):
            text = line.partition(" #")[0].strip()
            if not text or text.startswith("#"):
                continue
            if not is_requirement(text):
                raise UnsupportedError(
                    f"{where}: {name}:{number}: '{text:.60}' is not a package by name and version."
                )
            found.append(text)
    return found


def require_programs(step: Apt, *, where: str) -> None:
    """Check that what a line would install is on this machine.

    Raises:
        UnsupportedError: names what is missing.
    """
    missing = [name for name in step.packages if not _is_here(name)]
    if missing:
        raise UnsupportedError(f"{where}: not on this machine: {', '.join(missing)}.")


def _is_here(package: str) -> bool:
    if package in _WITHOUT_PROGRAM or shutil.which(_PROGRAMS.get(package, package), path=_SEEN):
        return True
    if package.startswith("python3-") and package not in ("python3-dev", "python3-minimal"):
        # Modules of the machine's own Python are hidden from tasks.
        return False
    return any(
        (_INSTALLED / f"{package}{architecture}.list").exists() for architecture in ("", ":amd64", ":arm64")
    )


def finish(target: Path) -> None:
    """Let programs that came with wheels be started by the sandbox's Python, and make everything readable."""
    programs = target / "bin"
    programs.mkdir(parents=True, exist_ok=True)
    for program in filter(Path.is_file, programs.iterdir()):
        content = program.read_bytes()
        first, newline, rest = content.partition(b"\n")
        if first.startswith(b"#!") and b"python" in first:
            program.write_bytes(b"#!/usr/bin/env python3" + newline + rest)
    if not (programs / "python").exists():
        # Images of Python have it, many systems do not.
        (programs / "python").write_text('#!/bin/sh\nexec python3 "$@"\n')
    for path in [target, *target.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.parent == programs else 0o644)
