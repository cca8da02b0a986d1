"""The forms in which integrands and answers are written around a formula."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from rlvr_gym.verifiers.calculus.lexer import END, Token, lex
from rlvr_gym.verifiers.calculus.limits import Limits, ParseError
from rlvr_gym.verifiers.calculus.parser import parse_tokens
from rlvr_gym.verifiers.calculus.statement import joined, statement
from rlvr_gym.verifiers.calculus.tree import (
    ZERO,
    Add,
    Call,
    Expr,
    Mul,
    Num,
    Pow,
    Sym,
    add,
    call,
    mul,
    power,
    symbols,
)

_WRAPPERS: Final = (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"), ("`", "`"))
_DEFAULT = Limits()
_MAX_LINKS: Final = 5
"""Sides of a chain of equations."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An antiderivative without its constant, and what else the text states."""

    expr: Expr
    claim: Expr | None = None
    """The integrand it says it belongs to."""
    others: tuple[Expr, ...] = ()
    """Further antiderivatives in a chain of equations; they must be right too."""


def unwrap(text: str) -> str:
    r"""Return ``text`` without surrounding space, mathematics delimiters and a closing full stop.

    Example:
        >>> unwrap(r"  \(x^2\). ")
        'x^2'
    """
    text = text.strip()
    while True:
        before = text
        while text.endswith((".", ",", ";", "\\!")):
            # A LaTeX space ends in a sign of punctuation too.
            text = (text[:-2] if text[-2:-1] == "\\" else text[:-1]).rstrip()
        for left, right in _WRAPPERS:
            if len(text) >= len(left) + len(right) and text.startswith(left) and text.endswith(right):
                inner = text[len(left) : -len(right)]
                if left in inner:
                    return _spans_joined(text)
                text = inner.strip()
                break
        if text == before:
            return text


def _spans_joined(text: str) -> str:
    """Return ``$a$ + $C$`` as ``a + C``: formulas between which nothing but an operator stands."""
    parts = text.replace("$$", "$").split("$")
    between = parts[2:-1:2]
    if len(parts) % 2 == 1 and between and all(part.strip() in ("+", "-", "=", "*", "/") for part in between):
        return "".join(parts).strip()
    return text


def parse_integrand(text: str, variable: str = "x", limits: Limits = _DEFAULT) -> Expr:
    r"""Return the integrand of ``f``, ``f dx`` or ``\int f dx``.

    Raises:
        ParseError: outside the grammar, or a symbol other than the variable.

    Example:
        >>> parse_integrand(r"\int \frac{dx}{x}") == parse_integrand("1/x")
        True
    """
    return _integrand(lex(_checked(text, limits), variable, limits), variable, limits)


def _integrand(tokens: list[Token], variable: str, limits: Limits) -> Expr:
    signed = tokens[0].kind == "int"
    expr, differentials = parse_tokens(tokens[1:] if signed else tokens, limits)
    if differentials > 1 or (signed and not differentials):
        raise ParseError("syntax", f"{differentials} times d{variable} under one integral sign")
    foreign = symbols(expr) - {variable}
    if foreign:
        raise ParseError("symbol", f"{min(foreign)} is not the variable {variable}")
    return expr


def parse_answer(
    text: str, variable: str = "x", limits: Limits = _DEFAULT, *, sentences: bool = True
) -> Answer:
    r"""Return the antiderivative of ``F``, ``F + C``, ``F(x) = F``, ``\int f dx = F``, or of a sentence that says so.

    A sentence is read only where ``sentences`` are allowed.
    The arbitrary constant may be any letter, with an index or not, but must be added, not multiplied.

    Raises:
        ParseError: outside the grammar, or another use of a letter.
    """
    text = _checked(text, limits)
    if not text.isprintable() or "\\\\" in text or "\\begin" in text:
        text = unwrap(joined(text))
    text = text.replace(":=", "=")
    try:
        return _answer(text, variable, limits)
    except ParseError as error:
        stated = unwrap(statement(text, variable)) if sentences else text
        if stated == text:
            raise
        try:
            return _answer(stated, variable, limits)
        except ParseError:
            # What was wrong with the text as it stands is easier to understand.
            raise error from None


def _answer(text: str, variable: str, limits: Limits) -> Answer:
    tokens = lex(text, variable, limits)
    links: list[list[Token]] = [[]]
    for token in tokens[:-1]:
        if token.kind == "=":
            links.append([])
        else:
            links[-1].append(token)
    if len(links) > _MAX_LINKS:
        raise ParseError("equation", f"a chain of {len(links) - 1} equations")
    claim = None
    if len(links) > 1:
        left = links[0]
        if left and left[0].kind == "int":
            claim = None if _is_unnamed(left, variable) else _integrand([*left, END], variable, limits)
            links = links[1:]
        elif not left or _is_name(left, variable):
            links = links[1:]
    # A step such as x e^x - \int e^x dx is work on the way; the last link is the answer and may not be one.
    formulas = [link for link in links[:-1] if all(token.kind != "int" for token in link)]
    *others, expr = (_antiderivative([*link, END], variable, limits) for link in [*formulas, links[-1]])
    return Answer(expr, claim, tuple(others))


