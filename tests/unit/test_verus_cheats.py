"""Attempts to pass without proving: every one is refused, and an honest solution is not."""

from __future__ import annotations

import pytest

from rlvr_gym.verifiers.verus.cheats import scan
from rlvr_gym.verifiers.verus.comparison import compare
from rlvr_gym.verifiers.verus.errors import Rejected, Stop, Unsupported
from rlvr_gym.verifiers.verus.syntax.parser import parse

GIVEN = """
use vstd::prelude::*;

verus! {

pub const LIMIT: u64 = 100;

pub struct Pair { pub low: u64, pub high: u64 }

impl Pair {
    pub open spec fn holds(&self, x: u64) -> bool { self.low <= x && x <= self.high }
}

pub open spec fn is_maximum(s: Seq<u64>, m: u64) -> bool {
    s.contains(m) && forall|i: int| 0 <= i < s.len() ==> s[i] <= m
}

pub fn maximum(v: &Vec<u64>) -> (m: u64)
    requires v.len() > 0,
    ensures is_maximum(v@, m),
{
    unimplemented!()
}

} // verus!

fn main() {}
"""
BODY = """{
    let mut m = v[0];
    let mut i: usize = 1;
    while i < v.len()
        invariant 1 <= i <= v.len(), is_maximum(v@.subrange(0, i as int), m),
        decreases v.len() - i,
    {
        if v[i] > m { m = v[i]; }
        i += 1;
    }
    m
}"""


def filled(body: str) -> str:
    """Return the given program with the hole filled in."""
    return GIVEN.replace("{\n    unimplemented!()\n}", body)


def added(items: str, body: str = BODY) -> str:
    """Return a solution with more items inside the macro."""
    return filled(body).replace("} // verus!", items + "\n} // verus!")


def outside(items: str) -> str:
    """Return a solution with more text behind the macro."""
    return filled(BODY).replace("fn main() {}", "fn main() {}\n" + items)


def reason(solution: str) -> str:
    """Return why a solution is refused, or nothing."""
    given = parse(GIVEN)
    try:
        file = parse(solution)
        found = scan(file, given) + compare(given, file)
    except Stop as stop:
        return f"{stop.outcome}: {stop.message}"
    return found[0].message if found else ""


def outcome(source: str) -> str:
    """Return what a program without a given part is taken for."""
    try:
        return "cheat" if scan(parse(source)) else "clean"
    except Stop as stop:
        return str(stop.outcome)


HONEST = {
    "the body": filled(BODY),
    "helpers with names of their own": added(
        "spec fn upto(s: Seq<u64>, n: int) -> Seq<u64> { s.subrange(0, n) }\n"
        "proof fn lemma(s: Seq<u64>) ensures s.len() >= 0 { }\n"
        "fn helper(a: u64) -> (b: u64) ensures b == a { a }"
    ),
    "a helper called like a variable of the specification": added("spec fn m(i: int) -> int { i }"),
    "a method of its own on a given type": added("impl Pair { fn width(&self) -> u64 { 1 } }"),
    "a type of its own with a view": added(
        "struct Own { a: u64 } impl View for Own { type V = int; spec fn view(&self) -> int { 3 } }"
    ),
    "an import of a lemma": filled(BODY).replace(
        "verus! {", "use vstd::arithmetic::mul::lemma_mul_is_commutative;\nverus! {"
    ),
    "the word in a comment or string": filled(BODY).replace("let mut m", "/* assume(false) */ // admit()\n let mut m"),
    "other spacing and commas": filled(BODY).replace("requires v.len() > 0,", "requires\n   v.len()>0"),
    "a search attribute": filled(BODY).replace("pub fn maximum", "#[verifier::loop_isolation(false)]\npub fn maximum"),
    "a loop that returns": filled("{ loop invariant v.len() > 0, decreases 1int { return v[0]; } }"),
}  # fmt: skip

