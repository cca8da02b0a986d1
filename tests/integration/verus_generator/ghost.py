"""Shapes of programs: lemmas about sequences, recursive definitions and ghost functions."""

from __future__ import annotations

import random

from tests.integration.verus_generator.words import ENSURES, Draft, Words, requires_of


class SequenceWords(Words):
    """Random terms about sequences."""

    def sequence(self, depth: int = 2) -> str:
        rng = self.rng
        if depth == 0 or rng.random() < 0.2:
            return self.pick("s", "s", "t", "Seq::<int>::empty()", "seq![x]", "seq![x, 1int]")
        inner = self.sequence(depth - 1)
        return rng.choice(
            (
                f"{inner}.push({self.pick('x', '0int', '3int')})", f"{inner}.subrange({self.position()}, {self.position()})", f"{inner}.take({self.position()})",
                f"{inner}.skip({self.position()})", f"({inner} + {self.sequence(depth - 1)})", f"{inner}.update({self.position()}, x)", f"{inner}.drop_last()", f"{inner}.drop_first()",
                f"{inner}.reverse()", f"{inner}.insert({self.position()}, x)", f"{inner}.remove({self.position()})", f"{inner}.map_values(|e: int| e + 1)", "Seq::new(3, |e: int| e + x)",
            )
        )  # fmt: skip

    def position(self) -> str:
        return self.pick(
            "0", "1", "2", "i", "i", "j", "i + 1", "j - 1", "s.len() as int", "s.len() - 1", "t.len() as int"
        )

    def claim(self, depth: int = 1) -> str:
        rng = self.rng
        if depth and rng.random() < 0.3:
            return f"({self.claim(depth - 1)} {self.pick('&&', '==>', '||')} {self.claim(depth - 1)})"
        kind = rng.random()
        if kind < 0.4:
            return f"({self.sequence()} {self.pick('=~=', '==', '=~=')} {self.sequence()})"
        if kind < 0.6:
            return f"({self.sequence()}.len() {self.pick('==', '<=', '<', '==')} {self.sequence(1)}.len() + {self.small(2)})"
        if kind < 0.8:
            return f"({self.sequence()}[{self.position()}] {self.pick('==', '!=')} {self.pick('x', 's[i]', 't[i]', 's[0]', '0int')})"
        if kind < 0.9:
            return f"{self.sequence()}.contains({self.pick('x', 's[i]', 's[j]')})"
        return f"(forall|k: int| {self.pick('0', '1', 'i')} <= k < {self.pick('s.len()', 'j', 't.len()')} ==> {self.sequence()}[k] {self.pick('==', '==', '!=')} {self.pick('s[k]', 't[k]', 'x', 's[k - i]')})"


_SAME = (
    ("s.take(i) + s.skip(i)", "s"), ("s.push(x).drop_last()", "s"), ("s.take(j).take(i)", "s.take(i)"), ("s.skip(i).skip(j)", "s.skip(i + j)"), ("(s + t).take(s.len() as int)", "s"),
    ("(s + t).skip(s.len() as int)", "t"), ("(s + t).skip(i)", "s.skip(i) + t"), ("s.update(i, s[i])", "s"), ("s.update(i, x).update(i, s[i])", "s"), ("s.reverse().reverse()", "s"), ("s.insert(i, x).remove(i)", "s"),
    ("s.remove(i).insert(i, s[i])", "s"), ("(s + t).reverse()", "t.reverse() + s.reverse()"), ("(s + t).reverse()", "s.reverse() + t.reverse()"), ("s.subrange(i, j)", "s.take(j).skip(i)"), ("s.subrange(i, j).push(x)", "s.subrange(i, j + 1)"),
    ("s + t", "t + s"), ("(s + t) + s", "s + (t + s)"), ("s.push(x)", "s + seq![x]"), ("seq![x] + s", "s.insert(0, x)"), ("s.update(i, x).remove(i)", "s.remove(i)"), ("s.drop_first().push(s[0]).drop_last()", "s.drop_first()"),
)  # fmt: skip


def sequences(rng: random.Random) -> Draft:
    """A lemma about sequences."""
    words = SequenceWords(rng)
    requires = ["0 <= i < s.len()", "i <= j <= s.len()"]
    if rng.random() < 0.5:
        requires.append(
            words.pick(
                "s.len() == t.len()",
                "s.len() <= t.len()",
                "t.len() > 0",
                "j < s.len()",
                "s[i] == x",
                "i < t.len()",
            )
        )
    if rng.random() < 0.2:
        requires.append(words.claim(0))
    ways = [f"{one} =~= {other}" for one, other in _SAME]
    text = f"proof fn f(s: Seq<int>, t: Seq<int>, i: int, j: int, x: int)\n{requires_of(requires)}{ENSURES}{{\n}}\n"
    return Draft(text, rng.sample(ways, 4) + [words.claim(1) for _ in range(16)])


