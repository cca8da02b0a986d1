"""Whether a path makes a sound question, as far as the graph alone decides it.

A question names the start and the steps; whoever answers may walk them every way they lead. So a path is judged by the
walks from its start, as sets of entities, and not only by the entities that it happens to pass.
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import NonNegativeInt, PositiveInt

from rlvr_gym.config import Config
from rlvr_gym.graphs.graph import KnowledgeGraph
from rlvr_gym.graphs.paths import Path
from rlvr_gym.graphs.steps import Steps
from rlvr_gym.graphs.walks import Integers, Spots, among, holds, near, reach


class GateConfig(Config):
    """What a question must satisfy."""

    answers: Literal["unique", "set"] = "unique"
    """``unique``: the steps lead to one entity. ``set``: to a few, all of which the answer must list."""
    max_answers: PositiveInt = 3
    """The most answers of a question in ``set`` mode."""
    necessity: bool = True
    """Whether every hop must matter: without its step, and without its fact, the answers are others."""
    shortcut: Literal["question", "any", "off"] = "question"
    """Which walks of fewer hops from the start to an answer are refused: those over the question's own steps in any order
    and number (``question``), those over any steps both ways (``any``), or none."""
    max_in_degree: NonNegativeInt | None = None
    """Refuses a path whose middle or end is the tail of more facts than that: hubs are everyone's guess."""
    min_facts: NonNegativeInt = 0
    """Refuses a path with a relation of fewer facts than that."""
    leaks: bool = True
    """Whether the text must not name an answer or an entity in the middle of the path."""
    expression: Literal["strict", "slots", "off"] = "strict"
    """How much of the text must be accounted for: all of it (``strict``), a place for each relation in order (``slots``),
    or nothing (``off``), which is unsafe for self-play: a text can then say anything to whoever answers."""


class Reject(enum.StrEnum):
    """Why a question is refused: first what `structure` says, then what is wrong with the text."""

    NO_PATH = "no_path"
    REPEATED = "repeated_entity"
    NOT_UNIQUE = "not_unique"
    TOO_MANY = "too_many_answers"
    UNNECESSARY = "unnecessary_hop"
    SHORTCUT = "shortcut"
    HUB = "hub"
    RARE = "rare_relation"
    NAMES_ANSWER = "names_answer"
    NAMES_MIDDLE = "names_middle"
    NO_START = "no_start"
    AMBIGUOUS_START = "ambiguous_start"
    MISSING = "missing_relation"
    SAYS_MORE = "says_more"
    WRONG_TYPE = "wrong_type"
    UNREADABLE = "unreadable"


def structure(graph: KnowledgeGraph, path: Path, config: GateConfig) -> tuple[Reject, str] | None:
    """Return why ``path`` makes no sound question, with one clause for people; None when it makes one.

    The first of these that does not hold is returned, in this order: every step leads from its entity to the next; no
    entity comes twice; no hub; no rare relation; the number of answers; every hop is necessary; no shortcut.
    """
    nodes, steps = path.nodes, path.steps
    if (missing := _missing(graph, path)) is not None:
        return Reject.NO_PATH, f"hop {missing + 1} is no fact of the graph"
    if len(set(nodes)) < len(nodes):
        return Reject.REPEATED, "the path comes through an entity twice"
    if config.max_in_degree is not None:
        for node in nodes[1:]:
            if (degree := int(graph.in_degrees[node])) > config.max_in_degree:
                return Reject.HUB, f"{graph.entities[node].name} is the tail of {degree} facts"
    for step in steps:
        if (count := int(graph.relation_sizes[step % graph.num_relations])) < config.min_facts:
            return Reject.RARE, f"{graph.relation(step).id} has {count} facts"
    answers = _ends(graph, nodes[0], steps)
    if config.answers == "unique" and len(answers) != 1:
        return Reject.NOT_UNIQUE, f"the steps lead to {len(answers)} entities"
    if config.answers == "set" and len(answers) > config.max_answers:
        return Reject.TOO_MANY, f"the steps lead to {len(answers)} entities"
    if config.necessity:
        for kept in _fewer(steps):
            if _ends(graph, nodes[0], kept) == answers:
                return Reject.UNNECESSARY, f"{len(kept)} of the {len(steps)} steps have the same answers"
        for hop, step in enumerate(steps):
            if _ends(graph, nodes[0], steps, without=(nodes[hop], step, nodes[hop + 1])) == answers:
                return Reject.UNNECESSARY, f"the answers are the same without the fact of hop {hop + 1}"
    if config.shortcut != "off":
        over = set(steps) if config.shortcut == "question" else None
        hops = _nearest(graph, nodes[0], answers, over, len(steps) - 1)
        if hops is not None:
            return Reject.SHORTCUT, f"{hops} hops lead from the start to an answer"
    return None


