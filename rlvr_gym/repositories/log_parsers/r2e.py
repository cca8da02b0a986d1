"""Logs of pytest with a summary as R2E-Gym names tests: without the file, with dots, ``TestShape.test_area``."""

from __future__ import annotations

import re

from rlvr_gym.repositories.log_parsers.base import LOG_PARSERS, Outcomes

_SUMMARY = "short test summary info"
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def r2e(log: str) -> dict[str, str]:
    """Return the statuses of the summary."""
    found = Outcomes()
    for line in _COLOUR.sub("", log).partition(_SUMMARY)[2].split("\n"):
        status, _, test = line.strip().partition(" ")
        if status in ("PASSED", "FAILED", "ERROR"):
            found[r2e_name(test)] = status
    return found


def r2e_name(test: str) -> str:
    """Return the name of a test: a node id of pytest, or a name with colours and a message, as rows have them."""
    plain = _COLOUR.sub("", test)
    name = ".".join(plain.split("::")[1:]) if "::" in plain else plain
    return name.partition(" - ")[0].strip()


LOG_PARSERS.add("r2e", r2e)
