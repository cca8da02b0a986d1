"""Training: advantages, losses and the learner. Needs the extra ``train``."""

from rlvr_gym.learner.admissions import ADMISSIONS, admission
from rlvr_gym.learner.advantages import ADVANTAGES, AdvantageRule, group_advantage
from rlvr_gym.learner.algorithms import ALGORITHMS, AlgorithmConfig, algorithm
from rlvr_gym.learner.baselines import BASELINES, Baseline
from rlvr_gym.learner.batch import Batch, Counts, Sample
from rlvr_gym.learner.clipping import NonFiniteGradientError
from rlvr_gym.learner.config import LearnerConfig, RoleConfig
from rlvr_gym.learner.credits import CREDITS, credit
from rlvr_gym.learner.optimizers import OPTIMIZERS, Optimizer, OptimizerConfig
from rlvr_gym.learner.report import SFTReport, UpdateReport
from rlvr_gym.learner.sft import SFTConfig, SFTExample
from rlvr_gym.learner.shapings import SHAPINGS, shaping
from rlvr_gym.learner.trainer import Learner

__all__ = [
    # the learner
    "Learner",
    "LearnerConfig",
    "NonFiniteGradientError",
    "RoleConfig",
    "SFTConfig",
    "SFTExample",
    "SFTReport",
    "UpdateReport",
    # what a new method registers
    "ADMISSIONS",
    "ADVANTAGES",
    "ALGORITHMS",
    "BASELINES",
    "CREDITS",
    "OPTIMIZERS",
    "SHAPINGS",
    "admission",
    "algorithm",
    "credit",
    "group_advantage",
    "shaping",
    # what its parts are
    "AdvantageRule",
    "AlgorithmConfig",
    "Baseline",
    "Batch",
    "Counts",
    "Optimizer",
    "OptimizerConfig",
    "Sample",
]
