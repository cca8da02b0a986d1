"""Whether two scalars have the same value: proven, refuted, or left open, but never wrong."""

import threading
import time
from fractions import Fraction

import mpmath
import pytest
import sympy

from rlvr_gym.verifiers.algebra import (
    Outcome,
    ball,
    compare,
    is_real_number,
    parse,
    same,
    same_by_algebra,
    value,
)

SAME, DIFFERENT, OPEN = Outcome.SAME, Outcome.DIFFERENT, Outcome.OPEN


def decide(left, right):
    """Decide both ways round, which must agree."""
    a, b = parse(left), parse(right)
    key = f"{left}\n{right}"
    found = same(a, b, key=key).outcome
    assert same(b, a, key=key).outcome is found
    return found


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("0.5", "1/2"),
        (r"0.\overline{9}", "1"),
        ("52_8", "42"),
        (r"\sqrt2+\sqrt3", r"\sqrt{5+2\sqrt6}"),
        (r"\sqrt6/\sqrt2", r"\sqrt3"),
        (r"\frac{1}{\sqrt2}", r"\frac{\sqrt2}{2}"),
        (r"\sqrt{12}", r"2\sqrt3"),
        (r"\sqrt2\sqrt3-\sqrt6", "0"),
        (r"\sqrt[3]{2+\sqrt5}+\sqrt[3]{2-\sqrt5}", "1"),
        (r"\sqrt[3]{-8}", "-2"),
        (r"(-8)^{1/3}", "-2"),
        (r"(-8)^{2/3}", "4"),
        (r"\sqrt{-4}", "2i"),
        ("1/i", "-i"),
        ("(1+i)^8", "16"),
        ("|3+4i|", "5"),
        (r"e^{i\pi}", "-1"),
        (r"e^{i\pi/3}", r"\frac12+\frac{\sqrt3}{2}i"),
        ("i^i", r"e^{-\pi/2}"),
        (r"\Re(1+2i)", "1"),
        (r"\overline{1+2i}", "1-2i"),
        (r"\arg(1+i)", r"\pi/4"),
        (r"\sin\pi", "0"),
        (r"\cos 15^\circ", r"\frac{\sqrt6+\sqrt2}{4}"),
        (r"\arctan\frac12+\arctan\frac13", r"\frac\pi4"),
        (r"4\arctan\frac15-\arctan\frac1{239}", r"\frac\pi4"),
        (r"\ln 8/\ln 2", "3"),
        (r"\log_2 8", "3"),
        (r"\log_4 8", "3/2"),
        (r"\log_{10} 1000", r"\lg 1000"),
        (r"\ln(2+\sqrt3)", r"\operatorname{arcosh} 2"),
        ("5!", "120"),
        ("7!!", "105"),
        (r"\Gamma(1/2)", r"\sqrt\pi"),
        (r"\left(\frac12\right)!", r"\frac{\sqrt\pi}2"),
        (r"\binom{10}{3}", "120"),
        ("C(1000000000, 1)", "1000000000"),
        ("3001!", "3001*3000!"),
        (r"\frac{2006!}{2004!}", "2006*2005"),
        ("2^(10^8)+1", "1+2^(10^8)"),
        ("2^(10^8)*2", "2^(10^8+1)"),
        (r"10^{-10^9}", r"1/10^{10^9}"),
        ("gcd(12, 18)", "6"),
        ("lcm(4, 6)", "12"),
        ("max(1, sqrt(2))", "sqrt(2)"),
        (r"\lfloor \pi \rfloor", "3"),
        (r"\lceil -\pi \rceil", "-3"),
        (r"\infty", "oo"),
        (r"-\infty", r"-1\infty"),
    ],
)
def test_equal_numbers_are_the_same(left, right):
    assert decide(left, right) is SAME


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("1/2004!", "1/2006!"),
        ("1/2^{99}", "1/2^{98}"),
        ("2^(10^8)+1", "2^(10^8)"),
        ("1000000000!", "1000000001!"),
        ("C(1000000000, 500000000)", "C(1000000000, 499999999)"),
        ("3001!+1", "3001!"),
        ("52_8", "52_7"),
        ("1-1/e", "1+1/e"),
        (r"e^{\pi\sqrt{163}}", "262537412640768744"),
        ("3.14159265358979323846264338327950288", r"\pi"),
        ("1." + "0" * 300 + "1", "1"),
        (r"\sqrt2\sqrt3-\sqrt6+10^{-300}", "0"),
        (r"(\sqrt2+10^{-30})(\sqrt2-10^{-30})", "2"),
        (r"(\sqrt2+10^{-60})(\sqrt2-10^{-60})", "2"),
        (r"\cos(10^{-100})", "1"),
        (r"\sin(10^{-50})", "10^{-50}"),
        (r"\arctan(10^{80})", r"\pi/2"),
        (r"|1+10^{-40}i|", "1"),
        (r"10^{-10^9}", "0"),
        ("i", "-i"),
        (r"\sqrt{-4}", "-2i"),
        (r"\infty", r"-\infty"),
        (r"\infty", "10^{100}"),
        ("10", "9.999999999"),
    ],
)
def test_different_numbers_are_told_apart(left, right):
    assert decide(left, right) is DIFFERENT


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("x+1", "1+x"),
        ("(x+1)^2", "x^2+2x+1"),
        ("(x^2-1)/(x-1)", "x+1"),
        ("(x+y)^{3}", "x^3+3x^2y+3xy^2+y^3"),
        ("(x+1)^{100000}", "(x+1)^{99999}(1+x)"),
        (r"\frac1x+\frac1y", r"\frac{x+y}{xy}"),
        (r"\tan x", r"\sin x/\cos x"),
        (r"\cos 2x", r"1-2\sin^2 x"),
        (r"\sin^2 x+\cos^2 x", "1"),
        (r"\sec^2 x-\tan^2 x", "1"),
        (r"\sin x\cos y+\cos x\sin y", r"\sin(x+y)"),
        (r"\cosh^2 x-\sinh^2 x", "1"),
        (r"\arcsin x+\arccos x", r"\pi/2"),
        (r"\arctan x+\operatorname{arccot} x", r"\pi/2"),
        ("e^{x+y}", "e^xe^y"),
        (r"2^{n+1}", r"2\cdot2^n"),
        (r"\log_4 x", r"\frac12\log_2 x"),
        (r"\ln(x^2)", r"2\ln x"),
        (r"\ln(x^2)", r"2\ln|x|"),
        (r"\sqrt{x^2}", "|x|"),
        (r"\sqrt{x^2y}", r"|x|\sqrt y"),
        (r"x^{1/3}", r"\sqrt[3]x"),
        (r"\sqrt{-1-x^2}", r"i\sqrt{1+x^2}"),
        (r"e^{ix}", r"\cos x+i\sin x"),
        (r"\max(x, y)", r"\frac{x+y+|x-y|}2"),
        (r"\frac{n!}{(n-1)!}", "n"),
        (r"\binom n2", r"\frac{n(n-1)}2"),
        (r"\binom nk", r"\binom n{n-k}"),
        (r"\cos n\pi", "(-1)^n"),
        (r"(-1)^{2n}", "1"),
        (r"z\overline z", "|z|^2"),
        ("a_1+a_2", "a_2+a_1"),
        (r"\lfloor x \rfloor + 1", r"1 + \lfloor x \rfloor"),
        (r"\frac{1-\cos x}{\sin x}", r"\tan\frac x2"),
    ],
)
def test_equal_functions_are_the_same(left, right):
    assert decide(left, right) is SAME


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("x", "y"),
        ("x", "1"),
        ("x+1", "x+1+10^{-200}"),
        (r"\sqrt{x^2}", "x"),
        ("|x|", "x"),
        ("|x-1000000|", "1000000-x"),
        (r"\sqrt{(x-5000)^2}", "5000-x"),
        (r"\ln x", r"\ln 2x"),
        (r"\sin x", r"\sin(x+10^{-30})"),
        ("x^{1000000}", "x^{1000001}"),
        (r"\overline z", "z"),
        (r"\lfloor x \rfloor", "x"),
        (r"\ln(-1-x^2)", r"\ln(1+x^2)"),
        (r"e^{x}", r"e^{-x}"),
        (r"\sin(2^{64}\pi x)^2+x", "x"),
        ("x_1", "x_2"),
        ("(-1)^n", "1"),
    ],
)
def test_different_functions_are_told_apart(left, right):
    assert decide(left, right) is DIFFERENT


