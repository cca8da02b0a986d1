"""Declarations: functions with their contracts, constants and datatypes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from rlvr_gym.verifiers.verus.checks.settings import find
from rlvr_gym.verifiers.verus.checks.triggers import axiom_triggers
from rlvr_gym.verifiers.verus.checks.walk import attribute, walk
from rlvr_gym.verifiers.verus.core import (
    Apply,
    Assume,
    BroadcastStep,
    Check,
    Clause,
    CodeFunction,
    CoreDatatype,
    Expression,
    Havoc,
    Op,
    Param,
    SpecFunction,
    Statement,
    Var,
)
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate, names, type_parameters, variants
from rlvr_gym.verifiers.verus.inference.types import SIGNED, UNIT
from rlvr_gym.verifiers.verus.lowering.body import Code
from rlvr_gym.verifiers.verus.lowering.broadcasts import module_broadcasts
from rlvr_gym.verifiers.verus.lowering.closed import OPAQUE, is_hidden, own_reveals
from rlvr_gym.verifiers.verus.lowering.effects import has_effect
from rlvr_gym.verifiers.verus.lowering.frame import Frame, Moment, current
from rlvr_gym.verifiers.verus.lowering.patterns import Binding, let_in, match_pattern
from rlvr_gym.verifiers.verus.lowering.promotion import promoted
from rlvr_gym.verifiers.verus.lowering.pure import Pure
from rlvr_gym.verifiers.verus.lowering.terms import equal, unit
from rlvr_gym.verifiers.verus.lowering.types import core_type, refuse_stored_references
from rlvr_gym.verifiers.verus.lowering.values import found
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.tree import Const, Enum, Expr, Function, Struct

_LARGEST_FACTOR = 100.0
"""What ``rlimit(infinity)`` comes to."""
_VERUS_RLIMIT = 10.0
"""The limit that ``rlimit`` is measured against: Verus' own default."""


class Signature:
    """A function's parameters and contract."""

    def __init__(self, crate: Crate, function: Function) -> None:
        self.function = function
        self.frame = Frame(crate, function)
        self.pure = Pure(self.frame)
        self.bindings: list[Binding] = []
        self.params = tuple(self._param(position) for position in range(len(function.parameters)))

    def _param(self, position: int) -> Param:
        parameter = self.function.parameters[position]
        type = self.function.parameter_types[position]
        borrowed = type.name == "&mut"
        refuse_stored_references(type.args[0] if borrowed else type, parameter.place)
        assert parameter.local is not None, "inference left a parameter without a local"
        name = parameter.local.unique
        if parameter.pattern is not None and parameter.ghostness == "exec":
            whole = Var(name, type=core_type(type), place=parameter.place)
            self.bindings += match_pattern(parameter.pattern, whole)[1]
        return Param(name, core_type(type), borrowed)

    def terms(self, nodes: Sequence[Expr], moment: Moment) -> tuple[Expression, ...]:
        """Return clauses as terms, about the values of one moment."""
        self.frame.moment = moment
        made = tuple(let_in(self.bindings, self.pure.term(node)) for node in nodes)
        self.frame.moment = "body"
        return made

    def clauses(self, nodes: Sequence[Expr], moment: Moment) -> tuple[Clause, ...]:
        """Return clauses as written."""
        return tuple(
            Clause(term, node.place) for node, term in zip(nodes, self.terms(nodes, moment), strict=True)
        )


def spec_function(crate: Crate, function: Function, cycle: int | None) -> SpecFunction:
    """Return a spec function; ``cycle`` is the length of the shortest chain of calls from it to itself, if any."""
    signature = Signature(crate, function)
    assert function.result_type is not None
    refuse_stored_references(function.result_type, function.place)
    body = function.body if function.open != "uninterp" else None
    return SpecFunction(
        function.id,
        type_parameters(function),
        signature.params,
        core_type(function.result_type),
        signature.terms((body,), "entry")[0] if body is not None else None,
        recursive=cycle is not None,
        cycle=cycle or 1,
        group=function.group,
        decreases=signature.terms(function.decreases, "entry"),
        when=signature.terms((function.when,), "entry")[0] if function.when is not None else None,
        decreases_by=_decreases_by(crate, function, signature),
        opaque=attribute(function.attributes, OPAQUE) is not None or is_hidden(crate, function),
        inline=attribute(function.attributes, "verifier::inline") is not None,
        library=function.library,
        name=function.name,
        place=function.place,
    )


