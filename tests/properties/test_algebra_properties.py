"""Claims about every text and every tree: bounded, symmetric, and never a wrong answer."""

import time
from fractions import Fraction

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rlvr_gym.verifiers.algebra import (
    Add,
    Based,
    Call,
    Const,
    Limits,
    Mul,
    Num,
    Outcome,
    ParseError,
    Pow,
    Sym,
    compare,
    is_real_number,
    parse,
    parse_items,
    render,
    same,
    value,
)
from rlvr_gym.verifiers.algebra.tree import add, div, mul, neg

SCALARS = (Num, Const, Sym, Based, Add, Mul, Pow, Call)
WIDE = Limits(max_chars=100_000, max_nodes=20_000, max_depth=100, max_digits=4000)

PIECES = [
    *"0123456789xyneiC+-*/^!()[]{},;:|_=<>&. ",
    *[
        r"\frac",
        r"\sqrt",
        r"\sin",
        r"\cos",
        r"\ln",
        r"\log",
        r"\tan",
        r"\pi",
        r"\pm",
        r"\infty",
        r"\cup",
        r"\{",
        r"\}",
        r"\left(",
        r"\right)",
        r"\binom",
        r"\overline{3}",
        r"^\circ",
    ],
    *[
        "9^{9^9}",
        "1000000000",
        "1e1000",
        "52_8",
        "max(",
        "floor(",
        "factorial(",
        "and",
        "or",
        "\\text{and}",
        "\\\\",
        "\\lfloor",
        "\\rfloor",
    ],
    r"\begin{pmatrix}",
    r"\end{pmatrix}",
    "π",
    "²",
    "½",
    "−",
    "√",
    "１",
    "٣",
    "\u0305",
    "\x00",
]
texts = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=40).map("".join))

names = st.sampled_from(["x", "y", "a_1", "theta"]).map(Sym)
numbers = st.fractions(min_value=-50, max_value=50, max_denominator=12).map(Num)
leaves = st.one_of(names, numbers, st.sampled_from([Const("pi"), Const("e")]))


def grow(inner):
    return st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(add),
        st.tuples(inner, inner).map(lambda pair: mul(*pair)),
        st.tuples(inner, inner).map(lambda pair: div(*pair)),
        inner.map(neg),
        st.tuples(inner, st.integers(2, 4)).map(lambda pair: Pow(pair[0], Num(Fraction(pair[1])))),
        st.tuples(
            st.sampled_from(["sin", "cos", "abs", "ln", "atan", "factorial", "double_factorial"]), inner
        ).map(lambda pair: Call(pair[0], (pair[1],))),
        inner.map(lambda base: Pow(base, Num(Fraction(1, 2)))),
    )


trees = st.recursive(leaves, grow, max_leaves=10)

polynomials = st.recursive(
    st.one_of(names, numbers),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(add),
        st.tuples(inner, inner).map(lambda pair: mul(*pair)),
        st.tuples(inner, st.integers(2, 3)).map(lambda pair: Pow(pair[0], Num(Fraction(pair[1])))),
    ),
    max_leaves=8,
)
# Sums, products and squares of functions that are defined everywhere.
entire = st.recursive(
    st.one_of(
        names, numbers, names.map(lambda x: Call("sin", (x,))), names.map(lambda x: Pow(Const("e"), x))
    ),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(add),
        st.tuples(inner, inner).map(lambda pair: mul(*pair)),
    ),
    max_leaves=6,
)


@settings(max_examples=400, deadline=None)
@given(texts)
def test_any_text_is_parsed_or_refused_in_bounded_time(text):
    started = time.process_time()
    for read in (parse, parse_items, lambda t: parse(t, mixed=True, names=True)):
        try:
            node = read(text)
        except ParseError:
            continue
        else:
            if isinstance(node, SCALARS):
                assert same(node, node, key=text).outcome in Outcome
                value(node)
                is_real_number(node)
                compare(node, node)
    assert time.process_time() - started < 10


@settings(max_examples=300, deadline=None)
@given(texts)
def test_what_was_parsed_prints_to_the_same_tree(text):
    try:
        node = parse(text)
    except ParseError:
        return
    if isinstance(node, SCALARS):
        assert parse(render(node), limits=WIDE) == node


@settings(max_examples=300, deadline=None)
@given(trees)
def test_any_tree_prints_to_a_text_of_the_same_value(tree):
    # A tree that no text has, such as a product of -1 and a number, may come back in another form.
    again = parse(render(tree), limits=WIDE)
    assert parse(render(again), limits=WIDE) == again
    assert (
        same(tree, again, key="print").outcome is not Outcome.DIFFERENT
        or same(tree, tree, key="print").outcome is Outcome.DIFFERENT
    )


@settings(max_examples=200, deadline=None)
@given(trees, trees)
def test_the_order_of_a_pair_does_not_matter(a, b):
    assert same(a, b, key="pair").outcome is same(b, a, key="pair").outcome
    forward, backward = compare(a, b), compare(b, a)
    assert (forward is None) == (backward is None)
    assert forward is None or forward == -backward


@settings(max_examples=200, deadline=None)
@given(trees, trees)
def test_a_pair_is_never_both_the_same_and_ordered(a, b):
    order = compare(a, b)
    if order is not None:
        outcome = same(a, b, key="order").outcome
        assert outcome is not (Outcome.SAME if order else Outcome.DIFFERENT)


@settings(max_examples=200, deadline=None)
@given(polynomials, polynomials, polynomials)
def test_the_laws_of_arithmetic_are_seen(a, b, c):
    for left, right in (
        (mul(a, add([b, c])), add([mul(a, b), mul(a, c)])),
        (
            Pow(add([a, b]), Num(Fraction(2))),
            add([Pow(a, Num(Fraction(2))), mul(Num(Fraction(2)), mul(a, b)), mul(b, b)]),
        ),
        (add([a, b, c]), add([c, neg(neg(b)), a])),
    ):
        assert same(left, right, key="laws").outcome is Outcome.SAME


@settings(max_examples=200, deadline=None)
@given(polynomials, st.fractions(max_denominator=1000))
def test_a_changed_constant_is_seen(a, change):
    assume(change != 0)
    assert same(a, add([a, Num(change)]), key="change").outcome is Outcome.DIFFERENT


@settings(max_examples=150, deadline=None)
@given(entire, entire, st.integers(-3, 3), st.integers(0, 40))
def test_a_changed_constant_is_seen_through_functions(a, b, sign, zeros):
    left, right = mul(a, b), mul(b, a)
    assert same(left, right, key="rewrite").outcome is not Outcome.DIFFERENT
    assume(sign != 0)
    changed = add([right, Num(Fraction(sign, 10**zeros))])
    assert same(left, changed, key="change").outcome is not Outcome.SAME


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_surds_multiply_out(m, n):
    left = parse(f"(sqrt({m})+sqrt({n}))^2")
    assert same(left, parse(f"{m + n}+2sqrt({m * n})"), key="surds").outcome is Outcome.SAME
    assert same(left, parse(f"{m + n}+2sqrt({m * n + 1})"), key="surds").outcome is Outcome.DIFFERENT
