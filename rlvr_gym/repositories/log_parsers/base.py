"""The registry of log parsers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from rlvr_gym.errors import UnknownNameError, did_you_mean
from rlvr_gym.registry import Registry

LogParser: TypeAlias = Callable[[str], Mapping[str, str]]
"""Returns the status of each test in a log, by its id: PASSED, FAILED, ERROR, SKIPPED or XFAIL."""

STATUSES = ("FAILED", "PASSED", "SKIPPED", "ERROR", "XFAIL")


class Outcomes(dict[str, str]):
    """Status by test. The last one counts, but a failure stays: code under test may print what takes it back."""

    def __setitem__(self, test: str, status: str) -> None:
        """Note the status of a test."""
        if self.get(test) != "FAILED":
            super().__setitem__(test, status)


LOG_PARSERS: Registry[LogParser] = Registry("log parser", "rlvr_gym.repositories.log_parsers")
"""Parsers by the names of SWE-bench, such as ``parse_log_pytest``."""


def log_parser(name: str) -> LogParser:
    """Return a parser by its name; one that is not here comes from the package ``swebench``, where it is installed.

    Raises:
        UnknownNameError: neither has it.
    """
    if name in LOG_PARSERS:
        return LOG_PARSERS[name].value
    theirs = _swebench()
    if name not in theirs:
        hint = did_you_mean(name, [*LOG_PARSERS, *theirs])
        more = "" if theirs else " The package 'swebench' has more, and is not installed."
        raise UnknownNameError(f"No log parser is named '{name}'.{hint}{more}")
    found = theirs[name]
    # None of its parsers looks at the second argument.
    return lambda log: found(log, None)


def _swebench() -> Mapping[str, Callable[[str, Any], Mapping[str, str]]]:
    try:
        from swebench.harness.log_parsers import PARSER_REGISTRY
    except ImportError:
        return {}
    parsers: Mapping[str, Callable[[str, Any], Mapping[str, str]]] = PARSER_REGISTRY
    return parsers
