"""Verifiers made of verifiers: what each combination says, worked by hand."""

import asyncio
import math
import pickle
import threading
import time
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from rlvr_gym.config import Config
from rlvr_gym.envs import SingleTurnEnv
from rlvr_gym.errors import ConfigError, TaskError
from rlvr_gym.metrics import signal_density
from rlvr_gym.types import Check, Status, Task, Verdict
from rlvr_gym.verifiers import VERIFIERS, Verifier, verifier
from rlvr_gym.verifiers.pool import VerifierPool
from rlvr_gym.verifiers.ranges import PASS_OR_FAIL, ScoreRange


class Says(Config):
    """Settings of the verifiers below."""

    status: Status = Status.PASSED
    """What it says."""
    score: float | None = None
    """With which score."""
    label: str = "hard"
    """With which label."""
    checks: tuple[bool, ...] = ()
    """With which checks."""


ASKED: list[object] = []


def says(task: Task, response: str, config: Says) -> Verdict:
    """Say what the settings say, and keep the reference."""
    ASKED.append(task.reference)
    checks = tuple(Check(f"test {i}", passed) for i, passed in enumerate(config.checks))
    verdict = Verdict.of(config.status, f"says {config.status}", label=config.label, checks=checks)
    if config.score is None:
        return verdict
    return Verdict(config.status, config.score, verdict.reason, checks=checks, label=verdict.label)


def naps(task: Task, response: str, config: Says) -> Verdict:
    """Say it from a worker, after a while that the response may name."""
    time.sleep(float(response or 0.0))
    return Verdict.of(config.status, "awake")


REGISTERED: dict[str, tuple[Any, dict[str, Any]]] = {
    "test_says": (says, {"bounded": True}),
    "test_naps": (naps, {"timeout_s": 0.4}),
}


@pytest.fixture(scope="module", autouse=True)
def _registered() -> Iterator[None]:
    VERIFIERS.load()
    for name, (judge, rules) in REGISTERED.items():
        verifier(name, config=Says, **rules)(judge)
    yield
    for name in REGISTERED:
        del VERIFIERS._entries[name]


def part(status: str = "passed", score: float | None = None, **more: Any) -> dict[str, Any]:
    """Return the table of a part that says ``status``, named after it unless told otherwise."""
    settings = {key: more.pop(key) for key in ("label", "checks") if key in more}
    table = {"name": "test_says", "status": status, "score": score, **settings}
    return {"verifier": table, "name": status, **more}


def judged(name: str, *parts: Any, reference: Any = None, **settings: Any) -> Verdict:
    return Verifier(name, {"parts": parts, **settings}).check(Task("t", "", reference=reference), "")


def test_a_weighted_sum_is_the_mean_by_weights_when_the_first_part_passes():
    verdict = judged("weighted_sum", part(name="right", weight=9), part("failed", name="form"))
    assert (verdict.status, verdict.score) == (Status.PASSED, 0.9)
    assert verdict.reason == "9 * right 1 + 1 * form 0"
    half = judged("weighted_sum", part(score=0.5, weight=3), part("failed", 0.25, weight=1))
    assert half.score == (3 * 0.5 + 0.25) / 4


def test_a_wrong_answer_earns_nothing_for_its_form_unless_the_settings_say_so():
    parts = part("failed", name="right", weight=9), part(name="form")
    verdict = judged("weighted_sum", *parts)
    assert (verdict.status, verdict.score, verdict.reason) == (Status.FAILED, 0.0, "right: says failed")
    paid = judged("weighted_sum", *parts, partial=True)
    assert (paid.status, paid.score) == (Status.FAILED, 0.1)


def test_only_a_failed_verdict_carries_marks():
    form = part(name="form")
    assert judged("weighted_sum", part("malformed"), form).status is Status.MALFORMED
    assert judged("weighted_sum", part("malformed"), form, partial=True).status is Status.FAILED
    nothing = judged("weighted_sum", part("malformed"), part("failed"), partial=True)
    assert (nothing.status, nothing.score) == (Status.MALFORMED, 0.0)


def test_whoever_is_required_must_pass_and_else_the_first():
    good, bad = part(), part("failed")
    assert not judged("weighted_sum", bad, good).passed
    assert judged("weighted_sum", bad, good | {"required": True}).passed
    assert not judged("weighted_sum", bad | {"required": True}, good | {"required": True}).passed


