"""Learned baselines: what a rollout was expected to earn, token by token."""

from rlvr_gym.learner.baselines.base import BASELINES, Baseline, ScoredBatches, make_baseline

__all__ = ["BASELINES", "Baseline", "ScoredBatches", "make_baseline"]
