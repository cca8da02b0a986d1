"""The store of one run: a folder from which the run goes on as if it had never been stopped.

The loop is a deterministic function of configuration, seed and recorded results. After a stop it is executed
again from the last checkpoint, and every result that was recorded is returned instead of being made again.
Therefore every write has a key that the plan fixes; writing the same again does nothing, and writing something
else under the same key raises ``DivergedError``. What the clock decides is kept apart, see ``canonical.is_clock``.

Whatever belongs to a step is written before ``commit`` of that step: a run that resumes starts behind it.
"""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType

from rlvr_gym.errors import StoreError, UsageError
from rlvr_gym.store import inspection
from rlvr_gym.store.accounts import Account, accounts
from rlvr_gym.store.arrays import pack, unpack
from rlvr_gym.store.blobs import BlobRef, Blobs, trim
from rlvr_gym.store.canonical import digest, normal
from rlvr_gym.store.checkpoints import Checkpoint, Checkpoints
from rlvr_gym.store.commits import CommitRow, Commits
from rlvr_gym.store.database import Database, inspect
from rlvr_gym.store.failures import told
from rlvr_gym.store.files import FolderLock
from rlvr_gym.store.ledger import Ledger, missing
from rlvr_gym.store.mirror import Mirror
from rlvr_gym.store.opening import BLOBS, CHECKPOINTS, DATABASE, build, refuse_other_config
from rlvr_gym.store.rows import Commit, Event, Record, Work, WorkState
from rlvr_gym.types import Json

_OWN_KINDS = frozenset({"planned", "settled", "update_done", "rollback", "metrics"})


