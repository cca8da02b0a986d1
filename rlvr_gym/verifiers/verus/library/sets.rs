// Sets, maps and multisets of specifications. Cardinalities are known of finite ones only.
mod vstd {

mod set {

#[prelude]
#[opaque_type]
pub struct Set<A>;

impl<A> Set<A> {
    pub uninterp spec fn empty() -> Set<A>;
    pub uninterp spec fn contains(self, a: A) -> bool;
    pub uninterp spec fn insert(self, a: A) -> Set<A>;
    pub uninterp spec fn remove(self, a: A) -> Set<A>;
    pub uninterp spec fn union(self, s2: Set<A>) -> Set<A>;
    pub uninterp spec fn intersect(self, s2: Set<A>) -> Set<A>;
    pub uninterp spec fn difference(self, s2: Set<A>) -> Set<A>;
    pub uninterp spec fn finite(self) -> bool;
    pub uninterp spec fn len(self) -> nat;
    pub open spec fn subset_of(self, s2: Set<A>) -> bool { forall|a: A| self.contains(a) ==> s2.contains(a) }
    pub open spec fn disjoint(self, s2: Set<A>) -> bool { forall|a: A| self.contains(a) ==> !s2.contains(a) }
    #[verifier::inline]
    pub open spec fn spec_add(self, s2: Set<A>) -> Set<A> { self.union(s2) }
    #[verifier::inline]
    pub open spec fn spec_mul(self, s2: Set<A>) -> Set<A> { self.intersect(s2) }
    #[verifier::inline]
    pub open spec fn spec_sub(self, s2: Set<A>) -> Set<A> { self.difference(s2) }
    #[verifier::inline]
    pub open spec fn spec_le(self, s2: Set<A>) -> bool { self.subset_of(s2) }
    #[verifier::inline]
    pub open spec fn spec_has(self, a: A) -> bool { self.contains(a) }
}

#[always]
pub broadcast axiom fn axiom_set_empty<A>(a: A)
    ensures !(#[trigger] Set::<A>::empty().contains(a));
#[always]
pub broadcast axiom fn axiom_set_insert_same<A>(s: Set<A>, a: A)
    ensures #[trigger] s.insert(a).contains(a);
#[always]
pub broadcast axiom fn axiom_set_insert_different<A>(s: Set<A>, a1: A, a2: A)
    requires a1 != a2,
    ensures #[trigger] s.insert(a2).contains(a1) == s.contains(a1);
#[always]
pub broadcast axiom fn axiom_set_remove_same<A>(s: Set<A>, a: A)
    ensures !(#[trigger] s.remove(a).contains(a));
#[always]
pub broadcast axiom fn axiom_set_remove_insert<A>(s: Set<A>, a: A)
    requires s.contains(a),
    ensures (#[trigger] s.remove(a)).insert(a) == s;
#[always]
pub broadcast axiom fn axiom_set_remove_different<A>(s: Set<A>, a1: A, a2: A)
    requires a1 != a2,
    ensures #[trigger] s.remove(a2).contains(a1) == s.contains(a1);
#[always]
pub broadcast axiom fn axiom_set_union<A>(s1: Set<A>, s2: Set<A>, a: A)
    ensures #[trigger] s1.union(s2).contains(a) == (s1.contains(a) || s2.contains(a));
#[always]
pub broadcast axiom fn axiom_set_intersect<A>(s1: Set<A>, s2: Set<A>, a: A)
    ensures #[trigger] s1.intersect(s2).contains(a) == (s1.contains(a) && s2.contains(a));
#[always]
pub broadcast axiom fn axiom_set_difference<A>(s1: Set<A>, s2: Set<A>, a: A)
    ensures #[trigger] s1.difference(s2).contains(a) == (s1.contains(a) && !s2.contains(a));
#[always]
pub broadcast axiom fn axiom_set_ext_equal<A>(s1: Set<A>, s2: Set<A>)
    ensures #[trigger] (s1 =~= s2) <==> (forall|a: A| s1.contains(a) == s2.contains(a));
#[always]
pub broadcast axiom fn axiom_set_empty_finite<A>()
    ensures #[trigger] Set::<A>::empty().finite();
#[always]
pub broadcast axiom fn axiom_set_insert_finite<A>(s: Set<A>, a: A)
    requires s.finite(),
    ensures #[trigger] s.insert(a).finite();
#[always]
pub broadcast axiom fn axiom_set_remove_finite<A>(s: Set<A>, a: A)
    requires s.finite(),
    ensures #[trigger] s.remove(a).finite();
#[always]
pub broadcast axiom fn axiom_set_union_finite<A>(s1: Set<A>, s2: Set<A>)
    requires s1.finite(), s2.finite(),
    ensures #[trigger] s1.union(s2).finite();
#[always]
pub broadcast axiom fn axiom_set_intersect_finite<A>(s1: Set<A>, s2: Set<A>)
    requires s1.finite() || s2.finite(),
    ensures #[trigger] s1.intersect(s2).finite();
#[always]
pub broadcast axiom fn axiom_set_difference_finite<A>(s1: Set<A>, s2: Set<A>)
    requires s1.finite(),
    ensures #[trigger] s1.difference(s2).finite();
#[always]
pub broadcast axiom fn axiom_set_empty_len<A>()
    ensures #[trigger] Set::<A>::empty().len() == 0;
#[always]
pub broadcast axiom fn axiom_set_insert_len<A>(s: Set<A>, a: A)
    requires s.finite(),
    ensures #[trigger] s.insert(a).len() == s.len() + (if s.contains(a) { 0int } else { 1 });
#[always]
pub broadcast axiom fn axiom_set_remove_len<A>(s: Set<A>, a: A)
    requires s.finite(),
    ensures s.len() == #[trigger] s.remove(a).len() + (if s.contains(a) { 1int } else { 0 });

} // set

mod map {

#[prelude]
#[opaque_type]
pub struct Map<K, V>;

impl<K, V> Map<K, V> {
    pub uninterp spec fn empty() -> Map<K, V>;
    pub uninterp spec fn dom(self) -> Set<K>;
    pub uninterp spec fn index(self, key: K) -> V;
    pub uninterp spec fn insert(self, key: K, value: V) -> Map<K, V>;
    pub uninterp spec fn remove(self, key: K) -> Map<K, V>;
    #[verifier::inline]
    pub open spec fn spec_index(self, key: K) -> V { self.index(key) }
    #[verifier::inline]
    pub open spec fn contains_key(self, key: K) -> bool { self.dom().contains(key) }
    pub open spec fn contains_value(self, value: V) -> bool {
        exists|key: K| #[trigger] self.dom().contains(key) && self[key] == value
    }
    #[verifier::inline]
    pub open spec fn len(self) -> nat { self.dom().len() }
}

#[always]
pub broadcast axiom fn axiom_map_empty<K, V>()
    ensures #[trigger] Map::<K, V>::empty().dom() == Set::<K>::empty();
#[always]
pub broadcast axiom fn axiom_map_insert_domain<K, V>(m: Map<K, V>, key: K, value: V)
    ensures #[trigger] m.insert(key, value).dom() == m.dom().insert(key);
#[always]
pub broadcast axiom fn axiom_map_insert_same<K, V>(m: Map<K, V>, key: K, value: V)
    ensures #[trigger] m.insert(key, value)[key] == value;
#[always]
pub broadcast axiom fn axiom_map_insert_different<K, V>(m: Map<K, V>, key1: K, key2: K, value: V)
    requires key1 != key2,
    ensures #[trigger] m.insert(key2, value)[key1] == m[key1];
#[always]
pub broadcast axiom fn axiom_map_remove_domain<K, V>(m: Map<K, V>, key: K)
    ensures #[trigger] m.remove(key).dom() == m.dom().remove(key);
#[always]
pub broadcast axiom fn axiom_map_remove_different<K, V>(m: Map<K, V>, key1: K, key2: K)
    requires key1 != key2,
    ensures #[trigger] m.remove(key2)[key1] == m[key1];
#[always]
pub broadcast axiom fn axiom_map_ext_equal<K, V>(m1: Map<K, V>, m2: Map<K, V>)
    ensures #[trigger] (m1 =~= m2) <==> {
        &&& m1.dom() =~= m2.dom()
        &&& forall|k: K| #![auto] m1.dom().contains(k) ==> m1[k] == m2[k]
    };

} // map

mod multiset {

#[prelude]
#[opaque_type]
pub struct Multiset<V>;

impl<V> Multiset<V> {
    pub uninterp spec fn empty() -> Multiset<V>;
    pub uninterp spec fn count(self, value: V) -> nat;
    pub uninterp spec fn singleton(v: V) -> Multiset<V>;
    pub uninterp spec fn add(self, m2: Multiset<V>) -> Multiset<V>;
    pub uninterp spec fn len(self) -> nat;
    pub uninterp spec fn remove(self, v: V) -> Multiset<V>;
    pub open spec fn insert(self, v: V) -> Multiset<V> { self.add(Multiset::<V>::singleton(v)) }
    #[verifier::inline]
    pub open spec fn contains(self, v: V) -> bool { self.count(v) > 0 }
}

#[always]
pub broadcast axiom fn axiom_multiset_empty<V>(v: V)
    ensures #[trigger] Multiset::<V>::empty().count(v) == 0;
#[always]
pub broadcast axiom fn axiom_multiset_singleton<V>(v: V)
    ensures #[trigger] Multiset::<V>::singleton(v).count(v) == 1;
#[always]
pub broadcast axiom fn axiom_multiset_singleton_different<V>(v: V, w: V)
    ensures v != w ==> #[trigger] Multiset::<V>::singleton(v).count(w) == 0;
#[always]
pub broadcast axiom fn axiom_multiset_add<V>(m1: Multiset<V>, m2: Multiset<V>, v: V)
    ensures #[trigger] m1.add(m2).count(v) == m1.count(v) + m2.count(v);
#[always]
pub broadcast axiom fn axiom_multiset_ext_equal<V>(m1: Multiset<V>, m2: Multiset<V>)
    ensures #[trigger] (m1 =~= m2) <==> (forall|v: V| m1.count(v) == m2.count(v));
#[always]
pub broadcast axiom fn axiom_len_empty<V>()
    ensures #[trigger] Multiset::<V>::empty().len() == 0;
#[always]
pub broadcast axiom fn axiom_len_singleton<V>(v: V)
    ensures #[trigger] Multiset::<V>::singleton(v).len() == 1;
#[always]
pub broadcast axiom fn axiom_len_add<V>(m1: Multiset<V>, m2: Multiset<V>)
    ensures #[trigger] m1.add(m2).len() == m1.len() + m2.len();

} // multiset

mod seq_lib_multiset {

impl<A> Seq<A> {
    pub uninterp spec fn to_multiset(self) -> Multiset<A>;
    pub proof fn to_multiset_ensures(self)
        ensures
            forall|a: A| #[trigger] self.push(a).to_multiset() =~= self.to_multiset().insert(a),
            self.len() == self.to_multiset().len(),
            forall|a: A| self.contains(a) <==> #[trigger] self.to_multiset().count(a) > 0;
    pub uninterp spec fn to_set(self) -> Set<A>;
}

#[always]
pub broadcast axiom fn axiom_to_set<A>(s: Seq<A>, a: A)
    ensures #[trigger] s.to_set().contains(a) <==> s.contains(a);

} // seq_lib_multiset
} // vstd
