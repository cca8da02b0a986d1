"""The parts of the verifier ``judge``: questions, replies, votes, who is asked, and how far judges agree."""

from rlvr_gym.verifiers.judging.agreement import Agreement, agreement, cohen_kappa, fleiss_kappa

__all__ = ["Agreement", "agreement", "cohen_kappa", "fleiss_kappa"]
