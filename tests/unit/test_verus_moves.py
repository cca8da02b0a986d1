"""Moves, borrows, initialisation and mutability: each program stands with what Rust's borrow checker says of it."""

from __future__ import annotations

import pytest

from tests.verus_checking import verdict

DIALECT = "classic"
"""Loops need no measure there, which keeps the programs short."""
SETUP = """
#[derive(Clone, Copy, PartialEq, Eq)] struct C { a: u64, b: bool }
struct S { v: Vec<u64>, n: u64, w: Vec<u64> }
enum E { A, B(Vec<u64>), D { x: u64, y: Vec<u64> } }
enum L { N, C(u64, Box<L>) }
fn eat(v: Vec<u64>) -> u64 { 0 }
fn look(v: &Vec<u64>) -> u64 { 0 }
fn grow(v: &mut Vec<u64>) { v.push(1); }
fn two(a: &mut Vec<u64>, b: &mut Vec<u64>) { }
fn mixed(a: &Vec<u64>, b: &mut Vec<u64>) { }
fn pick(a: &Vec<u64>) -> &u64 requires a.len() > 0 { &a[0] }
fn inc(x: &mut u64) { *x = 1; }
fn cond() -> bool { true }
fn mk() -> Vec<u64> { Vec::new() }
impl S {
    fn get(&self) -> u64 { self.n }
    fn set(&mut self, n: u64) { self.n = n; }
    fn take(self) -> u64 { self.n }
    fn inner(&self) -> &Vec<u64> { &self.v }
    fn both(&mut self, v: &Vec<u64>) { }
}
impl C { fn sum(self) -> u64 { self.a } }
"""

