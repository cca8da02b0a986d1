Every way in which a loop changes a variable: behind the loop, and in its next turn, the old value is not known.

//@ untouched | verified | what no turn touches keeps its value
fn f() {
    let a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { i = i + 1; }
    assert(a == 1);
}

//@ shadowed_inside | verified | the inner a is another variable
fn f() {
    let a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { let mut a: u8 = 7; a = 8; i = i + 1; }
    assert(a == 1);
}

//@ assignment | failed | the turns may have changed it
fn f() {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { a = 2; i = i + 1; }
    assert(a == 1); // FAILS
}

//@ assignment_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f() {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(a == 1); // FAILS
        a = 2; i = i + 1;
    }
}

//@ operator | failed | the turns may have changed it
fn f() {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { if a < 100 { a += 1; } i = i + 1; }
    assert(a == 1); // FAILS
}

//@ operator_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f() {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(a == 1); // FAILS
        if a < 100 { a += 1; } i = i + 1;
    }
}

//@ field | failed | the turns may have changed it
pub struct P { pub x: u8, pub v: Vec<u8>, pub t: (u8, u8) }
impl P { fn bump(&mut self) { self.x = 3; } }
fn f() {
    let mut p = P { x: 1, v: Vec::new(), t: (1, 1) };
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { p.x = 2; i = i + 1; }
    assert(p.x == 1); // FAILS
}

//@ field_in_the_next_turn | failed | an earlier turn may have changed it
pub struct P { pub x: u8, pub v: Vec<u8>, pub t: (u8, u8) }
impl P { fn bump(&mut self) { self.x = 3; } }
#[verifier::loop_isolation(false)]
fn f() {
    let mut p = P { x: 1, v: Vec::new(), t: (1, 1) };
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(p.x == 1); // FAILS
        p.x = 2; i = i + 1;
    }
}

//@ field_of_a_tuple | failed | the turns may have changed it
pub struct P { pub x: u8, pub v: Vec<u8>, pub t: (u8, u8) }
impl P { fn bump(&mut self) { self.x = 3; } }
fn f() {
    let mut p = P { x: 1, v: Vec::new(), t: (1, 1) };
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { p.t.0 = 2; i = i + 1; }
    assert(p.t.0 == 1); // FAILS
}

//@ field_of_a_tuple_in_the_next_turn | failed | an earlier turn may have changed it
pub struct P { pub x: u8, pub v: Vec<u8>, pub t: (u8, u8) }
impl P { fn bump(&mut self) { self.x = 3; } }
#[verifier::loop_isolation(false)]
fn f() {
    let mut p = P { x: 1, v: Vec::new(), t: (1, 1) };
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(p.t.0 == 1); // FAILS
        p.t.0 = 2; i = i + 1;
    }
}

//@ tuple | failed | the turns may have changed it
fn f() {
    let mut a: (u8, u8) = (1, 1);
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { a.1 = 2; i = i + 1; }
    assert(a.1 == 1); // FAILS
}

//@ tuple_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f() {
    let mut a: (u8, u8) = (1, 1);
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(a.1 == 1); // FAILS
        a.1 = 2; i = i + 1;
    }
}

//@ element | failed | the turns may have changed it
fn f() {
    let mut v: Vec<u8> = vec![1, 1];
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { if v.len() > 0 { v[0] = 2; } i = i + 1; }
    assert(v@[0] == 1); // FAILS
}

//@ element_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f() {
    let mut v: Vec<u8> = vec![1, 1];
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(v@[0] == 1); // FAILS
        if v.len() > 0 { v[0] = 2; } i = i + 1;
    }
}

//@ element_of_a_field | failed | the turns may have changed it
pub struct P { pub x: u8, pub v: Vec<u8>, pub t: (u8, u8) }
impl P { fn bump(&mut self) { self.x = 3; } }
fn f() {
    let mut p = P { x: 1, v: vec![1, 1], t: (1, 1) };
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { if p.v.len() > 0 { p.v[0] = 2; } i = i + 1; }
    assert(p.v@[0] == 1); // FAILS
}

//@ element_of_a_field_in_the_next_turn | failed | an earlier turn may have changed it
pub struct P { pub x: u8, pub v: Vec<u8>, pub t: (u8, u8) }
impl P { fn bump(&mut self) { self.x = 3; } }
#[verifier::loop_isolation(false)]
fn f() {
    let mut p = P { x: 1, v: vec![1, 1], t: (1, 1) };
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(p.v@[0] == 1); // FAILS
        if p.v.len() > 0 { p.v[0] = 2; } i = i + 1;
    }
}

