"""Assertions become calls where all that they say is spelled out, and stay tests otherwise."""

import ast

import pytest

from rlvr_gym.errors import TaskError
from rlvr_gym.verifiers.code_tests.cases import Call, Check, Rule, Script
from rlvr_gym.verifiers.code_tests.conversion import check_function, free_names, read_tests
from rlvr_gym.verifiers.code_tests.inside.plain import encode
from rlvr_gym.verifiers.code_tests.literals import NotLiteralError, literal
from rlvr_gym.verifiers.code_tests.outputs import same_output
from rlvr_gym.verifiers.code_tests.suite import read_suite


def rule(source, **options):
    (call,) = read_tests(source, **options)
    assert isinstance(call, Call), call
    return call.rule


CONVERTED = {
    "assert f(1) == 2": Rule("equal", 2),
    "assert 2 == f(1)": Rule("equal", 2),
    "assert f(1) == 2, 'message'": Rule("equal", 2),
    "assert f(1) != [2]": Rule("different", ["l", 2]),
    "assert f(1) is None": Rule("is", None),
    "assert f(1) is True": Rule("is", True),
    "assert f(1) is not None": Rule("different", None),
    "assert f(1)": Rule("true"),
    "assert not f(1)": Rule("false"),
    "assert f(1) < 3": Rule("<", 3),
    "assert 3 < f(1)": Rule(">", 3),
    "assert f(1) in (1, 'a')": Rule("among", [1, "a"]),
    "assert abs(f(1) - 2.5) <= 0.5": Rule("close", ["f", "2.5"], abs_=0.5),
    "assert abs(2.5 - f(1)) <= 0.5": Rule("close", ["f", "2.5"], abs_=0.5),
    "assert math.isclose(f(1), 2.5, rel_tol=0.001)": Rule("close", ["f", "2.5"], rel=0.001),
    "assert isclose(2.5, f(1))": Rule("close", ["f", "2.5"], rel=1e-9),
    "assert f(1) == float('inf')": Rule("equal", ["f", "inf"]),
    "assert f(1) == {'a': [1, (2, None)]}": Rule("equal", ["d", ["a", ["l", 1, ["t", 2, None]]]]),
    "assert f(1) == set()": Rule("equal", ["s"]),
    "assert f(1) == 10**9 + 7": Rule("equal", 10**9 + 7),
    "assert f(1) == [0] * 3": Rule("equal", ["l", 0, 0, 0]),
}


@pytest.mark.parametrize("source", CONVERTED)
def test_an_assertion_becomes_a_call(source):
    assert rule(source) == CONVERTED[source]


def test_a_strict_bound_is_strict():
    strict = rule("assert abs(f(1) - 1) < 0.5")
    assert strict.holds(encode(1.49), 0.0)
    assert not strict.holds(encode(1.5), 0.0)


def test_arguments_and_builtin_functions_around_the_call_are_kept():
    (call,) = read_tests("assert sorted(set(f([1], x=-2)), reverse=True) == [3]")
    assert call.function == "f"
    assert call.args == [["l", 1]]
    assert call.kwargs == {"x": -2}
    assert call.wraps == [("set", ["l"]), ("sorted", ["d", ["reverse", True]])]
    assert read_tests("assert round(f(), 2) == 1.25")[0].wraps == [("round", ["l", 2])]
    assert read_tests("assert Solution().f(1) == 2")[0].function == "f"


def test_conjunctions_and_several_assertions_are_several_tests():
    assert len(read_tests("assert f(1) == 2 and f(2) == 3\nassert f(3) == 4")) == 3


KEPT = [
    "assert f(1) == f(1)",
    "assert f(f(1)) == 1",
    "assert f(x for x in [1]) == 1",
    "assert f(lambda: 1) == 1",
    "assert 1 < f(1) < 3",
    "assert f(1) + 1 == 2",
    "assert f(1)[0] == 2",
    "assert f(1).x == 2",
    "assert f(*[1]) == 2",
    "assert f(**{'a': 1}) == 2",
    "assert f(1) == range(3)",
    "assert f(1) == 10**10**10",
    "assert f(1) == ['x'] * 10**9",
    "assert isinstance(f(1), int)",
    "assert f(1) == 2 or f(1) == 3",
    "assert f(1) is 2",
    "x = 1\nassert f(x) == 2",
    "for i in [1]:\n    assert f(i) == 2",
    "f(1)\nassert True",
    "assert abs(f(1) - 2) < 0",
    "assert f({[]: 1}) == 1",
]


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("source", KEPT)
def test_a_test_that_is_more_than_a_call_is_kept_whole(source):
    (test,) = read_tests(source)
    assert isinstance(test, Check)
    assert source in test.source
    assert test.names == ["f"]


def test_one_assertion_that_is_no_call_keeps_the_whole_source():
    (test,) = read_tests("assert f(1) == 2\nassert f(f(1)) == 3")
    assert isinstance(test, Check)


def test_functions_named_test_are_tests_of_their_own():
    first, second = read_tests(
        "def test_a():\n    for x in [1]: assert f(x)\ndef test_b():\n    assert f(2) == g(1)\n"
    )
    assert first.source.endswith("test_a()\n")
    assert second.source.endswith("test_b()\n")
    assert first.names == ["f", "g"]


def test_tests_that_throw_a_value_away_look_at_arguments():
    assert read_tests("x = [2, 1]\nf(x)\nassert x == [1, 2]")[0].in_place
    assert not read_tests("x = [2, 1]\ny = f(x)\nassert y == sorted(x)")[0].in_place


