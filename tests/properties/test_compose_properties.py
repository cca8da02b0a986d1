"""Claims about combined verdicts, whatever their parts say."""

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rlvr_gym.metrics import signal_density
from rlvr_gym.types import DECIDED, Check, Status, Task, Verdict
from rlvr_gym.verifiers import Verifier
from rlvr_gym.verifiers.first_decisive import FirstDecisive, first_decisive, first_range
from rlvr_gym.verifiers.gate import Gate, gate, gate_range
from rlvr_gym.verifiers.pass_rate import PassRate, pass_rate
from rlvr_gym.verifiers.ranges import ScoreRange
from rlvr_gym.verifiers.weighted_sum import WeightedSum, weighted_range, weighted_sum

shares = st.floats(0.0, 1.0, allow_subnormal=False)
weights = st.floats(1e-3, 1e3)


@st.composite
def verdicts(draw, statuses=tuple(Status)):
    status = draw(st.sampled_from(statuses))
    score = draw(shares) if status in {Status.PASSED, Status.FAILED} else None
    verdict = Verdict.of(status, "said")
    return verdict if score is None else Verdict(status, score, "said")


several = st.lists(verdicts(), min_size=1, max_size=5)


def named(num, **more):
    """Return the tables of ``num`` parts; what they would judge with does not matter here."""
    return [
        {"verifier": "number", "name": f"part {i}"} | {k: v[i] for k, v in more.items()} for i in range(num)
    ]


def combine(rule, said, config):
    """Ask one part after another, as a composed verifier does."""
    for num in range(1, len(said) + 1):
        verdict = rule(said[:num], config)
        if verdict is not None:
            return verdict
    raise AssertionError("nothing decided")


@st.composite
def sums(draw):
    said = draw(several)
    num = len(said)
    table = named(
        num,
        weight=draw(st.lists(weights, min_size=num, max_size=num)),
        required=draw(st.lists(st.booleans(), min_size=num, max_size=num)),
    )
    return said, WeightedSum(parts=table, partial=draw(st.booleans()))


def exact_range(verdict):
    """Return the narrowest range of a part that says this: the hardest test for a combined range."""
    if verdict.score is None:
        return ScoreRange()
    point = (verdict.score, verdict.score)
    return ScoreRange(passed=point, failed=point)


@given(sums())
def test_a_weighted_sum_lies_in_its_range(case):
    said, config = case
    verdict = combine(weighted_sum, said, config)
    assert weighted_range([exact_range(each) for each in said], config).holds(verdict)


@given(several)
def test_a_gate_and_the_first_decisive_lie_in_their_ranges(said):
    table = named(len(said))
    ranges = [exact_range(each) for each in said]
    for rule, span, config in (
        (gate, gate_range, Gate(parts=table)),
        (first_decisive, first_range, FirstDecisive(parts=table, pass_on=["timeout", "infrastructure"])),
    ):
        assert span(ranges, config).holds(combine(rule, said, config))


@given(several, st.randoms(use_true_random=False))
def test_the_order_of_equal_parts_changes_no_score(said, random):
    shuffled = list(said)
    random.shuffle(shuffled)
    for partial in (False, True):
        config = WeightedSum(parts=named(len(said), required=[True] * len(said)), partial=partial)
        before, after = (combine(weighted_sum, each, config) for each in (said, shuffled))
        assert before.score == after.score
        assert before.passed == after.passed
    config = Gate(parts=named(len(said)))
    before, after = (combine(gate, each, config) for each in (said, shuffled))
    assert (before.score, before.passed, before.decided) == (after.score, after.passed, after.decided)


@given(several)
def test_a_gate_is_the_least_of_its_parts(said):
    verdict = combine(gate, said, Gate(parts=named(len(said))))
    # Proven wrong is less than unknown, which is less than right.
    order = [1 if each.passed else 0 if not each.decided else -1 for each in said]
    assert (1 if verdict.passed else 0 if not verdict.decided else -1) == min(order)
    if verdict.passed:
        assert verdict.score <= min(each.score for each in said)


@given(several, several)
def test_gates_nest(left, right):
    flat = combine(gate, left + right, Gate(parts=named(len(left) + len(right))))
    inner = [combine(gate, each, Gate(parts=named(len(each)))) for each in (left, right)]
    nested = combine(gate, inner, Gate(parts=named(2)))
    assert (nested.passed, nested.decided) == (flat.passed, flat.decided)
    if nested.passed:
        assert math.isclose(nested.score, flat.score, abs_tol=1e-12)


