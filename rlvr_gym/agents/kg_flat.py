"""Questions of the flat-corpus control: their labels are read off a passage, and are often wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rlvr_gym.envs.kg_tasks import KG, pose, question_rng
from rlvr_gym.graphs import Corpus, Path
from rlvr_gym.graphs.aliases import accepted
from rlvr_gym.graphs.passages import Passage, asked_of, draw_passage, follow
from rlvr_gym.graphs.wording import UnaskableError
from rlvr_gym.types import Json, Task

_DRAWS = 50
"""Passages that are drawn before a question is fitted to the last of them."""


def flat_parent(corpus: Corpus, settings: KG, first: Path, size: int, rng: np.random.Generator) -> Task:
    """Return a passage with the first fact of a path, as a question over the path's steps that can be read off it.

    A passage that lacks a step is drawn again, so that where relations are few the question is the path's own; in the
    end such a step is replaced by one of which the passage has a fact.
    """
    fact = (first.nodes[0], first.steps[0], first.nodes[1])
    for _ in range(_DRAWS):
        passage = draw_passage(corpus.graph, fact, size, rng)
        known = sorted({step for _, step, _ in passage})
        if set(first.steps) <= set(known):
            break
    steps = [step if step in known else int(rng.choice(known)) for step in first.steps]
    task = _labelled(corpus, settings, passage, first.start, steps)
    assert task is not None, "every step is in the passage"
    return replace(task, hidden={**task.hidden, "passage": [list(fact) for fact in passage]})


def passage_of(parent: Task) -> Passage:
    """Return the passage that a parent shows."""
    return tuple((head, step, tail) for head, step, tail in parent.hidden["passage"])


def flat_task(corpus: Corpus, settings: KG, text: str, parent: Task) -> Task | None:
    """Return the task of a question about a parent's passage, None where it cannot be read or has other hops."""
    passage = passage_of(parent)
    read = asked_of(corpus.graph, passage, text, settings.wording)
    if read is None or len(read[1]) != parent.strata["hops"]:
        return None
    # What is posed are words of our own, in which a proposer can hide nothing.
    return _labelled(corpus, settings, passage, *read)


def _labelled(
    corpus: Corpus, settings: KG, passage: Passage, start: int, steps: Sequence[int]
) -> Task | None:
    """Return the task with the label that the passage gives it; the graph, which knows better, is only told of."""
    graph = corpus.graph
    nodes = follow(passage, start, steps)
    if nodes is None:
        return None
    path = Path(nodes, tuple(steps))
    try:
        task = pose(corpus, path, settings, question_rng(graph, path))
    except UnaskableError:
        return None
    reference: dict[str, Json] = {
        **task.reference,
        "answers": accepted(graph, [path.end]),
        "path": accepted(graph, path.middle),
    }
    wrong = path.end not in graph.answers(start, steps)
    # The same question may get another label off another passage.
    return replace(
        task,
        id=f"{task.id}={graph.entities[path.end].id}",
        reference=reference,
        hidden={**task.hidden, "wrong": bool(wrong)},
    )
