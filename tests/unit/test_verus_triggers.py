"""Triggers: what a program marks, what is chosen for it otherwise, and what is refused. Choices worked by hand."""

from __future__ import annotations

import pytest

from rlvr_gym.verifiers.verus.checks import axiom_triggers
from rlvr_gym.verifiers.verus.checks.walk import every_root, walk
from rlvr_gym.verifiers.verus.report import Dialect
from rlvr_gym.verifiers.verus.syntax.printer import show
from rlvr_gym.verifiers.verus.syntax.tree import AssertForall, Expr, Quantifier
from tests.verus_checking import checked, verdict

SETUP = """
uninterp spec fn f(x: int) -> int;
uninterp spec fn g(x: int) -> int;
uninterp spec fn h(x: int, y: int) -> int;
uninterp spec fn p(x: int) -> bool;
uninterp spec fn q(x: int) -> bool;
uninterp spec fn gen<T>(x: T) -> bool;
#[verifier::inline] spec fn twice(x: int) -> int { f(x) + f(x) }
struct S { v: Vec<u8>, n: int }
spec fn bits(x: u8) -> bool { true }
"""


def text(term: Expr) -> str:
    """Return a term without the mark in front of it."""
    return show(term).rpartition("] ")[2] if show(term).startswith("#[") else show(term)


def chosen(formula: str, parameters: str = "", dialect: Dialect = "current") -> list[list[str]]:
    """Return the groups of the outermost quantifier of ``formula`` as text."""
    crate = checked(f"{SETUP} proof fn t({parameters}) requires {formula} {{}}", dialect)
    for root in every_root(crate):
        for node in walk(root):
            if isinstance(node, Quantifier | AssertForall):
                assert node.groups is not None
                return [[text(term) for term in group] for group in node.groups]
    raise AssertionError("no quantifier")


# Each with the reason in its name: what is chosen, by the rules of the module `terms`.
CHOSEN = {
    "the only application": ("forall|x: int| p(x)", "", [["p(x)"]]),
    "next to a logical operator before inside arithmetic": (
        # p(x): x at depth 1. f(x): below `<`, x at depth 2.
        "forall|x: int| p(x) ==> f(x) < 3",
        "",
        [["p(x)"]],
    ),
    "next to an equality before inside a comparison": (
        "forall|x: int| f(x) == 3 || g(x) < 3",
        "",
        [["f(x)"]],
    ),
    "equals tie and both are used": ("forall|x: int| p(x) ==> q(x)", "", [["p(x)"], ["q(x)"]]),
    "one term before two": ("forall|x: int, y: int| p(x) && p(y) ==> h(x, y) > 3", "", [["h(x, y)"]]),
    "two terms where none covers both": (
        "forall|x: int, y: int| p(x) && q(y) ==> x < y",
        "",
        [["p(x)", "q(y)"]],
    ),
    "the inner term is as deep and smaller": ("forall|x: int| f(g(x)) == 3", "", [["g(x)"]]),
    "a call before a field": (
        # The field has no call in it, which counts before depth and size.
        "forall|s: S| s.n > 0 ==> s.v.len() > 0",
        "",
        [["s.v.len()"]],
    ),
    "the view before its length": (
        # `len` of a vector is a function of its own; its operand is the bound variable.
        "forall|v: Vec<u8>| v@.len() > 0",
        "",
        [["v@"]],
    ),
    # `s[i]` is inline: what it stands for is the term.
    "an element of a sequence": (
        "forall|i: int| 0 <= i < s.len() ==> s[i] > 0",
        "s: Seq<int>",
        [["s.index(i)"]],
    ),
    "elements of two sequences tie": (
        "forall|i: int| 0 <= i < s.len() ==> s[i] == t[i]",
        "s: Seq<int>, t: Seq<int>",
        [["s.index(i)"], ["t.index(i)"]],
    ),
    "pairs of elements": (
        "forall|i: int, j: int| 0 <= i < j < s.len() ==> s[i] < s[j]",
        "s: Seq<int>",
        [["s.index(i)", "s.index(j)"]],
    ),
    "an element of a vector through an index of a machine type": (
        "forall|i: usize| i < v.len() ==> v[i as int] > 0",
        "v: Vec<u8>",
        [["v.view().index(i as int)"]],
    ),
    "inside an `if`": ("forall|x: int| if x > 0 { p(x) } else { true }", "", [["p(x)"]]),
    "marked": ("forall|x: int| p(x) ==> #[trigger] q(x)", "", [["q(x)"]]),
    "marked together": ("forall|x: int, y: int| #[trigger] p(x) ==> #[trigger] q(y)", "", [["p(x)", "q(y)"]]),
    "marked in numbered groups": (
        "forall|x: int| #[trigger(1)] p(x) ==> #[trigger(2)] q(x)",
        "",
        [["p(x)"], ["q(x)"]],
    ),
    "named at the head": ("forall|x: int| #![trigger q(x)] p(x) ==> q(x)", "", [["q(x)"]]),
    "named at the head twice": (
        "forall|x: int| #![trigger p(x)] #![trigger q(x)] p(x) ==> q(x)",
        "",
        [["p(x)"], ["q(x)"]],
    ),
    "auto says the same as nothing": ("forall|x: int| #![auto] p(x) ==> f(x) < 3", "", [["p(x)"]]),
    "all_triggers takes every minimal cover": (
        "forall|x: int| #![all_triggers] p(x) ==> f(x) < 3",
        "",
        [["p(x)"], ["f(x)"]],
    ),
    "a sum of ints may be marked": (
        "forall|i: int| 0 <= i < 3 ==> #[trigger] s[i + 1] > 0",
        "s: Seq<int>",
        [["s[i + 1]"]],
    ),
    "marks of an inner quantifier are not the outer's": (
        "forall|x: int| p(x) ==> exists|y: int| #[trigger] h(x, y) > 0",
        "",
        [["p(x)"]],
    ),
    "exists and choose follow the same rule": ("exists|x: int| p(x) && f(x) < 3", "", [["p(x)"]]),
    "a larger instance of the other side removes a candidate": (
        # f(x) would make f(f(x)), which has the form of f(x) again; p(x) is left.
        "forall|x: int| p(x) ==> f(f(x)) == x",
        "",
        [["p(x)"]],
    ),
}

