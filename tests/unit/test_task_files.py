"""Task files: formats, columns, golds, and what is said of rows that are no tasks."""

from __future__ import annotations

import csv
import json
import pickle
import subprocess
import sys
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rlvr_gym
from rlvr_gym.envs.splits import is_heldout
from rlvr_gym.envs.task_files import canonical
from rlvr_gym.envs.task_files.golds import boxed, hashed, plain
from rlvr_gym.errors import ConfigError, TaskError, UnknownNameError

GSM8K = {"question": "Ann has 3 pens and buys 4. How many?", "answer": "3 + 4 = 7.\n#### 7"}
MATH = {
    "problem": "What is $\\frac12$ of 3?",
    "solution": "It is \\boxed{1}? No: \\boxed{\\frac{3}{2}}.",
    "level": "Level 3",
    "type": "Prealgebra",
}
AIME = {"ID": "2031-I-1", "Problem": "Find it.", "Solution": "It is 73.", "Answer": 73}
FRAME = (
    "Solve the following math problem step by step. The last line is of the form Answer: $Answer.\n\n{}\n\n"
    'Remember to put your answer on its own line after "Answer:".'
)
DAPO = {
    "prompt": [{"role": "user", "content": FRAME.format("What is 30 + 4?")}],
    "reward_model": {"ground_truth": "34", "style": "rule"},
    "data_source": "math_dapo",
}


def jsonl(path: Path, *rows: object) -> Path:
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def parquet(path: Path, *rows: dict) -> Path:
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(rows)), path)
    return path


def loaded(file: Path, **settings):
    return rlvr_gym.make("math", file=file, **{"split": "all", "instruction": "", **settings})


@pytest.mark.parametrize("write", [jsonl, parquet], ids=["jsonl", "parquet"])
@pytest.mark.parametrize(
    ("row", "prompt", "reference", "strata"),
    [
        (GSM8K, GSM8K["question"], "7", {}),
        (MATH, MATH["problem"], "\\frac{3}{2}", {"level": 3, "type": "Prealgebra"}),
        ({**MATH, "answer": "3/2"}, MATH["problem"], "3/2", {"level": 3, "type": "Prealgebra"}),
        (AIME, "Find it.", "73", {}),
        ({"question": "Find it.", "answer": 73}, "Find it.", "73", {}),
        (DAPO, "What is 30 + 4?", "34", {"data_source": "math_dapo"}),
        ({"prompt": "What is 30 + 4?", "solution": "34"}, "What is 30 + 4?", "34", {}),
    ],
    ids=["gsm8k", "math", "math with answers", "aime", "question and answer", "dapo", "dapo as texts"],
)
def test_known_layouts_are_found(tmp_path, write, row, prompt, reference, strata):
    env = loaded(write(tmp_path / f"tasks.{write.__name__}", row))
    (task,) = env.all_tasks()
    assert (task.prompt, task.reference, dict(task.strata)) == (prompt, reference, strata)
    assert env.judge(task, env.oracle(task)).passed


def test_other_columns_are_named_by_settings(tmp_path):
    row = {"extra": {"text": "How many?"}, "gold": "so it is #### 1,200", "hard": 2}
    file = jsonl(tmp_path / "tasks.jsonl", row)
    env = loaded(file, prompt_column="extra.text", answer_column="gold", strata=("hard",))
    (task,) = env.all_tasks()
    assert (task.prompt, task.reference, dict(task.strata)) == ("How many?", "1200", {"hard": 2})
    with pytest.raises(TaskError, match="has no"):
        loaded(file, prompt_column="extra.text", answer_column="gold", answer_from="boxed")


