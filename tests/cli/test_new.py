import subprocess
import sys

import pytest

CHECKS = {
    "env": ("--kind", "env"),
    "verifier": ("--kind", "verifier", "--reference", "Paris", "--right", "Paris"),
}


@pytest.mark.parametrize("what", ["env", "verifier", "algorithm"])
def test_a_scaffold_passes_its_own_test(shell, tmp_path, what):
    result = shell("new", what, "my_thing", "--dir", tmp_path / "mine")
    assert (result.code, result.err) == (0, "")
    files = sorted(path.name for path in (tmp_path / "mine").iterdir())
    assert files == ["my_thing.py", "test_my_thing.py"]
    test = tmp_path / "mine" / "test_my_thing.py"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-W", "error", test],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("what", CHECKS)
def test_a_scaffold_keeps_the_contract(shell, tmp_path, what):
    shell("new", what, "my_thing", "--dir", tmp_path)
    result = shell("check", "my_thing", "--file", tmp_path / "my_thing.py", *CHECKS[what])
    assert (result.code, result.err) == (0, ""), result.out
    assert result.out.rstrip().endswith("claims hold")


@pytest.mark.parametrize("what", ["env", "verifier", "algorithm"])
def test_a_scaffold_is_clean(call, tmp_path, what):
    call("new", what, "my_thing", "--dir", tmp_path)
    for command in (
        ["ruff", "check", "--isolated"],
        ["ruff", "format", "--isolated", "--line-length=110", "--check"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", *command, "."], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("existing", ["my_thing.py", "test_my_thing.py"])
def test_nothing_is_overwritten(call, tmp_path, existing):
    (tmp_path / existing).write_text("mine")
    result = call("new", "env", "my_thing", "--dir", tmp_path)
    assert (result.code, result.err) == (2, f"error: {tmp_path / existing} exists. It was left as it is.\n")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("My Thing", "is no name"),
        ("../evil", "is no name"),
        ("class", "is no name"),
        ("json", "a module of Python's own"),
        ("sums", "is registered already"),
    ],
)
def test_a_name_that_cannot_work_is_refused(call, tmp_path, name, why):
    result = call("new", "env", name, "--dir", tmp_path)
    assert result.code == 2
    assert why in result.err
    assert list(tmp_path.iterdir()) == []
