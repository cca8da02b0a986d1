Termination of functions.

//@ recursion_in_proof | verified | n falls to 0
proof fn p(n: nat) ensures n >= 0 decreases n { if n > 0 { p((n - 1) as nat); } }

//@ recursion_without_measure_in_spec | rejected | a spec function must be shown to end
spec fn s(n: nat) -> nat { if n == 0 { 0 } else { s((n - 1) as nat) } }

//@ recursion_without_measure_in_proof | rejected | a lemma must be shown to end
proof fn p(n: nat) { if n > 0 { p((n - 1) as nat); } }

//@ measure_rises | failed | n + 1 is not below n
proof fn p(n: nat) ensures false decreases n {
    p(n + 1); // FAILS
}

//@ measure_stays | failed | n is not below n
proof fn p(n: nat) ensures false decreases n {
    p(n); // FAILS
}

//@ measure_below_zero | failed | n - 1 falls below 0 for ever
proof fn p(n: int) decreases n {
    p(n - 1); // FAILS
}

//@ int_measure_guarded | verified | the guard keeps it above 0
proof fn p(n: int) decreases n { if n > 0 { p(n - 1); } }

//@ spec_measure_guarded | verified | the guard is on the path of the call
spec fn s(n: int) -> int decreases n { if n <= 0 { 0 } else { n + s(n - 1) } }
proof fn t() { assert(s(0) == 0); }

//@ spec_measure_unguarded | failed | nothing stops at 0
spec fn s(n: int) -> int decreases n {
    n + s(n - 1) // FAILS
}

//@ guard_by_and | verified | && runs its right side when the left is true
spec fn s(n: int) -> bool decreases n { n > 0 && s(n - 1) }
proof fn t() { assert(!s(0)); }

//@ guard_behind_the_call | failed | the call stands left of its guard
spec fn s(n: int) -> bool decreases n {
    s(n - 1) && n > 0 // FAILS
}

//@ guard_by_implies | verified | ==> runs its right side when the left is true
spec fn s(n: int) -> bool decreases n { n > 0 ==> s(n - 1) }
proof fn t() { assert(s(0)); }

//@ guard_by_or | verified | || runs its right side when the left is false
spec fn s(n: int) -> bool decreases n { n <= 0 || s(n - 1) }
proof fn t() { assert(s(0)); }

//@ lexicographic | verified | the first falls, or it stays and the second falls
spec fn a(m: nat, n: nat) -> nat decreases m, n {
    if m == 0 { n + 1 } else if n == 0 { a((m - 1) as nat, 1) } else { a((m - 1) as nat, a(m, (n - 1) as nat)) }
}
proof fn t() { assert(a(0, 4) == 5); }

//@ lexicographic_wrong | failed | the first stays and the second rises
spec fn a(m: nat, n: nat) -> nat decreases m, n {
    if m == 0 { 0 } else {
        a(m, n + 1) // FAILS
    }
}

//@ first_component_rises | failed | the first component decides
spec fn a(m: nat, n: nat) -> nat decreases m, n {
    if n == 0 { 0 } else {
        a(m + 1, (n - 1) as nat) // FAILS
    }
}

//@ mutual | verified | each call falls by one
spec fn even(n: nat) -> bool decreases n { if n == 0 { true } else { odd((n - 1) as nat) } }
spec fn odd(n: nat) -> bool decreases n { if n == 0 { false } else { even((n - 1) as nat) } }
proof fn t() { assert(even(0)); assert(!odd(0)); }

//@ mutual_wrong | failed | the pair goes round without falling
spec fn even(n: nat) -> bool decreases n { if n == 0 { true } else { odd((n - 1) as nat) } }
spec fn odd(n: nat) -> bool decreases n {
    if n == 0 { false } else {
        even(n + 1) // FAILS
    }
}

//@ mutual_without_measure | rejected | every function of the cycle needs one
spec fn even(n: nat) -> bool decreases n { if n == 0 { true } else { odd((n - 1) as nat) } }
spec fn odd(n: nat) -> bool { if n == 0 { false } else { even((n - 1) as nat) } }

//@ function_that_is_its_own_value | rejected | it has no measure, wherever it is mentioned
spec fn s(n: nat) -> bool { s(n) }
proof fn p(n: nat) requires s(n) { }

//@ exec_recursion | verified | n falls to 0
fn f(n: u64) -> (r: u64) ensures r == 0 decreases n { if n == 0 { 0 } else { f(n - 1) } }

//@ exec_recursion_wrong | failed | n stays
fn f(n: u64) -> (r: u64) ensures r == 0 decreases n {
    if n == 0 { 0 } else {
        f(n) // FAILS
    }
}

//@ list_recursion | verified | the tail is a part of the list
pub enum List { Nil, Cons(int, Box<List>) }
spec fn sum(l: List) -> int decreases l { match l { List::Nil => 0, List::Cons(x, t) => x + sum(*t) } }
proof fn t() { assert(sum(List::Nil) == 0); }

