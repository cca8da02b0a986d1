"""Calls of exec and proof functions, with what mutable borrows write back."""

from __future__ import annotations

from collections.abc import Sequence

from rlvr_gym.verifiers.verus.core import Assume, CallStep, DeadEnd, Expression, Var
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.crate import argument_map
from rlvr_gym.verifiers.verus.inference.types import UNIT, Type, substituted
from rlvr_gym.verifiers.verus.lowering.arithmetic import Arithmetic
from rlvr_gym.verifiers.verus.lowering.literals import STRING_REVEAL, characters
from rlvr_gym.verifiers.verus.lowering.names import core_arguments, instance, twin_name
from rlvr_gym.verifiers.verus.lowering.places import IndexPart, Target
from rlvr_gym.verifiers.verus.lowering.terms import unit
from rlvr_gym.verifiers.verus.lowering.types import core_type, refuse_stored_references
from rlvr_gym.verifiers.verus.syntax.tree import Expr, Function, FunctionRef, Generic


class Calls(Arithmetic):
    """Lowers calls."""

    def call(self, ref: FunctionRef, nodes: Sequence[Expr], node: Expr) -> Expression:
        """Call a function with its receiver, if any, as first argument; return the result."""
        function = ref.function
        for type in ref.type_arguments:
            refuse_stored_references(type, node.place)
        if (self.ghost and function.mode == "spec") or (
            self.ghost and function.mode == "exec" and twin_name(function) is not None
        ):
            return self.pure.apply(ref, tuple(self.values(nodes)), node)
        if (function.mode == "exec") is self.ghost:
            where = "ghost" if self.ghost else "compiled"
            raise Unsupported(
                f"call of {function.mode} function `{function.name}` in {where} code", node.place
            )
        if function.id == STRING_REVEAL:
            for fact in characters(self.frame.crate, self.value(nodes[0]), node.place):
                self.emit(Assume(fact, place=node.place))
            return unit(node.place)
        types = instance(ref)
        if len(types) != len(nodes):
            raise Unsupported(f"call of `{function.name}` with {len(nodes)} arguments", node.place)
        self._refuse_uncopied(ref, node)
        arguments, targets = self._arguments(function, types, nodes)
        assert function.result_type is not None
        result_type = substituted(function.result_type, argument_map(function, ref.type_arguments))
        refuse_stored_references(result_type, node.place)
        return self._finish(ref, arguments, targets, result_type, node)

    def _arguments(
        self, function: Function, types: tuple[Type, ...], nodes: Sequence[Expr]
    ) -> tuple[list[Expression], dict[int, Target]]:
        """Return the arguments' values, with a stand-in where a place is borrowed, and those places."""
        values: list[Expression] = []
        targets: dict[int, Target] = {}
        for position, (node, type) in enumerate(zip(nodes, types, strict=True)):
            start = len(self.out)
            if type.name == "&mut":
                targets[position] = self.target(node)
                values.append(targets[position].root)
            else:
                parameter = function.parameters[position]
                refuse_stored_references(type, node.place)
                value = self._ghost_value(node) if parameter.ghostness != "exec" else self.value(node)
                values.append(self.coerced(value, core_type(type), node.place))
            self.protect(values, position, start)
            for earlier, target in targets.items():
                if earlier < position:
                    self.refuse_changed_indices(target, start)
        return values, targets

    def _ghost_value(self, node: Expr) -> Expression:
        with self.ghosted():
            return self.value(node)

    def _finish(
        self, ref: FunctionRef, values: list[Expression], targets: dict[int, Target], result: Type, node: Expr
    ) -> Expression:
        _refuse_shared_elements(targets, node)
        # A borrowed place is read when all arguments are there: until then nothing else may have changed it.
        ways = {position: self.read(target) for position, target in targets.items()}
        mutated: dict[int, str] = {}
        for position, way in ways.items():
            values[position] = way[-1]
            expected = core_type(instance(ref)[position])
            if way[-1].type != expected:
                raise Unsupported(f"a mutable borrow of `{way[-1].type}` as `{expected}`", node.place)
            target = targets[position]
            mutated[position] = target.root.name if not target.parts else self.frame.fresh()
        result_type = core_type(result)
        name = None if result_type == UNIT else self.frame.fresh()
        arguments = core_arguments(ref.type_arguments)
        self.emit(CallStep(ref.function.id, arguments, tuple(values), name, mutated, place=node.place))
        for position, target in targets.items():
            if target.parts:
                after = Var(mutated[position], type=ways[position][-1].type, place=node.place)
                self.put(target, ways[position], after, node.place)
        if result.name == "!":
            self.emit(DeadEnd(place=node.place))
        return unit(node.place) if name is None else Var(name, type=result_type, place=node.place)

    def _refuse_uncopied(self, ref: FunctionRef, node: Expr) -> None:
        """Raise where the library's contract holds for elements that are copied bit by bit, and these may not be."""
        if not any(attribute.path == "needs_copy" for attribute in ref.function.attributes):
            return
        element = ref.type_arguments[0]
        if not self.frame.crate.has_trait(element, "Copy", self.generics()):
            raise Unsupported(
                f"`{ref.function.name}` of elements `{element}`, which may not be plain copies", node.place
            )

    def generics(self) -> tuple[Generic, ...]:
        """Return the generic parameters in scope."""
        function = self.frame.function
        if function is None:
            return ()
        return function.generics + (function.owner.generics if function.owner is not None else ())


def _refuse_shared_elements(targets: dict[int, Target], node: Expr) -> None:
    """Raise where two borrows go into one variable, and one of them to an element.

    What is on the way to the element is read once, before the call: the write of the one borrow would undo the other's.
    """
    roots = [target.root.name for target in targets.values()]
    for target in targets.values():
        if roots.count(target.root.name) > 1 and any(isinstance(part, IndexPart) for part in target.parts):
            raise Unsupported("borrows of an element and of something else in one variable", node.place)
