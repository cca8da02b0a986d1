False theorems, one per block: `//- why it is false`. None may be proved.
Between them stand true ones, `//+ why it is true`, which must be proved: a verifier that proves nothing would
refuse every false one too. `//? why` is false as well, but the refusal may come before any proof.

//+ addition is commutative
proof fn t(x: int, y: int) { assert(x + y == y + x); }

//- x = y = 0
proof fn t(x: int, y: int) { assert(x + y > x); }

//- subtraction is not commutative
proof fn t(x: int, y: int) { assert(x - y == y - x); }

//- x = 1
proof fn t(x: int) { assert(x % 2 == 0); }

//+ a number and the next one are not both even
proof fn t(x: int) { assert(x % 2 == 0 ==> (x + 1) % 2 == 1); }

//- x = 3
proof fn t(x: int) { assert(x % 2 == 1 ==> x % 4 == 1); }

//- there are integers between -1 and 1: 0
proof fn t(x: int) { assert(x >= 1 || x <= -1); }

//+ no integer lies strictly between 0 and 1
proof fn t(x: int) { assert(!(0 < x < 1)); }

//- x = 1
proof fn t(x: int) { assert(!(0 < x < 2)); }

//- false is false
proof fn t() { assert(false); }

//- 1 is not 2
proof fn t() { assert(1int == 2int); }

//- excluded middle of the wrong pair
proof fn t(a: bool, b: bool) { assert(a || b); }

//+ excluded middle
proof fn t(a: bool) { assert(a || !a); }

//- an implication does not turn round
proof fn t(a: bool, b: bool) requires a ==> b { assert(b ==> a); }

//+ contraposition
proof fn t(a: bool, b: bool) requires a ==> b { assert(!b ==> !a); }

//- a = false, b = true
proof fn t(a: bool, b: bool) requires a || b { assert(a); }

//- xor is not or
proof fn t(a: bool, b: bool) { assert((a != b) == (a || b)); }

//- the largest u8 has no larger one
fn t(x: u8) -> (r: u8) ensures r > x { if x < 255 { x + 1 } else { x } }

//- 255 + 1 overflows
fn t(x: u8) -> (r: u8) ensures r == x + 1 { x + 1 }

//- 16 * 16 is no u8
fn t(x: u8) -> u8 requires x <= 16 { x * 16 }

//+ 15 * 17 is 255
fn t(x: u8) -> (r: u8) requires x <= 15 ensures r == x * 17 { x * 17 }

//- -128 has no negative
fn t(x: i8) -> (r: i8) ensures r >= 0 { if x < 0 { -x } else { x } }

//+ all others have
fn t(x: i8) -> (r: i8) requires x != -128 ensures r >= 0 { if x < 0 { -x } else { x } }

//- 0 - 1 underflows
fn t(x: u64, y: u64) -> u64 { if x > 0 { y - 1 } else { 0 } }

//- the sum of two halves overflows not, but the sum of the wholes does
fn t(x: u64, y: u64) -> u64 { (x + y) / 2 }

//+ halves fit
fn t(x: u64, y: u64) -> (r: u64) ensures r <= x / 2 + y / 2 { x / 2 + y / 2 }

//- a usize may have 32 bits
fn t(x: u64) -> (r: usize) ensures r == x { x as usize }

//- a usize may have 64 bits
fn t(x: usize) -> (r: u32) ensures r == x { x as u32 }

//- i32 wraps when cast to i8
fn t(x: i32) -> (r: i8) ensures r == x { x as i8 }

//- u8 to i8 loses the upper half
fn t(x: u8) -> (r: i8) ensures r == x { x as i8 }

//+ u8 to i16 loses nothing
fn t(x: u8) -> (r: i16) ensures r == x { x as i16 }

//- truncation is no maximum
fn t(x: u64) -> (r: u8) ensures x > 255 ==> r == 255 { x as u8 }

//- a nat is not positive
proof fn t(x: nat) { assert(x > 0); }

//- difference of naturals
proof fn t(x: nat, y: nat) { assert(x - y >= 0); }

//+ difference in the right order
proof fn t(x: nat, y: nat) requires x >= y { assert(x - y >= 0); }

//- a cast of a negative is no absolute value
proof fn t(x: int) requires x == -4 { assert(x as nat == 4); }

//- clipping to nat is not injective on negatives
proof fn t(x: int, y: int) requires (x as nat) == (y as nat) { assert(x == y); }

//- wrapping to u8 is not zero
proof fn t(x: int) requires x == 256 { assert(x as u8 == 256); }

//- Euclidean: -1 / 2 is -1
proof fn t(x: int) requires x == -1 { assert(x / 2 == 0); }

//+ Euclidean: -1 / 2 is -1
proof fn t(x: int) requires x == -1 { assert(x / 2 == -1); }

//- Euclidean: -1 % 3 is 2
proof fn t(x: int) requires x == -1 { assert(x % 3 == -1); }

//+ Euclidean: -1 % 3 is 2
proof fn t(x: int) requires x == -1 { assert(x % 3 == 2); }

//- -(x / 2) rounds the other way
proof fn t(x: int) { assert((-x) / 2 == -(x / 2)); }

