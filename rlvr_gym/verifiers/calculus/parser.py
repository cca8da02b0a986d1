"""Tokens to a tree: a Pratt parser whose recursion is counted, so that no text can exhaust the stack.

Readings where writers differ: ``1/2x`` is ``(1/2)x``; ``sin x/2`` is ``(sin x)/2``; a function without brackets
takes factors up to the first one with a letter, so ``sin 2x cos x`` and ``sin x e^x`` are products of two;
``sin^-1 x`` is arcsin and ``sin^2 x`` a square; ``log`` is natural; roots and rational powers are principal
values, so that ``x^(1/3)`` is not real for negative ``x``; ``2e3`` is 2000.
"""

from __future__ import annotations

from typing import Final

from rlvr_gym.verifiers.calculus.lexer import END, Token, lex, value
from rlvr_gym.verifiers.calculus.limits import Limits, ParseError
from rlvr_gym.verifiers.calculus.tree import (
    FUNCTIONS,
    MINUS_ONE,
    ONE,
    Const,
    Expr,
    Num,
    Sym,
    add,
    call,
    depth,
    div,
    mul,
    neg,
    power,
    root,
    size,
    symbols,
)

_STARTS: Final = frozenset(["sym", "const", "func", "(", "lbar", "|", "frac", "sqrt", "cbrt", "dx"])
_ARGUMENT_STARTS: Final = frozenset(["sym", "const", "frac", "sqrt", "cbrt"])
_DEFAULT = Limits()


def parse(text: str, *, variable: str = "x", limits: Limits = _DEFAULT) -> Expr:
    r"""Return the tree of a formula; letters other than the variable stay symbols.

    Args:
        text: Plain text or LaTeX.
        variable: Name of the variable; only matters where a letter could be read in two ways.
        limits: Sizes above which the text is refused.

    Raises:
        ParseError: a text outside the grammar.

    Example:
        >>> parse(r"\frac12 x^2") == parse("x**2/2") == parse("0.5x²")
        True
    """
    tokens = lex(text, variable, limits)
    expr, differentials = parse_tokens(tokens, limits)
    if differentials:
        raise ParseError("syntax", f"d{variable} in a formula")
    return expr


def parse_tokens(tokens: list[Token], limits: Limits) -> tuple[Expr, int]:
    """Return the tree of all ``tokens`` and how often a ``dx`` occurred among the factors.

    Raises:
        ParseError: a text outside the grammar.
    """
    if tokens[0] is END:
        raise ParseError("empty", "no formula")
    parser = _Parser(tokens, limits)
    expr = parser.sum()
    if parser.peek.kind != "end":
        raise parser.unexpected()
    if size(expr) > limits.max_nodes:
        raise ParseError("too_large", f"{size(expr)} nodes, at most {limits.max_nodes}")
    if depth(expr) > limits.max_depth:
        raise ParseError("too_deep", f"more than {limits.max_depth} levels")
    return expr, parser.differentials


