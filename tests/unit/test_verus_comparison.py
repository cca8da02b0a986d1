"""A solution is compared with the given program: what may change, what may not, and what a hole is."""

from __future__ import annotations

import pytest

from rlvr_gym.verifiers.verus.comparison import compare, is_hole, stub
from rlvr_gym.verifiers.verus.erasure import erased
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.parser import parse
from rlvr_gym.verifiers.verus.syntax.printer import show


def messages(given: str, solution: str, hole: str | None = None) -> list[str]:
    """Return what the comparison says of two programs that stand inside the macro."""
    found = compare(parse(f"verus! {{ {given} }}"), parse(f"verus! {{ {solution} }}"), hole)
    return [one.message for one in found]


HEAD = "fn f(x: u8) -> (r: u8) requires x < 9, ensures r == x + 1,"
LOOP = """fn sum(n: u8) -> (r: u64) ensures r >= 0 {
    let mut i = 0;
    let mut total: u64 = 0;
    while i < n { total = total + i as u64; i += 1; }
    let g = |x: u64| x + 1;
    total
}"""


@pytest.mark.parametrize(
    "body",
    [
        "{ unimplemented!() }",
        "{ todo!() }",
        "{ assume(false); 0 }",
        "{ proof { admit(); } 0 }",
        "{ let r = 0; assume(false); r }",
        "{ }",
    ],
)
def test_a_stub_is_a_hole_that_any_body_fills(body: str) -> None:
    assert messages(f"{HEAD} {body}", f"{HEAD} {{ x + 1 }}") == []


def test_external_body_is_a_hole() -> None:
    assert messages(f"#[verifier::external_body] {HEAD} {{ 0 }}", f"{HEAD} {{ x + 1 }}") == []
    assert messages(f"#[verifier(external_body)] {HEAD} {{ 0 }}", f"{HEAD} {{ x + 1 }}") == []


def test_a_lemma_keeps_its_statement_and_may_be_proved_anew() -> None:
    lemma = "proof fn l(x: int) requires x > 1, ensures x * x > x"
    assert messages(f"{lemma} {{ }}", f"{lemma} {{ assert(x > 0); }}") == []
    assert messages(f"{lemma} {{ }}", lemma.replace("x > 1", "x > 2") + " { }") != []
    assert messages(f"{lemma} {{ assert(x > 0); }}", f"{lemma} {{ other(x); }}") == []
    assert messages(f"{lemma} {{ }}", f"{lemma};") != []


def test_a_named_hole_may_have_any_body() -> None:
    given = f"{HEAD} {{ x }}"
    assert messages(given, f"{HEAD} {{ x + 1 }}") == ["the given `f` has another code"]
    assert messages(given, f"{HEAD} {{ x + 1 }}", hole="f") == []
    assert messages(given, f"{HEAD} {{ x + 1 }}", hole="g") != []


def test_a_specification_with_the_name_of_the_hole_stays() -> None:
    given = f"mod m {{ pub open spec fn f(x: u8) -> bool {{ x == 5 }} }} {HEAD} {{ x }}"
    assert messages(given, given.replace("x == 5", "true"), hole="f") == ["the given `m::f` has another body"]
    assert messages(given, given.replace("{ x }", "{ x + 1 }"), hole="f") == []


@pytest.mark.parametrize(
    ("uses", "changed"),
    [
        # Both modules define one name; the single import outranks the glob, and without it the glob gives the meaning.
        ("use a::ok; use b::*;", "use b::*;"),
        ("use a::*;", "use b::*;"),
        ("use a::*;", "mod m { use a::*; }"),
        ("use vstd::math::abs; use vstd::prelude::*;", "use vstd::prelude::*;"),
        ("use a::*; use vstd::math::*;", "use a::*;"),
    ],
)
def test_given_imports_stay_where_they_are(uses: str, changed: str) -> None:
    assert any("is missing" in message for message in messages(uses, changed))
    assert messages(uses, uses + " use vstd::seq::*;") == []


def test_a_glob_import_of_a_library_may_go_where_all_names_come_from_libraries() -> None:
    assert messages("use vstd::prelude::*; use vstd::math::*;", "use vstd::prelude::*;") == []


