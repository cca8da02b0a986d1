"""Expressions: operators by precedence climbing, what follows an operand, and what starts one."""

from __future__ import annotations

from abc import abstractmethod
from typing import Literal, cast

from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.syntax import operators, tree
from rlvr_gym.verifiers.verus.syntax.cursor import KEYWORDS, MAX_CHAIN
from rlvr_gym.verifiers.verus.syntax.lexer import Token
from rlvr_gym.verifiers.verus.syntax.literals import literal
from rlvr_gym.verifiers.verus.syntax.operators import PRECEDENCE
from rlvr_gym.verifiers.verus.syntax.patterns import PatternParser

_LITERALS = frozenset(("integer", "float", "string", "char"))
# What a range without an end may be followed by.
_ENDS = frozenset((")", "]", "}", ",", ";", "=>", "the end of the program"))

FREE, NO_STRUCT, CONDITION = range(3)
"""Whether ``Name {`` starts a struct here: not in the heads of loops, ``if`` and ``match``, nor in clauses.
A condition also allows ``let``."""


class ExpressionParser(PatternParser):
    """Reads expressions."""

    head = FREE
    lets = 0
    """How many ``let`` were read in the condition that is being read."""
    grown = 0
    """How far the expressions read so far have grown to the left: the depth that brackets do not show."""

    @abstractmethod
    def block(self) -> tree.BlockExpr:
        """Return the block that starts here; see ``statements``."""

    @abstractmethod
    def word_expression(self, token: Token) -> tree.Expr | None:
        """Return the expression that starts with the keyword here, None where none does; see ``keywords``."""

    @abstractmethod
    def macro(self, path: tuple[tree.Segment, ...], start: Token) -> tree.Expr:
        """Return the macro's call whose ``!`` stands here; see ``macros``."""

    @abstractmethod
    def closure(self) -> tree.Expr:
        """Return the closure that starts here; see ``keywords``."""

    # ------------------------------------------------------------ whole expressions

    def expression(self) -> tree.Expr:
        """Return the expression that starts here, with brackets of its own around it: structs are allowed in it."""
        saved, self.head = self.head, FREE
        found = self.open_expression()
        self.head = saved
        return found

    def open_expression(self) -> tree.Expr:
        """Return the expression that starts here, leaving it open whether ``Name {`` starts a struct."""
        if self.text == "&&&" or self.text == "|||":
            return self.bullets()
        return self.binary(0)

    def condition(self) -> tree.Expr:
        """Return the condition of an ``if`` or ``while``."""
        saved, self.head = self.head, CONDITION
        before = self.lets
        found = self.open_expression()
        self.head = saved
        if self.lets - before != _leading_lets(found):
            raise Rejected("`let` stands in a condition only by itself or under `&&`", found.place)
        self.lets = before
        return found

    def headed(self) -> tree.Expr:
        """Return an expression behind which a block starts."""
        saved, self.head = self.head, NO_STRUCT
        found = self.open_expression()
        self.head = saved
        return found

    def bullets(self) -> tree.Expr:
        """Return ``&&& a &&& b``: the operands are as far right as they go, structs included."""
        start = self.token
        op = cast('Literal["&&&", "|||"]', self.text)
        saved, self.head = self.head, FREE
        operands: list[tree.Expr] = []
        while self.text == op:
            self.advance()
            begin = self.token
            grown, self.grown = self.grown, 0
            left = self.unary()
            if op == "&&&" and self.token.text == "matches":
                left = self._matches(left, begin, bullet=True)
            else:
                left = self.climb(left, begin, 0)
            operands.append(left)
            self.grown = max(grown, self.grown)
        self.head = saved
        if self.text in ("&&&", "|||"):
            raise self.refused("`&&&` and `|||` may not be mixed without braces")
        return tree.BigLogic(op, tuple(operands), place=self.place(start))

    # ------------------------------------------------------------ operators

    def binary(self, least: int) -> tree.Expr:
        """Return an expression whose operators all bind at least as tightly as ``least``."""
        self.deeper()
        start = self.token
        grown, self.grown = self.grown, 0
        found = self.climb(self.unary(), start, least)
        self.grown = max(grown, self.grown)
        self.depth -= 1
        return found

    def climb(self, left: tree.Expr, start: Token, least: int) -> tree.Expr:
        """Return ``left`` with the operators behind it that bind at least as tightly as ``least``."""
        comparison: tree.Binary | tree.Chain | None = None
        while True:
            op = self.text
            precedence = PRECEDENCE.get(op, 0)
            if precedence < least or precedence == 0 or isinstance(left, tree.RangeExpr):
                if op == "!" and self._negates() and least <= operators.MEMBERSHIP:
                    left = self._negated(left, start)
                    continue
                return left
            self.grow()
            if precedence == operators.COMPARE:
                self.advance()
                right = self._right(operators.BIT_OR)
                left = comparison = self._compared(left, op, right, comparison, start)
            elif precedence == operators.ASSIGN:
                self.advance()
                value = self.binary(operators.ASSIGN)
                left = tree.Assign(left, value, None if op == "=" else op[:-1], place=self.place(start))
            elif precedence == operators.RANGE:
                left = self._range(left, start)
            elif precedence == operators.CAST:
                self.advance()
                left = tree.Cast(left, self.type(), place=self.place(start))
            elif precedence == operators.MEMBERSHIP:
                left = self._member(left, op, start)
            else:
                self.advance()
                right = self._right(precedence if precedence == operators.IMPLIES else precedence + 1)
                if precedence == operators.EQUIVALENCE and self.text == op:
                    raise self.refused("`<==>` needs parentheses to repeat")
                left = tree.Binary(op, left, right, place=self.place(start))

    def _right(self, least: int) -> tree.Expr:
        """Return the right operand of an operator."""
        begin = self.token
        found = self.binary(least)
        bare = (found.place.line, found.place.column) == (begin.line, begin.column)
        if bare and isinstance(found, tree.Matches) and found.connective in ("&&", "==>"):
            raise self.refused(
                f"`matches` with `{found.connective}` needs parentheses on the right of an operator"
            )
        return found

    def _negates(self) -> bool:
        """Return whether `!` and the word behind it are ``!is`` or ``!has``, which are one word each."""
        behind = self.tokens[self.position + 1]
        together = (self.token.end_line, self.token.end_column) == (behind.line, behind.column)
        return together and behind.text in ("is", "has")

    def grow(self) -> None:
        """Count one step to the left."""
        self.grown += 1
        if self.grown > MAX_CHAIN:
            raise Unsupported(f"an expression of more than {MAX_CHAIN} operators in a row", self.token.place)

    def _compared(
        self,
        left: tree.Expr,
        op: str,
        right: tree.Expr,
        before: tree.Binary | tree.Chain | None,
        start: Token,
    ) -> tree.Binary | tree.Chain:
        place = self.place(start)
        if before is None or left is not before:
            return tree.Binary(op, left, right, place=place)
        ops = before.ops if isinstance(before, tree.Chain) else (before.op,)
        if op not in operators.CHAINABLE or any(other not in operators.CHAINABLE for other in ops):
            raise Unsupported(f"comparison by `{op}` in a row with others", place)
        operands = before.operands if isinstance(before, tree.Chain) else (before.left, before.right)
        return tree.Chain((*operands, right), (*ops, op), place=place)

    def _range(self, first: tree.Expr | None, start: Token) -> tree.Expr:
        inclusive = self.advance().text == "..="
        end: tree.Expr | None = None
        if self.text not in _ENDS and not (self.text == "{" and self.head):
            end = self.binary(operators.EQUIVALENCE)
        return tree.RangeExpr(first, end, inclusive, place=self.place(start))

    def _member(self, left: tree.Expr, op: str, start: Token) -> tree.Expr:
        if op == "matches":
            return self._matches(left, start, bullet=False)
        self.advance()
        if op == "is":
            variant = self._segment("a variant")
            return tree.IsVariant(
                left, tree.TypePath((variant,), place=variant.place), place=self.place(start)
            )
        element = self.unary()
        return tree.MethodCall(left, "spec_has", None, (element,), place=self.place(start))

    def _segment(self, what: str) -> tree.Segment:
        token = self.token
        return tree.Segment(self.name(what), place=token.place)

    def _negated(self, left: tree.Expr, start: Token) -> tree.Expr:
        self.grow()
        self.advance()
        found = self._member(left, self.text, start)
        return tree.Unary("!", found, place=found.place)

    def _matches(self, left: tree.Expr, start: Token, *, bullet: bool) -> tree.Expr:
        """Return ``left matches P`` with what the variables of ``P`` reach."""
        self.advance()
        pattern = self.single_pattern()
        op = self.text
        if op == "&&&":
            if not bullet:
                raise self.refused("`matches` before `&&&` needs a `&&&` of its own")
            return tree.Matches(left, pattern, "&&&", self.bullets(), place=self.place(start))
        if op == "&&" or op == "==>":
            self.advance()
            rest = self.binary(operators.AND if op == "&&" else operators.IMPLIES)
            return tree.Matches(left, pattern, op, rest, place=self.place(start))  # type: ignore[arg-type]  # one of two
        return tree.Matches(left, pattern, place=self.place(start))

    # ------------------------------------------------------------ operands

    def unary(self) -> tree.Expr:
        """Return an operand with what stands in front of and behind it."""
        text = self.text
        token = self.token
        if text == "#":
            attributes = self.attributes()
            if not attributes:
                raise self.refused("`#!` starts no expression")
            found = self.unary()
            found.attributes = attributes + found.attributes
            return found
        if token.kind != "operator":
            return self.postfix(self.atom(), token)
        if text in ("-", "!", "*"):
            self.deeper()
            self.advance()
            operand = self.unary()
            self.depth -= 1
            return tree.Unary(text, operand, place=self.place(token))  # type: ignore[arg-type]  # one of three
        if text == "&" or text == "&&":
            return self._borrow(token)
        if text in ("&&&", "|||"):
            raise self.refused(f"a leading `{text}` needs braces around it")
        if text in ("..", "..="):
            return self._range(None, token)
        return self.postfix(self.atom(), token)

    def _borrow(self, start: Token) -> tree.Expr:
        self.deeper()
        self.split("&")
        if self.text == "raw" and self.peek() in ("mut", "const"):
            raise Unsupported("raw pointer", start.place)
        mutable = self.text == "mut" and self.accept("mut")
        operand = self.unary()
        self.depth -= 1
        return tree.Borrow(operand, mutable, place=self.place(start))

    def postfix(self, found: tree.Expr, start: Token) -> tree.Expr:
        """Return ``found`` with the calls, fields, indices, ``?`` and ``@`` behind it."""
        while True:
            text = self.text
            if text == ".":
                found = self._member_access(found, start)
            elif text == "(":
                found = tree.Call(found, self.arguments(), place=self.place(start))
            elif text == "[":
                self.advance()
                index = self.expression()
                self.expect("]")
                found = tree.Index(found, index, place=self.place(start))
            elif text == "@":
                self.advance()
                found = tree.View(found, place=self.place(start))
            elif text == "->":
                self.advance()
                found = tree.Arrow(found, self.field(), place=self.place(start))
            elif text == "?":
                self.advance()
                found = tree.Try(found, place=self.place(start))
            else:
                return found
            self.grow()

    def arguments(self) -> tuple[tree.Expr, ...]:
        """Return a call's arguments, parentheses included."""
        self.expect("(")
        return self.separated(")", self.expression)

    def _member_access(self, found: tree.Expr, start: Token) -> tree.Expr:
        self.advance()
        token = self.token
        if token.kind == "integer":
            return tree.Field(found, self.field(), place=self.place(start))
        if token.kind == "float":
            # `x.0.1`: the lexer sees a number behind the first dot.
            self.advance()
            for part in filter(None, token.text.split(".")):
                if not part.isdigit():
                    raise Rejected(f"`{part}` is no field", token.place)
                found = tree.Field(found, part, place=self.place(start))
            if token.text.endswith("."):
                # `x.0.` and a line's end before the name of a method.
                return self._named_access(found, start)
            return found
        return self._named_access(found, start)

    def _named_access(self, found: tree.Expr, start: Token) -> tree.Expr:
        if self.text == "await":
            raise Unsupported("`.await`", self.token.place)
        name = self.name("a field or method")
        generics: tuple[tree.TypeExpr, ...] | None = None
        if self.text == "::":
            self.advance()
            generics = self.generic_arguments()
        if self.text == "(":
            arguments = self.arguments()
            return tree.MethodCall(found, name, generics, arguments, place=self.place(start))
        if generics is not None:
            raise self.refused("expected `(`")
        return tree.Field(found, name, place=self.place(start))

    # ------------------------------------------------------------ atoms

    def atom(self) -> tree.Expr:
        """Return an expression that starts with no operator."""
        token = self.token
        text = token.text
        if token.kind == "word":
            return self.word_expression(token) or self._path_or_struct(token)
        if token.kind in _LITERALS:
            self.advance()
            return literal(token)
        if text == "(":
            return self._parenthesised(token)
        if text == "[":
            self.advance()
            return self.array_items("]", "array", token)
        if text == "{":
            return self.block()
        if text in ("|", "||"):
            return self.closure()
        if text == "::":
            return self._path_or_struct(token)
        if text == "<":
            return self._qualified_path(token)
        raise self.refused("expected an expression")

    def _parenthesised(self, start: Token) -> tree.Expr:
        self.advance()
        items: list[tree.Expr] = []
        while self.text != ")":
            items.append(self.expression())
            if self.text == ")" and len(items) == 1:
                self.advance()
                return items[0]
            if not self.accept(","):
                break
        self.expect(")")
        return tree.TupleExpr(tuple(items), place=self.place(start))

    def array_items(
        self, close: str, kind: Literal["array", "vec", "seq", "set"], start: Token
    ) -> tree.ArrayLit | tree.ArrayRepeat:
        """Return the rest of a list, behind its opening bracket."""
        items: list[tree.Expr] = []
        while self.text != close:
            items.append(self.expression())
            if len(items) == 1 and kind != "set" and self.accept(";"):
                count = self.expression()
                self.expect(close)
                return tree.ArrayRepeat(items[0], count, kind, place=self.place(start))
            if not self.accept(","):
                break
        self.expect(close)
        return tree.ArrayLit(tuple(items), kind, place=self.place(start))

    def path(self) -> tuple[tree.Segment, ...]:
        """Return a path in an expression: generic arguments stand behind ``::``."""
        self.global_path()
        segments: list[tree.Segment] = []
        while True:
            start = self.token
            name = self.path_name()
            generics: tuple[tree.TypeExpr, ...] | None = None
            if self.text == "::" and self.peek() in ("<", "<<"):
                self.advance()
                generics = self.generic_arguments()
            segments.append(tree.Segment(name, generics, place=self.place(start)))
            if self.text != "::":
                return tuple(segments)
            self.advance()

    def _path_or_struct(self, start: Token) -> tree.Expr:
        if start.text in KEYWORDS and start.text not in ("self", "Self", "super", "crate", "final"):
            raise self.refused("expected an expression")
        segments = self.path()
        if self.text == "!" and self.peek() in ("(", "[", "{"):
            return self.macro(segments, start)
        if self.text == "{" and not self.head:
            return self._struct(tree.TypePath(segments, place=self.place(start)), start)
        return tree.PathExpr(segments, place=self.place(start))

    def _struct(self, path: tree.TypePath, start: Token) -> tree.Expr:
        self.advance()
        fields: list[tuple[str, tree.Expr]] = []
        base: tree.Expr | None = None
        while self.text != "}":
            token = self.token
            if self.accept(".."):
                base = self.expression()
                break
            self.no_attributes()
            name = self.field()
            if self.accept(":"):
                fields.append((name, self.expression()))
            else:
                segment = tree.Segment(name, place=token.place)
                fields.append((name, tree.PathExpr((segment,), place=token.place)))
            if not self.accept(","):
                break
        self.expect("}")
        return tree.StructLit(path, tuple(fields), base, place=self.place(start))

    def _qualified_path(self, start: Token) -> tree.Expr:
        """Return ``<T as Trait>::name`` as something outside the subset."""
        position = self.position
        self.advance()
        self.type()
        if self.accept("as"):
            self.type_path()
        self.close_angle()
        self.expect("::")
        self.path()
        return tree.Other("qualified path", self.tokens_since(position), place=self.place(start))


def _leading_lets(node: tree.Expr) -> int:
    """Return how many ``let`` stand by themselves or under ``&&``."""
    count = 0
    while isinstance(node, tree.Binary) and node.op == "&&":
        count += isinstance(node.right, tree.LetCondition)
        node = node.left
    return count + isinstance(node, tree.LetCondition)