class _Parser:
    """One pass over the tokens. Every way to recurse goes through ``_atom`` or ``_exponent``, which count."""

    def __init__(self, tokens: list[Token], limits: Limits) -> None:
        self._tokens = list(tokens)
        self._at = 0
        self._limits = limits
        self._level = 0
        # Open plain bars per bracket: they decide whether the next bar opens or closes.
        self._bars = [0]
        self.differentials = 0

    @property
    def peek(self) -> Token:
        return self._tokens[self._at]

    def _next(self) -> Token:
        token = self._tokens[self._at]
        if token.kind != "end":
            self._at += 1
        return token

    def _take(self, kind: str) -> bool:
        if self.peek.kind == kind:
            self._at += 1
            return True
        return False

    def unexpected(self) -> ParseError:
        """Return the error for the token that cannot stand where it stands."""
        kind = self.peek.kind
        if kind == "=":
            return ParseError("equation", "an equality sign inside a formula")
        if kind == ",":
            return ParseError("list", "a comma: more than one formula")
        if kind == "int":
            return ParseError("integral_sign", "an integral sign inside a formula")
        return ParseError("syntax", f"unexpected {self.peek.text or kind}")

    def sum(self) -> Expr:
        """Read terms up to something that cannot continue a sum."""
        terms = [self._signed()]
        while self.peek.kind in ("+", "-"):
            terms.append(self._signed())
        total = add(*terms)
        if self.peek.kind == "over":
            # TeX's older fraction divides all of its group.
            self._next()
            self._enter()
            total = div(total, self.sum())
            self._level -= 1
        return total

    def _signed(self) -> Expr:
        negative = self._signs()
        term = self._product()
        return neg(term) if negative else term

    def _signs(self) -> bool:
        negative = False
        while self.peek.kind in ("+", "-"):
            negative ^= self._next().kind == "-"
        return negative

    def _product(self) -> Expr:
        result = self._factor()
        while True:
            kind = self.peek.kind
            if kind in ("*", "/"):
                self._next()
                negative = self._signs()
                factor = self._factor()
                if negative:
                    factor = neg(factor)
                result = mul(result, factor) if kind == "*" else div(result, factor)
            elif self._starts_factor():
                result = mul(result, self._factor())
            elif kind == "num":
                raise ParseError("syntax", "a number right after a factor")
            else:
                return result

    def _starts_factor(self) -> bool:
        kind = self.peek.kind
        return kind in _STARTS and (kind != "|" or self._bars[-1] == 0)

    def _factor(self) -> Expr:
        base = self._atom()
        if self._take("^"):
            return power(base, self._exponent())
        return base

    def _exponent(self) -> Expr:
        self._enter()
        negative = self._signs()
        exponent = self._factor()
        self._level -= 1
        return neg(exponent) if negative else exponent

    def _atom(self) -> Expr:
        self._enter()
        expr = self._atom_at_level()
        self._level -= 1
        return expr

    def _enter(self) -> None:
        # An error ends the parse, so that the level need not be restored after one.
        self._level += 1
        if self._level > self._limits.max_depth:
            raise ParseError("too_deep", f"more than {self._limits.max_depth} levels")

    def _atom_at_level(self) -> Expr:
        token = self.peek
        kind = token.kind
        if kind == "num":
            self._next()
            return Num(value(token))
        if kind == "sym":
            self._next()
            return Sym(token.text)
        if kind == "const":
            self._next()
            return Const("pi") if token.text == "pi" else Const("e")
        if kind == "(":
            return self._bracket()
        if kind == "|" or kind == "lbar":
            return self._absolute()
        if kind == "func":
            return self._function()
        if kind == "frac":
            self._next()
            top = self._argument(split_digits=True)
            return div(top, self._argument(split_digits=True))
        if kind == "sqrt" or kind == "cbrt":
            return self._root()
        if kind == "dx":
            self._next()
            self.differentials += 1
            return ONE
        raise self.unexpected()

    def _bracket(self) -> Expr:
        opened = self._next()
        self._bars.append(0)
        inner = self.sum()
        self._bars.pop()
        if self.peek.kind != ")":
            raise self.unexpected()
        if self._next().text != opened.text:
            raise ParseError("syntax", "brackets that do not match")
        return inner

    def _absolute(self) -> Expr:
        if self._next().kind == "lbar":
            self._bars.append(0)
            inner = self.sum()
            self._bars.pop()
            closed = self._take("rbar")
        else:
            self._bars[-1] += 1
            inner = self.sum()
            self._bars[-1] -= 1
            closed = self._take("|")
        if not closed:
            raise self.unexpected()
        return call("abs", inner)

    def _argument(self, *, split_digits: bool = False) -> Expr:
        """Read what LaTeX takes as one argument: a group or a single token."""
        token = self.peek
        if split_digits and token.kind == "num" and token.text.isdigit() and len(token.text) > 1:
            # \frac12 is one half.
            self._tokens[self._at] = Token("num", token.text[1:])
            return Num(value(Token("num", token.text[0])))
        return self._atom()

    def _root(self) -> Expr:
        degree = 3 if self._next().kind == "cbrt" else 2
        if degree == 2 and self.peek == Token("(", "["):
            index = self._bracket()
            if not isinstance(index, Num) or index.value.denominator != 1 or not 1 <= index.value <= 1000:
                raise ParseError("syntax", "a root whose degree is no number from 1 to 1000")
            degree = index.value.numerator
        return root(self._argument(), degree)

    def _function(self) -> Expr:
        name = self._next().text
        base: Expr | None = None
        exponent: Expr = ONE
        if name == "log" and self._take("_"):
            base = self._argument()
        if self._take("^"):
            negative = self._signs()
            exponent = self._atom()
            exponent = neg(exponent) if negative else exponent
            if exponent == MINUS_ONE:
                inverse = f"a{name}"
                if inverse not in FUNCTIONS:
                    raise ParseError("syntax", f"{name}^-1 can be read in two ways")
                name, exponent = inverse, ONE
        result = call(name, self._bracket() if self.peek.kind == "(" else self._bare_argument())
        if base is not None:
            result = div(result, call("log", base))
        return power(result, exponent)

    def _bare_argument(self) -> Expr:
        negative = self._signs()
        factors = [self._factor()]
        while not symbols(factors[-1]) and self.peek.kind in _ARGUMENT_STARTS:
            factors.append(self._factor())
        argument = mul(*factors)
        return neg(argument) if negative else argument
