import itertools
import math

import numpy as np
import pytest

from rlvr_gym import metrics


@pytest.mark.parametrize(
    ("num", "right", "k"), [(5, 2, 1), (5, 2, 3), (6, 1, 4), (4, 4, 2), (4, 0, 2), (7, 3, 7)]
)
def test_pass_at_k_is_the_share_of_subsets_with_a_right_attempt(num, right, k):
    outcomes = [1] * right + [0] * (num - right)
    subsets = [max(subset) for subset in itertools.combinations(outcomes, k)]
    assert metrics.pass_at_k(num, right, k) == pytest.approx(sum(subsets) / len(subsets))


def test_pass_at_k_needs_k_attempts():
    assert metrics.pass_at_k(7, 7, 8) is None
    with pytest.raises(ValueError, match="k must be"):
        metrics.pass_at_k(7, 7, 0)
    with pytest.raises(ValueError, match="8 right of 7"):
        metrics.pass_at_k(7, 8, 1)


def test_wilson_gives_the_textbook_values():
    # Newcombe (1998), table I: 81 of 263 and 0 of 20 at 95 %.
    assert metrics.wilson(81, 263).low == pytest.approx(0.2553, abs=5e-5)
    assert metrics.wilson(81, 263).high == pytest.approx(0.3662, abs=5e-5)
    assert metrics.wilson(0, 20).low == 0.0
    assert metrics.wilson(0, 20).high == pytest.approx(0.1611, abs=5e-5)


@pytest.mark.parametrize(
    ("p", "freedom", "value"),
    [
        (0.975, 1, 12.7062),
        (0.975, 2, 4.30265),
        (0.95, 5, 2.01505),
        (0.975, 29, 2.04523),
        (0.995, 120, 2.61742),
    ],
)
def test_student_quantiles_are_those_of_the_tables(p, freedom, value):
    assert metrics.student_quantile(p, freedom) == pytest.approx(value, abs=1e-4)


@pytest.mark.parametrize("t", [-3.0, -0.5, 0.0, 0.2, 1.0, 7.0])
def test_student_cdf_has_its_closed_forms(t):
    assert metrics.student_cdf(t, 1) == pytest.approx(0.5 + math.atan(t) / math.pi)
    assert metrics.student_cdf(t, 2) == pytest.approx(0.5 + t / (2 * math.sqrt(2 + t * t)))


def test_normal_quantile_is_that_of_the_table():
    assert metrics.normal_quantile(0.975) == pytest.approx(1.959964, abs=1e-6)
    assert metrics.normal_quantile(0.5) == pytest.approx(0.0, abs=1e-12)
    with pytest.raises(ValueError, match="0 < p < 1"):
        metrics.normal_quantile(1.0)


@pytest.mark.parametrize("x", [0.0, 0.03, 0.4, 0.77, 1.0])
def test_incomplete_beta_equals_the_binomial_tail(x):
    # I_x(a, n - a + 1) = P(Binomial(n, x) >= a), DLMF 8.17.5.
    n, a = 9, 3
    tail = sum(math.comb(n, j) * x**j * (1 - x) ** (n - j) for j in range(a, n + 1))
    assert metrics.incomplete_beta(x, a, n - a + 1) == pytest.approx(tail, abs=1e-12)


def test_one_attempt_per_task_makes_nearly_the_wilson_interval():
    outcomes = [1.0] * 30 + [0.0] * 20
    clustered, plain = metrics.clustered_interval(outcomes), metrics.wilson(30, 50)
    assert clustered.mean == 0.6
    assert clustered.low == pytest.approx(plain.low, abs=0.01)
    assert clustered.high == pytest.approx(plain.high, abs=0.01)


def test_repeating_attempts_that_always_agree_narrows_nothing():
    once = metrics.clustered_interval([1.0, 0.0] * 10, attempts=20)
    again = metrics.clustered_interval([1.0, 0.0] * 10, attempts=20 * 64)
    assert once == again


def test_tasks_that_are_all_alike_are_as_good_as_all_attempts():
    narrow = metrics.clustered_interval([0.5] * 20, attempts=160)
    assert narrow.high - narrow.low == pytest.approx(2 * 2.093 * math.sqrt(0.25 / 160), rel=0.05)


def test_extreme_means_get_an_interval_that_is_no_point():
    none, every = metrics.clustered_interval([0.0] * 50, attempts=400), metrics.clustered_interval([1.0] * 50)
    assert none.low == 0.0
    assert 0.05 < none.high < 0.1
    assert every.high == 1.0
    assert every.low == pytest.approx(1 - none.high)


def test_one_task_says_nothing_and_no_task_gives_no_interval():
    assert metrics.clustered_interval([0.3]) == metrics.Interval(0.3, 0.0, 1.0)
    assert metrics.clustered_interval([]) is None
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        metrics.clustered_interval([0.5, 1.5])


