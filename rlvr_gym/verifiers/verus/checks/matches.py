"""Whether patterns cover every value: a ``match`` leaves nothing out, a ``let`` cannot fail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from rlvr_gym.verifiers.verus.checks.walk import all_nodes
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate, names, variants
from rlvr_gym.verifiers.verus.inference.types import BOOL, Type, substituted
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax.tree import (
    BindPattern,
    BoolLit,
    CharLit,
    Closure,
    Enum,
    For,
    IntLit,
    Let,
    LiteralPattern,
    MatchExpr,
    OrPattern,
    PathPattern,
    Pattern,
    RangePattern,
    ReferencePattern,
    Struct,
    TuplePattern,
    Unary,
    VariantPattern,
    VariantRef,
    WildPattern,
)

_MOST_STEPS = 20_000
"""Patterns can be built whose check takes exponential time; a program that needs more steps is refused."""
_POINTERS = ("&", "&mut", "Box")


@dataclass(frozen=True, slots=True)
class _Case:
    """A constructor with what stands in its fields. ``key`` None: any value."""

    key: str | int | bool | None
    fields: tuple[_Shape, ...] = ()


@dataclass(frozen=True, slots=True)
class _Any:
    """Alternatives."""

    options: tuple[_Shape, ...]


_Shape: TypeAlias = _Case | _Any
_WILD = _Case(None)


def check_matches(crate: Crate) -> None:
    """Check that every ``match`` is exhaustive and every binding pattern irrefutable.

    Raises:
        Rejected: some value is not covered.
        Unsupported: a pattern outside of the subset, or too large a ``match``.
    """
    for function in crate.functions:
        for parameter in function.parameters:
            if parameter.pattern is not None:
                _refuse_refutable(crate, parameter.pattern)
    for node in all_nodes(crate):
        match node:
            case MatchExpr():
                covered = [_shape(crate, arm.pattern) for arm in node.arms if arm.guard is None]
                for arm in node.arms:
                    _shape(crate, arm.pattern)
                if node.scrutinee.type is None:
                    raise Unsupported("a `match` on a value of unknown type", node.place)
                _refuse_gaps(crate, covered, node.scrutinee.type, node.place)
            case Let() if node.otherwise is None:
                _refuse_refutable(crate, node.pattern)
            case For():
                _refuse_refutable(crate, node.pattern)
            case Closure():
                for parameter in node.parameters:
                    if parameter.pattern is not None:
                        _refuse_refutable(crate, parameter.pattern)
            case _:
                pass


def _refuse_refutable(crate: Crate, pattern: Pattern) -> None:
    shape = _shape(crate, pattern)
    if shape == _WILD:
        return
    if pattern.type is None:
        raise Unsupported("a pattern on a value of unknown type", pattern.place)
    if not _Coverage(crate, pattern.place).covers([[shape]], [pattern.type]):
        raise Rejected("refutable pattern in a local binding", pattern.place)


def _refuse_gaps(crate: Crate, shapes: list[_Shape], type: Type, place: Place) -> None:
    if not _Coverage(crate, place).covers([[shape] for shape in shapes], [type]):
        raise Rejected("non-exhaustive patterns: some value is not covered", place)


def _shape(crate: Crate, pattern: Pattern) -> _Shape:
    match pattern:
        case WildPattern():
            return _WILD
        case BindPattern():
            return _WILD if pattern.inner is None else _shape(crate, pattern.inner)
        case LiteralPattern():
            return _Case(_literal(pattern))
        case PathPattern(target=VariantRef(variant=variant)):
            return _Case(variant.name, (_WILD,) * len(variant.fields))
        case PathPattern():
            # A constant: it covers nothing that can be counted on.
            return _Case(f"const {id(pattern)}")
        case TuplePattern():
            return _Case("tuple", _spread(crate, pattern))
        case VariantPattern():
            return _variant(crate, pattern)
        case ReferencePattern():
            return _shape(crate, pattern.inner)
        case OrPattern():
            return _Any(tuple(_shape(crate, option) for option in pattern.options))
        case RangePattern():
            raise Unsupported("range patterns", pattern.place)
        case _:
            raise Unsupported("slice patterns", pattern.place)


def _literal(pattern: LiteralPattern) -> str | int | bool:
    value = pattern.value
    match value:
        case IntLit() | CharLit():
            return value.value
        case BoolLit():
            return value.value
        case Unary(op="-", operand=IntLit(value=number)):
            return -number
        case _:
            raise Unsupported("this literal in a pattern", pattern.place)


def _spread(crate: Crate, pattern: TuplePattern) -> tuple[_Shape, ...]:
    shapes = [_shape(crate, item) for item in pattern.items]
    if pattern.rest is None:
        return tuple(shapes)
    type = _pointed(pattern.type) if pattern.type is not None else None
    if type is None:
        raise Unsupported("a tuple pattern on a value of unknown type", pattern.place)
    missing = len(type.args) - len(shapes)
    return (*shapes[: pattern.rest], *(_WILD,) * missing, *shapes[pattern.rest :])


def _variant(crate: Crate, pattern: VariantPattern) -> _Shape:
    if pattern.target is None:
        if pattern.path.segments[-1].name in ("Ghost", "Tracked") and len(pattern.fields) == 1:
            return _shape(crate, pattern.fields[0][1])
        raise Unsupported("a pattern whose constructor is not known", pattern.place)
    variant = pattern.target.variant
    written = {name: _shape(crate, inner) for name, inner in pattern.fields}
    if pattern.rest_at is not None:
        # Positional fields behind `..` count from the end.
        shift = len(variant.fields) - len(pattern.fields)
        written = {
            str(index if index < pattern.rest_at else index + shift): _shape(crate, inner)
            for index, (_, inner) in enumerate(pattern.fields)
        }
    return _Case(variant.name, tuple(written.get(name, _WILD) for name, _, _ in variant.fields))


def _pointed(type: Type) -> Type:
    while type.name in _POINTERS:
        type = type.args[0]
    return type


@dataclass(slots=True)
class _Coverage:
    """Decides whether rows of patterns cover all rows of values of given types."""

    crate: Crate
    place: Place
    steps: int = 0

    def covers(self, rows: list[list[_Shape]], types: list[Type]) -> bool:
        """Return whether every row of values matches some row of patterns."""
        self.steps += 1 + len(rows)
        if self.steps > _MOST_STEPS:
            raise Unsupported("a `match` with too many cases to check", self.place)
        if not types:
            return bool(rows)
        if not rows:
            return False
        rows = [flat for row in rows for flat in self._flat(row)]
        wild = [row[1:] for row in rows if row[0] == _WILD]
        constructors = self._constructors(types[0])
        if constructors is None:
            # Too many values to list: beyond the literals there are always others.
            return self.covers(wild, types[1:])
        if all(row[0] == _WILD for row in rows) and constructors:
            return self.covers(wild, types[1:])
        return all(self._covered(key, fields, rows, types[1:]) for key, fields in constructors)

    def _covered(
        self, key: str | int | bool, fields: tuple[Type, ...], rows: list[list[_Shape]], rest: list[Type]
    ) -> bool:
        chosen: list[list[_Shape]] = []
        for row in rows:
            head = row[0]
            assert isinstance(head, _Case)
            if head.key is None:
                chosen.append([*(_WILD,) * len(fields), *row[1:]])
            elif head.key == key:
                chosen.append([*head.fields, *row[1:]])
        return self.covers(chosen, [*fields, *rest])

    def _flat(self, row: list[_Shape]) -> list[list[_Shape]]:
        """Return ``row`` once for each alternative of its first pattern."""
        head = row[0]
        if isinstance(head, _Case):
            return [row]
        self.steps += len(head.options)
        return [flat for option in head.options for flat in self._flat([option, *row[1:]])]

    def _constructors(self, type: Type) -> list[tuple[str | int | bool, tuple[Type, ...]]] | None:
        """Return all constructors of a type with the types of their fields; None where they cannot be listed."""
        type = _pointed(type)
        if type == BOOL:
            return [(True, ()), (False, ())]
        if type.name == "tuple":
            return [("tuple", type.args)]
        datatype = self.crate.datatype(type.name)
        if datatype is None or not self._has_variants(datatype):
            return None
        values = dict(zip(names(datatype.generics), type.args, strict=False))
        return [
            (variant.name, tuple(substituted(field, values) for field in variant.types))
            for variant in variants(datatype)
        ]

    def _has_variants(self, datatype: Struct | Enum) -> bool:
        return not any(attribute.path == "opaque_type" for attribute in datatype.attributes)
