"""Claims that hold for every registered environment, and for each of its modes."""

import functools
from pathlib import Path

import pytest

from rlvr_gym.config import Config
from rlvr_gym.envs import ENVS, SingleTurnEnv, make, register
from rlvr_gym.errors import UnknownNameError
from rlvr_gym.testing import ENVIRONMENT_CONTRACTS, check_environment, require
from rlvr_gym.testing.audit import ALL, audit
from rlvr_gym.types import Task

WORD_PROBLEMS = Path(__file__).parents[2] / "examples" / "tasks" / "word_problems.jsonl"
FUNCTIONS = Path(__file__).parents[2] / "examples" / "tasks" / "functions.jsonl"
MODES = {
    "sums-v0": [
        {"terms": 4, "digits": 3, "operators": ("+", "-", "*"), "style": "compact", "lenient_score": 0.5}
    ],
    "integral-v0": [{"min_level": 4, "max_level": 5, "style": "compact"}, {"split": "heldout"}],
    "math-v0": [
        {"min_level": 4, "max_level": 5, "instruction": ""},
        {"file": WORD_PROBLEMS, "verifier": {"name": "number", "lenient_score": 0.5}},
    ],
    "reasoning_gym-v0": [{"dataset": "kakurasu", "partial": True}],
    "code-v0": [
        {"min_level": 4, "max_level": 5, "instruction": ""},
        {"file": FUNCTIONS, "verifier": {"name": "pass_rate", "verifier": "code", "mode": "rate"}},
    ],
    "guess-v0": [{"low": 0, "high": 1, "max_turns": 2}],
    "kg-v0": [
        {"graph": "permutations", "wording": "codes"},
        {"mode": "open", "images": True, "gate": {"answers": "set"}, "inverse": True},
        {"mode": "retrieval", "max_turns": 4},
    ],
}
CASES = [(id, settings) for id in ENVS for settings in ({}, *MODES.get(id, []))]


@pytest.mark.parametrize("contract", ENVIRONMENT_CONTRACTS)
@pytest.mark.parametrize(("id", "settings"), CASES, ids=str)
def test_environment(id, settings, contract):
    ENVIRONMENT_CONTRACTS[contract](functools.partial(_made, id, settings))


def _made(id, settings, **changed):
    return make(id, **{**settings, **changed})


LEFT_OUT = {
    # Many numbers meet a specification: another one's answer may, or the digits of the right one turned round.
    "constraints-v0": {"near miss", "other task"},
    "small_verus-v0": {"near miss", "other task"},
    # Code is a block: a number above or below it is a remark, not another answer.
    "code-v0": {"candidates", "changed answer"},
    "verus-v0": {"candidates", "changed answer"},
    # The same. What runs a suite for every question, some dozens of times, is left to the tests of this environment.
    "swe-v0": {*ALL} - {"right after thought", "null", "empty", "form only", "in thought", "injection"},
}
AUDITED = {"swe-v0": {"settings": {"ids": ("spans-touching",)}, "limit_s": 30.0}}


@pytest.mark.parametrize("id", ENVS)
def test_the_audit_finds_nothing(id):
    only = [family for family in ALL if family not in LEFT_OUT.get(id, ())]
    report = audit(id, kind="env", only=only, **AUDITED.get(id, {}))
    assert report.findings == []
    assert report.clean


class LeakyConfig(Config):
    split: str = "train"


class LeakyEnv(SingleTurnEnv):
    """Shows its answer, knows a wrong one, ignores its seed and has one split only."""

    def __init__(self, config):
        super().__init__("number")
        self.config = config
        self.count = 0

    def draw(self, rng):
        self.count += 1
        return Task(id=str(self.count % 9), prompt="What?", reference=self.count)

    def reset(self, *, seed=None, options=None):
        observation, info = super().reset(seed=seed, options=options)
        return observation, {**info, "hint": self.task.reference}

    def oracle(self, task):
        return str(task.reference + 1)


@pytest.fixture
def leaky():
    register("test_leaky", LeakyEnv, LeakyConfig)
    yield "test_leaky-v0"
    del ENVS._entries["test_leaky-v0"]


def test_a_bad_environment_fails_the_checks_that_it_breaks(leaky):
    results = {check.name: check for check in check_environment(leaky)}
    assert set(results) == set(ENVIRONMENT_CONTRACTS)
    broken = {name for name, check in results.items() if not check.passed}
    assert {"the_reference_is_hidden", "the_oracle_scores_1", "splits_share_no_task"} <= broken
    assert "same_seed_same_episode" in broken
    assert "hostile_answers_get_verdicts" not in broken
    assert "earned 0.0" in results["the_oracle_scores_1"].detail
    with pytest.raises(AssertionError, match=r"(?s)the_reference_is_hidden: .*depends on its reference"):
        require(results.values())


def test_a_good_environment_passes_all_checks():
    checks = check_environment("sums", digits=2)
    require(checks)
    assert next(check.detail for check in checks if check.name == "the_oracle_scores_1") == "12 answers"


def test_an_unknown_environment_is_refused():
    with pytest.raises(UnknownNameError, match="Did you mean 'sums'"):
        check_environment("summs")