ACCEPTED = {
    # Moves.
    "a moved value under its new name": "fn t(v: Vec<u64>) -> u64 { let w = v; look(&w) }",
    "borrowing moves nothing": "fn t(v: Vec<u64>) -> u64 { look(&v) + look(&v) }",
    "Copy values stay": "fn t(c: C) { let d = c; let e = c; c.sum(); c.sum(); }",
    "a Copy parameter stays": "fn t<T: Copy>(x: T) -> (T, T) { (x, x) }",
    "a new value after the move": "fn t(v: Vec<u64>) { let mut v = v; if cond() { eat(v); v = mk(); } look(&v); }",
    "a new value in each round": "fn t(v: Vec<u64>) { let mut v = v; while cond() { eat(v); v = mk(); } }",
    "a loop that ends with the move": "fn t(v: Vec<u64>) { while cond() { eat(v); break; } }",
    "leaving the outer loop with the move": (
        "fn t(a: Vec<u64>) { 'o: loop { while cond() { if cond() { eat(a); break 'o; } } } }"
    ),
    "returning ends the path": "fn t(v: Vec<u64>) -> Vec<u64> { if cond() { return v; } eat(v); mk() }",
    "fields move one by one": "fn t(s: S) -> (Vec<u64>, Vec<u64>) { (s.v, s.w) }",
    "what an update does not take stays": "fn t(s: S) -> Vec<u64> { let q = S { v: mk(), w: mk(), ..s }; s.v }",
    "a field that is filled again": "fn t(mut s: S) { let v = s.v; s.v = mk(); s.get(); }",
    "a pattern takes the parts": (
        "fn t(e: E) { match e { E::A => {} E::B(v) => { eat(v); } E::D { x, y } => { eat(y); } } }"
    ),
    "a Copy part leaves the rest": (
        "fn t(o: Option<u64>) { match o { Some(x) => {} None => {} } match o { Some(x) => {} None => {} } }"
    ),
    "a pattern on a reference borrows": "fn t(o: &Option<Vec<u64>>) { match o { Some(v) => { look(v); } None => {} } }",
    "out of a box": "fn t(l: L) -> u64 { match l { L::N => 0, L::C(x, r) => { t(*r); x } } }",
    "an element that is Copy": "fn t(v: Vec<u64>) { let w = v[0]; let z = v[0]; }",
    "`_` moves nothing": "fn t(v: Vec<u64>) { let _ = v; look(&v); }",
    "ghost code moves nothing": "fn t(v: Vec<u64>) { let ghost g = v; assert(g == v); eat(v); }",
    "ghost code speaks of what is gone": "fn t(v: Vec<u64>) { let ghost n = v.len(); eat(v); assert(v.len() == n); }",
    "moving in a condition that holds": "fn t(v: Vec<u64>, b: bool) { if b { eat(v); } else { look(&v); } }",
    # Initialisation.
    "set on both branches": "fn t() { let x: u64; if cond() { x = 1; } else { x = 2; } let y = x; }",
    "set before the loop is left": "fn t() { let x; loop { if cond() { x = 5u64; break; } } let y = x; }",
    "the other branch returns": "fn t() { let x: u64; if cond() { return; } else { x = 1; } let y = x; }",
    "`else` of let leaves": "fn t(o: Option<u64>) -> u64 { let Some(x) = o else { return 0; }; x }",
    # Mutability.
    "a `mut` parameter": "fn t(mut x: u64) { x = 2; }",
    "through a mutable reference": "fn t(s: &mut S) { s.n = 2; s.v.push(1); grow(&mut s.v); s.set(3); }",
    "an element of a `mut` vector": "fn t(mut v: Vec<u64>) { v[0] = 1; }",
    "a ghost variable that is `mut`": "fn t() { let ghost mut g = 1int; proof { g = 2; } }",
    "a ghost `mut` variable without a value": "fn t() { let ghost mut g: int; proof { g = 2; } }",
    # Borrows.
    "two fields at once": "fn t(mut s: S) { two(&mut s.v, &mut s.w); }",
    "two vectors at once": "fn t(mut v: Vec<u64>, mut w: Vec<u64>) { two(&mut v, &mut w); }",
    "a receiver may be read by the arguments": "fn t(mut v: Vec<u64>) { v.push(look(&v)); v.push(v[0]); }",
    "a mutable reference is lent on": "fn t(v: &mut Vec<u64>) { grow(v); look(v); grow(v); }",
    "used before the change": "fn t(mut v: Vec<u64>) { let x = &v[0]; let y = *x; v.push(1); }",
    "a result used before the change": "fn t(mut v: Vec<u64>) { let x = pick(&v); let y = *x; v.push(1); }",
    "another field changes": "fn t(mut s: S) { let x = &s.v; s.n = 3; look(x); }",
    "the reference is set anew": (
        "fn t(mut a: Vec<u64>) { let b = mk(); let mut r = &a; r = &b; a.push(1); look(r); }"
    ),
    "the temporary ends with the statement": "fn t() { let y = *pick(&mk()); }",
    "the parameter's own element": "fn t(v: &Vec<u64>) -> &u64 { &v[0] }",
    "the result borrows from self": "impl S { fn first(&self, o: &S) -> &Vec<u64> { &self.v } }",
    "a vector of references": (
        "fn t(mut x: u64) { let mut r: Vec<&u64> = Vec::new(); r.push(&x); let y = *r[0]; x = 3; }"
    ),
    "a static text": 'fn t() -> &\'static str { "abc" }',
    "lifetimes that agree": "fn t<'a>(x: &'a u8, y: &'a u8) -> &'a u8 { if cond() { x } else { y } }",
}

