"""Which questions an environment draws: sound ones of its split that can be asked as its settings say."""

from __future__ import annotations

import functools
import threading
from collections import Counter
from collections.abc import Iterator

import numpy as np

from rlvr_gym.envs.base import TaskEnv
from rlvr_gym.envs.kg_tasks import KG, answers_of, form, pose, question_rng, refusal, split_key
from rlvr_gym.envs.splits import in_split
from rlvr_gym.errors import ConfigError
from rlvr_gym.graphs.corpus import Corpus
from rlvr_gym.graphs.paths import Path
from rlvr_gym.graphs.sampling import Sampler
from rlvr_gym.graphs.sources.base import open_corpus
from rlvr_gym.graphs.structure import Reject
from rlvr_gym.graphs.wording import UnaskableError, answer, ask
from rlvr_gym.seeding import generator
from rlvr_gym.types import Task

_MOST_ROUNDS = 10
"""Each round draws twice as many paths as the one before, so that about a thousand are looked at in all."""
_PATIENCE = 300
_SAMPLING = threading.Lock()


class Questions(TaskEnv):
    """Where the tasks come from, alike for one turn and for several."""

    config: KG
    hops: tuple[int, ...]
    """How many hops questions have: those asked for of which the graph has any, maybe none."""

    def ask_about(self, config: KG) -> None:
        """Look for a question of each number of hops; what there is none of becomes a note."""
        self.config = config
        missing: dict[int, str] = {}
        wanted = range(config.min_hops, config.max_hops + 1)
        for hops in wanted:
            try:
                self.draw_path(generator(0, "kg", "first", hops), hops)
            except ConfigError as error:
                missing[hops] = str(error)
        self.hops = tuple(hops for hops in wanted if hops not in missing)
        self.notes = (*self.corpus.notes, *missing.values())

    @property
    def corpus(self) -> Corpus:
        """Graph and documents; opened once per process, and never part of a copy of the environment."""
        return open_corpus(self.config.graph, where="env 'kg': graph")

    def draw(self, rng: np.random.Generator) -> Task:
        """Return a question of the split, every number of hops as likely.

        Raises:
            ConfigError: the graph has no question for these settings, told with the reasons.
        """
        self._has_some()
        return self._posed(self.draw_path(rng, self.hops[int(rng.integers(len(self.hops)))]))

    def draw_path(self, rng: np.random.Generator, hops: int, *, sound: bool = True) -> Path:
        """Return a path of the split that there are words for; ``sound`` says whether it must make a sound question.

        Raises:
            ConfigError: about a thousand paths were drawn in vain; the line counts why.
        """
        rejected: Counter[str] = Counter()
        for path in self._paths(rng, hops, rejected, sound=sound):
            reason = self._refused(path, sound=sound)
            if reason is None:
                return path
            rejected[reason] += 1
        counts = ", ".join(f"{reason} {count}" for reason, count in rejected.most_common())
        kind = f"{hops}-hop question" if sound else f"path of {hops} hops"
        raise ConfigError(
            f"env 'kg': the graph has no {kind} for these settings, as far as some thousand walks tell; "
            f"refused: {counts or 'nothing, since no walk is so long'}."
        )

    def tasks(self, num: int, *, seed: int) -> list[Task]:
        """Return ``num`` distinct tasks, fewer only when there are no more, equally many of each number of hops.

        Raises:
            ConfigError: the graph has no question for these settings, told with the reasons.
        """
        self._has_some()
        found: dict[str, Task] = {}
        index = misses = 0
        while len(found) < num and misses < _PATIENCE:
            path = self.draw_path(generator(seed, "task", index), self.hops[index % len(self.hops)])
            key = form(self.corpus.graph, path)
            misses = misses + 1 if key in found else 0
            if key not in found:
                found[key] = self._complete(self._posed(path))
            index += 1
        return list(found.values())

    def oracle(self, task: Task) -> str | None:
        """Return the right response, None for a task that holds no path."""
        if "path" not in task.hidden:
            return None
        graph = self.corpus.graph
        path = Path.from_json(task.hidden["path"], graph)
        return answer(
            graph,
            path,
            answers_of(graph, path),
            self.config.wording,
            reasoning=self.config.wording == "codes",
        )

    def _has_some(self) -> None:
        if not self.hops:
            # The notes end with what was found for each number of hops, beginning with the fewest.
            wanted = self.config.max_hops - self.config.min_hops + 1
            raise ConfigError(self.notes[-wanted])

    def _posed(self, path: Path) -> Task:
        return pose(self.corpus, path, self.config, question_rng(self.corpus.graph, path))

    def _paths(
        self, rng: np.random.Generator, hops: int, rejected: Counter[str], *, sound: bool
    ) -> Iterator[Path]:
        sampler = _sampler(self.corpus, self.config.inverse)
        for round in range(_MOST_ROUNDS):
            # The sampler is shared and keeps what it has found out, which is not for two threads at once.
            with _SAMPLING:
                if sound:
                    before = sampler.rejected.copy()
                    paths = sampler.sound(rng, 2**round, hops, self.config.gate)
                    rejected.update({str(reason): n for reason, n in (sampler.rejected - before).items()})
                else:
                    nodes, steps = sampler.sample(rng, 2**round, hops)
                    walks = zip(nodes.tolist(), steps.tolist(), strict=True)
                    paths = [Path(tuple(a), tuple(b)) for a, b in walks]
            if not paths:
                return
            yield from paths

    def _refused(self, path: Path, *, sound: bool) -> str | None:
        """Return why a path that the graph allows is not asked about here, None where it is."""
        config = self.config
        if not in_split(split_key(self.corpus.graph, path, config.split_by), config.split):
            return f"not in split '{config.split}' by {config.split_by}"
        if sound:
            return refusal(self.corpus, path, config)
        try:
            ask(self.corpus.graph, path, config.wording)
        except UnaskableError:
            return str(Reject.MISSING)
        return None


@functools.lru_cache(maxsize=8)
def _sampler(corpus: Corpus, inverse: bool) -> Sampler:
    """Return a sampler, whose tables take longer to build than a draw takes."""
    return Sampler(corpus.graph, inverse=inverse)
