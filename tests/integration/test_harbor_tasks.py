"""Harbor tasks that run without a container engine, and hostile ones that do not get out."""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rlvr_gym.envs.swe_files import load_instances
from rlvr_gym.errors import TaskError, UsageError
from rlvr_gym.repositories.harbor.build import prepare
from rlvr_gym.repositories.harbor.errors import HarborError, UnsupportedError
from rlvr_gym.repositories.harbor.exporting import export
from rlvr_gym.repositories.harbor.folder import read_folder
from rlvr_gym.repositories.harbor.loading import find_folders, read_task
from rlvr_gym.repositories.harbor.validating import validate
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.patches import make_patch
from rlvr_gym.repositories.suites.base import Terms, suite_from_dict, suite_to_dict
from rlvr_gym.repositories.suites.harbor import HarborSuite
from rlvr_gym.repositories.suites.pytest import PytestSuite
from rlvr_gym.runtimes.base import Limits
from rlvr_gym.runtimes.local import LocalRuntime
from rlvr_gym.types import Status, Verdict
from tests.harbor_folders import DOCKERFILE, FILES, TEST_SH, TOML, write_files, write_task
from tests.integration.as_nobody import NOBODY
from tests.integration.attacks.runtimes import OPENERS

LIMITS = Limits(wall_s=60, cpu_s=60, memory_mib=512, pids=64, disk_mib=64, inodes=2000)
ADDER = FILES["environment/src/adder.py"].encode()
GOLD = make_patch({"adder.py": ADDER}, {"adder.py": b"def add(a, b):\n    return a + b\n"})


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache that everybody may read, and that goes with the test."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        monkeypatch.setenv("XDG_CACHE_HOME", name)
        yield Path(name)


@pytest.fixture(scope="module", params=["local-root", "local-unprivileged"])
def runtime(request: pytest.FixtureRequest) -> Iterator[Any]:
    with OPENERS[request.param]() as opened:
        if missing := opened.missing():
            pytest.skip(f"{request.param}: {'; '.join(missing)}")
        yield opened


@pytest.fixture
def local() -> LocalRuntime:
    runtime = LocalRuntime()
    if missing := runtime.missing():
        pytest.skip("; ".join(missing))
    return runtime


def graded(folder: Path, patch: str, runtime: Any, **more: Any) -> Verdict:
    suite = HarborSuite(folder, **more)
    prepared = prepare(read_folder(folder))
    if os.geteuid() == 0 and not isinstance(runtime, LocalRuntime):
        # The unprivileged runtime runs as nobody, who may change only what is nobody's.
        for path in [prepared.start.workspace, *prepared.start.workspace.rglob("*")]:
            os.lchown(path, NOBODY, NOBODY)
    instance = Instance("x", "", suite, "", "", ("tests/test.sh",), ())
    return suite.grade(instance, patch, Terms(runtime, LIMITS))


def test_a_solution_earns_one_and_nothing_earns_nothing(tmp_path: Path, runtime: Any) -> None:
    folder = write_task(tmp_path)
    verdict = graded(folder, GOLD, runtime)
    assert (verdict.status, verdict.score) == (Status.PASSED, 1.0), verdict
    assert verdict.checks[0].name == "tests/test.sh"
    assert verdict.checks[0].passed
    assert graded(folder, "", runtime).status is Status.FAILED


def test_a_task_of_shell_alone(tmp_path: Path, runtime: Any) -> None:
    write_files(
        tmp_path,
        {
            "task.toml": "[environment]\nworkdir = '/srv/job'\n[environment.env]\nWHO = 'env'\n"
            "[verifier.env]\nWANTED = 'three lines'\n",
            "instruction.md": "x",
            "environment/Dockerfile": "FROM debian:12\nENV WHO=file\nCOPY in.txt /srv/job/in.txt\n",
            "environment/in.txt": "3\n1\n2\n",
            "tests/test.sh": 'test "$(pwd)" = /srv/job && test "$WHO:$WANTED" = "env:three lines" || exit 1\n'
            'test "$(cat out.txt)" = "$(sort /srv/job/in.txt)" && echo 1 > /logs/verifier/reward.txt\n',
        },
    )
    right = make_patch({}, {"out.txt": b"1\n2\n3\n"})
    assert graded(tmp_path, right, runtime).passed
    wrong = graded(tmp_path, make_patch({}, {"out.txt": b"3\n"}), runtime)
    assert wrong.status is Status.FAILED
    assert "wrote neither" in wrong.reason


