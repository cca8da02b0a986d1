"""Rows of swebench 5, which bring image, script and parser: SWE-bench, Verified, Multilingual, Multimodal and others."""

from __future__ import annotations

from rlvr_gym.envs.swe_files.commands import CONDA_PYTHON
from rlvr_gym.envs.swe_files.layout import SWE_LAYOUTS, SweLayout, Values, has, instance, text
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.suites.script import ScriptSuite


def read(row: Values) -> Instance:
    """Read the columns of SWE-bench with ``image``, ``eval_script``, ``log_parser`` and ``eval_type``."""
    eval_type = text(row, "eval_type", "pass_and_fail")
    if eval_type not in ("pass_and_fail", "fail_only"):
        raise ValueError(f"'eval_type' must be pass_and_fail or fail_only, got {eval_type!r:.40}")
    script = text(row, "eval_script")
    suite = ScriptSuite(
        image=text(row, "image"),
        script=script,
        log_parser=text(row, "log_parser"),
        eval_type=eval_type,
        python=CONDA_PYTHON if "conda activate testbed" in script else "",
    )
    return instance(row, suite, layout="swe_bench")


SWE_LAYOUTS.add(
    "swe_bench5",
    SweLayout(lambda row: has(row, "image", "eval_script", "log_parser"), read, rank=10),
    summary="Rows of swebench 5, which bring image, script and parser.",
)
