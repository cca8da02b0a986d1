"""Items: functions with their contracts, datatypes, constants, ``impl`` blocks, modules."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.declarations import DeclarationParser
from rlvr_gym.verifiers.verus.syntax.lexer import Token
from rlvr_gym.verifiers.verus.syntax.signatures import Modifiers

_BRACKETS = ("(", "[", "{")


class ItemParser(DeclarationParser):
    """Reads items."""

    macros = 0
    """How many ``verus!`` blocks were read."""

    def items_until(self, close: str) -> tuple[tree.Item, ...]:
        """Return the items up to ``close``, which is not stepped past."""
        found: list[tree.Item] = []
        while self.text != close:
            if self.token.kind == "end":
                raise self.refused(f"expected `{close}`")
            if self.accept(";"):
                continue
            found += self.items_at(self.attributes())
        return tuple(found)

    def items_at(self, attributes: tuple[tree.Attribute, ...]) -> list[tree.Item]:
        """Return the item that starts here; a ``verus!`` block gives all that it holds."""
        start = self.token
        if self.outside and self._at_verus():
            if self.module:
                raise Unsupported("a `verus!` block inside of a module", start.place)
            return list(self._verus_block())
        public = self.visibility()
        modifiers = self.modifiers()
        item = self._item(modifiers, start)
        item.attributes = attributes + item.attributes
        item.public = public
        item.outside = self.outside
        item.library = self.library
        item.module = self.module
        item.place = self.place(start)
        return [item]

    def _at_verus(self) -> bool:
        if self.token.kind != "word":
            return False
        ahead = 0
        while self.peek(ahead + 1) == "::" and self.peek_kind(ahead + 2) == "word":
            ahead += 2
        return (
            self.peek(ahead) == "verus" and self.peek(ahead + 1) == "!" and self.peek(ahead + 2) in _BRACKETS
        )

    def _verus_block(self) -> tuple[tree.Item, ...]:
        """Return the items of the macro that starts here."""
        while self.text != "!":
            self.advance()
        self.advance()
        self.macros += 1
        close = {"(": ")", "[": "]", "{": "}"}[self.advance().text]
        self.outside = False
        self.inside_attributes += self.inner_attributes()
        found = self.items_until(close)
        self.expect(close)
        self.outside = True
        if close != "}":
            self.expect(";")
        return found

    def _item(self, modifiers: Modifiers, start: Token) -> tree.Item:
        text = self.text
        if text == "fn":
            return self.function(modifiers)
        if text in ("const", "static"):
            return self.constant(modifiers)
        if text == "struct":
            return self.struct()
        if text == "enum":
            return self.enum()
        if text == "group" and modifiers.broadcast:
            return self._broadcast_group()
        if modifiers.broadcast and text == "use":
            raise self.refused("expected `broadcast use`")
        if modifiers.words - {"unsafe"}:
            raise self.refused("expected an item")
        return self._plain_item(modifiers, start)

    def _plain_item(self, modifiers: Modifiers, start: Token) -> tree.Item:
        text = self.text
        if modifiers.qualifiers:
            return self._other(f"`unsafe {text}`", start)
        if text == "use":
            return self._use()
        if text == "mod":
            return self._mod(start)
        if text == "impl":
            return self._impl(start)
        if text == "trait":
            return self._trait()
        if text == "type":
            return self.type_alias()
        if text == "broadcast" and self.peek() == "use":
            paths = self.broadcast_paths()
            self.expect(";")
            return tree.BroadcastItem(paths=paths)
        if text in ("extern", "union", "macro_rules", "global", "assume_specification", "auto"):
            return self._other(f"`{text}`", start)
        if self.token.kind == "word" and self._at_macro():
            return self._other(f"macro `{text}!`", start)
        raise self.refused("expected an item")

    # ------------------------------------------------------------ outside the subset

    def _at_macro(self) -> bool:
        ahead = 0
        while self.peek(ahead + 1) == "::" and self.peek_kind(ahead + 2) == "word":
            ahead += 2
        return self.peek(ahead + 1) == "!"

    def _other(self, what: str, start: Token) -> tree.OtherItem:
        """Step past an item that is only named: up to its ``;`` or its braces."""
        position = self.position
        while True:
            text = self.text
            if self.token.kind == "end":
                raise self.refused("expected `;` or a block")
            if text in _BRACKETS:
                self.skip_group()
                if text == "{":
                    break
            elif text in (")", "]", "}"):
                raise self.refused("expected `;` or a block")
            elif self.advance().text == ";":
                break
        self.accept(";")
        return tree.OtherItem(what=what, text=self.tokens_since(position))

    # ------------------------------------------------------------ items that hold others

    def _impl(self, start: Token) -> tree.Item:
        self.advance()
        generics = self.generics()
        if self.text in ("!", "const"):
            raise Unsupported(f"`impl {self.text}`", start.place)
        subject = self.type()
        trait: tree.TypePath | None = None
        if self.accept("for"):
            if not isinstance(subject, tree.TypePath):
                raise Unsupported("impl of something other than a named trait", subject.place)
            trait, subject = subject, self.type()
        if self.text == "where":
            generics = self.where(generics)
        attributes, items = self._members()
        return tree.Impl(attributes=attributes, generics=generics, trait=trait, subject=subject, items=items)

    def _members(self) -> tuple[tuple[tree.Attribute, ...], tuple[tree.Item, ...]]:
        """Return the ``#![..]`` and the items between braces."""
        self.expect("{")
        with self.nested():
            attributes = self.inner_attributes()
            items = self.items_until("}")
        self.advance()
        return attributes, items

    def _trait(self) -> tree.Item:
        self.advance()
        name = self.name("the trait's name")
        generics = self.generics()
        if self.accept(":"):
            position = self.position
            self._bounds()
            generics = (*generics, tree.Generic("Self", "type", (self.text_since(position),)))
        if self.text == "where":
            generics = self.where(generics)
        attributes, items = self._members()
        return tree.Trait(name=name, generics=generics, items=items, attributes=attributes)

    def _mod(self, start: Token) -> tree.Item:
        self.advance()
        name = self.name("the module's name")
        if self.text == ";":
            raise Unsupported("a module in another file", start.place)
        outer = self.module
        self.module = f"{outer}::{name}" if outer else name
        attributes, items = self._members()
        self.module = outer
        return tree.Mod(name=name, items=items, attributes=attributes)

    def _broadcast_group(self) -> tree.Item:
        self.advance()
        name = self.name("the group's name")
        self.expect("{")
        return tree.BroadcastItem(paths=self.separated("}", self._broadcast_path), name=name)

    def _use(self) -> tree.Item:
        self.advance()
        self.global_path()
        leaves: list[tuple[str, str]] = []
        self._use_tree("", leaves)
        self.expect(";")
        return tree.Use(leaves=tuple(leaves))

    def _use_tree(self, prefix: str, leaves: list[tuple[str, str]]) -> None:
        if self.accept("*"):
            leaves.append((prefix, "*"))
            return
        if self.text == "{":
            self.advance()
            with self.nested():
                while self.text != "}":
                    self._use_tree(prefix, leaves)
                    if not self.accept(","):
                        break
            self.expect("}")
            return
        names = [prefix] if prefix else []
        names.append(self.path_name())
        while self.text == "::" and self.peek() not in ("{", "*"):
            self.advance()
            names.append(self.path_name())
        if names[-1] == "self" and len(names) > 1:
            names.pop()
        whole = "::".join(names)
        if self.accept("::"):
            self._use_tree(whole, leaves)
        else:
            leaves.append((whole, self.name("a name") if self.accept("as") else whole.rpartition("::")[2]))
