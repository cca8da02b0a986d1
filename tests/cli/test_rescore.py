import json
import subprocess
import sys
from pathlib import Path

import pytest

from rlvr_gym.selfplay import train
from rlvr_gym.selfplay.rescoring import rescore
from rlvr_gym.store import RunStore
from rlvr_gym.verifiers import Verifier

RECIPE = {
    "loop": {"name": "rlvr", "prompts": 4, "attempts": 6},
    "environment": {"name": "sums-v0", "digits": 1},
    "steps": 2,
    "policies": {
        "main": {"name": "scripted", "answers": ["It is 7.", "7", "\\boxed{9}", "no idea \x1b[31m"]}
    },
    "evaluation": {"tasks": 2},
}
NOTHING = '''
from rlvr_gym.errors import TaskError
from rlvr_gym.types import Status, Verdict
from rlvr_gym.verifiers import verifier

@verifier("odd_only", bounded=True)
def odd_only(task, response, config):
    """Pass the seven; refuse even references."""
    if int(task.reference) % 2 == 0:
        raise TaskError(f"odd_only: the reference must be odd, got {task.reference}.")
    return Verdict.of(Status.PASSED if "7" in response else Status.UNDECIDED, "looked for a seven")
'''


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("rescore") / "sums-0"
    train(RECIPE, folder=folder)
    return folder


def test_the_same_verifier_changes_nothing(call, run):
    for arguments in ((), ("--verifier", "number")):
        result = call("rescore", run, *arguments)
        assert (result.code, result.err) == (0, "")
        assert "number@" in result.out
        assert ": 0 of 48 verdicts change" in result.out


def test_lenient_settings_pay_sentences_that_the_strict_ones_refused(call, run, tmp_path):
    out = tmp_path / "changes.json"
    before = (run / "run.sqlite").read_bytes()
    result = call("rescore", run, "--verifier", "number", "--set", "lenient_score=0.5", "--json", out)
    assert (result.code, result.err) == (0, "")
    assert (run / "run.sqlite").read_bytes() == before
    report = json.loads(out.read_text())
    assert report["judged"] == 48
    assert report["changed"] == len(report["changes"]) > 0
    for change in report["changes"]:
        assert change["text"] == "It is 7."
        assert change["old"]["status"] == "malformed"
        right = change["reference"] == "7"
        assert (change["new"]["status"], change["new"]["score"]) == (
            ("passed", 0.5) if right else ("failed", 0.0)
        )
    passed = sum(change["new"]["status"] == "passed" for change in report["changes"])
    assert report["transitions"].get("malformed -> passed", 0) == passed
    assert sum(report["transitions"].values()) == 48
    assert "malformed -> failed" in result.out


def test_masked_verdicts_and_tasks_that_cannot_be_judged_are_told_apart(shell, run, tmp_path):
    (tmp_path / "odd_only_plugin.py").write_text(NOTHING)
    result = shell(
        "rescore", run, "--verifier", "odd_only", "--file", tmp_path / "odd_only_plugin.py", "--show", 48
    )
    assert result.code == 1
    assert "undecided masked" in result.out
    assert "-> unjudgeable" in result.out
    assert "odd_only: the reference must be odd" in result.out
    assert "cannot be judged" in result.out.splitlines()[-1]
    assert "\x1b" not in result.out


def test_few_changes_are_shown_and_all_are_counted(call, run):
    lenient = ("--verifier", "number", "--set", "lenient_score=0.5")
    result = call("rescore", run, *lenient, "--show", 1)
    assert result.out.count("It is 7.") == 1
    assert "more; --show and --json give them" in result.out


def test_every_row_names_task_attempt_and_text(run):
    report = rescore(run, Verifier("number", {"lenient_score": 1.0}))
    attempts = {}
    for row in report.rows:
        old = row.old
        assert old.task.verifier == "number"
        assert old.task.prompt.startswith("What is ")
        attempts.setdefault((old.step, old.task.id), []).append(old.attempt)
    # A task may be drawn twice in a step.
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in attempts.values())
    assert {len(numbers) % 6 for numbers in attempts.values()} == {0}


def test_a_run_that_is_being_written_can_be_judged(run):
    script = (
        "import sys; from rlvr_gym.store import RunStore; s = RunStore.open(sys.argv[1]); print(); input()"
    )
    writer = subprocess.Popen(
        [sys.executable, "-c", script, str(run)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        writer.stdout.readline()
        assert len(rescore(run).rows) == 48
    finally:
        writer.communicate(b"\n")


def test_a_role_that_wrote_nothing_is_refused_with_those_that_did(call, run):
    result = call("rescore", run, "--role", "solvr")
    assert result.code == 2
    assert "nothing of role 'solvr' was judged. Did you mean 'solver'?" in result.err


def test_settings_need_a_verifier(call, run):
    assert call("rescore", run, "--set", "lenient_score=1").code == 2


def test_a_folder_without_a_run_is_one_line(call, tmp_path):
    result = call("rescore", tmp_path / "none")
    assert result.code == 2
    assert "there is no run here" in result.err


def test_a_run_without_tasks_says_so(call, made_run):
    result = call("rescore", made_run)
    assert result.code == 2
    assert "did not keep its tasks" in result.err


def test_each_task_is_recorded_once(run):
    with RunStore.open(run, readonly=True) as store:
        posed = store.events("posed")
        judged = store.events("judged")
    assert len({event.key for event in posed}) == len(posed)
    assert {event.payload["posed"] for event in judged} == {event.key for event in posed}
