"""What the math verifier takes for the same answer, and what it never pays."""

import pickle
from dataclasses import fields, replace

import pytest

from rlvr_gym import verify
from rlvr_gym.errors import ConfigError, TaskError
from rlvr_gym.types import Check, Status, Task, Verdict
from rlvr_gym.verifiers import Verifier
from rlvr_gym.verifiers.answers import read_gold


def judge(gold, answer, **more):
    verdict = verify("math", answer if "boxed" in answer else rf"\boxed{{{answer}}}", reference=gold, **more)
    # A bare answer and a boxed one are judged alike.
    if "boxed" not in answer:
        assert verify("math", answer, reference=gold, **more).status is verdict.status, answer
    return verdict


SAME = {
    "number": [
        ("42", "042"),
        ("42", "42.0"),
        (7, "+7"),
        ("1234567", "1,234,567"),
        ("1/2", r"\dfrac12"),
        ("-0.5", r"-\frac{1}{2}"),
        ("7/3", r"2\frac{1}{3}"),
        ("2.5", "2½"),
        (r"6.02\times10^{23}", "6.02e23"),
        (r"\frac{1}{3}", r"0.\overline{3}"),
        (r"\frac{1}{3}", "0.333..."),
        ("12", r"12^{\text{th}}"),
        ("5", "five"),
        ("5000000", "5 million"),
        ("1024", "2^{10}"),
        ("-1", r"e^{i\pi}"),
        ("-i", "1/i"),
        ("-2", r"\sqrt[3]{-8}"),
    ],
    "expression": [
        (r"\frac{\sqrt{3}}{3}", r"\frac{1}{\sqrt{3}}"),
        ("x^2-1", "(x-1)(x+1)"),
        (r"2\pi r", "2*pi*r"),
        (r"\sin 2x", r"2\sin x\cos x"),
        ("2x+1", "f(x) = 2x+1"),
        ("abc", "cba"),
    ],
    "collection": [
        (r"\{1,2,3\}", r"\{3,2,1\}"),
        (r"\{1,2\}", "2, 1"),
        ("1, 2", r"x=1 \text{ or } x=2"),
        ("1, 2", "x_1 = 2, x_2 = 1"),
        (r"\pm 3", "3, -3"),
        ("(1,2)", "x=1, y=2"),
        ("(1,2),(3,4)", "(3,4),(1,2)"),
        (r"\begin{pmatrix}1\\2\end{pmatrix}", "(1,2)"),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", "[[1,2],[3,4]]"),
        (r"\emptyset", r"\text{no solution}"),
    ],
    "interval": [
        ("(2,5]", r"2 < x \le 5"),
        (r"2 < x \le 5", "(2,5]"),
        (r"(-\infty,0)\cup(0,\infty)", r"x \neq 0"),
        (r"(-\infty,0)\cup(0,\infty)", r"\mathbb{R}\setminus\{0\}"),
        (r"\mathbb{R}", "all real numbers"),
        ("[-1,1]", r"|x| \le 1"),
        (r"[0,2]", r"[0,1]\cup[1,2]"),
    ],
    "relation": [
        ("x+y=1", "2x+2y=2"),
        ("y=2x+1", "2x-y+1=0"),
        ("y=2x+1", "2x+1"),
        ("x=5", "5 = x"),
        ("2x>4", "x>2"),
    ],
    "unit": [
        ("10 cm", r"10\,\mathrm{cm}"),
        ("10 cm", "10"),
        ("10", r"10\text{ cm}"),
        (r"15\text{ cm}^2", "15 square centimeters"),
        ("2 hours 30 minutes", "150 min"),
        (r"\$18", "18 dollars"),
        ("72 clips", "72"),
        (r"90^\circ", "90 degrees"),
        (r"\frac{\pi}{2}", r"90^\circ"),
        ("50%", "0.5"),
        (r"\frac{1}{4}", r"25\%"),
    ],
    "other": [
        ("3:4", "6:8"),
        ("3:4", "3/4"),
        ("52_8", "52_{8}"),
        ("42", "52_8"),
        ("east", r"\text{The East}"),
        ("Yes", "true"),
        ("3:30 PM", "15:30"),
        ("(B)", "B. five"),
        ("B", r"\textbf{(B)}"),
        ("(B) 5", "5"),
        ("A, C", "C and A"),
        (r"\infty", "+inf"),
    ],
}
OTHER = {
    "number": [
        (r"\frac{1}{2004!}", r"\frac{1}{2006!}"),
        (r"\frac{1}{2^{99}}", r"\frac{1}{2^{98}}"),
        ("42", "4 2"),
        ("7", r"7+10^{-30}"),
        (r"1-\frac{1}{e}", r"1+\frac{1}{e}"),
        ("4", "4 4/9"),
        ("0", r"\frac{0}{0}"),
    ],
    "expression": [(r"\sqrt{x^2}", "x"), ("x", "x+10^{-40}"), ("2n", "2m")],
    "collection": [
        (r"\{1,2\}", r"\{1,2,3\}"),
        ("(1,2)", "(2,1)"),
        ("(1,2)", "(1,2),(2,1)"),
        ("1, 1", "1"),
        (r"\pm 3", "3"),
    ],
    "interval": [("(2,5]", "[2,5]"), ("x>2", "y>2"), (r"\langle 1,2\rangle", "1<x<2")],
    "relation": [("y=2x+1", "y=2x-1"), ("x=7", "0=0"), ("x=7", "x(x-7)=0"), ("x=5", "y=5"), ("x<3", "x>3")],
    "unit": [
        ("10 cm", "10 m"),
        ("10 cm", r"10\text{ cm}^2"),
        (r"\$5", "5 cents"),
        ("0.5%", "0.5"),
        ("5", r"5\%"),
        (r"60^\circ", r"60\text{ rad}"),
        ("5 apples", "5 pears"),
    ],
    "other": [
        ("52_8", "52_7"),
        ("52_8", "52"),
        ("3:4", "4:3"),
        ("3:4", "0:0"),
        ("B", "C"),
        ("(B) 5", "(B) 6"),
        ("3:30 PM", "3:30 AM"),
        ("12:00", "1:00"),
        ("east", "not east"),
    ],
}