ASSUMING = {
    "assume": (filled("{ assume(false); 0 }"), "assume"),
    "assume of the goal": (filled("{ let m = v[0]; assume(is_maximum(v@, m)); m }"), "assume"),
    "assume in a proof block": (filled("{ proof { assume(false); } 0 }"), "assume"),
    "assume in a nested block": (filled("{ if v[0] > 3 { { assume(false) } } 0 }"), "assume"),
    "assume in a closure": (filled("{ let f = || { assume(false); 0u64 }; f() }"), "assume"),
    "assume in an assert by": (filled("{ assert(is_maximum(v@, 0)) by { assume(false); } 0 }"), "assume"),
    "assume behind a comment": (filled("{ assume /* not */ (false); 0 }"), "assume"),
    "assume by its path": (filled("{ vstd::pervasive::assume(false); 0 }"), "assume"),
    "assume under another name": (
        filled("{ fine(false); 0 }").replace("verus! {", "use vstd::pervasive::assume as fine;\nverus! {"),
        "assume",
    ),
    "assume as a value": (filled("{ let f = vstd::pervasive::assume; f(false); 0 }"), "assume"),
    "the builtin below assume": (filled("{ builtin::assume_(false); 0 }"), "assume_"),
    "admit": (filled("{ proof { admit(); } 0 }"), "admit"),
    "admit by its path": (filled("{ vstd::prelude::admit(); 0 }"), "admit"),
    "a tracked value from nowhere": (filled("{ let tracked f: F = Tracked::assume_new(); 0 }"), "assume_new"),
    "unreached": (filled("{ unreached() }"), "unreached"),
    "an axiom": (added("axiom fn truth() ensures false;"), "axiom"),
    "a broadcast axiom": (added("broadcast axiom fn truth() ensures #[trigger] LIMIT == 0;"), "axiom"),
    "a lemma without a body": (added("proof fn truth() ensures false;"), "without a body"),
    "a specification function without a body": (added("spec fn truth() -> bool;"), "without a body"),
    "an uninterpreted function with a contract": (
        added("uninterp spec fn f() -> int returns 3;"),
        "uninterpreted",
    ),
    "an uninterpreted function": (added("uninterp spec fn f() -> int;"), "uninterpreted"),
    "a lemma without a body inside of a function": (
        filled("{ proof fn truth() ensures false; proof { truth(); } 0 }"),
        "without a body",
    ),
    "an axiom inside of a function": (filled("{ axiom fn truth() ensures false; 0 }"), "axiom"),
    "a trusted specification": (added("assume_specification[ g ](x: u8) ensures false;"), "assume_specification"),
}  # fmt: skip

TRUSTING = {
    "external_body": (added("#[verifier::external_body] proof fn truth() ensures false { }"), "external_body"),
    "external_body of old": (added("#[verifier(external_body)] proof fn truth() ensures false { }"), "external_body"),
    "external_body on the goal": (
        filled(BODY).replace("pub fn maximum", "#[verifier::external_body]\npub fn maximum"),
        "external_body",
    ),
    "external_body on an impl": (added("struct Own; #[verifier::external_body] impl Own { }"), "external_body"),
    "external": (added("#[verifier::external] fn g() { }"), "external"),
    "external on a struct": (added("#[verifier::external_body] struct Own { a: u8 }"), "external_body"),
    "external_fn_specification": (
        added("#[verifier::external_fn_specification] fn g() ensures false { }"),
        "external_fn_specification",
    ),
    "external_type_specification": (
        added("#[verifier::external_type_specification] struct G(u8);"),
        "external_type_specification",
    ),
    "assume_termination": (added("#[verifier::assume_termination] fn g() { }"), "assume_termination"),
    "an old broadcast": (added("#[verifier::broadcast_forall] proof fn t() { }"), "broadcast_forall"),
    "an attribute nobody knows": (added("#[verifier::trust_me] fn g() { }"), "trust_me"),
    "an attribute of an arm": (filled("{ match v[0] { #[cfg(any())] 0 => 1, _ => 0 } }"), "cfg"),
    "cfg": (added("#[cfg(any())] fn g() { }"), "cfg"),
    "cfg on a statement": (filled("{ #[cfg(any())] let a = 1; 0 }"), "cfg"),
    "cfg inside a module": (added("mod own { #![cfg(any())] fn g() { } }"), "cfg"),
}  # fmt: skip

