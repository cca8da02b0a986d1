import pytest

from rlvr_gym.factory.hiding import hidden

TEXT = b"""import pytest


def test_a():
    assert 1


@pytest.mark.parametrize("x", [1, 2])
def test_b(x):
    assert x  # b


class TestC:
    def test_d(self):
        assert 1

    def test_e(self):
        assert 1
"""


def without(*tests: str) -> bytes | None:
    return hidden({"t.py": TEXT, "u.py": b""}, [f"t.py::{test}" for test in tests])["t.py"]


def test_a_function_goes_with_its_decorators_and_all_its_parameters_and_the_rest_stays():
    after = without("test_b[1]")
    assert after is not None
    assert b"test_b" not in after
    assert b"parametrize" not in after
    assert after.replace(b"\n", b"") == TEXT.replace(
        TEXT[TEXT.index(b"@") : TEXT.index(b"class")], b""
    ).replace(b"\n", b"")


def test_a_class_that_loses_all_its_tests_stays_a_class():
    after = without("TestC::test_d", "TestC::test_e")
    assert after is not None
    assert after.endswith(b"class TestC:\n    pass\n\n")


@pytest.mark.parametrize("test", ["test_made_elsewhere", "TestC", "TestC::test_a"])
def test_a_file_goes_whole_where_a_test_is_no_function_of_it(test: str):
    assert without(test) is None


def test_files_without_named_tests_are_not_touched():
    assert list(hidden({"t.py": TEXT, "u.py": b""}, ["t.py::test_a"])) == ["t.py"]
