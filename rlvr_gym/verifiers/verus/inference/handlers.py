"""Imports every module that infers a kind of expression, so that the table of handlers is full."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.inference import (
    assignments,
    calls,
    control,
    literals,
    members,
    methods,
    operators,
    paths,
    proofs,
)
from rlvr_gym.verifiers.verus.inference.body import HANDLERS

PARTS = (assignments, calls, control, literals, members, methods, operators, paths, proofs)

__all__ = ["HANDLERS", "PARTS"]
