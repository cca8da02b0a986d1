"""Names and types: what the compiler would accept, and what it would refuse before any proof."""

from __future__ import annotations

import time

import pytest

from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.inference.library import library
from rlvr_gym.verifiers.verus.inference.program import infer
from rlvr_gym.verifiers.verus.inference.types import MACHINE, NAT, Type
from rlvr_gym.verifiers.verus.report import Dialect
from rlvr_gym.verifiers.verus.syntax.parser import parse
from rlvr_gym.verifiers.verus.syntax.tree import (
    Assign,
    Binary,
    Expr,
    ExprStatement,
    Function,
    FunctionRef,
    Index,
    IntLit,
    Let,
    Local,
    MethodCall,
    PathExpr,
    TuplePattern,
)


def crate(items: str, dialect: Dialect = "current", before: str = "use vstd::prelude::*;") -> Crate:
    """Infer ``items`` inside of the macro."""
    return infer(parse(f"{before}\nverus! {{\n{items}\n}}\nfn main() {{}}\n"), dialect=dialect)


def refused(items: str, dialect: Dialect = "current", before: str = "use vstd::prelude::*;") -> str:
    """Return the message with which ``items`` are rejected."""
    with pytest.raises(Rejected) as caught:
        crate(items, dialect, before)
    return caught.value.message


def outside(items: str, dialect: Dialect = "current", before: str = "use vstd::prelude::*;") -> str:
    """Return the message with which ``items`` are called unsupported."""
    with pytest.raises(Unsupported) as caught:
        crate(items, dialect, before)
    return caught.value.message


def local_types(found: Crate, function: str) -> dict[str, str]:
    """Return the types of a function's variables by their unique names."""
    return {local.unique: str(local.type) for local in found.function(function).locals}


# ---------------------------------------------------------------- integers of compiled code


def test_a_number_takes_the_type_of_what_it_meets() -> None:
    found = crate(
        "fn f(v: &Vec<u8>) -> u64 { let mut i = 0; let mut c = 0; while i < v.len() { i += 1; } c }"
    )
    # `i` meets the usize of `len`, `c` is returned.
    assert local_types(found, "f") == {"v": "&Vec<u8>", "~result": "u64", "i": "usize", "c": "u64"}


def test_a_number_that_meets_nothing_is_an_i32() -> None:
    assert local_types(crate("fn f() { let x = 3; let y = x + 1; }"), "f") == {"x": "i32", "y": "i32"}


def test_a_bare_number_before_as_is_of_that_type_but_a_variable_is_not() -> None:
    # `temp` casts `r`, which its own use decides: a cast never does.
    found = crate("fn f() -> u64 { let r = 1; let temp = (r as u128) + 5; r }")
    assert local_types(found, "f") == {"~result": "u64", "r": "u64", "temp": "u128"}
    assert "literal out of range" in refused("fn f() { let x = 300 as u8; }")


def test_both_sides_of_a_compiled_operator_are_of_one_type() -> None:
    assert refused("fn f(a: u32, b: u64) -> u32 { a + b }") == "mismatched types: expected `u32`, found `u64`"
    assert "mismatched" in refused("fn f(a: u32, b: u64) -> bool { a < b }")
    assert "mismatched" in refused("fn f(a: u32, b: bool) -> bool { a == b }")
    # The amount of a shift may be of any integer type.
    crate("fn f(a: u32, b: u64) -> u32 { a << b }")


@pytest.mark.parametrize(
    ("type", "value"),
    [("u8", "256"), ("i8", "128"), ("i8", "-129"), ("u64", "18446744073709551616"), ("i128", "1" + "0" * 39)],
)
def test_a_number_that_its_type_cannot_hold_is_refused(type: str, value: str) -> None:
    assert refused(f"fn f() -> {type} {{ {value} }}") == f"literal out of range for `{type}`"


def test_the_least_and_greatest_values_are_in_range() -> None:
    crate("fn f() -> (i8, u8, i64) { (-128, 255, 9223372036854775807) }")


def test_usize_holds_only_what_fits_in_32_bits_for_certain() -> None:
    crate("fn f() -> usize { 4294967295 }")
    assert refused("fn f() -> usize { 4294967296 }") == "literal out of range for `usize`"


def test_operators_need_types_that_have_them() -> None:
    assert "no implementation" in refused("fn f(a: bool, b: bool) -> bool { a + b }")
    assert "unary operator `-`" in refused("fn f(a: u32) -> u32 { -a }")
    assert "unary operator `!`" in refused("fn f(a: char) -> char { !a }")
    crate("fn f(a: bool, b: bool) -> bool { (a & b) ^ !a }")


def test_casts_of_compiled_code() -> None:
    crate("fn f(a: u64, c: char, b: u8) -> (u8, i64, u32, char) { (a as u8, a as i64, c as u32, b as char) }")
    assert "non-primitive cast" in refused("fn f(a: u64) { let x = a as int; }")
    assert "non-primitive cast" in refused("fn f(a: u64) { let x = a as bool; }")
    assert "cast from" in outside("fn f(a: bool) -> u8 { a as u8 }")


# ---------------------------------------------------------------- integers of ghost code


def test_ghost_comparisons_do_not_make_types_equal() -> None:
    # `counter` must not become a `nat` because an invariant compares it with one.
    found = crate(
        """fn f(v: &Vec<u8>) { let mut counter = 0; let mut i: usize = 0;
        while i < v.len() invariant counter <= v@.len(), 0 <= counter <= i, counter == i as int { i += 1; counter += 1; }
        }"""
    )
    assert local_types(found, "f")["counter"] == "i32"


