"""String literals: a constant each. Their characters are not known: Verus tells them only after `reveal_strlit`."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.inference.types import Type
from rlvr_gym.verifiers.verus.logic.sorts import Sorts
from rlvr_gym.verifiers.verus.logic.world import Node, World
from rlvr_gym.verifiers.verus.logic.z3api import Handle


class Strings:
    """The literals of one job."""

    def __init__(self, world: World, sorts: Sorts) -> None:
        self._world = world
        self._sorts = sorts
        self._made: dict[tuple[Type, str], tuple[Handle, Node]] = {}

    def literal(self, type: Type, text: str) -> Handle:
        """Return the constant of a literal."""
        found = self._made.get((type, text))
        if found is None:
            constant = self._world.z3.const("text", self._sorts.sort(type))
            self._made[type, text] = found = constant, Node("text")
        self._world.use(found[1])
        return found[0]
