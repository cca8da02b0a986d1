"""Rows of the table ``update_``: one per committed step, with the checkpoint it can be resumed from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from rlvr_gym.store.canonical import canonical
from rlvr_gym.store.database import Database
from rlvr_gym.types import Json


@dataclass(frozen=True, slots=True)
class CommitRow:
    """A committed step; ``checkpoint``, ``files`` and ``state`` are there while its checkpoint is kept."""

    step: int
    branch: int
    checkpoint: str | None
    files: dict[str, Json] | None
    state: Json
    healthy: bool
    void: bool


class Commits:
    """Reads and writes of the commits that no rollback has made void. Writes need a transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def rows(self, *, void: bool = False) -> list[CommitRow]:
        """Return the commits in order of branch and step; with ``void`` also those cut off."""
        rows = self._db.rows(
            "SELECT step, branch, checkpoint, files, state, healthy, void FROM update_ ORDER BY branch, step"
        )
        return [
            CommitRow(
                step,
                branch,
                name,
                json.loads(files or "null"),
                json.loads(state or "null"),
                bool(ok),
                bool(gone),
            )
            for step, branch, name, files, state, ok, gone in rows
            if void or not gone
        ]

    def add(self, step: int, branch: int, seq: int, healthy: bool) -> None:
        """Append a commit without a checkpoint."""
        self._db.write(
            "INSERT INTO update_ (step, branch, seq, healthy, void) VALUES (?, ?, ?, ?, 0)",
            (step, branch, seq, int(healthy)),
        )

    def set_checkpoint(self, step: int, name: str, files: Mapping[str, Json], state: Json) -> None:
        """Name the checkpoint of a commit."""
        self._db.write(
            "UPDATE update_ SET checkpoint = ?, files = ?, state = ? WHERE step = ? AND void = 0",
            # The order of keys is kept, for a loop that goes on from the state it reads back.
            (name, canonical(files), json.dumps(state), step),
        )

    def prune(self, keep: int) -> None:
        """Forget all checkpoints but the newest ``keep`` and the newest healthy one."""
        held = [row for row in self.rows() if row.checkpoint]
        healthy = [row.step for row in held if row.healthy]
        kept = {*(row.step for row in held[-keep:]), *healthy[-1:]}
        for row in held:
            if row.step not in kept:
                self._forget("step = ? AND void = 0", row.step)

    def void(self, to: int) -> None:
        """Make the commits after ``to`` void and forget their checkpoints."""
        self._forget("step > ? AND void = 0", to)
        self._db.write("UPDATE update_ SET void = 1 WHERE step > ?", (to,))

    def _forget(self, where: str, step: int) -> None:
        self._db.write(
            f"UPDATE update_ SET checkpoint = NULL, files = NULL, state = NULL WHERE {where}", (step,)
        )
