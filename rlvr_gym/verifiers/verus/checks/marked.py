"""Triggers that a program marks itself: ``#[trigger]``, ``#[trigger(n)]``, ``#![trigger a, b]``."""

from __future__ import annotations

from collections.abc import Iterator

from rlvr_gym.verifiers.verus.checks.inlining import arguments_of, inlined
from rlvr_gym.verifiers.verus.checks.walk import attribute, locals_of, parts, walk
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.inference.types import erased, is_integer
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax.tree import (
    Arm,
    ArrayLit,
    ArrayRepeat,
    Arrow,
    AssertForall,
    Attribute,
    Binary,
    BlockExpr,
    BoolLit,
    Borrow,
    Call,
    Cast,
    CharLit,
    Closure,
    Expr,
    Field,
    FunctionRef,
    Index,
    IntLit,
    IsVariant,
    Let,
    Local,
    MethodCall,
    Node,
    PathExpr,
    Quantifier,
    StrLit,
    StructLit,
    TupleExpr,
    Unary,
    VariantRef,
    View,
)

_ARITHMETIC = frozenset(("+", "-", "*", "/", "%"))
_BITWISE = frozenset(("&", "|", "^", "<<", ">>"))
_EXTENSIONAL = frozenset(("=~=", "=~~="))


def marked(
    crate: Crate, bound: tuple[Local, ...], body: Expr, attributes: tuple[Attribute, ...], place: Place
) -> tuple[tuple[Expr, ...], ...]:
    """Return the groups that the program marks for a quantifier over ``bound``, without its unnumbered group last.

    Raises:
        Rejected: a marked term that cannot be a trigger, or a group that misses a bound variable.
    """
    lets = frozenset(
        local for node in walk(body) if isinstance(node, Let | Arm) for local in _introduced(node)
    )
    groups: dict[int, list[Expr]] = {}
    for number, term in _marks(body, frozenset()):
        free = _free(term, place)
        if any(isinstance(found, Quantifier | Closure | Let) for found in walk(term)):
            raise Rejected("triggers cannot contain let, forall, exists, choose or closures", term.place)
        _check(crate, term, lets)
        if free.isdisjoint(bound):
            # A term of an outer quantifier.
            continue
        groups.setdefault(number, []).append(term)
    found = [tuple(groups[number]) for number in sorted(groups)]
    for written in attributes:
        if written.path == "trigger":
            for term in written.expressions:
                _check(crate, term, lets)
            found.append(written.expressions)
    for group in found:
        covered = frozenset(local for term in group for local in _free(term, place))
        for local in bound:
            if local not in covered:
                raise Rejected(f"trigger does not cover variable {local.name}", place)
        _refuse_casts(crate, group, frozenset(bound))
    if crate.dialect == "classic":
        _refuse_mixed(crate, [term for group in found for term in group], frozenset(bound))
    return tuple(found)


def _introduced(node: Let | Arm) -> Iterator[Local]:
    yield from locals_of(node.pattern)


def _marks(node: Node, inner: frozenset[Local]) -> Iterator[tuple[int, Expr]]:
    """Yield the marked terms in ``node`` with their groups, but those of the quantifiers inside of it."""
    mark = attribute(getattr(node, "attributes", ()), "trigger")
    if mark is not None and not mark.inner:
        free = {found.target for found in walk(node) if isinstance(found, PathExpr)}
        if free.isdisjoint(inner):
            yield _number(mark), node  # type: ignore[misc]  # only expressions have such attributes
    if isinstance(node, Quantifier | AssertForall | Closure):
        inner = inner.union(*(locals_of(parameter) for parameter in node.parameters))
    for part in parts(node):
        yield from _marks(part, inner)


def _number(mark: Attribute) -> int:
    if not mark.arguments:
        return -1
    if len(mark.arguments) != 1 or not mark.arguments[0].isdigit():
        raise Rejected("expected #[trigger] or #[trigger(n)]", mark.place)
    return int(mark.arguments[0])


def _free(term: Expr, place: Place) -> frozenset[Local]:
    return frozenset(
        found.target
        for found in walk(term)
        if isinstance(found, PathExpr) and isinstance(found.target, Local)
    )


def _check(crate: Crate, term: Expr, lets: frozenset[Local]) -> None:
    """Check that ``term`` can be a trigger."""
    top = _plain(crate, term)
    match top:
        case Call(target=VariantRef()) | PathExpr() | StructLit() | TupleExpr():
            allowed = False
        case Call() | MethodCall() | Index() | View() | Field() | Arrow() | IsVariant() | Cast():
            allowed = True
        case Binary():
            allowed = top.op in _ARITHMETIC | _BITWISE | _EXTENSIONAL
        case Unary():
            allowed = top.op == "-" or (top.op == "!" and _is_integer(top))
        case _:
            allowed = False
    if not allowed:
        raise Rejected(
            "trigger must be a function call, a field access, or an arithmetic operator", term.place
        )
    if isinstance(top, Binary) and top.op in _ARITHMETIC:
        _check_inside(crate, top.left, lets)
        _check_inside(crate, top.right, lets)
    else:
        _check_inside(crate, top, lets)


def _plain(crate: Crate, term: Expr) -> Expr:
    """Return ``term`` without what leaves no trace: borrows, casts to ``int``, calls of inline functions."""
    while True:
        if isinstance(term, Borrow) or (isinstance(term, Unary) and term.op == "*"):
            term = term.operand
        elif _is_identity(term):
            assert isinstance(term, Cast)
            term = term.operand
        elif isinstance(term, BlockExpr) and not term.statements and term.tail is not None:
            term = term.tail
        else:
            body = inlined(crate, term)
            if body is term:
                return term
            term = body