@pytest.mark.parametrize("status", ["undecided", "unsupported", "timeout", "infrastructure"])
def test_a_part_without_a_decision_is_never_a_zero(status):
    for name in ("weighted_sum", "gate"):
        for parts in ((part(), part(status)), (part(status), part())):
            verdict = judged(name, *parts)
            assert (str(verdict.status), verdict.score) == (status, None)
    optional = judged("weighted_sum", part("failed"), part(status), partial=True)
    assert str(optional.status) == status


@pytest.mark.parametrize("name", ["weighted_sum", "gate"])
def test_what_fails_in_any_case_is_decided_without_the_undecided(name):
    required = {"required": True} if name == "weighted_sum" else {}
    for first, second in [("failed", "timeout"), ("infrastructure", "failed")]:
        verdict = judged(name, part(first, **required), part(second, **required))
        assert (verdict.status, verdict.score) == (Status.FAILED, 0.0)


def test_the_most_serious_reason_for_no_decision_stands():
    parts = [part(status) for status in ("undecided", "unsupported", "infrastructure", "timeout")]
    assert judged("gate", *parts[:2]).status is Status.UNDECIDED
    assert judged("gate", *parts[1::2]).status is Status.TIMEOUT
    assert judged("gate", *parts).status is Status.INFRASTRUCTURE
    assert judged("weighted_sum", *parts).status is Status.INFRASTRUCTURE
    assert judged("first_decisive", *parts[1::-1]).status is Status.UNDECIDED


def test_a_gate_multiplies_and_stops_at_the_first_failure():
    verdict = judged("gate", part(score=0.5, name="a"), part(score=0.25, name="b"))
    assert (verdict.status, verdict.score, verdict.reason) == (Status.PASSED, 0.125, "all 2 parts pass")
    stopped = judged("gate", part(), part("malformed", name="form"), part("failed"))
    assert (stopped.status, stopped.score) == (Status.MALFORMED, 0.0)
    assert stopped.reason == "form: says malformed"
    assert [check.name for check in stopped.checks] == ["passed", "form"]
    assert judged("gate", part("failed", 0.75)).score == 0.0


def test_the_first_who_can_tell_decides():
    verdict = judged("first_decisive", part("undecided"), part("failed", 0.5, label="soft"), part())
    assert (verdict.status, verdict.score, verdict.label) == (Status.FAILED, 0.5, "soft")
    assert [str(each.status) for each in verdict.parts] == ["undecided", "failed"]
    assert judged("first_decisive", part("malformed"), part()).status is Status.MALFORMED


@pytest.mark.parametrize("status", ["timeout", "infrastructure"])
def test_a_failure_of_ours_hands_no_decision_on_unless_told_to(status):
    verdict = judged("first_decisive", part(status), part())
    assert (str(verdict.status), len(verdict.parts)) == (status, 1)
    assert judged("first_decisive", part(status), part(), pass_on=[status]).passed
    assert str(judged("first_decisive", part("undecided"), part(), pass_on=[status]).status) == "undecided"


def rated(status: str, checks: list[bool], mode: str, score: float | None = None) -> Verdict:
    table = part(status, score, checks=checks)["verifier"]
    return Verifier("pass_rate", {"verifier": table, "mode": mode}).check(Task("t", ""), "")


def test_a_pass_rate_pays_the_share_or_all_of_it():
    some, every = [True, True, False, True], [True, True]
    assert (rated("failed", some, "rate").score, rated("failed", some, "all").score) == (0.75, 0.0)
    assert rated("failed", some, "rate").status is Status.FAILED
    for mode in ("rate", "all"):
        verdict = rated("passed", every, mode, score=0.5)
        assert (verdict.status, verdict.score, verdict.reason) == (Status.PASSED, 1.0, "2 of 2 checks pass")
        assert [check.name for check in verdict.checks] == ["test 0", "test 1"]
        assert verdict.parts[0].verifier == "test_says@1"
    assert rated("passed", some, "rate").status is Status.FAILED


def test_a_pass_rate_pays_nothing_for_what_no_check_names():
    assert rated("failed", [True, True], "rate").score == 0.0
    assert rated("over_limit", [True, False], "rate").status is Status.OVER_LIMIT
    assert (rated("failed", [], "rate").score, rated("passed", [], "rate").score) == (0.0, 1.0)
    assert rated("timeout", [True], "rate").status is Status.TIMEOUT


