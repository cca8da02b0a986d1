mod std { mod option {

#[prelude]
#[verifier::ext_equal]
pub enum Option<T> { None, Some(T) }

impl<T> Option<T> {
    pub open spec fn spec_is_some(&self) -> bool { self is Some }
    pub open spec fn spec_is_none(&self) -> bool { self is None }
    pub open spec fn spec_unwrap(self) -> T { self->Some_0 }
    pub open spec fn spec_unwrap_or(self, default: T) -> T { if self is Some { self->Some_0 } else { default } }
    #[verifier::when_used_as_spec(spec_is_some)]
    pub fn is_some(&self) -> (b: bool)
        ensures b == (self is Some);
    #[verifier::when_used_as_spec(spec_is_none)]
    pub fn is_none(&self) -> (b: bool)
        ensures b == (self is None);
    #[verifier::when_used_as_spec(spec_unwrap)]
    pub fn unwrap(self) -> (t: T)
        requires self is Some,
        ensures t == self->Some_0;
    #[verifier::when_used_as_spec(spec_unwrap_or)]
    pub fn unwrap_or(self, default: T) -> (t: T)
        ensures t == if self is Some { self->Some_0 } else { default };
    pub fn expect(self, message: &str) -> (t: T)
        requires self is Some,
        ensures t == self->Some_0;
    pub fn as_ref(&self) -> (r: Option<&T>)
        ensures
            r is Some <==> self is Some,
            r is Some ==> self->Some_0 == r->Some_0;
    pub fn take(&mut self) -> (t: Option<T>)
        ensures t == old(self), final(self) is None;
    pub fn ok_or<E>(self, error: E) -> (r: Result<T, E>)
        ensures
            self is Some ==> r == Result::<T, E>::Ok(self->Some_0),
            self is None ==> r == Result::<T, E>::Err(error);
    #[needs_copy]
    pub fn clone(&self) -> (r: Option<T>)
        ensures r == *self;
}

} // option

mod result {

#[prelude]
pub enum Result<T, E> { Ok(T), Err(E) }

impl<T, E> Result<T, E> {
    pub open spec fn spec_is_ok(&self) -> bool { self is Ok }
    pub open spec fn spec_is_err(&self) -> bool { self is Err }
    pub open spec fn spec_unwrap(self) -> T { self->Ok_0 }
    pub open spec fn spec_unwrap_err(self) -> E { self->Err_0 }
    #[verifier::when_used_as_spec(spec_is_ok)]
    pub fn is_ok(&self) -> (b: bool)
        ensures b == (self is Ok);
    #[verifier::when_used_as_spec(spec_is_err)]
    pub fn is_err(&self) -> (b: bool)
        ensures b == (self is Err);
    #[verifier::when_used_as_spec(spec_unwrap)]
    pub fn unwrap(self) -> (t: T)
        requires self is Ok,
        ensures t == self->Ok_0;
    #[verifier::when_used_as_spec(spec_unwrap_err)]
    pub fn unwrap_err(self) -> (e: E)
        requires self is Err,
        ensures e == self->Err_0;
    pub fn expect(self, message: &str) -> (t: T)
        requires self is Ok,
        ensures t == self->Ok_0;
    pub fn ok(self) -> (r: Option<T>)
        ensures
            self is Ok ==> r == Option::<T>::Some(self->Ok_0),
            self is Err ==> r == Option::<T>::None;
    pub fn err(self) -> (r: Option<E>)
        ensures
            self is Err ==> r == Option::<E>::Some(self->Err_0),
            self is Ok ==> r == Option::<E>::None;
}

} // result

mod mem {

pub fn swap<T>(a: &mut T, b: &mut T)
    ensures *final(a) == *old(b), *final(b) == *old(a);

pub fn replace<T>(place: &mut T, value: T) -> (was: T)
    ensures *final(place) == value, was == *old(place);

} // mem
} // std
