"""Whether two trees of values are equal, without ever making the values of an untrusted one.

An untrusted set or dict of a few thousand numbers with one hash would take minutes to build. Here everything is a text
or a list of texts, and takes time that is linear in the size of the tree but for sorting.
"""

from __future__ import annotations

import json
import math
from typing import Any

from rlvr_gym.verifiers.code_tests.inside.plain import MAX_DEPTH, NotPlainError

_MAX_FLOAT_CHARS = 40
_TAGS = {"l": "l", "t": "t", "s": "s", "z": "s", "d": "d", "b": "b", "y": "b"}
"""What Python finds equal has one tag: a set and a frozen set, bytes and a byte array."""
_CALLED = {"b": "bytes", "y": "bytearray", "c": "complex"}


def same(wanted: Any, given: Any, *, tolerance: float = 0.0, tuples_are_lists: bool = False) -> bool:
    """Return whether Python would find the values of two trees equal; NaN equals NaN.

    Args:
        wanted: Tree of the expected value.
        given: Tree of the returned one, which anybody may have written.
        tolerance: Relative and absolute tolerance of numbers of which one is a float, 0 for equality.
        tuples_are_lists: For expected values from JSON, which has no tuples.

    Raises:
        NotPlainError: ``given`` is no tree of a value.
    """
    texts = _canonical(wanted, tuples_are_lists, 0), _canonical(given, tuples_are_lists, 0)
    if texts[0] == texts[1]:
        return True
    return tolerance > 0 and _close(wanted, given, tolerance, tuples_are_lists)


def truthy(tree: Any) -> bool:
    """Return the truth of the value of a tree.

    Raises:
        NotPlainError: no tree of a value.
    """
    return _canonical(tree, False, 0) not in ("None", "#0", '""', "l()", "t()", "s()", "d()", "b()")


def number(tree: Any) -> float | int | None:
    """Return the number that a tree stands for, None for anything else; True is 1, as in Python."""
    if type(tree) in (bool, int):
        return int(tree)
    if type(tree) is list and len(tree) == 2 and type(tree[1]) is str:
        try:
            if tree[0] == "f" and len(tree[1]) <= _MAX_FLOAT_CHARS:
                return float(tree[1])
            if tree[0] == "i":
                return int(tree[1], 16)
        except ValueError:
            return None
    return None


def shown(tree: Any, limit: int = 60) -> str:
    """Return the start of a value as Python would write it."""
    text = _shown(tree, limit)
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


def _canonical(tree: Any, flat: bool, depth: int) -> str:
    """Return a text that is the same for equal values and for no others."""
    if depth > MAX_DEPTH:
        raise NotPlainError("nested too deeply")
    if tree is None:
        return "None"
    if type(tree) is str:
        return json.dumps(tree)
    found = number(tree)
    if found is not None:
        return _number_text(found)
    if type(tree) is not list or not tree or type(tree[0]) is not str:
        raise NotPlainError("no tree of a value")
    tag, *rest = tree
    if tag == "c":
        return _complex_text(rest)
    if tag == "q" and rest and type(rest[0]) is str:
        return f"q({rest[0]},{','.join(_canonical(part, flat, depth + 1) for part in rest[1:])})"
    if tag not in _TAGS:
        raise NotPlainError("an unknown tag")
    tag = "l" if tag == "t" and flat else _TAGS[tag]
    if tag == "b":
        if len(rest) != 1 or type(rest[0]) is not str:
            raise NotPlainError("no tree of a value")
        return f"b({rest[0]})"
    if tag == "d":
        if not all(type(pair) is list and len(pair) == 2 for pair in rest):
            raise NotPlainError("no tree of a value")
        parts = sorted(f"{_canonical(k, flat, depth + 1)}:{_canonical(v, flat, depth + 1)}" for k, v in rest)
    else:
        parts = [_canonical(item, flat, depth + 1) for item in rest]
        if tag == "s":
            parts.sort()
    return f"{tag}({','.join(parts)})"


