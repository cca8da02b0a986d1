"""Self-play loops, one file each."""

from rlvr_gym.selfplay.loops.base import LOOPS, Loop, Plan

__all__ = ["LOOPS", "Loop", "Plan"]
