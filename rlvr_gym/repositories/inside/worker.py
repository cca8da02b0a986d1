"""The worker's process: pytest and the code under test."""

from __future__ import annotations

import os
import sys
import types
from typing import Any

import genuine  # type: ignore[import-not-found]  # beside this file, which is no package inside
import watching  # type: ignore[import-not-found]  # likewise


def work(job: dict[str, Any], token: str, channel: int) -> None:
    """Run the tests that ``job`` names, say what became of them, and end this process."""
    here = sys.path.pop(0)
    if job["environment"]:
        sys.path.append(job["environment"])
    # Before the repository's folders: nothing in them may stand in for what judges.
    import pytest

    send = watching.sender(token, channel)
    plugin = watching.plugin(send, job, genuine.differences(job["helpers"]))
    send("start")
    os.environ.update(job["env"])
    sys.path[:0] = job["roots"]
    sys.argv = ["pytest"]
    # Tests may import modules of the same names, or ask what the main module is.
    for name in [name for name, module in sys.modules.items() if _lies_in(module, here)]:
        del sys.modules[name]
    sys.modules["__main__"] = types.ModuleType("__main__")
    code = pytest.main(job["args"], plugins=[plugin])
    sys.stdout.flush()
    os._exit(int(code))


def _lies_in(module: object, folder: str) -> bool:
    return str(getattr(module, "__file__", None) or "").startswith(f"{folder}/")
