"""Values cross the border of a sandbox as data, and equal values compare as Python says."""

import collections
import datetime
import decimal
import fractions
import json
import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlvr_gym.verifiers.code_tests.compare import number, same, shown, truthy
from rlvr_gym.verifiers.code_tests.inside.plain import NotPlainError, decode, encode, packed, unpacked

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
HASHABLE = st.recursive(
    SCALARS, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3), max_leaves=6
)
VALUES = st.recursive(
    HASHABLE | st.complex_numbers(allow_nan=False),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(HASHABLE, inner, max_size=4)
        | st.sets(HASHABLE, max_size=4)
    ),
    max_leaves=12,
)


def through(value):
    return unpacked(packed(encode(value)))


@given(VALUES)
def test_a_value_comes_out_as_it_went_in(value):
    back = decode(through(value))
    assert back == value
    assert type(back) is type(value)


@given(VALUES, VALUES)
def test_values_are_the_same_where_python_says_so(a, b):
    assert same(through(a), through(b)) == (a == b)
    assert same(through(a), through(a))


@given(VALUES)
def test_truth_is_that_of_python(value):
    assert truthy(through(value)) == bool(value)


@given(VALUES)
def test_any_value_is_shown_in_few_characters(value):
    assert len(shown(through(value))) <= 60


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (1, 1.0),
        (1, True),
        (0.0, -0.0),
        (1 + 0j, 1),
        ({1, 2}, frozenset([2, 1])),
        (b"a", bytearray(b"a")),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (float("nan"), float("nan")),
        (10**400, 10**400),
        ({1: {2: {3}}}, {1.0: {2: {3}}}),
    ],
)
def test_these_are_the_same(a, b):
    assert same(through(a), through(b))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([1], (1,)),
        (1, "1"),
        (b"a", "a"),
        ("", None),
        (0, None),
        ([], {}),
        ({1}, [1]),
        (0.1 + 0.2, 0.3),
        (10**400, 10**400 + 1),
        (2**53, 2**53 + 1),
        (float(2**53), 2**53 + 1),
        ("True", True),
        (float("inf"), float("-inf")),
        (["a,b"], ["a", "b"]),
        ({"a": 1}, {"a": 2}),
    ],
)
def test_these_are_not(a, b):
    assert not same(through(a), through(b))


def test_a_tolerance_is_for_floats_wherever_they_are():
    a, b = {"x": [0.3, (1, 2.0)]}, {"x": [0.1 + 0.2, (1, 2.0000001)]}
    assert not same(through(a), through(b))
    assert same(through(a), through(b), tolerance=1e-6)
    assert not same(through([1000000]), through([1000001]), tolerance=1e-3), "whole numbers are exact"
    assert not same(through([0.3, 1]), through([0.3]), tolerance=1e-6)
    assert not same(through({"x": 0.3}), through({"y": 0.3}), tolerance=1e-6)
    assert not same(through(1.5), through(10**400), tolerance=1e-6)


def test_lists_from_json_may_be_tuples():
    assert same(through([[1, 2]]), through([(1, 2)]), tuples_are_lists=True)
    assert same(through([[1, 2.0]]), through([(1, 2.0000001)]), tuples_are_lists=True, tolerance=1e-6)


class Loud(int):
    def __eq__(self, other):
        raise AssertionError("nobody may ask")

    __hash__ = int.__hash__


@pytest.mark.parametrize(
    "value",
    [
        object(),
        Loud(1),
        [Loud(1)],
        {Loud(1): 1},
        iter([]),
        reversed([]),
        datetime.datetime.now(datetime.UTC),
        len,
        int,
        type("T", (tuple,), {})(),
        NotImplemented,
        ...,
    ],
    ids=repr,
)
def test_a_value_of_another_type_is_not_plain(value):
    with pytest.raises(NotPlainError, match="is not plain data"):
        encode(value)


