"""Contracts: which clauses stand where, and what `old`, `final` and mutable parameters mean in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from rlvr_gym.verifiers.verus.checks.inlining import is_inline
from rlvr_gym.verifiers.verus.checks.lifetimes import check_lifetimes
from rlvr_gym.verifiers.verus.checks.mode_uses import builtin_name
from rlvr_gym.verifiers.verus.checks.settings import is_isolated
from rlvr_gym.verifiers.verus.checks.walk import locals_of, parts
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.inference.types import UNIT
from rlvr_gym.verifiers.verus.report import Dialect
from rlvr_gym.verifiers.verus.syntax.tree import (
    Break,
    Call,
    Continue,
    Expr,
    For,
    Function,
    Local,
    Loop,
    LoopClauses,
    Node,
    Parameter,
    PathExpr,
    While,
)


def check_contracts(crate: Crate) -> None:
    """Check the clauses of functions and loops.

    Raises:
        Rejected: a clause where the compiler allows none, a mutable parameter without ``old`` where it needs one.
        Unsupported: a clause outside of the subset.
    """
    for function in crate.functions:
        _check_clauses(function)
        _check_header(function, crate.dialect)
        _check_old(crate, function)
        if function.body is not None:
            _check_loops(crate, function, function.body, ())


def _check_clauses(function: Function) -> None:
    name = function.name
    if function.mode == "spec":
        if function.requires or function.ensures or function.returns is not None:
            raise Rejected(f"spec function `{name}` cannot have requires, ensures or returns", function.place)
    else:
        if function.recommends:
            raise Rejected(f"`{name}` is no spec function and cannot have recommends", function.place)
        if function.when is not None or function.via is not None:
            raise Rejected("only spec functions can use `when` and `via`", function.place)
    if function.when is not None and not function.decreases:
        raise Rejected("`when` needs a decreases clause", function.place)
    if function.prover is not None:
        if function.mode != "proof":
            raise Rejected(f"`by ({function.prover})` is for proof functions", function.place)
        if function.body is not None and (function.body.statements or function.body.tail is not None):
            raise Rejected(f"the body of a function `by ({function.prover})` must be empty", function.place)
    if function.returns is not None and (function.result_type is None or function.result_type == UNIT):
        raise Rejected(f"`{name}` has a returns clause and returns nothing", function.place)
    if function.opens_invariants:
        raise Unsupported("opens_invariants", function.place)


def _check_header(function: Function, dialect: Dialect) -> None:
    name = function.name
    in_trait = function.owner is not None and function.owner.trait is not None
    if function.open and function.mode != "spec":
        raise Rejected("only `spec` functions can be marked open, closed or uninterp", function.place)
    if function.broadcast and function.mode != "proof":
        raise Rejected("only `proof` functions can be marked broadcast", function.place)
    if function.mode == "spec" and function.body is not None and not in_trait:
        if function.public and not function.open:
            raise Rejected(
                f"the non-private spec function `{name}` must be marked open or closed", function.place
            )
        if function.open == "open" and not function.public:
            raise Rejected(f"`{name}` is marked open and is not visible", function.place)
    if is_inline(function) and function.public and function.open != "open":
        raise Rejected(
            f"`{name}` is inline, so that its body is as public as itself and must be open", function.place
        )
    if name == "_":
        raise Rejected("expected a name for the function, found `_`", function.place)
    if function.axiom and function.body is not None:
        raise Rejected(f"the axiom `{name}` has a body", function.place)
    if function.body is None and function.mode != "spec":
        raise Rejected(f"`{name}` has no body", function.place)
    if function.body is None and function.open != "uninterp" and dialect == "current":
        raise Rejected(f"`{name}` has no body and is not marked uninterp", function.place)
    if function.body is not None and function.open == "uninterp":
        raise Rejected(f"`{name}` is marked uninterp and has a body", function.place)
    names = [each for parameter in function.parameters for each in _bound(parameter)]
    if len(set(names)) != len(names):
        raise Rejected(f"two parameters of `{name}` have one name", function.place)
    if function.result_name is not None and function.result_name in names:
        raise Rejected(f"the result of `{name}` has the name of a parameter", function.place)
    if function.result_pattern is not None:
        raise Unsupported("patterns for results", function.place)
    if function.is_const:
        raise Unsupported("const functions", function.place)
    if function.qualifiers:
        raise Unsupported(f"a function that is `{function.qualifiers[0]}`", function.place)
    check_lifetimes(function)


def _bound(parameter: Parameter) -> list[str]:
    """Return the names that a parameter brings; behind a pattern its own name is made up."""
    if parameter.pattern is not None:
        return [local.name for local in locals_of(parameter.pattern)]
    return [parameter.name] if parameter.name != "_" else []


# ---------------------------------------------------------------- old and final


def _check_old(crate: Crate, function: Function) -> None:
    if all(type.name != "&mut" for type in function.parameter_types):
        # `old` and `final` of anything else are type errors.
        return
    dialect = crate.dialect
    for clause in (*function.requires, *function.recommends, *function.decreases):
        _check_clause(clause, dialect, bare=False, final=False, where="this clause")
    for clause in function.ensures:
        _check_clause(clause, dialect, bare=dialect == "classic", final=True, where="ensures")
    if function.returns is not None:
        _check_clause(function.returns, dialect, bare=False, final=True, where="returns")
    if function.body is not None:
        _check_clause(function.body, dialect, bare=True, final=False, where="the body")


def _check_clause(clause: Expr, dialect: Dialect, bare: bool, final: bool, where: str) -> None:
    for node, wrapped in _mentions(clause, ""):
        if wrapped == "final" and dialect == "classic":
            raise Unsupported("final() in the classic dialect", node.place)
        if wrapped == "final" and not final:
            raise Unsupported(f"final() in {where}", node.place)
        if isinstance(node, PathExpr) and isinstance(node.target, Local):
            local = node.target
            borrowed = local.kind == "parameter" and local.type.name == "&mut"
            if wrapped and not borrowed:
                raise Rejected(f"{wrapped}() takes a mutable reference, not `{local.name}`", node.place)
            if not wrapped and borrowed and not bare:
                raise Rejected(
                    f"in {where}, write old({local.name})" + (f" or final({local.name})" if final else ""),
                    node.place,
                )
        elif wrapped:
            raise Rejected(f"{wrapped}() takes a parameter", node.place)


def _mentions(node: Node, wrapped: str) -> Iterator[tuple[Node, str]]:
    """Yield the variables in ``node``, and the arguments of `old` and `final` with that word."""
    stack: list[Node] = [node]
    while stack:
        found = stack.pop()
        if isinstance(found, Call) and (word := builtin_name(found)) in ("old", "final"):
            for argument in found.arguments:
                yield argument, word
            continue
        if isinstance(found, PathExpr):
            yield found, wrapped
        stack.extend(parts(found))


# ---------------------------------------------------------------- loops


_AnyLoop: TypeAlias = While | Loop | For


def _check_loops(crate: Crate, function: Function, node: Node, around: tuple[_AnyLoop, ...]) -> None:
    """Check each loop in ``node`` and what leaves it; ``around`` are the loops that it stands in, innermost first."""
    if isinstance(node, Break | Continue):
        _check_leaving(node, around)
    elif isinstance(node, While | Loop | For):
        _check_loop(crate, function, node)
        around = (node, *around)
    for part in parts(node):
        if not isinstance(part, LoopClauses):
            _check_loops(crate, function, part, around)


def _check_leaving(node: Break | Continue, around: tuple[_AnyLoop, ...]) -> None:
    left = next((loop for loop in around if node.label in (None, loop.label)), None)
    word = type(node).__name__.lower()
    if isinstance(left, For):
        raise Unsupported(f"`{word}` of a `for` loop", node.place)
    if isinstance(node, Continue) and left is not None and left is not around[0] and left.clauses.decreases:
        raise Unsupported(
            "`continue` of an outer loop, whose measure the inner loop does not know", node.place
        )


def _check_loop(crate: Crate, function: Function, node: While | Loop | For) -> None:
    clauses = node.clauses
    if isinstance(node, For) and (clauses.invariant_except_break or clauses.ensures):
        raise Rejected("a `for` loop has no invariant_except_break and no ensures", node.place)
    if not is_isolated(crate, function, node) and (clauses.invariant_except_break or clauses.ensures):
        raise Rejected(
            "with loop_isolation(false) a loop has no invariant_except_break and no ensures", node.place
        )