//- remainders do not add
proof fn t(x: int, y: int) { assert((x + y) % 5 == x % 5 + y % 5); }

//- a remainder of 10 may be 9
proof fn t(x: int) { assert(x % 10 < 9); }

//- division loses the remainder
proof fn t(x: int) { assert(x / 3 * 3 == x); }

//+ division and remainder together lose nothing
proof fn t(x: int) { assert(x / 3 * 3 + x % 3 == x); }

//- division by zero is not zero
proof fn t(x: int) { assert(x / 0 == 0); }

//- remainder by zero is not zero
proof fn t(x: int) { assert(x % 0 == 0); }

//- truncating division: -7 / 2 is -3
fn t(x: i64) -> (r: i64) requires x == -7 ensures r == -4 { x / 2 }

//- the exec remainder of a negative is not the ghost one
fn t(x: i64) -> (r: i64) requires x < 0 ensures r == x % 2 { x % 2 }

//- a divisor that may be zero
fn t(x: u8, y: u8) -> u8 { x % y }

//- MIN / -1
fn t(x: i8, y: i8) -> i8 requires y < 0 { x / y }

//+ MIN / -2
fn t(x: i8, y: i8) -> i8 requires y < -1 { x / y }

//- products of negatives
proof fn t(x: int, y: int) { assert(x * y >= x); }

//- squares need not grow
proof fn t(x: int) { assert(x * x > x) by (nonlinear_arith); }

//+ squares do not shrink
proof fn t(x: int) { assert(x * x >= x) by (nonlinear_arith); }

//- a negative factor turns the order round
proof fn t(x: int, y: int, z: int) { assert(x <= y ==> x * z <= y * z) by (nonlinear_arith); }

//- cancelling 0
proof fn t(x: int, y: int, z: int) { assert(x * z == y * z ==> x == y) by (nonlinear_arith); }

//- (x + y)^2 has a mixed term
proof fn t(x: int, y: int) { assert((x + y) * (x + y) == x * x + y * y) by (nonlinear_arith); }

//- the product of two numbers below 16 may be 225, not below 200
proof fn t(x: nat, y: nat) { assert(x < 16 && y < 16 ==> x * y < 200) by (nonlinear_arith); }

//+ the product of two numbers below 16 is below 256
proof fn t(x: nat, y: nat) { assert(x < 16 && y < 16 ==> x * y < 256) by (nonlinear_arith); }

//- assumptions of the surroundings are not known in the fresh query
proof fn t(x: int) requires x > 1 { assert(x * x > x) by (nonlinear_arith); }

//- the fresh query's own assumption is not true here
proof fn t(x: int) { assert(x * x > x) by (nonlinear_arith) requires x > 1; }

//- | is not +
proof fn t(x: u8, y: u8) { assert(x | y == x + y) by (bit_vector); }

//- & is not the smaller one
proof fn t(x: u8, y: u8) { assert(x & y == x) by (bit_vector); }

//+ & is at most either
proof fn t(x: u8, y: u8) { assert(x & y <= x) by (bit_vector); }

//- >> 1 is / 2, not - 1
proof fn t(x: u8) { assert(x >> 1 == x - 1) by (bit_vector); }

//- << loses the top bit
proof fn t(x: u8) { assert((x << 1) >> 1 == x) by (bit_vector); }

//+ << loses nothing of a small number
proof fn t(x: u8) { assert(x < 128 ==> (x << 1) >> 1 == x) by (bit_vector); }

//- bits are unknown by default
proof fn t(x: u8) requires x == 6 { assert(x & 3 == 2); }

//- xor of equals is 0, of unequals it is not
proof fn t(x: u8, y: u8) { assert(x ^ y == 0) by (bit_vector); }

//- the shift amount may be the width
fn t(x: u32, n: u32) -> u32 requires n <= 32 { x >> n }

//- index beyond the end
fn t(v: &Vec<u8>) -> u8 { v[0] }

//- the last index is len - 1
fn t(v: &Vec<u8>) -> u8 requires v.len() > 0 { v[v.len()] }

//+ the last index is len - 1
fn t(v: &Vec<u8>) -> (r: u8) requires v.len() > 0 ensures r == v@.last() { v[v.len() - 1] }

//- len - 1 of an empty vector
fn t(v: &Vec<u8>) -> usize { v.len() - 1 }

//- push adds to the end
fn t(v: &mut Vec<u8>) requires old(v).len() > 0 ensures final(v)@[0] == 7 { v.push(7); }

//- push keeps what was there
fn t(v: &mut Vec<u8>) ensures final(v).len() == old(v).len() { v.push(7); }

//- set changes one element
fn t(v: &mut Vec<u8>) requires old(v).len() > 1 ensures final(v)@ == old(v)@ { v.set(0, 7); }

//- pop shortens
fn t(v: &mut Vec<u8>) requires old(v).len() > 0 ensures final(v).len() == old(v).len() { let x = v.pop(); }

//- swapping 0 and 1 changes 0
fn t(v: &mut Vec<u8>) requires old(v).len() > 1 ensures final(v)@[0] == old(v)@[0] { v.swap(0, 1); }

