"""Writes instances as Harbor task folders, so that other tools can run them."""

from __future__ import annotations

import importlib.metadata
import json
import re
import sys
from importlib.resources import files
from pathlib import Path

from rlvr_gym.errors import UsageError
from rlvr_gym.repositories.checkouts import base_files, checkout
from rlvr_gym.repositories.guarding import guard_of
from rlvr_gym.repositories.harbor.folder import DOCKERFILE, SOLUTION, TEST, write_folder
from rlvr_gym.repositories.harbor.settings import Agent, Environment, Package, TaskFile, Verifier
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.patches import apply_patch
from rlvr_gym.repositories.suites.pytest import PytestSuite

ROOT = "/app"
_TIMEOUT_S = 600.0
_AGENT_S = 1800.0
_MEMORY_MB = 2048
_DOCKERFILE = """\
FROM python:{python}-slim
WORKDIR {root}
ENV PYTHONPATH={path}
RUN pip install --no-cache-dir {pins}
COPY repository/ .
"""
_TEST_SH = """\
#!/bin/sh
exec python3 /tests/run_tests.py
"""
_INSTRUCTION = """\
{problem}

The repository is at {root}. Change its source so that the problem is solved. Hidden tests decide.
"""
_EXPORTED = "rlvr_gym.repositories.harbor"

Entry = tuple[bytes, bool]


def export(instance: Instance, folder: Path, *, organisation: str = "rlvr-gym") -> Path:
    """Write an instance as a Harbor task folder below ``folder``, named by its id, and return it.

    Its tests are those of ``fail_to_pass`` and ``pass_to_pass``, run by a script without our hardened harness: in Harbor
    they share a container with the agent's work, and a reward can be forged there.

    Args:
        instance: With a suite of the kind ``pytest``.
        folder: Where task folders go.
        organisation: First part of the task's name.

    Raises:
        UsageError: a suite of another kind, or the folder is there already.
        PatchError: the instance's patches do not apply.
    """
    suite = instance.suite
    if not isinstance(suite, PytestSuite):
        raise UsageError(f"instance '{instance.id}': only suites of the kind 'pytest' are exported.")
    slug = re.sub(r"[^A-Za-z0-9._-]+", "-", instance.id).strip("-.")
    metadata = {
        "instance_id": instance.id,
        "repo": instance.repo,
        "version": instance.version,
        "license": instance.license,
        "strata": dict(instance.strata),
    }
    settings = TaskFile(
        task=Package(name=f"{organisation}/{slug}"),
        metadata=metadata,
        agent=Agent(timeout_sec=_AGENT_S),
        verifier=Verifier(timeout_sec=_TIMEOUT_S),
        environment=Environment(memory_mb=_MEMORY_MB, network_mode="no-network", workdir=ROOT),
    )
    instruction = _INSTRUCTION.format(problem=instance.problem.strip(), root=ROOT)
    contents = {**_environment(suite), **_tests(instance, suite), **_solution(instance, suite)}
    return write_folder(folder / slug, settings, instruction, contents)


def _environment(suite: PytestSuite) -> dict[str, Entry]:
    place = checkout(suite)
    found = {
        f"environment/repository/{path}": (content, bool((place / path).stat().st_mode & 0o100))
        for path, content in base_files(suite).items()
    }
    path = ":".join(ROOT if root == "." else f"{ROOT}/{root}" for root in suite.source_roots)
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    text = _DOCKERFILE.format(python=python, root=ROOT, path=path, pins=" ".join(_pins(suite)))
    return {**found, DOCKERFILE: (text.encode(), False)}


def _pins(suite: PytestSuite) -> list[str]:
    if suite.environment is None:
        return [f"pytest=={importlib.metadata.version('pytest')}"]
    infos = sorted(path.name for path in suite.environment.glob("*.dist-info"))
    pins = ["==".join(name.removesuffix(".dist-info").rsplit("-", 1)) for name in infos]
    if not pins:
        raise UsageError(f"{suite.environment}: a folder of dependencies that does not tell their versions.")
    return pins


def _tests(instance: Instance, suite: PytestSuite) -> dict[str, Entry]:
    base = base_files(suite)
    installed = apply_patch(instance.test_patch, base.get) if instance.test_patch else {}
    tests = [*instance.fail_to_pass, *instance.pass_to_pass]
    own = {name.partition("::")[0] for name in tests}.union(installed)
    guard = guard_of(base.keys(), own, suite.source_roots, suite.environment)
    restored = {path: content for path, content in base.items() if guard.why(path)}
    restored |= {path: content for path, content in installed.items() if content is not None}
    removed = sorted(path for path, content in installed.items() if content is None)
    task = {
        "root": ROOT,
        "tests": tests,
        "files": sorted({name.partition("::")[0] for name in tests}),
        "removed": removed,
        "source_roots": list(suite.source_roots),
        "plugins": list(suite.plugins),
        "args": list(suite.args),
    }
    script = files(_EXPORTED).joinpath("exported", "run_tests.py").read_bytes()
    return {
        TEST: (_TEST_SH.encode(), True),
        "tests/run_tests.py": (script, False),
        "tests/task.json": (json.dumps(task, indent=1).encode(), False),
        **{
            f"tests/files/{path}": (content, False)
            for path, content in restored.items()
            if path not in removed
        },
    }


def _solution(instance: Instance, suite: PytestSuite) -> dict[str, Entry]:
    """Return the solution as whole files: images need neither git nor patch for it."""
    changed = apply_patch(instance.patch, base_files(suite).get) if instance.patch else {}
    gone = sorted(path for path, content in changed.items() if content is None)
    lines = ["#!/bin/sh", "set -e"]
    if gone:
        lines += [f"cd {ROOT}", 'while IFS= read -r path; do rm -f -- "$path"; done < /solution/removed.txt']
    if any(content is not None for content in changed.values()):
        lines.append(f"cp -R /solution/files/. {ROOT}/")
    found: dict[str, Entry] = {SOLUTION: ("\n".join([*lines, ""]).encode(), True)}
    if gone:
        found["solution/removed.txt"] = ("".join(f"{path}\n" for path in gone).encode(), False)
    for path, content in changed.items():
        if content is not None:
            found[f"solution/files/{path}"] = (content, False)
    return found