@pytest.mark.parametrize(
    ("left", "op", "right", "result"),
    [
        ("nat", "+", "nat", "nat"),
        ("nat", "*", "nat", "nat"),
        ("nat", "-", "nat", "int"),
        ("nat", "+", "u8", "int"),
        ("u8", "+", "u8", "int"),
        ("u8", "+", "i64", "int"),
        ("int", "*", "nat", "int"),
        ("u8", "/", "u8", "u8"),
        ("i8", "/", "i8", "int"),
        ("i8", "%", "i8", "i8"),
        ("nat", "/", "nat", "nat"),
        ("u32", "&", "u32", "u32"),
        ("u32", "<<", "u8", "u32"),
    ],
)
def test_results_of_ghost_arithmetic(left: str, op: str, right: str, result: str) -> None:
    crate(f"spec fn f(a: {left}, b: {right}) -> {result} {{ a {op} b }}")
    other = "nat" if result == "int" else "int"
    assert "mismatched" in refused(f"spec fn f(a: {left}, b: {right}) -> {other} {{ a {op} b }}")


def test_a_number_in_a_ghost_sum_is_a_nat() -> None:
    crate("spec fn f(n: nat) -> nat { n + 1 } spec fn g(n: u8) -> int { 1 + n } spec fn h() -> nat { 1 + 1 }")
    # A minus makes it an int.
    assert "expected `nat`, found `int`" in refused("spec fn f(n: nat) -> nat { n + -1 }")


def test_ghost_division_wants_equal_types() -> None:
    assert "mismatched" in refused("spec fn f(a: u8, b: u16) -> int { (a / b) as int }")
    crate("spec fn f(a: u8) -> u8 { a / 2 }")


def test_bit_operators_are_for_machine_integers() -> None:
    assert "spec_bitand" in refused("spec fn f(a: int, b: int) -> int { a & b }")
    crate("spec fn f(a: u64) -> u64 { (1 & a) | (a >> 3) }")
    # Two bare numbers are an i32 in the end, and until then nothing that could be added to.
    assert "mismatched" in refused("spec fn f() -> u8 { 7 & 3 }")
    assert "type annotations needed" in refused("spec fn f() -> int { (1 << 3) + 1 }")
    crate("spec fn f() -> u8 { (1 << 3) as u8 }")


def test_a_minus_makes_an_int_but_keeps_a_machine_integers_suffix() -> None:
    crate("spec fn f(a: u8) -> int { -a } spec fn g() -> int { -3 } spec fn h() -> i32 { -3i32 }")
    crate("spec fn f() -> int { -3nat }")
    assert "expected `i32`, found `int`" in refused("spec fn f() -> i32 { -3 }")


def test_a_bare_number_cannot_be_divided() -> None:
    # The division is a method of its left side, whose type must be known by then.
    assert "type annotations needed" in refused("spec fn f(a: int) -> int { 10 / a }")
    crate("spec fn f(a: int) -> int { 10int / a }")


def test_arguments_are_never_converted_between_integer_types() -> None:
    items = "spec fn g(n: nat) -> nat { n } spec fn f(i: int) -> nat { g(%s) }"
    assert refused(items % "i + 1") == "mismatched types: expected `nat`, found `int`"
    crate(items % "(i + 1) as nat")
    assert "expected `int`, found `usize`" in refused("spec fn f(s: Seq<u8>, i: usize) -> u8 { s[i] }")


def test_a_spec_body_has_exactly_the_declared_type() -> None:
    assert "expected `int`, found `u64`" in refused("spec fn f(a: u64) -> int { a }")
    assert "expected `int`, found `nat`" in refused("spec fn f(a: Seq<u8>) -> int { a.len() }")
    crate("spec fn f(a: Seq<u8>) -> int { a.len() as int }")


def test_an_open_number_of_ghost_code_has_no_default() -> None:
    # In compiled code it would be an i32; here the compiler asks for `0int` or the like.
    assert "type annotations needed" in refused("proof fn f() { let x = 0; }")
    assert "type annotations needed" in refused("proof fn f() { assert(seq![1, 2].len() == 2); }")
    crate("proof fn f() { let x = 0int; let y: nat = 0; assert(seq![1int, 2].len() == 2); }")


def test_a_bound_variable_gets_its_type_from_its_uses() -> None:
    found = crate("proof fn f(s: Seq<u8>) { assert(forall|i, j| 0 <= i < j < s.len() ==> s[i] <= s[j]); }")
    assert local_types(found, "f")["i"] == "int"
    assert "type annotations needed" in refused("proof fn f() { assert(forall|i| 0 <= i < 5); }")


def test_chains_compare_integers_only() -> None:
    crate("spec fn f(a: u8, b: int, c: nat) -> bool { a <= b < c }")
    assert "needs integers" in refused("spec fn f(a: bool, b: bool) -> bool { 0 <= a < b }")


def test_ghost_equality_is_of_one_type_or_of_integers() -> None:
    crate("spec fn f(a: &u8, b: int, c: char) -> bool { a == b && c == 65 }")
    assert "mismatched types in `==`" in refused("spec fn f(a: u8, b: Option<u8>) -> bool { a == b }")
    # `===` and `=~=` are functions of two parameters of one type.
    assert "expected `u8`, found `int`" in refused("spec fn f(a: u8, b: int) -> bool { a === b }")
    assert "mismatched" in refused("spec fn f(a: Seq<u8>, b: Seq<u16>) -> bool { a =~= b }")


