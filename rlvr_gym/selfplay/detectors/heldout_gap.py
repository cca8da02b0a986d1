"""Self-play looks good while held-out accuracy does not follow."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rlvr_gym.selfplay.detectors.base import Row, detector


@detector("heldout_gap")
def heldout_gap(rows: Sequence[Row], window: int) -> str | None:
    """Alarm when self-play solve rate minus held-out accuracy exceeds 0.25 and grows."""
    gaps = []
    for i, row in enumerate(rows):
        heldout = row.get("heldout/accuracy", math.nan)
        near = [r.get("solver/solve_rate", math.nan) for r in rows[max(0, i - window + 1) : i + 1]]
        near = [v for v in near if not math.isnan(v)]
        if not math.isnan(heldout) and near:
            gaps.append(math.fsum(near) / len(near) - heldout)
    if len(gaps) >= 2 and gaps[-1] > 0.25 and gaps[-1] > gaps[-2]:
        return f"self-play solve rate is {gaps[-1]:.2f} above held-out accuracy and the gap grows"
    return None
