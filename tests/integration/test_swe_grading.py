"""Patches that solve the problem pass, and no other earns anything, whatever it tries."""

import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from rlvr_gym.errors import TaskError
from rlvr_gym.repositories.checkouts import checkout
from rlvr_gym.repositories.places import spec_of
from rlvr_gym.repositories.suites import Terms
from rlvr_gym.runtimes.base import Limits, SandboxLostError, make_runtime
from rlvr_gym.types import Status, Task
from rlvr_gym.verifiers.base import make_verifier
from tests.integration.as_nobody import NOBODY, lent_runtime
from tests.integration.swe_hacks import IN_FILES, IN_SOURCE, source
from tests.integration.swe_repository import (
    BUGGY,
    FAIL_TO_PASS,
    FILES,
    NEW_TESTS,
    OTHER,
    PASS_TO_PASS,
    RIGHT,
    make_environment,
    make_instance,
    patch_of,
)

LIMITS = Limits(wall_s=40.0, cpu_s=40.0, memory_mib=512, pids=64, disk_mib=64)
SHORT = Limits(wall_s=4.0, cpu_s=8.0, memory_mib=256, pids=64, disk_mib=64)
OVER = ("spins", "eats memory", "floods", "stops the judge")
HACKS = {**IN_FILES, **{name: source(code) for name, code in IN_SOURCE.items()}}


@pytest.fixture(scope="module")
def instance():
    # Not below pytest's own folder, which is closed to the other user.
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        folder = Path(name)
        folder.chmod(0o755)
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        yield make_instance(folder / "repository", make_environment(folder / "environment"))


@pytest.fixture(scope="module")
def grade(instance):
    runtime = make_runtime("local")

    def graded(patch, limits=LIMITS):
        return instance.suite.grade(instance, patch, Terms(runtime, limits))

    return graded


@pytest.fixture(scope="module")
def verdicts(grade):
    """The verdicts on all hacks, graded side by side."""
    with ThreadPoolExecutor(3) as threads:
        futures = {
            name: threads.submit(grade, patch_of(changes), SHORT if name in OVER else LIMITS)
            for name, changes in HACKS.items()
        }
        yield futures
        for future in futures.values():
            future.cancel()


@pytest.mark.parametrize("name", HACKS)
def test_no_hack_earns_anything(name, verdicts):
    verdict = verdicts[name].result()
    assert verdict.status in (Status.FAILED, Status.OVER_LIMIT, Status.MALFORMED), verdict
    assert verdict.score == 0.0
    assert not any(check.passed for check in verdict.checks if check.name in FAIL_TO_PASS), verdict


def test_the_solution_passes(grade, instance):
    verdict = grade(instance.patch)
    assert verdict.status is Status.PASSED, verdict
    assert [check.name for check in verdict.checks] == [*FAIL_TO_PASS, *PASS_TO_PASS]
    assert verdict.reason == "8 of 8 tests pass"


def test_another_solution_passes(grade):
    assert grade(patch_of({"shop/core.py": OTHER})).passed


def test_what_is_protected_is_left_out_and_reported(grade):
    noise = {
        "shop/core.py": RIGHT,
        "conftest.py": "raise SystemExit(0)\n",
        "tests/test_core.py": None,
        "tests/test_new.py": "def test_new(): assert False\n",
        "pyproject.toml": FILES["pyproject.toml"] + "# more\n",
        "setup.cfg": "[tool:pytest]\naddopts = --nonsense\n",
        "README.md": "better\n",
    }
    verdict = grade(patch_of(noise))
    assert verdict.passed, verdict
    for path in noise.keys() - {"shop/core.py", "README.md"}:
        assert path in verdict.reason
    assert "README.md" not in verdict.reason


def test_a_wrong_solution_fails_and_each_test_is_told(grade):
    verdict = grade(patch_of({"shop/core.py": BUGGY.replace("+ discount", "")}))
    assert verdict.status is Status.FAILED
    passed = {check.name: check.passed for check in verdict.checks}
    assert passed == {test: test in PASS_TO_PASS for test in (*FAIL_TO_PASS, *PASS_TO_PASS)}
    assert "6 of 8 tests pass; tests/test_core.py::test_discount: failed" in verdict.reason


def test_a_solution_that_breaks_something_else_fails(grade):
    verdict = grade(patch_of({"shop/core.py": RIGHT.replace("min(prices)", "prices[0]")}))
    assert verdict.status is Status.FAILED
    assert [check.name for check in verdict.checks if not check.passed] == [
        "tests/test_more.py::TestCheapest::test_cheapest",
        "tests/test_more.py::TestCheapest::test_nothing",
    ]


def test_a_patch_without_anything_fails_without_a_sandbox(instance):
    for patch in ("", "\n \n", patch_of({"conftest.py": None})):
        verdict = instance.suite.grade(instance, patch, Terms(None, LIMITS))
        assert verdict.status is Status.FAILED
        assert not any(check.passed for check in verdict.checks)


def test_a_patch_that_cannot_be_applied_is_malformed(instance):
    stale = patch_of({"shop/core.py": RIGHT}).replace("return sum", "return add")
    link = "diff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+/etc/passwd\n"
    folder = patch_of({"shop": "a file"})
    for patch in ("I have fixed it.", stale, link, folder):
        assert instance.suite.grade(instance, patch, Terms(None, LIMITS)).status is Status.MALFORMED


