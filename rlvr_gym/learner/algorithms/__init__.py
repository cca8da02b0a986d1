"""Named algorithms, one file each, built from the shared ratios, surrogates, reductions and regularisers."""

from rlvr_gym.learner.algorithms.base import ALGORITHMS, Algorithm, AlgorithmConfig, Table, algorithm

__all__ = ["ALGORITHMS", "Algorithm", "AlgorithmConfig", "Table", "algorithm"]
