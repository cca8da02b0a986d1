"""From the core language to proofs: everything that speaks with the solver."""

import importlib.util

from rlvr_gym.errors import MissingExtraError

if importlib.util.find_spec("z3") is None:
    raise MissingExtraError("The embedded Verus verifier", "verus")
