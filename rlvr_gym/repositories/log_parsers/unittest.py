"""Logs of unittest with ``-v``, which is also what Django's test runner writes."""

from __future__ import annotations

import re

from rlvr_gym.repositories.log_parsers.base import LOG_PARSERS, Outcomes

_ENDS = {" ... FAIL": "FAILED", " ... ERROR": "ERROR"}
_PASSED = (" ... ok", " ... OK", " ...  OK")
_HEADS = {"FAIL:": "FAILED", "ERROR:": "ERROR"}
_BETWEEN = (
    # What Django prints between the name of a test and its "ok".
    re.compile(r"^(.*?) \.\.\. Testing against Django installed in (?s:.*?) silenced\)\.\nok$", re.MULTILINE),
    re.compile(r"^(.*?) \.\.\. Internal Server Error: /.*/\nok$", re.MULTILINE),
    re.compile(r"^(.*?) \.\.\. System check identified no issues \(0 silenced\)\nok$", re.MULTILINE),
)
_VERSION = "--version is equivalent to version"
_MIGRATION = "Applying sites.0002_alter_domain_unique...test_no_migrations"
"""A line in which two writers met; an instance of SWE-bench counts on the second half."""


def unittest(log: str) -> dict[str, str]:
    """Return the status of each line ``name ... status``, of lists of failures, and of tests that print before ``ok``."""
    found = Outcomes()
    last = ""
    for line in map(str.strip, log.split("\n")):
        if _VERSION in line:
            # Its name is two lines long.
            found[_VERSION] = "PASSED"
        if " ... " in line:
            last = line.partition(" ... ")[0]
        for end in _PASSED:
            if line.endswith(end):
                text = line.partition("...")[2].strip() if line.startswith(_MIGRATION) else line
                found[text.rpartition(end)[0]] = "PASSED"
                break
        if " ... skipped" in line:
            found[line.partition(" ... skipped")[0]] = "SKIPPED"
        for end, status in _ENDS.items():
            if line.endswith(end):
                found[line.partition(end)[0]] = status
        for head, status in _HEADS.items():
            if line.startswith(head) and len(words := line.split()) > 1:
                found[words[1]] = status
        if line.startswith("ok") and last:
            found[last] = "PASSED"
    for pattern in _BETWEEN:
        for test in pattern.findall(log):
            found[test] = "PASSED"
    return found


LOG_PARSERS.add("parse_log_django", unittest)
LOG_PARSERS.add("parse_log_unittest", unittest)
