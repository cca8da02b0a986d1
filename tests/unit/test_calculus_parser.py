"""What the parser reads, how it prints it back, and what it refuses."""

from __future__ import annotations

import pytest

from rlvr_gym.verifiers.calculus import (
    Limits,
    ParseError,
    depth,
    parse,
    parse_answer,
    parse_integrand,
    render,
    size,
    symbols,
)

READ = [
    # Numbers are exact.
    ("0.25", "1/4"),
    (".5x", "1/2*x"),
    ("2e3", "2000"),
    ("1e-3x", "1/1000*x"),
    ("2.x", "2*x"),
    # Products without a sign.
    ("x(x+1)", "x*(x + 1)"),
    ("3(x+1)(x-2)", "3*(x + 1)*(x - 2)"),
    ("xsinx", "x*sin(x)"),
    ("sinx cosx", "sin(x)*cos(x)"),
    ("x e^x", "x*exp(x)"),
    ("2pix", "2*pi*x"),
    ("x|x|", "x*abs(x)"),
    # Quotients go from left to right.
    ("1/2x", "1/2*x"),
    ("1/2x^2", "1/2*x^2"),
    ("x/2/3", "1/6*x"),
    ("1/x/y", "1/x/y"),
    ("1/(2x)", "1/(2*x)"),
    # Powers.
    ("-x^2", "-x^2"),
    ("2^-x", "2^(-x)"),
    ("x^2^3", "x^8"),
    ("(x^2)^3", "(x^2)^3"),
    ("x**2", "x^2"),
    ("x^12", "x^12"),
    ("e^x", "exp(x)"),
    ("e^-2x", "exp(-2)*x"),
    ("e", "e"),
    ("exp(1)", "exp(1)"),
    ("x^(1/2)", "sqrt(x)"),
    ("x^0", "x^0"),
    ("x**-1", "1/x"),
    # Functions without brackets.
    ("sin 2x", "sin(2*x)"),
    ("sin 2pi x", "sin(2*pi*x)"),
    ("sin x cos x", "sin(x)*cos(x)"),
    ("sin x/2", "1/2*sin(x)"),
    ("sin x^2", "sin(x^2)"),
    ("sin(x)^2", "sin(x)^2"),
    ("sin^2 x", "sin(x)^2"),
    ("sin^2(3x)", "sin(3*x)^2"),
    ("sin^-2 x", "1/sin(x)^2"),
    ("sin^{-1} x", "asin(x)"),
    ("tanh^-1(x)", "atanh(x)"),
    ("ln x e^x", "log(x)*exp(x)"),
    ("ln ln x", "log(log(x))"),
    ("ln -x", "log(-x)"),
    ("ln|x|", "log(abs(x))"),
    ("log_2 x", "log(x)/log(2)"),
    ("log_{10}(x)", "log(x)/log(10)"),
    ("sqrt x", "sqrt(x)"),
    ("sqrt(x+1)", "sqrt(x + 1)"),
    ("cbrt(x)", "x^(1/3)"),
    ("arcsin x + asin x + arcosh x", "asin(x) + asin(x) + acosh(x)"),
    ("arsinh(x)", "asinh(x)"),
    ("cosec x", "csc(x)"),
    ("||x|-1|", "abs(abs(x) - 1)"),
    ("Abs(x)", "abs(x)"),
    # LaTeX.
    (r"\frac{1}{2}x", "1/2*x"),
    (r"\frac12 x", "1/2*x"),
    (r"\dfrac x{x+1}", "x/(x + 1)"),
    (r"\sqrt[3]{x}", "x^(1/3)"),
    (r"\sqrt{x}", "sqrt(x)"),
    (r"\sin^{2}{x}", "sin(x)^2"),
    (r"\sin^{-1}\left(\frac{x}{2}\right)", "asin(1/2*x)"),
    (r"\ln\left|x+1\right|", "log(abs(x + 1))"),
    (r"\ln\lvert x\rvert", "log(abs(x))"),
    (r"x\cdot e^{-x}\,", "x*exp(-x)"),
    (r"\operatorname{arcsinh}(x)", "asinh(x)"),
    (r"\mathrm{e}^{x}", "exp(x)"),
    (r"\arctan x", "atan(x)"),
    (r"\left(x\right)^{2}", "x^2"),
    (r"{x}^{\frac{1}{2}}", "sqrt(x)"),
    (r"2\pi x", "2*pi*x"),
    (r"\bigl(x+1\bigr)", "x + 1"),
    # Other characters for the same things.
    ("−x", "-x"),
    ("x·x×x", "x*x*x"),
    ("π x", "pi*x"),
    ("√x", "sqrt(x)"),
    ("√(x+1)", "sqrt(x + 1)"),
    ("x²", "x^2"),
    ("x⁻¹²", "1/x^12"),
    ("sin²x", "sin(x)^2"),
    ("½x", "1/2*x"),
    ("log10(x)", "log(x)/log(10)"),
    ("log2(x)", "log(x)/log(2)"),
    ("log 2x", "log(2*x)"),
    ("１２ｘ", "12*x"),
    ("\U0001d465^2", "x^2"),
    ("x\u200b+\u00a01", "x + 1"),
    # Nothing undefined is simplified away.
    ("0*(1/0)", "0/0"),
    ("x/x", "x/x"),
    ("x - x", "x - x"),
]


