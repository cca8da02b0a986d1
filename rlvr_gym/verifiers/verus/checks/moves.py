"""Moves, borrows, initialisation and mutability, along the paths of each body.

An approximation of the compiler's borrow checker that never accepts more: values that are not ``Copy`` are gone once
they are given away, references are stale once what they point into changes, loops are followed until nothing new is
learnt. Ghost code neither moves nor borrows; it may change ghost variables that are ``mut``.
"""

from __future__ import annotations

from rlvr_gym.verifiers.verus.checks.binding import Binding
from rlvr_gym.verifiers.verus.checks.borrows import TEMPORARY
from rlvr_gym.verifiers.verus.checks.flow import Key, State, joined, key
from rlvr_gym.verifiers.verus.checks.lending_calls import Calls
from rlvr_gym.verifiers.verus.checks.loops import Loops
from rlvr_gym.verifiers.verus.checks.places import place_of, step
from rlvr_gym.verifiers.verus.checks.walk import is_expression, locals_of, parts, walk
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate, field_types
from rlvr_gym.verifiers.verus.inference.types import BOOL, CHAR, Type, is_integer
from rlvr_gym.verifiers.verus.syntax.tree import (
    ArrayLit,
    ArrayRepeat,
    Assert,
    AssertForall,
    Assign,
    Assume,
    Binary,
    BlockExpr,
    Borrow,
    Break,
    BroadcastUse,
    Calc,
    Call,
    Closure,
    Continue,
    Expr,
    ExprStatement,
    Field,
    For,
    Function,
    IfExpr,
    Index,
    Let,
    LetCondition,
    Loop,
    MacroCall,
    MatchExpr,
    MethodCall,
    Node,
    Parameter,
    Proof,
    Quantifier,
    RangeExpr,
    ReferencePattern,
    Return,
    Reveal,
    StructLit,
    TupleExpr,
    Unary,
    While,
    WildPattern,
)

NOTHING: frozenset[Key] = frozenset()
_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))


def check_moves(crate: Crate) -> None:
    """Check every body for moves, borrows, initialisation and mutability.

    Raises:
        Rejected: the compiler's borrow checker refuses it.
        Unsupported: references used in ways that are not followed.
    """
    for function in crate.functions:
        if function.body is not None and function.mode != "spec":
            _Moves(crate, function).run(function, function.body)


