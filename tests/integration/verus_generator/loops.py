"""Shapes of programs: loops over numbers."""

from __future__ import annotations

import random

from tests.integration.verus_generator.words import ENSURES, Draft, Words, about


def sums(rng: random.Random) -> Draft:
    """A loop that counts, with an accumulator whose invariant may be off."""
    words = Words(rng)
    step, start, first = rng.randint(1, 4), words.small(), words.small(3)
    type = rng.choice(("u32", "u64", "usize", "i32", "i64"))
    high = rng.choice((5, 20, 100))
    closed = f"{start} + {step} * (i - {first})"
    invariants = [
        f"{first} <= i <= n" if rng.random() < 0.8 else f"{first} <= i",
        f"n <= {high}",
        f"x == {closed}",
    ]
    if rng.random() < 0.3:
        invariants[rng.randrange(3)] = rng.choice(
            (
                f"x <= {closed}",
                f"x >= {start}",
                f"x == {closed} + 1",
                f"x == {start} + {step} * i",
                f"i <= {high}",
                "i < n",
            )
        )
    sign = rng.choice(("<", "<", "<", "!=", "<="))
    bound = "\n".join(f"            {clause}," for clause in invariants)
    measure = rng.choice(("n - i", "n - i", "n - i", "n - i", "n + 1 - i", "100 - i", "n", "i", "x", "n - x"))
    order = [f"        x = x + {step};\n", "        i = i + 1;\n"]
    if rng.random() < 0.3:
        order.reverse()
    exits = (
        f"        if x {words.pick('>', '==', '>=')} {rng.randint(0, 60)} {{\n            {words.pick('break', 'return x', 'return i')};\n        }}\n"
        if rng.random() < 0.3
        else ""
    )
    text = (
        f"fn f(n: {type}) -> (r: {type})\n    requires\n        {first} <= n <= {high},\n{ENSURES}{{\n"
        f"    let mut i: {type} = {first};\n    let mut x: {type} = {start};\n"
        f"    while i {sign} n\n        invariant\n{bound}\n        decreases {measure},\n    {{\n{exits}{''.join(order)}    }}\n    x\n}}\n"
    )
    words.variables = {"n": type}
    return Draft(text, about(words, "r", type, f"{start} + {step} * (n - {first})"))


def recursive(rng: random.Random) -> Draft:
    """A recursive definition, computed by a loop."""
    words = Words(rng)
    base, plus = words.small(3), words.small(4)
    high = 40
    grow = "g((n - 1) as nat)"
    add = rng.choice(
        (
            str(plus),
            "n",
            f"(n % {rng.randint(2, 3)})",
            f"(if n > {rng.randint(1, 5)} {{ {plus}int }} else {{ n as int }})",
        )
    )
    other = rng.choice((add, add, add, str(plus)))
    compiled = (
        other.replace("n", "(i + 1)")
        if "if" not in other
        else f"(if i + 1 > {other.split('> ')[1].split(' ')[0]} {{ {plus}u64 }} else {{ i + 1 }})"
    )
    cap = f"x <= 1_000 * i + {base + 10}"
    text = (
        f"spec fn g(n: nat) -> int\n    decreases n,\n{{\n    if n == 0 {{ {base} }} else {{ {grow} + {add} }}\n}}\n\n"
        f"fn f(n: u64) -> (r: u64)\n    requires\n        n <= {high},\n{ENSURES}{{\n    let mut i: u64 = 0;\n    let mut x: u64 = {rng.choice((base, base, base, base + 1))};\n"
        f"    while i < n\n        invariant\n            i <= n <= {high},\n            x == g(i as nat),\n            0 <= {cap},\n        decreases n - i,\n"
        f"    {{\n        x = x + {compiled};\n        i = i + 1;\n    }}\n    x\n}}\n"
    )
    words.variables = {"n": "u64"}
    return Draft(
        text,
        [
            "r == g(n as nat)",
            "r >= g(n as nat)",
            "r == g((n + 1) as nat)",
            "r != g(0)",
            *about(words, "r", "u64", None, 2),
        ],
    )


