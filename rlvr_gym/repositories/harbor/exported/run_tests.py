"""Runs the named tests of a repository with pytest and writes the reward: 1 when all of them pass, else 0.

Part of an exported task; nothing is imported from where it was made. The tests run in a child process that tells over a
pipe what became of each, and the reward is written after it has ended.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
REWARD = Path("/logs/verifier/reward.txt")
PHASES = ("setup", "call", "teardown")
STEERING = (
    "conftest.py",
    "pytest.ini",
    ".pytest.ini",
    "pytest.toml",
    ".pytest.toml",
    "pyproject.toml",
    "tox.ini",
    "setup.cfg",
    "sitecustomize.py",
    "usercustomize.py",
)
"""Files that say how tests run: those of the exported repository, and no others."""


class Reporter:
    """A plugin of pytest that tells of each phase of each test."""

    def __init__(self, descriptor: int) -> None:
        self._pipe = os.fdopen(descriptor, "w", buffering=1)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Tell of one phase."""
        self._pipe.write(json.dumps([report.nodeid, report.when, report.outcome]) + "\n")


def load_task() -> dict[str, Any]:
    """Return what was exported beside this file."""
    found: dict[str, Any] = json.loads((HERE / "task.json").read_text(encoding="utf-8"))
    # The root may be a link, and pytest names tests by where they really are.
    return {**found, "root": str(Path(found["root"]).resolve())}


def restore(task: dict[str, Any]) -> None:
    """Put the tests back as they were exported, and take away what would steer them."""
    root = Path(task["root"])
    for name in STEERING:
        for place in root.rglob(name):
            place.unlink()
    for path in task["removed"]:
        (root / path).unlink(missing_ok=True)
    source = HERE / "files"
    for file in source.rglob("*"):
        if file.is_file():
            place = root / file.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            # Whatever lies there, such as a link, is not written through.
            place.unlink(missing_ok=True)
            shutil.copyfile(file, place)


def child(descriptor: int) -> None:
    """Run the tests and tell of them."""
    import pytest

    task = load_task()
    os.chdir(task["root"])
    sys.path[:0] = [str(Path(task["root"], each)) for each in task["source_roots"]]
    arguments = ["-q", "-p", "no:cacheprovider", f"--rootdir={task['root']}", *task["args"]]
    for name in task["plugins"]:
        arguments += ["-p", name]
    pytest.main([*arguments, *task["files"]], plugins=[Reporter(descriptor)])


def main() -> None:
    """Write the reward."""
    task = load_task()
    restore(task)
    read, write = os.pipe()
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environment.pop("PYTEST_ADDOPTS", None)
    # No file of the repository may be taken for pytest itself.
    path = environment.pop("PYTHONPATH", "").split(":")
    environment["PYTHONPATH"] = ":".join(
        each for each in path if not Path(each).resolve().is_relative_to(task["root"])
    )
    process = subprocess.Popen(
        [sys.executable, __file__, str(write)], pass_fds=[write], env=environment, start_new_session=True
    )
    os.close(write)
    seen: dict[str, dict[str, str]] = {}
    with os.fdopen(read, errors="replace") as pipe:
        for line in pipe:
            # Whatever the tested code writes there itself is no report.
            with contextlib.suppress(ValueError, TypeError):
                name, phase, outcome = json.loads(line)
                seen.setdefault(str(name), {})[str(phase)] = outcome
    process.wait()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    missing = [
        name for name in task["tests"] if any(seen.get(name, {}).get(phase) != "passed" for phase in PHASES)
    ]
    sys.stdout.writelines(f"not passed: {name}\n" for name in missing)
    REWARD.unlink(missing_ok=True)
    REWARD.write_text("0\n" if missing else "1\n")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        child(int(sys.argv[1]))
    else:
        main()
