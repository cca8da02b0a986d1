"""The real Verus, where it is installed: run in a sandbox, its JSON read into our report.

It is found as ``$VERUS`` or as ``verus`` on the path. One file, one crate: ``verus FILE --output-json --no-cheating``
prints one JSON object on stdout and a JSON diagnostic per line on stderr.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from rlvr_gym.runtimes.base import End, Limits, SandboxLostError, Spec, UnavailableError, make_runtime
from rlvr_gym.verifiers.verus.report import NOWHERE, Dialect, Finding, Outcome, Place, Report

_FILE = "solution.rs"
_ABORTING = "aborting due to"


def find_verus() -> Path | None:
    """Return the real ``verus`` of this machine, None where there is none."""
    named = os.environ.get("VERUS")
    found = named if named and Path(named).is_file() else shutil.which("verus")
    return Path(found).resolve() if found else None


@lru_cache(maxsize=8)
def version_of(binary: Path) -> str:
    """Return the version that ``binary`` tells, such as ``0.2026.05.05.d03e906``.

    Raises:
        UnavailableError: it cannot be run here.
    """
    result = _run(binary, ["--version", "--output-json"], "", wall_s=60.0, memory_mib=2048)
    try:
        return str(json.loads(result[0])["verus"]["version"])
    except (ValueError, KeyError, TypeError):
        raise UnavailableError(f"{binary}: it does not tell its version: {result[1][:200]!r}") from None


def run_verus(
    binary: Path, source: str, *, dialect: Dialect, rlimit: float, wall_s: float, memory_mib: int
) -> Report:
    """Return what the real Verus says of ``source``.

    Raises:
        UnavailableError: this machine cannot isolate, or ``binary`` is not Verus.
    """
    engine = f"verus/{version_of(binary)}"
    arguments = [
        f"/workspace/{_FILE}", "--output-json", "--no-cheating", "--rlimit", f"{rlimit:g}", "--crate-type=lib",
        "--multiple-errors", "5", "--", "--error-format=json",
    ]  # fmt: skip
    try:
        stdout, stderr, code, end = _run(binary, arguments, source, wall_s=wall_s, memory_mib=memory_mib)
    except SandboxLostError as error:
        return _stopped(Outcome.CRASH, str(error), dialect, engine)
    if end in (End.TIMEOUT, End.MEMORY, End.OUTPUT):
        return _stopped(Outcome.TIMEOUT, f"stopped at its limit ({end})", dialect, engine)
    if end is End.LOST or code is None:
        return _stopped(Outcome.CRASH, "the sandbox was lost", dialect, engine)
    return report_of(stdout, stderr, code, dialect=dialect, engine=engine)


def report_of(stdout: str, stderr: str, code: int, *, dialect: Dialect, engine: str) -> Report:
    """Return the report that Verus' output means.

    Only exit code 0 with ``success``, no errors and at least one verified function is ``verified``. Errors of the
    compiler and of Verus' own front end are ``rejected``; failed obligations are ``failed``.
    """
    try:
        results = json.loads(stdout)["verification-results"]
        front_end = bool(results["encountered-vir-error"])
    except (ValueError, KeyError, TypeError):
        findings = tuple(_findings(stderr))
        if code != 0 and findings:
            # The compiler stopped before Verus had anything to say.
            return Report(Outcome.REJECTED, findings, dialect=dialect, engine=engine)
        return _stopped(Outcome.CRASH, "the output is not Verus' JSON", dialect, engine)
    verified, errors = _count(results, "verified"), _count(results, "errors")
    if code == 0 and results.get("success") is True and errors == 0 and verified > 0 and not front_end:
        return Report(Outcome.VERIFIED, dialect=dialect, engine=engine)
    findings = tuple(_findings(stderr))
    if front_end or errors == 0:
        reasons = findings or (Finding("nothing was verified", NOWHERE),)
        return Report(Outcome.REJECTED, reasons, dialect=dialect, engine=engine)
    reasons = findings or (Finding(f"{errors} errors", NOWHERE),)
    return Report(Outcome.FAILED, reasons, dialect=dialect, engine=engine)


def _count(results: dict[str, Any], name: str) -> int:
    value = results.get(name, -1)
    return value if type(value) is int else -1


def _findings(stderr: str) -> Iterator[Finding]:
    """Yield the errors among rustc's diagnostics, the clause that one is about as its related place."""
    for line in stderr.splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if not isinstance(row, dict) or row.get("level") != "error":
            continue
        message = str(row.get("message", ""))
        if message.startswith(_ABORTING):
            continue
        spans = [span for span in row.get("spans", ()) if isinstance(span, dict)]
        primary = next((span for span in spans if span.get("is_primary")), None)
        others = [span for span in spans if span is not primary]
        place = NOWHERE if primary is None else _place(primary)
        yield Finding(message, place, _place(others[0]) if others else None)


def _place(span: dict[str, Any]) -> Place:
    return Place(span["line_start"], span["column_start"], span["line_end"], span["column_end"])


def _stopped(outcome: Outcome, why: str, dialect: Dialect, engine: str) -> Report:
    return Report(outcome, (Finding(why, NOWHERE),), dialect=dialect, engine=engine)


def _run(
    binary: Path, arguments: list[str], source: str, *, wall_s: float, memory_mib: int
) -> tuple[str, str, int | None, End]:
    """Return stdout, stderr, exit code and end of one call, in a sandbox that sees Verus and its Rust toolchain.

    Raises:
        UnavailableError: this machine cannot isolate.
        SandboxLostError: the sandbox was lost.
    """
    runtime = make_runtime("local")
    if missing := runtime.missing():
        raise UnavailableError("; ".join(missing))
    rustup = Path(os.environ.get("RUSTUP_HOME", Path.home() / ".rustup"))
    shown = {binary.parent: "/opt/verus"}
    env = {"PATH": "/opt/verus:/usr/local/bin:/usr/bin:/bin"}
    if rustup.is_dir():
        shown[rustup] = "/opt/rustup"
        env["RUSTUP_HOME"] = "/opt/rustup"
    limits = Limits(wall_s=wall_s, cpu_s=2 * wall_s, memory_mib=memory_mib, output_bytes=4_000_000)
    with runtime.start(Spec(limits=limits, read_only=shown, env=env)) as sandbox:
        if source:
            sandbox.write(_FILE, source.encode())
        result = sandbox.exec([f"/opt/verus/{binary.name}", *arguments])
    return (
        result.stdout.decode(errors="replace"),
        result.stderr.decode(errors="replace"),
        result.code,
        result.end,
    )
