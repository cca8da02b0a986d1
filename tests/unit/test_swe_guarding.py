"""What of a patch counts, and which settings of pytest are trusted."""

import pytest

from rlvr_gym.repositories.guarding import guard_of, is_protected
from rlvr_gym.repositories.modules import own_modules
from rlvr_gym.repositories.pytest_settings import trusted_settings

BASE = {
    "src/pkg/__init__.py": b"",
    "src/pkg/core.py": b"",
    "src/pkg/types.py": b"",
    "tests/test_core.py": b"",
    "tests/helpers.py": b"",
    "tests/data/a.json": b"",
    "setup.py": b"",
}


@pytest.fixture
def guard(tmp_path):
    (tmp_path / "requests").mkdir()
    (tmp_path / "six.py").touch()
    return guard_of(BASE, {"tests/test_core.py", "README.md"}, (".", "src"), tmp_path)


COUNTS = [
    "src/pkg/core.py",
    "src/pkg/types.py",
    "src/pkg/json.py",
    "src/other/__init__.py",
    "docs/a.md",
    "setup.py",
    "new.py",
]
LEFT_OUT = {
    "tests/test_core.py": "tests",
    "tests/data/a.json": "tests",
    "tests/new.py": "tests",
    "README.md": "tests",
    "conftest.py": "settings",
    "src/pkg/conftest.py": "settings",
    "pytest.ini": "settings",
    ".pytest.ini": "settings",
    "pytest.toml": "settings",
    "pyproject.toml": "settings",
    "tox.ini": "settings",
    "src/setup.cfg": "settings",
    "sitecustomize.py": "loaded",
    "src/usercustomize/__init__.py": "loaded",
    "sitecustomize.cpython-311-x86_64-linux-gnu.so": "loaded",
    "a.pth": "loaded",
    "src/pkg/__pycache__/core.cpython-311.pyc": "compiled",
    "src/pkg/core.pyc": "compiled",
    "__init__.py": "rename",
    "json.py": "json",
    "src/random/__init__.py": "random",
    "src/unittest/case.py": "unittest",
    "pytest/__init__.py": "pytest",
    "_pytest.py": "_pytest",
    "src/requests/api.py": "requests",
    "six.py": "six",
    "six.cpython-311-x86_64-linux-gnu.so": "six",
    "helpers.py": "helpers",
    "src/helpers.py": "helpers",
    "test_core.py": "test_core",
}


@pytest.mark.parametrize("path", COUNTS)
def test_it_counts(path, guard):
    assert guard.why(path) == ""


@pytest.mark.parametrize("path", LEFT_OUT)
def test_it_is_left_out(path, guard):
    assert LEFT_OUT[path] in guard.why(path)


def test_what_a_repository_has_under_a_name_it_may_change(tmp_path):
    guard = guard_of({"json.py": b"", "random/__init__.py": b""}, {"test_a.py"}, (".",), tmp_path)
    assert guard.why("json.py") == guard.why("random/more.py") == ""
    assert guard.why("test_a.py") == "tests"


def test_tests_beside_the_code_protect_themselves_only(tmp_path):
    guard = guard_of({"pkg/__init__.py": b"", "pkg/test_a.py": b""}, {"pkg/test_a.py"}, (".",), tmp_path)
    assert guard.why("pkg/a.py") == ""
    assert guard.why("pkg/json.py") == ""
    assert guard.why("json.py")


def test_some_paths_are_of_tests_by_their_names():
    yes = ["test_a.py", "a_test.py", "x/tests/data.json", "test/a.py", "conftest.py", "tox.ini", "tests.py"]
    no = ["a.py", "contest.py", "x/latest/a.py", "testimony.py", "protest/a.py"]
    assert [path for path in [*yes, *no] if is_protected(path)] == yes


def test_own_modules_are_those_that_can_only_be_the_repositorys():
    found = own_modules((".", "src"), [*BASE, "random.py", "docs/a.md"])
    assert found == ["pkg", "setup"]


SETTINGS = {
    "pytest.ini": b"[pytest]\naddopts = -p hack\nmarkers =\n    slow: takes long\npython_files = check_*.py\n",
    "pyproject.toml": b'[tool.pytest.ini_options]\naddopts = "-p hack"\nmarkers = ["slow: takes long"]\npython_files = ["check_*.py"]\n',
    "setup.cfg": b"[tool:pytest]\naddopts = -p hack\nmarkers = slow: takes long\npython_files = check_*.py\n",
    "tox.ini": b"[pytest]\naddopts = -p hack\nmarkers = slow: takes long\npython_files = check_*.py\n",
}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_are_taken_over_but_for_those_that_bring_in_code(name):
    expected = "[pytest]\nmarkers =\n    slow: takes long\npython_files =\n    check_*.py\n"
    assert trusted_settings({name: SETTINGS[name]}) == expected


def test_settings_are_those_of_the_first_file_that_has_some():
    files = {**SETTINGS, "pytest.ini": b"[pytest]\nxfail_strict = true\n"}
    assert trusted_settings(files) == "[pytest]\nxfail_strict =\n    true\n"
    assert "python_files" in trusted_settings({**SETTINGS, "pytest.ini": b"[other]\n"})


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[pytest", b"a = = b", b"= [pytest]"])
def test_settings_that_cannot_be_read_are_none(content):
    for name in SETTINGS:
        assert trusted_settings({name: content}) == "[pytest]\n"


def test_paths_in_settings_are_the_repositorys():
    text = trusted_settings({"pytest.ini": b"[pytest]\npythonpath = src .\n"})
    assert text == "[pytest]\npythonpath =\n    /workspace/src\n    /workspace/.\n"
