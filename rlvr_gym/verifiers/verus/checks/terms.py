"""What the choice of triggers sees of an expression: applications with a head, and everything else.

The scores of candidates follow Verus: how deep a term lies below logical operators, how large it is, whether it
contains a call. Two expressions are one term when they are written alike, so terms compare by value.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TypeAlias

from rlvr_gym.verifiers.verus.checks.inlining import arguments_of, inlined
from rlvr_gym.verifiers.verus.checks.walk import walk
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.inference.types import Type, is_integer
from rlvr_gym.verifiers.verus.syntax.tree import (
    ArrayLit,
    Arrow,
    BigLogic,
    Binary,
    BindPattern,
    BlockExpr,
    BoolLit,
    Borrow,
    Call,
    Cast,
    Chain,
    CharLit,
    ConstRef,
    Expr,
    Field,
    FunctionRef,
    IfExpr,
    Index,
    IntLit,
    IsVariant,
    LetCondition,
    Local,
    Matches,
    MatchExpr,
    MethodCall,
    PathExpr,
    Pattern,
    StrLit,
    StructLit,
    TupleExpr,
    Unary,
    VariantRef,
    View,
)

LOGICAL = frozenset(
    ("&&", "||", "==>", "<==", "<==>", "==", "===", "!==", "&&&", "|||", "=~=", "=~~=", "!~=")
)
"""Operators next to which a term counts as shallow."""
BITWISE = frozenset(("&", "|", "^", "<<", ">>"))
_OTHER = "other"


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable, bound or free."""

    local: Local


@dataclass(frozen=True, slots=True)
class Application:
    """A head applied to terms."""

    head: Hashable
    arguments: tuple[TermOf, ...]


TermOf: TypeAlias = Variable | Application
_NO_ARGUMENTS = (Application(("literal", 0), ()),)
"""What stands in a call without arguments: the real tool puts a number there, which counts for the size."""


@dataclass(frozen=True, slots=True, order=True)
class Score:
    """How bad a candidate is; compared field by field, the sum counts for several terms."""

    operators: int
    no_calls: int
    depth: int
    size: int

    def plus(self, other: Score) -> Score:
        """Return the score of both together."""
        return Score(
            self.operators + other.operators,
            self.no_calls + other.no_calls,
            self.depth + other.depth,
            self.size + other.size,
        )


