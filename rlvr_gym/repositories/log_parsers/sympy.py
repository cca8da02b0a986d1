"""Logs of sympy's own test runner, ``bin/test -C --verbose``."""

from __future__ import annotations

import re

from rlvr_gym.repositories.log_parsers.base import LOG_PARSERS, Outcomes

_FAILURE = re.compile(r"_* (.*)\.py:(.*) _*")
_ENDS = {" E": "ERROR", " F": "FAILED", " ok": "PASSED"}


def sympy(log: str) -> dict[str, str]:
    """Return the status of each line ``test_name status``, and of each headline of a failure."""
    found = Outcomes()
    for file, test in _FAILURE.findall(log):
        found[f"{file}.py:{test}"] = "FAILED"
    for line in map(str.strip, log.split("\n")):
        if line.startswith("test_"):
            for end, status in _ENDS.items():
                if line.endswith(end):
                    found[line.split()[0]] = status
    return found


LOG_PARSERS.add("parse_log_sympy", sympy)
