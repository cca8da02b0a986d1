"""Turns a task folder into what sandboxes start from: a working folder, packages, tests, and a solution.

Nothing of the task runs on this machine itself. Packages are wheels; other ``RUN`` lines run in a sandbox over the
working folder so far, and what they change there is taken out as files.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rlvr_gym.repositories.checkouts import cache_folder, making
from rlvr_gym.repositories.harbor import packages
from rlvr_gym.repositories.harbor.copying import copied
from rlvr_gym.repositories.harbor.dockerfile import Copy, Recipe, parse_dockerfile
from rlvr_gym.repositories.harbor.errors import UnsupportedError
from rlvr_gym.repositories.harbor.folder import DOCKERFILE, SETTINGS, SOLUTION, TEST, Folder
from rlvr_gym.repositories.harbor.run_lines import Apt, Shell
from rlvr_gym.repositories.harbor.sandboxes import (
    PATH,
    Start,
    build_limits,
    changes,
    require_workdir,
    spec_of,
)
from rlvr_gym.repositories.harbor.settings import Healthcheck
from rlvr_gym.repositories.harbor.trees import read_text, read_tree, write_tree
from rlvr_gym.repositories.image_checkouts import image_checkout, pristine
from rlvr_gym.runtimes.base import End, Runtime
from rlvr_gym.runtimes.docker import DockerRuntime
from rlvr_gym.runtimes.local import LocalRuntime

_FORMAT = "harbor 1"
"""Part of each hash; changes when the same folder would be prepared otherwise."""
_TREES = ("environment", "tests", "solution")


@dataclass(frozen=True, slots=True)
class Prepared:
    """What sandboxes of a task start from. Nobody may write to its folders."""

    start: Start
    tests: Path
    solution: Path
    notes: tuple[str, ...]
    """Where it differs from what Harbor would run in."""
    key: str
    """Hash of all that it was made from."""


def prepare(folder: Folder, *, image: str = "") -> Prepared:
    """Return what sandboxes of a task start from, made once for each content.

    Args:
        folder: The task.
        image: Name of an image that was built from its Dockerfile; for the runtime ``docker``. A task that names an
            image itself needs no other.

    Raises:
        HarborError: a part of the folder cannot be read.
        UnsupportedError: the task needs what cannot be had here.
        UnavailableError: this machine cannot isolate what has to run in a sandbox.
    """
    refuse_unsupported(folder)
    image = image or folder.settings.environment.docker_image or ""
    key = _hash(folder, image)
    place = cache_folder("harbor") / key
    if not place.exists():
        with making(place.parent):
            if not place.exists():
                part = place.with_suffix(".part")
                write_tree(part / "tests", _runnable(folder, "tests", TEST))
                write_tree(part / "solution", _runnable(folder, "solution", SOLUTION))
                made = {} if image else _build(folder, part)
                (part / "made").write_text(json.dumps(made))
                part.rename(place)
    made = json.loads((place / "made").read_text())
    if image:
        start = _from_image(folder, image)
        return Prepared(start, place / "tests", place / "solution", (), key)
    start = Start(place / "workspace", made["workdir"], made["env"], place / "packages")
    return Prepared(start, place / "tests", place / "solution", tuple(made["notes"]), key)


def refuse_unsupported(folder: Folder) -> None:
    """Check that a task needs no more than one sandbox.

    Raises:
        UnsupportedError: names every key that asks for more.
    """
    settings, environment = folder.settings, folder.settings.environment
    asked: Mapping[str, bool | int | Healthcheck | None] = {
        "steps: several steps": bool(settings.steps),
        "environment.os: Windows": environment.os == "windows",
        "environment.gpus: accelerators": environment.gpus,
        "environment.tpu: accelerators": bool(environment.tpu),
        "environment.mcp_servers: services": bool(environment.mcp_servers),
        "environment.healthcheck: services": environment.healthcheck,
        "verifier.environment: a separate environment for the tests": settings.verifier.is_separate,
        "verifier.collect: services": bool(settings.verifier.collect),
    }
    lines = [
        f"{folder.path / SETTINGS}: {what}: cannot be had here." for what, needed in asked.items() if needed
    ]
    for table in ("environment", "verifier", "solution"):
        for name, value in getattr(settings, table).env.items():
            if "${" in value:
                where = f"{folder.path / SETTINGS}: {table}.env.{name}"
                lines.append(f"{where}: variables of this machine are never passed on.")
    for name in ("docker-compose.yaml", ".dockerignore"):
        if (folder.path / "environment" / name).exists():
            lines.append(f"{folder.path / 'environment' / name}: needs a container engine.")
    if lines:
        raise UnsupportedError("\n".join(lines))


def _runnable(folder: Folder, name: str, script: str) -> dict[str, tuple[bytes, bool]]:
    files = folder.files(name)
    own = script.rpartition("/")[2]
    if own in files:
        files[own] = files[own][0], True
    return files


def _from_image(folder: Folder, image: str) -> Start:
    workdir = folder.settings.environment.workdir
    if not workdir:
        raise UnsupportedError(f"{folder.path / SETTINGS}: environment.workdir is needed to run in an image.")
    require_workdir(workdir, where=str(folder.path / SETTINGS))
    files = image_checkout(pristine(DockerRuntime(), image, workdir), "", ())
    return Start(files, workdir, dict(folder.settings.environment.env), None, image)


def _build(folder: Folder, part: Path) -> dict[str, object]:
    """Carry a Dockerfile out below ``part``, and return what else there is to know."""
    where = str(folder.path / DOCKERFILE)
    recipe = parse_dockerfile(read_text(folder.path, DOCKERFILE), where=where, path=PATH)
    workdir = posixpath.normpath(folder.settings.environment.workdir or recipe.workdir)
    require_workdir(workdir, where=where)
    context = read_tree(folder.path, "environment")
    workspace, wheels = part / "workspace", part / "packages"
    write_tree(workspace, {})
    packages.finish(wheels)
    start = Start(workspace, workdir, {**recipe.env, **folder.settings.environment.env}, wheels)
    requirements: list[str] = []
    for step in recipe.steps:
        here = f"{where}:{step.line}"
        if isinstance(step, Copy):
            write_tree(workspace, copied(step, context, workdir, where=here))
        elif isinstance(step, Apt):
            packages.require_programs(step, where=here)
        elif isinstance(step, Shell):
            _run(start, step, folder, where=here)
        elif asked := packages.asked_for(step, read_tree(part, "workspace"), workdir, where=here):
            # All anew: pip looks for versions that fit together, and does not look at what a folder holds already.
            requirements += asked
            shutil.rmtree(wheels)
            packages.add_wheels(requirements, wheels, where=here)
            packages.finish(wheels)
    return {"workdir": workdir, "env": dict(start.env), "notes": [*_base_notes(recipe, where), *recipe.notes]}


def _run(start: Start, step: Shell, folder: Folder, *, where: str) -> None:
    """Run a line in a sandbox over the working folder, and put what it changed into the folder."""
    runtime: Runtime = LocalRuntime()
    limits = build_limits(folder.settings)
    env = {**step.env, "PATH": start.variables()["PATH"]}
    with tempfile.TemporaryDirectory() as name:
        # The sandbox's workspace is a copy, since the folder itself is changed below.
        before = Path(name, "workspace")
        shutil.copytree(start.workspace, before, symlinks=True)
        Path(name).chmod(0o755)
        with runtime.start(spec_of(start, limits, workspace=before)) as sandbox:
            known = sandbox.manifest()
            done = sandbox.exec(["sh", "-c", step.command], cwd=step.cwd, env=env)
            if done.end is not End.EXITED or done.code:
                said = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
                how = f"code {done.code}" if done.end is End.EXITED else str(done.end)
                raise UnsupportedError(
                    f"{where}: {step.command:.60}: ended with {how} in a sandbox without network where only "
                    f"{start.workdir} can be changed: {(said or ['it said nothing'])[-1]:.200}"
                )
            after = sandbox.manifest()
            changed = changes(sandbox, known, after, where=where)
    for path, entry in changed.items():
        _put(start.workspace / path, entry)
    for path in sorted(known.keys() - after.keys(), reverse=True):
        if known[path].startswith("folder"):
            (start.workspace / path).rmdir()
    for path, what in after.items():
        if what.startswith("folder"):
            write_tree(start.workspace / path, {})


def _put(target: Path, entry: tuple[bytes, bool] | None) -> None:
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    else:
        target.unlink(missing_ok=True)
    if entry is not None:
        write_tree(target.parent, {target.name: entry})


def _base_notes(recipe: Recipe, where: str) -> list[str]:
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    if recipe.base != "python":
        return [f"{where}: {recipe.base}:{recipe.tag}: the programs are those of this machine."]
    asked = recipe.tag.partition("-")[0]
    if asked == here or asked.startswith(f"{here}.") or here.startswith(f"{asked}."):
        return []
    return [f"{where}: {recipe.base}:{recipe.tag}: the interpreter is Python {here}."]


def _hash(folder: Folder, image: str) -> str:
    digest = hashlib.sha256(f"{_FORMAT} {sys.version} {sys.base_prefix} {image}\n".encode())
    for name in _TREES:
        for path, (content, runs) in folder.files(name).items():
            digest.update(
                f"{name}/{path}\0{len(content)} {runs:d}\n".encode(errors="surrogateescape") + content
            )
    digest.update(folder.settings.model_dump_json().encode())
    return digest.hexdigest()[:32]
