"""Answers compared as texts, words, JSON values and lists of words."""

from __future__ import annotations

import json
import re

from rlvr_gym.types import Json
from rlvr_gym.verifiers.reasoning_rules.base import Entry, Unreadable, read_json


def same_text(answer: str, entry: Entry) -> bool:
    """Equal but for spaces at the ends of lines and how many there are between words."""
    return _lines(answer) == _lines(entry.answer)


def same_word(answer: str, entry: Entry) -> bool:
    """Equal but for spaces and capitals."""
    return _lines(answer.casefold()) == _lines(entry.answer.casefold())


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.strip().splitlines()]


def same_json(answer: str, entry: Entry) -> bool:
    """The same JSON value, ``true`` and ``1`` being different; equal texts are the same value."""
    return same_text(answer, entry) or _written(read_json(answer)) == _written(read_json(entry.answer))


def _written(value: Json) -> str:
    return json.dumps(value, sort_keys=True)


def same_groups(answer: str, entry: Entry) -> bool:
    """The same groups of words, in any order, each group in any order."""
    return _groups(answer, inner=True) == _groups(entry.answer, inner=True)


def same_partitions(answer: str, entry: Entry) -> bool:
    """The same lists of words, in any order, none twice."""
    return _groups(answer, inner=False) == _groups(entry.answer, inner=False)


def _groups(text: str, *, inner: bool) -> list[list[str]]:
    value = read_json(text)
    if not isinstance(value, list) or not all(isinstance(group, list) for group in value):
        raise Unreadable("the answer is no list of lists")
    if not all(isinstance(word, str) for group in value for word in group):
        raise Unreadable("the answer holds something that is no word")
    return sorted(sorted(group) if inner else group for group in value)


_BETWEEN = re.compile(r"\s*+(?:,\s*+(?:and\s++)?|\band\s++)")
_CLAUSE = re.compile(r"(\w++) is an? (\w++)")


def same_roles(answer: str, entry: Entry) -> bool:
    """One clause such as 'Zoey is a knight' for every person, in any order, and nothing else."""
    return _roles(answer) == _roles(entry.answer)


def _roles(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for clause in _BETWEEN.split(" ".join(text.casefold().split()).removesuffix(".")):
        match = _CLAUSE.fullmatch(clause.strip())
        if match is None or match[1] in found:
            raise Unreadable(f"'{clause[:40]}' does not give one person one role")
        found[match[1]] = match[2]
    return found
