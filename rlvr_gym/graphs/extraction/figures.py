"""What tables and charts state: facts that stand in cells and bars, not in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rlvr_gym.graphs.corpus import Fact
from rlvr_gym.graphs.extraction.patterns import Patterns
from rlvr_gym.graphs.extraction.resolving import Resolved, Resolver
from rlvr_gym.graphs.graph import Entity, Relation


def rows_of(entity: Entity) -> list[list[str]]:
    """Return the rows of a table as texts; none where its attributes hold no table."""
    rows = entity.attributes.get("rows")
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        return []
    return [[str(cell) for cell in row] for row in rows]


def table_facts(
    rows: Sequence[Sequence[str]], relations: Sequence[Relation], patterns: Patterns, resolver: Resolver
) -> Iterator[tuple[int, Fact, float] | str]:
    """Yield the facts of a table: the number of the row, the fact and how sure it is; or why a cell states none.

    The first row is the head. Its first cell is the class of the things in the first column, and every further one
    the noun phrase of a relation whose tails stand below it.
    """
    header = rows[0] if rows else []
    for column, words in enumerate(header[1:], 1):
        kinds = [
            place for place in patterns.by_column.get(words, ())
            if not relations[place].head_type or relations[place].head_type == header[0]
        ]  # fmt: skip
        for number, row in enumerate(rows[1:], 1):
            if len(kinds) != 1 or len(row) != len(header):
                yield "column that is no relation" if len(kinds) != 1 else "row of another length"
                continue
            head = resolver.resolve(row[0], header[0])
            tail = resolver.resolve(row[column], relations[kinds[0]].tail_type)
            if isinstance(head, Resolved) and isinstance(tail, Resolved):
                yield number, (head.place, kinds[0], tail.place), min(head.confidence, tail.confidence)
            else:
                yield str(tail if isinstance(head, Resolved) else head)


def chart_facts(
    place: int, entity: Entity, relations: Sequence[Relation], resolver: Resolver
) -> Iterator[Fact | str]:
    """Yield the facts that a bar chart shows, read from the numbers that it is drawn from; or why a bar states none."""
    kinds = {relation.id: kind for kind, relation in enumerate(relations)}
    named, values = entity.attributes.get("relations"), entity.attributes.get("values")
    if not isinstance(named, list) or not isinstance(values, list) or len(named) != len(values):
        yield "picture without numbers"
        return
    for id, value in zip(named, values, strict=True):
        if id not in kinds:
            yield "bar that is no relation"
            continue
        tail = resolver.quantity(
            str(value), str(entity.attributes.get("unit", "")), relations[kinds[id]].tail_type
        )
        if isinstance(tail, Resolved):
            yield place, kinds[id], tail.place
        else:
            yield str(tail)
