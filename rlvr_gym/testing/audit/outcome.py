"""What one call of an audited thing came to, as data that crosses a process border."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from rlvr_gym.types import Json

ERROR = "error"
"""Status of a call that raised."""
REFUSED = "refused"
"""Status of a call that said that the task cannot be judged: a `TaskError`."""
OPEN = "open"
"""Status of an episode that goes on after the first response."""
LOST = "lost"
"""Status of a call that never came back: the process hung or died."""
_SHOWN = 500


@dataclass(frozen=True, slots=True)
class Outcome:
    """One judged text."""

    status: str
    """A verdict's status, or one of this module's."""
    score: float | None = None
    reason: str = ""
    """The verdict's reason, or what went wrong."""
    problem: str = ""
    """What the answer contradicts, such as a score above 1."""
    seconds: float = 0.0

    @property
    def same(self) -> tuple[str, float | None]:
        """What must not change from one call to the next."""
        # NaN differs from itself.
        return self.status, None if self.score is None or math.isnan(self.score) else self.score

    def pays(self, partial: float = 0.0) -> bool:
        """Return whether the text earned more than ``partial``."""
        return self.score is not None and self.score > partial

    def shown(self) -> str:
        """Return one line for people."""
        score = "" if self.score is None else f" {self.score:g}"
        return f"{self.status}{score}: {self.reason}" if self.reason else f"{self.status}{score}"

    def to_dict(self) -> dict[str, Json]:
        """Return the outcome as JSON values."""
        return {**asdict(self), "reason": self.reason[:_SHOWN], "problem": self.problem[:_SHOWN]}

    @classmethod
    def from_dict(cls, row: Mapping[str, Json]) -> Outcome:
        """Read what ``to_dict`` wrote."""
        return cls(**row)
