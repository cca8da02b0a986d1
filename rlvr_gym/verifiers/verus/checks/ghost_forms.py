"""Forms of expressions that exist in one world only: in compiled code, or in ghost code."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.types import erased
from rlvr_gym.verifiers.verus.syntax.tree import (
    ArrayLit,
    ArrayRepeat,
    Arrow,
    Assign,
    BigLogic,
    Binary,
    Cast,
    Chain,
    Closure,
    Expr,
    IntLit,
    IsVariant,
    MacroCall,
    Matches,
    Quantifier,
    RangeExpr,
    Unary,
    View,
)

_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
_GHOST_OPERATORS = frozenset(
    ("==>", "<==", "<==>", "=~=", "=~~=", "!~=", "===", "!==", "&&&", "|||", "has", "!has")
)


def refuse_in_compiled(node: Expr) -> None:
    """Refuse ``node`` where it is a form that only ghost code has.

    Raises:
        Rejected: compiled code cannot contain it.
    """
    match node:
        case Quantifier():
            raise Rejected(f"cannot use `{node.kind}` in compiled code", node.place)
        case Binary() if node.op in _GHOST_OPERATORS:
            raise Rejected(f"the operator `{node.op}` exists in ghost code only", node.place)
        case Chain():
            raise Rejected("chained comparisons exist in ghost code only", node.place)
        case BigLogic():
            raise Unsupported(f"`{node.op}` in compiled code", node.place)
        case View():
            raise Rejected("`@` calls a spec function, which compiled code cannot do", node.place)
        case IsVariant():
            raise Rejected("`is` exists in ghost code only", node.place)
        case Arrow():
            raise Rejected("`->` exists in ghost code only", node.place)
        case Matches():
            raise Rejected("`matches` exists in ghost code only", node.place)
        case ArrayLit() | ArrayRepeat() if node.kind not in ("array", "vec"):
            raise Rejected(f"`{node.kind}!` builds a ghost value, which compiled code cannot do", node.place)
        case MacroCall():
            raise Unsupported(f"`{node.name}!` in compiled code", node.place)
        case _:
            _refuse_numbers(node)


def _refuse_numbers(node: Expr) -> None:
    """Refuse what compiled code cannot do with ``int`` and ``nat``: there they can be had, added and compared, not made."""
    match node:
        case IntLit() if _is_ghost_number(node):
            raise Rejected("mismatched types: a literal in compiled code is no int or nat", node.place)
        case Cast() if _is_ghost_number(node) or _is_ghost_number(node.operand):
            raise Rejected("casts from and to int and nat exist in ghost code only", node.place)
        case Binary() if _is_ghost_number(node.left):
            known = node.op in _COMPARISONS or (node.op in ("+", "-", "*") and _name(node.left) == "int")
            if not known:
                raise Unsupported(f"`{node.op}` of {_name(node.left)} in compiled code", node.place)
        case Assign() if node.op is not None and _is_ghost_number(node.target):
            raise Unsupported(f"`{node.op}=` of {_name(node.target)} in compiled code", node.place)
        case Unary() if node.op != "*" and _is_ghost_number(node.operand):
            raise Unsupported(f"`{node.op}` of {_name(node.operand)} in compiled code", node.place)
        case _:
            pass


def _name(node: Expr) -> str:
    return erased(node.type).name if node.type is not None else ""


def _is_ghost_number(node: Expr) -> bool:
    return _name(node) in ("int", "nat")


def refuse_in_ghost(node: Expr) -> None:
    """Refuse ``node`` where it is a form that only compiled code has.

    Raises:
        Rejected: ghost code cannot contain it.
        Unsupported: it may, and its meaning is outside of the subset.
    """
    match node:
        case ArrayLit() | ArrayRepeat() if node.kind == "vec":
            raise Rejected("`vec!` calls exec functions, which ghost code cannot do", node.place)
        case RangeExpr():
            raise Unsupported("ranges in ghost code", node.place)
        case Closure() if node.move:
            raise Unsupported("`move` closures in ghost code", node.place)
        case _:
            pass
