"""How a patch is graded by tests that pytest runs: fresh checkout, trusted tests, and controls that must not pass."""

from __future__ import annotations

import random
import re
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rlvr_gym.errors import TaskError
from rlvr_gym.repositories.checkouts import base_files
from rlvr_gym.repositories.controls import plant, twins
from rlvr_gym.repositories.guarding import guard_of, is_protected
from rlvr_gym.repositories.patches import PatchError, apply_patch
from rlvr_gym.repositories.test_runs import TestRun, run_tests
from rlvr_gym.runtimes.base import End
from rlvr_gym.types import Check, Status, Verdict

if TYPE_CHECKING:
    from rlvr_gym.repositories.instances import Instance
    from rlvr_gym.repositories.suites.base import Terms
    from rlvr_gym.repositories.suites.pytest import PytestSuite

_TRIES = 2
"""How often a run is tried whose sandbox is lost."""
_TWINS = 64, 16
"""Most tests that get a twin, of those that fail before and of those that pass."""
_SHOWN = 5

Files = Mapping[str, bytes | None]


@dataclass(slots=True)
class _Plan:
    """One run, and which of its tests must not pass."""

    trusted: dict[str, bytes]
    selection: list[str] = field(default_factory=list)
    controls: dict[str, set[str]] = field(default_factory=dict)
    """By path: ids without parameters."""


def grade(
    suite: PytestSuite,
    instance: Instance,
    patch: str,
    terms: Terms,
    *,
    base: Mapping[str, bytes] | None = None,
    run_tests: Callable[..., TestRun] = run_tests,
) -> Verdict:
    """Return the verdict on an untrusted patch.

    Args:
        suite: The repository, and how its tests are run.
        instance: Its problem.
        patch: What is judged.
        terms: Where, and with which limits.
        base: Files before the patch, where they are not `base_files` of the suite.
        run_tests: Runs tests as `run_tests` does, where that is not it.

    Raises:
        TaskError: the instance is broken: its own patches do not apply, or pytest does not start.
        UnavailableError: this machine cannot isolate.
    """
    ids = tuple(dict.fromkeys((*instance.fail_to_pass, *instance.pass_to_pass)))
    if not patch.strip():
        return _failed(ids, "the patch is empty")
    base = base_files(suite) if base is None else base
    tests = _tests(instance, base)
    try:
        changed = _applied(patch, base)
    except PatchError as error:
        return Verdict.of(Status.MALFORMED, str(error), checks=_none(ids))
    files, left_out = _allowed(suite, instance, base, tests, changed)
    if not files:
        return _failed(ids, f"the patch changes nothing that counts{left_out}")
    files |= {path: None for path, content in tests.items() if content is None}
    trusted = {path: content for path, content in tests.items() if content is not None}
    rng = secrets.SystemRandom()
    plans = _plans(instance, {**base, **trusted}, trusted, rng)

    def run(plan: _Plan) -> TestRun:
        for _ in range(_TRIES):
            found = run_tests(
                suite, files, plan.selection, runtime=terms.runtime, limits=terms.limits, trusted=plan.trusted
            )
            if found.end is not End.LOST:
                break
        return found

    with ThreadPoolExecutor(len(plans)) as threads:
        runs = list(threads.map(run, plans))
    return _concluded(ids, plans, runs, left_out)


def _tests(instance: Instance, base: Mapping[str, bytes]) -> Files:
    try:
        return apply_patch(instance.test_patch, base.get)
    except PatchError as error:
        raise TaskError(f"Instance {instance.id}: its test patch does not apply: {error}") from error


def _applied(patch: str, base: Mapping[str, bytes]) -> Files:
    changed = apply_patch(patch, base.get)
    folders = set()
    for path in base:
        if changed.get(path, b"") is not None:
            folders |= {"/".join(path.split("/")[:count]) for count in range(1, path.count("/") + 1)}
    for path, content in changed.items():
        if content is not None and path in folders:
            raise PatchError(f"the patch makes a file of the folder {path}")
    return changed


def _allowed(
    suite: PytestSuite, instance: Instance, base: Mapping[str, bytes], tests: Files, changed: Files
) -> tuple[dict[str, bytes | None], str]:
    """Return the changes that count, and words about those that do not."""
    named = _by_path((*instance.fail_to_pass, *instance.pass_to_pass))
    places = {path for path, names in named.items() if _is_test(path, names)}
    guard = guard_of(base, {*tests, *places}, suite.source_roots, suite.environment)
    files, dropped = {}, []
    for path, content in changed.items():
        if why := guard.why(path):
            dropped.append(f"{path} ({why})")
        elif content != base.get(path):
            files[path] = content
    shown = ", ".join(dropped[:_SHOWN]) + (", ..." if len(dropped) > _SHOWN else "")
    return files, f"; left out: {shown}" if dropped else ""


def _is_test(path: str, names: Collection[str]) -> bool:
    """Return whether a file whose tests count is one of tests: doctests also stand in code that is to be changed.

    Ids of those are names of modules and what is in them: ``pkg/core.py::pkg.core.total``.
    """
    stem = path.rpartition("/")[2].removesuffix(".py")
    functions = (re.split(r"\[|::", name)[0] for name in names)
    return (
        not path.endswith(".py")
        or is_protected(path)
        or any(n.isidentifier() and n != stem for n in functions)
    )


