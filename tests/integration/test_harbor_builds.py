"""What Harbor tasks are made from and written as: Dockerfiles, packages, exported instances."""

from __future__ import annotations

import contextlib
import importlib.metadata
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from rlvr_gym.errors import UsageError
from rlvr_gym.repositories.harbor.build import prepare
from rlvr_gym.repositories.harbor.errors import UnsupportedError
from rlvr_gym.repositories.harbor.exporting import export
from rlvr_gym.repositories.harbor.folder import read_folder
from rlvr_gym.repositories.harbor.loading import read_task
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.patches import make_patch
from rlvr_gym.repositories.suites.base import Terms
from rlvr_gym.repositories.suites.pytest import PytestSuite
from rlvr_gym.runtimes.base import Limits
from rlvr_gym.runtimes.local import LocalRuntime
from rlvr_gym.types import Status
from tests.harbor_folders import DOCKERFILE, TOML, write_files, write_task

LIMITS = Limits(wall_s=60, cpu_s=60, memory_mib=512, pids=64, disk_mib=64, inodes=2000)


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with tempfile.TemporaryDirectory() as name:
        monkeypatch.setenv("XDG_CACHE_HOME", name)
        yield


@pytest.fixture
def local() -> LocalRuntime:
    runtime = LocalRuntime()
    if missing := runtime.missing():
        pytest.skip("; ".join(missing))
    return runtime


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
    made_wheel(wheels, "later", {"later.py": ""})
    lines = 'RUN echo "greeter==1.0" > req.txt\nRUN python3 -m pip install --no-cache-dir -r req.txt && pip install later\nRUN greet > said && python -c "import later"\n'
    folder = write_task(tmp_path / "t", environment_Dockerfile=DOCKERFILE + lines, tests_test_sh=script)
    task = read_task(folder, runtime=local)
    assert task.suite.grade(task, "", Terms(local, LIMITS)).passed
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
