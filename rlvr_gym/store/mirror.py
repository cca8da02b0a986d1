"""``metrics.jsonl``: the figures of a run for other programs. Nothing ever reads it back."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from rlvr_gym.store import files
from rlvr_gym.store.canonical import finite
from rlvr_gym.store.failures import told
from rlvr_gym.store.points import reached
from rlvr_gym.store.rows import Event


class Mirror:
    """One line of strict JSON per step, in order; NaN and infinities are null."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def append(self, event: Event) -> None:
        """Add the line of one event of kind ``metrics``."""
        line = _line(event)
        with told(self._path, "writing metrics"), self._path.open("a", encoding="utf-8") as file:
            file.write(line[: len(line) // 2])
            file.flush()
            reached("mirror-half")
            file.write(line[len(line) // 2 :])

    def rebuild(self, events: Iterable[Event]) -> None:
        """Write the whole file anew."""
        lines = (_line(event) for event in sorted(events, key=lambda event: event.step))
        with told(self._path, "writing metrics"):
            files.replace_text(self._path, "".join(lines))


def _line(event: Event) -> str:
    return f"{json.dumps(finite({'step': event.step, **event.payload}), allow_nan=False)}\n"
