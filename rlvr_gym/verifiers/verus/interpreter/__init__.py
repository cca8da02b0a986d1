"""Running programs: an account of what they do that shares nothing with the verifier's logic behind type inference."""

from rlvr_gym.verifiers.verus.interpreter.runs import Interpreter, Tally, Violation, violations
from rlvr_gym.verifiers.verus.interpreter.values import (
    Contradiction,
    Data,
    OutOfSteps,
    Panic,
    Reference,
    Unknown,
    Value,
)

__all__ = [
    "Contradiction",
    "Data",
    "Interpreter",
    "OutOfSteps",
    "Panic",
    "Reference",
    "Tally",
    "Unknown",
    "Value",
    "Violation",
    "violations",
]
