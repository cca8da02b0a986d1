"""Sorts of the solver for types, and what is known of every value of a type.

Integers and characters are integers, structs, enums and tuples algebraic datatypes, everything else (sequences,
vectors, generic parameters, function values) an uninterpreted sort for each instance.
"""

from __future__ import annotations

from dataclasses import dataclass

from rlvr_gym.verifiers.verus.core import CoreDatatype
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.types import WIDTHS, Type, erased, substituted
from rlvr_gym.verifiers.verus.logic.world import Node, World
from rlvr_gym.verifiers.verus.logic.z3api import Handle
from rlvr_gym.verifiers.verus.report import NOWHERE

_INTEGERS = frozenset(WIDTHS) | {"int", "nat", "char"}
_MOST_PARTS = 200
"""Parts of a type: a datatype that holds ever larger instances of itself would never end."""
_MOST_SORTS = 2000
_INLINED = 12
"""Leaves up to which a datatype's invariant is written out where it is needed."""


@dataclass(eq=False)
class Shape:
    """A datatype instance."""

    type: Type
    sort: Handle
    variants: dict[str, tuple[Handle, Handle, list[Handle], tuple[Type, ...]]]
    """For each variant: constructor, tester, field functions, field types."""
    recursive: bool
    node: Node


class Sorts:
    """Sorts and invariants of one job."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._sorts: dict[Type, Handle] = {}
        self._shapes: dict[Type, Shape] = {}
        self._predicates: dict[Type, tuple[Handle, Node] | None] = {}
        self._sizes: dict[Type, int] = {}
        self._arch: tuple[Handle, Node] | None = None

    # ------------------------------------------------------------ sorts

    def sort(self, type: Type) -> Handle:
        """Return the sort of a type without references and unknowns."""
        found = self._sorts.get(type)
        if found is not None:
            return found
        z3 = self._world.z3
        if type.name in _INTEGERS:
            made = z3.int
        elif type.name == "bool":
            made = z3.bool
        elif self.is_algebraic(type):
            self._algebraic(type)
            return self._sorts[type]
        else:
            self._check_known(type)
            made = z3.sort(str(type))
        self._sorts[type] = made
        return made

    def by_sort(self) -> dict[int, Type]:
        """Return the types that have a sort of their own, by its identity."""
        shared = (self._world.z3.int.value, self._world.z3.bool.value)
        return {sort.value: type for type, sort in self._sorts.items() if sort.value not in shared}

    def shape(self, type: Type) -> Shape:
        """Return the variants of a struct, enum or tuple."""
        found = self._shapes.get(type)
        if found is None:
            self.sort(type)
            found = self._shapes.get(type)
            if found is None:
                raise Unsupported(f"fields of a value of type `{type}`", NOWHERE)
        self._world.use(found.node)
        return found

    def is_algebraic(self, type: Type) -> bool:
        """Return whether values of the type have variants and fields."""
        if type.name == "tuple":
            return True
        declared = self._world.program.datatypes.get(type.name)
        return declared is not None and not declared.opaque

    def _check_known(self, type: Type) -> None:
        if len(self._sorts) > _MOST_SORTS:
            raise Unsupported("too many types", NOWHERE)
        known = type.name.startswith("'") or type.name in ("spec_fn", "!", "slice", "array", "str", "range")
        if not known and type.name not in self._world.program.datatypes:
            raise Unsupported(f"the type `{type}`", NOWHERE)
        if _is_huge(type):
            raise Unsupported(f"the type `{str(type)[:80]}` is too large", NOWHERE)

    def _fields(self, type: Type) -> list[tuple[str, list[tuple[str, Type]]]]:
        """Return the variants of an algebraic type with the types of their fields."""
        if type.name == "tuple":
            return [("tuple", [(str(i), arg) for i, arg in enumerate(type.args)])]
        declared: CoreDatatype = self._world.program.datatypes[type.name]
        values = dict(zip(declared.parameters, type.args, strict=True))
        return [
            (variant, [(field, erased(substituted(of, values))) for field, of in fields])
            for variant, fields in declared.variants
        ]

    def _algebraic(self, type: Type) -> None:
        """Declare a datatype with all that it reaches through fields; those that reach each other go together."""
        z3 = self._world.z3
        members: dict[Type, list[tuple[str, list[tuple[str, Type]]]]] = {}
        waiting = [type]
        while waiting:
            current = waiting.pop()
            if current in members or current in self._sorts:
                continue
            if current.name != "tuple":
                self._check_known(current)
            if len(members) > _MOST_SORTS or _is_huge(current):
                raise Unsupported(f"the type `{str(current)[:80]}` never ends", NOWHERE)
            members[current] = variants = self._fields(current)
            if not variants:
                raise Unsupported(f"the type `{current}` has no values", NOWHERE)
            waiting += [of for _, fields in variants for _, of in fields if self.is_algebraic(of)]
        reachable = {member: self._reachable(member, members) for member in members}
        done: set[Type] = set()
        # Components in dependency order: a member is ready when all it reaches outside of its component is done.
        order = sorted(members, key=lambda member: len(reachable[member]))
        for member in order:
            if member in done:
                continue
            component = [other for other in reachable[member] if member in reachable.get(other, ())] or [
                member
            ]
            numbers = {each: i for i, each in enumerate(component)}
            shapes = []
            for each in component:
                variants_made = []
                for variant, fields in members[each]:
                    made: list[tuple[str, Handle | int]] = [
                        (field, numbers[of] if of in numbers else self.sort(of)) for field, of in fields
                    ]
                    variants_made.append((variant, made))
                shapes.append((str(each), variants_made))
            for each, (sort, functions) in zip(component, z3.datatypes(shapes), strict=True):
                self._sorts[each] = sort
                variants_of = {
                    variant: (make, test, accessors, tuple(of for _, of in fields))
                    for (variant, fields), (make, test, accessors) in zip(
                        members[each], functions, strict=True
                    )
                }
                self._shapes[each] = Shape(
                    each, sort, variants_of, each in reachable[each], Node(str(each), key=("datatype", each))
                )
                done.add(each)

    def _reachable(
        self, start: Type, members: dict[Type, list[tuple[str, list[tuple[str, Type]]]]]
    ) -> dict[Type, None]:
        seen: dict[Type, None] = {}
        waiting = [start]
        while waiting:
            for _, fields in members[waiting.pop()]:
                for _, of in fields:
                    if of in members and of not in seen:
                        seen[of] = None
                        waiting.append(of)
        return seen

    def contains(self, type: Type, other: Type) -> bool:
        """Return whether values of a type may hold values of another, at any depth."""
        seen, waiting = {type}, [type]
        while waiting:
            current = waiting.pop()
            if current.name == other.name:
                return True
            held = list(current.args)
            if self.is_algebraic(current):
                held += [of for _, fields in self._fields(current) for _, of in fields]
            for of in held:
                if of not in seen and len(seen) < _MOST_SORTS:
                    seen.add(of)
                    waiting.append(of)
        return False

    # ------------------------------------------------------------ invariants

    def invariant(self, type: Type, value: Handle) -> Handle:
        """Return what is known of every value of a type, as a formula about ``value``."""
        z3 = self._world.z3
        name = type.name
        if name in ("int", "bool"):
            return z3.true
        if name == "nat":
            return z3.ge(value, z3.numeral(0))
        if name in WIDTHS:
            low, high = self.bounds(type)
            return z3.and_(z3.ge(value, low), z3.le(value, high))
        if name == "char":
            number = z3.numeral
            return z3.or_(
                z3.and_(z3.ge(value, number(0)), z3.le(value, number(0xD7FF))),
                z3.and_(z3.ge(value, number(0xE000)), z3.le(value, number(0x10FFFF))),
            )
        if not self.is_algebraic(type):
            return z3.true
        shape = self.shape(type)
        size = self._size(type)
        if size == 0:
            return z3.true
        if size <= _INLINED:
            # A field of another variant is an unspecified value, which may as well be one of its type.
            return z3.and_(
                *[
                    self.invariant(of, z3.app(accessor, value))
                    for _, _, accessors, types in shape.variants.values()
                    for accessor, of in zip(accessors, types, strict=True)
                ]
            )
        found = self._predicates.get(type)
        if found is None:
            function = z3.function(f"typed {type}", [shape.sort], z3.bool)
            node = Node(f"typed {type}")
            self._predicates[type] = found = function, node
            node.build = lambda: self._typed(shape, function)
        self._world.use(found[1])
        return z3.app(found[0], value)

    def _size(self, type: Type, inside: frozenset[Type] = frozenset()) -> int:
        """Return how many facts an invariant has; very many where the type is recursive and has any."""
        if type.name in ("int", "bool"):
            return 0
        if type.name in _INTEGERS:
            return 1
        if not self.is_algebraic(type):
            return 0
        found = self._sizes.get(type)
        if found is not None:
            return found
        if type in inside:
            return 0
        self.sort(type)
        shape = self._shapes[type]
        size = sum(
            self._size(of, inside | {type}) for _, _, _, types in shape.variants.values() for of in types
        )
        if shape.recursive and size:
            size = 1000
        if not inside:
            self._sizes[type] = size
        return size

    def _typed(self, shape: Shape, function: Handle) -> list[Handle]:
        """Return the axioms of a predicate that says that all fields are of their types."""
        z3 = self._world.z3
        facts = []
        whole = z3.const("x", shape.sort)
        for make, _, accessors, types in shape.variants.values():
            for accessor, of in zip(accessors, types, strict=True):
                field = z3.app(accessor, whole)
                known = z3.implies(z3.app(function, whole), self.invariant(of, field))
                facts.append(z3.forall([whole], [[field, z3.app(function, whole)]], known))
            parts = [z3.const("f", self.sort(of)) for of in types]
            made = z3.app(function, z3.app(make, *parts))
            all_typed = z3.and_(*[self.invariant(of, part) for of, part in zip(types, parts, strict=True)])
            facts.append(z3.forall(parts, [[made]], z3.implies(all_typed, made)))
        return facts

    # ------------------------------------------------------------ integers

    def bounds(self, type: Type) -> tuple[Handle, Handle]:
        """Return the least and the largest value of an integer type of the machine; usize's is not known."""
        z3 = self._world.z3
        signed, width = type.name[0] == "i", WIDTHS[type.name]
        if width:
            half = 1 << (width - 1)
            return z3.numeral(-half if signed else 0), z3.numeral(half - 1 if signed else 2 * half - 1)
        if self._arch is None:
            self._arch = z3.const("usize-max", z3.int), Node("arch", self._machine)
        self._world.use(self._arch[1])
        largest = self._arch[0]
        if not signed:
            return z3.numeral(0), largest
        # 2^31 - 1 or 2^63 - 1, from 2^32 - 1 or 2^64 - 1.
        half_max = z3.div(largest, z3.numeral(2))
        return z3.sub(z3.numeral(-1), half_max), half_max

    def _machine(self) -> list[Handle]:
        """Return what is known of the largest usize: it has 32 bits or 64."""
        z3 = self._world.z3
        assert self._arch is not None
        largest = self._arch[0]
        small, large = z3.numeral(2**32 - 1), z3.numeral(2**64 - 1)
        either = z3.or_(z3.eq(largest, small), z3.eq(largest, large))
        return [either, z3.ge(largest, small), z3.le(largest, large)]


def _is_huge(type: Type) -> bool:
    """Return whether a type has more parts than any that a person writes."""
    waiting, parts = [type], 0
    while waiting:
        parts += 1
        if parts > _MOST_PARTS:
            return True
        waiting.extend(waiting.pop().args)
    return False
