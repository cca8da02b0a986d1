"""Types, paths, generic parameters and attributes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.cursor import Cursor, spaced

_FUNCTION_TYPES = frozenset(("spec_fn", "FnSpec", "proof_fn", "fn", "Fn", "FnMut", "FnOnce"))
_BOUND_ENDS = frozenset((",", "=", "{", ";", "+", "where"))
LIBRARY_ROOTS = frozenset(
    ("vstd", "std", "core", "alloc", "builtin", "builtin_macros", "verus_builtin", "verus_builtin_macros")
)
"""Crates that every program may name."""
# Words after which the head of a function ends and its contract starts.
CLAUSE_WORDS = frozenset(
    (
        "requires", "ensures", "recommends", "returns", "decreases", "default_ensures", "opens_invariants", "no_unwind",
        "invariant", "invariant_except_break", "invariant_ensures", "when", "via",
    )
)  # fmt: skip


class TypeParser(Cursor):
    """Reads types and what surrounds them."""

    @abstractmethod
    def expression(self) -> tree.Expr:
        """Return the expression that starts here; see ``expressions``."""

    # ------------------------------------------------------------ types

    def type(self) -> tree.TypeExpr:
        """Return the type that starts here."""
        self.deeper()
        start = self.token
        text = self.text
        found: tree.TypeExpr
        if start.kind == "word" and text not in ("dyn", "impl", "for", "unsafe", "extern", "fn"):
            found = self.type_path()
            if self.text == "(" and len(found.segments) == 1 and text in _FUNCTION_TYPES:
                found = self._function_type(text)
                found.place = self.place(start)
        elif text == "&" or text == "&&":
            found = self._reference()
        elif text == "(":
            self.advance()
            items = self._types_until_parenthesis()
            found = items[0] if isinstance(items, list) else tree.TypeTuple(items, place=self.place(start))
        elif text == "[":
            self.advance()
            element = self.type()
            if self.accept(";"):
                length = self.expression()
                self.expect("]")
                found = tree.TypeArray(element, length, place=self.place(start))
            else:
                self.expect("]")
                found = tree.TypeSlice(element, place=self.place(start))
        elif text == "fn":
            self.advance()
            found = self._function_type("fn")
            found.place = self.place(start)
        elif text == "!":
            self.advance()
            place = self.place(start)
            found = tree.TypePath((tree.Segment("!", place=place),), place=place)
        else:
            found = self._other_type()
        self.depth -= 1
        return found

    def type_path(self) -> tree.TypePath:
        """Return a path in a type: generic arguments may follow a segment without ``::``."""
        start = self.token
        self.global_path()
        segments = [self._type_segment()]
        while self.text == "::":
            self.advance()
            segments.append(self._type_segment())
        return tree.TypePath(tuple(segments), place=self.place(start))

    def global_path(self) -> None:
        """Step past a ``::`` in front of a path: behind it stands the name of a crate."""
        if self.text == "::":
            self.advance()
            if self.text not in LIBRARY_ROOTS:
                raise Unsupported(f"path into the crate `{self.text}`", self.token.place)

    def _type_segment(self) -> tree.Segment:
        start = self.token
        name = self.path_name()
        generics: tuple[tree.TypeExpr, ...] | None = None
        if self.text in ("<", "<<") or (self.text == "::" and self.peek() in ("<", "<<")):
            self.accept("::")
            generics = self.generic_arguments()
        return tree.Segment(name, generics, place=self.place(start))

    def path_name(self) -> str:
        """Step past a name that may stand in a path."""
        if self.text in ("self", "Self", "super", "crate") or (self.text == "final" and self.peek() == "("):
            return self.advance().text
        return self.name()

    def field(self) -> str:
        """Step past the name or the number of a field."""
        if self.token.kind != "integer":
            return self.name("a field")
        if not self.text.isdigit():
            raise self.refused("expected a field")
        return self.advance().text

    def generic_arguments(self) -> tuple[tree.TypeExpr, ...]:
        """Return ``<A, B>``, the opening bracket included; lifetimes are dropped, since nothing proved depends on them."""
        if not self.split("<"):
            raise self.refused("expected `<`")
        arguments: list[tree.TypeExpr] = []
        while not self.text.startswith(">"):
            if self.token.kind == "lifetime":
                self.advance()
            else:
                arguments.append(self._generic_argument())
            if not self.accept(","):
                break
        self.close_angle()
        return tuple(arguments)

    def _generic_argument(self) -> tree.TypeExpr:
        start, position = self.token, self.position
        if self.token.kind in ("integer", "char", "string") or self.text in ("true", "false", "-"):
            self.accept("-")
            self.advance()
            return tree.TypeOther(
                "constant as an argument", self.text_since(position), place=self.place(start)
            )
        if self.text == "{":
            return tree.TypeOther("constant as an argument", f"{{{self.group()}}}", place=self.place(start))
        if self.token.kind == "word" and self.peek() == "=":
            self.name()
            self.advance()
            self.type()
            return tree.TypeOther("associated type", self.text_since(position), place=self.place(start))
        return self.type()

    def _function_type(self, name: str) -> tree.TypeFn:
        self.expect("(")

        def parameter() -> tree.TypeExpr:
            if self.token.kind == "word" and self.peek() == ":":
                self.name()
                self.advance()
            return self.type()

        parameters = self.separated(")", parameter)
        result = self.type() if self.accept("->") else None
        return tree.TypeFn(name, parameters, result)

    def _reference(self) -> tree.TypeExpr:
        start = self.token
        self.split("&")
        if self.text == "&":
            # The second half of `&&T`.
            inner = self._reference()
            return tree.TypeRef(inner, False, place=self.place(start))
        lifetime = self.advance().text if self.token.kind == "lifetime" else None
        mutable = self.accept("mut")
        inner = self.type()
        return tree.TypeRef(inner, mutable, lifetime, place=self.place(start))

    def _types_until_parenthesis(self) -> list[tree.TypeExpr] | tuple[tree.TypeExpr, ...]:
        """Return a tuple's types, or a list of one where the parentheses only group."""
        items: list[tree.TypeExpr] = []
        while self.text != ")":
            items.append(self.type())
            if self.text != "," and len(items) == 1:
                self.expect(")")
                return items
            if not self.accept(","):
                break
        self.expect(")")
        return tuple(items)

    def _other_type(self) -> tree.TypeExpr:
        start, position = self.token, self.position
        if self.text in ("dyn", "impl"):
            word = self.advance().text
            self._bounds()
            return tree.TypeOther(f"`{word}` type", self.text_since(position), place=self.place(start))
        if self.text == "*" and self.peek() in ("const", "mut"):
            self.advance()
            self.advance()
            self.type()
            return tree.TypeOther("raw pointer", self.text_since(position), place=self.place(start))
        if self.text == "<":
            past = len(self.taken.get(position, ()))
            self.advance()
            self.type()
            if self.accept("as"):
                self.type_path()
            self.close_angle()
            while self.accept("::"):
                self._type_segment()
            return tree.TypeOther("qualified path", self.text_since(position, past), place=self.place(start))
        if self.text in ("for", "unsafe", "extern"):
            raise Unsupported(f"type with `{self.text}`", start.place)
        raise self.refused("expected a type")

    # ------------------------------------------------------------ generic parameters

    def generics(self) -> tuple[tree.Generic, ...]:
        """Return ``<'a, T: Copy, const N: usize>``, or nothing."""
        if self.text != "<":
            return ()
        self.advance()
        found: list[tree.Generic] = []
        while not self.text.startswith(">"):
            found.append(self._generic())
            if not self.accept(","):
                break
        self.close_angle()
        return tuple(found)

    def _generic(self) -> tree.Generic:
        start = self.token
        if start.kind == "lifetime":
            self.advance()
            bounds = self._bounds() if self.accept(":") else ()
            return tree.Generic(start.text, "lifetime", bounds, place=self.place(start))
        if self.accept("const"):
            name = self.name()
            self.expect(":")
            position = self.position
            self.type()
            return tree.Generic(name, "const", (self.text_since(position),), place=self.place(start))
        name = self.name()
        bounds = self._bounds() if self.accept(":") else ()
        if self.text == "=":
            raise Unsupported("default of a generic parameter", self.token.place)
        return tree.Generic(name, "type", bounds, place=self.place(start))

    def where(self, generics: tuple[tree.Generic, ...]) -> tuple[tree.Generic, ...]:
        """Return ``generics`` with the bounds of the ``where`` clause that starts here."""
        self.expect("where")
        by_name = {generic.name: generic for generic in generics}
        while self.text not in ("{", ";") and self.text not in CLAUSE_WORDS:
            start = self.token
            subject = self.advance().text
            if subject not in by_name or self.text != ":":
                raise Unsupported("where clause on something other than a parameter of its own", start.place)
            self.advance()
            by_name[subject].bounds += self._bounds()
            if not self.accept(","):
                break
        return generics

    def _bounds(self) -> tuple[str, ...]:
        """Return bounds joined by ``+`` as canonical texts."""
        found: list[str] = []
        while True:
            bound = self._bound()
            if bound:
                found.append(bound)
            if not self.accept("+"):
                return tuple(found)

    def _bound(self) -> str:
        """Step past one bound: tokens up to what ends it outside of brackets."""
        texts: list[str] = []
        depth = 0
        while True:
            text = self.text
            if depth == 0 and (text in _BOUND_ENDS or text in CLAUSE_WORDS or text in (")", "]", "}", "|")):
                break
            if text.startswith(">"):
                if depth == 0:
                    break
                self.split(">")
                depth -= 1
                texts.append(">")
                continue
            if self.token.kind == "end":
                raise self.refused("expected a bound")
            if text in ("(", "["):
                texts += self.bracketed()
                continue
            if text == "<":
                depth += 1
            texts.append(self.advance().text)
        return spaced(texts)

    # ------------------------------------------------------------ attributes

    def attributes(self) -> tuple[tree.Attribute, ...]:
        """Return the outer attributes that stand here."""
        if self.text != "#":
            return ()
        found: list[tree.Attribute] = []
        while self.text == "#" and self.peek() == "[":
            found += self.attribute()
        return tuple(found)

    def no_attributes(self) -> None:
        """Step past attributes in a place where the tree keeps none: only those without any effect may stand there."""
        for attribute in (*self.attributes(), *self.inner_attributes()):
            if attribute.path not in ("allow", "doc"):
                raise Unsupported(f"attribute `{attribute.path}` here", attribute.place)

    def inner_attributes(self) -> tuple[tree.Attribute, ...]:
        """Return the ``#![..]`` that stand here."""
        found: list[tree.Attribute] = []
        while self.text == "#" and self.peek() == "!" and self.peek(2) == "[":
            found += self.attribute()
        return tuple(found)

    def attribute(self) -> Sequence[tree.Attribute]:
        """Return one attribute; ``verifier(a, b)`` of old is two."""
        start = self.expect("#")
        inner = self.accept("!")
        self.expect("[")
        path = self.path_name()
        while self.accept("::"):
            path += "::" + self.path_name()
        if path == "trigger" and inner:
            expressions = self.separated("]", self.expression)
            return (tree.Attribute(path, (), inner, expressions, place=self.place(start)),)
        arguments: tuple[str, ...] = ()
        if self.text == "(":
            arguments = self._attribute_arguments()
        elif self.text == "=":
            position = self.position
            while self.text != "]" and self.token.kind != "end":
                self.advance()
            arguments = (self.text_since(position),)
        self.expect("]")
        place = self.place(start)
        if path == "verifier":
            return [self._old_attribute(argument, inner, place) for argument in arguments]
        return (tree.Attribute(path, arguments, inner, place=place),)

    def _attribute_arguments(self) -> tuple[str, ...]:
        """Return the comma-separated arguments as canonical texts."""
        end = self.partner[self.position]
        self.advance()
        arguments: list[str] = []
        begin = self.position
        while self.position < end:
            if self.text in ("(", "[", "{"):
                self.skip_group()
            elif self.text == ",":
                arguments.append(self.text_since(begin))
                self.advance()
                begin = self.position
            else:
                self.advance()
        if begin < end:
            arguments.append(self.text_since(begin))
        self.expect(")")
        return tuple(arguments)

    @staticmethod
    def _old_attribute(argument: str, inner: bool, place: Place) -> tree.Attribute:
        """Return ``verifier(name(arguments))`` in the form ``verifier::name(arguments)``."""
        name, bracket, rest = argument.partition("(")
        if not name.isidentifier():
            raise Rejected(f"`{name}` is no attribute", place)
        arguments = tuple(part.strip() for part in rest.removesuffix(")").split(",")) if bracket else ()
        return tree.Attribute(f"verifier::{name}", arguments, inner, place=place)