def structure_many(
    graph: KnowledgeGraph,
    nodes: NDArray[np.integer[Any]],
    steps: NDArray[np.integer[Any]],
    config: GateConfig,
) -> NDArray[np.int8]:
    """Return what `structure` says of many paths: 0 for sound, else 1 + the reason's place in ``list(Reject)``.

    Args:
        graph: The graph.
        nodes: Places of the entities of each path, shape (paths, hops + 1).
        steps: Its steps, shape (paths, hops).
        config: What a question must satisfy.
    """
    nodes, steps = nodes.astype(np.int64), steps.astype(np.int64)
    found = np.zeros(len(nodes), np.int8)
    rows = np.arange(len(nodes))

    def refuse(reason: Reject, which: NDArray[np.bool_]) -> None:
        nonlocal rows
        found[rows[which]] = 1 + list(Reject).index(reason)
        rows = rows[~which]

    # Most paths of a dense graph fall for what is known without a walk; the walks are for what is left.
    refuse(Reject.NO_PATH, ~_all_hold(graph, nodes, steps))
    refuse(Reject.REPEATED, (np.diff(np.sort(nodes[rows]), axis=1) == 0).any(axis=1))
    if config.max_in_degree is not None:
        refuse(Reject.HUB, (graph.in_degrees[nodes[rows, 1:]] > config.max_in_degree).any(axis=1))
    if config.min_facts:
        sizes = graph.relation_sizes[steps[rows] % graph.num_relations]
        refuse(Reject.RARE, (sizes < config.min_facts).any(axis=1))
    most = 1 if config.answers == "unique" else config.max_answers
    answers, many = reach(graph.steps, nodes[rows, 0], steps[rows], most=most)
    judged = _Judged(graph.steps, nodes[rows], steps[rows], answers, most).rows(~many)
    refuse(Reject.NOT_UNIQUE if config.answers == "unique" else Reject.TOO_MANY, many)
    short = judged.short(config.shortcut)
    if config.necessity:
        needless = judged.without_a_fact()
        # A sub-sequence with the same answers is itself a shortcut over the question's own steps.
        doubtful = ~needless if config.shortcut == "off" else ~needless & short
        needless[doubtful] = judged.rows(doubtful).without_a_step()
        refuse(Reject.UNNECESSARY, needless)
        short = short[~needless]
    refuse(Reject.SHORTCUT, short)
    return found