DIVERGING = {
    "unimplemented": (filled("{ unimplemented!() }"), "unimplemented"),
    "todo": (filled("{ todo!() }"), "todo"),
    "panic": (filled('{ panic!("never") }'), "panic"),
    "panic by its path": (filled("{ std::panic!() }"), "panic"),
    "an endless loop": (filled("{ loop { } }"), "never ends"),
    "an endless loop with something in it": (filled("{ let mut i = 0; loop { i = 1; } }"), "never ends"),
    "an endless while": (filled("{ while true { } 0 }"), "never ends"),
    "a loop whose breaks are another's": (filled("{ loop { while v.len() > 1 { break; } } }"), "never ends"),
    "itself": (filled("{ maximum(v) }"), "call itself"),
    "itself in a binding": (filled("{ let m = maximum(v); m }"), "call itself"),
    "permission to run forever": (
        filled(BODY).replace("pub fn maximum", "#[verifier::exec_allows_no_decreases_clause]\npub fn maximum"),
        "exec_allows_no_decreases_clause",
    ),
    "permission for the file": (
        "#![verifier::exec_allows_no_decreases_clause]\n" + filled(BODY),
        "exec_allows_no_decreases_clause",
    ),
    "permission for a helper": (
        added("#[verifier::exec_allows_no_decreases_clause] fn g() ensures false { g() }"),
        "exec_allows_no_decreases_clause",
    ),
}  # fmt: skip

ESCAPING = {
    "unsafe": (filled("{ unsafe { 0 } }"), "unsafe"),
    "an unsafe function": (added("unsafe fn g() { }"), "unsafe"),
    "a foreign function": (added('extern "C" { fn g(); }'), "extern"),
    "transmute": (filled("{ std::mem::transmute(0u64) }"), "transmute"),
    "a macro of its own": (added("macro_rules! m { () => { } }"), "macro"),
    "a macro of its own outside": (outside("macro_rules! assert { () => { } }"), "macro"),
    "text from elsewhere": (added('include!("other.rs");'), "include"),
    "a macro nobody knows": (filled("{ sorry!(); 0 }"), "sorry"),
}  # fmt: skip

CHANGING = {
    "no ensures": (filled(BODY).replace("ensures is_maximum(v@, m),", ""), "contract"),
    "a weaker ensures": (filled(BODY).replace("ensures is_maximum(v@, m)", "ensures true"), "contract"),
    "an or in the ensures": (filled(BODY).replace("is_maximum(v@, m),", "is_maximum(v@, m) || true,"), "contract"),
    "more requires": (filled(BODY).replace("requires v.len() > 0,", "requires v.len() > 0, false,"), "contract"),
    "another type": (filled(BODY).replace("-> (m: u64)", "-> (m: u32)"), "contract"),
    "another name of the result": (filled(BODY).replace("-> (m: u64)", "-> (n: u64)"), "contract"),
    "a proof instead of a program": (filled(BODY).replace("pub fn maximum", "pub proof fn maximum"), "contract"),
    "a weaker specification": (filled(BODY).replace("s[i] <= m", "s[i] <= m || true"), "body"),
    "a shorter range": (filled(BODY).replace("0 <= i < s.len()", "0 < i < s.len()"), "body"),
    "another constant": (filled(BODY).replace("LIMIT: u64 = 100", "LIMIT: u64 = 0"), "definition"),
    "another field": (filled(BODY).replace("pub high: u64", "pub high: u8"), "definition"),
    "another method": (filled(BODY).replace("x <= self.high", "true"), "body"),
    "no function": (filled(BODY).replace("pub fn maximum", "pub fn minimum"), "missing"),
    "no constant": (filled(BODY).replace("pub const LIMIT: u64 = 100;", ""), "missing"),
    "opaque": (
        filled(BODY).replace("pub open spec fn is_maximum", "#[verifier::opaque]\npub open spec fn is_maximum"),
        "contract",
    ),
    "closed": (filled(BODY).replace("pub open spec fn is_maximum", "pub closed spec fn is_maximum"), "contract"),
    "the function twice": (added("pub fn maximum(v: &Vec<u64>) -> u64 { 0 }"), "2 times"),
    "the function in a module": (
        filled("{ unimplemented!() }").replace("unimplemented!()", "0").replace("pub fn maximum", "mod m { pub fn maximum").replace(
            "} // verus!", "} }"
        ),
        "is a name",
    ),
}  # fmt: skip