def measured(rng: random.Random) -> Draft:
    """Recursive definitions whose measure may or may not get smaller."""
    words = Words(rng)
    words.variables = {"a": "int", "b": "int"}
    guard = rng.choice(
        ("a <= 0", "a < 0", "b <= 0", "a <= b", "a == 0", "a <= 0 || b <= 0", "a >= b", words.claim(0))
    )
    measure = rng.choice(("a", "b", "a - b", "b - a", "a + b", "a, b", "b, a", "a, b"))
    calls = [
        rng.choice(
            (
                "g(a - 1, b)",
                "g(a, b - 1)",
                "g(a - 1, b - 1)",
                "g(b, a - 1)",
                "g(a / 2, b)",
                "g(b, a % b)",
                "g(a - 1, b + 1)",
                "g(a + 1, b)",
                "g(a - b, b)",
                "g(a - 1, a)",
            )
        )
        for _ in range(rng.randint(1, 2))
    ]
    body = " + ".join(calls) + f" + {words.small()}"
    if rng.random() < 0.3:
        body = f"if {words.claim(0)} {{ {calls[0]} }} else {{ {calls[-1]} }}"
    text = f"spec fn g(a: int, b: int) -> int\n    decreases {measure},\n{{\n    if {guard} {{ {words.small()} }} else {{ {body} }}\n}}\n\nproof fn f(a: int, b: int)\n{ENSURES}{{\n}}\n"
    return Draft(
        text,
        [
            f"{guard} ==> g(a, b) == g(a, b)",
            f"{guard} ==> g(a, b) >= 0",
            "g(a, b) >= 0",
            "g(a, b) == g(a, b) + 0",
            "g(0, 0) >= 0",
            "g(1, 1) == g(1, 1)",
            "g(a, b) != g(a, b) - 1",
        ],
    )


def lemmas(rng: random.Random) -> Draft:
    """A lemma by induction about a recursive definition, with a measure and calls that may be wrong."""
    words = Words(rng)
    base, plus, low = words.small(3), words.small(4), rng.randint(0, 3)
    call = rng.choice(
        ("f((n - 1) as nat);", "f((n - 1) as nat);", "f((n / 2) as nat);", "f(n);", "f((n + 1) as nat);", "")
    )
    guard = rng.choice(("n > 0", "n > 0", "n > 1", "n != 0", "true"))
    text = f"spec fn g(n: nat) -> int\n    decreases n,\n{{\n    if n == 0 {{ {base} }} else {{ g((n - 1) as nat) + {rng.choice((str(plus), 'n', '2 * n - 1'))} }}\n}}\n\nproof fn f(n: nat)\n{requires_of([f'n >= {low}'] if rng.random() < 0.3 else [])}{ENSURES}    decreases {words.pick('n', 'n', 'n + 1', '5int')},\n{{\n    if {guard} {{\n        {call}\n    }}\n}}\n"
    return Draft(
        text,
        [
            f"g(n) == {base} + {plus} * n",
            f"g(n) >= {base}",
            "g(n) >= n",
            "g(n) == n * n",
            f"2 * g(n) == n * (n + 1) + {2 * base}",
            f"g(n) >= {base + plus}",
            f"g(n) > {base}",
            "g(n) <= n",
            f"g(n) == {base} + n * n",
        ],
    )


def functions_as_values(rng: random.Random) -> Draft:
    """A lemma about ghost functions applied to sequences."""
    body = rng.choice(("e + 1", "e * 2", "e + x", "0int", "if e > x { e } else { x }"))
    test = rng.choice(("e > x", "e != x", "e % 2 == 0", "true", "e == e"))
    text = (
        f"spec fn p(e: int, x: int) -> bool {{\n    {test}\n}}\n\nproof fn f(s: Seq<int>, t: Seq<int>, i: int, j: int, x: int)\n    requires\n        0 <= i < s.len(),\n        i <= j <= s.len(),\n{ENSURES}{{\n"
        f"    {rng.choice(('', 'reveal(Seq::filter);', 'reveal_with_fuel(Seq::fold_left, 3);'))}\n}}\n"
    )
    m = f"map_values(|e: int| {body})"
    q = "(|e: int| p(e, x))"
    changed = body.replace("e", "s[i]").replace("s[i]ls[i]", "else")
    return Draft(
        text,
        [
            f"s.{m}.len() == s.len()", f"s.{m}[i] == {changed}", f"s.{m} == s", f"s.{m}[i] >= s[i]", f"(s + t).{m} =~= s.{m} + t.{m}", f"s.push(x).{m} =~= s.{m}.push(x)", f"s.filter{q}.len() <= s.len()",
            f"s.all{q} ==> p(s[i], x)", f"p(s[i], x) ==> s.any{q}", f"s.any{q} ==> p(s[i], x)", f"s.all{q} || s.any(|e: int| !p(e, x))", "Seq::new(s.len(), |k: int| s[k]) =~= s", "Seq::new(s.len(), |k: int| s[k] + k)[i] == s[i] + i",
            "Seq::new(s.len(), |k: int| s[k] + k)[i] == s[i]", "seq![x].fold_left(0int, |c: int, e: int| c + e) == x", "seq![x, 1int].fold_left(0int, |c: int, e: int| c + e) == x + 1", "s.filter(|e: int| true) =~= s", "p(x, x) == p(x + 1, x + 1)", "p(x, x)", "p(x + 1, x)",
        ],
    )  # fmt: skip
