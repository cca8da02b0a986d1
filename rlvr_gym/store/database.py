"""The SQLite file of a run: who may open it, and one way to write to it."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rlvr_gym.errors import StoreError
from rlvr_gym.store.failures import told
from rlvr_gym.store.points import reached

FORMAT = 1
"""Rises when older versions could no longer read the file."""

_APPLICATION = 0x524C5652
_HEADER_BYTES = 100
_MAGIC = b"SQLite format 3\0"

_SCHEMA = """
CREATE TABLE run (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE session (session INTEGER PRIMARY KEY, at REAL NOT NULL, pid INTEGER NOT NULL, host TEXT NOT NULL);
CREATE TABLE blob (
    blob INTEGER PRIMARY KEY, segment INTEGER NOT NULL, offset INTEGER NOT NULL,
    length INTEGER NOT NULL, crc INTEGER NOT NULL, digest TEXT NOT NULL
);
CREATE TABLE event (
    seq INTEGER PRIMARY KEY, branch INTEGER NOT NULL, step INTEGER NOT NULL, kind TEXT NOT NULL,
    key TEXT NOT NULL, payload TEXT NOT NULL, digest TEXT NOT NULL, blob INTEGER REFERENCES blob,
    at REAL NOT NULL, UNIQUE (kind, key, branch)
);
CREATE INDEX event_step ON event (step, kind);
CREATE TABLE work (
    work_id TEXT NOT NULL, branch INTEGER NOT NULL, step INTEGER NOT NULL, kind TEXT NOT NULL,
    role TEXT NOT NULL, parent TEXT, state TEXT NOT NULL, reason TEXT NOT NULL,
    settled INTEGER NOT NULL, closed INTEGER, PRIMARY KEY (work_id, branch)
) WITHOUT ROWID;
CREATE INDEX work_step ON work (step);
CREATE TABLE update_ (
    step INTEGER NOT NULL, branch INTEGER NOT NULL, seq INTEGER NOT NULL REFERENCES event,
    checkpoint TEXT, files TEXT, state TEXT, healthy INTEGER NOT NULL, void INTEGER NOT NULL,
    PRIMARY KEY (step, branch)
) WITHOUT ROWID;
"""


def inspect(path: Path) -> None:
    """Look at the first bytes of ``path`` before SQLite does, which would take an empty file for a new one.

    Raises:
        StoreError: when the file is damaged, of another program, or of a newer format.
    """
    with told(path, "opening the run"), path.open("rb") as file:
        head = file.read(_HEADER_BYTES)
    if not head.startswith(_MAGIC[: len(head)]):
        raise StoreError(f"{path}: this is no run: the file is not a SQLite database.")
    if len(head) < _HEADER_BYTES:
        raise StoreError(f"{path}: the file is damaged: it ends after {len(head)} bytes.")
    application, form = int.from_bytes(head[68:72], "big"), int.from_bytes(head[60:64], "big")
    if application != _APPLICATION:
        raise StoreError(f"{path}: this is no run: the database belongs to another program.")
    if form > FORMAT:
        raise StoreError(
            f"{path}: the run has format {form}, this version reads up to {FORMAT}. Update the library."
        )


class Database:
    """A connection whose writes are transactions, all on the disk when they end.

    Raises:
        StoreError: when the file is damaged or cannot be opened.
    """

    def __init__(self, path: Path, *, readonly: bool = False) -> None:
        self._path = path
        self.lock = threading.RLock()
        with told(path, "opening the run"):
            self._db = _connect(path, readonly)
        try:
            with told(path, "opening the run"):
                damage = self.rows("PRAGMA quick_check(1)")
                if damage != [("ok",)]:
                    raise StoreError(f"{path}: the file is damaged: {damage[0][0]}. Restore it from a copy.")
                if not readonly:
                    # FULL: a row that was committed survives a power cut, not only a kill.
                    self._db.execute("PRAGMA synchronous = FULL")
        except BaseException:
            self._db.close()
            raise

    @classmethod
    def create(cls, path: Path) -> Database:
        """Return the database of a new, empty run."""
        with told(path, "creating the run"):
            db = sqlite3.connect(path, isolation_level=None)
            try:
                db.execute("PRAGMA journal_mode = WAL")
                db.executescript(
                    f"BEGIN; PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {FORMAT};{_SCHEMA} COMMIT;"
                )
            finally:
                # Closing moves everything into the main file, whose header names the application.
                db.close()
        return cls(path)

    @contextmanager
    def transaction(self, name: str) -> Iterator[None]:
        """Write all that the block writes, or nothing.

        Args:
            name: One of ``points.TRANSACTIONS``.

        Raises:
            StoreError: when the disk or SQLite refuses; nothing was written then.
        """
        with self.lock:
            with told(self._path, f"recording ({name})"):
                self._db.execute("BEGIN IMMEDIATE")
                try:
                    yield
                    reached(f"{name}-inside")
                    self._db.execute("COMMIT")
                except BaseException:
                    # After a full disk SQLite may have rolled back by itself.
                    if self._db.in_transaction:
                        self._db.execute("ROLLBACK")
                    raise
            reached(f"{name}-after")

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let all reads of the block see the run at one moment, whatever another process writes."""
        with self.lock, told(self._path, "reading the run"):
            self._db.execute("BEGIN")
            try:
                yield
            finally:
                self._db.execute("ROLLBACK")

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query."""
        with self.lock, told(self._path, "reading the run"):
            return self._db.execute(sql, values).fetchall()

    def write(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Run one statement inside a transaction and return the id of the row it added, if any."""
        return self._db.execute(sql, values).lastrowid or 0

    def write_many(self, sql: str, values: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each of ``values`` inside a transaction."""
        self._db.executemany(sql, values)

    def close(self) -> None:
        """Close the connection; a second call does nothing."""
        with self.lock:
            self._db.close()


def _connect(path: Path, readonly: bool) -> sqlite3.Connection:
    if not readonly:
        return sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
    name = f"file:{quote(str(path.absolute()))}"
    db = sqlite3.connect(
        f"{name}?mode=ro", uri=True, isolation_level=None, check_same_thread=False, timeout=30
    )
    try:
        db.execute("SELECT 1 FROM run LIMIT 1").fetchall()
    except sqlite3.OperationalError:
        db.close()
        log = path.with_name(f"{path.name}-wal")
        if log.exists() and log.stat().st_size:
            raise
        # WAL mode needs a writable folder even to read, unless nobody can be writing.
        return sqlite3.connect(f"{name}?immutable=1", uri=True, isolation_level=None, check_same_thread=False)
    return db
