// Finite sequences: the axioms keep the trigger shapes of the real library, so that no more is provable than there.
mod vstd { mod seq {

#[prelude]
#[opaque_type]
pub struct Seq<A>;

impl<A> Seq<A> {
    pub uninterp spec fn empty() -> Seq<A>;
    pub uninterp spec fn new(len: nat, f: spec_fn(int) -> A) -> Seq<A>;
    pub uninterp spec fn len(self) -> nat;
    pub uninterp spec fn index(self, i: int) -> A;
    pub uninterp spec fn push(self, a: A) -> Seq<A>;
    pub uninterp spec fn update(self, i: int, a: A) -> Seq<A>;
    pub uninterp spec fn subrange(self, start_inclusive: int, end_exclusive: int) -> Seq<A>;
    pub uninterp spec fn add(self, rhs: Seq<A>) -> Seq<A>;

    #[verifier::inline]
    pub open spec fn spec_index(self, i: int) -> A { self.index(i) }
    #[verifier::inline]
    pub open spec fn spec_add(self, rhs: Seq<A>) -> Seq<A> { self.add(rhs) }
    #[verifier::inline]
    pub open spec fn take(self, n: int) -> Seq<A> { self.subrange(0, n) }
    #[verifier::inline]
    pub open spec fn skip(self, n: int) -> Seq<A> { self.subrange(n, self.len() as int) }
    pub open spec fn last(self) -> A { self[self.len() as int - 1] }
    #[verifier::inline]
    pub open spec fn first(self) -> A { self[0] }
    pub open spec fn drop_last(self) -> Seq<A> { self.subrange(0, self.len() as int - 1) }
    pub open spec fn drop_first(self) -> Seq<A> { self.subrange(1, self.len() as int) }
    pub open spec fn contains(self, needle: A) -> bool {
        exists|i: int| 0 <= i < self.len() && self[i] == needle
    }
    pub open spec fn spec_has(self, needle: A) -> bool { self.contains(needle) }
    pub open spec fn index_of(self, needle: A) -> int {
        choose|i: int| 0 <= i < self.len() && self[i] == needle
    }
    pub open spec fn map<B>(self, f: spec_fn(int, A) -> B) -> Seq<B> {
        Seq::new(self.len(), |i: int| f(i, self[i]))
    }
    pub open spec fn map_values<B>(self, f: spec_fn(A) -> B) -> Seq<B> {
        Seq::new(self.len(), |i: int| f(self[i]))
    }
    pub open spec fn reverse(self) -> Seq<A> {
        Seq::new(self.len(), |i: int| self[self.len() - 1 - i])
    }
    pub open spec fn insert(self, i: int, a: A) -> Seq<A> {
        self.subrange(0, i).push(a) + self.subrange(i, self.len() as int)
    }
    pub open spec fn remove(self, i: int) -> Seq<A> {
        self.subrange(0, i) + self.subrange(i + 1, self.len() as int)
    }
    pub open spec fn is_prefix_of(self, other: Seq<A>) -> bool {
        self.len() <= other.len() && self =~= other.subrange(0, self.len() as int)
    }
    pub open spec fn is_suffix_of(self, other: Seq<A>) -> bool {
        self.len() <= other.len() && self =~= other.subrange(other.len() as int - self.len() as int, other.len() as int)
    }
    pub open spec fn no_duplicates(self) -> bool {
        forall|i: int, j: int| 0 <= i < self.len() && 0 <= j < self.len() && i != j ==> self[i] != self[j]
    }
    pub open spec fn all(self, f: spec_fn(A) -> bool) -> bool {
        forall|i: int| 0 <= i < self.len() ==> #[trigger] f(self[i])
    }
    pub open spec fn any(self, f: spec_fn(A) -> bool) -> bool {
        exists|i: int| 0 <= i < self.len() && #[trigger] f(self[i])
    }
    pub open spec fn fold_left<B>(self, b: B, f: spec_fn(B, A) -> B) -> B
        decreases self.len()
    {
        if self.len() == 0 { b } else { f(self.drop_last().fold_left(b, f), self.last()) }
    }
    pub open spec fn fold_right<B>(self, f: spec_fn(A, B) -> B, b: B) -> B
        decreases self.len()
    {
        if self.len() == 0 { b } else { self.drop_last().fold_right(f, f(self.last(), b)) }
    }
    #[verifier::opaque]
    pub open spec fn filter(self, pred: spec_fn(A) -> bool) -> Seq<A>
        decreases self.len()
    {
        if self.len() == 0 {
            self
        } else {
            let subseq = self.drop_last().filter(pred);
            if pred(self.last()) { subseq.push(self.last()) } else { subseq }
        }
    }
    pub open spec fn zip_with<B>(self, other: Seq<B>) -> Seq<(A, B)> {
        if self.len() != other.len() { Seq::empty() } else { Seq::new(self.len(), |i: int| (self[i], other[i])) }
    }
}

#[always]
pub broadcast axiom fn axiom_seq_empty<A>()
    ensures #[trigger] Seq::<A>::empty().len() == 0;

#[always]
pub broadcast axiom fn axiom_seq_new_len<A>(len: nat, f: spec_fn(int) -> A)
    ensures #[trigger] Seq::<A>::new(len, f).len() == len;

#[always]
pub broadcast axiom fn axiom_seq_new_index<A>(len: nat, f: spec_fn(int) -> A, i: int)
    requires 0 <= i < len,
    ensures #[trigger] Seq::<A>::new(len, f)[i] == f(i);

#[always]
pub broadcast axiom fn axiom_seq_push_len<A>(s: Seq<A>, a: A)
    ensures #[trigger] s.push(a).len() == s.len() + 1;

#[always]
pub broadcast axiom fn axiom_seq_push_index_same<A>(s: Seq<A>, a: A, i: int)
    requires i == s.len(),
    ensures #[trigger] s.push(a)[i] == a;

#[always]
pub broadcast axiom fn axiom_seq_push_index_different<A>(s: Seq<A>, a: A, i: int)
    requires i < s.len(),
    ensures #[trigger] s.push(a)[i] == s[i];

#[always]
pub broadcast axiom fn axiom_seq_update_len<A>(s: Seq<A>, i: int, a: A)
    requires 0 <= i < s.len(),
    ensures #[trigger] s.update(i, a).len() == s.len();

#[always]
pub broadcast axiom fn axiom_seq_update_same<A>(s: Seq<A>, i: int, a: A)
    requires 0 <= i < s.len(),
    ensures #[trigger] s.update(i, a)[i] == a;

#[always]
pub broadcast axiom fn axiom_seq_update_different<A>(s: Seq<A>, i1: int, i2: int, a: A)
    requires 0 <= i1 < s.len(), 0 <= i2 < s.len(), i1 != i2,
    ensures #[trigger] s.update(i2, a)[i1] == s[i1];

#[always]
pub broadcast axiom fn axiom_seq_ext_equal<A>(s1: Seq<A>, s2: Seq<A>)
    ensures #[trigger] (s1 =~= s2) <==> {
        &&& s1.len() == s2.len()
        &&& forall|i: int| 0 <= i < s1.len() ==> s1[i] == s2[i]
    };

#[always]
pub broadcast axiom fn axiom_seq_subrange_len<A>(s: Seq<A>, j: int, k: int)
    requires 0 <= j <= k <= s.len(),
    ensures #[trigger] s.subrange(j, k).len() == k - j;

#[always]
pub broadcast axiom fn axiom_seq_subrange_index<A>(s: Seq<A>, j: int, k: int, i: int)
    requires 0 <= j <= k <= s.len(), 0 <= i < k - j,
    ensures #[trigger] s.subrange(j, k)[i] == s[i + j];

#[always]
pub broadcast axiom fn lemma_seq_two_subranges_index<A>(s: Seq<A>, j: int, k1: int, k2: int, i: int)
    requires 0 <= j <= k1 <= s.len(), 0 <= j <= k2 <= s.len(), 0 <= i < k1 - j, 0 <= i < k2 - j,
    ensures #[trigger] s.subrange(j, k1)[i] == (#[trigger] s.subrange(j, k2))[i];

#[always]
pub broadcast axiom fn axiom_seq_add_len<A>(s1: Seq<A>, s2: Seq<A>)
    ensures #[trigger] s1.add(s2).len() == s1.len() + s2.len();

#[always]
pub broadcast axiom fn axiom_seq_add_index1<A>(s1: Seq<A>, s2: Seq<A>, i: int)
    requires 0 <= i < s1.len(),
    ensures #[trigger] s1.add(s2)[i] == s1[i];

#[always]
pub broadcast axiom fn axiom_seq_add_index2<A>(s1: Seq<A>, s2: Seq<A>, i: int)
    requires s1.len() <= i < s1.len() + s2.len(),
    ensures #[trigger] s1.add(s2)[i] == s2[i - s1.len()];

} // seq

