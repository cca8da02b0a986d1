"""The forms in which integrands and answers are written around a formula."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rlvr_gym.verifiers.calculus.lexer import END, Token, lex
from rlvr_gym.verifiers.calculus.limits import Limits, ParseError
from rlvr_gym.verifiers.calculus.parser import parse_tokens
from rlvr_gym.verifiers.calculus.tree import ZERO, Add, Expr, Mul, Sym, add, mul, symbols

_WRAPPERS: Final = (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"), ("`", "`"))
_DEFAULT = Limits()


@dataclass(frozen=True, slots=True)
class Answer:
    """An antiderivative without its constant, and the integrand it says it belongs to, if it says so."""

    expr: Expr
    claim: Expr | None = None


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
                text = text[len(left) : -len(right)].strip()
                break
        if text == before:
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


def parse_answer(text: str, variable: str = "x", limits: Limits = _DEFAULT) -> Answer:
    r"""Return the antiderivative of ``F``, ``F + C``, ``F(x) = F``, ``\int f dx = F``.

    The arbitrary constant may be any letter, with an index or not, but must be added, not multiplied.

    Raises:
        ParseError: outside the grammar, another use of a letter, or a chain of equations.
    """
    tokens = lex(_checked(text, limits), variable, limits)
    equals = [at for at, token in enumerate(tokens) if token.kind == "="]
    claim = None
    if len(equals) > 1:
        raise ParseError("equation", "a chain of equations")
    if equals:
        left, tokens = tokens[: equals[0]], tokens[equals[0] + 1 :]
        if left and left[0].kind == "int":
            claim = _integrand([*left, END], variable, limits)
        elif not _is_name(left, variable):
            raise ParseError("equation", "the left side names no antiderivative")
    # A dx left over at the end of an answer is a slip of the pen, one in its middle is not.
    if len(tokens) > 2 and tokens[-2].kind == "dx":
        tokens = [*tokens[:-2], END]
    if tokens[0].kind == "int":
        raise ParseError("integral_sign", "the answer is an integral")
    expr, differentials = parse_tokens(tokens, limits)
    if differentials:
        raise ParseError("syntax", f"d{variable} inside the answer")
    return Answer(_without_constant(expr, variable), claim)


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
    """Return ``expr`` without the term ``c * name``, or None when ``name`` occurs in another way."""
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
    return None