# Without a possible trigger the quantifier is refused: the solver never chooses.
REFUSED = {
    "arithmetic only": ("forall|x: int| x + 1 > x", "", "rejected: could not automatically infer triggers"),
    "one variable of two": ("forall|x: int, y: int| p(x) && y == y", "", "rejected: could not automatically"),
    "only under arithmetic": ("forall|x: int| f(x + 1) == 3", "", "rejected: could not automatically"),
    "a matching loop": (
        # s[i] has the larger instance s[i + 1], which itself contains arithmetic.
        "forall|i: int| s[i] <= s[i + 1]",
        "s: Seq<int>",
        "rejected: could not automatically",
    ),
    "only inside another quantifier": (
        "forall|x: int| exists|y: int| h(x, y) > 0",
        "",
        "rejected: could not automatically",
    ),
    "only inside a let": ("forall|x: int| { let y = f(x); y > 0 }", "", "rejected: could not automatically"),
    "only inside a chain": ("forall|x: int| 0 <= f(x) < 3", "", "rejected: could not automatically"),
    "only the application of a function value": (
        "forall|x: int| k(x)",
        "k: spec_fn(int) -> bool",
        "rejected: could not automatically",
    ),
    "a mark that misses a variable": (
        "forall|x: int, y: int| #[trigger] p(x) ==> h(x, y) > 0",
        "",
        "rejected: trigger does not cover variable y",
    ),
    "a group that misses a variable": (
        "forall|x: int, y: int| #![trigger p(x), q(x)] p(x) && q(x) ==> h(x, y) > 0",
        "",
        "rejected: trigger does not cover variable y",
    ),
    "a mark on an equality": (
        "forall|x: int| #[trigger] (f(x) == 3)",
        "",
        "rejected: trigger must be a function call",
    ),
    "a comparison inside a mark": (
        "forall|x: int| #[trigger] gen(x < 3)",
        "",
        "rejected: triggers cannot contain boolean operators",
    ),
    "an `if` inside a mark": (
        "forall|x: int| #[trigger] f(if x > 0 { x } else { 0 }) == 3",
        "",
        "rejected: triggers cannot contain if/else",
    ),
    "a `let` variable inside a mark": (
        "forall|x: int| { let y = x; #[trigger] f(y) == x }",
        "",
        "rejected",
    ),
    "a mark on a constructor": (
        "forall|x: int| #[trigger] Some(x) == Some(3int)",
        "",
        "rejected: trigger must be a function call",
    ),
    "marks and auto": ("forall|x: int| #![auto] #[trigger] p(x)", "", "rejected: cannot use both"),
    "an unknown word": ("forall|x: int| #![autos] p(x)", "", "rejected"),
    "a sum of nats inside a mark": (
        "forall|a: nat, b: nat| #[trigger] gen(a + b)",
        "",
        "rejected: triggers cannot contain arithmetic of type nat",
    ),
    "a variable that stands under a narrowing cast only": (
        "forall|x: int| #[trigger] bits(x as u8)",
        "",
        "unsupported: a trigger in which `x` stands only under a cast",
    ),
    "a cast where the type goes with the value": (
        "exists|i: nat| #[trigger] gen(i as int)",
        "",
        "unsupported: a trigger in which `i` stands only under a cast",
    ),
}


