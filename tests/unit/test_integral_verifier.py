"""Right, wrong and crafted answers to integrals, each with the reason it is judged as it is."""

from __future__ import annotations

import pytest

from rlvr_gym.config import ConfigError
from rlvr_gym.errors import TaskError
from rlvr_gym.types import Json, Status, Task, Verdict
from rlvr_gym.verifiers.integral import IntegralConfig, integral, integral_by_algebra

DEFAULT = IntegralConfig()


def judge(integrand: Json, answer: str, **settings: object) -> Verdict:
    config = IntegralConfig.model_validate(settings) if settings else DEFAULT
    return integral(Task(id="t", prompt="", reference=integrand), answer, config)


RIGHT = [
    ("x", "x^2/2", "plain"),
    ("x", r"\frac{x^2}{2} + C", "LaTeX with its constant"),
    ("x", r"\boxed{\frac{x^{2}}{2}+C}", "in a box"),
    ("x", r"So the answer is $\boxed{x^2/2}$.", "a box in a sentence"),
    ("x", "<answer>x^2/2</answer>", "in a tag"),
    ("x", "Some words.\nAnswer: x^2/2 + C", "on a line"),
    ("x", "**Final answer:** $x^2/2$", "on a line in bold"),
    ("x", "<think>x^3?</think>x^2/2", "after the thinking"),
    ("x", "no opening tag </think> x^2/2", "after thinking that the prompt began"),
    ("x", r"answer is \boxed{x^3}. wait \boxed{x^2/2}", "the last box counts"),
    ("x", r"\boxed{x^2/2} and so \boxed{x^2/2}", "a repeated box is no hedge"),
    ("x", "Answer: x^2/2\nSo the answer is $x^2/2$.", "nor is a repeated statement"),
    ("x", r"\fbox{x^2/2}", "the other box"),
    ("x", r"\int x \, dx = \frac{x^2}{2} + C", "an equation with the problem on the left"),
    ("x", "F(x) = x^2/2 + C", "an equation with a name on the left"),
    ("x", "x^2/2 + 10^40", "a large constant is a constant"),
    ("x", "x^2/2 + sin(1)^2 - e^pi", "so is an ugly one"),
    ("x", "(x^2+C)/2", "a constant inside a bracket"),
    ("x", "(x+1)^2/2 - x", "differs by a constant"),
    ("x", "x^2/2 + sin(x)^2 + cos(x)^2", "differs by an identity"),
    ("x", "0.5x²", "superscript digits"),
    ("x", "１/２ x^2", "full-width digits"),
    ("x dx", "x^2/2", "a differential in the reference"),
    (r"\int x\,dx", "x^2/2", "an integral sign in the reference"),
    ("1/x", "ln|x|", "the textbook logarithm"),
    ("1/x", "log x", "complex for negative x, with the right derivative"),
    ("1/x", "log(-x)", "the same"),
    ("1/x", "ln(3x)", "a factor inside is a constant"),
    ("1/x", "log(x^2)/2", "even in x"),
    ("1/x", "ln|x| + |x|/x", "another constant on each side of a pole"),
    ("1/(1+x^2)", "arctan x", "table"),
    ("1/(1+x^2)", "-arctan(1/x)", "differs by a constant on each side"),
    ("1/(1+x^2)", "arctan((1+x)/(1-x))", "the same"),
    ("1/(1+x^2)", "-arccot x", "the branch of arccot does not matter"),
    ("1/sqrt(1-x^2)", "arcsin x", "domain -1 to 1"),
    ("1/sqrt(1-x^2)", "-arccos x", "the other one"),
    ("1/sqrt(x^2-1)", "ln|x + sqrt(x^2-1)|", "both branches of the domain"),
    ("1/(x^2-1)", "-atanh(x)", "complex outside -1 to 1, with the right derivative"),
    ("sqrt(x^2)", "x sqrt(x^2)/2", "x|x|/2 in disguise"),
    ("|x|", "x|x|/2", "abs is compared at real points only"),
    ("|x|", "x^3/(2|x|)", "sign written as a quotient"),
    ("|cos x|", "|cos x| tan x", "right on every piece; jumps are another level"),
    ("sqrt(1+cos x)", "2 sin(x)/sqrt(1+cos x)", "kinks that no polynomial gives"),
    ("x^(1/3)", r"\frac34 x^{4/3}", "principal roots on both sides"),
    (r"\sqrt[3]{x}", "3/4 x^(4/3)", "a root and a power are the same"),
    ("sqrt(x-1000)", "2/3 (x-1000)^(3/2)", "a domain far from 0"),
    ("sqrt(1-10^6 x^2)", "x sqrt(1-10^6 x^2)/2 + asin(1000x)/2000", "a narrow domain"),
    ("1/x^3", "-1/(2x^2)", "a pole"),
    ("x^x (1+ln x)", "x^x", "a variable exponent"),
    ("2^x", "2^x/ln 2", "another base"),
    ("ln x", r"x\ln x - x", "parts"),
    ("e^x sin x", "e^x (sin x - cos x)/2", "parts twice"),
    (r"\sec x", r"\ln|\sec x + \tan x|", "the classical surprise"),
    (r"\sin^2 x", r"\frac{x}{2} - \frac{\sin 2x}{4}", "half angles"),
    ("x^64 + x", "x^65/65 + x^2/2", "terms of very different size"),
    ("sin(10^30 x)", "-cos(10^30 x)/10^30", "needs more than double precision"),
    ("1/(1+e^(30x))", "x - ln(1+e^(30x))/30", "cancels for large x"),
    ("tanh(100x)", "ln(cosh(100x))/100", "saturates for large x"),
    ("0", "5 + C", "the derivative of a constant"),
    ("3", "3x", "a constant"),
    ("1/(2+cos x)", "2 arctan(tan(x/2)/sqrt(3))/sqrt(3)", "jumps at odd multiples of pi, as every table has it"),
    ("sqrt(e^x-1)", "2 sqrt(e^x-1) - 2 arctan(sqrt(e^x-1))", "real for positive x only"),
    ("cos(x)/sqrt(1-sin(x)^2)", "asin(sin x)", "a zigzag that is right on every piece"),
    ("1/(x^4+4)", "ln((x^2+2x+2)/(x^2-2x+2))/16 + (atan(x+1)+atan(x-1))/8", "partial fractions"),
]  # fmt: skip


