"""From the annotated surface tree to the core language: the exact meaning of every construct, obligations included."""

from rlvr_gym.verifiers.verus.lowering.program import lower
from rlvr_gym.verifiers.verus.lowering.show import show

__all__ = ["lower", "show"]