def test_ghost_casts() -> None:
    crate("spec fn f(a: int, c: char) -> (u8, nat, int) { (a as u8, a as nat, c as int) }")
    # Older versions also make characters of numbers, newer ones not all of them.
    crate("spec fn f(a: int) -> char { a as char }", "classic")
    assert "cast from `int` to `char`" in outside("spec fn f(a: int) -> char { a as char }")
    assert "non-primitive cast" in refused("spec fn f(a: bool) -> int { a as int }")
    assert "non-primitive cast" in refused("spec fn f(a: Seq<u8>) -> int { a as int }")


def test_a_plus_of_sequences_is_their_concatenation() -> None:
    found = crate("spec fn f(a: Seq<u8>, b: Seq<u8>) -> Seq<u8> { a + b }")
    body = found.function("f").body
    assert body is not None
    assert isinstance(body.tail, Binary)
    assert body.tail.target is not None
    assert body.tail.target.function.id == "vstd::seq::Seq::spec_add"
    assert body.tail.target.type_arguments == (MACHINE["u8"],)
    assert "no implementation" in refused("spec fn f(a: bool, b: bool) -> bool { a + b }")


# ---------------------------------------------------------------- branches and blocks, and what a body gives back


def test_branches_and_arms_agree() -> None:
    assert "mismatched" in refused("fn f(c: bool, a: u8) -> u8 { let x = if c { a } else { true }; a }")
    assert "mismatched" in refused("fn f(a: Option<u8>) -> u8 { match a { Some(x) => x, None => false } }")
    crate("fn f(a: Option<u8>) -> u8 { match a { Some(x) => x, None => return 3 } }")


def test_an_if_without_else_has_no_value() -> None:
    assert "mismatched" in refused("fn f(c: bool) -> u8 { if c { 1 } }")
    crate("fn f(c: bool) -> u8 { if c { return 1; } 2 }")


def test_a_body_that_returns_everywhere_needs_no_value() -> None:
    crate("fn f(c: bool) -> u8 { if c { return 1; } else { return 2; } }")
    assert "expected `u8`, found `()`" in refused("fn f(c: bool) -> u8 { if c { return 1; } }")


def test_the_value_of_a_loop_is_what_it_is_broken_with() -> None:
    crate("fn f() -> u8 { loop { break 3; } }")
    crate("fn f() -> u8 { loop { return 3; } }")
    assert "mismatched" in refused("fn f() -> u8 { loop { break true; } }")
    assert "`break` with value" in refused("fn f() { while true { break 3; } }")
    assert "outside of a loop" in refused("fn f() { break; }")
    assert "undeclared label" in refused("fn f() { loop { break 'a; } }")


def test_conditions_are_truth_values() -> None:
    assert "expected `bool`, found `u8`" in refused("fn f(a: u8) { if a { } }")
    assert "expected `bool`" in refused("fn f(a: u8) requires a { }")
    assert "expected `bool`, found `nat`" in refused("spec fn f(s: Seq<u8>) -> bool { s.len() ==> true }")


def test_let_else_must_not_go_on() -> None:
    crate("fn f(a: Option<u8>) -> u8 { let Some(x) = a else { return 0; }; x }")
    assert "does not diverge" in refused("fn f(a: Option<u8>) -> u8 { let Some(x) = a else { }; x }")


def test_the_question_mark_needs_a_function_of_the_same_kind() -> None:
    crate("fn f(a: Option<u8>) -> Option<u16> { let x = a?; Some(x as u16) }")
    assert "`?`" in refused("fn f(a: Option<u8>) -> u8 { a? }")
    assert "`?`" in refused("fn f(a: u8) -> Option<u8> { Some(a?) }")
    assert "converts the error" in outside("fn f(a: Result<u8, bool>) -> Result<u8, u8> { Ok(a?) }")


# ---------------------------------------------------------------- references


def test_references_are_coerced_as_in_rust() -> None:
    crate(
        """fn s(a: &[u8]) -> usize { a.len() } fn t(a: &str) -> usize { a.unicode_len() } fn u(a: &u8) -> u8 { *a }
        fn f(v: &Vec<u8>, w: &mut Vec<u8>, x: Box<u8>, a: [u8; 3], y: &String) {
            let b = s(v); let c = s(w); let d = s(&a); let e = u(&x); let g = u(&&3); let h = t(y); }"""
    )


def test_branches_may_differ_in_references_but_not_in_form() -> None:
    crate("fn f<'a>(v: &'a Vec<u8>, w: &'a Vec<u8>, c: bool) -> &'a [u8] { if c { v } else { w } }")
    # One branch would have to become a slice inside of the `if`.
    assert "coercion of a reference" in outside(
        "fn f<'a>(v: &'a Vec<u8>, w: &'a [u8], c: bool) -> &'a [u8] { if c { v } else { w } }"
    )


def test_slices_stand_behind_references() -> None:
    for items in (
        "fn f(v: [u8]) { }",
        "struct S { x: Seq<str> }",
        "fn id<T>(t: &T) { } fn f(v: &[u8]) { id(v); }",
        "fn f(v: &[u8]) { let w = *v; }",
    ):
        assert "cannot be known at compilation time" in refused(items)


