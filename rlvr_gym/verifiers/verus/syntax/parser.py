"""The parser as a whole: a program's text to its surface tree."""

from __future__ import annotations

import sys

from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.items import ItemParser
from rlvr_gym.verifiers.verus.syntax.lexer import Token, tokens

# One level of nesting is about ten calls of Python; the parser bounds the levels itself.
_FRAMES = 8_000


class Parser(ItemParser):
    """Reads one program."""

    def file(self, *, library: bool) -> tree.File:
        """Return the program; ``library`` reads items without a macro around them."""
        self.library = library
        self.outside = not library
        start = self.token
        attributes = self.inner_attributes()
        items = self.items_until("the end of the program")
        return tree.File(items, attributes + self.inside_attributes, self.macros, place=self.place(start))


def parse(source: str, *, library: bool = False) -> tree.File:
    """Return the tree of a program; with ``library``, of items that stand without the ``verus!`` macro.

    Raises:
        Rejected: The text is no program.
        Unsupported: It is one, but with a construct that the tree has no node for, or too large or too deep.
        Cheat: It hides text from a reader.
    """
    return Parser(prepared(source)).file(library=library)


def prepared(source: str) -> list[Token]:
    """Return the tokens of ``source``, after making room for the deepest program that is read."""
    if sys.getrecursionlimit() < _FRAMES:
        sys.setrecursionlimit(_FRAMES)
    return tokens(source)
