"""Entities across documents: those known beforehand, and those that documents introduce."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rlvr_gym.graphs.aliases import normal
from rlvr_gym.graphs.extraction.referring import DOCUMENT_PREFIX, STAGE, subject
from rlvr_gym.graphs.extraction.report import Report
from rlvr_gym.graphs.extraction.resolving import Resolved, Resolver
from rlvr_gym.graphs.extraction.structural import Outline, Part
from rlvr_gym.graphs.graph import Entity
from rlvr_gym.types import Json


def gather(
    pages: Sequence[Outline], known: Sequence[Entity], discover: bool, report: Report
) -> tuple[list[Entity], list[int]]:
    """Return all entities, the known ones first, and the place of the subject of each document, -1 for none.

    Documents with the same title about things of the same class are about the same thing. What a document says its
    subject is also called is added to the names of the subject.
    """
    entities, resolver = list(known), Resolver(known)
    ids = {entity.id: place for place, entity in enumerate(entities)}
    new: dict[tuple[str, str], int] = {}
    subjects = []
    for page in pages:
        found = subject(page, resolver)
        if isinstance(found, Resolved):
            place = found.place
            report.count(STAGE, "subjects known")
        elif discover and normal(page.title):
            place = new.setdefault((normal(page.title), page.kind), len(entities))
            if place == len(entities):
                id = _free(page.document.id.removeprefix(DOCUMENT_PREFIX), page.document.id, ids)
                ids[id] = place
                entities.append(Entity(id, page.title, page.kind))
            report.count(STAGE, "subjects discovered")
        else:
            place = -1
            report.drop(STAGE, f"subject: {found}")
        if place >= 0 and page.others:
            entities[place] = _also_called(entities[place], page.others)
        subjects.append(place)
        for part in page.parts:
            if part.kind in ("table", "figure") and part.id not in ids:
                ids[part.id] = len(entities)
                entities.append(_figure(part, page))
    return entities, subjects


def _free(id: str, longer: str, ids: dict[str, int]) -> str:
    """Return an id that nothing has yet."""
    number, free = 1, id
    while free in ids:
        free = longer if number == 1 else f"{longer}#{number}"
        number += 1
    return free


def _also_called(entity: Entity, others: Sequence[str]) -> Entity:
    names = {normal(name) for name in (entity.id, entity.label, *entity.aliases)}
    added = {normal(name): name for name in others if normal(name) not in names}
    return replace(entity, aliases=(*entity.aliases, *added.values())) if added else entity


def _figure(part: Part, page: Outline) -> Entity:
    label, _, title = part.title.partition(": ")
    shown: dict[str, Json] = {"title": title}
    if part.kind == "table":
        shown["rows"] = [list(row) for row in part.rows]
    modality = "table" if part.kind == "table" else "image"
    return Entity(part.id, label, "", (), modality, shown, page.document.id)  # type: ignore[arg-type]