@pytest.mark.parametrize(
    "changed",
    [
        "fn f(x: u16) -> (r: u8) requires x < 9, ensures r == x + 1,",
        "fn f(y: u8) -> (r: u8) requires y < 9, ensures r == y + 1,",
        "fn f(mut x: u8) -> (r: u8) requires x < 9, ensures r == x + 1,",
        "fn f(x: u8) -> (s: u8) requires x < 9, ensures s == x + 1,",
        "fn f(x: u8) -> (r: u8) requires x < 8, ensures r == x + 1,",
        "fn f(x: u8) -> (r: u8) requires x < 9, x < 5, ensures r == x + 1,",
        "fn f(x: u8) -> (r: u8) ensures r == x + 1,",
        "fn f(x: u8) -> (r: u8) requires x < 9,",
        "fn f(x: u8) -> (r: u8) requires x < 9, ensures r == x + 1 || true,",
        "fn f(x: u8) -> (r: u8) requires x < 9, ensures r == x + 1, r > 0,",
        "fn f(x: u8) -> (r: u8) requires x < 9, ensures r == x + 1, returns 3",
        "pub fn f(x: u8) -> (r: u8) requires x < 9, ensures r == x + 1,",
        "proof fn f(x: u8) -> (r: u8) requires x < 9, ensures r == x + 1,",
        "const fn f(x: u8) -> (r: u8) requires x < 9, ensures r == x + 1,",
        "fn f<T>(x: u8) -> (r: u8) requires x < 9, ensures r == x + 1,",
        "#[verifier::external_fn_specification] fn f(x: u8) -> (r: u8) requires x < 9, ensures r == x + 1,",
        "fn f(x: u8) -> (r: u8) requires x < 9, ensures (r == x + 1) == true,",
    ],
)
def test_a_contract_may_not_change(changed: str) -> None:
    assert messages(f"{HEAD} {{ unimplemented!() }}", f"{changed} {{ x + 1 }}") == [
        "the given `f` has another signature or contract"
    ]


@pytest.mark.parametrize(
    "same",
    [
        "fn f( x:u8 ) -> (r: u8)\n  requires x<9\n ensures\n  (r == x + 1)",
        "fn f(x: u8,) -> (r: u8) requires x < 0x9, ensures r == (x + 1),",
        "#[verifier::loop_isolation(false)] fn f(x: u8) -> (r: u8) requires x < 9, ensures r == x + 1,",
        "#[verifier::spinoff_prover] #[verifier(rlimit(50))] fn f(x: u8) -> (r: u8) requires x < 9, ensures r == x + 1,",
        "fn f(x: u8) -> (r: u8) requires x < 9, ensures r == x + 1, decreases x",
    ],
)
def test_spacing_search_and_a_measure_are_free(same: str) -> None:
    assert messages(f"{HEAD} {{ unimplemented!() }}", f"{same} {{ x + 1 }}") == []


def test_a_given_measure_stays() -> None:
    assert messages("fn f(x: u8) decreases x { todo!() }", "fn f(x: u8) decreases 3 - x { }") != []
    # In a specification function a measure, and the lack of one, is given.
    assert messages("spec fn f(x: int) -> int { x }", "spec fn f(x: int) -> int decreases x { x }") != []


@pytest.mark.parametrize(
    ("given", "solution"),
    [
        ("spec fn p(x: int) -> bool { x > 0 }", "spec fn p(x: int) -> bool { x >= 0 }"),
        ("spec fn p(x: int) -> bool { x > 0 }", "spec fn p(x: int) -> bool { true }"),
        ("spec fn p(x: int) -> bool { x > 0 }", "open spec fn p(x: int) -> bool { x > 0 }"),
        ("struct S { a: u8 }", "struct S { a: u16 }"),
        ("struct S { a: u8 }", "struct S { pub a: u8 }"),
        ("#[derive(Clone)] struct S { a: u8 }", "struct S { a: u8 }"),
        ("enum E { A, B }", "enum E { B, A }"),
        ("const N: u8 = 3;", "const N: u8 = 4;"),
        ("type A = u8;", "type A = u16;"),
        ("trait T { fn f(&self); }", "trait T { }"),
        ("impl S { spec fn p(&self) -> bool { true } }", "impl S { spec fn p(&self) -> bool { false } }"),
        ("impl S { spec fn p(&self) -> bool { true } }", "spec fn p() -> bool { true }"),
        ("impl S { spec fn p(&self) -> bool { true } }", "impl R { spec fn p(&self) -> bool { true } }"),
        ("mod m { spec fn p() -> bool { true } }", "spec fn p() -> bool { true }"),
        ("broadcast use a::b;", "broadcast use a::c;"),
        ("const N: u8 = 3;", ""),
        ("const N: u8 = 3;", "const N: u8 = 3; const N: u8 = 3;"),
    ],
)
def test_everything_else_that_is_given_stays(given: str, solution: str) -> None:
    assert messages(given, solution) != []
    assert messages(given, given) == []


