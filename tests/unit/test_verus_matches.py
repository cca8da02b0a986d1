"""Patterns: a `match` covers every value, a binding cannot fail; structs and enums are finite and have a value."""

from __future__ import annotations

import pytest

from tests.verus_checking import verdict

SETUP = """
enum E { A, B(bool), D { x: u64, y: bool } }
"""

ACCEPTED = {
    "all variants": "fn f(e: E) -> u8 { match e { E::A => 1, E::B(_) => 2, E::D { .. } => 3 } }",
    "a wildcard": "fn f(e: E) -> u8 { match e { E::A => 1, _ => 2 } }",
    "a name covers the rest": "fn f(x: u8) -> u8 { match x { 0 => 1, y => y } }",
    "both truth values": "fn f(b: bool) -> u8 { match b { true => 1, false => 2 } }",
    "the truth values inside a variant": (
        "fn f(e: E) -> u8 { match e { E::A => 1, E::B(true) => 2, E::B(false) => 3, E::D { x, y } => 4 } }"
    ),
    "alternatives": "fn f(e: E) -> u8 { match e { E::A | E::B(_) => 1, E::D { y: true | false, .. } => 2 } }",
    "pairs that cover each other's gaps": (
        "fn f(a: bool, b: bool) -> u8 { match (a, b) { (true, _) => 1, (_, false) => 2, (false, true) => 3 } }"
    ),
    "nested options": (
        "fn f(o: Option<Option<bool>>) -> u8 "
        "{ match o { None => 1, Some(None) => 2, Some(Some(true)) => 3, Some(Some(_)) => 4 } }"
    ),
    "an arm that is never reached": "fn f(x: u8) -> u8 { match x { _ => 1, 0 => 2 } }",
    "a guard with an arm behind it": (
        "fn f(o: Option<u8>) -> u8 { match o { Some(x) if x > 3 => 1, Some(_) => 2, None => 3 } }"
    ),
    "behind a reference": "fn f(e: &E) -> u8 { match e { E::A => 1, E::B(_) => 2, E::D { .. } => 3 } }",
    "in a specification": "spec fn f(o: Option<int>) -> int { match o { Some(x) => x, None => 0 } }",
    "a tuple in a binding": "fn f(p: (u8, (u8, bool))) -> u8 { let (a, (b, _)) = p; a }",
    "a struct in a binding": "struct S { a: u8, b: u8 } fn f(s: S) -> u8 { let S { a, .. } = s; a }",
    "a parameter that is a tuple": "fn f((a, b): (u8, u8)) -> u8 { a }",
    "let with else may fail": "fn f(o: Option<u8>) -> u8 { let Some(x) = o else { return 0; }; x }",
    "constructors with and without braces": ("struct P; struct R {} fn f() -> P { P } fn g() -> R { R {} }"),
    "a list through boxes": "enum L { N, C(u64, Box<L>) }",
    "a tree through a vector": "struct T { children: Vec<T> }",
    "a tree through a sequence": "struct T { children: Seq<T> }",
    "an optional box": "struct P { next: Option<Box<P>> }",
    "two types that contain each other": "enum A { N, C(Box<B>) } struct B { a: A }",
    "a derived copy of copies": "#[derive(Clone, Copy)] struct P { a: u64, b: (bool, char) }",
    "a parameter that is marked": "#[verifier::reject_recursive_types(T)] struct P<T> { s: Set<T>, f: spec_fn(T) -> bool }",
    "a generic list": "enum L<T> { N, C(T, Box<L<T>>) }",
}

