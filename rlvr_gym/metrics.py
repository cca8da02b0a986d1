"""Statistics of evaluations and experiments: estimates, intervals and tests, without any dependency but numpy."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rlvr_gym.seeding import generator

Side: TypeAlias = Literal["greater", "less", "two-sided"]
"""What a test looks for in the mean of the differences."""
_MAX_EXACT = 22
# Sums of the same numbers in another order differ by rounding; they are ties all the same.
_TIE = 1e-12


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its confidence interval."""

    mean: float
    low: float
    high: float

    def to_dict(self) -> dict[str, float]:
        """Return the three numbers by name."""
        return {"mean": self.mean, "low": self.low, "high": self.high}

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


def pass_at_k(num: int, right: int, k: int) -> float | None:
    """Return the unbiased estimate of the chance that one of ``k`` attempts is right.

    1 - C(n-c, k) / C(n, k) for ``c`` right of ``n`` (Chen et al., arXiv:2107.03374, equation 1); None when
    ``n < k``, where no unbiased estimate exists.

    Example:
        >>> pass_at_k(4, 1, 2), pass_at_k(4, 3, 2), pass_at_k(4, 1, 8)
        (0.5, 1.0, None)
    """
    if not 0 <= right <= num:
        raise ValueError(f"{right} right of {num} attempts")
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k}")
    if num < k:
        return None
    return 1.0 - math.comb(num - right, k) / math.comb(num, k)


def signal_density(groups: Iterable[Sequence[float | None]]) -> float | None:
    """Return the share of groups whose rewards are not all equal: only those move a group-relative learner.

    The density of arXiv:2605.02944, which is never lower for pass rates than for pass-all rewards of the same
    attempts. Denser is not better by itself: the paper finds no reliable gain from it.

    Args:
        groups: The rewards of each group, None for a masked attempt; a group without any reward does not count.

    Returns:
        None when no group counts.

    Example:
        >>> signal_density([[0.5, 1.0], [0.0, 0.0]]), signal_density([[None]])
        (0.5, None)
    """
    distinct = [len({reward for reward in group if reward is not None}) for group in groups]
    counted = [num for num in distinct if num]
    return sum(num > 1 for num in counted) / len(counted) if counted else None


def wilson(right: float, total: float, *, level: float = 0.95) -> Interval:
    """Return Wilson's score interval of a share (E. B. Wilson, 1927).

    Args:
        right: Successes; need not be whole.
        total: Trials, more than 0.
        level: Confidence level.
    """
    return _score_interval(right / total, total, normal_quantile(0.5 + level / 2))


def clustered_interval(
    task_means: ArrayLike, *, attempts: float | None = None, level: float = 0.95
) -> Interval | None:
    """Return the mean over tasks of values in [0, 1] with an interval that counts tasks, not attempts.

    The variance between task means gives an effective number of attempts (Kish's design effect), which enters
    Wilson's interval with Student's quantile for the number of tasks. Where all task means are 0, or all are
    1, that number is the number of tasks: attempts at one task are no independent evidence. The interval is
    therefore never a point.

    Args:
        task_means: One value per task.
        attempts: All attempts together, at most which many count as independent; the number of tasks if left out.
        level: Confidence level.

    Returns:
        None without any task; with one task, all of [0, 1].
    """
    means = np.asarray(task_means, dtype=float)
    num = means.size
    if num == 0:
        return None
    if means.min() < 0.0 or means.max() > 1.0:
        raise ValueError(f"values must lie in [0, 1], got {means.min()} to {means.max()}")
    mean = min(1.0, max(0.0, float(means.mean())))
    if num == 1:
        return Interval(mean, 0.0, 1.0)
    bernoulli = mean * (1.0 - mean)
    variance = float(means.var(ddof=1)) / num
    if bernoulli <= _TIE:
        effective = float(num)
    else:
        most = max(float(num), attempts or 0.0)
        effective = min(most, bernoulli / variance) if variance > 0.0 else most
    return _score_interval(mean, effective, student_quantile(0.5 + level / 2, num - 1))


def bootstrap_interval(
    values: ArrayLike,
    *,
    statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]] | None = None,
    level: float = 0.95,
    num: int = 10_000,
    seed: int = 0,
) -> Interval:
    """Return a statistic of ``values`` with its percentile bootstrap interval.

    Args:
        values: Independent observations, such as one per seed, shape (n,).
        statistic: From resamples of shape (num, n) to shape (num,); the mean if left out.
        level: Confidence level.
        num: Number of resamples.
        seed: Seed of the resampling.
    """
    sample = np.asarray(values, dtype=float)
    if sample.size == 0:
        raise ValueError("no values to resample")
    apply = statistic or (lambda rows: rows.mean(axis=1))
    picks = generator(seed, "bootstrap").integers(0, sample.size, size=(num, sample.size))
    low, high = np.quantile(apply(sample[picks]), [0.5 - level / 2, 0.5 + level / 2])
    return Interval(float(apply(sample[None, :])[0]), float(low), float(high))


