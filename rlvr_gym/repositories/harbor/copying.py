"""``COPY``: which files of the task folder go where in the working folder."""

from __future__ import annotations

import fnmatch
import posixpath

from rlvr_gym.repositories.harbor.dockerfile import Copy
from rlvr_gym.repositories.harbor.errors import UnsupportedError
from rlvr_gym.repositories.harbor.trees import Files


def copied(step: Copy, context: Files, workdir: str, *, where: str) -> dict[str, tuple[bytes, bool]]:
    """Return the files that a line adds, by path from the working folder.

    Args:
        step: The line.
        context: The files of ``environment/``.
        workdir: The working folder of the task.
        where: Names the line in messages.

    Raises:
        UnsupportedError: a source that is not there, or a target elsewhere.
    """
    found: dict[str, tuple[bytes, bool]] = {}
    for source in step.sources:
        pattern = posixpath.normpath(source.lstrip("/") or ".")
        matched = _matched(pattern, context)
        if not matched:
            raise UnsupportedError(f"{where}: there is no environment/{pattern}.")
        for name, is_folder in matched:
            if is_folder:
                prefix = "" if name == "." else f"{name}/"
                for path, entry in context.items():
                    if path.startswith(prefix):
                        found[f"{step.target}/{path[len(prefix) :]}"] = entry
            else:
                inside = step.into or len(matched) > 1
                target = f"{step.target}/{posixpath.basename(name)}" if inside else step.target
                found[target] = context[name]
    result = {}
    for target, entry in found.items():
        path = posixpath.normpath(target)
        if not path.startswith(f"{workdir}/"):
            raise UnsupportedError(f"{where}: only {workdir} can be filled, not {path}.")
        result[path[len(workdir) + 1 :]] = entry
    return result


def _matched(pattern: str, context: Files) -> list[tuple[str, bool]]:
    """Return the files and folders that a source names, with whether each is a folder."""
    folders = {"."} | {
        "/".join(path.split("/")[:depth]) for path in context for depth in range(1, path.count("/") + 1)
    }
    depth = pattern.count("/")
    named = [
        name
        for name in sorted({*context, *folders})
        # A star does not cross a slash.
        if name.count("/") == depth and all(map(fnmatch.fnmatchcase, name.split("/"), pattern.split("/")))
    ]
    exact = [name for name in named if name == pattern]
    return [(name, name in folders) for name in exact or named if name != "." or pattern == "."]
