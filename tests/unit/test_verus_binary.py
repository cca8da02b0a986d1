"""The real Verus' output read into our report: texts in its format, and a stand-in program run for real."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rlvr_gym.runtimes.base import UnavailableError, make_runtime
from rlvr_gym.types import Task
from rlvr_gym.verifiers import Verifier
from rlvr_gym.verifiers.verus.binary import find_verus, report_of, run_verus, version_of
from rlvr_gym.verifiers.verus.report import Outcome, Place, Report


def results(**values: object) -> str:
    """Verus' stdout around one table of results."""
    table = {"encountered-error": False, "encountered-vir-error": False, **values}
    return json.dumps(
        {"verus": {"version": "0.2026.05.05.d03e906"}, "verification-results": table, "times-ms": {}}
    )


PROVED = results(success=True, verified=3, errors=0, **{"is-verifying-entire-crate": True})
UNPROVED = results(success=False, verified=2, errors=1, **{"encountered-error": True})
FRONT_END = results(success=False, **{"encountered-error": True, "encountered-vir-error": True})


def span(line: int, *, primary: bool, label: str = "") -> dict[str, object]:
    return {
        "file_name": "/workspace/solution.rs",
        "line_start": line,
        "line_end": line,
        "column_start": 5,
        "column_end": 12,
        "is_primary": primary,
        "label": label,
    }


def diagnostic(message: str, *spans: dict[str, object], level: str = "error") -> str:
    return json.dumps(
        {
            "$message_type": "diagnostic",
            "message": message,
            "code": None,
            "level": level,
            "spans": list(spans),
        }
    )


ABORTED = diagnostic("aborting due to 1 previous error")


def read(stdout: str, stderr: str, code: int) -> Report:
    return report_of(stdout, stderr, code, dialect="current", engine="verus/test")


def test_success_without_errors_is_verified() -> None:
    report = read(PROVED, "", 0)
    assert report.outcome is Outcome.VERIFIED
    assert report.engine == "verus/test"


@pytest.mark.parametrize(
    ("stdout", "code"),
    [
        (PROVED, 1),
        (results(success=True, verified=0, errors=0), 0),
        (results(success=True, verified=3, errors=1), 0),
        (results(success=True, verified=True, errors=0), 0),
        (results(success="true", verified=3, errors=0), 0),
        (results(verified=3, errors=0), 0),
        (results(success=True, verified=3, errors=0, **{"encountered-vir-error": True}), 0),
        ("", 0),
        ("{}", 0),
        ("[1]", 0),
        ("verification results:: 3 verified, 0 errors", 0),
    ],
    ids=["exit-code", "nothing", "errors", "bool-count", "text-success", "no-success", "front-end", "empty", "no-table", "list", "prose"],
)  # fmt: skip
def test_nothing_less_than_success_is_verified(stdout: str, code: int) -> None:
    assert read(stdout, "", code).outcome is not Outcome.VERIFIED


def test_a_failed_obligation_names_its_line_and_the_clause() -> None:
    stderr = "\n".join(
        [
            diagnostic("unused variable: `x`", span(2, primary=True), level="warning"),
            diagnostic(
                "postcondition not satisfied",
                span(4, primary=False, label="failed this postcondition"),
                span(9, primary=True, label="at the end of the function body"),
            ),
            ABORTED,
        ]
    )
    report = read(UNPROVED, stderr, 1)
    assert report.outcome is Outcome.FAILED
    (finding,) = report.findings
    assert finding.message == "postcondition not satisfied"
    assert finding.place == Place(9, 5, 9, 12)
    assert finding.related == Place(4, 5, 4, 12)


def test_errors_of_the_front_end_are_rejections() -> None:
    report = read(FRONT_END, diagnostic("cannot call function with mode exec", span(3, primary=True)), 1)
    assert report.outcome is Outcome.REJECTED
    assert report.findings[0].place.line == 3


