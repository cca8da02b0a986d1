"""Literals, and values put together from parts: tuples, arrays, structs, ranges."""

from __future__ import annotations

from rlvr_gym.errors import did_you_mean
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.body import Body, infers
from rlvr_gym.verifiers.verus.inference.cloning import same_when_cloned
from rlvr_gym.verifiers.verus.inference.crate import field_types
from rlvr_gym.verifiers.verus.inference.paths import variant_of_path
from rlvr_gym.verifiers.verus.inference.types import (
    BOOL,
    CHAR,
    INT,
    MACHINE,
    NAT,
    UNIT,
    UNSIGNED,
    WIDTHS,
    Type,
    is_integer,
)
from rlvr_gym.verifiers.verus.inference.visibility import check_fields_visible
from rlvr_gym.verifiers.verus.syntax.tree import (
    ArrayLit,
    ArrayRepeat,
    BoolLit,
    CharLit,
    Enum,
    Expr,
    FloatLit,
    IntLit,
    RangeExpr,
    StrLit,
    StructLit,
    TupleExpr,
)

_BITS_OF_USIZE = 32
"""Only what fits in 32 bits is known to fit in the machine's word."""


@infers(IntLit)
def integer(body: Body, expr: IntLit, expected: Type | None) -> Type:
    """A literal takes the type that is asked for; alone it is open."""
    if expr.suffix is not None:
        if expr.suffix in ("int", "nat") and not body.ghost:
            raise Rejected(f"a number of type `{expr.suffix}` in compiled code", expr.place)
        found = {"int": INT, "nat": NAT, **MACHINE}.get(expr.suffix)
        if found is None:
            raise Unsupported(f"literal with suffix `{expr.suffix}`", expr.place)
    else:
        wanted = None if expected is None else body.variables.head(expected)
        if wanted is not None and (wanted.name in MACHINE or (body.ghost and is_integer(wanted))):
            found = wanted
        else:
            found = body.variables.fresh("integer" if body.ghost else "machine")
    return found


def check_range(body: Body, expr: IntLit) -> None:
    """Refuse a literal that its type, known by now, cannot hold.

    Raises:
        Rejected: it is out of range.
    """
    assert expr.type is not None
    name = expr.type.name
    if name == "char":
        raise Rejected("mismatched types: expected `char`, found integer", expr.place)
    if name not in MACHINE:
        return
    low, high = bounds(name)
    value = -expr.value if expr in body.negated else expr.value
    if not low <= value <= high:
        raise Rejected(f"literal out of range for `{name}`", expr.place)


def bounds(name: str) -> tuple[int, int]:
    """Return the least and the greatest value of a machine integer type; of ``usize`` what is certain."""
    width = WIDTHS[name] or _BITS_OF_USIZE
    if name in UNSIGNED:
        return 0, 2**width - 1
    return -(2 ** (width - 1)), 2 ** (width - 1) - 1


@infers(BoolLit)
def boolean(body: Body, expr: BoolLit, expected: Type | None) -> Type:
    """``true`` and ``false``."""
    return BOOL


@infers(CharLit)
def character(body: Body, expr: CharLit, expected: Type | None) -> Type:
    """``'a'`` is a char, ``b'a'`` a byte."""
    return MACHINE["u8"] if expr.byte else CHAR


@infers(StrLit)
def text(body: Body, expr: StrLit, expected: Type | None) -> Type:
    """``"text"`` is a ``&str``."""
    if expr.byte:
        raise Unsupported("byte string", expr.place)
    return Type("&", (Type("str"),))


@infers(FloatLit)
def floating(body: Body, expr: FloatLit, expected: Type | None) -> Type:
    """Floating point is outside of the subset."""
    raise Unsupported("floating point number", expr.place)


@infers(TupleExpr)
def tuple_(body: Body, expr: TupleExpr, expected: Type | None) -> Type:
    """``(a, b)``."""
    if not expr.items:
        return UNIT
    wanted = None if expected is None else body.variables.head(expected)
    if wanted is not None and wanted.name == "tuple" and len(wanted.args) == len(expr.items):
        return Type(
            "tuple",
            tuple([_part(body, item, hint) for item, hint in zip(expr.items, wanted.args, strict=True)]),
        )
    return Type("tuple", tuple([body.expr(item) for item in expr.items]))


