"""Extensional equality: it means equality, and is proved part by part where ``=~=`` is written.

On a sequence or set it is a function of its own, so that the axioms on contents fire on it alone. On a datatype that is
marked for it the fields are compared so, except those through which the type contains itself.
"""

from __future__ import annotations

from rlvr_gym.verifiers.verus.inference.types import Type
from rlvr_gym.verifiers.verus.logic.closures import Closures
from rlvr_gym.verifiers.verus.logic.functions import Functions
from rlvr_gym.verifiers.verus.logic.sorts import Sorts
from rlvr_gym.verifiers.verus.logic.world import Node, World
from rlvr_gym.verifiers.verus.logic.z3api import Handle

_SEQ = "vstd::seq::Seq::"


class Extensional:
    """The equalities of one job."""

    def __init__(self, world: World, sorts: Sorts, closures: Closures, functions: Functions) -> None:
        self._world = world
        self._sorts = sorts
        self._closures = closures
        self._functions = functions
        self._made: dict[tuple[Type, bool], tuple[Handle, Node]] = {}

    def equal(self, type: Type, a: Handle, b: Handle, *, deep: bool) -> Handle:
        """Return ``a =~= b``; ``deep`` (``=~~=``) compares elements so too."""
        z3 = self._world.z3
        if self._sorts.is_algebraic(type):
            return self._by_fields(type, a, b, deep=deep) if self._is_marked(type) else z3.eq(a, b)
        if self._sorts.sort(type) in (z3.int, z3.bool):
            return z3.eq(a, b)
        # Only sequences and function values have elements that ``=~~=`` looks into.
        deep = deep and type.name in ("Seq", "spec_fn")
        found = self._made.get((type, deep))
        if found is None:
            sort = self._sorts.sort(type)
            function = z3.function(f"=~= {type}", [sort, sort], z3.bool)
            key = ("=~~=", type) if deep else ("=~=", type)
            node = Node(f"=~= {type}", lambda: self._facts(type, function, deep=deep), key=key)
            self._made[type, deep] = found = function, node
        self._world.use(found[1])
        return z3.app(found[0], a, b)

    def _is_marked(self, type: Type) -> bool:
        if type.name == "tuple":
            return bool(type.args)
        return self._world.program.datatypes[type.name].extensional

    def _by_fields(self, type: Type, a: Handle, b: Handle, *, deep: bool) -> Handle:
        z3 = self._world.z3
        shape = self._sorts.shape(type)
        cases = []
        for _, test, accessors, types in shape.variants.values():
            parts = [] if len(shape.variants) == 1 else [z3.app(test, a), z3.app(test, b)]
            for accessor, of in zip(accessors, types, strict=True):
                left, right = z3.app(accessor, a), z3.app(accessor, b)
                if shape.recursive and self._sorts.contains(of, type):
                    parts.append(z3.eq(left, right))
                else:
                    parts.append(self.equal(of, left, right, deep=deep))
            cases.append(z3.and_(*parts))
        return z3.or_(*cases)

    def _facts(self, type: Type, function: Handle, *, deep: bool) -> list[Handle]:
        z3 = self._world.z3
        sort = self._sorts.sort(type)
        a, b = z3.const("a", sort), z3.const("b", sort)
        same = z3.app(function, a, b)
        facts = [z3.forall([a, b], [[same]], z3.eq(same, z3.eq(a, b)))]
        if type.name == "spec_fn":
            parts = self._pointwise(type, a, b, deep=deep)
            facts.append(z3.forall([a, b], [[same]], z3.implies(parts, same)))
        elif deep:
            parts = self._elementwise(type, a, b)
            facts.append(z3.forall([a, b], [[same]], z3.implies(parts, same)))
        return facts

    def _pointwise(self, type: Type, a: Handle, b: Handle, *, deep: bool) -> Handle:
        """Return that function values agree on all arguments of their types."""
        z3 = self._world.z3
        arguments = [z3.const("x", self._sorts.sort(of)) for of in type.args[:-1]]
        typed = [self._sorts.invariant(of, one) for of, one in zip(type.args, arguments, strict=False)]
        left, right = (self._closures.apply(type, each, arguments) for each in (a, b))
        agree = z3.implies(z3.and_(*typed), self.equal(type.args[-1], left, right, deep=deep))
        return z3.quantifier(True, arguments, [[left], [right]], agree)

    def _elementwise(self, type: Type, a: Handle, b: Handle) -> Handle:
        """Return that sequences have one length and equal elements."""
        z3, functions = self._world.z3, self._functions
        element = type.args[0]
        size = functions.instance(f"{_SEQ}len", (element,))
        at = functions.instance(f"{_SEQ}index", (element,))
        length = functions.apply(size, [a])
        position = z3.const("i", z3.int)
        left, right = (functions.apply(at, [each, position]) for each in (a, b))
        inside = z3.and_(z3.le(z3.numeral(0), position), z3.lt(position, length))
        agree = z3.implies(inside, self.equal(element, left, right, deep=True))
        everywhere = z3.quantifier(True, [position], [[left], [right]], agree)
        return z3.and_(z3.eq(length, functions.apply(size, [b])), everywhere)