@pytest.mark.parametrize(("integrand", "answer", "why"), RIGHT, ids=[why for *_, why in RIGHT])
def test_a_right_answer_passes(integrand: str, answer: str, why: str) -> None:
    verdict = judge(integrand, answer)
    assert verdict.passed, verdict
    assert verdict.reason.startswith("agrees")


WRONG = [
    # Plain mistakes.
    ("x", "x^2", "a lost factor"),
    ("x", "x", "the problem as its own answer"),
    ("x", "-x^2/2", "a lost sign"),
    ("x", "x^2/2 + x", "a term too many"),
    ("x", "0", "nothing"),
    ("x", "C", "only the constant"),
    ("x", "7", "a number"),
    ("1/x", "ln(x)/x", "another table entry"),
    ("1/(1+x^2)", "arctan(x)/(1+x^2)", "a product of both"),
    ("sin x", "cos x", "the sign of the sine"),
    ("e^(2x)", "e^(2x)", "a lost inner derivative"),
    ("1/sqrt(1-x^2)", "arccos x", "the wrong one of two"),
    ("ln x", "1/x", "the derivative instead"),
    ("x^2", "0.3333333333x^3", "a decimal is exact"),
    ("pi", "3.14159265358979x", "so is this one"),
    # Tiny differences.
    ("x", "x^2/2 + 10^-15 sin x", "far below what floats see"),
    ("x", "x^2/2 + x/10^100", "below 160 bits"),
    ("x", "x^2/2 + 10^-300 x", "below 480 bits"),
    ("x", "x^2/2 (1 + 10^-300)", "the same as a factor"),
    ("1/x", "10^300 x^(10^-300)", "a power that looks like a logarithm"),
    ("cos x", "sin(x + 10^-200)", "a small phase"),
    ("x^2", "x^3/3 + 10^-40 sin(10^40 x)", "small and fast: its derivative is not small"),
    ("1", "x cosh(10^-150)", "a factor that rounds to 1"),
    ("x", "x^2/2 + exp(-300)x", "a small exponential"),
    # Right in some places only.
    ("sqrt(x^2)", "x^2/2", "right for positive x"),
    ("|x|", "x^2/2", "the same"),
    ("|x|", "-x^2/2", "right for negative x"),
    ("x", "x|x|/2", "right for positive x"),
    ("1/sqrt(x^2-1)", "arcosh x", "right for x > 1, of the wrong sign below -1"),
    ("1", "|x|", "right for positive x"),
    ("1", "asin(sin x)", "right on every other piece"),
    ("cos x", "sqrt(sin(x)^2)", "right where the sine is positive"),
    ("x", "x^2/2 + (|x-1000| + x - 1000)", "right below 1000"),
    ("x", "x^2/2 + |x-10^30| + x", "right above 10^30"),
    ("x", "x^2/2 + |x-10^390| + x - 10^390", "right below 10^390"),
    ("x", "x^2/2 + |x-500pi| + x - 500pi", "right below 500 pi"),
    ("x", "x^2/2 + sqrt((x^2-1000pi)^2) + x^2 - 1000pi", "right below the root of 1000 pi"),
    ("x", "x^2/2 + |x-1| - 2|x-1.0000001| + |x-1.0000002|", "wrong on an interval of width 2e-7"),
    ("x", "x^2/2 + sqrt((x-3)^2) + x - 3", "a root of a square as a switch"),
    ("x", "x^2/2 + ((x-50)^2)^(3/2) + (x-50)^3", "a power of a square as a switch"),
    ("x", "x^2/2 + |(x-1000)^15| + (x-1000)^15", "a switch in a power"),
    ("x", "x^2/2 + |e^x - e^50| + e^x - e^50", "a switch that is no polynomial"),
    ("x", "x^2/2 + |x|/x", "jumps at 0"),
    ("x", "x^2/2 + |x-1|/(x-1)", "jumps at 1"),
    ("x", "x^2/2 + sqrt((x+2)^2)/(x+2)", "jumps at -2"),
    ("tanh(50x)", "|x|", "looks like the sign of x for large x"),
    ("cosh(400x)", "sinh(400x)/400 + e^(-400x)", "the difference shows for small x"),
    # Aimed at sample points: these vanish at all plain fractions.
    ("x", "x^2/2 + sin(2^64 pi x)^2/2^64", "at dyadic points"),
    ("x", "x^2/2 + sin(2^64*3^40 pi x)^2", "at triadic ones too"),
    ("x", "x^2/2 + sin(2^80 ln x)^2", "at exponentials"),
    # Each side of an equation is an answer.
    ("x", "x^2/2 = x^3", "an equation"),
    ("x", "8=7", "a false one"),
    ("x", "F = x = x^2/2", "a chain"),
    ("x", "x = 1 = 2 = x^2/2", "a long chain"),
    # Defined nowhere.
    ("x", "x^2/2 + 1/(x-x)", "a division by zero in disguise"),
    ("x", "x^2/2 + 0*ln(x-x)", "a logarithm of zero"),
    # An equation for another problem.
    ("x", r"\int x^2 dx = x^2/2", "the left side is another integral"),
    ("x", r"\int 2x dx = x^2/2", "a multiple of this one"),
]


