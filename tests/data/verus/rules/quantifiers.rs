Quantifiers and the terms that set them off.

//@ forall_used | verified | p(3) matches the trigger p(x)
#[verifier::opaque]
spec fn p(x: int) -> bool { x == x }
proof fn t() requires forall|x: int| p(x) { assert(p(3)); }

//@ forall_out_of_range | failed | the hypothesis speaks of 0..9
#[verifier::opaque]
spec fn p(x: int) -> bool { x == x }
proof fn t() requires forall|x: int| 0 <= x < 9 ==> p(x) {
    assert(p(9)); // FAILS
}

//@ exists_with_a_witness | verified | p(3) is on the table
#[verifier::opaque]
spec fn p(x: int) -> bool { x == x }
proof fn t() requires p(3) { assert(exists|x: int| p(x)); }

//@ exists_without_a_witness | failed | no p is on the table
#[verifier::opaque]
spec fn p(x: int) -> bool { x == x }
proof fn t() {
    assert(exists|x: int| p(x)); // FAILS
}

//@ exists_needs_its_trigger_mentioned | failed | f(4) is true, but the term was never written
spec fn f(x: int) -> bool { x > 3 }
proof fn t() {
    assert(exists|x: int| f(x)); // FAILS
}

//@ exists_with_its_trigger_mentioned | verified | the witness was written down
spec fn f(x: int) -> bool { x > 3 }
proof fn t() { assert(f(4)); assert(exists|x: int| f(x)); }

//@ exists_gives_no_particular_value | failed | some x, not 3
#[verifier::opaque]
spec fn p(x: int) -> bool { x == x }
proof fn t() requires exists|x: int| p(x) {
    assert(p(3)); // FAILS
}

//@ forall_of_another_function | failed | p is not q
#[verifier::opaque]
spec fn p(x: int) -> bool { x == x }
#[verifier::opaque]
spec fn q(x: int) -> bool { x == x }
proof fn t() requires forall|x: int| p(x) {
    assert(q(3)); // FAILS
}

//@ no_trigger | rejected | arithmetic is no trigger
proof fn t() { assert(forall|x: int| x + 1 > x); }

//@ no_trigger_in_exists | rejected | arithmetic is no trigger
proof fn t() { assert(exists|x: int| x > 3); }

//@ trigger_that_misses_a_variable | rejected | y is in no trigger
#[verifier::opaque]
spec fn p(x: int) -> bool { x == x }
proof fn t() { assert(forall|x: int, y: int| #[trigger] p(x) || y > 3); }

//@ trigger_group_covers_both | verified | two terms together
#[verifier::opaque]
spec fn p(x: int) -> bool { x == x }
proof fn t() requires forall|x: int, y: int| #[trigger] p(x) && #[trigger] p(y) ==> x == y, p(3), p(4) { assert(3int == 4int); }

//@ bang_trigger | verified | the group stands in an attribute
#[verifier::opaque]
spec fn p(x: int) -> bool { x == x }
#[verifier::opaque]
spec fn q(x: int) -> bool { x == x }
proof fn t() requires forall|x: int| #![trigger q(x)] p(x) && q(x) { assert(q(3)); }

//@ bang_trigger_does_not_fire | failed | only q(x) sets it off
#[verifier::opaque]
spec fn p(x: int) -> bool { x == x }
#[verifier::opaque]
spec fn q(x: int) -> bool { x == x }
proof fn t() requires forall|x: int| #![trigger q(x)] p(x) && q(x) {
    assert(p(3)); // FAILS
}

//@ trigger_does_not_fire | failed | only q(x) sets it off
#[verifier::opaque]
spec fn p(x: int) -> bool { x == x }
#[verifier::opaque]
spec fn q(x: int) -> bool { x == x }
proof fn t() requires forall|x: int| p(x) && #[trigger] q(x) {
    assert(p(3)); // FAILS
}