@pytest.mark.parametrize(("text", "plain"), READ)
def test_a_formula_is_read_as_documented(text: str, plain: str) -> None:
    tree = parse(text)
    assert render(tree) == plain
    assert parse(plain) == tree


REFUSED = [
    ("", "empty"),
    ("   ", "empty"),
    ("(x", "syntax"),
    ("x)", "syntax"),
    ("(x]", "syntax"),
    ("x+", "syntax"),
    ("*x", "syntax"),
    ("x2", "syntax"),
    ("2 3", "syntax"),
    ("(x)2", "syntax"),
    ("|x", "syntax"),
    (".", "syntax"),
    ("sin", "syntax"),
    ("ln^-1 x", "syntax"),
    ("exp^{-1}(x)", "syntax"),
    ("x!", "character"),
    ("x'", "character"),
    ("x<1", "character"),
    ("x;y", "character"),
    ("10%", "character"),
    ("45°", "character"),
    ("x\0", "character"),
    ("x٣", "character"),
    ("x३", "character"),
    ("х^2", "character"),
    ("x≤1", "character"),
    ("2½x", "character"),
    (r"\text{hello}", "word"),
    ("x\ud800", "character"),
    (r"\foo x", "word"),
    (r"\infty", "word"),
    (r"\text{if } x", "word"),
    (r"\pm x", "word"),
    (r"\\ x", "syntax"),
    ("x=1", "equation"),
    ("x, x^2", "list"),
    ("x + \\int x", "integral_sign"),
    ("x_1", "syntax"),
    ("1" * 401, "digits"),
    ("1e500", "digits"),
    ("1e99999", "digits"),
    ("x" * 4001, "too_long"),
    ("+".join("x" * 500), "too_large"),
    ("(" * 200 + "x" + ")" * 200, "too_deep"),
    ("x^" * 200 + "x", "too_deep"),
    ("e^" * 200 + "x", "too_deep"),
    ("\\frac{1}{" * 300 + "x" + "}" * 300, "too_deep"),
    ("\\frac" * 700, "too_deep"),
    ("\\sqrt" * 600 + " x", "too_deep"),
    ("sin " * 600 + "x", "too_deep"),
    ("|" * 3000, "too_deep"),
]


