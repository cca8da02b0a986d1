"""The parts of the audit: how right answers are taken apart, what probes are made of them, and what ends a process."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from fractions import Fraction

import pytest

from rlvr_gym.errors import ConfigError, UnknownNameError, UsageError
from rlvr_gym.testing import Example
from rlvr_gym.testing.audit import ALL, audit
from rlvr_gym.testing.audit.families import FAMILIES
from rlvr_gym.testing.audit.functions import adapted
from rlvr_gym.testing.audit.ground import CHANNELS, PLAIN, grounds, number, same_answer, taken_apart
from rlvr_gym.testing.audit.outcome import Outcome
from rlvr_gym.testing.audit.process import Judging, Lost
from rlvr_gym.testing.audit.target import find_target
from rlvr_gym.testing.audit.traces import changed, prepared, state

EXAMPLES = [
    Example("42", "\\boxed{42}", "What is 6 * 7?"),
    Example("-1/3", "-1/3"),
    Example("Paris", "Paris"),
]


def exact(response: str, reference: str) -> float:
    """A reward function that is sound and misbehaves on request."""
    if response == "hang":
        while True:
            pass
    if response == "die":
        sys.stderr.write("last words\n")
        sys.stderr.flush()
        os._exit(7)
    if response == "abort":
        os.kill(os.getpid(), signal.SIGABRT)
    if response == "exit":
        sys.exit("no more")
    if response == "sleep":
        time.sleep(30)
    return float(response == reference)


@pytest.mark.parametrize(
    ("response", "channel", "core"),
    [
        ("42", "plain", "42"),
        ("\\boxed{42}", "boxed", "42"),
        ("\\boxed{\\frac{1}{2}}", "boxed", "\\frac{1}{2}"),
        ("<answer>x</answer>", "tag", "x"),
        ("#### 42", "hashes", "42"),
        ("So it is \\boxed{42}.", "own", "42"),
        ("<think>Well.</think>\n\\boxed{42}", "own", "42"),
        ("<answer>\\boxed{42}</answer>", "own", "42"),
    ],
)
def test_a_right_response_is_taken_apart_and_put_together_again(response, channel, core):
    found, answer = taken_apart(response)
    assert (found.name, answer) == (channel, core)
    assert found.wrap(answer) == response
    assert found.core(response) == core


def test_numbers_are_read_exactly():
    assert number("-1/3") == Fraction(-1, 3)
    assert number("2.50") == Fraction(5, 2)
    assert number("1/0") is None
    assert number("x") is None
    assert number("7" * 1_000) is None
    assert same_answer("0.5", "1/2")
    assert same_answer(" Paris.", "paris")
    assert not same_answer("0.5", "0.51")


def test_no_probe_of_a_wrong_answer_is_right():
    for ground in grounds(EXAMPLES, [CHANNELS] * 3):
        for family in FAMILIES:
            if family.expect != "unpaid" or family.heavy:
                continue
            for probe in family.probes(ground):
                assert probe.text != ground.right, probe
                for channel in CHANNELS:
                    core = channel.core(probe.text)
                    assert core is None or not same_answer(core, ground.core), probe


def test_every_family_has_probes_and_names_are_unique():
    ground = grounds([*EXAMPLES, Example("B", "B", wrong=("C",))], [[PLAIN]] * 4)
    for family in FAMILIES:
        assert any(family.probes(each) for each in ground), family.name
    assert len(set(ALL)) == len(ALL)


def test_what_may_be_right_by_chance_is_left_out():
    (ground, *_) = grounds([Example("7", "7"), EXAMPLES[0]], [[PLAIN], [PLAIN]])
    assert ground.accident("Ticket 7")
    assert ground.accident("\\boxed{7}")
    assert not ground.accident("Ticket 98761")
    others = grounds([Example("1/2", "0.5"), Example("0.5", "1/2"), EXAMPLES[0]], [[PLAIN]] * 3)
    assert others[0].others == ("\\boxed{42}",)


def test_functions_are_called_as_their_trainers_call_them():
    def plain(response, reference):
        return response == reference

    def trl(prompts, completions, solution, **kwargs):
        assert prompts == ["p"]
        return [float(a == b) for a, b in zip(completions, solution, strict=True)]

    def verl(data_source, solution_str, ground_truth, extra_info=None):
        return {"score": float(solution_str == ground_truth), "acc": 0}

    for function in (plain, trl, verl):
        call = adapted(function)
        assert call("p", "a", "a") == 1.0
        assert call("p", "a", "b") == 0.0

    def many(completions):
        return [0.0, 1.0]

    with pytest.raises(TypeError, match="not a list of one reward"):
        adapted(many)("p", "a", "a")
    with pytest.raises(UsageError, match="takes \\(response, reference\\)"):
        adapted(lambda response: 1.0)


def test_a_question_always_ends():
    target = find_target(exact, None, {}, EXAMPLES)
    with Judging(target) as judging:

        def ask(text: str, limit_s: float = 5.0) -> Outcome:
            return Outcome.from_dict(judging.ask("judge", call={"case": 1, "text": text}, limit_s=limit_s))

        assert ask("-1/3").pays()
        assert ask("exit").reason == "SystemExit: no more"
        for text, words, hung in (
            ("hang", "computing", True),
            ("sleep", "no answer within", True),
            ("die", "exited with status 7 \\(last words\\)", False),
            ("abort", "died of SIGABRT", False),
        ):
            with pytest.raises(Lost, match=words) as lost:
                ask(text, limit_s=0.4)
            assert lost.value.hung is hung
            # The next question gets a new process.
            assert not ask("\ud800\x00").pays()


def test_an_outcome_survives_json():
    outcome = Outcome("failed", 0.0, "x" * 1_000, "", 0.5)
    read = Outcome.from_dict(outcome.to_dict())
    assert (read.status, read.score, len(read.reason), read.seconds) == ("failed", 0.0, 500, 0.5)


def test_traces_are_seen_and_the_caller_gets_its_process_back():
    before = prepared()
    try:
        assert changed(before, state()) == {}
        random.seed(0)
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        assert set(changed(before, state())) == {"the state of random", "the caller's own alarm"}
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)


def test_a_sound_function_is_clean_and_wrong_use_is_told():
    report = audit(exact, examples=EXAMPLES[1:2], only=["null", "near miss", "repeats"])
    assert report.clean
    assert [row.family for row in report.rows] == ["null", "near miss", "repeats"]
    with pytest.raises(UsageError, match="give some"):
        audit(exact)
    with pytest.raises(UsageError, match="no settings"):
        audit(exact, settings={"a": 1}, examples=EXAMPLES)
    with pytest.raises(UsageError, match="Did you mean 'near miss'"):
        audit(exact, examples=EXAMPLES, only=["near mis"])
    with pytest.raises(UsageError, match="tasks of its own"):
        audit("sums", examples=EXAMPLES)
    with pytest.raises(ConfigError, match="digit is not a setting"):
        audit("sums", settings={"digit": 1})
    with pytest.raises(UnknownNameError, match="Did you mean 'sums'"):
        audit("summs")


def test_wrong_answers_of_the_user_must_not_be_paid():
    examples = [Example("42", "42", wrong=("42", "41"))]
    report = audit(exact, examples=examples, only=["given wrong"])
    assert [(finding.fault, finding.text) for finding in report.findings] == [("paid", "42")]
    row = report.to_dict()["families"][0]
    assert (row["family"], row["probes"], row["paid"]) == ("given wrong", 2, 1)


def test_a_target_that_cannot_start_is_a_finding(tmp_path, monkeypatch):
    (tmp_path / "stops_at_import.py").write_text(
        "import os\ndef f(a, b): return 0\nif os.environ.get('STOP'): os._exit(1)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    import stops_at_import

    monkeypatch.setenv("STOP", "1")
    report = audit(stops_at_import.f, examples=EXAMPLES)
    assert [(f.fault, f.family) for f in report.findings] == [("crashed", "start")]
