All axioms of one kind at once, in range and out of range: false must not follow.

//@ sequences_in_range | verified | the claims that the others would break
proof fn t(s: Seq<int>, u: Seq<int>) requires s.len() == 3, u.len() == 2 {
    assert(s.push(1).len() == 4 && s.update(1, 5).len() == 3 && s.subrange(1, 2).len() == 1 && (s + u).len() == 5);
    assert((s + u)[3] == u[0] && s.subrange(1, 3)[0] == s[1] && s.insert(0, 7)[1] == s[0] && s.remove(0)[0] == s[1]);
}

//@ sequences_out_of_range | failed | terms without a meaning have some value, and that is all
proof fn t(s: Seq<int>, u: Seq<int>, i: int, j: int) {
    let a = s.update(i, 5);
    let b = s.subrange(i, j);
    let c = s.subrange(3, 1);
    let d = s.take(-1);
    let e = s.skip(s.len() as int + 5);
    let f = s.insert(-2, 7);
    let g = s.remove(s.len() as int);
    let h = Seq::<int>::empty().drop_last();
    let k = Seq::<int>::empty().drop_first();
    let l = Seq::<int>::empty().last() + Seq::<int>::empty().first();
    assert(a.len() >= 0 && b.len() >= 0 && c.len() >= 0 && d.len() >= 0 && e.len() >= 0 && f.len() >= 0 && g.len() >= 0);
    assert(h.len() >= 0 && k.len() >= 0);
    assert(a[i] == a[i] && b[0] == b[0] && c[0] == c[0] && d[0] == d[0] && e[0] == e[0] && f[-2] == f[-2] && g[0] == g[0]);
    assert(l == 0 || l != 0);
    assert(false); // FAILS
}

//@ sequences_of_negative_length | failed | a negative length is a natural by its cast only
proof fn t(n: int) requires n < 0 {
    let s = Seq::new(n as nat, |i: int| i);
    assert(s.len() >= 0);
    assert(s[0] == s[0]);
    assert(false); // FAILS
}

//@ sequences_equal_and_not | failed | equality and extensional equality agree
proof fn t(s: Seq<int>, u: Seq<int>, i: int) requires s =~= u, !(s.push(1) =~= u.push(2)) {
    assert(s == u);
    assert(s[i] == u[i]);
    assert(s.push(1)[s.len() as int] == 1 && u.push(2)[u.len() as int] == 2);
    assert(false); // FAILS
}

//@ sequences_of_sequences | failed | elements that are sequences have lengths too
proof fn t(s: Seq<Seq<int>>, i: int, j: int) {
    assert(s[i][j] == s[i][j]);
    assert(s[i].len() >= 0 && s.push(s[i])[s.len() as int] == s[i]);
    assert(false); // FAILS
}

//@ vectors | failed | lengths within usize contradict nothing
fn t(v: Vec<u8>, w: Vec<Vec<u8>>) requires w.len() > 0 {
    let mut a = v.clone();
    a.push(1);
    let p = a.pop();
    a.clear();
    let n = w[0].len();
    assert(v.len() <= usize::MAX && w.len() <= usize::MAX && n <= usize::MAX);
    assert(false); // FAILS
}

//@ long_vectors | failed | a vector may be as long as a usize allows, and push is then impossible, not false
fn t(v: &mut Vec<u8>) requires old(v).len() == usize::MAX {
    assert(v@.len() == usize::MAX);
    assert(false); // FAILS
}

//@ sets_and_maps | failed | operations that undo each other
proof fn t(s: Set<int>, u: Set<int>, m: Map<int, int>) {
    let a = s.insert(1).remove(1).union(u).intersect(u).difference(s);
    let b = m.insert(1, 2).remove(1).insert(3, 4);
    assert(a.contains(1) || !a.contains(1));
    assert(b.dom().contains(3) && b[3] == 4 && b[1] == b[1]);
    assert(s.subset_of(s.union(u)));
    assert(false); // FAILS
}

//@ arithmetic | failed | products, quotients and remainders, also by zero and of negatives
proof fn t(x: int, y: int, n: nat, k: nat) {
    let a = x * y + y * x;
    let b = x / y + x % y + y / 0 + y % 0;
    let c = n / k + n % k + n * k;
    assert(n * k >= 0);
    assert(a == a && b == b && c == c);
    assert(false); // FAILS
}

//@ casts | failed | casts of everything to everything
proof fn t(x: int, a: u8, b: i8, c: char, d: usize) {
    assert(x as u8 <= 255 && x as i8 >= -128 && x as nat >= 0 && x as usize >= 0 && x as u128 >= 0 && x as isize <= isize::MAX);
    assert(a as i8 <= 127 && b as u8 >= 0 && c as u8 <= 255 && d as u32 <= u32::MAX && d as u128 >= 0);
    assert(false); // FAILS
}

//@ bits | failed | bit operators in the default solver
proof fn t(a: u8, b: u8, n: u64) requires n < 8 {
    assert(a & b <= 255 && a | b <= 255 && a ^ b <= 255 && !a <= 255 && a >> b <= 255 && a << b <= 255);
    assert(n >> n >= 0);
    assert(false); // FAILS
}

//@ width_of_usize | failed | 32 or 64, both possible
proof fn t() {
    assert(usize::BITS == 32 || usize::BITS == 64);
    assert(usize::MAX >= u32::MAX && usize::MAX <= u64::MAX);
    assert(isize::MAX >= i32::MAX && isize::MIN <= i32::MIN);
    assert(false); // FAILS
}

