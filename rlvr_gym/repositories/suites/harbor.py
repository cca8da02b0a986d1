"""Tests of a Harbor task folder: its own script, which leaves a reward in a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rlvr_gym.repositories.harbor.build import prepare
from rlvr_gym.repositories.harbor.folder import read_folder
from rlvr_gym.repositories.harbor.running import grade
from rlvr_gym.repositories.harbor.sandboxes import spec_of
from rlvr_gym.repositories.harbor.trees import plain_files
from rlvr_gym.repositories.suites.base import SUITES, Terms, Workspace
from rlvr_gym.runtimes.base import Limits
from rlvr_gym.runtimes.local import LocalRuntime
from rlvr_gym.types import Status, Verdict

if TYPE_CHECKING:
    from rlvr_gym.repositories.instances import Instance


@dataclass(frozen=True, slots=True)
class HarborSuite:
    """A task folder. Its reward is what its tests say: they run as the same user as the code that they test."""

    kind: ClassVar[str] = "harbor"

    folder: Path
    """With ``task.toml``."""
    image: str = ""
    """Image that was built from its Dockerfile, for the runtime ``docker``; a task may also name one itself."""
    reward_key: str = ""
    """Which number counts where the tests leave several."""

    def workspace(self, instance: Instance, limits: Limits) -> Workspace:
        """Return what an agent's sandbox starts with; neither tests nor solution are in it.

        Raises:
            HarborError: the folder breaks the format.
            UnsupportedError: the task needs what cannot be had here.
        """
        start = prepare(read_folder(self.folder), image=self.image).start
        return Workspace(spec_of(start, limits), lambda: plain_files(start.workspace))

    def grade(self, instance: Instance, patch: str, terms: Terms) -> Verdict:
        """Return the verdict on an untrusted patch, from a fresh sandbox that no agent has touched.

        Passed means that the reward is 1; a smaller one is a failure that keeps its score. A reward that is missing,
        broken, or after a time-out is 0; one outside [0, 1] is refused as unsupported.

        Raises:
            HarborError: the folder breaks the format.
            UnsupportedError: the task needs what cannot be had here.
        """
        folder = read_folder(self.folder)
        image = self.image or folder.settings.environment.docker_image
        if image and isinstance(terms.runtime, LocalRuntime):
            reason = f"the image '{image}' needs a runtime with images, such as docker"
            return Verdict.of(Status.UNSUPPORTED, reason)
        prepared = prepare(folder, image=self.image)
        return grade(folder, prepared, patch, terms.runtime, terms.limits, reward_key=self.reward_key)


SUITES.add("harbor", HarborSuite)