def test_an_error_of_the_compiler_is_a_rejection_although_verus_said_nothing() -> None:
    report = read("", diagnostic("mismatched types", span(3, primary=True)) + "\n" + ABORTED, 1)
    assert report.outcome is Outcome.REJECTED
    assert [finding.message for finding in report.findings] == ["mismatched types"]


def test_a_crash_without_diagnostics_claims_nothing() -> None:
    assert read("", "thread 'rustc' panicked", 101).outcome is Outcome.CRASH


STAND_IN = """#!/bin/sh
case "$1" in
  --version) echo '{"verus": {"version": "0.2026.05.05.d03e906"}}';;
  *) if grep -q wrong "$1"; then
       cat /opt/verus/failed.json; cat /opt/verus/failed.err >&2; exit 1
     fi
     cat /opt/verus/proved.json;;
esac
"""


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program with Verus' arguments and output, found as the real one is."""
    if missing := make_runtime("local").missing():
        pytest.skip(f"no sandbox here: {missing[0]}")
    folder = tmp_path / "verus"
    folder.mkdir()
    folder.chmod(0o755)
    tmp_path.chmod(0o755)
    binary = folder / "verus"
    binary.write_text(STAND_IN)
    binary.chmod(0o755)
    (folder / "proved.json").write_text(PROVED)
    (folder / "failed.json").write_text(UNPROVED)
    (folder / "failed.err").write_text(diagnostic("assertion failed", span(2, primary=True)))
    monkeypatch.setenv("VERUS", str(binary))
    return binary


def test_it_is_found_run_in_a_sandbox_and_named_with_its_version(stand_in: Path) -> None:
    assert find_verus() == stand_in
    assert version_of(stand_in) == "0.2026.05.05.d03e906"
    limits = {"dialect": "current", "rlimit": 10.0, "wall_s": 10.0, "memory_mib": 512}
    proved = run_verus(stand_in, "fn main() {}", **limits)  # type: ignore[arg-type]
    assert (proved.outcome, proved.engine) == (Outcome.VERIFIED, "verus/0.2026.05.05.d03e906")
    failed = run_verus(stand_in, "fn main() { wrong }", **limits)  # type: ignore[arg-type]
    assert (failed.outcome, failed.findings[0].message) == (Outcome.FAILED, "assertion failed")


def test_cheats_are_refused_before_the_real_verus_is_asked(stand_in: Path) -> None:
    task = Task(id="t", prompt="", reference={"function": "f"}, verifier="verus")
    judge = Verifier("verus", {"engine": "verus"})
    start = "use vstd::prelude::*; verus! { fn f() "
    assert judge.check(task, start + "{ } }").passed
    cheat = judge.check(task, start + "{ assume(false); } }")
    assert not cheat.passed
    assert cheat.reason.startswith("cheat")


def test_what_cannot_be_read_to_its_end_never_reaches_the_real_verus(stand_in: Path) -> None:
    given = "use vstd::prelude::*; verus! { fn f(x: u8) -> (r: u8) ensures r == x { unimplemented!() } }"
    weaker = given.replace("ensures r == x { unimplemented!() }", "{ 0 }")
    task = Task(id="t", prompt="", reference={"given": given, "function": "f"}, verifier="verus")
    judge = Verifier("verus", {"engine": "verus"})
    assert judge.check(task, given.replace("unimplemented!()", "x")).passed
    # Each would be proved, and each stops our reader before the contracts are compared.
    for rest in ("unsafe fn g() { }", "#[unknown::tool] fn g() { }", "fn g( {"):
        verdict = judge.check(task, weaker.replace("{ 0 } }", f"{{ 0 }} {rest} }}"))
        assert not verdict.passed, rest


def test_asking_for_the_real_one_where_there_is_none_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VERUS", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    task = Task(id="t", prompt="", reference={}, verifier="verus")
    with pytest.raises(UnavailableError, match="no verus is on the path"):
        Verifier("verus", {"engine": "verus"}).check(task, "fn main() {}")
