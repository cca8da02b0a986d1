"""Logs of test runners, written by hand."""

from __future__ import annotations

import pytest

from rlvr_gym.errors import UnknownNameError
from rlvr_gym.repositories.log_parsers import LOG_PARSERS, log_parser
from rlvr_gym.repositories.log_parsers.r2e import r2e_name

PYTEST = """\
============================= test session starts ==============================
tests/test_a.py::test_one PASSED                                         [ 50%]
some output of a test
=========================== short test summary info ============================
PASSED tests/test_a.py::test_one
PASSED tests/test_a.py::test_path[/tmp/pytest-1/data.txt]
PASSED tests/test_a.py::test_url[//host/x]
PASSED tests/test_a.py::test_words[a b]
SKIPPED [3] tests/test_a.py:7: needs a network
XFAIL tests/test_a.py::test_later - not yet
FAILED tests/test_a.py::test_two - assert 1 == 2
ERROR tests/test_b.py
=================== 1 failed, 4 passed, 3 skipped, 1 xfailed ===================
"""
DJANGO = """\
test_add (basic.tests.ModelTest) ... ok
test_sub (basic.tests.ModelTest)
It subtracts. ... FAIL
test_mul (basic.tests.ModelTest) ... skipped 'no database'
test_div (basic.tests.ModelTest) ... ERROR
test_slow (basic.tests.ModelTest) ... System check identified no issues (0 silenced).
ok
======================================================================
FAIL: test_sub (basic.tests.ModelTest)
"""
SYMPY = """\
sympy/core/tests/test_a.py[4]
test_sum ok
test_prod F
test_diff E
test_skipped s
________________________________________________________________________________
__________________ sympy/core/tests/test_a.py:test_prod __________________
"""


def test_a_summary_of_pytest_gives_ids_up_to_a_blank() -> None:
    assert log_parser("parse_log_pytest")(PYTEST) == {
        "tests/test_a.py::test_one": "PASSED",
        "tests/test_a.py::test_path[/tmp/pytest-1/data.txt]": "PASSED",
        "tests/test_a.py::test_url[//host/x]": "PASSED",
        "tests/test_a.py::test_words[a": "PASSED",
        "tests/test_a.py::test_later": "XFAIL",
        "tests/test_a.py::test_two": "FAILED",
        "tests/test_b.py": "ERROR",
    }


def test_paths_in_parameters_are_cut_where_they_differ_between_machines() -> None:
    found = log_parser("parse_log_requests")(PYTEST)
    assert "tests/test_a.py::test_path[/data.txt]" in found
    assert "tests/test_a.py::test_url[//host/x]" in found


def test_ids_with_blanks_are_whole_where_a_parser_takes_the_line() -> None:
    found = log_parser("parse_log_astropy")(f"\x1b[32m{PYTEST}\x1b[0m")
    assert found["tests/test_a.py::test_words[a b]"] == "PASSED"
    assert found["tests/test_a.py::test_two"] == "FAILED"


def test_matplotlib_names_its_buttons_in_two_ways() -> None:
    assert log_parser("parse_log_matplotlib")("PASSED t.py::t[MouseButton.LEFT]") == {"t.py::t[1]": "PASSED"}


def test_seaborn_has_the_status_before_or_after_the_id() -> None:
    log = "tests/a.py::t PASSED [ 3%]\nFAILED tests/a.py::u - no\nPASSED tests/a.py::v\n"
    assert log_parser("parse_log_seaborn")(log) == {
        "tests/a.py::t": "PASSED",
        "tests/a.py::u": "FAILED",
        "tests/a.py::v": "PASSED",
    }


def test_djangos_runner_prints_between_a_name_and_its_status() -> None:
    found = log_parser("parse_log_django")(DJANGO)
    assert found["test_add (basic.tests.ModelTest)"] == "PASSED"
    assert found["test_slow (basic.tests.ModelTest)"] == "PASSED"
    assert found["test_sub"] == "FAILED"
    assert found["test_mul (basic.tests.ModelTest)"] == "SKIPPED"
    assert found["test_div (basic.tests.ModelTest)"] == "ERROR"


def test_sympys_runner_has_its_own_signs() -> None:
    assert log_parser("parse_log_sympy")(SYMPY) == {
        "sympy/core/tests/test_a.py:test_prod": "FAILED",
        "test_sum": "PASSED",
        "test_prod": "FAILED",
        "test_diff": "ERROR",
    }


def test_r2e_names_have_no_file_and_no_colours() -> None:
    assert log_parser("r2e")(PYTEST)["test_two"] == "FAILED"
    assert r2e_name("\x1b[1mTestA.test_b\x1b[0m - assert") == "TestA.test_b"
    assert log_parser("r2e")("PASSED a.py::test_before_the_summary") == {}


def test_a_name_that_nobody_knows_says_what_is_near() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'parse_log_pytest"):
        log_parser("parse_log_pytset")


@pytest.mark.parametrize(
    ("name", "log"),
    [
        ("parse_log_pytest", "FAILED a.py::t - no\nPASSED a.py::t\n"),
        ("parse_log_pytest_options", "FAILED a.py::t - no\nPASSED a.py::t\n"),
        ("parse_log_pytest_v2", "FAILED a.py::t - no\na.py::t PASSED\n"),
        ("parse_log_seaborn", "FAILED a.py::t - no\na.py::t PASSED [1%]\n"),
        ("parse_log_django", "a.py::t ... FAIL\na.py::t ... ok\nok\n"),
        ("r2e", "short test summary info\nFAILED x::a.py\nPASSED x::a.py\n"),
        ("parse_log_sympy", "test_a F\ntest_a ok\n"),
    ],
)
def test_a_failure_is_not_taken_back(name: str, log: str) -> None:
    assert set(log_parser(name)(log).values()) == {"FAILED"}


@pytest.mark.parametrize("name", LOG_PARSERS)
@pytest.mark.parametrize(
    "log", ["", "\n", "ERROR:", "PASSED", "FAILED ", " ... ", "ok", "test_ ok", "\0" * 9, "]["]
)
def test_any_log_is_read(name: str, log: str) -> None:
    assert isinstance(log_parser(name)(log), dict)


def test_the_parsers_agree_with_those_of_swebench() -> None:
    theirs = pytest.importorskip(
        "swebench.harness.log_parsers", reason="the package swebench is not installed"
    ).PARSER_REGISTRY
    for name in LOG_PARSERS:
        if name in theirs:
            for log in (PYTEST, DJANGO, SYMPY):
                assert log_parser(name)(log) == theirs[name](log, None), name
