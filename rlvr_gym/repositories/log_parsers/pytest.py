"""Logs of pytest with a summary (``-rA``), as SWE-bench reads them: its four ways to find ids that hold odd signs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rlvr_gym.repositories.log_parsers.base import LOG_PARSERS, STATUSES, Outcomes

_COLOUR = re.compile(r"\x1b?\[(\d+)m")
_CONTROL = dict.fromkeys(range(1, 32))
_SKIP_COUNT = re.compile(r"\[\d+\]")
_OPTION = re.compile(r"(.*?)\[(.*)\]")


def plain(log: str) -> dict[str, str]:
    """Return the statuses of lines that begin with one; an id ends at the first blank."""
    found = Outcomes()
    for status, test in _pairs(log):
        found[test] = status
    return found


def options(log: str) -> dict[str, str]:
    """Return the same, with paths in parameters cut to their last part: they differ from machine to machine."""
    found = Outcomes()
    for status, test in _pairs(log):
        found[_short(test)] = status
    return found


def whole_line(log: str) -> dict[str, str]:
    """Return statuses at the begin or the end of lines, without colours; ids may hold blanks."""
    found = Outcomes()
    for line in log.split("\n"):
        line = _COLOUR.sub("", line).translate(_CONTROL)
        if line.startswith(STATUSES):
            text = line.partition(" - ")[0] if line.startswith("FAILED") else line
            status, *test = text.split()
            if test and not _is_count(status, test[0]):
                found[" ".join(test)] = status
        elif line.endswith(STATUSES):
            *test, status = line.split()
            if test:
                found[" ".join(test)] = status
    return found


def mouse_buttons(log: str) -> dict[str, str]:
    """Return what `plain` does; matplotlib's buttons are numbers in old versions and names in new ones."""
    return plain(log.replace("MouseButton.LEFT", "1").replace("MouseButton.RIGHT", "3"))


def verbose_or_summary(log: str) -> dict[str, str]:
    """Return statuses at the begin of lines, or after the id as ``-v`` writes them."""
    found = Outcomes()
    for line in log.split("\n"):
        first, second, *_ = [*line.split(), "", ""]
        if line.startswith("FAILED") and second:
            found[second] = "FAILED"
        elif " PASSED " in line:
            if second == "PASSED":
                found[first] = "PASSED"
        elif line.startswith("PASSED") and second:
            found[second] = "PASSED"
    return found


def _pairs(log: str) -> Iterator[tuple[str, str]]:
    for line in log.split("\n"):
        if line.startswith(STATUSES):
            # Some ids hold " - ", and are cut off there in lists of failures only.
            words = (line.replace(" - ", " ") if line.startswith("FAILED") else line).split()
            if len(words) > 1 and not _is_count(words[0], words[1]):
                yield words[0], words[1]


def _is_count(status: str, test: str) -> bool:
    """Return whether this is a line such as ``SKIPPED [3] tests/test_a.py:7: why``, which names no test."""
    return status == "SKIPPED" and _SKIP_COUNT.fullmatch(test) is not None


def _short(test: str) -> str:
    found = _OPTION.search(test)
    if not found:
        return test
    name, option = found.groups()
    if option.startswith("/") and not option.startswith("//") and "*" not in option:
        option = f"/{option.rpartition('/')[2]}"
    return f"{name}[{option}]"


for _name in ("pytest", "astroid", "flask", "marshmallow", "pvlib", "pyvista", "sqlfluff", "xarray"):
    LOG_PARSERS.add(f"parse_log_{_name}", plain)
for _name in ("pytest_options", "pydicom", "requests", "pylint"):
    LOG_PARSERS.add(f"parse_log_{_name}", options)
for _name in ("pytest_v2", "astropy", "scikit", "sphinx"):
    LOG_PARSERS.add(f"parse_log_{_name}", whole_line)
LOG_PARSERS.add("parse_log_matplotlib", mouse_buttons)
LOG_PARSERS.add("parse_log_seaborn", verbose_or_summary)