@pytest.mark.parametrize(
    "text", ["1/0", "0/0", "0^0", "0^{-1}", r"\infty-\infty", r"\ln 0", "(-1)!", "1/(x-x)", "0*(1/0)"]
)
def test_what_has_no_value_equals_nothing(text):
    for other in ("0", "1", r"\infty", "x", text):
        assert decide(text, other) is DIFFERENT


@pytest.mark.parametrize(
    "text",
    [
        "9^{9^{9^9}}",
        "2^{10^8}+1",
        "1000000000!",
        "((100!)!)!",
        "10^{10^{10^{10}}}",
        r"\sin(10^{10^{10}})",
        "10^{-10^9}",
        "x^{2^{70}}",
    ],
)
def test_an_enormous_number_is_itself_at_once(text):
    started = time.process_time()
    assert decide(text, text) is SAME
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("9^{9^{9^9}}", "9^{9^{9^8}}"),
        (r"\sin(10^{10^{10}})", "0"),
        (r"\tanh(10^6)", "1"),
        (r"1+e^{-10^6}", "1"),
        ("((100!)!)!", "((100!)!)!+1"),
        (r"\min(3, \sqrt{3+y})", r"\min(3, \sqrt{3-e^{-1200}/3+y})"),
        (r"\max(y\arcsin y, x^6)", r"\max(y\arcsin y, x^{3+3\cos(10^{-30})})"),
        (r"\arcsin((\sqrt{\tan\pi})^2)", r"\arcsin((\sqrt{\tan\pi}+1/30!)^2)"),
        (r"\tanh(\sinh(y+\pi))", r"\tanh(\sinh(y+\pi)\cos(e^{-600}))"),
        (r"\tanh(x+\pi)^{\cosh y^2}", r"\tanh(x+\pi)^{\cosh(y^2-10^{-250})}"),
        (r"\lfloor x \rfloor", r"\lfloor x+1 \rfloor - 1"),
        (r"\lfloor x \rfloor", r"\lfloor x+10^{-9} \rfloor"),
        ("10^{10^{10^{10}}}", "10^{10^{10^{10}}}+1"),
    ],
)
def test_what_is_not_proven_is_never_accepted(left, right):
    started = time.process_time()
    assert decide(left, right) in (OPEN, DIFFERENT)
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("(-2)^{5/3}", r"(-2)^{5/3\cdot(\sin^2 1+\cos^2 1)}"),
        (r"\sqrt{\tan\pi}", "0"),
        (r"(-1)^{\sqrt2}", r"(-1)^{2^{1/2}}"),
        ("max(x^2, -1)", "x^2"),
        (r"e^{e^{e^{e^{x}}}}", r"e^{e^{e^{e^{x}}}}"),
    ],
)
def test_what_is_not_refuted_is_never_called_different(left, right):
    assert decide(left, right) in (OPEN, SAME)


