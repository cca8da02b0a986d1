"""Ways to break a program by a small edit, one file each."""

from rlvr_gym.factory.mutations.base import MUTATIONS, Edit, Source, edits, sound

__all__ = ["MUTATIONS", "Edit", "Source", "edits", "sound"]
