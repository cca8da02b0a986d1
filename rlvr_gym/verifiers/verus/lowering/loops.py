"""Loops, with everything that their clauses mean."""

from __future__ import annotations

from collections.abc import Sequence

from rlvr_gym.verifiers.verus.checks.settings import is_isolated
from rlvr_gym.verifiers.verus.checks.walk import walk
from rlvr_gym.verifiers.verus.core import (
    BreakStep,
    Clause,
    Construct,
    ContinueStep,
    Expression,
    LoopStep,
    Set,
    Statement,
    Var,
)
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.types import INT, SIGNED, Type, is_machine
from rlvr_gym.verifiers.verus.lowering.closed import own_reveals
from rlvr_gym.verifiers.verus.lowering.control import Control
from rlvr_gym.verifiers.verus.lowering.effects import assigned, breaks_out
from rlvr_gym.verifiers.verus.lowering.frame import Frame
from rlvr_gym.verifiers.verus.lowering.operators import retyped
from rlvr_gym.verifiers.verus.lowering.promotion import promoted
from rlvr_gym.verifiers.verus.lowering.pure import Pure
from rlvr_gym.verifiers.verus.lowering.terms import (
    conjunction,
    disjunction,
    equal,
    integer,
    names_in,
    op,
    unit,
)
from rlvr_gym.verifiers.verus.lowering.types import core_type
from rlvr_gym.verifiers.verus.lowering.values import found
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.tree import Expr, Local


class Loops(Control):
    """Lowers loops."""

    _labels: tuple[tuple[str | None, str, bool], ...] = ()
    """Loops around this point, innermost last: label as written, label in the core, whether it is a ``for``."""
    _loops = 0

    def _on_While(self, node: tree.While) -> Expression:
        outer = frozenset(self.declared)
        label = self._enter(node.label, counted=False)
        with self.inside() as head:
            condition, bindings = self.condition(node.condition)
        with self.inside() as body:
            self.bind(bindings, node.place)
            self.block(node.body)
        self._labels = self._labels[:-1]
        clauses = node.clauses
        # A pattern in the condition makes it a loop with breaks, after which the pattern is not known to fail.
        simple = not (clauses.invariant_except_break or clauses.ensures or breaks_out([*head, *body], label))
        simple = simple and not isinstance(node.condition, tree.LetCondition)
        self._loop(node, label, (head, condition, body, []), simple, outer)
        return unit(node.place)

    def _on_Loop(self, node: tree.Loop) -> Expression:
        outer = frozenset(self.declared)
        label = self._enter(node.label, counted=False)
        with self.inside() as body:
            self.block(node.body)
        self._labels = self._labels[:-1]
        self._loop(node, label, ([], None, body, []), False, outer)
        return unit(node.place)

    def _enter(self, written: str | None, counted: bool) -> str:
        self._loops += 1
        label = f"{written or 'loop'}~{self._loops}"
        self._labels = (*self._labels, (written, label, counted))
        return label

    def _loop(
        self,
        node: tree.While | tree.Loop | tree.For,
        label: str,
        parts: tuple[list[Statement], Expression | None, list[Statement], list[Statement]],
        simple: bool,
        outer: frozenset[str],
        silent: Sequence[Expression] = (),
        measure: Expression | None = None,
    ) -> None:
        head, condition, body, step = parts
        clauses = node.clauses
        function = self.frame.function
        isolated = function is None or is_isolated(self.frame.crate, function, node)
        if not isolated and (clauses.invariant_except_break or clauses.ensures):
            raise Unsupported("loop_isolation(false) with invariant_except_break or ensures", node.place)
        modified = frozenset(assigned([*head, *body, *step]) & outer)
        decreases = self.pure.terms(clauses.decreases)
        # An isolated loop inherits no reveals.
        reveals = own_reveals(self.frame.crate, function) if isolated else []
        self.emit(
            LoopStep(
                label,
                (*reveals, *head),
                condition,
                tuple(body),
                tuple(step),
                tuple(Clause(formula, node.place, silent=True) for formula in silent)
                + self.clauses(clauses.invariant),
                self.clauses(clauses.invariant_except_break),
                self.clauses(clauses.ensures),
                (measure,) if measure is not None and not decreases else decreases,
                simple,
                isolated,
                modified,
                place=node.place,
            )
        )

    def clauses(self, nodes: Sequence[Expr]) -> tuple[Clause, ...]:
        """Return clauses of a loop."""
        current = self.frame.crate.dialect == "current"
        formulas = [(node, self.pure.term(node)) for node in nodes]
        return tuple(
            Clause(promoted(formula, self.frame.crate) if current else formula, node.place)
            for node, formula in formulas
        )

    # ------------------------------------------------------------ for

    def _on_For(self, node: tree.For) -> Expression:
        """Lower ``for i in a..b``: the bounds are read once, and ``i`` counts from the one up to the other."""
        clauses, ends = node.clauses, node.iterable
        if clauses.invariant_except_break or clauses.ensures:
            raise Unsupported("invariant_except_break or ensures of a for loop", node.place)
        if not isinstance(ends, tree.RangeExpr) or ends.start is None or ends.end is None:
            raise Unsupported("for loop over something that is no range", ends.place)
        lowest, bound = self.values((ends.start, ends.end))
        if not is_machine(lowest.type):
            raise Unsupported(f"for loop over a range of `{lowest.type}`", ends.place)
        low, high = self.keep(lowest, ends.start.place), self.keep(bound, ends.end.place)
        local = _counter(node.pattern)
        # One past an inclusive end need not fit the type, so the counter is a mathematical number then.
        type = INT if ends.inclusive else low.type
        name = self.frame.fresh() if local is None or ends.inclusive else local.unique
        counter = Var(name, type=type, place=node.pattern.place)
        self.set(name, retyped(low, type), node.place)
        if node.ghost_local is not None:
            # The iterator has the fields `start`, `cur` and `end`.
            fields = (retyped(low, type), counter, retyped(high, type))
            iterator = Construct("tuple", fields, type=Type("tuple", (type,) * 3), place=node.place)
            self.frame.replaced[node.ghost_local] = iterator
        outer = frozenset(self.declared)
        label = self._enter(node.label, counted=True)
        with self.inside() as body:
            if local is not None and ends.inclusive:
                self.set(self.frame.name(local), retyped(counter, low.type), node.pattern.place)
            self.block(node.body)
        self._labels = self._labels[:-1]
        self._counted(
            node,
            label,
            body,
            (counter, low, high, local),
            outer,
            (_in_ghost_code(self.frame, ends.start), _in_ghost_code(self.frame, ends.end)),
        )
        return unit(node.place)

    def _counted(
        self,
        node: tree.For,
        label: str,
        body: list[Statement],
        range_: tuple[Var, Expression, Expression, Local | None],
        outer: frozenset[str],
        ends: tuple[Expression | None, Expression | None],
    ) -> None:
        counter, low, high, local = range_
        place = node.place
        assert isinstance(node.iterable, tree.RangeExpr)
        inclusive = node.iterable.inclusive
        next_ = op("+", counter, integer(1, place=place), type=counter.type, place=place)
        limit = op("+", high, integer(1, place=place), type=INT, place=place) if inclusive else high
        step: list[Statement] = [Set(counter.name, next_, place=place)]
        within = disjunction((op("<=", counter, limit, place=place), equal(counter, low, place)), place)
        changed = assigned(body)
        if counter.name in changed:
            raise Unsupported("assignment to the variable of a for loop", place)
        # What the ends were read from is still the same, unless the loop changes it.
        unchanged = [
            (kept, end)
            for kept, end in zip((low, high), ends, strict=True)
            if end is not None and not names_in(end) & changed
        ]
        silent = [
            conjunction((op("<=", low, counter, place=place), within), place),
            *(equal(kept, end, place) for kept, end in unchanged),
        ]
        measure = op("-", limit, counter, type=INT, place=place)
        condition = op("<=" if inclusive else "<", counter, high, place=place)
        if local is not None and inclusive:
            self.frame.replaced[local] = retyped(counter, core_type(local.type))
        self._loop(node, label, ([], condition, body, step), True, outer, silent, measure)
        if node.ghost_local is not None:
            self.frame.replaced.pop(node.ghost_local, None)
        if local is not None:
            self.frame.replaced.pop(local, None)

    # ------------------------------------------------------------ jumps

    def _on_Break(self, node: tree.Break) -> Expression:
        if node.value is not None:
            raise Unsupported("break with a value", node.place)
        self.emit(BreakStep(self._jump("break", node.label, node.place), place=node.place))
        return unit(node.place)

    def _on_Continue(self, node: tree.Continue) -> Expression:
        self.emit(ContinueStep(self._jump("continue", node.label, node.place), place=node.place))
        return unit(node.place)

    def _jump(self, what: str, written: str | None, place: Place) -> str:
        for label, name, counted in reversed(self._labels):
            if written is None or written == label:
                if counted:
                    # The loop that Verus makes of a `for` has its iterator's state as an invariant, also here.
                    raise Unsupported(f"{what} of a for loop", place)
                return name
        raise Unsupported(f"{what} outside of a loop", place)


