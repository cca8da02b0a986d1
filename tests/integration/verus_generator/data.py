"""Shapes of programs: vectors, what is lent, options, structs."""

from __future__ import annotations

import random

from tests.integration.verus_generator.words import ENSURES, Draft, Words, about, requires_of


def over_vector(rng: random.Random) -> Draft:
    """A loop over a vector that looks for something."""
    words = Words(rng)
    element = rng.choice(("u8", "u32", "i32", "u64", "i64"))
    limit, sign = rng.randint(-3 if element[0] == "i" else 0, 8), words.pick("<", "<=", ">", "==", "!=")
    test = rng.choice((f"v[K] {sign} {limit}", f"v[K] {sign} c", f"v[K] % 2 {words.pick('==', '!=')} 0"))
    known = rng.choice((f"!({test})", f"!({test})", f"!({test})", test))
    low = rng.choice((0, 0, 0, 1))
    quantified = f"forall|k: int| {low} <= k < i ==> {known.replace('K', 'k')}"
    answer = rng.choice(("i", "v.len()", "i + 0"))
    invariants = ["i <= v.len()" if not low else f"{low} <= i <= v.len()", quantified]
    text = (
        f"fn f(v: &Vec<{element}>, c: {element}) -> (r: usize)\n{requires_of([f'v.len() >= {low}'] if low else [])}{ENSURES}{{\n    let mut i: usize = {rng.choice((low, low, low, 1))};\n"
        f"    while i < v.len()\n        invariant\n"
        + "".join(f"            {clause},\n" for clause in invariants)
        + f"        decreases v.len() - i,\n    {{\n        if {test.replace('K', 'i')} {{\n            return {words.pick('i', 'i', 'i', 'v.len()')};\n        }}\n        i = i + 1;\n    }}\n    {answer}\n}}\n"
    )
    whole = test.replace("K", "k")
    return Draft(
        text,
        [
            "r <= v.len()", "r < v.len()", f"r < v.len() ==> {test.replace('K', 'r as int')}", f"r < v.len() ==> !({test.replace('K', 'r as int')})",
            f"forall|k: int| {low} <= k < r ==> !({whole})", f"forall|k: int| 0 <= k <= r && k < v.len() ==> !({whole})",
            f"r == v.len() ==> forall|k: int| {low} <= k < v.len() ==> !({whole})", f"(exists|k: int| 0 <= k < v.len() && {whole}) ==> r < v.len()",
            f"(exists|k: int| 0 <= k < r && {whole}) ==> r == v.len()", "r != 2", "v.len() == 0 ==> r == 0",
        ],
    )  # fmt: skip


def new_vector(rng: random.Random) -> Draft:
    """A loop that builds a vector from another."""
    element = rng.choice(("u8", "u32", "i32"))
    change = rng.choice(
        (
            f"v[K] / {rng.randint(1, 3)}",
            "v[K]",
            f"v[K] % {rng.randint(2, 5)}",
            f"(if v[K] > {rng.randint(0, 5)} {{ {rng.randint(0, 3)}{element} }} else {{ v[K] }})",
            f"v[K] + {rng.randint(0, 2)}",
        )
    )
    if element[0] == "i":
        change = change.replace("/", "+").replace("%", "+")
    spec = change if rng.random() < 0.8 else "v[K]"
    index = rng.choice(("K", "K", "K", "v.len() - 1 - K"))
    requires = ["forall|k: int| 0 <= k < v.len() ==> v[k] <= 100"] if "+" in change else []
    text = (
        f"fn f(v: &Vec<{element}>) -> (r: Vec<{element}>)\n{requires_of(requires)}{ENSURES}{{\n    let mut out: Vec<{element}> = Vec::new();\n    let mut i: usize = 0;\n"
        f"    while i < v.len()\n        invariant\n            i <= v.len(),\n            out.len() == i,\n"
        + "".join(f"            {clause},\n" for clause in requires)
        + f"            forall|k: int| 0 <= k < i ==> out[k] == {spec.replace('K', 'k') if index == 'K' else spec.replace('K', '(v.len() - 1 - k)')},\n"
        f"        decreases v.len() - i,\n    {{\n        out.push({change.replace('K', 'i' if index == 'K' else 'v.len() - 1 - i')});\n        i = i + 1;\n    }}\n    out\n}}\n"
    )
    return Draft(
        text,
        ["r.len() == v.len()", f"forall|k: int| 0 <= k < v.len() ==> r[k] == {spec.replace('K', 'k')}", "r@ == v@", "r@ =~= v@",
         "forall|k: int| 0 <= k < r.len() ==> r[k] <= v[k]", "forall|k: int| 0 <= k < v.len() ==> r[k] == v[v.len() - 1 - k]", "r.len() > 0", "r@.len() <= v@.len() + 1"],
    )  # fmt: skip