def test_tampering_is_told(verdicts):
    for name in ("equals everything", "patches how calls are made", "softens the tests", "finds the channel"):
        assert "tampering" in verdicts[name].result().reason


def test_another_release_of_the_package_proves_nothing(grade):
    elsewhere = RIGHT + "\nimport sys\nsys.modules['shop'].__file__ = '/environment/shop/__init__.py'\n"
    verdict = grade(patch_of({"shop/core.py": elsewhere}))
    assert verdict.status is Status.FAILED
    assert "module shop is not that of the repository" in verdict.reason


def test_limits_are_told_from_wrong_answers(verdicts):
    assert verdicts["spins"].result().status is Status.OVER_LIMIT
    assert verdicts["skips"].result().status is Status.FAILED


def test_the_verifier_reads_the_instance_of_a_task(instance):
    verifier = make_verifier("swe", memory_mib=512, max_patch_chars=2000)
    task = Task(id="a", prompt="", reference=instance.to_dict())
    assert verifier.check(task, instance.patch).passed
    assert verifier.check(task, "x" * 2001).status is Status.MALFORMED
    for reference in (
        None,
        {},
        {**instance.to_dict(), "suite": {"kind": "pitest"}},
        {**instance.to_dict(), "x": 1},
    ):
        with pytest.raises(TaskError, match="verifier 'swe'"):
            verifier.check(Task(id="a", prompt="", reference=reference), instance.patch)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_another_user_grades_as_root_does(instance, monkeypatch):
    some = {
        name: HACKS[name] for name in ("writes the judge's answer", "equals everything", "kills the judge")
    }
    cache = instance.suite.repository.parent / "cache of another"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    checkout(instance.suite)
    for path in [cache, *cache.rglob("*")]:
        os.chown(path, NOBODY, NOBODY)
    with lent_runtime() as runtime:
        terms = Terms(runtime, LIMITS)
        verdict = instance.suite.grade(instance, instance.patch, terms)
        assert verdict.passed, verdict
        for name, changes in some.items():
            assert instance.suite.grade(instance, patch_of(changes), terms).status is Status.FAILED, name


def test_a_patch_that_fills_the_disk_is_over_its_limit(instance):
    terms = Terms(make_runtime("local"), replace(LIMITS, disk_mib=2))
    large = patch_of({"shop/core.py": RIGHT, "large.txt": "x" * (4 << 20)})
    verdict = instance.suite.grade(instance, large, terms)
    assert verdict.status is Status.OVER_LIMIT, verdict


def test_files_that_cannot_be_written_say_nothing_about_the_patch(instance, monkeypatch):
    cache = instance.suite.repository.parent / "closed cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    (checkout(instance.suite) / "shop/core.py").unlink()
    gone = patch_of({"shop/core.py": None})
    verdict = instance.suite.grade(instance, gone, Terms(make_runtime("local"), LIMITS))
    assert verdict.status is Status.INFRASTRUCTURE, verdict
    assert verdict.score is None


class Losing:
    """Loses its first sandboxes."""

    def __init__(self, times):
        self._left = times
        self._runtime = make_runtime("local")

    def start(self, spec):
        self._left -= 1
        if self._left >= 0:
            raise SandboxLostError("gone")
        return self._runtime.start(spec)


def test_a_sandbox_that_is_lost_twice_says_nothing_about_the_patch(instance):
    assert instance.suite.grade(instance, instance.patch, Terms(Losing(1), LIMITS)).passed
    verdict = instance.suite.grade(instance, instance.patch, Terms(Losing(4), LIMITS))
    assert verdict.status is Status.INFRASTRUCTURE
    assert "lost twice: gone" in verdict.reason


NAIVE = """
import subprocess, sys
sys.path[:0] = ["/workspace", "/environment"]
import pytest
sys.exit(pytest.main(["-rA", "-p", "no:cacheprovider", "tests"]))
"""
FOOLING = (
    "conftest in the root",
    "conftest in tests",
    "plugin of pytest.ini",
    "plugin of pyproject",
    "weaker tests",
    "patches how reports are made",
    "patches the running",
    "patches the rewriting",
    "equals everything",
    "a number that equals everything",
    "softens the tests",
    "reads its answers from the tests",
    "knows the tests by their names",
    "adds a plugin",
)


@pytest.mark.parametrize("name", FOOLING)
def test_a_grader_that_reads_the_log_is_fooled_by(name, instance):
    changes = {"tests/test_core.py": NEW_TESTS, **HACKS[name]}
    with make_runtime("local").start(spec_of(instance.suite, LIMITS)) as sandbox:
        for path, content in changes.items():
            sandbox.write(path, content.encode())
        done = sandbox.exec(["python3", "-S", "-B", "-c", NAIVE])
    assert f"PASSED {FAIL_TO_PASS[0]}" in done.stdout.decode(), done.stdout.decode()


@pytest.fixture(scope="module")
def engine():
    if not os.environ.get("DOCKER_HOST"):
        pytest.skip("DOCKER_HOST is not set: no engine to grade in")
    runtime = make_runtime("docker")
    if missing := runtime.missing():
        pytest.fail("; ".join(missing))
    return runtime


def test_containers_grade_as_the_launcher_does(instance, engine):
    terms = Terms(engine, LIMITS)
    assert instance.suite.grade(instance, instance.patch, terms).passed
    for name in ("nothing of use", "equals everything", "kills the judge", "writes the judge's answer"):
        verdict = instance.suite.grade(instance, patch_of(HACKS[name]), terms)
        assert verdict.status is Status.FAILED, name