# What an end of a range may be made of for ghost code to read it too.
_READABLE = (
    tree.PathExpr, tree.IntLit, tree.Field, tree.MethodCall, tree.Call, tree.Binary, tree.Unary, tree.Cast, tree.Borrow,
)  # fmt: skip


def _in_ghost_code(frame: Frame, node: Expr) -> Expression | None:
    """Return the value of a loop's end as ghost code reads it, None where that is not the same or has no meaning.

    A call of compiled code stands for its spec twin, as in `0..v.len()`.
    """
    for part in walk(node):
        if not isinstance(part, _READABLE):
            return None
        if isinstance(part, tree.Binary) and part.op in ("/", "%") and found(part.type).name in SIGNED:
            return None
    try:
        return _LoopEnd(frame).term(node)
    except Unsupported:
        return None


class _LoopEnd(Pure):
    """Reads an end of a range as ghost code, where a sum of machine integers is clipped to their type."""

    def _on_Binary(self, node: tree.Binary) -> Expression:
        value = super()._on_Binary(node)
        if not is_machine(value.type) or node.op not in ("+", "-", "*"):
            return value
        return op("clip", retyped(value, INT), type=value.type, place=node.place)


def _counter(pattern: tree.Pattern) -> Local | None:
    match pattern:
        case tree.WildPattern():
            return None
        case tree.BindPattern(inner=None, mutable=False, by_reference=False, local=Local() as local):
            return local
    raise Unsupported("pattern of a for loop", pattern.place)
