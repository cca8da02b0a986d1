"""The order in which values of datatypes may decrease: what a value is built from is below it."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.inference.types import WIDTHS, Type
from rlvr_gym.verifiers.verus.logic.functions import Functions
from rlvr_gym.verifiers.verus.logic.sorts import Sorts
from rlvr_gym.verifiers.verus.logic.world import Node, World
from rlvr_gym.verifiers.verus.logic.z3api import Handle

_SEQ = "vstd::seq::Seq::"
_INTEGERS = frozenset(WIDTHS) | {"int", "nat"}


class Heights:
    """Heights of one job: an unknown measure with a partial order, not a number."""

    def __init__(self, world: World, sorts: Sorts, functions: Functions) -> None:
        self._world = world
        self._sorts = sorts
        self._functions = functions
        self._order: tuple[Handle, Handle, Handle, Node] | None = None
        self._made: dict[Type, tuple[Handle, Node]] = {}

    def less(self, left_type: Type, left: Handle, right_type: Type, right: Handle) -> Handle:
        """Return that one value is below another: for integers, that it is less and not negative."""
        z3 = self._world.z3
        if left_type.name in _INTEGERS and right_type.name in _INTEGERS:
            return z3.and_(z3.le(z3.numeral(0), left), z3.lt(left, right))
        if not self._has_height(left_type) or not self._has_height(right_type):
            # Nothing is known to be below: the obligation fails.
            return z3.false
        _, less, _, node = self._parts()
        self._world.use(node)
        return z3.app(less, self._height(left_type, left), self._height(right_type, right))

    def equal(self, left_type: Type, left: Handle, right_type: Type, right: Handle) -> Handle:
        """Return that two measures are equal."""
        z3 = self._world.z3
        if left_type.name in _INTEGERS and right_type.name in _INTEGERS:
            return z3.eq(left, right)
        if not self._has_height(left_type) or not self._has_height(right_type):
            return z3.false
        return z3.eq(self._height(left_type, left), self._height(right_type, right))

    def _has_height(self, type: Type) -> bool:
        return type.name not in _INTEGERS and type.name not in ("bool", "char", "spec_fn", "Map", "Set")

    def _parts(self) -> tuple[Handle, Handle, Handle, Node]:
        if self._order is None:
            z3 = self._world.z3
            sort = z3.sort("height")
            less = z3.function("lower", [sort, sort], z3.bool)
            order = z3.partial_order(sort)
            self._order = sort, less, order, Node("lower", self._ordered)
        return self._order

    def _ordered(self) -> list[Handle]:
        z3 = self._world.z3
        sort, less, order, _ = self._parts()
        x, y = z3.const("x", sort), z3.const("y", sort)
        below = z3.app(less, x, y)
        strictly = z3.and_(z3.app(order, x, y), z3.not_(z3.eq(x, y)))
        return [z3.forall([x, y], [[below]], z3.eq(below, strictly))]

    def _height(self, type: Type, value: Handle) -> Handle:
        found = self._made.get(type)
        if found is None:
            z3 = self._world.z3
            function = z3.function(f"height {type}", [self._sorts.sort(type)], self._parts()[0])
            node = Node(f"height {type}", lambda: self._facts(type, function), key=("height", type))
            self._made[type] = found = function, node
        self._world.use(found[1])
        return self._world.z3.app(found[0], value)

    def _facts(self, type: Type, function: Handle) -> list[Handle]:
        z3 = self._world.z3
        whole = z3.const("x", self._sorts.sort(type))
        if type.name == "Seq":
            return self._elements(type, whole, function)
        if not self._sorts.is_algebraic(type):
            return []
        facts = []
        for _, test, accessors, types in self._sorts.shape(type).variants.values():
            for accessor, of in zip(accessors, types, strict=True):
                if not self._has_height(of):
                    continue
                part = self._height(of, z3.app(accessor, whole))
                below = z3.app(self._parts()[1], part, z3.app(function, whole))
                self._world.use(self._parts()[3])
                facts.append(z3.forall([whole], [[part]], z3.implies(z3.app(test, whole), below)))
        return facts

    def _elements(self, type: Type, whole: Handle, function: Handle) -> list[Handle]:
        """Return that elements are below their sequence, and so are its shorter parts."""
        z3, functions = self._world.z3, self._functions
        element = type.args[0]
        start, end = z3.const("i", z3.int), z3.const("j", z3.int)
        size = functions.instance(f"{_SEQ}len", (element,))
        length = functions.apply(size, [whole])
        above = z3.app(function, whole)
        less = self._parts()[1]
        self._world.use(self._parts()[3])
        facts = []
        if self._has_height(element):
            at = functions.instance(f"{_SEQ}index", (element,))
            part = self._height(element, functions.apply(at, [whole, start]))
            inside = z3.and_(z3.le(z3.numeral(0), start), z3.lt(start, length))
            facts.append(z3.forall([whole, start], [[part]], z3.implies(inside, z3.app(less, part, above))))
        if f"{_SEQ}subrange" in self._world.program.specs:
            cut = functions.apply(functions.instance(f"{_SEQ}subrange", (element,)), [whole, start, end])
            part = z3.app(function, cut)
            shorter = z3.and_(
                z3.le(z3.numeral(0), start), z3.le(start, end), z3.le(end, length),
                z3.lt(functions.apply(size, [cut]), length),
            )  # fmt: skip
            facts.append(
                z3.forall([whole, start, end], [[part]], z3.implies(shorter, z3.app(less, part, above)))
            )
        return facts
