"""The rule of every generator of `reasoning-gym`, and why it is not upstream's scorer."""

from __future__ import annotations

import json
from collections.abc import Mapping

from rlvr_gym.verifiers.reasoning_rules.base import Entry, Rule
from rlvr_gym.verifiers.reasoning_rules.expressions import antiderivative, makes, same_polynomial
from rlvr_gym.verifiers.reasoning_rules.numbers import (
    reduced_fraction,
    rounded_grid,
    rounded_numbers,
    rounded_to,
    same_candidate,
    same_complex,
    same_factors,
    same_number,
    same_numbers,
    same_solutions,
)
from rlvr_gym.verifiers.reasoning_rules.puzzles import coloring, cryptarithm, jugs, palindrome, queens
from rlvr_gym.verifiers.reasoning_rules.texts import (
    same_groups,
    same_json,
    same_partitions,
    same_roles,
    same_text,
    same_word,
)
from rlvr_gym.verifiers.reasoning_rules.upstream import conclusion, upstream

TEXT = Rule(same_text, "the text")
_WORD = Rule(same_word, "the text in any capitals")
_NUMBER = Rule(same_number, "the exact number")
_LIST = Rule(same_numbers, "the numbers in order")
_PART = "upstream pays a share for any text that holds the answer"


def rule_for(dataset: str) -> Rule:
    """Return the rule of a generator; one that the table does not know takes upstream's own answer alone."""
    return RULES.get(dataset, TEXT)


def _because(rule: Rule, why: str, *, executes: bool = False) -> Rule:
    return Rule(rule.compare, rule.what, why, rule.known, executes)


def _coloring(entry: Entry) -> str:
    return json.dumps(entry.metadata["possible_answer"])


def _integrated(entry: Entry) -> str:
    return "" if "Integral(" in entry.answer else entry.answer


def _unknown(entry: Entry) -> str:
    return ""


def _listed(rule: Rule, *names: str) -> dict[str, Rule]:
    return dict.fromkeys(names, rule)


