"""Collapse detectors: each speaks on the series it is for, and not on a healthy one."""

from __future__ import annotations

import math

import pytest

from rlvr_gym.selfplay.detectors import DETECTORS

WINDOW = 5
HEALTHY = {
    "proposer/valid_share": 0.8,
    "proposer/useful_share": 0.4,
    "proposer/distinct_share": 0.9,
    "proposer/informative_share": 0.7,
    "proposer/near_duplicate_share": 0.3,
    "proposer/entropy": 1.0,
    "proposer/length": 20.0,
    "solver/informative_share": 0.6,
    "solver/extreme_share": 0.4,
    "solver/masked_share": 0.0,
    "solver/solve_rate": 0.6,
    "solver/entropy": 1.0,
    "solver/length": 20.0,
    "heldout/accuracy": 0.55,
}
SICK = {
    "valid_share": {"proposer/valid_share": 0.5},
    "useful_share": {"proposer/useful_share": 0.01},
    "distinct": {"proposer/distinct_share": 0.4},
    "extremes": {"solver/extreme_share": 0.95},
    "zero_advantage": {"solver/informative_share": 0.05},
    "masked": {"solver/masked_share": 0.06},
    "near_duplicates": {"proposer/near_duplicate_share": 0.97},
    "drift": {"solver/length": 70.0},
}


def rows(number: int, **changed: float) -> list[dict[str, float]]:
    return [{**HEALTHY, **changed} for _ in range(number)]


@pytest.mark.parametrize("name", DETECTORS)
def test_a_healthy_run_raises_no_alarm(name: str) -> None:
    assert DETECTORS[name].value(rows(40), WINDOW) is None


@pytest.mark.parametrize("name", DETECTORS)
def test_a_short_or_empty_record_raises_no_alarm(name: str) -> None:
    for some in ([], [{}], [dict.fromkeys(HEALTHY, math.nan)] * 40):
        assert DETECTORS[name].value(some, WINDOW) is None


@pytest.mark.parametrize("name", SICK)
def test_a_sick_window_raises_its_alarm(name: str) -> None:
    sick = [{**HEALTHY, **SICK[name]}] * WINDOW
    assert DETECTORS[name].value([*rows(20), *sick], WINDOW)
    # One step short of a window is not enough for a rule that looks at means.
    assert DETECTORS[name].value([*rows(20), *sick[:1]], WINDOW) is None


@pytest.mark.parametrize("role", ["proposer", "solver"])
def test_vanishing_entropy_is_drift(role: str) -> None:
    sick = [{**HEALTHY, f"{role}/entropy": 0.05}] * WINDOW
    assert f"{role} entropy" in str(DETECTORS["drift"].value([*rows(20), *sick], WINDOW))


def test_the_gap_alarm_needs_a_large_gap_that_grows() -> None:
    gap = DETECTORS["heldout_gap"].value

    def run(*gaps: float) -> list[dict[str, float]]:
        return [{"solver/solve_rate": 0.9, "heldout/accuracy": 0.9 - g} for g in gaps]

    assert gap(run(0.1, 0.3), WINDOW) is not None
    assert gap(run(0.1, 0.2), WINDOW) is None
    assert gap(run(0.6, 0.5), WINDOW) is None
