"""Rows of a run: events that are appended once and never changed, and what is derived from them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rlvr_gym.errors import StoreError
from rlvr_gym.store.blobs import BlobRef
from rlvr_gym.store.canonical import canonical, digest, timeless
from rlvr_gym.store.database import Database
from rlvr_gym.store.failures import DivergedError
from rlvr_gym.store.rows import Event, WorkState
from rlvr_gym.types import Json

_AT_ONCE = 500
_EVENT = "seq, branch, step, kind, key, payload, digest, blob, at"
_WORK = "work_id, branch, step, kind, role, parent, state, reason, settled, closed"


class Ledger:
    """Typed reads and writes of the tables ``event``, ``work`` and ``blob``.

    An event belongs to the branch in which it was written. A rollback to step ``s`` starts a new branch, which
    sees the older ones up to ``s`` only.
    """

    def __init__(self, database: Database, folder: Path) -> None:
        self._db = database
        self._folder = folder

    # Branches

    def rollbacks(self) -> list[int]:
        """Return the step that each branch after the first went back to."""
        rows = self._db.rows("SELECT payload FROM event WHERE kind = 'rollback' ORDER BY seq")
        return [json.loads(payload)["to"] for (payload,) in rows]

    def visible(self) -> Callable[[int, int], bool]:
        """Return the test whether the current branch sees what ``(branch, step)`` wrote."""
        back = self.rollbacks()
        limits = [min(back[branch:], default=None) for branch in range(len(back) + 1)]

        def sees(branch: int, step: int) -> bool:
            limit = limits[branch]
            return limit is None or step <= limit

        return sees

    # Events

    def find(self, kind: str, keys: Sequence[str]) -> dict[str, Event]:
        """Return the events of one kind that the current branch sees, by key."""
        sees = self.visible()
        found = {}
        for row in self._by_key(f"SELECT {_EVENT} FROM event WHERE kind = ? AND key IN", (kind,), keys):
            event = self._event(row)
            if sees(event.branch, event.step):
                found[event.key] = event
        return found

    def events(self, kind: str | None, step: int | None, void: bool) -> list[Event]:
        """Return events in the order of writing; with ``void`` also those that a rollback has cut off."""
        rows = self._db.rows(
            f"SELECT {_EVENT} FROM event WHERE (?1 IS NULL OR kind = ?1) AND (?2 IS NULL OR step = ?2) ORDER BY seq",
            (kind, step),
        )
        sees = self.visible()
        return [event for event in map(self._event, rows) if void or sees(event.branch, event.step)]

    def agree(self, old: Event, step: int, payload: Json, blob: BlobRef | str | None = None) -> None:
        """Compare what is written again with what was recorded.

        Raises:
            DivergedError: when they differ.
        """
        text = blob.digest if isinstance(blob, BlobRef) else blob
        if (old.step, old.digest) == (step, _digest(payload, text)):
            return
        where = f"{self._folder}: {old.kind} '{old.key}'"
        if old.step != step:
            raise DivergedError(f"{where} was recorded in step {old.step} and comes again in step {step}.")
        was, now = timeless(old.payload), timeless(payload)
        if canonical(was) == canonical(now):
            raise DivergedError(f"{where} of step {step} does not repeat: its arrays are not those recorded.")
        raise DivergedError(f"{where} of step {step} does not repeat: {_difference(was, now)}.")

    def add(
        self, branch: int, step: int, kind: str, key: str, payload: Json, blob: BlobRef | None = None
    ) -> int:
        """Append an event, and its blob if it has one; return its number. Needs a transaction."""
        number = None
        if blob is not None:
            number = self._db.write(
                "INSERT INTO blob (segment, offset, length, crc, digest) VALUES (?, ?, ?, ?, ?)",
                (blob.segment, blob.offset, blob.length, blob.crc, blob.digest),
            )
        return self._db.write(
            "INSERT INTO event (branch, step, kind, key, payload, digest, blob, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                branch,
                step,
                kind,
                key,
                canonical(payload),
                _digest(payload, blob.digest if blob else None),
                number,
                time.time(),
            ),
        )

    def _event(self, row: tuple[Any, ...]) -> Event:
        seq, branch, step, kind, key, text, recorded, blob, at = row
        return Event(seq, branch, step, kind, key, json.loads(text), recorded, blob, at)

    # Blobs

    def blob(self, number: int) -> BlobRef:
        """Return where a blob lies."""
        ((segment, offset, length, crc, value),) = self._db.rows(
            "SELECT segment, offset, length, crc, digest FROM blob WHERE blob = ?", (number,)
        )
        return BlobRef(segment, offset, length, crc, value)

    def blobs(self) -> list[tuple[int, BlobRef]]:
        """Return all blobs with their numbers."""
        rows = self._db.rows("SELECT blob, segment, offset, length, crc, digest FROM blob ORDER BY blob")
        return [(number, BlobRef(*rest)) for number, *rest in rows]

    def blob_ends(self) -> dict[int, int]:
        """Return the first byte behind the last named record of each segment."""
        ends: dict[int, int] = {}
        for _, ref in self.blobs():
            ends[ref.segment] = max(ends.get(ref.segment, 0), ref.end)
        return ends

    # Work

    def works(self, step: int | None = None) -> list[WorkState]:
        """Return all work, or that planned for one step, ordered by step, branch and id."""
        rows = self._db.rows(
            f"SELECT {_WORK} FROM work WHERE ?1 IS NULL OR step = ?1 ORDER BY step, branch, work_id", (step,)
        )
        return [_work(row) for row in rows]

    def live(self, ids: Sequence[str]) -> dict[str, WorkState]:
        """Return the work of these ids that no rollback has made void."""
        sql = f"SELECT {_WORK} FROM work WHERE state != 'void' AND work_id IN"
        return {work.work_id: work for work in map(_work, self._by_key(sql, (), ids))}

    def add_work(self, work: WorkState) -> None:
        """Append a piece of work. Needs a transaction."""
        self._db.write(
            f"INSERT INTO work ({_WORK}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                work.work_id,
                work.branch,
                work.step,
                work.kind,
                work.role,
                work.parent,
                work.state,
                work.reason,
                int(work.settled),
                work.closed,
            ),
        )

    def settle(self, ids: Iterable[str]) -> None:
        """Mark work as settled. Needs a transaction."""
        self._db.write_many(
            "UPDATE work SET state = 'settled', settled = 1 WHERE work_id = ? AND state = 'planned'",
            ((work_id,) for work_id in ids),
        )

    def close_work(self, step: int, state: str, reasons: Mapping[str, str]) -> None:
        """Mark work as charged, dropped or masked by the commit of ``step``. Needs a transaction."""
        self._db.write_many(
            "UPDATE work SET state = ?, reason = ?, closed = ? WHERE work_id = ? AND state IN ('planned', 'settled')",
            ((state, reason, step, work_id) for work_id, reason in reasons.items()),
        )

    def void_work(self, to: int) -> None:
        """Undo what steps after ``to`` did to work. Needs a transaction."""
        self._db.write(
            "UPDATE work SET state = 'void', reason = '', closed = NULL WHERE step > ? AND state != 'void'",
            (to,),
        )
        self._db.write(
            "UPDATE work SET state = CASE settled WHEN 1 THEN 'settled' ELSE 'planned' END, reason = '', closed = NULL"
            " WHERE closed > ? AND state != 'void'",
            (to,),
        )

    def _by_key(self, sql: str, first: tuple[Any, ...], keys: Sequence[str]) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = []
        for start in range(0, len(keys), _AT_ONCE):
            some = keys[start : start + _AT_ONCE]
            rows += self._db.rows(f"{sql} ({', '.join('?' * len(some))})", (*first, *some))
        return rows

    # Whole-ledger views

    def damaged(self) -> list[str]:
        """Return one line per event whose payload is not what was written."""
        refs = dict(self.blobs())
        lines = []
        for event in self.events(None, None, void=True):
            ref = refs.get(event.blob) if event.blob is not None else None
            if event.blob is not None and ref is None:
                lines.append(f"event {event.seq} ({event.kind} '{event.key}') names a blob that has no row")
            elif _digest(event.payload, ref.digest if ref else None) != event.digest:
                lines.append(f"event {event.seq} ({event.kind} '{event.key}') is not what was written")
        return lines


def _digest(payload: Json, blob: str | None) -> str:
    return digest(payload, *((blob,) if blob is not None else ()))


def _work(row: tuple[Any, ...]) -> WorkState:
    work_id, branch, step, kind, role, parent, state, reason, settled, closed = row
    return WorkState(work_id, branch, step, kind, role, parent, state, reason, bool(settled), closed)


def _difference(was: Json, now: Json) -> str:
    """Return the first field that differs, or both values."""
    if isinstance(was, dict) and isinstance(now, dict):
        for name in sorted({*was, *now}):
            old, new = canonical(was.get(name)), canonical(now.get(name))
            if old != new:
                return f"{name} was {_short(old)} and is now {_short(new)}"
    return f"it was {_short(canonical(was))} and is now {_short(canonical(now))}"


def _short(text: str) -> str:
    return text if len(text) <= 120 else f"{text[:117]}..."


def missing(folder: Path, ids: Iterable[str], known: Mapping[str, Any]) -> None:
    """Refuse ids that were never planned.

    Raises:
        StoreError: naming the first.
    """
    for work_id in ids:
        if work_id not in known:
            raise StoreError(f"{folder}: work '{work_id}' was never planned.")
