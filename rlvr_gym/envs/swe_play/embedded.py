"""Instances of our own: three small packages with seeded bugs, so that the environment works without any data."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.pytest_folder import pytest_folder
from rlvr_gym.repositories.rows import read_instances

FOLDER = Path(__file__).parent.parent / "swe_repositories"


@lru_cache(maxsize=1)
def embedded_instances() -> tuple[Instance, ...]:
    """Return the instances, ready to be run with the caller's pytest.

    Raises:
        UnavailableError: pytest is not installed.
    """
    environment = pytest_folder()
    return tuple(
        replace(instance, suite=replace(instance.suite, environment=environment))  # type: ignore[type-var]  # a dataclass
        for instance in read_instances(FOLDER)
    )
