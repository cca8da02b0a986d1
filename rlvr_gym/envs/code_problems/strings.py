"""Texts."""

from __future__ import annotations

from rlvr_gym.envs.code_problems.base import Rng, code_problem, integer, integers, text

_WORDS = (
    "a",
    "an",
    "the",
    "river",
    "stone",
    "of",
    "under",
    "bright",
    "morning",
    "it",
    "carried",
    "on",
    "extraordinary",
)


def _sentence(rng: Rng, most: int) -> str:
    return " ".join(_WORDS[i] for i in integers(rng, 0, most, low=0, high=len(_WORDS) - 1))


@code_problem("strings", 1, lambda rng: (text(rng, 0, 20, "aab "),), [("",), ("aaa",)])
def run_lengths(text: str) -> list[tuple[str, int]]:
    """Return (character, length) of each run of equal characters, from left to right."""
    runs: list[tuple[str, int]] = []
    for character in text:
        if runs and runs[-1][0] == character:
            runs[-1] = (character, runs[-1][1] + 1)
        else:
            runs.append((character, 1))
    return runs


@code_problem(
    "strings",
    1,
    lambda rng: (text(rng, 0, 25, "abcxyzABYZ ,.1"), integer(rng, -60, 60)),
    [("", 3), ("xyz", 3)],
)
def shift_letters(text: str, by: int) -> str:
    """Return the text with each of the letters a-z and A-Z moved by so many places in the alphabet.

    The alphabet goes on with a after z, case is kept, and all other characters stay. ``by`` may be negative.
    """
    shifted = ""
    for character in text:
        if "a" <= character <= "z" or "A" <= character <= "Z":
            first = ord("a") if character >= "a" else ord("A")
            character = chr(first + (ord(character) - first + by) % 26)
        shifted += character
    return shifted


@code_problem(
    "strings", 2, lambda rng: (text(rng, 0, 14, "()()[]a"),), [("",), ("([)]",), ("(()[])",), ("(",)]
)
def bracket_depth(text: str) -> int:
    """Return how deeply the brackets () and [] are nested at most, or -1 when they do not match.

    Other characters do not count, and a text without brackets has depth 0.
    """
    open_ones, deepest = [], 0
    for character in text:
        if character in "([":
            open_ones.append(character)
            deepest = max(deepest, len(open_ones))
        elif character in ")]" and (not open_ones or open_ones.pop() + character not in ("()", "[]")):
            return -1
    return -1 if open_ones else deepest


@code_problem(
    "strings",
    2,
    lambda rng: (integers(rng, 0, 14, low=-3, high=15),),
    [([],), ([5],), ([1, 2],), ([1, 2, 3],)],
)
def page_ranges(pages: list[int]) -> str:
    """Return a list of pages as text: sorted, without repeats, three or more in a row as "first-last", joined by ",".

    [7, 1, 2, 3, 3, 9, 10] is "1-3,7,9,10". The empty list is the empty text.
    """
    parts, numbers, i = [], sorted(set(pages)), 0
    while i < len(numbers):
        j = i
        while j + 1 < len(numbers) and numbers[j + 1] == numbers[j] + 1:
            j += 1
        if j - i >= 2:
            parts.append(f"{numbers[i]}-{numbers[j]}")
        else:
            parts += [str(n) for n in numbers[i : j + 1]]
        i = j + 1
    return ",".join(parts)


@code_problem(
    "strings", 3, lambda rng: (_sentence(rng, 12), integer(rng, 4, 24)), [("", 5), ("extraordinary", 4)]
)
def wrap_words(text: str, width: int) -> list[str]:
    """Return the lines of a text that is broken between words, each line as full as it can be.

    Words are separated by single spaces in the text and in the lines. No line is longer than ``width``, but a word that
    is longer stands on a line of its own. A text without words has no lines.
    """
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines


@code_problem(
    "strings",
    3,
    lambda rng: (text(rng, 0, 9, "abc"), text(rng, 0, 9, "abc")),
    [("", ""), ("abc", ""), ("ab", "ba")],
)
def edit_distance(a: str, b: str) -> int:
    """Return the least number of letters to insert, delete or replace that turns one text into the other."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row = row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (x != y)))
    return row[-1]


def _folded(rng: Rng) -> str:
    inner = f"{integer(rng, 0, 3)}[{text(rng, 0, 2, 'xy')}{integer(rng, 1, 12)}[{text(rng, 0, 2, 'ab')}]]"
    return (
        text(rng, 0, 3, "pq")
        + inner
        + text(rng, 0, 2, "rs")
        + f"{integer(rng, 1, 4)}[{text(rng, 1, 2, 'z')}]"
    )


@code_problem("strings", 4, lambda rng: (_folded(rng),), [("",), ("ab",), ("2[a3[b]]c",), ("0[abc]",)])
def unfold(text: str) -> str:
    """Return a text with each n[part] replaced by n copies of the part, which may hold such parts itself.

    n is a whole number of one or more digits. Outside of that the text has only letters. 2[a3[b]]c is abbbabbbc.
    """
    stack, current, count = [], "", 0
    for character in text:
        if character.isdigit():
            count = count * 10 + int(character)
        elif character == "[":
            stack.append((current, count))
            current, count = "", 0
        elif character == "]":
            before, times = stack.pop()
            current = before + current * times
        else:
            current += character
    return current


@code_problem(
    "strings",
    4,
    lambda rng: (text(rng, 0, 7, "ab*?*"), text(rng, 0, 9, "ab")),
    [("", ""), ("*", ""), ("?*", ""), ("a*b", "aabab")],
)
def glob_matches(pattern: str, text: str) -> bool:
    """Return whether a pattern matches all of a text: * stands for any characters or none, ? for exactly one."""
    reachable = {0}
    for sign in pattern:
        if sign == "*":
            reachable = set(range(min(reachable), len(text) + 1)) if reachable else set()
        else:
            reachable = {i + 1 for i in reachable if i < len(text) and sign in ("?", text[i])}
    return len(text) in reachable


def _formula(rng: Rng, depth: int = 0) -> str:
    if depth == 3 or rng.random() < 0.25:
        return str(integer(rng, 0, 30))
    left, right = _formula(rng, depth + 1), _formula(rng, depth + 1)
    joined = f"{left}{' ' * integer(rng, 0, 1)}{'+-*'[integer(rng, 0, 2)]} {right}"
    return f"({joined})" if rng.random() < 0.4 else joined


@code_problem("strings", 5, lambda rng: (_formula(rng),), [("7",), ("2*(3+4)-5*6",), ("((1)) - (2-3)",)])
def calculate(formula: str) -> int:
    """Return the value of a formula of whole numbers, +, -, *, brackets and spaces, without using eval or exec.

    Products go before sums and differences, which are done from left to right. Signs before numbers do not occur.
    """
    tokens, i = [], 0
    while i < len(formula):
        j = i + 1
        while formula[i].isdigit() and j < len(formula) and formula[j].isdigit():
            j += 1
        if formula[i] != " ":
            tokens.append(formula[i:j])
        i = j
    tokens.append("")

    def total() -> int:
        value = product()
        while tokens[0] in ("+", "-"):
            value = value + product() if tokens.pop(0) == "+" else value - product()
        return value

    def product() -> int:
        value = atom()
        while tokens[0] == "*":
            tokens.pop(0)
            value *= atom()
        return value

    def atom() -> int:
        token = tokens.pop(0)
        if token != "(":
            return int(token)
        value = total()
        tokens.pop(0)
        return value

    return total()
