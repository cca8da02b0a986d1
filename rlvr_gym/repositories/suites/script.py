"""Tests of a repository in an image: run by a script whose log is read, as most public data sets are graded.

A log is weaker than the suite ``pytest``: the code under test writes to what decides, so a patch made for it can claim
success. What cannot be kept from it is made harder, and seen where it can be (`rlvr_gym.repositories.scripts`); and where
the image has pytest, and our own harness passes the reference patch, it decides in place of the log.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from rlvr_gym.errors import TaskError
from rlvr_gym.repositories.guarding import guard_of, is_protected
from rlvr_gym.repositories.image_checkouts import (
    FolderFiles,
    content_of,
    image_checkout,
    pristine,
    tracked,
)
from rlvr_gym.repositories.image_grading import ImageTests, verdict_where_it_fits
from rlvr_gym.repositories.log_parsers import log_parser
from rlvr_gym.repositories.patches import PatchError, apply_patch
from rlvr_gym.repositories.scripts import ScriptRun, run_script
from rlvr_gym.repositories.suites.base import SUITES, Terms, Workspace
from rlvr_gym.runtimes.base import End, Limits, Runtime, Sandbox, SandboxLostError, Spec, UnavailableError
from rlvr_gym.runtimes.docker import DockerRuntime
from rlvr_gym.types import Check, Status, Verdict

if TYPE_CHECKING:
    from rlvr_gym.repositories.instances import Instance

GRADINGS = ("auto", "harness", "log")

Files: TypeAlias = Mapping[str, bytes | None]
"""Content by path, None for a file that is deleted."""

_WORKSPACE = "/workspace"
_NAMED_LIKE_TESTS = re.compile(
    r"(.*/)?(__tests__|e2e|specs?)/.*|(.*/)?(test_[^/]*|[^/]*(_test|\.test|\.spec|_spec|Test)\.[a-z]+)"
)
"""Of other languages than Python."""


@dataclass(frozen=True, slots=True)
class ScriptSuite:
    """A repository in an image, and the script of bash that runs its tests. Needs the runtime ``docker``."""

    kind: ClassVar[str] = "script"

    image: str
    """Name of an image in the engine; none is pulled."""
    script: str
    log_parser: str
    """Name in `LOG_PARSERS`, or in the package ``swebench``."""
    workdir: str = "/testbed"
    """Folder of the repository in the image. In sandboxes it is a link to the workspace."""
    eval_type: str = "pass_and_fail"
    """``fail_only`` where the log names failures alone: a test that it does not name has passed."""
    setup_patch: str = ""
    """Turns the image's files into the state that the agent is given, such as by a seeded bug."""
    removed: tuple[str, ...] = ()
    """Paths in the repository that the agent is not given; they are back when its patch is graded."""
    covered: tuple[str, ...] = ()
    """Folders elsewhere in the image that appear empty to the agent, such as hidden tests."""
    opened: tuple[str, ...] = ()
    """Folders of the image that everybody may enter, where its tools lie in one that only root may."""
    python: str = ""
    """The image's Python that has pytest, such as ``/opt/miniconda3/envs/testbed/bin/python``."""
    grading: str = "auto"
    """What decides: ``harness`` (our own, with that Python), ``log``, or ``auto``: the harness where it passes the
    reference patch, which is tried once for each instance, otherwise the log."""

    def workspace(self, instance: Instance, limits: Limits) -> Workspace:
        """Return what an agent's sandbox starts with, from the engine of DOCKER_HOST or the usual one.

        Raises:
            TaskError: the image has no such repository.
            UnavailableError: the image is not in the engine, or there is no engine.
        """
        source = pristine(DockerRuntime(), self.image, self.workdir)
        base = image_checkout(source, self.setup_patch, self.removed)

        return Workspace(self._spec(base, limits, self.covered), lambda: FolderFiles(base))

    def _spec(self, base: Path, limits: Limits, hidden: tuple[str, ...]) -> Spec:
        links = {} if self.workdir == _WORKSPACE else {self.workdir: _WORKSPACE}
        return Spec(
            limits=limits, workspace=base, image=self.image, links=links, hidden=hidden, opened=self.opened
        )

    def grade(self, instance: Instance, patch: str, terms: Terms) -> Verdict:
        """Return the verdict on an untrusted patch, from a fresh container that no agent has touched.

        Raises:
            TaskError: the image has no such repository, or the tests of the instance do not fit it.
            UnavailableError: another runtime than ``docker``, or the image is not in the engine.
            UnknownNameError: there is no such log parser.
        """
        if self.grading not in GRADINGS:
            raise TaskError(
                f"A suite of kind 'script' has grading {', '.join(GRADINGS)}, not {self.grading!r}."
            )
        source = pristine(_docker(terms.runtime, self.image), self.image, self.workdir)
        base = image_checkout(source, self.setup_patch, self.removed)
        tests = self._tests(instance, source, base)
        if self.grading == "harness" or (self.grading == "auto" and self.python):
            found = self._by_harness(instance, patch, terms, source, base, tests)
            if found is not None:
                return found
        return self._by_log(instance, patch, terms, source, base, tests)

    def _by_harness(
        self, instance: Instance, patch: str, terms: Terms, source: Path, base: Path, tests: Files
    ) -> Verdict | None:
        """Return the harness's verdict, None where the log has to decide."""
        harness = ImageTests(
            spec=self._spec(base, terms.limits, ()),
            python=self.python,
            base=FolderFiles(base, source),
            tests=tests,
            # Which is what sets the module apart from the program of the same name.
            roots=(_WORKSPACE,) if "-m pytest" in self.script else (),
        )
        if self.grading == "harness":
            if why := harness.unfit(instance):
                raise TaskError(f"Instance {instance.id} cannot be graded by the harness: {why}.")
            return harness.verdict(instance, patch, terms)
        return verdict_where_it_fits(harness, instance, patch, terms)

    def _by_log(
        self, instance: Instance, patch: str, terms: Terms, source: Path, base: Path, tests: Files
    ) -> Verdict:
        parser = log_parser(self.log_parser)
        try:
            changed = apply_patch(patch, lambda path: content_of(base, path)) if patch.strip() else {}
        except PatchError as error:
            return Verdict.of(Status.MALFORMED, f"the patch does not apply: {error}")
        left = _left_out(changed, instance, tracked(source), tests)
        kept = {path: content for path, content in changed.items() if path not in left}
        if _applies_patches(self.script):
            # It restores and changes the test files itself, from what lies there.
            ours = (
                apply_patch(instance.test_patch, lambda path: content_of(base, path))
                if instance.test_patch
                else {}
            )
            tests = {
                path: content_of(base, path) if path in ours else content for path, content in tests.items()
            }
        try:
            with terms.runtime.start(self._spec(base, terms.limits, ())) as sandbox:
                _put(sandbox, base, tests)
                try:
                    _put(sandbox, base, kept)
                except SandboxLostError:
                    raise
                except OSError as error:
                    what = f"{error.filename}: {error.strerror}"
                    return Verdict.of(Status.MALFORMED, f"the patch has a file that cannot be: {what:.200}")
                run = run_script(sandbox, self.script, parser, wall_s=terms.limits.wall_s, env={})
        except SandboxLostError as error:
            return Verdict.of(Status.INFRASTRUCTURE, str(error))
        return _verdict(instance, run, self.eval_type, left)

    def _tests(self, instance: Instance, source: Path, base: Path) -> Files:
        """Return the trusted files: what the agent was not given, and what the test patch makes.

        Raises:
            TaskError: the test patch does not apply.
        """
        patched: Files = {}
        if instance.test_patch.strip():
            try:
                patched = apply_patch(instance.test_patch, lambda path: content_of(base, path))
            except PatchError as error:
                raise TaskError(f"Instance {instance.id}: its test patch does not apply: {error}") from error
        back: dict[str, bytes | None] = {}
        for name in self.removed:
            if not any(path == name or path.startswith(f"{name}/") for path in patched):
                back |= dict(_below(source, name))
        return {**back, **patched}