class _Judged:
    """Paths with their answers.

    Args:
        index: The graph's steps.
        nodes: Entities of each path.
        steps: Its steps.
        answers: The answers' spots, at least one in each row.
        most: The most answers of a row.
    """

    def __init__(self, index: Steps, nodes: Integers, steps: Integers, answers: Spots, most: int) -> None:
        self.index, self.nodes, self.steps, self.answers, self.most = index, nodes, steps, answers, most
        self.counts = self._counts(answers)

    def short(self, which: str) -> NDArray[np.bool_]:
        """Return which rows have a shortcut; none where they are not looked for."""
        number, hops = self.steps.shape
        if which == "off":
            return np.zeros(number, bool)
        starts = np.arange(number) * self.index.num_entities + self.nodes[:, 0]
        return near(
            self.index, number, starts, self.answers, hops - 1, self.steps if which == "question" else None
        )

    def without_a_fact(self) -> NDArray[np.bool_]:
        """Return which rows keep their answers when the fact of some hop is gone."""
        needless = np.zeros(len(self.steps), bool)
        for hop in range(self.steps.shape[1]):
            left = np.flatnonzero(~needless)
            fact = self.nodes[left, hop], self.steps[left, hop], self.nodes[left, hop + 1]
            ends, _ = reach(self.index, self.nodes[left, 0], self.steps[left], without=fact)
            # What is left are answers, so that as many are the same.
            needless[left] = (
                np.bincount(ends // self.index.num_entities, minlength=len(left)) == self.counts[left]
            )
        return needless

    def without_a_step(self) -> NDArray[np.bool_]:
        """Return which rows have their answers by a proper sub-sequence of their steps too."""
        needless = np.zeros(len(self.steps), bool)
        for kept in _fewer(range(self.steps.shape[1])):
            ends, given_up = reach(self.index, self.nodes[:, 0], self.steps[:, kept], most=self.most)
            common = ends[among(ends, self.answers)]
            same = (self._counts(ends) == self.counts) & (self._counts(common) == self.counts)
            needless |= same & ~given_up
        return needless

    def rows(self, which: NDArray[np.bool_]) -> _Judged:
        """Return some of the rows, numbered anew."""
        rows, entities = np.divmod(self.answers, self.index.num_entities)
        kept = which[rows]
        answers = (np.cumsum(which) - 1)[rows[kept]] * self.index.num_entities + entities[kept]
        return _Judged(self.index, self.nodes[which], self.steps[which], answers, self.most)

    def _counts(self, spots: Spots) -> NDArray[np.int64]:
        return np.bincount(spots // self.index.num_entities, minlength=len(self.steps))


def _all_hold(graph: KnowledgeGraph, nodes: Integers, steps: Integers) -> NDArray[np.bool_]:
    """Return which paths the graph holds."""
    heads, tails = nodes[:, :-1].ravel(), nodes[:, 1:].ravel()
    over = steps.ravel()
    inside = (over >= 0) & (over < 2 * graph.num_relations) & (heads >= 0) & (heads < graph.num_entities)
    known = np.asarray(inside, bool)
    known[known] = holds(graph.steps, heads[known], over[known], tails[known])
    whole: NDArray[np.bool_] = np.logical_and.reduce(known.reshape(steps.shape), axis=1)
    return whole


def _missing(graph: KnowledgeGraph, path: Path) -> int | None:
    """Return the first hop that the graph does not hold, from 0; None when it holds them all."""
    for hop, (step, head, tail) in enumerate(zip(path.steps, path.nodes, path.nodes[1:], strict=False)):
        known = 0 <= step < 2 * graph.num_relations and 0 <= head < graph.num_entities
        if not known or not graph.holds(head, step, tail):
            return hop
    return None


def _ends(
    graph: KnowledgeGraph, start: int, steps: Sequence[int], *, without: tuple[int, int, int] | None = None
) -> set[int]:
    """Return where walks end; ``without`` is a fact, as entity, step and other entity, that they must not use."""
    gone = set()
    if without is not None:
        entity, step, other = without
        gone = {(entity, step, other), (other, graph.reverse(step), entity)}
    at = {start}
    for step in steps:
        at = {
            end
            for entity in at
            for end in graph.successors(entity, step).tolist()
            if (entity, step, end) not in gone
        }
    return at


def _fewer(steps: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the proper sub-sequences, the longest first; the empty one says nothing, as a path ends elsewhere."""
    for length in range(len(steps) - 1, 0, -1):
        yield from itertools.combinations(steps, length)


def _nearest(
    graph: KnowledgeGraph, start: int, answers: set[int], over: set[int] | None, limit: int
) -> int | None:
    """Return the least number of hops, at most ``limit``, from ``start`` to an answer; None when more are needed.

    Args:
        graph: The graph.
        start: Where walks begin; being an answer itself takes no hop.
        answers: Where they may end.
        over: The steps that they may take; None for all.
        limit: The most hops.
    """
    seen = {start}
    at = {start}
    for hops in range(limit + 1):
        if at & answers:
            return hops
        if hops == limit:
            break
        found = {
            end
            for entity in at
            for step, ends in graph.steps.from_entity(entity)
            if over is None or step in over
            for end in ends.tolist()
        }
        at = found - seen
        seen |= at
    return None
