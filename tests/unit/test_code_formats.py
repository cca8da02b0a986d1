"""Rows of data sets that people have become programming tasks, and rows that are none are refused with their line."""

import json

import pytest

from rlvr_gym.envs import make
from rlvr_gym.envs.code_files import CODE_LAYOUTS, fenced, read_row
from rlvr_gym.envs.code_problems import CODE_PROBLEMS, LEVELS
from rlvr_gym.errors import ConfigError, TaskError
from rlvr_gym.verifiers.code_tests.cases import Call, Check, Script
from rlvr_gym.verifiers.code_tests.suite import read_suite

MBPP = {
    "task_id": 2,
    "text": "Write a function to find the shared elements of two tuples.",
    "code": "import os\ndef similar_elements(a, b=()):\n    return tuple(set(a) & set(b))",
    "test_list": [
        "assert set(similar_elements((3, 4, 5), (5, 7, 4))) == set((4, 5))",
        "assert set(similar_elements((1, 2), (3,))) == set()",
    ],
    "test_setup_code": "",
    "challenge_test_list": [],
}
SANITISED = {
    "prompt": "Write a function to add.",
    "code": "def add(a, b): return a + b",
    "test_imports": ["import math"],
    "test_list": ["assert math.isclose(add(1, 2), 3)"],
}
HUMANEVAL = {
    "task_id": "HumanEval/38",
    "prompt": 'from typing import List\n\n\ndef encode(s: str):\n    return s[::-1]\n\n\ndef decode(s: str):\n    """Undo encode."""\n',
    "canonical_solution": "    return s[::-1]\n",
    "entry_point": "decode",
    "test": "def check(candidate):\n    for s in ['ab', 'abc']:\n        assert candidate(encode(s)) == s\n",
}
APPS = {
    "question": "Add two numbers.",
    "input_output": json.dumps({"inputs": ["1 2\n", "3 4\n"], "outputs": ["3\n", "7\n"]}),
    "solutions": json.dumps(["print(sum(map(int, input().split())))"]),
    "difficulty": "introductory",
    "starter_code": "",
}
CALLED = {
    "question": "Add the numbers of a list.",
    "input_output": json.dumps({"fn_name": "total", "inputs": [[[1, 2]], [[]]], "outputs": [[3], [0]]}),
    "solutions": json.dumps(["class Solution:\n    def total(self, xs): return sum(xs)"]),
    "starter_code": "class Solution:\n    def total(self, xs):",
}
PLAIN = {
    "prompt": "Write `double(x)`.",
    "tests": ["assert double(1) == 2", "assert double(2) == 4"],
    "solution": "def double(x): return 2 * x",
    "level": 1,
}
ROWS = {
    "mbpp": MBPP,
    "sanitised mbpp": SANITISED,
    "humaneval": HUMANEVAL,
    "apps": APPS,
    "called apps": CALLED,
    "plain": PLAIN,
}


def env_of(tmp_path, *rows, **settings):
    file = tmp_path / "tasks.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return make("code", file=file, **({"split": "all"} | settings))


@pytest.mark.parametrize("name", ROWS)
def test_the_solution_of_a_row_passes_its_tests_and_nothing_else_does(name, tmp_path):
    env = env_of(tmp_path, ROWS[name])
    (task,) = env.all_tasks()
    assert env.judge(task, env.oracle(task)).score == 1.0
    assert env.judge(task, fenced("def f(): pass")).score == 0.0
    assert task.public["row"].endswith("tasks.jsonl:1")


def test_a_row_of_mbpp_says_what_the_function_is_called():
    row = read_row(MBPP, "auto", 1)
    assert "`similar_elements(a, b=())`" in row.problem
    assert MBPP["test_list"][0] in row.problem
    assert MBPP["test_list"][1] not in row.problem
    assert MBPP["test_list"][0] not in read_row(MBPP, "auto", 0).problem
    assert len(read_suite(row.reference).tests) == 2


def test_the_function_of_mbpp_is_found_without_a_solution():
    row = {name: MBPP[name] for name in ("text", "test_list")}
    assert read_row(row, "mbpp", 0).reference["entry_point"] == "similar_elements"
    with pytest.raises(ValueError, match=r"do not say which function .*\['f', 'g'\]"):
        read_row(row | {"test_list": ["assert f(1) == g(1)"]}, "auto", 0)


def test_the_helpers_of_a_prompt_are_those_of_the_tests():
    row = read_row(HUMANEVAL, "auto", 0)
    (test,) = read_suite(row.reference).tests
    assert isinstance(test, Check)
    assert test.names == ["decode"]
    assert "def encode" in row.reference["prelude"]


def test_a_candidate_cannot_replace_the_helpers_of_the_tests(tmp_path):
    env = env_of(tmp_path, HUMANEVAL)
    (task,) = env.all_tasks()
    assert not env.judge(task, fenced("def encode(s): return s\ndef decode(s): return s")).passed
    assert env.judge(task, fenced("def decode(s):\n    return encode(s)")).passed