def _part(body: Body, item: Expr, wanted: Type) -> Type:
    """Infer a part of a tuple; a reference in it is coerced where that is asked for."""
    body.plain(item, wanted)
    return wanted


_LISTS = {"vec": "Vec", "seq": "Seq", "set": "Set"}


@infers(ArrayLit)
def array(body: Body, expr: ArrayLit, expected: Type | None) -> Type:
    """``[a, b]``, ``vec![a, b]``, ``seq![a, b]``, ``set![a, b]``, ``map![a => b]``."""
    outer = body.ghost
    if expr.kind in ("seq", "set", "map"):
        body.ghost = True
    wanted = None if expected is None else body.variables.head(expected)
    if expr.kind == "map":
        found = _map(body, expr, wanted)
    else:
        name = _LISTS.get(expr.kind, "array")
        fits = wanted is not None and (wanted.name == name or (wanted.name == "slice" and name == "array"))
        element = wanted.args[0] if fits and wanted is not None else body.fresh()
        for item in expr.items:
            body.plain(item, element)
        found = Type(name, (element,), len(expr.items) if name == "array" else None)
    body.ghost = outer
    return found


def _map(body: Body, expr: ArrayLit, wanted: Type | None) -> Type:
    key, value = wanted.args if wanted is not None and wanted.name == "Map" else (body.fresh(), body.fresh())
    for item in expr.items:
        assert isinstance(item, TupleExpr)
        body.check(item, Type("tuple", (key, value)))
    return Type("Map", (key, value))


@infers(ArrayRepeat)
def repeat(body: Body, expr: ArrayRepeat, expected: Type | None) -> Type:
    """``[x; n]``, ``vec![x; n]``, ``seq![x; n]``."""
    wanted = None if expected is None else body.variables.head(expected)
    outer = body.ghost
    if expr.kind == "seq":
        body.ghost = True
    name = _LISTS.get(expr.kind, "array")
    hint = wanted.args[0] if wanted is not None and wanted.name == name else None
    element = body.expr(expr.value, hint)
    body.check(expr.count, NAT if expr.kind == "seq" else MACHINE["usize"])
    body.ghost = outer
    if name == "Seq":
        return Type("Seq", (element,))
    if not body.ghost:
        body.checks.append(lambda: _repeatable(body, expr))
    if name == "Vec":
        return Type("Vec", (element,))
    return Type("array", (element,), body.declarations.reader.length(expr.count, body.home))


def _repeatable(body: Body, expr: ArrayRepeat) -> None:
    assert expr.value.type is not None
    type = body.variables.resolved(expr.value.type)
    if expr.kind == "vec" and not same_when_cloned(body, type):
        raise Unsupported(f"repeating a value of `{type}`, whose clones may differ", expr.place)
    if not body.crate.has_trait(type, "Copy", body.home.generics):
        raise Unsupported(f"repeating a value of `{type}`, which is not Copy", expr.place)


@infers(RangeExpr)
def range_(body: Body, expr: RangeExpr, expected: Type | None) -> Type:
    """``a..b``: only the head of a loop has a use for it."""
    raise Unsupported("a range outside of the head of a `for`", expr.place)


@infers(StructLit)
def struct(body: Body, expr: StructLit, expected: Type | None) -> Type:
    """``Point { x: 1, ..base }``."""
    ref, found = variant_of_path(body, expr.path, expected)
    body.seen.append(ref)
    expr.target = ref
    check_fields_visible(body, ref.datatype, expr.place)
    names = [name for name, _, _ in ref.variant.fields]
    types = dict(zip(names, field_types(ref), strict=True))
    given: set[str] = set()
    for name, value in expr.fields:
        if name not in types:
            message = f"`{ref.variant.name}` has no field named `{name}`.{did_you_mean(name, names)}"
            raise Rejected(message, value.place)
        if name in given:
            raise Rejected(f"field `{name}` specified more than once", value.place)
        given.add(name)
        body.check(value, types[name])
    if expr.base is not None:
        body.check(expr.base, found)
        if isinstance(ref.datatype, Enum):
            raise Rejected("functional record update syntax requires a struct", expr.base.place)
    elif len(given) < len(names):
        missing = ", ".join(f"`{name}`" for name in names if name not in given)
        raise Rejected(f"missing fields {missing} in initializer of `{ref.variant.name}`", expr.place)
    return found