//@ list_recursion_wrong | failed | the list is no part of itself
pub enum List { Nil, Cons(int, Box<List>) }
spec fn sum(l: List) -> int decreases l {
    match l {
        List::Nil => 0,
        List::Cons(x, t) => x + sum(l), // FAILS
    }
}

//@ list_grows | !verified | a longer list is no part
pub enum List { Nil, Cons(int, Box<List>) }
spec fn sum(l: List) -> int decreases l {
    sum(List::Cons(1, Box::new(l))) // FAILS
}

//@ tree_recursion | verified | both children are parts
pub enum T { Leaf, Node(Box<T>, int, Box<T>) }
spec fn size(t: T) -> nat decreases t { match t { T::Leaf => 0, T::Node(l, _, r) => size(*l) + 1 + size(*r) } }
proof fn u() { assert(size(T::Leaf) == 0); }

//@ sequence_length | verified | drop_last is shorter
spec fn sum(s: Seq<int>) -> int decreases s.len() { if s.len() == 0 { 0 } else { sum(s.drop_last()) + s.last() } }
proof fn t() { assert(sum(Seq::empty()) == 0); }

//@ sequence_length_wrong | failed | push makes it longer
spec fn sum(s: Seq<int>) -> int decreases s.len() {
    if s.len() == 0 { 0 } else {
        sum(s.push(1)) // FAILS
    }
}

//@ sequence_without_guard | failed | the empty sequence has no shorter one
spec fn sum(s: Seq<int>) -> int decreases s.len() {
    sum(s.drop_last()) + s.last() // FAILS
}

//@ distance | verified | hi - lo falls
spec fn sum(s: Seq<int>, lo: int, hi: int) -> int decreases hi - lo { if lo >= hi { 0 } else { s[lo] + sum(s, lo + 1, hi) } }
proof fn t(s: Seq<int>) { assert(sum(s, 3, 3) == 0); }

//@ when_clause | verified | calls are checked where n >= 0
spec fn s(n: int) -> int decreases n when n >= 0 { if n == 0 { 0 } else { s(n - 1) + 1 } }
proof fn t() { assert(s(0) == 0); }

//@ when_clause_outside | failed | below 0 there is no definition
spec fn u(n: int) -> int decreases n when n >= 0 { if n == 0 { 0 } else { u(n - 1) } }
proof fn t() {
    assert(u(-1) == 0); // FAILS
}

//@ induction_without_the_call | failed | the hypothesis must be asked for
spec fn s(n: nat) -> nat decreases n { if n == 0 { 0 } else { s((n - 1) as nat) + 2 } }
proof fn p(n: nat)
    ensures s(n) == 2 * n // FAILS
{ }

//@ induction | verified | the hypothesis for n - 1 gives n
spec fn s(n: nat) -> nat decreases n { if n == 0 { 0 } else { s((n - 1) as nat) + 2 } }
proof fn p(n: nat) ensures s(n) == 2 * n decreases n { if n > 0 { p((n - 1) as nat); } }

//@ circular_lemma | failed | the hypothesis at n itself is no induction
spec fn s(n: nat) -> nat decreases n { if n == 0 { 0 } else { s((n - 1) as nat) + 2 } }
proof fn p(n: nat) ensures s(n) == 3 * n decreases n {
    p(n); // FAILS
}

//@ measure_is_taken_at_entry | verified | the parameter was changed before the call, the measure was not
fn f(n: u64) decreases n { let mut m = n; if m > 2 { m = m - 2; f(m); } }

//@ measure_names_another_parameter | failed | k stays while n falls
spec fn s(n: nat, k: nat) -> nat decreases k {
    if n == 0 { 0 } else {
        s((n - 1) as nat, k) // FAILS
    }
}

//@ recursion_under_a_quantifier | failed | the bound variable has no guard
spec fn s(n: nat) -> bool decreases n {
    forall|m: nat| s(m) // FAILS
}

//@ recursion_under_a_guarded_quantifier | verified | m < n stands on the path
spec fn s(n: nat) -> bool decreases n { forall|m: nat| m < n ==> s(m) }
proof fn t() { assert(s(0)); }

//@ measures_of_equal_length | failed | from a to b nothing falls
spec fn a(n: nat) -> nat decreases n {
    b(n) // FAILS
}
spec fn b(n: nat) -> nat decreases n { if n == 0 { 0 } else { a((n - 1) as nat) } }

//@ measure_of_the_callee_is_longer | verified | equal on the shared entries, and the callee's list goes on
spec fn a(n: nat) -> nat decreases n { b(n) }
spec fn b(n: nat) -> nat decreases n, 0int { if n == 0 { 0 } else { a((n - 1) as nat) } }
proof fn t() { assert(b(0) == 0); }

//@ measure_of_the_callee_is_shorter | failed | equal on the shared entries, and the callee's list ends
spec fn a(n: nat) -> nat decreases n, 0int {
    b(n) // FAILS
}
spec fn b(n: nat) -> nat decreases n { if n == 0 { 0 } else { a((n - 1) as nat) } }
