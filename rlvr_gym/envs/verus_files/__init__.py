"""Verus tasks from files of the public families, and from the specifications of our own."""

from rlvr_gym.envs.verus_files.layouts import Found, VerusLayout
from rlvr_gym.envs.verus_files.loading import VerusTasks, load_verus_tasks, own_tasks, task_of
from rlvr_gym.envs.verus_files.prompts import INSTRUCTION, fenced

__all__ = [
    "INSTRUCTION",
    "Found",
    "VerusLayout",
    "VerusTasks",
    "fenced",
    "load_verus_tasks",
    "own_tasks",
    "task_of",
]
