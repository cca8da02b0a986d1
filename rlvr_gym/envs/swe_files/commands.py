"""Scripts for data sets whose rows bring none: an environment, a command, and marks around what it prints."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from rlvr_gym.repositories.patches import paths_of
from rlvr_gym.repositories.scripts import END, EXIT_CODE, START

_CONDA = ("source /opt/miniconda3/bin/activate", "conda activate testbed")
"""How the images of SWE-bench and its kin start Python."""
CONDA_PYTHON = "/opt/miniconda3/envs/testbed/bin/python"
"""The Python that they start."""
_NO_TESTS = (
    ".json",
    ".png",
    ".csv",
    ".txt",
    ".md",
    ".jpg",
    ".jpeg",
    ".pkl",
    ".yml",
    ".yaml",
    ".toml",
    ".cfg",
)


def marked(commands: Sequence[str], *, workdir: str, conda: bool) -> str:
    """Return a script of bash that runs ``commands`` in ``workdir``; the code of the last is told."""
    lines = [
        "#!/bin/bash",
        "set -xo pipefail",
        *(_CONDA if conda else ()),
        f"cd {shlex.quote(workdir)}",
        f": '{START}'",
        *commands,
        "CODE=$?",
        f": '{END}'",
        f'echo "{EXIT_CODE}: $CODE"',
    ]
    return "\n".join(lines) + "\n"


def test_files(test_patch: str) -> list[str]:
    """Return the files of a patch that a test runner can be given.

    Raises:
        PatchError: it is malformed.
    """
    return [path for path in paths_of(test_patch) if not path.endswith(_NO_TESTS)]


def files_of(ids: Sequence[str]) -> list[str]:
    """Return the files in the ids of pytest, in order."""
    return list(dict.fromkeys(name.partition("::")[0] for name in ids if "::" in name))


def with_paths(command: str, paths: Sequence[str]) -> str:
    """Return a command with paths behind it."""
    return " ".join([command, *map(shlex.quote, paths)])
