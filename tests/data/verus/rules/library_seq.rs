Sequences: each fact once used, once stretched too far.

//@ len_is_not_negative | verified | a length is a natural
proof fn t(s: Seq<int>) { assert(s.len() >= 0); }

//@ len_wrong | failed | a sequence may be empty
proof fn t(s: Seq<int>) {
    assert(s.len() > 0); // FAILS
}

//@ empty | verified | no elements
proof fn t() { assert(Seq::<int>::empty().len() == 0); let s: Seq<int> = seq![]; assert(s.len() == 0); }

//@ empty_wrong | failed | a sequence of length 1 is not empty
proof fn t(s: Seq<int>) requires s.len() == 1 {
    assert(s == Seq::<int>::empty()); // FAILS
}

//@ push_len | verified | one more
proof fn t(s: Seq<int>) { assert(s.push(4).len() == s.len() + 1); }

//@ push_len_wrong | failed | one more
proof fn t(s: Seq<int>) {
    assert(s.push(4).len() == s.len()); // FAILS
}

//@ push_last | verified | the new one stands at the end
proof fn t(s: Seq<int>) { assert(s.push(4)[s.len() as int] == 4); }

//@ push_others | verified | the old ones stay
proof fn t(s: Seq<int>, i: int) requires 0 <= i < s.len() { assert(s.push(4)[i] == s[i]); }

//@ push_others_wrong | failed | the new one may differ
proof fn t(s: Seq<int>, i: int) requires 0 <= i <= s.len() {
    assert(s.push(4)[i] == s[i]); // FAILS
}

//@ update_len | verified | nothing is added
proof fn t(s: Seq<int>) requires s.len() > 2 { assert(s.update(1, 9).len() == s.len()); }

//@ update_len_out_of_range | failed | out of range the result is unknown
proof fn t(s: Seq<int>, i: int) {
    assert(s.update(i, 9).len() == s.len()); // FAILS
}

//@ update_same | verified | the new value
proof fn t(s: Seq<int>) requires s.len() > 2 { assert(s.update(1, 9)[1] == 9); }

//@ update_different | verified | the others stay
proof fn t(s: Seq<int>) requires s.len() > 2 { assert(s.update(1, 9)[2] == s[2]); }

//@ update_wrong | failed | index 1 was changed
proof fn t(s: Seq<int>) requires s.len() > 2 {
    assert(s.update(1, 9)[1] == s[1]); // FAILS
}

//@ subrange_len | verified | from 1 to 3 are two
proof fn t(s: Seq<int>) requires s.len() > 4 { assert(s.subrange(1, 3).len() == 2); }

//@ subrange_len_out_of_range | failed | past the end the result is unknown
proof fn t(s: Seq<int>) requires s.len() == 2 {
    assert(s.subrange(1, 3).len() == 2); // FAILS
}

//@ subrange_index | verified | shifted by the start
proof fn t(s: Seq<int>) requires s.len() > 4 { assert(s.subrange(1, 3)[1] == s[2]); }

//@ subrange_index_wrong | failed | not shifted
proof fn t(s: Seq<int>) requires s.len() > 4 {
    assert(s.subrange(1, 3)[1] == s[1]); // FAILS
}

//@ add_len | verified | lengths add up
proof fn t(s: Seq<int>, u: Seq<int>) { assert((s + u).len() == s.len() + u.len()); assert(s.add(u).len() >= u.len()); }

//@ add_left | verified | the first part
proof fn t(s: Seq<int>, u: Seq<int>, i: int) requires 0 <= i < s.len() { assert((s + u)[i] == s[i]); }

//@ add_right | verified | the second part, shifted
proof fn t(s: Seq<int>, u: Seq<int>) requires u.len() > 1 { assert((s + u)[s.len() as int + 1] == u[1]); }

//@ add_wrong | failed | the first part comes first
proof fn t(s: Seq<int>, u: Seq<int>) requires s.len() > 1, u.len() > 1 {
    assert((s + u)[0] == u[0]); // FAILS
}

//@ add_is_not_commutative | failed | order counts
proof fn t(s: Seq<int>, u: Seq<int>) {
    assert(s + u == u + s); // FAILS
}

//@ add_is_associative | verified | order is the same
proof fn t(s: Seq<int>, u: Seq<int>, w: Seq<int>) { assert((s + u) + w == s + (u + w)); }

//@ new_len_and_elements | verified | element i is f(i)
proof fn t() { let s = Seq::new(5, |i: int| i * 2); assert(s.len() == 5); assert(s[3] == 6); }

//@ new_out_of_range | failed | only 0..5 is defined
proof fn t() {
    let s = Seq::new(5, |i: int| i * 2);
    assert(s[5] == 10); // FAILS
}

//@ new_wrong | failed | 3 * 2
proof fn t() {
    let s = Seq::new(5, |i: int| i * 2);
    assert(s[3] == 3); // FAILS
}

//@ extensional | verified | lengths and elements
proof fn t(s: Seq<int>) { assert(s =~= s + Seq::<int>::empty()); }

//@ out_of_range_is_unknown | failed | no value is promised
proof fn t(s: Seq<int>) requires s.len() == 0 {
    assert(s[0] == 0); // FAILS
}

//@ negative_index_is_unknown | failed | no counting from the end
proof fn t(s: Seq<int>) requires s.len() == 3 {
    assert(s[-1] == s[2]); // FAILS
}

//@ take | verified | the first n
proof fn t(s: Seq<int>) requires s.len() > 4 { assert(s.take(3).len() == 3); assert(s.take(3)[2] == s[2]); }

//@ take_wrong | failed | three are three
proof fn t(s: Seq<int>) requires s.len() > 4 {
    assert(s.take(3).len() == 2); // FAILS
}

