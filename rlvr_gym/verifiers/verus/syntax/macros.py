"""Calls of macros in expressions: those that have a meaning here, and the text of all others."""

from __future__ import annotations

from typing import Literal, cast

from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.keywords import KeywordParser
from rlvr_gym.verifiers.verus.syntax.lexer import Token

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_LISTS = {"vec": "vec", "seq": "seq", "set": "set"}
PROOF_MACROS = frozenset(
    (
        "assert_by_contradiction", "assert_seqs_equal", "assert_sets_equal", "assert_maps_equal", "assert_multisets_equal",
    )
)  # fmt: skip
"""Macros whose arguments are read as expressions."""
_RELATIONS = frozenset(("==", "<", "<=", ">", ">=", "==>", "<==", "<==>", "===", "=~=", "=~~="))


class MacroParser(KeywordParser):
    """Reads calls of macros."""

    def macro(self, path: tuple[tree.Segment, ...], start: Token) -> tree.Expr:
        """Return the macro's call whose ``!`` stands here."""
        name = path[-1].name
        self.expect("!")
        close = _CLOSING[self.text]
        saved, self.head = self.head, 0
        found = self._read(name, "::".join(segment.name for segment in path), close, start)
        self.head = saved
        return found

    def _read(self, name: str, whole: str, close: str, start: Token) -> tree.Expr:
        if name in _LISTS:
            self.advance()
            kind = cast('Literal["vec", "seq", "set"]', _LISTS[name])
            return self.array_items(close, kind, start)
        if name == "map":
            self.advance()
            entries = self.separated(close, self._entry)
            return tree.ArrayLit(entries, "map", place=self.place(start))
        if name == "calc" or name == "calc_proof":
            return self._calc(close, start)
        position = self.position
        if name in PROOF_MACROS:
            self.advance()
            arguments = self.separated(close, self._argument)
            return tree.MacroCall(name, arguments, self.tokens_since(position), place=self.place(start))
        return tree.MacroCall(whole, (), self.group(), place=self.place(start))

    def _entry(self) -> tree.Expr:
        start = self.token
        key = self.expression()
        self.expect("=>")
        return tree.TupleExpr((key, self.expression()), place=self.place(start))

    def _argument(self) -> tree.Expr:
        """Return an argument of a proof macro; ``i => { }`` is a closure."""
        start = self.token
        if start.kind == "word" and self.peek() in ("=>", "|", ","):
            position = self.position
            parameters = [tree.Parameter(self.name(), None, place=start.place)]
            while self.accept(",") and self.token.kind == "word":
                parameters.append(tree.Parameter(self.name(), None, place=self.last.place))
            if self.text == "=>":
                self.advance()
                body = self.block()
                return tree.Closure(tuple(parameters), None, body, place=self.place(start))
            self.skip(position - self.position)
        return self.expression()

    def _calc(self, close: str, start: Token) -> tree.Expr:
        self.advance()
        self.expect("(")
        op = self._relation()
        self.expect(")")
        first = self.expression()
        self.expect(";")
        steps: list[tree.CalcStep] = []
        while self.text != close:
            begin = self.token
            own = op
            if self.text in _RELATIONS and self.peek() == "{":
                own = self._relation()
            elif self.text == "(" and self.peek() in _RELATIONS and self.peek(2) == ")":
                self.advance()
                own = self._relation()
                self.expect(")")
            body = self.block() if self.text == "{" else None
            term = self.expression()
            if not self.accept(";") and self.text != close:
                raise self.refused("expected `;`")
            steps.append(tree.CalcStep(own, term, body, place=self.place(begin)))
        self.expect(close)
        return tree.Calc(op, first, tuple(steps), place=self.place(start))

    def _relation(self) -> str:
        if self.text not in _RELATIONS:
            raise self.refused("expected a relation")
        return self.advance().text
