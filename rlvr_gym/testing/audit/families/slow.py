"""Short texts that take long to evaluate."""

from __future__ import annotations

from collections.abc import Iterator

from rlvr_gym.testing.audit.families.base import Family, Named
from rlvr_gym.testing.audit.ground import Ground

_ANSWERS = {
    "power tower": "9^{9^{9^{98765}}}",
    "power tower in Python": "9**9**9**98765",
    "long power": "98765**98765**5",
    "factorial": "1000000000!",
    "factorial of a factorial": "98765!!!",
    "huge exponent": "10^(10^(10^98765))",
    "binomial": "\\binom{10^9}{5*10^8}",
    "sum": "\\sum_{k=1}^{100000000} k^{98765}",
    "product": "\\prod_{k=1}^{1000000} k",
    "integral": "\\int_0^1 e^{\\sin(x^{98765})} dx",
    "sine of a tower": "sin(10^10^10^98765)",
    "tiny": "10^{-1000000000}",
    "brackets": "(" * 200 + "x" + ")" * 200,
    "open brackets": "(" * 5_000,
    "fractions": "\\frac{98765}{" * 300 + "x" + "}" * 300,
    "roots": "\\sqrt{" * 300 + "x" + "}" * 300,
    "list in list": "[" * 1_000 + "]" * 1_000,
    "multiplied text": "'a' * 10**12",
    "range": "list(range(10**10))",
    "comprehension": "[a for a in range(10**9)]",
    "exponent in a float": "1e999999999",
}
_TEXTS = {
    "open boxes": "\\boxed{" * 5_000,
    "dollars": "$ " * 25_000,
    "brackets of mathematics": "\\[ " * 15_000,
    "spaced digits": "1 " * 25_000 + "x",
    "as, no b": "a" * 25_000 + "!",
    "thousands": "1,000" * 10_000 + "x",
    "spaces": "The answer is" + " " * 50_000 + "x",
    "signs": "-" * 50_000 + "x",
    "dots": "1." * 25_000,
    "thoughts": "<think>" * 7_000,
    "thoughts and answers": "<think></think><answer>" * 2_000,
    "answers": "answer: " * 6_000,
    "stars": "**answer" * 6_000,
    "backslashes": "\\" * 50_000,
    "newlines": "answer\n" * 7_000,
}
_WORDS = {
    # Short runs, on which a pattern that backtracks doubles its work with every character.
    "run of a": "a" * 40 + "!",
    "run of 1": "1" * 40 + "!",
    "run of space": " " * 40 + "!",
    "run of 1 space": "1 " * 40 + "!",
    "run of words": "word " * 40 + "!",
    "run of decimals": "1.1" * 40 + "!",
    "run of commas": "1,1" * 40 + "!",
    "run of braces": "{}" * 40 + "!",
}


def slow(ground: Ground) -> Iterator[Named]:
    """Yield towers, factorials, nesting, and texts on which a regular expression backtracks."""
    yield from _TEXTS.items()
    for name, text in _WORDS.items():
        yield name, text
        for channel in ground.channels:
            yield f"{name}, {channel.name}", channel.wrap(text)
    # Once found, an answer is evaluated in one way, so that one form of it is enough.
    for name, text in _ANSWERS.items():
        yield f"{name}, {ground.own.name}", ground.own.wrap(text)
    for name, text in _WORDS.items():
        yield f"{name}, open box", f"\\boxed{{{text}"
        yield f"{name}, open tag", f"<answer>{text}"


FAMILIES = (Family("slow", slow, blind=True, heavy=True, cases=1),)