@dataclass(slots=True)
class Terms:
    """All terms of one quantifier's body, and which of them may be triggers."""

    crate: Crate
    bound: frozenset[Local]
    extensional: bool = False
    """Whether ``=~=`` counts as an application (``#![all_triggers]``)."""
    seen: dict[Hashable, list[TermOf]] = field(default_factory=dict)
    """All applications by head."""
    candidates: dict[TermOf, Expr] = field(default_factory=dict)
    """Terms without anything that a trigger cannot contain, with the first expression of each, in order."""
    scores: dict[TermOf, Score] = field(default_factory=dict)
    _others: int = 0
    _known: set[TermOf] = field(default_factory=set)

    def gather(self, node: Expr, depth: int = 0) -> tuple[bool, TermOf]:
        """Return the term of ``node`` and whether a trigger may contain it, having noted all terms inside."""
        node = inlined(self.crate, node)
        pure, term = self._term(node, depth)
        if isinstance(term, Variable) or term.head == "tuple" or is_entry_value(term):
            return pure, term
        if term not in self._known:
            self._known.add(term)
            self.seen.setdefault(term.head, []).append(term)
        if pure and (variable_depth := self._variable_depth(term, depth)) is not None:
            self.candidates.setdefault(term, node)
            score = Score(_count(term, "bit"), int(_count(term, "call") == 0), variable_depth, _size(term))
            if term not in self.scores or score < self.scores[term]:
                self.scores[term] = score
        return pure, term

    def variables(self, term: TermOf) -> frozenset[Local]:
        """Return the bound variables in ``term``."""
        if isinstance(term, Variable):
            return frozenset((term.local,)) & self.bound
        return frozenset(local for argument in term.arguments for local in self.variables(argument))

    def _variable_depth(self, term: TermOf, depth: int) -> int | None:
        if isinstance(term, Variable):
            return depth if term.local in self.bound else None
        depths = [
            found
            for argument in term.arguments
            if (found := self._variable_depth(argument, depth + 1)) is not None
        ]
        return max(depths, default=None)

    def _other(self, *terms: TermOf) -> tuple[bool, TermOf]:
        """Return a term that is equal to no other and is no candidate."""
        self._others += 1
        return False, Application((_OTHER, self._others), terms)

    def _applied(self, head: Hashable, arguments: tuple[Expr, ...], depth: int) -> tuple[bool, TermOf]:
        found = [self.gather(argument, depth) for argument in arguments]
        return all(pure for pure, _ in found), Application(head, tuple(term for _, term in found))

    def _around(self, depth: int, *nodes: Expr) -> tuple[bool, TermOf]:
        return self._other(*(self.gather(node, depth)[1] for node in nodes))

    def _term(self, node: Expr, depth: int) -> tuple[bool, TermOf]:
        match node:
            case IntLit() | BoolLit() | CharLit() | StrLit():
                return True, Application(("literal", node.value), ())
            case PathExpr():
                return self._path(node)
            case Call() | MethodCall() | Index() | View():
                return self._call(node, depth)
            case Borrow() | Unary(op="*"):
                return self.gather(node.operand, depth)
            case Unary(op="!") if node.type is not None and is_integer(node.type):
                return self._applied(("bit", "!"), (node.operand,), 1)
            case Unary(op="!"):
                return self._around(0, node.operand)
            case Unary():
                return self._around(1, node.operand)
            case Cast():
                return self._cast(node, depth)
            case Binary():
                return self._binary(node)
            case BigLogic():
                return self._around(0, *node.operands)
            case Chain() if self.crate.dialect == "classic" and all(map(_is_small, node.operands[1:-1])):
                # Verus of 2026 names all operands first, which hides them; that of 2024 named only large middle ones.
                return self._around(1, *node.operands)
            case Field() | Arrow():
                operand = node.operand
                owner: Hashable = (
                    operand.type.name if node.target is None and operand.type is not None else None
                )
                if node.target is not None:
                    owner = (node.target.datatype.id, node.target.variant.name)
                return self._applied(("field", owner, node.index), (operand,), depth + 1)
            case StructLit() if node.base is None and node.target is not None:
                order = {name: index for index, (name, _, _) in enumerate(node.target.variant.fields)}
                fields = tuple(
                    value for _, value in sorted(node.fields, key=lambda written: order.get(written[0], 0))
                )
                return self._applied(_constructor(node.target), fields, depth + 1)
            case TupleExpr():
                return self._applied("tuple", node.items, depth + 1)
            case ArrayLit(kind="array"):
                return self._around(depth + 1, *node.items)
            case IsVariant():
                return self._around(1, node.operand)
            case IfExpr() if not _has_let(node):
                branches = (node.then,) if node.otherwise is None else (node.then, node.otherwise)
                return self._around(1, node.condition, *branches)
            case BlockExpr() if not node.statements and node.tail is not None:
                return self.gather(node.tail, depth)
            case MatchExpr():
                return self._match(node)
            case Matches():
                return self._matches(node)
            case _:
                # Quantifiers, closures, `let`, chains (which name their operands first): nothing inside is seen.
                return self._other()

    def _path(self, node: PathExpr) -> tuple[bool, TermOf]:
        match node.target:
            case Local():
                return True, Variable(node.target)
            case ConstRef(const=const):
                return True, Application(("call", const.id), _NO_ARGUMENTS)
            case VariantRef():
                return True, Application(_constructor(node.target), ())
            case _:
                return self._other()

    def _call(self, node: Call | MethodCall | Index | View, depth: int) -> tuple[bool, TermOf]:
        target = node.target
        if isinstance(target, VariantRef):
            return self._applied(_constructor(target), arguments_of(node), depth + 1)
        if isinstance(target, FunctionRef):
            pure, term = self._applied(("call", target.function.id), arguments_of(node), depth + 1)
            assert isinstance(term, Application)
            # Each mention of a type parameter counts as an argument.
            types = tuple(Application(("type", name), ()) for name in _parameters(target.type_arguments))
            return pure, Application(term.head, types + term.arguments or _NO_ARGUMENTS)
        if isinstance(node, Call):
            return self._built_in(node, depth)
        # The view of an integer and the like: the value itself.
        return self.gather(arguments_of(node)[0], depth)

    def _built_in(self, node: Call, depth: int) -> tuple[bool, TermOf]:
        callee = node.callee
        name = callee.segments[-1].name if isinstance(callee, PathExpr) and callee.target is None else None
        if name in ("old", "final") and len(node.arguments) == 1:
            argument = node.arguments[0]
            if isinstance(argument, PathExpr) and isinstance(argument.target, Local):
                return True, Application((name, argument.target), ())
        if name is None:
            # The application of a `spec_fn` value: never chosen by itself.
            return self._around(1, callee, *node.arguments)
        return self._around(1, *node.arguments)

    def _cast(self, node: Cast, depth: int) -> tuple[bool, TermOf]:
        source = node.operand.type
        if (
            node.type is not None
            and node.type.name == "int"
            and source is not None
            and is_integer(_bare(source))
        ):
            return self.gather(node.operand, depth)
        return self._around(1, node.operand)

    def _binary(self, node: Binary) -> tuple[bool, TermOf]:
        if node.op in BITWISE:
            return self._applied(("bit", node.op), (node.left, node.right), 1)
        if node.op in ("=~=", "=~~=") and self.extensional:
            return self._applied(("extensional", node.op), (node.left, node.right), 0)
        return self._around(0 if node.op in LOGICAL else 1, node.left, node.right)

    def _match(self, node: MatchExpr) -> tuple[bool, TermOf]:
        """Return a ``match``: only arms that name nothing are seen, and only on a plain variable."""
        if not isinstance(_unborrowed(node.scrutinee), PathExpr):
            return self._other()
        found: list[TermOf] = []
        for arm in node.arms:
            if arm.guard is None and not _binds(arm.pattern):
                found.append(self.gather(arm.body, 1)[1])
        return self._other(*found)

    def _matches(self, node: Matches) -> tuple[bool, TermOf]:
        if not isinstance(_unborrowed(node.operand), PathExpr) or _binds(node.pattern) or node.rest is None:
            return self._other()
        return self._around(1, node.rest)