SHADOWING = {
    "a specification function": (
        added("mod m { pub open spec fn is_maximum(s: Seq<u64>, m: u64) -> bool { true } } use m::is_maximum;"),
        "is_maximum",
    ),
    "a type": (added("struct Seq { }"), "Seq"),
    "an alias": (added("type Seq<T> = Vec<T>;"), "Seq"),
    "a constructor": (added("enum Own { Some, None }"), "None"),
    "an import": (added("mod m { } use m::other as is_maximum;"), "is_maximum"),
    "an import of a type": (filled(BODY).replace("verus! {", "use other::Seq;\nverus! {"), "Seq"),
    "everything of another crate": (filled(BODY).replace("verus! {", "use other::*;\nverus! {"), "other"),
    "a module": (added("mod Seq { }"), "Seq"),
    "an item inside the function": (
        filled("{ spec fn is_maximum(s: Seq<u64>, m: u64) -> bool { true } 0 }"),
        "is_maximum",
    ),
    "a method that the specification calls": (added("impl Pair { spec fn contains(&self) -> bool { true } }"), "contains"),
    "what `@` means": (added("impl Pair { spec fn view(&self) -> int { 3 } }"), "view"),
    "a trait for a given type": (
        added("impl View for Pair { type V = int; spec fn view(&self) -> int { 3 } }"),
        "not new",
    ),
    "a trait for a library's type": (
        added("trait Own { spec fn own(&self) -> int; } impl Own for Vec<u64> { spec fn own(&self) -> int { 3 } }"),
        "not new",
    ),
    "a trait with a method of the specification": (added("trait Own { spec fn len(&self) -> int; }"), "len"),
    "operators": (added("trait Own { spec fn spec_add(self, o: int) -> int; }"), "spec_add"),
    "a second block": (filled(BODY) + "\nverus! { fn g() { } }", "second"),
}  # fmt: skip

HIDING = {
    "prose": ("Here is my solution:\n" + filled(BODY), "expected"),
    "a fence": ("```rust\n" + filled(BODY) + "\n```", "unknown start"),
    "a comment that never ends": (filled(BODY) + "\n/* verus! {", "unterminated"),
    "a comment in a comment": (filled(BODY).replace("ensures is", "/* /* */ ensures is"), "unterminated"),
    "the end of a comment in a string": (filled('{ let a = "*/"; /* " */ assume(false); 0 }'), "assume"),
    "marks of direction": (filled("{ /* \u202e } \u2066 */ 0 }"), "direction"),
    "a look-alike": (added("spec fn is_m\u0430ximum() -> bool { true }"), "outside ASCII"),
    "an invisible letter": (added("spec fn is_\u200bmaximum() -> bool { true }"), "invisible"),
    "code behind the macro": (outside("fn more() { }"), "outside"),
    "an impl behind the macro": (outside("impl Clone for Pair { fn clone(&self) -> Self { loop { } } }"), "outside"),
    "an attribute of Verus behind the macro": (outside("#[verifier::verify] fn more() { }"), "outside"),
    "a block of another name": (filled(BODY).replace("verus! {", "other! {"), "outside"),
    "nothing in the macro": ("verus! { }", "missing"),
    "nothing at all": ("", "no `verus!` block"),
    "a raw name": (filled("{ let r#fn = 1; 0 }"), "raw"),
    "too deep": (filled("{ " + "(" * 1000 + "0" + ")" * 1000 + " }"), "nesting"),
    "too long": (filled("{ " + "1;" * 100_000 + " 0 }"), "tokens"),
    "a huge number": (filled("{ " + "9" * 10_000 + " }"), "digits"),
}  # fmt: skip

ATTEMPTS = {
    f"{family}: {name}": attempt
    for family, attempts in {
        "assuming": ASSUMING, "trusting": TRUSTING, "diverging": DIVERGING, "escaping": ESCAPING, "changing": CHANGING,
        "shadowing": SHADOWING, "hiding": HIDING,
    }.items()
    for name, attempt in attempts.items()
}  # fmt: skip


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_solution_is_clean(name: str) -> None:
    assert reason(HONEST[name]) == ""


@pytest.mark.parametrize("name", ATTEMPTS)
def test_an_attempt_is_refused_for_what_it_does(name: str) -> None:
    solution, expected = ATTEMPTS[name]
    assert expected in reason(solution)


def test_there_are_many_attempts() -> None:
    assert len(ATTEMPTS) > 100


# A program of its own may leave a function open: nothing can be proved from it.
ALWAYS = ATTEMPTS.keys() - {"assuming: an uninterpreted function"}


@pytest.mark.parametrize(
    "name", sorted(name for name in ALWAYS if name.partition(":")[0] in ("assuming", "trusting", "escaping"))
)
def test_what_assumes_is_no_better_without_a_given_program(name: str) -> None:
    solution, _ = ATTEMPTS[name]
    assert outcome(solution) != "clean"


