"""Verus proofs: an embedded verifier for a subset of Verus on Z3, and the real Verus behind the same report."""

from rlvr_gym.verifiers.base import VERIFIERS, Rules
from rlvr_gym.verifiers.verus.judging import VerusConfig, VerusJudge
from rlvr_gym.verifiers.verus.report import Dialect, Finding, Outcome, Place, Report

VERIFIERS.add(
    "verus",
    Rules.composed(VerusJudge, version=1),
    config=VerusConfig,
    paper="arXiv:2303.05491",
    summary="Pass when Verus proves the program against the given specification, which it may not change.",
)

__all__ = ["Dialect", "Finding", "Outcome", "Place", "Report", "VerusConfig", "VerusJudge"]
