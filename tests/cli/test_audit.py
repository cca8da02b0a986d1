import json

import pytest

MINE = '''
import re

from rlvr_gym.types import Status, Verdict
from rlvr_gym.verifiers import verifier


def contains(response, reference):
    """Reward the answer anywhere."""
    return float(reference in response)


def exact(response, reference):
    return response.strip() == reference


def gsm8k(completions, answer, **kwargs):
    return [float(re.findall(r"[0-9]+", text)[-1:] == [known]) for text, known in zip(completions, answer)]


@verifier("my_exact", bounded=True)
def my_exact(task, response, config):
    """Pass the reference itself."""
    while response == "+":
        pass
    return Verdict.of(Status.PASSED if response.strip() == str(task.reference) else Status.FAILED, "compared")
'''


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "my_rewards.py"
    path.write_text(MINE)
    return path


@pytest.fixture
def cases(tmp_path):
    path = tmp_path / "cases.jsonl"
    rows = [
        {"reference": "4217", "right": ["4217", " 4217"], "wrong": ["4218"], "prompt": "How many?"},
        {"reference": "60", "right": "60"},
    ]
    path.write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    return path


def test_a_verifier_of_ours_is_clean(call):
    result = call("audit", "number")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("verifier number")
    for family in (
        "right",
        "null",
        "echo",
        "candidates",
        "injection",
        "slow",
        "repeats",
        "threads",
        "asyncio",
    ):
        assert f"\n {family} " in result.out
    assert "nothing found in " in result.out.splitlines()[-1]


def test_an_environment_of_ours_is_clean(call):
    result = call("audit", "sums-v0", "--set", "digits=2", "--only", "right", "--only", "near miss")
    assert (result.code, result.err) == (0, "")
    assert "24 passed" in result.out


def test_a_reward_function_that_looks_for_the_answer_anywhere_is_found_out(shell, mine, cases, tmp_path):
    out = tmp_path / "report.json"
    result = shell("audit", f"{mine}:contains", "--cases", cases, "--json", out, "--show", "1")
    assert (result.code, result.err) == (1, "")
    assert "finding candidates, list, plain: paid wrongly" in result.out
    assert "more in candidates, paid wrongly" in result.out
    report = json.loads(out.read_text())
    assert (report["kind"], report["name"], report["clean"]) == ("function", "contains", False)
    assert {"candidates", "near miss", "in thought"} <= {finding["family"] for finding in report["findings"]}
    finding = next(f for f in report["findings"] if f["family"] == "candidates")
    assert finding["reference"] in finding["text"]


def test_an_exact_reward_function_is_clean(shell, mine, cases):
    result = shell("audit", f"{mine}:exact", "--cases", cases)
    assert (result.code, result.err) == (0, ""), result.out


def test_a_function_of_lists_is_called_with_lists(shell, mine, cases):
    result = shell("audit", f"{mine}:gsm8k", "--cases", cases, "--only", "right", "--only", "in thought")
    assert result.code == 1
    assert "9 paid" in result.out
    assert "finding in thought" in result.out


def test_a_verifier_that_never_returns_costs_a_finding_and_no_more(shell, mine):
    text = "--reference", "4217", "--right", "4217"
    result = shell("audit", "my_exact", "--file", mine, *text, "--only", "null", "--only", "right")
    assert result.code == 0, result.out
    mine.write_text(MINE.replace('"+"', '"N/A"'))
    result = shell("audit", "my_exact", "--file", mine, *text, "--only", "null", "--only", "right")
    assert result.code == 1
    assert "finding null, nonsense: hung" in result.out
    assert '"N/A"' in result.out


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [(("integral",), "verifier"), (("integral-v0",), "env"), (("integral", "--kind", "env"), "env")],
)
def test_a_short_name_is_the_verifiers_and_an_id_the_environments(call, arguments, kind):
    result = call("audit", *arguments, "--only", "empty")
    assert result.code == 0, result.err
    assert result.out.startswith(f"{kind} integral")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nmber",), "Did you mean 'number'?"),
        (("number", "--reference", "1"), "--reference and --right go together"),
        (("number", "--set", "lenient=1"), "lenient is not a setting. Did you mean 'lenient_score'?"),
        (("number", "--only", "nul"), "Did you mean 'null'?"),
        (("integral_setter",), "no environment uses it, so that examples are needed"),
        (("nowhere.py:f",), "nowhere.py: no such Python file."),
    ],
)
def test_wrong_use_is_one_line(call, arguments, message):
    result = call("audit", *arguments)
    assert result.code == 2
    assert message in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{", "cases.jsonl:1: not JSON: {"),
        ('{"right": "1"}', "cases.jsonl:1: a row is an object with 'reference'"),
        ('{"reference": 1, "right": 1}', "'right' must be a text or a list of texts, got 1."),
        ('{"reference": 1, "right": "1", "prompt": 2}', "'prompt' must be a text, got int."),
        ("", "there is no example in it"),
    ],
)
def test_a_row_that_is_no_example_is_named_with_its_line(call, tmp_path, row, message):
    (tmp_path / "cases.jsonl").write_text(row)
    result = call("audit", "number", "--cases", tmp_path / "cases.jsonl")
    assert result.code == 2
    assert message in result.err


def test_a_missing_function_gets_the_nearest(shell, mine):
    result = shell("audit", f"{mine}:contain", "--reference", "1", "--right", "1")
    assert (result.code, result.err) == (
        2,
        f"error: {mine}: there is no function 'contain'. Did you mean 'contains'?\n",
    )
