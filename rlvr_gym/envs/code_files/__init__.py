"""Programming tasks from files: the fields of the data sets that people have, and tasks made of them."""

from rlvr_gym.envs.code_files.layouts import CODE_LAYOUTS, CodeLayout, CodeRow, read_row
from rlvr_gym.envs.code_files.loading import CodeTasks, load_code_tasks
from rlvr_gym.envs.code_files.prompts import fenced

__all__ = ["CODE_LAYOUTS", "CodeLayout", "CodeRow", "CodeTasks", "fenced", "load_code_tasks", "read_row"]
