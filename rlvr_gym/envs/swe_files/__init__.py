"""Software-engineering tasks from the data sets that people have: rows in, instances out."""

from rlvr_gym.envs.swe_files.layout import SWE_LAYOUTS, SweLayout
from rlvr_gym.envs.swe_files.loading import SweRows, load_instances, load_rows

__all__ = ["SWE_LAYOUTS", "SweLayout", "SweRows", "load_instances", "load_rows"]
