import pytest

from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.patches import make_patch
from rlvr_gym.repositories.rows import write_instances
from rlvr_gym.repositories.suites.pytest import PytestSuite
from rlvr_gym.runtimes.local import LocalRuntime
from tests.harbor_folders import TOML, write_files, write_task


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def isolated():
    if missing := LocalRuntime().missing():
        pytest.skip("; ".join(missing))


def test_folders_that_hold_exit_with_0(call, tmp_path, isolated):
    write_task(tmp_path / "tasks/one", task_toml=f"odd = 1\n{TOML}")
    write_task(tmp_path / "tasks/two")
    result = call("harbor", "validate", tmp_path / "tasks")
    assert result.code == 0, result
    lines = result.out.splitlines()
    assert lines[0] == f"holds: {tmp_path}/tasks/one"
    assert lines[1].startswith(f"  note: {tmp_path}/tasks/one/task.toml: odd is not a key of the format")
    assert lines[2] == f"holds: {tmp_path}/tasks/two"


def test_folders_that_do_not_hold_are_named_with_the_reason(call, tmp_path, isolated):
    good = write_task(tmp_path / "good")
    bad = write_task(tmp_path / "bad", task_toml="[verifier]\ntimeout_sec = -1\n")
    lazy = write_task(tmp_path / "lazy", solution_solve_sh="#!/bin/sh\n")
    other = write_task(tmp_path / "other", environment_Dockerfile="FROM python:3\nVOLUME /x\n")
    result = call("harbor", "validate", good, bad, lazy, other)
    assert result.code == 1
    assert result.out.splitlines() == [
        f"holds: {good}",
        f"bad: {bad}",
        f"bad: {lazy}",
        f"not supported: {other}",
    ]
    assert f"{bad}/task.toml: verifier.timeout_sec: Input should be greater than 0, got -1." in result.err
    assert f"{lazy}: the solution (1 of 2): failed: 'reward' is 0" in result.err
    assert (
        f"{other}/environment/Dockerfile:2: VOLUME /x: this instruction needs a container engine"
        in result.err
    )
    assert "3 of 4 task folders do not hold" in result.err


def test_a_data_set_is_exported(call, tmp_path):
    files = {"pkg.py": "x = 1\n", "test_pkg.py": "def test_x(): pass\n"}
    repository = write_files(tmp_path / "repository", files)
    patch = make_patch({"pkg.py": b"x = 1\n"}, {"pkg.py": b"x = 2\n"})
    suite = PytestSuite(repository)
    instances = [Instance(f"pkg-{i}", "x", suite, patch, "", ("test_pkg.py::test_x",), ()) for i in (1, 2)]
    write_instances(tmp_path / "rows", instances)
    out = tmp_path / "out"
    result = call("harbor", "export", tmp_path / "rows", out)
    assert result.code == 0, result
    assert result.out.splitlines() == [f"wrote {out}/pkg-1", f"wrote {out}/pkg-2"]
    assert (out / "pkg-2/solution/files/pkg.py").read_text() == "x = 2\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("validate", "none"), "no task folder"),
        (("export", "rows"), "export takes ROWS and OUT, not 1 paths."),
        (("export", "none", "out"), "cannot be read"),
    ],
)
def test_wrong_use_is_one_line(call, tmp_path, monkeypatch, arguments, told):
    monkeypatch.chdir(tmp_path)
    result = call("harbor", *arguments)
    assert result.code == 2
    assert told in result.err
    assert len(result.err.splitlines()) == 1
