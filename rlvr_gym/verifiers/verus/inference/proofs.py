"""Ghost code: quantifiers, closures, assertions, proof blocks."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.body import Body, infers
from rlvr_gym.verifiers.verus.inference.equality import check_ghost_equality
from rlvr_gym.verifiers.verus.inference.names import Unmodelled
from rlvr_gym.verifiers.verus.inference.operators import operand
from rlvr_gym.verifiers.verus.inference.paths import owner_type
from rlvr_gym.verifiers.verus.inference.patterns import bind
from rlvr_gym.verifiers.verus.inference.types import BOOL, INT, UNIT, Type, is_integer
from rlvr_gym.verifiers.verus.syntax.tree import (
    Assert,
    AssertForall,
    Assume,
    Attribute,
    Binary,
    BroadcastUse,
    Calc,
    Closure,
    Expr,
    Function,
    FunctionRef,
    MacroCall,
    Other,
    Parameter,
    Proof,
    Quantifier,
    Reveal,
)


def _parameters(
    body: Body, parameters: tuple[Parameter, ...], hints: tuple[Type, ...] = ()
) -> tuple[Type, ...]:
    """Open the variables of a quantifier or closure; return their types."""
    found: list[Type] = []
    seen: set[str] = set()
    for index, item in enumerate(parameters):
        if item.type is not None:
            type = body.read_type(item.type)
            if index < len(hints):
                body.fit(hints[index], type, item.place)
        else:
            type = hints[index] if index < len(hints) else body.fresh()
        if item.name in seen:
            raise Rejected(
                f"identifier `{item.name}` is bound more than once in this parameter list", item.place
            )
        if item.name != "_":
            seen.add(item.name)
        if item.pattern is not None:
            bind(body, item.pattern, type, kind="bound", ghostness=item.ghostness)
        item.local = body.declare(item.name, type, "bound", item.place, ghostness=item.ghostness)
        found.append(type)
    return tuple(found)


def _triggers(body: Body, attributes: tuple[Attribute, ...]) -> None:
    for attribute in attributes:
        for term in attribute.expressions:
            body.expr(term)


@infers(Quantifier)
def quantifier(body: Body, expr: Quantifier, expected: Type | None) -> Type:
    """``forall``, ``exists``, ``choose``."""
    outer, body.ghost = body.ghost, True
    with body.scope():
        types = _parameters(body, expr.parameters)
        _triggers(body, expr.triggers)
        body.check(expr.body, BOOL)
    body.ghost = outer
    if expr.kind != "choose":
        return BOOL
    return types[0] if len(types) == 1 else Type("tuple", types)


@infers(Closure)
def closure(body: Body, expr: Closure, expected: Type | None) -> Type:
    """``|x| e`` as a ghost function value."""
    if not body.ghost:
        raise Unsupported("closure in compiled code", expr.place)
    if expr.requires or expr.ensures:
        raise Rejected("a ghost function value has no contract", expr.place)
    wanted = None if expected is None else body.head(expected)
    hints: tuple[Type, ...] = ()
    result: Type | None = None
    if wanted is not None and wanted.name == "spec_fn":
        if len(wanted.args) - 1 != len(expr.parameters):
            message = f"expected a function of {len(wanted.args) - 1} parameters, found one of {len(expr.parameters)}"
            raise Rejected(message, expr.place)
        hints, result = wanted.args[:-1], wanted.args[-1]
    body.closures += 1
    loops, body.loops = body.loops, []
    with body.scope():
        types = _parameters(body, expr.parameters, hints)
        if expr.result is not None:
            result = body.read_type(expr.result)
        found = body.expr(expr.body, result)
        if result is not None:
            body.fit(found, result, expr.body.place)
            found = result
    body.loops = loops
    body.closures -= 1
    return Type("spec_fn", (*types, found))


@infers(Assert)
def assert_(body: Body, expr: Assert, expected: Type | None) -> Type:
    """``assert(P) by ..``."""
    for item in expr.requires:
        body.condition(item)
    body.condition(expr.condition)
    if expr.body is not None:
        body.ghostly(expr.body, UNIT)
    return UNIT


@infers(AssertForall)
def assert_forall(body: Body, expr: AssertForall, expected: Type | None) -> Type:
    """``assert forall|x| P implies Q by { }``."""
    outer, body.ghost = body.ghost, True
    with body.scope():
        _parameters(body, expr.parameters)
        _triggers(body, expr.triggers)
        if expr.premise is not None:
            body.check(expr.premise, BOOL)
        body.check(expr.conclusion, BOOL)
        body.check(expr.body, UNIT)
    body.ghost = outer
    return UNIT


@infers(Assume)
def assume(body: Body, expr: Assume, expected: Type | None) -> Type:
    """``assume(P)``, ``admit()``."""
    if expr.condition is not None:
        body.condition(expr.condition)
    return UNIT


@infers(Proof)
def proof(body: Body, expr: Proof, expected: Type | None) -> Type:
    """``proof { }``."""
    body.ghostly(expr.body, UNIT)
    return UNIT


@infers(Reveal)
def reveal(body: Body, expr: Reveal, expected: Type | None) -> Type:
    """``reveal(f)``: the function is named, not used, so its generic arguments stay open."""
    segments = expr.path.segments
    path = tuple([segment.name for segment in segments])
    found = body.declarations.names.find(path, body.open_scope, "value")
    if not isinstance(found, Function) and len(segments) > 1:
        owner = owner_type(body, segments[:-1])
        if isinstance(owner, Type):
            candidates = body.declarations.method(owner.name, path[-1])
            if len(candidates) > 1:
                raise Unsupported(f"`{path[-1]}` is defined by several `impl`s", expr.place)
            found = candidates[0] if candidates else None
    whole = "::".join(path)
    if isinstance(found, Unmodelled):
        raise Unsupported(f"`{found.path}` of the library", expr.place)
    if not isinstance(found, Function):
        raise Rejected(f"cannot find function `{whole}` in this scope", expr.place)
    if found.mode != "spec":
        raise Rejected(f"`reveal` needs a spec function, `{whole}` is {found.mode}", expr.place)
    expr.target = FunctionRef(found, ())
    return UNIT


@infers(Calc)
def calc(body: Body, expr: Calc, expected: Type | None) -> Type:
    """``calc!``: each step relates two neighbours."""
    outer, body.ghost = body.ghost, True
    left = operand(body, expr.first, "widen")
    for step in expr.steps:
        right = operand(body, step.term, "widen")
        if step.op in ("==>", "<==", "<==>"):
            for type in (left, right):
                body.fit(type, BOOL, step.place)
        elif step.op in ("<", "<=", ">", ">="):
            _related_integers(body, left, right, step.term)
        elif step.op == "==":
            _equal(body, Binary("==", expr.first, step.term, place=step.place), left, right)
        else:
            body.fit(right, left, step.place)
        if step.body is not None:
            body.check(step.body, UNIT)
        left = right
    body.ghost = outer
    return UNIT


def _equal(body: Body, relation: Binary, left: Type, right: Type) -> None:
    body.checks.append(lambda: check_ghost_equality(body, relation, left, right))


def _related_integers(body: Body, left: Type, right: Type, expr: Expr) -> None:
    def check() -> None:
        for type in (left, right):
            found = body.variables.resolved(type)
            if not is_integer(found):
                raise Rejected(f"a comparison by order needs integers, found `{found}`", expr.place)

    body.checks.append(check)


@infers(BroadcastUse)
def broadcast_use(body: Body, expr: BroadcastUse, expected: Type | None) -> Type:
    """``broadcast use``: a statement without a value."""
    return UNIT


_OTHER_SIDE = frozenset(
    ("assert_seqs_equal", "assert_sets_equal", "assert_maps_equal", "assert_multisets_equal")
)


@infers(MacroCall)
def macro_call(body: Body, expr: MacroCall, expected: Type | None) -> Type:
    """The macros for proofs; any other has no meaning here."""
    outer, body.ghost = body.ghost, True
    if expr.name == "assert_by_contradiction" and len(expr.arguments) == 2:
        body.check(expr.arguments[0], BOOL)
        body.check(expr.arguments[1], UNIT)
    elif expr.name in _OTHER_SIDE and expr.arguments:
        _extensional(body, expr)
    else:
        raise Unsupported(f"macro `{expr.name}!`", expr.place)
    body.ghost = outer
    return UNIT


def _extensional(body: Body, expr: MacroCall) -> None:
    """Infer ``assert_seqs_equal!(a, b)``, ``(a == b)`` or with ``i => { }`` behind."""
    arguments = list(expr.arguments)
    last = arguments.pop() if isinstance(arguments[-1], Closure) else None
    if len(arguments) == 1 and isinstance(arguments[0], Binary) and arguments[0].op in ("==", "=~="):
        body.expr(arguments[0])
    elif len(arguments) == 2:
        body.check(arguments[1], body.expr(arguments[0]))
    else:
        raise Unsupported(f"macro `{expr.name}!` with such arguments", expr.place)
    if isinstance(last, Closure):
        if expr.name != "assert_seqs_equal" or len(last.parameters) != 1:
            raise Unsupported(f"macro `{expr.name}!` with a proof", expr.place)
        body.check(last, Type("spec_fn", (INT, UNIT)))


@infers(Other)
def other(body: Body, expr: Other, expected: Type | None) -> Type:
    """What the subset does not have."""
    raise Unsupported(expr.what, expr.place)
