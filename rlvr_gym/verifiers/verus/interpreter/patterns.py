"""Patterns against values."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.inference.crate import variants
from rlvr_gym.verifiers.verus.interpreter.frame import Frame
from rlvr_gym.verifiers.verus.interpreter.places import part
from rlvr_gym.verifiers.verus.interpreter.values import Reference, Unknown, Value, plain
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.tree import ConstRef, Pattern, VariantRef


def matches(frame: Frame, pattern: Pattern, value: Value) -> bool:
    """Match ``value``, or the place behind it, and give the pattern's variables their values."""
    match pattern:
        case tree.WildPattern():
            return True
        case tree.BindPattern():
            if pattern.inner is not None and not matches(frame, pattern.inner, value):
                return False
            if pattern.local is not None:
                keep = isinstance(value, Reference) and pattern.local.type.name == "&mut"
                frame.values[pattern.local] = value if keep else plain(value)
            return True
        case tree.ReferencePattern():
            return matches(frame, pattern.inner, value)
        case tree.LiteralPattern():
            return bool(frame.value(pattern.value) == plain(value))
        case tree.RangePattern():
            return _in_range(frame, pattern, plain(value))
        case tree.PathPattern():
            return _path(frame, pattern, plain(value))
        case tree.TuplePattern():
            whole = plain(value)
            numbers = _numbers(len(pattern.items), len(whole), pattern.rest)
            return all(
                matches(frame, item, _part(value, whole[number], number))
                for item, number in zip(pattern.items, numbers, strict=True)
            )
        case tree.VariantPattern():
            return _variant(frame, pattern, value)
        case tree.OrPattern():
            return any(matches(frame, option, value) for option in pattern.options)
    raise Unknown(type(pattern).__name__)


def _part(value: Value, inner: Value, number: int) -> Value:
    """Return a part of a value: a place where the value is one."""
    return part(value, number) if isinstance(value, Reference) else inner


def _numbers(written: int, length: int, rest: int | None) -> list[int]:
    """Return the positions that patterns stand for: behind ``..`` they are counted from the end."""
    if rest is None:
        return list(range(written))
    return [position if position < rest else position + length - written for position in range(written)]


def _in_range(frame: Frame, pattern: tree.RangePattern, value: Value) -> bool:
    if pattern.start is not None and value < frame.value(pattern.start):
        return False
    if pattern.end is None:
        return True
    end = frame.value(pattern.end)
    return bool(value <= end if pattern.inclusive else value < end)


def _path(frame: Frame, pattern: tree.PathPattern, value: Value) -> bool:
    match pattern.target:
        case VariantRef() as ref:
            return len(variants(ref.datatype)) == 1 or bool(value.variant == ref.variant.name)
        case ConstRef():
            node = tree.PathExpr(pattern.path.segments, pattern.target, place=pattern.place)
            return bool(frame.value(node) == value)
    raise Unknown("this path as a pattern")


def _variant(frame: Frame, pattern: tree.VariantPattern, value: Value) -> bool:
    ref = pattern.target
    if ref is None:
        # `Ghost(x)`, `Tracked(x)`: the wrapper is not there at run time.
        return matches(frame, pattern.fields[0][1], value)
    whole = plain(value)
    if whole.variant != ref.variant.name:
        return False
    if pattern.braces:
        names = [name for name, _, _ in ref.variant.fields]
        numbers = [names.index(name) for name, _ in pattern.fields]
    else:
        numbers = _numbers(len(pattern.fields), len(whole.fields), pattern.rest_at)
    return all(
        matches(frame, item, _part(value, whole.fields[number], number))
        for (_, item), number in zip(pattern.fields, numbers, strict=True)
    )
