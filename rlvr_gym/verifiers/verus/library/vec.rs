// Vectors, slices and arrays of compiled code. Two vectors with equal views are not known equal.
mod std { mod vec {

#[prelude]
#[opaque_type]
pub struct Vec<T>;

impl<T> Vec<T> {
    pub uninterp spec fn view(&self) -> Seq<T>;
    pub uninterp spec fn spec_vec_len(&self) -> usize;
    #[verifier::inline]
    pub open spec fn spec_index(&self, i: int) -> T { self.view().index(i) }
    pub open spec fn spec_is_empty(&self) -> bool { self.view().len() == 0 }

    pub fn new() -> (v: Vec<T>)
        ensures v.view() == Seq::<T>::empty();
    pub fn with_capacity(capacity: usize) -> (v: Vec<T>)
        ensures v.view() == Seq::<T>::empty();
    pub fn reserve(&mut self, additional: usize)
        ensures final(self).view() == old(self).view();
    #[verifier::when_used_as_spec(spec_vec_len)]
    pub fn len(&self) -> (len: usize)
        ensures len == self.spec_vec_len();
    #[verifier::when_used_as_spec(spec_is_empty)]
    pub fn is_empty(&self) -> (empty: bool)
        ensures empty <==> self.view().len() == 0;
    pub fn index(&self, i: usize) -> (element: &T)
        requires i < self.view().len(),
        ensures *element == self.view().index(i as int);
    pub fn index_set(&mut self, i: usize, value: T)
        requires i < old(self).view().len(),
        ensures final(self).view() == old(self).view().update(i as int, value);
    pub fn set(&mut self, i: usize, value: T)
        requires i < old(self).view().len(),
        ensures final(self).view() == old(self).view().update(i as int, value);
    pub fn push(&mut self, value: T)
        ensures final(self).view() == old(self).view().push(value);
    pub fn pop(&mut self) -> (value: Option<T>)
        ensures
            old(self).view().len() > 0 ==> value == Some(old(self).view()[old(self).view().len() - 1])
                && final(self).view() == old(self).view().subrange(0, old(self).view().len() - 1),
            old(self).view().len() == 0 ==> value.is_none() && final(self).view() == old(self).view();
    pub fn clear(&mut self)
        ensures final(self).view() == Seq::<T>::empty();
    pub fn truncate(&mut self, len: usize)
        ensures
            len <= old(self).view().len() ==> final(self).view() == old(self).view().subrange(0, len as int),
            len > old(self).view().len() ==> final(self).view() == old(self).view();
    pub fn insert(&mut self, i: usize, element: T)
        requires i <= old(self).view().len(),
        ensures final(self).view() == old(self).view().insert(i as int, element);
    pub fn remove(&mut self, i: usize) -> (element: T)
        requires i < old(self).view().len(),
        ensures
            element == old(self).view()[i as int],
            final(self).view() == old(self).view().remove(i as int);
    pub fn swap_remove(&mut self, i: usize) -> (element: T)
        requires i < old(self).view().len(),
        ensures
            element == old(self).view()[i as int],
            final(self).view() == old(self).view().update(i as int, old(self).view().last()).drop_last();
    pub fn append(&mut self, other: &mut Vec<T>)
        ensures
            final(self).view() == old(self).view() + old(other).view(),
            final(other).view() == Seq::<T>::empty();
    #[needs_copy]
    pub fn extend_from_slice(&mut self, other: &[T])
        ensures
            final(self).view().len() == old(self).view().len() + other.view().len(),
            forall|i: int| #![trigger final(self).view()[i]] 0 <= i < final(self).view().len() ==>
                final(self).view()[i] == if i < old(self).view().len() { old(self).view()[i] }
                    else { other.view()[i - old(self).view().len()] };
    pub fn split_off(&mut self, at: usize) -> (tail: Vec<T>)
        requires at <= old(self).view().len(),
        ensures
            final(self).view() == old(self).view().subrange(0, at as int),
            tail.view() == old(self).view().subrange(at as int, old(self).view().len() as int);
    #[needs_copy]
    pub fn resize(&mut self, len: usize, value: T)
        ensures
            len <= old(self).view().len() ==> final(self).view() == old(self).view().subrange(0, len as int),
            len > old(self).view().len() ==> {
                &&& final(self).view().len() == len
                &&& final(self).view().subrange(0, old(self).view().len() as int) == old(self).view()
                &&& forall|i: int| old(self).view().len() <= i < len ==> #[trigger] final(self).view()[i] == value
            };
    pub fn as_slice(&self) -> (slice: &[T])
        ensures slice.view() == self.view();
    #[needs_copy]
    pub fn clone(&self) -> (copy: Vec<T>)
        ensures
            copy.view().len() == self.view().len(),
            forall|i: int| #![trigger copy.view()[i]] #![trigger self.view()[i]]
                0 <= i < self.view().len() ==> copy.view()[i] == self.view()[i],
            copy.view() =~= self.view();
    #[needs_copy]
    pub fn to_vec(&self) -> (copy: Vec<T>)
        ensures copy.view() == self.view();
    pub fn swap(&mut self, a: usize, b: usize)
        requires a < old(self).view().len(), b < old(self).view().len(),
        ensures final(self).view() == old(self).view().update(a as int, old(self).view()[b as int])
            .update(b as int, old(self).view()[a as int]);
}

#[always]
pub broadcast axiom fn axiom_spec_len<T>(v: &Vec<T>)
    ensures #[trigger] v.spec_vec_len() == v.view().len();

#[needs_copy]
pub fn from_elem<T>(value: T, n: usize) -> (v: Vec<T>)
    ensures
        v.view().len() == n,
        forall|i: int| 0 <= i < n ==> #[trigger] v.view()[i] == value;

} // vec
} // std

