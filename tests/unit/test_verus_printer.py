"""Canonical text: reading it back gives the same tree, equal trees have equal texts, different trees differ."""

from __future__ import annotations

import pytest

from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.parser import parse
from rlvr_gym.verifiers.verus.syntax.printer import show, signature
from rlvr_gym.verifiers.verus.syntax.walk import walk

EXPRESSIONS = [
    "a + b * c - d",
    "(a + b) * (c - d)",
    "a - (b - c)",
    "a ==> b ==> c",
    "(a ==> b) ==> c",
    "a <== b <== c",
    "a <==> (b <==> c)",
    "a < b <= c == d",
    "(a < b) == (c < d)",
    "(a as u8) < b",
    "(a + b as u8) < b",
    "-a as int",
    "-(a as int)",
    "!(a && b)",
    "!a is B",
    "!(a is B)",
    "&mut a[0].b@",
    "*(a.b)",
    "(*a).b",
    "(a + b).f::<int>(c)(d)",
    "(a.f)(b)",
    "(a->0).1",
    "a.0.1",
    "(a, b)",
    "(a,)",
    "()",
    "[a, b]",
    "seq![a; 3]",
    "set![a]",
    "map![a => b, c => d]",
    "(0..n).f()",
    "a..=b + 1",
    "..",
    "a == (b..c)",
    "forall|i: int, j| #![trigger f(i), g(j)] #![auto] 0 <= i < j ==> #[trigger] f(i) == (choose|k: int| k > i)",
    "(forall|i: int| a) && b",
    "|x: int| (x, x)",
    "move |x| -> (r: u8) requires x > 0, ensures r > 0, { x }",
    "a matches Some(x) && b",
    "(a matches Some(x)) && b",
    "a matches (Some(x) | None) ==> b",
    "&&& a &&& (||| b ||| c)",
    "&&& (a matches Some(x)) &&& b",
    "&&& a matches Some(x) &&& b",
    "a = b",
    "a += b = c",
    "S { a: b, c, ..d }",
    "S { }.a",
    "S { ..(..a) }",
    "if a { b } else if c { d } else { e }",
    "if let Some(x) = a && b && let None = c { d }",
    "(if a { b } else { c }) + d",
    "match (S { a: b }) { S { a: c, .. } if c > 1 => d, T(.., 3) | U(x,) => { e } _ => (f)(g), }",
    "while a invariant b, c, ensures d, decreases e, { f; }",
    "'l: loop invariant_except_break a, { break 'l b; }",
    "for (i, _) in it: 0..n invariant a, { continue; }",
    "assert(a) by { b; }",
    "assert(a) by (nonlinear_arith) requires b, { c; }",
    "assert forall|i: int| #![auto] a implies b by { c; }",
    "assume(false)",
    "admit()",
    "reveal(Seq::<int>::filter)",
    "reveal_with_fuel(f, 3)",
    "hide(f)",
    "calc! { (==) a; { f(); } b; (<=) { } c; }",
    "return a",
    "a?",
    "'\\''",
    "'\\u{7}'",
    "b'\\xff'",
    '"a\\"\\\\ \\u{e9}"',
    "0xFFu8 + 1_000",
    "{ let ghost mut x: int = 3; let Some(y) = z else { return; }; ; fn g() { } }",
    "#[trigger] (a + b)",
    "#[a(b, c)] #[d = 3] f(x)",
    "if (S { }) == a { b }",
    "println!(\"{}\", a, 'b')",
    "{ (if a { b } else { c }).d(); (match a { }) + 1 }",
    "x as Vec<[u8; 3]>",
    "&(&(&a))",
    "match a { &(&(&b)) => c }",
    "f as &(&(&T))",
    "(assert)(a)",
    "(assume)(a)",
    "f(|x: &(u8, [T]), y: spec_fn(int) -> bool| x)",
]
ITEMS = [
    "use vstd::{seq::*, map::Map as M, a};",
    "pub(crate) struct S<T: Copy + View<V = int>, const N: usize>(pub T, [u8; N]);",
    "#[derive(PartialEq, Eq)] struct S { a: u8, pub ghost b: int }",
    "struct S;",
    "enum E { A, B(u8, Box<E>), C { a: int }, D = 3 }",
    "pub const N: usize = 3;",
    "spec const S: int = f(3);",
    "exec static X: u8 ensures X == 3 { 3 }",
    "type A<T> = Vec<T>;",
    "impl<T: Copy> View for S<T> { type V = int; spec fn view(&self) -> int { 3 } }",
    "trait T: Copy + Eq { spec fn f(&self) -> int; fn g(mut self) { } }",
    "mod m { pub fn f() { } }",
    "broadcast use {a::b, c};",
    "pub broadcast group g { a, b }",
    "pub open spec fn f(a: int) -> bool recommends a > 0, decreases a, b when c via d { true }",
    "proof fn f(tracked a: T) -> (tracked r: T) by (nonlinear_arith) requires a, ensures b, { }",
    "fn f(Ghost(x): Ghost<int>, (a, b): (u8, u8), &mut self, _: u8) -> ((c, d): (u8, u8)) returns 3, no_unwind { }",
    "const unsafe fn f();",
    "axiom fn f() ensures true;",
    "global size_of usize == 8;",
]


