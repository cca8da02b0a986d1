"""Token credit: which tokens of a rollout earn its advantage."""

from rlvr_gym.learner.credits.base import CREDITS, Credit, credit, make_credit

__all__ = ["CREDITS", "Credit", "credit", "make_credit"]
