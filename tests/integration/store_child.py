"""A small run on the store, played in child processes that are killed; driven by test_store_crashes.py.

Reads one JSON scenario per line from standard input and answers each with one line.
"""

from __future__ import annotations

import hashlib
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from killing import serve

from rlvr_gym.seeding import generator, work_id
from rlvr_gym.store import Record, RunStore, Work, reached

CONFIG = {"steps": 9, "every": 3, "healthy": [2], "alarm": 7, "proposals": 2, "attempts": 3, "chunk": 3}


class Run:
    """Plan, settle in chunks, judge, update, commit; one rollback; a checkpoint every third step."""

    def __init__(self, store: RunStore, made: Path) -> None:
        self.store = store
        self.made = made
        self.weights = np.zeros(8)
        self.momentum = np.zeros(8)
        self.archive: list[str] = []
        self.step = 0
        checkpoint = store.last_checkpoint()
        if checkpoint is not None:
            with np.load(checkpoint.path / "model.npz") as saved:
                self.weights, self.momentum = saved["weights"], saved["momentum"]
            self.archive = checkpoint.state["archive"]
            self.step = checkpoint.step + 1

    def play(self) -> None:
        if self.step == 0:
            self.sft()
        while self.step < CONFIG["steps"]:
            self.one_step()

    def sft(self) -> None:
        for i in range(3):
            self.weights += generator(self.store.seed, "sft", i).normal(size=8)
            reached("sft")
        self.store.event(0, "sft_done", "cold", {"fingerprint": self.fingerprint()})

    def one_step(self) -> None:
        store, step, branch = self.store, self.step, self.store.branch
        version = f"main:{len(self.archive)}"
        works = []
        for slot in range(CONFIG["proposals"]):
            parent = work_id(store.run_id, branch, step, slot)
            works.append(Work(parent, "rollout", "proposer"))
            works += [
                Work(work_id(parent, i), "rollout", "solver", parent) for i in range(CONFIG["attempts"])
            ]
        store.planned(step, works)
        records = []
        for start in range(0, len(works), CONFIG["chunk"]):
            records += self.sample([w.work_id for w in works[start : start + CONFIG["chunk"]]])
        verdicts = store.once_many(step, "judged", [r.work_id for r in records], self.judge)
        masked = {
            r.work_id: "timeout" for r, v in zip(records, verdicts, strict=True) if v["status"] == "timeout"
        }
        charged = [r.work_id for r in records if r.work_id not in masked]
        gradient = sum(r.arrays["tokens"] for r in records if r.work_id not in masked)
        self.momentum = 0.9 * self.momentum + gradient
        self.weights = self.weights - 0.01 * self.momentum
        self.archive.append(hashlib.sha256(repr(charged).encode()).hexdigest())
        value = store.once(step, "evaluated", str(step), lambda: {"mean": float(self.weights.sum())})
        store.metrics(step, {"mean": value["mean"], "masked": len(masked), "wall/seconds": time.time()})
        if step == CONFIG["alarm"] and branch == 0:
            store.event(step, "alarm", f"valid:{step}", {"share": 0.1})
            healthy = store.last_checkpoint(healthy=True)
            assert healthy is not None
            store.rollback(step, healthy.step, "valid share fell")
            self.__init__(store, self.made)  # type: ignore[misc]  # everything is read back, as on resume
            return
        store.commit(
            step,
            manifest={"charged": len(charged)},
            fingerprint=self.fingerprint(),
            version_in=version,
            version_out=f"main:{len(self.archive)}",
            charged=charged,
            masked=masked,
            state={"archive": self.archive},
            checkpoint=self.save if step % CONFIG["every"] == CONFIG["every"] - 1 else None,
            healthy=step in CONFIG["healthy"],
        )
        self.step += 1

    def sample(self, ids: list[str]) -> list[Record]:
        found = self.store.settled(ids)
        if found is not None:
            return found
        with self.made.open("a") as log:
            log.writelines(f"{name}\n" for name in ids)
        return self.store.settle(
            [
                Record(
                    name,
                    {"text": name[:4], "mean": float(self.weights.mean()), "seconds": time.time()},
                    {
                        "tokens": self.weights * 0.1
                        + generator(int(name, 16) % 2**63, "sample").normal(size=8)
                    },
                )
                for name in ids
            ]
        )

    def judge(self, ids: list[str]) -> list[dict[str, Any]]:
        with self.made.open("a") as log:
            log.writelines(f"judge {name}\n" for name in ids)
        return [
            {"status": "timeout" if int(name, 16) % 5 == 0 else "passed", "seconds": time.time()}
            for name in ids
        ]

    def save(self, folder: Path) -> None:
        np.savez(folder / "model.npz", weights=self.weights, momentum=self.momentum)

    def fingerprint(self) -> str:
        return hashlib.sha256(self.weights.tobytes() + self.momentum.tobytes()).hexdigest()


def play(folder: Path) -> None:
    made = folder.with_suffix(".made")
    if RunStore.exists(folder):
        store = RunStore.open(folder, config=CONFIG)
    else:
        store = RunStore.create(folder, config=CONFIG, seed=0, code_version="1")
    with store:
        Run(store, made).play()


if __name__ == "__main__":
    serve(play, sys.stdin, sys.stdout)