def test_values_are_not_coerced() -> None:
    assert "expected `&[u8]`, found `Vec<u8>`" in refused("fn s(a: &[u8]) {} fn f(v: Vec<u8>) { s(v) }")
    assert "expected `u8`, found `&u8`" in refused("fn s(a: u8) {} fn f(v: &u8) { s(v) }")
    assert "expected `&mut u8`, found `&u8`" in refused("fn s(a: &mut u8) {} fn f(v: &u8) { s(v) }")
    assert "cannot be dereferenced" in refused("fn f(v: u8) -> u8 { *v }")


def test_patterns_look_through_references() -> None:
    found = crate("fn f(a: &Option<(u8, bool)>) { match a { Some((x, _)) => { }, None => { } } }")
    assert local_types(found, "f")["x"] == "&u8"
    found = crate("fn f(a: &Option<u8>) { if let &Some(x) = a { } }")
    assert local_types(found, "f")["x"] == "u8"


# ---------------------------------------------------------------- patterns


def test_patterns_fit_what_they_are_matched_against() -> None:
    assert "mismatched" in refused("fn f(a: u8) { match a { Some(x) => { }, _ => { } } }")
    assert "tuple of 3" in refused("fn f(a: (u8, u8)) { let (x, y, z) = a; }")
    crate(
        "fn f(a: (u8, bool, u8)) -> bool { let (x, ..) = a; let (.., z) = a; let (p, .., q) = a; p == x && q == z }"
    )
    # Numbers in patterns are the compiler's own.
    assert "mismatched" in refused("spec fn f(a: int) -> bool { match a { 0 => true, _ => false } }")
    assert "literal out of range" in refused("fn f(a: u8) { match a { 256 => { }, _ => { } } }")


def test_variants_in_patterns_have_their_fields() -> None:
    items = "enum E { A(u8, u8), B { x: u8 }, C } fn f(e: E) { match e { %s => { }, _ => { } } }"
    for good in ("E::A(a, b)", "E::A(..)", "E::B { x }", "E::B { .. }", "E::C", "E::A(1, _) | E::A(_, 1)"):
        crate(items % good)
    assert "1 fields, but `A` has 2" in refused(items % "E::A(a)")
    assert "named `y`" in refused(items % "E::B { y, .. }")
    assert "does not mention" in refused(items % "E::B { }")
    assert "no function, variant or constant named `D`" in refused(items % "E::D")
    assert "expected unit struct" in refused(items % "E::A")


def test_a_name_is_bound_once_and_in_all_alternatives() -> None:
    assert "more than once" in refused("fn f(a: (u8, u8)) { let (x, x) = a; }")
    items = "enum E { A(u8), B(u8) } fn f(e: E) -> u8 { match e { %s => 1 } }"
    crate(items % "E::A(x) | E::B(x)")
    assert "not bound in all" in refused(items % "E::A(x) | E::B(_)")


# ---------------------------------------------------------------- structs, enums, fields


def test_struct_literals_have_every_field_once() -> None:
    items = "struct P { x: u8, y: bool } fn f(p: P) -> P { %s }"
    crate(items % "P { x: 1, y: true }")
    crate(items % "P { x: 1, ..p }")
    assert "missing fields `y`" in refused(items % "P { x: 1 }")
    assert "named `z`. Did you mean" not in refused(items % "P { x: 1, y: true, z: 1 }")
    assert "more than once" in refused(items % "P { x: 1, x: 2, y: true }")
    assert "expected `bool`" in refused(items % "P { x: 1, y: 2 }")


def test_fields_exist() -> None:
    items = "struct P { width: u8 } fn f(p: &P) -> u8 { p.%s }"
    crate(items % "width")
    assert refused(items % "widht") == "no field `widht` on type `P`. Did you mean 'width'?"
    assert "no field `2`" in refused("fn f(p: (u8, u8)) -> u8 { p.2 }")


def test_ghost_access_to_variants() -> None:
    items = "enum E { A { n: nat, m: nat }, B(u8), C { m: nat } } spec fn f(e: E) -> bool { %s }"
    crate(
        items
        % "e is A && e->n > 2 && e->0 == 3 && e->A_m == 1 && e->B_0 == 3 && (e matches E::C { m } && m > 2)"
    )
    assert "more than one variant" in refused(items % "e->m == 1")
    assert "no variant `Q`" in refused(items % "e is Q")
    assert "needs an enum" in refused("spec fn f(e: u8) -> bool { e is A }")


def test_generic_datatypes_get_their_arguments() -> None:
    found = crate("struct W<T> { t: T } fn f(a: u8) -> W<u8> { let w = W { t: a }; w }")
    assert local_types(found, "f")["w"] == "W<u8>"
    assert "expected `W<bool>`, found `W<u8>`" in refused(
        "struct W<T> { t: T } fn f(a: W<u8>) -> W<bool> { a }"
    )
    assert "takes 1 generic arguments" in refused("struct W<T> { t: T } fn f(a: W<u8, u8>) { }")
    assert "missing generics" in refused("struct W<T> { t: T } fn f(a: W) { }")
    assert "never used" in refused("struct W<T> { t: u8 }")


def test_generic_constants_are_lengths() -> None:
    found = crate("fn f<const N: usize>(a: &[u8; N]) -> usize { N } fn g(a: [u8; 3]) -> usize { f(&a) }")
    assert found.function("f").parameter_types == (Type("&", (Type("array", (MACHINE["u8"],), "N"),)),)
    assert "mismatched" in refused("fn f(a: [u8; 3]) -> [u8; 4] { a }")
    assert "is no argument" in refused("struct W<T> { t: T } fn f<const N: usize>(w: W<N>) { }")


