"""The logic on hand-written core programs: what is provable is proved, and what is false or out of reach is not."""

from __future__ import annotations

import pytest

from rlvr_gym.verifiers.verus.core import (
    ApplyValue,
    AssertBy,
    AssertForallBy,
    Branch,
    BreakStep,
    BroadcastStep,
    CallStep,
    Check,
    Construct,
    CoreDatatype,
    Expression,
    Havoc,
    Isolated,
    Lambda,
    LoopStep,
    Param,
    Project,
    Quantified,
    ReturnStep,
    RevealStep,
    Set,
    SpecFunction,
    Statement,
)
from rlvr_gym.verifiers.verus.core import (
    Test as IsVariant,
)
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.types import BOOL, INT, NAT, Type
from rlvr_gym.verifiers.verus.logic.z3api import Z3
from rlvr_gym.verifiers.verus.report import Place
from tests.verus_core import (
    SEQ,
    T,
    call,
    clause,
    code,
    every,
    lines,
    n,
    op,
    proof_of,
    seq,
    some,
    spec,
    v,
)

U8, USIZE, U64 = Type("u8"), Type("usize"), Type("u64")
TRUE = n(True, BOOL)  # type: ignore[arg-type]  # a truth value is an integer to Python


def check(condition: Expression, line: int = 1) -> Check:
    return Check(condition, "assertion failed", place=Place(line, 1))


def failing_lines(*statements: Statement, params: dict[str, Type] | None = None, **more: object) -> list[int]:
    """Return the lines of what is not proved of statements about integers x, y and a sequence s."""
    params = params or {"x": INT, "y": INT, "s": SEQ}
    functions = more.pop("functions", ())
    requires = more.pop("requires", ())
    body = code("f", params, statements, requires=requires)  # type: ignore[arg-type]
    return lines(proof_of(*functions, body, with_sequences=True, **more))  # type: ignore[misc]


X, Y, S = v("x"), v("y"), v("s", SEQ)


# ---------------------------------------------------------------- integers


def test_a_false_assertion_fails_once_and_is_assumed_afterwards() -> None:
    false = op("<", X, X)
    assert failing_lines(check(op("<", X, op("+", X, n(1))), 1), check(false, 2), check(false, 3)) == [2]


def test_values_of_machine_types_are_in_range() -> None:
    x = v("x", U8)
    proved = failing_lines(check(op("<=", x, n(255)), 1), check(op("<=", x, n(254)), 2), params={"x": U8})
    assert proved == [2]


def test_usize_holds_what_32_bits_hold_and_perhaps_more() -> None:
    largest = op("max_of", type=USIZE)
    claims = [
        check(op("<=", n(2**32 - 1), largest), 1),
        # With 64 bits it is larger, with 32 it is not.
        check(op("<", n(2**32 - 1), largest), 2),
        check(op("<=", largest, n(2**64 - 1)), 3),
    ]
    assert failing_lines(*claims) == [2]


def test_products_have_their_definition_and_no_more() -> None:
    product = op("*", X, Y)
    claims = [
        check(op("==", product, op("*", Y, X)), 1),
        check(op("=>", op("and", op("<=", n(0), X), op("<=", n(0), Y)), op("<=", n(0), product)), 2),
        # True, and beyond linear arithmetic.
        check(op("=>", op("and", op("<", n(1), X), op("<", n(1), Y)), op("<", X, product)), 3),
    ]
    assert failing_lines(*claims) == [3]


def test_division_is_euclidean() -> None:
    claims = [
        check(op("==", op("/", n(-7), n(2)), n(-4)), 1),
        check(op("==", op("%", n(-7), n(2)), n(1)), 2),
        check(op("==", op("/", n(-7), n(2)), n(-3)), 3),
    ]
    assert failing_lines(*claims) == [3]


def test_nothing_is_known_of_a_division_by_zero() -> None:
    assert failing_lines(check(op("==", op("/", X, n(0)), n(0)), 1)) == [1]


def test_a_cast_keeps_what_fits_and_is_of_its_type_otherwise() -> None:
    cast = op("clip", X, type=U8)
    claims = [
        check(op("=>", op("and", op("<=", n(0), X), op("<", X, n(256))), op("==", cast, X)), 1),
        check(op("<=", cast, n(255)), 2),
        # True in Rust, unknown to the default solver.
        check(op("=>", op("==", X, n(256)), op("==", cast, n(0))), 3),
    ]
    assert failing_lines(*claims) == [3]


def test_bit_operators_say_no_more_than_their_type() -> None:
    a = v("a", U8)
    masked = op("&", a, n(15, U8), type=U8)
    claims = [check(op("<=", masked, n(255)), 1), check(op("<=", masked, n(15)), 2)]
    assert failing_lines(*claims, params={"a": U8}) == [2]


# ---------------------------------------------------------------- other provers


