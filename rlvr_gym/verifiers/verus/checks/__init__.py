"""Static checks on the annotated program: what the compiler refuses before any proof is tried."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.checks.attributes import check_attributes
from rlvr_gym.verifiers.verus.checks.broadcasts import check_broadcasts
from rlvr_gym.verifiers.verus.checks.constants import check_constants
from rlvr_gym.verifiers.verus.checks.contracts import check_contracts
from rlvr_gym.verifiers.verus.checks.datatypes import check_datatypes
from rlvr_gym.verifiers.verus.checks.matches import check_matches
from rlvr_gym.verifiers.verus.checks.modes import check_modes
from rlvr_gym.verifiers.verus.checks.moves import check_moves
from rlvr_gym.verifiers.verus.checks.publicity import check_publicity
from rlvr_gym.verifiers.verus.checks.queries import check_queries
from rlvr_gym.verifiers.verus.checks.recursion import check_recursion, cycles
from rlvr_gym.verifiers.verus.checks.sizes import check_sizes
from rlvr_gym.verifiers.verus.checks.triggers import axiom_triggers, check_triggers, fill, triggers_of
from rlvr_gym.verifiers.verus.checks.via import check_via
from rlvr_gym.verifiers.verus.inference.crate import Crate

__all__ = ["axiom_triggers", "check", "cycles", "fill", "triggers_of"]

_CHECKS = (
    check_attributes,
    check_datatypes,
    check_sizes,
    check_constants,
    check_broadcasts,
    check_contracts,
    check_publicity,
    check_modes,
    check_queries,
    check_matches,
    check_moves,
    check_recursion,
    check_via,
    check_triggers,
)


def check(crate: Crate) -> None:
    """Run every check, and write down what they find: recursion groups and triggers.

    Raises:
        Rejected: the compiler refuses the program.
        Unsupported: the program is outside of the subset.
    """
    for found in _CHECKS:
        found(crate)
