"""Every group trains."""

from __future__ import annotations

from rlvr_gym.config import NoConfig
from rlvr_gym.learner.admissions.base import admission
from rlvr_gym.types import Group


@admission("all")
def every(group: Group, config: NoConfig) -> str | None:
    """Keep every group."""
    return None
