"""The reference stage: which entity a document is about, what it refers to and whom it mentions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from rlvr_gym.graphs.extraction.report import Report
from rlvr_gym.graphs.extraction.resolving import Context, Refusal, Resolved, Resolver
from rlvr_gym.graphs.extraction.structural import Outline

Kind: TypeAlias = Literal["describes", "see also", "mentions"]
STAGE = "reference"
DOCUMENT_PREFIX = "doc-"
"""What rendered documents put before the id of the entity that they are about."""


@dataclass(frozen=True, slots=True)
class Reference:
    """An edge from a document to an entity."""

    document: str
    kind: Kind
    entity: int
    start: int
    end: int
    by: str
    """How the name was resolved: ``name``, ``spelling``, ``type`` or ``context``."""


def subject(page: Outline, resolver: Resolver) -> Resolved | Refusal:
    """Return who a document is about: the entity that its id was made from, or else whom its title names."""
    if page.document.id.startswith(DOCUMENT_PREFIX):
        place = resolver.with_id(page.document.id.removeprefix(DOCUMENT_PREFIX))
        if place is not None:
            return Resolved(place, 1.0, "id")
    return resolver.resolve(page.title, page.kind)


def refer(page: Outline, about: int, resolver: Resolver, report: Report) -> tuple[list[Reference], Context]:
    """Return the references of a document whose subject is known, and what it tells about who is meant in it."""
    context = Context(about)
    found = [Reference(page.document.id, "describes", about, *page.title_span, "name")] if about >= 0 else []
    text, id = page.document.text, page.document.id
    names: list[tuple[str, tuple[int, ...], Kind, int, int]] = [
        (name, resolver.index.readings(name), "see also", start, end) for name, start, end in page.see_also
    ]
    for first, last in page.lines:
        for mention in resolver.index.mentions(text[first:last]):
            start, end = first + mention.start, first + mention.end
            names.append((mention.form, mention.readings, "mentions", start, end))
    # Names that are clear come first, whatever their order: they decide who is meant by the others.
    context.clear.update(readings[0] for _, readings, _, _, _ in names if len(readings) == 1)
    for name, readings, kind, start, end in names:
        one = resolver.choose(name, readings, "", context) if readings else resolver.resolve(name)
        if isinstance(one, Resolved):
            found.append(Reference(id, kind, one.place, start, end, one.by))
            report.count(STAGE, f"{kind}, by {one.by}")
        else:
            report.drop(STAGE, f"{kind}: {one}")
    return found, context