RULES: Mapping[str, Rule] = {
    # One right answer, compared as a text.
    **_listed(
        TEXT,
        *("ab", "arc_agi", "circuit_logic", "manipulate_matrix", "path_star", "rearc", "self_reference"),
    ),
    **_listed(
        _because(TEXT, _PART),
        *("arc_1d", "bf", "caesar_cipher", "futoshiki", "mini_sudoku", "modulo_grid", "rotate_matrix"),
        *("string_manipulation", "string_splitting", "string_synthesis", "sudoku", "word_sequence_reversal"),
    ),
    **_listed(
        _because(TEXT, "upstream runs the answer as Python code", executes=True),
        *("binary_matrix", "spiral_matrix", "string_insertion"),
    ),
    "emoji_mystery": _because(TEXT, "upstream pays a share for every right character"),
    "survo": _because(TEXT, "upstream leaves out words between the numbers, paid in full"),
    "word_sorting": _because(TEXT, "upstream pays for words after the sorted ones"),
    # One right answer, capitals free.
    **_listed(
        _WORD,
        "bitwise_arithmetic",
        "color_cube_rotation",
        "family_relationships",
        "needle_haystack",
        "zebra_puzzles",
    ),
    **_listed(
        _because(_WORD, _PART),
        *("acre", "aiw", "base_conversion", "course_schedule", "isomorphic_strings", "mahjong_puzzle"),
        *("ransom_note", "syllogism", "tsumego"),
    ),
    "calendar_arithmetic": _because(_WORD, "upstream pays a share for wrong days and near numbers"),
    "figlet_font": _because(_WORD, "upstream pays a tenth for every right letter"),
    "game_of_life_halting": _because(
        _WORD, "upstream pays in full for any text when the answer is True, 'False' included"
    ),
    "letter_jumble": _because(_WORD, "upstream pays in full for the answer with more words after it"),
    "sentence_reordering": _because(_WORD, "upstream pays a share for every right word"),
    "spell_backward": _because(_WORD, "upstream pays in full for some words with more letters after them"),
    "time_intervals": _because(
        _WORD, "upstream pays in full for text after the time, and a share for a near one"
    ),
    # Numbers.
    **_listed(
        _because(_NUMBER, _PART),
        *("basic_arithmetic", "binary_alternation", "chain_sum", "count_bits", "count_primes", "gcd"),
        *("largest_island", "lcm", "leg_counting", "letter_counting", "maze", "number_sequence", "products"),
        *("rotten_oranges", "simple_equations", "simple_geometry"),
    ),
    **_listed(_NUMBER, "decimal_chain_sum", "dice"),
    "decimal_arithmetic": _because(_NUMBER, "upstream pays in full within a tolerance"),
    "gsm_symbolic": _because(_NUMBER, "upstream takes the first number, so that 'a or b' is paid for a"),
    "rectangle_count": _because(_NUMBER, "upstream pays a share for near numbers"),
    "coin_flip": Rule(
        rounded_to(4),
        "the number, rounded to no fewer than 4 significant digits",
        "upstream pays in full within 0.0001, so that 0 passes for small chances",
    ),
    "power_function": Rule(
        rounded_to(3),
        "the number, rounded to no fewer than 3 significant digits",
        "upstream rounds the answer, so that wrong later digits pass",
    ),
    "number_format": Rule(same_candidate, "the candidate's exact value", "upstream pays in full within 0.01"),
    "fraction_simplification": Rule(
        reduced_fraction,
        "the reduced fraction",
        "upstream pays in full for text after the fraction",
    ),
    "complex_arithmetic": Rule(
        same_complex,
        "the exact complex number",
        "upstream pays in full for 'nan', and a share for near numbers",
    ),
    "prime_factorization": Rule(
        same_factors,
        "the prime factors in any order",
        "upstream raises for most texts, and pays half for any factors",
    ),
    "advanced_geometry": Rule(
        rounded_numbers,
        "the numbers in order, with as many decimals or more",
        "upstream pays in full for a third coordinate",
    ),
    "list_functions": _because(_LIST, _PART),
    "number_filtering": _because(_LIST, _PART),
    "number_sorting": _because(_LIST, "upstream pays in full when every number is off by up to 1"),
    "polynomial_equations": Rule(
        same_solutions,
        "the solutions to 4 decimals in any order",
        "upstream pays a share for near ones, and leaves out what is no number",
    ),
    "pool_matrix": Rule(
        rounded_grid, "the grid, rounded to 2 or more decimals", "upstream pays in full within 1 percent"
    ),
    # Values with a structure.
    "codeio": Rule(same_json, "the same JSON value", "upstream pays a share for similar values"),
    "game_of_life": Rule(same_json, "the same JSON value", "upstream pays a share for every right cell"),
    "group_anagrams": Rule(same_groups, "the groups in any order"),
    "palindrome_partitioning": Rule(same_partitions, "all partitions, none twice"),
    "knights_knaves": Rule(
        same_roles,
        "one role for every person and nothing else",
        "upstream leaves out other words, so that 'not Zoey is a knave' passes",
    ),
    # Expressions, whose text upstream evaluates.
    "countdown": Rule(
        makes(lambda entry: int(entry.metadata["target"])),
        "an expression of each given number once, with the exact value",
        "upstream runs the answer through sympy's parser, which executes code, and compares as floats",
        executes=True,
    ),
    "puzzle24": Rule(
        makes(lambda entry: 24),
        "an expression of each given number once, with the exact value",
        "upstream runs the answer through sympy's parser, and pays for other numbers than those given and for 24.9",
        executes=True,
    ),
    "polynomial_multiplication": Rule(
        same_polynomial,
        "the expanded polynomial",
        "upstream runs the answer through sympy's parser, which executes code",
        executes=True,
    ),
    "simple_integration": Rule(
        antiderivative,
        "an antiderivative, as the `integral` verifier says",
        "upstream runs the answer through sympy's parser, which executes code; 'answer or other' passes",
        executes=True,
    ),
    "intermediate_integration": Rule(
        antiderivative,
        "an antiderivative, as the `integral` verifier says",
        "the same; the question written as Integral(f, x) passes, and is upstream's own answer at times",
        known=_integrated,
        executes=True,
    ),
    # Puzzles with several solutions, checked here.
    "cryptarithm": Rule(
        cryptarithm, "any digits that solve it", "upstream takes the last of two digits for one letter"
    ),
    "graph_color": Rule(
        coloring, "any colouring", "upstream takes vertices that do not exist", known=_coloring
    ),
    "jugs": Rule(jugs, "any moves that end at the target", "upstream takes moves with words after them"),
    "n_queens": Rule(queens, "any solution", "upstream runs the answer as Python code", executes=True),
    "palindrome_generation": Rule(palindrome, "any palindrome of the letters"),
    # Puzzles whose checker is upstream's, behind a pattern.
    "boxnet": Rule(upstream(r"(?s:\[.*\])"), "a plan that matches all boxes"),
    "kakurasu": Rule(
        upstream(r"[01](?:[ \n]?[01]){0,200}"),
        "any grid that solves it",
        "upstream leaves out all other text",
    ),
    "knight_swap": Rule(
        upstream(r"[Nn]o|(?s:\[.*\])"), "moves as few as upstream's", "upstream pays a share for longer ones"
    ),
    "propositional_logic": Rule(
        conclusion,
        "a conclusion that is neither always true nor a premise said again",
        "upstream pays in full for a premise said again; its own answers are not all paid",
        known=_unknown,
    ),
    "quantum_lock": Rule(
        upstream(r"[A-C](?:\s*+→\s*+[A-C]){0,200}"),
        "a shortest sequence",
        "upstream takes every A, B and C in any text for a button",
    ),
    "rubiks_cube": Rule(
        upstream(r"[UDLRFB]'?(?:\s++[UDLRFB]'?){0,1000}"),
        "moves that solve it",
        "upstream pays a share for every right sticker",
        known=lambda entry: str(entry.metadata["example_correct_answer"]),
    ),
    "rush_hour": Rule(
        upstream(r"[A-Z][+-][0-9]{1,2}(?:\s++[A-Z][+-][0-9]{1,2}){0,500}"),
        "moves that free the car",
        "upstream leaves out all other text",
    ),
    "shortest_path": Rule(
        upstream(r"infeasible|(?:up|down|left|right)(?:\s++(?:up|down|left|right)){0,500}"),
        "a shortest path",
        "upstream pays half for longer ones",
    ),
    "sokoban": Rule(upstream(r"[UDLR]{1,1000}"), "moves that solve it", "upstream leaves out all other text"),
    "tower_of_hanoi": Rule(
        upstream(
            r"(?:Move disk [0-9]{1,2} from Peg [0-9]{1,2} to Peg [0-9]{1,2}[ \t]*+\n\s*+){0,1000}"
            r"Move disk [0-9]{1,2} from Peg [0-9]{1,2} to Peg [0-9]{1,2}"
        ),
        "moves as few as upstream's",
        "upstream leaves out text before a move, and pays a share for more moves",
    ),
    "word_ladder": Rule(
        upstream(r"[A-Za-z]{1,20}(?:,\s*+[A-Za-z]{1,20}){0,200}"),
        "any ladder of known words",
        "upstream pays half for every unknown word",
    ),
}


def rules_table() -> str:
    """Return the rules as a table of Markdown, generators of one rule in one row."""
    rows: dict[tuple[str, str], list[str]] = {}
    for dataset, rule in sorted(RULES.items()):
        rows.setdefault((rule.what, rule.why), []).append(f"`{dataset}`")
    lines = ["| generators | what passes | what upstream's scorer does besides |", "|---|---|---|"]
    for (what, why), names in sorted(rows.items(), key=lambda row: (not row[0][1], row[1])):
        lines.append(f"| {', '.join(names)} | {what} | {why} |")
    return "\n".join(lines) + "\n"