@pytest.mark.parametrize(("integrand", "answer", "why"), WRONG, ids=[why for *_, why in WRONG])
def test_a_wrong_answer_is_proven_wrong(integrand: str, answer: str, why: str) -> None:
    verdict = judge(integrand, answer)
    assert verdict.status is Status.FAILED, verdict
    assert verdict.score == 0.0


MALFORMED = [
    ("x", "", "nothing at all"),
    ("x", "<think>x^2/2", "the thinking has no end"),
    ("x", "x^2/2 </think> <think> x^2/2", "thinking begins again"),
    ("x", r"\boxed{x^2/2", "a box without an end"),
    ("x", r"\boxed{}", "an empty box, as in the prompt"),
    ("x", "<answer>x^2/2", "a tag without an end"),
    ("x", r"\boxed{x^2/2} or \boxed{x^3}", "two boxes"),
    ("x", r"\boxed{x^3} or \boxed{x^2/2}", "in either order"),
    ("x", r"\boxed{x^3}, \boxed{x^2/2}", "with a comma"),
    ("x", r"\boxed{x^3}" + "\n" + r"\boxed{x^2/2}", "on two lines"),
    ("x", r"\boxed{x^2/2} or maybe x^3", "a hedge after the box"),
    ("x", "Answer: x^2/2\nWait, that is wrong. Answer: x^3", "taken back in the middle of a line"),
    ("x", "<answer>x^2/2</answer><answer>x^3</answer>", "two tags"),
    ("x", r"\boxed{x^2/2, x^3}", "a list in a box"),
    ("x", "x^2/2 or x^3", "or"),
    ("x", r"\int x dx", "the problem itself"),
    ("x", r"\int x dx + C", "with its constant"),
    ("x", "What is the integral of x?", "the prompt"),
    ("x", "C x", "the constant multiplied"),
    ("x", "x^2/2 + Cx", "the constant multiplied again"),
    ("x", "x^2/2 + a + b", "two letters"),
    ("x", "x^C/2", "the constant as an exponent"),
    ("x", "t^2/2 + s", "another variable, and one more"),
    ("x", "erf(x)", "no elementary function"),
    ("x", "floor(x)", "a step"),
    ("x", "x^2/2 + sign(x)", "another"),
    ("x", "Piecewise((x, x<0))", "pieces"),
    ("x", "Integral(x, x)", "an unevaluated integral"),
    ("x", "Derivative(x, x)", "a derivative"),
    ("x", "f(x)", "an undefined function"),
    ("x", "__import__('os').system('id')", "code"),
    ("x", "x^2/2 + 1/0", "divides by zero"),
    ("x", "x^2/2 + 0*(1/0)", "times zero"),
    ("x", "x^2/2 + 0*ln(0)", "the same with a logarithm"),
    ("x", "x^2/2 + tan(pi/2)", "a hidden pole"),
    ("x", "9^9^9^9", "far out of scale"),
    ("x", "x^2/2 + 9^9^9^9", "even as a constant"),
    ("x", "sin(10^10^10)", "inside a sine"),
    ("1/x", "10^500 x^(10^-500)", "beyond every precision used"),
    ("x", "x^2/2 + 10^-450 x", "the same"),
    ("x", "٢x", "digits of another script"),
    ("x", "x^2/2\0", "a NUL"),
]  # fmt: skip


