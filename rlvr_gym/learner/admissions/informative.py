"""The dynamic filter: only groups whose rewards differ train (DAPO, arXiv:2503.14476, section 3.2)."""

from __future__ import annotations

from rlvr_gym.config import NoConfig
from rlvr_gym.learner.admissions.base import admission
from rlvr_gym.types import Group


@admission("informative", paper="arXiv:2503.14476")
def informative(group: Group, config: NoConfig) -> str | None:
    """Keep a group iff its rewards, or a channel's, differ; for binary ones alone 1 - p^G - (1 - p)^G survive.

    It drops just the groups on which sign and nsr still speak.
    """
    return None if group.informative else "uninformative"
