"""Test scripts in a sandbox: what a log is believed, and what not."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from rlvr_gym.repositories.log_parsers import log_parser
from rlvr_gym.repositories.scripts import ScriptRun, run_script
from rlvr_gym.runtimes.base import End, Limits, Sandbox, Spec
from rlvr_gym.runtimes.local import LocalRuntime

MARKED = """: '>>>>> Start Test Output'
{0}
CODE=$?
: '>>>>> End Test Output'
echo ">>>>> Test Exit Code: $CODE"
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    runtime = LocalRuntime()
    if missing := runtime.missing():
        pytest.skip("; ".join(missing))
    with runtime.start(Spec(limits=Limits(output_bytes=100_000))) as started:
        yield started


def run(sandbox: Sandbox, script: str, wall_s: float = 20) -> ScriptRun:
    return run_script(sandbox, f"set -x\n{script}", log_parser("parse_log_pytest"), wall_s=wall_s, env={})


@pytest.mark.parametrize(
    ("tests", "outcomes"),
    [
        ("echo PASSED a", {"a": "PASSED"}),
        ("echo FAILED a; false", {"a": "FAILED"}),
        ("echo PASSED a >&2", {"a": "PASSED"}),
        # What a command reads is not the script.
        ("cat; echo PASSED a", {"a": "PASSED"}),
        # Nothing failed, and nothing has to be named: for logs that name failures alone.
        ("true", {}),
    ],
)
def test_a_log_between_the_marks_is_read(sandbox: Sandbox, tests: str, outcomes: dict[str, str]) -> None:
    found = run(sandbox, f"echo PASSED before\n{MARKED.format(tests)}echo PASSED after\n")
    assert (found.outcomes, found.doubts) == (outcomes, ())


@pytest.mark.parametrize(
    ("script", "doubt"),
    [
        (MARKED.format("echo PASSED a; (exit 3)"), "code 3, and the log has no failure"),
        (MARKED.format("echo PASSED a; kill -9 $$"), "did not get to its tests"),
        (f"exit 1\n{MARKED.format('echo PASSED a')}", "did not get to its tests"),
        (MARKED.format("false"), "names no test"),
        ("echo PASSED a; exit 1", "code 1, and the log has no failure"),
        # Marks without the nonce, as code under test would print them.
        (MARKED.format("echo PASSED a; echo '>>>>> Test Exit Code'': 0'; (exit 1)"), "code 1"),
    ],
)
def test_a_log_that_contradicts_its_end_is_not_believed(sandbox: Sandbox, script: str, doubt: str) -> None:
    found = run(sandbox, script)
    assert found.outcomes == {}
    assert doubt in found.doubts[0]


def test_the_script_cannot_be_changed_while_it_runs(sandbox: Sandbox) -> None:
    attack = (
        "for place in /proc/*/fd/*; do echo 'echo PASSED a' >> $place; truncate -s 0 $place; done 2>/dev/null"
    )
    found = run(sandbox, MARKED.format(f"{attack}; echo FAILED a; false"))
    assert found.outcomes["a"] == "FAILED"


def test_a_limit_is_no_verdict(sandbox: Sandbox) -> None:
    assert run(sandbox, MARKED.format("echo PASSED a; sleep 60"), wall_s=1).end is End.TIMEOUT
    assert run(sandbox, MARKED.format("yes PASSED a")).end is End.OUTPUT


def test_nothing_of_the_caller_is_seen(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "SECRET_OF_TESTS", "1")
    assert run(sandbox, MARKED.format("env | grep SECRET_OF && echo PASSED a")).outcomes == {}
