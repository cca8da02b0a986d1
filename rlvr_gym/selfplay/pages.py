"""What the run's page shows of a step's proposals."""

from __future__ import annotations

from collections.abc import Sequence

from rlvr_gym.selfplay.credit import Credit, Judged
from rlvr_gym.selfplay.health import is_new, is_useful
from rlvr_gym.types import Json

_SHOWN = 400
"""Characters of an attempt that the page shows; the whole trajectory is in the run store."""


def proposal_rows(credit: Credit) -> Sequence[Json]:
    """Return one JSON row per proposal: text, verdict, funnel stage, solve counts and reward."""
    return [_row(judged) for judged in credit.proposals]


def _row(judged: Judged) -> Json:
    proposal, estimate = judged.proposal, judged.estimate
    return {
        "trajectory": proposal.trajectory,
        "text": judged.text,
        "task": proposal.task.id if proposal.task else None,
        "problem": proposal.task.conversation()[-1].shown if proposal.task else None,
        "status": str(proposal.gate.status),
        "reason": proposal.gate.reason,
        "parsed": judged.form is not None,
        "valid": proposal.valid,
        "new": is_new(judged),
        "solvable": estimate is not None and estimate.solved > 0,
        "useful": is_useful(judged),
        "shelf": proposal.shelf,
        "tried": estimate.tried if estimate else 0,
        "solved": estimate.solved if estimate else 0,
        "novelty": proposal.novelty,
        "reward": judged.reward,
        # The part of a knowledge graph that the question is about, where the task carries one.
        "drawing": proposal.task.hidden.get("drawing") if proposal.task else None,
        "attempts": [
            {"text": text[:_SHOWN], "status": str(verdict.status), "reason": verdict.reason[:_SHOWN]}
            for text, verdict in judged.attempts
        ],
    }
