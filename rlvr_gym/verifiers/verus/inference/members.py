"""Fields and variants of values: ``.x``, ``->x``, ``is``, ``matches``."""

from __future__ import annotations

from rlvr_gym.errors import did_you_mean
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.body import Body, infers
from rlvr_gym.verifiers.verus.inference.crate import field_types
from rlvr_gym.verifiers.verus.inference.patterns import bind
from rlvr_gym.verifiers.verus.inference.types import BOOL, Type
from rlvr_gym.verifiers.verus.inference.visibility import check_fields_visible
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax.tree import Arrow, Enum, Field, IsVariant, Matches, Struct, VariantRef


@infers(Field)
def field(body: Body, expr: Field, expected: Type | None) -> Type:
    """``e.name`` and ``e.0``."""
    operand = body.known(body.expr(expr.operand), expr.operand.place)
    found = body.peeled(operand)
    if found.name == "tuple":
        if not expr.name.isdecimal() or int(expr.name[:6]) >= len(found.args):
            raise Rejected(f"no field `{expr.name}` on type `{body.show(found)}`", expr.place)
        expr.index = int(expr.name)
        return found.args[expr.index]
    if found.name == "range":
        names = ("start", "cur", "end")
        if expr.name not in names:
            raise Unsupported(f"`.{expr.name}` of a loop's iterator", expr.place)
        expr.index = names.index(expr.name)
        return found.args[0]
    datatype = body.crate.datatype(found.name)
    if not isinstance(datatype, Struct):
        body.known(found, expr.operand.place)
        raise Rejected(f"no field `{expr.name}` on type `{body.show(found)}`", expr.place)
    check_fields_visible(body, datatype, expr.place)
    ref = VariantRef(datatype, datatype.variant, found.args)
    expr.index = _position(ref, expr.name, expr.place)
    expr.target = ref
    body.seen.append(ref)
    return field_types(ref)[expr.index]


def _position(ref: VariantRef, name: str, place: Place) -> int:
    names = [item[0] for item in ref.variant.fields]
    if name not in names:
        raise Rejected(f"no field `{name}` on type `{ref.variant.name}`.{did_you_mean(name, names)}", place)
    return names.index(name)


def _enum(body: Body, type: Type, what: str, place: Place) -> tuple[Enum, Type]:
    found = body.peeled(body.known(type, place))
    body.known(found, place)
    datatype = body.crate.datatype(found.name)
    if not isinstance(datatype, Enum):
        raise Rejected(f"`{what}` needs an enum, found `{body.show(found)}`", place)
    return datatype, found


@infers(Arrow)
def arrow(body: Body, expr: Arrow, expected: Type | None) -> Type:
    """``e->x``, ``e->0``, ``e->Variant_x``: a field of a variant, whichever the value is of."""
    datatype, found = _enum(body, body.expr(expr.operand), "->", expr.operand.place)
    fitting = [
        (variant, index)
        for variant in datatype.variants
        for index, (name, _, _) in enumerate(variant.fields)
        if expr.name in (name, f"{variant.name}_{name}")
    ]
    if not fitting:
        names = [name for variant in datatype.variants for name, _, _ in variant.fields]
        hint = did_you_mean(expr.name, names)
        raise Rejected(f"no field `{expr.name}` in any variant of `{body.show(found)}`.{hint}", expr.place)
    if len(fitting) > 1:
        raise Rejected(f"field `{expr.name}` is in more than one variant of `{body.show(found)}`", expr.place)
    variant, expr.index = fitting[0]
    expr.target = VariantRef(datatype, variant, found.args)
    body.seen.append(expr.target)
    return field_types(expr.target)[expr.index]


@infers(IsVariant)
def is_variant(body: Body, expr: IsVariant, expected: Type | None) -> Type:
    """``e is Variant``."""
    datatype, found = _enum(body, body.expr(expr.operand), "is", expr.operand.place)
    name = expr.variant.segments[-1].name
    for variant in datatype.variants:
        if variant.name == name:
            expr.target = VariantRef(datatype, variant, found.args)
            body.seen.append(expr.target)
            return BOOL
    hint = did_you_mean(name, [variant.name for variant in datatype.variants])
    raise Rejected(f"no variant `{name}` of `{body.show(found)}`.{hint}", expr.variant.place)


@infers(Matches)
def matches(body: Body, expr: Matches, expected: Type | None) -> Type:
    """``e matches P && rest``: the variables of ``P`` reach into ``rest``."""
    operand = body.expr(expr.operand)
    with body.scope():
        bind(body, expr.pattern, operand)
        if expr.rest is not None:
            body.check(expr.rest, BOOL)
    return BOOL