@pytest.mark.parametrize(
    ("claim", "proved"),
    [
        # (x + y)^2 = x^2 + 2xy + y^2, and the same without the middle.
        (op("==", op("*", op("+", X, Y), op("+", X, Y)),
            op("+", op("*", X, X), op("+", op("*", n(2), op("*", X, Y)), op("*", Y, Y)))), True),
        (op("==", op("*", op("+", X, Y), op("+", X, Y)), op("+", op("*", X, X), op("*", Y, Y))), False),
    ],
)  # fmt: skip
def test_nonlinear_arithmetic(claim: Expression, proved: bool) -> None:
    step = Isolated("nonlinear_arith", (), claim, place=Place(1, 1))
    assert (failing_lines(step) == []) is proved


def test_a_nonlinear_proof_knows_nothing_but_what_it_requires() -> None:
    positive = op("<", n(0), X)
    claim = op("<=", n(1), op("*", X, X))
    without = Isolated("nonlinear_arith", (), claim, place=Place(1, 1))
    with_it = Isolated("nonlinear_arith", (clause(positive),), claim, place=Place(2, 1))
    assert failing_lines(without, with_it, requires=[positive]) == [1]


def test_what_a_nonlinear_proof_requires_is_checked() -> None:
    step = Isolated("nonlinear_arith", (clause(op("<", n(0), X), 7),), op("<=", n(0), X), place=Place(1, 1))
    assert failing_lines(step) == [7]


@pytest.mark.parametrize(
    ("claim", "proved"),
    [
        (op("<=", op("&", v("a", U8), n(15, U8), type=U8), n(15)), True),
        (op("<=", op("&", v("a", U8), n(15, U8), type=U8), n(14)), False),
        # Sums do not wrap: 255 + 1 is 256.
        (op("<", v("a", U8), op("+", v("a", U8), n(1))), True),
        (op("==", op(">>", v("a", U8), n(1, U8), type=U8), op("/", v("a", U8), n(2), type=U8)), True),
        # A left shift loses bits.
        (op("==", op("<<", v("a", U8), n(1, U8), type=U8), op("*", v("a", U8), n(2))), False),
        # 0 - 1 is -1 and not 255.
        (op("<=", n(0), op("-", v("a", U8), v("b", U8))), False),
        # What a division by zero gives is not known.
        (op("==", op("/", v("a", U8), n(0, U8), type=U8), n(255)), False),
    ],
)
def test_bit_vectors(claim: Expression, proved: bool) -> None:
    step = Isolated("bit_vector", (), claim, place=Place(1, 1))
    assert (failing_lines(step, params={"a": U8, "b": U8}) == []) is proved


def test_bit_vectors_of_usize_hold_for_32_bits_and_64() -> None:
    x = v("x", USIZE)
    # True with 64 bits and false with 32.
    claim = op("==", op(">>", op("<<", op("&", x, n(1, USIZE), type=USIZE), n(40, USIZE), type=USIZE),
                        n(40, USIZE), type=USIZE), op("&", x, n(1, USIZE), type=USIZE))  # fmt: skip
    step = Isolated("bit_vector", (), claim, place=Place(1, 1))
    assert failing_lines(step, params={"x": USIZE}) == [1]


def test_bit_vectors_refuse_integers_without_a_width() -> None:
    step = Isolated("bit_vector", (), op("<=", op("&", X, n(1)), n(1)), place=Place(1, 1))
    with pytest.raises(Rejected, match="int"):
        failing_lines(step)


def test_compute_evaluates_recursive_functions() -> None:
    for claimed, expected in ((120, []), (121, [1])):
        claim = op("==", call("factorial", n(5)), n(claimed))
        step = Isolated("compute_only", (), claim, place=Place(1, 1))
        assert failing_lines(step, functions=[factorial()]) == expected


# ---------------------------------------------------------------- spec functions and fuel


def factorial() -> SpecFunction:
    m = v("m")
    body = op("ite", op("<=", m, n(0)), n(1), op("*", m, call("factorial", op("-", m, n(1)))))
    return spec("factorial", {"m": INT}, INT, body, recursive=True, group=0, decreases=(m,))


def double(**more: object) -> SpecFunction:
    return spec("double", {"m": INT}, INT, op("+", v("m"), v("m")), **more)


def counter(**more: object) -> SpecFunction:
    """Return the function that counts down from m: it is m for a natural m."""
    m = v("m", NAT)
    below = call("counter", op("clip", op("-", m, n(1)), type=NAT), type=NAT)
    body = op("ite", op("==", m, n(0)), n(0), op("clip", op("+", below, n(1)), type=NAT))
    return spec(
        "counter", {"m": NAT}, NAT, body, **{"recursive": True, "group": 0, "decreases": (m,), **more}
    )


def count(value: int) -> Expression:
    return call("counter", n(value, NAT), type=NAT)


def test_definitions_unfold() -> None:
    claims = [
        check(op("==", call("double", n(2)), n(4)), 1),
        check(op("==", call("double", n(2)), n(5)), 2),
    ]
    assert failing_lines(*claims, functions=[double()]) == [2]


