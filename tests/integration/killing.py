"""Plays a run in forked processes that are killed with SIGKILL, and tells what the run holds in the end."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from rlvr_gym.store import CRASH_POINTS, RunStore, set_hook

Play = Callable[[Path], None]


def attempt(play: Play, folder: Path, point: str | None, visit: int, delay: float | None) -> bool:
    """Play in a fork that dies at the ``visit``-th pass of ``point`` or after ``delay`` s; return whether it ended."""
    child = os.fork()
    if child == 0:
        left = visit

        def hook(name: str) -> None:
            nonlocal left
            assert name in CRASH_POINTS, name
            if point in (name, "any"):
                left -= 1
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        set_hook(hook)
        try:
            play(folder)
        except BaseException as error:
            os.write(2, f"{type(error).__name__}: {error}\n".encode())
            os._exit(1)
        os._exit(0)
    if delay is not None:
        time.sleep(delay)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) != 0:
        raise RuntimeError("the child failed")
    return os.WIFEXITED(status)


def scenario(play: Play, folder: Path, kills: list[dict[str, Any]]) -> dict[str, Any]:
    """Play with each of ``kills`` in turn, then to the end; return what the run holds and what it cost."""
    began = time.monotonic()
    died = 0
    for kill in kills:
        died += not attempt(play, folder, kill.get("point"), kill.get("visit", 0), kill.get("delay"))
    if not attempt(play, folder, None, 0, None):
        raise RuntimeError("the last attempt did not end by itself")
    seconds = time.monotonic() - began
    made = folder.with_suffix(".made")
    with RunStore.open(folder, readonly=True) as store:
        metrics = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
        return {
            "died": died,
            "seconds": seconds,
            "made": made.read_text().splitlines() if made.exists() else [],
            "problems": store.problems(),
            "charged": sorted(work for commit in store.commits() for work in commit.charged),
            "end": {
                "dump": store.dump(),
                "metrics": [{k: v for k, v in row.items() if not k.startswith("wall/")} for row in metrics],
                "files": {
                    path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
                    for part in ("checkpoints", "blobs")
                    for path in sorted((folder / part).rglob("*"))
                    if path.is_file()
                },
                "folder": sorted(p.name for p in folder.iterdir() if not p.name.startswith("run.sqlite-")),
            },
        }


def serve(play: Play, orders: TextIO, answers: TextIO) -> None:
    """Answer each scenario with one line of JSON."""
    for line in orders:
        order = json.loads(line)
        answers.write(json.dumps(scenario(play, Path(order["folder"]), order["kills"])) + "\n")
        answers.flush()
