"""``rlvr-gym eval --tasks FILE``."""

import json

ROWS = [{"question": f"What is {i} + {i}?", "answer": f"#### {2 * i}"} for i in range(1, 13)]
SCRIPTED = ("--policy", "scripted", "--policy-set", 'answers=["\\\\boxed{6}"]')


def written(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_every_row_of_a_file_is_played_in_its_order(call, tmp_path):
    file, out = written(tmp_path / "tasks.jsonl", ROWS), tmp_path / "report.json"
    result = call("eval", "math-v0", *SCRIPTED, "--tasks", file, "--out", out)
    assert result.code == 0, result.err
    report = json.loads(out.read_text())
    assert [row["prompt"].splitlines()[0] for row in report["attempts"]] == [row["question"] for row in ROWS]
    assert report["statuses"] == {"failed": 11, "passed": 1}
    assert report["accuracy"]["mean"] == 1 / 12


def test_a_number_of_tasks_with_a_file_as_setting_is_a_sample_of_its_held_out_rows(call, tmp_path):
    file, out = written(tmp_path / "tasks.jsonl", ROWS * 1), tmp_path / "report.json"

    def played(*options):
        result = call("eval", "math-v0", *SCRIPTED, "--set", f"file={file}", *options, "--out", out)
        assert result.code == 0, result.err
        return {row["prompt"] for row in json.loads(out.read_text())["attempts"]}

    heldout, train = played("--tasks", 99), played("--tasks", 99, "--set", "split=train")
    assert heldout.isdisjoint(train)
    assert len(heldout) + len(train) == 12
    assert len(played("--tasks", 5, "--set", "split=all")) == 5


def test_rows_that_were_left_out_are_noted(call, tmp_path):
    file = written(tmp_path / "tasks.jsonl", [*ROWS, ROWS[0], {"question": "Q", "answer": "?"}])
    result = call("eval", "math-v0", *SCRIPTED, "--tasks", file, "--set", "on_bad=skip")
    assert result.code == 0, result.err
    printed = " ".join(result.out.split())
    assert "1 of 14 rows are no tasks and were left out" in printed
    assert "1 of 14 rows repeat a problem" in printed


def test_wrong_files_are_one_line(call, tmp_path):
    file = written(tmp_path / "tasks.jsonl", ROWS)
    for arguments, message in [
        (
            ("math-v0", *SCRIPTED, "--tasks", tmp_path / "task.jsonl"),
            "no such task file. Did you mean 'tasks.jsonl'?",
        ),
        (("math-v0", *SCRIPTED, "--tasks", "12x"), "12x: no such task file"),
        (("math-v0", *SCRIPTED, "--tasks", file, "--set", f"file={file}"), "two task files"),
        (("sums-v0", *SCRIPTED, "--tasks", file), "env 'sums-v0' reads no task files"),
        (("maths", *SCRIPTED, "--tasks", file), "Did you mean 'math'"),
        (("math-v0", *SCRIPTED, "--tasks", "0"), "at least one task"),
    ]:
        result = call("eval", *arguments)
        assert result.code == 2, result.err
        assert message in result.err
        assert result.err.count("\n") == 1