def test_a_recursive_function_unfolds_once() -> None:
    claims = [
        check(op("==", count(2), op("+", count(1), n(1))), 1),
        # One unfolding more than there is fuel for.
        check(op("==", count(2), n(2)), 2),
    ]
    assert failing_lines(*claims, functions=[counter()]) == [2]


def test_fuel_is_counted() -> None:
    # counter(2) is 2 after unfolding at 2, 1 and 0.
    for fuel, expected in ((2, [1]), (3, [])):
        steps = [RevealStep("counter", fuel), check(op("==", count(2), n(2)), 1)]
        assert failing_lines(*steps, functions=[counter()]) == expected


def test_revealing_in_a_branch_ends_with_it() -> None:
    revealed = Branch(op("<", X, n(0)), (RevealStep("double", 1),), ())
    claim = op("==", call("double", n(2)), n(4))
    claims = [check(op("=>", op("<", X, n(0)), claim), 1), check(claim, 2)]
    assert failing_lines(revealed, *claims, functions=[double(opaque=True)]) == [2]


def test_more_fuel_is_another_matter_for_each_function_of_a_group() -> None:
    # even(n) = n == 0 || odd(n - 1), odd(n) = n != 0 && even(n - 1): each calls itself at a distance of two.
    m = v("m", NAT)
    below = op("clip", op("-", m, n(1)), type=NAT)
    zero = op("==", m, n(0))
    even = spec("even", {"m": NAT}, BOOL, op("or", zero, call("odd", below, type=BOOL)),
                recursive=True, cycle=2, group=0, decreases=(m,))  # fmt: skip
    odd = spec("odd", {"m": NAT}, BOOL, op("and", op("not", zero), call("even", below, type=BOOL)),
               recursive=True, cycle=2, group=0, decreases=(m,))  # fmt: skip
    two, three = call("even", n(1, NAT), type=BOOL), call("even", n(2, NAT), type=BOOL)
    # At 1: two unfoldings, at 2: three.
    assert failing_lines(check(op("not", two), 1), check(three, 2), functions=[even, odd]) == [2]


def test_an_opaque_function_needs_to_be_revealed() -> None:
    claim = op("==", call("double", n(2)), n(4))
    steps = [check(claim, 1), RevealStep("double", 1), check(op("==", call("double", n(3)), n(6)), 2)]
    assert failing_lines(*steps, functions=[double(opaque=True)]) == [1]


def test_a_hidden_function_is_hidden_in_the_whole_body() -> None:
    claim = op("==", call("double", n(2)), n(4))
    assert failing_lines(check(claim, 1), RevealStep("double", 0), functions=[double()]) == [1]


def test_a_reveal_in_assert_by_ends_with_it() -> None:
    proved = AssertBy(op("==", call("double", n(2)), n(4)), (RevealStep("double", 1),), place=Place(1, 1))
    outside = check(op("==", call("double", n(3)), n(6)), 2)
    assert failing_lines(proved, outside, functions=[double(opaque=True)]) == [2]


def test_results_are_of_their_type() -> None:
    unknown = spec("unknown", {"m": INT}, NAT, None)
    claims = [
        check(op("<=", n(0), call("unknown", X, type=NAT)), 1),
        check(op("<", n(0), call("unknown", X, type=NAT)), 2),
    ]
    assert failing_lines(*claims, functions=[unknown]) == [2]


def test_a_definition_holds_only_where_when_does() -> None:
    m = v("m")
    body = op("ite", op("==", m, n(0)), n(0), call("g", op("-", m, n(1))))
    g = spec("g", {"m": INT}, INT, body, recursive=True, group=0, decreases=(m,), when=op("<=", n(0), m))
    claims = [
        check(op("==", call("g", n(1)), call("g", n(0))), 1),
        check(op("==", call("g", n(-1)), call("g", n(-2))), 2),
    ]
    assert failing_lines(*claims, functions=[g]) == [2]


def test_generic_functions_are_instantiated() -> None:
    same = spec("same", {"a": T}, T, v("a", T), types=("T",))
    claims = [
        check(op("==", call("same", n(3), types=[INT]), n(3)), 1),
        check(op("==", call("same", n(3), types=[INT]), n(4)), 2),
        check(call("same", TRUE, types=[BOOL], type=BOOL), 3),
    ]
    assert failing_lines(*claims, functions=[same]) == [2]


# ---------------------------------------------------------------- termination


def test_a_measure_must_fall_and_stay_natural() -> None:
    m = v("m")
    assert proof_of(factorial()).findings == ()
    upwards = spec("h", {"m": INT}, INT, call("h", op("+", m, n(1))), recursive=True, group=0, decreases=(m,))
    forever = spec("h", {"m": INT}, INT, call("h", op("-", m, n(1))), recursive=True, group=0, decreases=(m,))
    for function in (upwards, forever):
        assert [each.message for each in proof_of(function).findings] == ["could not prove termination"]