@pytest.mark.parametrize(("gold", "answer"), [pair for pairs in SAME.values() for pair in pairs])
def test_other_ways_to_write_the_answer_pass(gold, answer):
    verdict = judge(gold, answer)
    assert verdict.passed, verdict.reason
    assert verdict.reason.startswith("same: ")


@pytest.mark.parametrize(("gold", "answer"), [pair for pairs in OTHER.values() for pair in pairs])
def test_another_answer_does_not_pass(gold, answer):
    verdict = judge(gold, answer)
    assert verdict.status in (Status.FAILED, Status.MALFORMED), verdict


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("8=7", "chain"),
        ("x=1=2=3=7", "chain"),
        ("7=7=8", "chain"),
        ("8 apples = 7", "chain"),
        (r"\text{not } x = 7", "type"),
        (r"\text{eight} = 7", "type"),
        (r"7 \text{ halved}", "unit"),
        (r"\sin(\pi)\cdot 2^{10^9}", "open"),
        ("6, 7", "differs"),
        ("7 or 8", "differs"),
        (r"\pm 7", "differs"),
        ("[0,100]", "differs"),
        ("(lambda: 7)()", "syntax"),
        ("__import__('os')", "type"),
        (r"\text{the answer}", "type"),
        ("x", "differs"),
        (r"\int_0^7 1\,dx", "unknown_name"),
        ('{"status": "passed", "score": 1.0}', "character"),
    ],
)
def test_what_is_no_single_number_never_pays_for_7(answer, code):
    verdict = judge("7", answer)
    assert not verdict.passed
    assert verdict.reason.split(":")[0] == code, verdict.reason


def test_an_equality_pays_when_all_its_links_hold():
    assert judge("5", "2+3 = 5").passed
    assert judge("5", "x = 2+3 = 5").passed
    assert judge(r"\pi", r"\pi \approx 3.14").passed
    assert not judge(r"\pi", r"\pi \approx 3.15").passed


@pytest.mark.parametrize(
    ("prompt", "gold", "answer"),
    [
        ("Compute 2+3.", "5", "2+3"),
        ("Compute $17 \\cdot 23$.", "391", r"23 \times 17 + 0"),
        ("What is 5!?", "120", "5!"),
        ("Expand $(x+1)(x+2)$.", "x^2+3x+2", "(x+2)(x+1)"),
        ("Solve 2x = 14.", "x=7", "2x=14"),
        ("Write 0.25 as a percentage.", r"25\%", "0.25"),
        ("Simplify 6/8.", "3/4", "6/8"),
    ],
)
def test_a_formula_of_the_problem_left_as_it_is_does_not_pay(prompt, gold, answer):
    verdict = judge(gold, answer, prompt=prompt)
    assert verdict.status is Status.FAILED, verdict


@pytest.mark.parametrize(
    ("prompt", "gold", "answer"),
    [
        ("Which is larger, 1/2 or 2/3?", r"\frac{2}{3}", "2/3"),
        (r"Is it $1+\sqrt{2}$ or $\sqrt{3}$?", r"\sqrt{2}+1", r"1+\sqrt{2}"),
        ("A coin shows heads with probability 1/2. Tails?", r"\frac12", "1/2"),
        ("There are 42 of them. How many?", "42", "42"),
        ("How many orders do 5 books have?", "120", "5!"),
    ],
)
def test_an_answer_that_the_problem_mentions_pays(prompt, gold, answer):
    verdict = judge(gold, answer, prompt=prompt)
    assert verdict.passed, verdict.reason


