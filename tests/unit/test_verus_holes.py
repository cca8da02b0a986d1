"""Given programs made from whole ones, and what stays of the text."""

from __future__ import annotations

import pytest

from rlvr_gym.envs.verus_problems import problems
from rlvr_gym.verifiers.verus.comparison import compare
from rlvr_gym.verifiers.verus.errors import Rejected
from rlvr_gym.verifiers.verus.holes import canonical_form, hole_of, without_body, without_proof
from rlvr_gym.verifiers.verus.syntax.parser import parse

WHOLE = """use vstd::prelude::*;
verus! {
// Twice as much.
spec fn twice(x: int) -> int { 2 * x }

proof fn lemma_twice(x: int) ensures twice(x) == x + x { }

fn sum(n: u8) -> (r: u64)
    ensures r == twice(n as int),
{
    let ghost before = n;
    let mut i: u8 = 0;
    let mut r: u64 = 0;
    while i < n
        invariant i <= n, r == twice(i as int),
        decreases n - i,
    {
        proof { lemma_twice(i as int); }
        r = r + 2;
        i = i + 1;
        assert(r == twice(i as int)) by { let k = i; }
    }
    assert(i == n);
    r
}

fn main() { }
}
"""


def test_a_body_is_taken_out_and_the_rest_stays_as_written() -> None:
    given = without_body(WHOLE)
    assert "ensures r == twice(n as int),\n{ unimplemented!() }" in given
    assert "// Twice as much." in given
    assert "lemma_twice" not in given
    assert hole_of(given) == "sum"


def test_a_proof_is_taken_out_and_the_code_stays_as_written() -> None:
    given = without_proof(WHOLE)
    for ghost in ("ghost", "invariant", "decreases", "assert", "proof", "lemma"):
        assert ghost not in given, ghost
    for code in ("let mut r: u64 = 0;", "while i < n", "r = r + 2;", "    r\n}"):
        assert code in given, code
    assert hole_of(given) == "sum"


def test_the_whole_program_completes_both() -> None:
    for given in (without_body(WHOLE), without_proof(WHOLE)):
        assert compare(parse(given), parse(WHOLE), None) == []


@pytest.mark.parametrize("problem", problems(), ids=lambda problem: problem.slug)
def test_our_own_solutions_complete_what_is_made_of_them(problem) -> None:  # type: ignore[no-untyped-def]
    bare = without_proof(problem.source, problem.function)
    assert compare(parse(bare), parse(problem.source), None) == []
    assert compare(parse(problem.spec), parse(problem.source), problem.function) == []


def test_a_function_that_is_not_there_is_named() -> None:
    with pytest.raises(Rejected, match="`missing`"):
        without_body(WHOLE, "missing")
    with pytest.raises(Rejected, match="no function"):
        hole_of("use vstd::prelude::*; verus! { spec fn f() -> int { 3 } }")


def test_spacing_and_comments_make_no_other_form() -> None:
    first = "use vstd::prelude::*; verus! { fn f(x: u8)->(r: u8) ensures r==x { x } }"
    second = (
        "use vstd::prelude::*;\nverus! {\n/* why */ fn f(x: u8) -> (r: u8)\n ensures\n  r == x,\n{ x }\n}\n"
    )
    assert canonical_form(first) == canonical_form(second)
    assert canonical_form(first) != canonical_form(first.replace("r==x", "r>=x"))
