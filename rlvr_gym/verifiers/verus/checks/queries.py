"""Proof statements with a form of their own: `calc!`, and asserts that a prover of their own decides."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.checks.walk import all_nodes, locals_of, walk
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.syntax.tree import Assert, Calc, Let, Local, Node, PathExpr, Quantifier

# For the relation of the whole chain the relations that its steps may have.
_STEPS = {
    "<": frozenset(("<", "==")),
    "<=": frozenset(("<=", "<", "==")),
    ">": frozenset((">", "==")),
    ">=": frozenset((">=", ">", "==")),
    "==>": frozenset(("==>", "==", "<==>")),
    "<==": frozenset(("<==", "==", "<==>")),
    "<==>": frozenset(("<==>", "==")),
}


def check_queries(crate: Crate) -> None:
    """Check `calc!` and ``assert .. by (prover)``.

    Raises:
        Rejected: a step that does not lead to the chain's relation, a proof about variables that its query lacks.
    """
    for node in all_nodes(crate):
        if isinstance(node, Calc):
            _check_calc(node)
        elif isinstance(node, Assert) and node.prover is not None:
            _check_query(node)


def _check_calc(node: Calc) -> None:
    allowed = _STEPS.get(node.op, frozenset((node.op, "==")))
    for step in node.steps:
        if step.op not in allowed:
            raise Rejected(f"a step by `{step.op}` in a calc! that shows `{node.op}`", step.place)


def _check_query(node: Assert) -> None:
    if node.prover != "nonlinear_arith" and node.requires and node.prover != "bit_vector":
        raise Rejected(f"`by ({node.prover})` takes no requires", node.place)
    if node.body is None:
        return
    if node.prover in ("compute", "compute_only"):
        raise Rejected(f"`by ({node.prover})` takes no proof", node.body.place)
    if node.prover != "nonlinear_arith" and (node.body.statements or node.body.tail is not None):
        raise Unsupported(f"a proof for `by ({node.prover})`", node.body.place)
    known = _variables(node.condition).union(*(_variables(clause) for clause in node.requires))
    own = {found for part in walk(node.body) if isinstance(part, Let) for found in _bound(part)}
    own |= {found for part in walk(node.body) if isinstance(part, Quantifier) for found in _bound(part)}
    for local in sorted(_variables(node.body) - known - own, key=lambda found: found.name):
        raise Rejected(f"the proof uses `{local.name}`, which its assert does not mention", node.body.place)


def _bound(node: Let | Quantifier) -> frozenset[Local]:
    if isinstance(node, Let):
        return frozenset(locals_of(node.pattern))
    return frozenset(local for parameter in node.parameters for local in locals_of(parameter))


def _variables(node: Node) -> frozenset[Local]:
    return frozenset(
        found.target
        for found in walk(node)
        if isinstance(found, PathExpr) and isinstance(found.target, Local)
    )