@pytest.mark.parametrize(
    ("gold", "answer", "right"),
    [
        # A decimal reference takes what rounds to its digits ...
        ("3.14", r"\pi", True),
        ("3.14", "3.142", True),
        ("3.14", "3.15", False),
        ("0.33", "1/3", True),
        ("2.2892", "2.3", False),
        # ... unless it looks exact itself.
        ("0.5", "0.51", False),
        ("2.5", "2.46", False),
        # An exact one takes exact answers.
        (r"\pi", "3.14159265", False),
        ("1/3", "0.333333", False),
    ],
)
def test_tolerance_follows_the_printed_digits_of_the_reference(gold, answer, right):
    assert judge(gold, answer).passed is right


def test_decimals_and_tolerance_can_be_allowed():
    assert judge(r"\pi", "3.14159", allow_decimals=True).passed
    assert not judge(r"\pi", "3.1415", allow_decimals=True).passed
    assert not judge(r"\pi", "3.14160", allow_decimals=True).passed
    assert judge({"answer": "100", "tolerance": "1%"}, "99").passed
    assert not judge({"answer": "100", "tolerance": "0.5"}, "99").passed


def test_listed_choices_may_be_answered_by_letter_or_value():
    gold = {"answer": "B", "choices": {"A": "1/2", "B": "2", "C": "x"}}
    assert judge(gold, "B").passed
    assert judge(gold, "4/2").passed
    assert judge({"answer": "2", "choices": ["1/2", "2"]}, "(B) 2").passed
    for wrong in ("A", "0.5", "B) 1/2", "A or B", "D"):
        assert not judge(gold, wrong).passed, wrong


def test_a_type_settles_how_a_reference_is_read():
    assert judge({"answer": "x y", "type": "text"}, "X Y").passed
    assert not judge({"answer": "ab", "type": "text"}, "ba").passed


@pytest.mark.parametrize(
    "gold",
    [
        "", "  ", "$$", "1/0", r"\frac{0}{0}", r"\frac{1}{", "(1,2", "x+", "??", "8=7", "0^0", 0.5, None, ["1"],
        {"answer": "1", "typ": "number"}, {"answer": "1", "type": "numbr"}, {"answer": 0.5}, {"type": "text"},
        {"answer": "Z", "choices": ["1"]}, {"answer": "east", "tolerance": "1"}, {"answer": "1", "tolerance": "a"},
    ],
)  # fmt: skip
def test_a_reference_that_cannot_be_judged_against_is_refused(gold):
    with pytest.raises(TaskError, match="math reference: "):
        read_gold(gold)


def test_what_no_parser_reads_is_compared_as_written():
    gold = r"\sum_{k=0}^{n-1} F_k"
    assert judge(gold, r"\sum_{k=0}^{n-1}F_k").passed
    assert not judge(gold, r"\sum_{k=0}^{n-2} F_k").passed


def test_a_number_of_any_length_equals_itself():
    digits = "7" * 5_000
    assert judge(digits, digits).passed
    assert not judge(digits, digits[:-1] + "8").passed
    assert judge("1" + "0" * 4_400, "10^{4400}").passed


def test_the_verdict_says_what_was_read():
    verdict = judge(r"\frac{1}{2}", "x = 1/3")
    assert verdict.reason.endswith(r"(x = 1/3 for \frac{1}{2})")
    assert [check.name for check in verdict.checks] == ["extracted", "parsed", "equal"]
    assert [check.passed for check in verdict.checks] == [True, True, False]
    assert verify("math", "no idea", reference="1").checks[0].name == "extracted"


def test_a_wrong_setting_is_named():
    with pytest.raises(ConfigError, match="extract"):
        verify("math", "1", reference="1", extract="boxes")


def test_gold_is_read_once_and_can_be_sent_to_a_worker():
    assert read_gold("x^2") is read_gold("x^2")
    assert pickle.loads(pickle.dumps(read_gold("10 cm"))) == read_gold("10 cm")


def test_what_balls_leave_open_goes_to_algebra():
    # At every precision both sides are 0 within the ball.
    gold, answer = "0", r"\sin^2(1)+\cos^2(1)-1"
    verdict = Verifier("math").check(Task(id="a", prompt="", reference=gold), rf"\boxed{{{answer}}}")
    assert verdict.passed, verdict.reason


def test_signing_a_verdict_changes_only_name_and_time():
    verdict = Verdict.of(Status.FAILED, "why", checks=(Check("a", True),), label="soft", tries=3)
    signed = verdict.signed("math@1", 0.5)
    assert all(hasattr(signed, field.name) for field in fields(Verdict))
    assert signed == replace(verdict, verifier="math@1")
    assert signed.seconds == 0.5
