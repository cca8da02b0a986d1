"""Collapse detectors, one file each."""

from rlvr_gym.selfplay.detectors.base import DETECTORS, Alarm, Detect, detector

__all__ = ["DETECTORS", "Alarm", "Detect", "detector"]