def test_a_patch_deletes_adds_scripts_and_keeps_modes(tmp_path: Path, runtime: Any) -> None:
    write_task(
        tmp_path,
        tests_test_sh="#!/bin/sh\ntest ! -e adder.py && test -x new.sh && test -x old.sh && test ! -x data && "
        "test ! -e './-rf x' && echo 1 > /logs/verifier/reward.txt\n",
    )
    write_files(tmp_path, {"environment/src/old.sh": "echo 1\n", "environment/src/-rf x": "x"})
    patch = make_patch(
        {"adder.py": ADDER, "old.sh": b"echo 1\n", "-rf x": b"x"},
        {"old.sh": b"echo 2\n", "deep/new": b"x", "new.sh": b"#!/bin/sh\n", "data": b"x"},
    )
    verdict = graded(tmp_path, patch, runtime)
    assert verdict.passed, verdict


def test_partial_credit_is_a_failure_with_a_score(tmp_path: Path, runtime: Any) -> None:
    script = """#!/bin/sh\necho '{"reward": 0.5, "style": 1}' > /logs/verifier/reward.json; echo 1 > /logs/verifier/reward.txt\n"""
    verdict = graded(write_task(tmp_path, tests_test_sh=script), "", runtime)
    assert (verdict.status, verdict.score) == (Status.FAILED, 0.5)
    assert [(check.name, check.passed) for check in verdict.checks[1:]] == [
        ("reward", False),
        ("style", True),
    ]
    assert graded(tmp_path, "", runtime, reward_key="style").passed


@pytest.mark.parametrize(
    ("script", "status", "told"),
    [
        ("sleep 60", Status.OVER_LIMIT, "ended at its limit (timeout)"),
        ("echo 2 > /logs/verifier/reward.txt", Status.UNSUPPORTED, "a score lies in [0, 1]"),
        ("mkfifo /logs/verifier/reward.txt", Status.FAILED, "holds no number"),
        ("ln -s /etc/hostname /logs/verifier/reward.txt", Status.FAILED, "holds no number: 'sandbox'"),
        ("head -c 90000 /dev/zero > /logs/verifier/reward.json", Status.FAILED, "is not JSON"),
        ("(sleep 1; echo 1 > /logs/verifier/reward.txt) &", Status.FAILED, "wrote neither"),
        ("exit 3", Status.FAILED, "wrote neither"),
    ],
)
def test_a_broken_reward_has_a_typed_verdict(
    tmp_path: Path, local: LocalRuntime, script: str, status: Status, told: str
) -> None:
    toml = TOML.replace("timeout_sec = 60", "timeout_sec = 2")
    folder = write_task(tmp_path, tests_test_sh=f"#!/bin/sh\n{script}\n", task_toml=toml)
    verdict = graded(folder, "", local)
    assert verdict.status is status, verdict
    assert told in verdict.reason


def test_the_exit_code_of_the_tests_does_not_count_as_in_harbor(tmp_path: Path, local: LocalRuntime) -> None:
    script = "#!/bin/sh\necho 1 > /logs/verifier/reward.txt; exit 1\n"
    assert graded(write_task(tmp_path, tests_test_sh=script), "", local).passed


def test_a_reward_that_a_patch_plants_is_not_there(tmp_path: Path, runtime: Any) -> None:
    folder = write_task(tmp_path, tests_test_sh="#!/bin/sh\nls -R /logs\n")
    planted = dict.fromkeys(
        ("logs/verifier/reward.txt", "verifier/reward.txt", "tmp/logs/verifier/reward.txt"), b"1\n"
    )
    verdict = graded(folder, make_patch({}, planted), runtime)
    assert verdict.status is Status.FAILED
    assert "wrote neither" in verdict.reason
    assert "reward" not in verdict.checks[0].detail
    for outside in ("../logs/verifier/reward.txt", "/logs/verifier/reward.txt"):
        patch = f"--- /dev/null\n+++ b/{outside}\n@@ -0,0 +1 @@\n+1\n"
        assert graded(folder, patch, runtime).status is Status.MALFORMED


def test_tested_code_cannot_change_the_tests(tmp_path: Path, runtime: Any) -> None:
    script = TEST_SH.replace("if ", "python3 adder.py\nif ")
    folder = write_task(tmp_path, tests_test_sh=script)
    evil = b"""\
def add(a, b): return a - b
if __name__ == "__main__":
    import os
    for what in ("open('/tests/test.sh', 'w').write('echo 1 > /logs/verifier/reward.txt')", "os.unlink('/tests/test.sh')",
                 "os.rename('/tests', '/t')", "os.symlink('/tmp', '/tests/x')", "os.chmod('/tests/test.sh', 0)"):
        try:
            eval(what)
        except OSError as error:
            print("refused")
"""
    verdict = graded(folder, make_patch({"adder.py": ADDER}, {"adder.py": evil}), runtime)
    assert verdict.status is Status.FAILED
    assert verdict.checks[0].detail.count("refused") == 5, verdict