def test_the_density_counts_groups_that_carry_a_signal():
    groups = [[1.0, 0.5, None], [0.0, 0.0], [None, None], [1.0, None]]
    assert signal_density(groups) == 1 / 3
    assert signal_density([[None]]) is None


def test_sub_verdicts_stay_visible_through_every_level():
    inner = {"name": "gate", "parts": [part(name="a"), part("failed", name="b")]}
    verdict = judged("weighted_sum", part(name="right"), {"verifier": inner, "name": "form"})
    assert [each.verifier for each in verdict.parts] == ["test_says@1", "gate@1"]
    assert [each.reason for each in verdict.parts[1].parts] == ["says passed", "says failed"]
    assert verdict.checks == (
        Check("right", True, "passed: says passed"),
        Check("form", False, "failed: b: says failed"),
    )
    assert Verdict.from_dict(verdict.to_dict()) == verdict


def test_the_label_is_the_weakest_that_the_score_rests_on():
    for name in ("gate", "weighted_sum"):
        assert judged(name, part(name="a"), part(label="soft")).label == "soft"
        assert judged(name, part(label="pseudo", name="a"), part(label="soft")).label == "pseudo"
    assert judged("gate", part(label="soft"), part("failed")).label == "hard"


def test_a_part_may_judge_against_one_key_of_the_reference():
    ASKED.clear()
    judged("gate", part(name="all"), part(reference="b"), reference={"a": 1, "b": [2]})
    assert ASKED == [{"a": 1, "b": [2]}, [2]]


def test_a_reference_that_a_part_cannot_use_names_the_part():
    numbers = {"verifier": "number", "reference": "answer"}
    with pytest.raises(
        TaskError, match=r"part 'number': the reference must be a table with 'answer', it has \['b'\]"
    ):
        judged("gate", numbers, reference={"b": 1})
    with pytest.raises(
        TaskError, match="part 'number': the reference must be a table with 'answer', it is 3"
    ):
        judged("gate", numbers, reference=3)
    nested = {"verifier": {"name": "gate", "parts": ["number"]}, "name": "inner"}
    with pytest.raises(
        TaskError, match="part 'inner': part 'number': verifier 'number': the reference must be"
    ):
        judged("weighted_sum", nested, reference=[])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, r"verifier 'gate'.parts is required"),
        ({"parts": []}, "name at least one part"),
        ({"parts": ["nubmer"]}, r"parts\.0\.verifier: .*Did you mean 'number'\?$"),
        ({"parts": ["number", "number"]}, "two parts are called 'number'"),
        ({"parts": [{"verifier": {"lenient_score": 1}}]}, r"parts\.0\.verifier: it\.name is required"),
        (
            {"parts": [{"verifier": {"name": "number", "lenient": 1}}]},
            r"^verifier 'gate'.parts.0.verifier: verifier 'number'.lenient is not a setting. Did you mean 'lenient_score'\?$",
        ),
        (
            {"parts": [{"verifier": "number", "refrence": "a"}]},
            r"^.*parts\.0\.refrence .* Did you mean 'reference'\?$",
        ),
    ],
)
def test_a_wrong_setting_says_where_and_what_is_right(settings, message):
    with pytest.raises(ConfigError, match=message):
        Verifier("gate", settings)


def spans(name: str, *parts: Any, **settings: Any) -> ScoreRange:
    return Verifier(name, {"parts": parts, **settings}).range


def test_the_range_follows_from_the_settings():
    number = {"verifier": "number", "weight": 9}
    lenient = {"verifier": {"name": "number", "lenient_score": 0.5}, "name": "lenient", "weight": 9}
    form = {"verifier": "format"}
    assert Verifier("number").range == PASS_OR_FAIL
    assert spans("weighted_sum", number, form) == ScoreRange((0.9, 1.0), (0.0, 0.0))
    assert spans("weighted_sum", lenient, form) == ScoreRange((0.45, 1.0), (0.0, 0.0))
    assert spans("weighted_sum", number, form, partial=True) == ScoreRange((0.9, 1.0), (0.0, 0.1))
    either = [each | {"required": True, "weight": weight} for each, weight in ((number, 3), (form, 1))]
    assert spans("weighted_sum", *either, partial=True) == ScoreRange((1.0, 1.0), (0.0, 0.75))
    lenient.pop("weight")
    assert spans("gate", lenient, form) == ScoreRange((0.5, 1.0), (0.0, 0.0))
    rate = {"verifier": {"name": "pass_rate", "verifier": "format", "mode": "rate"}}
    assert spans("first_decisive", lenient, rate) == ScoreRange((0.5, 1.0), (0.0, 1.0))
    assert Verifier("pass_rate", {"verifier": "format"}).range == PASS_OR_FAIL
    assert str(spans("weighted_sum", number, form)) == "0.9 to 1 when passed, 0 otherwise"
    assert (spans("gate", part()).low, spans("gate", part()).high) == (0.0, 1.0)