def _by_path(ids: Collection[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for test in ids:
        path, _, name = test.partition("::")
        found.setdefault(path, []).append(name)
    return found


def _plans(
    instance: Instance, tree: Mapping[str, bytes], trusted: Mapping[str, bytes], rng: random.Random
) -> list[_Plan]:
    """Return the run that counts, and the one of the twins if there are any."""
    ids = [*instance.fail_to_pass, *instance.pass_to_pass]
    counts = _Plan(dict(trusted), list(ids))
    broken = set(_by_path(instance.fail_to_pass))
    for path, names in _by_path(ids).items():
        found = (
            plant(tree[path], names, rng, many=path in broken)
            if path in tree and path.endswith(".py")
            else None
        )
        if found is not None:
            counts.trusted[path] = found.content
            counts.controls[path] = {f"{path}::{name}" for name in found.names}
            counts.selection += sorted(counts.controls[path])
    chosen = [*_some(instance.fail_to_pass, _TWINS[0], rng), *_some(instance.pass_to_pass, _TWINS[1], rng)]
    others = _Plan(dict(counts.trusted))
    for path, names in _by_path(chosen).items():
        if path not in counts.controls:
            continue
        found = twins(counts.trusted[path], names, rng)
        if found is not None:
            others.trusted[path] = found.content
            others.controls[path] = {f"{path}::{name}" for name in found.names} | counts.controls[path]
            others.selection += [f"{path}::{name}" for name in names if _plain(name) in found.names]
            others.selection += sorted(counts.controls[path])
    return [counts, others] if others.controls else [counts]


def _some(ids: Sequence[str], most: int, rng: random.Random) -> list[str]:
    """Return some tests: of one function no more than one set of parameters."""
    single = list({_plain(test): test for test in ids}.values())
    return rng.sample(single, min(most, len(single)))


def _path(test: str) -> str:
    return test.partition("::")[0]


def _plain(test: str) -> str:
    """Return an id without parameters."""
    return test.partition("[")[0]


def _concluded(ids: Sequence[str], plans: list[_Plan], runs: list[TestRun], left_out: str) -> Verdict:
    if lost := [run for run in runs if run.end is End.LOST]:
        return Verdict.of(Status.INFRASTRUCTURE, f"the sandbox was lost twice: {lost[0].output}")
    main = runs[0]
    planted = {name for controls in plans[0].controls.values() for name in controls}
    # The twin of a test that fails anyhow may pass by chance: where another value is wrong in the same way.
    real = planted | {name for name, found in _by_function(main).items() if found == {"passed"}}
    if faults := [fault for plan, run in zip(plans, runs, strict=True) for fault in _faults(plan, run, real)]:
        return _failed(ids, f"tampering: {'; '.join(dict.fromkeys(faults))}{left_out}"[:1000])
    for run in runs:
        if run.end is not End.EXITED:
            return Verdict.of(
                Status.OVER_LIMIT, f"the tests were ended at a limit: {run.end}{left_out}", checks=_none(ids)
            )
    ended = {
        path
        for path, controls in plans[0].controls.items()
        if controls <= {_plain(test) for test in main.outcomes}
    }
    confirmed = all(run.complete for run in runs)
    checks = []
    for test in ids:
        outcome = main.outcomes.get(test, "no result")
        if outcome == "passed" and not (main.complete or _path(test) in ended):
            outcome = "no result"
        checks.append(Check(test, outcome == "passed", "" if outcome == "passed" else outcome))
    num_passed = sum(check.passed for check in checks)
    reason = f"{num_passed} of {len(checks)} tests pass"
    if num_passed == len(checks) and confirmed:
        return Verdict.of(Status.PASSED, reason + left_out, checks=tuple(checks))
    first = next(
        (f"{check.name}: {check.detail}" for check in checks if not check.passed), "pytest was ended"
    )
    return Verdict.of(Status.FAILED, f"{reason}; {first}{left_out}", checks=tuple(checks))


def _faults(plan: _Plan, run: TestRun, real: Collection[str]) -> list[str]:
    """Return what shows that the code under test tampers with a run, where no control that is ``real`` may pass."""
    faults = list(run.tampering)
    outcomes = _by_function(run)
    for path, controls in plan.controls.items():
        if any("passed" in outcomes.get(name, ()) for name in controls.intersection(real)):
            faults.append(f"a control test in {path} passed, which must not")
        elif run.complete and controls - outcomes.keys() and any(_path(name) == path for name in outcomes):
            faults.append(f"a control test in {path} was not run")
    return faults


def _by_function(run: TestRun) -> dict[str, set[str]]:
    """Return the outcomes of each test with whatever parameters."""
    found: dict[str, set[str]] = {}
    for test, outcome in run.outcomes.items():
        found.setdefault(_plain(test), set()).add(outcome)
    return found


def _none(ids: Sequence[str]) -> tuple[Check, ...]:
    return tuple(Check(test, False, "no result") for test in ids)


def _failed(ids: Sequence[str], reason: str) -> Verdict:
    return Verdict.of(Status.FAILED, reason, checks=_none(ids))
