"""An image like those of SWE-bench: a small repository of our own at /testbed, with a history that holds the fix."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import tarfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

from rlvr_gym.repositories.patches import make_patch
from rlvr_gym.runtimes.docker import Docker

NAME = "rlvr-gym-test-swe:latest"
FIX = "The very line that solves it"
BASE = {
    "shapes/__init__.py": b"",
    "shapes/area.py": b"def area(width, height):\n    return width + height\n",
    "tests/test_area.py": (
        b"from shapes.area import area\n\n\ndef test_two_by_two():\n    assert area(2, 2) == 4\n"
    ),
    ".gitignore": b"built.txt\n",
}
SOLVED = BASE | {
    "shapes/area.py": f"def area(width, height):\n    # {FIX}\n    return width * height\n".encode()
}
TESTED = BASE | {
    "tests/test_area.py": BASE["tests/test_area.py"]
    + b"\n\ndef test_two_by_three():\n    assert area(2, 3) == 6\n"
}
GOLD = make_patch(BASE, SOLVED)
TEST_PATCH = make_patch(BASE, TESTED)
SCRIPT = """#!/bin/bash
set -uxo pipefail
cd /testbed
git config --global --add safe.directory /testbed
git status
git checkout {base} tests/test_area.py
git apply -v - <<'EOF_1'
{test_patch}EOF_1
: '>>>>> Start Test Output'
python3 -m pytest -rA -p no:cacheprovider tests/test_area.py
CODE=$?
: '>>>>> End Test Output'
echo ">>>>> Test Exit Code: $CODE"
git checkout {base} tests/test_area.py
"""


def row() -> dict[str, Any]:
    """Return the image's task with the columns that swebench 5 reads."""
    base = "0123456789012345678901234567890123456789"
    return {
        "instance_id": "own__shapes-1",
        "repo": "own/shapes",
        "version": "1.0",
        "base_commit": base,
        "problem_statement": "area(2, 3) is 5.",
        "hints_text": "",
        "patch": GOLD,
        "test_patch": TEST_PATCH,
        "FAIL_TO_PASS": json.dumps(["tests/test_area.py::test_two_by_three"]),
        "PASS_TO_PASS": json.dumps(["tests/test_area.py::test_two_by_two"]),
        "created_at": "2026-01-01T00:00:00Z",
        "environment_setup_commit": base,
        "image": NAME,
        "eval_script": SCRIPT.format(base=base, test_patch=TEST_PATCH),
        "log_parser": "parse_log_pytest",
        "eval_type": "pass_and_fail",
    }


@contextlib.contextmanager
def image(folder: Path) -> Iterator[str]:
    """Yield the name of the image, which is removed in the end."""
    import docker

    testbed = folder / "testbed"
    _commit(testbed, BASE, "before")
    (testbed / "built.txt").write_text("made by the build of the image\n")
    _commit(testbed, SOLVED, "the fix")
    _git(testbed, "tag", "v2")
    _git(testbed, "checkout", "-q", "HEAD~1")
    client = docker.APIClient(os.environ.get("DOCKER_HOST"), version="auto")
    with contextlib.closing(client):
        made = client.create_container(Docker().image, "true")["Id"]
        try:
            client.put_archive(made, "/", _archive(testbed))
            client.commit(made, *NAME.split(":"))
        finally:
            client.remove_container(made)
        try:
            yield NAME
        finally:
            client.remove_image(NAME)


def _commit(folder: Path, files: dict[str, bytes], message: str) -> None:
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    _git(folder, "init", "-q")
    _git(folder, "add", ".")
    _git(folder, "-c", "user.name=a", "-c", "user.email=a@localhost", "commit", "-q", "-m", message)


def _git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True)


def _archive(testbed: Path) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.add(testbed, "testbed")
        for name in ("pytest", "pluggy", "iniconfig", "packaging", "pygments"):
            for path in metadata.files(name) or ():
                if ".." not in path.parts and "__pycache__" not in path.parts:
                    archive.add(path.locate(), f"usr/lib/python3/dist-packages/{path}")
    return file.getvalue()
