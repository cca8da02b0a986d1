"""Trusted test runs: the repository's tests in a fresh sandbox, with an outcome for each of them that no output can forge."""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rlvr_gym.errors import TaskError
from rlvr_gym.repositories.checkouts import base_files
from rlvr_gym.repositories.guarding import is_protected
from rlvr_gym.repositories.inside.main import FULL
from rlvr_gym.repositories.modules import is_rewritten, own_modules
from rlvr_gym.repositories.places import ENVIRONMENT, WORKSPACE, spec_of
from rlvr_gym.repositories.pytest_settings import trusted_settings
from rlvr_gym.runtimes.base import End, Limits, Result, Runtime, SandboxLostError, Spec

if TYPE_CHECKING:
    from rlvr_gym.repositories.suites.pytest import PytestSuite

TestOutcome = Literal["passed", "failed", "skipped", "error"]

_INSIDE = Path(__file__).with_name("inside")
_HARNESS = "/harness"
SETTINGS = "/tmp/trusted/pytest.ini"
"""Where the trusted settings of pytest lie in the sandbox."""
_ANSWER_BYTES = 32 << 20
"""Room for the answer: an id and three words for each test."""
_PHASES = ("setup", "call", "teardown")


@dataclass(frozen=True, slots=True)
class TestRun:
    """What became of the tests."""

    __test__ = False

    outcomes: Mapping[str, TestOutcome]
    """By pytest's id. A file that could not be read stands there too, as ``error``; a test that did not end is missing."""
    end: End
    """How the run ended. ``EXITED`` also when pytest was ended by the code under test; only ``LOST`` says nothing."""
    seconds: float
    output: str
    """The end of what pytest and the tests printed. Untrusted, like all text."""
    complete: bool
    """Whether pytest came to the end of its session."""
    tampering: tuple[str, ...]
    """What nobody but tampering code would do; such a run proves nothing."""


def run_tests(
    suite: PytestSuite,
    files: Mapping[str, bytes | None],
    selection: Sequence[str] | None,
    *,
    runtime: Runtime,
    limits: Limits,
    trusted: Mapping[str, bytes] = {},
) -> TestRun:
    """Run tests of a suite in a fresh sandbox, one process with one pytest.

    Args:
        suite: Which repository, and how its tests are run.
        files: What is changed in `base_files`, by path: other content, or None for a file that is deleted.
        selection: Ids of the tests to run, such as ``tests/test_a.py::test_b``; None: all that pytest finds.
        runtime: Where.
        limits: Of the sandbox; ``wall_s`` is the time of all tests together.
        trusted: Files that are written last, over all others.

    Raises:
        TaskError: the suite lacks something.
        UnavailableError: this machine cannot isolate.
    """
    if suite.environment is None:
        raise TaskError("A suite of kind 'pytest' needs 'environment', a folder with pytest in it.")
    base = base_files(suite)
    written = {path: content for path, content in files.items() if content is not None} | dict(trusted)
    deleted = [
        path for path, content in files.items() if content is None and path in base and path not in trusted
    ]
    tree = {path for path in base if path not in deleted} | set(written)
    job = {
        "deleted": sorted(deleted),
        "environment": ENVIRONMENT,
        "env": {"PYTHONPATH": ":".join([*_roots(suite), ENVIRONMENT])},
        "roots": _roots(suite),
        **watched(tree, trusted),
        "modules": own_modules(suite.source_roots, tree),
        "selection": None if selection is None else list(selection),
        "args": pytest_arguments(selection, suite.plugins, suite.args),
    }
    contents = {**written, SETTINGS: trusted_settings(base).encode()}
    spec = spec_of(suite, limits)
    spec = replace(spec, env={name: value for name, value in spec.env.items() if name in _KEPT})
    return run_harness(spec, ("python3", "-s", "-S", "-B"), job, contents, runtime=runtime, limits=limits)