def test_parts_keep_their_own_limits_and_the_pool_they_were_given():
    parts = [part(), {"verifier": "test_naps"}]
    with VerifierPool(workers=1) as pool:
        gate = Verifier("gate", {"parts": parts}, pool=pool)
        assert gate.check(Task("t", ""), "").passed
        late = gate.check(Task("t", ""), "30")
        assert (late.status, late.seconds < 5.0) == (Status.TIMEOUT, True)
        assert pool.stats().killed == 1


def test_asyncio_sees_the_same_verdict_and_is_not_held_up():
    gate = Verifier("gate", {"parts": [part(), {"verifier": "test_naps"}]})
    alone = gate.check(Task("t", ""), "0.2")
    ticks = []

    async def both() -> Verdict:
        judging = asyncio.ensure_future(gate.acheck(Task("t", ""), "0.2"))
        while not judging.done():
            ticks.append(threading.get_ident())
            await asyncio.sleep(0.01)
        return await judging

    assert asyncio.run(both()) == alone
    assert len(ticks) > 3


def test_cancelling_ends_the_work_of_a_part_at_once():
    with VerifierPool(workers=1) as pool:
        gate = Verifier("gate", {"parts": [{"verifier": "test_naps"}]}, pool=pool)

        async def given_up() -> None:
            judging = asyncio.ensure_future(gate.acheck(Task("t", ""), "0.3"))
            await asyncio.sleep(0.1)
            judging.cancel()
            with pytest.raises(asyncio.CancelledError):
                await judging

        asyncio.run(given_up())
        assert gate.check(Task("t", ""), "").passed


def test_many_cases_come_back_in_order():
    sums = Verifier("weighted_sum", {"parts": ["number", {"verifier": "format", "weight": 0.25}]})
    cases = [(Task(str(i), "", reference=i), str(i if i % 3 else -1)) for i in range(100)]
    assert list(sums.check_many(cases)) == [sums.check(*case) for case in cases]


TOML = """
name = "weighted_sum"
partial = false

[[parts]]
verifier = "number"
name = "correct"
weight = 0.9

[[parts]]
verifier = {name = "format", tags = ["think"], box = true, text_before = true}
weight = 0.1
"""


class Doubling(SingleTurnEnv):
    """Double a number; the reward is read from TOML."""

    def __init__(self) -> None:
        settings = tomllib.loads(TOML)
        super().__init__(settings.pop("name"), settings)

    def draw(self, rng: Any) -> Task:
        number = int(rng.integers(100))
        return Task(id=str(number), prompt=f"Twice {number}?", reference=2 * number)


def test_an_environment_takes_a_composed_reward_from_toml():
    env = pickle.loads(pickle.dumps(Doubling()))
    rewards = []
    for answer in ("<think>twice</think>\\boxed{{{}}}.", "{}", "<think>twice</think>\\boxed{{-{}}}"):
        env.reset(seed=3)
        _, reward, terminated, _, info = env.step(answer.format(env.task.reference))
        rewards.append(reward)
        assert terminated
    assert rewards == [1.0, 0.9, 0.0]
    assert [check.name for check in info["verdict"].checks] == ["correct", "format"]


def test_an_environment_masks_what_a_part_leaves_undecided():
    class Masking(Doubling):
        def __init__(self) -> None:
            SingleTurnEnv.__init__(self, "gate", {"parts": ["number", part("undecided")]})

    env = Masking()
    env.reset(seed=1)
    _, reward, terminated, truncated, info = env.step(str(env.task.reference))
    assert math.isnan(reward)
    assert (terminated, truncated, info["masked"]) == (False, True, True)
