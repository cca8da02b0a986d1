"""Leaves, operators, data and calls of ghost expressions as core terms."""

from __future__ import annotations

from collections.abc import Sequence

from rlvr_gym.verifiers.verus.core import (
    Apply,
    ApplyValue,
    Construct,
    Expression,
    Test,
    Text,
    Var,
)
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.types import BOOL, MACHINE, NAT, is_integer, is_machine
from rlvr_gym.verifiers.verus.lowering.frame import Frame
from rlvr_gym.verifiers.verus.lowering.names import (
    apply_method,
    core_arguments,
    instance,
    spec_twin,
)
from rlvr_gym.verifiers.verus.lowering.operators import cast, comparison, opposite, width
from rlvr_gym.verifiers.verus.lowering.patterns import constant, let_in, match_pattern
from rlvr_gym.verifiers.verus.lowering.terms import (
    bounds,
    conjunction,
    disjunction,
    integer,
    op,
    truth,
)
from rlvr_gym.verifiers.verus.lowering.types import core_type
from rlvr_gym.verifiers.verus.lowering.values import (
    callee_name,
    field_of,
    found,
    operation,
    repeated,
    structure,
    wrapping,
)
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.tree import (
    ConstRef,
    Expr,
    FunctionRef,
    Local,
    VariantRef,
)