def test_apps_has_programs_and_functions():
    program, function = read_row(APPS, "auto", 0), read_row(CALLED, "auto", 0)
    assert isinstance(read_suite(program.reference).tests[0], Script)
    assert isinstance(read_suite(function.reference).tests[0], Call)
    assert "standard input" in program.problem
    assert CALLED["starter_code"] in function.problem
    assert program.strata == {"difficulty": "introductory"}


def test_every_layout_is_found_by_its_columns():
    assert set(CODE_LAYOUTS) == {"mbpp", "humaneval", "apps", "plain"}
    for row in ROWS.values():
        assert read_suite(read_row(row, "auto", 1).reference).tests


BAD = {
    "no layout": {"prompt": "x"},
    "tests that are no Python": PLAIN | {"tests": ["assert ("]},
    "no tests": PLAIN | {"tests": []},
    "no text": PLAIN | {"prompt": 5},
    "no JSON": APPS | {"input_output": "{"},
    "no check": HUMANEVAL | {"test": "x = 1"},
    "unequal": CALLED | {"input_output": json.dumps({"fn_name": "f", "inputs": [[1]], "outputs": []})},
    "a lone surrogate": PLAIN | {"prompt": "\ud800"},
    "no mapping": APPS | {"input_output": "[1]"},
    "tests of numbers": MBPP | {"test_list": [1]},
}


@pytest.mark.parametrize("name", BAD)
def test_a_row_that_is_no_task_is_refused_with_its_line(name, tmp_path):
    with pytest.raises(TaskError, match=r"tasks\.jsonl:2: "):
        env_of(tmp_path, PLAIN, BAD[name])
    env = env_of(tmp_path, PLAIN, BAD[name], on_bad="skip")
    assert len(env.all_tasks()) == 1
    assert "1 of 2 rows are no tasks" in env.notes[0]


def test_a_row_of_another_layout_is_refused(tmp_path):
    with pytest.raises(TaskError, match="there is no 'test_list'"):
        env_of(tmp_path, PLAIN, layout="mbpp")


def test_repeated_problems_are_left_out(tmp_path):
    env = env_of(tmp_path, PLAIN, PLAIN, MBPP)
    assert len(env.all_tasks()) == 2
    assert "1 of 3 rows repeat" in env.notes[0]


def test_files_are_split_without_overlap(tmp_path):
    rows = [PLAIN | {"prompt": f"Write `double(x)`, {n}."} for n in range(60)]
    train, heldout = (env_of(tmp_path, *rows, split=split).all_tasks() for split in ("train", "heldout"))
    assert len(train) + len(heldout) == 60
    assert 5 <= len(heldout) <= 20
    assert {task.id for task in train}.isdisjoint(task.id for task in heldout)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"file": "x.jsonl", "hub": "a/b"}, "exclude each other"),
        ({"min_level": 3, "max_level": 2}, "above max_level"),
        ({"families": ("string",)}, "Did you mean 'strings'"),
        ({"families": ("graphs",), "max_level": 1}, "none of the families"),
        ({"verifier": {"name": "code", "cpu": 1}}, "Did you mean 'cpu_s'"),
        ({"verifier": {"name": "code", "runtime": "locl"}}, "Did you mean 'local'"),
    ],
)
def test_wrong_settings_are_refused(settings, message):
    with pytest.raises(ConfigError, match=message):
        make("code", **settings)


@pytest.mark.parametrize("name", CODE_PROBLEMS)
def test_a_problem_of_our_own_shows_no_solution_and_has_different_answers(name):
    import numpy as np

    problem = CODE_PROBLEMS[name].value
    for level in problem.levels:
        written = problem.write(np.random.default_rng(level), level)
        assert written.header.endswith('"""')
        assert "return " not in written.header.rpartition('"""')[0].partition('"""')[0]
        assert written.solution.startswith(written.header)
        assert len(written.tests) >= 10
        outputs = [json.dumps(output) for _, output in written.tests]
        # A constant must not pass for most of them.
        assert max(map(outputs.count, outputs)) <= 0.8 * len(outputs), outputs
        assert 1 <= level <= LEVELS


def test_our_own_solutions_pass_and_neighbouring_ones_do_not():
    env = make("code", max_level=LEVELS, split="all")
    tasks = env.tasks(30, seed=1)
    for i, task in enumerate(tasks):
        assert env.judge(task, env.oracle(task)).passed, task
        other = env.judge(task, env.oracle(tasks[i - 1]).replace("process", "another"))
        assert not other.passed


def test_there_are_problems_of_every_family_and_level():
    found = {(entry.value.family, level) for entry in CODE_PROBLEMS.entries() for level in entry.value.levels}
    assert len(CODE_PROBLEMS) >= 30
    assert {level for _, level in found} == set(range(1, LEVELS + 1))
    assert len({family for family, _ in found}) == 7


def test_a_pipeline_has_as_many_steps_as_its_level():
    import numpy as np

    for level in range(1, LEVELS + 1):
        written = CODE_PROBLEMS["pipelines"].value.write(np.random.default_rng(0), level)
        assert written.header.count("\n    ") - 2 == level + 1


def test_a_fence_never_occurs_in_the_code():
    assert fenced("x = '```'").startswith("````python\n")
    assert fenced("x\n") == "```python\nx\n```"
