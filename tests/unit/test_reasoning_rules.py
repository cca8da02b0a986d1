"""Rules of reasoning-gym answers on cases worked by hand, and what upstream's scorers pay for instead."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlvr_gym.errors import TaskError
from rlvr_gym.types import Status, Task
from rlvr_gym.verifiers import Verifier
from rlvr_gym.verifiers.reasoning_rules import RULES, Entry, Unreadable, rule_for
from rlvr_gym.verifiers.reasoning_rules.upstream import draw, score


def entry(dataset, answer, **metadata):
    return Entry(dataset, answer, metadata)


def accepted(entry, answer):
    task = Task(id="t", prompt="", reference=entry.to_dict())
    verdict = Verifier("reasoning_gym").check(task, f"<answer>{answer}</answer>")
    assert verdict.decided, verdict
    return verdict.passed


COIN = entry("coin_flip", "0.000030517578125", rational={"numerator": 1, "denominator": 32768})
FRACTION = entry(
    "fraction_simplification",
    "$\\frac{2}{3}$",
    numerator=8,
    denominator=12,
    simplified_numerator=2,
    simplified_denominator=3,
)
FORMAT = entry(
    "number_format",
    "865742426.645",
    solution=865742426.645,
    formatted_candidates=["8.65742e8", "865,742,426.645"],
)
SORTED = entry("number_sorting", "['-2.5', '1', '7']", direction="ascending")
POOLED = entry("pool_matrix", "5.111111111111111 7\n2.0 3.125")
POWER = entry("power_function", "6769988418200343.0")
COUNT = entry("countdown", "", numbers=[2, 3, 7], target=27)
TWENTY_FOUR = entry("puzzle24", "", numbers=[1, 4, 7, 4])
ROLES = entry("knights_knaves", "Zoey is a hero, and Aria is a villain.")
COLOURED = entry(
    "graph_color", "", puzzle={"vertices": [0, 1, 2], "edges": [[0, 1]], "color_options": [1, 2]}
)
JUGS = entry("jugs", "", puzzle={"jug_capacities": [3, 5, 8], "target": 2})
GROUPS = entry("group_anagrams", '[["eat", "tea"], ["on"]]', solution=[["eat", "tea"], ["on"]])
PRIMES = entry("prime_factorization", "2 × 2 × 7")
COMPLEX = entry("complex_arithmetic", "3.0 - 2.0i", result=[3, -2])
INTEGRAL = entry("simple_integration", "X**2 + C", integrand="2*X", variable="X")
PRODUCT = entry("polynomial_multiplication", "2*x**2*y - 3*y + 4")
FILTERED = entry("number_filtering", "['89.573', '30']")
ROOTS = entry("polynomial_equations", "-0.5314, 0.0, 0.5314")
ANGLE = entry("advanced_geometry", "16.91°")
CENTRE = entry("advanced_geometry", "(4.051, -5)")
TIME = entry("time_intervals", "01:45:29", task_type="time_seconds")
HALTS = entry("game_of_life_halting", "True")
LIFE = entry("game_of_life", "[[0,1],[1,0]]")


@pytest.mark.parametrize(
    ("entry", "right", "wrong"),
    [
        (
            COIN,
            ["0.000030517578125", "1/32768", "3.0518e-5", "0.00003052"],
            ["0", "0.0000305", "0.00003053", "3.05e-5"],
        ),
        (FRACTION, ["2/3", "$\\dfrac{2}{3}$", "\\frac{2}{3}"], ["8/12", "4/6", "2/3 or 1/2", "2", "-2/3"]),
        (FORMAT, ["865742426.645", "865,742,426.645", "8.65742426645e+08"], ["865742426.646", "865742000"]),
        (
            SORTED,
            ["['-2.5', '1', '7']", "[-2.5, 1.0, 7]"],
            ["['-2.5', '1.5', '7']", "['1', '-2.5', '7']", "['-2.5', '1']"],
        ),
        (
            POOLED,
            ["5.11 7\n2 3.13", "5.11 7.00\n2.00 3.12"],
            ["5.1 7\n2 3.13", "5.16 7\n2 3.13", "5.11 7 2 3.13"],
        ),
        (POWER, ["6.77e+15", "6.770e15", "6769988418200343"], ["6.774e15", "6.8e15", "6.77", "6.77e+14"]),
        (COUNT, ["(2+7)*3", "3 * (7 - -2)"], ["27", "2+7*3", "(2+7)*3*1", "9*3", "(2+7)*3.", "(2+7)*3 = 27"]),
        (
            TWENTY_FOUR,
            ["1*(7*4 - 4)", "(7*4-4)/1"],
            ["24", "6*4", "1*7*4-4 or", "(7*4-4)", "12+12+0*1", "(7*4-4)*(1/1)"],
        ),
        (
            ROLES,
            ["Aria is a villain and Zoey is a hero", "zoey is a hero, aria is a villain."],
            [
                "Zoey is a hero",
                "not Zoey is a hero, and Aria is a villain",
                "Zoey is a hero, Zoey is a villain, Aria is a villain",
                "Zoey is a hero or villain, Aria is a villain",
            ],
        ),
        (
            COLOURED,
            ['{"0": 1, "1": 2, "2": 1}'],
            [
                '{"0": 1, "1": 1, "2": 1}',
                '{"0": 1, "1": 2}',
                '{"0": 1, "1": 2, "2": 1, "9": 5}',
                '{"0": true, "1": 2, "2": 1}',
                '{"0": 1, "1": 3, "2": 1}',
                "[1, 2, 1]",
            ],
        ),
        (
            JUGS,
            ['["fill B", "pour B->A"]'],
            [
                "[]",
                '["fill B"]',
                '["fill B please", "pour B->A"]',
                '["fill B", "pour B->A", "empty B"]',
                '["pour B->B"]',
                '["fill Z"]',
                '"fill B"',
            ],
        ),
        (
            GROUPS,
            ['[["on"], ["tea", "eat"]]'],
            [
                '[["on", "eat"], ["tea"]]',
                '[["eat", "tea"]]',
                '[["eat", "tea"], ["on"], ["on"]]',
                '["eat"]',
                "[[1]]",
            ],
        ),
        (
            PRIMES,
            ["7 x 2 * 2", "2 × 2 × 7", "2\\times 2\\times 7"],
            ["4 × 7", "28", "2 × 2 × 7 × 1", "2, 2, 7"],
        ),
        (COMPLEX, ["3-2i", "(3.0 - 2.00 i)", "3 - 2j"], ["3+2i", "nan", "3", "-2i", "3 - 2i or 0", "32i"]),
        (
            INTEGRAL,
            ["X**2 + C", "X^2 + 5", "X*X"],
            ["2*X", "X**2 or 0", "Y**2", "2*X**2/3", "__import__('os')"],
        ),
        (
            PRODUCT,
            ["4 - 3*y + 2*x^2*y", "2*y*x**2 - 3*y + 4"],
            ["2*x**2*y - 3*y", "2*x**2*y - 3*(y) + 4", "2*x**2*y + 3*y + 4", "2*x**2*y -- 3*y + 4", ""],
        ),
        (
            FILTERED,
            ["['89.573', '30']", "[89.573, 30.0]"],
            ["['30', '89.573']", "['89.573']", "['89.573', '30', '1']", "89.57330"],
        ),
        (
            ANGLE,
            ["16.91°", "16.91", "16.913°", "16.9051"],
            ["16.9°", "17", "16.92°", "16.9°°", "16.91° or 3"],
        ),
        (CENTRE, ["(4.051, -5)", "4.0512, -5.000"], ["(4.05, -5)", "(-5, 4.051)", "(4.051, -5, 7)", "4.051"]),
        (ROOTS, ["0.5314, 0, -0.5314"], ["0.5314, -0.5314", "0.5313, 0, -0.5314", "", "nan"]),
        (TIME, ["01:45:29"], ["01:45:29 or 02:00:00", "01:45:28", "1:45"]),
        (HALTS, ["True", "true"], ["False", "yes", "True False"]),
        (
            LIFE,
            ["[[0, 1], [1, 0]]"],
            ["[[0,1],[1,1]]", "[[false,true],[true,false]]", "[[0,1],[1,0],[0]]", "{}", "[" * 5000],
        ),
    ],
    ids=lambda value: value.dataset if isinstance(value, Entry) else "",
)
def test_right_answers_pass_and_wrong_ones_fail(entry, right, wrong):
    for answer in right:
        assert accepted(entry, answer), answer
    for answer in wrong:
        assert not accepted(entry, answer), answer


def test_a_cryptarithm_takes_one_digit_for_every_letter():
    # A + A = B, with 1 to 4 for A.
    puzzle = entry("cryptarithm", "A=1,B=2", words_letters=["A", "A"], result_letters="B")
    assert accepted(puzzle, "A=1,B=2")
    assert accepted(puzzle, "B = 8, A = 4")
    for wrong in ("A=1,B=3", "A=0,B=0", "A=5,A=1,B=2", "A=1", "A=1,B=2,C=3", "A=١,B=2", "A=5,B=10"):
        assert not accepted(puzzle, wrong), wrong


def _wrong_fourth_digit(value):
    digits, e, exponent = f"{value:.3e}".partition("e")
    last = int(digits[-1])
    return digits[:-1] + str((last + 1) % 5 + (5 if last > 4 else 0)) + e + exponent


# A wrong answer that upstream's scorer pays for in full, from the right one and the metadata.
PAID = {
    "advanced_geometry": lambda a, m: a.removesuffix(")") + ", 7)",
    "coin_flip": lambda a, m: "0",
    "complex_arithmetic": lambda a, m: "nan",
    "cryptarithm": lambda a, m: f"{a[0]}=7,{a}",
    "decimal_arithmetic": lambda a, m: str(float(a) + 0.0005),
    "fraction_simplification": lambda a, m: f"{a} or 1/2",
    "game_of_life_halting": lambda a, m: "no idea",
    "graph_color": lambda a, m: json.dumps({**m["possible_answer"], "99": 7}),
    "gsm_symbolic": lambda a, m: f"{a} or 7",
    "intermediate_integration": lambda a, m: f"Integral({m['integrand']}, {m['variable']})",
    "jugs": lambda a, m: a.replace('"]', ' please"]'),
    "kakurasu": lambda a, m: f"it is {a}",
    "knights_knaves": lambda a, m: f"not {a}",
    "letter_jumble": lambda a, m: f"{a} or not",
    "number_format": lambda a, m: str(float(a) + 0.001),
    "number_sorting": lambda a, m: str([str(float(each.strip(" '")) + 0.9) for each in a[1:-1].split(",")]),
    "pool_matrix": lambda a, m: "\n".join(
        " ".join(str(float(x) * 1.001) for x in row.split()) for row in a.split("\n")
    ),
    "power_function": lambda a, m: _wrong_fourth_digit(float(a)),
    "propositional_logic": lambda a, m: m["premises"][0],
    "puzzle24": lambda a, m: "1*2*3*4",
    "quantum_lock": lambda a, m: f"I see: {a}",
    "simple_integration": lambda a, m: f"{a} or 7",
    "sokoban": lambda a, m: f"it is {a}",
    "spell_backward": lambda a, m: f"{a}x",
    "survo": lambda a, m: f"it is {a}",
    "time_intervals": lambda a, m: f"{a} or not",
    "tower_of_hanoi": lambda a, m: f"-{a}",
    "word_sorting": lambda a, m: f"{a}, zebra",
}


@pytest.mark.parametrize("dataset", PAID)
def test_what_upstream_pays_for_wrongly_earns_nothing_here(dataset):
    paid = 0
    for seed in range(12):
        drawn = draw(dataset, {}, seed)
        entry = Entry(dataset, drawn["answer"] or "", drawn["metadata"])
        wrong = PAID[dataset](entry.answer, entry.metadata)
        try:
            paid += score(wrong, entry) >= 1.0
        except Unreadable:
            continue
        assert not accepted(entry, wrong), (entry.answer, wrong)
    assert paid, "upstream no longer pays for this"
    assert RULES[dataset].why


def test_an_unknown_generator_takes_upstreams_own_answer_alone():
    mine = entry("from_tomorrow", "two  words")
    assert rule_for("from_tomorrow").what == "the text"
    assert accepted(mine, " two words ")
    assert not accepted(mine, "two words or three")


@pytest.mark.parametrize(
    ("response", "status"),
    [
        ("<think>it is 7</think> 8", Status.PASSED),
        ("<think>it is 8", Status.MALFORMED),
        ("so <answer> 8 </answer>.", Status.PASSED),
        ("<answer>8</answer> and again <answer>8</answer>", Status.PASSED),
        ("<answer>7</answer> no, <answer>8</answer>", Status.FAILED),
        ("<answer>8", Status.MALFORMED),
        ("<answer></answer>", Status.MALFORMED),
        ("\\boxed{8}", Status.PASSED),
        ("\\boxed{\\text{8}}", Status.PASSED),
        ("\\boxed{7} \\boxed{8}", Status.FAILED),
        ("\\boxed{8", Status.MALFORMED),
        ("\\boxed{7} <answer>8</answer>", Status.PASSED),
        ("it is 8", Status.MALFORMED),
        ("8" * 20_001, Status.MALFORMED),
    ],
)
def test_the_answer_stands_in_a_tag_a_box_or_alone(response, status):
    task = Task(id="t", prompt="", reference=entry("chain_sum", "8").to_dict())
    assert Verifier("reasoning_gym").check(task, response).status is status


@pytest.mark.parametrize(
    "reference",
    [None, "8", {}, {"dataset": 1}, {"dataset": "x", "answer": 8}, {"dataset": "x", "metadata": 1}],
    ids=str,
)
def test_a_reference_that_is_no_entry_is_refused(reference):
    with pytest.raises(TaskError, match="verifier 'reasoning_gym'"):
        Verifier("reasoning_gym").check(Task(id="t", prompt="", reference=reference), "8")


@given(st.text(max_size=60))
def test_any_text_is_compared_or_unreadable(text):
    for dataset, rule in RULES.items():
        case = KNOWN.get(dataset)
        if case is not None:
            with contextlib.suppress(Unreadable):
                rule.compare(text, case)


KNOWN = {
    case.dataset: case
    for case in (
        *(COIN, FRACTION, FORMAT, SORTED, POOLED, POWER, COUNT, TWENTY_FOUR, ROLES, COLOURED, JUGS, GROUPS),
        *(PRIMES, COMPLEX, INTEGRAL, PRODUCT, FILTERED, ROOTS, TIME, HALTS, LIFE),
    )
}