mod seq_lib {

#[always]
pub broadcast axiom fn seq_filter_len<A>(s: Seq<A>, pred: spec_fn(A) -> bool)
    ensures #[trigger] s.filter(pred).len() <= s.len();

#[always]
pub broadcast axiom fn seq_filter_pred<A>(s: Seq<A>, pred: spec_fn(A) -> bool, i: int)
    requires 0 <= i < s.filter(pred).len(),
    ensures pred(#[trigger] s.filter(pred)[i]);

#[always]
pub broadcast axiom fn seq_filter_contains<A>(s: Seq<A>, pred: spec_fn(A) -> bool, i: int)
    requires 0 <= i < s.len() && pred(s[i]),
    ensures #[trigger] s.filter(pred).contains(s[i]);

#[always]
pub broadcast axiom fn seq_filter_distributes_over_add<A>(a: Seq<A>, b: Seq<A>, pred: spec_fn(A) -> bool)
    ensures #[trigger] (a + b).filter(pred) == a.filter(pred) + b.filter(pred);

#[always]
pub broadcast axiom fn seq_add_empty_left<A>(a: Seq<A>, b: Seq<A>)
    requires a.len() == 0,
    ensures #[trigger] (a + b) == b;

#[always]
pub broadcast axiom fn seq_add_empty_right<A>(a: Seq<A>, b: Seq<A>)
    requires b.len() == 0,
    ensures #[trigger] (a + b) == a;

#[always]
pub broadcast axiom fn seq_push_distributes_over_add<A>(a: Seq<A>, b: Seq<A>, elt: A)
    ensures #[trigger] (a + b).push(elt) == a + b.push(elt);

} // seq_lib

} // vstd
