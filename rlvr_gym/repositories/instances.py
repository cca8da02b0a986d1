"""An instance: a repository with a problem, the patch that solves it, and the tests that tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from rlvr_gym.repositories.suites.base import Suite, suite_from_dict, suite_to_dict
from rlvr_gym.types import Json


@dataclass(frozen=True, slots=True)
class Instance:
    """One software-engineering task. Patches are git-style unified diffs with ``a/`` and ``b/``."""

    id: str
    problem: str
    """What the agent reads."""
    suite: Suite
    patch: str
    """Solves the problem; relative to the state that the agent is given. Never shown."""
    test_patch: str
    """Installs the tests; relative to the same state. Applied after submission only."""
    fail_to_pass: tuple[str, ...]
    """Ids of tests that fail before ``patch`` and pass after it."""
    pass_to_pass: tuple[str, ...]
    """Ids of tests that pass before and after."""
    repo: str = ""
    """Name of the repository, for tables."""
    version: str = ""
    license: str = ""
    strata: Mapping[str, str | int] = field(default_factory=dict)
    """Labels such as ``kind`` (fix, bug) and ``changed_lines``."""
    provenance: Mapping[str, Json] = field(default_factory=dict)
    """Where it is from: files with their hashes, versions, mutations, how it was validated."""

    def to_dict(self) -> dict[str, Json]:
        """Return the instance as JSON values; folders as absolute paths."""
        row: dict[str, Json] = {each.name: getattr(self, each.name) for each in fields(self)}
        tests = {name: list(row[name]) for name in ("fail_to_pass", "pass_to_pass")}
        tables = {name: dict(row[name]) for name in ("strata", "provenance")}
        return {**row, **tests, **tables, "suite": suite_to_dict(self.suite)}

    @classmethod
    def from_dict(cls, row: Mapping[str, Json]) -> Instance:
        """Read what ``to_dict`` wrote.

        Raises:
            TaskError: a suite that cannot be read.
        """
        tests = {name: tuple(row[name]) for name in ("fail_to_pass", "pass_to_pass")}
        return cls(**{**row, **tests, "suite": suite_from_dict(row["suite"])})
