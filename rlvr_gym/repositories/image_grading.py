"""The trusted harness in an image: grading as for repositories whose files are at hand, with the image's Python and pytest."""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rlvr_gym.errors import TaskError
from rlvr_gym.repositories.checkouts import cache_folder
from rlvr_gym.repositories.grading import grade
from rlvr_gym.repositories.patches import make_patch
from rlvr_gym.repositories.pytest_settings import trusted_settings
from rlvr_gym.repositories.suites.pytest import PytestSuite
from rlvr_gym.repositories.test_runs import SETTINGS, TestRun, pytest_arguments, run_harness, watched
from rlvr_gym.runtimes.base import Limits, Runtime, SandboxLostError, Spec
from rlvr_gym.types import DECIDED, Status, Verdict

if TYPE_CHECKING:
    from rlvr_gym.repositories.instances import Instance
    from rlvr_gym.repositories.suites.base import Terms

_ID = re.compile(r"[^:\s]+\.py::\S.*")
_PROBE = "import sys, pytest; sys.exit(sys.version_info < (3, 7))"
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass(frozen=True, slots=True)
class ImageTests:
    """Tests of a repository in an image, as the harness runs them."""

    spec: Spec
    """Its sandbox, with the files that the agent was given."""
    python: str
    """The image's Python that has pytest."""
    base: Mapping[str, bytes]
    """Those files that belong to the repository."""
    tests: Mapping[str, bytes | None]
    """Trusted files that the tests add, change or delete."""
    roots: tuple[str, ...]
    """Folders that go on ``sys.path`` before what the image has installed."""

    def unfit(self, instance: Instance) -> str:
        """Return why the harness cannot tell about the tests of an instance, nothing when it can."""
        if not self.python:
            return "it is not known which Python of the image has pytest"
        there = {path for path, content in {**self.base, **self.tests}.items() if content is not None}
        for name in (*instance.fail_to_pass, *instance.pass_to_pass):
            # Many data sets cut ids off at a blank.
            whole = _ID.fullmatch(name) and ("[" not in name) == ("]" not in name)
            if not whole or name.partition("::")[0] not in there:
                return f"'{name}' is not the id of a test of pytest"
        return ""

    def verdict(self, instance: Instance, patch: str, terms: Terms) -> Verdict:
        """Return the verdict on an untrusted patch.

        Raises:
            TaskError: pytest does not start, or the tests do not fit.
            UnavailableError: this machine cannot isolate.
        """
        before = {path: self.base[path] for path in self.tests if path in self.base}
        after = {path: content for path, content in self.tests.items() if content is not None}
        suite = PytestSuite(repository=self.spec.workspace or cache_folder("none"), source_roots=(".", "src"))
        tested = replace(instance, test_patch=make_patch(before, after))
        return grade(suite, tested, patch, terms, base=self.base, run_tests=self._run)

    def _run(
        self,
        _: PytestSuite,
        files: Mapping[str, bytes | None],
        selection: Sequence[str],
        *,
        runtime: Runtime,
        limits: Limits,
        trusted: Mapping[str, bytes],
    ) -> TestRun:
        """Run tests, as `run_tests` does for repositories whose files are at hand."""
        written = {path: content for path, content in files.items() if content is not None} | dict(trusted)
        deleted = sorted(path for path in files if path in self.base and path not in written)
        job: dict[str, Any] = {
            "deleted": deleted,
            **watched((self.base.keys() - set(deleted)) | written.keys(), trusted),
            "environment": "",
            "env": {},
            "roots": list(self.roots),
            # An image may have its packages installed, from wherever.
            "modules": [],
            "selection": list(selection),
            "args": pytest_arguments(selection),
        }
        contents = {**written, SETTINGS: trusted_settings(self.base).encode()}
        folder = posixpath.dirname(self.python)
        env = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "PATH": f"{folder}:{_PATH}".lstrip(":")}
        spec = replace(self.spec, env=env)
        return run_harness(spec, (self.python, "-s", "-B"), job, contents, runtime=runtime, limits=limits)


def verdict_where_it_fits(tests: ImageTests, instance: Instance, patch: str, terms: Terms) -> Verdict | None:
    """Return the harness's verdict on an untrusted patch, None where it does not pass the reference patch.

    An image may need what the harness does not give: options, an old Python, tests that are marked to fail. Whether it
    does is found out once for each instance, and kept on disk.
    """
    if not instance.patch.strip() or tests.unfit(instance):
        return None
    note = cache_folder("harness") / _key(tests, instance)
    if note.exists():
        return tests.verdict(instance, patch, terms) if note.read_text() == "fits" else None
    try:
        found = tests.verdict(instance, instance.patch, terms) if _starts(tests, terms) else None
    except TaskError:
        found = None
    except SandboxLostError as error:
        return Verdict.of(Status.INFRASTRUCTURE, str(error))
    if found is not None and found.status not in DECIDED:
        return found
    fits = found is not None and found.passed
    # A limit is one of today's: of these settings, and of a machine that may be busy.
    if found is None or found.status is not Status.OVER_LIMIT:
        note.write_text("fits" if fits else "does not fit")
    if not fits:
        return None
    return found if patch == instance.patch else tests.verdict(instance, patch, terms)


def _key(tests: ImageTests, instance: Instance) -> str:
    how = [1, tests.python, tests.roots, str(tests.spec.workspace), tests.spec.image, tests.spec.opened]
    what = [instance.id, instance.patch, instance.test_patch, instance.fail_to_pass, instance.pass_to_pass]
    return hashlib.sha256(json.dumps([how, what]).encode()).hexdigest()[:32]


def _starts(tests: ImageTests, terms: Terms) -> bool:
    """Return whether the image has that Python with pytest, and it is one that the harness can be run with."""
    with terms.runtime.start(replace(tests.spec, limits=terms.limits)) as sandbox:
        return sandbox.exec([tests.python, "-s", "-B", "-c", _PROBE], cwd="/").code == 0
