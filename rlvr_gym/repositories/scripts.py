"""A test script in a sandbox, and what its log says."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from rlvr_gym.repositories.log_parsers import LogParser
from rlvr_gym.runtimes.base import End, Result, Sandbox

START = ">>>>> Start Test Output"
END = ">>>>> End Test Output"
EXIT_CODE = ">>>>> Test Exit Code"
_MARKS = (START, END, EXIT_CODE)
_OFFLINE = {
    # Nothing can be fetched; what a script installs is in the image already, and would be tried for minutes.
    "PIP_NO_INDEX": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
}


@dataclass(frozen=True, slots=True)
class ScriptRun:
    """What became of a script."""

    end: End
    seconds: float
    outcomes: Mapping[str, str]
    """Status by test; empty when the log is not to be believed."""
    doubts: tuple[str, ...]
    """Why the log is not to be believed."""
    output: str
    """The end of the log."""


def run_script(
    sandbox: Sandbox, script: str, parser: LogParser, *, wall_s: float, env: Mapping[str, str]
) -> ScriptRun:
    """Run a script of bash and read its log.

    The marks in the script get a nonce, so that a line which the code under test was written to print is none of them.
    The script lies in memory that nothing can change. Yet code that runs under it may read the nonce, and writes to the
    same log: what this returns is a claim, and no proof.
    """
    nonce = secrets.token_hex(8)
    text = script
    for mark in _MARKS:
        text = text.replace(mark, f"{mark} {nonce}")
    # Its standard input is what it was given, sealed: moved to another descriptor, so that commands do not eat it.
    argv = ["bash", "-c", "exec bash /proc/self/fd/7 7<&0 </dev/null 2>&1"]
    done = sandbox.exec(argv, stdin=text.encode(), wall_s=wall_s, env={**_OFFLINE, **env})
    log = done.stdout.decode(errors="replace")
    outcomes, doubts = _read(log, done, parser, nonce, marked=START in script and END in script)
    return ScriptRun(done.end, done.seconds, outcomes, doubts, log[-4000:])


def _read(
    log: str, done: Result, parser: LogParser, nonce: str, *, marked: bool
) -> tuple[Mapping[str, str], tuple[str, ...]]:
    if done.end is not End.EXITED:
        return {}, ()
    part, code = log, done.code
    if marked:
        if f"{START} {nonce}" not in log or f"{END} {nonce}" not in log:
            return {}, ("the script did not get to its tests",)
        # To the last mark: an earlier one is somebody else's.
        part = log.partition(f"{START} {nonce}")[2].rpartition(f"{END} {nonce}")[0]
        told = re.findall(rf"^{re.escape(EXIT_CODE)} {nonce}: *(-?\d+)", log, re.MULTILINE)
        code = int(told[-1]) if told else None
    outcomes = parser(part)
    if not outcomes and code != 0:
        return {}, (
            f"the log names no test, and the tests ended with {'an unknown code' if code is None else code}",
        )
    if code not in (None, 0) and not any(status in ("FAILED", "ERROR") for status in outcomes.values()):
        return {}, (f"the tests ended with code {code}, and the log has no failure",)
    return outcomes, ()