@pytest.mark.parametrize(
    ("text", "code"), REFUSED, ids=[f"{i}-{code}" for i, (_, code) in enumerate(REFUSED)]
)
def test_what_is_outside_the_grammar_is_refused_with_a_code(text: str, code: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert caught.value.code == code
    assert str(caught.value).startswith(f"{code}: ")


def test_many_signs_need_no_stack() -> None:
    assert parse("-" * 3999 + "x") == parse("-x")


def test_limits_are_settings() -> None:
    limits = Limits(max_chars=50, max_nodes=5, max_depth=3, max_digits=2)
    assert parse("x+1", limits=limits)
    for text in ("x+1+x+x^2", "sin(cos(x+1))", "123x", "x" + " " * 50):
        with pytest.raises(ParseError):
            parse(text, limits=limits)


def test_size_depth_and_symbols_by_hand() -> None:
    # Add(Mul(2, x), Call(sin, Pow(x, 2))): 1 + 3 + (1 + 3) nodes, four levels.
    tree = parse("2x + sin(x^2)")
    assert size(tree) == 8
    assert depth(tree) == 4
    assert symbols(parse("a x + b")) == {"a", "x", "b"}


def test_a_variable_may_be_any_letter() -> None:
    assert render(parse("t sin t", variable="t")) == "t*sin(t)"
    assert render(parse(r"\theta^2", variable="theta")) == "theta^2"
    assert parse("tsint", variable="t") == parse("t*sin(t)", variable="t")


@pytest.mark.parametrize(
    "text",
    [
        "x^2 dx",
        r"\int x^2 dx",
        r"\int x^2\,dx",
        "∫ x² dx",
        r"$\int x^2 \mathrm{d}x$",
        r"\[x^2\]",
        "x^2.",
        r"\int dx x^2",
    ],
)
def test_an_integrand_may_carry_sign_and_differential(text: str) -> None:
    assert parse_integrand(text) == parse("x^2")


def test_a_differential_may_stand_in_a_numerator() -> None:
    assert parse_integrand(r"\int \frac{dx}{x}") == parse("1/x")
    assert parse_integrand(r"\int \frac{x\,dx}{x+1}") == parse("x/(x+1)")


@pytest.mark.parametrize(
    "text", [r"\int x", "x dx dx", r"\int \int x dx dx", r"\int_0^1 x dx", "a x", "x + C", "x = 1"]
)
def test_an_integrand_is_one_formula_in_the_variable(text: str) -> None:
    with pytest.raises(ParseError):
        parse_integrand(text)


@pytest.mark.parametrize(
    "text",
    [
        "x^2/2", "x^2/2 + C", "C + x^2/2", "x^2/2 - c", "x^2/2 + C_1", "x^2/2 + C_{2}", "x^2/2+C1", "x^2/2 + C₁", r"x^2/2 + \mathcal{C}\;.", "x^2/2 + k",
        "x^2/2 + const", r"x^2/2 + \mathrm{constant}", r"\frac{x^2}{2} + \text{const}", "(x^2 + C)/2", "x^2/2 + 2C",
        "x^2/2 dx", "F(x) = x^2/2 + C", "F = x^2/2", "y = x^2/2", r"\int x dx = x^2/2 + C",
    ],
)  # fmt: skip
def test_an_answer_sheds_its_constant_and_its_left_side(text: str) -> None:
    assert parse_answer(text).expr == parse("x^2/2")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("C x", "symbol"),
        ("x^C", "symbol"),
        ("e^(C) x", "symbol"),
        ("sin(C) + x", "symbol"),
        ("C(x)", "symbol"),
        ("x (x + C)", "symbol"),
        ("x + a + b", "symbol"),
        ("x + C + C", "symbol"),
        ("x^2/2 or x^3", "symbol"),
        ("hello", "symbol"),
        ("F(t) = x", "symbol"),
        ("x=x=x=x=x=x", "equation"),
        (r"\int x dx", "integral_sign"),
        (r"x + \int x dx", "integral_sign"),
        ("x dx + 1", "syntax"),
        ("[x^2/2, x^3]", "list"),
    ],
)
def test_an_answer_is_one_formula_with_at_most_an_added_constant(text: str, code: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_answer(text)
    assert caught.value.code == code


def test_every_side_of_a_chain_is_an_answer() -> None:
    answer = parse_answer(r"\int 2x dx = x^2 + C = (x^2) = x x")
    assert answer.claim == parse("2x")
    assert answer.others == (parse("x^2"), parse("x^2"))
    assert parse_answer("= x").expr == parse("x")
