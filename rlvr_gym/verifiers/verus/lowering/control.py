"""Blocks, branches and patterns of code."""

from __future__ import annotations

from dataclasses import dataclass, field

from rlvr_gym.verifiers.verus.core import (
    Branch,
    Construct,
    Expression,
    Havoc,
    ReturnStep,
    Set,
    Statement,
    Test,
    Var,
)
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.types import BOOL, UNIT, Type
from rlvr_gym.verifiers.verus.lowering.calls import Calls
from rlvr_gym.verifiers.verus.lowering.effects import diverges
from rlvr_gym.verifiers.verus.lowering.patterns import Binding, let_in, match_pattern, projection
from rlvr_gym.verifiers.verus.lowering.terms import choice, conjunction, is_literal, op, truth, unit
from rlvr_gym.verifiers.verus.lowering.types import core_type, refuse_stored_references
from rlvr_gym.verifiers.verus.lowering.values import found
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.tree import Expr


@dataclass(slots=True)
class _Arm:
    """One arm, lowered: what runs to decide on it, when it is taken, and what runs then."""

    before: list[Statement]
    condition: Expression
    body: list[Statement] = field(default_factory=list)
    value: Expression | None = None


class Control(Calls):
    """Lowers blocks, ``if``, ``match``, ``let`` and ``return``."""

    # ------------------------------------------------------------ blocks and statements

    def block(self, node: tree.BlockExpr) -> Expression:
        """Lower a block and return its value."""
        for statement in node.statements:
            match statement:
                case tree.Let():
                    self._let(statement)
                case tree.ExprStatement():
                    self.value(statement.value)
                case tree.ItemStatement():
                    pass  # Lowered for itself: an item sees nothing of the function around it.
        return self.value(node.tail) if node.tail is not None else unit(node.place)

    def _on_BlockExpr(self, node: tree.BlockExpr) -> Expression:
        return self.block(node)

    def _let(self, node: tree.Let) -> None:
        if node.ghostness != "exec":
            with self.ghosted():
                self._initialise(node)
        else:
            self._initialise(node)

    def _initialise(self, node: tree.Let) -> None:
        pattern = node.pattern
        if node.value is None:
            if not isinstance(pattern, tree.BindPattern) or pattern.local is None:
                raise Unsupported("declaration of a pattern without a value", node.place)
            local = pattern.local
            refuse_stored_references(local.type, node.place)
            self.emit(Havoc(self.frame.name(local), core_type(local.type), place=node.place))
            return
        value = self.value(node.value)
        if isinstance(pattern, tree.BindPattern) and pattern.inner is None and node.otherwise is None:
            assert pattern.local is not None
            self.declare(pattern.local, value, node.place)
            return
        if diverges(self.out):
            return
        value = self.held(value, node.place)
        condition, bindings = match_pattern(pattern, value)
        if node.otherwise is not None:
            with self.inside() as otherwise:
                self.block(node.otherwise)
            self.emit(Branch(condition, (), tuple(otherwise), place=node.place))
        self.bind(bindings, node.place)

    def held(self, value: Expression, place: Place) -> Expression:
        """Return a variable with the value of a term, the term itself where it is one."""
        return value if isinstance(value, Var) else self.keep(value, place)

    # ------------------------------------------------------------ branches

    def _on_IfExpr(self, node: tree.IfExpr) -> Expression:
        condition, bindings = self.condition(node.condition)
        type = found(node.type)
        with self.inside() as then:
            self.bind(bindings, node.place)
            then_value = self.block(node.then)
        with self.inside() as otherwise:
            other_value = self.value(node.otherwise) if node.otherwise is not None else unit(node.place)
        if not then and not otherwise:
            # The branches only differ in value: they are one term.
            return (
                unit(node.place)
                if type == UNIT
                else choice(condition, then_value, other_value, type, node.place)
            )
        return self.join(condition, (then, then_value), (otherwise, other_value), type, node.place)

    def join(
        self,
        condition: Expression,
        then: tuple[list[Statement], Expression],
        otherwise: tuple[list[Statement], Expression],
        type: Type,
        place: Place,
    ) -> Expression:
        """Emit a branch and return its value; a side that never ends has none."""
        if type == UNIT:
            self.emit(Branch(condition, tuple(then[0]), tuple(otherwise[0]), place=place))
            return unit(place)
        name = self.frame.fresh()
        for steps, value in (then, otherwise):
            self.result_of(name, steps, value, type, place)
        self.declared.add(name)
        self.emit(Branch(condition, tuple(then[0]), tuple(otherwise[0]), place=place))
        return Var(name, type=type, place=place)

    def result_of(
        self, name: str, steps: list[Statement], value: Expression, type: Type, place: Place
    ) -> None:
        """Let a side of a branch put its value where both do."""
        if diverges(steps):
            return
        outer, self.out = self.out, steps
        self.emit(Set(name, self.coerced(value, type, place), place=value.place))
        self.out = outer

    def condition(self, node: Expr) -> tuple[Expression, list[Binding]]:
        """Lower a condition; return it with the variables of its ``let`` pattern."""
        if isinstance(node, tree.LetCondition):
            return match_pattern(node.pattern, self.held(self.value(node.value), node.place))
        if isinstance(node, tree.Binary) and node.op == "&&" and isinstance(node.left, tree.LetCondition):
            left, bindings = self.condition(node.left)
            start = len(self.out)
            right, more = self.condition(node.right)
            if len(self.out) != start:
                raise Unsupported("a condition with effects behind `let`", node.place)
            return op("and", left, let_in(bindings, right), place=node.place), bindings + more
        return self.value(node), []

    def short_circuit(self, node: tree.Binary) -> Expression:
        """Return ``a && b`` or ``a || b``: what ``b`` does happens only where its value is needed."""
        left = self.value(node.left)
        with self.inside() as steps:
            right = self.value(node.right)
        both = node.op == "&&"
        if not steps:
            return op("and" if both else "or", left, right, place=node.place)
        decided: tuple[list[Statement], Expression] = ([], truth(not both, node.place))
        evaluated = (steps, right)
        sides = (evaluated, decided) if both else (decided, evaluated)
        return self.join(left, *sides, BOOL, node.place)

    # ------------------------------------------------------------ match

    def _on_MatchExpr(self, node: tree.MatchExpr) -> Expression:
        value = self.held(self.value(node.scrutinee), node.scrutinee.place)
        type = found(node.type)
        name = self.frame.fresh()
        arms = [self._arm(arm, value) for arm in node.arms]
        if not arms or node.arms[-1].guard is not None:
            raise Unsupported("match whose last arm has a condition", node.place)
        rest: list[Statement] = []
        for position in range(len(arms) - 1, -1, -1):
            arm = arms[position]
            if type != UNIT and arm.value is not None:
                self.result_of(name, arm.body, arm.value, type, node.place)
            if position == len(arms) - 1 or is_literal(arm.condition, True):
                # Arms are exhaustive (`checks` saw to it), so the last one needs no test.
                rest = arm.before + arm.body
            else:
                rest = [*arm.before, Branch(arm.condition, tuple(arm.body), tuple(rest), place=node.place)]
        for step in rest:
            self.emit(step)
        if type == UNIT:
            return unit(node.place)
        self.declared.add(name)
        return Var(name, type=type, place=node.place)

    def _arm(self, arm: tree.Arm, value: Expression) -> _Arm:
        condition, bindings = match_pattern(arm.pattern, value)
        before: list[Statement] = []
        if arm.guard is not None:
            with self.inside() as guarded:
                guard = self.value(arm.guard)
            if not guarded:
                condition = conjunction((condition, let_in(bindings, guard)), arm.place)
            else:
                condition = self._guard(condition, bindings, guarded, guard, before)
        with self.inside() as body:
            self.bind(bindings, arm.place)
            made = self.value(arm.body)
        return _Arm(before, condition, body, made)

    def _guard(
        self,
        condition: Expression,
        bindings: list[Binding],
        guarded: list[Statement],
        guard: Expression,
        before: list[Statement],
    ) -> Expression:
        """Return whether an arm is taken, where its guard has effects: they happen where the pattern matches."""
        name = self.frame.fresh()
        self.declared.add(name)
        with self.inside() as then:
            self.bind(bindings, guard.place)
        then += [*guarded, Set(name, guard, place=guard.place)]
        otherwise = (Set(name, truth(False, guard.place), place=guard.place),)
        before.append(Branch(condition, tuple(then), otherwise, place=guard.place))
        return Var(name, type=BOOL, place=guard.place)

    # ------------------------------------------------------------ leaving

    def _on_Return(self, node: tree.Return) -> Expression:
        self.leave(self.value(node.value) if node.value is not None else unit(node.place), node.place)
        return unit(node.place)

    def leave(self, value: Expression, place: Place) -> None:
        """Return from the function."""
        function = self.frame.function
        if function is None or function.result_type is None:
            raise Unsupported("return outside of a function", place)
        if diverges(self.out):
            return
        type = core_type(function.result_type)
        self.emit(ReturnStep(None if type == UNIT else self.coerced(value, type, place), place=place))

    def _on_Try(self, node: tree.Try) -> Expression:
        """Return what is inside ``Some`` or ``Ok``; otherwise the function returns."""
        value = self.held(self.value(node.operand), node.place)
        function = self.frame.function
        result = core_type(function.result_type) if function is not None and function.result_type else UNIT
        if value.type.name != result.name or value.type.name not in ("Option", "Result") or self.ghost:
            raise Unsupported(f"`?` on `{value.type}` in a function of `{result}`", node.place)
        good, bad = ("Some", "None") if result.name == "Option" else ("Ok", "Err")
        fields: tuple[Expression, ...] = ()
        if bad == "Err":
            if value.type.args[1] != result.args[1]:
                raise Unsupported("`?` that converts an error", node.place)
            fields = (projection(value, "Err", 0, result.args[1], node.place),)
        with self.inside() as leaving:
            self.emit(ReturnStep(Construct(bad, fields, type=result, place=node.place), place=node.place))
        self.emit(
            Branch(Test(value, good, type=BOOL, place=node.place), (), tuple(leaving), place=node.place)
        )
        return projection(value, good, 0, found(node.type), node.place)
