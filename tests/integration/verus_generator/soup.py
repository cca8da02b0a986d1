"""Programs of many small statements with effects everywhere: what order they happen in is what the postcondition tells."""

from __future__ import annotations

import random

from tests.integration.verus_generator.words import ENSURES, Draft

_PRELUDE = """\
#[derive(Clone, Copy)]
struct P {
    x: u32,
    y: u32,
}

#[derive(Clone, Copy)]
enum E {
    A,
    B(u32),
    C { x: u32, on: bool },
}

const TWO: u32 = 1 + 1;

fn bump(x: &mut u32) -> (r: u32)
    requires
        *old(x) < 1_000_000,
    ensures
        *final(x) == *old(x) + 1,
        r == *old(x),
{
    *x = *x + 1;
    *x - 1
}

fn flip(b: &mut bool) -> (r: bool)
    ensures
        *final(b) == !*old(b),
        r == *old(b),
{
    *b = !*b;
    !*b
}

fn pick(c: bool, a: u32, b: u32) -> (r: u32)
    ensures
        r == if c { a } else { b },
{
    if c {
        return a;
    }
    b
}

fn half(x: u32) -> (r: Option<u32>)
    ensures
        x % 2 == 0 ==> r == Some(x / 2),
        x % 2 != 0 ==> r is None,
{
    if x % 2 == 0 {
        Some(x / 2)
    } else {
        None
    }
}

impl P {
    fn up(&mut self, by: u32) -> (r: u32)
        requires
            old(self).x + by < 1_000_000,
        ensures
            *final(self) == (P { x: (old(self).x + by) as u32, y: old(self).y }),
            r == old(self).x,
    {
        let was = self.x;
        self.x += by;
        was
    }

    fn turned(self) -> (r: P)
        ensures
            r == (P { x: self.y, y: self.x }),
    {
        P { x: self.y, y: self.x }
    }
}

"""
_NAMES = "abcxyz"
_TYPES = ("u32", "u32", "u32", "bool", "bool", "P", "E", "(u32, bool)", "Option<u32>", "Vec<u32>")


