"""Control tests fail whatever the code does, and only where something equals what it must not do they pass."""

import random

import pytest

from rlvr_gym.repositories.controls import plant, twins

SOURCE = b'''\
import unittest

import pytest


def test_sum(total):
    """Two lines."""
    assert total(1, 2) == 3  # right
    for n in (1, 2):
        assert total(
            n,
            n,
        ) == 2 * n, "twice"


@pytest.mark.parametrize("n", [1])
def test_with(n):
    assert n


class TestIt(unittest.TestCase):
    def test_it(self):
        self.assertEqual(self.total(1, 1), 2)
        self.assertTrue(True)


def test_early(total):
    if total:
        return
    assert total == 3


@some.decorator
def test_decorated():
    assert False


def helper(): assert 1 == 1
'''
NAMES = [
    "test_sum",
    "test_with[1]",
    "TestIt::test_it",
    "test_early",
    "test_decorated",
    "helper",
    "test_elsewhere",
]


def loaded(content):
    names = {"__name__": "loaded"}
    exec(compile(content, "tests", "exec"), names)
    return names


class Equal:
    def __eq__(self, other):
        return True

    __hash__ = None


class EqualToNumbers(Equal):
    def __eq__(self, other):
        return type(other) is int


def without_decorated(content):
    return content.replace(b"@some.decorator\n", b"")


@pytest.mark.parametrize("seed", range(5))
def test_planted_tests_fail(seed):
    found = plant(SOURCE, NAMES, random.Random(seed), many=True)
    assert found.content.startswith(SOURCE)
    names = loaded(without_decorated(found.content))
    assert len(set(found.names)) == len(found.names) > 20
    for name in found.names:
        cls, _, leaf = name.rpartition("::")
        call = getattr(names[cls](leaf), leaf) if cls else names[name]
        with pytest.raises((Exception, pytest.fail.Exception)):
            call()
        assert leaf.startswith(("test_", "helper_"))


def test_a_few_planted_tests_are_fewer():
    few, many = (plant(SOURCE, NAMES, random.Random(1), many=many) for many in (False, True))
    assert len(few.names) < len(many.names)


@pytest.mark.parametrize(
    "content",
    [
        b"not python(",
        b"\xff",
        b"x = 1\n",
        b"import pytest\npytestmark = pytest.mark.parametrize('n', [1])\ndef test_sum(n): pass\n",
        b"def pytest_generate_tests(metafunc): pass\ndef test_sum(): pass\n",
    ],
)
def test_nothing_is_planted_where_it_could_break_the_file(content):
    assert plant(content, NAMES, random.Random(0), many=True) is None


def test_twins_are_the_tests_whose_last_line_is_reached():
    found = twins(SOURCE, NAMES, random.Random(0))
    assert set(found.names) == {"test_sum", "test_with", "TestIt::test_it"}
    assert found.content.count(b"\n") > SOURCE.count(b"\n")


@pytest.mark.parametrize("seed", range(8))
def test_twins_fail_for_what_is_right_and_pass_for_what_equals_everything(seed):
    found = twins(SOURCE, NAMES, random.Random(seed))
    names = loaded(without_decorated(found.content))
    case = names["TestIt"]("test_it")
    for total in (lambda a, b: a + b, lambda a, b: None, lambda a, b: float(a + b)):
        case.total = total
        for test in (
            lambda total=total: names["test_sum"](total),
            case.test_it,
            lambda: names["test_with"](1),
        ):
            with pytest.raises(AssertionError):
                test()
    for kind in (Equal, EqualToNumbers):
        case.total = lambda a, b, kind=kind: kind()
        assert names["test_sum"](case.total) is None
        assert case.test_it() is None
        assert names["test_sum"](lambda a, b, kind=kind: 3 if a != b else kind()) is None


@pytest.mark.parametrize(
    "wanted",
    ["1.5", "'a'", "b'a'", "[1]", "(1,)", "{1: 2}", "True", "None", "{1}", "float('inf')", "-1", "object"],
)
def test_no_twin_passes_for_the_very_value(wanted):
    content = f"def test_it(value):\n    assert value == {wanted}\n".encode()
    names = loaded(twins(content, ["test_it"], random.Random(0)).content)
    with pytest.raises(AssertionError):
        names["test_it"](eval(wanted))


class Version:
    """Equals tuples of its parts, the last of which may be missing."""

    def __init__(self, major, minor, label=None):
        self.parts = (major, minor, label)

    def __eq__(self, other):
        return self.parts == (other if isinstance(other, Version) else Version(*other)).parts


@pytest.mark.parametrize("seed", range(8))
def test_no_twin_passes_for_honest_code_that_takes_a_missing_part_for_none(seed):
    content = b"def test_it(value, other):\n    assert value == other\n"
    names = loaded(twins(content, ["test_it"], random.Random(seed)).content)
    with pytest.raises((AssertionError, TypeError)):
        names["test_it"](Version(1, 0), (1, 0))


def test_tests_on_one_line_have_no_twin():
    assert twins(b"def test_it(): assert 1 == 1\n", ["test_it"], random.Random(0)) is None
    assert twins(b"not python(", ["test_it"], random.Random(0)) is None
