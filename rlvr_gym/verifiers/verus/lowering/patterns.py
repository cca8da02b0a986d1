"""Patterns as tests and projections: the core language has no patterns."""

from __future__ import annotations

from collections.abc import Sequence

from rlvr_gym.verifiers.verus.core import Apply, Expression, LetIn, Project, Test
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.crate import field_types, variants
from rlvr_gym.verifiers.verus.inference.types import BOOL, CHAR, Type, is_integer
from rlvr_gym.verifiers.verus.lowering.terms import (
    choice,
    conjunction,
    disjunction,
    equal,
    integer,
    op,
    truth,
)
from rlvr_gym.verifiers.verus.lowering.types import core_type, refuse_stored_references
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.tree import ConstRef, Local, Pattern, VariantRef

Binding = tuple[Local, Expression]
"""A variable of a pattern and the part of the value that it stands for."""


def match_pattern(pattern: Pattern, value: Expression) -> tuple[Expression, list[Binding]]:
    """Return when ``value`` matches, and what the variables are then."""
    place = pattern.place
    match pattern:
        case tree.WildPattern():
            return truth(True, place), []
        case tree.BindPattern():
            return _binding(pattern, value)
        case tree.ReferencePattern():
            return match_pattern(pattern.inner, value)
        case tree.LiteralPattern():
            return equal(value, _literal(pattern.value, value.type), place), []
        case tree.RangePattern():
            return _range(pattern, value), []
        case tree.PathPattern():
            return _path(pattern, value), []
        case tree.TuplePattern():
            return _tuple(pattern, value)
        case tree.VariantPattern():
            return _variant(pattern, value)
        case tree.OrPattern():
            return _alternatives(pattern, value)
        case tree.SlicePattern():
            raise Unsupported("slice pattern", place)


def let_in(bindings: Sequence[Binding], body: Expression) -> Expression:
    """Return ``body`` under the bindings of a pattern."""
    for local, value in reversed(bindings):
        body = LetIn(local.unique, value, body, type=body.type, place=body.place)
    return body


def projection(value: Expression, variant: str, index: int, type: Type, place: Place) -> Expression:
    """Return a field of a value."""
    return Project(value, variant, index, type=core_type(type), place=place)


def is_variant(ref: VariantRef, value: Expression, place: Place) -> Expression:
    """Return that ``value`` is of a variant: always so where the type has one only."""
    if len(variants(ref.datatype)) == 1:
        return truth(True, place)
    return Test(value, ref.variant.name, type=BOOL, place=place)


def constant(ref: ConstRef, place: Place) -> Expression:
    """Return the value of a constant."""
    assert ref.const.found is not None
    return Apply(ref.const.id, (), (), type=core_type(ref.const.found), place=place)


def _binding(pattern: tree.BindPattern, value: Expression) -> tuple[Expression, list[Binding]]:
    local = pattern.local
    assert local is not None
    refuse_stored_references(local.type, pattern.place)
    bindings = [(local, value)]
    if pattern.inner is None:
        return truth(True, pattern.place), bindings
    condition, inner = match_pattern(pattern.inner, value)
    return condition, bindings + inner


def _literal(value: tree.Expr, type: Type) -> Expression:
    match value:
        case tree.IntLit():
            return integer(value.value, type, value.place)
        case tree.BoolLit():
            return truth(value.value, value.place)
        case tree.CharLit() if not value.byte:
            return integer(value.value, CHAR, value.place)
        case tree.CharLit():
            return integer(value.value, type, value.place)
        case tree.Unary(op="-", operand=tree.IntLit() as number):
            return integer(-number.value, type, value.place)
        case tree.PathExpr(target=ConstRef() as ref):
            return constant(ref, value.place)
    raise Unsupported("this literal in a pattern", value.place)


