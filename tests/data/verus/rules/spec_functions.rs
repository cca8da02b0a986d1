What is known of a spec function, and how far it unfolds.

//@ definition_is_known | verified | f(3) is 4
spec fn f(x: int) -> int { x + 1 }
proof fn t() { assert(f(3) == 4); }

//@ definition_wrong | failed | f(3) is 4
spec fn f(x: int) -> int { x + 1 }
proof fn t() {
    assert(f(3) == 5); // FAILS
}

//@ one_unfolding | verified | f(0) and the first step of f(1) are asked for separately
spec fn f(n: nat) -> nat decreases n { if n == 0 { 0 } else { f((n - 1) as nat) + 1 } }
proof fn t() { assert(f(0) == 0); assert(f(1) == f(0) + 1); assert(f(1) == 1); }

//@ no_second_unfolding | failed | f(2) needs f(1) and f(0), which nobody mentions
spec fn f(n: nat) -> nat decreases n { if n == 0 { 0 } else { f((n - 1) as nat) + 1 } }
proof fn t() {
    assert(f(2) == 2); // FAILS
}

//@ more_fuel | verified | three unfoldings reach f(0)
spec fn f(n: nat) -> nat decreases n { if n == 0 { 0 } else { f((n - 1) as nat) + 1 } }
proof fn t() { reveal_with_fuel(f, 3); assert(f(2) == 2); }

//@ too_little_fuel | failed | two unfoldings of f(3) end at f(1)
spec fn f(n: nat) -> nat decreases n { if n == 0 { 0 } else { f((n - 1) as nat) + 1 } }
proof fn t() {
    reveal_with_fuel(f, 2);
    assert(f(3) == 3); // FAILS
}

//@ fuel_lasts_to_the_end_of_the_function | verified | a proof block does not end it
spec fn f(n: nat) -> nat decreases n { if n == 0 { 0 } else { f((n - 1) as nat) + 1 } }
fn g() { proof { reveal_with_fuel(f, 3); } assert(f(2) == 2); }

//@ fuel_ends_with_assert_by | failed | what assert by reveals stays inside
spec fn f(n: nat) -> nat decreases n { if n == 0 { 0 } else { f((n - 1) as nat) + 1 } }
proof fn t() {
    assert(f(2) == 2) by { reveal_with_fuel(f, 3); }
    assert(f(5) == 5); // FAILS
}

//@ fuel_of_a_function_that_does_not_recurse | rejected | there is nothing to unfold twice
spec fn f(x: int) -> int { x + 1 }
proof fn t() { reveal_with_fuel(f, 2); }

//@ opaque_is_hidden | failed | nobody revealed it
#[verifier::opaque]
spec fn f(x: int) -> int { x + 1 }
proof fn t() {
    assert(f(3) == 4); // FAILS
}

//@ opaque_revealed | verified | reveal shows the definition
#[verifier::opaque]
spec fn f(x: int) -> int { x + 1 }
proof fn t() { reveal(f); assert(f(3) == 4); }

//@ opaque_revealed_later | failed | reveal works from its place on
#[verifier::opaque]
spec fn f(x: int) -> int { x + 1 }
proof fn t() {
    assert(f(3) == 4); // FAILS
    reveal(f);
}

//@ opaque_revealed_in_assert_by | failed | the reveal stays inside
#[verifier::opaque]
spec fn f(x: int) -> int { x + 1 }
proof fn t() {
    assert(f(3) == 4) by { reveal(f); }
    assert(f(5) == 6); // FAILS
}

//@ opaque_is_still_a_function | verified | equal arguments, equal values
#[verifier::opaque]
spec fn f(x: int) -> int { x + 1 }
proof fn t(a: int, b: int) requires a == b { assert(f(a) == f(b)); }

//@ reveal_of_an_unknown_name | rejected | there is no g
spec fn f(x: int) -> int { x + 1 }
proof fn t() { reveal(g); }

//@ reveal_does_not_enter_a_loop | failed | an isolated loop does not inherit it
#[verifier::opaque]
spec fn f(x: int) -> int { x + 1 }
fn g() {
    proof { reveal(f); }
    let mut i: u8 = 0;
    while i < 3
        invariant i <= 3
        decreases 3 - i
    {
        assert(f(3) == 4); // FAILS
        i = i + 1;
    }
}

//@ inline_is_substitution | verified | its body stands for the call
#[verifier::inline]
spec fn f(x: int) -> int { x + 1 }
proof fn t() { assert(f(3) == 4); }

//@ quantified_definition | verified | the definition holds for every argument
spec fn f(x: int) -> int { x + 1 }
proof fn t() { assert(forall|x: int| f(x) > x); }

//@ result_range_of_a_recursive_function | verified | a nat is not negative, at any fuel
spec fn f(n: nat) -> nat decreases n { if n == 0 { 0 } else { f((n - 1) as nat) + 1 } }
proof fn t(n: nat) { assert(f(n) >= 0); }

//@ if_in_a_spec_function | verified | both branches are values
spec fn m(x: int, y: int) -> int { if x < y { y } else { x } }
proof fn t(x: int, y: int) { assert(m(x, y) >= x && m(x, y) >= y); }

//@ let_in_a_spec_function | verified | a local name for a value
spec fn f(x: int) -> int { let y = x + 1; y + y }
proof fn t() { assert(f(1) == 4); }

//@ spec_function_over_a_vector | verified | view and index
spec fn all(v: Seq<u8>) -> bool { forall|i: int| 0 <= i < v.len() ==> v[i] > 0 }
fn f(v: &Vec<u8>) -> (r: u8) requires all(v@), v.len() > 2 ensures r > 0 { v[2] }

//@ mutual_fuel | verified | each step uses the one before
spec fn even(n: nat) -> bool decreases n { if n == 0 { true } else { odd((n - 1) as nat) } }
spec fn odd(n: nat) -> bool decreases n { if n == 0 { false } else { even((n - 1) as nat) } }
proof fn t() { assert(even(0)); assert(odd(1)); assert(even(2)); }

//@ mutual_wrong | failed | 1 is odd
spec fn even(n: nat) -> bool decreases n { if n == 0 { true } else { odd((n - 1) as nat) } }
spec fn odd(n: nat) -> bool decreases n { if n == 0 { false } else { even((n - 1) as nat) } }
proof fn t() {
    reveal_with_fuel(even, 4);
    reveal_with_fuel(odd, 4);
    assert(even(1)); // FAILS
}

//@ closed_is_visible_at_home | verified | in its own module a closed function is open
pub closed spec fn f(x: int) -> int { x + 1 }
proof fn t() { assert(f(1) == 2); }

//@ constants_are_visible | verified | a constant is a function of nothing
pub const K: u8 = 7;
spec fn f(x: int) -> int { x + K }
proof fn t() { assert(f(1) == 8); }

//@ spec_function_with_unknown_arguments | failed | nothing bounds x
spec fn f(x: int) -> int { x + 1 }
proof fn t(x: int) {
    assert(f(x) > 0); // FAILS
}

//@ choose_of_nothing | failed | no x is both, so the choice is any value
#[verifier::opaque]
spec fn g(x: int) -> bool { x > 3 }
proof fn t() {
    let x = choose|x: int| g(x) && !g(x);
    assert(x > 3); // FAILS
}

//@ definition_is_not_used_for_its_own_termination | failed | g's value would be the very thing to show
spec fn g(n: nat) -> nat decreases n {
    if n == 0 { 0 } else {
        g(g((n - 1) as nat)) // FAILS
    }
}
