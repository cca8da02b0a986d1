"""What a release says that it changed, as the text of an issue."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping

_FILE = re.compile(r"(^|/)(change(s|log)?|history|news|release[-_]?notes|readme)[^/]*$", re.IGNORECASE)
_README = re.compile(r"(^|/)readme[^/]*$", re.IGNORECASE)
_CODE = (".py", ".toml", ".cfg")
_READ_LINES = 4000
_LONGEST_LINE = 300
_MOST_LINES = 20
_MOST_CHARACTERS = 2000
_VERSION = r"v?\d+\.\d+[\w.]*"
_HEADING = re.compile(
    rf"^[#=\-*~^+.\s]*$|^\W*(version|release|unreleased|\[?{_VERSION}\]?)\W*({_VERSION})?\W*(\(?[\w ,./-]*\d{{4}}[\w ,./-]*\)?)?\W*$"
    r"|^\W*(added|changed|fixed|removed|bug ?fix(es)?|features?|enhancements?|changes|new|misc|deprecated|security"
    r"|contributors?)\W*$",
    re.IGNORECASE,
)
_NO_BEHAVIOUR = re.compile(
    r"\b(tests?|CI|travis|tox|github actions|docs?|document(s|ed|ing|ation)?|typos?|readme|release(d)?|packag(e|ing)|sdist|wheel"
    r"|pypi|badge|lint|flake8|black|ruff|mypy|pre-commit|coverage|copyright|license|contributors?"
    r"|python 2|python 3|python [23]\.\d+|bump|version)\b",
    re.IGNORECASE,
)
_NOISE = (
    (re.compile(rf"^(\W*)(version\s+)?{_VERSION}\s*[:\-]*\s+", re.IGNORECASE), r"\1"),
    (
        re.compile(
            r"[\s,;]*(\((thanks|thank you|by|via|reported by|contributed by|patch by|pr by)\b[^)]*\)"
            r"|\b(thanks|thank you|reported by|contributed by|patch by|pr by)\b[^.)]*|\b(by|via) @[\w-]+)",
            re.IGNORECASE,
        ),
        "",
    ),
    (re.compile(r":\w+:`([^`<]*)(<[^`]*>)?`_{0,2}"), r"\1"),
    (re.compile(r"\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"`([^`<]+)<[^`>]*>`_{1,2}"), r"\1"),
    (
        re.compile(
            r"\(?\s*((fix(es)?|closes?|see|issue|bug|pr|pull request|gh|and|,)\s*)*(#|gh-)\d+[^)\s]*\s*\)?",
            re.IGNORECASE,
        ),
        "",
    ),
    (re.compile(r"https?://\S+"), ""),
)


def changelog(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> str:
    """Return what the files of a release say that is new in it, without versions, names and links; or nothing."""
    for path in sorted(after, key=lambda path: (bool(_README.search(path)), path)):
        if _FILE.search(path) and not path.endswith(_CODE) and before.get(path) != after[path]:
            old, new = _lines(before.get(path, b"")), _lines(after[path])
            # A readme also tells other things: there only items of a list count.
            if text := _told(_added(old, new), items_only=bool(_README.search(path))):
                return text
    return ""


def _lines(content: bytes) -> list[str]:
    # Bounded, as are the lines: neither the comparison nor the patterns take long whatever a file holds.
    lines = content.decode("utf-8", "replace").splitlines()[:_READ_LINES]
    return [line[:_LONGEST_LINE] for line in lines]


def _added(old: list[str], new: list[str]) -> list[str]:
    matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=False)
    return [
        line
        for kind, _, _, start, end in matcher.get_opcodes()
        if kind in ("insert", "replace")
        for line in new[start:end]
    ]


def _told(lines: list[str], *, items_only: bool) -> str:
    kept: list[str] = []
    open_item = False
    for line in lines:
        text = line.rstrip()
        is_item = bool(re.match(r"\s*[-*+•]\s", text))
        if not text.strip() or _HEADING.match(text):
            open_item = False
            continue
        text = _cleaned(text)
        if is_item or not text.startswith(" "):
            open_item = not _NO_BEHAVIOUR.search(text) and (is_item or not items_only)
        if open_item:
            kept.append(text)
    kept = [text for text in kept if len(re.sub(r"\W", "", text)) > 3]
    return "\n".join(kept[:_MOST_LINES])[:_MOST_CHARACTERS].strip()


def _cleaned(text: str) -> str:
    for pattern, by in _NOISE:
        text = pattern.sub(by, text)
    return re.sub(r"\s+\.$", ".", text).rstrip(" ,;:")
