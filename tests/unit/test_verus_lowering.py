"""What each construct comes to in the core language: values, statements, obligations in their order."""

from __future__ import annotations

import textwrap

import pytest

from rlvr_gym.verifiers.verus.checks import check
from rlvr_gym.verifiers.verus.core import BroadcastStep, Check, Program
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.library import library
from rlvr_gym.verifiers.verus.inference.program import infer
from rlvr_gym.verifiers.verus.lowering import lower, show
from rlvr_gym.verifiers.verus.lowering.effects import every
from rlvr_gym.verifiers.verus.lowering.library import core_library
from rlvr_gym.verifiers.verus.report import Dialect
from rlvr_gym.verifiers.verus.syntax.parser import parse

LEN = "std::vec::Vec::spec_vec_len"
VIEW = "std::vec::Vec::view"


def lowered(body: str, dialect: Dialect = "current", head: str = "") -> Program:
    """Return the core program of some items; their first line is line 3."""
    source = f"use vstd::prelude::*; {head}\nverus! {{\n{textwrap.dedent(body).strip()}\n}}\n"
    crate = infer(parse(source), dialect=dialect)
    check(crate)
    return lower(crate)


def shown(body: str, dialect: Dialect = "current") -> str:
    """Return the core program as text."""
    return show(lowered(body, dialect)).strip()


def body_of(body: str, dialect: Dialect = "current") -> list[str]:
    """Return the lines of the last function's body."""
    _, _, text = shown(body, dialect).rpartition("\n  body:\n")
    return textwrap.dedent(text).splitlines()


# ---------------------------------------------------------------- contracts


def test_a_contract_keeps_its_clauses_and_lines() -> None:
    source = """
        fn add(x: u32, y: u32) -> (r: u32)
            requires x < 10, y < 10
            ensures r == x + y
        { x + y }
    """
    assert (
        shown(source)
        == textwrap.dedent("""
        exec add(x: u32, y: u32) -> r: u32
          requires@4 (x < 10)
          requires@4 (y < 10)
          ensures@5 (r == (x + y))
          body:
            check@6 ((u32::MIN <= (x + y)) and ((x + y) <= u32::MAX)): possible arithmetic underflow/overflow
            return@6 (x + y)
    """).strip()
    )


def test_a_mutable_value_parameter_means_its_entry_value_in_the_contract() -> None:
    source = "fn f(mut x: u32) -> (r: u32) requires x < 10 ensures r == x { x = 3; x }"
    assert shown(source).splitlines()[1:] == [
        "  requires@3 (x < 10)",
        "  ensures@3 (r == x)",
        "  body:",
        "    x~now := x",
        "    x~now := 3",
        "    return@3 x~now",
    ]


def test_old_and_final_of_a_mutable_reference_are_its_two_values() -> None:
    source = "fn f(x: &mut u8) requires *old(x) < 9 ensures *final(x) == *old(x) + 1 { *x = *x + 1; }"
    assert shown(source).splitlines() == [
        "exec f(x: &mut u8)",
        "  requires@3 (x < 9)",
        "  ensures@3 (x~final == (x + 1))",
        "  body:",
        "    check@3 ((u8::MIN <= (x~final + 1)) and ((x~final + 1) <= u8::MAX)): possible arithmetic underflow/overflow",
        "    x~final := (x~final + 1)",
        "    return@3",
    ]


def test_a_bare_reference_in_a_postcondition_is_its_final_value_in_the_classic_dialect() -> None:
    source = "fn f(x: &mut u8) ensures *x == 1 { *x = 1; }"
    assert "  ensures@3 (x~final == 1)" in shown(source, "classic").splitlines()
    with pytest.raises((Rejected, Unsupported)):
        shown(source)


def test_returns_is_a_postcondition_about_the_result() -> None:
    text = shown("fn f(x: u8) -> u8 requires x < 9 returns (x + 1) as u8 { x + 1 }")
    assert "  ensures@3 (~result == ((x + 1) as u8))" in text.splitlines()


def test_the_unit_result_is_no_variable() -> None:
    text = shown("fn f() -> (r: ()) ensures r == () { }")
    assert text.splitlines()[:2] == ["exec f()", "  ensures@3 (() == ())"]


def test_rlimit_is_a_factor_on_the_default() -> None:
    codes = lowered("#[verifier::rlimit(50)] fn f() { } fn g() { }").codes
    assert (codes["f"].rlimit, codes["g"].rlimit) == (5.0, 1.0)


