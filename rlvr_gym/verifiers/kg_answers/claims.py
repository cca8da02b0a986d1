"""Whether what a response says elsewhere about the answer agrees with its final statement."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rlvr_gym.verifiers.answers.refusal import Refusal
from rlvr_gym.verifiers.answers.words import HEDGES, listed, words_of
from rlvr_gym.verifiers.kg_answers.items import Item, Names, read_items

_FUNCTION_WORDS: Final = listed(
    """
    a an the one in on at of to from by for given found therefore thus then that this what which who where when how it its
    based determined obtained some simply just clear unclear unknown not below above as shown following i
    """
)
"""A remark about the answer begins with one of these, rather than with a name."""
_EXPLAINING: Final = listed(
    """
    a an the in on at of from by for as that this which who whose where it its his her he she they their because since being
    located found with given based according so
    """
)
"""An explanation behind an answer begins with one of these."""
_PLAIN: Final = _FUNCTION_WORDS | listed(
    """
    is are was be can last next line final answer end here capital country city person place name number entity named called
    likely probably clearly definitely certainly obviously
    """
)
"""Words that are no names even where names have no capital letters."""
_COUNTED: Final = listed("document passage step fact hop line")
"""Words that a number may follow without being an answer."""
_TAKING_BACK: Final = HEDGES | listed(
    "not never no neither wrong incorrect false but wait actually instead rather and also isn't wasn't"
)
_DENYING: Final = listed("not neither never no")
_WORD = re.compile(r"[^\W_][\w'\u2019]*")


def same_items(other: str, items: Sequence[Item], names: Names) -> bool:
    """Return whether another statement, or its first sentence, names the same entities."""
    wanted = places(items)
    for text in dict.fromkeys((other, other.partition(". ")[0])):
        try:
            found = read_items(text, names)
        except Refusal:
            continue
        if all(item.readings for item in found) and places(found) == wanted:
            return True
    return False


def places(items: Sequence[Item]) -> frozenset[int]:
    """Return the places of all answers that items name."""
    return frozenset[int]().union(*(item.readings for item in items))


def agrees(claim: str, items: Sequence[Item], names: Names) -> bool:
    """Return whether a claim names the same entities, perhaps with an explanation, or names nothing at all.

    "Paris, the capital of France", "clearly Paris" and "a city in France" agree with Paris where France is on the way;
    "the city of Lyon" does not.
    """
    if same_items(claim, items, names):
        return True
    sentence = re.split(r"[.!?](?:\s|$)", claim)[0].strip(" *_\"'")
    mentions = names.index.mentions(sentence)
    number = len(names.answers)
    stated = frozenset(at for mention in mentions for at in mention.readings if at < number)
    rest, end = "", 0
    for mention in mentions:
        rest += sentence[end : mention.start] + " "
        end = mention.end
    rest += sentence[end:]
    first = words_of(sentence)[:1]
    if first and first[0] in _DENYING:
        return not stated
    if not stated:
        known = bool(mentions) and mentions[0].start == 0
        begins = known or sentence[:1].islower() or (bool(first) and first[0] in _FUNCTION_WORDS)
        return begins and not _names_something(rest, names)
    if stated != places(items) or not _TAKING_BACK.isdisjoint(words_of(rest)):
        return (
            len(stated) > 1
            and stated == places(items)
            and _TAKING_BACK.isdisjoint(set(words_of(rest)) - {"and", "also"})
            and not _names_something(rest, names)
        )
    last = next(mention for mention in mentions if min(mention.readings) < number)
    before, after = sentence[: last.start], words_of(sentence[last.end :])
    if not _names_something(before, names) and after and after[0] in _EXPLAINING:
        return True
    return not _names_something(rest, names)


def _names_something(text: str, names: Names) -> bool:
    """Return whether a text has a word that could be a name."""
    capital = any(answer.label[:1].isupper() for answer in names.answers)
    last = ""
    for match in _WORD.finditer(text):
        word = match[0]
        lower = word.lower()
        counted = last in _COUNTED and word.isdigit()
        last = lower
        if lower in _PLAIN or lower in _COUNTED or counted:
            continue
        if not word[0].islower() or (not capital and lower not in _PLAIN and lower not in names.classes):
            return True
    return False