def test_a_given_program_may_be_open_where_the_solution_keeps_it_so() -> None:
    given = "verus! { uninterp spec fn f() -> int; fn g() ensures f() == f() { unimplemented!() } }"
    solution = given.replace("unimplemented!()", "")
    assert scan(parse(solution), parse(given)) == []


@pytest.mark.parametrize(
    "body",
    [
        "if n == 0 { 0 } else { f(n - 1) }",
        "if n == 0 { return 0; } f(n - 1)",
        "let r = n == 0 || f(n - 1) == 0; 0",
        "let g = |x: u64| f(x); 0",
        "match n { 0 => 0, _ => f(n - 1) }",
    ],
)
def test_recursion_that_may_end_is_none_of_the_scans_business(body: str) -> None:
    assert scan(parse(f"verus! {{ fn f(n: u64) -> (r: u64) ensures r == 0 {{ {body} }} }}")) == []


@pytest.mark.parametrize(
    "body",
    [
        "loop { if n > 1 { break; } }",
        "'a: loop { loop { break 'a; } }",
        "loop { return 1; }",
        "loop { g()?; }",
        "while n > 1 { }",
    ],
)
def test_a_loop_that_may_end_is_none_of_the_scans_business(body: str) -> None:
    assert scan(parse(f"verus! {{ fn f(n: u64) -> (r: u64) ensures r == 0 {{ {body} 0 }} }}")) == []


def test_a_loop_that_never_ends_is_free_where_nothing_is_promised() -> None:
    assert scan(parse("verus! { fn f() { loop decreases 1int { } } }")) == []


def test_a_program_needs_its_block() -> None:
    with pytest.raises(Rejected, match="verus!"):
        scan(parse("fn main() { }"))


@pytest.mark.parametrize(
    ("source", "construct"),
    [
        ("verus! { } verus! { }", "more than one"),
        ("mod m { verus! { fn f() { } } } verus! { }", "inside of a module"),
        ("fn main() { verus! { fn f() { } } } verus! { }", "outside"),
        ("lazy! { } verus! { }", "outside"),
        ("verus! { fn f() { print!(1); } }", "macro"),
        ("verus! { #[test] fn f() { } }", "attribute"),
        ("#[verus_verify] fn f() { } verus! { }", "outside"),
        ("verus! { struct A; } impl A { fn f() { } }", "outside"),
        ("verus! { enum Option<T> { None, Some(T) } }", "prelude"),
        ("verus! { spec fn old(x: int) -> int { x } }", "meaning of its own"),
        ("verus! { global size_of usize == 8; }", "global"),
    ],
)
def test_what_is_no_cheat_and_not_known_is_unsupported(source: str, construct: str) -> None:
    with pytest.raises(Unsupported, match=construct):
        scan(parse(source))


def test_findings_come_in_order_and_name_their_function() -> None:
    found = scan(parse("verus! {\nproof fn b() { admit(); }\nproof fn a() { assume(true); }\n}"))
    assert [(one.place.line, one.function) for one in found] == [(2, "b"), (3, "a")]


def test_a_permission_of_one_function_is_none_for_a_method_of_its_name() -> None:
    permission = "#[verifier::exec_allows_no_decreases_clause]"
    given = f"verus! {{ {permission} fn g() {{ }} fn f() {{ todo!() }} }}"
    solution = given.replace("todo!()", "").replace(
        "fn f", f"struct S {{ }} impl S {{ {permission} fn g() ensures false {{ S::g() }} }} fn f"
    )
    assert [one.message for one in scan(parse(solution), parse(given)) if "was added" in one.message] != []


def test_an_import_of_one_module_is_new_in_another() -> None:
    modules = "mod a { pub spec fn ok() -> bool { false } } mod b { pub spec fn ok() -> bool { true } }"
    given = (
        f"verus! {{ {modules} mod c {{ use crate::b::ok; }} use a::*; fn f() ensures ok() {{ todo!() }} }}"
    )
    solution = given.replace("todo!()", "").replace("use a::*;", "use a::*; use crate::b::ok;")
    assert "gives `ok` another meaning" in scan(parse(solution), parse(given))[0].message
    assert scan(parse(given.replace("todo!()", "")), parse(given)) == []