# ---------------------------------------------------------------- arithmetic of compiled code


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("x as u32", ["return@3 (x as u32)"]),
        ("!b", ["return@3 not(b)"]),
        ("!x", ["return@3 bitnot(x)"]),
        ("x & 3", ["return@3 (x & 3)"]),
        ("x / 2", ["check@3 not((2 == 0)): possible division by zero", "return@3 (x / 2)"]),
        ("x % y", ["check@3 not((y == 0)): possible division by zero", "return@3 (x % y)"]),
        (
            "x << 3",
            ["check@3 ((0 <= 3) and (3 < 64)): possible bit shift underflow/overflow", "return@3 (x << 3)"],
        ),
        ("b && x == 3", ["return@3 (b and (x == 3))"]),
        ("if b { 1 } else { x }", ["return@3 (if b then 1 else x)"]),
    ],
)
def test_operators_of_compiled_code(expression: str, expected: list[str]) -> None:
    result = {"!b": "bool", "b && x == 3": "bool", "x as u32": "u32"}.get(expression, "u64")
    assert body_of(f"fn f(x: u64, y: u64, b: bool) -> {result} {{ {expression} }}") == expected


def test_operands_are_checked_before_their_operator() -> None:
    # (x + 1) * y: first that the sum fits, then that the product does.
    lines = body_of("fn f(x: u8, y: u8) -> u8 { (x + 1) * y }")
    assert [line.split(": ")[0] for line in lines] == [
        "check@3 ((u8::MIN <= (x + 1)) and ((x + 1) <= u8::MAX))",
        "check@3 ((u8::MIN <= ((x + 1) * y)) and (((x + 1) * y) <= u8::MAX))",
        "return@3 ((x + 1) * y)",
    ]


def test_signed_division_rounds_towards_zero_and_may_overflow() -> None:
    assert body_of("fn f(x: i32, y: i32) -> i32 { x / y }") == [
        "check@3 not((y == 0)): possible division by zero",
        "check@3 not(((x == i32::MIN) and (y == -1))): possible arithmetic underflow/overflow",
        "return@3 (if (0 <= x) then (x / y) else neg((neg(x) / y)))",
    ]
    with pytest.raises(Unsupported):
        body_of("fn f(x: i32, y: i32) -> i32 { x % y }", "classic")


def test_the_width_of_usize_follows_from_its_bound() -> None:
    (line, _) = body_of("fn f(x: usize, s: usize) -> usize { x >> s }")
    assert line.startswith("check@3 ((0 <= s) and (s < (if (usize::MAX == 4294967295) then 32 else 64)))")


def test_a_number_with_its_sign_is_one_literal_and_any_other_negation_is_checked() -> None:
    assert body_of("fn f() -> i8 { -128 }") == ["return@3 -128"]
    # -(-128) does not fit, so it must not be folded.
    assert body_of("fn f() -> i8 { -(-128i8) }")[0] == (
        "check@3 ((i8::MIN <= neg(-128)) and (neg(-128) <= i8::MAX)): possible arithmetic underflow/overflow"
    )


def test_the_right_side_of_a_short_circuit_happens_under_the_left() -> None:
    assert body_of("fn f(v: &Vec<u32>, i: usize) -> bool { i < v.len() && v[i] == 3 }") == [
        "~1 := call@3 std::vec::Vec::len<u32>(v)",
        "if (i < ~1):",
        "  ~2 := call@3 std::vec::Vec::index<u32>(v, i)",
        "  ~3 := (~2 == 3)",
        "else:",
        "  ~3 := false",
        "return@3 ~3",
    ]


def test_a_value_read_before_a_change_is_the_old_one() -> None:
    # Rust copies the left operand before the block on the right changes the variable.
    assert body_of("fn f(x: u8) -> u8 { let mut a = x; a & { a = 0; a } }") == [
        "a := x",
        "~1 := a",
        "a := 0",
        "return@3 (~1 & a)",
    ]


def test_compound_assignment_reads_its_right_side_first() -> None:
    assert body_of("fn f(v: &mut Vec<u8>, i: usize) requires i < old(v).len() { v[i] &= 3; }") == [
        "~1 := call@3 std::vec::Vec::index<u8>(v~final, i)",
        "call@3 std::vec::Vec::index_set<u8>(v~final, i, (~1 & 3)) [0 -> v~final]",
        "return@3",
    ]


def test_compound_assignment_in_ghost_code_clips() -> None:
    assert body_of("proof fn f() { let mut x: u8 = 200; x += 100u8; }") == [
        "x := 200",
        "x := ((x + 100) as u8)",
        "return@3",
    ]