def is_entry_value(term: Application) -> bool:
    """Return whether ``term`` is ``old(x)`` or ``final(x)``: a variable under another name."""
    return isinstance(term.head, tuple) and term.head[0] in ("old", "final")


def _parameters(types: tuple[Type, ...]) -> list[str]:
    return [
        name for type in types for name in ([type.name] if type.name[0] == "'" else _parameters(type.args))
    ]


def _bare(type: Type) -> Type:
    while type.name in ("&", "&mut", "Box"):
        type = type.args[0]
    return type


def _unborrowed(node: Expr) -> Expr:
    while isinstance(node, Borrow) or (isinstance(node, Unary) and node.op == "*"):
        node = node.operand
    return node


def _is_small(node: Expr) -> bool:
    return isinstance(node, PathExpr | IntLit | CharLit | BoolLit)


def _has_let(node: IfExpr) -> bool:
    return any(isinstance(found, LetCondition) for found in walk(node.condition))


def _binds(pattern: Pattern) -> bool:
    return any(isinstance(found, BindPattern) for found in walk(pattern))


def _constructor(ref: VariantRef) -> Hashable:
    return ("constructor", ref.datatype.id, ref.variant.name)


def _size(term: TermOf) -> int:
    return 1 if isinstance(term, Variable) else 1 + sum(_size(argument) for argument in term.arguments)


def _count(term: TermOf, kind: str) -> int:
    if isinstance(term, Variable):
        return 0
    own = int(isinstance(term.head, tuple) and term.head[0] == kind)
    return own + sum(_count(argument, kind) for argument in term.arguments)
