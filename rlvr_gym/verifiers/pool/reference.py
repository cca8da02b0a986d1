"""How a function is named to a worker, and found there again."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import sys
import types
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rlvr_gym.errors import UsageError
from rlvr_gym.verifiers.pool.script import load_script


@dataclass(frozen=True, slots=True)
class Reference:
    """Where a worker finds a function."""

    module: str
    qualname: str
    file: str | None
    """File of the module, for modules that no import finds: the script itself, tests."""
    package: str | None
    """Package that the script's relative imports start from, when it was started with ``python -m``."""
    preload: tuple[str, ...]
    """Modules to import with it, so that their loading is not on the clock of a call."""
    path: tuple[str, ...]
    """``sys.path`` of the parent."""

    @classmethod
    def of(cls, function: Callable[..., Any], preload: Sequence[str] = ()) -> Reference:
        """Return the reference of ``function``.

        Raises:
            UsageError: when no worker could find it: a lambda, a closure, an object, a function of a session
                without a file.
        """
        module = getattr(function, "__module__", None)
        qualname = getattr(function, "__qualname__", None)
        if not isinstance(module, str) or not isinstance(qualname, str):
            raise UsageError(f"{function!r} cannot run in a worker: a judge is a function, not an object.")
        if "<" in qualname:
            raise UsageError(
                f"{module}.{qualname} cannot run in a worker: define the judge with def at the top of a module."
            )
        home = sys.modules.get(module)
        file = getattr(home, "__file__", None)
        if module == "__main__" and (file is None or not Path(file).is_file()):
            raise UsageError(
                f"{qualname} cannot run in a worker: it was typed into a session; put it into a file."
            )
        if _attribute(home, qualname) is not function:
            raise UsageError(
                f"{module}.{qualname} cannot run in a worker: that name now holds something else than the judge."
            )
        absolute = str(Path(file).resolve()) if file is not None else None
        package = getattr(home, "__package__", None)
        return cls(module, qualname, absolute, package, tuple(preload), search_path())

    def encode(self) -> bytes:
        """Return the reference as bytes."""
        return json.dumps(asdict(self)).encode()

    @classmethod
    def decode(cls, data: bytes) -> Reference:
        """Read what ``encode`` wrote."""
        row = json.loads(data)
        return cls(**{**row, "preload": tuple(row["preload"]), "path": tuple(row["path"])})

    def load(self) -> Callable[..., Any]:
        """Return the function; imports its module when needed."""
        sys.path[:] = self.path
        for name in self.preload:
            importlib.import_module(name)
        function = _attribute(self._module(), self.qualname)
        if not callable(function):
            raise ImportError(f"{self.module} has no function {self.qualname} when a worker imports it.")
        return function

    def _module(self) -> types.ModuleType:
        if self.module == "__main__":
            assert self.file is not None, "Reference.of refuses a main module without a file"
            return load_script(Path(self.file), self.package)
        known = sys.modules.get(self.module)
        if known is not None and (self.file is None or _same(getattr(known, "__file__", None), self.file)):
            return known
        try:
            found = importlib.util.find_spec(self.module)
        except ModuleNotFoundError:
            found = None
        if found is not None and (self.file is None or _same(found.origin, self.file)):
            return importlib.import_module(self.module)
        if self.file is None:
            raise ModuleNotFoundError(f"No module named {self.module!r} in a worker.", name=self.module)
        spec = importlib.util.spec_from_file_location(self.module, self.file)
        if spec is None or spec.loader is None:
            raise ImportError(f"{self.file} is no Python file.")
        module = importlib.util.module_from_spec(spec)
        # Registered first, as an import does: classes of the module are unpickled through this table.
        sys.modules[self.module] = module
        spec.loader.exec_module(module)
        return module


def search_path() -> tuple[str, ...]:
    """Return ``sys.path`` without entries that depend on the working directory."""
    return tuple(str(Path(entry).absolute()) if entry else str(Path.cwd()) for entry in sys.path)


def _attribute(home: object, qualname: str) -> object:
    for name in qualname.split("."):
        home = getattr(home, name, None)
    return home


def _same(origin: str | None, file: str) -> bool:
    return origin is not None and os.path.realpath(origin) == os.path.realpath(file)