def test_the_right_side_of_an_assignment_is_read_before_the_place() -> None:
    source = "fn f(v: &mut Vec<u8>) requires old(v).len() > 0 { let mut x = 1u8; v[{ x = 3; 0 }] = x; }"
    assert body_of(source)[1:4] == [
        "~1 := x",
        "x := 3",
        "call@3 std::vec::Vec::index_set<u8>(v~final, 0, ~1) [0 -> v~final]",
    ]


def test_equality_of_compiled_code_needs_a_derived_one() -> None:
    derived = "#[derive(PartialEq, Eq, Structural)] struct S { a: u8 }"
    assert body_of(f"{derived} fn f(a: S, b: S) -> bool {{ a == b }}") == ["return@3 (a == b)"]
    with pytest.raises(Unsupported):
        body_of("fn f(a: &Vec<u8>, b: &Vec<u8>) -> bool { a == b }")


# ---------------------------------------------------------------- places and calls


def test_an_element_is_written_through_the_library() -> None:
    assert body_of("fn f(v: &mut Vec<u8>, i: usize) requires i < old(v).len() { v[i] = 7; v.push(1); }") == [
        "call@3 std::vec::Vec::index_set<u8>(v~final, i, 7) [0 -> v~final]",
        "call@3 std::vec::Vec::push<u8>(v~final, 1) [0 -> v~final]",
        "return@3",
    ]


def test_a_changed_field_makes_the_struct_anew() -> None:
    source = """
        struct P { a: u32, v: Vec<u32> }
        fn f(p: &mut P) requires old(p).v.len() > 0 { p.a = 3; p.v[0] = 4; p.v.push(2); }
    """
    assert body_of(source) == [
        "p~final := P.P(3, p~final.P.1)",
        "call@4 std::vec::Vec::index_set<u32>(p~final.P.1, 0, 4) [0 -> ~1]",
        "p~final := P.P(p~final.P.0, ~1)",
        "call@4 std::vec::Vec::push<u32>(p~final.P.1, 2) [0 -> ~2]",
        "p~final := P.P(p~final.P.0, ~2)",
        "return@4",
    ]


def test_a_tuple_is_taken_apart_and_changed_by_position() -> None:
    assert body_of("fn f() { let t = (1u8, 2u16); let (a, b) = t; let mut u = t; u.0 = 4; }") == [
        "t := (1, 2)",
        "a := t.tuple.0",
        "b := t.tuple.1",
        "u := t",
        "u := (4, u.tuple.1)",
        "return@3",
    ]


def test_a_borrowed_element_is_written_back() -> None:
    source = "fn f(v: &mut Vec<Vec<u8>>) requires old(v).len() > 0 { v[0].push(3); }"
    assert body_of(source) == [
        "~1 := call@3 std::vec::Vec::index<Vec<u8>>(v~final, 0)",
        "call@3 std::vec::Vec::push<u8>(~1, 3) [0 -> ~2]",
        "call@3 std::vec::Vec::index_set<Vec<u8>>(v~final, 0, ~2) [0 -> v~final]",
        "return@3",
    ]
    with pytest.raises(Unsupported):
        body_of(source, "classic")


def test_two_borrowed_fields_are_both_written_back() -> None:
    source = """
        struct P { a: u8, b: u8 }
        fn g(x: &mut u8, y: &mut u8) { }
        fn f(p: &mut P) { g(&mut p.a, &mut p.b); }
    """
    assert body_of(source) == [
        "call@5 g(p~final.P.0, p~final.P.1) [0 -> ~1] [1 -> ~2]",
        "p~final := P.P(~1, p~final.P.1)",
        "p~final := P.P(p~final.P.0, ~2)",
        "return@5",
    ]


def test_arguments_are_read_when_all_are_there() -> None:
    # `v.push(v.len())`: the length is read first, the vector itself at the call.
    assert body_of("fn f(v: &mut Vec<usize>) { v.push(v.len()); }") == [
        "~1 := call@3 std::vec::Vec::len<usize>(v~final)",
        "call@3 std::vec::Vec::push<usize>(v~final, ~1) [0 -> v~final]",
        "return@3",
    ]


def test_a_vector_is_viewed_as_a_slice_where_one_is_wanted() -> None:
    assert body_of("fn f(s: &[u8]) { } \n fn g(v: &Vec<u8>) { f(v); }") == [
        "~1 := call@4 std::vec::Vec::as_slice<u8>(v)",
        "call@4 f(~1)",
        "return@4",
    ]