@pytest.mark.parametrize("guard", ["and", "=>", "or"])
def test_left_operands_guard_recursive_calls(guard: str) -> None:
    m = v("m")
    positive = op("<=", m, n(0)) if guard == "or" else op("<", n(0), m)
    guarded = op(guard, positive, call("h", op("-", m, n(1)), type=BOOL))
    swapped = op(guard, call("h", op("-", m, n(1)), type=BOOL), positive)
    for body, expected in ((guarded, 0), (swapped, 1)):
        function = spec("h", {"m": INT}, BOOL, body, recursive=True, group=0, decreases=(m,))
        assert len(proof_of(function).findings) == expected


def test_an_ill_founded_definition_does_not_prove_its_own_termination() -> None:
    # h(m) = h(m + 1) + 1 would make anything true; nothing of it may be used while its measure is checked.
    m = v("m")
    h = spec("h", {"m": INT}, INT, op("+", call("h", op("+", m, n(1))), n(1)), recursive=True, group=0,
             decreases=(op("ite", op("==", call("h", m), n(0)), m, n(5)),))  # fmt: skip
    assert len(proof_of(h).findings) == 1


def test_measures_are_lexicographic() -> None:
    a, b = v("a", NAT), v("b", NAT)

    def less(term: Expression) -> Expression:
        return op("clip", op("-", term, n(1)), type=NAT)

    # Ackermann's function.
    inner = call("k", a, less(b), type=NAT)
    body = op("ite", op("==", a, n(0)), n(1), op("ite", op("==", b, n(0)), call("k", less(a), n(1), type=NAT),
                                                 call("k", less(a), inner, type=NAT)))  # fmt: skip
    for measure, expected in (((a, b), 0), ((b, a), 2)):
        function = spec("k", {"a": NAT, "b": NAT}, NAT, body, recursive=True, group=0, decreases=measure)
        assert len(proof_of(function).findings) == expected


LIST = Type("List")
LISTS = CoreDatatype("List", (), (("Nil", ()), ("Cons", (("head", NAT), ("tail", LIST)))))


def test_parts_of_a_datatype_are_below_it() -> None:
    xs = v("xs", LIST)
    tail = Project(xs, "Cons", 1, type=LIST)
    length = call("length", tail, type=NAT)
    for argument, expected in ((length, 0), (call("length", xs, type=NAT), 1)):
        body = op(
            "ite", IsVariant(xs, "Cons", type=BOOL), op("clip", op("+", argument, n(1)), type=NAT), n(0)
        )
        function = spec("length", {"xs": LIST}, NAT, body, recursive=True, group=0, decreases=(xs,))
        assert len(proof_of(function, datatypes=[LISTS]).findings) == expected
    # Without the test the tail may be that of Nil, which is anything.
    unguarded = spec("length", {"xs": LIST}, NAT, length, recursive=True, group=0, decreases=(xs,))
    assert len(proof_of(unguarded, datatypes=[LISTS]).findings) == 1


def test_elements_are_below_their_sequence_inside_of_it_only() -> None:
    tree = Type("Tree")
    trees = CoreDatatype("Tree", (), (("Node", (("children", Type("Seq", (tree,))),)),))
    t = v("t", tree)
    children = Project(t, "Node", 0, type=Type("Seq", (tree,)))
    first = seq("index", children, n(0), of=tree)
    some_children = op("<", n(0), seq("len", children, of=tree))
    for body, expected in (
        (op("ite", some_children, call("g", first), n(0)), 0),
        (call("g", first), 1),
    ):
        g = spec("g", {"t": tree}, INT, body, recursive=True, group=0, decreases=(t,))
        found = proof_of(g, datatypes=[trees], with_sequences=True)
        assert len(found.findings) == expected


def test_a_lemma_may_call_itself_below_its_measure_only() -> None:
    m = v("m", NAT)
    for argument, expected in ((op("clip", op("-", m, n(1)), type=NAT), []), (m, [3])):
        step = CallStep("lemma", (), (argument,), place=Place(3, 1))
        body = [Branch(op("<", n(0), m), (step,), ())]
        lemma = code("lemma", {"m": NAT}, body, group=0, decreases=(m,))
        assert lines(proof_of(lemma)) == expected


def test_a_recursive_lemma_without_a_measure_is_refused() -> None:
    step = CallStep("lemma", (), (v("m", NAT),), place=Place(3, 1))
    with pytest.raises(Rejected, match="decreases"):
        proof_of(code("lemma", {"m": NAT}, [step], group=0))


def test_recursion_that_is_not_marked_is_refused() -> None:
    # h(m) = h(m) + 1, handed over as if it were an ordinary definition.
    h = spec("h", {"m": INT}, INT, op("+", call("h", v("m")), n(1)))
    with pytest.raises(Unsupported, match="call each other"):
        proof_of(h)
    lemma = code("lemma", {"m": NAT}, [CallStep("lemma", (), (v("m", NAT),))])
    with pytest.raises(Unsupported, match="call each other"):
        proof_of(lemma)


