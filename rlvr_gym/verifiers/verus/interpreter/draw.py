"""Random values of a type: small ones mostly, the ends of ranges often."""

from __future__ import annotations

import random
from collections.abc import Callable

from rlvr_gym.verifiers.verus.inference.crate import Crate, field_types, variants
from rlvr_gym.verifiers.verus.inference.types import Type
from rlvr_gym.verifiers.verus.interpreter.values import (
    Data,
    Mapping,
    Unknown,
    Value,
    limits,
    stripped,
)
from rlvr_gym.verifiers.verus.syntax.tree import VariantRef

_DEEPEST = 4


class Draw:
    """Draws the arguments of one call: their sizes and numbers are alike, so that contracts relate them more often."""

    def __init__(self, crate: Crate, rng: random.Random) -> None:
        self._crate = crate
        self._rng = rng
        self._length = rng.choice((0, 1, 2, 3, 3, 4, 5, 6))
        self._reach = rng.choice((2, 4, 10, 30, 300))
        self._ordered = rng.random() < 0.3
        self._same_length = rng.random() < 0.7

    def value(self, type: Type, depth: int = 0) -> Value:
        """Return a value of ``type``.

        Raises:
            Unknown: there is no way to make one.
        """
        type = stripped(type)
        name, rng = type.name, self._rng
        if name == "bool":
            return rng.random() < 0.5
        if name in ("int", "nat") or limits(type) is not None or name.startswith("'"):
            return self._number(type)
        if name == "tuple":
            return tuple([self.value(each, depth) for each in type.args])
        if name in ("Vec", "slice", "Seq", "array"):
            return self._sequence(type, depth)
        if name in ("String", "str"):
            return tuple([self._number(Type("char")) for _ in range(self._size())])
        if name == "Set":
            return frozenset([self.value(type.args[0], depth + 1) for _ in range(self._size())])
        if name == "Multiset":
            items = [self.value(type.args[0], depth + 1) for _ in range(self._size())]
            return Mapping(frozenset((item, items.count(item)) for item in items))
        if name == "Map":
            keys = {self.value(type.args[0], depth + 1) for _ in range(self._size())}
            return Mapping(frozenset((key, self.value(type.args[1], depth + 1)) for key in keys))
        if name == "spec_fn":
            return self._function(type)
        return self._data(type, depth)

    def _size(self) -> int:
        return self._length if self._same_length else self._rng.randint(0, 6)

    def _number(self, type: Type) -> int:
        rng = self._rng
        bounds = limits(type)
        low, high = bounds if bounds is not None else (0 if type.name == "nat" else -self._reach, self._reach)
        kind = rng.random()
        if type.name == "char":
            return rng.choice((rng.randint(97, 100), rng.randint(32, 126), rng.randint(0, 0xD7FF)))
        if bounds is None or kind < 0.7:
            return max(low, min(high, rng.randint(-self._reach if low < 0 else 0, self._reach)))
        if kind < 0.85:
            return (
                rng.choice((low, high))
                if rng.random() < 0.5
                else rng.choice((low + rng.randint(0, 3), high - rng.randint(0, 3)))
            )
        if kind < 0.93:
            # Around the roots and halves of a range, where products and sums begin to overflow.
            middle = 1 << rng.randint(0, high.bit_length())
            return max(low, min(high, middle + rng.randint(-2, 2)))
        return rng.randint(low, high)

    def _sequence(self, type: Type, depth: int) -> Value:
        if type.name == "array":
            # One length stands for every generic one.
            size = type.size if isinstance(type.size, int) else self._length
        else:
            size = self._rng.randint(0, 3) if depth else self._size()
        items = [self.value(type.args[0], depth + 1) for _ in range(size)]
        if self._ordered and all(isinstance(item, int) for item in items):
            items.sort()
        return tuple(items)

    def _function(self, type: Type) -> Callable[..., Value]:
        known: dict[tuple[Value, ...], Value] = {}

        def table(*arguments: Value) -> Value:
            if arguments not in known:
                known[arguments] = self.value(type.args[-1])
            return known[arguments]

        return table

    def _data(self, type: Type, depth: int) -> Data:
        datatype = self._crate.datatype(type.name)
        choices = () if datatype is None else variants(datatype)
        if datatype is None or not choices:
            raise Unknown(f"no value of type `{type}`")
        if depth >= _DEEPEST:
            choices = tuple([each for each in choices if not each.fields]) or choices
        if depth > 4 * _DEEPEST:
            raise Unknown(f"no small value of type `{type}`")
        variant = self._rng.choice(choices)
        ref = VariantRef(datatype, variant, type.args)
        return Data(
            type.name, variant.name, tuple([self.value(each, depth + 1) for each in field_types(ref)])
        )
