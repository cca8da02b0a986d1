"""Random expressions, and drafts of programs that wait for their postconditions."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

UNSIGNED = ("u8", "u16", "u32", "u64", "usize")


SIGNED = ("i8", "i16", "i32", "i64", "isize")


ENSURES = "/*ENSURES*/"
ASSERTS = "/*ASSERTS*/"


@dataclass
class Draft:
    """A program whose main function ``f`` lacks its postcondition."""

    text: str
    candidates: list[str] = field(default_factory=list)
    prover: str = ""
    """How each clause is proved first, in the place marked `ASSERTS`; nothing for the default prover."""

    def filled(self, clauses: list[str]) -> str:
        """Return the program with a postcondition."""
        ensures = "    ensures\n" + "".join(f"        {clause},\n" for clause in clauses) if clauses else ""
        asserts = "".join(f"    assert({clause}) by ({self.prover});\n" for clause in clauses)
        text = self.text.replace(ENSURES, ensures).replace(ASSERTS, asserts)
        return "use vstd::prelude::*;\n\nverus! {\n\n" + text + "\n} // verus!\n"


class Words:
    """Random expressions over variables of known types."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.variables: dict[str, str] = {}

    def pick(self, *choices: str) -> str:
        return self.rng.choice(choices)

    def small(self, top: int = 12) -> int:
        return self.rng.choice((0, 1, 1, 2, 2, 3, self.rng.randint(0, top)))

    def of_type(self, type: str) -> list[str]:
        return [name for name, each in self.variables.items() if each == type]

    def number(self, type: str, depth: int = 2) -> str:
        """Return an expression of compiled code."""
        rng = self.rng
        names = self.of_type(type)
        if depth == 0 or rng.random() < 0.25:
            return rng.choice(names) if names and rng.random() < 0.8 else f"{self.small()}{type}"
        kind = rng.random()
        if kind < 0.5:
            return f"({self.number(type, depth - 1)} {self.pick('+', '-', '*', '+', '-')} {self.number(type, depth - 1)})"
        if kind < 0.65:
            divisor = str(rng.choice((2, 3, 7, 10))) if rng.random() < 0.7 else self.number(type, depth - 1)
            if type in SIGNED and rng.random() < 0.4 and divisor.isdecimal():
                divisor = f"(-{divisor})"
            return f"({self.number(type, depth - 1)} {self.pick('/', '%')} {divisor})"
        if kind < 0.75:
            return f"(if {self.truth(depth - 1)} {{ {self.number(type, depth - 1)} }} else {{ {self.number(type, depth - 1)} }})"
        if kind < 0.85:
            others = [
                name for name, each in self.variables.items() if each != type and each in UNSIGNED + SIGNED
            ]
            return f"({rng.choice(others)} as {type})" if others else self.number(type, depth - 1)
        if kind < 0.92:
            return f"({self.number(type, depth - 1)} {self.pick('<<', '>>')} {rng.randint(0, 4)})"
        return f"({self.number(type, depth - 1)} {self.pick('&', '|', '^')} {self.number(type, depth - 1)})"

    def truth(self, depth: int = 1) -> str:
        """Return a condition of compiled code."""
        rng = self.rng
        if depth > 0 and rng.random() < 0.3:
            return f"({self.truth(depth - 1)} {self.pick('&&', '||')} {self.truth(depth - 1)})"
        types = [each for each in self.variables.values() if each in UNSIGNED + SIGNED]
        if not types:
            return self.pick("true", "false")
        type = rng.choice(types)
        sign = self.pick("<", "<=", ">", ">=", "==", "!=")
        return f"({self.number(type, depth)} {sign} {self.number(type, 0)})"

    def ghost(self, depth: int = 2) -> str:
        """Return a mathematical integer."""
        rng = self.rng
        names = [name for name, each in self.variables.items() if each in (*UNSIGNED, *SIGNED, "int", "nat")]
        if depth == 0 or rng.random() < 0.3:
            if names and rng.random() < 0.75:
                name = rng.choice(names)
                return name if self.variables[name] == "int" else f"({name} as int)"
            return (
                f"{rng.choice((0, 1, 2, 3, 5, 10, 100, 255, 256))}int"
                if rng.random() < 0.8
                else f"(-{self.small()}int)"
            )
        kind = rng.random()
        if kind < 0.7:
            return f"({self.ghost(depth - 1)} {self.pick('+', '-', '+', '-', '*')} {self.ghost(depth - 1)})"
        if kind < 0.9:
            divisor = rng.choice(("2int", "3int", "7int", "10int", "(-2int)", "(-3int)", "(-7int)"))
            return f"({self.ghost(depth - 1)} {self.pick('/', '%')} {divisor})"
        return f"(if {self.claim(0)} {{ {self.ghost(depth - 1)} }} else {{ {self.ghost(depth - 1)} }})"

    def claim(self, depth: int = 1) -> str:
        """Return a ghost condition about the variables."""
        rng = self.rng
        if depth > 0 and rng.random() < 0.5:
            sign = self.pick("&&", "||", "==>", "==>", "<==>")
            return f"({self.claim(depth - 1)} {sign} {self.claim(depth - 1)})"
        if rng.random() < 0.15:
            return f"({self.ghost(1)} {self.pick('<=', '<')} {self.ghost(1)} {self.pick('<=', '<')} {self.ghost(1)})"
        sign = self.pick("<", "<=", ">", ">=", "==", "==", "!=")
        return f"({self.ghost(1)} {sign} {self.ghost(1)})"


def parameters_of(words: Words, count: int, types: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Open parameters; return them as written, and preconditions that keep most of them small."""
    rng = words.rng
    written, requires = [], []
    for name in "abcde"[:count]:
        type = rng.choice(types)
        words.variables[name] = type
        written.append(f"{name}: {type}")
        high = rng.choice((1, 5, 10, 100, 100, 1_000))
        if type in ("u8", "i8"):
            high = min(high, 10)
        kind = rng.random()
        if kind < 0.75:
            low = -high if type in SIGNED or type == "int" else 0
            low = rng.choice((low, low, 0, 1))
            requires.append(f"{low} <= {name} <= {high}")
        elif kind < 0.9:
            requires.append(f"{name} < {high}")
    if rng.random() < 0.25:
        requires.append(words.claim(0))
    return written, requires


def requires_of(clauses: list[str]) -> str:
    return "    requires\n" + "".join(f"        {clause},\n" for clause in clauses) if clauses else ""


def about(words: Words, result: str, type: str, exact: str | None, count: int = 5) -> list[str]:
    """Return candidate postconditions: exact ones, near misses, bounds and implications."""
    rng = words.rng
    found = []
    if exact is not None:
        found += [
            f"{result} == {exact}",
            f"{result} <= {exact} + {words.small()}",
            f"{result} >= {exact} - {words.small()}",
        ]
    words.variables[result] = type
    for _ in range(count):
        sign = words.pick("<", "<=", ">", ">=", "==", "!=")
        found.append(f"{result} {sign} {words.ghost(1)}")
        found.append(f"{words.claim(0)} ==> {result} {sign} {words.ghost(1)}")
    for edge in (0, 1, 10, 100, 255, 1_000):
        found.append(rng.choice((f"{result} <= {edge}", f"{result} >= {edge}", f"{result} != {edge}")))
    del words.variables[result]
    return found
