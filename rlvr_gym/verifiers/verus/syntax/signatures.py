"""Functions: modifiers, parameters, results, contracts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.statements import StatementParser

_MODES = ("spec", "proof", "exec")


@dataclass(slots=True)
class Modifiers:
    """The words in front of an item."""

    mode: Literal["", "spec", "proof", "exec"] = ""
    open: Literal["", "open", "closed", "uninterp"] = ""
    axiom: bool = False
    broadcast: bool = False
    is_const: bool = False
    qualifiers: tuple[str, ...] = ()
    words: set[str] = field(default_factory=set)
    """All of them, to refuse those that an item cannot have."""


class SignatureParser(StatementParser):
    """Reads functions."""

    def visibility(self) -> str:
        """Return ``pub``, ``pub(crate)``, ... or nothing."""
        if self.text != "pub":
            return ""
        position = self.position
        self.advance()
        if self.text == "(" and self.peek() in ("crate", "self", "super", "in"):
            self.skip_group()
        return self.text_since(position)

    def modifiers(self) -> Modifiers:
        """Return the words in front of ``fn``, ``const`` and other items."""
        found = Modifiers()
        while self.token.kind == "word":
            text = self.text
            if text in _MODES:
                if found.mode:
                    raise self.refused("a second mode")
                self.advance()
                found.mode = text  # type: ignore[assignment]  # one of the three
                if self.text == "(":
                    raise Unsupported(f"`{text}(..)`", self.token.place)
            elif text in ("open", "closed", "uninterp"):
                if found.open:
                    raise self.refused("a second word about the body")
                self.advance()
                found.open = text  # type: ignore[assignment]  # one of the three
                if self.text == "(":
                    self.group()
            elif text == "axiom":
                self.advance()
                found.axiom = True
            elif text == "broadcast" and self.peek() != "use":
                self.advance()
                found.broadcast = True
            elif text == "const" and self.peek() in ("fn", "unsafe", "async", "extern", *_MODES):
                self.advance()
                found.is_const = True
            elif text in ("unsafe", "async", "default") and self.peek_kind() == "word":
                self.advance()
                found.qualifiers += (text,)
            elif text == "extern" and self.peek_kind() == "string" and self.peek(2) == "fn":
                self.advance()
                found.qualifiers += (f"extern {self.advance().text}",)
            elif text in ("tracked", "ghost") and self.peek() in ("struct", "enum"):
                raise Unsupported(f"`{text} {self.peek()}`", self.token.place)
            else:
                break
            found.words.add(text)
        return found

    def function(self, modifiers: Modifiers) -> tree.Function:
        """Return the function whose ``fn`` stands here."""
        self.expect("fn")
        name = self.name("the function's name")
        generics = self.generics()
        mode: tree.Mode = modifiers.mode or ("proof" if modifiers.axiom else "exec")
        found = tree.Function(
            name=name,
            mode=mode,
            open=modifiers.open,
            axiom=modifiers.axiom,
            broadcast=modifiers.broadcast,
            is_const=modifiers.is_const,
            qualifiers=modifiers.qualifiers,
            generics=generics,
        )
        self.expect("(")
        found.parameters = self.separated(")", self._parameter)
        if self.accept("->"):
            self._result(found)
        self._contract(found)
        if not self.accept(";"):
            found.body = self.block()
        return found

    # ------------------------------------------------------------ parameters and results

    def _parameter(self) -> tree.Parameter:
        start = self.token
        self.no_attributes()
        ghostness: tree.Ghostness = "exec"
        if self.text in ("tracked", "ghost") and self.peek_kind() == "word":
            ghostness = "tracked" if self.advance().text == "tracked" else "ghost"
        if (receiver := self._receiver(ghostness)) is not None:
            receiver.place = self.place(start)
            return receiver
        pattern = self.single_pattern()
        self.expect(":")
        declared = self.type()
        place = self.place(start)
        if isinstance(pattern, tree.PathPattern) and len(pattern.path.segments) == 1:
            # Here only a variable can stand.
            pattern = tree.BindPattern(pattern.path.segments[0].name, place=pattern.place)
        if isinstance(pattern, tree.BindPattern) and pattern.inner is None and not pattern.by_reference:
            return tree.Parameter(pattern.name, declared, pattern.mutable, ghostness, place=place)
        if isinstance(pattern, tree.WildPattern):
            return tree.Parameter("_", declared, False, ghostness, place=place)
        wrapped = _wrapped(pattern)
        if wrapped is not None:
            ghostness = wrapped[0]
            return tree.Parameter(
                wrapped[1].name, declared, wrapped[1].mutable, ghostness, pattern, place=place
            )
        return tree.Parameter("_", declared, False, ghostness, pattern, place=place)

    def _receiver(self, ghostness: tree.Ghostness) -> tree.Parameter | None:
        """Return ``self``, ``mut self``, ``&self``, ``&mut self`` or ``self: T``."""
        reference: Literal["", "&", "&mut"] = ""
        ahead = 0
        if self.text == "&":
            ahead = 1 + (self.peek_kind(1) == "lifetime")
            reference = "&mut" if self.peek(ahead) == "mut" else "&"
            ahead += reference == "&mut"
        mutable = self.peek(ahead) == "mut"
        ahead += mutable
        if self.peek(ahead) != "self" or self.peek(ahead + 1) not in (",", ")", ":"):
            return None
        if reference and mutable:
            raise self.refused("a reference to `self` is not `mut` itself")
        self.skip(ahead + 1)
        declared = self.type() if self.accept(":") else None
        if declared is not None and reference:
            raise self.refused("a reference to `self` has no type")
        return tree.Parameter("self", declared, mutable, ghostness, self_reference=reference)

    def _result(self, function: tree.Function) -> None:
        """Read ``T``, ``(r: T)``, ``(tracked r: T)`` or ``((a, b): T)``."""
        if self.text == "tracked":
            self.advance()
            function.result_tracked = True
        if self.text == "(" and self._names_result():
            self.advance()
            if self.text == "tracked" and self.peek() != ":":
                self.advance()
                function.result_tracked = True
            pattern = self.single_pattern()
            if isinstance(pattern, tree.PathPattern) and len(pattern.path.segments) == 1:
                pattern = tree.BindPattern(pattern.path.segments[0].name, place=pattern.place)
            if isinstance(pattern, tree.BindPattern) and not pattern.mutable and pattern.inner is None:
                function.result_name = pattern.name
            elif isinstance(pattern, tree.WildPattern):
                function.result_name = "_"
            else:
                function.result_pattern = pattern
            self.expect(":")
            function.result = self.type()
            self.expect(")")
            return
        function.result = self.type()

    def _names_result(self) -> bool:
        """Return whether the parentheses here hold a name or pattern with a type."""
        depth = 0
        for position in range(self.position, len(self.tokens)):
            text = self.tokens[position].text
            if text in ("(", "["):
                depth += 1
            elif text in (")", "]"):
                depth -= 1
                if depth == 0:
                    return False
            elif text == ":" and depth == 1:
                return True
            elif text in ("{", "}", ";", "<", "->") and depth == 1:
                return False
        return False

    # ------------------------------------------------------------ contracts

    def _contract(self, function: tree.Function) -> None:
        """Read the clauses up to the body; they have one order."""
        if self.text == "where":
            function.generics = self.where(function.generics)
        if self.text == "by" and self.peek() == "(":
            self.advance()
            function.prover = self.prover()
        if self.accept("requires"):
            function.requires = self.clause_list()
        if self.accept("recommends"):
            function.recommends = self.clause_list()
        if self.accept("ensures"):
            function.ensures = self.clause_list()
        if self.text == "default_ensures":
            raise Unsupported("`default_ensures`", self.token.place)
        if self.accept("returns"):
            function.returns = self.headed()
            self.accept(",")
        if self.accept("decreases"):
            self._decreases(function)
        if self.accept("opens_invariants"):
            self._opens()
            function.opens_invariants = True
        if self.accept("no_unwind"):
            if self.text == "when":
                raise Unsupported("`no_unwind when`", self.token.place)
            function.no_unwind = True
        if self.text not in ("{", ";"):
            raise self.refused("expected the function's body")

    def _decreases(self, function: tree.Function) -> None:
        function.decreases = self.measures()
        if self.accept("when"):
            function.when = self.headed()
        if self.accept("via"):
            position = self.position
            self.path()
            function.via = self.text_since(position)

    def _opens(self) -> None:
        if self.text in ("any", "none"):
            self.advance()
        elif self.text == "[":
            self.group()
        else:
            self.headed()
        self.accept(",")


def _wrapped(pattern: tree.Pattern) -> tuple[tree.Ghostness, tree.BindPattern] | None:
    """Return what ``Ghost(x)`` or ``Tracked(x)`` binds, None for any other pattern."""
    if not isinstance(pattern, tree.VariantPattern) or len(pattern.fields) != 1 or pattern.rest:
        return None
    name, inner = pattern.path.segments[-1].name, pattern.fields[0][1]
    if name not in ("Ghost", "Tracked") or not isinstance(inner, tree.BindPattern) or inner.inner is not None:
        return None
    return ("ghost" if name == "Ghost" else "tracked"), inner