def changing(rng: random.Random) -> Draft:
    """Functions that change what they are lent, and callers that rely on the contracts."""
    words = Words(rng)
    type = rng.choice(("u8", "u32", "u64", "i32"))
    plus, times = rng.randint(1, 5), rng.choice((1, 1, 2))
    exact = f"*old(x) * {times} + {plus}"
    promise = rng.choice(
        (f"*final(x) == {exact}",) * 4
        + (f"*final(x) >= {exact}", f"*final(x) > {plus - 1}", f"*final(x) <= {exact}")
    )
    calls = []
    for _ in range(rng.randint(1, 3)):
        calls.append(
            rng.choice(
                (
                    "    step(&mut x);\n",
                    "    step(&mut y);\n",
                    f"    x = x + {words.small(3)};\n",
                    "    std::mem::swap(&mut x, &mut y);\n",
                    "    let t = x;\n    x = y;\n    y = t;\n",
                )
            )
        )
    text = (
        f"fn step(x: &mut {type})\n    requires\n        *old(x) <= 100,\n    ensures\n        {promise},\n{{\n    *x = *x * {times};\n    *x = *x + {plus};\n}}\n\n"
        f"fn f(a: {type}, b: {type}) -> (r: ({type}, {type}))\n    requires\n        0 <= a <= {rng.choice((10, 20, 40))},\n        0 <= b <= 10,\n{ENSURES}{{\n"
        f"    let mut x = a;\n    let mut y = b;\n{''.join(calls)}    (x, y)\n}}\n"
    )
    if type == "i32":
        text = text.replace("*old(x) <= 100", "-100 <= *old(x) <= 100")
    found = []
    for side in ("r.0", "r.1"):
        for other in ("a", "b"):
            for shift in (0, plus, 2 * plus, plus + 1):
                found.append(
                    f"{side} {words.pick('==', '==', '>=', '<=', '!=')} {other} * {rng.choice((1, times))} + {shift}"
                )
    return Draft(text, rng.sample(found, 10))


def vector_calls(rng: random.Random) -> Draft:
    """A vector changed in place by the library's methods."""
    words = Words(rng)
    lines, guard = [], rng.randint(1, 3)
    for _ in range(rng.randint(1, 3)):
        lines.append(
            rng.choice(
                (
                    f"    v.push({words.small()});\n", f"    v.set({rng.randint(0, guard)}, {words.small()});\n", "    let last = v.pop();\n",
                    f"    v.swap({rng.randint(0, guard)}, {rng.randint(0, guard - 1)});\n", f"    v.truncate({rng.randint(0, 3)});\n",
                    f"    let out = v.remove({rng.randint(0, guard - 1)});\n", f"    v.insert({rng.randint(0, guard)}, {words.small()});\n", f"    v[{rng.randint(0, guard - 1)}] = {words.small()};\n",
                    f"    let out = v.swap_remove({rng.randint(0, guard - 1)});\n",
                )
            )
        )  # fmt: skip
    text = (
        f"fn f(v: &mut Vec<u32>) -> (r: u32)\n    requires\n        old(v).len() >= {guard},\n{ENSURES}{{\n{''.join(lines)}"
        f"    if v.len() > {guard - 1} {{ v[{guard - 1}] }} else {{ {words.small()} }}\n}}\n"
    )
    found = [
        "final(v).len() == old(v).len()",
        "final(v).len() == old(v).len() + 1",
        "final(v).len() + 1 == old(v).len()",
        "final(v)@ == old(v)@",
    ]
    found += [
        "final(v).len() > 0",
        "final(v).len() <= old(v).len() + 2",
        f"final(v).len() >= {guard}",
        f"final(v).len() > {guard - 1} ==> r == final(v)[{guard - 1}]",
    ]
    for _ in range(8):
        at = rng.randint(0, guard)
        found.append(
            f"final(v).len() > {at} ==> final(v)[{at}] {words.pick('==', '!=')} {rng.choice((f'old(v)[{rng.randint(0, guard - 1)}]', str(words.small())))}"
        )
    found.append("forall|k: int| 0 <= k < final(v).len() && k < old(v).len() ==> final(v)[k] == old(v)[k]")
    found.append("forall|k: int| 1 <= k < final(v).len() ==> final(v)[k] == old(v)[k]")
    return Draft(text, found)


