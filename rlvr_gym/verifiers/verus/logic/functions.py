"""Spec functions: one solver function per instance, with the axioms that unfold it as far as Verus would.

A recursive function is known through a copy that takes fuel. The copy unfolds where its fuel is a successor, and its
body speaks of copies with the fuel below, so that no unfolding leads to another on its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from rlvr_gym.verifiers.verus.core import SpecFunction
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.types import Type, erased, substituted
from rlvr_gym.verifiers.verus.logic.sorts import Sorts
from rlvr_gym.verifiers.verus.logic.world import Node, World
from rlvr_gym.verifiers.verus.logic.z3api import Handle
from rlvr_gym.verifiers.verus.report import NOWHERE

if TYPE_CHECKING:
    from rlvr_gym.verifiers.verus.logic.terms import Translator

Scope: TypeAlias = "Callable[[dict[str, Handle], dict[str, Type]], Translator]"
"""Makes a translator for values of variables and of generic parameters."""
_MOST_INSTANCES = 3000


@dataclass(eq=False)
class Instance:
    """A spec function at type arguments."""

    function: SpecFunction
    types: dict[str, Type]
    parameters: list[Type]
    result: Type
    symbol: Handle
    node: Node
    """That the function is used: the type of its result."""
    definition: Node
    """What it is."""
    fueled: Handle | None = None
    """The copy that takes fuel, of a recursive one."""
    fueled_node: Node | None = None


class Functions:
    """All instances of one job."""

    def __init__(self, world: World, sorts: Sorts, scope: Scope) -> None:
        self._world = world
        self._sorts = sorts
        self._scope = scope
        self._instances: dict[tuple[str, tuple[Type, ...]], Instance] = {}
        self._flags: dict[str, Handle] = {}
        self._fuels: dict[str, Handle] = {}
        self._fuel: tuple[Handle, Handle, Handle] | None = None

    # ------------------------------------------------------------ fuel and visibility

    def visible(self, id: str) -> Handle:
        """Return the truth value that says that a function, or axiom, is revealed."""
        found = self._flags.get(id)
        if found is None:
            self._flags[id] = found = self._world.z3.const(f"visible {id}", self._world.z3.bool)
        return found

    def fuel(self, id: str) -> Handle:
        """Return how far a recursive function unfolds: an unknown that only `revealed_fuel` says more of."""
        found = self._fuels.get(id)
        if found is None:
            self._fuels[id] = found = self._world.z3.const(f"fuel {id}", self._fuel_parts()[0])
        return found

    def revealed_fuel(self, id: str, amount: int) -> Handle:
        """Return the fact that a function unfolds ``amount`` times."""
        z3 = self._world.z3
        return z3.eq(self.fuel(id), self.successor(z3.const("fuel", self._fuel_parts()[0]), amount - 1))

    def successor(self, fuel: Handle, times: int) -> Handle:
        """Return more fuel."""
        for _ in range(times):
            fuel = self._world.z3.app(self._fuel_parts()[2], fuel)
        return fuel

    def fuel_sort(self) -> Handle:
        """Return the sort of fuel."""
        return self._fuel_parts()[0]

    def _fuel_parts(self) -> tuple[Handle, Handle, Handle]:
        if self._fuel is None:
            z3 = self._world.z3
            sort = z3.sort("fuel")
            self._fuel = sort, z3.const("no fuel", sort), z3.function("more fuel", [sort], sort)
        return self._fuel

    # ------------------------------------------------------------ instances

    def instance(self, id: str, types: tuple[Type, ...]) -> Instance:
        """Return a function at type arguments."""
        found = self._instances.get((id, types))
        return self._instantiate(id, types) if found is None else found

    def known(self, id: str, types: tuple[Type, ...]) -> Instance | None:
        """Return a function at type arguments if anything has used it."""
        return self._instances.get((id, types))

    def _instantiate(self, id: str, types: tuple[Type, ...]) -> Instance:
        function = self._world.program.specs.get(id)
        if function is None:
            raise Unsupported(f"the spec function `{id}`", NOWHERE)
        if len(self._instances) >= _MOST_INSTANCES:
            raise Unsupported(f"too many instances of generic functions, the last of `{id}`", function.place)
        z3, sort = self._world.z3, self._sorts.sort
        values = dict(zip(function.type_parameters, types, strict=True))
        parameters = [erased(substituted(param.type, values)) for param in function.params]
        result = erased(substituted(function.result, values))
        domain = [sort(of) for of in parameters]
        name = f"{id} {' '.join(map(str, types))}".strip()
        made = Instance(
            function, values, parameters, result,
            z3.function(name, domain, sort(result)),
            Node(name, key=(id, *types)),
            Node(f"definition {name}", owner=id, guarded=function.opaque),
        )  # fmt: skip
        made.node.build = lambda: self._typed(made)
        made.definition.build = lambda: self._defined(made)
        # Whoever reaches the function reaches its definition, which a query may leave out by its owner.
        made.node.reaches[made.definition] = None
        if function.recursive:
            made.fueled = z3.function(f"fueled {name}", [*domain, self.fuel_sort()], sort(result))
            made.fueled_node = Node(f"fueled {name}", owner=id)
            made.fueled_node.build = lambda: self._fueled(made)
            made.fueled_node.reaches[made.definition] = None
        self._instances[id, types] = made
        return made

    def apply(self, made: Instance, arguments: list[Handle]) -> Handle:
        """Return the function applied to arguments."""
        self._world.use(made.node)
        return self._world.z3.app(made.symbol, *arguments)

    def apply_fueled(self, made: Instance, arguments: list[Handle], fuel: Handle) -> Handle:
        """Return the copy with fuel applied to arguments."""
        assert made.fueled is not None
        assert made.fueled_node is not None
        self._world.use(made.fueled_node)
        return self._world.z3.app(made.fueled, *arguments, fuel)

    def _bound(self, made: Instance) -> tuple[list[Handle], Handle]:
        """Return constants for the parameters, to be bound, and that they are of their types."""
        z3 = self._world.z3
        bound = [
            z3.const(param.name, self._sorts.sort(of))
            for param, of in zip(made.function.params, made.parameters, strict=True)
        ]
        typed = [self._sorts.invariant(of, one) for of, one in zip(made.parameters, bound, strict=True)]
        return bound, z3.and_(*typed)

    def _typed(self, made: Instance) -> list[Handle]:
        """Return that the result is of its type when the arguments are."""
        bound, typed = self._bound(made)
        applied = self._world.z3.app(made.symbol, *bound)
        return self._known(bound, applied, typed, self._sorts.invariant(made.result, applied))

    def _known(self, bound: list[Handle], trigger: Handle, premise: Handle, fact: Handle) -> list[Handle]:
        z3 = self._world.z3
        if fact.value == z3.true.value:
            return []
        return [z3.forall(bound, [[trigger]], z3.implies(premise, fact))]

    def _defined(self, made: Instance) -> list[Handle]:
        """Return the axiom that unfolds a function."""
        function, z3 = made.function, self._world.z3
        if function.body is None:
            return []
        bound, typed = self._bound(made)
        environment = dict(zip((param.name for param in function.params), bound, strict=True))
        applied = z3.app(made.symbol, *bound)
        translator = self._scope(environment, made.types)
        if not function.recursive:
            value = translator.translate(function.body)
            when = z3.true if function.when is None else translator.translate(function.when)
            return self._known(bound, applied, when, z3.eq(applied, value))
        assert made.fueled is not None
        assert made.fueled_node is not None
        fuel = z3.const("fuel", self.fuel_sort())
        translator.fuel = function.group, fuel
        above = z3.app(made.fueled, *bound, self.successor(fuel, 1))
        value = translator.translate(function.body)
        when = z3.true if function.when is None else translator.translate(function.when)
        unfolds = self._known([*bound, fuel], above, z3.and_(typed, when), z3.eq(above, value))
        full = z3.app(made.fueled, *bound, self.successor(self.fuel(function.id), max(1, function.cycle)))
        self._world.use(made.fueled_node)
        return [*unfolds, *self._known(bound, applied, typed, z3.eq(applied, full))]

    def _fueled(self, made: Instance) -> list[Handle]:
        """Return that fuel changes no value, and the type of the result."""
        assert made.fueled is not None
        z3 = self._world.z3
        bound, typed = self._bound(made)
        fuel = z3.const("fuel", self.fuel_sort())
        applied = z3.app(made.fueled, *bound, fuel)
        none = z3.app(made.fueled, *bound, self._fuel_parts()[1])
        facts = self._known([*bound, fuel], applied, z3.true, z3.eq(applied, none))
        if self._world.program.dialect == "classic":
            return facts
        return facts + self._known(
            [*bound, fuel], applied, typed, self._sorts.invariant(made.result, applied)
        )
