"""What is known of string literals."""

from __future__ import annotations

from collections.abc import Iterator

from rlvr_gym.verifiers.verus.core import Expression, Text
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.inference.types import CHAR, NAT, Type
from rlvr_gym.verifiers.verus.lowering.names import apply_method
from rlvr_gym.verifiers.verus.lowering.terms import equal, integer
from rlvr_gym.verifiers.verus.report import Place

STRING_REVEAL = "vstd::string::reveal_strlit"
"""The lemma that tells the characters of the literal that it gets."""
_LONGEST = 256
"""How many characters are told."""


def characters(crate: Crate, literal: Expression, place: Place) -> Iterator[Expression]:
    """Yield the length of a literal's view and each of its characters.

    Raises:
        Unsupported: the term is no literal, or a very long one.
    """
    if not isinstance(literal, Text):
        raise Unsupported("reveal_strlit of something that is no literal", place)
    if len(literal.value) > _LONGEST:
        raise Unsupported(f"reveal_strlit of more than {_LONGEST} characters", place)
    contents = Type("Seq", (CHAR,))
    view = apply_method(crate, literal.type, "view", (literal,), contents, place)
    length = apply_method(crate, contents, "len", (view,), NAT, place)
    yield equal(length, integer(len(literal.value), NAT, place), place)
    for position, character in enumerate(literal.value):
        one = apply_method(crate, contents, "index", (view, integer(position, place=place)), CHAR, place)
        yield equal(one, integer(ord(character), CHAR, place), place)
