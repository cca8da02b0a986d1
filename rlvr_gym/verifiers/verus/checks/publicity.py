"""What is public speaks of public things only: contracts of public functions, bodies of open ones."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.checks.walk import contract, walk
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax.tree import (
    Arrow,
    Call,
    Const,
    ConstRef,
    Enum,
    Expr,
    Field,
    Function,
    FunctionRef,
    Index,
    MethodCall,
    Node,
    PathExpr,
    Struct,
    StructLit,
    VariantPattern,
    VariantRef,
    View,
)

EVERYONE = None


def check_publicity(crate: Crate) -> None:
    """Check that what others can see of a function mentions nothing that they cannot.

    Raises:
        Rejected: a public contract or an open body that refers to something private.
        Unsupported: a visibility other than ``pub`` and ``pub(crate)``.
    """
    for function in crate.functions:
        if function.owner is not None and function.owner.trait is not None:
            # Their visibility is the trait's.
            continue
        seen_by = _seen_by(function.public, function.module, function.place)
        for clause in contract(function):
            _check(clause, seen_by, f"the contract of `{function.name}`")
        if function.mode == "spec" and function.open == "open" and function.body is not None:
            _check(function.body, seen_by, f"the body of the open function `{function.name}`")


def _seen_by(public: str, module: str, place: Place) -> str | None:
    """Return the module inside of which an item is visible; None for all."""
    if public == "pub":
        return EVERYONE
    if public in ("", "pub(self)"):
        return module
    if public == "pub(crate)":
        return ""
    raise Unsupported(f"visibility `{public}`", place)


def _hidden(owner: str | None, reader: str | None) -> bool:
    """Return whether something visible inside ``owner`` is hidden somewhere inside ``reader``."""
    if owner is None or owner == "":
        return owner is not None and reader is None
    return reader is None or not (reader == owner or reader.startswith(f"{owner}::"))


def _check(root: Expr, reader: str | None, what: str) -> None:
    for node in walk(root):
        for item in _mentioned(node):
            if item.library:
                continue
            if isinstance(item, Function) and item.owner is not None and item.owner.trait is not None:
                continue
            if _hidden(_seen_by(item.public, item.module, item.place), reader):
                raise Rejected(f"{what} is public and cannot refer to the private `{item.name}`", node.place)
        if (datatype := _opened(node)) is not None and not datatype.library:
            for visibility in _fields(datatype):
                if _hidden(_seen_by(visibility, datatype.module, datatype.place), reader):
                    raise Rejected(
                        f"{what} is public and cannot use private fields of `{datatype.name}`", node.place
                    )


def _mentioned(node: Node) -> tuple[Function | Const, ...]:
    if isinstance(node, Call | MethodCall | Index | View) and isinstance(node.target, FunctionRef):
        return (node.target.function,)
    if isinstance(node, PathExpr) and isinstance(node.target, ConstRef):
        return (node.target.const,)
    return ()


def _opened(node: Node) -> Struct | Enum | None:
    """Return the datatype whose fields ``node`` uses."""
    target = node.target if isinstance(node, Field | Arrow | StructLit | VariantPattern | Call) else None
    if isinstance(target, VariantRef) and target.variant.fields:
        return target.datatype
    return None


def _fields(datatype: Struct | Enum) -> tuple[str, ...]:
    if isinstance(datatype, Struct):
        return datatype.variant.visibility
    # The fields of an enum are as visible as the enum.
    return (datatype.public,)