def test_the_names_that_the_candidate_defines_are_those_that_nothing_binds():
    source = "import os\nfrom a import b as c\nx = 1\ndef g(y): return y + z\nfor i in x: f(i, os, c, len)\n[k for k in x]"
    assert free_names(ast.parse(source)) == {"f", "z"}
    (test,) = read_tests("p = Pair(1)\nassert math.floor(f(p)) == helper(1)", "def helper(x): return x")
    assert test.names == ["Pair", "f"]
    assert test.source.startswith("import math\n")


def test_a_function_with_the_name_of_a_builtin_is_the_candidates():
    (call,) = read_tests("assert sum(10, 15) == 25", entry_point="sum")
    assert call.function == "sum"
    assert call.wraps == ()


HUMANEVAL = """
METADATA = {'author': 'x'}


def check(candidate):
    "Doc."
    assert candidate([1, 2]) == 3, "first"
    assert True, "always"
    assert abs(candidate([]) - 0) < 1e-6
"""


def test_a_check_function_of_assertions_becomes_calls():
    calls = check_function(HUMANEVAL, "total")
    assert [call.function for call in calls] == ["total", "total"]
    assert calls[0].args == [["l", 1, 2]]


def test_an_assertion_that_is_no_call_takes_nothing_from_the_others():
    source = "def check(candidate):\n    import math\n    assert candidate(1) == 2\n    assert candidate(candidate(1)) == math.pi\n"
    call, kept = check_function(source, "f")
    assert isinstance(call, Call)
    assert call.function == "f"
    assert isinstance(kept, Check)
    assert kept.source.strip() == "import math\ncandidate = f\nassert candidate(candidate(1)) == math.pi"
    assert kept.names == ["f"]


def test_a_check_function_without_assertions_is_refused():
    with pytest.raises(TaskError, match="no test"):
        read_suite({"test": "def check(candidate):\n    pass", "entry_point": "f"})


def test_another_check_function_is_kept_with_the_prompts_own_helpers():
    source = "def check(candidate):\n    for i in range(3):\n        assert candidate(encode(i)) == i\n"
    (test,) = check_function(source, "decode", "def encode(x): return x")
    assert test.names == ["decode"]
    assert test.source.startswith("def encode(x)")
    assert test.source.rstrip().endswith("check(decode)")


@pytest.mark.parametrize(
    "source",
    [
        "x = f",
        "open('x')",
        "a.b",
        "-'x'",
        "1 // 0",
        "2 ** 10 ** 6",
        "float('x')",
        "{**{}}",
        "[] + 1",
        "...",
        "'a' * -1.5",
    ],
)
def test_what_is_not_spelled_out_has_no_value(source):
    node = ast.parse(source).body[0].value
    with pytest.raises(NotLiteralError):
        literal(node)


def test_our_own_tests_are_read():
    suite = read_suite(
        {
            "entry_point": "f",
            "tests": [
                {"args": [1], "output": [1, 2]},
                {"stdin": "1", "stdout": "2"},
                "assert g(1)",
                {"function": "h", "output": 1},
            ],
            "prelude": "import math",
        }
    )
    assert suite.tests[0] == Call("f", [1], Rule("equal", ["l", 1, 2], tuples_are_lists=True))
    assert suite.tests[1] == Script("1", "2")
    assert suite.entry_points == ("f", "g", "h")
    assert suite.prelude == "import math"
    assert len(read_suite("assert f(1)").tests) == len(read_suite(["assert f(1)"]).tests) == 1


def test_pairs_of_input_and_output_are_read_as_apps_writes_them():
    suite = read_suite({"input_output": '{"inputs": ["1 2\\n", ["1", "2"]], "outputs": ["3\\n", ["3"]]}'})
    assert suite.tests == [Script("1 2\n", "3\n"), Script("1\n2\n", "3\n")]
    (call,) = read_suite({"inputs": [[[1, 2], 3]], "outputs": [[6]], "fn_name": "f"}).tests
    assert call.args == [["l", 1, 2], 3]
    assert call.rule.holds(encode(6), 0.0)
    assert call.rule.holds(encode([6]), 0.0)
    assert not call.rule.holds(encode(7), 0.0)


@pytest.mark.parametrize(
    "reference",
    [
        None,
        5,
        {},
        {"tests": []},
        {"tests": ["assert f("]},
        {"tests": [{"args": [1], "output": 1}]},
        {"tests": [5]},
        {"test": "def check(): pass", "entry_point": "f"},
        {"input_output": "{"},
        {"inputs": ["1"], "outputs": []},
        {"tests": ["assert f(1)"] * 1001},
        {"test_list": []},
        {"tests": ["assert " + "(" * 1000 + "f(1)" + ")" * 1000]},
    ],
    ids=lambda each: repr(each)[:40],
)
def test_a_reference_without_tests_is_refused(reference):
    with pytest.raises(TaskError):
        read_suite(reference)


@pytest.mark.parametrize(
    ("wanted", "given", "tolerance", "result"),
    [
        ("1 2\n", "1 2", 0, True),
        ("1\n2\n\n", "1  \n2", 0, True),
        ("1 2", "1  2", 0, False),
        ("1\n2", "1 2", 0, False),
        ("a", "A", 0, False),
        ("", "\n", 0, True),
        ("1", "", 0, False),
        ("0.333", "0.3333", 0, False),
        ("0.333", "0.3333", 1e-2, True),
        ("x 0.5", "x  0.50", 1e-9, True),
        ("nan", "nan", 1e-9, True),
        ("x", "1", 1e-9, False),
        ("1", "1" * 100, 1e9, False),
    ],
)
def test_outputs_are_compared_line_by_line(wanted, given, tolerance, result):
    assert same_output(wanted, given, tolerance=tolerance) is result
