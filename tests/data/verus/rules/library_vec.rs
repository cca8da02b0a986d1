Vectors, slices and arrays.

//@ new_is_empty | verified | no elements
fn f() { let v: Vec<u8> = Vec::new(); assert(v.len() == 0); assert(v@ == Seq::<u8>::empty()); }

//@ new_is_empty_wrong | failed | no elements
fn f() {
    let v: Vec<u8> = Vec::new();
    assert(v.len() == 1); // FAILS
}

//@ with_capacity_is_empty | verified | room is no element
fn f() { let v: Vec<u8> = Vec::with_capacity(10); assert(v.len() == 0); }

//@ with_capacity_wrong | failed | room is no element
fn f() {
    let v: Vec<u8> = Vec::with_capacity(10);
    assert(v.len() == 10); // FAILS
}

//@ len | verified | the length of the view
fn f(v: &Vec<u8>) -> (n: usize) ensures n == v.len(), n == v@.len() { v.len() }

//@ len_wrong | failed | unknown
fn f(v: &Vec<u8>) -> (n: usize)
    ensures n > 0 // FAILS
{ v.len() }

//@ index_read | verified | the element of the view
fn f(v: &Vec<u8>) -> (x: u8) requires v.len() > 1 ensures x == v@[1], x == v[1] { v[1] }

//@ index_read_out_of_range | failed | one element has index 0
fn f(v: &Vec<u8>) -> u8 requires v.len() == 1 {
    v[1] // FAILS
}

//@ set | verified | an assignment by method
fn f(v: &mut Vec<u8>) requires old(v).len() > 1 ensures final(v)@ == old(v)@.update(1, 7) { v.set(1, 7); }

//@ set_out_of_range | failed | one element has index 0
fn f(v: &mut Vec<u8>) requires old(v).len() == 1 {
    v.set(1, 7); // FAILS
}

//@ push | verified | one more at the end
fn f() { let mut v: Vec<u8> = Vec::new(); v.push(4); v.push(5); assert(v.len() == 2); assert(v[0] == 4 && v[1] == 5); assert(v@ == seq![4u8, 5u8]); }

//@ push_wrong | failed | 5 stands at 1
fn f() {
    let mut v: Vec<u8> = Vec::new();
    v.push(4);
    v.push(5);
    assert(v[0] == 5); // FAILS
}

//@ pop | verified | the last one, or None
fn f() { let mut v: Vec<u8> = Vec::new(); v.push(4); let x = v.pop(); assert(x == Some(4u8)); assert(v.len() == 0); }

//@ pop_of_nothing | failed | an unknown vector may be empty
fn f(v: &mut Vec<u8>) -> (r: Option<u8>)
    ensures r is Some // FAILS
{ v.pop() }

//@ pop_keeps_the_rest | verified | without the last
fn f(v: &mut Vec<u8>) requires old(v).len() > 0 ensures final(v)@ == old(v)@.drop_last() { let x = v.pop(); }

//@ clone | verified | equal views
fn f(v: &Vec<u8>) -> (w: Vec<u8>) ensures w@ == v@ { v.clone() }

//@ clone_is_another_vector | failed | equal views, not equal vectors
fn f(v: &Vec<u8>) -> (w: Vec<u8>)
    ensures w == *v // FAILS
{ v.clone() }

//@ clear | verified | nothing left
fn f(v: &mut Vec<u8>) ensures final(v).len() == 0 { v.clear(); }

//@ clear_wrong | failed | nothing left
fn f(v: &mut Vec<u8>)
    ensures final(v).len() == old(v).len() // FAILS
{ v.clear(); }

//@ is_empty | verified | length 0
fn f(v: &Vec<u8>) -> (r: bool) ensures r == (v.len() == 0) { v.is_empty() }

//@ truncate | verified | the first n
fn f(v: &mut Vec<u8>) requires old(v).len() > 3 ensures final(v)@ == old(v)@.take(2) { v.truncate(2); }

//@ truncate_wrong | failed | two are left
fn f(v: &mut Vec<u8>)
    requires old(v).len() > 3
    ensures final(v).len() == 3 // FAILS
{ v.truncate(2); }