@pytest.mark.parametrize(
    ("alpha", "beta", "n"),
    [(2.0, 2.0, 1), (2.0, 2.0, 4), (0.3, 0.3, 8), (0.2, 3.0, 4), (20.0, 2.0, 8), (0.05, 2.0, 2)],
)
def test_clustered_intervals_cover_the_truth_as_often_as_they_say(alpha, beta, n):
    """Tasks have their own success rates, Beta distributed; the truth is the mean rate over all tasks."""
    rng = np.random.default_rng(7)
    num_tasks, runs, truth = 40, 1_500, alpha / (alpha + beta)
    rates = rng.beta(alpha, beta, size=(runs, num_tasks))
    means = rng.binomial(n, rates) / n
    covered = 0
    for row in means:
        interval = metrics.clustered_interval(row, attempts=n * num_tasks)
        covered += interval.low <= truth <= interval.high
    # 95 % less three standard errors of the simulation, and a point for the approximation.
    assert covered / runs > 0.925


def test_naive_intervals_over_attempts_would_not_cover():
    """The reason for clustering: eight attempts at one task are not eight tasks."""
    rng = np.random.default_rng(7)
    rates = rng.beta(0.3, 0.3, size=(1_000, 40))
    right = rng.binomial(8, rates).sum(axis=1)
    covered = [wilson.low <= 0.5 <= wilson.high for wilson in (metrics.wilson(int(c), 320) for c in right)]
    assert np.mean(covered) < 0.7


def test_bootstrap_interval_holds_the_mean_and_is_reproducible():
    values = np.random.default_rng(0).normal(3.0, 1.0, size=50)
    interval = metrics.bootstrap_interval(values, seed=1)
    assert interval == metrics.bootstrap_interval(values, seed=1)
    assert interval.mean == pytest.approx(values.mean())
    half = 1.96 * values.std(ddof=1) / math.sqrt(50)
    assert interval.low == pytest.approx(values.mean() - half, abs=0.05)
    assert interval.high == pytest.approx(values.mean() + half, abs=0.05)


def test_bootstrap_interval_takes_any_statistic():
    interval = metrics.bootstrap_interval(
        [1.0, 2.0, 9.0], statistic=lambda rows: np.median(rows, axis=1), num=2_000
    )
    assert interval == metrics.Interval(2.0, 1.0, 9.0)
    with pytest.raises(ValueError, match="no values"):
        metrics.bootstrap_interval([])


def test_sign_flips_enumerate_all_patterns():
    differences = [0.5, -0.25, 1.5, 2.0, 0.125]
    sums = [
        sum(s * d for s, d in zip(signs, differences, strict=True))
        for signs in itertools.product([1, -1], repeat=5)
    ]
    seen = sum(differences)
    assert metrics.sign_flip_test(differences) == np.mean([s >= seen for s in sums])
    assert metrics.sign_flip_test(differences, side="less") == np.mean([s <= seen for s in sums])
    assert metrics.sign_flip_test(differences, side="two-sided") == np.mean([abs(s) >= seen for s in sums])


def test_smallest_p_of_six_and_eight_pairs():
    assert metrics.sign_flip_test([1.0] * 6) == 1 / 64
    assert metrics.sign_flip_test([0.1, 0.2, 0.3, 0.1, 0.2, 0.3, 0.7, 0.9]) == 1 / 256
    assert metrics.sign_flip_test([0.0, 0.0]) == 1.0


def test_rounding_breaks_no_ties():
    assert metrics.sign_flip_test([0.1, 0.2, -0.3]) == metrics.sign_flip_test([1, 2, -3])


def test_sign_flips_refuse_what_they_cannot_enumerate():
    with pytest.raises(ValueError, match="1 to 22"):
        metrics.sign_flip_test([])
    with pytest.raises(ValueError, match="1 to 22"):
        metrics.sign_flip_test([1.0] * 23)


def test_holm_multiplies_by_the_hypotheses_left_and_never_falls():
    adjusted = metrics.holm({"b": 0.04, "a": 0.01, "d": 0.005, "c": 0.03})
    assert list(adjusted) == ["b", "a", "d", "c"]
    assert adjusted == pytest.approx({"d": 0.02, "a": 0.03, "c": 0.06, "b": 0.06})
    assert metrics.holm({"x": 0.7, "y": 0.8}) == {"x": 1.0, "y": 1.0}


def test_tost_equals_the_larger_of_its_two_one_sided_tests():
    differences = np.array([0.01, -0.02, 0.015, 0.0, 0.03])
    error = differences.std(ddof=1) / math.sqrt(5)
    above = 1 - metrics.student_cdf((differences.mean() + 0.03) / error, 4)
    below = metrics.student_cdf((differences.mean() - 0.03) / error, 4)
    assert metrics.tost(differences, margin=0.03) == pytest.approx(max(above, below))
    assert metrics.tost(differences + 1.0, margin=0.03) > 0.99
    assert metrics.tost([0.01, 0.01], margin=0.03) == 0.0
    assert metrics.tost([0.05, 0.05], margin=0.03) == 1.0
    with pytest.raises(ValueError, match="at least 2"):
        metrics.tost([0.1], margin=0.03)