//@ push | failed | the turns may have changed it
fn f() {
    let mut v: Vec<u8> = vec![1];
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { v.push(2); i = i + 1; }
    assert(v@.len() == 1); // FAILS
}

//@ push_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f() {
    let mut v: Vec<u8> = vec![1];
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(v@.len() == 1); // FAILS
        v.push(2); i = i + 1;
    }
}

//@ pop | failed | the turns may have changed it
fn f() {
    let mut v: Vec<u8> = vec![1];
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { let x = v.pop(); i = i + 1; }
    assert(v@.len() == 1); // FAILS
}

//@ pop_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f() {
    let mut v: Vec<u8> = vec![1];
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(v@.len() == 1); // FAILS
        let x = v.pop(); i = i + 1;
    }
}

//@ set | failed | the turns may have changed it
fn f() {
    let mut v: Vec<u8> = vec![1];
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { if v.len() > 0 { v.set(0, 2); } i = i + 1; }
    assert(v@[0] == 1); // FAILS
}

//@ set_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f() {
    let mut v: Vec<u8> = vec![1];
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(v@[0] == 1); // FAILS
        if v.len() > 0 { v.set(0, 2); } i = i + 1;
    }
}

//@ clear | failed | the turns may have changed it
fn f() {
    let mut v: Vec<u8> = vec![1];
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { v.clear(); i = i + 1; }
    assert(v@.len() == 1); // FAILS
}

//@ clear_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f() {
    let mut v: Vec<u8> = vec![1];
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(v@.len() == 1); // FAILS
        v.clear(); i = i + 1;
    }
}

//@ insert | failed | the turns may have changed it
fn f() {
    let mut v: Vec<u8> = vec![1];
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { v.insert(0, 2); i = i + 1; }
    assert(v@[0] == 1); // FAILS
}

//@ insert_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f() {
    let mut v: Vec<u8> = vec![1];
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(v@[0] == 1); // FAILS
        v.insert(0, 2); i = i + 1;
    }
}

//@ remove | failed | the turns may have changed it
fn f() {
    let mut v: Vec<u8> = vec![1];
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { if v.len() > 0 { let x = v.remove(0); } i = i + 1; }
    assert(v@.len() == 1); // FAILS
}

//@ remove_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f() {
    let mut v: Vec<u8> = vec![1];
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(v@.len() == 1); // FAILS
        if v.len() > 0 { let x = v.remove(0); } i = i + 1;
    }
}

//@ swap | failed | the turns may have changed it
fn f() {
    let mut v: Vec<u8> = vec![1, 2];
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { if v.len() > 1 { v.swap(0, 1); } i = i + 1; }
    assert(v@[0] == 1); // FAILS
}

//@ swap_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f() {
    let mut v: Vec<u8> = vec![1, 2];
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(v@[0] == 1); // FAILS
        if v.len() > 1 { v.swap(0, 1); } i = i + 1;
    }
}

//@ truncate | failed | the turns may have changed it
fn f() {
    let mut v: Vec<u8> = vec![1];
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { v.truncate(0); i = i + 1; }
    assert(v@.len() == 1); // FAILS
}

//@ truncate_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f() {
    let mut v: Vec<u8> = vec![1];
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(v@.len() == 1); // FAILS
        v.truncate(0); i = i + 1;
    }
}

//@ append | failed | the turns may have changed it
fn f() {
    let mut v: Vec<u8> = vec![1]; let mut w: Vec<u8> = vec![1];
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { v.append(&mut w); i = i + 1; }
    assert(w@.len() == 1); // FAILS
}

//@ append_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f() {
    let mut v: Vec<u8> = vec![1]; let mut w: Vec<u8> = vec![1];
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(w@.len() == 1); // FAILS
        v.append(&mut w); i = i + 1;
    }
}

//@ extend | failed | the turns may have changed it
fn f() {
    let mut v: Vec<u8> = vec![1]; let w: Vec<u8> = vec![1];
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { v.extend_from_slice(w.as_slice()); i = i + 1; }
    assert(v@.len() == 1); // FAILS
}

//@ extend_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f() {
    let mut v: Vec<u8> = vec![1]; let w: Vec<u8> = vec![1];
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(v@.len() == 1); // FAILS
        v.extend_from_slice(w.as_slice()); i = i + 1;
    }
}

