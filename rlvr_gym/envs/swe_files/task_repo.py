"""Task repositories of swebench 5: a folder with ``sweb.yaml`` and one folder per task, as rows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rlvr_gym.envs.task_files.rows import Row
from rlvr_gym.errors import ConfigError, MissingExtraError

_FILES = {
    "patch": "gold.patch",
    "test_patch": "test.patch",
    "eval_script": "eval.sh",
    "problem_statement": "problem_statement.md",
}
_WITHDRAWN = "deprecated"


def is_task_repo(folder: Path) -> bool:
    """Return whether a folder is one."""
    return (folder / "sweb.yaml").is_file() and (folder / "tasks").is_dir()


def read_task_repo(folder: Path) -> Iterator[Row]:
    """Yield a row per task, with the columns of swebench 5; tasks that were withdrawn are left out.

    Raises:
        ConfigError: it has no tasks.
        MissingExtraError: without a reader for YAML.
    """
    try:
        import yaml
    except ImportError:
        raise MissingExtraError(f"{folder}: a task repository", "data") from None
    tasks = sorted(each for each in (folder / "tasks").iterdir() if each.is_dir())
    if not tasks:
        raise ConfigError(f"{folder / 'tasks'}: there are no tasks.")
    for task in tasks:
        try:
            values = _values(task, yaml)
        except (OSError, ValueError, yaml.YAMLError) as error:
            yield Row(str(task), fault=" ".join(str(error).split()))
            continue
        if values.get("split") != _WITHDRAWN:
            yield Row(str(task), values)


def _values(task: Path, yaml: Any) -> dict[str, Any]:
    values = yaml.safe_load(_text(task / "task.yaml"))
    if not isinstance(values, dict):
        raise ValueError(f"task.yaml is no table, but {type(values).__name__}")
    values |= {column: _text(task / name) for column, name in _FILES.items()}
    found = json.loads(_text(task / "tests.json"))
    if not isinstance(found, dict):
        raise ValueError(f"tests.json is no table, but {type(found).__name__}")
    return values | found


def _text(path: Path) -> str:
    # As it is: line ends inside patches count.
    with path.open(encoding="utf-8", newline="") as file:
        return file.read()