//- a clone is equal in content only
fn t(v: &Vec<u8>) -> (w: Vec<u8>) ensures w == *v { v.clone() }

//- equal lengths, other elements
proof fn t(s: Seq<int>, u: Seq<int>) requires s.len() == u.len() { assert(s =~= u); }

//- equal elements, other lengths
proof fn t(s: Seq<int>, u: Seq<int>) requires forall|i: int| 0 <= i < s.len() ==> s[i] == u[i] { assert(s =~= u); }

//- equal elements without =~= in a hypothesis of a call
proof fn need(s: Seq<int>, u: Seq<int>) requires s == u { }
proof fn t(s: Seq<int>, u: Seq<int>) requires s.len() == u.len(), forall|i: int| 0 <= i < s.len() ==> s[i] == u[i] { need(s, u); }

//- equal elements do not make equal vectors
proof fn t(v: Vec<int>, w: Vec<int>) requires v@ =~= w@ { assert(v == w); }

//- concatenation is not commutative
proof fn t(s: Seq<int>, u: Seq<int>) { assert(s + u =~= u + s); }

//+ concatenation is associative
proof fn t(s: Seq<int>, u: Seq<int>, w: Seq<int>) { assert((s + u) + w =~= s + (u + w)); }

//- out of range elements of equal prefixes differ
proof fn t(s: Seq<int>) requires s.len() == 2 { assert(s[2] == s[3]); }

//- an element out of range is not zero
proof fn t(s: Seq<int>) { assert(s[s.len() as int] == 0); }

//- subranges out of range have no length
proof fn t(s: Seq<int>, i: int, j: int) { assert(s.subrange(i, j).len() == j - i); }

//+ subranges in range have
proof fn t(s: Seq<int>, i: int, j: int) requires 0 <= i <= j <= s.len() { assert(s.subrange(i, j).len() == j - i); }

//- take beyond the end is not the whole
proof fn t(s: Seq<int>, n: int) requires n > s.len() { assert(s.take(n) =~= s); }

//- skip drops from the front
proof fn t(s: Seq<int>) requires s.len() > 2 { assert(s.skip(1) =~= s.take(s.len() - 1)); }

//- drop_last drops the last, not the first
proof fn t(s: Seq<int>) requires s.len() > 1 { assert(s.drop_last() =~= s.drop_first()); }

//- update out of range is unknown
proof fn t(s: Seq<int>) { assert(s.update(-1, 3) =~= s); }

//- an updated sequence is another one
proof fn t(s: Seq<int>) requires s.len() > 1 { assert(s.update(0, 3) =~= s); }

//+ unless the value was there
proof fn t(s: Seq<int>) requires s.len() > 1, s[0] == 3 { assert(s.update(0, 3) =~= s); }

//- contains says nothing of the place
proof fn t(s: Seq<int>) requires s.contains(3) { assert(s[0] == 3); }

//- nothing is contained in an arbitrary sequence
proof fn t(s: Seq<int>) { assert(exists|x: int| s.contains(x)); }

//- the empty sequence contains nothing
proof fn t() { assert(Seq::<int>::empty().contains(0)); }

//- reversing twice is the identity, once is not
proof fn t(s: Seq<int>) { assert(s.reverse() =~= s); }

//+ reversing twice is the identity
proof fn t(s: Seq<int>) { assert(s.reverse().reverse() =~= s); }

//- inserting is no updating
proof fn t(s: Seq<int>) requires s.len() > 1 { assert(s.insert(0, 3) =~= s.update(0, 3)); }

//- a mapped sequence is another one
proof fn t(s: Seq<int>) requires s.len() > 1 { assert(s.map_values(|x: int| x + 1) =~= s); }

//- two functions, two sequences
proof fn t() { assert(Seq::new(3, |i: int| i) =~= Seq::new(3, |i: int| i + 1)); }

//+ one function, one sequence
proof fn t() { assert(Seq::new(3, |i: int| i + 1) =~= seq![1int, 2, 3]); }

//- closures differ at 1
proof fn t(f: spec_fn(int) -> int) requires f(0) == 0 { assert(f(1) == 0); }

//+ a closure is a function
proof fn t(f: spec_fn(int) -> int, x: int, y: int) requires x == y { assert(f(x) == f(y)); }

//- a closure's value is its body
proof fn t() { let f = |x: int| x + 1; assert(f(2) == 2); }

//+ a closure's value is its body
proof fn t() { let f = |x: int| x + 1; assert(f(2) == 3); }

//- one p is not all
#[verifier::opaque] spec fn p(x: int) -> bool { x > 0 }
proof fn t() requires p(1) { assert(forall|x: int| p(x)); }

//- some p is not this one
#[verifier::opaque] spec fn p(x: int) -> bool { x > 0 }
proof fn t() requires exists|x: int| p(x) { assert(p(1)); }

//- empty range: all, but none exists
#[verifier::opaque] spec fn p(x: int) -> bool { x > 0 }
proof fn t() { assert(exists|x: int| 3 < x < 4 && p(x)); }

