"""Families of elementary integrands with an antiderivative each, by level of difficulty; texts, no algebra system."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from rlvr_gym.envs.table_terms import antiderivative, draw_terms, integrand

Rng: TypeAlias = np.random.Generator
Terms: TypeAlias = Sequence[tuple[int | Fraction, str]]
"""Summands: a coefficient and what it multiplies, ``""`` for a constant."""


@dataclass(frozen=True, slots=True)
class Pair:
    """An integrand with one of its antiderivatives, in plain notation."""

    integrand: str
    antiderivative: str


@dataclass(frozen=True, slots=True)
class Family:
    """Integrands of one form."""

    name: str
    level: int
    draw: Callable[[Rng], Pair]


FAMILIES: dict[str, Family] = {}
"""Every family by name, in order of level."""
LEVELS = 5


def families(min_level: int, max_level: int) -> list[Family]:
    """Return the families of these levels, both included."""
    return [family for family in FAMILIES.values() if min_level <= family.level <= max_level]


def written(terms: Terms) -> str:
    """Return a sum as plain text.

    Example:
        >>> written([(Fraction(3, 2), "x^2"), (-1, "sin(x)"), (4, "")])
        '3*x^2/2 - sin(x) + 4'
    """
    text = ""
    for coefficient, factor in terms:
        value = Fraction(coefficient)
        if value == 0:
            continue
        size = abs(value)
        if not factor:
            part = str(size)
        else:
            part = factor if size.numerator == 1 else f"{size.numerator}*{factor}"
            part += f"/{size.denominator}" if size.denominator != 1 else ""
        if not text:
            text = f"-{part}" if value < 0 else part
        else:
            text += f" - {part}" if value < 0 else f" + {part}"
    return text or "0"


def power(base: str, exponent: int) -> str:
    """Return ``base^exponent``, 1 as the empty text, so that ``written`` makes a constant of it."""
    if exponent == 0:
        return ""
    return base if exponent == 1 else f"{base}^{exponent}"


def scaled(factor: int, inner: str = "x") -> str:
    """Return ``factor*inner`` for use as an argument."""
    return written([(factor, inner)])


def shifted(factor: int, shift: int) -> str:
    """Return ``factor*x + shift``."""
    return written([(factor, "x"), (shift, "")])


def _family(name: str, level: int) -> Callable[[Callable[[Rng], Pair]], Callable[[Rng], Pair]]:
    def decorate(draw: Callable[[Rng], Pair]) -> Callable[[Rng], Pair]:
        FAMILIES[name] = Family(name, level, draw)
        return draw

    return decorate


def _pair(integrand: Terms, antiderivative: Terms) -> Pair:
    return Pair(written(integrand), written(antiderivative))


def _positive(rng: Rng, most: int) -> int:
    return int(rng.integers(1, most + 1))


def _nonzero(rng: Rng, most: int) -> int:
    return _positive(rng, most) * (1 if rng.random() < 0.5 else -1)


@_family("monomial", 1)
def _monomial(rng: Rng) -> Pair:
    c, n = _nonzero(rng, 9), int(rng.integers(2, 10))
    return _pair([(c * n, power("x", n - 1))], [(c, power("x", n))])


@_family("polynomial", 1)
def _polynomial(rng: Rng) -> Pair:
    count = int(rng.integers(2, 4))
    exponents = sorted(rng.choice(np.arange(1, 7), size=count, replace=False).tolist(), reverse=True)
    terms = [(_nonzero(rng, 5), n) for n in exponents]
    return _pair([(c * n, power("x", n - 1)) for c, n in terms], [(c, power("x", n)) for c, n in terms])


@_family("exponential", 2)
def _exponential(rng: Rng) -> Pair:
    a, c = _nonzero(rng, 6), _nonzero(rng, 6)
    body = f"exp({scaled(a)})"
    return _pair([(c * a, body)], [(c, body)])


@_family("sine", 2)
def _sine(rng: Rng) -> Pair:
    a, c = _positive(rng, 7), _nonzero(rng, 6)
    return _pair([(c * a, f"sin({scaled(a)})")], [(-c, f"cos({scaled(a)})")])


@_family("cosine", 2)
def _cosine(rng: Rng) -> Pair:
    a, c = _positive(rng, 7), _nonzero(rng, 6)
    return _pair([(c * a, f"cos({scaled(a)})")], [(c, f"sin({scaled(a)})")])


@_family("reciprocal", 2)
def _reciprocal(rng: Rng) -> Pair:
    a, b, c = _positive(rng, 5), _nonzero(rng, 9), _nonzero(rng, 5)
    inner = shifted(a, b)
    return Pair(f"{c * a}/({inner})", written([(c, f"ln(abs({inner}))")]))


@_family("root", 2)
def _root(rng: Rng) -> Pair:
    a, b, c = _positive(rng, 4), _positive(rng, 9), _nonzero(rng, 5)
    inner = shifted(a, b)
    return _pair([(3 * c * a, f"sqrt({inner})")], [(2 * c, f"({inner})^(3/2)")])


@_family("linear_power", 2)
def _linear_power(rng: Rng) -> Pair:
    a, b, n = int(rng.integers(2, 6)), _nonzero(rng, 9), int(rng.integers(3, 8))
    base = f"({shifted(a, b)})"
    return _pair([(1, f"{base}^{n}")], [(Fraction(1, a * (n + 1)), f"{base}^{n + 1}")])


@_family("table_sum", 2)
def _table_sum(rng: Rng) -> Pair:
    terms = draw_terms(rng)
    return Pair(integrand(terms), antiderivative(terms))


@_family("chain_exp", 3)
def _chain_exp(rng: Rng) -> Pair:
    a, k, c = _nonzero(rng, 5), int(rng.integers(2, 5)), _nonzero(rng, 4)
    body = f"exp({scaled(a, power('x', k))})"
    return _pair([(c * a * k, f"{power('x', k - 1)}*{body}")], [(c, body)])


@_family("chain_trig", 3)
def _chain_trig(rng: Rng) -> Pair:
    a, k, c = _positive(rng, 5), int(rng.integers(2, 5)), _nonzero(rng, 4)
    inner, outer = scaled(a, power("x", k)), power("x", k - 1)
    if rng.random() < 0.5:
        return _pair([(c * a * k, f"{outer}*cos({inner})")], [(c, f"sin({inner})")])
    return _pair([(c * a * k, f"{outer}*sin({inner})")], [(-c, f"cos({inner})")])


@_family("chain_log", 3)
def _chain_log(rng: Rng) -> Pair:
    a, b, c = _positive(rng, 5), _positive(rng, 9), _nonzero(rng, 5)
    inner = written([(a, "x^2"), (b, "")])
    return Pair(f"{scaled(2 * a * c)}/({inner})", written([(c, f"ln({inner})")]))


@_family("trig_power", 3)
def _trig_power(rng: Rng) -> Pair:
    a, n = _positive(rng, 4), int(rng.integers(2, 6))
    s, c = f"sin({scaled(a)})", f"cos({scaled(a)})"
    share = Fraction(1, a * (n + 1))
    if rng.random() < 0.5:
        return _pair([(1, f"{s}^{n}*{c}")], [(share, f"{s}^{n + 1}")])
    return _pair([(1, f"{c}^{n}*{s}")], [(-share, f"{c}^{n + 1}")])


@_family("log_power", 3)
def _log_power(rng: Rng) -> Pair:
    n, c = int(rng.integers(1, 5)), _nonzero(rng, 6)
    return _pair([(c, f"{power('ln(x)', n)}/x")], [(Fraction(c, n + 1), f"ln(x)^{n + 1}")])


@_family("chain_root", 3)
def _chain_root(rng: Rng) -> Pair:
    a, b, c = _positive(rng, 5), _positive(rng, 9), _nonzero(rng, 4)
    inner = written([(a, "x^2"), (b, "")])
    return _pair([(3 * a * c, f"x*sqrt({inner})")], [(c, f"({inner})^(3/2)")])


@_family("parts_exp", 4)
def _parts_exp(rng: Rng) -> Pair:
    a, c = _nonzero(rng, 5), _nonzero(rng, 5)
    body = f"exp({scaled(a)})"
    inner = written([(Fraction(c, a), "x"), (-Fraction(c, a * a), "")])
    return Pair(written([(c, f"x*{body}")]), f"({inner})*{body}")


@_family("parts_exp_square", 4)
def _parts_exp_square(rng: Rng) -> Pair:
    a = _nonzero(rng, 4)
    body = f"exp({scaled(a)})"
    inner = written([(Fraction(1, a), "x^2"), (-Fraction(2, a**2), "x"), (Fraction(2, a**3), "")])
    return Pair(f"x^2*{body}", f"({inner})*{body}")


@_family("parts_trig", 4)
def _parts_trig(rng: Rng) -> Pair:
    a, c = _positive(rng, 6), _nonzero(rng, 5)
    s, o = f"sin({scaled(a)})", f"cos({scaled(a)})"
    if rng.random() < 0.5:
        return _pair([(c, f"x*{o}")], [(Fraction(c, a), f"x*{s}"), (Fraction(c, a * a), o)])
    return _pair([(c, f"x*{s}")], [(-Fraction(c, a), f"x*{o}"), (Fraction(c, a * a), s)])


@_family("parts_log", 4)
def _parts_log(rng: Rng) -> Pair:
    n, c = int(rng.integers(0, 6)), _nonzero(rng, 6)
    raised = power("x", n + 1)
    return _pair(
        [(c, f"{power('x', n)}*ln(x)" if n else "ln(x)")],
        [(Fraction(c, n + 1), f"{raised}*ln(x)"), (-Fraction(c, (n + 1) ** 2), raised)],
    )


@_family("exp_times_trig", 4)
def _exp_times_trig(rng: Rng) -> Pair:
    a, b = _nonzero(rng, 4), _positive(rng, 5)
    e, s, o = f"exp({scaled(a)})", f"sin({scaled(b)})", f"cos({scaled(b)})"
    norm = a * a + b * b
    if rng.random() < 0.5:
        return Pair(f"{e}*{s}", f"{e}*({written([(a, s), (-b, o)])})/{norm}")
    return Pair(f"{e}*{o}", f"{e}*({written([(a, o), (b, s)])})/{norm}")


@_family("partial_fractions", 5)
def _partial_fractions(rng: Rng) -> Pair:
    a, b = sorted(rng.choice(np.arange(-9, 10), size=2, replace=False).tolist())
    left, right = shifted(1, a), shifted(1, b)
    share = Fraction(1, b - a)
    return Pair(
        f"1/({_factor(left)}*{_factor(right)})",
        written([(share, f"ln(abs({left}))"), (-share, f"ln(abs({right}))")]),
    )


def _factor(sum_: str) -> str:
    return f"({sum_})" if " " in sum_ else sum_


@_family("arctangent", 5)
def _arctangent(rng: Rng) -> Pair:
    a, c = _positive(rng, 7), _nonzero(rng, 6)
    inner = "x" if a == 1 else f"x/{a}"
    return Pair(f"{c * a}/({written([(1, 'x^2'), (a * a, '')])})", written([(c, f"arctan({inner})")]))


@_family("arcsine", 5)
def _arcsine(rng: Rng) -> Pair:
    a, c = _positive(rng, 7), _nonzero(rng, 6)
    inner = "x" if a == 1 else f"x/{a}"
    return Pair(f"{c}/sqrt({written([(a * a, ''), (-1, 'x^2')])})", written([(c, f"arcsin({inner})")]))


@_family("trig_square", 5)
def _trig_square(rng: Rng) -> Pair:
    a, c = _positive(rng, 6), _nonzero(rng, 5)
    name, sign = ("sin", -1) if rng.random() < 0.5 else ("cos", 1)
    return _pair(
        [(4 * c, f"{name}({scaled(a)})^2")],
        [(2 * c, "x"), (sign * Fraction(c, a), f"sin({scaled(2 * a)})")],
    )


@_family("mixed", 5)
def _mixed(rng: Rng) -> Pair:
    pool = families(3, 4)
    first, second = (pool[i] for i in rng.choice(len(pool), size=2, replace=False).tolist())
    one, two = first.draw(rng), second.draw(rng)
    return Pair(_added(one.integrand, two.integrand), _added(one.antiderivative, two.antiderivative))


def _added(one: str, two: str) -> str:
    if not two.startswith("-"):
        return f"{one} + {two}"
    return f"{one} + ({two})" if " " in two else f"{one} - {two[1:]}"
