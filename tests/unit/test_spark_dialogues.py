"""SPARK where the solver looks things up: each attempt at a proposal is a conversation that hangs from it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rlvr_gym.selfplay import train
from rlvr_gym.selfplay.protocols import PROPOSER, SOLVER
from rlvr_gym.store import RunStore

LANDS = [f"land{letter}" for letter in "abcdefghijklmnop"]


def test_attempts_at_proposals_are_conversations_with_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "lands.tsv"
    file.write_text("".join(f"{land}\tcapital\tcity of {land}\n" for land in LANDS), encoding="utf-8")
    questions = [f"What is the capital of {land}?" for land in LANDS]
    recipe: dict[str, Any] = {
        "loop": {"name": "spark", "parents": 4, "siblings": 16, "attempts": 4},
        "environment": {
            "name": "kg-v0",
            "graph": str(file),
            "mode": "retrieval",
            "max_hops": 1,
            "max_turns": 3,
        },
        "policies": {
            "asks": {"name": "scripted", "answers": questions, "mode": "random"},
            "looks": {
                "name": "scripted",
                "answers": ["neighbours: landa", *(f"answer: city of {land}" for land in LANDS[:2])],
                "mode": "random",
            },
        },
        "roles": {"proposer": "asks", "solver": "looks"},
        "sampling": {"max_new_tokens": 64},
        "steps": 2,
        "evaluation": {"tasks": 2, "proposals": 4},
    }
    report = train(recipe, folder=tmp_path / "run")
    assert report.steps == 2
    with RunStore.open(tmp_path / "run", readonly=True) as store:
        assert store.problems() == []
        assert store.verify_accounts() == []
        works = {work.work_id: work for work in store.works()}
    turns = [work for work in works.values() if work.role == SOLVER]
    firsts = [work for work in turns if works[work.parent].role == PROPOSER]
    # Some looked something up before they answered, and every first turn hangs from the proposal that it attempts.
    assert len(turns) > len(firsts) > 0
    assert all(works[work.parent].role == SOLVER for work in turns if work not in firsts)