def test_lists_tables_and_folders_are_read(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "one.json").write_text(json.dumps(MATH))
    (tmp_path / "b.json").write_text(json.dumps([{**MATH, "problem": "P1"}, {**MATH, "problem": "P2"}]))
    with (tmp_path / "a.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["problem", "solution"], ["multi\nline, P3", "\\boxed{5}"]])
    (tmp_path / "notes.txt").write_text("no tasks")
    tasks = loaded(tmp_path).all_tasks()
    assert [task.prompt for task in tasks] == ["multi\nline, P3", "P1", "P2", MATH["problem"]]
    assert [task.public["row"].removeprefix(str(tmp_path)) for task in tasks] == [
        "/a.csv:3",
        "/b.json: row 1",
        "/b.json: row 2",
        "/deep/one.json",
    ]


def test_every_bad_row_is_counted_and_the_first_are_shown_with_their_lines(tmp_path):
    bad = [{"question": f"Q{i}", "answer": "#### no number at all \\" + "frac"} for i in range(6)]
    rows = (GSM8K, "", "{no json", "[1]", {"question": "Q", "answer": "7"}, *bad)
    file = jsonl(tmp_path / "tasks.jsonl", *rows)
    with pytest.raises(TaskError) as caught:
        loaded(file)
    lines = str(caught.value).splitlines()
    assert [line.partition(": ")[0] for line in lines[:5]] == [f"{file}:{n}" for n in (3, 4, 5, 6, 7)]
    assert "no JSON" in lines[0]
    assert "not list" in lines[1]
    assert "no '####'" in lines[2]
    assert lines[5:] == [
        "... and 4 more.",
        f"{file}: 9 of 10 rows are no tasks. on_bad='skip' leaves them out.",
    ]
    env = loaded(file, on_bad="skip")
    assert [task.reference for task in env.all_tasks()] == ["7"]
    assert "9 of 10 rows are no tasks and were left out" in env.notes[0]


@pytest.mark.parametrize("verifier", ["math", "number", {"name": "gate", "parts": ["math"]}], ids=str)
@pytest.mark.parametrize("gold", ["\\frac{1}{", "\x00"])
def test_a_gold_that_the_verifier_cannot_read_is_refused(tmp_path, verifier, gold):
    file = jsonl(tmp_path / "tasks.jsonl", {"question": "Q", "answer": gold})
    with pytest.raises(TaskError, match=r"tasks\.jsonl:1: "):
        loaded(file, verifier=verifier, answer_from="plain")


def test_a_repeated_problem_is_left_out_and_a_contradicting_one_is_bad(tmp_path):
    spaced = {**GSM8K, "question": "  " + GSM8K["question"].replace(" ", "  ")}
    env = loaded(jsonl(tmp_path / "same.jsonl", GSM8K, spaced))
    assert len(env.all_tasks()) == 1
    assert "1 of 2 rows repeat a problem" in env.notes[0]
    other = jsonl(tmp_path / "other.jsonl", GSM8K, {**spaced, "answer": "#### 8"})
    with pytest.raises(
        TaskError, match=r"other\.jsonl:2: the problem is that of .*:1, but the answer is '8'"
    ):
        loaded(other)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"file": "{}/taskz.jsonl"}, r"taskz\.jsonl: no such task file\. Did you mean 'tasks\.jsonl'\?"),
        ({"file": "{}/tasks.txt"}, r"a task file ends in \.jsonl, \.json, \.csv, \.parquet"),
        ({"file": "{}/empty.jsonl"}, "there are no rows"),
        ({"file": "{}/broken.parquet"}, r"broken\.parquet: "),
        ({"file": "{}/broken.json"}, r"broken\.json: no JSON"),
        (
            {"file": "{}/odd.jsonl"},
            r"odd\.jsonl:1: no column is known to hold the problem.*found: foo, bar\.",
        ),
        (
            {"file": "{}/odd.jsonl", "prompt_column": "foo", "answer_column": "baz"},
            "there is no column 'baz'. Did you mean 'bar'",
        ),
        ({"file": "{}/tasks.jsonl", "split": "heldout"}, "none of its 1 tasks is in split 'heldout'"),
        ({"file": "{}/tasks.jsonl", "hub": "a/b"}, "file and hub exclude each other"),
        ({"file": "{}/tasks.jsonl", "max_level": 2}, "max_level means something only without file and hub"),
        ({"layout": "aime"}, "layout means something only with file or hub"),
        ({"hub_split": "test"}, "hub_split means something only with hub"),
        ({"min_level": 4}, "min_level 4 is above max_level 3"),
        ({"families": ("fractionz",)}, "Did you mean 'fractions'"),
        ({"verifier": "mat"}, "Did you mean 'math'"),
        ({"verifier": {"names": "math"}}, "name is required"),
    ],
    ids=str,
)
def test_wrong_use_is_said_in_one_line(tmp_path, settings, message):
    # Neither problem is in the held-out split.
    assert not is_heldout(canonical(GSM8K["question"]))
    jsonl(tmp_path / "tasks.jsonl", GSM8K)
    jsonl(tmp_path / "odd.jsonl", {"foo": 1, "bar": 2})
    (tmp_path / "tasks.txt").write_text("x")
    (tmp_path / "empty.jsonl").write_text("\n")
    (tmp_path / "broken.parquet").write_text("PAR1")
    (tmp_path / "broken.json").write_text("[")
    if "file" in settings:
        settings = {**settings, "file": settings["file"].format(tmp_path)}
    with pytest.raises((ConfigError, UnknownNameError), match=message) as caught:
        rlvr_gym.make("math", **settings)
    assert "\n" not in str(caught.value)


