"""Public layouts of tasks, graded in an image of their own on a real engine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from rlvr_gym.envs.swe_files import load_instances
from rlvr_gym.envs.swe_files.commands import marked
from rlvr_gym.errors import TaskError
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.patch_reversal import reversed_patch
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
    def call(patch: str, limits: Limits = LIMITS, **changes: str) -> Verdict:
        suite = replace(instance.suite, **changes)
        return suite.grade(instance, patch, Terms(runtime, limits))

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


NOT_CARRIED_OVER = {
    "conftest.py": HOOK,
    "hook.py": HOOK,
    "pytest.ini": "[pytest]\naddopts = -p hook\n",
    "pytest.py": "print('PASSED tests/test_area.py::test_two_by_three')\n",
    "tests/conftest.py": HOOK,
    "tests/test_area.py": "def test_two_by_two(): pass\n\ndef test_two_by_three(): pass\n",
}
CLAIMED = "PASSED tests/test_area.py::test_two_by_three\nPASSED tests/test_area.py::test_two_by_two\n"


@pytest.mark.parametrize(
    "hack",
    [
        NOT_CARRIED_OVER,
        {"shapes/area.py": f"import os\nprint({CLAIMED!r}, flush=True)\nos._exit(0)\n"},
        {
            "shapes/area.py": f"import os\nos.write(2, b{CLAIMED!r} + b'>>>>> End Test Output\\n>>>>> Test Exit Code: 0\\n')"
            "\nos._exit(1)\n"
        },
        {
            "shapes/area.py": "import pytest\ndef area(width, height):\n    if width != height:\n        "
            "pytest.skip('no')\n    return width * height\n"
        },
    ],
    ids=["settings", "exit", "marks", "skip"],
)
def test_a_patch_that_goes_for_the_tests_earns_nothing(grade: Any, hack: dict[str, str]) -> None:
    verdict = grade(changed(**hack))
    assert verdict.status is Status.FAILED, verdict.reason


FORGED = """import _pytest.reports

made = _pytest.reports.TestReport.from_item_and_call


def passed(item, call):
    report = made(item, call)
    report.outcome, report.longrepr = "passed", None
    return report


_pytest.reports.TestReport.from_item_and_call = passed


def area(width, height):
    return width + height
"""


def test_the_harness_decides_where_it_passes_the_reference_patch(grade: Any) -> None:
    verdict = grade(GOLD, python="python3")
    assert verdict.passed, verdict.reason
    assert "by the log" not in verdict.reason
    assert "by the log" in grade(GOLD, python="no-such-python").reason
    with pytest.raises(TaskError, match="not known which Python"):
        grade(GOLD, grading="harness")


def test_a_report_that_the_source_forges_convinces_the_log_and_not_the_harness(grade: Any) -> None:
    hack = changed(**{"shapes/area.py": FORGED})
    # What the documentation says of logs; a change here is one of it.
    assert grade(hack, grading="log").passed
    verdict = grade(hack, python="python3")
    assert verdict.status is Status.FAILED
    assert "tampering" in verdict.reason


def test_what_is_not_carried_over_is_named_and_does_not_spoil_the_rest(grade: Any) -> None:
    hooks = {name: text.encode() for name, text in NOT_CARRIED_OVER.items()}
    verdict = grade(make_patch(BASE, swe_image.SOLVED | hooks))
    assert verdict.passed
    assert "not carried over: conftest.py, pytest.ini, pytest.py, tests/conftest.py" in verdict.reason


def test_a_patch_that_fits_nothing_is_malformed(grade: Any) -> None:
    assert grade("no patch").status is Status.MALFORMED
    assert grade(GOLD.replace("width + height", "width - height")).status is Status.MALFORMED


@pytest.mark.parametrize("path", ["shapes", f"shapes/{'x' * 300}.py", "shapes/area.py/more.py"])
def test_a_file_that_cannot_be_is_the_patchs_fault(grade: Any, path: str) -> None:
    verdict = grade(make_patch({}, {path: b"x\n"}))
    assert verdict.status is Status.MALFORMED, verdict.reason


def test_a_patch_that_never_ends_is_over_its_limit(grade: Any) -> None:
    verdict = grade(changed(**{"shapes/area.py": "while True: pass\n"}), replace(LIMITS, wall_s=2))
    assert verdict.status is Status.OVER_LIMIT


def test_the_agent_finds_the_repository_and_no_later_commit(
    runtime: DockerRuntime, instance: Instance
) -> None:
    workspace = instance.suite.workspace(instance, LIMITS)
    assert workspace.files() == BASE | {"built.txt": b"made by the build of the image\n"}
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
        assert "Read-only" in told("touch /etc/x")


def test_a_seeded_bug_is_there_from_the_start_and_its_tests_are_not(
    runtime: DockerRuntime, instance: Instance
) -> None:
    bug = changed(**{"shapes/area.py": "def area(width, height):\n    return width - height\n"})
    suite = replace(
        instance.suite,
        setup_patch=bug,
        removed=("tests/test_area.py",),
        script=marked(["python3 -m pytest -rA tests/test_area.py"], workdir="/testbed", conda=False),
    )
    seeded = replace(
        instance,
        suite=suite,
        patch=reversed_patch(bug),
        test_patch="",
        fail_to_pass=instance.pass_to_pass,
        pass_to_pass=(),
    )
    given = suite.workspace(seeded, LIMITS).files()
    assert b"width - height" in given["shapes/area.py"]
    assert "tests/test_area.py" not in given
    terms = Terms(runtime, LIMITS)
    tests_of_its_own = make_patch({}, {"tests/test_area.py": b"def test_two_by_two(): pass\n"})
    assert suite.grade(seeded, tests_of_its_own, terms).status is Status.FAILED
    assert suite.grade(seeded, seeded.patch + tests_of_its_own, terms).passed


def test_a_folder_of_root_is_opened_where_an_image_keeps_its_tools_there(runtime: DockerRuntime) -> None:
    for opened, code in (((), 2), (("/root",), 0)):
        with runtime.start(Spec(opened=opened)) as sandbox:
            assert sandbox.exec(["ls", "/root"]).code == code
            assert sandbox.exec(["touch", "/root/x"]).code == 1
    with pytest.raises(ValueError, match=r"Spec\.opened"):
        Spec(opened=("/root/..",))


def test_another_runtime_is_refused_with_what_is_missing(instance: Instance) -> None:
    with pytest.raises(UnavailableError, match=r"'local' has no images.*runtime = 'docker'"):
        instance.suite.grade(instance, GOLD, Terms(LocalRuntime(), LIMITS))


def test_an_image_that_is_not_there_is_named_with_the_command_that_gets_it(
    runtime: DockerRuntime, instance: Instance
) -> None:
    missing = replace(instance, suite=replace(instance.suite, image="own/none:1"))
    with pytest.raises(UnavailableError, match="docker pull own/none:1"):
        missing.suite.grade(missing, GOLD, Terms(runtime, LIMITS))


def test_nothing_is_left_in_the_engine(runtime: DockerRuntime) -> None:
    import docker

    client = docker.APIClient(runtime._host, version="auto")
    left = client.containers(all=True)
    client.close()
    assert [each for each in left if each["Image"] == swe_image.NAME] == []