def _applies_patches(script: str) -> bool:
    return "git apply" in script


def _left_out(changed: Files, instance: Instance, base: tuple[str, ...], tests: Files) -> list[str]:
    """Return the paths of a patch that are not carried over: tests, and what steers them."""
    named = {name.partition("::")[0] for name in (*instance.fail_to_pass, *instance.pass_to_pass)}
    guard = guard_of(base, {*tests, *named.intersection(base)}, (".", "src"), None)
    return sorted(
        path for path in changed if guard.why(path) or is_protected(path) or _NAMED_LIKE_TESTS.fullmatch(path)
    )


def _docker(runtime: Runtime, image: str) -> DockerRuntime:
    if not isinstance(runtime, DockerRuntime):
        kind = type(runtime).__name__.removesuffix("Runtime").lower()
        raise UnavailableError(
            f"The repository and its tests are in the image {image!r}, and the runtime '{kind}' has no images. "
            "Missing: runtime = 'docker'."
        )
    return runtime


def _below(source: Path, name: str) -> Iterator[tuple[str, bytes]]:
    place = source / name
    for path in [place] if place.is_file() else sorted(place.rglob("*")):
        inside = path.relative_to(source).as_posix()
        content = content_of(source, inside)
        if content is not None:
            yield inside, content


def _put(sandbox: Sandbox, base: Path, files: Mapping[str, bytes | None]) -> None:
    """Write and delete files of the workspace, before anything untrusted runs."""
    gone = [path for path, content in files.items() if content is None]
    for start in range(0, len(gone), 500):
        done = sandbox.exec(["rm", "-f", "--", *(f"./{path}" for path in gone[start : start + 500])])
        if done.code != 0:
            raise SandboxLostError(
                f"A file could not be removed: {done.stderr.decode(errors='replace').strip()}"
            )
    for path, content in files.items():
        if content is not None:
            place = base / path
            mode = place.stat().st_mode & 0o777 if content_of(base, path) is not None else 0o644
            sandbox.write(path, content, mode=mode)


