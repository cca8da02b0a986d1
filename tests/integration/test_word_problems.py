"""The real SmolLM2 on the word problems of the examples, as a person runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rlvr_gym
from rlvr_gym.cli.main import main

FILE = Path(__file__).parents[2] / "examples" / "tasks" / "word_problems.jsonl"


def test_the_examples_are_tasks_and_their_answers_pass():
    env = rlvr_gym.make("math-v0", file=FILE, split="all")
    tasks = env.all_tasks()
    assert len(tasks) == 30
    assert not env.notes
    assert all(env.judge(task, env.oracle(task)).passed for task in tasks)


def test_smollm2_is_measured_on_a_task_file(tmp_path, capsys):
    few, out = tmp_path / "few.jsonl", tmp_path / "report.json"
    few.write_text("".join(FILE.read_text().splitlines(keepends=True)[:4]))
    with pytest.raises(SystemExit) as ended:
        main(
            [
                *(
                    "eval",
                    "math-v0",
                    "--policy",
                    "smollm2",
                    "--policy-set",
                    "device=cpu",
                    "--tasks",
                    str(few),
                ),
                *("--temperature", "0", "--max-new-tokens", "64", "--out", str(out)),
            ]
        )
    printed = capsys.readouterr().out
    assert not ended.value.code
    assert "smollm2:0 on math-v0" in printed
    assert "4 x 1" in printed
    report = json.loads(out.read_text())
    assert (report["num_tasks"], report["num_attempts"], report["num_masked"]) == (4, 4, 0)
    # Greedy decoding: it knows how many of 10 birds are left when 4 fly away.
    assert report["accuracy"]["mean"] > 0
    assert {row["verdict"]["verifier"] for row in report["attempts"]} == {"math@1"}
    assert all(row["prompt"].endswith("\\boxed{}.") and row["responses"][0] for row in report["attempts"])