def _number_text(value: float | int) -> str:
    if isinstance(value, float):
        if math.isnan(value) or math.isinf(value):
            return f"#{value}"
        if not value.is_integer():
            return f"#{value!r}"
    return f"#{int(value):x}"


def _complex_text(parts: list[Any]) -> str:
    found = [number(["f", part]) for part in parts]
    if len(found) != 2 or found[0] is None or found[1] is None:
        raise NotPlainError("no tree of a value")
    if found[1] == 0:
        return _number_text(found[0])
    return f"c({_number_text(found[0])},{_number_text(found[1])})"


def _close(wanted: Any, given: Any, tolerance: float, flat: bool) -> bool:
    """Return whether two trees, both known to be well formed, are equal but for small differences of floats."""
    numbers = number(wanted), number(given)
    if numbers[0] is not None and numbers[1] is not None:
        if not any(isinstance(each, float) for each in numbers):
            return numbers[0] == numbers[1]
        return close(numbers[0], numbers[1], rel=tolerance, abs_=tolerance)
    if type(wanted) is list and type(given) is list and len(wanted) == len(given):
        tags = [_TAGS.get(tree[0], "") for tree in (wanted, given)]
        if flat:
            tags = ["l" if tag == "t" else tag for tag in tags]
        if tags[0] == tags[1] and tags[0] in ("l", "t"):
            pairs = zip(wanted[1:], given[1:], strict=True)
            return all(_close(a, b, tolerance, flat) for a, b in pairs)
        if tags == ["d", "d"]:
            values = {_canonical(k, flat, 0): v for k, v in given[1:]}
            keys = [(_canonical(k, flat, 0), v) for k, v in wanted[1:]]
            return all(key in values and _close(v, values[key], tolerance, flat) for key, v in keys)
    return _canonical(wanted, flat, 0) == _canonical(given, flat, 0)


def close(a: float | int, b: float | int, *, rel: float, abs_: float) -> bool:
    """Return ``math.isclose``; False for whole numbers that no float can hold."""
    try:
        return math.isclose(a, b, rel_tol=rel, abs_tol=abs_)
    except OverflowError:
        return False


def _shown(tree: Any, limit: int) -> str:
    """Return enough of a value to fill ``limit`` characters."""
    if limit <= 0:
        return "..."
    if tree is None or type(tree) is bool:
        return str(tree)
    if type(tree) is str:
        return repr(tree[:limit]) if len(tree) <= limit else repr(tree[:limit])[:-1] + "..."
    found = number(tree)
    if found is not None:
        # Not str(): it refuses more than 4,300 digits, and takes long for fewer.
        return repr(found) if isinstance(found, float) or abs(found) < 10**limit else "a huge number"
    if type(tree) is not list or not tree:
        return "?"
    tag: Any = tree[0]
    rest: list[Any] = tree[1:]
    if tag == "q":
        return f"{str(rest[0])[:limit]}({', '.join(_shown(part, limit) for part in rest[1:4])})"
    if tag in _CALLED:
        return f"{_CALLED[tag]}({', '.join(str(part)[:limit] for part in rest[:2])})"
    brackets = {"l": "[]", "t": "()", "s": "{}", "z": "{}", "d": "{}"}.get(tag, "??")
    parts: list[str] = []
    for item in rest:
        left = limit - sum(map(len, parts)) - 2 * len(parts)
        if left <= 0:
            parts.append("...")
            break
        if tag == "d" and type(item) is list and len(item) == 2:
            key = _shown(item[0], left)
            parts.append(f"{key}: {_shown(item[1], left - len(key))}")
        else:
            parts.append(_shown(item, left))
    if tag == "t" and len(parts) == 1:
        return f"({parts[0]},)"
    if tag in ("s", "z") and not parts:
        return "set()"
    return f"{brackets[0]}{', '.join(parts)}{brackets[1]}"
