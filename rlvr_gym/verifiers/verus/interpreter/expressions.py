"""Literals, names, data, assignments and calls."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.inference.crate import variants
from rlvr_gym.verifiers.verus.inference.types import MACHINE, is_machine
from rlvr_gym.verifiers.verus.interpreter import arithmetic
from rlvr_gym.verifiers.verus.interpreter.calls import call_exec, call_spec
from rlvr_gym.verifiers.verus.interpreter.frame import Frame, callee_name, evaluates
from rlvr_gym.verifiers.verus.interpreter.patterns import matches
from rlvr_gym.verifiers.verus.interpreter.places import index_of, place
from rlvr_gym.verifiers.verus.interpreter.values import (
    UNKNOWN,
    Data,
    Unknown,
    Value,
    bits,
    limits,
    plain,
    stripped,
)
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.tree import ConstRef, Expr, Local, VariantRef

# ---------------------------------------------------------------- leaves


@evaluates(tree.IntLit, tree.BoolLit, tree.CharLit)
def literal(frame: Frame, node: tree.IntLit | tree.BoolLit | tree.CharLit) -> Value:
    """A number, truth value or character."""
    return node.value


@evaluates(tree.StrLit)
def text(frame: Frame, node: tree.StrLit) -> Value:
    """A string is the sequence of its characters."""
    return tuple(map(ord, node.value))


@evaluates(tree.PathExpr)
def path(frame: Frame, node: tree.PathExpr) -> Value:
    """A variable, a constant, a constructor without fields, ``T::MAX``."""
    match node.target:
        case Local() as local:
            if local not in frame.values:
                raise Unknown(f"`{local.name}` has no value here")
            found = frame.values[local]
            if found is UNKNOWN:
                raise Unknown(f"`{local.name}` could not be computed")
            return found
        case ConstRef() as ref:
            return _constant(frame, ref)
        case VariantRef() as ref:
            return Data(ref.datatype.id, ref.variant.name)
    return _of_type(node)


def _constant(frame: Frame, ref: ConstRef) -> Value:
    cache = frame.machine.constants
    if ref.const.id not in cache:
        if ref.const.value is None:
            raise Unknown(f"`{ref.const.name}` has no value")
        cache[ref.const.id] = Frame(frame.machine).value(ref.const.value)
    return cache[ref.const.id]


def _of_type(node: tree.PathExpr) -> Value:
    name = node.segments[-1].name
    type = stripped(node.type)
    bounds = limits(type)
    if name in ("MIN", "MAX") and bounds is not None:
        return bounds[name == "MAX"]
    subject = MACHINE.get(node.segments[-2].name) if len(node.segments) > 1 else None
    if name == "BITS" and subject is not None:
        return bits(subject)
    raise Unknown(f"`{name}`")


# ---------------------------------------------------------------- data


@evaluates(tree.TupleExpr)
def tuple_(frame: Frame, node: tree.TupleExpr) -> Value:
    """``(a, b)``."""
    return frame.all(node.items)


@evaluates(tree.ArrayLit)
def array(frame: Frame, node: tree.ArrayLit) -> Value:
    """``[a, b]``, ``vec![a, b]``, ``seq![a, b]``, ``set![a, b]``."""
    if node.kind == "map":
        raise Unknown("a map literal")
    values = frame.all(node.items)
    return frozenset(values) if node.kind == "set" else values


@evaluates(tree.ArrayRepeat)
def repeated(frame: Frame, node: tree.ArrayRepeat) -> Value:
    """``[x; n]``."""
    value, count = frame.all((node.value, node.count))
    if count > frame.machine.left:
        raise Unknown("a long array")
    return (value,) * count


@evaluates(tree.StructLit)
def struct(frame: Frame, node: tree.StructLit) -> Value:
    """``Point { x: 1, ..base }``: fields are evaluated in the order written."""
    ref = node.target
    assert ref is not None
    given = {name: frame.value(value) for name, value in node.fields}
    base: Value = frame.value(node.base) if node.base is not None else None
    fields = tuple(
        given[name] if name in given else base.fields[index]
        for index, (name, _, _) in enumerate(ref.variant.fields)
    )
    return Data(ref.datatype.id, ref.variant.name, fields)


@evaluates(tree.Field)
def field(frame: Frame, node: tree.Field) -> Value:
    """``e.name`` and ``e.0``."""
    value = frame.value(node.operand)
    if isinstance(value, Data):
        return value.fields[node.index]
    if isinstance(value, tuple):
        return value[node.index]
    raise Unknown(f"field `{node.name}`")


@evaluates(tree.Arrow)
def arrow(frame: Frame, node: tree.Arrow) -> Value:
    """``e->0``: of another variant it is some value, and nobody says which."""
    assert node.target is not None
    value = frame.value(node.operand)
    if value.variant != node.target.variant.name:
        raise Unknown("a field of another variant")
    return value.fields[node.index]


@evaluates(tree.IsVariant)
def is_variant(frame: Frame, node: tree.IsVariant) -> Value:
    """``e is Variant``."""
    assert node.target is not None
    value = frame.value(node.operand)
    return len(variants(node.target.datatype)) == 1 or value.variant == node.target.variant.name


@evaluates(tree.Matches)
def matches_(frame: Frame, node: tree.Matches) -> Value:
    """``e matches P && rest``."""
    value = frame.value(node.operand)
    found = matches(frame, node.pattern, value)
    if node.rest is None:
        return found
    if not found:
        return node.connective == "==>"
    return frame.value(node.rest)


@evaluates(tree.Index)
def index(frame: Frame, node: tree.Index) -> Value:
    """``e[i]``: out of range it stops compiled code, and is some value in a specification."""
    if node.ghost and node.target is not None and not node.target.function.library:
        return call_spec(frame, node.target, frame.all((node.operand, node.index)))
    base, at = frame.all((node.operand, node.index))
    return index_of(base, at, node)


@evaluates(tree.View)
def view(frame: Frame, node: tree.View) -> Value:
    """``e@``: values of the library are their own views."""
    value = frame.value(node.operand)
    if node.target is None or node.target.function.library:
        return value
    return call_spec(frame, node.target, (value,))


@evaluates(tree.Assign)
def assign(frame: Frame, node: tree.Assign) -> Value:
    """``place = e`` and ``place op= e``."""
    if node.op is None:
        if node.ghost or _is_ghost(node.target):
            _assign_ghost(frame, node)
            return ()
        if node.target.type is not None and node.target.type.name == "&mut":
            raise Unknown("a mutable reference that is made to point elsewhere")
        value = frame.value(node.value)
        place(frame, node.target).set(value)
        return ()
    value = frame.value(node.value)
    target = place(frame, node.target)
    type = stripped(node.target.type)
    before = plain(target)
    if isinstance(before, bool):
        after: Value = {"&": before and value, "|": before or value, "^": before != value}[node.op]
    elif node.ghost:
        after = arithmetic.mathematical(node.op, before, value, type)
    else:
        after = arithmetic.compiled(node.op, before, value, type, node.place)
    target.set(after)
    return ()


def _is_ghost(target: Expr) -> bool:
    return (
        isinstance(target, tree.PathExpr)
        and isinstance(target.target, Local)
        and target.target.ghostness != "exec"
    )


def _assign_ghost(frame: Frame, node: tree.Assign) -> None:
    try:
        with frame.machine.aside():
            value = frame.value(node.value)
    except Unknown:
        value = UNKNOWN
    place(frame, node.target).set(value)


@evaluates(tree.Call)
def call(frame: Frame, node: tree.Call) -> Value:
    """``f(args)``."""
    match node.target:
        case VariantRef() as ref:
            return Data(ref.datatype.id, ref.variant.name, frame.all(node.arguments))
        case None:
            return _other_call(frame, node)
        case ref if ref.function.mode == "spec":
            return call_spec(frame, ref, frame.all(node.arguments))
        case ref:
            return call_exec(frame, ref, node.arguments, node)


def _other_call(frame: Frame, node: tree.Call) -> Value:
    callee = node.callee
    if callee.type is not None and stripped(callee.type).name == "spec_fn":
        return frame.value(callee)(*frame.all(node.arguments))
    name = callee_name(node)
    if name in ("old", "final"):
        return _at_end(frame, node.arguments[0], name)
    if name in ("Ghost", "Tracked"):
        try:
            with frame.machine.aside():
                return frame.value(node.arguments[0])
        except Unknown:
            return UNKNOWN
    if name in ("add", "sub", "mul"):
        left, right = frame.all(node.arguments)
        type = stripped(node.type)
        exact = arithmetic.mathematical({"add": "+", "sub": "-", "mul": "*"}[name], left, right, type)
        return arithmetic.cast(exact, type) if is_machine(type) else exact
    raise Unknown(f"`{name}`")


def _at_end(frame: Frame, node: Expr, which: str) -> Value:
    while isinstance(node, tree.Unary | tree.Borrow):
        node = node.operand
    if not isinstance(node, tree.PathExpr) or not isinstance(node.target, Local):
        raise Unknown(which)
    if which == "old":
        return frame.entry[node.target]
    if not frame.at_exit:
        raise Unknown("the value at exit")
    return plain(frame.values[node.target])


@evaluates(tree.MethodCall)
def method_call(frame: Frame, node: tree.MethodCall) -> Value:
    """``e.name(args)``."""
    if node.target is None:
        return frame.value(node.receiver)
    operands = (node.receiver, *node.arguments)
    if node.target.function.mode == "spec":
        return call_spec(frame, node.target, frame.all(operands))
    return call_exec(frame, node.target, operands, node)


@evaluates(tree.Closure)
def closure(frame: Frame, node: tree.Closure) -> Value:
    """A ghost function value."""
    home = frame.copy()

    def apply(*arguments: Value) -> Value:
        inside = home.copy()
        for parameter, argument in zip(node.parameters, arguments, strict=True):
            if parameter.local is not None:
                inside.values[parameter.local] = argument
            if parameter.pattern is not None:
                matches(inside, parameter.pattern, argument)
        return inside.value(node.body)

    return apply