def test_what_equals_a_plain_value_in_the_standard_library_is_taken_for_it():
    point = collections.namedtuple("point", "x y")
    for value in (
        collections.Counter("aab"),
        collections.OrderedDict(a=1),
        collections.defaultdict(int, a=1),
        point(1, 2),
    ):
        assert decode(through(value)) == value


def test_numbers_and_times_of_the_standard_library_cross_too():
    date = datetime.date(2020, 2, 29)
    for value in (
        fractions.Fraction(1, 3),
        decimal.Decimal("1.50"),
        date,
        datetime.datetime(2020, 1, 2, 3, 4, 5, 6),
        datetime.time(1, 2),
        datetime.timedelta(days=-1, seconds=5),
        range(1, 10, 2),
        collections.deque([1, [2]]),
        {date: [fractions.Fraction(2)]},
    ):
        assert decode(through(value)) == value
        assert same(through(value), through(value))
        assert not same(through(value), through([value]))
        assert len(shown(through(value))) <= 60
    assert not same(through(range(3)), through([0, 1, 2]))


@pytest.mark.parametrize(
    "tree",
    [
        ["q"],
        ["q", "Popen", "ls"],
        ["q", "Fraction", "1/0"],
        ["q", "date", 0, 0, 0],
        ["q", 5],
        ["q", "range", "x"],
    ],
)
def test_a_tree_makes_no_other_objects(tree):
    with pytest.raises(NotPlainError):
        decode(tree)


def test_a_value_has_a_largest_depth_and_size():
    deep = []
    for _ in range(200):
        deep = [deep]
    for value in (deep, [0] * 600_000):
        with pytest.raises(NotPlainError, match=r"nested too deeply|too large"):
            encode(value)
    ring = []
    ring.append(ring)
    with pytest.raises(NotPlainError):
        encode(ring)


HOSTILE = [
    {},
    [],
    [1],
    ["?"],
    ["l", ["?"]],
    ["d", [1]],
    ["d", 1],
    ["d", [1, 2, 3]],
    ["f"],
    ["f", 1],
    ["f", "1" * 100],
    ["f", "one"],
    ["i", 5],
    ["i", "0xg"],
    ["c", "1"],
    ["c", "1", "j"],
    ["b", 5],
    ["h", 1, "x"],
    [["l"]],
    [None],
    json.loads("[" * 300 + "]" * 300),
]


@pytest.mark.parametrize("tree", HOSTILE, ids=lambda tree: repr(tree)[:20])
def test_what_is_no_tree_is_refused(tree):
    with pytest.raises(NotPlainError):
        same(1, tree)
    with pytest.raises(NotPlainError):
        truthy(tree)


@pytest.mark.parametrize("text", [b"", b"{", b"[" * 100_000, b"1" * 5_000, b"\xff", b"nan"])
def test_what_is_no_json_is_refused(text):
    with pytest.raises(NotPlainError):
        unpacked(text)


def test_numbers_of_one_hash_take_no_time():
    # As a set they would take minutes to build: all of them have the hash 0.
    tree = ["s", *[["i", hex(i * (2**61 - 1))] for i in range(40_000)]]
    start = time.perf_counter()
    assert not same(["s", 1], tree)
    assert time.perf_counter() - start < 10


def test_numbers_are_read_from_trees():
    assert number(through(True)) == 1
    assert number(through(10**30)) == 10**30
    assert math.isinf(number(through(float("inf"))))
    assert number(through("1")) is None
    assert number(["i", "x"]) is None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "None"),
        ([1, "a", (2,)], "[1, 'a', (2,)]"),
        ({"a": 1.5}, "{'a': 1.5}"),
        (set(), "set()"),
        (10**5000, "a huge number"),
        ("x" * 100, "'" + "x" * 56 + "..."),
    ],
    ids=["None", "list", "dict", "set", "huge", "text"],
)
def test_a_value_is_shown_as_python_would(value, text):
    assert shown(through(value)) == text