def test_near_coincidences_found_by_lattice_reduction_are_told_apart():
    # Whole numbers for which a + b sqrt 2 + c sqrt 3 agrees with pi to 70 digits, from mpmath's integer relations.
    with mpmath.workdps(75):
        relation = mpmath.pslq(
            [mpmath.pi, mpmath.mpf(1), mpmath.sqrt(2), mpmath.sqrt(3)],
            maxcoeff=10**24,
            maxsteps=10**6,
            tol=mpmath.mpf(10) ** -50,
        )
        assert relation is not None
        top, one, two, three = relation
        text = f"-({one}+({two})*sqrt(2)+({three})*sqrt(3))/({top})"
        assert (
            abs(mpmath.pi + (one + two * mpmath.sqrt(2) + three * mpmath.sqrt(3)) / top)
            < mpmath.mpf(10) ** -45
        )
    assert decide(text, r"\pi") is DIFFERENT


def test_no_constant_passes_by_being_a_multiple_of_the_primes():
    # Fixed primes would be in some list; a product of many large primes must not count as 0.
    multiple = "*".join(str(sympy.prevprime(2**61 - 1000 * k)) for k in range(20))
    assert decide(f"2^(10^8)+{multiple}", "2^(10^8)") is DIFFERENT
    assert decide(f"x^(10^6)+{multiple}", "x^(10^6)") is DIFFERENT


