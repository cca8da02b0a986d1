// Methods of machine integers: read once for each type in place of `$Int`.
impl $Int {
    pub open spec fn spec_wrapping_add(self, rhs: $Int) -> $Int {
        if self + rhs > $Int::MAX { (self + rhs - ($Int::MAX - $Int::MIN + 1)) as $Int }
        else if self + rhs < $Int::MIN { (self + rhs + ($Int::MAX - $Int::MIN + 1)) as $Int }
        else { (self + rhs) as $Int }
    }
    pub open spec fn spec_wrapping_sub(self, rhs: $Int) -> $Int {
        if self - rhs > $Int::MAX { (self - rhs - ($Int::MAX - $Int::MIN + 1)) as $Int }
        else if self - rhs < $Int::MIN { (self - rhs + ($Int::MAX - $Int::MIN + 1)) as $Int }
        else { (self - rhs) as $Int }
    }
    pub open spec fn spec_wrapping_mul(self, rhs: $Int) -> $Int {
        if (self * rhs) % ($Int::MAX - $Int::MIN + 1) > $Int::MAX {
            ((self * rhs) % ($Int::MAX - $Int::MIN + 1) - ($Int::MAX - $Int::MIN + 1)) as $Int
        } else {
            ((self * rhs) % ($Int::MAX - $Int::MIN + 1)) as $Int
        }
    }
    #[verifier::when_used_as_spec(spec_wrapping_mul)]
    pub fn wrapping_mul(self, rhs: $Int) -> (r: $Int)
        ensures r == self.spec_wrapping_mul(rhs);
    #[verifier::when_used_as_spec(spec_wrapping_add)]
    pub fn wrapping_add(self, rhs: $Int) -> (r: $Int)
        ensures r == self.spec_wrapping_add(rhs);
    #[verifier::when_used_as_spec(spec_wrapping_sub)]
    pub fn wrapping_sub(self, rhs: $Int) -> (r: $Int)
        ensures r == self.spec_wrapping_sub(rhs);
    pub fn checked_add(self, rhs: $Int) -> (r: Option<$Int>)
        ensures
            self + rhs > $Int::MAX || self + rhs < $Int::MIN ==> r is None,
            $Int::MIN <= self + rhs <= $Int::MAX ==> r == Some((self + rhs) as $Int);
    pub fn checked_sub(self, rhs: $Int) -> (r: Option<$Int>)
        ensures
            self - rhs > $Int::MAX || self - rhs < $Int::MIN ==> r is None,
            $Int::MIN <= self - rhs <= $Int::MAX ==> r == Some((self - rhs) as $Int);
    pub fn checked_mul(self, rhs: $Int) -> (r: Option<$Int>)
        ensures
            self * rhs > $Int::MAX || self * rhs < $Int::MIN ==> r is None,
            $Int::MIN <= self * rhs <= $Int::MAX ==> r == Some((self * rhs) as $Int);
    pub fn saturating_add(self, rhs: $Int) -> (r: $Int)
        ensures
            self + rhs > $Int::MAX ==> r == $Int::MAX,
            self + rhs < $Int::MIN ==> r == $Int::MIN,
            $Int::MIN <= self + rhs <= $Int::MAX ==> r == self + rhs;
    pub fn saturating_sub(self, rhs: $Int) -> (r: $Int)
        ensures
            self - rhs > $Int::MAX ==> r == $Int::MAX,
            self - rhs < $Int::MIN ==> r == $Int::MIN,
            $Int::MIN <= self - rhs <= $Int::MAX ==> r == self - rhs;
}