def _is_identity(term: Expr) -> bool:
    return (
        isinstance(term, Cast)
        and term.type is not None
        and term.type.name == "int"
        and _is_integer(term.operand)
    )


def _is_integer(node: Expr) -> bool:
    return node.type is not None and is_integer(erased(node.type))


def _check_inside(crate: Crate, term: Expr, lets: frozenset[Local]) -> None:
    term = _plain(crate, term)
    match term:
        case PathExpr():
            if term.target in lets:
                raise Rejected(
                    "let variables in triggers not supported, use #![trigger ...] instead", term.place
                )
            return
        case IntLit() | BoolLit() | CharLit() | StrLit():
            return
        case ArrayLit(kind="array") | ArrayRepeat():
            raise Rejected("triggers cannot contain array literals", term.place)
        case Binary() if term.op in ("+", "*") and term.type is not None and term.type.name == "nat":
            # The sum of two `nat` is a `nat` by a cast, which stands between the function and the sum.
            raise Rejected(f"triggers cannot contain arithmetic of type {term.type}", term.place)
        case Binary() if term.op not in _ARITHMETIC | _BITWISE | _EXTENSIONAL:
            raise Rejected("triggers cannot contain boolean operators, comparisons or equality", term.place)
        case Unary(op="!") if not _is_integer(term):
            raise Rejected("triggers cannot contain boolean operators", term.place)
        case (
            Call()
            | MethodCall()
            | Index()
            | View()
            | Field()
            | Arrow()
            | IsVariant()
            | Cast()
            | Binary()
            | Unary()
        ):
            pass
        case TupleExpr() | StructLit() | ArrayLit():
            pass
        case _:
            raise Rejected("triggers cannot contain if/else, match or let", term.place)
    inside = parts(term)
    if (
        isinstance(term, Call)
        and isinstance(term.callee, PathExpr)
        and not isinstance(term.callee.target, Local)
    ):
        inside = list(term.arguments)
    for part in inside:
        _check_inside(crate, part, lets)  # type: ignore[arg-type]  # the parts of these forms are expressions


def _refuse_mixed(crate: Crate, terms: list[Expr], bound: frozenset[Local]) -> None:
    """Refuse a variable that stands beside arithmetic in one place of the triggers and in a call in another.

    A variable counted as arithmetic by what is written, so what an inline function hides is refused too.
    """
    written = {
        local for term in terms for node in walk(term) for local, arithmetic in _operands(node) if arithmetic
    }
    for term in terms:
        for node in _expanded(crate, term):
            for local, arithmetic in _operands(node):
                if local in bound and arithmetic != (local in written):
                    raise Rejected(
                        f"variable `{local.name}` in trigger cannot appear in both arithmetic and "
                        "non-arithmetic positions",
                        term.place,
                    )


def _expanded(crate: Crate, node: Node) -> Iterator[Node]:
    """Yield the nodes of ``node`` where calls of inline functions are replaced by their bodies."""
    plain = inlined(crate, node) if isinstance(node, Call | MethodCall | Index | View) else node
    if plain is not node:
        yield from _expanded(crate, plain)
        return
    yield node
    for part in parts(node):
        yield from _expanded(crate, part)


def _operands(node: Node) -> Iterator[tuple[Local, bool]]:
    """Yield the variables right below ``node``, each with whether ``node`` is arithmetic."""
    operands: tuple[Expr, ...]
    match node:
        case Binary() if node.op in _ARITHMETIC:
            operands, arithmetic = (node.left, node.right), True
        case Call() | MethodCall() | Index() | View() if not isinstance(
            getattr(node, "target", None), VariantRef
        ):
            operands, arithmetic = arguments_of(node), False
        case _:
            return
    for operand in operands:
        if isinstance(operand, PathExpr) and isinstance(operand.target, Local):
            yield operand.target, arithmetic


def _refuse_casts(crate: Crate, group: tuple[Expr, ...], bound: frozenset[Local]) -> None:
    """Refuse a group in which a variable stands only under casts that matching does not see through."""
    plain: set[Local] = set()
    for term in group:
        _uncast(crate, term, bound, plain)
    for local in bound:
        if local not in plain:
            raise Unsupported(f"a trigger in which `{local.name}` stands only under a cast", group[0].place)


def _uncast(
    crate: Crate, term: Expr, bound: frozenset[Local], plain: set[Local], generic: bool = False
) -> None:
    if isinstance(term, Cast) and (generic or not _is_identity(term)):
        return
    term = _plain(crate, term)
    if isinstance(term, PathExpr):
        if isinstance(term.target, Local) and term.target in bound:
            plain.add(term.target)
        return
    if isinstance(term, Call | MethodCall | Index | View):
        types = term.target.function.parameter_types if isinstance(term.target, FunctionRef) else ()
        for position, argument in enumerate(arguments_of(term)):
            # At a parameter of type `int` a cast leaves the number that it was; elsewhere the type goes with it.
            concrete = position < len(types) and erased(types[position]).name == "int"
            _uncast(crate, argument, bound, plain, generic=not concrete)
        return
    for part in parts(term):
        _uncast(crate, part, bound, plain, generic=True)  # type: ignore[arg-type]  # the parts of these forms are expressions