def _decreases_by(crate: Crate, function: Function, signature: Signature) -> tuple[Statement, ...]:
    """Return what helps to prove that a spec function terminates: proof blocks in it, or the function of ``via``."""
    if function.via is None:
        if function.body is None or not has_effect(function.body):
            return tuple(own_reveals(crate, function)) if function.group is not None else ()
        code = Code(signature.frame)
        source, frame = function.body, signature.frame
    else:
        helper = crate.functions_by_id.get(function.via)
        if helper is None or helper.mode != "proof" or helper.body is None:
            raise Unsupported(f"decreases via `{function.via}`", function.place)
        frame, source = Frame(crate, helper), helper.body
        for parameter, param in zip(helper.parameters, signature.params, strict=True):
            assert parameter.local is not None
            frame.replaced[parameter.local] = Var(param.name, type=param.type, place=parameter.place)
        code = Code(frame)
    frame.moment = "entry"
    code.ghost = True
    for step in own_reveals(crate, function):
        code.emit(step)
    code.block(source)
    return tuple(code.out)


def code_function(crate: Crate, function: Function) -> CodeFunction:
    """Return an exec or proof function; the library's have no body."""
    signature = Signature(crate, function)
    result = _result(signature)
    ensures = signature.clauses(function.ensures, "exit")
    if crate.dialect == "current" and not function.library:
        ensures = tuple(Clause(promoted(each.condition, crate), each.place) for each in ensures)
    if function.returns is not None and result is not None:
        (value,) = signature.terms((function.returns,), "exit")
        same = equal(Var(result.name, type=result.type, place=value.place), value, function.returns.place)
        ensures += (Clause(same, function.returns.place),)
    if function.prover == "integer_ring":
        raise Unsupported("proof by integer_ring", function.place)
    assert function.mode != "spec"
    broadcast = function.broadcast or function.axiom
    return CodeFunction(
        function.id,
        function.mode,
        type_parameters(function),
        signature.params,
        result,
        signature.clauses(function.requires, "entry"),
        ensures,
        decreases=signature.terms(function.decreases, "entry"),
        group=function.group,
        body=None if function.library else _body(crate, signature),
        prover=function.prover,
        broadcast=broadcast,
        triggers=_triggers(signature) if broadcast else (),
        always=attribute(function.attributes, "always") is not None,
        rlimit=_rlimit(crate, function),
        library=function.library,
        name=function.name,
        place=function.place,
    )


def _result(signature: Signature) -> Param | None:
    function = signature.function
    if function.result_type is None:
        return None
    refuse_stored_references(function.result_type, function.place)
    type, local = core_type(function.result_type), function.result_local
    if type == UNIT:
        if local is not None:
            signature.frame.replaced[local] = unit(function.place)
        return None
    if function.result_pattern is not None:
        raise Unsupported("pattern as a result", function.place)
    return Param(local.unique if local is not None else "~result", type)


def _triggers(signature: Signature) -> tuple[tuple[Expression, ...], ...]:
    function = signature.function
    if not function.parameters:
        # Nothing is bound: the marked terms say with what the fact comes into play.
        marked = [
            node
            for clause in function.ensures
            for node in walk(clause)
            if attribute(getattr(node, "attributes", ()), "trigger") is not None
        ]
        return (signature.terms(cast("list[Expr]", marked), "entry"),)
    groups = axiom_triggers(signature.frame.crate, function)
    return tuple(signature.terms(group, "entry") for group in groups)


