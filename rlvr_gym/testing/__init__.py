"""Contracts as functions, for this library's own tests and for authors of environments and verifiers."""

from rlvr_gym.testing.contracts import require
from rlvr_gym.testing.environments import ENVIRONMENT_CONTRACTS, check_environment
from rlvr_gym.testing.files import load_file
from rlvr_gym.testing.hostile import HOSTILE
from rlvr_gym.testing.verifiers import VERIFIER_CONTRACTS, Example, check_verifier

__all__ = [
    "ENVIRONMENT_CONTRACTS",
    "HOSTILE",
    "VERIFIER_CONTRACTS",
    "Example",
    "check_environment",
    "check_verifier",
    "load_file",
    "require",
]
