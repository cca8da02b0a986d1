"""Curricula, one file each."""

from rlvr_gym.selfplay.curricula.base import CURRICULA, Curriculum

__all__ = ["CURRICULA", "Curriculum"]