REFUSED = {
    # Moves.
    "use after a move": ("fn t(v: Vec<u64>) -> u64 { let w = v; look(&v) }", "rejected: use of moved value"),
    "moved twice in one expression": (
        "fn t(v: Vec<u64>) -> u64 { eat(v) + eat(v) }",
        "rejected: use of moved",
    ),
    "moved on one branch": (
        "fn t(v: Vec<u64>) { if cond() { eat(v); } look(&v); }",
        "rejected: use of moved",
    ),
    "moved in each round": ("fn t(v: Vec<u64>) { while cond() { eat(v); } }", "rejected: use of moved"),
    "moved before `continue`": (
        "fn t(v: Vec<u64>) { loop { if cond() { eat(v); continue; } break; } }",
        "rejected: use of moved",
    ),
    "moved in an inner loop that goes on with the outer": (
        "fn t(a: Vec<u64>) { 'o: while cond() { while cond() { if cond() { eat(a); continue 'o; } } } }",
        "rejected: use of moved",
    ),
    "moved in a condition": (
        "fn t(v: Vec<u64>, b: bool) { if b && eat(v) > 0 { } look(&v); }",
        "rejected: use of moved",
    ),
    "moved in one arm": (
        "fn t(v: Vec<u64>, o: Option<u64>) { match o { Some(x) => { eat(v); } None => {} } look(&v); }",
        "rejected: use of moved",
    ),
    "moved in a guard": (
        "fn t(v: Vec<u64>, o: Option<u64>) { match o { Some(x) if eat(v) > x => {} _ => { look(&v); } } }",
        "unsupported: a guard that moves",
    ),
    "the whole after a part": ("fn t(mut s: S) { let v = s.v; s.get(); }", "rejected: use of moved"),
    "a part twice": ("fn t(s: S) -> (Vec<u64>, Vec<u64>) { (s.v, s.v) }", "rejected: use of moved"),
    "a field of something moved is set": (
        "fn t(mut s: S) { s.take(); s.n = 1; }",
        "rejected: assign to part of moved",
    ),
    "what an update takes is gone": (
        "fn t(s: S) -> Vec<u64> { let q = S { v: mk(), ..s }; s.w }",
        "rejected: use of moved",
    ),
    "a receiver by value is gone": ("fn t(s: S) { s.take(); s.take(); }", "rejected: use of moved"),
    "a parameter without Copy": ("fn t<T>(x: T) -> (T, T) { (x, x) }", "rejected: use of moved"),
    "out of an element": (
        "fn t(v: Vec<Vec<u64>>) { let w = v[0]; }",
        "rejected: cannot move out of an element",
    ),
    "out of a field behind a reference": ("fn t(s: &S) { let v = s.v; }", "rejected: cannot move out of `s`"),
    "out of a mutable reference": ("fn t(s: &mut S) -> S { *s }", "rejected: cannot move out of `s`"),
    "by value behind a reference": ("fn t(s: &S) { s.take(); }", "rejected: cannot move out of a reference"),
    "a pattern behind a reference": (
        "fn t(o: &Option<Vec<u64>>) { match *o { Some(v) => { eat(v); } None => {} } }",
        "rejected: cannot move out of `o`",
    ),
    "a reference pattern": (
        "fn t(p: &(u64, Vec<u64>)) { let &(a, b) = p; }",
        "rejected: cannot move out of a ref",
    ),
    "a pattern took a part": (
        "fn t(o: Option<Vec<u64>>) { match o { Some(v) => {} None => {} } match o { None => {} Some(w) => {} } }",
        "rejected: use of moved",
    ),
    "the box is gone": ("fn t(b: Box<Vec<u64>>) { eat(*b); look(&b); }", "rejected: use of moved"),
    # Initialisation.
    "set on one branch": (
        "fn t() { let x: u64; if cond() { x = 1; } let y = x; }",
        "rejected: used binding `x` is possibly-uninit",
    ),
    "set twice": ("fn t() { let x: u64; x = 1; x = 2; }", "rejected: cannot assign twice"),
    "set in each round": ("fn t() { let x: u64; while cond() { x = 1; } }", "rejected: cannot assign twice"),
    "`else` of let falls through": (
        "fn t(o: Option<u64>) { let Some(x) = o else { let y = 1u64; }; }",
        "rejected",
    ),
    # Mutability.
    "a parameter is no variable": ("fn t(x: u64) { x = 2; }", "rejected: cannot assign twice"),
    "a `let` without mut": ("fn t() { let x = 1u64; x = 2; }", "rejected: cannot assign twice"),
    "a loop variable": ("fn t() { for i in 0..10u64 { i = 3; } }", "rejected: cannot assign twice"),
    "a field of a value that is not mut": ("fn t(s: S) { s.n = 2; }", "rejected: cannot change `s`"),
    "an element of a vector that is not mut": (
        "fn t(v: Vec<u64>) { v[0] = 1; }",
        "rejected: cannot change `v`",
    ),
    "a method that changes": ("fn t(s: S) { s.set(3); }", "rejected: cannot change `s`"),
    "lent mutably without being mut": ("fn t(x: u64) { inc(&mut x); }", "rejected: cannot change `x`"),
    "through a shared reference": (
        "fn t(x: &u64) { *x = 2; }",
        "rejected: cannot change `x`, which is behind",
    ),
    "a field behind a shared reference": (
        "fn t(s: &S) { s.v.push(1); }",
        "rejected: cannot change `s`, which is",
    ),
    "a method through a shared reference": (
        "fn t(s: &S) { s.set(3); }",
        "rejected: cannot change `s`, which is",
    ),
    "a shared reference lent mutably": ("fn t(v: &Vec<u64>) { v.push(1); }", "rejected: cannot change `v`"),
    "a ghost variable without mut": (
        "fn t() { let ghost g = 1int; proof { g = 2; } }",
        "rejected: cannot change `g`",
    ),
    "a ghost variable that never gets a value": (
        "fn t() { let ghost g: int; }",
        "rejected: the ghost variable",
    ),
    # Borrows.
    "one place lent twice": ("fn t(mut v: Vec<u64>) { two(&mut v, &mut v); }", "rejected: cannot use `v`"),
    "one field lent twice": ("fn t(mut s: S) { two(&mut s.v, &mut s.v); }", "rejected: cannot use `s`"),
    "lent both ways": ("fn t(mut v: Vec<u64>) { mixed(&v, &mut v); }", "rejected: cannot borrow `v` twice"),
    "read after being lent mutably": (
        "fn by(v: &mut Vec<u64>, n: u64) {} fn t(mut v: Vec<u64>) { by(&mut v, look(&v)); }",
        "rejected: cannot use `v`",
    ),
    "an argument borrows from the receiver": (
        "fn t(mut s: S) { s.both(&s.v); }",
        "rejected: cannot borrow `s`",
    ),
    "an argument changes the receiver": (
        "fn t(mut v: Vec<u64>) { v.push({ v.push(1); 2 }); }",
        "rejected: cannot change or move `v`",
    ),
    "changed while borrowed": (
        "fn t(mut v: Vec<u64>) { let x = &v[0]; v.push(1); let y = *x; }",
        "rejected: `x` borrows from something that has changed",
    ),
    "changed while a result borrows from it": (
        "fn t(mut v: Vec<u64>) { let x = pick(&v); v.push(1); let y = *x; }",
        "rejected: `x` borrows",
    ),
    "moved while borrowed": ("fn t(v: Vec<u64>) { let x = &v; eat(v); look(x); }", "rejected: `x` borrows"),
    "the borrowed field changes": (
        "fn t(mut s: S) { let x = &s.v; s.v = mk(); look(x); }",
        "rejected: `x` borrows",
    ),
    "one of two owners changes": (
        "fn t(a: &Vec<u64>, mut b: Vec<u64>) { let r = if cond() { a } else { &b }; b.push(1); look(r); }",
        "rejected: `r` borrows",
    ),
    "changed in the round before": (
        "fn t(mut a: Vec<u64>) { let b = mk(); let mut r = &b; while cond() { look(r); r = &a; a.push(1); } }",
        "rejected: `r` borrows",
    ),
    "in an option": (
        "fn t() { let mut x = 5u64; let o = Some(&x); x = 6; match o { Some(y) => { let z = *y; } None => {} } }",
        "rejected: `o` borrows",
    ),
    "in a vector": (
        "fn t(mut x: u64) { let mut r: Vec<&u64> = Vec::new(); r.push(&x); x = 3; let y = *r[0]; }",
        "rejected: `r` borrows",
    ),
    "in a vector that outlives it": (
        "fn t() { let mut r: Vec<&u64> = Vec::new(); { let y = 3u64; r.push(&y); } let z = *r[0]; }",
        "rejected: `r` borrows",
    ),
    "kept by a parameter": (
        "fn t(v: &mut Vec<&u64>, x: &u64) { v.push(x); }",
        "unsupported: a reference that `v`, a parameter, may keep",
    ),
    "a parameter points to a local": (
        "fn t(mut q: &Vec<u64>) { let w = mk(); q = &w; look(q); }",
        "rejected: `q`, a parameter, would point",
    ),
    "the owner ends first": ("fn t() { let r; { let x = mk(); r = &x; } look(r); }", "rejected: `r` borrows"),
    "a reference to a local is returned": ("fn t(x: u64) -> &u64 { &x }", "rejected"),
    "a reference into a local is returned": (
        "fn t(v: &Vec<u64>) -> &u64 { let w = mk(); pick(&w) }",
        "rejected: `w` does not live long enough",
    ),
    "two candidates for the lifetime in one type": (
        "fn t(p: (&u64, &u64)) -> &u64 { p.0 }",
        "rejected: missing lifetime",
    ),
    "two candidates for the lifetime": (
        "fn t(v: &Vec<u64>, w: &Vec<u64>) -> &u64 { &v[0] }",
        "rejected: missing lifetime",
    ),
    "the result borrows from the other parameter": (
        "impl S { fn other(&self, o: &S) -> &Vec<u64> { &o.v } }",
        "rejected: cannot return a value that borrows from `o`",
    ),
    "lifetimes that differ": (
        "fn t<'a, 'b>(x: &'a u8, y: &'b u8) -> &'a u8 { if cond() { x } else { y } }",
        "rejected: cannot return",
    ),
    "a lifetime that nothing declares": (
        "fn t(x: &'a u8) -> &'a u8 { x }",
        "rejected: use of undeclared lifetime",
    ),
    "a reference to a temporary is kept": (
        "fn t() { let r = pick(&mk()); let y = *r; }",
        "unsupported: a reference into a value without a name",
    ),
    "mutable references in variables are outside of the subset": (
        "fn t(mut x: u64) { let y = &mut x; }",
        "unsupported",
    ),
    # Leaving loops.
    "`break` outside of a loop": ("fn t() { break; }", "rejected"),
    "`break` to no loop": ("fn t() { loop { break 'b; } }", "rejected"),
    "`break` with a value from `while`": ("fn t() { while cond() { break 3u64; } }", "rejected"),
}


@pytest.mark.parametrize("program", ACCEPTED.values(), ids=ACCEPTED)
def test_the_borrow_checker_accepts(program: str) -> None:
    assert verdict(SETUP + program, DIALECT) == "accepted"


@pytest.mark.parametrize(("program", "expected"), REFUSED.values(), ids=REFUSED)
def test_the_borrow_checker_refuses(program: str, expected: str) -> None:
    assert verdict(SETUP + program, DIALECT).startswith(expected)


def test_deeply_nested_loops_end() -> None:
    # Every round of a loop follows the loops inside of it again: without a bound this takes 2^40 rounds.
    program = "fn t(v: Vec<u64>) { " + "while cond() { let a = mk(); " * 40 + "}" * 41
    assert verdict(SETUP + program, DIALECT).startswith(("accepted", "unsupported"))