@pytest.mark.parametrize(
    "source",
    [
        "fn f(x: &mut u8) { let y = &mut *x; *y = 1; }",
        "fn f(x: &mut u8) -> &mut u8 { x }",
        "struct S<'a> { x: &'a mut u8 }",
        "fn id<T>(x: T) -> T { x } fn f() { let mut a = 1u8; id(&mut a); }",
        "fn f(mut x: &mut u8, y: &mut u8) { x = y; }",
    ],
)
def test_a_mutable_reference_that_lives_on_is_not_understood(source: str) -> None:
    # Nothing would write such a borrow back.
    with pytest.raises((Unsupported, Rejected)):
        shown(source)


# ---------------------------------------------------------------- data


def test_a_vector_literal_is_known_by_its_view() -> None:
    # A function from positions, not pushes: `v@ == seq![1, 2]` has to be proved element by element.
    assert body_of("fn f() -> Vec<u8> { vec![1, 2] }") == [
        "havoc ~2: Vec<u8>",
        f"assume ({VIEW}<u8>(~2) == vstd::seq::Seq::new<u8>(2, (|~1: int| (if (~1 < 1) then 1 else 2))))",
        "return@3 ~2",
    ]
    assert body_of("fn f(n: usize) -> Vec<u8> { vec![0; n] }") == [
        "~1 := call@3 std::vec::from_elem<u8>(0, n)",
        "return@3 ~1",
    ]


def test_ghost_literals_are_made_of_library_functions() -> None:
    text = shown("spec fn f() -> Seq<int> { seq![1, 2] }")
    assert text.splitlines()[1] == (
        "  = vstd::seq::Seq::push<int>(vstd::seq::Seq::push<int>(vstd::seq::Seq::empty<int>(), 1), 2)"
    )


def test_struct_update_takes_the_other_fields_from_the_base() -> None:
    source = "struct P { a: u8, b: u8 } \n spec fn f(p: P) -> P { P { b: 3, ..p } }"
    assert shown(source).splitlines()[1] == "  = P.P(p.P.0, 3)"


def test_arms_are_tried_in_order_and_the_last_needs_no_test() -> None:
    assert body_of(
        "fn f(x: Option<u32>) -> u32 { match x { Some(v) if v > 3 => v, Some(_) => 1, None => 0 } }"
    ) == [
        "if ((x is Some) and (let v = x.Some.0 in (v > 3))):",
        "  v := x.Some.0",
        "  ~1 := v",
        "else:",
        "  if (x is Some):",
        "    ~1 := 1",
        "  else:",
        "    ~1 := 0",
        "return@3 ~1",
    ]


def test_a_guard_with_effects_runs_only_where_its_pattern_matches() -> None:
    lines = body_of("fn f(x: Option<u8>) -> u8 { match x { Some(v) if v + 1 > 3 => 1, _ => 0 } }")
    assert lines == [
        "if (x is Some):",
        "  v := x.Some.0",
        "  check@3 ((u8::MIN <= (v + 1)) and ((v + 1) <= u8::MAX)): possible arithmetic underflow/overflow",
        "  ~2 := ((v + 1) > 3)",
        "else:",
        "  ~2 := false",
        "if ~2:",
        "  v := x.Some.0",
        "  ~1 := 1",
        "else:",
        "  ~1 := 0",
        "return@3 ~1",
    ]


def test_patterns_of_specifications_become_tests_and_projections() -> None:
    assert shown("spec fn g(x: Option<int>) -> bool { x matches Some(y) && y > 3 }").splitlines()[1] == (
        "  = ((x is Some) and (let y = x.Some.0 in (y > 3)))"
    )
    assert shown("spec fn g(x: Option<int>) -> bool { x is Some ==> x->0 > 3 }").splitlines()[1] == (
        "  = ((x is Some) => (x.Some.0 > 3))"
    )
    assert shown("spec fn g(x: (u8, u8)) -> u8 { let (a, b) = x; if a < b { a } else { b } }").splitlines()[
        1
    ] == ("  = (let a = x.tuple.0 in (let b = x.tuple.1 in (if (a < b) then a else b)))")


def test_alternatives_bind_the_part_of_the_first_that_matches() -> None:
    source = "enum E { A(u8), B(u8), C } \n spec fn g(x: E) -> u8 { match x { E::A(n) | E::B(n) => n, E::C => 0 } }"
    assert shown(source).splitlines()[1] == (
        "  = (if ((x is A) or (x is B)) then (let n = (if (x is A) then x.A.0 else x.B.0) in n) else 0)"
    )


