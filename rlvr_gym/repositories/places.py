"""Where things lie in the sandbox of a repository, and what its commands find there."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from rlvr_gym.errors import TaskError
from rlvr_gym.repositories.checkouts import cache_folder, checkout
from rlvr_gym.runtimes.base import Limits, Spec

if TYPE_CHECKING:
    from rlvr_gym.repositories.suites.pytest import PytestSuite

WORKSPACE = "/workspace"
ENVIRONMENT = "/environment"
_TOOLS = "/tools"
_START = f"""case ":$PATH:" in
*:{_TOOLS}:*) ;;
*) PATH="$PATH:{_TOOLS}" ;;
esac
"""
"""What bash runs first."""
_PYTHON = '#!/bin/sh\nexec python3 "$@"\n'
"""Many systems have no ``python``."""
_PACKAGES = ("site-packages", "dist-packages")


def spec_of(suite: PytestSuite, limits: Limits) -> Spec:
    """Return what a sandbox of ``suite`` starts with: `checkout` at /workspace, and its dependencies at /environment.

    Raises:
        TaskError: a folder that is not there.
    """
    read_only = {_tools(): _TOOLS}
    roots = [WORKSPACE if root == "." else f"{WORKSPACE}/{root}" for root in suite.source_roots]
    if suite.environment is not None:
        if not suite.environment.is_dir():
            raise TaskError(f"{suite.environment}: there is no folder of dependencies.")
        read_only[suite.environment] = ENVIRONMENT
        roots.append(ENVIRONMENT)
    plugins = " ".join(f"-p {name}" for name in ("no:cacheprovider", *suite.plugins))
    return Spec(
        limits=limits,
        workspace=checkout(suite),
        read_only=read_only,
        hidden=installed_packages(),
        env={
            "BASH_ENV": f"{_TOOLS}/start",
            "GIT_PAGER": "cat",
            # Where owners cannot be shifted, the folder belongs to whoever prepared it.
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": "*",
            "PAGER": "cat",
            "TERM": "dumb",
            "PYTHONPATH": ":".join(roots),
            # Compiled files hold time stamps: two runs of the same commands would leave different files.
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTEST_ADDOPTS": plugins,
        },
    )


def installed_packages() -> tuple[str, ...]:
    """Return the folders where this machine and usual images keep installed packages: one may be what is asked for."""
    here = Path(sys.base_prefix).resolve()
    found = {
        str(path)
        for base in (here, Path("/usr"), Path("/usr/local"))
        for name in _PACKAGES
        for path in base.glob(f"lib*/python3*/{name}")
    }
    # Those of an image are not here to be found.
    images = {f"/usr/local/lib/python3.{minor}/{name}" for minor in range(9, 20) for name in _PACKAGES}
    return tuple(sorted(found | images | {"/usr/lib/python3/dist-packages", "/usr/share/python-wheels"}))


def _tools() -> Path:
    folder = cache_folder("tools")
    for name, content in {"start": _START, "python": _PYTHON}.items():
        place = folder / name
        if not place.exists() or place.read_text() != content:
            _replace(place, content)
    return folder


def _replace(place: Path, content: str) -> None:
    """Write a program whole or not at all."""
    handle, new = tempfile.mkstemp(dir=place.parent)
    with os.fdopen(handle, "w") as file:
        file.write(content)
    Path(new).chmod(0o755)
    Path(new).rename(place)