def exits(rng: random.Random) -> Draft:
    """Loops within loops, left in the middle, with every kind of clause."""
    words = Words(rng)
    top, inner = rng.randint(2, 6), rng.randint(1, 4)
    leave = rng.choice(
        (
            f"if i == {rng.randint(0, top)} {{ break; }}",
            f"if x > {rng.randint(0, 10)} {{ break 'a; }}",
            f"if j == {rng.randint(0, inner)} {{ continue; }}",
            f"if j == {rng.randint(0, inner)} {{ continue 'a; }}",
            f"if i + j == {rng.randint(1, top)} {{ i = i + 1; continue 'a; }}",
            f"if j == {rng.randint(0, inner)} {{ break; }}",
            "if j > i { break 'a; }",
            "",
        )
    )
    kind = rng.choice(("invariant", "invariant", "invariant_except_break"))
    ensures = rng.choice(
        (
            "",
            "",
            f"        ensures i <= {top}, j {words.pick('==', '<=')} {inner},\n",
            f"        ensures j <= {inner}, i <= {top}, x >= i,\n",
            f"        ensures i == {top},\n",
        )
    )
    fact = rng.choice((f"x <= i * {inner} + j", "x == x", "x >= j", "i <= x"))
    isolation = (
        "" if kind != "invariant" or ensures or rng.random() < 0.7 else "#[verifier::loop_isolation(false)]\n"
    )
    text = (
        f"{isolation}fn f(n: u32) -> (r: u32)\n    requires\n        n <= 5,\n{ENSURES}{{\n    let mut i: u32 = 0;\n    let mut x: u32 = 0;\n    let mut j: u32 = 0;\n"
        f"    'a: while i < {top}\n        invariant\n            i <= {top}, j <= {inner}, x <= i * {inner + 1} + 20, x <= 1000,\n        decreases {top} - i,\n    {{\n        j = 0;\n"
        f"        while j < {inner}\n            {kind}\n                i < {top}, j <= {inner}, x <= i * {inner + 1} + j + 20, x <= 1000, {fact if rng.random() < 0.4 else 'true'},\n    {ensures}            decreases {inner} - j,\n        {{\n"
        f"            {leave}\n            j = j + 1;\n            {words.pick('x = x + 1;', 'x = x + 1;', '', 'if x < 50 { x = x + 1; }')}\n        }}\n        i = i + 1;\n    }}\n    {words.pick('x', 'i', 'j', 'i + j')}\n}}\n"
    )
    words.variables = {"n": "u32"}
    found = [
        f"r == {top}",
        f"r <= {top}",
        f"r == {inner}",
        f"r <= {inner}",
        f"r <= {top * (inner + 1) + 20}",
        f"r >= {top}",
        f"r == {top + inner}",
        f"r >= {inner}",
    ]
    return Draft(text, found + about(words, "r", "u32", None, 2))


def counted(rng: random.Random) -> Draft:
    """``for`` loops."""
    words = Words(rng)
    step, start = rng.randint(0, 3), words.small()
    low, high = rng.choice(("0", "1", "a", "n")), rng.choice(("n", "n", "10", "a"))
    closed = rng.choice(
        (
            f"x == {start} + {step} * (i - {low})",
            f"x <= {start} + {step} * i",
            f"x >= {start}",
            f"x == {start} + {step} * i",
        )
    )
    text = (
        f"fn f(n: u32, a: u32) -> (r: u32)\n    requires\n        n <= 20, a <= 20,{rng.choice((' a <= n,', ''))}\n{ENSURES}{{\n    let mut x: u32 = {start};\n"
        f"    for i in {low}..{high}\n        invariant\n            {closed}, x <= 200 * (i + 1), n <= 20, a <= 20,\n    {{\n        x = x + {step};\n    }}\n    x\n}}\n"
    )
    words.variables = {"n": "u32", "a": "u32"}
    return Draft(
        text,
        [
            f"r == {start} + {step} * ({high} - {low})",
            f"r == {start} + {step} * {high}",
            f"r >= {start}",
            f"r == {start}",
            f"{high} >= {low} ==> r == {start} + {step} * ({high} - {low})",
            *about(words, "r", "u32", None, 2),
        ],
    )