//+ empty range: all
#[verifier::opaque] spec fn p(x: int) -> bool { x > 0 }
proof fn t() { assert(forall|x: int| 3 < x < 4 ==> p(x)); }

//- all that are p are q does not make all p
#[verifier::opaque] spec fn p(x: int) -> bool { x > 0 }
#[verifier::opaque] spec fn q(x: int) -> bool { x > 0 }
proof fn t() requires forall|x: int| p(x) ==> q(x) { assert(forall|x: int| q(x) ==> p(x)); }

//+ chains of implications
#[verifier::opaque] spec fn p(x: int) -> bool { x > 0 }
#[verifier::opaque] spec fn q(x: int) -> bool { x > 0 }
#[verifier::opaque] spec fn r(x: int) -> bool { x > 0 }
proof fn t() requires forall|x: int| p(x) ==> q(x), forall|x: int| q(x) ==> r(x) { assert forall|x: int| p(x) implies r(x) by { assert(q(x)); } }

//- negation of all is not all of the negation
#[verifier::opaque] spec fn p(x: int) -> bool { x > 0 }
proof fn t() requires !(forall|x: int| p(x)) { assert(!p(0)); }

//+ negation of some is all of the negation
#[verifier::opaque] spec fn p(x: int) -> bool { x > 0 }
proof fn t() requires !(exists|x: int| p(x)) { assert(!p(0)); }

//- a choice without existence
#[verifier::opaque] spec fn p(x: int) -> bool { x > 0 }
proof fn t() { assert(p(choose|x: int| p(x))); }

//- a choice is one of them, not this one
#[verifier::opaque] spec fn p(x: int) -> bool { x > 0 }
proof fn t() requires p(3) { assert((choose|x: int| p(x)) == 3); }

//- choices of two conditions
#[verifier::opaque] spec fn p(x: int) -> bool { x > 0 }
#[verifier::opaque] spec fn q(x: int) -> bool { x > 0 }
proof fn t() { assert((choose|x: int| p(x)) == (choose|x: int| q(x))); }

//- hidden functions are unknown
#[verifier::opaque] spec fn p(x: int) -> bool { x > 0 }
proof fn t() { assert(p(1)); }

//- two functions of one type
#[verifier::opaque] spec fn p(x: int) -> int { x }
#[verifier::opaque] spec fn q(x: int) -> int { x }
proof fn t(x: int) { assert(p(x) == q(x)); }

//- injectivity is not given
#[verifier::opaque] spec fn p(x: int) -> int { x }
proof fn t(x: int, y: int) requires p(x) == p(y) { assert(x == y); }

//- f(2) is 4, if only somebody unfolded it; 5 it is never
spec fn f(n: nat) -> nat decreases n { if n == 0 { 0 } else { f((n - 1) as nat) + 2 } }
proof fn t() { reveal_with_fuel(f, 5); assert(f(2) == 5); }

//+ f(2) is 4
spec fn f(n: nat) -> nat decreases n { if n == 0 { 0 } else { f((n - 1) as nat) + 2 } }
proof fn t() { reveal_with_fuel(f, 5); assert(f(2) == 4); }

//- fuel without a measure of n
spec fn f(n: nat) -> nat decreases n { if n == 0 { 0 } else { f((n - 1) as nat) + 2 } }
proof fn t(n: nat) { reveal_with_fuel(f, 5); assert(f(n) == 8); }

//- monotone, but not strictly above n for 0
spec fn f(n: nat) -> nat decreases n { if n == 0 { 0 } else { f((n - 1) as nat) + 2 } }
proof fn t(n: nat) ensures f(n) > n decreases n { if n > 0 { t((n - 1) as nat); } }

//+ at least n
spec fn f(n: nat) -> nat decreases n { if n == 0 { 0 } else { f((n - 1) as nat) + 2 } }
proof fn t(n: nat) ensures f(n) >= n decreases n { if n > 0 { t((n - 1) as nat); } }

//- the induction has no end
proof fn t(n: int) ensures false decreases n { t(n - 1); }

//- the induction stands still
proof fn t(n: nat) ensures false decreases n { t(n); }

//- two lemmas that lean on each other
proof fn a(n: nat) ensures false decreases n { b(n); }
proof fn b(n: nat) ensures false decreases n { a(n); }

//- a spec function that is its own opposite
spec fn f(n: int) -> bool decreases n { !f(n) }
proof fn t() { assert(false); }

//- a spec function that grows for ever
spec fn f(n: int) -> int decreases n { f(n + 1) + 1 }
proof fn t() { assert(false); }

//- a measure that ignores the argument
spec fn f(n: int) -> int decreases 0int { f(n - 1) + 1 }
proof fn t() { assert(false); }

//- a bound variable runs over everything
spec fn f(n: nat) -> bool decreases n { forall|m: nat| !f(m) }
proof fn t() { assert(false); }

//- a list as long as itself
pub enum L { Nil, Cons(int, Box<L>) }
spec fn len(l: L) -> nat decreases l { match l { L::Nil => 0, L::Cons(_, t) => len(l) + 1 } }
proof fn t() { assert(false); }