//@ push_on_a_field | failed | the turns may have changed it
pub struct P { pub x: u8, pub v: Vec<u8>, pub t: (u8, u8) }
impl P { fn bump(&mut self) { self.x = 3; } }
fn f() {
    let mut p = P { x: 1, v: vec![1], t: (1, 1) };
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { p.v.push(2); i = i + 1; }
    assert(p.v@.len() == 1); // FAILS
}

//@ push_on_a_field_in_the_next_turn | failed | an earlier turn may have changed it
pub struct P { pub x: u8, pub v: Vec<u8>, pub t: (u8, u8) }
impl P { fn bump(&mut self) { self.x = 3; } }
#[verifier::loop_isolation(false)]
fn f() {
    let mut p = P { x: 1, v: vec![1], t: (1, 1) };
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(p.v@.len() == 1); // FAILS
        p.v.push(2); i = i + 1;
    }
}

//@ lent | failed | the turns may have changed it
fn take(x: &mut u8) { *x = 3; }
fn f() {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { take(&mut a); i = i + 1; }
    assert(a == 1); // FAILS
}

//@ lent_in_the_next_turn | failed | an earlier turn may have changed it
fn take(x: &mut u8) { *x = 3; }
#[verifier::loop_isolation(false)]
fn f() {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(a == 1); // FAILS
        take(&mut a); i = i + 1;
    }
}

//@ lent_field | failed | the turns may have changed it
pub struct P { pub x: u8, pub v: Vec<u8>, pub t: (u8, u8) }
impl P { fn bump(&mut self) { self.x = 3; } }
fn take(x: &mut u8) { *x = 3; }
fn f() {
    let mut p = P { x: 1, v: Vec::new(), t: (1, 1) };
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { take(&mut p.x); i = i + 1; }
    assert(p.x == 1); // FAILS
}

//@ lent_field_in_the_next_turn | failed | an earlier turn may have changed it
pub struct P { pub x: u8, pub v: Vec<u8>, pub t: (u8, u8) }
impl P { fn bump(&mut self) { self.x = 3; } }
fn take(x: &mut u8) { *x = 3; }
#[verifier::loop_isolation(false)]
fn f() {
    let mut p = P { x: 1, v: Vec::new(), t: (1, 1) };
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(p.x == 1); // FAILS
        take(&mut p.x); i = i + 1;
    }
}

//@ lent_vector_of_a_field | failed | the turns may have changed it
pub struct P { pub x: u8, pub v: Vec<u8>, pub t: (u8, u8) }
impl P { fn bump(&mut self) { self.x = 3; } }
fn grow(v: &mut Vec<u8>) { v.push(1); }
fn f() {
    let mut p = P { x: 1, v: vec![1], t: (1, 1) };
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { grow(&mut p.v); i = i + 1; }
    assert(p.v@.len() == 1); // FAILS
}

//@ lent_vector_of_a_field_in_the_next_turn | failed | an earlier turn may have changed it
pub struct P { pub x: u8, pub v: Vec<u8>, pub t: (u8, u8) }
impl P { fn bump(&mut self) { self.x = 3; } }
fn grow(v: &mut Vec<u8>) { v.push(1); }
#[verifier::loop_isolation(false)]
fn f() {
    let mut p = P { x: 1, v: vec![1], t: (1, 1) };
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(p.v@.len() == 1); // FAILS
        grow(&mut p.v); i = i + 1;
    }
}

//@ method | failed | the turns may have changed it
pub struct P { pub x: u8, pub v: Vec<u8>, pub t: (u8, u8) }
impl P { fn bump(&mut self) { self.x = 3; } }
fn f() {
    let mut p = P { x: 1, v: Vec::new(), t: (1, 1) };
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { p.bump(); i = i + 1; }
    assert(p.x == 1); // FAILS
}

//@ method_in_the_next_turn | failed | an earlier turn may have changed it
pub struct P { pub x: u8, pub v: Vec<u8>, pub t: (u8, u8) }
impl P { fn bump(&mut self) { self.x = 3; } }
#[verifier::loop_isolation(false)]
fn f() {
    let mut p = P { x: 1, v: Vec::new(), t: (1, 1) };
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(p.x == 1); // FAILS
        p.bump(); i = i + 1;
    }
}

//@ in_a_branch | failed | the turns may have changed it
fn f(b: bool) {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { if b { a = 2; } i = i + 1; }
    assert(a == 1); // FAILS
}

//@ in_a_branch_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f(b: bool) {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(a == 1); // FAILS
        if b { a = 2; } i = i + 1;
    }
}

//@ in_the_other_branch | failed | the turns may have changed it
fn f(b: bool) {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { if b { } else { a = 2; } i = i + 1; }
    assert(a == 1); // FAILS
}

