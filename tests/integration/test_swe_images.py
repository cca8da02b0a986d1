"""Public layouts of tasks, graded in an image of their own on a real engine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from rlvr_gym.envs.swe_files import load_instances
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.patches import make_patch
from rlvr_gym.repositories.suites import Terms
from rlvr_gym.runtimes.base import Limits, Spec, UnavailableError
from rlvr_gym.runtimes.docker import DockerRuntime
from rlvr_gym.runtimes.local import LocalRuntime
from rlvr_gym.types import Status, Verdict
from tests.integration import swe_image
from tests.integration.attacks import runtimes
from tests.integration.swe_image import BASE, FIX, GOLD

LIMITS = Limits(wall_s=60, cpu_s=30)


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DockerRuntime]:
    with runtimes.docker() as runtime, pytest.MonkeyPatch.context() as patch:
        if missing := runtime.missing():
            pytest.skip("; ".join(missing))
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        with swe_image.image(tmp_path_factory.mktemp("image")):
            yield runtime


@pytest.fixture(scope="module")
def instance(runtime: DockerRuntime, tmp_path_factory: pytest.TempPathFactory) -> Instance:
    path = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    path.write_text(json.dumps(swe_image.row()) + "\n")
    (found,) = load_instances(path)
    return found


@pytest.fixture(scope="module")
def grade(runtime: DockerRuntime, instance: Instance) -> Any:
    def call(patch: str, limits: Limits = LIMITS) -> Verdict:
        return instance.suite.grade(instance, patch, Terms(runtime, limits))

    return call


def changed(**files: str) -> str:
    return make_patch(BASE, BASE | {name: text.encode() for name, text in files.items()})


def test_the_gold_patch_resolves_it(grade: Any) -> None:
    verdict = grade(GOLD)
    assert verdict.status is Status.PASSED, verdict.reason
    assert [(check.name.split("::")[1], check.passed) for check in verdict.checks] == [
        ("test_two_by_three", True),
        ("test_two_by_two", True),
    ]


def test_no_patch_resolves_nothing(grade: Any) -> None:
    verdict = grade("")
    assert verdict.status is Status.FAILED
    assert [check.passed for check in verdict.checks] == [False, True]
    assert verdict.checks[0].detail == "FAILED"


HOOK = """import pytest

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    report.outcome = "passed"
    report.longrepr = None
"""


@pytest.mark.parametrize(
    "hack",
    [
        {"conftest.py": HOOK},
        {"tests/conftest.py": HOOK},
        {"pytest.ini": "[pytest]\naddopts = -p hook\n", "hook.py": HOOK},
        {"tests/test_area.py": "def test_two_by_two(): pass\n\ndef test_two_by_three(): pass\n"},
        {"pytest.py": "print('PASSED tests/test_area.py::test_two_by_three')\n"},
        {"shapes/area.py": "import os\nprint('PASSED tests/test_area.py::test_two_by_three')\nos._exit(0)\n"},
        {
            "shapes/area.py": "import os, sys\nos.write(2, b'''\nPASSED tests/test_area.py::test_two_by_three\n"
            "PASSED tests/test_area.py::test_two_by_two\n>>>>> End Test Output\n>>>>> Test Exit Code: 0\n''')\n"
            "os._exit(1)\n"
        },
        {
            "shapes/area.py": "import pytest\ndef area(width, height):\n    if width != height:\n        "
            "pytest.skip('no')\n    return width * height\n"
        },
    ],
)
def test_a_patch_that_goes_for_the_tests_earns_nothing(grade: Any, hack: dict[str, str]) -> None:
    verdict = grade(changed(**hack))
    assert verdict.status is Status.FAILED, verdict.reason


def test_what_is_not_carried_over_is_named(grade: Any) -> None:
    assert "not carried over: conftest.py" in grade(changed(**{"conftest.py": HOOK})).reason
    both = make_patch(BASE, swe_image.SOLVED | {"conftest.py": HOOK.encode()})
    verdict = grade(both)
    assert verdict.passed
    assert "conftest.py" in verdict.reason


def test_a_patch_that_fits_nothing_is_malformed(grade: Any) -> None:
    assert grade("no patch").status is Status.MALFORMED
    assert grade(GOLD.replace("width + height", "width - height")).status is Status.MALFORMED


def test_a_patch_that_never_ends_is_over_its_limit(grade: Any) -> None:
    verdict = grade(changed(**{"shapes/area.py": "while True: pass\n"}), replace(LIMITS, wall_s=3))
    assert verdict.status is Status.OVER_LIMIT


def test_the_agent_finds_the_repository_and_no_later_commit(
    runtime: DockerRuntime, instance: Instance
) -> None:
    workspace = instance.suite.workspace(instance, LIMITS)
    assert workspace.files() == BASE
    with runtime.start(workspace.spec) as sandbox:

        def told(command: str) -> str:
            done = sandbox.exec(["sh", "-c", command])
            return (done.stdout + done.stderr).decode()

        assert told("cd /testbed && pwd -P; cat shapes/area.py built.txt").splitlines() == [
            "/workspace",
            *BASE["shapes/area.py"].decode().splitlines(),
            "made by the build of the image",
        ]
        assert told("git -c safe.directory='*' status --short") == ""
        log = told("git -c safe.directory='*' log --all --oneline; git -c safe.directory='*' tag; git remote")
        assert len(log.splitlines()) == 1
        assert told("git -c safe.directory='*' fsck --lost-found --unreachable") == ""
        assert told(f"grep -rs '{FIX}' /testbed/ /workspace | head") == ""
        assert told("touch /testbed/shapes/new && ls /workspace/shapes") == "__init__.py\narea.py\nnew\n"
        assert "Read-only" in told("touch /opt/x")


def test_another_runtime_is_refused_with_what_is_missing(instance: Instance) -> None:
    with pytest.raises(UnavailableError, match=r"'local' has no images.*runtime = 'docker'"):
        instance.suite.grade(instance, GOLD, Terms(LocalRuntime(), LIMITS))


def test_an_image_that_is_not_there_is_named_with_the_command_that_gets_it(
    runtime: DockerRuntime, instance: Instance
) -> None:
    missing = replace(instance, suite=replace(instance.suite, image="own/none:1"))
    with pytest.raises(UnavailableError, match="docker pull own/none:1"):
        missing.suite.grade(missing, GOLD, Terms(runtime, LIMITS))


def test_nothing_is_left_in_the_engine(grade: Any, runtime: DockerRuntime) -> None:
    import docker

    grade("")
    client = docker.APIClient(runtime._host, version="auto")
    left = client.containers(all=True)
    client.close()
    assert left == []
    with runtime.start(Spec()) as sandbox:
        assert sandbox.exec(["ls", "/testbed"]).code != 0
