"""Answers to mathematics problems: extracted, normalised, typed by the reference, and compared."""

from rlvr_gym.verifiers.answers.compare import Terms, agrees, compare, contradicts
from rlvr_gym.verifiers.answers.extraction import TAIL, Found, Mode, extract, has_marks
from rlvr_gym.verifiers.answers.gold import TYPES, Gold, read_gold
from rlvr_gym.verifiers.answers.normalise import key, normalise
from rlvr_gym.verifiers.answers.refusal import Refusal

__all__ = [
    # From the response to the text of an answer.
    "extract",
    "has_marks",
    "Mode",
    "Found",
    "TAIL",
    "Refusal",
    "normalise",
    "key",
    # References.
    "read_gold",
    "Gold",
    "TYPES",
    # One against the other.
    "compare",
    "contradicts",
    "agrees",
    "Terms",
]
