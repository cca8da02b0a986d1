import pytest

from rlvr_gym.repositories.harbor.rewards import read_rewards, verdict_of
from rlvr_gym.types import Status

FAILED, PASSED, UNSUPPORTED = Status.FAILED, Status.PASSED, Status.UNSUPPORTED


@pytest.mark.parametrize(
    ("text", "status", "score"),
    [
        (b"1", PASSED, 1.0),
        (b" 1.0\n", PASSED, 1.0),
        (b"0", FAILED, 0.0),
        (b"0.25\n", FAILED, 0.25),
        (b"0.9999", FAILED, 0.9999),
        (b"", FAILED, 0.0),
        (b"yes", FAILED, 0.0),
        (b"1 1", FAILED, 0.0),
        (b"nan", FAILED, 0.0),
        (b"inf", FAILED, 0.0),
        (b"1e999", FAILED, 0.0),
        (b"\xff\x00", FAILED, 0.0),
        (b"1.5", UNSUPPORTED, None),
        (b"-0.1", UNSUPPORTED, None),
        (b"100", UNSUPPORTED, None),
    ],
)
def test_one_number(text, status, score):
    verdict = verdict_of(read_rewards(None, text))
    assert (verdict.status, verdict.score) == (status, score)


@pytest.mark.parametrize(
    ("text", "status", "score"),
    [
        (b'{"reward": 1}', PASSED, 1.0),
        (b'{"reward": true}', PASSED, 1.0),
        (b'{"accuracy": 0.5}', FAILED, 0.5),
        (b'{"reward": 1, "style": 0.2}', PASSED, 1.0),
        (b'{"reward": 0.5, "style": 1}', FAILED, 0.5),
        (b'{"a": 1, "b": 1}', UNSUPPORTED, None),
        (b"{}", UNSUPPORTED, None),
        (b'{"reward": 7}', UNSUPPORTED, None),
        (b'{"reward": "1"}', FAILED, 0.0),
        (b'{"reward": null}', FAILED, 0.0),
        (b'{"reward": NaN}', FAILED, 0.0),
        (b'{"reward": 1e999}', FAILED, 0.0),
        (b'{"reward": 1, "x": {"y": 1}}', FAILED, 0.0),
        (b'{"reward": ' + b"9" * 5000 + b"}", FAILED, 0.0),
        (b'{"reward": ' + b"9" * 400 + b"}", FAILED, 0.0),
        (b"[" * 100_000, FAILED, 0.0),
        (b"1", FAILED, 0.0),
        (b"[1]", FAILED, 0.0),
        (b"", FAILED, 0.0),
    ],
)
def test_several_numbers(text, status, score):
    verdict = verdict_of(read_rewards(text, b"1"))
    assert (verdict.status, verdict.score) == (status, score)


def test_a_named_number_counts_and_each_is_a_check():
    rewards = read_rewards(b'{"a": 1, "b": 0.5, "reward": 0}', None)
    assert verdict_of(rewards, "a").passed
    verdict = verdict_of(rewards, "b")
    assert (verdict.status, verdict.score) == (FAILED, 0.5)
    assert [(check.name, check.passed) for check in verdict.checks] == [
        ("a", True),
        ("b", False),
        ("reward", False),
    ]
    assert "no number 'c' among the rewards: a, b, reward" in verdict_of(rewards, "c").reason


def test_no_file_is_a_failure_and_says_so():
    verdict = verdict_of(read_rewards(None, None))
    assert (verdict.status, verdict.score) == (FAILED, 0.0)
    assert "neither /logs/verifier/reward.json nor /logs/verifier/reward.txt" in verdict.reason