@pytest.mark.parametrize(("integrand", "answer", "why"), MALFORMED, ids=[why for *_, why in MALFORMED])
def test_what_is_no_answer_is_malformed(integrand: str, answer: str, why: str) -> None:
    verdict = judge(integrand, answer)
    assert verdict.status is Status.MALFORMED, verdict
    assert verdict.reason.partition(":")[0].isidentifier()


OPEN = [
    ("x", "x^2/2 + 0*asin(x)", "undefined", "defined between -1 and 1 only"),
    ("x", "x^2/2 + x(1 - tanh(10^12 (x^2+1)))", "precision", "the last term is 10^(-10^12)"),
    ("sqrt(-1-x^2)", "x", "no_point", "the integrand is real nowhere"),
    ("tanh(10^9 (x^2+1))", "x", "no_point", "an integrand too near 1"),
    (
        "e^(e^(x^4)) x^3 e^(x^4)",
        "e^(e^(x^4))/4 + |x-1000| + x",
        "unseen",
        "too large where the answer is wrong",
    ),
]


@pytest.mark.parametrize(("integrand", "answer", "code", "why"), OPEN, ids=[f"{c}-{w}" for *_, c, w in OPEN])
def test_what_cannot_be_settled_stays_open_and_earns_nothing(
    integrand: str, answer: str, code: str, why: str
) -> None:
    verdict = judge(integrand, answer)
    assert verdict.status is Status.UNDECIDED, verdict
    assert verdict.score is None
    assert verdict.reason.startswith(f"{code}:")


def test_the_reason_tells_the_point_and_both_values() -> None:
    verdict = judge("x", "x^2")
    assert "at x = " in verdict.reason
    assert "the derivative of the answer is" in verdict.reason
    assert "the integrand is" in verdict.reason


def test_the_same_pair_is_judged_at_the_same_points() -> None:
    assert judge("x", "x^2").reason == judge("x", "x^2").reason
    assert judge("x", "x^2").reason != judge("x", "x**2").reason