@given(sums())
def test_an_unknown_part_is_never_a_zero(case):
    """Where the verdict is decided although a part is not, every way that part could turn out gives the same."""
    said, config = case
    verdict = combine(weighted_sum, said, config)
    unknown = [i for i, each in enumerate(said) if not each.decided]
    if not verdict.decided or not unknown:
        return
    outcomes = Verdict.of(Status.PASSED, "said"), Verdict.of(Status.FAILED, "said")
    for turned in itertools.product(outcomes, repeat=len(unknown)):
        known = list(said)
        for i, each in zip(unknown, turned, strict=True):
            known[i] = each
        other = combine(weighted_sum, known, config)
        assert (other.score, other.passed) == (verdict.score, verdict.passed)


@given(several)
def test_what_stays_undecided_has_the_most_serious_reason(said):
    serious = ["unsupported", "undecided", "timeout", "infrastructure"]
    for rule, config in (
        (gate, Gate(parts=named(len(said)))),
        (weighted_sum, WeightedSum(parts=named(len(said)))),
    ):
        verdict = combine(rule, said, config)
        if not verdict.decided:
            seen = [serious.index(each.status) for each in said if not each.decided]
            assert serious.index(verdict.status) == max(seen)


@given(several)
def test_the_first_decided_part_decides(said):
    pass_on = ["undecided", "unsupported", "timeout", "infrastructure"]
    verdict = combine(first_decisive, said, FirstDecisive(parts=named(len(said)), pass_on=pass_on))
    first = next((each for each in said if each.decided), None)
    if first is None:
        assert not verdict.decided
    else:
        assert (verdict.status, verdict.score) == (first.status, first.score)


tests = st.lists(st.booleans(), min_size=1, max_size=8)
MODES = {mode: PassRate(verifier="number", mode=mode) for mode in ("rate", "all")}


def ran(passed, status):
    return Verdict.of(status, "said", checks=tuple(Check("test", each) for each in passed))


@given(tests, st.sampled_from(sorted(DECIDED)))
def test_the_rate_is_1_exactly_when_all_pass(passed, status):
    rate, every = (pass_rate([ran(passed, status)], config) for config in MODES.values())
    assert (rate.score == 1.0) == (every.score == 1.0) == (status is Status.PASSED and all(passed))
    assert rate.status is every.status
    assert rate.passed == (rate.score == 1.0)


def reward(passed, config):
    return pass_rate([ran(passed, Status.PASSED if all(passed) else Status.FAILED)], config).score


@given(st.lists(st.lists(tests, min_size=1, max_size=6), min_size=1, max_size=6))
def test_rates_never_leave_fewer_groups_with_a_signal(groups):
    rate, every = (
        signal_density([[reward(passed, config) for passed in group] for group in groups])
        for config in MODES.values()
    )
    assert 0.0 <= every <= rate <= 1.0


any_text = st.text(st.sampled_from("ab<>/think answer\\boxed{}$.\n答\ud800"), max_size=60)
pieces = st.lists(
    st.sampled_from(["<think>", "</think>", "<answer>", "</answer>", "\\boxed{", "}", "x", " ", "\\"]),
    max_size=12,
).map("".join)


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"opened": True, "text_after": True},
        {"tags": ["think"], "box": True, "text_before": True, "scripts": ["LATIN"]},
        {"tags": [], "box": True, "forbidden": ["x"]},
    ],
    ids=str,
)
@settings(max_examples=150, deadline=None)
@given(text=any_text | pieces)
def test_any_text_has_a_form_or_breaks_a_term(config, text):
    form = Verifier("format", config)
    verdict = form.check(Task("t", ""), text)
    assert verdict.passed == all(check.passed for check in verdict.checks)
    padded = form.check(Task("t", ""), f"\n {text} \n")
    assert padded.passed == verdict.passed


@given(st.integers(0, 60), st.integers(0, 30), st.integers(0, 30), st.integers(0, 20))
def test_a_length_falls_evenly_and_lies_in_its_range(num, least, width, falloff):
    length = Verifier("length", {"least": least, "most": least + width, "falloff": falloff})
    scores = [length.check(Task("t", ""), "w " * size).score for size in (num, num + 1)]
    assert abs(scores[0] - scores[1]) <= 1 / max(falloff, 1) + 1e-12
    assert (scores[0] == 1.0) == (least <= num <= least + width)
    assert length.range.holds(length.check(Task("t", ""), "w " * num))