mod vstd { mod slice {

#[opaque_type]
pub struct slice<T>;

impl<T> slice<T> {
    pub uninterp spec fn view(&self) -> Seq<T>;
    pub uninterp spec fn spec_slice_len(&self) -> usize;
    #[verifier::inline]
    pub open spec fn spec_index(&self, i: int) -> T { self.view().index(i) }
    #[verifier::when_used_as_spec(spec_slice_len)]
    pub fn len(&self) -> (len: usize)
        ensures len == self.spec_slice_len();
    pub fn is_empty(&self) -> (empty: bool)
        ensures empty <==> self.view().len() == 0;
    pub fn index(&self, i: usize) -> (element: &T)
        requires i < self.view().len(),
        ensures *element == self.view().index(i as int);
    pub fn index_set(&mut self, i: usize, value: T)
        requires i < old(self).view().len(),
        ensures final(self).view() == old(self).view().update(i as int, value);
    pub fn set(&mut self, i: usize, value: T)
        requires i < old(self).view().len(),
        ensures final(self).view() == old(self).view().update(i as int, value);
    pub fn first(&self) -> (element: Option<&T>)
        ensures
            self.view().len() == 0 ==> element.is_none(),
            self.view().len() != 0 ==> element == Some(&self.view()[0]);
    pub fn last(&self) -> (element: Option<&T>)
        ensures
            self.view().len() == 0 ==> element.is_none(),
            self.view().len() != 0 ==> element == Some(&self.view()[self.view().len() - 1]);
    #[needs_copy]
    pub fn to_vec(&self) -> (copy: Vec<T>)
        ensures copy.view() == self.view();
    pub fn swap(&mut self, a: usize, b: usize)
        requires a < old(self).view().len(), b < old(self).view().len(),
        ensures final(self).view() == old(self).view().update(a as int, old(self).view()[b as int])
            .update(b as int, old(self).view()[a as int]);
}

#[always]
pub broadcast axiom fn axiom_spec_len<T>(s: &[T])
    ensures #[trigger] s.spec_slice_len() == s.view().len();

#[always]
pub broadcast axiom fn axiom_slice_ext_equal<T>(a: &[T], b: &[T])
    ensures #[trigger] (a =~= b) <==> {
        &&& a.spec_slice_len() == b.spec_slice_len()
        &&& forall|i: int| 0 <= i < a.spec_slice_len() ==> a.view()[i] == b.view()[i]
    };

#[prelude]
pub fn slice_index_get<T>(slice: &[T], i: usize) -> (element: &T)
    requires 0 <= i < slice.view().len(),
    ensures *element == slice.view().index(i as int);

#[prelude]
pub fn slice_subrange<T>(slice: &[T], i: usize, j: usize) -> (part: &[T])
    requires 0 <= i <= j <= slice.view().len(),
    ensures part.view() == slice.view().subrange(i as int, j as int);

#[prelude]
#[needs_copy]
pub fn slice_to_vec<T>(slice: &[T]) -> (copy: Vec<T>)
    ensures copy.view() == slice.view();

} // slice

mod array {

#[opaque_type]
pub struct array<T, const N: usize>;

impl<T, const N: usize> [T; N] {
    pub uninterp spec fn view(&self) -> Seq<T>;
    #[verifier::inline]
    pub open spec fn spec_index(&self, i: int) -> T { self.view().index(i) }
    #[verifier::inline]
    pub open spec fn spec_array_len(&self) -> usize { N }
    #[verifier::when_used_as_spec(spec_array_len)]
    pub fn len(&self) -> (len: usize)
        ensures len == N;
    pub fn index(&self, i: usize) -> (element: &T)
        requires i < N,
        ensures *element == self.view().index(i as int);
    pub fn index_set(&mut self, i: usize, value: T)
        requires i < N,
        ensures final(self).view() == old(self).view().update(i as int, value);
    pub fn set(&mut self, i: usize, value: T)
        requires i < N,
        ensures final(self).view() == old(self).view().update(i as int, value);
    pub fn as_slice(&self) -> (slice: &[T])
        ensures slice.view() == self.view();
}

#[always]
pub broadcast axiom fn array_len_matches_n<T, const N: usize>(a: &[T; N])
    ensures #[trigger] a.view().len() == N;

#[always]
pub broadcast axiom fn axiom_array_ext_equal<T, const N: usize>(a: &[T; N], b: &[T; N])
    ensures #[trigger] (a =~= b) <==> (forall|i: int| 0 <= i < N ==> a.view()[i] == b.view()[i]);

#[prelude]
pub fn array_index_get<T, const N: usize>(a: &[T; N], i: usize) -> (element: &T)
    requires 0 <= i < N,
    ensures *element == a.view().index(i as int);

} // array
} // vstd
