"""Tests that a script runs in a repository of an image, and whose log is read: how most public data sets are graded.

Weaker than the suite ``pytest``: the code under test writes to the log that decides, so a patch made for it can claim
success. What cannot be kept from it is made harder, and seen where it can be: `rlvr_gym.repositories.scripts`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rlvr_gym.repositories.image_checkouts import content_of, image_checkout, pristine, tracked
from rlvr_gym.repositories.log_parsers import log_parser
from rlvr_gym.repositories.patches import PatchError, apply_patch
from rlvr_gym.repositories.protected import is_protected
from rlvr_gym.repositories.scripts import ScriptRun, run_script
from rlvr_gym.repositories.suites.base import SUITES, Terms, Workspace
from rlvr_gym.runtimes.base import End, Limits, Runtime, Sandbox, SandboxLostError, Spec, UnavailableError
from rlvr_gym.runtimes.docker import DockerRuntime
from rlvr_gym.types import Check, Status, Verdict

if TYPE_CHECKING:
    from rlvr_gym.repositories.instances import Instance

_WORKSPACE = "/workspace"
_PASSED = ("PASSED", "XFAIL")


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

    def workspace(self, instance: Instance, limits: Limits) -> Workspace:
        """Return what an agent's sandbox starts with, from the engine of DOCKER_HOST or the usual one.

        Raises:
            TaskError: the image has no such repository.
            UnavailableError: the image is not in the engine, or there is no engine.
        """
        source = pristine(DockerRuntime(), self.image, self.workdir)
        base = image_checkout(source, self.setup_patch, self.removed)

        def files() -> Mapping[str, bytes]:
            found = ((path, content_of(base, path)) for path in tracked(source))
            return {path: content for path, content in found if content is not None}

        return Workspace(self._spec(base, limits, self.covered), files)

    def _spec(self, base: Path, limits: Limits, hidden: tuple[str, ...]) -> Spec:
        links = {} if self.workdir == _WORKSPACE else {self.workdir: _WORKSPACE}
        return Spec(limits=limits, workspace=base, image=self.image, links=links, hidden=hidden)

    def grade(self, instance: Instance, patch: str, terms: Terms) -> Verdict:
        """Return the verdict on an untrusted patch, from a fresh container that no agent has touched.

        Raises:
            TaskError: the image has no such repository, or the tests of the instance do not fit it.
            UnavailableError: another runtime than ``docker``, or the image is not in the engine.
            UnknownNameError: there is no such log parser.
        """
        parser = log_parser(self.log_parser)
        source = pristine(_docker(terms.runtime, self.image), self.image, self.workdir)
        base = image_checkout(source, self.setup_patch, self.removed)
        try:
            changed = apply_patch(patch, lambda path: content_of(base, path)) if patch.strip() else {}
        except PatchError as error:
            return Verdict.of(Status.MALFORMED, f"the patch does not apply: {error}")
        tests = self._tests(instance, source, base)
        left = sorted(path for path in changed if is_protected(path) or path in tests)
        kept = {path: content for path, content in changed.items() if path not in left}
        try:
            with terms.runtime.start(self._spec(base, terms.limits, ())) as sandbox:
                _put(sandbox, base, {**kept, **tests})
                run = run_script(sandbox, self.script, parser, wall_s=terms.limits.wall_s, env={})
        except SandboxLostError as error:
            return Verdict.of(Status.INFRASTRUCTURE, str(error))
        return _verdict(instance, run, self.eval_type, left)

    def _tests(self, instance: Instance, source: Path, base: Path) -> dict[str, bytes | None]:
        """Return the trusted files: what the agent was not given, and the tests, unless the script brings them."""
        found: dict[str, bytes | None] = {}
        patched: dict[str, bytes | None] = {}
        if instance.test_patch.strip():
            patched = apply_patch(instance.test_patch, lambda path: content_of(base, path))
        for name in self.removed:
            if not any(path == name or path.startswith(f"{name}/") for path in patched):
                found |= dict(_below(source, name))
        if _applies_patches(self.script):
            # It restores and changes these itself, from what lies there.
            patched = {path: content_of(base, path) for path in patched}
        return {**found, **patched}


def _applies_patches(script: str) -> bool:
    return "git apply" in script


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
        _check(test, run.outcomes, eval_type) for test in (*instance.fail_to_pass, *instance.pass_to_pass)
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


def _check(test: str, outcomes: Mapping[str, str], eval_type: str) -> Check:
    if eval_type == "fail_only":
        status = outcomes.get(test, "not named")
        return Check(test, status not in ("FAILED", "ERROR"), status)
    found = {outcomes[test]} if test in outcomes else set()
    if not found and test.count("[") > test.count("]"):
        # Some ids of public data sets are cut off within their parameters.
        found = {status for name, status in outcomes.items() if name.startswith(test)}
    status = ", ".join(sorted(found)) or "not run"
    return Check(test, bool(found) and found <= set(_PASSED), status)


SUITES.add("script", ScriptSuite)