//@ in_the_other_branch_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f(b: bool) {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(a == 1); // FAILS
        if b { } else { a = 2; } i = i + 1;
    }
}

//@ in_an_arm | failed | the turns may have changed it
fn f(o: Option<u8>) {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { match o { Some(x) => { a = x; } None => { } } i = i + 1; }
    assert(a == 1); // FAILS
}

//@ in_an_arm_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f(o: Option<u8>) {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(a == 1); // FAILS
        match o { Some(x) => { a = x; } None => { } } i = i + 1;
    }
}

//@ in_if_let | failed | the turns may have changed it
fn f(o: Option<u8>) {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { if let Some(x) = o { a = x; } i = i + 1; }
    assert(a == 1); // FAILS
}

//@ in_if_let_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f(o: Option<u8>) {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(a == 1); // FAILS
        if let Some(x) = o { a = x; } i = i + 1;
    }
}

//@ in_a_block | failed | the turns may have changed it
fn f() {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { { { a = 2; } } i = i + 1; }
    assert(a == 1); // FAILS
}

//@ in_a_block_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f() {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(a == 1); // FAILS
        { { a = 2; } } i = i + 1;
    }
}

//@ in_a_block_that_is_a_value | failed | the turns may have changed it
fn f() {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { let x: u8 = { a = 2; 3 }; i = i + 1; }
    assert(a == 1); // FAILS
}

//@ in_a_block_that_is_a_value_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f() {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(a == 1); // FAILS
        let x: u8 = { a = 2; 3 }; i = i + 1;
    }
}

//@ in_an_argument | failed | the turns may have changed it
fn take(x: &mut u8) { *x = 3; }
fn value(x: &mut u8) -> u8 { *x = 3; 3 }
fn f() {
    let mut a: u8 = 1; let mut c: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { take(&mut c); let x = value(&mut a); i = i + 1; }
    assert(a == 1); // FAILS
}

//@ in_an_argument_in_the_next_turn | failed | an earlier turn may have changed it
fn take(x: &mut u8) { *x = 3; }
fn value(x: &mut u8) -> u8 { *x = 3; 3 }
#[verifier::loop_isolation(false)]
fn f() {
    let mut a: u8 = 1; let mut c: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(a == 1); // FAILS
        take(&mut c); let x = value(&mut a); i = i + 1;
    }
}

//@ in_a_condition | failed | the turns may have changed it
fn step(x: &mut u8) -> bool { *x = 3; false }
fn f() {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { if step(&mut a) { } i = i + 1; }
    assert(a == 1); // FAILS
}

//@ in_a_condition_in_the_next_turn | failed | an earlier turn may have changed it
fn step(x: &mut u8) -> bool { *x = 3; false }
#[verifier::loop_isolation(false)]
fn f() {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(a == 1); // FAILS
        if step(&mut a) { } i = i + 1;
    }
}

//@ in_an_operand | failed | the turns may have changed it
fn step(x: &mut u8) -> bool { *x = 3; false }
fn f(b: bool) {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { let x = b && step(&mut a); i = i + 1; }
    assert(a == 1); // FAILS
}

//@ in_an_operand_in_the_next_turn | failed | an earlier turn may have changed it
fn step(x: &mut u8) -> bool { *x = 3; false }
#[verifier::loop_isolation(false)]
fn f(b: bool) {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(a == 1); // FAILS
        let x = b && step(&mut a); i = i + 1;
    }
}

//@ in_an_inner_loop | failed | the turns may have changed it
fn f() {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { let mut j: u8 = 0; while j < 2 invariant j <= 2 decreases 2 - j { a = 2; j = j + 1; } i = i + 1; }
    assert(a == 1); // FAILS
}

//@ in_an_inner_loop_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f() {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(a == 1); // FAILS
        let mut j: u8 = 0; while j < 2 invariant j <= 2 decreases 2 - j { a = 2; j = j + 1; } i = i + 1;
    }
}

//@ in_an_inner_for | failed | the turns may have changed it
fn f() {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { for j in 0..2u8 { a = 2; } i = i + 1; }
    assert(a == 1); // FAILS
}

//@ in_an_inner_for_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f() {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(a == 1); // FAILS
        for j in 0..2u8 { a = 2; } i = i + 1;
    }
}

//@ in_an_inner_condition | failed | the turns may have changed it
fn step(x: &mut u8) -> bool { *x = 3; false }
fn f() {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { while step(&mut a) invariant true decreases 0int { break; } i = i + 1; }
    assert(a == 1); // FAILS
}