def test_neither_tests_nor_solution_are_in_the_agents_sandbox(tmp_path: Path, local: LocalRuntime) -> None:
    instance = read_task(write_task(tmp_path), runtime=local)
    workspace = instance.suite.workspace(instance, LIMITS)
    assert workspace.files() == {"adder.py": ADDER}
    with local.start(workspace.spec) as sandbox:
        shown = sandbox.exec(
            ["sh", "-c", "ls -d /tests /solution; ls -A /app; cat /app/adder.py; pwd"]
        ).stdout
        assert shown == b"adder.py\n" + ADDER + b"/workspace\n"
        assert sandbox.exec(["touch", "/app/new"]).code == 0


def test_a_task_is_an_instance_whose_patch_is_its_solution(tmp_path: Path, local: LocalRuntime) -> None:
    write_task(tmp_path / "one")
    write_task(
        tmp_path / "two", task_toml=TOML.replace("adder", "second") + "[metadata]\ndifficulty = 'easy'\n"
    )
    one, two = load_instances(tmp_path)
    assert (one.id, one.problem, one.patch) == ("ours/adder", "Make add() add.\n", GOLD)
    assert (two.id, two.strata) == ("ours/second", {"kind": "harbor", "difficulty": "easy"})
    again = Instance.from_dict(one.to_dict())
    assert again == one
    assert suite_from_dict(suite_to_dict(one.suite)) == one.suite
    terms = Terms(local, LIMITS)
    assert again.suite.grade(again, again.patch, terms).passed
    write_task(tmp_path / "three", environment_Dockerfile="FROM alpine\n")
    with pytest.raises(TaskError, match=r"three/environment/Dockerfile:1: FROM alpine"):
        load_instances(tmp_path, "harbor")
    assert len(load_instances(tmp_path, "harbor", on_bad="skip")) == 2
    with pytest.raises(HarborError, match="no task folder"):
        find_folders(tmp_path / "one" / "tests")


def test_run_lines_happen_in_a_sandbox_over_the_working_folder(tmp_path: Path, local: LocalRuntime) -> None:
    lines = """\
RUN mkdir -p data/empty && printf '#!/bin/sh\\n' > run.sh && chmod +x run.sh
RUN rm adder.py; echo "$GREETING $(id -u)" > data/who | cat
"""
    folder = write_task(tmp_path, environment_Dockerfile=f"{DOCKERFILE}ENV GREETING=hi\n{lines}")
    place = prepare(read_folder(folder)).start.workspace
    found = {path.relative_to(place).as_posix(): path for path in place.rglob("*")}
    assert found.keys() == {"data", "data/empty", "data/who", "run.sh"}
    assert found["run.sh"].stat().st_mode & 0o777 == 0o755
    greeting, user = found["data/who"].read_text().split()
    assert greeting == "hi"
    assert user != "0"
    assert prepare(read_folder(folder)).start.workspace == place


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("RUN touch {victim}", "ended with code 1 in a sandbox"),
        ("RUN cat {victim} > stolen", "No such file"),
        ("RUN echo x > /etc/passwd", "Read-only file system"),
        ("RUN ln -s {victim} link", "link: only plain files can be taken out, not a link"),
        ("RUN mkfifo pipe", "pipe: only plain files can be taken out, not a special"),
        ("RUN mkdir -m 0 shut && touch shut/x", "Permission denied"),
        ("RUN touch x && chmod 0 x", "only plain files can be taken out"),
        ("RUN python3 -c 'import socket; socket.create_connection((\"1.1.1.1\", 80), 5)'", "unreachable"),
        ("COPY ../../../{victim} .", "leads out of environment/"),
        ("COPY link .", "there is no environment/link"),
    ],
)
def test_a_hostile_dockerfile_gets_nowhere(tmp_path: Path, local: LocalRuntime, line: str, told: str) -> None:
    victim = tmp_path / "victim"
    victim.write_text("secret")
    folder = write_task(
        tmp_path / "task", environment_Dockerfile=f"{DOCKERFILE}{line.format(victim=victim)}\n"
    )
    with pytest.raises(UnsupportedError) as raised:
        prepare(read_folder(folder))
    assert f"{folder}/environment/Dockerfile:4: " in str(raised.value)
    assert told in str(raised.value)
    assert victim.read_text() == "secret"


