"""Self-play: loops, curricula, detectors and the coordinator that runs them."""

from rlvr_gym.selfplay.coordinator import RunReport, SelfPlay, Watch
from rlvr_gym.selfplay.curricula import CURRICULA, Curriculum
from rlvr_gym.selfplay.detectors import DETECTORS, Alarm, detector
from rlvr_gym.selfplay.difficulty import DIFFICULTIES, difficulty
from rlvr_gym.selfplay.loops import LOOPS, Loop, Plan
from rlvr_gym.selfplay.recipe import Recipe, load_recipe
from rlvr_gym.selfplay.train import DEMO, train

__all__ = [
    "CURRICULA",
    "DEMO",
    "DETECTORS",
    "DIFFICULTIES",
    "LOOPS",
    "Alarm",
    "Curriculum",
    "Loop",
    "Plan",
    "Recipe",
    "RunReport",
    "SelfPlay",
    "Watch",
    "detector",
    "difficulty",
    "load_recipe",
    "train",
]
