"""What the library's spec functions mean, written down anew: the verifier's own axioms and definitions are not used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from rlvr_gym.verifiers.verus.interpreter.values import Mapping, Unknown, Value

_LONGEST = 2_000


def _new(length: int, function: Callable[[int], Value]) -> Value:
    if length > _LONGEST:
        raise Unknown("a long sequence")
    return tuple([function(index) for index in range(length)])


def _index(sequence: Value, at: int) -> Value:
    if not 0 <= at < len(sequence):
        raise Unknown("index out of range")
    return sequence[at]


def _update(sequence: Value, at: int, value: Value) -> Value:
    if not 0 <= at < len(sequence):
        raise Unknown("update out of range")
    return (*sequence[:at], value, *sequence[at + 1 :])


def _subrange(sequence: Value, start: int, end: int) -> Value:
    if not 0 <= start <= end <= len(sequence):
        raise Unknown("subrange out of range")
    return sequence[start:end]


def _insert(sequence: Value, at: int, value: Value) -> Value:
    if not 0 <= at <= len(sequence):
        raise Unknown("insertion out of range")
    return (*sequence[:at], value, *sequence[at:])


def _remove(sequence: Value, at: int) -> Value:
    if not 0 <= at < len(sequence):
        raise Unknown("removal out of range")
    return sequence[:at] + sequence[at + 1 :]


def _index_of(sequence: Value, value: Value) -> int:
    if sequence.count(value) != 1:
        # Which of several places is meant is left open.
        raise Unknown("no single place")
    return int(sequence.index(value))


def _fold_left(sequence: Value, start: Value, function: Callable[[Value, Value], Value]) -> Value:
    for value in sequence:
        start = function(start, value)
    return start


def _fold_right(sequence: Value, function: Callable[[Value, Value], Value], start: Value) -> Value:
    for value in reversed(sequence):
        start = function(value, start)
    return start


def _bag(values: Value) -> Value:
    return Mapping(frozenset(Counter(values).items()))


def _count(bag: Mapping, value: Value) -> int:
    return int(bag.to_dict().get(value, 0))


def _bag_without(bag: Mapping, value: Value) -> Mapping:
    counts = Counter(bag.to_dict())
    counts[value] -= 1
    return Mapping(frozenset((+counts).items()))


def _bags_together(left: Mapping, right: Mapping) -> Mapping:
    return Mapping(frozenset((Counter(left.to_dict()) + Counter(right.to_dict())).items()))


def _key(mapping: Mapping, key: Value) -> Value:
    found = mapping.to_dict()
    if key not in found:
        raise Unknown("a key without a value")
    return found[key]


def _without(mapping: Mapping, key: Value) -> Mapping:
    return Mapping(frozenset(pair for pair in mapping.pairs if pair[0] != key))


def _with(mapping: Mapping, key: Value, value: Value) -> Mapping:
    return Mapping(_without(mapping, key).pairs | {(key, value)})


def _power(base: int, exponent: int) -> int:
    if exponent < 0 or exponent * max(abs(base), 2).bit_length() > 4_096:
        raise Unknown("a large power")
    return int(base**exponent)


GHOST: dict[str, Callable[..., Any]] = {
    "Seq::empty": lambda: (),
    "Seq::new": _new,
    "Seq::len": len,
    "Seq::index": _index,
    "Seq::spec_index": _index,
    "Seq::push": lambda sequence, value: (*sequence, value),
    "Seq::update": _update,
    "Seq::subrange": _subrange,
    "Seq::add": lambda left, right: left + right,
    "Seq::spec_add": lambda left, right: left + right,
    "Seq::take": lambda sequence, count: _subrange(sequence, 0, count),
    "Seq::skip": lambda sequence, count: _subrange(sequence, count, len(sequence)),
    "Seq::last": lambda sequence: _index(sequence, len(sequence) - 1),
    "Seq::first": lambda sequence: _index(sequence, 0),
    "Seq::drop_last": lambda sequence: _subrange(sequence, 0, len(sequence) - 1),
    "Seq::drop_first": lambda sequence: _subrange(sequence, 1, len(sequence)),
    "Seq::contains": lambda sequence, value: value in sequence,
    "Seq::index_of": _index_of,
    "Seq::map": lambda sequence, function: tuple(
        function(index, value) for index, value in enumerate(sequence)
    ),
    "Seq::map_values": lambda sequence, function: tuple(map(function, sequence)),
    "Seq::reverse": lambda sequence: sequence[::-1],
    "Seq::insert": _insert,
    "Seq::remove": _remove,
    "Seq::is_prefix_of": lambda left, right: right[: len(left)] == left,
    "Seq::is_suffix_of": lambda left, right: (
        len(left) <= len(right) and right[len(right) - len(left) :] == left
    ),
    "Seq::no_duplicates": lambda sequence: len(set(sequence)) == len(sequence),
    "Seq::all": lambda sequence, test: all(map(test, sequence)),
    "Seq::any": lambda sequence, test: any(map(test, sequence)),
    "Seq::fold_left": _fold_left,
    "Seq::fold_right": _fold_right,
    "Seq::filter": lambda sequence, test: tuple(filter(test, sequence)),
    "Seq::zip_with": lambda left, right: (
        tuple(zip(left, right, strict=True)) if len(left) == len(right) else ()
    ),
    "Seq::to_multiset": _bag,
    "Seq::to_set": frozenset,
    "Vec::view": lambda value: value,
    "Vec::spec_vec_len": len,
    "Vec::spec_index": _index,
    "slice::view": lambda value: value,
    "slice::spec_slice_len": len,
    "slice::spec_index": _index,
    "array::view": lambda value: value,
    "array::spec_array_len": len,
    "array::spec_index": _index,
    "str::view": lambda value: value,
    "str::is_ascii": lambda value: all(code < 128 for code in value),
    "String::view": lambda value: value,
    "Set::empty": frozenset,
    "Set::contains": lambda values, value: value in values,
    "Set::insert": lambda values, value: values | {value},
    "Set::remove": lambda values, value: values - {value},
    "Set::union": lambda left, right: left | right,
    "Set::intersect": lambda left, right: left & right,
    "Set::difference": lambda left, right: left - right,
    "Set::finite": lambda values: True,
    "Set::len": len,
    "Set::subset_of": lambda left, right: left <= right,
    "Set::disjoint": lambda left, right: left.isdisjoint(right),
    "Map::empty": Mapping,
    "Map::dom": lambda mapping: frozenset(key for key, _ in mapping.pairs),
    "Map::index": _key,
    "Map::insert": _with,
    "Map::remove": _without,
    "Multiset::empty": Mapping,
    "Multiset::count": _count,
    "Multiset::singleton": lambda value: _bag((value,)),
    "Multiset::add": _bags_together,
    "Multiset::len": lambda bag: sum(count for _, count in bag.pairs),
    "Multiset::remove": _bag_without,
    "pow": _power,
    "pow2": lambda exponent: _power(2, exponent),
    "abs": abs,
}
"""By type and name, or by the bare name for functions of modules. What is not here is evaluated from its definition."""