def twice(text: str) -> tuple[str, str]:
    """Return the canonical text of a program, and that of the program which is that text."""
    first = show(parse(f"verus! {{ {text} }}"))
    return first, show(parse(first))


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expressions_read_back_as_they_were(text: str) -> None:
    first, second = twice(f"fn f() {{ {text} }}")
    assert first == second


@pytest.mark.parametrize("text", ITEMS)
def test_items_read_back_as_they_were(text: str) -> None:
    first, second = twice(text)
    assert first == second


def test_no_two_of_these_have_one_text() -> None:
    texts = [show(parse(f"verus! {{ fn f() {{ {text} }} }}")) for text in EXPRESSIONS]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a+b", "a  + /* c */ b"),
        ("(((a)))", "a"),
        ("0x10", "16"),
        ("f(a, b,)", "f(a, b)"),
        ("1_000u8", "1000u8"),
        ("a ==> (b ==> c)", "a ==> b ==> c"),
        ("S { a, b: c }", "S { a: a, b: c, }"),
        ("vec!(1, 2)", "vec![1, 2]"),
    ],
)
def test_what_means_the_same_to_the_compiler_has_one_text(one: str, other: str) -> None:
    assert twice(f"fn f() {{ {one} }}") == twice(f"fn f() {{ {other} }}")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a - b - c", "a - (b - c)"),
        ("a < b < c", "(a < b) < c"),
        ("1", "1u8"),
        ("a;", "a"),
        ("{ a }", "{ { a } }"),
        ("(a,)", "a"),
        ("a.f", "a.f()"),
        ("a..b", "a..=b"),
        ("'a'", "b'a'"),
        ("r.0", "r->0"),
        ("#[trigger] a", "a"),
        ("let ghost a = 1;", "let a = 1;"),
        ("let mut a = 1;", "let a = 1;"),
        ("assert(a) by { }", "assert(a)"),
        ("forall|i: int| a", "forall|i: nat| a"),
        ("forall|i: int| a", "exists|i: int| a"),
    ],
)
def test_what_means_something_else_has_another_text(one: str, other: str) -> None:
    assert twice(f"fn f() {{ {one} }}") != twice(f"fn f() {{ {other} }}")


def test_expressions_read_well() -> None:
    [item] = parse("verus! { fn f() { assert(0<=i&&(i<s.len())==>s[i]==-x as int); } }").items
    found = next(node for node in walk(item) if isinstance(node, tree.Assert))
    assert show(found.condition) == "0 <= i && i < s.len() ==> s[i] == -x as int"


def test_a_signature_is_all_but_the_body() -> None:
    [item] = parse("verus! { pub fn f(x: u8) -> (r: u8)\n requires x > 1\n ensures r == x { x } }").items
    assert isinstance(item, tree.Function)
    assert signature(item) == "pub fn f(x: u8) -> (r: u8) requires x > 1, ensures r == x,"
