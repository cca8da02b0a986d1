"""Shapes of programs: integers and branches."""

from __future__ import annotations

import random

from tests.integration.verus_generator.words import (
    ENSURES,
    SIGNED,
    UNSIGNED,
    Draft,
    Words,
    about,
    parameters_of,
    requires_of,
)


def straight(rng: random.Random) -> Draft:
    """Integer code without branches."""
    words = Words(rng)
    types = UNSIGNED if rng.random() < 0.5 else SIGNED
    parameters, requires = parameters_of(words, rng.randint(1, 3), types)
    lines = []
    for number in range(rng.randint(0, 2)):
        type = rng.choice(list(words.variables.values()))
        lines.append(f"    let t{number}: {type} = {words.number(type)};\n")
        words.variables[f"t{number}"] = type
    type = rng.choice(list(words.variables.values()))
    body = words.number(type)
    for number in range(len(lines)):
        words.variables.pop(f"t{number}")
    exact = body if not lines else None
    text = f"fn f({', '.join(parameters)}) -> (r: {type})\n{requires_of(requires)}{ENSURES}{{\n{''.join(lines)}    {body}\n}}\n"
    return Draft(text, about(words, "r", type, exact))


def branches(rng: random.Random) -> Draft:
    """Variables that are changed in branches, with an early return."""
    words = Words(rng)
    type = rng.choice(UNSIGNED + SIGNED)
    parameters, requires = parameters_of(words, rng.randint(1, 3), (type,))
    inputs = dict(words.variables)
    lines = [
        f"    let mut x: {type} = {words.number(type, 1)};\n",
        f"    let mut y: {type} = {words.number(type, 1)};\n",
    ]
    words.variables |= {"x": type, "y": type}
    for _ in range(rng.randint(1, 3)):
        lines.append(_branch(words, type, 1, "    "))
    body = words.number(type, 1)
    words.variables = inputs
    text = f"fn f({', '.join(parameters)}) -> (r: {type})\n{requires_of(requires)}{ENSURES}{{\n{''.join(lines)}    {body}\n}}\n"
    return Draft(text, about(words, "r", type, None, 8))


def _branch(words: Words, type: str, depth: int, indent: str) -> str:
    def inner() -> str:
        kind = words.rng.random()
        if depth and kind < 0.25:
            return _branch(words, type, depth - 1, indent + "    ")
        if kind < 0.35:
            return f"{indent}    return {words.number(type, 1)};\n"
        target = words.pick("x", "y")
        if kind < 0.6:
            return f"{indent}    {target} {words.pick('+=', '-=', '*=')} {words.number(type, 0)};\n"
        return f"{indent}    {target} = {words.number(type, 1)};\n"

    text = f"{indent}if {words.truth(1)} {{\n{inner()}"
    return text + (
        f"{indent}}} else {{\n{inner()}{indent}}}\n" if words.rng.random() < 0.6 else f"{indent}}}\n"
    )


def divisions(rng: random.Random) -> Draft:
    """Quotients, remainders, shifts and casts of one value: compiled code and specifications differ on negative ones."""
    words = Words(rng)
    type, other = rng.choice(SIGNED + UNSIGNED), rng.choice(SIGNED + UNSIGNED)
    by = rng.choice((2, 3, 7, 10))
    divisor = f"(-{by})" if type in SIGNED and rng.random() < 0.4 else str(by)
    body = rng.choice(
        (
            f"a / {divisor}",
            f"a % {divisor}",
            f"a / {divisor}",
            f"a % {divisor}",
            f"a >> {by}",
            f"(a as {other}) as {type}",
        )
    )
    high = rng.choice((1, 9, 100))
    low = rng.choice((-high, -1, 0)) if type in SIGNED else 0
    requires = [f"{low} <= a <= {high}"] if rng.random() < 0.7 else []
    text = f"fn f(a: {type}) -> (r: {type})\n{requires_of(requires)}{ENSURES}{{\n    {body}\n}}\n"
    words.variables = {"a": type}
    near = [
        f"r == {body}",
        f"r == (a as int) / {divisor}",
        f"r == (a as int) % {divisor}",
        "r >= 0",
        "r <= a",
        "r == a",
        f"r < {by}",
        f"-{by} < r",
        "a >= 0 ==> r >= 0",
        "a < 0 ==> r <= 0",
        "a < 0 ==> r < 0",
    ]
    near += [
        f"a >= 0 ==> r == (a as int) / {divisor}",
        f"a == -1 ==> r == {words.pick('0', '-1', '1')}",
        f"r * {divisor} <= a",
        f"a - {by} < r * {divisor}",
    ]
    return Draft(text, [*near, *about(words, "r", type, None, 2)])


def arithmetic(rng: random.Random) -> Draft:
    """A lemma about integers."""
    words = Words(rng)
    parameters, requires = parameters_of(
        words, rng.randint(1, 3), ("int", "nat", "u8", "i32", "u64", "int", "int")
    )
    for _ in range(rng.randint(0, 2)):
        requires.append(words.claim(0))
    nonlinear = ["(a as int) * (b as int) == (b as int) * (a as int)"] if "b" in words.variables else []
    text = f"proof fn f({', '.join(parameters)})\n{requires_of(requires)}{ENSURES}{{\n}}\n"
    return Draft(text, nonlinear + [words.claim(2) for _ in range(14)] + [words.claim(0) for _ in range(14)])
