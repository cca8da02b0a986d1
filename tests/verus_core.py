"""Small programs in the core language, written by hand, for tests of the logic."""

from __future__ import annotations

import time
from collections.abc import Sequence

from rlvr_gym.verifiers.verus.core import (
    Apply,
    Clause,
    CodeFunction,
    CoreDatatype,
    Expression,
    Literal_,
    Op,
    Param,
    Program,
    Quantified,
    ReturnStep,
    SpecFunction,
    Statement,
    Var,
)
from rlvr_gym.verifiers.verus.inference.types import BOOL, INT, NAT, Type
from rlvr_gym.verifiers.verus.limits import Limits
from rlvr_gym.verifiers.verus.logic.prove import Proof, prove
from rlvr_gym.verifiers.verus.report import Place

SEQ = Type("Seq", (INT,))
T = Type("'T")


def n(value: int, type: Type = INT) -> Literal_:
    return Literal_(value, type=type)


def v(name: str, type: Type = INT) -> Var:
    return Var(name, type=type)


def op(operator: str, *operands: Expression, type: Type | None = None) -> Op:
    if type is None:
        arithmetic = operator in ("+", "-", "*", "/", "%", "neg")
        type = INT if arithmetic else operands[1].type if operator == "ite" else BOOL
    return Op(operator, operands, type=type)  # type: ignore[arg-type]  # the tests write operators as text


def call(function: str, *arguments: Expression, types: Sequence[Type] = (), type: Type = INT) -> Apply:
    return Apply(function, tuple(types), arguments, type=type)


def every(binders: dict[str, Type], trigger: Sequence[Expression], body: Expression) -> Quantified:
    return Quantified("forall", tuple(binders.items()), (tuple(trigger),), body, type=BOOL)


def some(binders: dict[str, Type], trigger: Sequence[Expression], body: Expression) -> Quantified:
    return Quantified("exists", tuple(binders.items()), (tuple(trigger),), body, type=BOOL)


def clause(condition: Expression, line: int = 1) -> Clause:
    return Clause(condition, Place(line, 1))


def spec(
    id: str, params: dict[str, Type], result: Type, body: Expression | None, **more: object
) -> SpecFunction:
    types = more.pop("types", ())
    return SpecFunction(
        id,
        types,
        tuple(Param(name, of) for name, of in params.items()),
        result,
        body,
        name=id,
        **more,  # type: ignore[arg-type]  # fields by name
    )


def code(
    id: str,
    params: dict[str, Type],
    body: Sequence[Statement] | None,
    *,
    requires: Sequence[Expression] = (),
    ensures: Sequence[Expression] = (),
    result: Param | None = None,
    mode: str = "proof",
    **more: object,
) -> CodeFunction:
    types = more.pop("types", ())
    statements = None if body is None else tuple(body)
    if statements is not None and not (statements and isinstance(statements[-1], ReturnStep)):
        statements = (*statements, ReturnStep(None, place=Place(99, 1)))
    return CodeFunction(
        id, mode, types, tuple(Param(name, of) for name, of in params.items()), result,  # type: ignore[arg-type]  # fields by name
        tuple(clause(each, 50 + i) for i, each in enumerate(requires)),
        tuple(clause(each, 60 + i) for i, each in enumerate(ensures)),
        body=statements, name=id, **more,  # type: ignore[arg-type]
    )  # fmt: skip


def axiom(
    id: str, params: dict[str, Type], trigger: Sequence[Expression], fact: Expression, *premises: Expression
) -> CodeFunction:
    return code(
        id, params, None, requires=premises, ensures=[fact], types=("T",), broadcast=True, always=True,
        triggers=(tuple(trigger),), library=True,
    )  # fmt: skip


def sequences() -> tuple[list[SpecFunction], list[CodeFunction]]:
    """Return a few of the library's functions and axioms of sequences."""
    of = Type("Seq", (T,))
    s, i, a = v("s", of), v("i"), v("a", T)

    def seq(name: str, *arguments: Expression, type: Type = of) -> Apply:
        return call(f"vstd::seq::Seq::{name}", *arguments, types=(T,), type=type)

    def uninterpreted(name: str, params: dict[str, Type], result: Type) -> SpecFunction:
        return spec(f"vstd::seq::Seq::{name}", params, result, None, types=("T",), library=True)

    pushed = seq("push", s, a)
    t = v("t", of)
    same = every(
        {"j": INT}, [seq("index", s, v("j"), type=T)],
        op("=>", op("and", op("<=", n(0), v("j")), op("<", v("j"), seq("len", s, type=NAT))),
           op("==", seq("index", s, v("j"), type=T), seq("index", t, v("j"), type=T))),
    )  # fmt: skip
    return [
        uninterpreted("empty", {}, of),
        uninterpreted("len", {"s": of}, NAT),
        uninterpreted("index", {"s": of, "i": INT}, T),
        uninterpreted("push", {"s": of, "a": T}, of),
    ], [
        axiom("empty_len", {}, [seq("len", seq("empty"), type=NAT)], op("==", seq("len", seq("empty"), type=NAT), n(0))),
        axiom("push_len", {"s": of, "a": T}, [seq("len", pushed, type=NAT)],
              op("==", seq("len", pushed, type=NAT), op("+", seq("len", s, type=NAT), n(1)))),
        axiom("push_same", {"s": of, "a": T, "i": INT}, [seq("index", pushed, i, type=T)],
              op("==", seq("index", pushed, i, type=T), a), op("==", i, seq("len", s, type=NAT))),
        axiom("push_other", {"s": of, "a": T, "i": INT}, [seq("index", pushed, i, type=T)],
              op("==", seq("index", pushed, i, type=T), seq("index", s, i, type=T)), op("<", i, seq("len", s, type=NAT))),
        axiom("ext", {"s": of, "t": of}, [op("=~=", s, t)],
              op("<=>", op("=~=", s, t), op("and", op("==", seq("len", s, type=NAT), seq("len", t, type=NAT)), same))),
    ]  # fmt: skip


def seq(name: str, *arguments: Expression, of: Type = INT, type: Type | None = None) -> Apply:
    """Return a function of sequences of ``of`` applied."""
    results = {"len": NAT, "index": of}
    result = type or results.get(name, Type("Seq", (of,)))
    return call(f"vstd::seq::Seq::{name}", *arguments, types=(of,), type=result)


def program(
    *functions: SpecFunction | CodeFunction,
    datatypes: Sequence[CoreDatatype] = (),
    with_sequences: bool = False,
    dialect: str = "current",
) -> Program:
    own = [*functions]
    specs, codes = sequences() if with_sequences else ([], [])
    declared = {each.id: each for each in datatypes}
    declared["Seq"] = CoreDatatype("Seq", ("A",), (), opaque=True)
    return Program(
        declared,
        {each.id: each for each in [*specs, *own] if isinstance(each, SpecFunction)},
        {each.id: each for each in [*codes, *own] if isinstance(each, CodeFunction)},
        tuple(each.id for each in own if not each.library),
        dialect=dialect,  # type: ignore[arg-type]  # written as text
    )


def proof_of(*functions: SpecFunction | CodeFunction, **more: object) -> Proof:
    """Return what comes of a program of these functions."""
    return prove(program(*functions, **more), Limits(), time.monotonic() + 30)  # type: ignore[arg-type]


def lines(proof: Proof) -> list[int]:
    """Return the lines of the findings."""
    return [finding.place.line for finding in proof.findings]
