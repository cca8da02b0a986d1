"""Results of steps that are not done twice: an interrupted command goes on where it was."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Callable
from pathlib import Path

from rlvr_gym.types import Json

_FORMAT = 1
"""Rises when a step would give another result for the same inputs."""


class Journal:
    """A folder with one small file per finished step, named by a hash of all that the result depends on."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def once(self, inputs: Json, compute: Callable[[], Json]) -> Json:
        """Return the result of a step, from its file if it was done before."""
        text = json.dumps([_FORMAT, inputs], sort_keys=True)
        file = self._folder / f"{hashlib.sha256(text.encode()).hexdigest()[:32]}.json"
        try:
            return json.loads(file.read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            pass
        result = compute()
        new = file.with_suffix(f".{os.getpid()}.{threading.get_ident()}.new")
        new.write_text(json.dumps(result), encoding="utf-8")
        new.rename(file)
        return result
