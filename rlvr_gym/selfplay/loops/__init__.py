"""Self-play loops, one file each."""

from rlvr_gym.selfplay.loops.base import LOOPS, Lesson, Loop, Plan

__all__ = ["LOOPS", "Lesson", "Loop", "Plan"]