def test_what_stays_open_is_refused() -> None:
    assert "type annotations needed" in refused("fn f() { let v = Vec::new(); }")
    assert "type annotations needed" in refused("fn f() { let v = None; }")
    crate("fn f() { let v: Vec<u8> = Vec::new(); let mut w = Vec::new(); w.push(true); }")


# ---------------------------------------------------------------- functions and methods


def test_calls_have_as_many_arguments_as_parameters() -> None:
    assert "takes 1 arguments, 2 given" in refused("fn g(a: u8) {} fn f() { g(1, 2); }")
    assert "takes 1 arguments, 0 given" in refused("fn f(v: &mut Vec<u8>) { v.push(); }")
    assert "expected function" in refused("fn f(v: u8) { v(); }")


def test_generic_functions_are_used_at_types_of_their_own() -> None:
    found = crate("spec fn id<T>(t: T) -> T { t } proof fn f() { assert(id(3int) == 3); assert(id(true)); }")
    assert found.function("id").parameter_types == (Type("'T"),)
    assert "expected `bool`, found `u8`" in refused(
        "spec fn id<T>(t: T) -> T { t } spec fn f(a: u8) -> bool { id(a) }"
    )
    assert "expected `T`, found `u8`" in refused("spec fn f<T>(t: T) -> T { 3u8 }")


def test_bounds_of_generic_functions_hold() -> None:
    crate("fn g<T: Copy>(t: T) -> T { t } fn f(a: u8) -> u8 { g(a) }")
    assert "not satisfied" in refused("fn g<T: Copy>(t: T) {} fn f(a: Vec<u8>) { g(a) }")
    assert "clones may differ" in outside("struct S { a: u8 } fn f(v: &Vec<S>) { let w = v.clone(); }")


def test_a_compiled_length_means_its_twin_in_ghost_code() -> None:
    found = crate("fn f(v: &Vec<u8>) requires v.len() > 0 { let n = v.len(); }")
    function = found.function("f")
    clause = function.requires[0]
    assert isinstance(clause, Binary)
    assert isinstance(clause.left, MethodCall)
    assert isinstance(clause.left.target, FunctionRef)
    assert clause.left.target.function.id == "std::vec::Vec::spec_vec_len"
    assert clause.left.ghost
    assert function.body is not None
    let = function.body.statements[0]
    assert isinstance(let, Let)
    assert isinstance(let.value, MethodCall)
    assert isinstance(let.value.target, FunctionRef)
    assert let.value.target.function.id == "std::vec::Vec::len"
    assert not let.value.ghost


def test_unknown_methods_are_the_programs_fault_only_on_its_own_types() -> None:
    items = "struct P { x: u8 } impl P { fn width(&self) -> u8 { self.x } } fn f(p: P) -> u8 { p.widht() }"
    assert refused(items).startswith("no method named `widht` found for `P`. Did you mean 'width'?")
    assert outside("fn f(v: &Vec<u8>) { v.dedup_by_key_of_sorts(); }").startswith(
        "method `dedup_by_key_of_sorts`"
    )
    # A trait may give any type a method called `cmp`.
    assert "method `cmp`" in outside("struct P { x: u8 } fn f(p: P) { p.cmp(&p); }")
    assert "ambiguous numeric type" in refused("fn f() { let x = 5; let y = x.wrapping_add(1); }")


def test_indices_of_compiled_code_are_usize_and_of_ghost_code_int() -> None:
    crate("fn f(v: &Vec<u8>, i: usize) -> u8 requires v[i as int] == 3, v@[0] == 3 { v[i] }")
    assert "expected `usize`, found `u64`" in refused("fn f(v: &Vec<u8>, i: u64) -> u8 { v[i] }")
    assert "expected `int`, found `usize`" in refused("fn f(v: &Vec<u8>, i: usize) requires v[i] == 3 { }")
    assert "cannot index" in refused("fn f(v: u8) -> u8 { v[0] }")


def test_views() -> None:
    items = """struct P { x: u8 } impl View for P { type V = int; spec fn view(&self) -> int { self.x as int } }
        spec fn f(p: P, n: u8, s: &str) -> bool { p@ == 3 && n@ == 3 && s@.len() == 2 }"""
    assert crate(items).function("f").result_type == Type("bool")
    assert "no method named `view`" in refused("struct P { x: u8 } spec fn f(p: P) -> bool { p@ == 3 }")
    assert "returns `int`, not `nat`" in refused(
        "struct P { x: u8 } impl View for P { type V = int; spec fn view(&self) -> nat { 3 } }"
    )


def test_closures_take_their_parameters_from_what_they_are_given_to() -> None:
    found = crate("spec fn f(s: Seq<u8>) -> Seq<bool> { s.map_values(|x| x > 3) }")
    assert local_types(found, "f")["x"] == "u8"
    crate("spec fn f(s: Seq<u8>) -> int { s.fold_left(0, |acc: int, x: u8| acc + x) }")
    crate("spec fn f(g: spec_fn(int) -> nat) -> nat { g(3) } spec fn h() -> nat { f(|i: int| 3nat) }")
    assert "expected a function of 1 parameters" in refused(
        "spec fn f(s: Seq<u8>) -> Seq<u8> { s.map_values(|a, b| a) }"
    )
    assert "expected `int`, found `nat`" in refused("spec fn f(g: spec_fn(int) -> int) -> int { g(3nat) }")
    assert "closure in compiled code" in outside("fn f() { let g = |x: u8| x; }")


