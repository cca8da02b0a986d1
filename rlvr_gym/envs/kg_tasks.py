"""From a path to a task: the question, what is shown with it, and what an answer is judged against."""

from __future__ import annotations

import pathlib
import re
from decimal import Decimal
from typing import Any, Literal
from urllib.parse import quote

import numpy as np
from pydantic import Field, NonNegativeInt, field_validator, model_validator

from rlvr_gym.config import Config
from rlvr_gym.envs.kg_parts.answering import can_be_given, clear_label
from rlvr_gym.envs.kg_parts.budget import BYTES_PER_TOKEN
from rlvr_gym.envs.kg_parts.documents import NotShownError, gold_of, shown_with
from rlvr_gym.envs.kg_parts.prompts import closed_prompt, open_prompt, retrieval_prompt
from rlvr_gym.envs.splits import Split
from rlvr_gym.graphs.aliases import accepted, normal
from rlvr_gym.graphs.corpus import Corpus
from rlvr_gym.graphs.gate import judge
from rlvr_gym.graphs.graph import KnowledgeGraph
from rlvr_gym.graphs.paths import Path, step_id
from rlvr_gym.graphs.sources.base import Table, resolve_source
from rlvr_gym.graphs.structure import GateConfig, Reject
from rlvr_gym.graphs.wording import UnaskableError, Wording, ask, clean, entity_width
from rlvr_gym.seeding import generator, work_id
from rlvr_gym.types import Json, Task

MOST_HOPS = 8
SplitBy = Literal["question", "signature", "entity"]
_NUMBER = re.compile(r"-?[0-9]{4,40}(?:\.[0-9]{1,40})?")
"""A number that may be written with commas."""
_QUESTION_CHARS = 8_192
"""Room for the question and the instruction, beside the documents."""


class KG(Config):
    """Settings of the knowledge-graph environment."""

    graph: str | dict[str, Any] = "world"
    """Where the graph comes from: a registered source, a file, or a table with ``name`` and settings."""
    mode: Literal["closed", "open", "retrieval"] = "closed"
    """``closed`` shows the question only, ``open`` documents too; ``retrieval`` lets the policy look things up."""
    wording: Wording = "text"
    """English, or codes of a few letters for a tiny policy."""
    min_hops: int = Field(default=1, ge=1, le=MOST_HOPS)
    """Fewest hops of a question; every number from this to ``max_hops`` is as likely."""
    max_hops: int = Field(default=3, ge=1, le=MOST_HOPS)
    """Most hops."""
    inverse: bool = False
    """Whether questions also walk relations from tail to head."""
    gate: GateConfig = GateConfig()
    """What makes a question sound."""
    split: Split = "train"
    """Which questions."""
    split_by: SplitBy = "question"
    """What is held out: questions, their sequences of relations (``signature``), or the entities they start at."""
    budget_tokens: int = Field(default=2048, ge=64, le=1_000_000)
    """Most tokens of the documents in a prompt, or of what one action brings; a token is taken as four bytes."""
    distractors: NonNegativeInt = 4
    """Documents that an open question does not need, as many as the budget has room for."""
    max_turns: int = Field(default=10, ge=1, le=1000)
    """How often the policy may act in ``retrieval``."""
    images: bool = False
    """Whether figures and tables of open documents are images, where they can be drawn; otherwise words say them."""

    @field_validator("graph")
    @classmethod
    def _exists(cls, value: Table) -> Table:
        resolve_source(value)
        # It is part of every task, which is written as JSON.
        if isinstance(value, str):
            return value
        return {name: str(each) if isinstance(each, pathlib.Path) else each for name, each in value.items()}

    @model_validator(mode="after")
    def _fits(self) -> KG:
        if self.min_hops > self.max_hops:
            raise ValueError(f"min_hops {self.min_hops} is above max_hops {self.max_hops}")
        if self.wording == "codes" and self.mode != "closed":
            raise ValueError(f"documents are in English: mode '{self.mode}' needs wording 'text'")
        if self.wording == "codes" and self.gate.answers == "set":
            raise ValueError("an answer in codes is one chain: wording 'codes' needs gate.answers 'unique'")
        if self.images and self.mode != "open":
            raise ValueError(f"images stand in documents: they need mode 'open', not '{self.mode}'")
        return self

    @property
    def many(self) -> bool:
        """Whether answers are lists; all questions are asked alike, so that this tells nothing of their number."""
        return self.gate.answers == "set"

    @property
    def max_prompt_chars(self) -> int:
        """How long a prompt may be."""
        return _QUESTION_CHARS + (BYTES_PER_TOKEN * self.budget_tokens if self.mode != "closed" else 0)


def form(graph: KnowledgeGraph, path: Path) -> str:
    """Return what a question asks, whatever its words: the id of its start and those of its steps.

    Example:
        >>> graph = KnowledgeGraph.of([("ada", "born in", "london"), ("london", "part of", "england")])
        >>> form(graph, Path((0, 1, 2), (0, 1)))
        'ada|born in|part of'
    """
    ids = (graph.entities[path.start].id, *(step_id(graph, step) for step in path.steps))
    return "|".join(map(_plain, ids))


def _plain(id: str) -> str:
    """Return an id without what would end it, or what cannot be printed."""
    if id.isprintable() and "|" not in id and "%" not in id:
        return id
    return "".join(
        char if char.isprintable() and char not in "|%" else quote(char, errors="surrogatepass")
        for char in id
    )