def options(rng: random.Random) -> Draft:
    """Options, matched and unwrapped."""
    words = Words(rng)
    type = rng.choice(("u8", "u32", "i32", "i8"))
    words.variables = {"a": type, "b": type}
    operation = rng.choice(("checked_add", "checked_sub", "checked_mul", "checked_add"))
    sign = {"checked_add": "+", "checked_sub": "-", "checked_mul": "*"}[operation]
    first = rng.choice(
        (f"a.{operation}(b)", f"if {words.truth(0)} {{ Some({words.number(type, 0)}) }} else {{ None }}")
    )
    guard = rng.choice(("", "", f" if x {words.pick('>', '<', '==')} {words.small()}"))
    other = f"        Some(y) => {rng.choice(('y', 'b', '0'))},\n" if guard else ""
    text = (
        f"fn g(a: {type}, b: {type}) -> (r: Option<{type}>)\n    ensures\n        r matches Some(x) ==> x == {'a ' + sign + ' b' if 'checked' in first else 'a || true'},\n{{\n    {first}\n}}\n\n"
    ).replace("x == a || true", "x == x")
    text += (
        f"fn f(a: {type}, b: {type}) -> (r: {type})\n{ENSURES}{{\n    let o = {rng.choice(('g(a, b)', f'a.{operation}(b)', first))};\n"
        f"    match o {{\n        Some(x){guard} => {rng.choice(('x', 'x', 'a'))},\n{other}        None => {rng.choice(('a', 'b', '0', str(words.small())))},\n    }}\n}}\n"
    )
    return Draft(
        text,
        [f"r == a {sign} b", f"r == a {sign} b || r == a", f"r == a {sign} b || r == b", f"r == a {sign} b || r == 0", "r == a", "r >= a", "r >= b", "b == 0 ==> r == a", "r == a || r == b || r == 0",
         *about(words, "r", type, None, 3)],
    )  # fmt: skip


