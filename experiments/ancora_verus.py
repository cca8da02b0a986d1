"""ANCORA with and without its stabilisers where the verifier proves programs: the world of small Verus contracts.

As `experiments.ancora`, in the environment ``small_verus``: a proposal is a contract that the embedded Verus verifier
finds to be a task, an attempt a body that it proves or not. The solver also practises on roots and admitted contracts.
"""

from __future__ import annotations

from typing import Any

from experiments.ancora import FULL, NONE, Ancora
from experiments.design import SizeName
from rlvr_gym.verifiers.small_verus import normal_form

_SETTINGS: dict[SizeName, dict[str, int]] = {
    "xs": {"steps": 2, "imitation": 4, "parents": 2, "siblings": 2, "roots": 4, "tasks": 6, "every": 1},
    "s": {"steps": 60, "imitation": 400, "parents": 4, "siblings": 5, "roots": 40, "tasks": 150, "every": 20},
    "m": {"steps": 60, "imitation": 400, "parents": 6, "siblings": 6, "roots": 68, "tasks": 300, "every": 20},
}


class AncoraVerus(Ancora):
    """The loop on proofs."""

    name = "ancora_verus"
    title = "ANCORA with and without its stabilisers (small Verus contracts)"
    expected = (
        "As in the world of numbers: the graph of proved contracts and the held-out pass rate grow in the full loop, and "
        "without stabilisers few proposals are tasks. What each part adds is reported as measured."
    )
    arms = (FULL, NONE, "Freeze-Q", "Freeze-S", "no admission", "no projection", "uniform")
    world = "small_verus-v0"
    alphabet = "0123456789xr<>=%+-/?:;ps"
    context = 80
    answer_tokens = 16
    spec_tokens = 32
    sizes = _SETTINGS
    more = {"practice": 4, "practice_attempts": 4}
    form = staticmethod(normal_form)

    def settings(self, size: SizeName) -> dict[str, Any]:
        """Return steps and counts of a size."""
        return {**super().settings(size), "corrupted": {"proposer": 0.2, "solver": 0.1}}