def test_a_broadcast_lemma_does_not_prove_itself() -> None:
    claim = op("<", v("m"), n(0))
    parts = {"broadcast": True, "triggers": ((p(v("m")),),)}
    lemma = code("lemma", {"m": INT}, [BroadcastStep(("lemma",))], ensures=[claim], **parts)
    with pytest.raises(Rejected, match="depends on"):
        proof_of(P, lemma)
    # Nor through another one.
    one = code("one", {"m": INT}, [BroadcastStep(("two",))], ensures=[claim], **parts)
    two = code("two", {"m": INT}, [CallStep("one", (), (v("m"),))], ensures=[claim], **parts)
    with pytest.raises(Rejected, match="depends on"):
        proof_of(P, one, two)


def test_a_broadcast_lemma_holds_where_it_is_used() -> None:
    positive = spec("p", {"m": INT}, BOOL, op("<", n(0), v("m")), opaque=True)
    lemma = code("lemma", {"m": INT}, [RevealStep("p", 1)], requires=[op("<", n(5), v("m"))], ensures=[p(v("m"))],
                 broadcast=True, triggers=((p(v("m")),),))  # fmt: skip
    claims = [check(p(n(7)), 1), BroadcastStep(("lemma",)), check(p(n(8)), 2), check(p(n(4)), 3)]
    assert failing_lines(*claims, functions=[positive, lemma]) == [1, 3]


def test_a_loop_that_forgets_too_little_is_a_bug_and_no_proof() -> None:
    step = loop([RAISE], [BELOW])
    step.modified = frozenset()
    with pytest.raises(AssertionError, match="forgets"):
        failing_lines(*START, step)


# ---------------------------------------------------------------- datatypes


def test_fields_and_variants() -> None:
    xs = v("xs", LIST)
    cons = Construct("Cons", (n(1, NAT), xs), type=LIST)
    claims = [
        check(op("==", Project(cons, "Cons", 0, type=NAT), n(1)), 1),
        check(op("not", op("==", cons, Construct("Nil", (), type=LIST))), 2),
        check(op("or", IsVariant(xs, "Nil", type=BOOL), IsVariant(xs, "Cons", type=BOOL)), 3),
        check(op("<=", n(0), Project(xs, "Cons", 0, type=NAT)), 4),
        check(IsVariant(xs, "Cons", type=BOOL), 5),
        # What Nil has for a head is not known.
        check(op("==", Project(Construct("Nil", (), type=LIST), "Cons", 0, type=NAT), n(0)), 6),
    ]
    assert failing_lines(*claims, params={"xs": LIST}, datatypes=[LISTS]) == [5, 6]


def test_a_generic_datatype_has_an_instance_per_type() -> None:
    pair = CoreDatatype("Pair", ("T",), (("Pair", (("a", T), ("b", T))),))
    of_bytes = Type("Pair", (U8,))
    p = v("p", of_bytes)
    claims = [
        check(op("<=", Project(p, "Pair", 0, type=U8), n(255)), 1),
        check(op("==", Project(p, "Pair", 0, type=U8), Project(p, "Pair", 1, type=U8)), 2),
    ]
    assert failing_lines(*claims, params={"p": of_bytes}, datatypes=[pair]) == [2]


def test_a_datatype_of_ever_larger_instances_is_refused() -> None:
    pair = Type("tuple", (T, T))
    nest = CoreDatatype("Nest", ("T",), (("End", ()), ("More", (("rest", Type("Nest", (pair,))),))))
    with pytest.raises(Unsupported):
        failing_lines(check(op("==", v("x"), v("x"))), params={"x": Type("Nest", (INT,))}, datatypes=[nest])


# ---------------------------------------------------------------- sequences, triggers and witnesses


def test_axioms_of_sequences() -> None:
    pushed = seq("push", S, n(3))
    claims = [
        check(op("==", seq("len", pushed), op("+", seq("len", S), n(1))), 1),
        check(op("==", seq("index", pushed, seq("len", S)), n(3)), 2),
        check(op("==", seq("index", pushed, n(0)), n(3)), 3),
        check(op("<=", n(0), seq("len", S)), 4),
    ]
    assert failing_lines(*claims) == [3]


def test_equal_contents_are_equal_only_by_extensional_equality() -> None:
    t = v("t", SEQ)
    empty = op("and", op("==", seq("len", S), n(0)), op("==", seq("len", t), n(0)))
    claims = [check(op("==", S, t), 1)]
    assert failing_lines(*claims, params={"s": SEQ, "t": SEQ}, requires=[empty]) == [1]
    claims = [check(op("=~=", S, t), 1), check(op("==", S, t), 2)]
    assert failing_lines(*claims, params={"s": SEQ, "t": SEQ}, requires=[empty]) == []


