import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rlvr_gym.envs import ENVS, MultiTurnEnv, Reply, in_split, make
from rlvr_gym.envs.integrands import FAMILIES, written
from rlvr_gym.envs.splits import is_heldout
from rlvr_gym.evaluation import evaluate
from rlvr_gym.policies.scripted import ScriptedPolicy
from rlvr_gym.types import Status, Task, Verdict

any_text = st.text(st.characters(exclude_categories=()), max_size=200)
seeds = st.integers(0, 2**63)


@pytest.mark.parametrize("id", ENVS)
@settings(max_examples=60, deadline=None)
@given(seed=seeds, action=any_text)
def test_any_text_ends_in_a_reward_and_a_verdict_that_agree(id, seed, action):
    env = make(id)
    env.reset(seed=seed)
    for _ in range(50):
        _, reward, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            break
    verdict = info["verdict"]
    assert (reward == verdict.score) if verdict.decided else math.isnan(reward)
    assert info["masked"] is not verdict.decided


@settings(max_examples=50, deadline=None)
@given(
    seed=seeds,
    before=st.lists(st.integers(0, 120), max_size=5),
    after=st.lists(st.integers(0, 120), max_size=9),
)
def test_a_state_taken_anywhere_continues_as_the_original(seed, before, after):
    def play(env, numbers):
        results = []
        for number in numbers:
            results.append(env.step(str(number))[:4])
            if results[-1][2] or results[-1][3]:
                results.append(env.reset())
        return results

    env, other = make("guess"), make("guess")
    env.reset(seed=seed)
    play(env, before)
    other.set_state(json.loads(json.dumps(env.get_state())))
    assert play(other, after) == play(env, after)


@given(problem=st.text(max_size=40), share=st.floats(0.0, 1.0))
def test_a_problem_is_in_exactly_one_split(problem, share):
    assert in_split(problem, "train", share) is not in_split(problem, "heldout", share)
    assert in_split(problem, "all", share)
    assert not is_heldout(problem, 0.0)
    assert is_heldout(problem, 1.0)


def test_the_heldout_share_is_as_asked():
    share = sum(is_heldout(str(i), 0.2) for i in range(20_000)) / 20_000
    # Four standard errors.
    assert abs(share - 0.2) < 4 * math.sqrt(0.2 * 0.8 / 20_000)


class RowsEnv(MultiTurnEnv):
    """Ends with the status that is asked for."""

    def __init__(self):
        super().__init__("number", max_turns=1)

    def draw(self, rng):
        return Task(id=str(int(rng.integers(1000))), prompt="Which?")

    def reply(self, task, conversation):
        return Reply("", Verdict.of(Status(conversation[-1].content), "as asked"))


decided = st.sampled_from(["passed", "failed", "malformed", "over_limit"])
masked = st.sampled_from(["undecided", "unsupported", "timeout", "infrastructure"])


@settings(max_examples=40, deadline=None)
@given(
    rows=st.lists(st.lists(decided, min_size=3, max_size=3), min_size=2, max_size=6),
    extra=st.lists(masked, max_size=3),
)
def test_masked_attempts_change_no_estimate(rows, extra):
    """Invariant 6 of self-play, for evaluations."""
    chosen = [Task(id=str(i), prompt="Which?") for i in range(len(rows))]

    def report(answers):
        def script(message, request):
            _, task, attempt, _ = request.key.split("/")
            return answers[int(task)][int(attempt)]

        return evaluate(ScriptedPolicy(script), RowsEnv(), tasks=chosen, n=len(answers[0]), k=(1, 3))

    plain, more = report(rows), report([[*row, *extra] for row in rows])
    assert (more.accuracy, more.score) == (plain.accuracy, plain.score)
    assert {k: i.mean for k, i in more.pass_at.items()} == {k: i.mean for k, i in plain.pass_at.items()}
    assert more.num_masked == len(extra) * len(rows)
    assert more.if_masked_wrong <= more.accuracy.mean + 1e-12
    assert more.if_masked_right >= more.accuracy.mean - 1e-12


@settings(max_examples=20, deadline=None)
@given(seed=seeds)
def test_canaries_in_hidden_never_reach_a_prompt(seed):
    """Invariant 12 of self-play, for environments."""
    canary = "canary-4711"
    seen = []

    def answer(message, request):
        seen.append(ScriptedPolicy("").decode(request.prompt_ids))
        return "50"

    for id in ENVS:
        env = make(id)
        task = env.tasks(1, seed=seed)[0]
        spoiled = Task.from_dict({**task.to_dict(), "hidden": {"note": canary}})
        assert canary not in repr(env.reset(options={"task": spoiled}))
        evaluate(ScriptedPolicy(answer), env, tasks=[spoiled])
    assert len(seen) >= len(ENVS)
    assert not any(canary in prompt for prompt in seen)


@given(st.lists(st.tuples(st.fractions(), st.sampled_from(["", "x", "x^2", "sin(x)"])), max_size=4))
def test_a_written_sum_has_no_doubled_sign_and_no_zero_term(terms):
    text = written(terms)
    assert "+ -" not in text
    assert "- -" not in text
    assert text == "0" or not text.startswith("0")


def test_every_family_has_a_level_and_draws_by_its_generator_only():
    for family in FAMILIES.values():
        one, two = (family.draw(np.random.default_rng(5)) for _ in range(2))
        assert one == two
        assert 1 <= family.level <= 5
