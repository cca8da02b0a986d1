// Boxes, which the logic does not see, and functions that are only another way to write an operator.
mod std { mod boxed {

#[opaque_type]
pub struct Box<T>;

impl<T> Box<T> {
    #[verifier::inline]
    pub open spec fn spec_box_new(value: T) -> Box<T> { value }
    #[verifier::when_used_as_spec(spec_box_new)]
    pub fn new(value: T) -> (b: Box<T>)
        ensures *b == value;
}

} // boxed
} // std

mod vstd { mod pervasive {

#[prelude]
#[verifier::inline]
pub open spec fn equal<A>(a: A, b: A) -> bool { a == b }
#[prelude]
#[verifier::inline]
pub open spec fn ext_equal<A>(a: A, b: A) -> bool { a =~= b }
#[prelude]
#[verifier::inline]
pub open spec fn imply(a: bool, b: bool) -> bool { a ==> b }

} // pervasive
} // vstd
