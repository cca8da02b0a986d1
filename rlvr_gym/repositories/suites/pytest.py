"""Tests that our own harness runs with pytest, test by test, in a repository whose files are at hand."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rlvr_gym.repositories.checkouts import base_files
from rlvr_gym.repositories.grading import grade
from rlvr_gym.repositories.places import spec_of
from rlvr_gym.repositories.suites.base import SUITES, Terms, Workspace
from rlvr_gym.runtimes.base import Limits
from rlvr_gym.types import Verdict

if TYPE_CHECKING:
    from rlvr_gym.repositories.instances import Instance


@dataclass(frozen=True, slots=True)
class PytestSuite:
    """A folder of pristine files, a folder of what they need, and how pytest is started."""

    kind: ClassVar[str] = "pytest"

    repository: Path
    """Folder of the pristine files, without ``.git``."""
    environment: Path | None = None
    """Folder of what the repository needs besides Python (pytest among it), importable; never the package itself."""
    setup_patch: str = ""
    """Turns the pristine files into the state that the agent is given, such as by a seeded bug."""
    source_roots: tuple[str, ...] = (".",)
    """Folders of the repository that go on ``sys.path``, before ``environment``."""
    plugins: tuple[str, ...] = ()
    """Plugins of pytest that the tests need, as ``-p`` takes them; all others are off."""
    args: tuple[str, ...] = ()
    """Further arguments of pytest, such as ``--doctest-modules``."""

    def workspace(self, instance: Instance, limits: Limits) -> Workspace:
        """Return what an agent's sandbox starts with."""
        return Workspace(spec_of(self, limits), lambda: base_files(self))

    def grade(self, instance: Instance, patch: str, terms: Terms) -> Verdict:
        """Return the verdict on an untrusted patch, from a fresh sandbox that no agent has touched."""
        return grade(self, instance, patch, terms)


SUITES.add("pytest", PytestSuite)
