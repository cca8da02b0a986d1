"""Shapes of programs: lemmas for the special provers, and about sets."""

from __future__ import annotations

import random

from tests.integration.verus_generator.words import ASSERTS, ENSURES, Draft, Words, requires_of


def _lemma(parameters: str, requires: list[str]) -> str:
    return f"proof fn f({parameters})\n{requires_of(requires)}{ENSURES}{{\n{ASSERTS}}}\n"


class BitWords(Words):
    """Random terms over bits of one type."""

    def __init__(self, rng: random.Random, type: str) -> None:
        super().__init__(rng)
        self.type = type
        self.width = int(type[1:])

    def bits(self, depth: int = 2) -> str:
        rng = self.rng
        if depth == 0 or rng.random() < 0.2:
            top = (1 << self.width) - 1 if self.type[0] == "u" else (1 << self.width - 1) - 1
            return rng.choice(
                ("a", "a", "b", "b", f"{rng.choice((0, 1, 2, 3, 7, 8, 15, 16, 127, top))}{self.type}")
            )
        one, other = self.bits(depth - 1), self.bits(depth - 1)
        amount = f"{rng.choice((0, 1, 3, self.width - 1))}{self.type}"
        return rng.choice(
            (
                f"({one} & {other})", f"({one} | {other})", f"({one} ^ {other})", f"(!{one})", f"({one} << {amount})", f"({one} >> {amount})", f"add({one}, {other})", f"sub({one}, {other})", f"mul({one}, {other})",
                f"({one} % 8{self.type})", f"({one} / 4{self.type})", f"(({one} + {other}) as {self.type})", f"(({one} as u8) as {self.type})", f"(({one} as i8) as {self.type})", f"(({one} as u64) as {self.type})",
            )
        )  # fmt: skip

    def relation(self) -> str:
        sides = [self.bits(), self.bits()]
        kind = self.rng.random()
        if kind < 0.2:
            sides[0] = f"({self.bits(1)} {self.pick('+', '-', '*')} {self.bits(1)})"
        return f"({sides[0]} {self.pick('==', '==', '<=', '<', '!=')} {sides[1]})"

    def either(self) -> str:
        return (
            self.relation()
            if self.rng.random() < 0.6
            else f"({self.relation()} {self.pick('==>', '||', '&&')} {self.relation()})"
        )


_TRUE_BITS = (
    "(a & b) == (b & a)", "(a ^ b) ^ b == a", "(a | b) >= a", "(a & b) <= a", "a & 7 == a % 8", "a >> 1 == a / 2", "(a & b) + (a | b) == a + b", "(a ^ b) == (a | b) & !(a & b)", "add(a, b) == add(b, a)", "sub(add(a, b), b) == a",
    "a << 1 == mul(a, 2)", "a & (sub(a, 1)) <= a", "(a ^ b) <= a + b", "!a == sub(0, add(a, 1))", "a + b >= a", "(a | b) <= a + b", "a << 1 >= a", "a >> 1 < a", "a - b <= a",
)  # fmt: skip


def bits(rng: random.Random) -> Draft:
    """A lemma about bits."""
    words = BitWords(rng, rng.choice(("u8", "u8", "u32", "u64", "i8", "i32")))
    known = [claim.replace("7 ", f"7{words.type} ") for claim in rng.sample(_TRUE_BITS, 5)]
    text = _lemma(f"a: {words.type}, b: {words.type}", [])
    return Draft(text, [*known, *(words.either() for _ in range(16))], "bit_vector")


def products(rng: random.Random) -> Draft:
    """A lemma of nonlinear arithmetic: the prover knows the variables' types and nothing else."""
    words = Words(rng)
    types = [rng.choice(("int", "nat", "u8", "u32", "i32")) for _ in range(3)]
    words.variables = dict(zip("abc", types, strict=True))

    def term(depth: int) -> str:
        if depth == 0:
            return rng.choice(("(a as int)", "(b as int)", "(c as int)", f"{words.small(4)}int"))
        return f"({term(depth - 1)} {rng.choice('**+-/%')} {term(depth - 1)})"

    known = [
        "(a as int) * ((b as int) + (c as int)) == (a as int) * (b as int) + (a as int) * (c as int)", "(a as int) * (a as int) >= 0", "(a as int) * (b as int) == (b as int) * (a as int)", "(a as int) * (b as int) >= (a as int)",
        "(b as int) > 0 ==> (a as int) == (b as int) * ((a as int) / (b as int)) + (a as int) % (b as int)", "(b as int) > 0 ==> (a as int) / (b as int) <= (a as int)", "(a as int) * (b as int) == 0 ==> (a as int) == 0", "(b as int) != 0 ==> (a as int) % (b as int) >= 0",
        "(b as int) != 0 ==> (a as int) % (b as int) < (b as int)", "(a as int) * (b as int) == 0 ==> (a as int) == 0 || (b as int) == 0",
    ]  # fmt: skip
    claims = [f"{term(2)} {words.pick('==', '<=', '>=', '!=', '<')} {term(1)}" for _ in range(10)]
    text = _lemma(", ".join(f"{name}: {type}" for name, type in words.variables.items()), [])
    return Draft(text, [*rng.sample(known, 5), *claims], "nonlinear_arith")


