"""Datatypes, constants and type aliases."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.signatures import Modifiers, SignatureParser


class DeclarationParser(SignatureParser):
    """Reads what declares a type or a constant."""

    outside = False
    """Whether the items read now stand outside the ``verus!`` macro."""
    library = False
    module = ""

    inside_attributes: tuple[tree.Attribute, ...] = ()
    """``#![..]`` at the head of the macro."""

    def struct(self) -> tree.Struct:
        """Return the struct that starts here."""
        self.expect("struct")
        start = self.token
        name = self.name("the struct's name")
        generics = self.generics()
        if self.text == "where":
            generics = self.where(generics)
        variant = self._variant(name)
        if variant.positional or self.last.text != "}":
            if self.text == "where":
                generics = self.where(generics)
            self.expect(";")
        variant.place = self.place(start)
        return tree.Struct(name=name, generics=generics, variant=variant)

    def enum(self) -> tree.Enum:
        """Return the enum that starts here."""
        self.expect("enum")
        name = self.name("the enum's name")
        generics = self.generics()
        if self.text == "where":
            generics = self.where(generics)
        self.expect("{")
        return tree.Enum(name=name, generics=generics, variants=self.separated("}", self._enum_variant))

    def _enum_variant(self) -> tree.Variant:
        start = self.token
        self.no_attributes()
        variant = self._variant(self.name("a variant"))
        if self.accept("="):
            variant.discriminant = self.expression()
        variant.place = self.place(start)
        return variant

    def _variant(self, name: str) -> tree.Variant:
        """Return the fields that stand here as a variant called ``name``."""
        braces = self.text == "{"
        if braces:
            self.advance()
            found = self.separated("}", self._field)
            positional = False
        elif self.text == "(":
            self.advance()
            found = tuple(
                (str(index), *rest) for index, rest in enumerate(self.separated(")", self._positional))
            )
            positional = True
        else:
            found, positional = (), False
        fields = tuple((field, declared, ghostness) for field, _, declared, ghostness in found)
        visibility = tuple(public for _, public, _, _ in found)
        return tree.Variant(name, fields, positional, visibility, braces=braces)

    def _field(self) -> tuple[str, str, tree.TypeExpr, tree.Ghostness]:
        self.no_attributes()
        public = self.visibility()
        ghostness = self._ghostness()
        name = self.name("a field")
        self.expect(":")
        return name, public, self.type(), ghostness

    def _positional(self) -> tuple[str, tree.TypeExpr, tree.Ghostness]:
        self.no_attributes()
        public = self.visibility()
        ghostness = self._ghostness()
        return public, self.type(), ghostness

    def _ghostness(self) -> tree.Ghostness:
        if self.text in ("ghost", "tracked") and self.peek_kind() == "word":
            return "ghost" if self.advance().text == "ghost" else "tracked"
        return "exec"

    def constant(self, modifiers: Modifiers) -> tree.Const:
        """Return the ``const`` or ``static`` that starts here."""
        static = self.advance().text == "static"
        if self.text == "mut":
            raise Unsupported("`static mut`", self.token.place)
        if modifiers.words - {"spec", "exec", "proof", "open", "closed", "uninterp"}:
            raise self.refused("expected an item")
        name = self.name("the constant's name")
        self.expect(":")
        declared = self.type()
        ensures: tuple[tree.Expr, ...] = ()
        if self.accept("ensures"):
            ensures = self.clause_list()
        value: tree.Expr | None = None
        if self.accept("="):
            value = self.expression()
            self.expect(";")
        elif self.text == "{":
            value = self.block()
        else:
            self.expect(";")
        return tree.Const(
            name=name, type=declared, value=value, mode=modifiers.mode, ensures=ensures, static=static
        )

    def type_alias(self) -> tree.TypeAlias_:
        """Return the ``type`` that starts here."""
        self.expect("type")
        name = self.name("the type's name")
        generics = self.generics()
        declared: tree.TypeExpr | None = None
        if self.text == ":":
            raise Unsupported("bounds of an associated type", self.token.place)
        if self.accept("="):
            declared = self.type()
        self.expect(";")
        return tree.TypeAlias_(name=name, generics=generics, type=declared)
