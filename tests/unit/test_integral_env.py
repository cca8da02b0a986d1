import math

import numpy as np
import pytest

from rlvr_gym.envs import make
from rlvr_gym.envs.integrands import FAMILIES, LEVELS, families
from rlvr_gym.errors import ConfigError
from rlvr_gym.types import Status
from rlvr_gym.verifiers import verify
from rlvr_gym.verifiers.calculus import parse, value_hash

NAMES = {
    "exp": math.exp,
    "sin": math.sin,
    "cos": math.cos,
    "ln": math.log,
    "sqrt": math.sqrt,
    "abs": abs,
    "arctan": math.atan,
    "arcsin": math.asin,
}


def value(text, x):
    plain = text.replace("e^(", "exp(").replace("ln|x|", "ln(abs(x))").replace("^", "**")
    # Texts of our own making, so that evaluating them is safe.
    return eval(plain, {"__builtins__": {}}, {**NAMES, "x": x})


@pytest.mark.parametrize("name", FAMILIES)
def test_slopes_of_antiderivatives_are_the_integrands(name):
    rng = np.random.default_rng(1)
    checked = 0
    for _ in range(20):
        pair = FAMILIES[name].draw(rng)
        for x in (-0.61, 0.37, 0.83, 1.9):
            h = 1e-5
            try:
                slope = (value(pair.antiderivative, x + h) - value(pair.antiderivative, x - h)) / (2 * h)
                wanted = value(pair.integrand, x)
            except (ValueError, ZeroDivisionError):
                continue
            if isinstance(wanted, complex) or abs(wanted) > 1e6:
                continue
            assert slope == pytest.approx(wanted, rel=1e-4, abs=1e-4), pair
            checked += 1
    assert checked >= 20


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("style", ["text", "compact"])
def test_the_oracle_passes_in_every_family(name, style):
    env = make("integral-v0", families=(name,), style=style, split="all")
    for task in env.tasks(12, seed=0):
        verdict = env.judge(task, env.oracle(task))
        assert verdict.passed, f"{task.reference}: {env.oracle(task)}: {verdict.reason}"
        assert task.strata == {"level": FAMILIES[name].level, "family": name}


def test_wrong_answers_earn_nothing():
    env = make("integral-v0", max_level=5, style="compact", split="all")
    for task in env.tasks(40, seed=1):
        right = env.oracle(task)
        for wrong in (f"({right}) + x", f"2*({right})", f"-({right})", task.reference, "x", "C"):
            verdict = env.judge(task, wrong)
            # The derivative of exp is exp: there the integrand may be its own antiderivative.
            if verdict.passed:
                assert verify("integral", wrong, reference=task.reference).passed
                assert wrong == task.reference
                assert "exp(x)" in wrong
            assert verdict.status in (Status.FAILED, Status.PASSED, Status.MALFORMED)


def test_equal_answers_in_other_words_pass():
    env = make("integral-v0", families=("polynomial",), seed=0)
    env.reset()
    answer = env.task.hidden["antiderivative"]
    for response in (
        f"\\boxed{{{answer} + C}}",
        f"So F is \\boxed{{7 + {answer}}}.",
        f"<answer>{answer}</answer>",
    ):
        assert env.judge(env.task, response).passed, response


@pytest.mark.parametrize("style", ["text", "compact"])
def test_the_prompt_shows_the_integrand_and_not_the_antiderivative(style):
    names = ("parts_trig", "parts_log", "log_power")
    for task in make("integral-v0", families=names, style=style).tasks(20, seed=0):
        assert task.reference in task.prompt
        assert task.hidden["antiderivative"] not in task.prompt
        assert (" " in task.prompt) is (style == "text")


def hashes(**settings):
    return {value_hash(parse(task.reference)) for task in make("integral-v0", **settings).tasks(150, seed=0)}


def test_train_and_heldout_share_no_integrand_even_up_to_a_factor():
    train, heldout = hashes(max_level=5), hashes(max_level=5, split="heldout")
    assert len(train) > 60
    assert len(heldout) > 30
    assert train.isdisjoint(heldout)


@pytest.mark.parametrize("split", ["train", "heldout"])
def test_nearly_every_family_has_tasks_on_either_side(split):
    # Families of few integrands up to a factor, such as ln(x)^n/x, may fall to one side.
    found = {
        task.strata["family"] for task in make("integral-v0", max_level=5, split=split).tasks(200, seed=0)
    }
    assert len(found) >= len(FAMILIES) - 4


def test_levels_choose_families():
    for level in range(1, LEVELS + 1):
        assert families(level, level)
        env = make("integral-v0", min_level=level, max_level=level, split="all")
        assert {task.strata["level"] for task in env.tasks(30, seed=0)} == {level}
    assert len(families(1, LEVELS)) == len(FAMILIES)


def test_one_seed_gives_one_stream_of_integrals():
    one, two = (make("integral-v0", seed=4, max_level=5) for _ in range(2))
    assert [one.reset() for _ in range(20)] == [two.reset() for _ in range(20)]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"families": ("polynomal",)}, "Did you mean 'polynomial'"),
        ({"min_level": 4, "max_level": 2}, "min_level 4 is above max_level 2"),
        ({"max_level": 9}, "max_level: Input should be less than or equal to 5"),
        ({"style": "latex"}, "style: Input should be 'text' or 'compact'"),
    ],
)
def test_wrong_settings_are_named(settings, message):
    with pytest.raises(ConfigError, match=message):
        make("integral-v0", **settings)
