import pytest

from rlvr_gym.envs import make
from rlvr_gym.errors import ConfigError


def tasks(num=200, **settings):
    return make("sums-v0", **settings).tasks(num, seed=0)


def problem(task):
    return tuple(sorted(task.id.removeprefix("sums:").split("+")))


def test_references_are_right():
    for task in tasks(terms=4, digits=3, operators=("+", "-", "*"), split="all"):
        written = task.id.removeprefix("sums:")
        # Our own text of digits and operators, so that evaluating it is safe.
        assert int(task.reference) == eval(written)


def test_the_oracle_earns_1_and_a_wrong_answer_0():
    env = make("sums-v0", seed=0)
    for _ in range(20):
        env.reset()
        assert env.step(env.oracle(env.task))[1:4] == (1.0, True, False)
        env.reset()
        assert env.step("-1")[1:4] == (0.0, True, False)


def test_half_credit_for_a_sentence_with_the_right_last_number():
    env = make("sums-v0", seed=0, lenient_score=0.5)
    env.reset()
    assert env.step(f"That makes {env.task.reference}.")[1] == 0.5


def test_train_and_heldout_share_no_problem_in_any_order():
    train = {problem(task) for task in tasks(digits=2, split="train")}
    heldout = {problem(task) for task in tasks(digits=2, split="heldout")}
    assert len(train) > 150
    assert len(heldout) > 150
    assert train.isdisjoint(heldout)


def test_all_one_digit_sums_are_in_one_of_the_splits():
    train, heldout = tasks(split="train"), tasks(split="heldout")
    assert len(train) + len(heldout) == 100
    assert 8 <= len(heldout) <= 30


def test_the_compact_style_is_the_bare_sum():
    task = tasks(1, style="compact", digits=2)[0]
    assert task.prompt == task.id.removeprefix("sums:") + "="


def test_the_first_tasks_of_a_longer_list_are_those_of_a_shorter():
    assert tasks(30, digits=2)[:10] == tasks(10, digits=2)
    assert make("sums", digits=2).tasks(10, seed=1) != tasks(10, digits=2)


def test_wrong_settings_are_named():
    with pytest.raises(
        ConfigError, match=r"env 'sums-v0'.digits: Input should be greater than or equal to 1, got -3"
    ):
        make("sums", digits=-3)
    with pytest.raises(ConfigError, match="Did you mean 'digits'"):
        make("sums", digit=3)
