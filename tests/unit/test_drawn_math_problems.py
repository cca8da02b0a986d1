"""Every answer of every family against a second way to it: sympy, or counting all cases."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from fractions import Fraction
from math import comb

import numpy as np
import pytest
import sympy
from sympy.parsing.sympy_parser import (
    convert_xor,
    implicit_multiplication_application,
    parse_expr,
    standard_transformations,
)

from rlvr_gym.envs.math_problems import LEVELS, MATH_PROBLEMS, Problem
from rlvr_gym.types import Task
from rlvr_gym.verifiers import Verifier
from rlvr_gym.verifiers.answers import read_gold

x, y, z = sympy.symbols("x y z")
_TRANSFORMATIONS = (*standard_transformations, convert_xor, implicit_multiplication_application)
_NAMES = {"x": x, "y": y, "z": z, "i": sympy.I, "e": sympy.E, "pi": sympy.pi, "oo": sympy.oo}
CASES = [(family, level) for family in MATH_PROBLEMS for level in range(1, LEVELS + 1)]


def drawn(family: str, level: int, number: int = 12, seed: int = 0) -> list[Problem]:
    rng = np.random.default_rng([seed, level])
    return [MATH_PROBLEMS[family].value(rng, level) for _ in range(number)]


def read(text: str) -> sympy.Expr:
    """Return LaTeX of our own making as sympy's expression."""
    while (found := re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"((\1)/(\2))", text)) != text:
        text = found
    text = re.sub(r"\\sqrt\{([^{}]*)\}", r"sqrt(\1)", text)
    text = re.sub(r"\\(?:left|right)", "", text).replace("\\times", "*").replace("\\div", "/")
    text = re.sub(r"\\(pi|sin|cos)", r" \1 ", text).replace("\\infty", "oo")
    text = text.replace("{", "(").replace("}", ")")
    return parse_expr(text, local_dict=_NAMES, transformations=_TRANSFORMATIONS)


def formulas(problem: Problem) -> list[str]:
    return re.findall(r"\$([^$]*)\$", problem.question)


def integers(problem: Problem) -> list[int]:
    return [int(text) for text in re.findall(r"-?[0-9]+", problem.question)]


def rows(text: str) -> sympy.Matrix:
    body = text.removeprefix("\\begin{pmatrix}").removesuffix("\\end{pmatrix}")
    return sympy.Matrix([[read(each) for each in row.split("&")] for row in body.split("\\\\")])


def fractions(problem: Problem) -> bool:
    return read(formulas(problem)[0]) == read(problem.answer)


def percentages(problem: Problem) -> bool:
    share = re.match(r"What is (\d+)% of (\d+)", problem.question)
    if share:
        return Fraction(int(share[1]) * int(share[2]), 100) == Fraction(problem.answer)
    value = Fraction(re.match(r"A price of (\d+)", problem.question)[1])
    for verb, percent in re.findall(r"(rises|falls) by (\d+)%", problem.question):
        value += value * Fraction(int(percent), 100) * (1 if verb == "rises" else -1)
    return value == Fraction(problem.answer)


def linear_equations(problem: Problem) -> bool:
    left, right = map(read, formulas(problem)[0].split("="))
    return sympy.solve(left - right, x) == [read(problem.answer)]


def linear_systems(problem: Problem) -> bool:
    *equations, _ = formulas(problem)
    sides = [[read(side) for side in each.split("=")] for each in equations]
    solved = sympy.solve([left - right for left, right in sides], [x, y, z][: len(equations)], dict=True)
    found = dict(zip([x, y, z], map(int, problem.answer.strip("()").split(",")), strict=False))
    return solved == [found]


def quadratic_equations(problem: Problem) -> bool:
    left = read(formulas(problem)[0].split("=")[0])
    found = [read(each) for each in problem.answer.removeprefix("\\{").removesuffix("\\}").split(",")]
    return len(set(found)) == 2 and set(map(sympy.nsimplify, sympy.roots(left, x))) == set(found)


def coefficients(problem: Problem) -> bool:
    power, product = map(read, formulas(problem))
    return sympy.expand(product).coeff(power) == read(problem.answer)


def polynomial_remainders(problem: Problem) -> bool:
    return sympy.expand(sympy.rem(*map(read, formulas(problem)), x) - read(problem.answer)) == 0


def gcd_lcm(problem: Problem) -> bool:
    combine = sympy.igcd if "divisor" in problem.question else sympy.ilcm
    return combine(*integers(problem)) == int(problem.answer)


def remainders(problem: Problem) -> bool:
    base, exponent, modulus = integers(problem)
    return base**exponent % modulus == int(problem.answer)


def divisors(problem: Problem) -> bool:
    found = sympy.divisors(integers(problem)[0])
    return (len(found) if "How many" in problem.question else sum(found)) == int(problem.answer)


def number_bases(problem: Problem) -> bool:
    values = [
        int(digits, int(base)) for base, digits in re.findall(r"base-(\d+) number (\d+)", problem.question)
    ]
    value = values[0] * values[1] if "times" in problem.question else sum(values)
    return value == int(problem.answer)