def test_clones() -> None:
    crate(
        "#[derive(Clone, Copy)] struct P { x: u8 } fn f(p: &P, q: u8) -> (P, u8) { (p.clone(), q.clone()) }"
    )
    # Without a `clone` of its own, the reference is what gets copied.
    crate("struct P { x: u8 } fn f<'a>(p: &'a P) -> &'a P { p.clone() }")
    assert "no method named `clone`" in refused("struct P { x: u8 } fn f(p: P) -> P { p.clone() }")
    # One reference is looked through and no more; a box is cloned as a box.
    assert "clone of a reference" in outside("fn f(x: &&u8) -> u8 { x.clone() }")
    assert "found `Box<Vec<u8>>`" in refused("fn f(x: &Box<Vec<u8>>) -> Vec<u8> { x.clone() }")
    assert "expected `u8`, found `Box<u8>`" in refused("fn f(x: Box<u8>) -> u8 { x.clone() }")
    # What a derived `clone` gives is known of Copy types only, and in newer versions.
    assert "`clone` of `P`" in outside("#[derive(Clone)] struct P { x: u8 } fn f(p: &P) -> P { p.clone() }")
    copy = "#[derive(Clone, Copy)] struct P { x: u8 } fn f(p: &P) -> P { p.clone() }"
    assert "`clone` of `P`" in outside(copy, "classic")


def test_a_copy_type_may_have_clones_that_differ() -> None:
    # Nothing is specified about the `clone` of tuples and of type parameters, nor where a type brings its own.
    assert "`clone` of `(u8, u8)`" in outside("fn f(p: (u8, u8)) { let q = p.clone(); }")
    assert "clones may differ" in outside("fn f(v: &Vec<(u8, u8)>) { let w = v.clone(); }")
    assert "clones may differ" in outside("fn f<T: Copy>(v: &Vec<T>) { let w = v.clone(); }")
    assert "clones may differ" in outside("fn f(n: usize) { let v = vec![(0u8, true); n]; }")
    own = "struct P { x: u8 } impl Copy for P {} impl Clone for P { fn clone(&self) -> P { P { x: 0 } } }"
    assert outside(own + "fn f(v: &Vec<P>) { let w = v.clone(); }")
    crate("fn f(v: &Vec<Option<u8>>) { let w = v.clone(); let a = [(0u8, true); 3]; }")


def test_equality_of_compiled_code_is_derived() -> None:
    derived = "#[derive(PartialEq, Eq, Structural)]"
    crate(f"{derived} struct P {{ x: u8 }} fn f(a: P, b: P) -> bool {{ a == b }}")
    crate("fn f(a: Option<(u8, bool)>, b: Option<(u8, bool)>) -> bool { a == b }")
    assert "`==` cannot be applied" in refused("struct P { x: u8 } fn f(a: P, b: P) -> bool { a == b }")
    assert "`==` in compiled code" in outside(
        "#[derive(PartialEq)] struct P { x: u8 } fn f(a: P, b: P) -> bool { a == b }"
    )
    assert "`==` in compiled code" in outside("fn f(a: Vec<u8>, b: Vec<u8>) -> bool { a == b }")
    assert "`==` in compiled code" in outside("fn f<T: PartialEq>(a: T, b: T) -> bool { a == b }")
    # Before 2025 only scalars and types with derived equality had a meaning of `==`.
    crate("fn f(a: Option<u8>, b: Option<u8>) -> bool { a == b }")
    assert "`==` in compiled code" in outside(
        "fn f(a: Option<u8>, b: Option<u8>) -> bool { a == b }", "classic"
    )


def test_derived_traits_hold_of_all_fields() -> None:
    crate("#[derive(Clone, Copy)] struct P { x: u8, y: (bool, char) } fn f(p: &P) -> P { p.clone() }")
    assert "`Copy` is not implemented" in refused("#[derive(Clone, Copy)] struct P { x: Vec<u8> }")
    assert "is `Copy` but not `Clone`" in refused("#[derive(Copy)] struct P { x: u8 }")
    # A vector's equality is not the logic's.
    assert "`Structural` is not implemented" in refused(
        "#[derive(PartialEq, Eq, Structural)] struct P { x: Vec<u8> }"
    )
    assert "#[derive(Arbitrary)]" in outside("#[derive(Arbitrary)] struct P { x: u8 }")


def test_old_and_final_need_a_mutable_reference() -> None:
    crate("fn f(v: &mut Vec<u8>) requires old(v).len() > 0 ensures final(v)@ == old(v)@ { }")
    assert "`old` needs a `&mut` parameter" in refused("fn f(v: &Vec<u8>) ensures old(v).len() > 0 { }")


def test_assignments() -> None:
    crate("struct P { x: u8 } fn f(p: &mut P, v: &mut Vec<u8>, y: &mut u8) { p.x = 1; v[0] = 2; *y += 3; }")
    assert "expected `u8`" in refused("fn f(y: &mut u8) { *y = true; }")
    assert "invalid left-hand side" in refused("fn f(y: u8) { 3 = y; }")


# ---------------------------------------------------------------- names


def test_unknown_names_come_with_the_nearest_one() -> None:
    assert (
        refused("fn f(count: u8) -> u8 { cuont }")
        == "cannot find value `cuont` in this scope. Did you mean 'count'?"
    )
    assert "cannot find type `Foo`" in refused("fn f(a: Foo) { }")
    assert "Did you mean 'helper'?" in refused("fn helper() {} fn f() { helpr(); }")
    assert "cannot find function `g`" in refused("proof fn f() { reveal(g); }")


