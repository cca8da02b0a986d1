"""Mathematical answers as trees: parsing, printing, and deciding whether two of them have the same value."""

from rlvr_gym.verifiers.algebra.decide import (
    Decision,
    Outcome,
    ball,
    compare,
    infinite_sign,
    is_real_number,
    is_undefined,
    same,
    value,
)
from rlvr_gym.verifiers.algebra.escalate import same_by_algebra
from rlvr_gym.verifiers.algebra.limits import DEFAULT, Limits, ParseError
from rlvr_gym.verifiers.algebra.render import render
from rlvr_gym.verifiers.algebra.statements import parse, parse_items
from rlvr_gym.verifiers.algebra.structures import (
    All,
    Any,
    Brackets,
    Chain,
    Intersection,
    Interval,
    ListOf,
    Matrix,
    Minus,
    NamedSet,
    Node,
    Op,
    Ratio,
    Relation,
    SetBuilder,
    SetOf,
    Structure,
    TupleOf,
    Union,
)
from rlvr_gym.verifiers.algebra.tree import Add, Based, Call, Const, Expr, Mul, Num, Pow, Sym, size, symbols

__all__ = [
    # Text.
    "parse",
    "parse_items",
    "render",
    # Scalars.
    "Expr",
    "Num",
    "Const",
    "Sym",
    "Based",
    "Add",
    "Mul",
    "Pow",
    "Call",
    "size",
    "symbols",
    # Structures.
    "Node",
    "Structure",
    "ListOf",
    "TupleOf",
    "SetOf",
    "SetBuilder",
    "Interval",
    "Brackets",
    "NamedSet",
    "Union",
    "Intersection",
    "Minus",
    "Op",
    "Relation",
    "Chain",
    "Any",
    "All",
    "Matrix",
    "Ratio",
    # Deciding.
    "same",
    "same_by_algebra",
    "Decision",
    "Outcome",
    "value",
    "ball",
    "compare",
    "is_real_number",
    "is_undefined",
    "infinite_sign",
    # Sizes.
    "Limits",
    "DEFAULT",
    "ParseError",
]
