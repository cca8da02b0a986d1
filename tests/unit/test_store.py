"""The run store: repeats are no-ops, differences are errors, and unusable folders get one clear line."""

from __future__ import annotations

import json
import math
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from rlvr_gym.errors import StoreError, UsageError
from rlvr_gym.store import Account, DivergedError, Record, RunStore, Work, set_hook
from rlvr_gym.store.canonical import canonical, digest, normal, timeless
from rlvr_gym.types import Status, Verdict

CONFIG = {"steps": 9, "learner": {"lr": 0.001, "name": "grpo"}}


def make(folder: Path) -> RunStore:
    return RunStore.create(folder, config=CONFIG, seed=7, code_version="1.0")


def solver(*ids: str) -> list[Work]:
    return [Work(i, "rollout", "solver") for i in ids]


def result(work: str, value: int = 0) -> Record:
    return Record(work, {"reward": value}, {"ids": np.arange(value, dtype=np.int32)})


def weights(text: str) -> Callable[[Path], None]:
    return lambda folder: (folder / "weights.bin").write_text(text) and None


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    with make(tmp_path / "run") as made:
        yield made


def fill(store: RunStore, step: int, *, checkpoint: bool = False, healthy: bool = False) -> None:
    """One step in small: two works, one verdict, metrics, commit."""
    names = [f"{store.branch}/{step}/{i}" for i in range(2)]
    store.planned(step, solver(*names))
    store.settle([result(name, step) for name in names])
    store.once(step, "judged", names[0], lambda: {"passed": True, "seconds": 0.5})
    store.metrics(step, {"reward": step / 2, "wall/seconds": 1.0})
    store.commit(
        step,
        manifest={"n": 2},
        fingerprint=f"{store.branch}-{step}",
        charged=names[:1],
        masked={names[1]: "timeout"},
        state={"step": step},
        checkpoint=weights(f"weights of {store.branch}-{step}") if checkpoint else None,
        healthy=healthy,
    )


class TestFolder:
    def test_a_new_run_holds_its_settings(self, store: RunStore) -> None:
        assert (store.config, store.seed, store.code_version, store.branch) == (CONFIG, 7, "1.0", 0)
        assert json.loads((store.folder / "config.json").read_text()) == CONFIG
        assert len(store.run_id) == 20
        assert len(store.sessions()) == 1
        assert RunStore.exists(store.folder)

    def test_equal_settings_and_seed_give_equal_ids(self, store: RunStore, tmp_path: Path) -> None:
        with make(tmp_path / "other") as other:
            assert other.run_id == store.run_id
        with RunStore.create(tmp_path / "third", config=CONFIG, seed=8, code_version="1.0") as third:
            assert third.run_id != store.run_id

    def test_an_existing_empty_folder_is_used(self, tmp_path: Path) -> None:
        (tmp_path / "run").mkdir()
        make(tmp_path / "run").close()
        assert sorted(p.name for p in tmp_path.iterdir()) == ["run"]

    def test_a_folder_with_other_things_is_refused_and_left_alone(self, tmp_path: Path) -> None:
        (tmp_path / "thesis.txt").write_text("years of work")
        with pytest.raises(StoreError, match="is not empty and holds no run"):
            make(tmp_path)
        assert [p.name for p in tmp_path.iterdir()] == ["thesis.txt"]

    def test_a_second_run_in_one_folder_is_refused(self, store: RunStore) -> None:
        with pytest.raises(StoreError, match="there is a run here already"):
            make(store.folder)

    def test_no_run_is_said_so(self, tmp_path: Path) -> None:
        with pytest.raises(StoreError, match="there is no run here"):
            RunStore.open(tmp_path / "nowhere")

    def test_other_settings_are_refused_by_name(self, store: RunStore) -> None:
        store.close()
        other = {"steps": 9, "learner": {"lr": 0.01, "name": "grpo"}}
        with pytest.raises(
            StoreError, match=r"made with learner\.lr = 0\.001, these settings have learner\.lr = 0\.01"
        ):
            RunStore.open(store.folder, config=other)
        with pytest.raises(StoreError, match=r"made with no extra, these settings have extra = 1"):
            RunStore.open(store.folder, config={**CONFIG, "extra": 1})
        RunStore.open(store.folder, config=CONFIG).close()

    def test_free_settings_may_differ(self, store: RunStore) -> None:
        store.close()
        RunStore.open(store.folder, config={**CONFIG, "steps": 20}, free=["steps"]).close()
        RunStore.open(store.folder, config={**CONFIG, "learner": {}}, free=["learner"]).close()

    def test_a_second_writer_is_refused_and_names_the_first(self, store: RunStore) -> None:
        code = (
            "import sys; from pathlib import Path; from rlvr_gym.store import RunStore\n"
            "try: RunStore.open(Path(sys.argv[1]))\n"
            "except OSError as error: print(error)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, str(store.folder)], capture_output=True, text=True, check=True
        )
        assert done.stdout == f"{store.folder}: process {os.getpid()} is writing this run.\n"

    def test_the_lock_ends_with_the_store(self, store: RunStore) -> None:
        with pytest.raises(StoreError, match="is writing this run"):
            RunStore.open(store.folder)
        store.close()
        store.close()
        RunStore.open(store.folder).close()

    def test_a_reader_works_beside_the_writer_and_sees_what_is_new(self, store: RunStore) -> None:
        fill(store, 0)
        with RunStore.open(store.folder, readonly=True) as reader:
            assert reader.last_commit() == 0
            fill(store, 1)
            assert reader.last_commit() == 1
            assert [r.payload["reward"] for r in reader.records()] == [0, 0, 1, 1]
            assert reader.problems() == []
            with pytest.raises(StoreError, match="the run is read-only"):
                reader.event(2, "alarm", "a", {})
        assert len(store.sessions()) == 1