def test_leaving_early_is_a_branch_of_its_own() -> None:
    assert body_of("fn f(x: Option<u8>) -> u8 { let Some(y) = x else { return 0; }; y }") == [
        "if (x is Some):",
        "else:",
        "  return@3 0",
        "y := x.Some.0",
        "return@3 y",
    ]
    assert body_of("fn f(x: Option<u8>) -> Option<u8> { let y = x?; Some(y) }") == [
        "if (x is Some):",
        "else:",
        "  return@3 Option.None()",
        "y := x.Some.0",
        "return@3 Option.Some(y)",
    ]
    assert body_of("fn f(x: u32) -> u32 { if x > 3 { return 1; } 2 }") == [
        "if (x > 3):",
        "  return@3 1",
        "return@3 2",
    ]


def test_nothing_follows_a_return() -> None:
    assert body_of("fn g(x: u8) { } \n fn f() { g({ return; }); assert(false); }") == ["return@4"]


# ---------------------------------------------------------------- loops


def test_a_while_loop_without_breaks_is_simple() -> None:
    assert body_of(
        "fn f(n: u32) { let mut i = 0; while i < n invariant i <= n decreases n - i { i += 1; } }"
    ) == [
        "i := 0",
        "simple isolated loop loop~1 modifies i:",
        "  invariant@3 (i <= n)",
        "  decreases (n - i)",
        "  while (i < n)",
        "  body:",
        "    check@3 ((u32::MIN <= (i + 1)) and ((i + 1) <= u32::MAX)): possible arithmetic underflow/overflow",
        "    i := (i + 1)",
        "return@3",
    ]


@pytest.mark.parametrize(
    ("clauses", "body"),
    [
        ("invariant i <= n ensures i == n", ""),
        ("invariant_except_break i <= n", ""),
        ("invariant i <= n", "if i == 3 { break; }"),
    ],
)
def test_a_while_loop_is_not_simple(clauses: str, body: str) -> None:
    # Its negated condition is not known afterwards: with a break, and with clauses made for one.
    lines = body_of(
        f"fn f(n: u32) {{ let mut i = 0; while i < n {clauses} decreases n - i {{ {body} i += 1; }} }}"
    )
    assert lines[1] == "isolated loop loop~1 modifies i:"


def test_what_a_condition_does_runs_at_the_head() -> None:
    source = """
        fn f(v: &Vec<u8>) {
            let mut i: usize = 0;
            while i < v.len() invariant i <= v.len() decreases v.len() - i { i += 1; }
        }
    """
    assert body_of(source)[1:7] == [
        "simple isolated loop loop~1 modifies i:",
        f"  invariant@5 (i <= {LEN}<u8>(v))",
        f"  decreases ({LEN}<u8>(v) - i)",
        "  head:",
        "    ~1 := call@5 std::vec::Vec::len<u8>(v)",
        "  while (i < ~1)",
    ]


@pytest.mark.parametrize(
    ("file", "function", "loop", "isolated"),
    [
        ("", "", "", True),
        ("", "#[verifier::loop_isolation(false)]", "", False),
        ("", "#[verifier::loop_isolation(false)]", "#[verifier::loop_isolation(true)]", True),
        ("", "", "#[verifier::loop_isolation(false)]", False),
        ("#![verifier::loop_isolation(false)]", "", "", False),
        ("#![verifier::loop_isolation(false)]", "#[verifier::loop_isolation(true)]", "", True),
    ],
)
def test_the_innermost_setting_says_whether_a_loop_is_isolated(
    file: str, function: str, loop: str, isolated: bool
) -> None:
    text = show(
        lower_with_file_attributes(
            file, f"{function} fn f() {{ let mut i = 0u8; {loop} while i < 3 decreases 3 - i {{ i += 1; }} }}"
        )
    )
    assert ("simple isolated loop" in text) is isolated


def lower_with_file_attributes(attributes: str, items: str) -> Program:
    """Return the core program of a file with attributes at its head."""
    crate = infer(parse(f"{attributes}\nuse vstd::prelude::*;\nverus! {{\n{items}\n}}\n"), dialect="current")
    check(crate)
    return lower(crate)


