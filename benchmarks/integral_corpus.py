"""Pairs (integrand, antiderivative) for the integral benchmark: textbook lines and random ones.

Random pairs go the easy way: an antiderivative is drawn, and its derivative by the school rules is the integrand.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from rlvr_gym.verifiers.calculus import Expr, derivative, parse, parse_answer, render, size
from rlvr_gym.verifiers.calculus.tree import Add, Num, Sym, add, call, div, mul, num, power, root

X = Sym("x")

TEXTBOOK: tuple[tuple[str, str], ...] = (
    ("x^3 - 2x + 5", r"\frac{x^4}{4} - x^2 + 5x + C"),
    ("(2x+1)^7", "(2x+1)^8/16"),
    (r"\frac{1}{x^3}", "-1/(2x^2)"),
    (r"\sqrt{x}", r"\frac{2}{3}x^{3/2}"),
    (r"x\sqrt{x+1}", r"\frac{2}{5}(x+1)^{5/2} - \frac23 (x+1)^{3/2}"),
    ("1/x", r"\ln|x| + C"),
    ("1/(3x-2)", "ln|3x-2|/3"),
    ("x/(x^2+1)", "ln(x^2+1)/2"),
    ("1/(x^2-1)", "1/2 ln|(x-1)/(x+1)|"),
    ("1/(x^2+4)", "arctan(x/2)/2"),
    ("(x+3)/(x^2+2x+5)", "1/2 ln(x^2+2x+5) + arctan((x+1)/2)"),
    ("1/(x(x+1)^2)", "ln|x| - ln|x+1| + 1/(x+1)"),
    ("x^3/(x-1)", "x^3/3 + x^2/2 + x + ln|x-1|"),
    ("1/(x^3+x)", r"\ln|x| - \frac12 \ln(x^2+1)"),
    ("1/sqrt(1-x^2)", r"\arcsin x"),
    ("1/sqrt(4-9x^2)", "asin(3x/2)/3"),
    ("sqrt(1-x^2)", "(x sqrt(1-x^2) + asin(x))/2"),
    ("1/sqrt(x^2+1)", "asinh(x)"),
    ("1/sqrt(x^2+1)", "ln(x+sqrt(x^2+1))"),
    ("sqrt(x^2+1)", "x*sqrt(x^2+1)/2 + asinh(x)/2"),
    ("x^2/sqrt(1-x^2)", "asin(x)/2 - x sqrt(1-x^2)/2"),
    ("1/sqrt(x^2-1)", "ln|x+sqrt(x^2-1)|"),
    ("x e^x", "(x-1)e^x"),
    ("x^2 e^{-x}", "-(x^2+2x+2)e^{-x}"),
    ("e^{3x+1}", "e^{3x+1}/3"),
    ("2^x", "2^x/ln 2"),
    ("x e^{-x^2}", "-e^{-x^2}/2"),
    ("e^x/(1+e^x)", "ln(1+e^x)"),
    ("1/(1+e^x)", "x - ln(1+e^x)"),
    ("e^{2x} sin(3x)", "e^{2x}(2 sin(3x) - 3 cos(3x))/13"),
    ("e^x (sin x + cos x)", "e^x sin x"),
    (r"\ln x", r"x \ln x - x"),
    ("x ln x", "x^2 ln(x)/2 - x^2/4"),
    ("ln(x)^2", "x(ln(x)^2 - 2 ln(x) + 2)"),
    ("1/(x ln x)", "ln|ln x|"),
    ("ln(x)/x", r"\frac{\ln^2 x}{2}"),
    ("ln(x^2+1)", "x ln(x^2+1) - 2x + 2 arctan x"),
    ("x^x (1 + ln x)", "x^x"),
    ("sin x", "-cos x"),
    ("sin(3x) cos(5x)", "cos(2x)/4 - cos(8x)/16"),
    (r"\sin^2 x", r"\frac{x}{2} - \frac{\sin 2x}{4}"),
    ("cos(x)^3", "sin(x) - sin(x)^3/3"),
    ("sin(x)^4", "3x/8 - sin(2x)/4 + sin(4x)/32"),
    (r"\tan x", r"-\ln|\cos x|"),
    (r"\tan^2 x", r"\tan x - x"),
    (r"\sec x", r"\ln|\sec x + \tan x|"),
    (r"\sec^3 x", r"\frac12(\sec x\tan x + \ln|\sec x+\tan x|)"),
    ("1/(1+sin x)", "tan x - sec x"),
    ("1/(2+cos x)", r"\frac{2}{\sqrt 3}\arctan(\frac{\tan(x/2)}{\sqrt 3})"),
    ("x sin x", "sin x - x cos x"),
    ("x^2 cos x", "x^2 sin x + 2x cos x - 2 sin x"),
    ("sin(x)/(1+cos(x)^2)", "-atan(cos x)"),
    ("cos x/sqrt(1+sin(x)^2)", "asinh(sin x)"),
    ("sin(ln x)", "x(sin(ln x) - cos(ln x))/2"),
    ("arctan x", "x arctan x - ln(1+x^2)/2"),
    ("arcsin x", r"x\arcsin x + \sqrt{1-x^2}"),
    ("x arctan x", "(x^2+1)/2 arctan(x) - x/2"),
    ("arctan(x)/(1+x^2)", "arctan(x)^2/2"),
    ("sinh x", "cosh x"),
    ("tanh x", "ln(cosh x)"),
    ("x cosh x", "x sinh x - cosh x"),
    ("1/cosh(x)^2", "tanh x"),
    (r"\operatorname{sech} x", "2 arctan(e^x)"),
    ("cos(sqrt(x))/sqrt(x)", "2 sin(sqrt(x))"),
    ("e^{sqrt(x)}", "2(sqrt(x)-1)e^{sqrt(x)}"),
    ("1/(1+sqrt(x))", "2 sqrt(x) - 2 ln(1+sqrt(x))"),
    ("1/(x sqrt(x^2-1))", "arctan(sqrt(x^2-1))"),
    ("x^3/sqrt(x^2+1)", "(x^2-2) sqrt(x^2+1)/3"),
    ("1/(x^4+4)", "ln((x^2+2x+2)/(x^2-2x+2))/16 + (atan(x+1)+atan(x-1))/8"),
    ("|x|", "x|x|/2"),
    ("sqrt(1+cos x)", "2 sin(x)/sqrt(1+cos x)"),
    ("sqrt(e^x-1)", "2 sqrt(e^x-1) - 2 arctan(sqrt(e^x-1))"),
)  # fmt: skip

_FUNCTIONS = ("sin", "cos", "tan", "exp", "log", "atan", "sinh", "tanh", "sqrt", "asinh")


@dataclass(frozen=True, slots=True)
class Pair:
    """One pair as texts, with trees."""

    integrand: str
    answer: str
    integrand_tree: Expr
    answer_tree: Expr


def corpus(count: int, seed: int = 0) -> list[Pair]:
    """Return the textbook pairs and as many random ones as make ``count``."""
    rng = random.Random(seed)
    pairs = [_pair(f, parse(f), answer) for f, answer in TEXTBOOK][:count]
    seen = {pair.integrand for pair in pairs}
    while len(pairs) < count:
        tree = antiderivative(rng)
        slope = derivative(tree)
        text = render(slope)
        if slope == num(0) or text in seen or size(slope) > 120:
            continue
        seen.add(text)
        pairs.append(Pair(text, render(tree), slope, tree))
    return pairs


def _pair(integrand: str, tree: Expr, answer: str) -> Pair:
    return Pair(integrand, answer, tree, parse_answer(answer).expr)


def antiderivative(rng: random.Random) -> Expr:
    """Return a random sum of one to three products of elementary pieces."""
    terms = []
    for _ in range(rng.randint(1, 3)):
        factors = [_piece(rng, 2) for _ in range(rng.choice((1, 1, 2)))]
        terms.append(mul(num(rng.choice((-5, -3, -2, 1, 2, 3, 4, 7))), *factors))
    total = add(*terms)
    return div(total, num(rng.randint(2, 9))) if rng.random() < 0.3 else total


def _piece(rng: random.Random, depth: int) -> Expr:
    kind = rng.random()
    if depth == 0 or kind < 0.3:
        return power(X, num(rng.randint(1, 5)))
    if kind < 0.45:
        return power(_inner(rng, depth), num(rng.randint(-3, 4) or 2))
    name = rng.choice(_FUNCTIONS)
    inner = _inner(rng, depth)
    if name == "sqrt":
        return root(add(mul(inner, inner), num(rng.randint(1, 5))), 2)
    if name == "log":
        return call("log", add(mul(inner, inner), num(rng.randint(1, 5))))
    return call(name, inner)


def _inner(rng: random.Random, depth: int) -> Expr:
    if rng.random() < 0.6:
        return add(mul(num(rng.choice((-3, -2, -1, 1, 2, 3, 5))), X), num(rng.randint(-4, 4)))
    return add(_piece(rng, depth - 1), num(rng.randint(-2, 2)))


def mutants(pair: Pair, rng: random.Random) -> list[str]:
    """Return wrong answers near the right one; each differs from it by a function that is not constant."""
    tree = pair.answer_tree
    wrong = [
        add(tree, mul(num(rng.choice((-1, 1))), X)),
        mul(num(rng.choice((-1, 2, 3))), tree),
        add(tree, mul(parse("1e-15"), call("sin", X))),
        add(tree, mul(parse("1e-60"), power(X, num(2)))),
        add(tree, call("log", add(power(X, num(2)), num(1)))),
        add(tree, call("abs", add(X, parse("1/8")))),
    ]
    if isinstance(tree, Add):
        at = rng.randrange(len(tree.terms))
        if not isinstance(tree.terms[at], Num):
            wrong.append(add(*tree.terms[:at], mul(num(-1), tree.terms[at]), *tree.terms[at + 1 :]))
    return [render(mutant) for mutant in wrong]
