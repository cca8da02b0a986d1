"""Mathematics problems drawn by program: one file per family, five levels each, every answer computed exactly."""

from rlvr_gym.envs.math_problems.base import LEVELS, MATH_PROBLEMS, Draw, Problem, Rng, math_problem

__all__ = ["LEVELS", "MATH_PROBLEMS", "Draw", "Problem", "Rng", "math_problem"]