def test_a_hub_that_cannot_be_reached_is_said_in_one_line(monkeypatch):
    monkeypatch.setattr("datasets.config.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(ConfigError, match=r"^hub data set nobody/nothing/main \(test\): .*") as caught:
        rlvr_gym.make("math", hub="nobody/nothing", hub_config="main", hub_split="test")
    assert "\n" not in str(caught.value)


def test_a_hub_id_may_be_a_local_data_set(tmp_path, monkeypatch):
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", str(tmp_path / "cache"))
    (tmp_path / "data").mkdir()
    jsonl(tmp_path / "data" / "test.jsonl", GSM8K)
    env = rlvr_gym.make("math", hub=str(tmp_path / "data"), hub_split="test", split="all")
    (task,) = env.all_tasks()
    assert task.reference == "7"
    assert task.public["row"].endswith("(test): row 1")


def test_splits_share_no_problem_and_together_are_the_file(tmp_path):
    rows = [{"question": f"What is {i} + 1?", "answer": f"#### {i + 1}"} for i in range(60)]
    file = jsonl(tmp_path / "tasks.jsonl", *rows)
    parts = {
        split: {task.id for task in loaded(file, split=split).all_tasks()}
        for split in ("train", "heldout", "all")
    }
    assert parts["train"] | parts["heldout"] == parts["all"]
    assert not parts["train"] & parts["heldout"]
    assert len(parts["all"]) == 60


def test_tasks_are_a_shuffle_without_repeats(tmp_path):
    rows = [{"question": f"What is {i} + 1?", "answer": f"#### {i + 1}"} for i in range(40)]
    env = loaded(jsonl(tmp_path / "tasks.jsonl", *rows))
    few, all_of_them = env.tasks(5, seed=3), env.tasks(1000, seed=3)
    assert all_of_them[:5] == few
    assert {task.id for task in all_of_them} == {task.id for task in env.all_tasks()}
    assert all_of_them != env.tasks(1000, seed=4)


def test_a_copy_is_small_and_reads_the_file_again_only_while_it_is_the_same(tmp_path):
    rows = [{"question": f"What is {i} + 1?", "answer": f"#### {i + 1}"} for i in range(2000)]
    file = jsonl(tmp_path / "tasks.jsonl", *rows)
    env = loaded(file)
    copy = pickle.loads(pickle.dumps(env))
    assert len(pickle.dumps(env)) < 10_000
    assert copy.all_tasks() == env.all_tasks()
    again = pickle.loads(pickle.dumps(env))
    jsonl(file, *rows[1:])
    with pytest.raises(ConfigError, match="its tasks changed while the environment was in use"):
        again.all_tasks()


def test_the_instruction_follows_every_problem(tmp_path):
    file = jsonl(tmp_path / "tasks.jsonl", GSM8K)
    assert loaded(file, instruction="Box it.").all_tasks()[0].prompt == f"{GSM8K['question']}\nBox it."


def test_a_column_that_is_no_problem_is_said(tmp_path):
    answered = {
        "prompt": [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "A"}],
        "answer": "1",
    }
    for row, message in [
        (answered, "a message of the role 'assistant'"),
        ({"prompt": [1], "answer": "1"}, "a list, but not of messages"),
        ({"prompt": 5, "answer": "1"}, "'prompt' must be a text, got 5"),
        ({"prompt": "Q", "answer": ["1", "2"]}, "must be a text or a number"),
        ({"prompt": "Q", "answer": True}, "must be a text or a number, got True"),
        ({"prompt": "Q" * 20_000, "answer": "1"}, "the prompt has 20000 characters"),
        ({"prompt": "Q\ud800", "answer": "1"}, "lone surrogate"),
        ({"prompt": "Q", "answer": "\\boxed{1"}, "never ends"),
        ({"problem": "Q", "solution": "Add 3.\nSo it is 5."}, "a solution, not an answer"),
        ({"problem": "Q", "answer": "so " * 200}, "a solution, not an answer"),
    ]:
        with pytest.raises(TaskError, match=message):
            loaded(jsonl(tmp_path / "tasks.jsonl", row))


balanced = st.recursive(
    st.text(alphabet="x1+ \\n", max_size=4),
    lambda inner: st.tuples(inner, inner).map("{{{0[0]}}}{0[1]}".format),
)


@given(balanced, balanced)
def test_the_last_box_is_the_answer_whatever_is_in_it(first, last):
    assert boxed(f"So \\boxed{{{first}}}, no, \\fbox {{{last}}}. Done {{}}.") == last.strip()


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("#### 5", "5"),
        ("7 #### 1 #### -1,234.50", "-1234.50"),
        ("#### 1,2", "1,2"),
        ("####  x = 3 \n", "x = 3"),
    ],
)
def test_what_follows_the_last_hashes_is_the_answer(text, answer):
    assert hashed(text) == answer


@pytest.mark.parametrize(
    ("value", "text"), [(5, "5"), (5.0, "5"), (0.25, "0.25"), (["1/2"], "1/2"), ("$x$", "$x$")]
)
def test_numbers_and_lists_of_one_are_answers(value, text):
    assert plain(value) == text


def test_importing_the_library_loads_no_reader_of_data():
    code = (
        "import sys, rlvr_gym\n"
        "rlvr_gym.make('math', seed=0).reset()\n"
        "print([name for name in ('pyarrow', 'datasets', 'reasoning_gym', 'torch', 'sympy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
