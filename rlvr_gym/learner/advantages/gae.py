"""Generalised advantage estimation along one trajectory (arXiv:1506.02438), and whitening."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def gae(
    rewards_T: NDArray[np.float64], values_T: NDArray[np.float64], gamma: float, lam: float
) -> NDArray[np.float64]:
    """Return sum_k (gamma lam)^k delta_{t+k} with delta_t = r_t + gamma V_{t+1} - V_t and V = 0 after the end."""
    next_T = np.append(values_T[1:], 0.0)
    deltas_T = rewards_T + gamma * next_T - values_T
    advantages_T = np.empty_like(deltas_T)
    running = 0.0
    for t in range(len(deltas_T) - 1, -1, -1):
        running = deltas_T[t] + gamma * lam * running
        advantages_T[t] = running
    return advantages_T


def whiten(rows: Sequence[NDArray[np.float32]], eps: float = 1e-6) -> list[NDArray[np.float64]]:
    """Return the rows shifted and scaled to mean 0 and deviation 1 over all their values together."""
    values = np.concatenate(rows).astype(np.float64)
    mean, deviation = values.mean(), values.std()
    return [(row - mean) / (deviation + eps) for row in rows]
