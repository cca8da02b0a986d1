"""The infix operators: how tightly each binds, and to which side."""

from __future__ import annotations

ASSIGN, RANGE, EQUIVALENCE, EXPLIES, IMPLIES, OR, AND, COMPARE = range(1, 9)
BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, PRODUCT, CAST, MEMBERSHIP = range(9, 17)
"""Looser to tighter. ``&&&``, ``|||``, quantifiers and closures are looser still and have no place in the table."""

PRECEDENCE = {
    "<==>": EQUIVALENCE, "<==": EXPLIES, "==>": IMPLIES, "||": OR, "&&": AND,
    "==": COMPARE, "!=": COMPARE, "<": COMPARE, "<=": COMPARE, ">": COMPARE, ">=": COMPARE, "===": COMPARE,
    "!==": COMPARE, "=~=": COMPARE, "!~=": COMPARE, "=~~=": COMPARE, "!~~=": COMPARE,
    "|": BIT_OR, "^": BIT_XOR, "&": BIT_AND, "<<": SHIFT, ">>": SHIFT, "+": SUM, "-": SUM,
    "*": PRODUCT, "/": PRODUCT, "%": PRODUCT,
    "=": ASSIGN, "..": RANGE, "..=": RANGE, "as": CAST, "is": MEMBERSHIP, "matches": MEMBERSHIP, "has": MEMBERSHIP,
    "+=": ASSIGN, "-=": ASSIGN, "*=": ASSIGN, "/=": ASSIGN, "%=": ASSIGN, "^=": ASSIGN, "&=": ASSIGN, "|=": ASSIGN,
    "<<=": ASSIGN, ">>=": ASSIGN,
}  # fmt: skip

CHAINABLE = frozenset(("<", "<=", ">", ">=", "=="))
"""Comparisons that may follow one another."""
