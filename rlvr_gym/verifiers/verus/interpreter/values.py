"""Values of running programs, and the ways in which running them ends early.

Integers, truth values and characters (as code points) are Python's; tuples, sequences, vectors, slices, arrays and strings
are Python tuples, so that a value never changes and a view is the value itself; sets are frozensets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from rlvr_gym.verifiers.verus.inference.types import SIGNED, WIDTHS, Type
from rlvr_gym.verifiers.verus.report import Place

Value: TypeAlias = Any

POINTER_BITS = 64
"""Width of ``usize`` on the machine that is imitated."""
LAST_CHAR = 0x10FFFF


@dataclass(frozen=True, slots=True)
class Data:
    """A value of a struct or enum."""

    type: str
    variant: str
    fields: tuple[Value, ...] = ()

    def __str__(self) -> str:
        inside = f"({', '.join(map(str, self.fields))})" if self.fields else ""
        return f"{self.variant}{inside}"


@dataclass(frozen=True, slots=True)
class Mapping:
    """A finite map; pairs are kept as a frozenset so that equal maps are equal values."""

    pairs: frozenset[tuple[Value, Value]] = frozenset()

    def to_dict(self) -> dict[Value, Value]:
        """Return the pairs as a dictionary."""
        return dict(self.pairs)


@dataclass(eq=False, slots=True)
class Reference:
    """A place behind a ``&mut``."""

    get: Callable[[], Value]
    set: Callable[[Value], None]


UNKNOWN = object()
"""What a ghost variable holds when its value could not be computed."""


class Unknown(Exception):
    """No claim can be made: a value that the language leaves open, or something that the interpreter lacks."""


class OutOfSteps(Unknown):
    """Running took longer than it may."""


class Panic(Exception):
    """The program stops with an error: what Rust does where an obligation should have been."""

    def __init__(self, message: str, place: Place) -> None:
        super().__init__(f"line {place.line}: {message}")
        self.message = message
        self.place = place


class Contradiction(Exception):
    """Something that the verifier claims to hold on every run does not hold on this one."""

    def __init__(self, kind: str, place: Place) -> None:
        super().__init__(f"line {place.line}: {kind}")
        self.kind = kind
        self.place = place


class BreakOut(Exception):
    """``break``."""

    def __init__(self, label: str | None) -> None:
        self.label = label


class ContinueOn(Exception):
    """``continue``."""

    def __init__(self, label: str | None) -> None:
        self.label = label


class ReturnFrom(Exception):
    """``return``."""

    def __init__(self, value: Value) -> None:
        self.value = value


def plain(value: Value) -> Value:
    """Return what stands behind mutable references."""
    while isinstance(value, Reference):
        value = value.get()
    if value is UNKNOWN:
        raise Unknown("a ghost variable without a known value")
    return value


def stripped(type: Type | None) -> Type:
    """Return the type behind references and boxes."""
    assert type is not None, "inference left a node without a type"
    while type.name in ("&", "&mut", "Box", "Ghost", "Tracked"):
        type = type.args[0]
    return type


def bits(type: Type) -> int:
    """Return the width of a machine integer type."""
    return WIDTHS[type.name] or POINTER_BITS


def limits(type: Type) -> tuple[int, int] | None:
    """Return the least and greatest value of an integer type or character; None where there is none."""
    if type.name in WIDTHS:
        width = bits(type)
        return (-(1 << width - 1), (1 << width - 1) - 1) if type.name in SIGNED else (0, (1 << width) - 1)
    return (0, LAST_CHAR) if type.name == "char" else None


def is_character(value: int) -> bool:
    """Return whether a character has this number: surrogates are none."""
    return 0 <= value < 0xD800 or 0xE000 <= value <= LAST_CHAR


def wrapped(value: int, type: Type) -> int:
    """Return ``value`` cut to the bits of a machine integer type."""
    width = bits(type)
    value &= (1 << width) - 1
    return value - (1 << width) if type.name in SIGNED and value >> width - 1 else value


def euclidean(left: int, right: int) -> tuple[int, int]:
    """Return quotient and remainder with a remainder from 0 on, as ghost code divides."""
    remainder = left % abs(right)
    return (left - remainder) // right, remainder


def truncated(left: int, right: int) -> tuple[int, int]:
    """Return quotient and remainder rounded toward zero, as compiled code divides."""
    quotient = abs(left) // abs(right)
    if (left < 0) != (right < 0):
        quotient = -quotient
    return quotient, left - quotient * right