def _antiderivative(tokens: list[Token], variable: str, limits: Limits) -> Expr:
    # A dx left over at the end of an answer is a slip of the pen, one in its middle is not.
    if len(tokens) > 2 and tokens[-2].kind == "dx":
        tokens = [*tokens[:-2], END]
    if tokens[0].kind == "int":
        raise ParseError("integral_sign", "the answer is an integral")
    expr, differentials = parse_tokens(tokens, limits)
    if differentials:
        raise ParseError("syntax", f"d{variable} inside the answer")
    return _without_constant(expr, variable)


def _checked(text: str, limits: Limits) -> str:
    # Before any pass over the text.
    if len(text) > limits.max_chars:
        raise ParseError("too_long", f"{len(text)} characters, at most {limits.max_chars}")
    return unwrap(text)


def _is_name(left: list[Token], variable: str) -> bool:
    """Return whether ``left`` reads ``F`` or ``F(x)`` under any letter but the variable."""
    if not left or left[0].kind != "sym" or left[0].text == variable:
        return False
    return len(left) == 1 or left[1:] == [Token("(", "("), Token("sym", variable), Token(")", "(")]


def _is_unnamed(left: list[Token], variable: str) -> bool:
    r"""Return whether ``left`` reads ``\int f(x) dx``, which claims no integrand."""
    return left[-1].kind == "dx" and len(left) == 6 and _is_name(left[1:-1], variable)


def _without_constant(expr: Expr, variable: str) -> Expr:
    foreign = symbols(expr) - {variable}
    if not foreign:
        return expr
    if len(foreign) > 1:
        raise ParseError("symbol", f"several symbols besides {variable}: {', '.join(sorted(foreign)[:4])}")
    (name,) = foreign
    found = _drop(expr, name, variable)
    if found is None:
        raise ParseError("symbol", f"{name} is neither the variable {variable} nor an added constant")
    return found


def _drop(expr: Expr, name: str, variable: str) -> Expr | None:
    """Return ``expr`` without the term that holds ``name``, or None when ``name`` occurs in another way.

    The term is ``c * name``, a function of ``name`` alone, or the factor in ``log|name * u|``, which is a term too.
    """
    if isinstance(expr, Sym):
        return ZERO
    if isinstance(expr, Add | Mul):
        parts = expr.terms if isinstance(expr, Add) else expr.factors
        holders = [at for at, part in enumerate(parts) if name in symbols(part)]
        if len(holders) != 1:
            return None
        (at,) = holders
        rest = _drop(parts[at], name, variable)
        others = (*parts[:at], *parts[at + 1 :])
        if rest is None or (isinstance(expr, Mul) and any(variable in symbols(p) for p in others)):
            return None
        return add(*others, rest) if isinstance(expr, Add) else mul(*others, rest)
    if not isinstance(expr, Call | Pow):
        return None
    if isinstance(expr, Call) and expr.name == "log" and variable in symbols(expr):
        inner = expr.arg.arg if isinstance(expr.arg, Call) and expr.arg.name == "abs" else expr.arg
        if isinstance(inner, Mul) and inner.factors.count(Sym(name)) == 1:
            rest = mul(*(factor for factor in inner.factors if factor != Sym(name)))
            if name not in symbols(rest):
                return call("log", rest if inner is expr.arg else call("abs", rest))
    if variable not in symbols(expr) and (isinstance(expr, Pow) or expr.name in ("log", "exp", "abs")):
        # One value stands for all: the derivative does not see it, and a definition that fails is found.
        return _with_value(expr, name)
    return None


def _with_value(expr: Expr, name: str) -> Expr:
    if isinstance(expr, Sym):
        return _SAMPLE if expr.name == name else expr
    if isinstance(expr, Add):
        return add(*(_with_value(term, name) for term in expr.terms))
    if isinstance(expr, Mul):
        return mul(*(_with_value(factor, name) for factor in expr.factors))
    if isinstance(expr, Pow):
        return power(_with_value(expr.base, name), _with_value(expr.exponent, name))
    if isinstance(expr, Call):
        return call(expr.name, _with_value(expr.arg, name))
    return expr


_SAMPLE: Final = Num(Fraction(3, 7))