def test_the_key_decides_nothing_but_the_points():
    a, b = parse(r"\cos 2x"), parse(r"1-2\sin^2 x")
    assert {same(a, b, key=str(k)).outcome for k in range(20)} == {SAME}


def test_value_is_exact_or_absent():
    assert value(parse(r"\frac{1}{3}+\frac16")) == Fraction(1, 2)
    assert value(parse(r"\sqrt{\frac49}")) == Fraction(2, 3)
    assert value(parse("2^{-3}")) == Fraction(1, 8)
    assert value(parse(r"\sqrt2")) is None
    assert value(parse("x")) is None
    assert value(parse("1/0")) is None
    assert value(parse("9^{9^{9^9}}")) is None


def test_balls_contain_the_value_and_need_a_number():
    with mpmath.workdps(40):
        found = ball(parse(r"\sqrt2+\pi"), 128)
        assert found is not None
        expected = mpmath.sqrt(2) + mpmath.pi
        assert abs(mpmath.mpf(found.real.mid().str(40, radius=False)) - expected) < mpmath.mpf(10) ** -35
    assert ball(parse("x"), 128) is None
    assert ball(parse("1/0"), 128) is None


def test_real_numbers_are_told_from_others():
    assert is_real_number(parse(r"\sqrt2"))
    assert is_real_number(parse(r"e^{i\pi}"))
    assert not is_real_number(parse("i"))
    assert not is_real_number(parse("x"))
    assert not is_real_number(parse("1/0"))
    assert not is_real_number(parse(r"\infty"))


@pytest.mark.parametrize(
    ("left", "right", "order"),
    [
        ("1/3", "0.333", 1),
        (r"\sqrt2", "1.41421356237309504880168872420969807857", -1),
        (r"\sqrt2+\sqrt3", r"\sqrt{5+2\sqrt6}", 0),
        (r"-\infty", "-10^{100}", -1),
        (r"\infty", r"\infty", 0),
        ("5", r"\infty", -1),
        ("i", "1", None),
        ("x", "1", None),
        ("x", r"\infty", None),
        ("1/0", "1", None),
        ("0^0", "0", None),
        (r"1+e^{-10^6}", "1", None),
    ],
)
def test_real_numbers_are_ordered_only_when_certain(left, right, order):
    assert compare(parse(left), parse(right)) == order
    assert compare(parse(right), parse(left)) == (None if order is None else -order)


def test_sympy_settles_some_of_what_is_open():
    assert same_by_algebra(parse(r"\lfloor x \rfloor"), parse(r"\lfloor x+1 \rfloor-1")).outcome is SAME
    assert same_by_algebra(parse(r"\sin^2(10^{99})+\cos^2(10^{99})"), parse("1")).outcome is SAME
    assert same_by_algebra(parse(r"\sqrt[3]{-8}"), parse("-2")).outcome is SAME
    assert same_by_algebra(parse(r"\sqrt{x^2}"), parse("|x|")).outcome is SAME


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (r"\sqrt{x^2}", "x"),
        ("1/0", "1/0"),
        (r"\infty", r"\infty"),
        ("1/2004!", "1/2006!"),
        (r"\overline z", "z"),
    ],
)
def test_sympy_accepts_nothing_wrong(left, right):
    assert same_by_algebra(parse(left), parse(right)).outcome is OPEN


def test_threads_agree():
    pairs = [
        (r"\sqrt2+\sqrt3", r"\sqrt{5+2\sqrt6}", SAME),
        (r"\cos(10^{-100})", "1", DIFFERENT),
        (r"\cos 2x", r"1-2\sin^2 x", SAME),
    ]
    wrong = []

    def work():
        for _ in range(20):
            wrong.extend(pair for pair in pairs if decide(*pair[:2]) is not pair[2])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
