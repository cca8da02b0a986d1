"""Clauses: contracts of functions and closures, and what stands between a loop's head and its body."""

from __future__ import annotations

from abc import abstractmethod

from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.expressions import ExpressionParser
from rlvr_gym.verifiers.verus.syntax.types import CLAUSE_WORDS


class ClauseParser(ExpressionParser):
    """Reads clauses."""

    @abstractmethod
    def early(self) -> tuple[tree.Expr, bool]:
        """Return an expression that ends with its block, and whether it did; see ``statements``."""

    def clause_list(self) -> tuple[tree.Expr, ...]:
        """Return the comma-separated expressions behind a clause's word."""
        found: list[tree.Expr] = []
        while self._clause_starts():
            # `#![trigger ..]` in front of a broadcast lemma's clause names the triggers of the lemma.
            triggers = self.inner_attributes()
            clause = self.headed()
            clause.attributes = triggers + clause.attributes
            found.append(clause)
            if not self.accept(","):
                break
        return tuple(found)

    def measures(self) -> tuple[tree.Expr, ...]:
        """Return the list behind ``decreases``, which is not empty."""
        found = self.clause_list()
        if not found:
            raise self.refused("expected a measure")
        return found

    def _clause_starts(self) -> bool:
        """Return whether another clause stands here: a block is one only in front of a comma."""
        if self.text == "{":
            return self.tokens[self.partner[self.position] + 1].text == ","
        return self.text not in (";", "}", ")") and self.text not in CLAUSE_WORDS

    def loop_clauses(self) -> tree.LoopClauses:
        """Return a loop's clauses, which have one order."""
        start = self.token
        found = tree.LoopClauses()
        if self.accept("invariant_except_break"):
            found.invariant_except_break = self.clause_list()
        if self.accept("invariant"):
            found.invariant = self.clause_list()
        if self.text == "invariant_ensures":
            raise Unsupported("`invariant_ensures` of a loop", self.token.place)
        if self.accept("ensures"):
            found.ensures = self.clause_list()
        if self.accept("decreases"):
            found.decreases = self.measures()
        found.place = self.place(start)
        return found

    def broadcast_paths(self) -> tuple[str, ...]:
        """Return the paths of ``broadcast use a, {b, c}``; the caller steps past the ``;``."""
        self.expect("broadcast")
        self.expect("use")
        if self.accept("{"):
            return self.separated("}", self._broadcast_path)
        found = [self._broadcast_path()]
        while self.accept(","):
            found.append(self._broadcast_path())
        return tuple(found)

    def _broadcast_path(self) -> str:
        position = self.position
        self.no_attributes()
        self.path()
        return self.text_since(position)
