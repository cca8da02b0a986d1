"""The closed-book control: does a solver that sees no document answer all the same?

Such a question tests what the policy remembers, not what the documents say, so its proposer earns less. The attempts
are made by the solver's policy and never train.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rlvr_gym.selfplay.credit import Credit, min_decided
from rlvr_gym.selfplay.protocols import MORE
from rlvr_gym.types import Episode, Estimate

CLOSED_BOOK = "closed_book"
"""Why a decided attempt without documents does not train."""
ABOVE = 0.5
"""Share of closed-book attempts that pass from above which a question counts as remembered."""


def set_apart(episodes: Sequence[Episode], out: Credit) -> tuple[list[Episode], dict[str, Estimate]]:
    """Return the episodes without their closed-book attempts, and these by the proposal that they hang from.

    The attempts are noted in ``out`` as dropped, the undecided ones as masked.
    """
    kept: list[Episode] = []
    found: dict[str, Estimate] = {}
    for episode in episodes:
        apart = {t.id: t for t in episode.trajectories if t.task.startswith(MORE)}
        for id, trajectory in apart.items():
            verdict, draft = episode.verdicts[id], episode.parents[id]
            if verdict.decided:
                out.dropped[id] = CLOSED_BOOK
            else:
                out.masked[id] = str(verdict.status)
            assert draft is not None, "only proposals are attempted without documents"
            known = found.get(draft, Estimate(trajectory.task.removeprefix(MORE)))
            found[draft] = replace(
                known,
                tried=known.tried + verdict.decided,
                solved=known.solved + verdict.passed,
                masked=known.masked + (not verdict.decided),
            )
        kept.append(
            replace(
                episode,
                trajectories=tuple(t for t in episode.trajectories if t.id not in apart),
                parents={id: parent for id, parent in episode.parents.items() if id not in apart},
                verdicts={id: verdict for id, verdict in episode.verdicts.items() if id not in apart},
            )
            if apart
            else episode
        )
    return kept, found


def remembered(estimate: Estimate | None) -> bool:
    """Return whether more than half of the decided attempts without documents passed, if enough were decided."""
    if estimate is None or estimate.tried < min_decided(estimate.tried + estimate.masked):
        return False
    return estimate.rate is not None and estimate.rate > ABOVE
