"""VHG's pool: seeds for proposals, and admitted problems near a solve rate of one half for the solver."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated

import numpy as np
from pydantic import Field, PositiveInt

from rlvr_gym.agents import Domain
from rlvr_gym.config import Config
from rlvr_gym.selfplay.archive import Archive
from rlvr_gym.selfplay.credit import Credit
from rlvr_gym.selfplay.curricula.base import CURRICULA
from rlvr_gym.types import Json, Task

Share = Annotated[float, Field(ge=0.0, le=1.0)]


class Pool(Config):
    """Settings of the pool curriculum."""

    capacity: PositiveInt = 4096
    """How many admitted problems are kept; the least informative leaves first."""
    archive_parents: Share = 0.0
    """Share of proposals that start from an admitted problem instead of a seed."""
    anchors: Share = 0.2
    """Share of practice that comes from seeds, so that the solver does not drift with the setter."""


class PoolCurriculum:
    """Seeds, and an archive of admitted problems that is never forgotten for novelty."""

    def __init__(self, config: Pool, domain: Domain) -> None:
        self._config = config
        self._domain = domain
        self._archive = Archive(capacity=config.capacity)

    def parents(self, rng: np.random.Generator, number: int, step: int) -> Sequence[Task]:
        """Return seeds, a share of them replaced by admitted problems once there are any."""
        drawn = self._archive.draw(rng, int(rng.binomial(number, self._config.archive_parents)), step)
        return [task for _, task in drawn] + [self._domain.seed(rng) for _ in range(number - len(drawn))]

    def practice(self, rng: np.random.Generator, number: int, step: int) -> Sequence[Task]:
        """Return admitted problems that were solved sometimes but not always, and at least the anchors."""
        anchors = int(np.ceil(number * self._config.anchors))
        drawn = self._archive.draw(rng, number - anchors, step)
        return [task for _, task in drawn] + [self._domain.seed(rng) for _ in range(number - len(drawn))]

    def copies(self, form: str) -> int:
        """Return how often ``form`` was proposed before."""
        return self._archive.copies(form)

    def forms(self) -> Collection[str]:
        """Return all forms that were proposed."""
        return self._archive.forms

    def figures(self) -> Mapping[str, float]:
        """Return how many different problems were proposed, and how many of them are kept."""
        archive = self._archive
        return {
            "curriculum/proposed": float(len(archive.forms)),
            "curriculum/kept": float(len(archive.kept)),
        }

    def fold(self, step: int, credit: Credit) -> None:
        """Admit valid, new, solved problems; fold this step's attempts into known ones."""
        proposed = set()
        for judged in credit.proposals:
            task, form, estimate = judged.proposal.task, judged.form, judged.estimate
            if task is None or form is None or not judged.proposal.valid:
                continue
            self._archive.propose(form)
            proposed.add(task.id)
            if judged.proposal.shelf == "admitted" and estimate is not None:
                self._archive.admit(form, task, estimate, step)
        for form, item in list(self._archive.kept.items()):
            estimate = credit.estimates.get(item.task.id)
            if estimate is not None and item.task.id not in proposed:
                self._archive.visit(form, estimate, step)

    def state(self) -> Json:
        """Return the archive."""
        return self._archive.state()

    def load(self, state: Json) -> None:
        """Restore the archive."""
        self._archive.load(state)


CURRICULA.add("pool", PoolCurriculum, config=Pool, paper="arXiv:2605.06660")
