"""Tasks from files: rows in, tasks with references out, and a line number for every row that is none."""

from rlvr_gym.envs.task_files.columns import LAYOUTS, AnswerFrom, Columns, LayoutName
from rlvr_gym.envs.task_files.loading import Loaded, OnBad, load_tasks
from rlvr_gym.envs.task_files.rows import HubSet, Source
from rlvr_gym.envs.task_files.texts import canonical, with_instruction

__all__ = [
    "LAYOUTS",
    "AnswerFrom",
    "Columns",
    "HubSet",
    "LayoutName",
    "Loaded",
    "OnBad",
    "Source",
    "canonical",
    "load_tasks",
    "with_instruction",
]
