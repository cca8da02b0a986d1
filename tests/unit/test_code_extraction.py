"""The code of a response is its last block of Python that defines what is asked for."""

import contextlib
import time

import pytest

from rlvr_gym.verifiers.code_tests.extraction import NoCodeError, code_of


def found(response, *names):
    return code_of(response, names, max_chars=50_000)


def block(code, language="python", fence="```"):
    return f"{fence}{language}\n{code}\n{fence}\n"


def test_a_block_is_taken_as_it_stands():
    assert found("Here:\n" + block("def f():\n    return 1") + "Done.") == "def f():\n    return 1\n"
    assert (
        found(block("x = 1", "py"))
        == found(block("x = 1", ""))
        == found(block("x = 1", "Python"))
        == "x = 1\n"
    )
    assert found(block("x = 1", fence="~~~")) == "x = 1\n"
    assert found(block("s = '''\n```\n'''", fence="````")) == "s = '''\n```\n'''\n"


@pytest.mark.parametrize(
    "language",
    [
        "python3",
        "Python 3",
        "python3.11",
        "{python}",
        "{.python}",
        "python:main.py",
        'python title="x"',
        "py,x",
    ],
)
def test_python_goes_by_many_names(language):
    assert found(block("x = 1", language) + block("y = 1", "")) == "x = 1\n"


@pytest.mark.parametrize("language", ["pycon", "python-repl", "pytb", "pseudopython", "cython"])
def test_what_begins_like_python_need_not_be_it(language):
    with pytest.raises(NoCodeError, match="no block"):
        found(block(">>> 1", language))


def test_a_block_of_a_list_is_indented_as_its_fence_is():
    item = "1. So:\n    ```python\n    def f():\n        return 1\n\n  # less\n    ```\n2. Done."
    assert found(item) == "def f():\n    return 1\n\n# less\n"
    assert found("- \n  ```python\n  x = 1\n  ```") == "x = 1\n"


def test_a_fence_deep_inside_a_block_is_a_line_of_it():
    code = 'def f():\n    """\n    ```\n    f()\n    ```\n    """'
    assert found(block(code)) == f"{code}\n"


def test_the_last_block_that_defines_the_function_counts():
    blocks = block("def f(): return 1") + block("def f(): return 2") + block("print(f())")
    assert found(blocks, "f") == "def f(): return 2\n"
    assert found(blocks) == "print(f())\n"
    assert found(block("f = len") + block("print(f(1))"), "f") == "f = len\n"


def test_blocks_of_other_languages_are_none():
    assert found(block("x = 1") + block("pip install x", "bash") + block("1", "text")) == "x = 1\n"
    assert found(block("x = 1") + block("output", "")) == "x = 1\n"
    with pytest.raises(NoCodeError, match="no block"):
        found(block("x", "c++"))


def test_only_what_follows_the_thinking_counts():
    assert found("<think>" + block("x = 1") + "</think>" + block("x = 2")) == "x = 2\n"
    with pytest.raises(NoCodeError, match="no end"):
        found("<think>" + block("x = 1"))
    with pytest.raises(NoCodeError, match="no block"):
        found("<think>" + block("x = 1") + "</think>I do not know.")
    assert found(block("x = '<think>'")) == "x = '<think>'\n"


def test_a_block_may_be_cut_off_at_the_end():
    assert found("```python\nx = 1\n") == "x = 1\n"


def test_a_response_may_be_nothing_but_code():
    for code in (
        "def f():\n    return 1",
        "import os\nx = 1",
        "@cache\ndef f(): ...",
        "from a import b",
        "class A: pass",
    ):
        assert found(code) == code


@pytest.mark.parametrize(
    "response",
    [
        "",
        "no idea",
        "define it yourself",
        "9**9**9",
        "\\boxed{1}",
        "```python\n```",
        "```python\n \n```",
        "{'a': 1}",
    ],
)
def test_a_response_without_code_is_refused(response):
    with pytest.raises(NoCodeError):
        found(response)


def test_too_much_code_and_nul_are_refused():
    with pytest.raises(NoCodeError, match="more than 50000"):
        found(block("x" * 50_001))
    with pytest.raises(NoCodeError, match="NUL"):
        found(block("x = '\0'"))


@pytest.mark.parametrize(
    "text",
    ["```python\n" * 50_000, "<think>" * 50_000, "`" * 500_000, "def " * 100_000, "```\n~~~\n" * 50_000],
)
def test_no_text_takes_long(text):
    start = time.perf_counter()
    with contextlib.suppress(NoCodeError):
        found(text, "f", "g")
    assert time.perf_counter() - start < 10