def computed(rng: random.Random) -> Draft:
    """Claims without variables, by evaluation."""
    words = Words(rng)
    text = (
        "spec fn g(n: nat) -> int\n    decreases n,\n{\n    if n == 0 { 1 } else if n % 2 == 0 { g((n - 1) as nat) - n } else { n * g((n - 1) as nat) }\n}\n\n"
        "spec fn h(s: Seq<int>) -> int\n    decreases s.len(),\n{\n    if s.len() == 0 { 0 } else { h(s.drop_last()) * 3 - s.last() }\n}\n\n"
    )

    def number(depth: int) -> str:
        if depth == 0:
            return rng.choice(
                (
                    f"{rng.randint(0, 9)}int",
                    f"g({rng.randint(0, 6)})",
                    f"h(seq![{rng.randint(-3, 3)}int, {rng.randint(0, 3)}])",
                    "(-7int)",
                    f"(({rng.randint(200, 300)}int as u8) as int)",
                    "seq![4int, 5, 6][1]",
                )
            )
        return f"({number(depth - 1)} {rng.choice('+-*/%')} {number(depth - 1)})"

    claims = [
        f"{number(rng.randint(0, 2))} {words.pick('==', '<=', '<', '!=', '>')} {number(rng.randint(0, 1))}"
        for _ in range(16)
    ]
    return Draft(text + _lemma("", []), claims, rng.choice(("compute", "compute_only", "compute")))


def sets(rng: random.Random) -> Draft:
    """A lemma about sets, or about sequences as bags."""
    words = Words(rng)

    def term(depth: int) -> str:
        if depth == 0:
            return words.pick("s", "t", "s", "Set::<int>::empty()", "set![x]", "set![x, y]")
        return rng.choice(
            (
                f"{term(depth - 1)}.insert({words.pick('x', 'y')})",
                f"{term(depth - 1)}.remove({words.pick('x', 'y')})",
                f"{term(depth - 1)}.union({term(depth - 1)})",
                f"{term(depth - 1)}.intersect({term(depth - 1)})",
                f"({term(depth - 1)} - {term(depth - 1)})",
                term(0),
            )
        )

    def bag(depth: int) -> str:
        if depth == 0:
            return words.pick(
                "q.to_multiset()", "p.to_multiset()", "q.push(x).to_multiset()", "Multiset::<int>::empty()"
            )
        return rng.choice(
            (
                f"{bag(depth - 1)}.insert({words.pick('x', 'y')})",
                f"{bag(depth - 1)}.add({bag(depth - 1)})",
                bag(0),
            )
        )

    claims = []
    for _ in range(16):
        one, other = term(2), term(1)
        claims.append(
            rng.choice(
                (
                    f"{one} {words.pick('=~=', '==')} {other}", f"{one}.contains({words.pick('x', 'y')})", f"{one}.contains(x) ==> {other}.contains(x)", f"{one}.len() {words.pick('==', '<=', '>=')} {other}.len()",
                    f"{one}.len() == s.len() + {words.small(2)}", f"s.contains(x) ==> {one}.len() == s.len()", f"{one}.subset_of({other})", f"{bag(2)} =~= {bag(1)}", f"{bag(2)}.count(x) {words.pick('==', '>=')} {bag(1)}.count(x) + {words.small(1)}",
                    f"{bag(1)}.len() == q.len() + {words.small(1)}",
                )
            )
        )  # fmt: skip
    text = "use vstd::multiset::*;\n\n" + _lemma(
        "s: Set<int>, t: Set<int>, q: Seq<int>, p: Seq<int>, x: int, y: int",
        ["x != y"] if rng.random() < 0.5 else [],
    ).replace(
        ASSERTS,
        rng.choice(
            (
                "",
                "    q.to_multiset_ensures();\n",
                "    q.push(x).to_multiset_ensures();\n    q.to_multiset_ensures();\n",
            )
        ),
    )
    return Draft(text, claims)
