"""Loading a third party's file, as the command line and generated tests do it."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from rlvr_gym.errors import UsageError


def load_file(path: str | Path) -> ModuleType:
    """Return the module in ``path``, imported under its own name so that worker processes find it too.

    The folder of the file is added to the end of ``sys.path``.

    Raises:
        UsageError: no such file, no Python file, or a name that belongs to another module.
    """
    file = Path(path).resolve()
    if not file.is_file() or file.suffix != ".py":
        raise UsageError(f"{path}: no such Python file.")
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
        importlib.invalidate_caches()
    found = importlib.util.find_spec(file.stem)
    if found is None or found.origin is None or Path(found.origin).resolve() != file:
        taken = found.origin if found is not None else "nothing"
        raise UsageError(f"{path}: '{file.stem}' already names {taken}. Give the file another name.")
    return importlib.import_module(file.stem)