def test_what_the_library_lacks_is_not_the_programs_fault() -> None:
    assert "`vstd::seq_lib::lemma_of_sorts`" in outside("proof fn f() { vstd::seq_lib::lemma_of_sorts(); }")
    assert "not in the model" in outside("use vstd::arithmetic::no_such_module::*;")
    # Importing a part that is known to exist costs nothing until it is used.
    crate("use std::collections::HashMap; fn f() { }")
    assert "HashMap" in outside("use std::collections::HashMap; fn f(m: HashMap<u8, u8>) { }")


def test_lemmas_need_their_import() -> None:
    call = "proof fn f(a: int, b: int) { lemma_mul_is_commutative(a, b); }"
    assert "cannot find value `lemma_mul_is_commutative`" in refused(call)
    crate("use vstd::arithmetic::mul::*; " + call)
    crate("use vstd::arithmetic::mul::lemma_mul_is_commutative; " + call)
    crate("use vstd::arithmetic::mul; " + call.replace("lemma_", "mul::lemma_"))
    crate(call.replace("lemma_", "vstd::arithmetic::mul::lemma_"))


def test_a_program_imports_the_macro() -> None:
    assert "cannot find macro `verus`" in refused("fn f() { }", before="")
    crate("fn f() { }", before="use builtin_macros::*; use builtin::*;")


@pytest.mark.parametrize(
    "items",
    [
        "fn f() { } fn f() { }",
        "fn f() { } spec fn f() -> bool { true }",
        "struct S { x: u8 } enum S { A }",
        "const N: u8 = 1; const N: u8 = 2;",
        "struct S { x: u8 } impl S { fn f(&self) { } } impl S { fn f(&self) { } }",
        "enum E { A, A }",
        "fn main() { }",
    ],
)
def test_second_definitions_are_refused(items: str) -> None:
    message = refused(items)
    assert "multiple times" in message or "duplicate" in message


def test_parameters_have_different_names() -> None:
    assert "more than once" in refused("fn f(a: u8, a: u8) { }")
    assert "name of a parameter" in refused("fn f(a: u8) -> (a: u8) { a }")
    assert "already used" in refused("fn f<T, T>(a: T) { }")


def test_a_variable_has_no_constants_name() -> None:
    # The compiler would match against the constant.
    for items in (
        "fn f(x: u8) { }",
        "fn f(a: u8) { let x = a; }",
        "spec fn f() -> bool { forall|x: int| x == x }",
    ):
        assert "cannot be a variable" in outside("const x: u8 = 3; " + items)


def test_a_result_has_a_name_in_ensures_alone() -> None:
    crate("fn f() -> (r: u8) ensures r == 3 { 3 }")
    assert "cannot find value `r`" in refused("fn f() -> (r: u8) ensures r == 3 { r }")
    assert "cannot find value `r`" in refused("fn f() -> (r: u8) requires r == 3 { 3 }")


def test_shadowing_gives_every_variable_a_name_of_its_own() -> None:
    found = crate("fn f(x: u8) -> u8 { let x = x + 1; { let x = true; } x }")
    assert local_types(found, "f") == {"x": "u8", "~result": "u8", "x~2": "u8", "x~3": "bool"}
    function = found.function("f")
    assert function.body is not None
    tail = function.body.tail
    assert isinstance(tail, PathExpr)
    assert isinstance(tail.target, Local)
    assert tail.target.unique == "x~2"


def test_the_programs_own_names_come_before_the_preludes() -> None:
    found = crate("enum Option { Nothing } fn f(o: Option) -> core::option::Option<u8> { None }")
    # The two types keep apart even in what later stages see.
    assert [str(type) for type in found.function("f").parameter_types] == ["crate::Option"]
    assert str(found.function("f").result_type) == "Option<u8>"


def test_code_outside_of_the_macro_cannot_be_called() -> None:
    before = "use vstd::prelude::*; fn helper() -> u8 { 3 }"
    assert "stands outside of `verus!`" in refused("fn f() -> u8 { helper() }", before=before)
    # Alone it is nobody's business, whatever it is.
    crate("fn f() { }", before="use vstd::prelude::*; fn helper() -> u8 { no_such_thing!() + 3.5 }")


def test_modules_keep_their_private_items() -> None:
    crate("mod m { pub fn g() -> u8 { h() } fn h() -> u8 { 3 } } fn f() -> u8 { m::g() }")
    crate("mod m { use super::*; pub fn g() -> u8 { h() } } fn h() -> u8 { 3 } ")
    assert "private in module `m`" in refused("mod m { fn g() { } } fn f() { m::g() }")
    assert "private in module `m`" in refused("mod m { struct S { x: u8 } } fn f(s: m::S) { }")
    assert "module `m::n` is private" in refused("mod m { mod n { pub fn g() { } } } fn f() { m::n::g() }")
    # An import is as private as it is written.
    assert "cannot find" in refused("mod m { use super::h; } fn h() { } fn f() { m::h() }")
    crate("mod m { pub use super::h; } pub fn h() { } fn f() { m::h() }")


