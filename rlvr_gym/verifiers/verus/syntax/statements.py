"""Blocks and statements."""

from __future__ import annotations

from abc import abstractmethod

from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.expressions import FREE
from rlvr_gym.verifiers.verus.syntax.lexer import Token
from rlvr_gym.verifiers.verus.syntax.macros import MacroParser

_BLOCK_LIKE = (
    tree.IfExpr, tree.MatchExpr, tree.While, tree.Loop, tree.For, tree.BlockExpr, tree.Proof, tree.AssertForall,
)  # fmt: skip
# Words that start an item whatever follows them.
_ITEM_WORDS = frozenset(
    ("fn", "use", "struct", "enum", "impl", "static", "mod", "trait", "type", "pub", "extern")
)
# Words that start one only in front of another word of an item.
_MODIFIERS = frozenset(
    (
        "spec", "proof", "exec", "open", "closed", "uninterp", "axiom", "broadcast", "const", "unsafe", "async", "global",
        "tracked", "ghost", "default", "union", "macro_rules", "assume_specification",
    )
)  # fmt: skip
_AFTER_MODIFIER = frozenset(
    (
        "fn", "spec", "proof", "exec", "open", "closed", "axiom", "broadcast", "const", "unsafe", "async", "static",
        "struct", "enum", "extern", "impl", "trait", "group", "size_of", "layout",
    )
)  # fmt: skip


class StatementParser(MacroParser):
    """Reads blocks and statements."""

    @abstractmethod
    def items_at(self, attributes: tuple[tree.Attribute, ...]) -> list[tree.Item]:
        """Return the item that starts here behind its attributes; see ``items``."""

    def block(self) -> tree.BlockExpr:
        """Return the block that starts here."""
        start = self.expect("{")
        self.deeper()
        saved, self.head = self.head, FREE
        attributes = self.inner_attributes()
        statements: list[tree.Statement] = []
        tail: tree.Expr | None = None
        while self.text != "}":
            if self.token.kind == "end":
                raise self.refused("expected `}`")
            if self.accept(";"):
                continue
            tail = self._statement(statements)
            if tail is not None:
                break
        self.expect("}")
        self.head = saved
        self.depth -= 1
        return tree.BlockExpr(tuple(statements), tail, place=self.place(start), attributes=attributes)

    def _statement(self, into: list[tree.Statement]) -> tree.Expr | None:
        """Add the statement that starts here, or return the block's value if that is what stands here."""
        start = self.token
        attributes = self.attributes()
        if self.text == "let":
            into.append(self._let(attributes))
            return None
        if self.starts_item():
            into.extend(tree.ItemStatement(item, place=item.place) for item in self.items_at(attributes))
            return None
        value, ends = self.early()
        value.attributes = attributes + value.attributes
        if self.accept(";"):
            into.append(tree.ExprStatement(value, True, place=self.place(start)))
            return None
        if self.text == "}":
            return value
        if not ends:
            raise self.refused("expected `;` or `}`")
        into.append(tree.ExprStatement(value, False, place=self.place(start)))
        return None

    def early(self) -> tuple[tree.Expr, bool]:
        """Return an expression that ends with its block where it starts with a word that has one, and whether it did.

        ``if c { } - 1`` is two statements; ``match x { }.f()`` is one expression.
        """
        saved, self.head = self.head, FREE
        start = self.token
        if self.text in ("&&&", "|||"):
            found: tree.Expr = self.bullets()
            ends = False
        elif start.kind == "lifetime" or self.text == "{" or self.text in _EARLY:
            found, ends = self._early(start)
        else:
            found, ends = self.binary(0), False
            ends = isinstance(found, tree.MacroCall | tree.Calc) and self.last.text == "}"
        self.head = saved
        return found, ends

    def _early(self, start: Token) -> tuple[tree.Expr, bool]:
        self.deeper()
        grown, self.grown = self.grown, 0
        found = self.labelled() if start.kind == "lifetime" else self.atom()
        ends = isinstance(found, _BLOCK_LIKE) or (isinstance(found, tree.Other) and self.last.text == "}")
        ends = ends or (isinstance(found, tree.Assert) and found.body is not None)
        if not ends or self.text in (".", "?", "->"):
            position = self.position
            found = self.climb(self.postfix(found, start), start, 0)
            ends = ends and self.position == position
        self.grown = max(grown, self.grown)
        self.depth -= 1
        return found, ends

    def starts_item(self) -> bool:
        """Return whether an item starts here rather than an expression."""
        text = self.text
        if self.token.kind != "word":
            return False
        if text in _ITEM_WORDS:
            return True
        if text not in _MODIFIERS:
            return False
        following = self.peek()
        if text == "broadcast":
            return following in ("group", "proof", "axiom")
        if text == "macro_rules":
            return following == "!"
        if text == "assume_specification":
            return following in ("<", "[")
        if text == "const":
            return following != "{"
        if text in ("union", "default"):
            return self.peek_kind() == "word" and following not in ("as", "is", "matches", "has")
        return following in _AFTER_MODIFIER or (
            text == "spec" and following == "(" and self.peek(2) == "checked"
        )

    def _let(self, attributes: tuple[tree.Attribute, ...]) -> tree.Let:
        start = self.expect("let")
        ghostness: tree.Ghostness = "exec"
        if self.text in ("ghost", "tracked") and self.peek() not in ("=", ":", ";"):
            ghostness = "ghost" if self.advance().text == "ghost" else "tracked"
        pattern = self.pattern()
        declared = self.type() if self.accept(":") else None
        value: tree.Expr | None = None
        otherwise: tree.BlockExpr | None = None
        if self.accept("="):
            value = self.open_expression()
            if self.accept("else"):
                otherwise = self.block()
        self.expect(";")
        return tree.Let(pattern, declared, value, ghostness, otherwise, attributes, place=self.place(start))


# What an expression statement ends with, where it starts with one of these.
_EARLY = frozenset(
    (
        "if",
        "match",
        "while",
        "loop",
        "for",
        "unsafe",
        "async",
        "const",
        "proof",
        "assert",
        "assume",
        "reveal",
        "hide",
    )
)