//- a list has no given length
pub enum L { Nil, Cons(int, Box<L>) }
spec fn len(l: L) -> nat decreases l { match l { L::Nil => 0, L::Cons(_, t) => len(*t) + 1 } }
proof fn t(l: L) { assert(len(l) > 0); }

//+ a list that is not empty has a positive length
pub enum L { Nil, Cons(int, Box<L>) }
spec fn len(l: L) -> nat decreases l { match l { L::Nil => 0, L::Cons(_, t) => len(*t) + 1 } }
proof fn t(l: L) requires l is Cons { assert(len(l) > 0); }

//- a cons is not its tail
pub enum L { Nil, Cons(int, Box<L>) }
proof fn t(l: L, k: L) requires l is Cons, k is Cons { assert(l == k); }

//- the weak invariant says i <= n, not i == n
fn t(n: u64) -> (r: u64) ensures r == n { let mut i: u64 = 0; while i < n invariant i <= n decreases n - i { i = i + 1; if i == 3 { break; } } i }

//- nothing is known of s
fn t(n: u64) -> (s: u64) ensures s == n { let mut s: u64 = 0; let mut i: u64 = 0; while i < n invariant i <= n decreases n - i { i = i + 1; s = i; } s }

//+ it is, once it is said
fn t(n: u64) -> (s: u64) ensures s == n { let mut s: u64 = 0; let mut i: u64 = 0; while i < n invariant i <= n, s == i decreases n - i { i = i + 1; s = i; } s }

//- the invariant is false at the start
fn t(n: u64) { let mut i: u64 = 0; while i < n invariant i == n decreases n - i { i = i + 1; } }

//- the invariant is not kept
fn t(n: u64) { let mut i: u64 = 0; while i < n invariant i == 0 decreases n - i { i = i + 1; } }

//- a loop that does not run proves nothing of its body
fn t() -> (r: u64) ensures r == 1 { let mut r: u64 = 0; let mut i: u64 = 5; while i < 5 invariant r == 0 || r == 1 decreases 5 - i { r = 1; i = i + 1; } r }

//- an invariant of true hides everything
fn t(v: &Vec<u8>) -> (r: bool) ensures r == v@.contains(7) { let mut i: usize = 0; while i < v.len() invariant true decreases v.len() - i { if v[i] == 7 { return true; } i = i + 1; } false }

//+ the invariant says what was seen
fn t(v: &Vec<u8>) -> (r: bool) ensures r == v@.contains(7) { let mut i: usize = 0; while i < v.len() invariant i <= v.len(), forall|k: int| 0 <= k < i ==> v[k] != 7 decreases v.len() - i { if v[i] == 7 { return true; } i = i + 1; } false }

//- it stops one too early
fn t(v: &Vec<u8>) -> (r: bool) requires v.len() > 0 ensures r == v@.contains(7) { let mut i: usize = 0; while i < v.len() - 1 invariant 0 < v.len(), i < v.len(), forall|k: int| 0 <= k < i ==> v[k] != 7 decreases v.len() - i { if v[i] == 7 { return true; } i = i + 1; } false }

//- it starts one too late
fn t(v: &Vec<u8>) -> (r: bool) ensures r == v@.contains(7) { let mut i: usize = 1; while i < v.len() invariant forall|k: int| 1 <= k < i ==> v[k] != 7 decreases v.len() - i { if v[i] == 7 { return true; } i = i + 1; } false }

//- it finds the wrong thing
fn t(v: &Vec<u8>) -> (r: usize) ensures r < v.len() ==> v[r as int] == 7 { let mut i: usize = 0; while i < v.len() invariant i <= v.len() decreases v.len() - i { if v[i] == 8 { return i; } i = i + 1; } v.len() }

//- the maximum of an empty vector
fn t(v: &Vec<u8>) -> (m: u8) ensures v@.contains(m) { let mut m: u8 = 0; let mut i: usize = 0; while i < v.len() invariant i <= v.len() decreases v.len() - i { if v[i] > m { m = v[i]; } i = i + 1; } m }

//+ it bounds, once that is said
fn t(v: &Vec<u8>) -> (m: u8) ensures forall|k: int| 0 <= k < v.len() ==> v[k] <= m { let mut m: u8 = 0; let mut i: usize = 0; while i < v.len() invariant i <= v.len(), forall|k: int| 0 <= k < i ==> v[k] <= m decreases v.len() - i { if v[i] > m { m = v[i]; } i = i + 1; } m }

//- the loop goes on for ever
fn t(n: u64) -> (r: u64) ensures r == 77 { let mut i: u64 = 0; while i < n invariant true decreases n { } 77 }

//- a for loop adds two, not one
fn t(n: u32) -> (s: u64) ensures s == n { let mut s: u64 = 0; for i in 0..n invariant s == 2 * i { s = s + 2; } s }

//+ a for loop adds two
fn t(n: u32) -> (s: u64) ensures s == 2 * n { let mut s: u64 = 0; for i in 0..n invariant s == 2 * i { s = s + 2; } s }

//- behind a break the condition is not known
fn t(n: u64) { let mut i: u64 = 0; loop invariant i <= n decreases n - i { if i == n { break; } i = i + 1; } assert(i < n); }

