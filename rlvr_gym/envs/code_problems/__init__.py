"""Programming problems of our own: functions with a reference solution, and chains of steps drawn by program."""

from rlvr_gym.envs.code_problems.base import (
    CODE_PROBLEMS,
    LEVELS,
    Problem,
    Written,
    code_problem,
    code_problem_family,
)

__all__ = ["CODE_PROBLEMS", "LEVELS", "Problem", "Written", "code_problem", "code_problem_family"]
