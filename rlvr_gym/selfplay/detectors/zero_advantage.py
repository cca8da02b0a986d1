"""Groups without signal."""

from __future__ import annotations

from collections.abc import Sequence

from rlvr_gym.selfplay.detectors.base import Row, detector, series, window_mean


@detector("zero_advantage")
def zero_advantage(rows: Sequence[Row], window: int) -> str | None:
    """Alarm when over 90 % of a role's groups have equal rewards."""
    for role in ("proposer", "solver"):
        now = window_mean(series(rows, f"{role}/informative_share"), window)
        if now is not None and now < 0.1:
            return f"{1 - now:.0%} of {role} groups have no signal"
    return None
