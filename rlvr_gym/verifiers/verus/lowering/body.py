"""Code as statements: every kind of expression, in Rust's order of evaluation."""

from __future__ import annotations

from dataclasses import replace

from rlvr_gym.verifiers.verus.core import (
    Assume,
    Construct,
    Expression,
    Havoc,
    Literal_,
    Statement,
    Var,
)
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.crate import field_types
from rlvr_gym.verifiers.verus.inference.types import INT, NAT, UNIT, Type, is_integer
from rlvr_gym.verifiers.verus.lowering.effects import has_effect
from rlvr_gym.verifiers.verus.lowering.names import apply_method
from rlvr_gym.verifiers.verus.lowering.operators import cast, opposite
from rlvr_gym.verifiers.verus.lowering.proofs import Proofs
from rlvr_gym.verifiers.verus.lowering.terms import equal, integer, unit
from rlvr_gym.verifiers.verus.lowering.types import core_type
from rlvr_gym.verifiers.verus.lowering.values import (
    callee_name,
    field_of,
    found,
    listed,
    operation,
    repeated,
    structure,
)
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.tree import Expr, FunctionRef, VariantRef


class Code(Proofs):
    """Lowers the body of a function."""

    def value(self, node: Expr) -> Expression:
        """Lower an expression's effects and return its value."""
        if self.ghost or node.ghost:
            if not has_effect(node):
                return self.pure.term(node)
            with self.ghosted():
                return self._lower(node)
        return self._lower(node)

    def _lower(self, node: Expr) -> Expression:
        lower = getattr(self, "_on_" + type(node).__name__, None)
        if lower is None:
            raise Unsupported(
                f"{type(node).__name__} in {'ghost' if self.ghost else 'compiled'} code", node.place
            )
        value: Expression = lower(node)
        return value

    # ------------------------------------------------------------ leaves and operators

    def _on_IntLit(self, node: tree.IntLit) -> Expression:
        return self.pure.term(node)

    def _on_BoolLit(self, node: tree.BoolLit) -> Expression:
        return self.pure.term(node)

    def _on_CharLit(self, node: tree.CharLit) -> Expression:
        return self.pure.term(node)

    def _on_StrLit(self, node: tree.StrLit) -> Expression:
        return self.pure.term(node)

    def _on_PathExpr(self, node: tree.PathExpr) -> Expression:
        return self.pure.term(node)

    def _on_Unary(self, node: tree.Unary) -> Expression:
        value = self.value(node.operand)
        if node.op == "*":
            return value
        if node.op == "!":
            return opposite(value, node.place)
        if isinstance(node.operand, tree.IntLit) and isinstance(value, Literal_):
            # A number with its sign is one literal, which inference saw to fit.
            return replace(value, value=-value.value, place=node.place)
        return self.negative(value, node.place)

    def _on_Borrow(self, node: tree.Borrow) -> Expression:
        if node.mutable:
            raise Unsupported("`&mut` that is no argument of a call", node.place)
        return self.value(node.operand)

    def _on_Binary(self, node: tree.Binary) -> Expression:
        if node.op in ("&&", "||"):
            return self.short_circuit(node)
        left, right = self.values((node.left, node.right))
        if self.ghost:
            return self.pure.binary(node, left, right)
        return self.compared(node.op, left, right, node.place) or self.machine(
            node.op, left, right, node.place
        )

    def _on_Cast(self, node: tree.Cast) -> Expression:
        return cast(self.value(node.operand), found(node.type), node.place)

    def _on_Assign(self, node: tree.Assign) -> Expression:
        if node.target.type is not None and node.target.type.name == "&mut":
            raise Unsupported("a mutable reference as a value", node.place)
        values = [self.value(node.value)]
        start = len(self.out)
        target = self.target(node.target)
        self.protect(values, 1, start)
        (value,) = values
        if node.op is None:
            self.write(target, value, node.place)
            return unit(node.place)
        way = self._along(target, len(target.parts))
        if self.ghost:
            # The place keeps its type: what does not fit is clipped.
            exact = operation(node.op, way[-1], value, INT, node.place)
            value = cast(exact, way[-1].type, node.place) if is_integer(way[-1].type) else exact
        else:
            value = self.machine(node.op, way[-1], value, node.place)
        self.put(target, way, value, node.place)
        return unit(node.place)

    # ------------------------------------------------------------ data

    def _on_Field(self, node: tree.Field) -> Expression:
        return field_of(self.value(node.operand), node)

    def _on_Index(self, node: tree.Index) -> Expression:
        if node.target is None:
            raise Unsupported("this index in compiled code", node.place)
        container, index = self.values((node.operand, node.index))
        if self.ghost:
            return self.pure.apply(node.target, (container, index), node)
        return self.element(node.target, container, index, found(node.type), node.place)

    def _on_TupleExpr(self, node: tree.TupleExpr) -> Expression:
        values = self.values(node.items)
        type = found(node.type)
        fields = tuple(
            self.coerced(value, each, node.place) for value, each in zip(values, type.args, strict=True)
        )
        return Construct("tuple", fields, type=type, place=node.place)

    def _on_StructLit(self, node: tree.StructLit) -> Expression:
        ref = node.target
        assert ref is not None
        names = [name for name, _ in node.fields]
        types = dict(zip((name for name, _, _ in ref.variant.fields), field_types(ref), strict=True))
        parts = [value for _, value in node.fields] + ([node.base] if node.base is not None else [])
        values = self.values(parts)
        fields = {
            name: self.coerced(value, core_type(types[name]), node.place)
            for name, value in zip(names, values, strict=False)
        }
        return structure(node, fields, values[-1] if node.base is not None else None)

    def _on_ArrayLit(self, node: tree.ArrayLit) -> Expression:
        """Return a vector or array of which only the view is known."""
        type, place = found(node.type), node.place
        if node.kind not in ("vec", "array") or self.ghost:
            raise Unsupported(f"{node.kind} literal with effects", place)
        element = type.args[0]
        items = [self.coerced(value, element, place) for value in self.values(node.items)]
        return self._seen_as(listed(self.frame, items, element, place), type, place)

    def _on_ArrayRepeat(self, node: tree.ArrayRepeat) -> Expression:
        """Return ``vec![x; n]``, by the library's function of that meaning, or ``[x; N]``."""
        type, place = found(node.type), node.place
        if node.kind == "seq" or self.ghost:
            raise Unsupported(f"repeated {node.kind} literal with effects", place)
        if node.kind == "vec":
            ref = FunctionRef(self.frame.crate.library.function("std::vec::from_elem"), type.args)
            return self.call(ref, (node.value, node.count), node)
        if not isinstance(type.size, int):
            raise Unsupported("an array of a length that is no number", place)
        value = self.coerced(self.value(node.value), type.args[0], place)
        return self._seen_as(repeated(self.frame, value, integer(type.size, NAT, place), place), type, place)

    def _seen_as(self, contents: Expression, type: Type, place: Place) -> Expression:
        """Return a new vector or array with a view."""
        name = self.frame.fresh()
        made = Var(name, type=type, place=place)
        self.emit(Havoc(name, type, place=place))
        view = apply_method(self.frame.crate, type, "view", (made,), contents.type, place)
        self.emit(Assume(equal(view, contents, place), place=place))
        return made

    # ------------------------------------------------------------ calls

    def _on_Call(self, node: tree.Call) -> Expression:
        match node.target:
            case FunctionRef() as ref:
                return self.call(ref, node.arguments, node)
            case VariantRef() as variant:
                return self._construct(variant, node)
        name = callee_name(node)
        if name in ("Ghost", "Tracked") and len(node.arguments) == 1:
            with self.ghosted():
                return self.value(node.arguments[0])
        raise Unsupported(f"call of `{name or 'a value'}`", node.place)

    def _construct(self, ref: VariantRef, node: tree.Call) -> Expression:
        values = self.values(node.arguments)
        fields = tuple(
            self.coerced(value, core_type(type), node.place)
            for value, type in zip(values, field_types(ref), strict=True)
        )
        return Construct(ref.variant.name, fields, type=found(node.type), place=node.place)

    def _on_MethodCall(self, node: tree.MethodCall) -> Expression:
        if node.target is None:
            return self.value(node.receiver)
        return self.call(node.target, (node.receiver, *node.arguments), node)

    # ------------------------------------------------------------ whole bodies

    def body(self, node: tree.BlockExpr) -> tuple[Statement, ...]:
        """Return the statements of a function's body, ended by a return."""
        end = (
            Place(node.place.end_line, max(1, node.place.end_column - 1))
            if node.place.end_line
            else node.place
        )
        value = self.block(node)
        self.leave(value, node.tail.place if node.tail is not None and value.type != UNIT else end)
        return tuple(self.out)