def test_members_of_types() -> None:
    items = """struct P { x: u8 }
        impl P { const N: u8 = 3; fn new(x: u8) -> Self { Self { x } } fn get(&self) -> u8 { self.x } }
        fn f() -> u8 { let p = P::new(P::N); P::get(&p) }
        struct Q(u8); impl Q { fn new() -> Self { Self(3) } }"""
    found = crate(items)
    assert [function.id for function in found.functions] == ["f", "P::new", "P::get", "Q::new"]
    assert found.function("P::new").result_type == Type("P")
    assert "no function, variant or constant named `nwe` for `P`" in refused(
        items.replace("P::new(", "P::nwe(")
    )


def test_limits_of_machine_integers_are_of_their_type() -> None:
    crate("fn f() -> (u8, i64, u32, usize) { (u8::MAX, i64::MIN, u32::BITS, usize::MAX) }")
    assert "mismatched" in refused("fn f() -> u8 { u16::MAX }")


def test_items_inside_of_functions() -> None:
    found = crate("fn f() -> u8 { fn g() -> u8 { 3 } const N: u8 = 4; g() + N }")
    assert [function.id for function in found.functions] == ["f", "f::{}::g"]
    assert "cannot find value `a`" in refused("fn f(a: u8) { fn g() -> u8 { a } }")


def test_impls_are_for_types_of_the_program() -> None:
    assert "not a type of this program" in refused("impl u8 { fn f(&self) { } }")
    assert "not a type of this program" in refused(
        "impl View for Vec<u8> { type V = int; spec fn view(&self) -> int { 3 } }"
    )
    assert "not constrained" in refused("struct S { x: u8 } impl<T> S { fn f(&self) { } }")


@pytest.mark.parametrize(
    "items",
    [
        "trait T { }",
        "struct S { x: u8 } impl PartialEq for S { fn eq(&self, o: &S) -> bool { true } }",
        "fn f(x: f64) { }",
        "fn f() { let r = 1..2; }",
        "fn g() { } fn f() { let h = g; }",
        "fn f(v: Vec<u8>) { for x in v.iter() { } }",
        "fn f(v: &Vec<u8>) { let w = &v[1..2]; }",
        'fn f() { println!("x"); }',
        "struct S<T: Copy> { t: T }",
        "fn f<T: NoSuchTrait>(t: T) { }",
        "fn f<const N: u8>() { }",
        # Names that would change what a built-in type means.
        "struct u8 { x: bool }",
        "fn f<u8>(x: u8) { }",
        "mod u8 { }",
    ],
)
def test_what_is_outside_of_the_subset_is_called_so(items: str) -> None:
    assert outside(items)


# ---------------------------------------------------------------- the library


def test_every_function_of_the_library_can_be_inferred() -> None:
    model = library()
    for id in list(model.functions):
        assert model.function(id).result_type is not None
    # The template is there for each machine type, at that type.
    assert str(model.function("core::num::i16::wrapping_add").result_type) == "i16"
    assert str(model.function("vstd::seq::Seq::push").result_type) == "Seq<A>"


def test_siblings_share_the_type_arguments() -> None:
    found = crate("fn f(v: &mut Vec<u8>) { v[0] = 1; }")
    body = found.function("f").body
    assert body is not None
    statement = body.statements[0]
    assert isinstance(statement, ExprStatement)
    assert isinstance(statement.value, Assign)
    assert isinstance(statement.value.target, Index)
    target = statement.value.target.target
    assert target is not None
    assert target.function.id == "std::vec::Vec::index"
    sibling = found.sibling(target, "index_set")
    assert sibling is not None
    assert sibling.function.id == "std::vec::Vec::index_set"
    assert sibling.type_arguments == (MACHINE["u8"],)


# ---------------------------------------------------------------- everything is annotated, and cheaply


def test_every_node_ends_with_a_type() -> None:
    found = crate(
        "fn f(v: &Vec<u8>) -> (r: u8) requires v.len() > 0 { let (a, b) = (v[0], 1); if a > b { a } else { b } }"
    )
    function: Function = found.function("f")
    assert function.body is not None
    let = function.body.statements[0]
    assert isinstance(let, Let)
    assert str(let.pattern.type) == "(u8, u8)"
    tail: Expr | None = function.body.tail
    assert tail is not None
    assert tail.type == MACHINE["u8"]
    clause = function.requires[0]
    assert isinstance(clause, Binary)
    assert isinstance(clause.right, IntLit)
    assert clause.right.type == NAT
    assert isinstance(let.pattern, TuplePattern)
    assert [str(item.type) for item in let.pattern.items] == ["u8", "u8"]


@pytest.mark.parametrize(
    "items",
    [
        # Types that double with every line, inferred and written.
        "fn f(a: u8) { let x0 = (a, a); "
        + " ".join(f"let x{i + 1} = (x{i}, x{i});" for i in range(60))
        + " }",
        "type T0 = (u8, u8); "
        + " ".join(f"type T{i + 1} = (T{i}, T{i});" for i in range(40))
        + " fn f(a: T40) { }",
        "type A<T> = (T, T); fn f(a: " + "A<" * 30 + "u8" + ">" * 30 + ") { }",
        # Imports that lead to each other.
        " ".join(
            f"mod m{i} {{ " + " ".join(f"use super::m{j}::*;" for j in range(20)) + " }" for i in range(20)
        )
        + " use m0::*; fn f() { nowhere(); }",
        "type T = T; fn f(a: T) { }",
    ],
)
def test_hostile_programs_are_refused_in_short_time(items: str) -> None:
    start = time.process_time()
    with pytest.raises((Rejected, Unsupported)):
        crate(items)
    assert time.process_time() - start < 5