def test_an_interval_restricts_the_domain() -> None:
    problem = {"integrand": "1/sqrt(x^2-1)", "interval": [1, None]}
    assert judge(problem, "arcosh x").passed
    assert judge({**problem, "interval": [None, -1]}, "arcosh x").status is Status.FAILED
    assert judge({"integrand": "|x|", "interval": ["0", "pi/2"]}, "x^2/2").passed
    assert judge({"integrand": "|x|", "interval": [-1, 1]}, "x^2/2").status is Status.FAILED
    assert judge({"integrand": "|cos x|", "interval": ["pi/2", "3pi/2"]}, "-sin x").passed


def test_a_variable_may_have_another_name() -> None:
    problem = {"integrand": "t e^t", "variable": "t"}
    assert judge(problem, "(t-1) e^t + C").passed
    assert judge(problem, "(x-1) e^x").status is Status.MALFORMED


def test_a_reference_may_be_an_antiderivative() -> None:
    problem = {"antiderivative": "x sin x + C"}
    assert judge(problem, "x*sin(x)").passed
    assert judge(problem, "x*cos(x)").status is Status.FAILED


@pytest.mark.parametrize(
    "reference",
    [
        None, 5, "", "erf(x)", "a x", "1/0", "\\int x", "x = 1", "9^9^9^9", {"integrand": ""}, {},
        {"integrand": "x", "antiderivative": "x"}, {"integral": "x"}, {"integrand": 5},
        {"integrand": "x", "interval": [1]}, {"integrand": "x", "interval": [2, 1]},
        {"integrand": "x", "interval": ["a", None]}, {"integrand": "x", "interval": ["1/0", 3]},
        {"integrand": "e", "variable": "e"}, {"integrand": "x", "variable": "x y"},
    ],
)  # fmt: skip
def test_a_reference_that_cannot_be_judged_against_raises(reference: Json) -> None:
    with pytest.raises(TaskError, match="integral reference"):
        judge(reference, "x")


def test_level_continuous_refuses_jumps() -> None:
    for integrand, answer in [
        ("1/(2+cos x)", "2 arctan(tan(x/2)/sqrt(3))/sqrt(3)"),
        ("x", "x^2/2 + atan(x) + atan(1/x)"),
        ("|cos x|", "|cos x| tan x"),
    ]:
        assert judge(integrand, answer).passed
        verdict = judge(integrand, answer, level="continuous")
        assert verdict.status is Status.FAILED
        assert verdict.reason.startswith("jump:")
    for integrand, answer in [
        ("x", "x^2/2"),
        ("1/x", "ln|x|"),
        ("|x|", "x|x|/2"),
        ("1/cosh x", "2 atan(e^x)"),
    ]:
        assert judge(integrand, answer, level="continuous").passed


def test_extraction_modes_take_only_their_own_form() -> None:
    for mode, text in [("boxed", r"\boxed{x^2/2}"), ("answer", "<answer>x^2/2</answer>"), ("whole", "x^2/2")]:
        for other in ("boxed", "answer", "whole"):
            verdict = judge("x", text, extract=other)
            assert verdict.passed is (mode == other), (mode, other, verdict)


def test_settings_are_checked() -> None:
    from rlvr_gym.verifiers.base import make_verifier

    with pytest.raises(ConfigError, match="extract"):
        make_verifier("integral", extract="boxes")
    with pytest.raises(ConfigError, match="Did you mean 'max_nodes'"):
        make_verifier("integral", max_node=3)


def test_algebra_settles_what_no_precision_can() -> None:
    # Both hyperbolic tangents are 1 to 10^12 digits; only algebra sees that they are one function.
    answer = "x^2/2 + tanh(10^12 (x^2+1)) - tanh(10^12 x^2 + 10^12)"
    task = Task(id="t", prompt="", reference="x")
    assert integral(task, answer, DEFAULT).reason.startswith("precision:")
    assert integral_by_algebra(task, answer, DEFAULT).passed
    different = answer.replace("x^2 + 10^12", "x^2 + 10^11")
    assert integral_by_algebra(task, different, DEFAULT).status is Status.UNDECIDED


def test_algebra_is_not_asked_where_the_answer_is_undefined() -> None:
    task = Task(id="t", prompt="", reference="x")
    assert integral_by_algebra(task, "x^2/2 + 0*asin(x)", DEFAULT).status is Status.UNDECIDED
