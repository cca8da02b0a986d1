"""Reading what is no scalar: lists, tuples, sets, intervals, relations, matrices, ratios, plus-minus signs."""

from fractions import Fraction

import pytest

from rlvr_gym.verifiers.algebra import (
    All,
    Any,
    Brackets,
    Chain,
    Const,
    Intersection,
    Interval,
    ListOf,
    Matrix,
    Minus,
    NamedSet,
    Num,
    ParseError,
    Ratio,
    Relation,
    SetBuilder,
    SetOf,
    Sym,
    TupleOf,
    Union,
    parse,
    render,
)

X, Y = Sym("x"), Sym("y")
ONE, TWO, THREE, FOUR = (Num(Fraction(n)) for n in (1, 2, 3, 4))
INFINITY = Const("inf")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1, 2, 3", ListOf((ONE, TWO, THREE))),
        ("1; 2; 3", ListOf((ONE, TWO, THREE))),
        ("1, 2, and 3", ListOf((ONE, TWO, THREE))),
        (r"1 \text{ and } 2", ListOf((ONE, TWO))),
        ("1 or 2", Any((ONE, TWO))),
        (r"x=1 \text{ or } x=2", Any((Relation("=", X, ONE), Relation("=", X, TWO)))),
        ("x=1, y=2", ListOf((Relation("=", X, ONE), Relation("=", Y, TWO)))),
        ("x=1 and y=2", All((Relation("=", X, ONE), Relation("=", Y, TWO)))),
        ("(1, 2)", TupleOf((ONE, TWO))),
        (r"\left(1, 2, 3\right)", TupleOf((ONE, TWO, THREE))),
        (r"\langle 1, 2 \rangle", TupleOf((ONE, TWO))),
        ("<1, 2>", TupleOf((ONE, TWO))),
        (r"\{1, 2\}", SetOf((ONE, TWO))),
        (r"\left\{1, 2\right\}", SetOf((ONE, TWO))),
        ("{1, 2}", SetOf((ONE, TWO))),
        (r"\{\}", SetOf(())),
        (r"\emptyset", SetOf(())),
        (r"\varnothing", SetOf(())),
        ("∅", SetOf(())),
        ("{}", SetOf(())),
        ("[1, 2]", Interval(ONE, TWO, True, True)),
        ("[1, 2)", Interval(ONE, TWO, True, False)),
        ("(1, 2]", Interval(ONE, TWO, False, True)),
        ("]1, 2[", Interval(ONE, TWO, False, False)),
        ("[1, 2[", Interval(ONE, TWO, True, False)),
        ("]1, 2]", Interval(ONE, TWO, False, True)),
        (r"[1, \infty)", Interval(ONE, INFINITY, True, False)),
        ("[1, 2, 3]", Brackets((ONE, TWO, THREE))),
        (
            r"[1,2] \cup (3, 4]",
            Union((Interval(ONE, TWO, True, True), Interval(THREE, FOUR, False, True))),
        ),
        ("(1,2) U (3,4)", Union((TupleOf((ONE, TWO)), TupleOf((THREE, FOUR))))),
        ("(1,2)∪(3,4)", Union((TupleOf((ONE, TWO)), TupleOf((THREE, FOUR))))),
        (
            r"[1,3] \cap [2,4]",
            Intersection((Interval(ONE, THREE, True, True), Interval(TWO, FOUR, True, True))),
        ),
        (r"\mathbb{R} \setminus \{1\}", Minus(NamedSet("R"), SetOf((ONE,)))),
        ("ℤ", NamedSet("Z")),
        (r"x \in [1, 2]", Relation("in", X, Interval(ONE, TWO, True, True))),
        (r"\{x \mid x > 1\}", SetBuilder(X, Relation(">", X, ONE))),
        (r"\{x : x > 1\}", SetBuilder(X, Relation(">", X, ONE))),
        (r"x \le 2", Relation("<=", X, TWO)),
        ("x ≥ 2", Relation(">=", X, TWO)),
        (r"x \neq 2", Relation("!=", X, TWO)),
        ("1 < x <= 2", Chain((ONE, X, TWO), ("<", "<="))),
        ("x = 1 = 2 = 3", Chain((X, ONE, TWO, THREE), ("=", "=", "="))),
        ("1:2:3", Ratio((ONE, TWO, THREE))),
        ("[[1, 2], [3, 4]]", Matrix(((ONE, TWO), (THREE, FOUR)))),
        (r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}", Matrix(((ONE, TWO), (THREE, FOUR)))),
        (r"\begin{bmatrix} 1 \\ 2 \end{bmatrix}", Matrix(((ONE,), (TWO,)))),
        (
            r"\left[\begin{array}{cc} 1 & 2 \\ 3 & 4 \\ \end{array}\right]",
            Matrix(((ONE, TWO), (THREE, FOUR))),
        ),
        ("[[1], [2]]", Matrix(((ONE,), (TWO,)))),
    ],
)
def test_one_structure_one_tree(text, expected):
    assert parse(text) == expected


