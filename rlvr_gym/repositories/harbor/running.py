"""Runs a task's own scripts in fresh sandboxes: the tests on a patch, and the solution that a task brings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from rlvr_gym.repositories.harbor.build import Prepared
from rlvr_gym.repositories.harbor.errors import UnsupportedError
from rlvr_gym.repositories.harbor.folder import SOLUTION, TEST, Folder
from rlvr_gym.repositories.harbor.rewards import JSON_FILE, TEXT_FILE, read_rewards, verdict_of
from rlvr_gym.repositories.harbor.sandboxes import (
    SOLUTION as SOLUTION_AT,
)
from rlvr_gym.repositories.harbor.sandboxes import (
    TESTS,
    changes,
    make_logs,
    solution_limits,
    spec_of,
)
from rlvr_gym.repositories.image_checkouts import content_of
from rlvr_gym.repositories.patches import PatchError, apply_patch, make_patch
from rlvr_gym.runtimes.base import End, Limits, Result, Runtime, Sandbox, SandboxLostError, UnavailableError
from rlvr_gym.types import Check, Status, Verdict

_LARGEST_REWARD = 1 << 16
_READ = '[ -e "$1" ] || exit 44; [ -f "$1" ] && head -c "$2" < "$1"'
"""Reads a file if it is one: nobody writes to a pipe any more."""
_READ_S = 10.0
_TAIL = 2000
_NO_PATCH = (".git", "__pycache__", ".pytest_cache")


def grade(
    folder: Folder, prepared: Prepared, patch: str, runtime: Runtime, limits: Limits, *, reward_key: str = ""
) -> Verdict:
    """Return the verdict of a task's tests on a patch, from a fresh sandbox.

    Only the patch is carried over from wherever it was made. ``/tests`` is shown read-only; the reward files lie in a
    file system of this sandbox, where none can be from before. Yet the tests and the code that they test are the same
    user in the same sandbox, as the format has it: a reward can be forged, and is no proof.

    Args:
        folder: The task.
        prepared: What ``prepare`` made of it.
        patch: Untrusted.
        runtime: Where it runs.
        limits: Of the sandbox; the tests may take as long as these and the task allow.
        reward_key: Name of the number that counts, for tasks with several.
    """
    before = prepared.start.workspace
    try:
        changed = apply_patch(patch, lambda path: content_of(before, path)) if patch.strip() else {}
    except PatchError as error:
        return Verdict.of(Status.MALFORMED, f"the patch does not apply: {error}")
    verifier = folder.settings.verifier
    wall_s = min(verifier.timeout_sec, limits.wall_s)
    try:
        with runtime.start(spec_of(prepared.start, limits, read_only={prepared.tests: TESTS})) as sandbox:
            if problem := _change(sandbox, before, changed):
                return Verdict.of(Status.MALFORMED, problem)
            done = _script(sandbox, f"{TESTS}/test.sh", prepared, verifier.env, wall_s)
            if done.end is End.EXITED:
                rewards = read_rewards(_content(sandbox, JSON_FILE), _content(sandbox, TEXT_FILE))
    except UnavailableError as error:
        if runtime.missing():
            raise
        # It worked before: this machine is at its end for the moment.
        return Verdict.of(Status.INFRASTRUCTURE, str(error))
    except SandboxLostError as error:
        return Verdict.of(Status.INFRASTRUCTURE, str(error))
    if done.end is End.LOST:
        return Verdict.of(Status.INFRASTRUCTURE, done.detail or "the sandbox is gone")
    if done.end is not End.EXITED:
        return Verdict.of(
            Status.OVER_LIMIT,
            f"{TEST} was ended at its limit ({done.end}) after {done.seconds:.1f} s",
            checks=(Check(TEST, False, _tail(done)),),
            seconds=done.seconds,
        )
    verdict = verdict_of(rewards, reward_key)
    check = Check(TEST, verdict.passed, f"exit code {done.code}\n{_tail(done)}")
    return replace(verdict, checks=(check, *verdict.checks), seconds=done.seconds)


def gold_patch(folder: Folder, prepared: Prepared, runtime: Runtime) -> str:
    """Return what the task's solution changes in the working folder, as a patch; empty where there is no solution.

    Raises:
        UnsupportedError: it does not end within its limits, or leaves what no patch can carry.
        SandboxLostError: the sandbox is gone.
    """
    if not folder.has_solution:
        return ""
    where = str(folder.path / SOLUTION)
    limits = solution_limits(folder.settings)
    workspace = prepared.start.workspace
    env = {"DEBIAN_FRONTEND": "noninteractive", **folder.settings.solution.env}
    with runtime.start(
        spec_of(prepared.start, limits, read_only={prepared.solution: SOLUTION_AT})
    ) as sandbox:
        before = sandbox.manifest()
        done = _script(sandbox, f"{SOLUTION_AT}/solve.sh", prepared, env, limits.wall_s)
        if done.end is not End.EXITED:
            raise UnsupportedError(
                f"{where}: ended by {done.end} after {done.seconds:.0f} s: {_tail(done)[-200:]}"
            )
        after = {path: what for path, what in sandbox.manifest().items() if _is_source(path)}
        before = {path: what for path, what in before.items() if _is_source(path)}
        found = changes(sandbox, before, after, where=where)
    old = {path: content for path in found if (content := content_of(workspace, path)) is not None}
    return make_patch(old, {path: entry[0] for path, entry in found.items() if entry is not None})


def _is_source(path: str) -> bool:
    return not any(part in _NO_PATCH for part in path.split("/"))


def _script(
    sandbox: Sandbox, script: str, prepared: Prepared, env: Mapping[str, str], wall_s: float
) -> Result:
    make_logs(sandbox)
    workdir = prepared.start.workdir
    # The shell starts a script that lacks its first line too; PWD is how it knows the folder by its own name.
    return sandbox.exec(["/bin/sh", "-c", script], cwd=workdir, env={"PWD": workdir, **env}, wall_s=wall_s)


def _change(sandbox: Sandbox, before: Path, changed: Mapping[str, bytes | None]) -> str:
    """Write a patch's files into a sandbox, and return why that is impossible."""
    if gone := [path for path, content in changed.items() if content is None]:
        sandbox.exec(
            ["xargs", "-0", "rm", "-f", "--"], stdin="\0".join(gone).encode("utf-8", "surrogateescape")
        )
    for path, content in changed.items():
        if content is None:
            continue
        place = before / path
        # A patch's modes are not read: a file stays as it was, and a new one can run if it says by what.
        runs = place.stat().st_mode & 0o100 if content_of(before, path) is not None else content[:2] == b"#!"
        try:
            sandbox.write(path, content, mode=0o755 if runs else 0o644)
        except SandboxLostError:
            raise
        except OSError as error:
            return f"{path} cannot be written: {error.strerror}"
    return ""


def _content(sandbox: Sandbox, path: str) -> bytes | None:
    """Return what a file outside the workspace holds, None where there is none; read inside, by a bounded command."""
    done = sandbox.exec(
        ["/bin/sh", "-c", _READ, "sh", path, str(_LARGEST_REWARD)],
        cwd="/",
        wall_s=_READ_S,
    )
    return None if done.code == 44 else done.stdout


def _tail(done: Result) -> str:
    return (done.stdout + done.stderr)[-_TAIL:].decode(errors="replace").strip()
