"""Environments: tasks in, verdicts out, under Gymnasium's rules."""

import importlib
import pkgutil

from rlvr_gym.envs.base import MultiTurnEnv, Reply, SingleTurnEnv, TaskEnv
from rlvr_gym.envs.catalog import ENVS, find, make, make_env, register
from rlvr_gym.envs.splits import Split, in_split

# Gymnasium knows an environment only once it is registered, so all of them are imported here. They are light:
# verifiers and their libraries are imported when an environment is made.
for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")

__all__ = [
    "ENVS",
    "MultiTurnEnv",
    "Reply",
    "SingleTurnEnv",
    "Split",
    "TaskEnv",
    "find",
    "in_split",
    "make",
    "make_env",
    "register",
]