//@ skip | verified | without the first n
proof fn t(s: Seq<int>) requires s.len() > 4 { assert(s.skip(3).len() == s.len() - 3); assert(s.skip(3)[0] == s[3]); }

//@ skip_wrong | failed | the first three are gone
proof fn t(s: Seq<int>) requires s.len() > 4 {
    assert(s.skip(3)[0] == s[0]); // FAILS
}

//@ take_and_skip | verified | the two parts make the whole
proof fn t(s: Seq<int>, n: int) requires 0 <= n <= s.len() { assert(s.take(n) + s.skip(n) == s); }

//@ drop_last_and_last | verified | the two parts make the whole
proof fn t(s: Seq<int>) requires s.len() > 0 { assert(s.drop_last().push(s.last()) == s); assert(s.last() == s[s.len() - 1]); }

//@ drop_last_wrong | failed | the last is gone
proof fn t(s: Seq<int>) requires s.len() > 0 {
    assert(s.drop_last().len() == s.len()); // FAILS
}

//@ drop_first_and_first | verified | the two parts make the whole
proof fn t(s: Seq<int>) requires s.len() > 0 { assert(seq![s.first()] + s.drop_first() == s); assert(s.first() == s[0]); }

//@ drop_first_wrong | failed | the second moves up
proof fn t(s: Seq<int>) requires s.len() > 2 {
    assert(s.drop_first()[0] == s[0]); // FAILS
}

//@ contains | verified | an index is the witness
proof fn t(s: Seq<int>) requires s.len() > 2 { assert(s.contains(s[1])); }

//@ contains_gives_an_index | verified | some index has it
proof fn t(s: Seq<int>, x: int) requires s.contains(x) { assert(exists|i: int| 0 <= i < s.len() && s[i] == x); assert(s.len() > 0); }

//@ contains_wrong | failed | nothing says that 7 is in
proof fn t(s: Seq<int>) requires s.len() > 2 {
    assert(s.contains(7)); // FAILS
}

//@ contains_not | verified | no index has it
proof fn t(s: Seq<int>) requires forall|i: int| 0 <= i < s.len() ==> s[i] > 7 { assert(!s.contains(7)); }

//@ insert | verified | the rest moves back
proof fn t(s: Seq<int>) requires s.len() > 2 { let u = s.insert(1, 9); assert(u.len() == s.len() + 1); assert(u[1] == 9); assert(u[2] == s[1]); assert(u[0] == s[0]); }

//@ insert_wrong | failed | index 1 is the new one
proof fn t(s: Seq<int>) requires s.len() > 2 {
    let u = s.insert(1, 9);
    assert(u[1] == s[1]); // FAILS
}

//@ remove | verified | the rest moves up
proof fn t(s: Seq<int>) requires s.len() > 2 { let u = s.remove(1); assert(u.len() == s.len() - 1); assert(u[1] == s[2]); assert(u[0] == s[0]); }

//@ remove_wrong | failed | index 1 is gone
proof fn t(s: Seq<int>) requires s.len() > 2 {
    let u = s.remove(1);
    assert(u[1] == s[1]); // FAILS
}

//@ reverse | verified | the last comes first
proof fn t(s: Seq<int>) requires s.len() == 3 { assert(s.reverse().len() == 3); assert(s.reverse()[0] == s[2]); }

//@ reverse_wrong | failed | the last comes first
proof fn t(s: Seq<int>) requires s.len() == 3 {
    assert(s.reverse()[0] == s[0]); // FAILS
}

//@ map | verified | each element with its index
proof fn t(s: Seq<int>) requires s.len() == 3 { let u = s.map(|i: int, x: int| x + i); assert(u.len() == 3); assert(u[2] == s[2] + 2); }

//@ map_values | verified | each element
proof fn t(s: Seq<int>) requires s.len() == 3 { let u = s.map_values(|x: int| x + 1); assert(u.len() == 3); assert(u[2] == s[2] + 1); }

//@ map_values_wrong | failed | one is added
proof fn t(s: Seq<int>) requires s.len() == 3 {
    let u = s.map_values(|x: int| x + 1);
    assert(u[2] == s[2]); // FAILS
}

//@ filter_of_nothing | verified | one unfolding tells the empty case
proof fn t() { reveal(Seq::filter); assert(Seq::<int>::empty().filter(|x: int| x > 0).len() == 0); }

//@ filter_keeps_what_it_should | failed | a filter may drop elements
proof fn t(s: Seq<int>) requires s.len() == 3 {
    assert(s.filter(|x: int| x > 0).len() == 3); // FAILS
}

//@ fold_left_of_nothing | verified | the start value
proof fn t() { reveal_with_fuel(Seq::fold_left, 2); assert(Seq::<int>::empty().fold_left(7int, |a: int, x: int| a + x) == 7); }

//@ fold_left_wrong | failed | the sum of unknown elements is unknown
proof fn t(s: Seq<int>) {
    assert(s.fold_left(0int, |a: int, x: int| a + x) == 0); // FAILS
}

//@ seq_literal | verified | pushed one by one
proof fn t() { let s = seq![4int, 5, 6]; assert(s.len() == 3); assert(s[0] == 4 && s[1] == 5 && s[2] == 6); }

//@ seq_literal_wrong | failed | counting starts at 0
proof fn t() {
    let s = seq![4int, 5, 6];
    assert(s[1] == 4); // FAILS
}

//@ sequence_of_sequences | verified | elements may be sequences
proof fn t(g: Seq<Seq<int>>) requires g.len() == 2, g[0].len() == 3 { assert(g.push(seq![1int])[2].len() == 1); }

//@ multiset_of_a_push | !verified | one more 4 than before, not equally many
proof fn t(s: Seq<int>) { assert(s.push(4).to_multiset() == s.to_multiset()); }
