"""Proof statements."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.core import (
    AssertBy,
    AssertForallBy,
    Branch,
    BroadcastStep,
    Check,
    Clause,
    Expression,
    Isolated,
    Quantified,
    RevealStep,
    Scope,
    Statement,
    Var,
)
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.types import BOOL, INT, Type
from rlvr_gym.verifiers.verus.lowering.broadcasts import broadcast_functions
from rlvr_gym.verifiers.verus.lowering.closed import refuse_evaluation, refuse_foreign_reveal
from rlvr_gym.verifiers.verus.lowering.loops import Loops
from rlvr_gym.verifiers.verus.lowering.names import apply_method
from rlvr_gym.verifiers.verus.lowering.promotion import promoted
from rlvr_gym.verifiers.verus.lowering.steps import ASSERTION
from rlvr_gym.verifiers.verus.lowering.terms import conjunction, equal, integer, negation, op, truth, unit
from rlvr_gym.verifiers.verus.lowering.types import core_type
from rlvr_gym.verifiers.verus.lowering.values import operation
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.tree import Expr

# Which steps a chain may have besides its own relation.
_CALC_LINKS = {
    "<": ("<", "<=", "=="),
    "<=": ("<=", "<", "=="),
    ">": (">", ">=", "=="),
    ">=": (">=", ">", "=="),
    "==>": ("==>", "<==>", "=="),
    "<==>": ("<==>", "=="),
    "=~=": ("=~=", "=="),
}


class Proofs(Loops):
    """Lowers what proves and says nothing about values."""

    def _ghost_steps(self, node: tree.BlockExpr | None) -> list[Statement]:
        with self.inside() as body, self.ghosted():
            if node is not None:
                self.block(node)
        return body

    def _on_Proof(self, node: tree.Proof) -> Expression:
        self.emit(Scope(tuple(self._ghost_steps(node.body)), place=node.place))
        return unit(node.place)

    def _on_Assert(self, node: tree.Assert) -> Expression:
        formula = self.pure.term(node.condition)
        place = node.condition.place
        if node.prover is not None:
            self._by_prover(node, formula)
        elif node.body is not None:
            body = self._ghost_steps(node.body)
            self.emit(AssertBy(self.promoted_by(formula), tuple(body), place=place))
        else:
            self.check(promoted(formula, self.frame.crate), ASSERTION, place)
        return unit(node.place)

    def promoted_by(self, formula: Expression) -> Expression:
        """Return what ``assert by`` proves: in the classic dialect ``==`` is taken as written there."""
        return promoted(formula, self.frame.crate) if self.frame.crate.dialect == "current" else formula

    def _by_prover(self, node: tree.Assert, formula: Expression) -> None:
        if node.prover is None or node.prover == "integer_ring":
            raise Unsupported("proof by integer_ring", node.place)
        if node.prover in ("compute", "compute_only"):
            refuse_evaluation(self.frame.crate, self.frame.function, node.place)
        requires = tuple(Clause(self.pure.term(clause), clause.place) for clause in node.requires)
        body = self._ghost_steps(node.body)
        self.emit(Isolated(node.prover, requires, formula, tuple(body), place=node.condition.place))

    def _on_AssertForall(self, node: tree.AssertForall) -> Expression:
        binders = self.pure.binders(node.parameters)
        (premise, conclusion), triggers = self.pure.under_quantifier(
            (node.premise, node.conclusion)
            if node.premise is not None
            else (node.conclusion, node.conclusion),
            node.groups,
        )
        given = premise if node.premise is not None else None
        matrix = conclusion if given is None else op("=>", given, conclusion, place=node.place)
        fact = Quantified("forall", binders, triggers, matrix, type=BOOL, place=node.place)
        body = self._ghost_steps(node.body)
        goal = self.promoted_by(conclusion)
        self.emit(AssertForallBy(binders, given, goal, tuple(body), fact, place=node.conclusion.place))
        return unit(node.place)

    def _on_Reveal(self, node: tree.Reveal) -> Expression:
        if node.target is None:
            raise Unsupported("reveal of something that is no function", node.place)
        refuse_foreign_reveal(node.target.function, self.frame.function, node.place)
        fuel = 1 if node.fuel is None else node.fuel
        self.emit(RevealStep(node.target.function.id, fuel, place=node.place))
        return unit(node.place)

    def _on_BroadcastUse(self, node: tree.BroadcastUse) -> Expression:
        module = self.frame.function.module if self.frame.function is not None else ""
        functions = broadcast_functions(self.frame.crate, module, node.paths, node.place)
        self.emit(BroadcastStep(functions, place=node.place))
        return unit(node.place)

    # ------------------------------------------------------------ macros

    def _on_Calc(self, node: tree.Calc) -> Expression:
        """Each step is proved in a scope of its own; outside, only the ends' relation is known."""
        allowed = _CALC_LINKS.get(node.op, (node.op,))
        for step in node.steps:
            if step.op not in allowed:
                raise Rejected(f"inconsistent relation `{step.op}` in a chain of `{node.op}`", step.place)
        terms = [self.pure.term(node.first), *(self.pure.term(step.term) for step in node.steps)]
        with self.inside() as steps:
            for step, left, right in zip(node.steps, terms, terms[1:], strict=False):
                link = self._related(step.op, left, right, step.place)
                self.emit(AssertBy(link, tuple(self._ghost_steps(step.body)), place=step.place))
        whole = self._related(node.op, terms[0], terms[-1], node.place)
        self.emit(AssertBy(whole, tuple(steps), place=node.place))
        return unit(node.place)

    def _related(self, operator: str, left: Expression, right: Expression, place: Place) -> Expression:
        return self.promoted_by(operation(operator, left, right, BOOL, place))

    def _on_MacroCall(self, node: tree.MacroCall) -> Expression:
        if not self.ghost or not node.arguments:
            raise Unsupported(f"macro `{node.name}!`", node.place)
        if node.name == "assert_by_contradiction" and len(node.arguments) == 2:
            self._by_contradiction(*node.arguments, node.place)
        elif node.name == "assert_seqs_equal":
            self._sequences_equal(node)
        else:
            raise Unsupported(f"macro `{node.name}!`", node.place)
        return unit(node.place)

    def _by_contradiction(self, claim: Expr, proof: Expr, place: Place) -> None:
        if not isinstance(proof, tree.BlockExpr):
            raise Unsupported("assert_by_contradiction! without a block", place)
        formula = self.pure.term(claim)
        body = [*self._ghost_steps(proof), Check(truth(False, place), ASSERTION, place=place)]
        branch = Branch(negation(formula), tuple(body), (), place=place)
        self.emit(AssertBy(self.promoted_by(formula), (branch,), place=claim.place))

    def _sequences_equal(self, node: tree.MacroCall) -> None:
        """``assert_seqs_equal!(a, b, i => { .. })``: equal lengths, then element by element."""
        sides, proof = _sides(node)
        left, right = self.pure.terms(sides)
        if left.type.name != "Seq":
            raise Unsupported(f"assert_seqs_equal! of `{left.type}`", node.place)
        name, body = self.frame.fresh(), []
        if proof is not None:
            (parameter,) = proof.parameters
            if (
                parameter.local is None
                or core_type(parameter.local.type) != INT
                or not isinstance(proof.body, tree.BlockExpr)
            ):
                raise Unsupported("this proof in assert_seqs_equal!", node.place)
            name, body = parameter.local.unique, self._ghost_steps(proof.body)
        index, place = Var(name, type=INT, place=node.place), node.place
        crate, element = self.frame.crate, left.type.args[0]
        lengths = [
            apply_method(crate, side.type, "len", (side,), Type("nat"), place) for side in (left, right)
        ]
        items = [
            apply_method(crate, side.type, "index", (side, index), element, place) for side in (left, right)
        ]
        inside = conjunction(
            (op("<=", integer(0), index, place=place), op("<", index, lengths[0], place=place))
        )
        same = equal(items[0], items[1], place)
        binders = ((name, INT),)
        fact = Quantified(
            "forall",
            binders,
            ((items[0],), (items[1],)),
            op("=>", inside, same, place=place),
            type=BOOL,
            place=place,
        )
        claim = op("=~=", left, right, place=place)
        steps = (
            Check(equal(lengths[0], lengths[1], place), ASSERTION, place=place),
            AssertForallBy(binders, inside, same, tuple(body), fact, place=place),
            Check(claim, ASSERTION, place=place),
        )
        self.emit(AssertBy(claim, steps, place=place))


def _sides(node: tree.MacroCall) -> tuple[tuple[Expr, Expr], tree.Closure | None]:
    arguments = list(node.arguments)
    proof = arguments.pop() if isinstance(arguments[-1], tree.Closure) else None
    assert proof is None or isinstance(proof, tree.Closure)
    if len(arguments) == 1 and isinstance(arguments[0], tree.Binary) and arguments[0].op in ("==", "=~="):
        return (arguments[0].left, arguments[0].right), proof
    if len(arguments) == 2:
        return (arguments[0], arguments[1]), proof
    raise Unsupported("these arguments of assert_seqs_equal!", node.place)