//@ in_an_inner_condition_in_the_next_turn | failed | an earlier turn may have changed it
fn step(x: &mut u8) -> bool { *x = 3; false }
#[verifier::loop_isolation(false)]
fn f() {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(a == 1); // FAILS
        while step(&mut a) invariant true decreases 0int { break; } i = i + 1;
    }
}

//@ ghost | failed | the turns may have changed it
fn f() {
    let ghost mut a: int = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { proof { a = 2; } i = i + 1; }
    assert(a == 1); // FAILS
}

//@ ghost_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f() {
    let ghost mut a: int = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(a == 1); // FAILS
        proof { a = 2; } i = i + 1;
    }
}

//@ ghost_in_a_branch | failed | the turns may have changed it
fn f(b: bool) {
    let ghost mut a: int = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { proof { if b { a = 2; } } i = i + 1; }
    assert(a == 1); // FAILS
}

//@ ghost_in_a_branch_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f(b: bool) {
    let ghost mut a: int = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(a == 1); // FAILS
        proof { if b { a = 2; } } i = i + 1;
    }
}

//@ through_a_reference | failed | the turns may have changed it
fn f(a: &mut u8) {
    *a = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { *a = 2; i = i + 1; }
    assert(*a == 1); // FAILS
}

//@ through_a_reference_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f(a: &mut u8) {
    *a = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(*a == 1); // FAILS
        *a = 2; i = i + 1;
    }
}

//@ element_through_a_reference | failed | the turns may have changed it
fn f(v: &mut Vec<u8>) {
    v.clear(); v.push(1);
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { if v.len() > 0 { v[0] = 2; } i = i + 1; }
    assert(v@[0] == 1); // FAILS
}

//@ element_through_a_reference_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f(v: &mut Vec<u8>) {
    v.clear(); v.push(1);
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(v@[0] == 1); // FAILS
        if v.len() > 0 { v[0] = 2; } i = i + 1;
    }
}

//@ field_through_a_reference | failed | the turns may have changed it
pub struct P { pub x: u8, pub v: Vec<u8>, pub t: (u8, u8) }
impl P { fn bump(&mut self) { self.x = 3; } }
fn f(p: &mut P) {
    p.x = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { p.x = 2; i = i + 1; }
    assert(p.x == 1); // FAILS
}

//@ field_through_a_reference_in_the_next_turn | failed | an earlier turn may have changed it
pub struct P { pub x: u8, pub v: Vec<u8>, pub t: (u8, u8) }
impl P { fn bump(&mut self) { self.x = 3; } }
#[verifier::loop_isolation(false)]
fn f(p: &mut P) {
    p.x = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(p.x == 1); // FAILS
        p.x = 2; i = i + 1;
    }
}

//@ reference_handed_on | failed | the turns may have changed it
fn take(x: &mut u8) { *x = 3; }
fn f(a: &mut u8) {
    *a = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { take(a); i = i + 1; }
    assert(*a == 1); // FAILS
}

//@ reference_handed_on_in_the_next_turn | failed | an earlier turn may have changed it
fn take(x: &mut u8) { *x = 3; }
#[verifier::loop_isolation(false)]
fn f(a: &mut u8) {
    *a = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(*a == 1); // FAILS
        take(a); i = i + 1;
    }
}

//@ vector_handed_on | failed | the turns may have changed it
fn grow(v: &mut Vec<u8>) { v.push(1); }
fn f(v: &mut Vec<u8>) {
    v.clear();
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { grow(v); i = i + 1; }
    assert(v@.len() == 0); // FAILS
}

//@ vector_handed_on_in_the_next_turn | failed | an earlier turn may have changed it
fn grow(v: &mut Vec<u8>) { v.push(1); }
#[verifier::loop_isolation(false)]
fn f(v: &mut Vec<u8>) {
    v.clear();
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(v@.len() == 0); // FAILS
        grow(v); i = i + 1;
    }
}

//@ behind_continue | failed | the turns may have changed it
fn f() {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i { if i == 1 { a = 2; i = i + 1; continue; } i = i + 1; }
    assert(a == 1); // FAILS
}

//@ behind_continue_in_the_next_turn | failed | an earlier turn may have changed it
#[verifier::loop_isolation(false)]
fn f() {
    let mut a: u8 = 1;
    let mut i: u8 = 0;
    while i < 3 invariant i <= 3 decreases 3 - i {
        assert(a == 1); // FAILS
        if i == 1 { a = 2; i = i + 1; continue; } i = i + 1;
    }
}