//@ swap | verified | two elements change places
fn f(v: &mut Vec<u8>) requires old(v).len() > 3 ensures final(v)@[0] == old(v)@[2], final(v)@[2] == old(v)@[0], final(v)@[1] == old(v)@[1] { v.swap(0, 2); }

//@ swap_out_of_range | failed | both must exist
fn f(v: &mut Vec<u8>) requires old(v).len() == 2 {
    v.swap(0, 2); // FAILS
}

//@ insert | verified | the rest moves back
fn f(v: &mut Vec<u8>) requires old(v).len() > 3 ensures final(v)@ == old(v)@.insert(1, 9) { v.insert(1, 9); }

//@ insert_out_of_range | failed | at most at the end
fn f(v: &mut Vec<u8>) requires old(v).len() == 0 {
    v.insert(1, 9); // FAILS
}

//@ remove | verified | the rest moves up
fn f(v: &mut Vec<u8>) -> (x: u8) requires old(v).len() > 3 ensures x == old(v)@[1], final(v)@ == old(v)@.remove(1) { v.remove(1) }

//@ remove_out_of_range | failed | it must exist
fn f(v: &mut Vec<u8>) -> u8 requires old(v).len() == 1 {
    v.remove(1) // FAILS
}

//@ append | verified | the other is emptied
fn f(v: &mut Vec<u8>, w: &mut Vec<u8>) ensures final(v)@ == old(v)@ + old(w)@, final(w)@.len() == 0 { v.append(w); }

//@ extend_from_slice | verified | copies at the end
fn f(v: &mut Vec<u8>, s: &[u8]) ensures final(v)@ == old(v)@ + s@ { v.extend_from_slice(s); }

//@ vec_macro_empty | verified | no elements
fn f() { let v: Vec<u8> = vec![]; assert(v.len() == 0); }

//@ vec_macro_list | verified | the listed ones
fn f() { let v: Vec<u8> = vec![4, 5, 6]; assert(v.len() == 3); assert(v[1] == 5); }

//@ vec_macro_list_wrong | failed | 5 stands at 1
fn f() {
    let v: Vec<u8> = vec![4, 5, 6];
    assert(v[2] == 5); // FAILS
}

//@ vec_macro_repeat | verified | n copies
fn f(n: usize) -> (v: Vec<u8>) ensures v.len() == n, forall|i: int| 0 <= i < n ==> v[i] == 7 { vec![7u8; n] }

//@ vec_macro_repeat_wrong | failed | all are 7
fn f() {
    let v: Vec<u8> = vec![7u8; 3];
    assert(v[1] == 8); // FAILS
}

//@ slice_read | verified | a slice is indexed like a vector
fn f(s: &[u8]) -> (x: u8) requires s.len() > 1 ensures x == s[1], x == s@[1] { s[1] }

//@ slice_read_out_of_range | failed | it may be empty
fn f(s: &[u8]) -> u8 {
    s[0] // FAILS
}

//@ as_slice | verified | equal views
fn f(v: &Vec<u8>) -> (s: &[u8]) ensures s@ == v@ { v.as_slice() }

//@ array_read | verified | the length is in the type
fn f(a: [u8; 3]) -> (x: u8) ensures x == a[2] { a[2] }

//@ array_read_out_of_range | failed/rejected | three elements end at index 2
fn f(a: [u8; 3], i: usize) -> u8 requires i <= 3 {
    a[i] // FAILS
}

//@ vectors_of_vectors | verified | rows may be read
fn f(g: &Vec<Vec<u8>>) -> (n: usize) requires g.len() > 0 ensures n == g[0].len() { g[0].len() }

//@ vector_of_pairs | verified | pairs are Copy
fn f(v: &Vec<(u8, bool)>) -> (x: u8) requires v.len() > 0 ensures x == v[0].0 { v[0].0 }

//@ equal_lengths_are_not_equal_elements | failed | only lengths were compared
fn f(v: &Vec<u8>, w: &Vec<u8>) requires v.len() == w.len(), v.len() > 0 {
    assert(v[0] == w[0]); // FAILS
}
