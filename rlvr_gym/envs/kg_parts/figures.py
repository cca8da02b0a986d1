"""Figures and tables of documents: in words, or as images beside the text."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rlvr_gym.errors import UsageError
from rlvr_gym.graphs.corpus import Document
from rlvr_gym.graphs.graph import Entity, KnowledgeGraph
from rlvr_gym.graphs.wording import clean
from rlvr_gym.types import Image

_CELL_CHARS, _VALUE_CHARS, _LABEL_CHARS = 40, 12, 64
"""What a picture has room for: a cell of a table, a value above a bar, all labels below the bars together."""


def caption(entity: Entity) -> str:
    """Return the name of a figure with its title."""
    title = clean(str(entity.attributes.get("title", "")))
    return f"[{clean(entity.name)}: {title}]" if title else f"[{clean(entity.name)}]"


def in_words(entity: Entity) -> list[str]:
    """Return what a figure or table shows, line by line: rows of cells between bars, or the numbers of a chart."""
    if rows := _rows(entity):
        return [f"| {' | '.join(map(clean, row))} |" for row in rows]
    unit = clean(str(entity.attributes.get("unit", "")))
    numbers = [clean(f"{label}: {value} {unit}") for label, value in _bars(entity)]
    return ["; ".join(numbers)] if numbers else []


def picture(entity: Entity) -> Image | None:
    """Return the image of a figure or table: its own where it brings one, else drawn from its rows or its numbers.

    Returns:
        None where there is nothing to draw, or where a picture would have to leave some of it out.

    Raises:
        MissingExtraError: Pillow is not installed.
    """
    from rlvr_gym.graphs.pictures import draw

    told = "\n".join([caption(entity), *in_words(entity)])
    own = entity.attributes.get("image")
    try:
        if isinstance(own, Mapping):
            return Image.from_dict({**own, "text": told})
        return Image("image/png", draw(entity), told) if _legible(entity) else None
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, UsageError):
            return None
        raise UsageError(
            f"entity '{entity.id}': its image must have a 'media_type' and 'data' in base64 ({error})."
        ) from None


def laid_out(
    graph: KnowledgeGraph, document: Document, pictured: Callable[[Entity], Image | None] | None = None
) -> tuple[str, tuple[Image, ...]]:
    """Return the text under a document's title with figures in words, and the images of those that are pictured.

    A figure's own lines stand behind its caption. Where a text holds no such line, they come behind the text.

    Args:
        graph: Of the figures.
        document: Its text may hold tables in words already.
        pictured: Returns the image that takes the place of a figure's words, if any.
    """
    lines = document.text.splitlines()
    images = []
    for id in document.figures:
        if id not in graph:
            continue
        entity = graph.entities[graph.place(id)]
        head = caption(entity)
        if head not in lines:
            lines += ["", head]
        at = end = lines.index(head) + 1
        while end < len(lines) and lines[end].startswith("| "):
            end += 1
        image = None if pictured is None else pictured(entity)
        lines[at:end] = in_words(entity) if image is None else []
        if image is not None:
            images.append(image)
    if lines and lines[0] == f"# {document.title}":
        # Documents are shown under their titles.
        del lines[0]
    return "\n".join(lines).strip(), tuple(images)


def _rows(entity: Entity) -> list[list[str]]:
    rows = entity.attributes.get("rows")
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        return []
    return [[str(cell) for cell in row] for row in rows]


def _bars(entity: Entity) -> list[tuple[str, str]]:
    labels, values = entity.attributes.get("labels"), entity.attributes.get("values")
    if not isinstance(labels, list) or not isinstance(values, list) or len(labels) != len(values):
        return []
    return [(str(label), str(value)) for label, value in zip(labels, values, strict=True)]


def _legible(entity: Entity) -> bool:
    if rows := _rows(entity):
        return all(len(cell) <= _CELL_CHARS for row in rows for cell in row)
    bars = _bars(entity)
    return all(len(label) * len(bars) <= _LABEL_CHARS and len(value) <= _VALUE_CHARS for label, value in bars)
