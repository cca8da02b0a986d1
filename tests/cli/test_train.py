import json
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

RECIPE = """
loop = { name = "vhg", parents = 1, siblings = 2, attempts = 2, practice = 1, practice_attempts = 2 }
environment = { name = "integral-v0", families = ["table_sum"], style = "compact" }
steps = 3
checkpoint_every = 2
threads = 1
[policies]
main = { name = "tiny", layers = 1, width = 16, heads = 2 }
[sampling]
max_new_tokens = 6
[warm_start]
examples = 8
steps = 2
batch_size = 4
warmup_steps = 0
[evaluation]
tasks = 3
proposals = 3
"""
DEMO = (
    *("--set", "policies.main={name='tiny', layers=1, width=16, heads=2}", "--set", "steps=2"),
    *("--set", "warm_start.steps=2", "--set", "warm_start.warmup_steps=0", "--set", "warm_start.examples=8"),
    *(
        "--set",
        "loop.parents=1",
        "--set",
        "loop.siblings=2",
        "--set",
        "loop.attempts=2",
        "--set",
        "loop.practice=1",
    ),
    *("--set", "evaluation.tasks=3", "--set", "evaluation.proposals=3", "--set", "sampling_of={}"),
)


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(RECIPE)
    return path


def commits(folder: Path) -> list[tuple]:
    with sqlite3.connect(f"file:{folder / 'run.sqlite'}?mode=ro", uri=True) as connection:
        rows = connection.execute(
            "SELECT payload FROM event WHERE kind = 'update_done' ORDER BY step"
        ).fetchall()
    connection.close()
    return [json.loads(payload)["fingerprint"] for (payload,) in rows]


def test_a_recipe_is_run_and_leaves_its_folder(shell, recipe, tmp_path):
    result = shell("train", recipe, "--set", "seed=7", cwd=tmp_path)
    assert result.code == 0, result.err
    folder = tmp_path / "runs" / "small-7"
    assert "held-out accuracy" in result.out
    assert "valid proposals" in result.out
    assert result.out.rstrip().endswith(f"page: {Path('runs') / 'small-7' / 'page.html'}")
    summary = json.loads((folder / "summary.json").read_text())
    for name in ("heldout_before", "heldout_after", "valid_before_interval", "valid_after_interval"):
        assert summary[name]["low"] <= summary[name]["mean"] <= summary[name]["high"]
    assert summary["valid_before"] == summary["valid_before_interval"]["mean"]
    assert summary["steps"] == 3
    assert summary["seconds"] > 0
    assert "<title>vhg on integral-v0</title>" in (folder / "page.html").read_text()
    assert shell("accounts", folder, "--files").code == 0


def test_an_existing_run_is_never_overwritten(call, recipe, tmp_path):
    assert call("train", recipe, "--out", tmp_path / "run", "--set", "steps=1").code == 0
    before = commits(tmp_path / "run")
    result = call("train", recipe, "--out", tmp_path / "run", "--set", "steps=1")
    assert result.code == 2
    assert "there is a run here already" in result.err
    assert result.err.count("\n") == 1
    assert commits(tmp_path / "run") == before


def test_a_run_that_is_extended_equals_one_that_went_through(call, recipe, tmp_path):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    assert call("train", recipe, "--out", whole).code == 0
    assert call("train", recipe, "--out", parts, "--set", "steps=2").code == 0
    assert call("train", recipe, "--out", parts, "--resume").code == 0
    assert commits(parts) == commits(whole)
    assert len(commits(whole)) == 4


def test_resuming_needs_a_run(call, recipe, tmp_path):
    result = call("train", recipe, "--out", tmp_path / "none", "--resume")
    assert result.code == 2
    assert "there is no run here" in result.err


def test_resuming_with_other_settings_is_refused(call, recipe, tmp_path):
    assert call("train", recipe, "--out", tmp_path / "run", "--set", "steps=1").code == 0
    result = call("train", recipe, "--out", tmp_path / "run", "--resume", "--set", "loop.attempts=3")
    assert result.code == 2
    assert "attempts" in result.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--set", "stepz=3"), "stepz is not a setting. Did you mean 'steps'?"),
        (("--set", "steps=0"), "greater than 0"),
        (("--set", "loop.name=vgh"), "Did you mean 'vhg'?"),
        (("--set", "steps"), "write it as a.b=value"),
    ],
)
def test_a_wrong_setting_is_one_line(call, recipe, tmp_path, arguments, message):
    result = call("train", recipe, "--out", tmp_path / "run", *arguments)
    assert result.code == 2
    assert message in result.err
    assert result.err.count("\n") == 1


def test_a_missing_recipe_gets_the_nearest(call, recipe, tmp_path):
    result = call("train", tmp_path / "smal.toml")
    assert result.code == 2
    assert "no such file. Did you mean 'small.toml'?" in result.err


def test_ctrl_c_keeps_the_run_and_says_how_to_go_on(recipe, tmp_path):
    recipe.write_text(RECIPE.replace("steps = 3", "steps = 100000"))
    folder = tmp_path / "run"
    command = [Path(sys.executable).with_name("rlvr-gym"), "train", recipe, "--out", folder]
    process = subprocess.Popen(
        [str(part) for part in command],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A test run in the background has Ctrl-C ignored, and its children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not ((folder / "run.sqlite").exists() and len(commits(folder)) > 2):
        time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"interrupted: everything settled so far is kept in {folder}" in err
    assert err.splitlines()[-1] == f"go on with: rlvr-gym train {recipe} --out {folder} --resume"
    assert "Traceback" not in err
    before = commits(folder)
    resumed = subprocess.run(
        [*map(str, command), "--resume", "--set", f"steps={len(before)}"],
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert resumed.returncode == 0, resumed.stderr
    assert commits(folder)[: len(before)] == before
    assert len(commits(folder)) == len(before) + 1


def test_the_demo_prints_before_and_after(shell, tmp_path):
    result = shell("demo", *DEMO, cwd=tmp_path)
    assert result.code == 0, result.err
    assert "warm start: " in result.out
    assert "held-out accuracy" in result.out
    assert "valid proposals" in result.out
    assert (tmp_path / "runs" / "demo" / "page.html").exists()
    summary = json.loads((tmp_path / "runs" / "demo" / "summary.json").read_text())
    assert {"heldout_before", "heldout_after", "valid_before", "valid_after", "seconds"} <= set(summary)


def test_a_second_demo_takes_a_folder_of_its_own(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for expected in ("demo", "demo-2"):
        assert call("demo", *DEMO).code == 0
        assert (tmp_path / "runs" / expected / "summary.json").exists()