def test_elements_are_of_their_type() -> None:
    of_bytes = Type("Seq", (U8,))
    element = seq("index", v("s", of_bytes), X, of=U8)
    claims = [check(op("<=", element, n(255)), 1), check(op("<=", element, n(254)), 2)]
    assert failing_lines(*claims, params={"s": of_bytes, "x": INT}) == [2]


def p(argument: Expression) -> Expression:
    return call("p", argument, type=BOOL)


P = spec("p", {"m": INT}, BOOL, None)


def test_a_universal_fact_fires_on_its_trigger_only() -> None:
    i = v("i")
    q = spec("q", {"m": INT}, BOOL, None)
    fact = every({"i": INT}, [call("q", i, type=BOOL)], p(i))
    asked = [check(p(n(3)), 1)]
    assert failing_lines(*asked, functions=[P, q], requires=[fact]) == [1]
    with_term = [check(op("or", call("q", n(3), type=BOOL), op("not", call("q", n(3), type=BOOL))), 1),
                 Set("z", call("q", n(3), type=BOOL)), check(p(n(3)), 2)]  # fmt: skip
    assert failing_lines(*with_term, functions=[P, q], requires=[fact]) == []


def test_a_witness_needs_a_ground_term() -> None:
    exists = some({"i": INT}, [p(v("i"))], p(v("i")))
    # All of them hold, but no p(..) stands anywhere.
    everywhere = every({"i": INT}, [p(v("i"))], p(v("i")))
    assert failing_lines(check(exists, 1), functions=[P], requires=[everywhere]) == [1]
    assert failing_lines(check(p(n(7)), 1), check(exists, 2), functions=[P], requires=[everywhere]) == []


def test_a_value_that_is_set_is_in_sight_of_triggers() -> None:
    exists = some({"i": INT}, [seq("index", S, v("i"))], op("<=", n(0), v("i")))
    assert failing_lines(check(exists, 1)) == [1]
    assert failing_lines(Set("first", seq("index", S, n(0))), check(exists, 1)) == []


def test_bound_variables_carry_their_types() -> None:
    fact = every({"i": NAT}, [p(v("i", NAT))], p(v("i", NAT)))
    claims = [check(p(n(3)), 1), check(p(n(-3)), 2)]
    assert failing_lines(*claims, functions=[P], requires=[fact]) == [2]


def test_a_trigger_with_a_sum_matches_sums() -> None:
    fact = every({"i": INT}, [p(op("+", v("i"), n(1)))], p(op("+", v("i"), n(1))))
    claims = [check(p(op("+", X, n(1))), 1), check(p(X), 2)]
    assert failing_lines(*claims, functions=[P], requires=[fact]) == [2]


@pytest.mark.parametrize("trigger", [op("<", v("i"), n(3)), op("ite", p(v("i")), v("i"), X), X])
def test_triggers_that_cannot_match_are_refused(trigger: Expression) -> None:
    with pytest.raises(Unsupported, match="trigger"):
        failing_lines(check(every({"i": INT}, [trigger], p(v("i"))), 1), functions=[P])


def choose(body: Expression) -> Expression:
    return Quantified("choose", (("i", INT),), ((p(v("i")),),), body, type=INT)


def test_choose_has_the_property_if_anything_has() -> None:
    chosen = choose(op("and", p(v("i")), op("<", v("i"), n(5))))
    known = op("and", p(n(4)), op("<", n(4), n(5)))
    claims = [check(p(chosen), 1), check(op("<", chosen, n(5)), 2)]
    assert failing_lines(*claims, functions=[P], requires=[known]) == []
    assert failing_lines(*claims, functions=[P]) == [1, 2]
    assert failing_lines(check(op("==", chosen, n(4)), 1), functions=[P], requires=[known]) == [1]


def test_the_same_choice_over_the_same_values_is_the_same_value() -> None:
    def over(term: Expression) -> Expression:
        return choose(op("and", p(v("i")), op("<", term, v("i"))))

    claims = [check(op("==", over(X), over(X)), 1), check(op("==", over(X), over(Y)), 2),
              check(op("=>", op("==", X, Y), op("==", over(X), over(Y))), 3)]  # fmt: skip
    assert failing_lines(*claims, functions=[P]) == [2]


FUN = Type("spec_fn", (INT, INT))


def plus(term: Expression, name: str = "i") -> Lambda:
    return Lambda(((name, INT),), op("+", v(name), term), type=FUN)


def test_function_values() -> None:
    three = ApplyValue(plus(X), (n(3),), type=INT)
    claims = [
        check(op("==", three, op("+", X, n(3))), 1),
        # One text over one value, whatever the bound variable is called.
        check(op("==", plus(X), plus(X, "j")), 3),
        check(op("==", plus(X), plus(Y)), 4),
    ]
    assert failing_lines(*claims) == [4]
    assert failing_lines(check(op("==", three, X), 1)) == [1]


# ---------------------------------------------------------------- statements