REFUSED = {
    "a variant is missing": (
        "fn f(e: E) -> u8 { match e { E::A => 1, E::B(_) => 2 } }",
        "rejected: non-exhaustive patterns",
    ),
    "a truth value is missing": ("fn f(b: bool) -> u8 { match b { true => 1 } }", "rejected: non-exhaustive"),
    "numbers without a wildcard": (
        "fn f(x: u8) -> u8 { match x { 0 => 1, 1 => 2 } }",
        "rejected: non-exhaustive",
    ),
    "a guard covers nothing": (
        "fn f(o: Option<u8>) -> u8 { match o { Some(x) if x >= 0 => 1, None => 3 } }",
        "rejected: non-exhaustive",
    ),
    "a gap inside a variant": (
        "fn f(e: E) -> u8 { match e { E::A => 1, E::B(true) => 2, E::D { .. } => 3 } }",
        "rejected: non-exhaustive",
    ),
    "a gap between pairs": (
        "fn f(a: bool, b: bool) -> u8 { match (a, b) { (true, _) => 1, (_, false) => 2 } }",
        "rejected: non-exhaustive",
    ),
    "a gap in a nested option": (
        "fn f(o: Option<Option<bool>>) -> u8 { match o { None => 1, Some(None) => 2, Some(Some(true)) => 3 } }",
        "rejected: non-exhaustive",
    ),
    "a gap in a specification": (
        "spec fn f(o: Option<int>) -> int { match o { Some(x) => x } }",
        "rejected: non-exhaustive",
    ),
    "a constant covers itself only": (
        "const N: u8 = 3; fn f(x: u8) -> u8 { match x { N => 1 } }",
        "rejected: non-exhaustive",
    ),
    "a binding that can fail": (
        "fn f(o: Option<u8>) -> u8 { let Some(x) = o; x }",
        "rejected: refutable pattern",
    ),
    "a parameter that can fail": ("fn f(Some(x): Option<u8>) -> u8 { x }", "rejected: refutable pattern"),
    "ranges are outside of the subset": (
        "fn f(x: u8) -> u8 { match x { 0..=255 => 1 } }",
        "unsupported: range patterns",
    ),
    "a type that contains itself": ("struct P { p: P }", "rejected: recursive type `P` has infinite size"),
    "an option is no pointer": (
        "struct P { p: Option<P> }",
        "rejected: recursive type `P` has infinite size",
    ),
    "in a circle": ("struct A { b: B } struct B { a: (A, u8) }", "rejected: recursive type"),
    "no value to start from": (
        "struct P { p: Box<P> }",
        "rejected: `P` has no variant that does not contain",
    ),
    "none of two has a value": (
        "struct A { b: Box<B> } struct B { a: Box<A> }",
        "rejected: `A` has no variant that does not contain",
    ),
    "recursion through a set": ("struct P { p: Set<P> }", "unsupported: `P` contains itself through Set"),
    "recursion through a function": (
        "struct P { p: spec_fn(P) -> bool }",
        "unsupported: `P` contains itself through spec_fn",
    ),
    "recursion at other arguments": (
        "enum P<T> { N, C(T, Box<P<(T, T)>>) }",
        "unsupported: `P` contains itself at other type arguments",
    ),
    "an empty enum": ("enum V { }", "unsupported: the empty enum"),
    "a parameter that nothing uses": ("struct P<T> { p: u8 }", "rejected: type parameter `T` is never used"),
    "a parameter as a key": (
        "struct P<T> { s: Set<T> }",
        "rejected: type parameter `T` must be marked reject_recursive_types",
    ),
    "a parameter that a function takes": (
        "struct P<T> { f: spec_fn(T) -> bool }",
        "rejected: type parameter `T` must be marked reject_recursive_types",
    ),
    "a constructor with braces is no value by its name": (
        "struct P {} fn f() -> P { P }",
        "rejected: expected a value or pattern",
    ),
    "a constructor with braces is no pattern by its name": (
        "enum Q { A {}, B } fn f(q: Q) -> u8 { match q { Q::A => 1, Q::B => 2 } }",
        "rejected: expected a value or pattern",
    ),
    "a field without a name": ("struct P { _: u8 }", "rejected: expected a name"),
    "a copy of something that is not Copy": ("#[derive(Clone, Copy)] struct P { v: Vec<u8> }", "rejected"),
    "Copy without Clone": ("#[derive(Copy)] struct P { v: u8 }", "rejected"),
    "a reference as a field": ("struct P { p: &u8 }", ("rejected", "unsupported")),
}


@pytest.mark.parametrize("program", ACCEPTED.values(), ids=ACCEPTED)
def test_everything_is_covered(program: str) -> None:
    assert verdict(SETUP + program) == "accepted"


@pytest.mark.parametrize(("program", "expected"), REFUSED.values(), ids=REFUSED)
def test_something_is_not_covered(program: str, expected: str | tuple[str, ...]) -> None:
    assert verdict(SETUP + program).startswith(expected)


def test_a_match_of_exponential_cost_is_refused() -> None:
    # Each row leaves one column open, so that the number of uncovered combinations doubles with every column.
    width = 18
    rows = [", ".join("true" if column == row else "_" for column in range(width)) for row in range(width)]
    arms = " ".join(f"({row}) => 1," for row in rows) + " _ => 2,"
    program = f"fn f(p: ({'bool, ' * width})) -> u8 {{ match p {{ {arms} }} }}"
    assert verdict(program).startswith(("accepted", "unsupported: a `match` with too many cases"))
