"""A task folder as a whole: ``task.toml``, ``instruction.md``, ``environment/``, ``tests/``, ``solution/``, ``steps/``."""

from __future__ import annotations

import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path

from rlvr_gym.errors import UsageError
from rlvr_gym.repositories.harbor.errors import HarborError
from rlvr_gym.repositories.harbor.settings import TaskFile, parse_settings, unknown_keys
from rlvr_gym.repositories.harbor.toml_writer import to_toml
from rlvr_gym.repositories.harbor.trees import Files, read_text, read_tree, write_tree

SETTINGS = "task.toml"
INSTRUCTION = "instruction.md"
TEST = "tests/test.sh"
SOLUTION = "solution/solve.sh"
DOCKERFILE = "environment/Dockerfile"
_COMPOSE = "environment/docker-compose.yaml"
_OLD = {
    "memory": "memory_mb",
    "storage": "storage_mb",
    "allow_internet": "network_mode",
}


@dataclass(frozen=True, slots=True)
class Folder:
    """A task folder that keeps the format."""

    path: Path
    settings: TaskFile
    instruction: str
    """What the agent reads; empty where each step has its own."""
    warnings: tuple[str, ...]
    """Unknown and outdated keys, and what we do not look at."""

    @property
    def name(self) -> str:
        """The published name, or that of the folder."""
        return self.settings.task.name if self.settings.task else self.path.name

    @property
    def has_solution(self) -> bool:
        """Whether it brings a solution."""
        return (self.path / SOLUTION).is_file()

    def files(self, name: str) -> dict[str, tuple[bytes, bool]]:
        """Return the files of one of its folders, by path from there.

        Raises:
            HarborError: a link that leads out of the task folder, or something that is no file.
        """
        return read_tree(self.path, name)


def read_folder(path: Path) -> Folder:
    """Return a task folder.

    Raises:
        HarborError: it breaks the format; one line for each mistake.
    """
    path = path.absolute()
    if not path.is_dir():
        raise HarborError(f"{path}: no such folder.")
    text = read_text(path, SETTINGS)
    settings = parse_settings(text, where=str(path / SETTINGS))
    problems = _problems(path, settings)
    if problems:
        raise HarborError("\n".join(problems))
    instruction = "" if settings.steps else without_canary(read_text(path, INSTRUCTION))
    lines = [*_old_keys(text), *unknown_keys(settings)]
    warnings = [f"{path / SETTINGS}: {line}" for line in lines]
    warnings += [f"{found}: is not read." for found in sorted(path.rglob(".harborignore"))]
    return Folder(path, settings, instruction, tuple(warnings))


def write_folder(path: Path, settings: TaskFile, instruction: str, files: Files) -> Path:
    """Write a task folder, whole or not at all, and return it.

    Args:
        path: Where; nothing may be there yet.
        settings: What goes into ``task.toml``; only what was set is written.
        instruction: What goes into ``instruction.md``.
        files: All other files, by path from the folder.

    Raises:
        UsageError: something is there already.
        HarborError: the result would break the format.
    """
    if path.exists():
        raise UsageError(f"{path} exists. It was left as it is.")
    part = path.with_name(f"{path.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    values = {"schema_version": settings.schema_version, **settings.model_dump(exclude_unset=True)}
    own = {SETTINGS: (to_toml(values).encode(), False), INSTRUCTION: (instruction.encode(), False)}
    try:
        write_tree(part, {**own, **files})
        read_folder(part)
        return part.rename(path)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def without_canary(text: str) -> str:
    """Return an instruction without the marks against use for training that stand before it."""
    lines = text.split("\n")
    start = 0
    while start < len(lines) and _is_canary(lines[start]):
        start += 1
    while start < len(lines) and not lines[start].strip():
        start += 1
    return "\n".join(lines[start:])


def _is_canary(line: str) -> bool:
    text = line.strip().lower()
    return "canary" in text and (text.startswith("#") or (text.startswith("<!--") and text.endswith("-->")))


def _problems(path: Path, settings: TaskFile) -> list[str]:
    """Return what is missing or leads out of the folder."""
    lines = []
    if not settings.environment.docker_image and not any(
        (path / name).is_file() for name in (DOCKERFILE, _COMPOSE)
    ):
        lines.append(
            f"{path / DOCKERFILE}: no such file, and {SETTINGS}: environment.docker_image is not set."
        )
    if settings.environment.os == "linux":
        lines += _scripts_missing(path, settings)
    for name in ("environment", "tests", "solution", "steps"):
        try:
            read_tree(path, name)
        except HarborError as error:
            lines.append(str(error))
    return lines


def _scripts_missing(path: Path, settings: TaskFile) -> list[str]:
    bundled = settings.verifier.is_separate
    if not settings.steps:
        needed = [INSTRUCTION] if bundled else [INSTRUCTION, TEST]
        return [f"{path / name}: no such file." for name in needed if not (path / name).is_file()]
    lines = []
    for number, step in enumerate(settings.steps):
        where = f"{path / SETTINGS}: steps.{number}.name"
        folder = f"steps/{step.name}"
        if not (path / folder / INSTRUCTION).is_file():
            lines.append(f"{where}: there is no {folder}/{INSTRUCTION}.")
        tests = (f"{folder}/{TEST}", TEST)
        if not (bundled or step.verifier.is_separate) and not any((path / name).is_file() for name in tests):
            lines.append(f"{where}: there is neither {folder}/{TEST} nor {TEST}.")
    return lines


def _old_keys(text: str) -> list[str]:
    table = tomllib.loads(text)
    lines = ["version is an old name of schema_version."] if "version" in table else []
    given = table.get("environment", {})
    return lines + [
        f"environment.{old} is an old name of {new}." for old, new in _OLD.items() if old in given
    ]
