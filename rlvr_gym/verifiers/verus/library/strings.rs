// Strings as sequences of characters.
mod vstd { mod string {

#[prelude]
#[opaque_type]
pub struct str;

#[prelude]
#[opaque_type]
pub struct String;

impl str {
    pub uninterp spec fn view(&self) -> Seq<char>;
    pub uninterp spec fn is_ascii(&self) -> bool;
    pub fn unicode_len(&self) -> (l: usize)
        ensures l == self.view().len();
    pub fn get_char(&self, i: usize) -> (c: char)
        requires i < self.view().len(),
        ensures self.view().index(i as int) == c;
    pub fn to_string(&self) -> (s: String)
        ensures s.view() == self.view();
    pub fn to_owned(&self) -> (s: String)
        ensures s.view() == self.view();
}

impl String {
    pub uninterp spec fn view(&self) -> Seq<char>;
    pub fn as_str(&self) -> (s: &str)
        ensures s.view() == self.view();
    pub fn clone(&self) -> (s: String)
        ensures s == *self;
}

// What it tells depends on the literal, so the contract is made at each call.
#[prelude]
pub proof fn reveal_strlit(literal: &str);

} // string
} // vstd
