Exhaustiveness and meaning of match.

//@ both_constructors | verified | every Option is one of the two
fn f(o: Option<u8>) -> (r: u8) ensures o == Some(r) || (o is None && r == 0) { match o { Some(x) => x, None => 0 } }

//@ constructor_is_missing | rejected | None is not covered
fn f(o: Option<u8>) -> u8 { match o { Some(x) => x } }

//@ constructor_is_missing_although_excluded | rejected | rustc does not read requires
fn f(o: Option<u8>) -> u8 requires o is Some { match o { Some(x) => x } }

//@ wildcard | verified | _ covers the rest
pub enum C { R, G, B }
spec fn f(c: C) -> int { match c { C::R => 1, _ => 2 } }
proof fn t() { assert(f(C::B) == 2); assert(f(C::R) == 1); }

//@ integers_with_wildcard | verified | numbers need a last arm
fn f(x: u8) -> (r: u8) ensures x == 3 ==> r == 30, x == 200 ==> r == 1 { match x { 3 => 30, _ => 1 } }

//@ integers_without_wildcard | rejected | 5 is not covered
fn f(x: u8) -> u8 { match x { 3 => 30, 4 => 40 } }

//@ bool_both | verified | true and false are all
fn f(b: bool) -> (r: u8) ensures r == (if b { 1u8 } else { 0u8 }) { match b { true => 1, false => 0 } }

//@ bool_one | rejected | false is not covered
fn f(b: bool) -> u8 { match b { true => 1 } }

//@ guard_does_not_cover | rejected | the guard may be false
fn f(o: Option<u8>) -> u8 { match o { Some(x) if x > 3 => x, None => 0 } }

//@ guard_falls_through | verified | the next arm sees what the guard refused
fn f(o: Option<u8>) -> (r: u8) ensures r > 3 || r == 0 || r == 1 {
    match o { Some(x) if x > 3 => x, Some(_) => 1, None => 0 }
}

//@ guard_wrong | failed | an x of 3 or less takes the second arm
fn f(o: Option<u8>) -> (r: u8)
    ensures o matches Some(x) ==> r == x // FAILS
{
    match o { Some(x) if x > 3 => x, Some(_) => 1, None => 0 }
}

//@ first_arm_wins | verified | 0 meets both arms and takes the first
fn f(x: u8) -> (r: u8) ensures x == 0 ==> r == 1 { match x { 0 => 1, _ => 2 } }

//@ nested | verified | four shapes of two Options
spec fn f(p: (Option<int>, Option<int>)) -> int {
    match p { (Some(x), Some(y)) => x + y, (Some(x), None) => x, (None, Some(y)) => y, (None, None) => 0 }
}
proof fn t() { assert(f((Some(1), Some(2))) == 3); assert(f((None, Some(2))) == 2); }

//@ nested_with_a_hole | rejected | (None, Some) is not covered
spec fn f(p: (Option<int>, Option<int>)) -> int {
    match p { (Some(x), Some(y)) => x + y, (Some(x), None) => x, (None, None) => 0 }
}

//@ alternatives | verified | either constructor
pub enum C { R, G, B }
spec fn f(c: C) -> int { match c { C::R | C::G => 1, C::B => 2 } }
proof fn t() { assert(f(C::G) == 1); }

//@ alternatives_with_a_hole | rejected | B is not covered
pub enum C { R, G, B }
spec fn f(c: C) -> int { match c { C::R | C::G => 1 } }

//@ struct_patterns | verified | fields by name
pub enum S { Circle { r: u8 }, Square { side: u8 } }
fn f(s: S) -> (a: u8) ensures s matches S::Circle { r } ==> a == r { match s { S::Circle { r } => r, S::Square { side } => side } }

//@ unknown_constructor | rejected | C has no Y
pub enum C { R, G }
spec fn f(c: C) -> int { match c { C::R => 1, C::Y => 2, _ => 3 } }

//@ wrong_arity | rejected | Some holds one value
fn f(o: Option<u8>) -> u8 { match o { Some(x, y) => x, None => 0 } }

//@ pattern_of_another_type | rejected | an Option is no bool
fn f(o: Option<u8>) -> u8 { match o { true => 1, _ => 0 } }

//@ name_bound_twice | rejected | one name, two places
fn f(p: (u8, u8)) -> u8 { match p { (x, x) => x } }

//@ lower_case_name_binds_everything | verified | other is a variable, not a constructor
fn f(x: u8) -> (r: u8) ensures r == x || r == 9 { match x { 3 => 9, other => other } }

//@ if_let | verified | the else branch holds the rest
fn f(o: Option<u8>) -> (r: u8) ensures o is None ==> r == 0, o is Some ==> r == o->0 { if let Some(x) = o { x } else { 0 } }

//@ refutable_let | rejected | a plain let must always match
fn f(o: Option<u8>) -> u8 { let Some(x) = o; x }

//@ pair_let | verified | a pair always matches
fn f(p: (u8, u8)) -> (r: u8) ensures r == p.1 { let (a, b) = p; b }

//@ match_in_proof | verified | each arm knows its constructor
proof fn f(o: Option<int>) ensures o is Some || o is None { match o { Some(x) => { assert(o == Some(x)); } None => { assert(o is None); } } }

//@ match_in_proof_wrong | failed | in the second arm o is None
proof fn f(o: Option<int>) {
    match o {
        Some(x) => { }
        None => {
            assert(o is Some); // FAILS
        }
    }
}
