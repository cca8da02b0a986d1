"""A place in the tokens of an answer: what the parser knows while it reads."""

from __future__ import annotations

from typing import Final

from rlvr_gym.verifiers.algebra.lexer import Tokens
from rlvr_gym.verifiers.algebra.limits import Limits, ParseError
from rlvr_gym.verifiers.algebra.structures import Node
from rlvr_gym.verifiers.algebra.tree import Add, Based, Call, Const, Expr, Mul, Num, Pow, Sym

SCALARS: Final = frozenset([Num, Const, Sym, Based, Add, Mul, Pow, Call])


class Cursor:
    """Tokens, the place among them, and how deep and how often was read."""

    def __init__(self, tokens: Tokens, limits: Limits, mixed: bool) -> None:
        self.kinds, self.texts = tokens
        self.at = 0
        self.level = 0
        self._max_level = limits.max_depth
        # Atoms are counted because a plus-minus sign makes the parser read twice.
        self.atoms_left = 4 * limits.max_nodes
        self.mixed = mixed
        # What a plain bar means, per bracket: 0 it opens, 1 it closes, -1 it belongs to a set.
        self.bars = [0]
        self.plus_minus = 1
        self.saw_plus_minus = False
        # Numbers of which an argument took the first digit, as they were.
        self.splits: list[tuple[int, str]] = []

    def rewind(self, start: int) -> None:
        """Go back to the token at ``start``."""
        while self.splits and self.splits[-1][0] >= start:
            at, text = self.splits.pop()
            self.texts[at] = text
        self.at = start

    def unexpected(self) -> ParseError:
        """Return the error for the token that cannot stand where it stands."""
        kind = self.kinds[self.at]
        if kind == "end":
            return ParseError("syntax", "the text ends too early")
        return ParseError("syntax", f"unexpected {self.texts[self.at] or kind}")

    def take(self, kind: str) -> bool:
        """Go past a token of this kind if it is next."""
        if self.kinds[self.at] == kind:
            self.at += 1
            return True
        return False

    def expect(self, kind: str) -> None:
        """Go past a token of this kind.

        Raises:
            ParseError: another token is next.
        """
        if self.kinds[self.at] != kind:
            raise self.unexpected()
        self.at += 1

    def scalar(self, node: Node) -> Expr:
        """Return ``node`` if it is a scalar.

        Raises:
            ParseError: it is a structure.
        """
        if type(node) not in SCALARS:
            raise ParseError("syntax", "a list, set or relation inside a formula")
        return node  # type: ignore[return-value]  # checked by the set above

    def enter(self) -> None:
        """Count one more level of recursion.

        Raises:
            ParseError: too many.
        """
        # An error ends the parse, so that the level need not be restored after one.
        self.level += 1
        if self.level > self._max_level:
            raise ParseError("too_deep", f"more than {self._max_level} levels")
