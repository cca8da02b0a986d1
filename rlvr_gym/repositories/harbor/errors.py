"""What can be wrong with a task folder."""

from __future__ import annotations

from rlvr_gym.errors import RLVRError


class HarborError(RLVRError, ValueError):
    """A task folder that breaks the format; one line for each mistake, with the file and the key."""


class UnsupportedError(RLVRError, ValueError):
    """A correct task folder that needs more than can be had here; names the file and the line or key."""