class Soup:
    """Draws statements; the same few names are used again and again, whatever they stood for before."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.scopes: list[dict[str, str]] = [{}]
        self.left = 0
        self.loops = 0
        self.safe = rng.random() < 0.5
        """Whether nothing can overflow, so that loops need no invariants about numbers."""

    def visible(self, type: str) -> list[str]:
        known: dict[str, str] = {}
        for scope in self.scopes:
            known |= scope
        return [name for name, each in known.items() if each == type]

    def place(self, type: str) -> str | None:
        """Return something of a type that can be changed."""
        ways = self.visible(type)
        if type == "u32":
            ways += [f"{name}.{field}" for name in self.visible("P") for field in "xy"] + [
                f"{name}.0" for name in self.visible("(u32, bool)")
            ]
        if type == "bool":
            ways += [f"{name}.1" for name in self.visible("(u32, bool)")]
        return self.rng.choice(ways) if ways else None

    def value(self, type: str, depth: int) -> str:
        """Return an expression; what is left to spend bounds the whole of a statement."""
        self.left -= 1
        if self.left < 0:
            depth = 0
        place = self.place(type)
        if place is not None and (depth <= 0 or self.rng.random() < 0.25) and type != "Vec<u32>":
            return place
        make = {
            "u32": self._number, "bool": self._truth, "P": self._struct, "E": self._enum, "(u32, bool)": self._tuple, "Option<u32>": self._option, "Vec<u32>": self._vector,
        }[type]  # fmt: skip
        return make(depth - 1)

    def _filled(self, form: str, depth: int) -> str:
        """Return a form with its holes filled, from left to right: ``#`` numbers, ``?`` truth values."""
        holes = {"#": "u32", "?": "bool"}
        return "".join(self.value(holes[each], depth) if each in holes else each for each in form)

    def _number(self, depth: int) -> str:
        rng = self.rng
        small = rng.choice(("0", "1", "2", "3", "7", "10"))
        if depth < 0:
            return small
        forms = [
            small,
            "((# % 100) + (# % 10))" if self.safe else "(# + #)",
            f"(# {rng.choice('/%')} {rng.randint(1, 4)})",
            "(if ? { # } else { # })",
            "pick(?, #, #)",
            "(# as u8 as u32)",
            "if ? { # } else { # }",
        ]
        forms.append(f"(match half(#) {{ Some(n) => n, None => {small} }})")
        forms.append(
            f"(match (#, ?) {{ (0 | 1, _) => {small}, (2 | 5, true) => 4, (n, false) => n, (n, _) => n{self._more()} }})"
        )
        place = self.place("u32")
        if place is not None:
            forms.append(f"{{ {place} = #; {place} }}")
            if not self.safe:
                forms += [f"bump(&mut {place})"] * 2
        forms.append("block")
        for variable in self.visible("E"):
            forms.append(self._match(variable))
        for variable in self.visible("Option<u32>"):
            forms.append(
                f"(match {variable} {{ Some(n) if n > {rng.randint(0, 5)} => n, Some(n) => n{self._more()}, None => # }})"
            )
        for variable in self.visible("Vec<u32>"):
            forms.append(f"(if {variable}.len() > 1 {{ {variable}[{rng.choice('01')}] }} else {{ # }})")
            forms.append(f"(match {variable}.pop() {{ Some(n) => n, None => {small} }})")
        if not self.safe:
            forms += [f"{variable}.up(#)" for variable in self.visible("P")]
        form = rng.choice(forms)
        if form == "block":
            return self._inner(depth)
        return self._filled(form, depth)

    def _more(self) -> str:
        return " / 2" if self.safe else f" + {self.rng.randint(0, 2)}"

    def _inner(self, depth: int) -> str:
        name, before = self.rng.choice(_NAMES), self.value("u32", depth)
        self.scopes.append({name: "u32"})
        text = f"{{ let mut {name}: u32 = {before}; {self.statement(0, '')} {self.value('u32', depth)} }}"
        self.scopes.pop()
        return text

    def _match(self, variable: str) -> str:
        rng = self.rng
        arms = [
            "E::A => #",
            f"E::B(n) if n > {rng.randint(0, 4)} => n{self._more()}",
            "E::B(n) => n",
            "E::C { x, on } => if on { x } else { # }",
        ]
        if rng.random() < 0.4:
            arms = [*arms[:2], "_ => #"]
        return f"(match {variable} {{ {', '.join(arms)} }})"

    def _truth(self, depth: int) -> str:
        rng = self.rng
        if depth < 0:
            return rng.choice(("true", "false"))
        forms = [
            f"(# {rng.choice(('<', '<=', '==', '!=', '>'))} #)",
            "(? && ?)",
            "(? || ?)",
            "!?",
            "(? == ?)",
        ]
        place = self.place("bool")
        if place is not None:
            forms += [f"flip(&mut {place})", f"{{ {place} = ?; !{place} }}", f"flip(&mut {place})"]
        return self._filled(rng.choice(forms), depth)

    def _struct(self, depth: int) -> str:
        known = self.visible("P")
        forms = ["P { x: #, y: # }", "P { y: #, x: # }"]
        if known:
            base = self.rng.choice(known)
            forms += [f"P {{ y: #, ..{base} }}", f"{base}.turned()"]
        return self._filled(self.rng.choice(forms), depth)

    def _enum(self, depth: int) -> str:
        return self._filled(self.rng.choice(("E::A", "E::B(#)", "E::C { on: ?, x: # }")), depth)

    def _tuple(self, depth: int) -> str:
        return self._filled("(#, ?)", depth)

    def _option(self, depth: int) -> str:
        return self._filled(self.rng.choice(("Some(#)", "None", "half(#)")), depth)

    def _vector(self, depth: int) -> str:
        return self._filled(self.rng.choice(("vec![#, #]", "Vec::new()", "vec![#]")), depth)

    def statement(self, depth: int, indent: str) -> str:
        rng = self.rng
        self.left = 25
        kind = rng.random()
        if kind < 0.3:
            type, name = rng.choice(_TYPES), rng.choice(_NAMES)
            text = f"let mut {name}: {type} = {self.value(type, 2)};"
            self.scopes[-1][name] = type
            return text
        if kind < 0.36:
            first, second = rng.sample(_NAMES, 2)
            text = f"let (mut {first}, mut {second}) = {self.value('(u32, bool)', 2)};"
            self.scopes[-1] |= {first: "u32", second: "bool"}
            return text
        if kind < 0.6:
            type = rng.choice(("u32", "u32", "bool", "P", "E", "(u32, bool)", "Option<u32>"))
            place = self.place(type)
            if place is not None:
                op = rng.choice(("=", "=", "+=")) if type == "u32" and not self.safe else "="
                return f"{place} {op} {self.value(type, 2)};"
        if kind < 0.7 and self.visible("Vec<u32>"):
            vector = rng.choice(self.visible("Vec<u32>"))
            form = rng.choice(
                (
                    f"{vector}.push(#);",
                    f"if {vector}.len() > 0 {{ {vector}.set(0, #); }}",
                    f"if {vector}.len() > 1 {{ {vector}[1] = #; }}",
                )
            )
            return self._filled(form, 1)
        if depth <= 0:
            place = self.place("u32")
            return f"{place} = {self.value('u32', 1)};" if place is not None else ""
        if kind < 0.76 and self.safe:
            return self._loop(depth, indent)
        if kind < 0.9:
            text = f"if {self.value('bool', 2)} {{\n{self.block(depth - 1, indent)}{indent}}}"
            return text + (
                f" else {{\n{self.block(depth - 1, indent)}{indent}}}" if rng.random() < 0.6 else ""
            )
        options = self.visible("Option<u32>")
        if options:
            return f"if let Some(n) = {rng.choice(options)} {{\n{self.block(depth - 1, indent)}{indent}}} else {{\n{self.block(depth - 1, indent)}{indent}}}"
        return f"{{\n{self.block(depth - 1, indent)}{indent}}}"

    def _loop(self, depth: int, indent: str) -> str:
        """Return a loop whose invariants say little: what it changes is not known behind it."""
        rng = self.rng
        self.loops += 1
        counter, times = f"k{self.loops}", rng.randint(1, 3)
        facts = [f"{counter} <= {times}"]
        if self.visible("u32") and rng.random() < 0.6:
            facts.append(
                f"{rng.choice(self.visible('u32'))} {rng.choice(('<=', '==', '>='))} {rng.randint(0, 3)}"
            )
        head = f"let mut {counter}: u32 = 0;\n{indent}while {counter} < {times}\n{indent}    invariant {', '.join(facts)},\n{indent}    decreases {times} - {counter},\n{indent}{{\n"
        body = self.block(depth - 1, indent)
        leave = rng.choice(
            (
                "",
                "",
                f"{indent}    if {self.value('bool', 1)} {{ break; }}\n",
                f"{indent}    if {self.value('bool', 1)} {{ return {self.value('u32', 1)}; }}\n",
            )
        )
        return f"{head}{body}{indent}    {counter} = {counter} + 1;\n{leave}{indent}}}"

    def block(self, depth: int, indent: str) -> str:
        self.scopes.append({})
        lines = [
            f"{indent}    {self.statement(depth, indent + '    ')}\n" for _ in range(self.rng.randint(1, 3))
        ]
        self.scopes.pop()
        return "".join(lines)


def soup(rng: random.Random) -> Draft:
    """A function of many statements on few inputs."""
    words = Soup(rng)
    words.scopes[0] = {"a": "u32", "b": "bool"}
    lines = [f"    {words.statement(2, '    ')}\n" for _ in range(rng.randint(3, 8))]
    result = words.value("u32", 1)
    isolation = rng.choice(("", "", "#[verifier::loop_isolation(false)]\n"))
    text = f"{_PRELUDE}{isolation}fn f(mut a: u32, mut b: bool) -> (r: u32)\n    requires\n        a <= 2,\n{ENSURES}{{\n{''.join(lines)}    {result}\n}}\n"
    found = [f"r == {value}" for value in range(6)] + [f"r <= {value}" for value in (0, 1, 2, 3, 5, 8, 12)]
    for given in (
        "a == 0",
        "a == 1",
        "a == 2",
        "b",
        "!b",
        "a == 0 && b",
        "a == 1 && !b",
        "a == 2 && b",
        "a == 0 && !b",
    ):
        found += [f"{given} ==> r == {value}" for value in range(13)]
    return Draft(text, [*rng.sample(found, 40), "r >= a", "r == a", "r > a", "b ==> r > 1"])
