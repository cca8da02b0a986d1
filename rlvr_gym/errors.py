"""Errors that users can act on: each says where, what is wrong, what was given and what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class RLVRError(Exception):
    """Base of every deliberate error of this library."""


class UnknownNameError(RLVRError, KeyError):
    """A name that no registry or table holds."""

    def __str__(self) -> str:
        # KeyError would print the repr of its argument.
        return str(self.args[0])


class DuplicateNameError(RLVRError, ValueError):
    """A second registration of one name."""


class ConfigError(RLVRError, ValueError):
    """A setting that is unknown, missing or out of its range."""


class TaskError(RLVRError, ValueError):
    """A task that no verifier could judge, such as a reference that does not parse."""


class DataError(RLVRError, ValueError):
    """A file that does not hold what it should, told with the file, the line and the reason."""


class MissingExtraError(RLVRError, ImportError):
    """A feature whose optional dependency is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an extra: pip install 'rlvr-gym[{extra}]'.")


class StoreError(RLVRError, OSError):
    """A run folder that is damaged, foreign, full or not writable."""

    def __str__(self) -> str:
        return str(self.args[0])


class UsageError(RLVRError, ValueError):
    """A call that cannot be served as given."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `` Did you mean 'x'?`` for the nearest known name, the known names if few, else nothing.

    Example:
        >>> did_you_mean("gpso", ["gspo", "grpo"])
        " Did you mean 'gspo'?"
    """
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if near:
        return f" Did you mean '{near[0]}'?"
    if 0 < len(names) <= 12:
        return f" Known: {', '.join(names)}."
    return ""
