"""Problems that ask for a form: factored, expanded, in a base, into primes, rounded."""

import pytest

from rlvr_gym import verify

FACTOR = "Factor completely over the integers: $x^4-1$."
BINARY = "Write the decimal number 45 in base 2."
PRIMES = "Find the prime factorization of 360."
ROUND = "Round 3.14159 to the nearest hundredth."
EXPAND = "Expand $(x-1)(x+1)(x+2)$."
CASES = [
    (FACTOR, "(x-1)(x+1)(x^2+1)", "(x^2-1)(x^2+1)", False),
    (FACTOR, "(x-1)(x+1)(x^2+1)", "(x^2+1)(x+1)(x-1)", True),
    ("Factor $4x^2-4$.", "4(x-1)(x+1)", "(2x-2)(2x+2)", True),
    ("Factor $x^2+4x+4$.", "(x+2)^2", "(x+2)(x+2)", True),
    ("Factor $x^2+4x+4$.", "(x+2)^2", "x(x+4)+4", False),
    ("By what factor does the volume grow?", "x(x+1)", "x^2+x", True),
    (BINARY, "101101_2", "45_{10}", False),
    (BINARY, "101101_2", "45", False),
    (BINARY, "101101_2", "101101_2", True),
    (PRIMES, r"2^3\cdot 3^2\cdot 5", "360", False),
    (PRIMES, r"2^3\cdot 3^2\cdot 5", r"2^3\cdot 45", False),
    (PRIMES, r"2^3\cdot 3^2\cdot 5", r"5\times 3\times 3\times 2^3", True),
    (ROUND, "3.14", "3.14159", False),
    (ROUND, "3.14", "3.14", True),
    ("A pen costs 3.50 dollars. What do two halves of one cost?", "3.5", "3.50", True),
    (EXPAND, "x^3+2x^2-x-2", "(x^2-1)(x+2)", False),
    (EXPAND, "x^3+2x^2-x-2", "x^3-x+2x^2-2", True),
    ("Expand and simplify $(x+1)^2$.", "x^2+2x+1", "x(x+2)+1", False),
    ("Expand $(1+x)^2/x$.", r"x+2+\frac{1}{x}", r"\frac{1}{x}+x+2", True),
]


@pytest.mark.parametrize(("prompt", "reference", "answer", "passes"), CASES)
def test_the_right_value_must_have_the_form_that_is_asked_for(prompt, reference, answer, passes):
    verdict = verify("math", f"\\boxed{{{answer}}}", reference=reference, prompt=prompt)
    assert verdict.passed == passes, verdict.reason
    assert verdict.decided


@pytest.mark.parametrize(
    ("reference", "answer"), [(reference, answer) for _, reference, answer, _ in CASES if answer != "45"]
)
def test_without_the_problem_values_alone_are_compared(reference, answer):
    assert verify("math", f"\\boxed{{{answer}}}", reference=reference).passed