//@ both_terms_are_triggers_by_themselves | verified | with two equally good terms either sets it off
#[verifier::opaque]
spec fn p(x: int) -> bool { x == x }
#[verifier::opaque]
spec fn q(x: int) -> bool { x == x }
proof fn t() requires forall|x: int| #![auto] p(x) ==> q(x), p(3) { assert(q(3)); }

//@ all_triggers | verified | every minimal term sets it off
#[verifier::opaque]
spec fn p(x: int) -> bool { x == x }
#[verifier::opaque]
spec fn q(x: int) -> bool { x == x }
proof fn t() requires forall|x: int| #![all_triggers] p(x) && q(x) { assert(p(3)); assert(q(4)); }

//@ trigger_with_arithmetic_by_itself | rejected | p(x + 1) is no automatic trigger
#[verifier::opaque]
spec fn p(x: int) -> bool { x == x }
proof fn t() requires forall|x: int| p(x + 1) { }

//@ trigger_without_a_bound_variable | rejected | p(3) waits for nothing
#[verifier::opaque]
spec fn p(x: int) -> bool { x == x }
proof fn t() { assert(forall|x: int| #[trigger] p(3) || x > 3); }

//@ trigger_that_is_a_comparison | rejected | a comparison is no trigger
#[verifier::opaque]
spec fn p(x: int) -> bool { x == x }
proof fn t() { assert(forall|x: int| p(x) || #[trigger] (x > 3)); }

//@ index_as_trigger | verified | s[i] is the natural one
proof fn t(s: Seq<int>) requires s.len() > 2, forall|i: int| 0 <= i < s.len() ==> s[i] > 0 { assert(s[1] > 0); }

//@ index_as_trigger_chain | verified | each step is mentioned
proof fn t(s: Seq<int>) requires s.len() > 4, forall|i: int| 0 <= i < s.len() - 1 ==> #[trigger] s[i] < s[i + 1] {
    assert(s[1] < s[2]);
    assert(s[2] < s[3]);
    assert(s[1] < s[3]);
}

//@ two_variables | verified | s[i] and s[j] together
proof fn t(s: Seq<int>) requires s.len() > 5, forall|i: int, j: int| 0 <= i < j < s.len() ==> s[i] < s[j] { assert(s[1] < s[4]); }

//@ two_variables_wrong | failed | the order is strict only for i < j
proof fn t(s: Seq<int>) requires s.len() > 5, forall|i: int, j: int| 0 <= i < j < s.len() ==> s[i] < s[j] {
    assert(s[4] < s[1]); // FAILS
}

//@ bound_variable_of_a_machine_type | verified | a bound u8 is at most 255
#[verifier::opaque]
spec fn p(x: u8) -> bool { x == x }
proof fn t() { assert(forall|x: u8| #[trigger] p(x) ==> x <= 255); }

//@ typed_forall_says_nothing_beyond_the_type | !verified | 300 is no u8, and the cast in the trigger is refused anyway
#[verifier::opaque]
spec fn p(x: int) -> bool { x == x }
proof fn t() requires forall|x: u8| #[trigger] p(x as int) {
    assert(p(300));
}

//@ trigger_under_a_cast | verified | a nat is the int that it is cast to
#[verifier::opaque]
spec fn g(x: int) -> bool { x == x }
proof fn t() requires g(3) { assert(exists|i: nat| #[trigger] g(i as int)); }

//@ trigger_under_a_cast_of_a_negative | failed | -3 is the number of no nat
#[verifier::opaque]
spec fn g(x: int) -> bool { x == x }
proof fn t() requires g(-3) {
    assert(exists|i: nat| #[trigger] g(i as int)); // FAILS
}

//@ trigger_under_a_narrowing_cast | !verified | the cast may change the number, so nothing matches
#[verifier::opaque]
spec fn g(x: u8) -> bool { x == x }
proof fn t() requires g(3) { assert(exists|i: int| #[trigger] g(i as u8)); }

//@ chain_hides_its_terms | rejected | the parts of a chained comparison are named first, so none is a trigger by itself
proof fn t(s: Seq<int>) requires forall|i: int| 0 <= i < s.len() ==> 1 <= s[i] <= 9 { }

//@ chain_with_a_marked_term | verified | marked, it is one
proof fn t(s: Seq<int>) requires s.len() > 2, forall|i: int| 0 <= i < s.len() ==> 1 <= #[trigger] s[i] <= 9 { assert(s[1] < 10); }

//@ trigger_that_feeds_itself | rejected | s[i] would make s[i + 1], and so on, so it is none by itself
proof fn t(s: Seq<int>) requires forall|i: int| 0 <= i < s.len() - 1 ==> s[i] < s[i + 1] { }

//@ inner_name_shadows | verified | the inner x is another one
#[verifier::opaque]
spec fn p(x: int) -> bool { x == x }
proof fn t(x: int) requires forall|x: int| p(x) { assert(p(x)); }

//@ negated_forall | verified | the counterexample is a witness of the negation
#[verifier::opaque]
spec fn p(x: int) -> bool { x == x }
proof fn t() requires !p(3) { assert(!(forall|x: int| p(x))); }

//@ negated_exists | verified | no witness means all are not
#[verifier::opaque]
spec fn p(x: int) -> bool { x == x }
proof fn t() requires !(exists|x: int| p(x)) { assert(!p(3)); }

//@ quantifier_over_a_struct | verified | any type may be bound
pub struct P { pub x: int }
#[verifier::opaque]
spec fn ok(p: P) -> bool { p.x > 0 }
proof fn t(a: P) requires forall|p: P| ok(p) { assert(ok(a)); }

//@ unbound_type_is_missing | verified | the type follows from the use
#[verifier::opaque]
spec fn p(x: int) -> bool { x == x }
proof fn t() requires forall|x| p(x) { assert(p(3)); }

//@ witness_must_satisfy_all | failed | p(3) holds, q(3) is unknown
#[verifier::opaque]
spec fn p(x: int) -> bool { x == x }
#[verifier::opaque]
spec fn q(x: int) -> bool { x == x }
proof fn t() requires p(3) {
    assert(exists|x: int| p(x) && q(x)); // FAILS
}


//@ nested_quantifiers | verified | a witness for each x of which d is said
#[verifier::opaque]
spec fn d(x: int) -> bool { x == x }
#[verifier::opaque]
spec fn r(x: int, y: int) -> bool { x == y }
proof fn t() requires d(3), forall|x: int| #[trigger] d(x) ==> exists|y: int| r(x, y) { assert(exists|y: int| r(3, y)); }

//@ nested_quantifiers_without_a_trigger | rejected | r(x, y) has the inner variable, so x has no trigger
#[verifier::opaque]
spec fn r(x: int, y: int) -> bool { x == y }
proof fn t() requires forall|x: int| exists|y: int| r(x, y) { }

//@ order_of_quantifiers | failed | one y for all x is more than a y for each
#[verifier::opaque]
spec fn d(x: int) -> bool { x == x }
#[verifier::opaque]
spec fn r(x: int, y: int) -> bool { x == y }
proof fn t() requires d(1), d(2), forall|x: int| #[trigger] d(x) ==> exists|y: int| r(x, y) {
    assert(exists|y: int| #[trigger] d(y) && (forall|x: int| d(x) ==> r(x, y))); // FAILS
}

//@ a_sum_of_sequences_in_a_trigger | verified | `s + t` on sequences is the call `s.add(t)`, not arithmetic: `f(a + b, v)` is the trigger.
spec fn f(s: Seq<int>, v: int) -> int { s.len() + v }
proof fn p(a: Seq<int>, b: Seq<int>) {
    assert forall|v: int| f(a + b, v) == f(b + a, v) by { };
}
