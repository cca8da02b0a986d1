"""The same specification in ever new words."""

from __future__ import annotations

from collections.abc import Sequence

from rlvr_gym.selfplay.detectors.base import Row, detector, series, window_mean


@detector("near_duplicates")
def near_duplicates(rows: Sequence[Row], window: int) -> str | None:
    """Alarm when over 80 % of the valid proposals are near-duplicates."""
    now = window_mean(series(rows, "proposer/near_duplicate_share"), window)
    return f"{now:.0%} of valid proposals are near-duplicates" if now is not None and now > 0.8 else None