//@ options | failed | fields of the wrong constructor have some value
proof fn t(o: Option<u8>, r: Result<int, bool>) requires o is None {
    assert(o->0 <= 255);
    assert(r is Ok || r is Err);
    assert(o.unwrap() == o.unwrap());
    assert(false); // FAILS
}

//@ datatypes | failed | a recursive type, its fields and its height
pub enum L { Nil, Cons(u8, Box<L>) }
spec fn len(l: L) -> nat decreases l { match l { L::Nil => 0, L::Cons(_, t) => len(*t) + 1 } }
proof fn t(l: L, k: L) requires l is Cons, k is Nil {
    reveal_with_fuel(len, 4);
    assert(len(l) > 0 && len(k) == 0 && l != k);
    assert(k->Cons_0 <= 255);
    assert(false); // FAILS
}

//@ recursive_functions | failed | every function of a cycle at several fuels
spec fn a(n: nat) -> nat decreases n { if n == 0 { 1 } else { b((n - 1) as nat) + a((n - 1) as nat) } }
spec fn b(n: nat) -> nat decreases n { if n == 0 { 2 } else { a((n - 1) as nat) } }
proof fn t(n: nat) {
    reveal_with_fuel(a, 4);
    reveal_with_fuel(b, 3);
    assert(a(2) == 4);
    assert(a(n) >= 0 && b(n) >= 0);
    assert(false); // FAILS
}

//@ functions_when | failed | outside of `when` a function has some value
spec fn f(n: int) -> nat decreases n when n >= 0 { if n == 0 { 0 } else { f(n - 1) + 1 } }
proof fn t(n: int) requires n < 0 {
    assert(f(n) >= 0);
    assert(f(-1) == f(-1) && f(0) == 0);
    assert(false); // FAILS
}

//@ choices | failed | choices from nothing
#[verifier::opaque]
spec fn p(x: int) -> bool { x > 0 }
proof fn t() {
    let a = choose|x: int| p(x) && !p(x);
    let b = choose|x: int, y: int| p(x) && p(y);
    let c = choose|n: nat| p(n as int) && n < 0;
    assert(c >= 0);
    assert(a == a && b == b);
    assert(false); // FAILS
}

//@ closures | failed | closures applied to themselves as values
proof fn t(f: spec_fn(int) -> nat, g: spec_fn(nat) -> int) {
    let h = |x: int| f(x) + 1;
    assert(h(3) >= 1 && f(-1) >= 0 && h(-1) == f(-1) + 1);
    assert(g(3) == g(3));
    assert(false); // FAILS
}

//@ lemmas_of_arithmetic | failed | many lemmas, one world
use vstd::arithmetic::div_mod::*;
use vstd::arithmetic::mul::*;
use vstd::arithmetic::power::*;
use vstd::arithmetic::power2::*;
proof fn t(x: int, y: int, z: int, n: nat) requires 0 < y, 0 <= z < y, x >= 0 {
    lemma_fundamental_div_mod(x, y);
    lemma_div_is_ordered(x, x + 1, y);
    lemma_mod_bound(x, y);
    lemma_mod_multiples_basic(x, y);
    lemma_div_multiples_vanish(x, y);
    lemma_mul_is_associative(x, y, z);
    lemma_mul_is_distributive_add(x, y, z);
    lemma_mul_inequality(x, x + 1, z);
    lemma_mul_mod_noop(x, z, y);
    lemma_pow0(x);
    lemma_pow1(x);
    lemma_pow_adds(x, n, n);
    lemma_pow2_pos(n);
    lemma_pow2_adds(n, n);
    assert(false); // FAILS
}

//@ multisets_and_filters | failed | derived functions of sequences
proof fn t(s: Seq<int>) {
    reveal(Seq::filter);
    reveal_with_fuel(Seq::fold_left, 3);
    let a = s.filter(|x: int| x > 0);
    let b = s.push(3).filter(|x: int| x > 0);
    let c = s.map_values(|x: int| x + 1);
    let d = s.reverse().reverse();
    assert(a.len() <= s.len() && c.len() == s.len() && d.len() == s.len());
    assert(s.push(3).to_multiset().count(3) >= 0);
    assert(s.fold_left(0int, |a: int, x: int| a + x) == s.fold_left(0int, |a: int, x: int| a + x));
    assert(false); // FAILS
}

//@ mutable_references | failed | calls that change things
fn g(x: &mut u8, v: &mut Vec<u8>) ensures final(v).len() == old(v).len() { *x = 3; }
fn t(x: &mut u8, v: &mut Vec<u8>) {
    let a = *x;
    g(x, v);
    let b = *x;
    v.push(a);
    assert(a == *old(x) && v.len() == old(v).len() + 1);
    assert(false); // FAILS
}

//@ characters_and_texts | failed | the gap between the two ranges of characters
proof fn t(c: char, s: Seq<char>, n: u8) {
    assert(c as u32 <= 0x10FFFF && !(0xD800 <= c as u32 <= 0xDFFF));
    assert(n as char == n as char && s[0] as u32 >= 0);
    assert(false); // FAILS
}

//@ a_number_in_the_gap | failed/unsupported/rejected | 0xD800 is no character: whatever the cast is, false does not follow
proof fn t() {
    let c = 0xD800u32 as char;
    assert(c as u32 <= 0x10FFFF);
    assert(false); // FAILS
}
