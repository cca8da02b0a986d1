"""Questions about a knowledge graph as both roles meet them: a proposer sees paths, a solver sees a question alone."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from typing import Any, cast

import numpy as np

from rlvr_gym.agents.base import DOMAINS, Demonstration, Domain
from rlvr_gym.agents.environment import EnvironmentDomain
from rlvr_gym.agents.kg_demos import chain, spoilt
from rlvr_gym.agents.kg_flat import flat_parent, flat_task, passage_of
from rlvr_gym.agents.kg_sayings import Sayings
from rlvr_gym.agents.kg_walks import Walks
from rlvr_gym.config import build
from rlvr_gym.envs import TaskEnv
from rlvr_gym.envs.kg_parts.drawing import Questions
from rlvr_gym.envs.kg_tasks import KG, form, own_question, pose, question_rng, refusal, split_key
from rlvr_gym.envs.splits import in_split, is_heldout
from rlvr_gym.errors import ConfigError
from rlvr_gym.graphs import Path
from rlvr_gym.graphs.documents import documented
from rlvr_gym.graphs.drawing import drawing
from rlvr_gym.graphs.gate import row
from rlvr_gym.graphs.passages import show_passage
from rlvr_gym.graphs.structure import GateConfig
from rlvr_gym.graphs.wording import UnaskableError, ask, show
from rlvr_gym.types import Conversation, Json, Message, Provenance, Task
from rlvr_gym.verifiers import Verifier
from rlvr_gym.verifiers.kg_question import asked_question

_NO_GATE = {"most": 1000, "unit": "characters"}
"""What a proposer of the flat control must pass: a length, which knows no graph."""


@dataclass(frozen=True, slots=True)
class Asking:
    """How questions come about: what a proposer is shown, and what its text must satisfy."""

    choices: int = 1
    """Paths that are shown, all from one entity."""
    sound: bool = True
    """Whether only paths that can make sound questions are shown."""
    gate: Mapping[str, Any] = field(default_factory=dict)
    """Settings that replace those of the environment's gate for proposals."""
    flat: bool = False
    """Whether a passage of facts is shown instead of paths, and labels are read off it."""
    passage: int = 12
    """Facts of a passage."""
    symmetric: bool = False
    """Whether the solver is shown the path."""