def structures(rng: random.Random) -> Draft:
    """A struct with methods, and an enum."""
    words = Words(rng)
    plus = rng.randint(1, 4)
    promise = rng.choice(
        (f"final(self).x == old(self).x + {plus}",) * 3
        + ("final(self).x > old(self).x", f"final(self).x >= old(self).x + {plus}")
    )
    kept = rng.choice(("final(self).y == old(self).y", "final(self).y == old(self).y", "final(self).y >= 0"))
    moves = [
        rng.choice(
            (
                "    p.up();\n",
                "    p.x = p.y;\n",
                f"    p.y = {words.small()};\n",
                "    p = P { x: p.y, y: p.x };\n",
                "    p = p.turned(k);\n",
            )
        )
        for _ in range(rng.randint(1, 3))
    ]
    text = (
        "#[derive(Clone, Copy)]\nstruct P {\n    x: u32,\n    y: u32,\n}\n\nenum K {\n    Keep,\n    Turn,\n    To(u32),\n}\n\nimpl P {\n"
        f"    fn up(&mut self)\n        requires\n            old(self).x <= 1000,\n        ensures\n            {promise},\n            {kept},\n    {{\n        self.x = self.x + {plus};\n    }}\n\n"
        f"    fn turned(self, k: &K) -> (q: P)\n        ensures\n            k is Keep ==> q == self,\n            k is Turn ==> q.x == self.y && q.y == self.x,\n            k matches K::To(n) ==> q.x == n{rng.choice(('', ' && q.y == self.y', ' && q.y == self.x'))},\n"
        f"    {{\n        match k {{\n            K::Keep => self,\n            K::Turn => P {{ x: self.y, y: self.x }},\n            K::To(n) => P {{ x: *n, y: self.{words.pick('y', 'y', 'x')} }},\n        }}\n    }}\n}}\n\n"
        f"fn f(a: u32, b: u32, k: &K) -> (r: P)\n    requires\n        a <= 500,\n        b <= 500,\n{ENSURES}{{\n    let mut p = P {{ x: a, y: b }};\n{''.join(moves)}    p\n}}\n"
    )
    found = []
    for side in ("r.x", "r.y"):
        for other in ("a", "b", "0"):
            found.append(f"{side} {words.pick('==', '>=', '<=')} {other} + {rng.choice((0, plus, 2 * plus))}")
            found.append(
                f"{words.pick('k is Keep', 'k is Turn', '!(k is To)', 'k == K::Keep')} ==> {side} {words.pick('==', '>=', '!=')} {other} + {rng.choice((0, plus))}"
            )
    return Draft(
        text,
        [
            *rng.sample(found, 9),
            "k matches K::To(n) ==> r.x == n",
            "r == P { x: a, y: b }",
            "r.x + r.y == a + b",
        ],
    )


def generic(rng: random.Random) -> Draft:
    """Generic helpers at several types, vectors of vectors, and text."""
    words = Words(rng)
    kept = rng.choice(
        ("v.len() > 0 ==> r == v[0]", "v.len() > 0 ==> r == v[v.len() - 1]", "v.len() > 1 ==> r == v[0]")
    )
    at = "v.len() - 1" if "- 1" in kept else "0"
    inner = rng.choice(("g[0]", "g[g.len() - 1]"))
    steps = [
        rng.choice(
            (
                "    let x = ends(&g[0], 7);\n", f"    let x = ends(&{inner}, d);\n", "    let x = if g.len() > 1 { ends(&g[1], d) } else { d };\n", "    let p = ends(&vec![(d, true), (1, false)], (0, false));\n    let x = p.0;\n",
                "    let mut w: Vec<u8> = Vec::new();\n    w.push(d);\n    let x = ends(&w, 9);\n", f"    let x = if {inner}.len() > 0 {{ {inner}[0] }} else {{ d }};\n", "    let x = if s.unicode_len() > 0 { d } else { 0 };\n",
            )
        )
    ]  # fmt: skip
    text = (
        f"fn ends<T: Copy>(v: &Vec<T>, d: T) -> (r: T)\n    ensures\n        {kept},\n        v.len() == 0 ==> r == d,\n{{\n    if v.len() == 0 {{\n        d\n    }} else {{\n        v[{at}]\n    }}\n}}\n\n"
        f"fn f(g: &Vec<Vec<u8>>, d: u8, s: &str) -> (r: u8)\n    requires\n        g.len() > 0,\n{ENSURES}{{\n{''.join(steps)}    x\n}}\n"
    )
    found = [
        "r == d",
        "r == 7",
        "r == d || r == 7 || g[0].len() > 0",
        "r == d || r == 9",
        "r == 1",
        "g[0].len() == 0 ==> r == d",
        "g[0].len() == 0 ==> r == 7",
        "s@.len() > 0 ==> r == d",
        "s@.len() == 0 ==> r == 0",
    ]
    for row in ("0", "1", "g.len() - 1"):
        for column in ("0", f"g[{row}].len() - 1"):
            found.append(
                f"g.len() > {words.pick('1', '2')} && g[{row}].len() > {words.pick('0', '1')} ==> r {words.pick('==', '==', '!=')} g[{row}][{column}]"
            )
    found += [
        "exists|i: int, j: int| 0 <= i < g.len() && 0 <= j < g[i].len() && r == g[i][j]",
        "r == d || exists|j: int| 0 <= j < g[0].len() && r == g[0][j]",
        "r != d ==> g[0].len() > 0",
    ]
    return Draft(text, found)
