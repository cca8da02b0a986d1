"""Assignable places: a variable with a path of fields and indices, read and written back as a whole."""

from __future__ import annotations

from dataclasses import dataclass, field

from rlvr_gym.verifiers.verus.core import CallStep, Construct, Expression, Project, Set, Var
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate, names, variants
from rlvr_gym.verifiers.verus.inference.types import Type, substituted
from rlvr_gym.verifiers.verus.lowering.effects import assigned
from rlvr_gym.verifiers.verus.lowering.frame import is_borrowed
from rlvr_gym.verifiers.verus.lowering.names import core_arguments
from rlvr_gym.verifiers.verus.lowering.steps import Steps
from rlvr_gym.verifiers.verus.lowering.terms import names_in
from rlvr_gym.verifiers.verus.lowering.types import core_type
from rlvr_gym.verifiers.verus.lowering.values import found
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.tree import Expr, FunctionRef, Local


@dataclass(frozen=True, slots=True)
class FieldPart:
    """A field of a struct or tuple."""

    variant: str
    index: int
    type: Type
    place: Place


@dataclass(frozen=True, slots=True)
class IndexPart:
    """An element of a vector, slice or array."""

    index: Expression
    target: FunctionRef
    type: Type
    place: Place


@dataclass(slots=True)
class Target:
    """A variable and the way from it to the place."""

    root: Var
    place: Place
    parts: list[FieldPart | IndexPart] = field(default_factory=list)


class Places(Steps):
    """Reads and writes places."""

    def target(self, node: Expr) -> Target:
        """Return the place that an expression names; its indices are evaluated here."""
        match node:
            case tree.PathExpr(target=Local() as local):
                return self._root(local, node)
            case tree.Unary(op="*"):
                return self.target(node.operand)
            case tree.Borrow(mutable=True):
                return self.target(node.operand)
            case tree.Field():
                target = self.target(node.operand)
                if node.target is not None and len(variants(node.target.datatype)) != 1:
                    raise Unsupported("assignment to a field of an enum", node.place)
                variant = "tuple" if node.target is None else node.target.variant.name
                number = int(node.name) if node.target is None else node.index
                target.parts.append(FieldPart(variant, number, found(node.type), node.place))
                return target
            case tree.Index() if node.target is not None and not self.ghost:
                target = self.target(node.operand)
                start = len(self.out)
                index = self.value(node.index)
                self.refuse_changed_indices(target, start)
                target.parts.append(IndexPart(index, node.target, found(node.type), node.place))
                return target
        raise Unsupported("this as a place to change", node.place)

    def _root(self, local: Local, node: Expr) -> Target:
        if local.type.name == "&mut" and not is_borrowed(local):
            raise Unsupported("a mutable reference as a value", node.place)
        value = self.frame.variable(local, node.place)
        if not isinstance(value, Var):
            raise Unsupported(f"change of `{local.name}`", node.place)
        return Target(value, node.place)

    def refuse_changed_indices(self, target: Target, start: int) -> None:
        """Raise where statements from ``start`` on change what an index on the way was read from."""
        changed = assigned(self.out[start:])
        for part in target.parts:
            if isinstance(part, IndexPart) and changed & names_in(part.index):
                raise Unsupported("an index that is changed before it is used", part.place)

    def read(self, target: Target) -> list[Expression]:
        """Return the variable's value, then the value behind each part of the way: the last is the place's."""
        if self.frame.crate.dialect == "classic" and any(
            isinstance(part, IndexPart) for part in target.parts
        ):
            raise Unsupported("change behind an index", target.place)
        return self._along(target, len(target.parts))

    def _along(self, target: Target, count: int) -> list[Expression]:
        values: list[Expression] = [target.root]
        for part in target.parts[:count]:
            if isinstance(part, FieldPart):
                values.append(Project(values[-1], part.variant, part.index, type=part.type, place=part.place))
            else:
                values.append(self.element(part.target, values[-1], part.index, part.type, part.place))
        return values

    def element(
        self, target: FunctionRef, container: Expression, index: Expression, type: Type, place: Place
    ) -> Expression:
        """Read an element through the library's ``index``, whose precondition is that there is one."""
        name = self.frame.fresh()
        arguments = core_arguments(target.type_arguments)
        self.emit(CallStep(target.function.id, arguments, (container, index), name, place=place))
        return Var(name, type=type, place=place)

    def write(self, target: Target, value: Expression, place: Place) -> None:
        """Give a place a value: every part of the way to it is made anew."""
        if self.frame.crate.dialect == "classic" and any(
            isinstance(part, IndexPart) for part in target.parts[:-1]
        ):
            raise Unsupported("change behind an index", target.place)
        containers = self._along(target, len(target.parts) - 1) if target.parts else []
        self.put(target, containers, value, place)

    def put(self, target: Target, containers: list[Expression], value: Expression, place: Place) -> None:
        """Give a place a value, with the values on the way as `read` returned them."""
        for position in range(len(target.parts) - 1, -1, -1):
            part, container = target.parts[position], containers[position]
            if isinstance(part, FieldPart):
                value = self._with_field(container, part, value)
            else:
                name = target.root.name if position == 0 else self.frame.fresh()
                value = self._with_element(container, part, self.coerced(value, part.type, place), name)
        if not (isinstance(value, Var) and value.name == target.root.name):
            self.emit(Set(target.root.name, self.coerced(value, target.root.type, place), place=place))

    def _with_field(self, container: Expression, part: FieldPart, value: Expression) -> Expression:
        types = fields_of(self.frame.crate, container.type)
        fields = tuple(
            self.coerced(value, type, part.place)
            if number == part.index
            else Project(container, part.variant, number, type=type, place=part.place)
            for number, type in enumerate(types)
        )
        return Construct(part.variant, fields, type=container.type, place=part.place)

    def _with_element(
        self, container: Expression, part: IndexPart, value: Expression, name: str
    ) -> Expression:
        setter = self.frame.crate.sibling(part.target, "index_set")
        if setter is None:
            raise Unsupported(f"assignment to an element of `{container.type}`", part.place)
        arguments = core_arguments(setter.type_arguments)
        step = CallStep(setter.function.id, arguments, (container, part.index, value), place=part.place)
        step.mutated[0] = name
        self.emit(step)
        return Var(name, type=container.type, place=part.place)


def fields_of(crate: Crate, type: Type) -> tuple[Type, ...]:
    """Return the types of the fields of a tuple or struct."""
    if type.name == "tuple":
        return type.args
    datatype = crate.datatype(type.name)
    assert datatype is not None
    values = dict(zip(names(datatype.generics), type.args, strict=True))
    return tuple(core_type(substituted(each, values)) for each in variants(datatype)[0].types)