def run_harness(
    spec: Spec,
    python: Sequence[str],
    job: Mapping[str, Any],
    contents: Mapping[str, bytes],
    *,
    runtime: Runtime,
    limits: Limits,
) -> TestRun:
    """Run the harness in a fresh sandbox.

    Args:
        spec: What the sandbox is started with, besides the harness.
        python: The sandbox's Python, with its options.
        job: What ``inside/main.py`` is to do.
        contents: Files to write first, by path from the workspace.
        runtime: Where.
        limits: Of the sandbox.

    Raises:
        TaskError: pytest does not start.
        UnavailableError: this machine cannot isolate.
    """
    nonce = secrets.token_hex(16)
    spec = replace(
        spec,
        limits=replace(limits, output_bytes=max(limits.output_bytes, _ANSWER_BYTES)),
        read_only={**spec.read_only, _INSIDE: _HARNESS},
    )
    try:
        with runtime.start(spec) as sandbox:
            result = sandbox.exec(
                [*python, f"{_HARNESS}/main.py"],
                stdin=_packed(job, contents) + nonce.encode(),
                wall_s=limits.wall_s,
            )
    except SandboxLostError as error:
        return TestRun({}, End.LOST, 0.0, str(error), False, ())
    return _read(result, nonce)


_KEPT = ("PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE", "PYTEST_DISABLE_PLUGIN_AUTOLOAD", "TERM")


def _roots(suite: PytestSuite) -> list[str]:
    return [WORKSPACE if root == "." else f"{WORKSPACE}/{root}" for root in suite.source_roots]


def watched(tree: Collection[str], trusted: Collection[str]) -> dict[str, list[str]]:
    """Return which of the files ``tree`` the harness watches: nobody may change tests while they run."""
    paths = sorted(path for path in tree if path.endswith(".py") and (path in trusted or is_protected(path)))
    helpers = [f"{WORKSPACE}/{path}" for path in paths if not is_rewritten(path)]
    return {"watched": paths, "helpers": helpers}


def pytest_arguments(
    selection: Sequence[str] | None, plugins: Sequence[str] = (), args: Sequence[str] = ()
) -> list[str]:
    """Return the arguments of a trusted pytest."""
    named = [word for name in ("no:cacheprovider", *plugins) for word in ("-p", name)]
    places = sorted({test.partition("::")[0] for test in selection or ()})
    return [
        "-c",
        SETTINGS,
        f"--rootdir={WORKSPACE}",
        f"--confcutdir={WORKSPACE}",
        "--continue-on-collection-errors",
        "--color=no",
        "--tb=short",
        "-q",
        *named,
        *args,
        *places,
    ]


def _packed(job: Mapping[str, Any], contents: Mapping[str, bytes]) -> bytes:
    head = json.dumps({**job, "files": [[path, len(content)] for path, content in contents.items()]}).encode()
    return b"".join([b"%012d" % len(head), head, *contents.values()])


def _read(result: Result, nonce: str) -> TestRun:
    """Return what the judge's process answered."""
    outcomes: dict[str, TestOutcome] = {}
    faults: list[str] = []
    complete = ready = False
    output = result.stderr.decode(errors="replace")
    for line in result.stdout.split(b"\n"):
        mark, _, text = line.partition(b" ")
        if mark != nonce.encode():
            faults += ["the answer carries what the judge did not send"] * bool(line)
            continue
        try:
            message = json.loads(text)
        except ValueError:
            continue  # cut off at a limit
        if "id" in message:
            # One id may name several tests: the worst counts.
            if outcomes.get(message["id"], "passed") == "passed":
                outcomes[message["id"]] = _outcome(message["phases"])
            continue
        if "ready" in message:
            ready = True
            continue
        faults += message["faults"]
        output += message["output"]
        if not message["started"]:
            raise TaskError(f"pytest does not start in the suite's environment: {output.strip()[-500:]}")
        complete = message["ended"]
    # Nothing untrusted ran before: a disk that is full or closed, a Python that does not start.
    end = result.end
    if not ready and end is End.EXITED:
        end = End.OUTPUT if result.code == FULL else End.LOST
    return TestRun(outcomes, end, result.seconds, output, complete, tuple(dict.fromkeys(faults)))


def _outcome(phases: Mapping[str, str]) -> TestOutcome:
    if any(phases.get(phase) == "failed" for phase in ("collection", "setup", "teardown")):
        return "error"
    if "failed" in phases.values():
        return "failed"
    if "skipped" in phases.values():
        return "skipped"
    return "passed" if all(phases.get(phase) == "passed" for phase in _PHASES) else "error"