def counting(problem: Problem) -> bool:
    numbers, question = integers(problem), problem.question
    if "committee" in question:
        return sum(1 for _ in itertools.combinations(range(numbers[1]), numbers[0])) == int(problem.answer)
    if "letters" in question:
        ways: dict[tuple[int, ...], int] = {(0, 0, 0): 1}
        for counts in itertools.product(*(range(n + 1) for n in numbers[1:])):
            for i in range(3):
                less = tuple(n - (i == j) for j, n in enumerate(counts))
                ways[counts] = ways.get(counts, 0) + ways.get(less, 0)
        return ways[tuple(numbers[1:])] == int(problem.answer)
    if "path" in question:
        _, _, width, height, avoid_x, avoid_y = numbers
        grid = {(0, 0): 1}
        for point in itertools.product(range(width + 1), range(height + 1)):
            if point != (0, 0):
                left, below = (point[0] - 1, point[1]), (point[0], point[1] - 1)
                grid[point] = grid.get(left, 0) + grid.get(below, 0)
            if point == (avoid_x, avoid_y):
                grid[point] = 0
        return grid[width, height] == int(problem.answer)
    red, blue, *rest = numbers
    # The coefficient of r^i b^j in (1 + r)^red (1 + b)^blue counts the choices of i red and j blue balls.
    choices = {
        (i, j): sympy.binomial(red, i) * sympy.binomial(blue, j)
        for i in range(red + 1)
        for j in range(blue + 1)
    }
    if "at least" in question:
        chosen, least = rest
        return sum(n for (i, j), n in choices.items() if i + j == chosen and i >= least) == int(
            problem.answer
        )
    return choices[tuple(rest)] == int(problem.answer)


def sequences(problem: Problem) -> bool:
    question, answer = problem.question, read(problem.answer)
    if "arithmetic" in question:
        n, first, second, *_ = integers(problem)
        terms = [first + (second - first) * k for k in range(n)]
        return answer == (terms[-1] if "term number" in question else sum(terms))
    if "geometric" in question:
        n, (first, ratio) = integers(problem)[0], map(read, formulas(problem))
        return answer == sum(first * ratio**k for k in range(n))
    *given, rule, wanted = formulas(problem)
    known = {int(text[2]): int(text.partition("=")[2]) for text in given}
    factors = rule.partition("=")[2].replace("a_{n+1}", "x").replace("a_n", "y")
    if len(given) == 1:
        factors = factors.replace("y", "x")
    step = sympy.lambdify((x, y), read(factors))
    for k in range(len(given) + 1, int(wanted[2:]) + 1):
        known[k] = step(known[k - 1], known.get(k - 2, 0))
    return answer == known[int(wanted[2:])]


def probability(problem: Problem) -> bool:
    numbers, question = integers(problem), problem.question
    if "die" in question:
        _, one, _, two, least = numbers
        rolls = list(itertools.product(range(1, one + 1), range(1, two + 1)))
        return Fraction(sum(sum(roll) >= least for roll in rolls), len(rolls)) == fraction(problem.answer)
    red, others = numbers[0], numbers[1] + (numbers[2] if "green" in question else 0)
    bag = [True] * red + [False] * others
    if "One is drawn" in question:
        wanted, size = (lambda reds: reds == 1), 1
    elif "both red" in question:
        wanted, size = (lambda reds: reds == 2), 2
    elif "different colours" in question:
        wanted, size = (lambda reds: reds == 1), 2
    else:
        size, number = numbers[2:]
        exactly = "exactly" in question
        wanted = lambda reds: reds == number if exactly else reds >= number  # noqa: E731
    hits = sum(wanted(sum(draw)) for draw in itertools.combinations(bag, size))
    return Fraction(hits, comb(len(bag), size)) == fraction(problem.answer)


def fraction(latex: str) -> Fraction:
    value = read(latex)
    return Fraction(int(value.p), int(value.q))


def geometry(problem: Problem) -> bool:
    numbers, question, answer = integers(problem), problem.question, read(problem.answer)
    if "circumference" in question:
        return answer == 2 * sympy.pi * numbers[0]
    if "circle" in question:
        return answer == sympy.Circle(sympy.Point(0, 0), numbers[0]).area
    if "distance" in question:
        return answer == sympy.Point(*numbers[:2]).distance(sympy.Point(*numbers[2:]))
    if "triangle" in question:
        corners = [sympy.Point(*numbers[i : i + 2]) for i in (0, 2, 4)]
        return answer == abs(sympy.Triangle(*corners).area)
    r, h = numbers
    if "volume" in question:
        return answer == sympy.integrate(sympy.pi * (r * x / h) ** 2, (x, 0, h))
    return sympy.simplify(answer - sympy.pi * r * (r + sympy.sqrt(r**2 + h**2))) == 0


def derivatives(problem: Problem) -> bool:
    found = formulas(problem)
    function = read(next(text for text in found if text.startswith("f(x) =")).partition("=")[2])
    point = re.search(r"f''\((-?\d+)\)", problem.question)
    if point:
        return sympy.diff(function, x, 2).subs(x, int(point[1])) == read(problem.answer)
    return sympy.expand(sympy.diff(function, x) - read(problem.answer)) == 0


