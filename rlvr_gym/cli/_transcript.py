"""An episode as Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rlvr_gym.cli._playing import Turn
from rlvr_gym.types import Task, Verdict

_FAILED_SHOWN = 10


def transcript(env: str, policy: str, task: Task, turns: Sequence[Turn]) -> str:
    """Return an episode as it was played: the problem, each turn, the verdict."""
    verdict = turns[-1].verdict
    labels = ", ".join(f"{name} {value}" for name, value in task.strata.items())
    parts = [
        f"# {task.id}",
        f"Environment `{env}`, policy `{policy}`, {len(turns)} turns{f'; {labels}' if labels else ''}.",
        "## Problem",
        block(task.conversation()[-1].shown),
    ]
    for turn in turns:
        parts += [f"## Turn {turn.number}", block(turn.response)]
        if turn.observation:
            parts += ["What came of it:", block(turn.observation)]
    if verdict is not None:
        parts += ["## Verdict", *verdict_lines(verdict)]
    return "\n\n".join(parts) + "\n"


def verdict_lines(verdict: Verdict) -> list[str]:
    """Return a verdict in words: status, reason, and the tests that failed."""
    score = "masked" if verdict.score is None else f"score {verdict.score:g}"
    lines = [f"{verdict.status}, {score}: {verdict.reason}"]
    failed = [check.name for check in verdict.checks if not check.passed]
    if failed:
        more = f" and {len(failed) - _FAILED_SHOWN} more" if len(failed) > _FAILED_SHOWN else ""
        lines.append(f"failed: {', '.join(failed[:_FAILED_SHOWN])}{more}")
    return lines


def block(text: str) -> str:
    """Return ``text`` as a block of plain text, whose fence no line of it can end."""
    longest = max((len(run) for run in re.findall("`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}text\n{text.rstrip()}\n{fence}"