def sign_flip_test(differences: ArrayLike, *, side: Side = "greater") -> float:
    """Return the exact p-value of the paired permutation test on the mean.

    Every pattern of signs is as likely as the one seen when the pairs are exchangeable; the p-value is the
    share of patterns at least as extreme. With n pairs it is at least 2**-n, twice that for two sides.

    Args:
        differences: One per pair, at most 22.
        side: What counts as extreme.

    Raises:
        ValueError: no pairs, or too many to enumerate.
    """
    values = np.asarray(differences, dtype=float)
    if not 1 <= values.size <= _MAX_EXACT:
        raise ValueError(f"enumerates 1 to {_MAX_EXACT} pairs, got {values.size}")
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums + value, sums - value])
    seen = float(values.sum())
    if side == "less":
        sums, seen = -sums, -seen
    elif side == "two-sided":
        sums, seen = np.abs(sums), abs(seen)
    tie = _TIE * max(1.0, float(np.abs(values).sum()))
    return float(np.mean(sums >= seen - tie))


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Return p-values adjusted for their number (S. Holm, 1979), under the same names and in the same order.

    Example:
        >>> holm({"a": 0.01, "b": 0.04, "c": 0.03})
        {'a': 0.03, 'b': 0.06, 'c': 0.06}
    """
    adjusted: dict[str, float] = {}
    largest = 0.0
    for rank, name in enumerate(sorted(p_values, key=lambda name: p_values[name])):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[name]))
        adjusted[name] = largest
    return {name: adjusted[name] for name in p_values}


def tost(differences: ArrayLike, *, margin: float) -> float:
    """Return the p-value of two one-sided t-tests: small when the mean lies within ``margin`` of 0.

    Args:
        differences: One per pair, at least two.
        margin: Largest mean, either way, that still counts as equal.
    """
    values = np.asarray(differences, dtype=float)
    if values.size < 2:
        raise ValueError(f"needs at least 2 pairs, got {values.size}")
    mean, error = float(values.mean()), float(values.std(ddof=1)) / math.sqrt(values.size)
    if error == 0.0:
        return 0.0 if abs(mean) < margin else 1.0
    return 1.0 - student_cdf((margin - abs(mean)) / error, values.size - 1)


def normal_quantile(p: float) -> float:
    """Return the quantile of the standard normal law."""
    return _bisect(lambda x: 0.5 * math.erfc(-x / math.sqrt(2.0)), p)


def student_quantile(p: float, freedom: float) -> float:
    """Return the quantile of Student's t with ``freedom`` degrees of freedom."""
    return _bisect(lambda x: student_cdf(x, freedom), p)


def student_cdf(t: float, freedom: float) -> float:
    """Return the distribution function of Student's t with ``freedom`` degrees of freedom."""
    tail = 0.5 * incomplete_beta(freedom / (freedom + t * t), freedom / 2.0, 0.5)
    return 1.0 - tail if t > 0 else tail


def incomplete_beta(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b), by its continued fraction (DLMF 8.17.22)."""
    if x <= 0.0 or x >= 1.0:
        return float(x >= 1.0)
    if x > (a + 1.0) / (a + b + 2.0):
        return 1.0 - incomplete_beta(1.0 - x, b, a)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    # Lentz's method: `upper` and `lower` are ratios of successive numerators and denominators.
    upper, lower = 1.0, 1.0 / _away_from_0(1.0 - (a + b) * x / (a + 1.0))
    value = lower
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for step in (even, odd):
            lower = 1.0 / _away_from_0(1.0 + step * lower)
            upper = _away_from_0(1.0 + step / upper)
            value *= upper * lower
        if abs(upper * lower - 1.0) < 1e-15:
            break
    return front * value / a


def _away_from_0(x: float) -> float:
    return x if abs(x) > 1e-300 else 1e-300


def _bisect(cdf: Callable[[float], float], p: float) -> float:
    if not 0.0 < p < 1.0:
        raise ValueError(f"a quantile needs 0 < p < 1, got {p}")
    low, high = -1.0, 1.0
    while cdf(low) > p:
        low *= 2.0
    while cdf(high) < p:
        high *= 2.0
    for _ in range(200):
        middle = (low + high) / 2.0
        if middle in (low, high):
            break
        if cdf(middle) < p:
            low = middle
        else:
            high = middle
    return (low + high) / 2.0


def _score_interval(share: float, total: float, quantile: float) -> Interval:
    square = quantile * quantile
    centre = (share + square / (2.0 * total)) / (1.0 + square / total)
    half = (
        quantile
        / (1.0 + square / total)
        * math.sqrt(share * (1.0 - share) / total + square / (4.0 * total * total))
    )
    # Rounding must not leave the estimate outside its own interval.
    return Interval(share, max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half)))
