import random

import pytest

from rlvr_gym.factory.statements import example, statement

FAILURE = {
    "type": "AssertionError",
    "message": "",
    "compared": {"op": "==", "left": "'humen'", "right": "'humans'"},
    "imports": ["import inflection"],
    "values": {"word": "'human'", "unused": "1", "shown": "<object at 0x7f>"},
    "statements": ["many = inflection.pluralize"],
    "last": "assert many(word) == expected",
}


def told(**more: object) -> str:
    return example({**FAILURE, **more})


def test_an_example_says_what_is_called_what_is_expected_and_what_comes_out():
    assert told() == (
        "```python\nimport inflection\nword = 'human'\nmany = inflection.pluralize\nmany(word)\n```\n\n"
        "Expected: `'humans'`\n\nGot: `'humen'`"
    )


def test_the_side_that_calls_something_is_what_comes_out():
    assert (
        told(last="assert expected == many(word)", compared={"left": "'humans'", "right": "'humen'"})
        == told()
    )


@pytest.mark.parametrize("last", ["self.assertEqual(many(word), 4)", "self.assertEqual(4, many(word))"])
def test_checks_of_unittest_are_read_too(last: str):
    message = "5 != 4 : note" if last.endswith("4)") else "4 != 5"
    text = told(last=last, message=message, compared={})
    assert text.endswith("many(word)\n```\n\nExpected: `4`\n\nGot: `5`")


def test_an_exception_is_what_comes_out():
    text = told(type="TypeError", message="bad /workspace/pkg/tests/test_a.py", compared={})
    assert text.endswith("many(word)\n```\n\nExpected: no exception\n\nGot: `TypeError: bad ...`")


def test_an_exception_that_does_not_come_is_what_is_expected():
    text = told(type="Failed", message="DID NOT RAISE", last="with pytest.raises(ValueError):\n    many(1)")
    assert text.endswith("many(1)\n```\n\nExpected: an exception\n\nGot: no exception")


@pytest.mark.parametrize(
    "failure",
    [
        {},
        {"last": "assert ("},
        {"type": "X", "last": ""},
        {"last": "f()", "statements": ["("]},
        {"last": "f()", "statements": [""]},
        {"last": "(" * 3000 + ")" * 3000},
        {"last": "-" * 3900 + "1"},
    ],
)
def test_a_failure_that_tells_nothing_gives_no_example(failure: dict[str, str]):
    assert example(failure) == ""


def test_an_example_holds_only_what_leads_to_its_last_line():
    statements = [
        "def many(word):\n    return inflection.pluralize(word, rules)",
        "rules = inflection.RULES",
        "rules.reset()",
        "other = inflection.singularize('a')",
        "assert other == 'a'",
        "self.assertTrue(other)",
    ]
    lines = told(statements=statements, imports=["import inflection", "import pytest"]).splitlines()
    assert lines[1:-5] == [
        "import inflection",
        "word = 'human'",
        *statements[0].splitlines(),
        *statements[1:3],
        "many(word)",
    ]


def test_other_checks_by_the_same_helper_are_left_out():
    text = told(
        statements=["y = helper", "y(1, 2)", "z(3)"], last="y(4, 5)", values={}, message="assert 4 == 6"
    )
    assert text.splitlines()[1:5] == ["y = helper", "z(3)", "y(4, 5)", "```"]


def test_an_issue_names_the_package_and_tells_each_example_once():
    text = statement("inflection", [FAILURE, FAILURE], random.Random(0))
    assert "`inflection`" in text.splitlines()[0]
    assert text.count("Got:") == 1
