"""An answer taken apart: what names it, its number, its unit, and the sides of an equality that must hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rlvr_gym.verifiers import algebra
from rlvr_gym.verifiers.algebra import Expr, Node, Outcome
from rlvr_gym.verifiers.answers.equations import Label, Link, label, sides
from rlvr_gym.verifiers.answers.gold import Gold
from rlvr_gym.verifiers.answers.normalise import plain_words
from rlvr_gym.verifiers.answers.notation import read, rewritten
from rlvr_gym.verifiers.answers.phrases import is_prose
from rlvr_gym.verifiers.answers.refusal import Refusal
from rlvr_gym.verifiers.answers.scalars import Rules, same_scalar, times
from rlvr_gym.verifiers.answers.tolerance import decimals
from rlvr_gym.verifiers.answers.units import Measured, measured, uncounted

_POINT_NAME = re.compile(r"(?:^|(?<=[,;])|(?<=[,;] ))[A-Z]\s?(?=(?:\\left)?\()")
_INSIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}")
_LISTS = re.compile(r"[,;]|(?<![A-Za-z])(?:and|or)(?![A-Za-z])|\\(?:lor|vee|land|wedge)(?![A-Za-z])|[∨∧]")
"""What joins several equations, outside of all brackets."""
_INEQUALITY = re.compile(r"[<>≤≥≠]|\\(?:le|ge|lt|gt|ne|leq|geq|neq)(?![A-Za-z])")
_MAX_SIDES = 12


@dataclass(frozen=True, slots=True)
class Read:
    """An answer as read: what names it, the value judged, and its number with a unit."""

    node: Node
    named: Label
    apart: Measured
    text: str
    """Without its unit."""
    side: str
    """With its unit."""


def read_answer(gold: Gold, answer: str, prompt: str) -> Read:
    """Return the answer without what names it; the links of a chain of equations must hold.

    Raises:
        Refusal: ``chain``.
    """
    relational = isinstance(gold.node, algebra.Relation | algebra.Chain | algebra.All | algebra.Any)
    if (
        relational
        and isinstance(gold.node, algebra.Relation)
        and gold.node.op == "="
        and not _is_same_value(answer)
    ):
        answer = _shortened(answer, gold)
    if _is_same_value(answer):
        # Several letters with one value.
        relational, answer = True, sides(answer)[-1].text if isinstance(gold.node, Expr) else answer
    links = [Link("", answer)] if relational else sides(answer)
    named: Label | None = None
    if len(links) == 2 and _INEQUALITY.search(links[1].text) and _lists(links[1].text):
        # A solution or a condition: no equation with two sides.
        links = [Link("", answer)]
    if len(links) > 1 and not links[0].text and (links[1].sign == "=" or gold.rounded):
        links = links[1:]
    if len(links) > 1:
        named = label(links[0].text, prompt)
        if named is not None and named.places and len(links) == 2:
            # (y, x) = (1, 2): which place is whose.
            links, named = [Link("", answer)], None
        elif named is not None:
            links = links[1:]
        elif len(links) == 2 and (named := label(links[1].text)) is not None and named.name:
            # 5 = x
            links = links[:1]
    if len(links) > 1:
        if any(_lists(link.text) for link in links):
            # x = 1, y = 2: no chain but a list of equations.
            links, named = [Link("", answer)], None
        else:
            links = [_held(links, gold)]
    text = links[0].text
    if isinstance(gold.node, algebra.TupleOf | algebra.ListOf):
        # A(1, 2), a point with its name.
        text = _POINT_NAME.sub("", text)
    apart = _apart(gold, text)
    return Read(_parsed(apart.number), named or Label(), apart, apart.number, text)


def _lists(text: str) -> bool:
    """Return whether a text has a comma, an "and" or an "or" outside of brackets."""
    return _LISTS.search(_INSIDE.sub("", _INSIDE.sub("", plain_words(text)))) is not None


def _shortened(answer: str, gold: Gold) -> str:
    """Return ``x = 11`` for ``x = 5 + 6 = 11``, when all links hold; anything else as it is."""
    links = sides(answer)
    if len(links) < _SHORTEST_CHAIN or _lists(answer):
        return answer
    if (named := label(links[0].text)) is None or not named.symbols:
        return answer
    return f"{links[0].text} = {_held(links[1:], gold).text}"


def _is_same_value(answer: str) -> bool:
    """Return whether an answer gives several letters one value, as ``x = y = z = 1`` does."""
    links = sides(answer)
    return len(links) >= _SHORTEST_CHAIN and all(
        len(link.text) == 1 and link.text.isalpha() for link in links[:-1]
    )


_SHORTEST_CHAIN = 3


def _apart(gold: Gold, text: str) -> Measured:
    """Return number and unit of an answer, where the reference is a number that may have one."""
    constant = isinstance(gold.node, Expr) and not gold.symbols
    if not constant:
        return (
            measured(text, letters=False)
            if gold.unit is not None
            else Measured(uncounted(text), Fraction(1), None)
        )
    return measured(text, letters=gold.unit is not None)


def _parsed(text: str) -> Node:
    if is_prose(rewritten(text)):
        raise Refusal("type", "words, not a formula", failed=True)
    return read(text)


def _scaled(apart: Measured) -> Node:
    """Return a side of an equation in base units."""
    node = _parsed(apart.number)
    scale = apart.factor * (apart.unit.scale if apart.unit is not None else 1)
    return times(node, scale) if isinstance(node, Expr) else node


def _held(links: Sequence[Link], gold: Gold) -> Link:
    """Return the side of a chain that is the answer, when all its links hold.

    Raises:
        Refusal: ``chain``.
    """
    if len(links) > _MAX_SIDES:
        raise Refusal("chain", f"{len(links)} sides", failed=True)
    aparts = [_apart(gold, link.text) for link in links]
    nodes = [_scaled(apart) for apart in aparts]
    for at in range(1, len(links)):
        left, right = nodes[at - 1], nodes[at]
        unit, other = aparts[at - 1].unit, aparts[at].unit
        if (
            not isinstance(left, Expr)
            or not isinstance(right, Expr)
            or algebra.symbols(left) != algebra.symbols(right)
        ):
            raise Refusal("chain", "an equation that does not give the answer", failed=True)
        rules = Rules(links[at].text, rounded=decimals(aparts[at].number) if links[at].sign == "~" else {})
        same = same_scalar(right, left, rules).outcome is Outcome.SAME
        if not same or (unit is not None and other is not None and unit.dims != other.dims):
            sign = links[at].sign
            raise Refusal(
                "chain", f"{links[at - 1].text:.40} {sign} {links[at].text:.40} does not hold", failed=True
            )
    exact = next((at for at in range(1, len(links)) if links[at].sign == "~"), len(links)) - 1
    return links[exact]
