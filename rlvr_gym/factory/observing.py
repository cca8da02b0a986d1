"""Watches tests in a sandbox: which lines each runs, and how each fails. Hints, never verdicts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rlvr_gym.repositories.places import spec_of
from rlvr_gym.repositories.suites.pytest import PytestSuite
from rlvr_gym.runtimes.base import End, Limits, Runtime, SandboxLostError, Spec

_INSIDE = Path(__file__).parent / "inside"
_PLACE = "/observer"
_SETTINGS = ".observe.json"
_REPORT = ".observed.json"
_MAX_REPORT = 60_000_000
_TRIES = 2
_MAX_TEXT = 4000
_MAX_ITEMS = 100


@dataclass(frozen=True, slots=True)
class Observed:
    """What was seen. All of it is untrusted."""

    end: End
    seconds: float
    outcomes: Mapping[str, str] = field(default_factory=dict)
    """``passed``, ``failed`` or ``skipped`` by test."""
    failures: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    lines: Mapping[str, Mapping[str, frozenset[int]]] = field(default_factory=dict)
    """Lines of source files that each test runs."""
    output: str = ""


def observe(
    suite: PytestSuite,
    files: Mapping[str, bytes],
    tests: Sequence[str],
    sources: Sequence[str],
    *,
    runtime: Runtime,
    limits: Limits,
    lines: bool = False,
) -> Observed:
    """Run tests with ``files`` written over the checkout, and return what was seen.

    Args:
        suite: The tests, and where they lie.
        files: Content by path.
        tests: Ids of tests; all that pytest finds if there are none.
        sources: The files whose lines count.
        runtime: Where to run.
        limits: ``wall_s`` is the time of all tests together.
        lines: Whether to note the lines, which takes several times as long.

    Raises:
        SandboxLostError: twice in a row.
    """
    spec = spec_of(suite, limits)
    env = {
        **spec.env,
        "RLVR_OBSERVE": f"/workspace/{_SETTINGS}",
        "PYTHONPATH": f"{spec.env['PYTHONPATH']}:{_PLACE}",
    }
    spec = replace(spec, env=env, read_only={**spec.read_only, _INSIDE: _PLACE})
    settings = {
        "root": "/workspace",
        "sources": list(sources),
        "lines": lines,
        "out": f"/workspace/{_REPORT}",
    }
    command = ["python3", "-m", "pytest", "-p", "observer", "-q", "--no-header", "--tb=line"]
    # The repository's own settings may ask for plugins that are not there.
    command += ["-o", "addopts=", "--rootdir", "/workspace", *suite.args, *tests]
    written = {**files, _SETTINGS: json.dumps(settings).encode()}
    for _ in range(_TRIES):
        try:
            return _run(runtime, spec, written, command)
        except SandboxLostError as error:
            lost = error
    raise lost


def _run(runtime: Runtime, spec: Spec, files: Mapping[str, bytes], command: Sequence[str]) -> Observed:
    with runtime.start(spec) as sandbox:
        for path, content in files.items():
            sandbox.write(path, content)
        done = sandbox.exec(command)
        output = (done.stdout + done.stderr).decode(errors="replace")[-4000:]
        try:
            report = json.loads(sandbox.read(_REPORT, max_bytes=_MAX_REPORT))
            return Observed(
                end=done.end,
                seconds=done.seconds,
                outcomes={str(test): str(outcome) for test, outcome in report["outcomes"].items()},
                failures={str(test): _failure(failure) for test, failure in report["failures"].items()},
                lines={
                    str(test): {str(path): frozenset(map(int, seen)) for path, seen in files.items()}
                    for test, files in report["lines"].items()
                },
                output=output,
            )
        except SandboxLostError:
            raise
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            # Ended before its report, or the report was written by somebody else.
            return Observed(done.end, done.seconds, output=output)


def _failure(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is told of a failure, in the types that it should have: others may have written it."""
    found: dict[str, Any] = {name: str(raw.get(name, ""))[:_MAX_TEXT] for name in ("type", "message", "last")}
    for name in ("imports", "statements"):
        found[name] = [str(text)[:_MAX_TEXT] for text in list(raw.get(name, ()))[:_MAX_ITEMS]]
    for name in ("compared", "values"):
        items = list(dict(raw.get(name, {})).items())[:_MAX_ITEMS]
        found[name] = {str(key): str(value)[:_MAX_TEXT] for key, value in items}
    found["size"] = sum(len(text) for text in (*found["statements"], found["last"]))
    return found
