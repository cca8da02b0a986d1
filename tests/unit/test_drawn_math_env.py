"""math-v0 without a file: problems of the wanted families and levels, none of which gives its answer away."""

from __future__ import annotations

import re
from collections import Counter

import pytest

import rlvr_gym
from rlvr_gym.envs.math import _given_away
from rlvr_gym.envs.math_problems import MATH_PROBLEMS, Problem, math_problem
from rlvr_gym.errors import UsageError


def test_every_family_and_level_is_drawn():
    tasks = rlvr_gym.make("math", max_level=5).tasks(600, seed=0)
    assert len({task.id for task in tasks}) == len({task.prompt for task in tasks}) == 600
    counts = Counter((task.strata["family"], task.strata["level"]) for task in tasks)
    assert len(counts) == len(MATH_PROBLEMS) * 5


def test_settings_choose_families_and_levels():
    env = rlvr_gym.make("math", families=("divisors", "counting"), min_level=2, max_level=4)
    tasks = env.tasks(100, seed=0)
    assert {task.strata["family"] for task in tasks} == {"divisors", "counting"}
    assert {task.strata["level"] for task in tasks} == {2, 3, 4}


def test_no_question_says_that_something_else_is_the_answer():
    env = rlvr_gym.make("math", families=("sequences", "logarithms", "complex_numbers"), max_level=5)
    for task in env.tasks(300, seed=1):
        assert not re.search(rf"= {re.escape(task.reference)}(?![0-9])", task.prompt), task
        given = [part.strip() for part in re.findall(r"\$([^$=]*=[^$=]*)\$", task.prompt)]
        assert not any(env.judge(task, f"\\boxed{{{part}}}").passed for part in given), task
    assert _given_away(Problem("Let $a_1 = 4$. What is $a_2$?", "4", 1))
    assert not _given_away(Problem("Let $a_1 = 42$. What is $a_2$?", "4", 1))


def test_small_families_say_when_they_end():
    env = rlvr_gym.make("math", families=("counting",), min_level=2, max_level=2, split="all")
    assert len(env.tasks(500, seed=0)) == 3 * 2 * 4


def test_drawn_problems_have_no_list():
    with pytest.raises(UsageError, match="draws its tasks"):
        rlvr_gym.make("math").all_tasks()


def test_a_composition_may_judge():
    parts = ["math", {"verifier": {"name": "length", "most": 400}}]
    env = rlvr_gym.make("math", verifier={"name": "gate", "parts": parts}, seed=0)
    env.reset()
    verdict = env.step(env.oracle(env.task))[4]["verdict"]
    assert [part.verifier for part in verdict.parts] == ["math@1", "length@1"]
    assert verdict.score == 1.0


@pytest.fixture
def halves():
    @math_problem("test_halves")
    def draw(rng, level):
        number = int(rng.integers(10**level))
        return Problem(f"Half of {2 * number}?", str(number), level)

    yield "test_halves"
    del MATH_PROBLEMS._entries["test_halves"]


def test_a_new_family_is_a_function(halves):
    env = rlvr_gym.make("math", families=(halves,), instruction="")
    task = env.tasks(1, seed=0)[0]
    assert int(re.search(r"\d+", task.prompt)[0]) == 2 * int(task.reference)
    assert env.judge(task, env.oracle(task)).passed