def _verdict(instance: Instance, run: ScriptRun, eval_type: str, left: list[str]) -> Verdict:
    notes = f"; not carried over: {', '.join(left[:5])}{' ...' if len(left) > 5 else ''}" if left else ""
    if run.end is End.LOST:
        return Verdict.of(
            Status.INFRASTRUCTURE, "the sandbox failed while the tests ran", seconds=run.seconds
        )
    if run.end is not End.EXITED:
        return Verdict.of(Status.OVER_LIMIT, f"the tests were killed: {run.end}{notes}", seconds=run.seconds)
    if run.doubts:
        return Verdict.of(Status.FAILED, f"{'; '.join(run.doubts)}{notes}", seconds=run.seconds)
    checks = tuple(
        _check(test, run.outcomes, eval_type, turns=turns)
        for tests, turns in ((instance.fail_to_pass, True), (instance.pass_to_pass, False))
        for test in tests
    )
    failed = [check.name for check in checks if not check.passed]
    if not checks or failed:
        what = (
            f"{len(failed)} of {len(checks)} tests did not pass, such as {failed[0]}"
            if failed
            else "no tests"
        )
        return Verdict.of(Status.FAILED, f"{what}{notes}", checks=checks, seconds=run.seconds)
    return Verdict.of(
        Status.PASSED, f"{len(checks)} tests passed, by the log{notes}", checks=checks, seconds=run.seconds
    )


def _check(test: str, outcomes: Mapping[str, str], eval_type: str, *, turns: bool) -> Check:
    if eval_type == "fail_only":
        status = outcomes.get(test, "not named")
        return Check(test, status not in ("FAILED", "ERROR"), status)
    found = {outcomes[test]} if test in outcomes else set()
    if not found and test.count("[") > test.count("]"):
        # Some ids of public data sets are cut off within their parameters.
        found = {status for name, status in outcomes.items() if name.startswith(test)}
    status = ", ".join(sorted(found)) or "not run"
    # A test of the repository that is marked to fail is nothing that broke.
    passing = {"PASSED"} if turns else {"PASSED", "XFAIL"}
    return Check(test, bool(found) and found <= passing, status)


SUITES.add("script", ScriptSuite)
