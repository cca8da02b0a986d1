import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

GOOD = [
    {"reference": "4", "response": "4", "id": "a"},
    {"reference": "4", "response": "5"},
    {"reference": 4, "response": "?"},
]


def written(path: Path, *rows: object) -> Path:
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return path


def rows_of(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def test_every_row_gets_a_verdict_in_order(shell, tmp_path):
    result = shell("verify", "number", written(tmp_path / "cases.jsonl", *GOOD))
    assert (result.code, result.err) == (0, "")
    assert [(row["id"], row["status"], row["score"]) for row in rows_of(result.out)] == [
        ("a", "passed", 1.0),
        (2, "failed", 0.0),
        (3, "malformed", 0.0),
    ]


def test_verdicts_can_go_to_a_file(call, tmp_path):
    out = tmp_path / "verdicts.jsonl"
    result = call("verify", "number", written(tmp_path / "cases.jsonl", *GOOD), "--out", out)
    assert (result.code, result.out) == (0, "")
    assert len(rows_of(out.read_text())) == 3


def test_cases_can_come_from_a_pipe(shell):
    result = shell("verify", "number", "-", stdin=json.dumps(GOOD[0]) + "\n\n")
    assert result.code == 0
    assert rows_of(result.out)[0]["passed"]


def test_settings_reach_the_verifier(call, tmp_path):
    cases = written(tmp_path / "cases.jsonl", {"reference": "4", "response": "it is 4"})
    assert rows_of(call("verify", "number", cases).out)[0]["status"] == "malformed"
    row = rows_of(call("verify", "number", cases, "--set", "lenient_score=0.5").out)[0]
    assert (row["status"], row["score"]) == ("passed", 0.5)


BAD = {
    "nonsense": "not JSON",
    "[1]": "not a JSON object",
    '{"reference": 4}': "'response' is missing",
    '{"response": "4"}': "'reference' is missing",
    '{"reference": 4, "response": 4}': "'response' must be a text, got int",
    '{"reference": 4, "response": "4", "prompt": 7}': "'prompt' must be a text, got int",
    '{"reference": "four", "response": "4"}': "the reference must be an int or a number",
    "[" * 100_000: "not JSON",
    '{"reference": ' + "9" * 5000 + ', "response": "4"}': "not JSON",
}


@pytest.mark.parametrize("bad", BAD, ids=range(len(BAD)))
def test_a_bad_row_is_named_and_costs_only_itself(call, tmp_path, bad):
    cases = written(tmp_path / "cases.jsonl", GOOD[0], bad, GOOD[1])
    result = call("verify", "number", cases)
    assert result.code == 1
    assert f"{cases}:2: " in result.err
    assert BAD[bad] in result.err
    first, middle, last = rows_of(result.out)
    assert (first["status"], last["status"]) == ("passed", "failed")
    assert middle["status"] is None
    assert BAD[bad] in middle["error"]
    assert result.err.splitlines()[-1] == "1 of 3 rows could not be judged"


def test_bytes_that_are_no_text_are_a_bad_row(call, tmp_path):
    cases = tmp_path / "cases.jsonl"
    cases.write_bytes(b'{"reference": 4, "response": "\xff"}\n' + json.dumps(GOOD[0]).encode())
    result = call("verify", "number", cases)
    assert result.code == 1
    assert [row["status"] for row in rows_of(result.out)] == [None, "passed"]


def test_many_bad_references_keep_the_order(call, tmp_path):
    rows = [{"id": i, "reference": "x" if i % 3 == 0 else "4", "response": str(i % 5)} for i in range(700)]
    result = call("verify", "number", written(tmp_path / "cases.jsonl", *rows))
    found = rows_of(result.out)
    assert [row["id"] for row in found] == list(range(700))
    assert [row["passed"] for row in found] == [i % 3 != 0 and i % 5 == 4 for i in range(700)]


def test_hostile_responses_all_get_a_verdict(call, tmp_path):
    texts = ["", "\x00", "9" * 50_000, "{" * 5000, "\ud800", "<think>", "٤", "__import__('os')", "4\u202e"]
    cases = written(tmp_path / "cases.jsonl", *({"reference": "4", "response": text} for text in texts))
    result = call("verify", "number", cases)
    assert result.code == 0
    assert not any(row["passed"] for row in rows_of(result.out))


def test_a_missing_file_is_one_line(call, tmp_path):
    result = call("verify", "number", tmp_path / "none.jsonl")
    assert (result.code, result.err) == (2, f"error: {tmp_path / 'none.jsonl'}: No such file or directory.\n")


def test_an_unknown_verifier_gets_the_nearest_name(call, tmp_path):
    result = call("verify", "numbr", written(tmp_path / "cases.jsonl", *GOOD))
    assert (result.code, result.err) == (2, "error: No verifier is named 'numbr'. Did you mean 'number'?\n")


def test_the_cases_are_never_replaced(call, tmp_path):
    cases = written(tmp_path / "cases.jsonl", *GOOD)
    before = cases.read_text()
    result = call("verify", "number", cases, "--out", cases)
    assert result.code == 2
    assert "would replace the cases" in result.err
    assert cases.read_text() == before


SLOW = '''
import time
from rlvr_gym.types import Status, Verdict
from rlvr_gym.verifiers import verifier

@verifier("slow_one", timeout_s=30.0)
def slow_one(task, response, config):
    """Wait, then pass."""
    time.sleep(float(response))
    return Verdict.of(Status.PASSED, "waited")
'''


def test_a_verifier_of_ones_own_file_runs_in_the_pool(shell, tmp_path):
    (tmp_path / "my_slow.py").write_text(SLOW)
    cases = written(tmp_path / "cases.jsonl", *({"reference": 0, "response": "0"} for _ in range(5)))
    result = shell("verify", "slow_one", cases, "--file", tmp_path / "my_slow.py")
    assert (result.code, result.err) == (0, "")
    assert [row["status"] for row in rows_of(result.out)] == ["passed"] * 5


def test_ctrl_c_keeps_what_was_judged(tmp_path):
    (tmp_path / "my_slow.py").write_text(SLOW)
    waits = ["0"] * 4 + ["25"] * 4
    cases = written(tmp_path / "cases.jsonl", *({"reference": 0, "response": wait} for wait in waits))
    out = tmp_path / "verdicts.jsonl"
    command = [
        Path(sys.executable).with_name("rlvr-gym"),
        "verify",
        "slow_one",
        cases,
        "--out",
        out,
        "--file",
        tmp_path / "my_slow.py",
    ]
    process = subprocess.Popen(
        [str(part) for part in command],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A test run in the background has Ctrl-C ignored, and its children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (out.exists() and out.read_text().count("\n") == 4):
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.splitlines()[-1] == f"interrupted: 4 verdicts written, kept in {out}"
    assert len(rows_of(out.read_text())) == 4
