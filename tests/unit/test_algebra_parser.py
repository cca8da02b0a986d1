"""Reading scalars: LaTeX, plain text and Unicode give the same trees, and nothing outside the grammar gets in."""

from fractions import Fraction

import pytest

from rlvr_gym.verifiers.algebra import (
    Add,
    Based,
    Call,
    Const,
    Limits,
    Mul,
    Num,
    ParseError,
    Pow,
    Sym,
    parse,
    parse_items,
    render,
    value,
)

X = Sym("x")


def num(top, bottom=1):
    return Num(Fraction(top, bottom))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("42", num(42)),
        ("-42", num(-42)),
        ("+42", num(42)),
        ("3/4", num(3, 4)),
        (r"\frac{3}{4}", num(3, 4)),
        (r"\dfrac34", num(3, 4)),
        (r"\frac{-3}{4}", num(-3, 4)),
        (r"3 \over 4", num(3, 4)),
        ("0.75", num(3, 4)),
        (".75", num(3, 4)),
        ("75.", num(75)),
        ("１２", num(12)),
        ("−3", num(-3)),
        ("6.022e23", num(6022 * 10**20)),
        ("1e-3", num(1, 1000)),
        ("1,234,567", num(1234567)),
        ("1{,}234", num(1234)),
        (r"1\,234", num(1234)),
        ("1 234 567", num(1234567)),
        ("1,234.5", num(2469, 2)),
        (r"0.\overline{3}", num(1, 3)),
        (r"0.1\overline{6}", num(1, 6)),
        ("0.(3)", num(1, 3)),
        (r"2.\overline{142857}", num(15, 7)),
        ("½", num(1, 2)),
        ("52_8", Based("52", 8)),
        ("1011_{2}", Based("1011", 2)),
        ("A3_{16}", Based("A3", 16)),
        (r"101_{\text{two}}", Based("101", 2)),
        ("π", Const("pi")),
        (r"\infty", Const("inf")),
        ("x²", Pow(X, num(2))),
        ("x**2", Pow(X, num(2))),
        ("√2", Pow(num(2), num(1, 2))),
        (r"\sqrt[3]{2}", Pow(num(2), num(1, 3))),
        ("∛2", Pow(num(2), num(1, 3))),
        ("x_1", Sym("x_1")),
        ("x_{12}", Sym("x_12")),
        ("x₁", Sym("x_1")),
        ("x1", Sym("x_1")),
        (r"\theta", Sym("theta")),
        ("θ", Sym("theta")),
        (r"\left|x\right|", Call("abs", (X,))),
        ("|x|", Call("abs", (X,))),
        (r"\lfloor x \rfloor", Call("floor", (X,))),
        ("⌈x⌉", Call("ceil", (X,))),
        ("x!", Call("factorial", (X,))),
        ("x!!", Call("double_factorial", (X,))),
        (r"\binom52", Call("binom", (num(5), num(2)))),
        ("C(5, 2)", Call("binom", (num(5), num(2)))),
        ("{}_{5}C_{2}", Call("binom", (num(5), num(2)))),
        ("5C2", Call("binom", (num(5), num(2)))),
        (r"5 \choose 2", Call("binom", (num(5), num(2)))),
        ("exp(x)", Pow(Const("e"), X)),
        (r"\log_2 x", Call("log", (X, num(2)))),
        (r"\log_2x", Call("log", (X, num(2)))),
        (r"\log_{10}(x)", Call("log", (X, num(10)))),
        ("log(x, 2)", Call("log", (X, num(2)))),
        ("log10(x)", Call("log", (X, num(10)))),
        (r"\lg x", Call("log", (X, num(10)))),
        ("math.sin(x)", Call("sin", (X,))),
        (r"\overline{z}", Call("conj", (Sym("z"),))),
        (r"\operatorname{arcsin} x", Call("asin", (X,))),
        (r"\mathrm{e}", Const("e")),
    ],
)
def test_one_value_one_tree(text, expected):
    assert parse(text) == expected


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("1/2x", "(1/2)*x"),
        ("2^-1", "2^(-1)"),
        ("-2^2", "-(2^2)"),
        ("2^3^2", "2^(3^2)"),
        ("2^3!", "2^(3!)"),
        ("2e-3", "2*e - 3"),
        ("2e^x", "2*(e^x)"),
        (r"\sin 2x", "sin(2x)"),
        (r"\sin 2xy", "sin(2xy)"),
        (r"\cos n\pi", "cos(n*pi)"),
        (r"\cos \pi n", "cos(pi n)"),
        (r"\sin x\cos x", "sin(x)*cos(x)"),
        (r"\sin x(y+1)", "sin(x)*(y+1)"),
        (r"\sin^2 x", "sin(x)^2"),
        (r"\sin^{-1} x", "arcsin(x)"),
        (r"\sin\frac{\pi}{4}", "sin(pi/4)"),
        (r"\ln 2 + 1", "ln(2) + 1"),
        (r"\ln|x|", "ln(abs(x))"),
        (r"\frac12x", "(1/2)*x"),
        (r"\frac1{72}", "1/72"),
        (r"\frac x2", "x/2"),
        (r"\binom n2", "binom(n, 2)"),
        (r"\sqrt2x", "sqrt(2)*x"),
        (r"\sqrt12", "sqrt(12)"),
        ("2pir", "2*pi*r"),
        ("2 π r", "2*pi*r"),
        ("sinx", "sin(x)"),
        ("xy", "x*y"),
        ("abcd", "a*b*c*d"),
        ("(x+1)(x-1)", "(x+1)*(x-1)"),
        ("(2)(3)4", "2*3*4"),
        ("||x|-1|", "abs(abs(x)-1)"),
        ("|x||y|", "abs(x)*abs(y)"),
        (r"30^\circ", "30*pi/180"),
        ("30°", "30*pi/180"),
        ("2½", "(2+1/2)"),
        ("x÷y×z", "x/y*z"),
        (r"x \cdot y", "x*y"),
        (r"{x \over y} + 1", "x/y + 1"),
        ("a--b", "a+b"),
        (r"\left(\dfrac{x}{y}\right)^{2}", "(x/y)^2"),
        (r"\mathbf{x}+\,y", "x+y"),
        (r"\begin{vmatrix} a & b \\ c & d \end{vmatrix}", "a*d - b*c"),
        (r"5P2", "binom(5,2)*2!"),
        ("6x10^3", "6*10^3"),
        ("6.02 x 10^{23}", "6.02*10^23"),
        ("6x^3", "6*x^3"),
        (r"\max\{1, x\}", "max(1, x)"),
        (r"10,\! 080", "10080"),
    ],
)
def test_readings_where_writers_differ(left, right):
    assert parse(left) == parse(right)


