"""One message for a missing torch, wherever a policy needs it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from rlvr_gym.errors import MissingExtraError


@contextlib.contextmanager
def needs_train(what: str) -> Iterator[None]:
    """Turn a failing import of an optional dependency inside the block into the command that installs it.

    Raises:
        MissingExtraError: a module of another package is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("rlvr_gym"):
            raise
        raise MissingExtraError(what, "train") from error
