"""Settings by attribute: on a loop, a function, its impl, or the whole file; the innermost holds."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.checks.walk import attribute
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.syntax.tree import Attribute, ExprNode, Function

NO_DECREASES = "verifier::exec_allows_no_decreases_clause"
LOOP_ISOLATION = "verifier::loop_isolation"


def find(
    crate: Crate, function: Function | None, path: str, node: ExprNode | None = None
) -> Attribute | None:
    """Return the innermost attribute ``path`` around ``node`` in ``function``, or around ``function``."""
    levels: list[tuple[Attribute, ...]] = [node.attributes] if node is not None else []
    if function is not None:
        levels.append(function.attributes)
        if function.owner is not None:
            levels.append(function.owner.attributes)
    levels.append(crate.file.attributes)
    return next((found for level in levels if (found := attribute(level, path)) is not None), None)


def allows_no_decreases(crate: Crate, function: Function, node: ExprNode | None = None) -> bool:
    """Return whether a loop or an exec function may go without ``decreases``."""
    return crate.dialect == "classic" or find(crate, function, NO_DECREASES, node) is not None


def is_isolated(crate: Crate, function: Function, node: ExprNode) -> bool:
    """Return whether a loop is verified apart from what stands around it."""
    found = find(crate, function, LOOP_ISOLATION, node)
    return found is None or found.arguments != ("false",)