def test_a_mixed_number_is_a_product_unless_asked_for():
    assert value(parse(r"2\frac13")) == Fraction(2, 3)
    assert value(parse(r"2\frac13", mixed=True)) == Fraction(7, 3)
    assert value(parse(r"-2\frac{1}{3}", mixed=True)) == Fraction(-7, 3)
    assert value(parse("2 1/3", mixed=True)) == Fraction(7, 3)
    assert value(parse(r"2\frac{4}{3}", mixed=True)) == Fraction(8, 3)
    assert value(parse(r"2\frac43", mixed=True)) == Fraction(8, 3)
    with pytest.raises(ParseError, match="syntax"):
        parse("2 1/3")


def test_commas_group_digits_or_separate():
    assert parse("1,234") == num(1234)
    assert parse_items("1,234") == (num(1), num(234))
    assert parse("1,23").items == (num(1), num(23))
    assert parse("1, 234").items == (num(1), num(234))
    assert parse("(1,234)").items == (num(1), num(234))
    assert parse(r"\frac{1,234}{2}") == num(617)


def test_words_become_symbols_only_when_asked_for():
    with pytest.raises(ParseError, match="unknown_name"):
        parse(r"\text{speed}")
    assert parse(r"\text{speed}", names=True) == Sym("speed")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("1 +", "syntax"),
        ("(1", "syntax"),
        ("1)", "syntax"),
        ("(1}", "syntax"),
        ("2 3", "syntax"),
        ("x = ", "syntax"),
        (r"\frac{1}", "syntax"),
        ("52_5", "syntax"),
        ("sin", "syntax"),
        ("sin(1, 2)", "syntax"),
        ("(1,2)+3", "syntax"),
        ("[1]]", "syntax"),
        ("Monday", "unknown_name"),
        (r"\foo", "unknown_name"),
        ("5%", "character"),
        ("5 $", "character"),
        ("x\x00", "character"),
        ("٣", "character"),
        ("5 🙂", "character"),
        ("__import__('os')", "unknown_name"),
        ("(lambda: 1)()", "syntax"),
        ("x.real", "character"),
        ("1" * 1001, "too_many_digits"),
        ("1e1001", "too_many_digits"),
        ("0e1000000000", "too_many_digits"),
        ("0.(" + "3" * 1000 + ")", "too_many_digits"),
        ("1" * 5000, "too_long"),
        ("1+" * 400 + "1", "too_large"),
        ("(" * 50 + "1" + ")" * 50, "too_deep"),
        ("2^" * 50 + "2", "too_deep"),
        ("x" + "!" * 100, "too_deep"),
        (r"\sqrt" * 50 + "2", "too_deep"),
        ("sin " * 50 + "x", "too_deep"),
    ],
)
def test_what_is_outside_the_grammar_says_why(text, code):
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert caught.value.code == code


def test_limits_can_be_set():
    assert isinstance(parse("1" * 1500, limits=Limits(max_digits=2000)), Num)
    with pytest.raises(ParseError, match="too_large"):
        parse("1+1+1", limits=Limits(max_nodes=4))


@pytest.mark.parametrize(
    "text",
    [
        "(-1)*2*x",
        "-x*(-1)",
        "1*x^(-1)",
        "2*(1/3)*x/4",
        "x*(-2)*y",
        "a-(b+c)-(-3)",
        "-(a+b)",
        "(x^2)^(-1)",
        "(-2)^x",
        "x^(1/2)/2",
        "log(x, 3)!",
        r"\alpha_1 \beta x_{max}",
        "(n)!!^2",
        "52_8+1",
        "max(x, 1, 2)",
        "-1/3",
        "¼¼",
        "(-1/4)*(1/3)",
    ],
)
def test_printing_and_reading_gives_the_same_tree(text):
    tree = parse(text)
    assert parse(render(tree)) == tree


def test_printed_text_is_what_a_person_would_write():
    assert render(parse(r"\frac{x^2}{2} - 3\sin x")) == "x^2/2 - 3*sin(x)"
    assert render(parse(r"\frac{\sqrt6+\sqrt2}{4}")) == "(sqrt(6) + sqrt(2))/4"


def test_trees_are_hashable_and_cannot_be_changed():
    tree = parse("x+1")
    assert tree == Add((X, num(1)))
    assert len({tree, parse("x + 1"), Mul((X, num(1)))}) == 2
    with pytest.raises(AttributeError):
        tree.terms = ()