def logarithms(problem: Problem) -> bool:
    left, right = formulas(problem)[0].split(" = ")
    value = read(problem.answer)

    def evaluated(side: str) -> sympy.Expr:
        side = re.sub(r"\\log_\{(\d+)\}\(([^()]*)\)", r"(log(\2)/log(\1))", side)
        return read(side).subs(x, value)

    difference = sympy.N(evaluated(left) - evaluated(right), 40)
    # A logarithm of something negative would show as an imaginary part.
    return abs(difference) < sympy.Float("1e-25") and sympy.im(difference) == 0


def inequalities(problem: Problem) -> bool:
    text = formulas(problem)[0]
    sign = re.search(r"<|>|\\le|\\ge", text)[0]
    left, right = map(read, text.split(sign))
    relation = {"<": sympy.Lt, ">": sympy.Gt, "\\le": sympy.Le, "\\ge": sympy.Ge}[sign](left, right)
    parts = []
    for part in problem.answer.split("\\cup"):
        low, high = part.strip()[1:-1].split(",")
        is_open = part.strip()[0] == "(", part.strip()[-1] == ")"
        parts.append(sympy.Interval(read(low), read(high), *is_open))
    return sympy.solve_univariate_inequality(relation, x, relational=False) == sympy.Union(*parts)


def matrices(problem: Problem) -> bool:
    found = [rows(text) for text in re.findall(r"\\begin.*?\\end\{pmatrix\}", problem.question)]
    if "determinant" in problem.question:
        return found[0].det() == read(problem.answer)
    product = found[0] * found[1]
    return rows(problem.answer) == (product.inv() if "^{-1}" in problem.question else product)


def complex_numbers(problem: Problem) -> bool:
    *given, _, wanted, _, _, _ = formulas(problem)
    values = {text[0]: read(text[4:]) for text in given if text[1:4] == " = " and text[0] in "zwv"}
    a, b, c = sympy.symbols("z w v")
    expression = parse_expr(
        re.sub(r"\\frac\{(.*?)\}\{(.*?)\}$", r"(\1)/(\2)", wanted).replace("zw", "z*w"),
        local_dict={"z": a, "w": b, "v": c},
        transformations=_TRANSFORMATIONS,
    )
    value = expression.subs({sympy.Symbol(name): each for name, each in values.items()})
    return sympy.simplify(sympy.expand_complex(value) - read(problem.answer)) == 0


SECOND_WAYS: dict[str, Callable[[Problem], bool]] = {
    check.__name__: check
    for check in (
        *(fractions, percentages, linear_equations, linear_systems, quadratic_equations, coefficients),
        *(polynomial_remainders, gcd_lcm, remainders, divisors, number_bases, counting, sequences),
        *(probability, geometry, derivatives, logarithms, inequalities, matrices, complex_numbers),
    )
}


@pytest.mark.parametrize(("family", "level"), CASES)
def test_a_second_way_gives_the_same_answer(family, level):
    for problem in drawn(family, level):
        assert SECOND_WAYS[family](problem), problem


@pytest.mark.parametrize("family", MATH_PROBLEMS)
def test_the_answer_passes_and_its_neighbours_fail(family):
    verifier = Verifier("math")
    for level in range(1, LEVELS + 1):
        problems = drawn(family, level, seed=1)
        for problem, other in itertools.pairwise(problems):
            read_gold(problem.answer)
            task = Task(id="t", prompt=problem.question, reference=problem.answer)
            assert verifier.check(task, f"\\boxed{{{problem.answer}}}").passed, problem
            wrong = {"", "no idea", problem.question, f"\\boxed{{{problem.answer}}} or \\boxed{{98765}}"}
            if other.answer != problem.answer:
                wrong.add(f"\\boxed{{{other.answer}}}")
            changed = re.sub(
                r"[0-9](?=[^0-9]*$)", lambda digit: str((int(digit[0]) + 1) % 10), problem.answer
            )
            wrong.add(f"\\boxed{{{changed}}}" if changed != problem.answer else "\\boxed{98765}")
            for answer in wrong:
                verdict = verifier.check(task, answer)
                assert verdict.decided, (problem, answer, verdict)
                assert not verdict.passed, (problem, answer, verdict)


@pytest.mark.parametrize("family", MATH_PROBLEMS)
def test_levels_never_take_fewer_steps_and_never_get_smaller_numbers_for_as_many(family):
    def mean(numbers: list[float]) -> float:
        return sum(numbers) / len(numbers)

    work = []
    for level in range(1, LEVELS + 1):
        problems = drawn(family, level, number=200)
        digits = [sum(map(str.isdigit, problem.question + problem.answer)) for problem in problems]
        work.append((mean([problem.steps for problem in problems]), mean(digits)))
    assert work == sorted(set(work)), work


@pytest.mark.parametrize("family", MATH_PROBLEMS)
def test_the_same_numbers_give_the_same_problems(family):
    assert drawn(family, 3) == drawn(family, 3)
    assert len({problem.question for problem in drawn(family, 3, number=50)}) > 20
