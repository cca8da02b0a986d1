"""The embedded verifier as a whole: outcomes, limits, and that nothing which goes wrong inside is a pass."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from rlvr_gym.verifiers.verus import engine
from rlvr_gym.verifiers.verus.engine import examine, verify
from rlvr_gym.verifiers.verus.limits import Limits
from rlvr_gym.verifiers.verus.report import Outcome


def program(body: str) -> str:
    return f"use vstd::prelude::*;\nverus! {{\n{body}\n}}\n"


LARGER = """
fn larger(a: u32, b: u32) -> (m: u32)
    ensures m >= a, m >= b, m == a || m == b,
{ if a < b { b } else { a } }
"""
# Each instance of the fact gives terms for another one, for ever.
ENDLESS = """
#[verifier::opaque] spec fn h(i: int) -> int { i + 1 }
#[verifier::opaque] spec fn g(i: int, j: int) -> bool { true }
proof fn p()
    requires g(0, 0), forall|i: int| #[trigger] g(i, i) ==> g(h(i), h(i)) && g(h(i) + 1, h(i) + 1),
{ assert(h(5) == 7); }
"""


def test_a_proved_program_names_its_functions_and_the_engine() -> None:
    report = verify(program(LARGER))
    assert report.verified
    assert report.functions == ("larger",)
    assert report.engine == engine.ENGINE
    assert not report.partial


def test_all_findings_are_told_in_source_order() -> None:
    text = program(
        LARGER.replace("{ b } else { a }", "{ a } else { b }") + "\nproof fn p() { assert(1 == 2int); }"
    )
    report = verify(text)
    assert report.outcome is Outcome.FAILED
    assert [(each.function, each.message) for each in report.findings] == [
        ("larger", "postcondition not satisfied"),
        ("larger", "postcondition not satisfied"),
        ("p", "assertion failed"),
    ]
    # The clause that fails stands on line 5, the value that it is about on line 6.
    assert {(each.place.line, each.related.line) for each in report.findings[:2] if each.related} == {(6, 5)}


def test_the_same_text_gets_the_same_report() -> None:
    text = program(LARGER.replace("b } else", "a } else"))
    assert verify(text) == verify(text)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("", Outcome.REJECTED),
        ("fn main() { }", Outcome.REJECTED),
        (program(""), Outcome.UNSUPPORTED),
        (program("fn f( {"), Outcome.REJECTED),
        (program("fn f() -> (r: u8) { true }"), Outcome.REJECTED),
        (program("proof fn f() ensures false { assume(false); }"), Outcome.CHEAT),
        ("\0" * 10, Outcome.REJECTED),
        ("(" * 5000, Outcome.REJECTED),
        (
            program("proof fn f(x: int) { assert(" + "(" * 5000 + "x" + ")" * 5000 + " == x); }"),
            Outcome.UNSUPPORTED,
        ),
    ],
)
def test_what_is_no_program_has_an_outcome_too(text: str, outcome: Outcome) -> None:
    assert verify(text).outcome is outcome


def test_long_programs_are_not_read() -> None:
    assert verify(program("// " + "x" * 200), limits=Limits(source_bytes=100)).outcome is Outcome.UNSUPPORTED


def test_the_function_of_the_task_must_be_inside_the_macro() -> None:
    assert verify(program(LARGER), function="larger").verified
    outside = "use vstd::prelude::*;\nfn larger(a: u32, b: u32) -> u32 { a }\nverus! { fn other() { } }\n"
    assert verify(outside, function="larger").outcome is Outcome.SPEC_CHANGED
    assert verify(program(LARGER), function="smaller").outcome is Outcome.SPEC_CHANGED


def test_the_given_program_must_stand_unchanged_in_the_solution() -> None:
    given = program(LARGER.replace("{ if a < b { b } else { a } }", "{ unimplemented!() }"))
    assert verify(program(LARGER), given=given, function="larger").verified
    weaker = program(LARGER.replace(", m == a || m == b", ""))
    assert verify(weaker, given=given, function="larger").outcome is Outcome.SPEC_CHANGED


def test_examine_proves_nothing() -> None:
    assert examine(program(LARGER)).outcome is Outcome.UNSUPPORTED
    assert examine(program("proof fn f() ensures false { admit(); }")).outcome is Outcome.CHEAT


def test_time_that_runs_out_is_no_pass() -> None:
    start = time.monotonic()
    report = verify(program(ENDLESS), limits=Limits(wall_s=1, memory_mib=1024))
    assert report.outcome is Outcome.TIMEOUT
    assert time.monotonic() - start < 20


def test_memory_that_runs_out_is_no_pass_and_harms_no_later_job() -> None:
    report = verify(program(ENDLESS), limits=Limits(memory_mib=64, query_s=60))
    assert report.outcome is Outcome.TIMEOUT
    assert "memory" in report.reason
    assert verify(program(LARGER)).verified


def test_units_of_the_solver_bound_each_question() -> None:
    report = verify(program(ENDLESS), limits=Limits(rlimit=0.02))
    assert report.outcome is Outcome.FAILED
    assert "resource limit exceeded" in report.findings[0].message


def test_an_error_of_ours_is_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr(engine, "prove", broken)
    report = verify(program(LARGER))
    assert report.outcome is Outcome.CRASH
    assert "KeyError" in report.reason


def test_inline_functions_that_double_at_every_link_are_refused_in_time() -> None:
    links = "".join(
        f"#[verifier::inline] spec fn f{i + 1}(x: int) -> int {{ f{i}(x) + f{i}(x + 1) }}\n"
        for i in range(30)
    )
    text = program(f"spec fn f0(x: int) -> int {{ x }}\n{links}proof fn p() {{ assert(f30(0) > 0); }}")
    start = time.monotonic()
    assert verify(text).outcome is Outcome.UNSUPPORTED
    assert time.monotonic() - start < 20


@pytest.mark.parametrize(
    ("rest", "proved"),
    [("s.drop_last()", True), ("s.subrange(1, s.len() as int)", True), ("s.subrange(0, s.len() as int)", False),
     ("s.push(0)", False)],
)  # fmt: skip
def test_shorter_parts_of_a_sequence_are_below_it(rest: str, proved: bool) -> None:
    text = program(
        f"spec fn f(s: Seq<int>) -> int decreases s {{ if s.len() == 0 {{ 0 }} else {{ f({rest}) + 1 }} }}"
    )
    assert verify(text).verified is proved


def test_counterexamples_show_sequences() -> None:
    text = program("fn f(v: Vec<u8>) requires v.len() == 2 { let x = v[0]; let y = v[1]; assert(x == y); }")
    (finding,) = verify(text).findings
    values = dict(finding.model)
    # Two elements, the first of them x and the second y, and not the same.
    assert values["v"] == f"[{values['x']}, {values['y']}]"
    assert values["x"] != values["y"]


NESTED = "a: Seq<Seq<u8>>, b: Seq<Seq<u8>>"
SAME_ELEMENT = "a.len() == 1, b.len() == 1, a[0].len() == 1, b[0].len() == 1, a[0][0] == b[0][0]"
TWO_LISTS = "s: Seq<u8>, t: Seq<u8>"
EMPTY = "s.len() == 0, t.len() == 0"
LIST = "enum List { End, More(Seq<u8>, Box<List>) }"


@pytest.mark.parametrize(
    ("items", "parameters", "requires", "claim", "proved"),
    [
        # Elements are compared by contents only when asked for.
        ("", NESTED, SAME_ELEMENT, "a =~~= b", True),
        ("", NESTED, SAME_ELEMENT, "a =~= b", False),
        # Fields are, in types that are marked for it, but not those through which a type contains itself.
        ("", TWO_LISTS, EMPTY, "Some(s) =~= Some(t)", True),
        ("", TWO_LISTS, EMPTY, "(s, 1int) =~= (t, 1int)", True),
        ("", TWO_LISTS, EMPTY, "Some(s) =~= None", False),
        (LIST, TWO_LISTS, EMPTY, "List::More(s, Box::new(List::End)) =~= List::More(t, Box::new(List::End))", False),
        (f"#[verifier::ext_equal] {LIST}", TWO_LISTS, EMPTY,
         "List::More(s, Box::new(List::End)) =~= List::More(t, Box::new(List::End))", True),
        # Functions that agree on all arguments of their types are one; those on 0 and 1 only are not.
        ("", "f: spec_fn(u8) -> int, g: spec_fn(u8) -> int", "forall|i: u8| #[trigger] f(i) == g(i)", "f =~= g", True),
        ("", "f: spec_fn(u8) -> int, g: spec_fn(u8) -> int", "f(0) == g(0), f(1) == g(1)", "f =~= g", False),
        # x | y is one number whatever the width.
        ("", "x: u8, y: u8", "true", "(x | y) == (x as u32) | (y as u32)", True),
        ("", "x: u8, y: u8", "true", "(x | y) == (x as u32) & (y as u32)", False),
    ],
)  # fmt: skip
def test_equality_by_parts(items: str, parameters: str, requires: str, claim: str, proved: bool) -> None:
    text = program(f"{items}\nproof fn p({parameters}) requires {requires} {{ assert({claim}); }}")
    report = verify(text)
    assert report.outcome is (Outcome.VERIFIED if proved else Outcome.FAILED), report.reason


def test_values_of_functions_outside_of_their_types_are_nobodys() -> None:
    # The two agree on natural numbers, so they are one; what they would be at -1 must not matter.
    text = program(
        "proof fn p() { let f = |x: nat| x as int; let g = |x: nat| if x < 0 { 7int } else { x as int };"
        "assert(f =~= g); assert(false); }"
    )
    (finding,) = verify(text).findings
    assert finding.message == "assertion failed"


def test_slices_and_arrays_of_equal_elements_are_equal() -> None:
    text = program("fn f(a: &[u8], b: &[u8]) requires a@ == b@ { assert(a == b); }")
    assert verify(text).verified
    text = program("fn f(a: &[u8; 2], b: &[u8; 2]) requires a[0] == b[0], a[1] == b[1] { assert(a == b); }")
    assert verify(text).verified
    text = program("fn f(a: &[u8; 2], b: &[u8; 2]) requires a[0] == b[0] { assert(a == b); }")
    assert verify(text).outcome is Outcome.FAILED


def test_without_z3_the_extra_is_named() -> None:
    lines = (
        "import sys",
        "sys.modules['z3'] = None",
        "from rlvr_gym.verifiers import verify",
        "verify('small_verus', '8', reference='r>3')",
    )
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True)
    assert done.returncode == 1
    assert "The embedded Verus verifier needs an extra: pip install 'rlvr-gym[verus]'." in done.stderr
