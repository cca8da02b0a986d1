Options, results, integer constants and methods, strings, sets and maps.

//@ is_some | verified | Some holds a value
fn f(o: Option<u8>) -> (r: bool) ensures r == (o is Some) { o.is_some() }

//@ is_none | verified | None holds none
fn f(o: Option<u8>) -> (r: bool) ensures r == (o is None) { o.is_none() }

//@ is_some_wrong | failed | the two are opposites
fn f(o: Option<u8>) -> (r: bool)
    ensures r == (o is None) // FAILS
{ o.is_some() }

//@ unwrap | verified | the obligation is met
fn f(o: Option<u8>) -> (r: u8) requires o is Some ensures o == Some(r) { o.unwrap() }

//@ unwrap_of_none | failed | o may be None
fn f(o: Option<u8>) -> u8 {
    o.unwrap() // FAILS
}

//@ unwrap_in_ghost_code | verified | it has a spec meaning
proof fn t(o: Option<int>) requires o == Some(3int) { assert(o.unwrap() == 3); assert(o.is_some()); }

//@ unwrap_or | verified | the default for None
fn f(o: Option<u8>) -> (r: u8) ensures o is None ==> r == 9, o is Some ==> Some(r) == o { o.unwrap_or(9) }

//@ unwrap_or_wrong | failed | the default is for None only
fn f(o: Option<u8>) -> (r: u8)
    ensures r == 9 // FAILS
{ o.unwrap_or(9) }

//@ expect | verified | unwrap with a message
fn f(o: Option<u8>) -> (r: u8) requires o is Some ensures o == Some(r) { o.expect("there is one") }

//@ options_compare | verified | on Copy payloads
proof fn t(x: u8, y: u8) requires Some(x) == Some(y) { assert(x == y); assert(Some(x) != None::<u8>); }

//@ result | verified | Ok and Err
fn f(x: u8) -> (r: Result<u8, bool>) ensures x > 3 ==> r == Ok::<u8, bool>(x), x <= 3 ==> r is Err { if x > 3 { Ok(x) } else { Err(true) } }

//@ result_unwrap | failed | r may be Err
fn f(r: Result<u8, u8>) -> u8 {
    r.unwrap() // FAILS
}

//@ question_mark | verified | None leaves early
fn g(x: u8) -> (r: Option<u8>) ensures x > 3 ==> r == Some(x), x <= 3 ==> r is None { if x > 3 { Some(x) } else { None } }
fn f(x: u8) -> (r: Option<u8>) ensures r is Some ==> x > 3 { let y = g(x)?; Some(y) }

//@ question_mark_wrong | failed | it may leave with None
fn g(x: u8) -> (r: Option<u8>) ensures x > 3 ==> r == Some(x), x <= 3 ==> r is None { if x > 3 { Some(x) } else { None } }
fn f(x: u8) -> (r: Option<u8>)
    ensures r is Some // FAILS
{ let y = g(x)?; Some(y) }

//@ integer_bounds | verified | constants of every type
proof fn t() { assert(u64::MAX == 0xFFFF_FFFF_FFFF_FFFF); assert(i16::MIN == -32768); assert(u8::MIN == 0); assert(usize::BITS == 32 || usize::BITS == 64); }

//@ integer_bounds_wrong | failed | the width of usize is unknown
proof fn t() {
    assert(usize::BITS == 64); // FAILS
}

//@ integer_clone | verified | the same number
fn f(x: &u8) -> (r: u8) ensures r == *x { x.clone() }

//@ saturating | verified | it stops at the bounds
fn f(x: u8) -> (r: u8) ensures x <= 250 ==> r == x + 5, x > 250 ==> r == 255 { x.saturating_add(5) }

//@ saturating_wrong | failed | it stops at the bounds
fn f(x: u8) -> (r: u8)
    ensures r == x + 5 // FAILS
{ x.saturating_add(5) }

//@ abs_min_max | verified | functions of ghost integers
use vstd::math::*;
proof fn t(x: int) requires x == -3 { assert(abs(x) == 3); assert(min(x, 2) == -3); assert(max(x, 2) == 2); }

//@ abs_wrong | failed | a distance has no sign
use vstd::math::*;
proof fn t(x: int) {
    assert(abs(x) == x); // FAILS
}

//@ box_new | verified | the content
fn f() { let b: Box<u8> = Box::new(3); assert(*b == 3); }

//@ string_view | verified | a text is its characters
fn f(s: &str) -> (n: usize) ensures n == s@.len() { s.unicode_len() }

//@ string_get_char | failed | the text may be empty
fn f(s: &str) -> char {
    s.get_char(0) // FAILS
}

//@ set_insert | verified | what was put in is in
proof fn t(s: Set<int>) { assert(s.insert(3).contains(3)); }

//@ set_insert_others | verified | nothing else changes
proof fn t(s: Set<int>) requires s.contains(4) { assert(s.insert(3).contains(4)); }

//@ set_insert_wrong | failed | 5 was not put in
proof fn t(s: Set<int>) {
    assert(s.insert(3).contains(5)); // FAILS
}

//@ set_remove | verified | what was taken out is not in
proof fn t(s: Set<int>) { assert(!s.remove(3).contains(3)); }

//@ set_union | verified | in one of the two
proof fn t(a: Set<int>, b: Set<int>, x: int) { assert(a.union(b).contains(x) == (a.contains(x) || b.contains(x))); }

//@ set_extensional | verified | order of insertion does not count
proof fn t(s: Set<int>) { assert(s.insert(1).insert(2) =~= s.insert(2).insert(1)); }

//@ set_extensional_wrong | failed | 1 may have been missing
proof fn t(s: Set<int>) {
    assert(s.insert(1) =~= s); // FAILS
}

//@ map_insert | verified | the new value under its key
proof fn t(m: Map<int, int>) { assert(m.insert(3, 9)[3] == 9); assert(m.insert(3, 9).dom().contains(3)); }

//@ map_insert_others | verified | other keys stay
proof fn t(m: Map<int, int>) requires m.dom().contains(4), m[4] == 7 { assert(m.insert(3, 9)[4] == 7); }

//@ map_insert_wrong | failed | the old value is gone
proof fn t(m: Map<int, int>) requires m.dom().contains(3), m[3] == 7 {
    assert(m.insert(3, 9)[3] == 7); // FAILS
}

//@ map_remove | verified | the key is gone
proof fn t(m: Map<int, int>) { assert(!m.remove(3).dom().contains(3)); }