def test_branches_merge() -> None:
    larger = Branch(op("<", X, Y), (Set("m", Y),), (Set("m", X),))
    m = v("m")
    claims = [check(op("and", op("<=", X, m), op("<=", Y, m)), 1), check(op("==", m, Y), 2)]
    assert failing_lines(Set("m", n(0)), larger, *claims) == [2]


def test_a_branch_that_returns_leaves_its_condition() -> None:
    leave = Branch(op("<", X, n(0)), (ReturnStep(None),), ())
    assert failing_lines(leave, check(op("<=", n(0), X), 1), check(op("<", n(0), X), 2)) == [2]


def test_many_branches_stay_linear() -> None:
    steps: list[Statement] = [Set("m", n(0))]
    for _ in range(60):
        # 2^60 paths, if they were told apart.
        raise_it = Branch(op("<", v("m"), X), (Set("m", op("+", v("m"), n(1))),), ())
        steps.append(raise_it)
    steps.append(check(op("<=", n(0), v("m")), 1))
    assert failing_lines(*steps) == []


def test_assert_by_keeps_its_claim_and_nothing_else() -> None:
    proved = AssertBy(op("<=", n(0), op("*", X, X)), (
        Isolated("nonlinear_arith", (), op("<=", n(0), op("*", X, X)), place=Place(1, 1)),
        check(op("<", X, op("+", X, n(1)))),
        Set("inner", X),
    ), place=Place(1, 1))  # fmt: skip
    assert failing_lines(proved, check(op("<=", n(0), op("*", X, X)), 2)) == []
    unproved = AssertBy(op("<", X, n(0)), (check(op("==", Y, n(1)), 3),), place=Place(1, 1))
    # Both claims fail inside; outside only the asserted one is known.
    found = failing_lines(unproved, check(op("<", X, n(1)), 4), check(op("==", Y, n(1)), 5))
    assert found == [1, 3, 5]


def test_assert_forall() -> None:
    i = v("i")
    fact = every({"i": INT}, [p(i)], op("=>", p(i), op("<", X, op("+", X, n(1)))))
    fine = AssertForallBy((("i", INT),), p(i), op("<", X, op("+", X, n(1))), (), fact, place=Place(1, 1))
    wrong = every({"i": INT}, [p(i)], op("=>", p(i), op("<", i, n(5))))
    bad = AssertForallBy((("i", INT),), p(i), op("<", i, n(5)), (), wrong, place=Place(2, 1))
    after = [check(op("=>", p(n(9)), op("<", n(9), n(5))), 3)]
    # The wrong claim is reported once and known afterwards.
    assert failing_lines(fine, bad, *after, functions=[P]) == [2]


def test_calls_tell_what_the_contract_says() -> None:
    result = Param("r", INT)
    next_ = code("next", {"a": INT}, None, requires=[op("<", v("a"), n(10))],
                 ensures=[op("<", v("a"), v("r"))], result=result, library=True, mode="exec")  # fmt: skip
    step = CallStep("next", (), (X,), result="z", place=Place(4, 1))
    claims = [check(op("<", X, v("z")), 5), check(op("==", v("z"), op("+", X, n(1))), 6)]
    assert failing_lines(step, *claims, functions=[next_], requires=[op("<", X, n(3))]) == [6]
    assert failing_lines(step, functions=[next_]) == [4]


def test_a_borrowed_value_changes_as_the_contract_says() -> None:
    grow = code("grow", {}, None, library=True, mode="exec",
                ensures=[op("<", v("a"), v("a~final"))])  # fmt: skip
    grow.params = (Param("a", INT, mutable_reference=True),)
    steps = [Set("z", X), CallStep("grow", (), (v("z"),), mutated={0: "z"}, place=Place(1, 1)),
             check(op("<", X, v("z")), 2), check(op("==", X, v("z")), 3)]  # fmt: skip
    assert failing_lines(*steps, functions=[grow]) == [3]


def test_postconditions_name_the_return_and_the_clause() -> None:
    result = Param("r", INT)
    f = code("f", {"x": INT}, [Branch(op("<", X, n(0)), (ReturnStep(n(0), place=Place(2, 1)),), ()),
                               ReturnStep(X, place=Place(3, 1))],
             ensures=[op("<=", n(0), v("r")), op("==", v("r"), X)], result=result, mode="exec")  # fmt: skip
    (finding,) = proof_of(f).findings
    assert (finding.message, finding.place.line) == ("postcondition not satisfied", 2)
    assert finding.related is not None
    assert finding.related.line == 61


# ---------------------------------------------------------------- loops

AT, N = v("i"), v("n")
NOT_YET = op("<", AT, N)


def loop(
    body: list[Statement],
    invariants: list[Expression],
    *,
    condition: Expression | None = NOT_YET,
    isolated: bool = True,
    simple: bool = True,
    ensures: list[Expression] | None = None,
    decreases: tuple[Expression, ...] = (),
) -> LoopStep:
    return LoopStep(
        label="loop", head=(), condition=condition, body=tuple(body), step=(),
        invariants=tuple(clause(each, 20 + i) for i, each in enumerate(invariants)), except_break=(),
        ensures=tuple(clause(each, 30 + i) for i, each in enumerate(ensures or [])),
        decreases=decreases, simple=simple, isolated=isolated, modified=frozenset({"i"}), place=Place(10, 1),
    )  # fmt: skip


