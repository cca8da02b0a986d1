"""Whether a task folder holds what it promises: its solution earns 1, doing nothing earns less, each time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rlvr_gym.repositories.harbor.build import prepare
from rlvr_gym.repositories.harbor.errors import HarborError, UnsupportedError
from rlvr_gym.repositories.harbor.folder import SOLUTION, read_folder
from rlvr_gym.repositories.harbor.running import gold_patch, grade
from rlvr_gym.repositories.harbor.sandboxes import verifier_limits
from rlvr_gym.runtimes.base import Runtime
from rlvr_gym.types import Status, Verdict

TIMES = 2
"""How often each is tried."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of a task folder."""

    problems: tuple[str, ...]
    """Why it does not hold, one line each; nothing when it does."""
    notes: tuple[str, ...] = ()
    """Warnings, and where it differs from what Harbor would run in."""
    supported: bool = True
    """False for a folder that keeps the format and needs what cannot be had here."""

    @property
    def holds(self) -> bool:
        """Whether the task can be used."""
        return not self.problems


def validate(path: Path, runtime: Runtime, *, image: str = "", reward_key: str = "") -> Finding:
    """Return whether a task folder holds; its scripts run in sandboxes of ``runtime``.

    Raises:
        UnavailableError: this machine cannot isolate.
        SandboxLostError: a sandbox was lost.
    """
    try:
        folder = read_folder(path)
    except HarborError as error:
        return Finding(tuple(str(error).splitlines()))
    try:
        prepared = prepare(folder, image=image)
        notes = (*folder.warnings, *prepared.notes)
        if not folder.has_solution:
            return Finding(
                (f"{folder.path / SOLUTION}: no such file: nothing shows that it can be solved.",), notes
            )
        gold = gold_patch(folder, prepared, runtime)
    except UnsupportedError as error:
        return Finding(tuple(str(error).splitlines()), folder.warnings, supported=False)
    limits = verifier_limits(folder.settings)
    problems = []
    for what, patch, wanted in (("the solution", gold, True), ("doing nothing", "", False)):
        for number in range(1, TIMES + 1):
            verdict = grade(folder, prepared, patch, runtime, limits, reward_key=reward_key)
            if not verdict.decided or verdict.status is Status.OVER_LIMIT or verdict.passed is not wanted:
                problems.append(f"{folder.path}: {what} ({number} of {TIMES}): {_told(verdict)}")
    return Finding(tuple(problems), notes)


def _told(verdict: Verdict) -> str:
    last = verdict.checks[0].detail.splitlines()[-1:] if verdict.checks else []
    return ": ".join([f"{verdict.status}", verdict.reason, *last])[:400]
