"""Reward shaping: rewards of a group in, shaped rewards out, before the advantage rule."""

from rlvr_gym.learner.shapings.base import SHAPINGS, Shaping, make_shaping, shaping

__all__ = ["SHAPINGS", "Shaping", "make_shaping", "shaping"]