RAISE = Set("i", op("+", AT, n(1)))
BELOW = op("<=", AT, N)
START: list[Statement] = [Set("i", n(0)), Havoc("n", NAT)]


def test_a_loop_gives_its_invariants_and_the_negated_condition() -> None:
    steps = [*START, loop([RAISE], [BELOW]), check(op("==", AT, N), 1), check(op("==", AT, n(0)), 2)]
    assert failing_lines(*steps) == [2]


def test_invariants_are_checked_before_and_at_the_end() -> None:
    (found,) = proof_of(code("f", {}, [*START, loop([RAISE], [op("<", n(0), AT)])])).findings
    assert (found.message, found.place.line) == ("invariant not satisfied before loop", 20)
    (found,) = proof_of(code("f", {}, [*START, loop([RAISE], [op("<=", AT, n(0))])])).findings
    assert (found.message, found.place.line) == ("invariant not satisfied at end of loop body", 20)


def test_an_isolated_loop_knows_nothing_from_before() -> None:
    inside = check(op("<", n(5), X), 1)
    for isolated, expected in ((True, [1]), (False, [])):
        steps = [*START, loop([inside, RAISE], [BELOW], isolated=isolated)]
        assert failing_lines(*steps, requires=[op("<", n(5), X)]) == expected


def test_what_a_loop_does_not_change_is_the_same_behind_it() -> None:
    steps = [*START, loop([RAISE], [BELOW]), check(op("<", n(5), X), 1)]
    assert failing_lines(*steps, requires=[op("<", n(5), X)]) == []


def test_behind_a_break_the_condition_is_not_known() -> None:
    stop = Branch(op("==", AT, n(3)), (BreakStep("loop", place=Place(9, 1)),), ())
    steps = [
        *START,
        loop([stop, RAISE], [BELOW], simple=False),
        check(op("<=", AT, N), 1),
        check(op("==", AT, N), 2),
    ]
    assert failing_lines(*steps) == [2]


def test_ensures_of_a_loop_hold_at_every_way_out() -> None:
    stop = Branch(op("==", AT, n(3)), (BreakStep("loop", place=Place(9, 1)),), ())
    ensures = [op("or", op("==", AT, n(3)), op("==", AT, N))]
    steps = [*START, loop([stop, RAISE], [BELOW], simple=False, ensures=ensures), check(ensures[0], 1)]
    assert failing_lines(*steps) == []
    wrong = [*START, loop([stop, RAISE], [BELOW], simple=False, ensures=[op("==", AT, N)])]
    assert failing_lines(*wrong) == [9]


def test_breaks_of_a_loop_that_is_not_isolated_keep_their_facts() -> None:
    stop = Branch(op("==", AT, n(3)), (BreakStep("loop", place=Place(9, 1)),), ())
    steps = [*START, loop([stop, RAISE], [BELOW], simple=False, isolated=False),
             check(op("or", op("==", AT, n(3)), op("==", AT, N)), 1), check(op("==", AT, n(3)), 2)]  # fmt: skip
    assert failing_lines(*steps) == [2]


def test_nothing_is_reached_behind_an_endless_loop() -> None:
    endless = loop([RAISE], [], condition=None, simple=False)
    assert failing_lines(*START, endless, check(op("<", X, X), 1)) == []
    left = loop([BreakStep("loop")], [], condition=None, simple=False)
    assert failing_lines(*START, left, check(op("<", X, X), 1)) == [1]


def test_a_loop_must_come_closer_to_its_end() -> None:
    rising = [*START, loop([RAISE], [BELOW], decreases=(op("-", N, AT),))]
    assert failing_lines(*rising) == []
    (found,) = proof_of(code("f", {}, [*START, loop([RAISE], [BELOW], decreases=(N,))])).findings
    assert found.message == "decreases not satisfied at end of loop"


# ---------------------------------------------------------------- names


def test_no_name_of_the_solver_is_taken_twice() -> None:
    z3 = Z3()
    names = {z3.name("b") for _ in range(100)}
    assert len(names) == 100
    assert all("#" in name for name in names)
    z3.close()


def test_internal_names_do_not_meet_parameters() -> None:
    # A parameter that is called like an internal name of the solver says nothing about it.
    b = v("b#1", BOOL)
    assert failing_lines(
        Branch(op("<", X, Y), (), ()), check(b, 1), params={"b#1": BOOL, "x": INT, "y": INT}
    ) == [1]


def test_counterexamples_name_the_source_variables() -> None:
    (found,) = proof_of(code("f", {"x": U64}, [check(op("<", v("x", U64), n(10)), 1)])).findings
    assert int(dict(found.model)["x"]) >= 10
