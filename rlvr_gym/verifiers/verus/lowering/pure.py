"""Ghost expressions as core terms: mathematical, without effects and without obligations."""

from __future__ import annotations

from collections.abc import Sequence

from rlvr_gym.verifiers.verus.core import Expression, Lambda, LetIn, Quantified, Var
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.types import Type
from rlvr_gym.verifiers.verus.lowering.effects import changes_values
from rlvr_gym.verifiers.verus.lowering.ghost_terms import GhostTerms
from rlvr_gym.verifiers.verus.lowering.patterns import Binding, let_in, match_pattern
from rlvr_gym.verifiers.verus.lowering.terms import choice, conjunction, op, unit
from rlvr_gym.verifiers.verus.lowering.types import core_type
from rlvr_gym.verifiers.verus.lowering.values import found
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.tree import Expr, Local, Node, Parameter


class Pure(GhostTerms):
    """Lowers ghost expressions in one frame."""

    # ------------------------------------------------------------ control

    def _on_BlockExpr(self, node: tree.BlockExpr) -> Expression:
        return self._block(node, 0)

    def _block(self, node: tree.BlockExpr, position: int) -> Expression:
        if position == len(node.statements):
            return self.term(node.tail) if node.tail is not None else unit(node.place)
        statement = node.statements[position]
        match statement:
            case tree.Let(value=Node() as value) if statement.otherwise is None:
                _, bindings = match_pattern(statement.pattern, self.term(value))
                return let_in(bindings, self._block(node, position + 1))
            case tree.ExprStatement(value=skipped) if not changes_values(skipped):
                # Asserts and proof blocks in a spec function help its termination and say nothing about its value.
                return self._block(node, position + 1)
            case tree.ItemStatement():
                return self._block(node, position + 1)
        raise Unsupported("this statement in a specification", statement.place)

    def _on_IfExpr(self, node: tree.IfExpr) -> Expression:
        condition, bindings = self.condition(node.condition)
        then = let_in(bindings, self.term(node.then))
        otherwise = self.term(node.otherwise) if node.otherwise is not None else unit(node.place)
        return choice(condition, then, otherwise, found(node.type), node.place)

    def condition(self, node: Expr) -> tuple[Expression, list[Binding]]:
        """Return a condition and the variables of its ``let`` patterns."""
        if isinstance(node, tree.LetCondition):
            return match_pattern(node.pattern, self.term(node.value))
        if isinstance(node, tree.Binary) and node.op == "&&" and _has_let(node):
            left, first = self.condition(node.left)
            right, second = self.condition(node.right)
            return op("and", left, let_in(first, right), place=node.place), first + second
        return self.term(node), []

    def _on_MatchExpr(self, node: tree.MatchExpr) -> Expression:
        scrutinee = self.term(node.scrutinee)
        if isinstance(scrutinee, Var):
            return self._arms(node, scrutinee)
        name = self.frame.fresh()
        value = Var(name, type=scrutinee.type, place=node.scrutinee.place)
        body = self._arms(node, value)
        return LetIn(name, scrutinee, body, type=body.type, place=node.place)

    def _arms(self, node: tree.MatchExpr, value: Expression) -> Expression:
        if not node.arms:
            raise Unsupported("match without arms", node.place)
        made: Expression | None = None
        for arm in reversed(node.arms):
            condition, bindings = match_pattern(arm.pattern, value)
            if arm.guard is not None:
                condition = conjunction((condition, let_in(bindings, self.term(arm.guard))), arm.place)
            body = let_in(bindings, self.term(arm.body))
            # Arms are exhaustive (`checks` saw to it), so the last one needs no test.
            made = body if made is None else choice(condition, body, made, found(node.type), node.place)
        assert made is not None
        return made

    # ------------------------------------------------------------ binders

    def _on_Quantifier(self, node: tree.Quantifier) -> Expression:
        binders = self.binders(node.parameters)
        (body,), triggers = self.under_quantifier((node.body,), node.groups)
        return Quantified(node.kind, binders, triggers, body, type=found(node.type), place=node.place)

    def under_quantifier(
        self, bodies: Sequence[Expr], groups: tuple[tuple[Expr, ...], ...] | None
    ) -> tuple[list[Expression], tuple[tuple[Expression, ...], ...]]:
        """Return what stands under a quantifier and its trigger groups."""
        made = [self.term(body) for body in bodies]
        return made, tuple(self.terms(group) for group in groups or ())

    def binders(self, parameters: Sequence[Parameter]) -> tuple[tuple[str, Type], ...]:
        """Return bound variables with their types."""
        for each in parameters:
            if each.pattern is not None:
                raise Unsupported("pattern as a quantified variable", each.place)
        return tuple((_bound(each).unique, core_type(_bound(each).type)) for each in parameters)

    def _on_Closure(self, node: tree.Closure) -> Expression:
        binders = []
        bindings: list[Binding] = []
        for parameter in node.parameters:
            local = _bound(parameter)
            name, type = local.unique, core_type(local.type)
            binders.append((name, type))
            if parameter.pattern is not None:
                bindings += match_pattern(parameter.pattern, Var(name, type=type, place=parameter.place))[1]
        body = let_in(bindings, self.term(node.body))
        return Lambda(tuple(binders), body, type=found(node.type), place=node.place)


def _bound(parameter: Parameter) -> Local:
    assert parameter.local is not None, "inference left a bound variable without a local"
    return parameter.local


def _has_let(node: Expr) -> bool:
    if isinstance(node, tree.Binary) and node.op == "&&":
        return _has_let(node.left) or _has_let(node.right)
    return isinstance(node, tree.LetCondition)
