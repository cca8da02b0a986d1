"""Patterns."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.literals import literal
from rlvr_gym.verifiers.verus.syntax.types import TypeParser

_LITERALS = ("integer", "float", "char", "string")


class PatternParser(TypeParser):
    """Reads patterns."""

    def pattern(self) -> tree.Pattern:
        """Return the pattern that starts here, alternatives joined by ``|`` included."""
        start = self.token
        self.accept("|")
        first = self.single_pattern()
        if self.text != "|":
            return first
        options = [first]
        while self.accept("|"):
            options.append(self.single_pattern())
        return tree.OrPattern(tuple(options), place=self.place(start))

    def single_pattern(self) -> tree.Pattern:
        """Return a pattern without alternatives at its top."""
        self.deeper()
        start = self.token
        found = self._start_of_pattern()
        if self.text in ("..=", "..", "...") and isinstance(found, tree.LiteralPattern | tree.PathPattern):
            found = self._range_pattern(found)
        found.place = self.place(start)
        self.depth -= 1
        return found

    def _start_of_pattern(self) -> tree.Pattern:
        token = self.token
        text = self.text
        if token.kind in _LITERALS or text == "-":
            return tree.LiteralPattern(self._literal())
        if token.kind == "word":
            return self._word_pattern()
        if text == "(":
            self.advance()
            return self._tuple()
        if text == "&" or text == "&&":
            self.split("&")
            if self.text == "mut":
                raise Unsupported("pattern `&mut`", token.place)
            return tree.ReferencePattern(self.single_pattern())
        if text == "[":
            return tree.SlicePattern(self.group())
        if text == "..=" or text == "..":
            return self._range_pattern(None)
        if text == "::":
            return self._path_pattern()
        if text == "<":
            raise Unsupported("qualified path in a pattern", token.place)
        raise self.refused("expected a pattern")

    def _literal(self) -> tree.Expr:
        start = self.token
        negative = self.accept("-")
        if self.token.kind not in _LITERALS:
            raise self.refused("expected a literal")
        value: tree.Expr = literal(self.advance())
        if negative:
            value = tree.Unary("-", value, place=self.place(start))
        return value

    def _range_pattern(self, first: tree.LiteralPattern | tree.PathPattern | None) -> tree.Pattern:
        inclusive = self.advance().text != ".."
        end: tree.Expr | None = None
        if self.token.kind in _LITERALS or self.text == "-":
            end = self._literal()
        elif self.token.kind == "word" and self.text not in ("if",):
            path = self.type_path()
            end = tree.PathExpr(path.segments, place=path.place)
        begin: tree.Expr | None = None
        if isinstance(first, tree.LiteralPattern):
            begin = first.value
        elif first is not None:
            begin = tree.PathExpr(first.path.segments, place=first.path.place)
        return tree.RangePattern(begin, end, inclusive)

    def _word_pattern(self) -> tree.Pattern:
        text = self.text
        if text == "_":
            self.advance()
            return tree.WildPattern()
        if text in ("true", "false"):
            token = self.advance()
            return tree.LiteralPattern(tree.BoolLit(text == "true", place=token.place))
        if text in ("mut", "ref"):
            by_reference = self.accept("ref")
            mutable = self.accept("mut")
            if by_reference and mutable:
                raise Unsupported("pattern `ref mut`", self.token.place)
            return self._binding(mutable, by_reference)
        if text in ("box", "const", "unsafe") or self.peek() == "!":
            raise Unsupported(f"pattern with `{text}`", self.token.place)
        following = self.peek()
        # By convention, a bare name with a capital is a constructor or a constant and any other one binds.
        if following in ("::", "(", "{", "<") or (text[0].isupper() and following != "@"):
            return self._path_pattern()
        return self._binding(False, False)

    def _binding(self, mutable: bool, by_reference: bool) -> tree.Pattern:
        name = self.name("a variable")
        inner = self.single_pattern() if self.accept("@") else None
        return tree.BindPattern(name, mutable, by_reference, inner)

    def _path_pattern(self) -> tree.Pattern:
        path = self.type_path()
        if self.text == "(":
            self.advance()
            items, rest = self._items(")")
            fields = tuple((str(index), item) for index, item in enumerate(items))
            return tree.VariantPattern(path, fields, rest=rest is not None, rest_at=rest)
        if self.text == "{":
            self.advance()
            return self._fields(path)
        return tree.PathPattern(path)

    def _fields(self, path: tree.TypePath) -> tree.Pattern:
        fields: list[tuple[str, tree.Pattern]] = []
        rest = False
        while self.text != "}":
            start = self.token
            if self.accept(".."):
                rest = True
                break
            if start.kind == "integer" or self.peek() == ":":
                name = self.field()
                self.expect(":")
                fields.append((name, self.pattern()))
            else:
                by_reference = self.accept("ref")
                mutable = self.accept("mut")
                name = self.name("a field")
                fields.append((name, tree.BindPattern(name, mutable, by_reference, place=self.place(start))))
            if not self.accept(","):
                break
        self.expect("}")
        return tree.VariantPattern(path, tuple(fields), rest=rest, braces=True)

    def _items(self, close: str) -> tuple[tuple[tree.Pattern, ...], int | None]:
        """Return patterns up to ``close`` and how many of them stand in front of ``..``."""
        items: list[tree.Pattern] = []
        rest: int | None = None
        while self.text != close:
            if self.text == ".." and self.peek() in (",", close):
                if rest is not None:
                    raise self.refused("`..` may stand once in a pattern")
                self.advance()
                rest = len(items)
            else:
                items.append(self.pattern())
            if not self.accept(","):
                break
        self.expect(close)
        return tuple(items), rest

    def _tuple(self) -> tree.Pattern:
        items, rest = self._items(")")
        if len(items) == 1 and rest is None and self.tokens[self.position - 2].text != ",":
            return items[0]
        return tree.TuplePattern(items, rest)
