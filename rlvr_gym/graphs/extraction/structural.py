"""The structural stage: what a document is made of, and which of its lines may say facts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from rlvr_gym.graphs.corpus import Document
from rlvr_gym.graphs.extraction.layout import (
    CAPTION,
    KIND,
    OTHER_NAMES,
    ROW,
    SECTION,
    SEE_ALSO,
    SEPARATOR,
    TITLE,
    row_cells,
)

Span = tuple[int, int]
"""First character and the one behind the last."""


@dataclass(frozen=True, slots=True)
class Part:
    """A document, or a piece of one: what the structural stage makes nodes of."""

    kind: Literal["document", "section", "table", "figure"]
    id: str
    title: str
    start: int
    end: int
    rows: tuple[tuple[str, ...], ...] = ()
    """Cells of a table."""
    row_spans: tuple[Span, ...] = ()


@dataclass(slots=True)
class Outline:
    """A document taken apart."""

    document: Document
    title: str = ""
    title_span: Span = (0, 0)
    """Where the title stands in the text; nothing where it does not."""
    kind: str = ""
    """Class of what it is about; empty where it does not say."""
    others: tuple[str, ...] = ()
    """Other names of what it is about."""
    parts: list[Part] = field(default_factory=list)
    """The document itself, its sections, tables and figures, in the order of their first characters."""
    lines: list[Span] = field(default_factory=list)
    """Lines of sentences."""
    see_also: list[tuple[str, int, int]] = field(default_factory=list)
    """Titles of documents that it refers to, with where it names them."""


def outline(document: Document) -> Outline:
    """Take a document apart: every line is a mark, a row of a table, a caption or a line of sentences."""
    found = Outline(document, document.title)
    found.parts.append(Part("document", document.id, document.title, 0, len(document.text)))
    figures = iter(document.figures)
    lines = _lines(document.text)
    at = 0
    while at < len(lines):
        start, end = lines[at]
        line = document.text[start:end]
        at += 1
        if line.startswith(SECTION):
            _close_section(found, start)
            found.parts.append(
                Part(
                    "section",
                    f"{document.id}#{len(found.parts)}",
                    line[len(SECTION) :],
                    start,
                    len(document.text),
                )
            )
        elif line.startswith(TITLE):
            found.title, found.title_span = line[len(TITLE) :], (start + len(TITLE), end)
        elif line.startswith(KIND):
            found.kind = line[len(KIND) :]
        elif line.startswith(OTHER_NAMES):
            found.others = tuple(line[len(OTHER_NAMES) :].split(SEPARATOR))
        elif line.startswith(SEE_ALSO):
            _refer(found, line[len(SEE_ALSO) :], start + len(SEE_ALSO))
        elif line.startswith(CAPTION):
            first = at
            while at < len(lines) and document.text.startswith(ROW, lines[at][0]):
                at += 1
            spans = tuple(lines[first:at])
            rows = tuple(tuple(row_cells(document.text[a:b])) for a, b in spans)
            # Captions stand in the order of the ids; one without an id is called by its place.
            id = next(figures, f"{document.id}#{len(found.parts)}")
            title = line.removeprefix(CAPTION).removesuffix("]")
            found.parts.append(Part("table" if rows else "figure", id, title, start, end, rows, spans))
        elif line and not line.startswith(ROW):
            found.lines.append((start, end))
    return found


def _lines(text: str) -> list[Span]:
    """Return the lines of a text; only the newline ends one, as names may hold all else."""
    spans, start = [], 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        spans.append((start, end))
        start = end + 1
    return spans


def _close_section(found: Outline, end: int) -> None:
    for at in range(len(found.parts) - 1, 0, -1):
        part = found.parts[at]
        if part.kind == "section":
            found.parts[at] = Part("section", part.id, part.title, part.start, end)
            return


def _refer(found: Outline, names: str, start: int) -> None:
    for name in names.split(SEPARATOR):
        if name.strip():
            found.see_also.append((name, start, start + len(name)))
        start += len(name) + len(SEPARATOR)