def test_order_and_new_items_are_free() -> None:
    given = "const N: u8 = 3; spec fn p() -> bool { true } impl S { fn f() { todo!() } fn g() { todo!() } }"
    solution = "fn new() { } impl S { fn g() { } fn h() { } fn f() { } } spec fn p() -> bool { true } const N: u8 = 3;"
    assert messages(given, solution) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("while i < n {", "while i < n invariant total >= 0, decreases n - i, {"),
        ("while i < n {", "#[verifier::loop_isolation(false)] while i < n {"),
        ("i += 1; }", "i += 1; } proof { lemma(); }"),
        ("    total\n", "    assert(total >= 0); proof { }\n    total\n"),
        ("let mut i = 0;", "let mut i = 0; let ghost mut s: int = 3; let tracked t = u;"),
        ("i += 1; }", "i += 1; s = s + 1; } let ghost mut s = 3;"),
        ("i += 1; }", "i += 1; assert forall|j: int| a(j) by { } }"),
        ("i += 1; }", "i += 1; reveal(p); broadcast use a; assert_by_contradiction!(a, { }); }"),
        ("|x: u64| x + 1", "|x: u64| -> (r: u64) requires x < 9 ensures r == x + 1 { x + 1 }"),
    ],
)
def test_given_code_takes_proofs(old: str, new: str) -> None:
    assert old in LOOP
    found = messages(LOOP, LOOP.replace(old, new))
    if "|x: u64| ->" in new:
        # A closure with a contract has a result type and a block: that is other code.
        assert found == ["the given `sum` has another code"]
    else:
        assert found == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("i < n", "i <= n"),
        ("i += 1;", "i += 2;"),
        ("i += 1;", ""),
        ("let mut i = 0;", "let mut i = 1;"),
        ("let mut i = 0;", "let mut i = 0; let extra = 3;"),
        ("    total\n", "    0\n"),
        ("    total\n", "    proof { } return total;\n"),
        ("i as u64", "(i as u64)* 1"),
        ("while i < n {", "'a: while i < n {"),
        ("total = total + i as u64;", "total = total + i as u64; total = total;"),
        ("i += 1; }", "i += 1; helper(); }"),
        ("x + 1", "x + 2"),
    ],
)
def test_given_code_stays(old: str, new: str) -> None:
    assert old in LOOP
    assert messages(LOOP, LOOP.replace(old, new)) == ["the given `sum` has another code"]


def test_an_executed_variable_is_not_erased_with_a_ghost_of_its_name() -> None:
    given = "fn f() { let mut a = 1; g(a); }"
    # `a` is ghost in one block and not in the other: the new assignment is to the executed one.
    assert messages(given, "fn f() { let mut a = 1; { let ghost a = 2; } a = 3; g(a); }") != []


def test_erasure_leaves_the_tree_as_it_was() -> None:
    [item] = parse(
        f"verus! {{ {LOOP.replace('while i < n {', 'while i < n invariant a, { assert(b);')} }}"
    ).items
    assert isinstance(item, tree.Function)
    assert item.body is not None
    before = show(item)
    assert "assert" not in show(erased(item.body))
    assert "invariant" not in show(erased(item.body))
    assert show(item) == before


def test_attributes_of_the_file() -> None:
    given = "#![verifier::loop_isolation(false)]\nverus! { }"
    assert [one.message for one in compare(parse(given), parse("verus! { }"))] == [
        "the given `#![verifier::loop_isolation(false)]` is missing"
    ]
    assert compare(parse("verus! { }"), parse("#![allow(unused)]\n" + given)) == []
    assert compare(parse("verus! { }"), parse("#![feature(x)] verus! { }")) != []


def test_a_finding_points_at_both_places() -> None:
    given = parse("verus! {\n\nconst N: u8 = 3;\n}")
    [found] = compare(given, parse("verus! {\nconst N: u8 = 4;\n}"))
    assert found.related is not None
    assert (found.place.line, found.related.line, found.function) == (2, 3, "N")


def test_a_body_that_does_something_is_no_hole() -> None:
    [item] = parse("verus! { fn f() { assume(x > 0); } }").items
    assert isinstance(item, tree.Function)
    assert not is_hole(item)


def test_a_stub_keeps_all_other_text() -> None:
    source = "verus! {\n// why\nfn f()  -> (r: u8)\n  ensures r == 1,\n{\n  1 // one\n} fn g() { 2 }\n}\n"
    expected = (
        "verus! {\n// why\nfn f()  -> (r: u8)\n  ensures r == 1,\n{ unimplemented!() } fn g() { 2 }\n}\n"
    )
    assert stub(source, "f") == expected
    assert compare(parse(expected), parse(source)) == []
    with pytest.raises(KeyError):
        stub(source, "h")