class _Moves(Calls, Loops, Binding):
    """Follows one body."""

    def run(self, function: Function, body: BlockExpr) -> None:
        """Check a function from its parameters to its result."""
        self.ghost = function.mode != "exec"
        self.returned = self._returnable(function)
        for parameter, type in zip(function.parameters, function.parameter_types, strict=True):
            self._declare(parameter, type)
        owners = self.value(body)
        self.check_returned(owners, body)

    def _declare(self, parameter: Parameter, type: Type) -> None:
        assert self.state is not None
        by_reference = any(isinstance(node, ReferencePattern) for node in walk(parameter))
        for local in locals_of(parameter):
            if by_reference and not self.is_copy(local.type):
                raise Rejected(f"`{local.name}` would move out of a reference", parameter.place)
            itself: frozenset[Key] = frozenset({(local, ())})
            self.state.set(local, itself if self.has_references(type) and type.name != "&mut" else NOTHING)

    # ------------------------------------------------------------ expressions

    def value(self, node: Expr) -> frozenset[Key]:
        """Evaluate ``node`` for its value, which moves what it names; return what the value points into."""
        if self.state is None:
            return NOTHING
        if self.ghost:
            self.ghostly(node)
            return NOTHING
        place = place_of(node)
        if place is not None:
            self.steps(node)
            self.use(place, node.place)
            if not self.is_copy(node.type):
                self.move(place, node.place)
            assert self.state is not None
            return self.state.owners.get(place.local, NOTHING) if self.has_references(node.type) else NOTHING
        owners = self._evaluated(node)
        if (
            node.type is not None
            and node.type.name == "!"
            and isinstance(node, Call | MethodCall | MacroCall)
        ):
            self.state = None
        return owners if self.has_references(node.type) else NOTHING

    def read(self, node: Expr) -> frozenset[Key]:
        """Evaluate ``node`` without moving it; return what a reference to it points into."""
        if self.state is None:
            return NOTHING
        place = place_of(node)
        if place is None or self.ghost:
            return self.value(node)
        self.steps(node)
        self.use(place, node.place)
        return self.borrowed(place)

    def steps(self, node: Expr) -> None:
        """Evaluate the indices on the way to a place."""
        if isinstance(node, Index):
            self.steps(node.operand)
            place = place_of(node.operand)
            with self.lending():
                if place is not None:
                    # What is indexed is held while the index is evaluated.
                    self.lend(frozenset({key(place)}), "shared", node.place)
                self.value(node.index)
        elif isinstance(node, Field | Unary):
            self.steps(node.operand)

    def _evaluated(self, node: Expr) -> frozenset[Key]:
        match node:
            case Assert() | AssertForall() | Assume() | Proof() | Calc() | Reveal() | BroadcastUse():
                self._in_ghost(node)
                return NOTHING
            case MacroCall():
                raise Unsupported(f"`{node.name}!` in compiled code", node.place)
            case Call():
                return self.call(node)
            case MethodCall():
                return self.method(node)
            case Assign():
                return self._assign(node)
            case Borrow():
                if node.mutable:
                    raise Unsupported("`&mut` other than as an argument of a call", node.place)
                return self.read(node.operand)
            case Binary(op="&&" | "||"):
                return self._short_circuit(node)
            case Binary(op=op) if op in _COMPARISONS:
                with self.lending():
                    for operand in (node.left, node.right):
                        found = self.read(operand)
                        if operand.type is not None and not _is_plain(operand.type):
                            # `==` of what is no number borrows both sides.
                            self.lend(found - {TEMPORARY}, "shared", operand.place)
                return NOTHING
            case Binary():
                self.value(node.left)
                self.value(node.right)
                return NOTHING
            case Field() | Index() | Unary(op="*"):
                return self._part_of_value(node)
            case TupleExpr() | ArrayLit() | RangeExpr() | StructLit() | ArrayRepeat():
                return self._built(node)
            case BlockExpr():
                return self.block(node)
            case IfExpr():
                return self._if(node)
            case LetCondition():
                self._condition(node)
                return NOTHING
            case MatchExpr():
                return self._match(node)
            case While() | Loop() | For():
                self.loop(node)
                return NOTHING
            case Break() | Continue() | Return():
                self.leave(node)
                return NOTHING
            case Closure():
                raise Unsupported("closures in compiled code", node.place)
            case _:
                owners = NOTHING
                for part in parts(node):
                    if is_expression(part):
                        owners |= self.value(part)
                return owners

    def _part_of_value(self, node: Field | Index | Unary) -> frozenset[Key]:
        """Evaluate a part of something that has no name."""
        owners = self.read(node.operand)
        if isinstance(node, Index):
            with self.lending():
                self.lend(owners - {TEMPORARY}, "shared", node.place)
                self.value(node.index)
        if not self.is_copy(node.type):
            outer = node.operand.type
            if isinstance(node, Index | Unary) or outer is None or outer.name in ("&", "&mut"):
                raise Rejected("cannot move out of a reference or an element", node.place)
        return owners

    def _built(self, node: Expr) -> frozenset[Key]:
        """Evaluate the parts of a new value, left to right."""
        if isinstance(node, ArrayRepeat) and not self.is_copy(node.value.type):
            raise Unsupported("repeating a value that is not Copy", node.place)
        owners = NOTHING
        with self.lending():
            for part in parts(node):
                if is_expression(part):
                    updated = isinstance(node, StructLit) and part is node.base
                    found = self._rest(node, part) if updated else self.value(part)  # type: ignore[arg-type]
                    self.lend(found, "shared", part.place)
                    owners |= found
        return owners

    def _rest(self, node: StructLit, base: Expr) -> frozenset[Key]:
        """Take from ``base`` the fields that ``node`` does not name itself."""
        place = place_of(base)
        if place is None or node.target is None:
            return self.value(base)
        self.steps(base)
        written = {name for name, _ in node.fields}
        for (name, _, _), type in zip(node.target.variant.fields, field_types(node.target), strict=True):
            if name not in written:
                part = step(place, base.type, "." + name)
                self.use(part, base.place)
                if not self.is_copy(type):
                    self.move(part, base.place)
        return self.borrowed(place) if self.state is not None and self.has_references(base.type) else NOTHING

    def _assign(self, node: Assign) -> frozenset[Key]:
        owners = self.value(node.value)
        place = place_of(node.target)
        if place is None:
            raise Unsupported("assignment to something that is no variable, field or element", node.place)
        if self.state is None:
            return NOTHING
        self.refuse_temporary(owners, node)
        self.steps(node.target)
        if node.op is not None:
            self.use(place, node.place)
            self.check_mutable(place, node.place)
        elif place.has_index and isinstance(node.target, Index):
            base = place_of(node.target.operand)
            assert base is not None
            self.use(base, node.place)
        self.assign(place, owners if self.has_references(node.target.type) else NOTHING, node.place)
        return NOTHING

    # ------------------------------------------------------------ branches

    def _short_circuit(self, node: Binary) -> frozenset[Key]:
        self.value(node.left)
        before = self.state.copy() if self.state is not None else None
        self.value(node.right)
        self.state = joined(self.state, before)
        return NOTHING

    def _condition(self, node: Expr) -> State | None:
        """Evaluate a condition; the state goes on as where it holds, what comes back is where it does not."""
        if isinstance(node, Binary) and node.op == "&&":
            left = self._condition(node.left)
            return joined(left, self._condition(node.right))
        if isinstance(node, LetCondition):
            place, owners = self.scrutinee(node.value)
            otherwise = self.state.copy() if self.state is not None else None
            self.bind(node.pattern, place, owners)
            return otherwise
        self.value(node)
        return self.state.copy() if self.state is not None else None

    def _if(self, node: IfExpr) -> frozenset[Key]:
        with self.scope() as scope:
            otherwise = self._condition(node.condition)
            owners = self.value(node.then)
            scope.check(owners, node.then)
        after, self.state = self.state, otherwise
        if node.otherwise is not None:
            owners |= self.value(node.otherwise)
        self.state = joined(self.state, after)
        return owners

    def _match(self, node: MatchExpr) -> frozenset[Key]:
        place, found = self.scrutinee(node.scrutinee)
        before, after, owners = self.state, None, NOTHING
        for arm in node.arms:
            self.state = before.copy() if before is not None else None
            with self.scope() as scope:
                self.bind(arm.pattern, place, found)
                if arm.guard is not None:
                    bound = self.state.copy() if self.state is not None else None
                    self.guarding += 1
                    self.value(arm.guard)
                    self.guarding -= 1
                    if self.state != bound:
                        # The arms behind this one would have to start from what the guard leaves.
                        raise Unsupported("a guard that moves or changes something", arm.guard.place)
                result = self.value(arm.body)
                scope.check(result, arm.body)
            owners |= result
            after = joined(after, self.state)
        self.state = after
        return owners

    # ------------------------------------------------------------ blocks

    def block(self, node: BlockExpr) -> frozenset[Key]:
        """Evaluate a block and end what it declares."""
        with self.scope() as scope:
            for statement in node.statements:
                self.statement(statement)
            owners = self.value(node.tail) if node.tail is not None else NOTHING
            scope.check(owners, node)
        return owners

    def statement(self, node: Node) -> None:
        """Evaluate a statement."""
        match node:
            case Let():
                self._let(node)
            case ExprStatement():
                self.value(node.value)
            case _:
                # Items are checked by themselves.
                pass

    def _let(self, node: Let) -> None:
        if self.state is None:
            return
        was = self.ghost
        self.ghost = was or node.ghostness != "exec"
        if node.value is None:
            for local in locals_of(node.pattern):
                if self.ghost and not local.mutable:
                    raise Rejected(f"the ghost variable `{local.name}` needs a value or `mut`", node.place)
                self.state.gone[local, ()] = "unset"
                self.state.ever.discard(local)
                self.declared(local)
        elif isinstance(node.pattern, WildPattern):
            self.read(node.value)
        else:
            place, owners = self.scrutinee(node.value, extended=True)
            self.refuse_temporary(owners, node)
            before = self.state.copy() if self.state is not None else None
            self.bind(node.pattern, place, owners)
            if node.otherwise is not None:
                after, self.state = self.state, before
                self.value(node.otherwise)
                if self.state is not None:
                    raise Rejected("`else` clause of `let...else` does not diverge", node.otherwise.place)
                self.state = after
        self.ghost = was

    # ------------------------------------------------------------ ghost code

    def _in_ghost(self, node: Expr) -> None:
        was, self.ghost = self.ghost, True
        self.ghostly(node)
        self.ghost = was

    def ghostly(self, node: Node) -> None:
        """Follow ghost code: what it changes is ``mut``."""
        if self.state is None:
            return
        match node:
            case Assign():
                self.ghostly(node.value)
                place = place_of(node.target)
                if place is None:
                    raise Rejected("cannot assign to this", node.place)
                self.check_mutable(place, node.place)
            case IfExpr():
                self.ghostly(node.condition)
                before = self.state.copy()
                self.ghostly(node.then)
                after, self.state = self.state, before
                if node.otherwise is not None:
                    self.ghostly(node.otherwise)
                self.state = joined(self.state, after)
            case MatchExpr():
                self.ghostly(node.scrutinee)
                before, result = self.state, None
                for arm in node.arms:
                    self.state = before.copy() if before is not None else None
                    self.ghostly(arm.body)
                    result = joined(result, self.state)
                self.state = result
            case Let():
                self._let(node)
            case Return():
                if node.value is not None:
                    self.ghostly(node.value)
                self.state = None
            case Quantifier() | Closure():
                self.ghostly(node.body)
            case _:
                for part in parts(node):
                    self.ghostly(part)


def _is_plain(type: Type) -> bool:
    """Return whether values of ``type`` are compared by their bits, without a call."""
    return is_integer(type) or type in (BOOL, CHAR)
