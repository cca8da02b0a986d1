"""That a recursive spec function is well founded: its measure falls at each call, under the conditions on the way."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.core import Apply, Expression, Lambda, LetIn, Op, Quantified, SpecFunction
from rlvr_gym.verifiers.verus.errors import Rejected
from rlvr_gym.verifiers.verus.logic.execution import Body, Environment
from rlvr_gym.verifiers.verus.logic.shapes import children
from rlvr_gym.verifiers.verus.logic.termination import falls
from rlvr_gym.verifiers.verus.logic.tree import Block, Fork


def calls_within(body: Body, function: SpecFunction, block: Block, environment: Environment) -> None:
    """Add a goal for each recursive call in a function's body."""
    assert function.body is not None
    _Calls(body, function).visit(function.body, block, environment)


class _Calls:
    def __init__(self, body: Body, function: SpecFunction) -> None:
        self._body = body
        self._function = function

    def visit(self, term: Expression, block: Block, environment: Environment) -> None:
        """Visit a term where the facts of ``block`` hold."""
        body = self._body
        match term:
            case Op(op="ite", operands=(condition, then, otherwise)):
                self.visit(condition, block, environment)
                known = body.scope(environment).translate(condition)
                for fact, arm in ((known, then), (body.z3.not_(known), otherwise)):
                    side: Block = []
                    body.fact(side, fact)
                    self.visit(arm, side, dict(environment))
                    block.append(Fork(side))
            case Op(op="and" | "or" | "=>", operands=operands):
                inner = block
                for operand in operands:
                    self.visit(operand, inner, environment)
                    known = body.scope(environment).translate(operand)
                    side = []
                    body.fact(side, body.z3.not_(known) if term.op == "or" else known)
                    inner.append(Fork(side))
                    inner = side
            case LetIn():
                self.visit(term.value, block, environment)
                value = body.scope(environment).translate(term.value)
                inside = {**environment, term.name: body.bind(term.name, term.value.type, value, block)}
                self.visit(term.body, block, inside)
            case Quantified() | Lambda():
                side = []
                inside = dict(environment)
                for name, type in term.binders:
                    inside[name] = body.unknown(name, type, side)
                self.visit(term.body, side, inside)
                block.append(Fork(side))
            case _:
                for child in children(term):
                    self.visit(child, block, environment)
                if isinstance(term, Apply):
                    self._call(term, block, environment)

    def _call(self, term: Apply, block: Block, environment: Environment) -> None:
        body, caller = self._body, self._function
        callee = body.theory.world.program.specs.get(term.function)
        if callee is None or not callee.recursive or callee.group != caller.group:
            return
        if not callee.decreases:
            raise Rejected("recursive function must have a decreases clause", callee.place)
        scope = body.scope(environment)
        values = {
            param.name: scope.translate(argument)
            for param, argument in zip(callee.params, term.arguments, strict=True)
        }
        own = (scope.type_of(each) for each in term.type_arguments)
        inside = body.theory.scope(values, dict(zip(callee.type_parameters, own, strict=True)))
        new = [(inside.type_of(each.type), inside.translate(each)) for each in callee.decreases]
        goal = falls(body.theory, new, body.measure)
        if callee.when is not None:
            # A call outside of the domain would leave the value open.
            goal = body.z3.and_(inside.translate(callee.when), goal)
        body.goal(block, goal, "could not prove termination", term.place, environment)
