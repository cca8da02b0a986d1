"""Plain Python values as JSON: what crosses the border of a sandbox, in both directions.

The text of this file is also sent into sandboxes, so that it needs nothing but the standard library.
None, bool, str and small int stand for themselves; everything else is a list that starts with its tag.
"""

from __future__ import annotations

import collections
import importlib
import json
import sys
from typing import Any

MAX_DEPTH = 100
"""Deepest nesting of a value."""
MAX_NODES = 500_000
"""Most parts of a value."""
_SMALL = 2**53
_DICTS = (dict, collections.Counter, collections.OrderedDict, collections.defaultdict)
_SEQUENCES = {list: "l", tuple: "t"}
_SETS = {set: "s", frozenset: "z"}
_BYTES = {bytes: "b", bytearray: "y"}


_NAMED: dict[str, tuple[str, Any]] = {
    "Fraction": ("fractions", lambda v: [str(v)]),
    "Decimal": ("decimal", lambda v: [str(v)]),
    "date": ("datetime", lambda v: [v.year, v.month, v.day]),
    "datetime": (
        "datetime",
        lambda v: [v.year, v.month, v.day, v.hour, v.minute, v.second, v.microsecond],
    ),
    "time": ("datetime", lambda v: [v.hour, v.minute, v.second, v.microsecond]),
    "timedelta": ("datetime", lambda v: [v.days, v.seconds, v.microseconds]),
    "range": ("builtins", lambda v: [v.start, v.stop, v.step]),
    "deque": ("collections", lambda v: [list(v), v.maxlen]),
}
"""Further types by name: their module, and the arguments that make an equal value again; none has a time zone."""


class NotPlainError(ValueError):
    """A value, or a text that claims to be one, that is no plain data."""


class Encoder:
    """Turns values into trees; ``other`` may give a tree for what is not plain, None where it has none.

    Types are compared exactly: a subclass brings methods of its own, which nobody should call. The few of the
    standard library that equal the plain value that they hold are taken for it.
    """

    def __init__(self) -> None:
        self._nodes = 0

    def other(self, value: object) -> Any:
        """Return the tree of a value that is not plain, None where there is none."""
        return None

    def encode(self, value: Any, depth: int = 0) -> Any:
        """Return the tree of ``value``.

        Raises:
            NotPlainError: a value of another type, nested too deeply, or too large.
        """
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise NotPlainError("the value is too large")
        if depth > MAX_DEPTH:
            raise NotPlainError("the value is nested too deeply")
        kind: Any = type(value)
        if value is None or kind is bool or kind is str:
            return value
        if kind is int:
            return value if -_SMALL < value < _SMALL else ["i", hex(value)]
        if kind is float:
            return ["f", repr(value)]
        if kind is complex:
            return ["c", repr(value.real), repr(value.imag)]
        if kind in _BYTES:
            return [_BYTES[kind], value.hex()]
        if kind in _SEQUENCES or _is_named_tuple(kind):
            tag = _SEQUENCES.get(kind, "t")
            return [tag, *[self.encode(item, depth + 1) for item in value]]
        if kind in _SETS:
            return [_SETS[kind], *[self.encode(item, depth + 1) for item in value]]
        if kind in _DICTS:
            pairs = dict.items(value)
            return ["d", *[[self.encode(k, depth + 1), self.encode(v, depth + 1)] for k, v in pairs]]
        name: str = kind.__name__
        if name in _NAMED and getattr(value, "tzinfo", None) is None:
            module, parts = _NAMED[name]
            if kind is getattr(sys.modules.get(module), name, None):
                return ["q", name, *[self.encode(part, depth + 1) for part in parts(value)]]
        found = self.other(value)
        if found is None:
            raise NotPlainError(f"a value of type {name} is not plain data")
        return found


def _is_named_tuple(kind: type) -> bool:
    return kind.__bases__ == (tuple,) and isinstance(kind.__dict__.get("_fields"), tuple)


def encode(value: object) -> Any:
    """Return the tree of a plain value.

    Raises:
        NotPlainError: it is not plain.
    """
    return Encoder().encode(value)


def packed(tree: Any) -> bytes:
    """Return a tree as a text."""
    return json.dumps(tree, separators=(",", ":")).encode("ascii")


def unpacked(text: bytes) -> Any:
    """Return the tree of a text that anybody may have written.

    Raises:
        NotPlainError: it is no JSON.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotPlainError(f"no JSON ({type(error).__name__})") from None


class Decoder:
    """Turns trees into values; ``other`` gives the value of a tag that is not one of the plain ones."""

    def other(self, tree: list[Any]) -> Any:
        """Return the value of a tree with another tag.

        Raises:
            NotPlainError: no such tag.
        """
        raise NotPlainError("an unknown tag")

    def decode(self, tree: Any, depth: int = 0) -> Any:
        """Return the value of ``tree``.

        Raises:
            NotPlainError: no tree of a value.
        """
        if tree is None or type(tree) in (bool, str, int):
            return tree
        if depth > MAX_DEPTH or type(tree) is not list or not tree or type(tree[0]) is not str:
            raise NotPlainError("no tree of a value")
        tag, *rest = tree
        try:
            if tag in ("l", "t", "s", "z"):
                items = [self.decode(item, depth + 1) for item in rest]
                return {"l": list, "t": tuple, "s": set, "z": frozenset}[tag](items)
            if tag == "d":
                return {self.decode(k, depth + 1): self.decode(v, depth + 1) for k, v in rest}
            if tag == "f":
                return float(*rest)
            if tag == "i":
                return int(rest[0], 16)
            if tag == "c":
                return complex(float(rest[0]), float(rest[1]))
            if tag in ("b", "y"):
                return {"b": bytes, "y": bytearray}[tag](bytes.fromhex(*rest))
            if tag == "q":
                make = getattr(importlib.import_module(_NAMED[rest[0]][0]), rest[0])
                return make(*[self.decode(part, depth + 1) for part in rest[1:]])
        except (ArithmeticError, TypeError, ValueError, LookupError) as error:
            raise NotPlainError(f"no tree of a value ({type(error).__name__})") from None
        return self.other(tree)


def decode(tree: Any) -> Any:
    """Return the value of a tree.

    Raises:
        NotPlainError: no tree of a plain value.
    """
    return Decoder().decode(tree)