def _range(pattern: tree.RangePattern, value: Expression) -> Expression:
    if not is_integer(value.type) and value.type != CHAR:
        raise Unsupported(f"range pattern of type `{value.type}`", pattern.place)
    conditions: list[Expression] = []
    if pattern.start is not None:
        conditions.append(op("<=", _literal(pattern.start, value.type), value, place=pattern.place))
    if pattern.end is not None:
        end = _literal(pattern.end, value.type)
        conditions.append(op("<=" if pattern.inclusive else "<", value, end, place=pattern.place))
    return conjunction(conditions, pattern.place)


def _path(pattern: tree.PathPattern, value: Expression) -> Expression:
    if isinstance(pattern.target, VariantRef):
        return is_variant(pattern.target, value, pattern.place)
    if isinstance(pattern.target, ConstRef):
        if not is_integer(value.type) and value.type not in (BOOL, CHAR):
            raise Unsupported(f"constant of type `{value.type}` as a pattern", pattern.place)
        return equal(value, constant(pattern.target, pattern.place), pattern.place)
    raise Unsupported("this path as a pattern", pattern.place)


def _tuple(pattern: tree.TuplePattern, value: Expression) -> tuple[Expression, list[Binding]]:
    items = value.type.args
    rest = pattern.rest if pattern.rest is not None else len(pattern.items)
    # Positions behind `..` are counted from the end.
    behind = len(items) - len(pattern.items)
    parts = [
        (item, projection(value, "tuple", index, items[index], item.place))
        for position, item in enumerate(pattern.items)
        for index in (position if position < rest else position + behind,)
    ]
    return _all(parts, pattern.place)


def _variant(pattern: tree.VariantPattern, value: Expression) -> tuple[Expression, list[Binding]]:
    ref = pattern.target
    if ref is None:
        return _wrapper(pattern, value)
    numbers = {name: number for number, (name, _, _) in enumerate(ref.variant.fields)}
    types = field_types(ref)
    parts = [
        (item, projection(value, ref.variant.name, number, types[number], item.place))
        for position, (name, item) in enumerate(pattern.fields)
        for number in (
            numbers[name] if pattern.rest_at is None else _behind_rest(pattern, position, len(numbers)),
        )
    ]
    condition, bindings = _all(parts, pattern.place)
    return conjunction((is_variant(ref, value, pattern.place), condition), pattern.place), bindings


def _behind_rest(pattern: tree.VariantPattern, position: int, fields: int) -> int:
    """Return the field's number: positions behind ``..`` are counted from the end."""
    assert pattern.rest_at is not None
    return position if position < pattern.rest_at else position + fields - len(pattern.fields)


def _wrapper(pattern: tree.VariantPattern, value: Expression) -> tuple[Expression, list[Binding]]:
    name = pattern.path.segments[-1].name
    if name in ("Ghost", "Tracked") and len(pattern.fields) == 1:
        return match_pattern(pattern.fields[0][1], value)
    raise Unsupported(f"pattern `{name}`", pattern.place)


def _all(parts: list[tuple[Pattern, Expression]], place: Place) -> tuple[Expression, list[Binding]]:
    conditions: list[Expression] = []
    bindings: list[Binding] = []
    for pattern, value in parts:
        condition, found = match_pattern(pattern, value)
        conditions.append(condition)
        bindings.extend(found)
    return conjunction(conditions, place), bindings


def _alternatives(pattern: tree.OrPattern, value: Expression) -> tuple[Expression, list[Binding]]:
    """Return the disjunction; a variable is what it is in the first alternative that matches."""
    found = [match_pattern(option, value) for option in pattern.options]
    conditions = [condition for condition, _ in found]
    merged: list[Binding] = []
    for local, term in found[-1][1]:
        for condition, bindings in reversed(found[:-1]):
            same = [other for each, other in bindings if each is local or each.name == local.name]
            if len(same) != 1:
                raise Unsupported("alternatives that bind different variables", pattern.place)
            term = choice(condition, same[0], term, term.type, pattern.place)
        merged.append((local, term))
        # Where each alternative has a variable of its own, all of them are this one.
        others = {
            each
            for _, bindings in found
            for each, _ in bindings
            if each.name == local.name and each is not local
        }
        merged.extend((each, term) for each in others)
    return disjunction(conditions, pattern.place), merged