def test_a_for_loop_counts_between_bounds_that_are_read_once() -> None:
    assert body_of("fn f(v: &Vec<u8>) { for i in 0..v.len() { let x = v[i]; } }") == [
        "~1 := call@3 std::vec::Vec::len<u8>(v)",
        "~2 := 0",
        "~3 := ~1",
        "i := ~2",
        "simple isolated loop loop~1 modifies i:",
        "  invariant@3 silent ((~2 <= i) and ((i <= ~3) or (i == ~2)))",
        "  invariant@3 silent (~2 == 0)",
        f"  invariant@3 silent (~3 == {LEN}<u8>(v))",
        "  decreases (~3 - i)",
        "  while (i < ~3)",
        "  body:",
        "    ~4 := call@3 std::vec::Vec::index<u8>(v, i)",
        "    x := ~4",
        "  step:",
        "    i := (i + 1)",
        "return@3",
    ]


def test_what_a_for_loop_changes_is_not_known_to_be_its_bound() -> None:
    lines = body_of("fn f() { let mut n = 3u8; for i in 0..n { n = 1; } }")
    assert [line for line in lines if "silent" in line] == [
        "  invariant@3 silent ((~1 <= i) and ((i <= ~2) or (i == ~1)))",
        "  invariant@3 silent (~1 == 0)",
    ]


def test_a_sum_at_the_end_of_a_range_is_clipped_in_what_is_known_of_it() -> None:
    # Inside of an isolated loop nobody knows that `n + 1` fits, so the bound must not say so.
    lines = body_of("fn f(n: u8) requires n < 9 { for i in 0..n + 1 { } }")
    assert "  invariant@3 silent (~2 == ((n + 1) as u8))" in lines


def test_the_ghost_iterator_of_a_range_has_its_bounds_and_the_counter() -> None:
    lines = body_of(
        "fn f(n: u8) { for i in it: 0..n invariant it.start <= it.cur <= it.end, it.cur == i { } }"
    )
    assert "  invariant@3 ((~1 <= i) and (i <= ~2))" in lines
    assert "  invariant@3 (i == i)" in lines


def test_one_past_an_inclusive_end_need_not_fit() -> None:
    lines = body_of("fn f() { for i in 0..=255u8 { let x = i; } }")
    # The counter is a number without bounds; `i` is a copy of it in the body.
    assert lines[:3] == ["~1 := 0", "~2 := 255", "~3 := ~1"]
    assert "  while (~3 <= ~2)" in lines
    assert "    i := ~3" in lines
    assert "    ~3 := (~3 + 1)" in lines


@pytest.mark.parametrize("jump", ["break", "continue"])
def test_a_jump_of_a_for_loop_is_not_understood(jump: str) -> None:
    with pytest.raises(Unsupported):
        body_of(f"fn f() {{ for i in 0..3u8 {{ {jump}; }} }}")


def test_labels_name_the_loop_that_is_left() -> None:
    source = """
        fn f() {
            let mut i = 0u8;
            'outer: while i < 3 decreases 3 - i {
                i += 1;
                loop decreases 0int { break 'outer; }
            }
        }
    """
    lines = [line.strip() for line in body_of(source)]
    assert "isolated loop 'outer~1 modifies i:" in lines
    assert "break 'outer~1" in lines


# ---------------------------------------------------------------- proofs


def test_equality_is_promoted_where_it_is_asserted_and_positive() -> None:
    lines = body_of("proof fn f(s: Seq<int>, t: Seq<int>) { assert(s == t || !(s == t)); }")
    assert lines[0] == "check@3 ((s =~= t) or not((s == t))): assertion failed"
    lines = body_of("proof fn f(s: Seq<int>, t: Seq<int>) { assert(s == t ==> s == t); }")
    assert lines[0] == "check@3 ((s == t) => (s =~= t)): assertion failed"


def test_vectors_and_structs_are_not_extensional() -> None:
    source = "struct S { a: Seq<int> } \n proof fn f(a: S, b: S, v: Vec<u8>, w: Vec<u8>) { assert(a == b); assert(v == w); }"
    assert body_of(source)[:2] == ["check@4 (a == b): assertion failed", "check@4 (v == w): assertion failed"]


@pytest.mark.parametrize(("dialect", "relation"), [("current", "=~="), ("classic", "==")])
def test_the_classic_dialect_promotes_in_plain_assertions_only(dialect: Dialect, relation: str) -> None:
    source = """
        proof fn f(s: Seq<int>, t: Seq<int>) requires s == t ensures s == t {
            assert(s == t) by { }
            assert(s == t);
        }
    """
    text = shown(source, dialect).splitlines()
    assert text[1:3] == ["  requires@3 (s == t)", f"  ensures@3 (s {relation} t)"]
    assert f"    assert@4 (s {relation} t) by:" in text
    assert "    check@5 (s =~= t): assertion failed" in text


