"""Puzzles with several solutions that take a few lines to check."""

from __future__ import annotations

import re

from rlvr_gym.verifiers.reasoning_rules.base import Entry, Unreadable, read_json
from rlvr_gym.verifiers.reasoning_rules.texts import same_text

_ASSIGNMENT = re.compile(r"\s*+([A-Z])\s*+=\s*+([0-9])\s*+")


def cryptarithm(answer: str, entry: Entry) -> bool:
    """A digit for every letter, all different, none leading that is 0, and the sum right."""
    digits: dict[str, str] = {}
    for part in answer.split(","):
        match = _ASSIGNMENT.fullmatch(part)
        if match is None or match[1] in digits:
            raise Unreadable(f"'{part[:20]}' does not give one letter one digit")
        digits[match[1]] = match[2]
    words, result = entry.metadata["words_letters"], entry.metadata["result_letters"]
    letters = set("".join([*words, result]))
    if digits.keys() != letters or len(set(digits.values())) < len(letters):
        return False
    numbers = ["".join(digits[letter] for letter in word) for word in (*words, result)]
    if not entry.metadata.get("allow_leading_zero", False) and any(text.startswith("0") for text in numbers):
        return False
    return sum(map(int, numbers[:-1])) == int(numbers[-1])


def coloring(answer: str, entry: Entry) -> bool:
    """One of the colours for every vertex and nothing else, no edge between equal ones."""
    found = read_json(answer)
    puzzle = entry.metadata["puzzle"]
    if not isinstance(found, dict) or not all(type(color) is int for color in found.values()):
        raise Unreadable("the answer is no map of vertices to colours")
    if found.keys() != {str(vertex) for vertex in puzzle["vertices"]}:
        return False
    if not set(found.values()) <= set(puzzle["color_options"]):
        return False
    return all(found[str(one)] != found[str(other)] for one, other in puzzle["edges"])


def queens(answer: str, entry: Entry) -> bool:
    """One of the boards that complete the given one."""
    boards = entry.metadata["valid_answers"]
    return any(same_text(answer, Entry(entry.dataset, board, {})) for board in boards)


def palindrome(answer: str, entry: Entry) -> bool:
    """A palindrome of exactly the given letters."""
    text = answer.strip().casefold()
    return text == text[::-1] and sorted(text) == sorted(
        letter.casefold() for letter in entry.metadata["letters"]
    )


_MOVE = re.compile(r"fill ([A-Z])|empty ([A-Z])|pour ([A-Z])->([A-Z])")


def jugs(answer: str, entry: Entry) -> bool:
    """Moves after the last of which a jug holds the target."""
    moves = read_json(answer)
    if not isinstance(moves, list):
        raise Unreadable("the answer is no list of moves")
    sizes = entry.metadata["puzzle"]["jug_capacities"]
    held = [0] * len(sizes)
    for move in moves:
        match = _MOVE.fullmatch(move) if isinstance(move, str) else None
        named = [ord(name) - ord("A") for name in match.groups() if name] if match else []
        if match is None or max(named) >= len(sizes):
            raise Unreadable(f"{move!r:.40} is no move")
        if match[1]:
            held[named[0]] = sizes[named[0]]
        elif match[2]:
            held[named[0]] = 0
        elif named[0] != named[1]:
            amount = min(held[named[0]], sizes[named[1]] - held[named[1]])
            held[named[0]] -= amount
            held[named[1]] += amount
    return bool(moves) and entry.metadata["puzzle"]["target"] in held
