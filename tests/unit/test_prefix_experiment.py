"""The experiment on Prefix Sampling: its world by hand, and what its analysis says of made-up runs."""

from __future__ import annotations

import importlib
import itertools
import math
from typing import Any

import numpy as np
import pytest

from rlvr_gym.seeding import generator
from rlvr_gym.types import Message, Status, Task


@pytest.fixture(scope="module")
def prefix() -> Any:
    # Imported in a fixture: the world registers itself, and other files' tests go over the registries.
    return importlib.import_module("experiments.prefix_sampling")


@pytest.fixture(scope="module")
def design() -> Any:
    return importlib.import_module("experiments.design")


@pytest.mark.parametrize(("start", "turns", "digits"), [("4", 3, "949"), ("0", 4, "7810"), ("1", 1, "0")])
def test_steps_are_those_worked_by_hand(prefix: Any, start: str, turns: int, digits: str) -> None:
    assert prefix.right_answers(start, turns) == digits


@pytest.mark.parametrize(
    ("digits", "status"),
    [("949", Status.PASSED), ("948", Status.FAILED), ("049", Status.FAILED), ("9x9", Status.MALFORMED)],
)
def test_only_a_chain_without_a_mistake_pays(prefix: Any, digits: str, status: Status) -> None:
    env = prefix.ChainEnv(prefix.Chain(turns=3))
    observation, _ = env.reset(options={"task": Task("t", "124", reference="949")})
    assert observation == "124"
    for digit in digits[:-1]:
        observation, _, terminated, truncated, _ = env.step(digit)
        assert (observation, terminated, truncated) == ("7", False, False)
    *_, terminated, _, info = env.step(digits[-1])
    assert terminated
    assert info["verdict"].status is status


def test_a_step_of_more_than_a_digit_ends_the_chain(prefix: Any) -> None:
    env = prefix.ChainEnv(prefix.Chain(turns=3))
    env.reset(options={"task": Task("t", "124", reference="949")})
    _, reward, terminated, *_ = env.step("94")
    assert (reward, terminated) == (0.0, True)


def test_the_teacher_is_right_four_times_in_five_and_goes_on_from_its_mistakes(prefix: Any) -> None:
    domain = prefix.ChainDomain(prefix.ChainEnv(prefix.Chain()))
    right = []
    for demo in domain.demonstrations(generator(0, "d"), 200, {"solver": 0.2}):
        digits = [demo.prompt[0].content[-1], demo.completion, *(text for _, text in demo.more)]
        assert len(digits) == 17
        assert all(shown == (Message("user", "7"),) for shown, _ in demo.more)
        right += [prefix.right_answers(a, 1) == b for a, b in itertools.pairwise(digits)]
    assert np.mean(right) == pytest.approx(0.8, abs=0.02)


def made_up(design: Any, arm: str, seed: int, accuracy: list[float], tokens: float) -> Any:
    steps = 5 * (len(accuracy) - 1)
    flat = dict.fromkeys(range(1, steps + 1), 0.5)
    names = ("informative_share", "prefix_share", "depth", "head_starts", "handicaps", "discarded")
    curves = dict.fromkeys(names, flat)
    curves["heldout_accuracy"] = {5 * i: value for i, value in enumerate(accuracy)}
    curves["tokens_sampled"] = dict.fromkeys(flat, tokens)
    return design.Run(arm, seed, curves, 1.0)


def test_tokens_are_read_off_between_two_evaluations(prefix: Any, design: Any) -> None:
    run = made_up(design, "plain", 0, [0.0, 0.4, 0.6, 0.2], 1000.0)
    assert prefix.steps_to(run, 0.5, 99.0) == pytest.approx(7.5)
    assert prefix.tokens_to(run, 0.5, 1e9) == pytest.approx(7500.0)
    assert prefix.tokens_to(run, 0.7, 1e9) == 1e9
    assert prefix.tokens_to(made_up(design, "plain", 0, [0.6, 0.1], 1000.0), 0.5, 1e9) == 0.0


def test_half_the_tokens_are_a_log_ratio_of_minus_log_2(prefix: Any, design: Any) -> None:
    runs = [
        made_up(design, arm, seed, [0.0, 0.4, 0.6], tokens)
        for seed in range(6)
        for arm, tokens in (("plain", 1000.0), ("prefix", 500.0))
    ]
    (primary,) = prefix.PrefixSamplingAgainstPlain().analyse(runs).primaries
    assert primary.interval.mean == pytest.approx(-math.log(2))
    assert primary.p == pytest.approx(1 / 64)


def test_an_arm_that_never_gets_there_counts_as_the_budget(prefix: Any, design: Any) -> None:
    runs = [
        made_up(design, arm, seed, accuracy, 1000.0)
        for seed in range(6)
        for arm, accuracy in (("plain", [0.0, 0.4, 0.6]), ("prefix", [0.0, 0.1, 0.1]))
    ]
    analysis = prefix.PrefixSamplingAgainstPlain().analyse(runs)
    assert analysis.primaries[0].interval.mean == pytest.approx(math.log(10_000 / 7_500))
    assert analysis.primaries[0].p == 1.0
    assert "0 reached" in analysis.notes[1]