def test_a_proof_of_a_quantified_formula_gives_it_with_its_triggers() -> None:
    source = """
        proof fn f(s: Seq<int>) {
            assert forall|i: int| 0 <= i < s.len() implies #[trigger] s[i] == s[i] by { assert(i >= 0); }
        }
    """
    element, length = "vstd::seq::Seq::spec_index<int>(s, i)", "vstd::seq::Seq::len<int>(s)"
    assert body_of(source) == [
        f"assert@4 forall i: int ((0 <= i) and (i < {length})) implies ({element} == {element}) by:",
        "  check@4 (i >= 0): assertion failed",
        f"so (forall i: int {{{element}}} (((0 <= i) and (i < {length})) => ({element} == {element})))",
        "return@5",
    ]


def test_a_prover_gets_only_what_is_required() -> None:
    source = "proof fn f(x: int) requires x > 0 { assert(x * x > 0) by (nonlinear_arith) requires x > 0; }"
    assert body_of(source) == [
        "assert@3 ((x * x) > 0) by nonlinear_arith",
        "  requires@3 (x > 0)",
        "return@3",
    ]


def test_a_chain_of_steps_is_proved_inside_and_known_outside() -> None:
    assert body_of(
        "proof fn f(a: int, b: int) requires a < b { calc! { (<=) a; (<) { assert(true); } b; } }"
    ) == [
        "assert@3 (a <= b) by:",
        "  assert@3 (a < b) by:",
        "    check@3 true: assertion failed",
        "return@3",
    ]
    with pytest.raises(Rejected):
        body_of("proof fn f(a: int, b: int) requires a > b { calc! { (<=) a; (>) { } b; } }")


def test_a_contradiction_is_reached_from_the_opposite() -> None:
    assert body_of("proof fn f(a: int) { assert_by_contradiction!(a > 3, { assert(a <= 3); }); }") == [
        "assert@3 (a > 3) by:",
        "  if not((a > 3)):",
        "    check@3 (a <= 3): assertion failed",
        "    check@3 false: assertion failed",
        "return@3",
    ]


def test_reveals_name_the_function_and_its_fuel() -> None:
    source = """
        spec fn f(n: nat) -> nat decreases n { if n == 0 { 0 } else { f((n - 1) as nat) } }
        proof fn g() { reveal(f); reveal_with_fuel(f, 3); }
    """
    assert body_of(source) == ["reveal f 1", "reveal f 3", "return@4"]


def test_a_revealed_literal_tells_its_length_and_characters() -> None:
    view = "vstd::string::str::view('ab')"
    assert body_of('proof fn f() { reveal_strlit("ab"); }') == [
        f"assume (vstd::seq::Seq::len<char>({view}) == 2)",
        f"assume (vstd::seq::Seq::index<char>({view}, 0) == 97)",
        f"assume (vstd::seq::Seq::index<char>({view}, 1) == 98)",
        "return@3",
    ]
    with pytest.raises(Unsupported):
        body_of("proof fn f(s: &str) { reveal_strlit(s); }")


def test_a_group_brings_all_its_functions() -> None:
    program = lowered(
        "proof fn f() { broadcast use group_mul_is_distributive; }", head="use vstd::arithmetic::mul::*;"
    )
    body = program.codes["f"].body
    assert body is not None
    (step,) = (step for step in every(body) if isinstance(step, BroadcastStep))
    assert [name.rpartition("::")[2] for name in step.functions] == [
        "lemma_mul_is_distributive_add",
        "lemma_mul_is_distributive_add_other_way",
        "lemma_mul_is_distributive_sub",
        "lemma_mul_is_distributive_sub_other_way",
    ]


def test_a_broadcast_path_without_its_import_is_not_understood() -> None:
    with pytest.raises(Unsupported):
        lowered("proof fn f() { broadcast use group_mul_is_distributive; }")


# ---------------------------------------------------------------- specifications


def test_a_recursive_function_knows_its_group_and_measure() -> None:
    source = "spec fn f(n: nat) -> nat decreases n { if n == 0 { 0 } else { f((n - 1) as nat) + 1 } }"
    assert shown(source).splitlines() == [
        "spec f(n: nat) -> nat [recursive(0, cycle 1)]",
        "  decreases n",
        "  = (if (n == 0) then 0 else (f(((n - 1) as nat)) + 1))",
    ]


