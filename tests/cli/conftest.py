"""The command line as a person runs it: in a process of its own, or quicker in this one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from rlvr_gym.cli.main import main
from rlvr_gym.store import Record, RunStore, Work


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """Run a command in this process."""

    def run(*arguments: object) -> Result:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Result(int(ended.value.code or 0), out, err)

    return run


@pytest.fixture
def shell() -> Callable[..., Result]:
    """Run a command in a process of its own."""

    def run(
        *arguments: object, cwd: Path | None = None, env: Mapping[str, str] | None = None, stdin: str = ""
    ) -> Result:
        done = subprocess.run(
            [str(Path(sys.executable).with_name("rlvr-gym")), *map(str, arguments)],
            capture_output=True,
            text=True,
            input=stdin,
            cwd=cwd,
            env={**os.environ, "OMP_NUM_THREADS": "1", **(env or {})},
            timeout=240,
        )
        return Result(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def made_run(tmp_path: Path) -> Path:
    """A small run as a loop records it: two steps, some of everything."""
    folder = tmp_path / "made-0"
    config = {"loop": {"name": "vhg"}, "environment": "integral-v0", "steps": 2, "seed": 0}
    proposal = {"text": "<problem>2*x</problem>", "shelf": "admitted", "solved": 1, "tried": 2}
    with RunStore.create(folder, config=config, seed=0, code_version="0.1.0") as store:
        for step in (0, 1, 2):
            mean = 0.2 + 0.1 * step
            measured = {"mean": mean, "low": mean - 0.05, "high": mean + 0.05}
            store.once(step, "evaluated", str(step), lambda m=measured: {"heldout": m, "valid": m})
            if step:
                works = [Work(f"{step}/{i}", "rollout", "solver" if i else "proposer") for i in range(4)]
                store.planned(step, works)
                store.settle([Record(work.work_id, {"text": "x"}) for work in works])
                verdicts = {f"{step}/{i}": {"status": "passed" if i else "failed"} for i in range(4)}
                store.remember(step, "judged", verdicts)
                rows = [
                    {**proposal, "status": "passed", "reason": "valid"},
                    {**proposal, "status": "failed", "reason": "differs: at x = 2", "tried": 0},
                ]
                store.event(step, "proposed", str(step), rows)
                store.event(
                    step, "alarm", f"{step}/drift", {"detector": "drift", "message": "\x1b[31m<b>up</b>"}
                )
            store.metrics(
                step, {"heldout/accuracy": mean, "proposer/proposals": 2.0, "proposer/valid_share": 0.5}
            )
            closed = {
                "charged": [f"{step}/1", f"{step}/2"],
                "dropped": {f"{step}/0": "rejected"},
                "masked": {f"{step}/3": "timeout"},
            }
            store.commit(step, manifest={}, fingerprint=str(step), **(closed if step else {}))
    return folder
