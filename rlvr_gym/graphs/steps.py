"""Where steps lead: the arrays that a knowledge graph is kept in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int32]
"""Places of entities, relations, steps or facts, shape (n,)."""


class Steps:
    """Where every step leads, as compressed rows: for each entity its steps in order, for each step its ends in order.

    Args:
        num_entities: Number of entities.
        num_relations: Number of relations; a step is a relation, or a relation plus this number for its inverse.
        heads: Heads of the facts.
        kinds: Their relations.
        tails: Their tails.
    """

    def __init__(
        self,
        num_entities: int,
        num_relations: int,
        heads: NDArray[np.int64],
        kinds: NDArray[np.int64],
        tails: NDArray[np.int64],
    ) -> None:
        self.num_entities = num_entities
        self.num_relations = num_relations
        width = 2 * num_relations
        keys = np.concatenate([heads, tails]) * width + np.concatenate([kinds, kinds + num_relations])
        ends = np.concatenate([tails, heads]).astype(np.int32)
        order = np.lexsort((ends, keys))
        self.ends: Places = ends[order]
        """Where each step leads, in the order of (entity, step, end), shape (2 * facts,)."""
        keys = keys[order]
        first = np.flatnonzero(np.diff(keys, prepend=-1))
        self.group_start: Places = np.append(first, len(keys)).astype(np.int32)
        """Where the ends of each group begin in ``ends``, a group being an entity with one of its steps; and the end."""
        kind = np.int16 if width <= 2**15 else np.int32
        self.group_step: NDArray[np.integer[Any]] = (keys[first] % max(1, width)).astype(kind)
        """The step of each group, in few bytes, as a graph may have as many groups as facts."""
        owner = keys[first] // max(1, width)
        places = np.arange(num_entities + 1)
        self.entity_start: Places = np.searchsorted(owner, places).astype(np.int32)
        """Where the groups of each entity begin; and the end, shape (entities + 1,)."""
        forward = owner * 2 + (self.group_step >= num_relations)
        self.inverse_start: Places = np.searchsorted(forward, 2 * places[:-1] + 1).astype(np.int32)
        """Where the inverse steps begin among an entity's groups, shape (entities,)."""

        for array in (self.ends, self.group_start, self.group_step, self.entity_start, self.inverse_start):
            # Callers get views of these.
            array.setflags(write=False)

    def owners(self) -> Places:
        """Return the entity of each group."""
        return np.repeat(np.arange(self.num_entities, dtype=np.int32), np.diff(self.entity_start))

    def group(self, entity: int, step: int) -> int:
        """Return the place of the group of ``entity`` and ``step``, -1 where the step leads nowhere."""
        start, end = self.entity_start[entity], self.entity_start[entity + 1]
        at = int(start + np.searchsorted(self.group_step[start:end], step))
        return at if at < end and self.group_step[at] == step else -1

    def successors(self, entity: int, step: int) -> Places:
        """Return where ``step`` leads from ``entity``, sorted."""
        at = self.group(entity, step)
        return self.ends[self.group_start[at] : self.group_start[at + 1]] if at >= 0 else self.ends[:0]

    def from_entity(self, entity: int, *, inverse: bool = True) -> Iterable[tuple[int, Places]]:
        """Yield the steps that lead somewhere from ``entity`` with their ends; ``inverse`` says whether both ways."""
        start = int(self.entity_start[entity])
        end = int(self.entity_start[entity + 1] if inverse else self.inverse_start[entity])
        for at in range(start, end):
            yield int(self.group_step[at]), self.ends[self.group_start[at] : self.group_start[at + 1]]
