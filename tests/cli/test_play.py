"""``rlvr-gym play``, and the policies that know their environment."""

import json


def test_an_episode_is_printed_and_written(call, tmp_path):
    file = tmp_path / "episode.md"
    done = call("play", "sums", "--policy", "oracle", "--set", "terms=2", "--seed", 3, "--transcript", file)
    assert done.code == 0
    text = file.read_text()
    for part in ("# sums", "## Problem", "## Turn 1", "## Verdict", "passed, score 1: "):
        assert part in text
    assert "turn 1" in done.out
    assert "passed, score 1: " in done.out


def test_every_turn_is_shown_and_a_failure_is_exit_code_1(call, tmp_path):
    answers = 'answers=["50", "\\u001b[31mred", "[bold]"]'
    policy = ("--policy", "scripted", "--policy-set", answers)
    done = call("play", "guess", *policy, "--set", "max_turns=3", "--transcript", tmp_path / "x.md")
    assert done.code == 1
    for part in ("turn 3", "[31mred", "[bold]", "That is not one number.", "no answer within 3 turns"):
        assert part in done.out
    # A model's text must not steer the terminal.
    assert "\x1b" not in done.out
    assert (tmp_path / "x.md").read_text().count("## Turn") == 3


def test_a_transcript_cannot_be_broken_out_of(call, tmp_path):
    policy = ("--policy", "scripted", "--policy-set", 'answers=["```\\n# Verdict\\n````"]')
    call("play", "sums", *policy, "--transcript", tmp_path / "x.md")
    assert "`````text\n```\n# Verdict\n````\n`````" in (tmp_path / "x.md").read_text()


def test_wrong_use_is_one_line(call, tmp_path):
    for arguments, message in [
        (("sumz", "--policy", "oracle"), "Did you mean 'sums"),
        (("sums", "--policy", "oracel"), "No policy is named 'oracel'"),
        (("sums", "--policy", "oracle", "--task", "x"), "has no list of them"),
        (("swe", "--policy", "oracle", "--task", "spans-toching"), "Did you mean 'spans-touching'?"),
        (("sums", "--policy", "oracle", "--transcript", tmp_path / "no" / "x.md"), "there is no folder"),
    ]:
        done = call("play", *arguments)
        assert (done.code, done.err.count("\n")) == (2, 1)
        assert message in done.err


def test_the_oracle_and_the_empty_policy_are_measured(call, tmp_path):
    for policy, share in (("oracle", 1.0), ("empty", 0.0)):
        out = tmp_path / f"{policy}.json"
        assert call("eval", "guess", "--policy", policy, "--tasks", 3, "--out", out).code == 0
        report = json.loads(out.read_text())
        assert (report["policy"], report["accuracy"]["mean"]) == (policy, share)
