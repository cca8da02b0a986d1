"""Fresh tasks of the train split, all alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from rlvr_gym.agents import Domain
from rlvr_gym.config import NoConfig
from rlvr_gym.selfplay.credit import Credit
from rlvr_gym.selfplay.curricula.base import CURRICULA
from rlvr_gym.types import Json, Task


class Uniform:
    """Draw seeds afresh each step; remember only how often each form was proposed."""

    def __init__(self, config: NoConfig, domain: Domain) -> None:
        self._domain = domain
        self._forms: Counter[str] = Counter()

    def parents(self, rng: np.random.Generator, number: int, step: int) -> Sequence[Task]:
        """Return fresh seeds."""
        return [self._domain.seed(rng) for _ in range(number)]

    def practice(self, rng: np.random.Generator, number: int, step: int) -> Sequence[Task]:
        """Return fresh seeds."""
        return [self._domain.seed(rng) for _ in range(number)]

    def copies(self, form: str) -> int:
        """Return how often ``form`` was proposed before."""
        return self._forms[form]

    def forms(self) -> Collection[str]:
        """Return all forms that were proposed."""
        return self._forms

    def figures(self) -> Mapping[str, float]:
        """Return how many different problems were proposed."""
        return {"curriculum/proposed": float(len(self._forms))}

    def fold(self, step: int, credit: Credit) -> None:
        """Count valid forms."""
        self._forms.update(j.form for j in credit.proposals if j.form is not None and j.proposal.valid)

    def state(self) -> Json:
        """Return the counts."""
        return dict(self._forms)

    def load(self, state: Json) -> None:
        """Restore the counts."""
        self._forms = Counter(state)


CURRICULA.add("uniform", Uniform)