//- the callee may change everything it borrows
fn g(x: &mut u8) { *x = 5; }
fn t() { let mut x: u8 = 1; g(&mut x); assert(x == 1 || x == 5); }

//- without ensures not even the obvious is known
fn g(x: &mut u8) { *x = 5; }
fn t() { let mut x: u8 = 1; g(&mut x); assert(x == 5); }

//+ with ensures it is
fn g(x: &mut u8) ensures *final(x) == 5 { *x = 5; }
fn t() { let mut x: u8 = 1; g(&mut x); assert(x == 5); }

//- old is the value before
fn g(x: &mut u8) ensures *final(x) == *old(x) { *x = 5; }

//- the second reference is another one
fn g(x: &mut u8, y: &mut u8) ensures *final(y) == 5 { *x = 5; }

//- final of an untouched reference is old
fn g(x: &mut u8) ensures *final(x) == 3 { }

//+ final of an untouched reference is old
fn g(x: &mut u8) ensures *final(x) == *old(x) { }

//- a lent vector may shrink
fn g(v: &mut Vec<u8>) { v.clear(); }
fn t() -> u8 { let mut v: Vec<u8> = vec![1, 2]; g(&mut v); v[0] }

//- None is not Some
fn t(o: Option<u8>) -> u8 { o.unwrap() }

//- Some(0) is not None
proof fn t() { assert(Some(0u8) == None::<u8>); }

//- an option of an option: Some(None) is not None
proof fn t() { let a: Option<Option<int>> = Some(None); assert(a is None); }

//+ payloads of equal options are equal
proof fn t(x: int, y: int) requires Some(x) == Some(y) { assert(x == y); }

//- payloads of unequal options may both be absent
proof fn t(a: Option<int>, b: Option<int>) requires a is None { assert(a == b); }

//- reading Some's field of None says nothing
proof fn t(a: Option<int>) { assert(a->0 == 0); }

//- Err is not Ok
proof fn t(r: Result<int, int>) { assert(r is Ok); }

//+ a result is one of the two
proof fn t(r: Result<int, int>) { assert(r is Ok || r is Err); }

//- structs differ in a field
pub struct P { pub x: int, pub y: int }
proof fn t(a: P, b: P) requires a.x == b.x { assert(a == b); }

//+ structs of equal fields
pub struct P { pub x: int, pub y: int }
proof fn t(a: P, b: P) requires a.x == b.x, a.y == b.y { assert(a == b); }

//- fields are not each other
pub struct P { pub x: int, pub y: int }
proof fn t(a: P) { assert(a.x == a.y); }

//- the update does not touch y
pub struct P { pub x: int, pub y: int }
proof fn t(a: P) { let b = P { x: 1, ..a }; assert(b.y == 1); }

//- variants are apart
pub enum C { A, B }
proof fn t() { assert(C::A == C::B); }

//+ two variants, three values
pub enum C { A, B }
proof fn t(x: C, y: C, z: C) { assert(x == y || y == z || x == z); }

//- three variants, two values
pub enum C { A, B, D }
proof fn t(x: C, y: C) { assert(x == y); }

//- the second arm takes the rest
spec fn f(x: int) -> int { if x == 0 { 1 } else { 2 } }
proof fn t() { assert(f(5) == 1); }

//+ the second arm takes the rest
spec fn f(x: int) -> int { if x == 0 { 1 } else { 2 } }
proof fn t() { assert(f(5) == 2); }

//- the first arm wins
spec fn f(o: Option<int>) -> int { match o { Some(x) => x, None => 0 } }
proof fn t(o: Option<int>) { assert(f(o) == 0); }

//- the guard may be false
fn t(o: Option<u8>) -> (r: u8) ensures o is Some ==> r > 3 { match o { Some(x) if x > 3 => x, _ => 0 } }

//- tuples are ordered
proof fn t(a: int, b: int) { assert((a, b) == (b, a)); }

//+ tuples are field by field
proof fn t(a: int, b: int) requires a == b { assert((a, b) == (b, a)); }

//- nothing is in an arbitrary set
proof fn t(s: Set<int>) { assert(s.contains(3)); }

//- nothing is in the empty set
proof fn t() { assert(Set::<int>::empty().contains(3)); }

//+ what was put in is in
proof fn t(s: Set<int>) { assert(s.insert(3).contains(3)); }

//- removing removes
proof fn t(s: Set<int>) { assert(s.insert(3).remove(3).contains(3)); }

//- a union is no intersection
proof fn t(a: Set<int>, b: Set<int>) { assert(a.union(b) =~= a.intersect(b)); }

//+ a union has no order
proof fn t(a: Set<int>, b: Set<int>) { assert(a.union(b) =~= b.union(a)); }

//- a subset need not be the whole
proof fn t(a: Set<int>, b: Set<int>) requires a.subset_of(b) { assert(a =~= b); }

//- an arbitrary key is not in a map
proof fn t(m: Map<int, int>) { assert(m.dom().contains(3)); }

