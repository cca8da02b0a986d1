import pytest

from rlvr_gym.repositories.rows import read_instances
from rlvr_gym.runtimes.local import LocalRuntime
from tests.integration import factory_package
from tests.integration.swe_repository import make_environment


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Return a folder with a package of the user's own, and one with what its tests need."""
    if missing := LocalRuntime().missing():
        pytest.skip("; ".join(missing))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for path, text in factory_package.release("1.1", tmp_path / "mark").items():
        if path in ("tallies.py", "tests/test_tallies.py"):
            (tmp_path / "tallies" / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "tallies" / path).write_text(text)
    return tmp_path / "tallies", make_environment(tmp_path / "environment")


def test_a_folder_gives_seeded_bugs_and_a_table_of_what_became_of_them(call, tmp_path, package):
    folder, environment = package
    out = tmp_path / "out"
    result = call("swe-tasks", folder, "--environment", environment, "--out", out, "--bugs", 1)
    assert result.code == 0, result
    assert "1 instances in" in result.out
    assert "tallies" in result.out.split("1 packages")[0]
    (bug,) = read_instances(out)
    assert bug.strata["kind"] == "bug"
    assert bug.license == "unknown"


def test_a_package_without_tests_gives_nothing_says_why_and_exits_with_1(call, tmp_path, package):
    folder, environment = package
    (folder / "tests" / "test_tallies.py").unlink()
    result = call("swe-tasks", folder, "--environment", environment, "--out", tmp_path / "out")
    assert result.code == 1
    assert "no tests in the release" in " ".join(result.out.split())
    assert "0 instances" in result.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Name a package, or a recipe by --recipe."),
        (("a", "b", "--with", "c"), "--with belongs to one PACKAGE"),
        (("a b",), "'a b' is no package"),
        (("--recipe", "none.toml"), "none.toml"),
        (("a", "--environment", "none"), "--environment none: there is no such folder"),
        (("a", "--runtime", "lokal"), "Did you mean 'local'?"),
    ],
)
def test_wrong_use_is_one_line(call, arguments, message):
    result = call("swe-tasks", *arguments)
    assert result.code == 2
    assert message in result.err
    assert len(result.err.splitlines()) == 1