class RunStore:
    """Everything recorded of a run. Made by ``create`` or ``open``; safe to use from several threads.

    Example:
        >>> import tempfile
        >>> folder = Path(tempfile.mkdtemp()) / "run"
        >>> with RunStore.create(folder, config={"steps": 1}, seed=0, code_version="0") as store:
        ...     store.planned(0, [Work("a", "rollout", "solver")])
        ...     _ = store.settle([Record("a", {"reward": 1})])
        ...     _ = store.commit(0, manifest={}, fingerprint="f", charged=["a"])
        ...     [account.balanced for account in store.accounting()]
        [True]
    """

    def __init__(self, folder: Path, lock: FolderLock | None) -> None:
        self.folder = folder
        """The folder of the run."""
        self._lock = lock
        self._database = Database(folder / DATABASE, readonly=lock is None)
        self._ledger = Ledger(self._database, folder)
        self._commits = Commits(self._database)
        self._checkpoints = Checkpoints(folder / CHECKPOINTS)
        self._blobs = Blobs(folder / BLOBS, self._ledger.blob_ends())
        self._mirror = Mirror(folder / "metrics.jsonl")
        self._about: dict[str, str] = dict(self._database.rows("SELECT key, value FROM run"))

    # Opening and closing

    @classmethod
    def create(cls, folder: Path, *, config: Json, seed: int, code_version: str) -> RunStore:
        """Return the store of a new run, open for writing.

        Args:
            folder: Where the run will be; absent or empty.
            config: Resolved settings of the run.
            seed: Root of all its random streams.
            code_version: Recorded, so that a run tells by which code it was made.

        Raises:
            StoreError: when the folder is in use or cannot be written.
        """
        folder = Path(folder).absolute()
        lock = build(folder, config=config, seed=seed, code_version=code_version)
        try:
            store = cls(folder, lock)
        except BaseException:
            lock.close()
            raise
        store._begin_session()
        return store

    @classmethod
    def open(
        cls, folder: Path, *, config: Json | None = None, free: Collection[str] = (), readonly: bool = False
    ) -> RunStore:
        """Return the store of an existing run.

        Args:
            folder: The run.
            config: Resolved settings; refused when they differ from those of the run.
            free: Dotted names of settings that may differ, such as the number of steps.
            readonly: For reports: works beside the process that writes the run, and writes nothing.

        Raises:
            StoreError: when there is no run, or it is damaged, foreign, of a newer format, differently
                configured, being written by another process, or not writable.
        """
        folder = Path(folder).absolute()
        if not (folder / DATABASE).is_file():
            raise StoreError(f"{folder}: there is no run here.")
        inspect(folder / DATABASE)
        lock = None if readonly else FolderLock(folder)
        try:
            store = cls(folder, lock)
        except BaseException:
            if lock:
                lock.close()
            raise
        try:
            if config is not None:
                refuse_other_config(folder, store.config, normal(config), free)
            if not readonly:
                store._recover()
                store._begin_session()
        except BaseException:
            store.close()
            raise
        return store

    @staticmethod
    def exists(folder: Path) -> bool:
        """Return True when ``folder`` holds a run, in whatever state."""
        return (Path(folder) / DATABASE).is_file()

    def close(self) -> None:
        """Release the run; a second call does nothing. Nothing is lost without it."""
        self._database.close()
        if self._lock:
            self._lock.close()

    def __enter__(self) -> RunStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _begin_session(self) -> None:
        with told(self.folder, "opening the run"), self._database.lock:
            self._database.write(
                "INSERT INTO session (at, pid, host) VALUES (?, ?, ?)",
                (time.time(), os.getpid(), socket.gethostname()),
            )

    def _recover(self) -> None:
        """Remove what a crash left and no row names."""
        trim(self.folder / BLOBS, self._ledger.blob_ends())
        self._tidy_checkpoints()
        self._mirror.rebuild(self._ledger.events("metrics", None, void=False))

    def _tidy_checkpoints(self) -> None:
        self._checkpoints.keep_only([row.checkpoint for row in self._commits.rows() if row.checkpoint])

    # About the run

    @property
    def run_id(self) -> str:
        """Hash of configuration and seed; the root of work ids."""
        return self._about["run_id"]

    @property
    def config(self) -> Json:
        """The settings the run was made with."""
        return json.loads(self._about["config"])

    @property
    def seed(self) -> int:
        """The root seed."""
        return int(self._about["seed"])

    @property
    def code_version(self) -> str:
        """Version of the code that created the run."""
        return self._about["code_version"]

    @property
    def branch(self) -> int:
        """Number of rollbacks so far; belongs into every seed and every work id."""
        return len(self._ledger.rollbacks())

    def sessions(self) -> list[tuple[float, int, str]]:
        """Return when, by which process and on which host the run was opened for writing."""
        rows = self._database.rows("SELECT at, pid, host FROM session ORDER BY session")
        return [(at, pid, host) for at, pid, host in rows]

    # Work

    def planned(self, step: int, works: Sequence[Work]) -> None:
        """Record what a plan asks for, before any of it runs.

        Raises:
            DivergedError: when an id was planned as something else.
        """
        payloads = {w.work_id: {"kind": w.kind, "role": w.role, "parent": w.parent} for w in works}
        if len(payloads) != len(works):
            raise UsageError(f"step {step}: a plan names the same work twice.")
        with self._database.lock:
            branch = self.branch
            fresh = self._fresh(step, "planned", payloads)
            if not fresh:
                return
            with self._database.transaction("planned"):
                for work in works:
                    if work.work_id in fresh:
                        self._ledger.add(branch, step, "planned", work.work_id, payloads[work.work_id])
                        self._ledger.add_work(_planned(work, step, branch))

    def settle(self, records: Sequence[Record]) -> list[Record]:
        """Record results, all or none, and return them as they will be read back.

        Results that were recorded before are returned as recorded; go on with what this returns.

        Raises:
            DivergedError: when one differs from what was recorded.
            StoreError: when one was never planned or is closed, or the disk refuses.
        """
        ids = [record.work_id for record in records]
        if len(set(ids)) != len(ids):
            raise UsageError("the same work is settled twice in one batch.")
        packed = {record.work_id: pack(record.arrays) if record.arrays else None for record in records}
        with self._database.lock:
            branch, works, known = self.branch, self._ledger.live(ids), self._ledger.find("settled", ids)
            missing(self.folder, ids, works)
            for record in records:
                if record.work_id in known:
                    self._agree_record(
                        known[record.work_id], works[record.work_id], record, packed[record.work_id]
                    )
                elif works[record.work_id].state != "planned":
                    state = works[record.work_id].state
                    raise StoreError(f"{self.folder}: work '{record.work_id}' is {state} and cannot settle.")
            fresh = [record for record in records if record.work_id not in known]
            if fresh:
                self._settle_fresh(branch, works, fresh, packed)
        return [
            Record(r.work_id, known[r.work_id].payload if r.work_id in known else normal(r.payload), r.arrays)
            for r in records
        ]

    def _settle_fresh(
        self,
        branch: int,
        works: Mapping[str, WorkState],
        fresh: Sequence[Record],
        packed: Mapping[str, bytes | None],
    ) -> None:
        mark = self._blobs.mark()
        blobs = {record.work_id: data for record in fresh if (data := packed[record.work_id]) is not None}
        try:
            refs = dict(zip(blobs, self._blobs.append(list(blobs.values())), strict=True))
            with self._database.transaction("settled"):
                for record in fresh:
                    step = works[record.work_id].step
                    ref = refs.get(record.work_id)
                    self._ledger.add(branch, step, "settled", record.work_id, record.payload, ref)
                self._ledger.settle(record.work_id for record in fresh)
        except BaseException:
            self._blobs.rewind(mark)
            raise

    def _agree_record(self, old: Event, work: WorkState, record: Record, data: bytes | None) -> None:
        value = None if data is None else BlobRef.of(data).digest
        self._ledger.agree(old, work.step, record.payload, value)

    def settled(self, work_ids: Sequence[str]) -> list[Record] | None:
        """Return the results of all ``work_ids`` in this order, or None unless every one is recorded."""
        found = self._ledger.find("settled", work_ids)
        if len(found) < len(set(work_ids)):
            return None
        return [self._record(found[work]) for work in work_ids]

    def _record(self, event: Event) -> Record:
        if event.blob is None:
            return Record(event.key, event.payload)
        return Record(event.key, event.payload, unpack(self._blobs.read(self._ledger.blob(event.blob))))

    # Recorded results without a plan

    def recall(self, kind: str, keys: Sequence[str]) -> dict[str, Json]:
        """Return what ``remember`` recorded for those of ``keys`` that it recorded."""
        return {key: event.payload for key, event in self._ledger.find(kind, keys).items()}

    def remember(self, step: int, kind: str, values: Mapping[str, Json]) -> dict[str, Json]:
        """Record values by key in one transaction and return them as they will be read back.

        A key that has a value keeps it, whatever is given now; go on with what this returns.
        """
        _refuse_own(kind)
        with self._database.lock:
            known = self.recall(kind, list(values))
            fresh = {key: value for key, value in values.items() if key not in known}
            if fresh:
                self._add_all("memo", step, kind, fresh)
        return {key: known[key] if key in known else normal(values[key]) for key in values}

    def once_many(
        self, step: int, kind: str, keys: Sequence[str], make: Callable[[list[str]], Sequence[Json]]
    ) -> list[Json]:
        """Return one value per key: the recorded one, or that which ``make`` gives for the keys without one.

        Args:
            step: The current step.
            kind: Kind of event that records them, such as ``"judged"``.
            keys: Keys, fixed by the plan or by content; repeats share one value.
            make: Takes the missing keys in order and returns their values.
        """
        unique = list(dict.fromkeys(keys))
        known = self.recall(kind, unique)
        absent = [key for key in unique if key not in known]
        if absent:
            known |= self.remember(step, kind, dict(zip(absent, make(absent), strict=True)))
        return [known[key] for key in keys]

    def once(self, step: int, kind: str, key: str, make: Callable[[], Json]) -> Json:
        """Return the recorded value of ``key``, or record and return what ``make`` gives."""
        return self.once_many(step, kind, [key], lambda _: [make()])[0]

    # Events and metrics

    def event(self, step: int, kind: str, key: str, payload: Json) -> None:
        """Record what happened, such as an alarm; the same event again does nothing.

        Raises:
            DivergedError: when the key holds another event.
        """
        _refuse_own(kind)
        with self._database.lock:
            fresh = self._fresh(step, kind, {key: payload})
            if fresh:
                self._add_all("event", step, kind, fresh)

    def metrics(self, step: int, row: Mapping[str, Json]) -> None:
        """Record the figures of a step, once per step, and mirror them to ``metrics.jsonl``."""
        payload = dict(row)
        with self._database.lock:
            fresh = self._fresh(step, "metrics", {str(step): payload})
            if fresh:
                self._add_all("metrics", step, "metrics", fresh)
                self._mirror.append(self._ledger.find("metrics", [str(step)])[str(step)])

    def _fresh(self, step: int, kind: str, payloads: Mapping[str, Json]) -> dict[str, Json]:
        """Return the payloads that are not recorded yet, after comparing the others."""
        known = self._ledger.find(kind, list(payloads))
        for key, old in known.items():
            self._ledger.agree(old, step, payloads[key])
        return {key: payload for key, payload in payloads.items() if key not in known}

    def _add_all(self, name: str, step: int, kind: str, payloads: Mapping[str, Json]) -> None:
        branch = self.branch
        with self._database.transaction(name):
            for key, payload in payloads.items():
                self._ledger.add(branch, step, kind, key, payload)

    # Commit, resume, rollback

    def commit(
        self,
        step: int,
        *,
        manifest: Json,
        fingerprint: str,
        version_in: str = "",
        version_out: str = "",
        charged: Sequence[str] = (),
        dropped: Mapping[str, str] | None = None,
        masked: Mapping[str, str] | None = None,
        state: Json = None,
        checkpoint: Callable[[Path], None] | None = None,
        healthy: bool = False,
        keep: int = 2,
    ) -> bool:
        """Close a step in one transaction; when it is repeated, compare it with what was recorded.

        Args:
            step: Larger than that of any commit before.
            manifest: What the update was made of.
            fingerprint: Of the parameters after the update.
            version_in: Policy version that the step started with.
            version_out: Policy version that it ended with.
            charged: Settled work that the update used. No work is ever charged twice.
            dropped: Work id -> why it was not used although decided.
            masked: Work id -> why it has no reward.
            state: What the loop needs to go on from here, besides what ``checkpoint`` writes. Kept with a
                checkpoint; of others only its hash.
            checkpoint: Fills a folder with weights and optimizer state, or None for a step without a checkpoint.
            healthy: No detector objects: a state worth going back to. Not compared: a resumed run may listen to
                others.
            keep: Newest checkpoints to keep, besides the newest healthy one.

        Returns:
            False when the step was recorded already.

        Raises:
            DivergedError: when the repeated step differs.
            StoreError: when work is charged that has not settled or is closed, or the disk refuses.
        """
        if keep < 1:
            raise UsageError(f"keep must be at least 1, got {keep}.")
        ends = {
            "charged": dict.fromkeys(charged, ""),
            "dropped": dict(dropped or {}),
            "masked": dict(masked or {}),
        }
        payload = {
            "manifest": manifest,
            "fingerprint": fingerprint,
            "version_in": version_in,
            "version_out": version_out,
            "charged": list(charged),
            "dropped": ends["dropped"],
            "masked": ends["masked"],
            "state": digest(state),
        }
        with self._database.lock:
            fresh = bool(self._fresh(step, "update_done", {str(step): payload}))
            if fresh:
                self._refuse_bad_ends(step, ends, len(charged))
            row = next((row for row in self._commits.rows() if row.step == step), None)
            wanted = checkpoint is not None and not (
                row and row.checkpoint and self._checkpoints.exists(row.checkpoint)
            )
            if not fresh and not wanted:
                return False
            contents = (
                self._checkpoints.write(step, checkpoint) if checkpoint is not None and wanted else None
            )
            branch = self.branch
            with self._database.transaction("commit"):
                if fresh:
                    seq = self._ledger.add(branch, step, "update_done", str(step), payload)
                    self._commits.add(step, branch, seq, healthy)
                    for name, reasons in ends.items():
                        self._ledger.close_work(step, name, reasons)
                if contents is not None:
                    self._commits.set_checkpoint(step, self._checkpoints.name(step), contents, state)
                    self._commits.prune(keep)
            if contents is not None:
                self._tidy_checkpoints()
            return fresh

    def _refuse_bad_ends(self, step: int, ends: Mapping[str, Mapping[str, str]], num_charged: int) -> None:
        ids = [work for reasons in ends.values() for work in reasons]
        if len(set(ids)) != len(ids) or num_charged != len(ends["charged"]):
            raise StoreError(f"{self.folder}: step {step} closes the same work twice.")
        works = self._ledger.live(ids)
        missing(self.folder, ids, works)
        for name, reasons in ends.items():
            allowed = ("settled",) if name == "charged" else ("planned", "settled")
            for work in reasons:
                if works[work].state not in allowed:
                    raise StoreError(
                        f"{self.folder}: work '{work}' is {works[work].state} and cannot be {name}."
                    )
        last = self.last_commit()
        if last is not None and step <= last:
            raise StoreError(f"{self.folder}: step {step} comes after step {last} was committed.")

    def last_commit(self) -> int | None:
        """Return the newest committed step, None before the first."""
        return max((row.step for row in self._commits.rows()), default=None)

    def last_checkpoint(self, *, healthy: bool = False) -> Checkpoint | None:
        """Return the newest checkpoint, or the newest healthy one; None when the run starts from nothing.

        A checkpoint whose folder was removed is passed over: the steps after an older one are repeated.

        Raises:
            StoreError: when its files are not those that were written.
        """
        for row in reversed(self._commits.rows()):
            if row.checkpoint and (row.healthy or not healthy) and self._checkpoints.exists(row.checkpoint):
                self._checkpoints.check(row.checkpoint, row.files or {})
                return Checkpoint(
                    row.step, row.branch, self._checkpoints.path(row.checkpoint), row.state, row.healthy
                )
        return None

    def rollback(self, step: int, to: int, reason: str) -> int:
        """Make everything after ``to`` void and return the number of the branch that begins there.

        The loop goes on from the checkpoint of ``to`` with the new ``branch`` in its seeds. A rollback is
        decided before the commit of its step, so that a crash in between leads to the same decision again.

        Raises:
            StoreError: when ``to`` has no checkpoint, or ``step`` was committed with one.
        """
        with self._database.lock:
            held = {row.step for row in self._commits.rows() if row.checkpoint}
            if to not in held or to >= step:
                known = ", ".join(str(s) for s in sorted(held) if s < step) or "none"
                raise StoreError(f"{self.folder}: step {to} has no checkpoint to go back to; kept: {known}.")
            if step in held:
                raise StoreError(
                    f"{self.folder}: step {step} is committed; a rollback is decided before that."
                )
            branch = self.branch
            with self._database.transaction("rollback"):
                self._ledger.add(branch, step, "rollback", str(branch + 1), {"to": to, "reason": reason})
                self._ledger.void_work(to)
                self._commits.void(to)
            self._tidy_checkpoints()
            self._mirror.rebuild(self._ledger.events("metrics", None, void=False))
            return branch + 1

    # Reports and checks

    def events(self, kind: str | None = None, step: int | None = None, *, void: bool = False) -> list[Event]:
        """Return events in the order of writing; with ``void`` also those that a rollback has cut off."""
        return self._ledger.events(kind, step, void)

    def works(self, step: int | None = None) -> list[WorkState]:
        """Return what became of all work, or of that planned for one step."""
        return self._ledger.works(step)

    def records(self, step: int | None = None) -> Iterator[Record]:
        """Yield the results in the order of recording, with their arrays."""
        for event in self._ledger.events("settled", step, void=False):
            yield self._record(event)

    def commits(self, first: int | None = None, last: int | None = None) -> list[Commit]:
        """Return the commits of the current branch from step ``first`` to step ``last``, both included."""
        by_key = {event.key: event.payload for event in self._ledger.events("update_done", None, void=False)}
        return [
            _commit(row, by_key[str(row.step)])
            for row in self._commits.rows()
            if (first is None or row.step >= first) and (last is None or row.step <= last)
        ]

    def accounting(self) -> list[Account]:
        """Return where the planned work went, per step and role."""
        return accounts(self._ledger.works())

    def verify_accounts(self) -> list[str]:
        """Return where events, table of work and the accounting identity disagree; nothing in an intact run."""
        with self._database.snapshot():
            return inspection.account_problems(self._ledger)

    def problems(self) -> list[str]:
        """Check the whole run and return one line per contradiction; an intact run gives none.

        Besides the accounts, this reads every event, blob and checkpoint.
        """
        with self._database.snapshot():
            lines = inspection.account_problems(self._ledger)
            return lines + inspection.file_problems(
                self._ledger, self._commits, self._blobs, self._checkpoints
            )

    def dump(self) -> Json:
        """Return all that is deterministic, sorted: equal for two runs that recorded the same."""
        about = {key: self._about[key] for key in ("run_id", "config", "seed", "code_version")}
        with self._database.snapshot():
            return inspection.dump(about, self._ledger, self._commits)


def _planned(work: Work, step: int, branch: int) -> WorkState:
    return WorkState(
        work.work_id, branch, step, work.kind, work.role, work.parent, "planned", "", False, None
    )


def _commit(row: CommitRow, payload: Json) -> Commit:
    return Commit(
        step=row.step,
        branch=row.branch,
        manifest=payload["manifest"],
        fingerprint=payload["fingerprint"],
        version_in=payload["version_in"],
        version_out=payload["version_out"],
        charged=tuple(payload["charged"]),
        dropped=payload["dropped"],
        masked=payload["masked"],
        checkpoint=row.checkpoint,
        healthy=row.healthy,
    )


def _refuse_own(kind: str) -> None:
    if kind in _OWN_KINDS:
        raise UsageError(f"events of kind '{kind}' are written by the store itself.")
