"""Proposals that teach nothing."""

from __future__ import annotations

from collections.abc import Sequence

from rlvr_gym.selfplay.detectors.base import Row, detector, series, window_mean


@detector("useful_share")
def useful_share(rows: Sequence[Row], window: int) -> str | None:
    """Alarm when under 2 % of proposals are valid, new and solved sometimes but not always."""
    now = window_mean(series(rows, "proposer/useful_share"), window)
    return f"useful share {now:.3f} is below 0.02" if now is not None and now < 0.02 else None
