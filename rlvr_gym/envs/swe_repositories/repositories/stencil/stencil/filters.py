"""What values can go through on their way into the text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

FILTERS: dict[str, Callable[..., Any]] = {}
"""Filters by name; arguments follow the name after a colon, with commas."""


def _filter(function: Callable[..., Any]) -> Callable[..., Any]:
    FILTERS[function.__name__.rstrip("_")] = function
    return function


@_filter
def upper(value: Any) -> str:
    """Return the text in capital letters."""
    return str(value).upper()


@_filter
def title(value: Any) -> str:
    """Return the text with each word's first letter a capital, the others as they are."""
    return " ".join(word[:1].upper() + word[1:] for word in str(value).split(" "))


@_filter
def default(value: Any, other: str = "") -> Any:
    """Return the value, or ``other`` where it is None or an empty text."""
    return other if value is None or value == "" else value


@_filter
def join(values: Any, separator: str = ", ") -> str:
    """Return the values as one text."""
    return separator.join(str(value) for value in values)


@_filter
def short(value: Any, length: str = "20") -> str:
    """Return at most ``length`` characters, the last three of them dots where something was left out."""
    text, limit = str(value), int(length)
    if len(text) <= limit:
        return text
    return text[: max(limit - 3, 0)].rstrip() + "..."


@_filter
def pad(value: Any, width: str) -> str:
    """Return the text with blanks before it up to ``width``."""
    return str(value).rjust(int(width))


@_filter
def plural(value: Any, many: str = "s", one: str = "") -> str:
    """Return the ending that belongs to a number: none for 1."""
    return one if value == 1 else many