@pytest.mark.parametrize(
    ("text", "items"),
    [
        (r"\pm 2", ("2", "-2")),
        (r"1 \pm \sqrt 2", ("1+sqrt(2)", "1-sqrt(2)")),
        (r"\frac{-1 \pm \sqrt5}{2}", ("(-1+sqrt(5))/2", "(-1-sqrt(5))/2")),
        (r"\pm 1, 5", ("1", "-1", "5")),
        (r"\frac12 \pm \frac34", ("1/2+3/4", "1/2-3/4")),
        (r"\pm 1, \pm 2", ("1", "-1", "2", "-2")),
        (r"1 \pm 2 \mp 3", ("1+2-3", "1-2+3")),
        ("1 +/- 2", ("1+2", "1-2")),
    ],
)
def test_a_plus_minus_sign_gives_two_items(text, items):
    assert parse(text) == ListOf(tuple(map(parse, items)))


def test_a_plus_minus_sign_reaches_out_of_brackets():
    assert parse(r"\{\pm 1\}") == SetOf((ONE, Num(Fraction(-1))))
    assert parse(r"x = \pm 1") == Any((Relation("=", X, ONE), Relation("=", X, Num(Fraction(-1)))))
    assert parse(r"(\pm 1, 2)") == ListOf((TupleOf((ONE, TWO)), TupleOf((Num(Fraction(-1)), TWO))))


@pytest.mark.parametrize(
    "text",
    [
        "[1, 2",
        "[1, 2, 3)",
        "(1, 2, 3]",
        "((1,2), 3]",
        r"\begin{pmatrix} 1 & 2 \\ 3 \end{pmatrix}",
        r"\begin{pmatrix} 1 \end{bmatrix}",
        r"\begin{vmatrix} 1 & 2 \end{vmatrix}",
        r"\begin{cases} 1 \end{cases}",
        "1, , 2",
        "x <",
        "1:",
        r"\{1, 2",
        "{1, 2) ",
        "[[1, 2], 3]",
        "|(1, 2)|",
        r"\sqrt{1, 2}",
        "(1,2)^2",
        r"2 \{1\}",
    ],
)
def test_broken_structures_are_refused(text):
    with pytest.raises(ParseError):
        parse(text)


def test_a_number_times_a_matrix_multiplies_every_entry():
    half = parse(r"\frac12 \begin{pmatrix} x \\ 1 \end{pmatrix}")
    assert half == Matrix(((parse("1/2*x"),), (parse("1/2*1"),)))


def test_structures_print_in_plain_text():
    for text in (
        r"\{1, 2\}",
        "(0, 1] \\cup [2, inf)",
        "[[1, 2], [3, 4]]",
        "1 < x <= 2",
        "x in \\mathbb{R}",
        "1 : 2",
    ):
        assert render(parse(text)) == text


def test_nested_plus_minus_signs_stay_cheap():
    text = r"\{" * 15 + ",".join([r"\pm 1"] * 15) + r",\pm 1\}" * 15
    parse(text)