@pytest.mark.parametrize(("formula", "parameters", "expected"), CHOSEN.values(), ids=CHOSEN)
def test_the_choice_is_made_by_hand(formula: str, parameters: str, expected: list[list[str]]) -> None:
    assert chosen(formula, parameters) == expected


@pytest.mark.parametrize(("formula", "parameters", "expected"), REFUSED.values(), ids=REFUSED)
def test_no_trigger_is_possible(formula: str, parameters: str, expected: str) -> None:
    program = f"{SETUP} proof fn t({parameters}) requires {formula} {{}}"
    assert verdict(program).startswith(expected)


def test_calls_of_inline_functions_are_looked_into() -> None:
    # `twice(x)` stands for f(x) + f(x); the call itself is no term any more.
    assert chosen("forall|x: int| twice(x) > 0") == [["f(x)"]]


def test_the_older_dialect_looks_into_chains_around_a_plain_middle() -> None:
    # Verus of 2026 names all operands of a chain first, and what has a name is not looked into.
    assert chosen("forall|x: int, n: int| f(x) >= n >= g(n)", dialect="classic") == [["f(x)", "g(n)"]]
    program = f"{SETUP} proof fn t() requires forall|x: int, n: int| f(x) >= n >= g(n) {{}}"
    assert verdict(program, "current").startswith("rejected: could not automatically")


def test_marks_on_a_closure_are_outside_of_the_subset() -> None:
    # They would say when the closure's own definition is used.
    program = SETUP + "spec fn t() -> spec_fn(int) -> bool { |x: int| #[trigger] p(x) }"
    assert verdict(program).startswith("unsupported: triggers of a closure")


def test_assert_forall_uses_premise_and_conclusion() -> None:
    program = SETUP + "proof fn t() { assert forall|x: int| p(x) implies f(x) < 3 by { } }"
    found = [
        node.groups
        for root in every_root(checked(program))
        for node in walk(root)
        if isinstance(node, AssertForall)
    ]
    assert [[text(term) for term in group] for group in found[0] or ()] == [["p(x)"]]


def test_axioms_of_the_library_have_their_marked_terms() -> None:
    crate = checked("spec fn nothing() -> bool { true }")
    for axiom in crate.library.axioms():
        assert axiom_triggers(crate, crate.library.function(axiom.id)), axiom.id


def test_a_quantifier_with_too_many_candidates_is_refused() -> None:
    # Eight variables with thirty candidates each have more combinations than are tried.
    names = [f"x{index}" for index in range(8)]
    functions = " ".join(f"uninterp spec fn f{index}(x: int) -> bool;" for index in range(30))
    body = " && ".join(f"f{index}({name})" for index in range(30) for name in names)
    binders = ", ".join(f"{name}: int" for name in names)
    program = f"{functions} proof fn t() requires forall|{binders}| {body} {{}}"
    assert verdict(program).startswith(
        ("rejected: could not infer triggers", "unsupported: a quantifier with too")
    )


@pytest.mark.parametrize(
    "formula",
    [
        "forall|x: int| #[trigger] p(x) ==> #[trigger] q(x + 1)",
        "forall|x: int| #![trigger h(x, x * 2)] p(x) || h(x, x * 2) > 0",
        "forall|s: Seq<int>, i: int| s.len() > 3 ==> #[trigger] s[i] <= #[trigger] s[i + 1]",
        "forall|x: int, y: int| #[trigger] sum(x, y) == 0",
    ],
)
def test_a_variable_inside_and_outside_of_arithmetic(formula: str) -> None:
    """What each variable's representation was chosen by, in 2024; any mixture is fine since."""
    source = f"{SETUP} #[verifier::inline] spec fn sum(x: int, y: int) -> int {{ x + y }} proof fn t() requires {formula} {{}}"
    assert verdict(source) == "accepted"
    assert "arithmetic and non-arithmetic" in verdict(source, dialect="classic")


def test_variables_that_keep_to_arithmetic() -> None:
    formula = "forall|x: int, y: int| #[trigger] p(x + 1) ==> #[trigger] h(x * 2, y) > f(y + x)"
    assert verdict(f"{SETUP} proof fn t() requires {formula} {{}}", dialect="classic") == "accepted"