def answers_of(graph: KnowledgeGraph, path: Path) -> list[int]:
    """Return the places of all entities that the question of ``path`` asks for."""
    return [int(place) for place in graph.answers(path.start, path.steps)]


def split_key(graph: KnowledgeGraph, path: Path, by: SplitBy) -> str:
    """Return what decides on which side of the split a question is."""
    whole = form(graph, path)
    start, _, steps = whole.partition("|")
    return {"question": whole, "signature": steps, "entity": start}[by]


def pose(
    corpus: Corpus, path: Path, settings: KG, rng: np.random.Generator, *, question: str | None = None
) -> Task:
    """Return the task whose answers ``path`` leads to.

    Args:
        corpus: Graph and documents.
        path: A sound one.
        settings: Mode, wording and what else the task depends on.
        rng: Chooses among sentences that ask the same, the distractors and the order of the documents.
        question: How it is asked; a sentence of our own when left out.

    Raises:
        UnaskableError: there are no English words for a step of the path.
        NotShownError: the documents that say its facts do not fit the budget, or nothing says one of them.
    """
    graph = corpus.graph
    answers = answers_of(graph, path)
    asked = form(graph, path)
    # Sound questions are asked alike, whatever their number of answers; others must not ask for one where there are more.
    many = settings.many or len(answers) > 1
    id, public = f"kg:{asked}", dict[str, Json]()
    if question is None:
        question = own_question(graph, path, settings, rng)
    elif settings.wording == "text":
        # In codes there is one way to ask.
        id = f"{id}:{work_id('question', normal(question))[:8]}"
    prompt = question
    if settings.mode == "open":
        shown = shown_with(
            corpus,
            path,
            rng,
            settings.budget_tokens,
            settings.distractors,
            every=many,
            images=settings.images,
        )
        public = {"documents": list(shown.ids), "images": [image.to_dict() for image in shown.images]}
        prompt = open_prompt(prompt, shown.text, many=many)
    elif settings.mode == "retrieval":
        prompt = retrieval_prompt(prompt, settings.max_turns, many=many)
    elif settings.wording == "text":
        prompt = closed_prompt(prompt, many=many)
    return Task(
        id=id,
        prompt=prompt,
        reference=_reference(graph, path, answers, question, settings, many=many),
        verifier="kg",
        env="kg-v0",
        public=public,
        hidden={"path": path.to_json(graph)},
        strata={"hops": path.hops},
    )


def own_question(graph: KnowledgeGraph, path: Path, settings: KG, rng: np.random.Generator) -> str:
    """Return a sentence of our own that asks what a path answers.

    Raises:
        UnaskableError: there are no English words for a step of the path.
    """
    many = settings.many or len(answers_of(graph, path)) > 1
    return ask(graph, path, settings.wording, many=many, rng=rng)


def refusal(corpus: Corpus, path: Path, settings: KG) -> str | None:
    """Return why our own question about a sound path is not posed, None when it is.

    Words can spoil what the graph allows: they may name an answer, or a name may mean something else.
    """
    graph = corpus.graph
    try:
        question = ask(graph, path, settings.wording, many=settings.many, rng=question_rng(graph, path))
        rejected = judge(graph, path, question, settings.wording, settings.gate, many=settings.many or None)
    except UnaskableError:
        return str(Reject.MISSING)
    if rejected is not None:
        return str(rejected[0])
    if settings.wording == "text":
        answers = answers_of(graph, path)
        if not all(clear_label(graph, place) for place in answers):
            return "ambiguous_answer"
        if not can_be_given(graph, answers, many=settings.many, acting=settings.mode == "retrieval"):
            return "unreadable_answer"
    if settings.mode == "open":
        try:
            gold_of(corpus, path, settings.budget_tokens, every=settings.many, images=settings.images)
        except NotShownError as error:
            return error.code
    return None


def question_rng(graph: KnowledgeGraph, path: Path) -> np.random.Generator:
    """Return what words and documents are drawn from: the same for the same question, so that its id fixes its text."""
    return generator(0, "kg", form(graph, path))


def _bare(value: str) -> list[str]:
    """Return how a number is written without its unit.

    Example:
        >>> _bare("1500")
        ['1500', '1,500']
    """
    return [value, f"{Decimal(value):,}"] if _NUMBER.fullmatch(value) else [value]


def _reference(
    graph: KnowledgeGraph, path: Path, answers: list[int], question: str, settings: KG, *, many: bool
) -> Json:
    rows = accepted(graph, answers)
    for row in rows:
        unit = clean(row.get("unit", ""))
        # "What is the height of Ben Nevis, in m?" is answered by a number alone.
        if unit and f" in {unit}" in question:
            row["forms"] = [*row["forms"], *_bare(row["value"])]
    codes = {"codes": entity_width(graph), "chain": True} if settings.wording == "codes" else {}
    return {
        "answers": rows,
        "many": many,
        "path": [accepted(graph, [node])[0] for node in path.middle],
        **codes,
        # From here on for the share of a response's steps that are facts, which is no part of its score.
        "graph": settings.graph,
        "start": graph.entities[path.start].id,
        "steps": [step_id(graph, step) for step in path.steps],
    }
