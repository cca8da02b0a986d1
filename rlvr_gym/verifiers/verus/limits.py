"""How much one verification may take."""

from __future__ import annotations

from pydantic import PositiveFloat, PositiveInt

from rlvr_gym.config import Config


class Limits(Config):
    """Bounds of one call of ``verify``."""

    rlimit: PositiveFloat = 10.0
    """Resource limit of one question to the solver, in Verus' unit: 3 million of the solver's own. Repeatable."""
    query_s: PositiveFloat = 8.0
    """Wall clock of one question, in seconds: stops what the units do not count."""
    wall_s: PositiveFloat = 20.0
    """Wall clock of the whole call, looked at between questions and within them."""
    source_bytes: PositiveInt = 200_000
    """Longest source text."""
    memory_mib: PositiveInt = 256
    """Memory of the solver."""
