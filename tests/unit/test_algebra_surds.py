"""Square roots have one form, and towers that no ball holds are told from small numbers."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlvr_gym.verifiers.algebra import Add, Mul, Num, Outcome, Pow, parse, same
from rlvr_gym.verifiers.algebra.kept import Kept
from rlvr_gym.verifiers.algebra.surds import surd
from rlvr_gym.verifiers.algebra.towers import double_log
from rlvr_gym.verifiers.algebra.tree import HALF


def form(text: str) -> dict[int, Fraction] | None:
    found = surd(parse(text))
    return None if found is None else {root: Fraction(int(x.p), int(x.q)) for root, x in found.items()}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (r"\sqrt{12}", {3: 2}),
        (r"\frac{1}{\sqrt{8}}", {2: Fraction(1, 4)}),
        (r"\sqrt{\frac{3}{5}}", {15: Fraction(1, 5)}),
        (r"(1+\sqrt2)^2", {1: 3, 2: 2}),
        (r"(1+\sqrt2)(1-\sqrt2)", {1: -1}),
        (r"\sqrt6\sqrt{10}", {15: 2}),
        (r"2^{3/2}", {2: 2}),
        (r"\sqrt2-\sqrt2", {}),
    ],
)
def test_a_form_worked_by_hand(text, wanted):
    assert form(text) == wanted


@pytest.mark.parametrize(
    "text",
    [r"\sqrt{-1}", r"\sqrt{x}", r"\sqrt[3]{2}", r"\sqrt{1+\sqrt2}", r"\frac{1}{1+\sqrt2}", r"0\cdot\frac10", r"\pi", r"0^0"],
)  # fmt: skip
def test_another_number_has_no_form(text):
    assert form(text) is None


@given(
    st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 200)), min_size=1, max_size=5),
    st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 200)), min_size=1, max_size=5),
)
def test_a_product_of_sums_has_the_value_of_its_form(left, right):
    def total(parts):
        terms = [Mul((Num(Fraction(a)), Pow(Num(Fraction(b)), HALF))) for a, b in parts]
        return Add((Num(Fraction(1)), *terms))

    found = surd(Mul((total(left), total(right))))
    if found is None:
        # More roots than are followed.
        return
    value = math.prod(1 + sum(a * math.sqrt(b) for a, b in parts) for parts in (left, right))
    # No sum here is larger than 9 * 5 * 15.
    assert sum(float(x) * math.sqrt(root) for root, x in found.items()) == pytest.approx(value, abs=1e-6)


def test_a_difference_in_the_fortieth_digit_is_seen():
    a = parse(r"\sqrt2+10^{-40}")
    assert same(a, parse(r"\sqrt{2}"), key="k").outcome is Outcome.DIFFERENT
    assert same(a, parse(r"10^{-40}+\frac{2}{\sqrt2}"), key="k").outcome is Outcome.SAME


@pytest.mark.parametrize(
    ("text", "log"),
    [("2^(2^5)", 5), ("9^(9^9)", math.log2(9**9 * math.log2(9))), ("5!", math.log2(math.log2(120)))],
)
def test_the_bound_of_a_tower_is_below_it(text, log):
    bound = double_log(parse(text))
    assert bound is not None
    assert bound <= log


@pytest.mark.parametrize("text", ["x^9", "1-9^9", "(1/2)^9", "9^(-9)", r"\sin 9"])
def test_what_may_be_small_has_no_bound(text):
    assert double_log(parse(text)) is None


@pytest.mark.parametrize("tower", ["9^9^9^9", "(9^9^9^98765)!", "3+2^(2^(2^(2^7)))"])
def test_a_tower_is_no_small_number(tower):
    for small in ("42", r"\sqrt2", r"\pi^{100}", "0"):
        assert same(parse(tower), parse(small), key="k").outcome is Outcome.DIFFERENT
        assert same(parse(small), parse(tower), key="k").outcome is Outcome.DIFFERENT


def test_two_towers_are_left_open():
    assert same(parse("9^9^9^9"), parse("8^9^9^9"), key="k").outcome is Outcome.OPEN


def test_what_is_kept_is_bounded_and_never_mixed_up():
    asked = []

    def work(expr):
        asked.append(expr)
        return expr.value

    kept = Kept(work, lambda value: value != 7)
    numbers = [Num(Fraction(n)) for n in range(5000)]
    assert [kept(number) for number in numbers] == list(range(5000))
    assert kept(numbers[-1]) == 4999
    assert len(asked) == 5000
    # An equal expression is another one, and what does not fit is worked out again.
    assert [kept(Num(Fraction(4999))), kept(numbers[7]), kept(numbers[7])] == [4999, 7, 7]
    assert len(asked) == 5003
    assert len(kept._known) <= 4096
