"""Integers: products and quotients without literals, casts and bit operators, each with the few facts it comes with."""

from __future__ import annotations

from collections.abc import Callable

from rlvr_gym.verifiers.verus.inference.types import WIDTHS, Type
from rlvr_gym.verifiers.verus.logic.sorts import Sorts
from rlvr_gym.verifiers.verus.logic.world import Node, World
from rlvr_gym.verifiers.verus.logic.z3api import Handle

_BITS = frozenset({"&", "|", "^", "<<", ">>"})


class Arithmetic:
    """The operators that the default solver knows little about."""

    def __init__(self, world: World, sorts: Sorts) -> None:
        self._world = world
        self._sorts = sorts
        self._functions: dict[tuple[str, Type | None], tuple[Handle, Node]] = {}
        self._ranges: dict[tuple[str, Type], Node] = {}

    def wrapped(self, op: str, a: Handle, b: Handle) -> Handle:
        """Return ``a op b`` as an application: nothing nonlinear is known of it beyond its definition."""
        return self._apply(op, None, a, b)

    def bits(self, op: str, type: Type, *operands: Handle) -> Handle:
        """Return a bit operator on a type: a value of the type and nothing more; a left shift may lose its value.

        But for the complement, one function serves all types: ``x | y`` is the same number in wider ones.
        """
        if op == "bitnot":
            return self._apply(op, type, *operands)
        made = self._apply(op, None, *operands)
        if op != "<<" and type.name in WIDTHS:
            self._world.use(self._range(op, type))
        return self.clip(type, made)

    def _range(self, op: str, type: Type) -> Node:
        """Return the node that says that an operator does not leave a type."""
        found = self._ranges.get((op, type))
        if found is None:
            self._ranges[op, type] = found = Node(f"{op} {type}", lambda: self._fitting(op, type))
        return found

    def _fitting(self, op: str, type: Type) -> list[Handle]:
        z3, fits = self._world.z3, self._sorts.invariant
        x, y = z3.const("x", z3.int), z3.const("y", z3.int)
        made = self._apply(op, None, x, y)
        # A shift to the right stays in the type of its left operand, whatever the right one is.
        premise = fits(type, x) if op == ">>" else z3.and_(fits(type, x), fits(type, y))
        return [z3.forall([x, y], [[self.clip(type, made)]], z3.implies(premise, fits(type, made)))]

    def clip(self, type: Type, value: Handle) -> Handle:
        """Return a cast: the value where it fits, else some value of the type."""
        return value if type.name == "int" else self._apply("as", type, value)

    def _apply(self, op: str, type: Type | None, *operands: Handle) -> Handle:
        found = self._functions.get((op, type))
        if found is None:
            z3 = self._world.z3
            name = f"{op} {type}" if type else op
            function = z3.function(name, [z3.int] * len(operands), z3.int)
            node = Node(name, key=(op, type) if type else (op,))
            count = len(operands)
            node.build = lambda: self._facts(op, type, function, count)
            self._functions[op, type] = found = function, node
        self._world.use(found[1])
        return self._world.z3.app(found[0], *operands)

    def _facts(self, op: str, type: Type | None, function: Handle, count: int) -> list[Handle]:
        z3, fits = self._world.z3, self._sorts.invariant
        x, y = z3.const("x", z3.int), z3.const("y", z3.int)
        bound = [x, y][:count]
        made = z3.app(function, *bound)
        zero = z3.numeral(0)

        def known(*facts: Handle) -> list[Handle]:
            return [z3.forall(bound, [[made]], fact) for fact in facts]

        if op == "as":
            assert type is not None
            return known(fits(type, made), z3.implies(fits(type, x), z3.eq(made, x)))
        if op == "bitnot":
            assert type is not None
            return known(z3.implies(fits(type, x), fits(type, made)))
        if op in _BITS:
            return []
        definitions: dict[str, Callable[[Handle, Handle], Handle]] = {
            "+": z3.add, "-": z3.sub, "*": z3.mul, "/": z3.div, "%": z3.mod,
        }  # fmt: skip
        facts = [z3.eq(made, definitions[op](x, y))]
        natural = z3.le(zero, x)
        if op == "*":
            facts.append(z3.implies(z3.and_(natural, z3.le(zero, y)), z3.le(zero, made)))
        elif op == "/":
            facts.append(
                z3.implies(z3.and_(natural, z3.lt(zero, y)), z3.and_(z3.le(zero, made), z3.le(made, x)))
            )
        elif op == "%":
            facts.append(
                z3.implies(z3.and_(natural, z3.lt(zero, y)), z3.and_(z3.le(zero, made), z3.lt(made, y)))
            )
        return known(*facts)