class KGDomain(EnvironmentDomain):
    """Proposer and solver of questions about a graph.

    A parent is a question of the split that holds the paths which a proposer may ask about in its hidden side.

    Args:
        env: A ``kg`` environment, in one turn or several.
    """

    def __init__(self, env: Questions) -> None:
        super().__init__(env)
        self.kg_env = env
        self.graph = env.corpus.graph
        self.mode = env.config.mode
        self.wording = env.config.wording
        self._walks = Walks(self.graph, lambda path: self._may_show(path), inverse=env.config.inverse)
        self.ask_like(Asking())

    def ask_like(self, asking: Asking) -> None:
        """Set how questions come about; a loop does so once, before anything is played.

        Raises:
            ConfigError: a wrong setting of the gate.
        """
        config = self.kg_env.config
        gate = build(GateConfig, {**config.gate.model_dump(), **asking.gate}, where="loop.gate")
        self.asking = asking
        self._settings = build(KG, {**config.model_dump(), "gate": gate.model_dump()}, where="loop")
        self._gate = Verifier("length", _NO_GATE) if asking.flat else Verifier("kg_question")
        # Judging a path takes as long as sampling hundreds, and small graphs have few: what was found is kept.
        self._may_show = functools.lru_cache(maxsize=65536)(self._find_may_show)
        self._row = functools.lru_cache(maxsize=16384)(self._make_row)
        self._unusable = functools.lru_cache(maxsize=16384)(self._find_unusable)
        self._posed = functools.lru_cache(maxsize=16384)(self._pose)
        self._drawn = functools.lru_cache(maxsize=4096)(self._draw)
        self._gate_of = functools.lru_cache(maxsize=4096)(self._make_gate_task)

    @property
    def gate(self) -> Verifier:
        """Passes questions that ask one of the shown paths soundly; in the flat control, any text of some length."""
        return self._gate

    @property
    def hops(self) -> tuple[int, int]:
        """The least and the most hops of a question."""
        return self.kg_env.config.min_hops, self.kg_env.config.max_hops

    def warm_start(self, mistakes: Mapping[str, float]) -> str:
        """Return what imitation teaches."""
        return (
            f"it imitated chains of which each hop was a random entity with the chance {mistakes['solver']:.0%}, and "
            f"questions about what a proposer is shown, of which {mistakes['proposer']:.0%} were spoilt"
        )

    # What is asked about.

    def walks(self, rng: np.random.Generator, hops: int, number: int) -> list[Path]:
        """Return up to ``number`` paths of the split that may be shown; of fewer hops where there are none so long.

        Raises:
            ConfigError: a graph without a single one.
        """
        for fewer in range(hops, 0, -1):
            if found := self._walks.anywhere(rng, fewer, number):
                return found
        raise ConfigError(
            f"environment: the graph has no path of up to {hops} hops that these settings can ask about."
        )

    def _find_may_show(self, path: Path) -> bool:
        """Return whether a proposer may see a path: of the split, with words for it, and sound where that is wanted."""
        config = self.kg_env.config
        if not in_split(split_key(self.graph, path, config.split_by), config.split):
            return False
        if self.asking.sound:
            return not self._row(path)["outcome"] and not self._unusable(path)
        return self._can_pose(path)

    def _pose(self, path: Path) -> Task:
        return pose(self.kg_env.corpus, path, self._settings, question_rng(self.graph, path))

    def _can_pose(self, path: Path) -> bool:
        """Return whether a question about a path, sound or not, has words, and documents where they are shown."""
        try:
            self._posed(path)
        except (ConfigError, UnaskableError):
            return False
        return True

    def _make_row(self, path: Path) -> Json:
        return row(self.graph, path, self.wording, self._settings.gate, many=self._settings.many or None)

    def _find_unusable(self, path: Path) -> bool:
        """Return whether the environment would not pose a question about a path, such as for lack of documents."""
        return refusal(self.kg_env.corpus, path, self._settings) is not None

    def parent(self, rng: np.random.Generator, first: Path) -> Task:
        """Return the question of a path with all paths that a proposer may ask about, this one among them.

        The others begin at the same entity and have as many hops: who chooses the curriculum's number of hops would
        choose the fewest. There are fewer of them where no more can be found.

        Args:
            rng: Draws the others, or the passage that stands for all of them in the flat control.
            first: A path.
        """
        if self.asking.flat:
            return flat_parent(self.kg_env.corpus, self._settings, first, self.asking.passage, rng)
        found = {first.steps: first}
        for _ in range(self.asking.choices - 1):
            other = self._walks.from_entity(rng, first.start, first.hops)
            if other is not None:
                found.setdefault(other.steps, other)
        paths = list(found.values())
        choices = [paths[i].to_json(self.graph) for i in rng.permutation(len(paths))]
        task = self._posed(first)
        return replace(task, hidden={**task.hidden, "choices": choices})

    def seed(self, rng: np.random.Generator) -> Task:
        """Return a parent, every number of hops as likely."""
        low, high = self.hops
        return self.parent(rng, self.walks(rng, int(rng.integers(low, high + 1)), 1)[0])

    def choices(self, parent: Task) -> list[Json]:
        """Return the paths that a proposer may ask about, by ids; a task that is no parent has its own path."""
        return cast("list[Json]", parent.hidden.get("choices") or [parent.hidden["path"]])

    def path(self, task: Task) -> Path:
        """Return the path that a question asks about; of the flat control, what was read off the passage."""
        return Path.from_json(task.hidden["path"], self.graph)

    def documents(self, task: Task) -> set[str]:
        """Return the documents that say the facts of a question; nothing where the graph came without documents."""
        return {evidence.document for evidence in self._sayings.of(self.path(task))}

    @functools.cached_property
    def _sayings(self) -> Sayings:
        corpus = self.kg_env.corpus
        return Sayings(corpus if self.mode == "closed" else documented(corpus))

    # What each role sees.

    def proposer_view(self, parent: Task) -> Conversation:
        """Return the paths of a parent, or its passage in the flat control."""
        codes, graph = self.wording == "codes", self.graph
        if self.asking.flat:
            shown = show_passage(graph, passage_of(parent), self.wording)
            if codes:
                return (Message("system", "p"), Message("user", f"{hops_of(parent)}:{shown}"))
            return (Message("user", _prompt("kg_passage").format(passage=shown, hops=hops_of(parent))),)
        paths = [Path.from_json(row, graph) for row in self.choices(parent)]
        if codes:
            return (
                Message("system", "p"),
                Message("user", "|".join(show(graph, path, "codes") for path in paths)),
            )
        told = "\n".join(f"{i}. {self._told(path)}" for i, path in enumerate(paths, 1))
        one = "this path" if len(paths) == 1 else "one of these paths"
        return (Message("user", _prompt("kg_proposer").format(paths=told, one=one)),)

    def _told(self, path: Path) -> str:
        """Return a path in words, with the sentences that say its facts where there are documents."""
        return "\n".join([show(self.graph, path, "text"), *self._sayings.sentences(path)])

    def solver_view(self, task: Task) -> Conversation:
        """Return the task's opening; the symmetric control adds the path."""
        opening = task.conversation()
        if not self.asking.symmetric:
            return opening
        between = "|" if self.wording == "codes" else "\n\nThe path: "
        path = show(self.graph, self.path(task), self.wording)
        return (*opening[:-1], replace(opening[-1], content=opening[-1].content + between + path))

    def closed_view(self, task: Task) -> Conversation:
        """Return the question of an open-book task without its documents."""
        path = self.path(task)
        settings = self._settings.model_copy(update={"mode": "closed", "images": False})
        question = task.public.get("question")
        posed = pose(self.kg_env.corpus, path, settings, question_rng(self.graph, path), question=question)
        return posed.conversation()

    # What becomes of proposals.

    def gate_task(self, text: str, parent: Task) -> Task:
        """Return the task of the gate, which holds what it must know of the shown paths."""
        if self.asking.flat:
            return Task("gate", prompt="", verifier=self._gate.name)
        return self._gate_of(json.dumps(self.choices(parent)))

    def _make_gate_task(self, choices: str) -> Task:
        rows = [self._row(Path.from_json(row, self.graph)) for row in json.loads(choices)]
        return Task("gate", prompt="", reference={"paths": rows}, verifier=self._gate.name)

    def read(self, text: str, parent: Task, *, trajectory: str, step: int) -> Task | None:
        """Return the task of a question about what was shown, None for one that asks nothing that can be posed.

        The solver is asked in a sentence of the library's own: proposer and solver share their weights, and would learn
        to tell each other the answer in letters, spaces or words that make no difference to what is asked.
        """
        flat = self.asking.flat
        task = (
            flat_task(self.kg_env.corpus, self._settings, text, parent) if flat else self._asked(text, parent)
        )
        if task is None:
            return None
        if flat:
            path = self.path(task)
            own = own_question(self.graph, path, self._settings, question_rng(self.graph, path))
            task = replace(task, public={**task.public, "question": own})
        # What the flat control read off a passage need not be in the graph.
        seen = {} if flat else {"drawing": self._drawn(self.path(task))}
        return replace(
            task,
            hidden={**task.hidden, **seen},
            provenance=Provenance("proposed", (parent.id,), trajectory, step),
        )

    def _draw(self, path: Path) -> Json:
        return drawing(self.graph, path, wording=self.wording)

    def _asked(self, text: str, parent: Task) -> Task | None:
        found = asked_question(text, self.gate_task(text, parent).reference)
        if found is None:
            return None
        place, question = found
        path = Path.from_json(self.choices(parent)[place], self.graph)
        if self._unusable(path):
            return None
        rng = question_rng(self.graph, path)
        task = pose(self.kg_env.corpus, path, self._settings, rng, question=question)
        return replace(task, public={**task.public, "question": question})

    def form(self, task: Task) -> str:
        """Return where a question starts and which steps it takes, however it is worded."""
        return form(self.graph, self.path(task))

    def held_out(self, task: Task) -> bool:
        """Return whether the question belongs to the held-out split."""
        config = self.kg_env.config
        return config.split != "all" and is_heldout(split_key(self.graph, self.path(task), config.split_by))

    # What is imitated.

    def solved(self, task: Task) -> Demonstration:
        """Return a question with its right answer.

        Raises:
            ConfigError: a conversation, of which there is no right course.
        """
        answer = self.env.oracle(task)
        if answer is None or self.dialogue is not None:
            raise ConfigError("imitation: of conversations with the environment there are no demonstrations.")
        return Demonstration("solver", self.solver_view(task), answer)

    def demonstrations(
        self, rng: np.random.Generator, number: int, mistakes: Mapping[str, float]
    ) -> Sequence[Demonstration]:
        """Return both roles' texts in turn; ``mistakes`` is the share of wrong hops and of spoilt questions."""
        if self.dialogue is not None:
            raise ConfigError(
                "warm_start: of conversations with the environment there are no demonstrations."
            )
        found: list[Demonstration] = []
        low, high = self.hops
        for index in range(number):
            if index % 2 == 0:
                path = self.walks(rng, int(rng.integers(low, high + 1)), 1)[0]
                told = chain(self.graph, path, self.wording, mistakes.get("solver", 0.0), rng)
                found.append(Demonstration("solver", self.solver_view(self._posed(path)), told))
            else:
                parent = self.seed(rng)
                text = self._question(parent, rng)
                if rng.random() < mistakes.get("proposer", 0.0):
                    text = spoilt(self.graph, text, self._question(self.seed(rng), rng), self.wording, rng)
                found.append(Demonstration("proposer", self.proposer_view(parent), text))
        return found

    def _question(self, parent: Task, rng: np.random.Generator) -> str:
        """Return a question about one of the shown paths, each as likely."""
        rows = self.choices(parent)
        path = Path.from_json(rows[int(rng.integers(len(rows)))], self.graph)
        return ask(self.graph, path, self.wording, many=self._settings.many, rng=rng)


def hops_of(task: Task) -> int:
    """Return the number of hops of a question."""
    return int(task.strata["hops"])


def signature_of(task: Task) -> tuple[str, ...]:
    """Return the steps of a question by their ids."""
    return tuple(task.hidden["path"][1::2])


def entities_of(task: Task) -> tuple[str, ...]:
    """Return the entities of a question's path by their ids."""
    return tuple(task.hidden["path"][::2])


@functools.cache
def _prompt(name: str) -> str:
    return (
        (resources.files("rlvr_gym.agents") / "prompts" / f"{name}.txt").read_text(encoding="utf-8").strip()
    )


def _kg(env: TaskEnv) -> Domain:
    return KGDomain(cast(Questions, env))


DOMAINS.add(
    "kg", _kg, summary="Questions about a knowledge graph: the proposer asks about a path that it is shown."
)
