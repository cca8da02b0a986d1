"""Texts written to make a grader slow, or to be paid without an answer: each gets a quick verdict, and none passes."""

import time

import pytest

from rlvr_gym.types import Status, Task
from rlvr_gym.verifiers.math import MathConfig, math

GOLDS = [
    "98765", r"\frac{1}{98765}", r"\sqrt{98765}+1", "x^2+98765", r"\{1,98765\}", "(1,98765)", r"(-\infty,98765]", "y=2x+98765",
    r"\begin{pmatrix}1\\98765\end{pmatrix}", "3:98765", "98765 cm", "east", "B", "3.98765", {"answer": "B", "choices": ["1", "98765"]},
]  # fmt: skip


def box(text):
    return rf"\boxed{{{text}}}"


def joined(sign, form, count):
    return sign.join(form.replace("#", str(at)) for at in range(1, count + 1))


TEXTS = {
    "blanks": box(" " * 19_000),
    "spaced digits": box("1 " * 9_000),
    "commas": box("1," * 9_000 + "1"),
    "equality signs": box("=" * 19_000),
    "a chain": box(joined("=", "\\sin(\\sin(#+x))", 30)),
    "nested text": box(r"\text{" * 1_500 + "}" * 1_500),
    "dollars": "$1" * 9_000,
    "many boxes": joined(" wait ", r"\boxed{#}", 1_200),
    "open boxes": r"\boxed{" * 2_500,
    "bare boxes": r"\boxed " * 2_500,
    "thoughts": "<think></think>" * 1_300,
    "tags": "<answer>" * 2_000,
    "labels": "the answer is " * 1_300,
    "label lines": "the answer is \n" * 1_000,
    "words": "word " * 3_900,
    "units": box("5 " + "cm " * 5_000),
    "quotients of units": box("5" + "/cm" * 5_000),
    "feet": box("5 feet " * 2_500),
    "zeros": box("0." + "0" * 3_900 + "1"),
    "nines": box("0." + "9" * 3_900 + "..."),
    "signs": box(r"\pm 1 " * 30),
    "a long set": box(r"\{" + joined(",", r"\sqrt{#}", 250) + r"\}"),
    "a long list": box(joined(",", r"\sqrt{#}", 60)),
    "a large matrix": box(r"\begin{pmatrix}" + joined(r"\\", "1&2&3&4&5&6&7&8&#", 30) + r"\end{pmatrix}"),
    "a long union": box(joined(r"\cup", r"(\sqrt{#},\sqrt{#+1})", 40)),
    "many inequalities": box(joined(" or ", r"\sqrt{2\cdot #}<x<\sqrt{2\cdot #+1}", 16)),
    "factorials": box("1000000!!!"),
    "a binomial": box(r"\binom{10^9}{5\cdot 10^8}"),
    "a power": box("10^{10^8}"),
    "a tower": box("9^{9^{9^9}}"),
    "a huge sine": box(r"\sin(10^{10^{10}})"),
    "nested exponentials": box("e^{" * 38 + "1" + "}" * 38),
    "nested roots": box(r"\sqrt{1+" * 38 + "1" + "}" * 38),
    "a large polynomial": box("(a+b+c+d+f+g+h)^{100}-(x+y+z)^{99}"),
    "many sines": box(joined("+", r"\sin(# x)", 60)),
    "many surds": box(joined("+", r"\sqrt{#}", 90)),
    "nested bars": box("|" * 1_000 + "x" + "|" * 1_000),
    "stars": "*" * 9_000 + "5" + "*" * 9_000,
    "backslashes": "\\" * 19_000,
    "dots": box("." * 9_000),
    "percent signs": box("5" + "%" * 9_000),
    "primes": box("x" + "'" * 3_000),
    "a long exponent": box("1e999999"),
    "millions": box("5" + " million" * 2_000),
    "ratios": box(joined(":", "#", 300)),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_hostile_text_gets_a_quick_verdict_and_no_reward(name):
    for gold in GOLDS:
        for prompt in ("", "Compute $2+3$ and $x^2$."):
            start = time.process_time()
            verdict = math(Task(id="hostile", prompt=prompt, reference=gold), TEXTS[name], MathConfig())
            assert time.process_time() - start < 10, gold
            assert verdict.status in (Status.FAILED, Status.MALFORMED, Status.UNDECIDED), (gold, verdict)
