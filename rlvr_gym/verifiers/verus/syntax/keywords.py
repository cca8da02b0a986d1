"""Expressions that start with a word of their own: control flow, quantifiers, closures, proof statements."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.syntax import operators, tree
from rlvr_gym.verifiers.verus.syntax.clauses import ClauseParser
from rlvr_gym.verifiers.verus.syntax.expressions import CONDITION
from rlvr_gym.verifiers.verus.syntax.lexer import Token

_PROVERS = ("nonlinear_arith", "bit_vector", "compute", "compute_only", "integer_ring")
_VALUELESS = frozenset((")", "]", "}", ",", ";", "=>", "the end of the program"))


class KeywordParser(ClauseParser):
    """Reads what a keyword starts."""

    def word_expression(self, token: Token) -> tree.Expr | None:
        """Return the expression that starts with the keyword here, None where the word is a name."""
        reader = _READERS.get(token.text)
        return None if reader is None else reader(self)

    # ------------------------------------------------------------ control flow

    def _truth(self) -> tree.Expr:
        token = self.advance()
        return tree.BoolLit(token.text == "true", place=token.place)

    def _if(self) -> tree.IfExpr:
        start = self.expect("if")
        condition = self.condition()
        then = self.block()
        otherwise: tree.BlockExpr | tree.IfExpr | None = None
        if self.accept("else"):
            if self.text == "if":
                with self.nested():
                    otherwise = self._if()
            else:
                otherwise = self.block()
        return tree.IfExpr(condition, then, otherwise, place=self.place(start))

    def _let_condition(self) -> tree.Expr | None:
        if self.head != CONDITION:
            return None
        start = self.expect("let")
        self.lets += 1
        pattern = self.pattern()
        self.expect("=")
        return tree.LetCondition(pattern, self.binary(operators.COMPARE), place=self.place(start))

    def _match(self) -> tree.Expr:
        start = self.expect("match")
        scrutinee = self.headed()
        self.expect("{")
        self.no_attributes()
        arms: list[tree.Arm] = []
        while self.text != "}":
            arms.append(self._arm())
        self.advance()
        return tree.MatchExpr(scrutinee, tuple(arms), place=self.place(start))

    def _arm(self) -> tree.Arm:
        start = self.token
        self.no_attributes()
        pattern = self.pattern()
        guard = self.expression() if self.accept("if") else None
        self.expect("=>")
        body, ends = self.early()
        if not self.accept(",") and not ends and self.text != "}":
            raise self.refused("expected `,` behind the arm")
        return tree.Arm(pattern, guard, body, place=self.place(start))

    def _loops(self) -> tree.Expr:
        return self.loop(None)

    def loop(self, label: str | None) -> tree.Expr:
        """Return the loop that starts here, behind its label."""
        start = self.token
        if self.accept("while"):
            condition = self.condition()
            clauses = self.loop_clauses()
            return tree.While(label, condition, clauses, self.block(), place=self.place(start))
        if self.accept("loop"):
            clauses = self.loop_clauses()
            return tree.Loop(label, clauses, self.block(), place=self.place(start))
        self.expect("for")
        pattern = self.pattern()
        self.expect("in")
        ghost_name: str | None = None
        if self.token.kind == "word" and self.peek() == ":":
            ghost_name = self.name()
            self.advance()
        iterable = self.headed()
        clauses = self.loop_clauses()
        return tree.For(label, pattern, ghost_name, iterable, clauses, self.block(), place=self.place(start))

    def labelled(self) -> tree.Expr:
        """Return a loop behind its label, or a labelled block as something outside the subset."""
        start, position = self.token, self.position
        label = self.advance().text
        self.expect(":")
        if self.text == "{":
            self.block()
            return tree.Other("labelled block", self.tokens_since(position), place=self.place(start))
        if self.text not in ("while", "loop", "for"):
            raise self.refused("expected a loop behind the label")
        found = self.loop(label)
        found.place = self.place(start)
        return found

    def _break(self) -> tree.Expr:
        start = self.expect("break")
        label = self.advance().text if self.token.kind == "lifetime" else None
        value = self._jump_value()
        return tree.Break(label, value, place=self.place(start))

    def _continue(self) -> tree.Expr:
        start = self.expect("continue")
        label = self.advance().text if self.token.kind == "lifetime" else None
        return tree.Continue(label, place=self.place(start))

    def _return(self) -> tree.Expr:
        start = self.expect("return")
        return tree.Return(self._jump_value(), place=self.place(start))

    def _jump_value(self) -> tree.Expr | None:
        if self.text in _VALUELESS or (self.text == "{" and self.head):
            return None
        return self.binary(0)

    def _other_block(self) -> tree.Expr | None:
        """Return ``unsafe {}``, ``async {}`` and ``const {}`` as things outside the subset."""
        start, position = self.token, self.position
        word = self.text
        following = self.peek()
        if following not in ("{", "move") and not (word == "async" and following == "|"):
            return None
        self.advance()
        self.accept("move")
        if self.text == "{":
            self.block()
        else:
            self.closure()
        return tree.Other(f"`{word}` block", self.tokens_since(position), place=self.place(start))

    # ------------------------------------------------------------ closures and quantifiers

    def closure(self) -> tree.Expr:
        """Return ``move |x: T, y| -> R requires .. ensures .. body``."""
        start = self.token
        move = self.accept("move")
        parameters = self.binders()
        result: tree.TypeExpr | None = None
        result_name: str | None = None
        requires: tuple[tree.Expr, ...] = ()
        ensures: tuple[tree.Expr, ...] = ()
        if self.accept("->"):
            result_name, result = self._closure_result()
        if result is not None or self.text in ("requires", "ensures"):
            while self.text in ("requires", "ensures"):
                if self.advance().text == "requires":
                    requires += self.clause_list()
                else:
                    ensures += self.clause_list()
            body: tree.Expr = self.block()
        else:
            body = self.binary(0)
        return tree.Closure(
            parameters, result, body, requires, ensures, move, result_name, place=self.place(start)
        )

    def _closure_result(self) -> tuple[str | None, tree.TypeExpr]:
        if self.text == "(" and self.peek_kind() == "word" and self.peek(2) == ":":
            self.advance()
            name = self.name()
            self.advance()
            result = self.type()
            self.expect(")")
            return name, result
        return None, self.type()

    def binders(self) -> tuple[tree.Parameter, ...]:
        """Return ``|x: T, y|``, bars included."""
        if not self.split("|"):
            raise self.refused("expected `|`")
        found: list[tree.Parameter] = []
        while not self.text.startswith("|"):
            found.append(self._binder())
            if not self.accept(","):
                break
        if not self.split("|"):
            raise self.refused("expected `|`")
        return tuple(found)

    def _quantified(self) -> tuple[tree.Parameter, ...]:
        """Return the variables of a quantifier, which has at least one."""
        parameters = self.binders()
        if not parameters:
            raise self.refused("expected a variable")
        return parameters

    def _binder(self) -> tree.Parameter:
        start = self.token
        self.no_attributes()
        ghostness: tree.Ghostness = "exec"
        if self.text == "tracked" and self.peek_kind() == "word":
            self.advance()
            ghostness = "tracked"
        pattern = self.single_pattern()
        declared = self.type() if self.accept(":") else None
        if isinstance(pattern, tree.PathPattern) and len(pattern.path.segments) == 1:
            # A variable may well have a capital here.
            pattern = tree.BindPattern(pattern.path.segments[0].name, place=pattern.place)
        if isinstance(pattern, tree.BindPattern) and pattern.inner is None and not pattern.by_reference:
            return tree.Parameter(pattern.name, declared, pattern.mutable, ghostness, place=self.place(start))
        return tree.Parameter("_", declared, False, ghostness, pattern, place=self.place(start))

    def _quantifier(self) -> tree.Expr | None:
        if self.peek() != "|":
            return None
        start = self.token
        kind = cast("tree.QuantifierKind", self.advance().text)
        parameters = self._quantified()
        triggers = self.inner_attributes()
        return tree.Quantifier(kind, parameters, self.binary(0), triggers, place=self.place(start))

    # ------------------------------------------------------------ proof statements

    def _assert(self) -> tree.Expr | None:
        if self.peek() == "forall":
            return self._assert_forall()
        if self.peek() != "(":
            return None
        start = self.advance()
        self.advance()
        condition = self.expression()
        self.expect(")")
        prover: tree.Prover | None = None
        body: tree.BlockExpr | None = None
        requires: tuple[tree.Expr, ...] = ()
        if self.accept("by"):
            if self.text == "(":
                prover = self.prover()
            if self.accept("requires"):
                requires = self.clause_list()
            if self.text == "{":
                body = self.block()
            elif prover is None:
                raise self.refused("expected `{`")
        return tree.Assert(condition, body, prover, requires, place=self.place(start))

    def prover(self) -> tree.Prover:
        """Return the prover named in parentheses."""
        self.expect("(")
        token = self.token
        if token.text not in _PROVERS:
            raise Unsupported(f"proof by `{token.text}`", token.place)
        self.advance()
        self.expect(")")
        return cast("tree.Prover", token.text)

    def _assert_forall(self) -> tree.Expr:
        start = self.advance()
        self.advance()
        parameters = self._quantified()
        triggers = self.inner_attributes()
        conclusion = self.expression()
        premise: tree.Expr | None = None
        if self.accept("implies"):
            premise, conclusion = conclusion, self.expression()
        self.expect("by")
        body = self.block()
        return tree.AssertForall(parameters, premise, conclusion, body, triggers, place=self.place(start))

    def _assume(self) -> tree.Expr | None:
        if self.peek() != "(":
            return None
        start = self.advance()
        self.advance()
        if start.text == "admit":
            self.expect(")")
            return tree.Assume(None, place=self.place(start))
        condition = self.expression()
        self.expect(")")
        return tree.Assume(condition, place=self.place(start))

    def _proof(self) -> tree.Expr | None:
        if self.peek() != "{":
            return None
        start = self.advance()
        return tree.Proof(self.block(), place=self.place(start))

    def _reveal(self) -> tree.Expr | None:
        if self.peek() != "(":
            return None
        start = self.advance()
        self.advance()
        segments = self.path()
        path = tree.TypePath(segments, place=self.place(start))
        fuel: int | None = 0 if start.text == "hide" else None
        if start.text == "reveal_with_fuel":
            self.expect(",")
            amount = self.expression()
            if not isinstance(amount, tree.IntLit):
                raise self.refused("expected a number of unfoldings")
            fuel = amount.value
        self.accept(",")
        self.expect(")")
        return tree.Reveal(path, fuel, place=self.place(start))

    def _broadcast(self) -> tree.Expr | None:
        if self.peek() != "use":
            return None
        start = self.token
        return tree.BroadcastUse(self.broadcast_paths(), place=self.place(start))


_READERS: dict[str, Callable[[KeywordParser], tree.Expr | None]] = {
    "true": KeywordParser._truth,
    "false": KeywordParser._truth,
    "if": KeywordParser._if,
    "let": KeywordParser._let_condition,
    "match": KeywordParser._match,
    "while": KeywordParser._loops,
    "loop": KeywordParser._loops,
    "for": KeywordParser._loops,
    "break": KeywordParser._break,
    "continue": KeywordParser._continue,
    "return": KeywordParser._return,
    "unsafe": KeywordParser._other_block,
    "async": KeywordParser._other_block,
    "const": KeywordParser._other_block,
    "move": KeywordParser.closure,
    "forall": KeywordParser._quantifier,
    "exists": KeywordParser._quantifier,
    "choose": KeywordParser._quantifier,
    "assert": KeywordParser._assert,
    "assume": KeywordParser._assume,
    "admit": KeywordParser._assume,
    "proof": KeywordParser._proof,
    "reveal": KeywordParser._reveal,
    "reveal_with_fuel": KeywordParser._reveal,
    "hide": KeywordParser._reveal,
    "broadcast": KeywordParser._broadcast,
}
