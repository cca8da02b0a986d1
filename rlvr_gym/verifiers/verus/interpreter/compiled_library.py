"""What the library's compiled functions do, after Rust's documentation: the verifier's contracts for them are not used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rlvr_gym.verifiers.verus.inference.types import MACHINE, Type
from rlvr_gym.verifiers.verus.interpreter.values import (
    Data,
    Panic,
    Reference,
    Unknown,
    Value,
    limits,
    plain,
    wrapped,
)
from rlvr_gym.verifiers.verus.report import Place

NONE = Data("Option", "None")
_LONGEST = 10_000


def some(value: Value) -> Data:
    """Return ``Some(value)``."""
    return Data("Option", "Some", (value,))


# ---------------------------------------------------------------- vectors


def _checked(inside: bool, at: Place) -> None:
    if not inside:
        raise Panic("index out of bounds", at)


def _index(at: Place, vector: Value, i: int) -> Value:
    _checked(i < len(vector), at)
    return vector[i]


def _set(at: Place, vector: Reference, i: int, value: Value) -> Value:
    items = plain(vector)
    _checked(i < len(items), at)
    vector.set((*items[:i], value, *items[i + 1 :]))
    return ()


def _push(at: Place, vector: Reference, value: Value) -> Value:
    vector.set((*plain(vector), value))
    return ()


def _pop(at: Place, vector: Reference) -> Value:
    items = plain(vector)
    if not items:
        return NONE
    vector.set(items[:-1])
    return some(items[-1])


def _clear(at: Place, vector: Reference) -> Value:
    vector.set(())
    return ()


def _truncate(at: Place, vector: Reference, length: int) -> Value:
    vector.set(plain(vector)[:length])
    return ()


def _insert(at: Place, vector: Reference, i: int, value: Value) -> Value:
    items = plain(vector)
    _checked(i <= len(items), at)
    vector.set((*items[:i], value, *items[i:]))
    return ()


def _remove(at: Place, vector: Reference, i: int) -> Value:
    items = plain(vector)
    _checked(i < len(items), at)
    vector.set(items[:i] + items[i + 1 :])
    return items[i]


def _swap_remove(at: Place, vector: Reference, i: int) -> Value:
    items = plain(vector)
    _checked(i < len(items), at)
    changed = list(items)
    last = changed.pop()
    if i < len(changed):
        changed[i] = last
    vector.set(tuple(changed))
    return items[i]


def _append(at: Place, vector: Reference, other: Reference) -> Value:
    vector.set(plain(vector) + plain(other))
    other.set(())
    return ()


def _extend(at: Place, vector: Reference, other: Value) -> Value:
    vector.set(plain(vector) + other)
    return ()


def _split_off(at: Place, vector: Reference, i: int) -> Value:
    items = plain(vector)
    _checked(i <= len(items), at)
    vector.set(items[:i])
    return items[i:]


def _resize(at: Place, vector: Reference, length: int, value: Value) -> Value:
    items = plain(vector)
    if length > _LONGEST:
        raise Unknown("a long vector")
    vector.set(items[:length] + (value,) * (length - len(items)))
    return ()


def _swap(at: Place, vector: Reference, a: int, b: int) -> Value:
    items = list(plain(vector))
    _checked(a < len(items) and b < len(items), at)
    items[a], items[b] = items[b], items[a]
    vector.set(tuple(items))
    return ()


def _subrange(at: Place, vector: Value, start: int, end: int) -> Value:
    _checked(start <= end <= len(vector), at)
    return vector[start:end]


def _from_elem(at: Place, value: Value, count: int) -> Value:
    if count > _LONGEST:
        raise Unknown("a long vector")
    return (value,) * count


def _same(at: Place, value: Value) -> Value:
    return value


_OF_VECTORS: dict[str, Callable[..., Any]] = {
    "new": lambda at: (),
    "with_capacity": lambda at, capacity: (),
    "reserve": lambda at, vector, more: (),
    "len": lambda at, vector: len(vector),
    "is_empty": lambda at, vector: not vector,
    "index": _index,
    "index_set": _set,
    "set": _set,
    "push": _push,
    "pop": _pop,
    "clear": _clear,
    "truncate": _truncate,
    "insert": _insert,
    "remove": _remove,
    "swap_remove": _swap_remove,
    "append": _append,
    "extend_from_slice": _extend,
    "split_off": _split_off,
    "resize": _resize,
    "as_slice": _same,
    "clone": _same,
    "to_vec": _same,
    "swap": _swap,
    "first": lambda at, vector: some(vector[0]) if vector else NONE,
    "last": lambda at, vector: some(vector[-1]) if vector else NONE,
}


# ---------------------------------------------------------------- options and results


def _unwrap(at: Place, value: Data, *message: Value) -> Value:
    if value.variant not in ("Some", "Ok"):
        raise Panic(f"`unwrap` of `{value.variant}`", at)
    return value.fields[0]


def _unwrap_err(at: Place, value: Data) -> Value:
    if value.variant != "Err":
        raise Panic("`unwrap_err` of `Ok`", at)
    return value.fields[0]


def _take(at: Place, option: Reference) -> Value:
    found = plain(option)
    option.set(NONE)
    return found


_OF_OPTIONS: dict[str, Callable[..., Any]] = {
    "Option::is_some": lambda at, value: value.variant == "Some",
    "Option::is_none": lambda at, value: value.variant == "None",
    "Option::unwrap": _unwrap,
    "Option::expect": _unwrap,
    "Option::unwrap_or": lambda at, value, other: value.fields[0] if value.fields else other,
    "Option::as_ref": _same,
    "Option::clone": _same,
    "Option::take": _take,
    "Option::ok_or": lambda at, value, error: (
        Data("Result", "Ok", value.fields) if value.fields else Data("Result", "Err", (error,))
    ),
    "Result::is_ok": lambda at, value: value.variant == "Ok",
    "Result::is_err": lambda at, value: value.variant == "Err",
    "Result::unwrap": _unwrap,
    "Result::expect": _unwrap,
    "Result::unwrap_err": _unwrap_err,
    "Result::ok": lambda at, value: some(value.fields[0]) if value.variant == "Ok" else NONE,
    "Result::err": lambda at, value: some(value.fields[0]) if value.variant == "Err" else NONE,
}


# ---------------------------------------------------------------- integers


def _fits(type: Type, value: int) -> bool:
    bounds = limits(type)
    assert bounds is not None
    return bounds[0] <= value <= bounds[1]


def _saturated(type: Type, value: int) -> int:
    bounds = limits(type)
    assert bounds is not None
    return min(max(value, bounds[0]), bounds[1])


def _of_integers(type: Type) -> dict[str, Callable[..., Any]]:
    found: dict[str, Callable[..., Any]] = {}
    operators: dict[str, Callable[[int, int], int]] = {
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "mul": lambda a, b: a * b,
    }
    for name, exact in operators.items():
        found[f"wrapping_{name}"] = lambda at, a, b, exact=exact: wrapped(exact(a, b), type)
        found[f"saturating_{name}"] = lambda at, a, b, exact=exact: _saturated(type, exact(a, b))
        found[f"checked_{name}"] = lambda at, a, b, exact=exact: (
            some(exact(a, b)) if _fits(type, exact(a, b)) else NONE
        )
    found["abs_diff"] = lambda at, a, b: abs(a - b)
    return found


def _swap_places(at: Place, a: Reference, b: Reference) -> Value:
    first, second = plain(a), plain(b)
    a.set(second)
    b.set(first)
    return ()


def _replace(at: Place, place: Reference, value: Value) -> Value:
    before = plain(place)
    place.set(value)
    return before


def _char_at(at: Place, text: Value, i: int) -> Value:
    _checked(i < len(text), at)
    return text[i]


COMPILED: dict[str, Callable[..., Any]] = {
    **{f"{owner}::{name}": run for owner in ("Vec", "slice", "array") for name, run in _OF_VECTORS.items()},
    **_OF_OPTIONS,
    **{
        f"{name}::{method}": run
        for name, type in MACHINE.items()
        for method, run in _of_integers(type).items()
    },
    "swap": _swap_places,
    "replace": _replace,
    "from_elem": _from_elem,
    "slice_index_get": _index,
    "array_index_get": _index,
    "slice_subrange": _subrange,
    "slice_to_vec": _same,
    "Box::new": _same,
    "str::unicode_len": lambda at, text: len(text),
    "str::get_char": _char_at,
    "str::to_string": _same,
    "str::to_owned": _same,
    "String::as_str": _same,
    "String::clone": _same,
}
"""By type and name, or by the bare name for functions of modules; the first argument is the place of the call."""