def test_proof_blocks_in_a_specification_help_its_termination_only() -> None:
    source = """
        proof fn lemma(n: nat) { }
        spec fn f(n: nat) -> nat decreases n { proof { lemma(n); } if n == 0 { 0 } else { f((n - 1) as nat) } }
    """
    text = shown(source).splitlines()
    assert "  = (if (n == 0) then 0 else f(((n - 1) as nat)))" in text
    assert text[text.index("  by:") + 1 :][:2] == ["    scope:", "      call@4 lemma(n)"]


def test_exec_functions_stand_for_their_spec_twins_in_ghost_code() -> None:
    assert shown("spec fn f(v: Vec<u8>) -> usize { v.len() }").splitlines()[1] == f"  = {LEN}<u8>(v)"


def test_casts_to_mathematical_types_are_identities_where_nothing_is_lost() -> None:
    assert shown("spec fn f(x: u8) -> int { x as int }").splitlines()[1] == "  = x"
    assert shown("spec fn f(x: u8) -> nat { x as nat }").splitlines()[1] == "  = x"
    assert shown("spec fn f(x: int) -> nat { x as nat }").splitlines()[1] == "  = (x as nat)"
    # The inner clip is to u8, whatever type the whole is of.
    assert shown("spec fn f(x: int) -> int { (x as u8) as int }").splitlines()[1] == "  = ((x as u8) as int)"


def test_a_closure_is_a_function_value() -> None:
    assert shown("spec fn f(s: Seq<int>) -> Seq<int> { Seq::new(s.len(), |i: int| s[i]) }").splitlines()[
        1
    ] == (
        "  = vstd::seq::Seq::new<int>(vstd::seq::Seq::len<int>(s), (|i: int| vstd::seq::Seq::spec_index<int>(s, i)))"
    )


# ---------------------------------------------------------------- constants


def test_the_initialiser_of_a_constant_is_checked() -> None:
    program = lowered("const N: u8 = 200 + 100;")
    assert [step.message for step in program.constants["N"] if isinstance(step, Check)] == [
        "possible arithmetic underflow/overflow"
    ]
    assert "N" in program.checked


def test_an_array_constant_is_known_by_what_it_holds() -> None:
    axiom = lowered("const A: [u8; 2] = [1, 2];").codes["A~held"]
    assert axiom.always
    assert show_triggers_of(axiom.triggers) == ["A()"]


def show_triggers_of(groups: tuple[tuple[object, ...], ...]) -> list[str]:
    """Return trigger terms as text."""
    from rlvr_gym.verifiers.verus.lowering.show import show_expression

    return [show_expression(each) for group in groups for each in group]  # type: ignore[arg-type]  # all are terms


@pytest.mark.parametrize(
    "source",
    [
        "const C: u64 = S; const S: u64 = C;",
        "spec const C: int = f(); spec fn f() -> int { C + 1 }",
    ],
)
def test_a_constant_defined_by_itself_is_refused(source: str) -> None:
    # `C == C + 1` would prove everything.
    with pytest.raises(Rejected):
        lowered(source)


def test_signed_division_in_a_constant_is_not_understood() -> None:
    # Compiled code and ghost code would read different numbers out of it.
    with pytest.raises(Unsupported):
        lowered("const C: i32 = -7 / 2;")


# ---------------------------------------------------------------- the library


def test_the_whole_library_has_a_meaning() -> None:
    known = core_library(library())
    assert all(function.body is None for function in known.codes.values())
    # A fact that no term brings into play would be lost without a word.
    assert [
        function.id for function in known.codes.values() if function.broadcast and not function.triggers
    ] == []
    assert core_library(library()) is known


def test_a_closed_function_is_opaque_and_revealed_in_its_own_module() -> None:
    source = "mod m { pub closed spec fn f() -> int { 3 } pub proof fn g() { } } proof fn h() { }"
    program = lowered(source)
    assert program.specs["m::f"].opaque
    text = show(program)
    assert "proof m::g()\n  body:\n    reveal m::f 1" in text
    assert "proof h()\n  body:\n    return" in text
    # Where nothing stands outside of the module, nothing is hidden.
    assert not lowered("closed spec fn f() -> int { 3 }").specs["f"].opaque


def test_a_closed_function_cannot_be_revealed_from_outside() -> None:
    with pytest.raises(Rejected):
        lowered("mod m { pub closed spec fn f() -> int { 3 } } proof fn h() { reveal(m::f); }")
