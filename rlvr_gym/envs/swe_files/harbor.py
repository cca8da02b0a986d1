"""Harbor task folders as instances of the software-engineering environment."""

from __future__ import annotations

from pathlib import Path

from rlvr_gym.envs.task_files import OnBad
from rlvr_gym.errors import TaskError
from rlvr_gym.repositories.harbor.errors import HarborError, UnsupportedError
from rlvr_gym.repositories.harbor.folder import SETTINGS
from rlvr_gym.repositories.harbor.loading import find_folders, read_task
from rlvr_gym.repositories.instances import Instance


def is_harbor(path: Path) -> bool:
    """Return whether a path is a task folder, or a folder of task folders."""
    return path.is_dir() and any(True for pattern in (SETTINGS, f"*/{SETTINGS}") for _ in path.glob(pattern))


def read_harbor(path: Path, on_bad: OnBad) -> tuple[list[Instance], list[str]]:
    """Return the tasks at ``path``, and what was left out, in words. Each solution is run once, in a sandbox.

    Raises:
        TaskError: a folder that breaks the format, or needs what cannot be had here; or no task is left.
    """
    found: dict[str, Instance] = {}
    bad: list[str] = []
    for folder in find_folders(path):
        try:
            instance = read_task(folder)
        except (HarborError, UnsupportedError) as error:
            bad += str(error).splitlines()
            continue
        if instance.id in found:
            bad.append(f"{folder}: the name '{instance.id}' is taken by an earlier folder.")
        found.setdefault(instance.id, instance)
    if bad and (on_bad == "refuse" or not found):
        raise TaskError("\n".join([*bad, f"{path}: on_bad='skip' leaves such folders out."]))
    return list(found.values()), bad