//- the new value replaces the old
proof fn t(m: Map<int, int>) { assert(m.insert(3, 1).insert(3, 2)[3] == 1); }

//+ the new value replaces the old
proof fn t(m: Map<int, int>) { assert(m.insert(3, 1).insert(3, 2)[3] == 2); }

//- values outside the domain are unknown
proof fn t(m: Map<int, int>) { assert(m.remove(3)[3] == 0); }

//- two keys
proof fn t(m: Map<int, int>) { assert(m.insert(3, 1)[4] == 1); }

//- a text may be empty
fn t(s: &str) -> char { s.get_char(0) }

//- a text has no given length
proof fn t(s: Seq<char>) { assert(s.len() < 100); }

//- letters differ
proof fn t() { assert('a' == 'b'); }

//+ letters have numbers
proof fn t() { assert('z' as u32 - 'a' as u32 == 25); }

//- a character need not be ASCII
fn t(c: char) -> (r: u8) ensures r as char == c { c as u8 }

//- a generic value is not another one
proof fn t<T>(x: T, y: T) { assert(x == y); }

//+ a generic value is itself
proof fn t<T>(x: T) { assert(x == x); }

//- swapped generic values
fn t<T>(x: T, y: T) -> (r: (T, T)) ensures r.0 == x { (y, x) }

//+ swapped generic values
fn t<T>(x: T, y: T) -> (r: (T, T)) ensures r.0 == y, r.1 == x { (y, x) }

//- a generic sequence may be empty
proof fn t<T>(s: Seq<T>) { assert(s.len() > 0); }

//- lemmas are called, not believed
#[verifier::opaque] spec fn p(x: int) -> bool { x > 0 }
proof fn l(x: int) requires x > 0 ensures p(x) { reveal(p); }
proof fn t(x: int) { l(x); }

//- the lemma of one number is not the lemma of another
#[verifier::opaque] spec fn p(x: int) -> bool { x > 0 }
proof fn l(x: int) requires x > 0 ensures p(x) { reveal(p); }
proof fn t() { l(1); assert(p(2)); }

//+ the lemma of the right number
#[verifier::opaque] spec fn p(x: int) -> bool { x > 0 }
proof fn l(x: int) requires x > 0 ensures p(x) { reveal(p); }
proof fn t() { l(2); assert(p(2)); }

//- a lemma that is false
proof fn l(x: int) ensures x > 0 { }

//- a lemma that is false in one branch
proof fn l(x: int) ensures x * 2 > 0 { if x > 0 { } else { } }

//- a lemma that forgets its base
proof fn l(n: nat) ensures n > 0 decreases n { if n > 1 { l((n - 1) as nat); } }

//- assert by proves its claim only
proof fn t(x: int) { assert(x == x) by { } assert(x > 0); }

//- assert forall proves for its hypothesis only
#[verifier::opaque] spec fn p(x: int) -> bool { x > 0 }
proof fn t() { assert forall|x: int| x > 0 implies p(x) by { reveal(p); } assert(p(0)); }

//- the body of assert forall must prove it
#[verifier::opaque] spec fn p(x: int) -> bool { x > 0 }
proof fn t() { assert forall|x: int| p(x) by { reveal(p); } }

//- a proof in one branch is no proof in the other
proof fn t(x: int) { if x > 0 { assert(x > 0); } assert(x > 0); }

//- after an early return only the rest is excluded
fn t(x: u8) -> (r: u8) ensures r > 5 { if x <= 4 { return 6; } x }

//+ after an early return the rest is excluded
fn t(x: u8) -> (r: u8) ensures r > 4 { if x <= 4 { return 6; } x }

//- the wrong branch
fn t(x: i32, y: i32) -> (r: i32) ensures r >= x, r >= y { if x > y { y } else { x } }

//+ the right branch
fn t(x: i32, y: i32) -> (r: i32) ensures r >= x, r >= y { if x > y { x } else { y } }

//- negating both sides turns the order round
proof fn t(x: int, y: int) requires x < y { assert(-x < -y); }

//+ negating both sides turns the order round
proof fn t(x: int, y: int) requires x < y { assert(-y < -x); }

//- compute does not make it true
proof fn t() { assert(7 * 8 == 54) by (compute); }

//+ compute shows that it is true
proof fn t() { assert(7 * 8 == 56) by (compute); }

//- constants have one value
pub const K: u8 = 7;
proof fn t() { assert(K == 8); }

//- u64::MAX is odd
proof fn t() { assert(u64::MAX % 2 == 0); }

//- wrapping is not saturating
fn t(x: u8) -> (r: u8) requires x == 255 ensures r == 255 { x.wrapping_add(1) }

//- saturating is not wrapping
fn t(x: u8) -> (r: u8) requires x == 255 ensures r == 0 { x.saturating_add(1) }

//- checked is None when it overflows
fn t(x: u8) -> (r: Option<u8>) ensures r is Some { x.checked_add(1) }

//+ a loop that finds the first place
fn t(v: &Vec<u8>) -> (r: usize) ensures r <= v.len(), r < v.len() ==> v[r as int] == 7, forall|k: int| 0 <= k < r ==> v[k] != 7 { let mut i: usize = 0; while i < v.len() invariant i <= v.len(), forall|k: int| 0 <= k < i ==> v[k] != 7 decreases v.len() - i { if v[i] == 7 { return i; } i = i + 1; } i }