class GhostTerms:
    """Lowers ghost expressions without control flow and binders in one frame."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    def term(self, node: Expr) -> Expression:
        """Return the value of a ghost expression."""
        lower = getattr(self, "_on_" + type(node).__name__, None)
        if lower is None:
            raise Unsupported(f"{_described(node)} in a specification", node.place)
        value: Expression = lower(node)
        return value

    def terms(self, nodes: Sequence[Expr]) -> tuple[Expression, ...]:
        """Return the values of ghost expressions."""
        return tuple(self.term(node) for node in nodes)

    # ------------------------------------------------------------ leaves

    def _on_IntLit(self, node: tree.IntLit) -> Expression:
        type = found(node.type)
        if not is_integer(type):
            raise Unsupported(f"number of type `{type}`", node.place)
        return integer(node.value, type, node.place)

    def _on_BoolLit(self, node: tree.BoolLit) -> Expression:
        return truth(node.value, node.place)

    def _on_CharLit(self, node: tree.CharLit) -> Expression:
        return integer(node.value, found(node.type), node.place)

    def _on_StrLit(self, node: tree.StrLit) -> Expression:
        if node.byte:
            raise Unsupported("byte string", node.place)
        return Text(node.value, type=found(node.type), place=node.place)

    def _on_PathExpr(self, node: tree.PathExpr) -> Expression:
        match node.target:
            case Local() as local:
                return self.frame.variable(local, node.place)
            case ConstRef() as ref:
                return constant(ref, node.place)
            case VariantRef() as ref if not ref.variant.fields:
                return Construct(ref.variant.name, (), type=found(node.type), place=node.place)
            case None:
                return self._builtin_path(node)
        raise Unsupported(f"`{node.segments[-1].name}` as a value", node.place)

    def _builtin_path(self, node: tree.PathExpr) -> Expression:
        name = node.segments[-1].name
        type = found(node.type)
        if len(node.segments) == 1:
            # A generic constant is the only value without a declaration.
            return Var("'" + name, type=type, place=node.place)
        if is_machine(type) and name in ("MAX", "MIN"):
            least, greatest = bounds(type)
            return greatest if name == "MAX" else least
        subject = MACHINE.get(node.segments[-2].name)
        if subject is not None and name == "BITS":
            return width(subject, node.place)
        raise Unsupported(f"`{node.segments[-2].name}::{name}`", node.place)

    # ------------------------------------------------------------ operators

    def _on_Unary(self, node: tree.Unary) -> Expression:
        value = self.term(node.operand)
        if node.op == "*":
            return value
        if node.op == "!":
            return opposite(value, node.place)
        return op("neg", value, type=found(node.type), place=node.place)

    def _on_Borrow(self, node: tree.Borrow) -> Expression:
        if node.mutable:
            raise Unsupported("`&mut` in a specification", node.place)
        return self.term(node.operand)

    def _on_Binary(self, node: tree.Binary) -> Expression:
        return self.binary(node, self.term(node.left), self.term(node.right))

    def binary(self, node: tree.Binary, left: Expression, right: Expression) -> Expression:
        """Return the value of a ghost operator at its operands."""
        if node.target is not None:
            return self.apply(node.target, (left, right), node)
        return operation(node.op, left, right, found(node.type), node.place)

    def _on_Chain(self, node: tree.Chain) -> Expression:
        operands = self.terms(node.operands)
        links = []
        for operator, left, right in zip(node.ops, operands, operands[1:], strict=False):
            link = comparison(operator, left, right, node.place)
            if link is None:
                raise Unsupported(f"chain of `{operator}` on `{left.type}`", node.place)
            links.append(link)
        return conjunction(links, node.place)

    def _on_BigLogic(self, node: tree.BigLogic) -> Expression:
        operands = self.terms(node.operands)
        return conjunction(operands, node.place) if node.op == "&&&" else disjunction(operands, node.place)

    def _on_Cast(self, node: tree.Cast) -> Expression:
        return cast(self.term(node.operand), found(node.type), node.place)

    # ------------------------------------------------------------ data

    def _on_IsVariant(self, node: tree.IsVariant) -> Expression:
        assert node.target is not None
        return Test(self.term(node.operand), node.target.variant.name, type=BOOL, place=node.place)

    def _on_Matches(self, node: tree.Matches) -> Expression:
        condition, bindings = match_pattern(node.pattern, self.term(node.operand))
        if node.rest is None:
            return condition
        rest = let_in(bindings, self.term(node.rest))
        return op("=>" if node.connective == "==>" else "and", condition, rest, place=node.place)

    def _on_Arrow(self, node: tree.Arrow) -> Expression:
        return self._field(node)

    def _on_Field(self, node: tree.Field) -> Expression:
        return self._field(node)

    def _field(self, node: tree.Arrow | tree.Field) -> Expression:
        return field_of(self.term(node.operand), node)

    def _on_Index(self, node: tree.Index) -> Expression:
        if node.target is None:
            raise Unsupported("index of this value", node.place)
        arguments = (self.term(node.operand), self.term(node.index))
        return self.apply(node.target, arguments, node)

    def _on_View(self, node: tree.View) -> Expression:
        value = self.term(node.operand)
        return value if node.target is None else self.apply(node.target, (value,), node)

    def _on_TupleExpr(self, node: tree.TupleExpr) -> Expression:
        return Construct("tuple", self.terms(node.items), type=found(node.type), place=node.place)

    def _on_StructLit(self, node: tree.StructLit) -> Expression:
        values = {name: self.term(value) for name, value in node.fields}
        base = self.term(node.base) if node.base is not None else None
        return structure(node, values, base)

    def _on_ArrayLit(self, node: tree.ArrayLit) -> Expression:
        type, crate, place = found(node.type), self.frame.crate, node.place
        if node.kind in ("array", "vec"):
            raise Unsupported(f"{node.kind} literal in a specification", place)
        made: Expression = apply_method(crate, type, "empty", (), type, place)
        for item in node.items:
            if node.kind == "map":
                if not isinstance(item, tree.TupleExpr) or len(item.items) != 2:
                    raise Unsupported("this entry of map![]", item.place)
                made = apply_method(crate, type, "insert", (made, *self.terms(item.items)), type, place)
            else:
                method = "push" if node.kind == "seq" else "insert"
                made = apply_method(crate, type, method, (made, self.term(item)), type, place)
        return made

    def _on_ArrayRepeat(self, node: tree.ArrayRepeat) -> Expression:
        if node.kind != "seq":
            raise Unsupported(f"{node.kind} literal in a specification", node.place)
        count = cast(self.term(node.count), NAT, node.place)
        return repeated(self.frame, self.term(node.value), count, node.place)

    # ------------------------------------------------------------ calls

    def _on_Call(self, node: tree.Call) -> Expression:
        match node.target:
            case FunctionRef() as ref:
                return self.apply(ref, self.terms(node.arguments), node)
            case VariantRef() as variant:
                fields = self.terms(node.arguments)
                return Construct(variant.variant.name, fields, type=found(node.type), place=node.place)
        callee = node.callee
        if callee.type is not None and core_type(callee.type).name == "spec_fn":
            return ApplyValue(
                self.term(callee), self.terms(node.arguments), type=found(node.type), place=node.place
            )
        return self._builtin_call(node)

    def _on_MethodCall(self, node: tree.MethodCall) -> Expression:
        receiver = self.term(node.receiver)
        if node.target is None:
            return receiver
        return self.apply(node.target, (receiver, *self.terms(node.arguments)), node)

    def apply(self, ref: FunctionRef, arguments: tuple[Expression, ...], node: Expr) -> Expression:
        """Return a spec function's value; an exec function stands for its spec twin."""
        twin = spec_twin(self.frame.crate, ref, node.place)
        for argument, type in zip(arguments, instance(twin), strict=True):
            expected = core_type(type)
            if argument.type.name != expected.name and not (
                is_integer(argument.type) and is_integer(expected)
            ):
                raise Unsupported(
                    f"a value of type `{argument.type}` as `{expected}` in a specification", node.place
                )
        types = core_arguments(twin.type_arguments)
        return Apply(twin.function.id, types, arguments, type=found(node.type), place=node.place)

    def _builtin_call(self, node: tree.Call) -> Expression:
        name, arguments, place = callee_name(node), node.arguments, node.place
        if name in ("old", "final") and len(arguments) == 1:
            local = _parameter_of(arguments[0])
            return self.frame.at_entry(local, place) if name == "old" else self.frame.at_exit(local, place)
        if name in ("add", "sub", "mul") and len(arguments) == 2:
            left, right = self.terms(arguments)
            return wrapping(name, left, right, found(node.type), place)
        if name in ("Ghost", "Tracked") and len(arguments) == 1:
            return self.term(arguments[0])
        raise Unsupported(f"call of `{name or 'this value'}` in a specification", place)


def _parameter_of(node: Expr) -> Local:
    while isinstance(node, tree.Unary | tree.Borrow):
        node = node.operand
    if isinstance(node, tree.PathExpr) and isinstance(node.target, Local):
        return node.target
    raise Unsupported("old() or final() of something that is no parameter", node.place)


def _described(node: Expr) -> str:
    names = {
        "For": "loop",
        "While": "loop",
        "Loop": "loop",
        "Assign": "assignment",
        "FloatLit": "floating point number",
    }
    if isinstance(node, tree.MacroCall):
        return f"macro `{node.name}!`"
    if isinstance(node, tree.Other):
        return node.what
    return names.get(type(node).__name__, type(node).__name__)
