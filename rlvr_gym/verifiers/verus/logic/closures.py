"""Function values and ``choose``: each becomes a function of what it takes from around it.

Two of them with the same text over the same values are the same value. As in Verus, everything inside that mentions no
bound variable counts as a value from around.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from rlvr_gym.verifiers.verus.core import (
    Apply,
    ApplyValue,
    Construct,
    Expression,
    Lambda,
    LetIn,
    Literal_,
    Op,
    Project,
    Quantified,
    Test,
    Text,
    Var,
)
from rlvr_gym.verifiers.verus.inference.types import Type
from rlvr_gym.verifiers.verus.logic.shapes import children, mentions, walk
from rlvr_gym.verifiers.verus.logic.sorts import Sorts
from rlvr_gym.verifiers.verus.logic.world import Node, World
from rlvr_gym.verifiers.verus.logic.z3api import Handle

if TYPE_CHECKING:
    from rlvr_gym.verifiers.verus.logic.terms import Translator

_Facts: TypeAlias = "Callable[[Handle, Translator, list[Handle]], list[Handle]]"
"""From the value, a translator of the body and the values from around to what is known."""


class _Reading:
    """Writes the shape of a term down and collects its closed parts."""

    def __init__(self, outer: Translator) -> None:
        self.outer = outer
        self.words: list[str] = []
        self.holes: dict[int, int] = {}
        """From the identity of a closed part to its number."""
        self.values: list[Handle] = []
        self.types: list[Type] = []
        self._numbers: dict[tuple[int, Type], int] = {}
        self._bound: dict[str, int] = {}

    def binders(self, binders: tuple[tuple[str, Type], ...]) -> None:
        for name, type in binders:
            self._bound[name] = len(self._bound)
            self.words.append(f"[{self.outer.type_of(type)}]")

    def read(self, term: Expression) -> None:
        """Add a term."""
        if _may_be_cut(term) and not mentions(term, frozenset(self._bound)):
            value, type = self.outer.translate(term), self.outer.type_of(term.type)
            number = self._numbers.setdefault((value.value, type), len(self.values))
            if number == len(self.values):
                self.values.append(value)
                self.types.append(type)
            self.holes[id(term)] = number
            self.words.append(f"?{number}:{type}")
            return
        match term:
            case Var():
                self.words.append(f"%{self._bound[term.name]}")
            case Literal_() | Text():
                self.words.append(repr(term.value))
            case Op():
                self.words.append(f"{term.op}:{self.outer.type_of(term.type)}")
            case Apply():
                types = ",".join(str(self.outer.type_of(each)) for each in term.type_arguments)
                self.words.append(f"{term.function}<{types}>")
            case Construct():
                self.words.append(f"{self.outer.type_of(term.type)}.{term.variant}")
            case Project():
                self.words.append(f".{term.variant}.{term.index}")
            case Test():
                self.words.append(f"is.{term.variant}")
            case LetIn():
                self.words.append("let")
                self.binders(((term.name, term.value.type),))
            case Quantified():
                self.words.append(term.kind + ",".join(str(len(group)) for group in term.triggers))
                self.binders(term.binders)
            case Lambda():
                self.words.append("lambda")
                self.binders(term.binders)
            case ApplyValue():
                self.words.append("call")
        self.words.append("(")
        for child in children(term):
            self.read(child)
            self.words.append(",")
        self.words.append(")")


def _may_be_cut(term: Expression) -> bool:
    """Return whether a closed term may stand for a value from around; quantified formulas are no arguments."""
    if isinstance(term, Literal_):
        return False
    return term.type.name != "bool" or not any(isinstance(each, Quantified) for each in walk(term))


class Closures:
    """Function values and choices of one job."""

    def __init__(self, world: World, sorts: Sorts) -> None:
        self._world = world
        self._sorts = sorts
        self._made: dict[tuple[str, ...], tuple[Handle, Node]] = {}
        self._applies: dict[Type, tuple[Handle, Node]] = {}

    def apply(self, type: Type, function: Handle, arguments: list[Handle]) -> Handle:
        """Return a function value of ``type`` applied to arguments."""
        symbol, node = self._application(type)
        self._world.use(node)
        return self._world.z3.app(symbol, function, *arguments)

    def _application(self, type: Type) -> tuple[Handle, Node]:
        found = self._applies.get(type)
        if found is None:
            sort = self._sorts.sort
            domain = [sort(type), *(sort(of) for of in type.args[:-1])]
            symbol = self._world.z3.function(f"apply {type}", domain, sort(type.args[-1]))
            node = Node(f"apply {type}", lambda: self._typed(type, symbol), key=("apply", type))
            self._applies[type] = found = symbol, node
        return found

    def _typed(self, type: Type, symbol: Handle) -> list[Handle]:
        """Return that a function value gives a value of its type for arguments of their types."""
        z3 = self._world.z3
        function = z3.const("f", self._sorts.sort(type))
        arguments = [z3.const("x", self._sorts.sort(of)) for of in type.args[:-1]]
        premises = [self._sorts.invariant(of, one) for of, one in zip(type.args, arguments, strict=False)]
        applied = z3.app(symbol, function, *arguments)
        fact = z3.implies(z3.and_(*premises), self._sorts.invariant(type.args[-1], applied))
        return [] if fact.value == z3.true.value else [z3.forall([function, *arguments], [[applied]], fact)]

    def function_value(self, term: Lambda, outer: Translator) -> Handle:
        """Return the function value that a lambda is."""
        type = outer.type_of(term.type)
        symbol, sort = self._application(type)[0], self._sorts.sort(type)

        def facts(made: Handle, inner: Translator, captured: list[Handle]) -> list[Handle]:
            z3 = self._world.z3
            bound = inner.bind(term.binders)
            # Two function values that agree on all arguments of their types are one: of others nothing may be said.
            typed = [inner.typed(of, one) for (_, of), one in zip(term.binders, bound, strict=True)]
            applied = z3.app(symbol, made, *bound)
            value = z3.implies(z3.and_(*typed), z3.eq(applied, inner.translate(term.body)))
            return [z3.forall([*captured, *bound], [[applied]], value)]

        made = self._closed("lambda", term, sort, outer, facts)
        self._world.use(self._application(type)[1])
        return made

    def choice(self, term: Quantified, outer: Translator) -> Handle:
        """Return the value that ``choose`` picks."""
        type = outer.type_of(term.type)
        sort = self._sorts.sort(type)

        def facts(made: Handle, inner: Translator, captured: list[Handle]) -> list[Handle]:
            z3 = self._world.z3
            bound = inner.bind(term.binders)
            types = [outer.type_of(of) for _, of in term.binders]
            candidate = z3.and_(
                *[self._sorts.invariant(of, one) for of, one in zip(types, bound, strict=True)],
                inner.translate(term.body),
            )
            triggers = inner.triggers(term)
            parts = [made]
            if len(bound) > 1:
                accessors = self._sorts.shape(type).variants["tuple"][2]
                parts = [z3.app(accessor, made) for accessor in accessors]
            for (name, _), part in zip(term.binders, parts, strict=True):
                inner.environment[name] = part
            chosen = inner.translate(term.body)
            holds = z3.forall(bound, triggers, z3.implies(candidate, chosen))
            typed = self._sorts.invariant(type, made)
            return [z3.forall(captured, [[made]], fact) for fact in (holds, typed)]

        return self._closed("choose", term, sort, outer, facts)

    def _closed(
        self, kind: str, term: Lambda | Quantified, sort: Handle, outer: Translator, facts: _Facts
    ) -> Handle:
        """Return a function of the closed parts of ``term`` applied to them; made once for each shape."""
        reading = _Reading(outer)
        reading.binders(term.binders)
        if isinstance(term, Quantified):
            for group in term.triggers:
                reading.words.append("trigger")
                for each in group:
                    reading.read(each)
        reading.read(term.body)
        values, sorts = reading.values, [self._sorts.sort(of) for of in reading.types]
        fuel = outer.fuel
        if fuel is not None and _recurs(term, fuel[0], self._world):
            # The fuel that the body runs on is a value from around like any other.
            values, sorts = [*values, fuel[1]], [*sorts, outer.theory.functions.fuel_sort()]
        else:
            fuel = None
        key = (kind, str(outer.type_of(term.type)), *reading.words, str(fuel and fuel[0]))
        found = self._made.get(key)
        z3 = self._world.z3
        if found is None:
            symbol = z3.function(kind, sorts, sort)
            node = Node(kind)

            def build() -> list[Handle]:
                captured = [z3.const("captured", each) for each in sorts]
                inner = outer.theory.scope({}, outer.types)
                inner.holes = {part: captured[number] for part, number in reading.holes.items()}
                if fuel is not None:
                    inner.fuel = fuel[0], captured[-1]
                inner.native = outer.native
                return facts(z3.app(symbol, *captured), inner, captured)

            node.build = build
            self._made[key] = found = symbol, node
        self._world.use(found[1])
        return z3.app(found[0], *values)


def _recurs(term: Lambda | Quantified, group: int | None, world: World) -> bool:
    for each in walk(term):
        if isinstance(each, Apply):
            function = world.program.specs.get(each.function)
            if function is not None and function.recursive and function.group == group:
                return True
    return False