def _body(crate: Crate, signature: Signature) -> tuple[Statement, ...]:
    function = signature.function
    if function.body is None:
        raise Unsupported(f"function `{function.name}` without a body", function.place)
    code = Code(signature.frame)
    code.ghost = function.mode == "proof"
    for parameter, param in zip(function.parameters, signature.params, strict=True):
        local = parameter.local
        assert local is not None
        code.declared.update((param.name, code.frame.name(local)))
        if not param.mutable_reference and local.mutable:
            # The contract keeps meaning the value at entry.
            code.set(
                current(local.unique),
                Var(param.name, type=param.type, place=parameter.place),
                parameter.place,
            )
    code.bind(signature.bindings, function.place)
    for step in own_reveals(crate, function):
        code.emit(step)
    if brought := module_broadcasts(crate, function.module):
        code.emit(BroadcastStep(brought, place=function.place))
    return code.body(function.body)


def _rlimit(crate: Crate, function: Function) -> float:
    setting = find(crate, function, "verifier::rlimit")
    if setting is None or not setting.arguments:
        return 1.0
    try:
        amount = float(setting.arguments[0].replace("_", "")) / _VERUS_RLIMIT
    except ValueError:
        return _LARGEST_FACTOR
    return min(max(amount, 1.0), _LARGEST_FACTOR)


@dataclass(frozen=True, slots=True)
class CoreConstant:
    """A constant as a spec function without parameters, the checks of its initialiser, and facts about an array."""

    value: SpecFunction
    checks: tuple[Statement, ...]
    axiom: CodeFunction | None = None


def constant(crate: Crate, const: Const) -> CoreConstant:
    """Return a constant."""
    if (
        const.static
        or const.ensures
        or const.mode in ("exec", "proof")
        or const.value is None
        or const.found is None
    ):
        raise Unsupported("a constant of this kind", const.place)
    type = core_type(const.found)
    frame = Frame(crate)

    def as_function(body: Expression | None) -> SpecFunction:
        return SpecFunction(
            const.id,
            (),
            (),
            type,
            body,
            constant=True,
            library=const.library,
            name=const.name,
            place=const.place,
        )

    if const.mode == "spec":
        return CoreConstant(as_function(Pure(frame).term(const.value)), ())
    _refuse_division(const.value)
    code = Code(frame)
    value = code.value(const.value)
    checks = tuple(step for step in code.out if isinstance(step, Check))
    facts = [step for step in code.out if not isinstance(step, Check)]
    if not facts:
        return CoreConstant(as_function(value), checks)
    # An array is known by what it holds.
    match facts:
        case [Havoc(name=name), Assume(condition=Op(op="==", operands=(Apply() as view, held)))] if (
            isinstance(value, Var) and value.name == name
        ):
            whole = Apply(const.id, (), (), type=type, place=const.place)
            seen = replace(view, arguments=(whole,))
            clause = Clause(equal(seen, held, const.place), const.place)
            axiom = CodeFunction(
                f"{const.id}~held", "proof", (), (), None, (), (clause,), broadcast=True, triggers=((whole,),), always=True,
                library=True, name=const.name, place=const.place,
            )  # fmt: skip
            return CoreConstant(as_function(None), checks, axiom)
    raise Unsupported("a constant that is computed by calls", const.place)


def _refuse_division(value: Expr) -> None:
    """Raise where ghost code would read another number out of a constant than compiled code."""
    for node in walk(value):
        if isinstance(node, tree.Binary) and node.op in ("/", "%") and found(node.type).name in SIGNED:
            raise Unsupported(f"`{node.op}` on signed integers in a constant", node.place)


def datatype(item: Struct | Enum) -> CoreDatatype:
    """Return a datatype."""
    opaque = attribute(item.attributes, "opaque_type") is not None
    made = []
    for variant in () if opaque else variants(item):
        for type in variant.types:
            refuse_stored_references(type, variant.place)
        fields = zip(variant.fields, variant.types, strict=True)
        made.append((variant.name, tuple((name, core_type(type)) for (name, _, _), type in fields)))
    extensional = attribute(item.attributes, "verifier::ext_equal") is not None
    return CoreDatatype(item.id, names(item.generics), tuple(made), opaque, extensional)
