"""Every generator of reasoning-gym as an environment: drawn the same everywhere, solved by its own answer only."""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rlvr_gym
from rlvr_gym.errors import ConfigError
from rlvr_gym.types import Status
from rlvr_gym.verifiers.pool import shared_pool
from rlvr_gym.verifiers.reasoning_rules import RULES, upstream
from rlvr_gym.verifiers.reasoning_rules.table import rules_table

# Upstream gives no answer to these.
WITHOUT_ANSWER = {"boxnet", "propositional_logic", "rush_hour"}
# Slow to draw from.
SLOW = {"arc_agi", "knight_swap"}
# Their order of sets differs from process to process, except in workers.
HASHED = ("codeio", "isomorphic_strings", "knight_swap", "polynomial_multiplication", "ransom_note")
# Moves after the solving ones that run into a wall.
STILL_SOLVED = {("sokoban", "twice")}
# 00 is a 0.
ZERO = "0"


def made(dataset, **settings):
    return rlvr_gym.make("reasoning_gym-v0", dataset=dataset, **settings)


def bare(answer):
    return answer.removeprefix("<answer>").removesuffix("</answer>")


def test_there_is_a_rule_for_every_generator():
    names = shared_pool().call(upstream.names, (), timeout_s=60, preload=("reasoning_gym",))
    assert names == sorted(RULES)
    assert len(names) > 100


@pytest.mark.parametrize("dataset", RULES)
def test_the_known_answer_passes_and_nothing_beside_it(dataset):
    env = made(dataset)
    tasks = env.tasks(3, seed=7)
    answers = [env.oracle(task) for task in tasks]
    assert len(tasks) > 1
    assert all(answers) != (dataset in WITHOUT_ANSWER)
    for task, answer in zip(tasks, answers, strict=True):
        assert answer is None or env.judge(task, answer).score == 1.0, (task.reference["answer"], answer)
    for (task, answer), (_, other) in itertools.pairwise(zip(tasks, answers, strict=True)):
        wrong = {
            "empty": "",
            "echo": task.prompt,
            "nothing": "no idea",
            "none": "None",
            "list": "[]",
            "map": "{}",
        }
        wrong |= {"nan": "nan", "zeros": "0 0", "code": "__import__('os').getpid()", "brackets": "[" * 3000}
        if answer is not None and other is not None:
            a, b = bare(answer), bare(other)
            wrong |= {
                "before": f"I think {a}",
                "not": f"not {a}",
                "twice": f"{a}{a}" if a != ZERO else "",
                "lines": f"{a}\n{a}",
            }
            wrong |= {"or": f"{a} or {b}", "both": f"{a}, {b}", "hidden": f"{b}, {a}", "under": f"{a}\n{b}"}
            wrong["hedge"] = f"{a}</answer> <answer>{b}" if a != b else ""
        for name, text in wrong.items():
            verdict = env.judge(task, f"<answer>{text}</answer>")
            if (dataset, name) not in STILL_SOLVED:
                assert not verdict.passed, (name, text[:200], verdict)
            assert verdict.decided, (name, text[:200], verdict)


@pytest.mark.slow
@pytest.mark.parametrize("dataset", sorted(RULES.keys() - WITHOUT_ANSWER))
def test_every_known_answer_passes(dataset):
    env = made(dataset, split="all")
    for task in env.tasks(10 if dataset in SLOW else 60, seed=1):
        answer = env.oracle(task)
        # At times upstream leaves an integral as it is.
        assert answer is not None or dataset == "intermediate_integration"
        assert answer is None or env.judge(task, answer).score == 1.0, (task.reference["answer"], answer)


@pytest.mark.parametrize("dataset", HASHED)
def test_a_seed_gives_the_same_tasks_in_every_process(dataset):
    code = (
        "import json, rlvr_gym\n"
        f"tasks = rlvr_gym.make('reasoning_gym', dataset={dataset!r}).tasks(2, seed=5)\n"
        "print(json.dumps([task.to_dict() for task in tasks]))"
    )
    env = {**os.environ, "PYTHONHASHSEED": "77"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
    assert json.loads(done.stdout) == [task.to_dict() for task in made(dataset).tasks(2, seed=5)]


def test_settings_of_the_generator_are_passed_on():
    for terms in (2, 5):
        config = {"min_terms": terms, "max_terms": terms}
        task = made("chain_sum", config=config, instruction="").tasks(1, seed=0)[0]
        assert len(re.findall(r"[0-9]+", task.prompt)) == terms
        assert task.reference["config"] == config


@pytest.mark.parametrize(
    ("dataset", "config", "message"),
    [
        ("chain_sums", {}, "has no generator 'chain_sums'. Did you mean 'chain_sum'"),
        ("composite", {}, "has no generator 'composite'"),
        ("chain_sum", {"min_term": 2}, "no setting 'min_term'. Did you mean 'min_terms'"),
        ("chain_sum", {"seed": 1}, "no setting 'seed'"),
        ("chain_sum", {"min_terms": 0}, "generator 'chain_sum': min_terms must be positive"),
        ("chain_sum", {"min_terms": "x"}, "generator 'chain_sum': "),
    ],
    ids=str,
)
def test_wrong_settings_are_one_line(dataset, config, message):
    with pytest.raises(ConfigError, match=message) as caught:
        made(dataset, config=config)
    assert "\n" not in str(caught.value)


def test_part_marks_are_given_only_on_request_and_never_by_running_the_answer():
    sorting = made("sentence_reordering")
    task = sorting.tasks(1, seed=0)[0]
    words = task.reference["answer"].split()
    near = f"<answer>{' '.join([*words[:-1], 'wrong'])}</answer>"
    assert sorting.judge(task, near).score == 0
    generous = made("sentence_reordering", partial=True)
    verdict = generous.judge(task, near)
    assert verdict.status is Status.FAILED
    assert 0 < verdict.score < 1
    spiral = made("spiral_matrix", partial=True)
    task = spiral.tasks(1, seed=0)[0]
    assert spiral.judge(task, f"<answer>[{task.reference['answer'].replace(' ', ', ')}]</answer>").score == 0


def test_the_main_process_never_imports_the_package():
    code = (
        "import sys, rlvr_gym\n"
        "env = rlvr_gym.make('reasoning_gym', seed=0)\n"
        "env.reset()\n"
        "print(env.step(env.oracle(env.task))[1], 'reasoning_gym' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1.0 False\n"


def test_the_docs_show_the_rules():
    page = (Path(__file__).parents[2] / "docs" / "reasoning-gym.md").read_text(encoding="utf-8")
    assert rules_table() in page, f"docs/reasoning-gym.md is stale; its table is now:\n{rules_table()}"