//- the first place, not the last
fn t(v: &Vec<u8>) -> (r: usize) ensures r <= v.len(), forall|k: int| r < k < v.len() ==> v[k] != 7 { let mut i: usize = 0; while i < v.len() invariant i <= v.len(), forall|k: int| 0 <= k < i ==> v[k] != 7 decreases v.len() - i { if v[i] == 7 { return i; } i = i + 1; } 0 }

//+ a sum is the sum of its parts
spec fn sum(s: Seq<int>) -> int decreases s.len() { if s.len() == 0 { 0 } else { sum(s.drop_last()) + s.last() } }
proof fn t(s: Seq<int>, x: int) ensures sum(s.push(x)) == sum(s) + x { assert(s.push(x).drop_last() =~= s); }

//- the sum of a sequence does not forget its last element
spec fn sum(s: Seq<int>) -> int decreases s.len() { if s.len() == 0 { 0 } else { sum(s.drop_last()) + s.last() } }
proof fn t(s: Seq<int>, x: int) ensures sum(s.push(x)) == sum(s) { assert(s.push(x).drop_last() =~= s); }

//+ the sum of numbers that are not negative is not negative
spec fn sum(s: Seq<int>) -> int decreases s.len() { if s.len() == 0 { 0 } else { sum(s.drop_last()) + s.last() } }
proof fn t(s: Seq<int>) requires forall|i: int| 0 <= i < s.len() ==> s[i] >= 0 ensures sum(s) >= 0 decreases s.len() { if s.len() > 0 { t(s.drop_last()); } }

//- it may be zero
spec fn sum(s: Seq<int>) -> int decreases s.len() { if s.len() == 0 { 0 } else { sum(s.drop_last()) + s.last() } }
proof fn t(s: Seq<int>) requires forall|i: int| 0 <= i < s.len() ==> s[i] >= 0 ensures sum(s) > 0 decreases s.len() { if s.len() > 0 { t(s.drop_last()); } }

//+ sorted means that the first is the least
proof fn t(s: Seq<int>) requires s.len() > 0, forall|i: int, j: int| 0 <= i <= j < s.len() ==> s[i] <= s[j] { assert(forall|k: int| 0 <= k < s.len() ==> s[0] <= #[trigger] s[k]); }

//- neighbours in order do not tell the order of the distant, unless somebody goes through them
proof fn t(s: Seq<int>, k: int) requires 0 <= k < s.len(), forall|i: int| 0 < i < s.len() ==> s[i - 1] <= #[trigger] s[i] { assert(s[0] <= s[k]); assert(s[0] < s[k] || k == 0); }

//+ a witness is handed over
spec fn divides(d: int, n: int) -> bool { exists|k: int| #[trigger] times(d, k) == n }
spec fn times(d: int, k: int) -> int { d * k }
proof fn t() { assert(times(3, 5) == 15); assert(divides(3, 15)); }

//- 3 does not divide 16, and nobody has a witness
spec fn divides(d: int, n: int) -> bool { exists|k: int| #[trigger] times(d, k) == n }
spec fn times(d: int, k: int) -> int { d * k }
proof fn t() { assert(times(3, 5) == 15); assert(divides(3, 16)); }

//+ the larger of two is one of them
spec fn max(x: int, y: int) -> int { if x > y { x } else { y } }
proof fn t(x: int, y: int) { assert(max(x, y) == x || max(x, y) == y); assert(max(x, y) == max(y, x)); }

//- the larger of two is not their sum
spec fn max(x: int, y: int) -> int { if x > y { x } else { y } }
proof fn t(x: int, y: int) { assert(max(x, y) == x + y); }

//? evaluation of a sum that has no end
spec fn f(n: int) -> int { f(n) + 1 }
proof fn t() { assert(false); }

//? a type without values
pub struct S { pub next: Box<S> }
proof fn t(s: S) { assert(false); }

//? a paradox through a function field
pub struct S { pub f: spec_fn(S) -> bool }
spec fn g(s: S) -> bool { !(s.f)(s) }
proof fn t() { let s = S { f: |x: S| g(x) }; assert(g(s) == !g(s)); assert(false); }

//? two writers of one place
fn g(x: &mut u8, y: &mut u8) ensures *final(x) == 1, *final(y) == 2 { *x = 1; *y = 2; }
fn t() { let mut x: u8 = 0; g(&mut x, &mut x); assert(false); }

//? a vector used after it was given away
fn g(v: Vec<u8>) { }
fn t() { let v: Vec<u8> = vec![1]; g(v); let w = v; assert(false); }

//? a ghost value that runs
fn t() -> (r: u8) ensures r > 3 { let ghost x: u8 = choose|x: u8| x > 3; x }

//? a measure on nothing
fn t() -> (r: u8) ensures false { t() }

//? a broadcast lemma that is false
broadcast proof fn l(x: int) ensures #[trigger] (x as nat) > 9 { }
fn t() { }
