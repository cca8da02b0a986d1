"""Difficulty rules: declared end values, finite everywhere, values by hand (invariant 5)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlvr_gym.selfplay.difficulty import DIFFICULTIES


@pytest.mark.parametrize("name", DIFFICULTIES)
def test_invariant_5_end_values_are_as_declared(name: str) -> None:
    rule = DIFFICULTIES[name].value
    assert rule(0, 8) == pytest.approx(rule.at_zero, abs=4e-4)
    assert rule(8, 8) == pytest.approx(rule.at_one, abs=1e-12)


@pytest.mark.parametrize("name", DIFFICULTIES)
@given(tried=st.integers(1, 64), data=st.data())
def test_invariant_5_every_value_is_finite_and_between_0_and_1(
    name: str, tried: int, data: st.DataObject
) -> None:
    value = DIFFICULTIES[name].value(data.draw(st.integers(0, tried)), tried)
    assert math.isfinite(value)
    assert 0.0 <= value <= 1.0


@pytest.mark.parametrize(
    ("name", "solved", "tried", "value"),
    [
        ("one_minus_solved", 1, 4, 0.75),
        ("solvable_hard", 0, 4, 0.0),
        ("solvable_hard", 1, 4, 0.75),
        ("learnability", 1, 4, 0.75),
        ("learnability", 2, 4, 1.0),
        ("min_side", 3, 4, 0.5),
        ("band", 1, 8, 1.0),
        ("band", 2, 8, 0.0),
        ("maximum_likelihood", 0, 8, 1 - math.exp(-8)),
        ("gaussian", 2, 4, 1.0),
    ],
)
def test_values_by_hand(name: str, solved: int, tried: int, value: float) -> None:
    assert DIFFICULTIES[name].value(solved, tried) == pytest.approx(value)


def test_band_in_expectation_peaks_at_one_success_of_k() -> None:
    rule, k = DIFFICULTIES["band"].value, 8

    def expected(p: float) -> float:
        return sum(math.comb(k, s) * p**s * (1 - p) ** (k - s) * rule(s, k) for s in range(k + 1))

    grid = [i / 1000 for i in range(1, 1000)]
    assert max(grid, key=expected) == pytest.approx(1 / k, abs=1e-3)
    assert expected(1 / k) == pytest.approx(0.3927, abs=1e-4)


def test_counts_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="5 solved of 4"):
        DIFFICULTIES["learnability"].value(5, 4)