@pytest.mark.parametrize(
    "workdir", ["/", "/etc", "/usr/src/app", "/tests", "/logs/verifier", "/tmp/x", "/workspace/x"]
)
def test_a_working_folder_that_is_taken_is_refused(tmp_path: Path, workdir: str) -> None:
    folder = write_task(tmp_path, environment_Dockerfile=f"FROM python:3\nWORKDIR {workdir}\n")
    with pytest.raises(UnsupportedError, match="WORKDIR"):
        prepare(read_folder(folder))


def test_tests_and_solution_that_write_elsewhere_change_nothing_outside(
    tmp_path: Path, local: LocalRuntime
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("kept")
    tmp_path.chmod(0o777)
    evil = (
        f"#!/bin/sh\necho x > {victim}; rm -rf / 2>/dev/null; echo x > /tests/test.sh; echo x > /etc/hosts\n"
    )
    folder = write_task(tmp_path / "task", tests_test_sh=evil, solution_solve_sh=evil)
    finding = validate(folder, local)
    assert not finding.holds
    assert victim.read_text() == "kept"
    assert (folder / "tests/test.sh").read_text() == evil
    assert graded(folder, "", local).status is Status.FAILED


def test_validation_tells_what_does_not_hold(tmp_path: Path, local: LocalRuntime) -> None:
    assert validate(write_task(tmp_path / "good"), local).problems == ()
    lazy = validate(write_task(tmp_path / "lazy", solution_solve_sh="#!/bin/sh\n"), local)
    assert len(lazy.problems) == 2
    assert "the solution (1 of 2): failed: 'reward' is 0" in lazy.problems[0]
    free = validate(
        write_task(tmp_path / "free", tests_test_sh="#!/bin/sh\necho 1 > /logs/verifier/reward.txt\n"), local
    )
    assert len(free.problems) == 2
    assert "doing nothing (2 of 2): passed" in free.problems[1]
    none = validate(write_task(tmp_path / "none", solution_solve_sh=None), local)
    assert "nothing shows that it can be solved" in none.problems[0]
    other = validate(write_task(tmp_path / "other", environment_Dockerfile="FROM alpine\n"), local)
    assert not other.supported
    assert not validate(write_task(tmp_path / "bad", instruction_md=None), local).holds


def test_a_task_in_an_image_is_not_run_without_images(tmp_path: Path, local: LocalRuntime) -> None:
    folder = write_task(
        tmp_path, task_toml=f"{TOML}[environment]\ndocker_image = 'x:1'\n", environment_Dockerfile=None
    )
    with pytest.raises(UnsupportedError, match=r"environment\.workdir is needed to run in an image"):
        prepare(read_folder(folder))


def installed_wheels(folder: Path, *names: str) -> None:
    """Pack packages of this interpreter as wheels, so that pip needs no network."""
    for name in names:
        found = importlib.metadata.distribution(name)
        wheel = folder / f"{name.replace('-', '_')}-{found.version}-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            for file in found.files or ():
                if (
                    ".." not in file.parts
                    and "__pycache__" not in file.parts
                    and file.name not in ("INSTALLER", "RECORD")
                ):
                    archive.write(str(file.locate()), str(file))
            info = next(str(file.parent) for file in found.files or () if file.name == "METADATA")
            archive.writestr(f"{info}/RECORD", "")


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "wheels"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def made_wheel(folder: Path, name: str, files: dict[str, str]) -> None:
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as archive:
        info = f"{name}-1.0.dist-info"
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")
        for path, text in files.items():
            archive.writestr(path, text)


def test_packages_come_from_wheels_and_their_programs_run(
    tmp_path: Path, wheels: Path, local: LocalRuntime
) -> None:
    made_wheel(
        wheels,
        "greeter",
        {
            "greeter.py": "def main(): print('hello from a wheel')\n",
            "greeter-1.0.dist-info/entry_points.txt": "[console_scripts]\ngreet = greeter:main\n",
        },
    )
    script = '#!/bin/sh\ntest "$(greet)" = "hello from a wheel" && python -c "import greeter" && echo 1 > /logs/verifier/reward.txt\n'
    lines = 'RUN echo "greeter==1.0" > req.txt\nRUN python3 -m pip install --no-cache-dir -r req.txt\nRUN greet > said\n'
    folder = write_task(tmp_path / "t", environment_Dockerfile=DOCKERFILE + lines, tests_test_sh=script)
    assert graded(folder, "", local).passed
    assert (prepare(read_folder(folder)).start.workspace / "said").read_text() == "hello from a wheel\n"


def test_nothing_of_a_package_is_built_here(tmp_path: Path, wheels: Path) -> None:
    made = tmp_path / "owned"
    source = tmp_path / "evil-1.0"
    write_files(source, {"setup.py": f"open({str(made)!r}, 'w')\n", "PKG-INFO": "Name: evil\nVersion: 1.0\n"})
    with zipfile.ZipFile(wheels / "evil-1.0.zip", "w") as archive:
        for path in source.iterdir():
            archive.write(path, f"evil-1.0/{path.name}")
    folder = write_task(tmp_path / "t", environment_Dockerfile=f"{DOCKERFILE}RUN pip install evil\n")
    with pytest.raises(UnsupportedError, match=r"Dockerfile:4: pip: No matching distribution found for evil"):
        prepare(read_folder(folder))
    assert not made.exists()


def repository(folder: Path) -> Instance:
    write_files(
        folder,
        {
            "src/pkg/__init__.py": "def twice(x):\n    return x + 1\n",
            "src/pkg/old.py": "x = 1\n",
            "tests/test_pkg.py": "from pkg import twice\n\ndef test_one():\n    assert twice(1) == 2\n",
        },
    )
    before = {path: (folder / path).read_bytes() for path in ("src/pkg/__init__.py", "src/pkg/old.py")}
    tests = {"tests/test_pkg.py": (folder / "tests/test_pkg.py").read_bytes()}
    new = (
        tests["tests/test_pkg.py"]
        + b"\n@pytest.mark.parametrize('x', [3, 4])\ndef test_more(x):\n    assert twice(x) == 2 * x\n"
    )
    return Instance(
        id="pkg__twice 1",
        problem="twice(4) is 5.",
        suite=PytestSuite(folder, source_roots=("src",)),
        patch=make_patch(before, {"src/pkg/__init__.py": b"def twice(x):\n    return x * 2\n"}),
        test_patch=make_patch(tests, {"tests/test_pkg.py": b"import pytest\n" + new}),
        fail_to_pass=("tests/test_pkg.py::test_more[3]", "tests/test_pkg.py::test_more[4]"),
        pass_to_pass=("tests/test_pkg.py::test_one",),
        repo="pkg",
        strata={"kind": "fix"},
    )


HOOK = b"""\
import pytest
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    outcome.get_result().outcome = "passed"
"""
FAKE_PYTEST = b"""\
import json, types
def main(arguments, plugins):
    for name in json.load(open("/tests/task.json"))["tests"]:
        for when in ("setup", "call", "teardown"):
            plugins[0].pytest_runtest_logreport(types.SimpleNamespace(nodeid=name, when=when, outcome="passed"))
"""


def test_an_exported_instance_grades_its_solution_one_and_nothing_zero(
    tmp_path: Path, wheels: Path, local: LocalRuntime
) -> None:
    installed_wheels(wheels, "pytest", "pluggy", "iniconfig", "packaging", "pygments")
    instance = repository(tmp_path / "repository")
    place = export(instance, tmp_path)
    folder = read_folder(place)
    assert folder.warnings == ()
    assert folder.name == "rlvr-gym/pkg__twice-1"
    assert "twice(4) is 5." in folder.instruction
    task = read_task(place, runtime=local)
    assert task.patch == instance.patch
    terms = Terms(local, LIMITS)
    assert task.suite.grade(task, task.patch, terms).passed
    assert task.suite.grade(task, "", terms).score == 0
    base = task.suite.workspace(task, LIMITS).files()
    assert base.keys() == {"src/pkg/__init__.py", "src/pkg/old.py", "tests/test_pkg.py"}
    package = base["src/pkg/__init__.py"]
    for cheat in (
        {"tests/test_pkg.py": b"def test_one(): pass\n"},
        {"src/pkg/__init__.py": b"import os\nos._exit(0)\n"},
        {"src/pkg/__init__.py": package + b"open('/logs/verifier/reward.txt', 'w').write('1')\n"},
        {
            "src/pkg/__init__.py": package
            + b"open('/logs/verifier/reward.json', 'w').write('1')\nimport os\nos._exit(0)\n"
        },
        {"src/pytest.py": FAKE_PYTEST},
        {"conftest.py": HOOK},
    ):
        old = {path: base[path] for path in cheat if path in base}
        verdict = task.suite.grade(task, make_patch(old, cheat), terms)
        assert verdict.status is Status.FAILED, (cheat, verdict)
    with pytest.raises(UsageError, match="exists"):
        export(instance, tmp_path)
    with contextlib.suppress(FileNotFoundError), pytest.raises(UsageError, match="kind 'pytest'"):
        export(task, tmp_path)