class TestDamage:
    @pytest.fixture
    def folder(self, store: RunStore) -> Path:
        for step in range(3):
            fill(store, step, checkpoint=True)
        store.close()
        return store.folder

    @pytest.mark.parametrize("readonly", [False, True])
    @pytest.mark.parametrize("size", [0, 50])
    def test_a_database_cut_to_its_first_bytes_is_refused(
        self, folder: Path, size: int, readonly: bool
    ) -> None:
        os.truncate(folder / "run.sqlite", size)
        with pytest.raises(
            StoreError, match=rf"run\.sqlite: the file is damaged: it ends after {size} bytes"
        ):
            RunStore.open(folder, readonly=readonly)

    @pytest.mark.parametrize("readonly", [False, True])
    def test_a_database_cut_in_the_middle_is_refused(self, folder: Path, readonly: bool) -> None:
        path = folder / "run.sqlite"
        os.truncate(path, path.stat().st_size // 2)
        with pytest.raises(StoreError, match=r"run\.sqlite: .*damaged"):
            RunStore.open(folder, readonly=readonly)

    def test_an_overwritten_page_is_refused(self, folder: Path) -> None:
        path = folder / "run.sqlite"
        raw = bytearray(path.read_bytes())
        raw[8192:12288] = b"\xff" * 4096
        path.write_bytes(raw)
        with pytest.raises(StoreError, match=r"run\.sqlite: .*damaged"):
            RunStore.open(folder)

    def test_a_text_file_is_refused(self, folder: Path) -> None:
        (folder / "run.sqlite").write_text("not a database, but long enough to be one" * 10)
        with pytest.raises(StoreError, match="this is no run: the file is not a SQLite database"):
            RunStore.open(folder)

    def test_the_database_of_another_program_is_refused_and_left_alone(self, tmp_path: Path) -> None:
        path = tmp_path / "run.sqlite"
        other = sqlite3.connect(path)
        other.execute("CREATE TABLE music (title TEXT)")
        other.close()
        before = path.read_bytes()
        with pytest.raises(StoreError, match="the database belongs to another program"):
            RunStore.open(tmp_path)
        assert path.read_bytes() == before
        assert [p.name for p in tmp_path.iterdir()] == ["run.sqlite"]

    def test_a_newer_format_is_refused(self, folder: Path) -> None:
        db = sqlite3.connect(folder / "run.sqlite")
        db.execute("PRAGMA user_version = 99")
        db.close()
        with pytest.raises(StoreError, match="the run has format 99, this version reads up to 1"):
            RunStore.open(folder)

    def test_a_flipped_byte_in_a_blob_is_named_when_it_is_read(self, folder: Path) -> None:
        path = folder / "blobs" / "000001.seg"
        raw = bytearray(path.read_bytes())
        raw[-1] ^= 1
        path.write_bytes(raw)
        with RunStore.open(folder) as store:
            with pytest.raises(StoreError, match=r"000001\.seg: the record at byte \d+ is damaged"):
                list(store.records())
            assert len(store.problems()) == 1

    def test_a_shortened_blob_file_is_refused(self, folder: Path) -> None:
        os.truncate(folder / "blobs" / "000001.seg", 10)
        with pytest.raises(StoreError, match=r"000001\.seg: the file has 10 bytes"):
            RunStore.open(folder)

    def test_a_changed_checkpoint_is_named_and_an_older_one_used_when_it_is_removed(
        self, folder: Path
    ) -> None:
        broken = folder / "checkpoints" / "step-000002"
        (broken / "weights.bin").write_text("weights of 0-X")
        with RunStore.open(folder) as store:
            with pytest.raises(StoreError, match=r"step-000002/weights\.bin: the file differs"):
                store.last_checkpoint()
            shutil.rmtree(broken)
            checkpoint = store.last_checkpoint()
            assert checkpoint is not None
            assert (checkpoint.step, checkpoint.state) == (1, {"step": 1})
            fill(store, 2, checkpoint=True)
            again = store.last_checkpoint()
            assert again is not None
            assert again.step == 2
            assert store.problems() == []

    def test_a_changed_payload_is_found(self, folder: Path) -> None:
        db = sqlite3.connect(folder / "run.sqlite")
        db.execute("UPDATE event SET payload = '{\"reward\":9}' WHERE kind = 'settled' AND key = '0/1/1'")
        db.commit()
        db.close()
        with RunStore.open(folder) as store:
            assert store.verify_accounts() == []
            assert [line.split(" ", 2)[2] for line in store.problems()] == [
                "(settled '0/1/1') is not what was written"
            ]

    def test_a_changed_table_of_work_is_found(self, folder: Path) -> None:
        db = sqlite3.connect(folder / "run.sqlite")
        db.execute("UPDATE work SET state = 'charged' WHERE work_id = '0/1/1'")
        db.commit()
        db.close()
        with RunStore.open(folder) as store:
            expected = ["work 0/1/1 of branch 0: the table of work and the events differ"]
            assert store.verify_accounts() == expected


class TestUnusableDisk:
    def test_a_folder_below_a_file_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(
            StoreError, match=r"file/run: creating the run failed: a part of the path is a file\.$"
        ):
            make(tmp_path / "file" / "run")

    def test_a_folder_that_cannot_be_made_is_refused(self) -> None:
        with pytest.raises(StoreError, match=r"^/proc/run: creating the run failed: "):
            make(Path("/proc/run"))

    def test_a_read_only_folder_is_refused_for_writing_and_can_be_read(self) -> None:
        # Not below tmp_path, whose parents other users may not enter.
        base = Path(tempfile.mkdtemp())
        try:
            with make(base / "run") as store:
                fill(store, 0)
            for path in [*base.rglob("*"), base]:
                path.chmod(0o555 if path.is_dir() else 0o444)
            done = subprocess.run(
                [sys.executable, "-c", _AS_NOBODY, str(base)], capture_output=True, text=True, check=True
            )
            assert done.stdout.splitlines() == [
                f"{base}/new: creating the run failed: permission is denied.",
                f"{base}/run: locking the run failed: permission is denied.",
                "0",
            ]
        finally:
            for path in [base, *base.rglob("*")]:
                path.chmod(0o755)
            shutil.rmtree(base)

    def test_a_full_disk_loses_nothing_that_was_settled(self, tmp_path: Path) -> None:
        done = subprocess.run(
            [sys.executable, "-c", _FILL_UP, str(tmp_path / "run")],
            capture_output=True,
            text=True,
            check=True,
        )
        settled, *errors = done.stdout.splitlines()
        assert int(settled) > 10
        assert len(errors) == 3
        assert all("limit" in error or "full" in error for error in errors), errors
        with RunStore.open(tmp_path / "run") as store:
            assert store.problems() == []
            assert len(list(store.records())) == int(settled)
            assert store.last_checkpoint() is None
            store.event(0, "alarm", "a", {})
            fill(store, 1, checkpoint=True)


# A file size limit fails writes as a full disk does, and needs no rights. Big arrays reach it in a segment,
# big payloads in SQLite's own file, and a big checkpoint in neither.
_FILL_UP = """
import resource, sys
from pathlib import Path
import numpy as np
from rlvr_gym.errors import StoreError
from rlvr_gym.store import Record, RunStore, Work

store = RunStore.create(Path(sys.argv[1]), config={"steps": 9}, seed=7, code_version="1.0")
store.planned(0, [Work(str(i), "rollout", "solver") for i in range(1000)])
resource.setrlimit(resource.RLIMIT_FSIZE, (2**20, resource.RLIM_INFINITY))
settled, errors = 0, []

def attempt(action):
    try:
        action()
    except StoreError as error:
        assert "\\n" not in str(error)
        errors.append(str(error))

while not errors:
    attempt(lambda: store.settle([Record(str(settled), {}, {"a": np.zeros(2**13)})]))
    settled += not errors
attempt(lambda: [store.event(0, "note", str(i), "x" * 50000) for i in range(1000)])
def big(folder):
    (folder / "w").write_bytes(b"x" * 2**21)
attempt(lambda: store.commit(0, manifest={}, fingerprint="", checkpoint=big))
assert store.problems() == [], store.problems()
print(settled, *errors, sep="\\n")
"""


# Root may write everywhere, so root becomes somebody else; the imports come before, while they can be read.
_AS_NOBODY = """
import os, sys
from pathlib import Path
from rlvr_gym.errors import StoreError
from rlvr_gym.store import RunStore

base = Path(sys.argv[1])
if os.geteuid() == 0:
    os.setgroups([])
    os.setuid(65534)
for action in (
    lambda: RunStore.create(base / "new", config={}, seed=0, code_version=""),
    lambda: RunStore.open(base / "run"),
    lambda: RunStore.open(base / "run", readonly=True).last_commit(),
):
    try:
        print(action())
    except StoreError as error:
        print(error)
"""


class TestInterrupted:
    """A failure in the middle, in a process that lives on: a hook raises where a crash test would kill."""

    @pytest.fixture
    def fail_at(self) -> Iterator[Callable[[str], None]]:
        def arrange(point: str) -> None:
            def hook(name: str) -> None:
                if name == point:
                    raise StoreError("the disk is full")

            set_hook(hook)

        yield arrange
        set_hook(None)

    @pytest.mark.parametrize(
        "point",
        [
            *(f"{name}-inside" for name in ("planned", "settled", "memo", "metrics", "commit")),
            *("blob-half", "blob-synced", "checkpoint-half", "checkpoint-written", "checkpoint-renamed"),
        ],
    )
    def test_the_step_can_be_repeated_in_the_same_process(
        self, store: RunStore, tmp_path: Path, fail_at: Callable[[str], None], point: str
    ) -> None:
        with RunStore.create(tmp_path / "straight", config=CONFIG, seed=7, code_version="1.0") as straight:
            fill(straight, 0, checkpoint=True)
            expected = straight.dump()
        fail_at(point)
        with pytest.raises(StoreError, match="the disk is full"):
            fill(store, 0, checkpoint=True)
        set_hook(None)
        assert store.problems() == []
        fill(store, 0, checkpoint=True)
        assert store.dump() == expected
        assert store.problems() == []
        blobs = [(run / "blobs" / "000001.seg").read_bytes() for run in (store.folder, tmp_path / "straight")]
        assert blobs[0] == blobs[1]

    def test_a_rollback_that_fails_leaves_everything(
        self, store: RunStore, fail_at: Callable[[str], None]
    ) -> None:
        fill(store, 0, checkpoint=True)
        fill(store, 1)
        before = store.dump()
        fail_at("rollback-inside")
        with pytest.raises(StoreError, match="the disk is full"):
            store.rollback(2, 0, "alarm")
        set_hook(None)
        assert store.dump() == before
        assert store.rollback(2, 0, "alarm") == 1

    def test_what_no_row_names_is_cut_off_when_the_run_is_opened(self, store: RunStore) -> None:
        fill(store, 0)
        store.close()
        path = store.folder / "blobs" / "000001.seg"
        whole = path.read_bytes()
        path.write_bytes(whole + b"half a record")
        (store.folder / "blobs" / "000002.seg").write_bytes(b"never named")
        with RunStore.open(store.folder, readonly=True) as reader:
            assert reader.problems() == []
        assert len(path.read_bytes()) > len(whole)
        RunStore.open(store.folder).close()
        assert path.read_bytes() == whole
        assert [p.name for p in (store.folder / "blobs").iterdir()] == ["000001.seg"]


class TestRepeats:
    def test_a_repeated_step_changes_nothing(self, store: RunStore) -> None:
        for step in range(3):
            fill(store, step, checkpoint=step == 1, healthy=step == 1)
        before = store.dump()
        count = len(store.events())
        for step in range(3):
            fill(store, step, checkpoint=step == 1, healthy=step == 1)
        assert store.dump() == before
        assert len(store.events()) == count
        assert store.problems() == []

    def test_a_plan_that_changes_is_refused(self, store: RunStore) -> None:
        store.planned(0, solver("a"))
        store.planned(0, solver("a", "b"))
        with pytest.raises(
            DivergedError, match=r"planned 'a' of step 0 does not repeat: role was \"solver\" and is now"
        ):
            store.planned(0, [Work("a", "rollout", "proposer")])
        with pytest.raises(DivergedError, match="'a' was recorded in step 0 and comes again in step 1"):
            store.planned(1, solver("a"))
        with pytest.raises(UsageError, match="names the same work twice"):
            store.planned(1, solver("c", "c"))

    def test_a_result_that_changes_is_refused(self, store: RunStore) -> None:
        store.planned(0, solver("a"))
        store.settle([result("a", 3)])
        store.settle([result("a", 3)])
        with pytest.raises(DivergedError, match="reward was 3 and is now 4"):
            store.settle([result("a", 4)])
        with pytest.raises(DivergedError, match="its arrays are not those recorded"):
            store.settle([Record("a", {"reward": 3}, {"ids": np.arange(3, dtype=np.int64)})])
        with pytest.raises(UsageError, match="settled twice in one batch"):
            store.settle([result("a", 3), result("a", 3)])

    def test_a_batch_with_one_bad_result_records_none(self, store: RunStore) -> None:
        store.planned(0, solver("a", "b"))
        with pytest.raises(StoreError, match="work 'z' was never planned"):
            store.settle([result("a"), result("z")])
        with pytest.raises(TypeError):
            store.settle([result("a"), Record("b", {"not json": object()})])
        assert store.settled(["a"]) is None
        assert store.settle([result("a"), result("b")])[0].payload == {"reward": 0}
        assert store.problems() == []

    def test_results_come_back_in_the_order_asked_or_not_at_all(self, store: RunStore) -> None:
        store.planned(0, solver("a", "b", "c"))
        store.settle([result("a", 1), result("b", 2)])
        assert store.settled(["a", "c"]) is None
        found = store.settled(["b", "a"])
        assert found is not None
        assert [(r.work_id, r.payload, r.arrays["ids"].tolist()) for r in found] == [
            ("b", {"reward": 2}, [0, 1]),
            ("a", {"reward": 1}, [0]),
        ]
        assert found[0].arrays["ids"].dtype == np.int32

    def test_fresh_and_repeated_results_look_the_same(self, store: RunStore) -> None:
        store.planned(0, solver("a"))
        payload = {"pair": (1, 2), 3: "key"}
        fresh = store.settle([Record("a", payload)])[0].payload
        repeated = store.settle([Record("a", payload)])[0].payload
        found = store.settled(["a"])
        assert found is not None
        assert fresh == repeated == found[0].payload == {"pair": [1, 2], "3": "key"}

    def test_a_value_is_made_once(self, store: RunStore) -> None:
        calls: list[list[str]] = []

        def judge(keys: list[str]) -> list[dict[str, object]]:
            calls.append(keys)
            return [Verdict.of(Status.PASSED, key, seconds=len(calls)).to_dict() for key in keys]

        first = store.once_many(0, "judged", ["a", "b", "a"], judge)
        second = store.once_many(1, "judged", ["b", "c"], judge)
        assert calls == [["a", "b"], ["c"]]
        assert [v["reason"] for v in first + second] == ["a", "b", "a", "b", "c"]
        assert first[1] == second[0]
        assert store.once(2, "judged", "c", lambda: pytest.fail("made again")) == second[1]
        assert store.recall("judged", ["a", "z"]) == {"a": first[0]}

    def test_kinds_keep_their_keys_apart(self, store: RunStore) -> None:
        assert store.once(0, "judged", "k", lambda: 1) == 1
        assert store.once(0, "evaluated", "k", lambda: 2) == 2

    def test_a_value_that_fails_to_be_made_is_not_recorded(self, store: RunStore) -> None:
        with pytest.raises(ZeroDivisionError):
            store.once(0, "judged", "k", lambda: 1 // 0)
        assert store.once(0, "judged", "k", lambda: 5) == 5

    def test_events_are_unique_by_kind_and_key(self, store: RunStore) -> None:
        store.event(1, "alarm", "valid", {"share": 0.1})
        store.event(1, "alarm", "valid", {"share": 0.1})
        with pytest.raises(
            DivergedError, match=r"alarm 'valid' of step 1 does not repeat: share was 0\.1 and is now 0\.2"
        ):
            store.event(1, "alarm", "valid", {"share": 0.2})
        assert [(e.step, e.key, e.payload) for e in store.events("alarm")] == [(1, "valid", {"share": 0.1})]

    @pytest.mark.parametrize("kind", ["planned", "settled", "update_done", "rollback", "metrics"])
    def test_the_stores_own_kinds_are_not_for_callers(self, store: RunStore, kind: str) -> None:
        with pytest.raises(UsageError, match="written by the store itself"):
            store.event(0, kind, "k", {})
        with pytest.raises(UsageError, match="written by the store itself"):
            store.once(0, kind, "k", lambda: 1)

    def test_text_of_any_kind_survives(self, store: RunStore) -> None:
        hostile = ["\0", "\ud800", "'; DROP TABLE event; --", "é∫", "\x1b[2J", "a" * 50000]
        for i, text in enumerate(hostile):
            store.event(0, "note", str(i), text)
        assert [e.payload for e in store.events("note")] == hostile

    def test_many_threads_settle_side_by_side(self, store: RunStore) -> None:
        names = [str(i) for i in range(200)]
        store.planned(0, solver(*names))
        threads = [
            threading.Thread(
                target=lambda part=names[i::4]: [store.settle([result(n, int(n))]) for n in part]
            )
            for i in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        found = store.settled(names)
        assert found is not None
        assert [len(r.arrays["ids"]) for r in found] == list(range(200))
        assert store.problems() == []


class TestClock:
    def test_what_the_clock_decides_is_not_compared_but_kept(self, store: RunStore) -> None:
        store.event(0, "note", "k", {"x": 1, "seconds": 1.5, "inner": [{"wall": {"pid": 1}, "y": 2}]})
        store.event(0, "note", "k", {"x": 1, "seconds": 9.0, "inner": [{"wall": {"pid": 2}, "y": 2}]})
        assert store.events("note")[0].payload["seconds"] == 1.5
        dumped = [e for e in store.dump()["events"] if e[2] == "note"]
        assert dumped == [[0, 0, "note", "k", {"x": 1, "inner": [{"y": 2}]}, None]]

    def test_digests_ignore_the_clock_and_nothing_else(self) -> None:
        value = {"a": 1, "step_seconds": 2, "tokens_per_second": 3, "wall/load": 4, "wallet": 5, "second": 6}
        assert timeless(value) == {"a": 1, "wallet": 5, "second": 6}
        assert digest(value) == digest({"second": 6, "wallet": 5, "a": 1})
        assert digest(value) != digest({**value, "a": 2})
        assert digest(1, "ab") != digest(1, "a", "b")

    def test_equal_values_have_one_text(self) -> None:
        assert canonical({"b": 1, "a": (1.0, None)}) == '{"a":[1.0,null],"b":1}'
        assert normal({1: (2, math.pi)}) == {"1": [2, math.pi]}
        # As numbers 2 comes before 10, as text behind it; a value read back must have the same digest.
        value = {10: "a", 2: "b", "x": "c"}
        assert digest(value) == digest(normal(value))
        assert list(normal(value)) == ["10", "2", "x"]


class TestCommit:
    def test_every_work_is_charged_at_most_once(self, store: RunStore) -> None:
        store.planned(0, solver("a", "b"))
        store.settle([result("a")])
        with pytest.raises(StoreError, match="work 'b' is planned and cannot be charged"):
            store.commit(0, manifest={}, fingerprint="", charged=["a", "b"])
        with pytest.raises(StoreError, match="closes the same work twice"):
            store.commit(0, manifest={}, fingerprint="", charged=["a", "a"])
        with pytest.raises(StoreError, match="closes the same work twice"):
            store.commit(0, manifest={}, fingerprint="", charged=["a"], masked={"a": "timeout"})
        with pytest.raises(StoreError, match="work 'z' was never planned"):
            store.commit(0, manifest={}, fingerprint="", dropped={"z": "stale"})
        assert store.last_commit() is None
        assert store.commit(0, manifest={}, fingerprint="", charged=["a"], dropped={"b": "stale"})
        with pytest.raises(StoreError, match="work 'a' is charged and cannot be charged"):
            store.commit(1, manifest={}, fingerprint="", charged=["a"])
        with pytest.raises(StoreError, match="work 'b' is dropped and cannot settle"):
            store.settle([result("b")])
        assert store.problems() == []

    def test_a_repeated_commit_that_differs_is_refused(self, store: RunStore) -> None:
        assert store.commit(0, manifest={"groups": 2}, fingerprint="aa", state={"x": 1})
        assert not store.commit(0, manifest={"groups": 2}, fingerprint="aa", state={"x": 1})
        with pytest.raises(
            DivergedError, match="update_done '0' of step 0 does not repeat: fingerprint was \"aa\""
        ):
            store.commit(0, manifest={"groups": 2}, fingerprint="bb", state={"x": 1})
        with pytest.raises(DivergedError, match="state was"):
            store.commit(0, manifest={"groups": 2}, fingerprint="aa", state={"x": 2})

    def test_steps_go_forward(self, store: RunStore) -> None:
        fill(store, 3)
        with pytest.raises(StoreError, match="step 2 comes after step 3 was committed"):
            fill(store, 2)

    def test_the_account_of_each_step_and_role_balances(self, store: RunStore) -> None:
        store.planned(0, [*solver("a", "b", "c", "d", "e"), Work("p", "rollout", "proposer")])
        store.planned(1, solver("f"))
        store.settle([result(name) for name in "abcdp"])
        store.commit(
            0, manifest={}, fingerprint="", charged=["a", "p"], dropped={"b": "no_signal"},
            masked={"c": "timeout", "e": "infrastructure"},
        )  # fmt: skip
        assert store.accounting() == [
            Account(0, "proposer", planned=1, charged=1),
            Account(
                0, "solver", planned=5, charged=1, dropped={"no_signal": 1},
                masked={"infrastructure": 1, "timeout": 1}, open=1,
            ),
            Account(1, "solver", planned=1, charged=0, open=1),
        ]  # fmt: skip
        assert all(account.balanced for account in store.accounting())
        (commit,) = store.commits()
        assert (commit.charged, commit.dropped) == (("a", "p"), {"b": "no_signal"})

    def test_metrics_are_mirrored_as_strict_json(self, store: RunStore) -> None:
        store.metrics(0, {"reward": 0.5, "loss": math.nan, "wall/seconds": 2.0})
        store.metrics(0, {"reward": 0.5, "loss": math.nan, "wall/seconds": 3.0})
        store.metrics(1, {"reward": 1.0})
        lines = (store.folder / "metrics.jsonl").read_text().splitlines()
        assert [json.loads(line, parse_constant=pytest.fail) for line in lines] == [
            {"step": 0, "reward": 0.5, "loss": None, "wall/seconds": 2.0},
            {"step": 1, "reward": 1.0},
        ]

    def test_the_mirror_is_rebuilt_and_never_believed(self, store: RunStore) -> None:
        fill(store, 0)
        store.close()
        path = store.folder / "metrics.jsonl"
        whole = path.read_text()
        path.write_text('{"step": 0, "reward": 99}\n{"st')
        RunStore.open(store.folder).close()
        assert path.read_text() == whole


class TestCheckpoints:
    def names(self, store: RunStore) -> list[str]:
        return sorted(path.name for path in (store.folder / "checkpoints").iterdir())

    def test_the_newest_checkpoint_comes_with_its_state(self, store: RunStore) -> None:
        assert store.last_checkpoint() is None
        fill(store, 0, checkpoint=True)
        fill(store, 1)
        checkpoint = store.last_checkpoint()
        assert checkpoint is not None
        assert (checkpoint.step, checkpoint.state, checkpoint.healthy) == (0, {"step": 0}, False)
        assert (checkpoint.path / "weights.bin").read_text() == "weights of 0-0"

    def test_the_last_two_and_the_last_healthy_one_are_kept(self, store: RunStore) -> None:
        for step in range(6):
            fill(store, step, checkpoint=True, healthy=step in (0, 2))
        assert self.names(store) == ["step-000002", "step-000004", "step-000005"]
        healthy = store.last_checkpoint(healthy=True)
        assert healthy is not None
        assert healthy.step == 2
        assert store.problems() == []

    def test_folders_that_no_row_names_are_removed(self, store: RunStore) -> None:
        fill(store, 0, checkpoint=True)
        store.close()
        for name in ("step-000001", "step-000002.new"):
            (store.folder / "checkpoints" / name).mkdir()
        with RunStore.open(store.folder) as again:
            assert self.names(again) == ["step-000000"]

    def test_a_writer_that_fails_leaves_no_checkpoint_and_no_commit(self, store: RunStore) -> None:
        def fails(folder: Path) -> None:
            (folder / "half").write_text("half")
            raise RuntimeError("out of memory")

        with pytest.raises(RuntimeError, match="out of memory"):
            store.commit(0, manifest={}, fingerprint="", checkpoint=fails)
        assert self.names(store) == []
        assert store.last_commit() is None

    def test_nested_folders_are_part_of_a_checkpoint(self, store: RunStore) -> None:
        def writer(folder: Path) -> None:
            (folder / "roles" / "solver").mkdir(parents=True)
            (folder / "roles" / "solver" / "w").write_text("1")

        store.commit(0, manifest={}, fingerprint="", checkpoint=writer)
        checkpoint = store.last_checkpoint()
        assert checkpoint is not None
        (checkpoint.path / "roles" / "solver" / "w").unlink()
        with pytest.raises(StoreError, match="roles/solver/w: the file is missing"):
            store.last_checkpoint()


class TestRollback:
    @pytest.fixture
    def rolled(self, store: RunStore) -> RunStore:
        for step in range(5):
            fill(store, step, checkpoint=step in (1, 3), healthy=step == 1)
        store.planned(5, solver("0/5/0"))
        store.event(5, "alarm", "valid", {"share": 0.1})
        assert store.rollback(5, 1, "valid share fell") == 1
        return store

    def test_what_came_later_is_void_and_what_came_before_is_shared(self, rolled: RunStore) -> None:
        assert rolled.branch == 1
        assert rolled.last_commit() == 1
        checkpoint = rolled.last_checkpoint()
        assert checkpoint is not None
        assert checkpoint.step == 1
        assert rolled.settled(["0/1/0"]) is not None
        assert rolled.settled(["0/2/0"]) is None
        assert rolled.recall("judged", ["0/1/0", "0/2/0"]).keys() == {"0/1/0"}
        assert rolled.events("alarm") == []
        assert len(rolled.events("alarm", void=True)) == 1
        assert [(a.step, a.void, a.charged) for a in rolled.accounting()] == [
            (0, 0, 1), (1, 0, 1), (2, 2, 0), (3, 2, 0), (4, 2, 0), (5, 1, 0),
        ]  # fmt: skip
        assert sorted(p.name for p in (rolled.folder / "checkpoints").iterdir()) == ["step-000001"]
        assert len((rolled.folder / "metrics.jsonl").read_text().splitlines()) == 2
        assert rolled.problems() == []

    def test_the_new_branch_may_use_ids_of_the_old_one_for_other_things(self, rolled: RunStore) -> None:
        rolled.planned(2, [Work("0/2/0", "rollout", "proposer")])
        rolled.settle([result("0/2/0", 77)])
        found = rolled.settled(["0/2/0"])
        assert found is not None
        assert found[0].payload == {"reward": 77}
        for step in range(2, 5):
            fill(rolled, step, checkpoint=step == 3)
        assert [c.fingerprint for c in rolled.commits(first=1)] == ["0-1", "1-2", "1-3", "1-4"]
        assert rolled.problems() == []

    def test_the_branch_outlives_the_process(self, rolled: RunStore) -> None:
        before = rolled.dump()
        rolled.close()
        with RunStore.open(rolled.folder) as again:
            assert again.branch == 1
            assert again.dump() == before

    def test_two_rollbacks_cut_what_each_must(self, rolled: RunStore) -> None:
        for step in range(2, 4):
            fill(rolled, step, checkpoint=step == 2)
        assert rolled.rollback(4, 2, "again") == 2
        assert [c.fingerprint for c in rolled.commits()] == ["0-0", "0-1", "1-2"]
        assert rolled.rollback(3, 1, "and again") == 3
        assert [c.fingerprint for c in rolled.commits()] == ["0-0", "0-1"]
        assert rolled.problems() == []

    def test_work_of_an_earlier_step_is_open_again(self, store: RunStore) -> None:
        store.planned(0, solver("early", "never"))
        store.settle([result("early")])
        store.commit(0, manifest={}, fingerprint="", checkpoint=weights("0"))
        store.commit(1, manifest={}, fingerprint="", charged=["early"], dropped={"never": "stale"})
        store.rollback(2, 0, "alarm")
        assert {w.work_id: w.state for w in store.works()} == {"early": "settled", "never": "planned"}
        assert store.commit(1, manifest={}, fingerprint="", charged=["early"])
        assert store.problems() == []

    def test_a_rollback_needs_a_checkpoint_and_an_uncommitted_step(self, store: RunStore) -> None:
        fill(store, 0, checkpoint=True)
        fill(store, 1)
        fill(store, 2, checkpoint=True)
        with pytest.raises(StoreError, match="step 1 has no checkpoint to go back to; kept: 0, 2"):
            store.rollback(3, 1, "")
        with pytest.raises(StoreError, match="step 2 is committed; a rollback is decided before that"):
            store.rollback(2, 0, "")
        with pytest.raises(StoreError, match="step 2 has no checkpoint to go back to; kept: 0"):
            store.rollback(2, 2, "")
