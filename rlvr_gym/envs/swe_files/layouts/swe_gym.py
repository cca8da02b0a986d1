"""Rows of SWE-Gym: those of SWE-bench for other repositories, with images of other names."""

from __future__ import annotations

import re
import shlex

from rlvr_gym.envs.swe_files.commands import CONDA_PYTHON, files_of, marked, test_files, with_paths
from rlvr_gym.envs.swe_files.layout import SWE_LAYOUTS, SweLayout, Values, has, instance, tests, text
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.suites.script import ScriptSuite

_COMMAND = "pytest -rA"
_REPOSITORIES = frozenset(
    {
        "bokeh/bokeh",
        "conan-io/conan",
        "dask/dask",
        "facebookresearch/hydra",
        "getmoto/moto",
        "iterative/dvc",
        "modin-project/modin",
        "pandas-dev/pandas",
        "Project-MONAI/MONAI",
        "pydantic/pydantic",
        "python/mypy",
    }
)
_CASE = re.compile(r"^[+ ]\[case ([^\]\s]+)\]", re.MULTILINE)


def image_of(id: str) -> str:
    """Return the name of the image that the data set's makers publish for an instance."""
    return f"xingyaoww/sweb.eval.x86_64.{id.replace('__', '_s_')}:latest".lower()


def read(row: Values) -> Instance:
    """Read ``instance_id``, ``repo``, ``problem_statement``, both patches, ``FAIL_TO_PASS`` and ``PASS_TO_PASS``."""
    patch = text(row, "test_patch")
    cases = _CASE.findall(patch) if text(row, "repo") == "python/mypy" else []
    if cases:
        # Its tests lie in files of data, and are picked by their names.
        command = f"{_COMMAND} -k {shlex.quote(' or '.join(dict.fromkeys(cases)))}"
    else:
        command = with_paths(_COMMAND, test_files(patch) or files_of(tests(row, "FAIL_TO_PASS")))
    suite = ScriptSuite(
        image=image_of(text(row, "instance_id")),
        script=marked([command], workdir="/testbed", conda=True),
        log_parser="parse_log_pytest",
        python=CONDA_PYTHON,
    )
    return instance(row, suite, layout="swe_gym")


def _fits(row: Values) -> bool:
    return row.get("repo") in _REPOSITORIES and has(row, "instance_id", "test_patch", "FAIL_TO_PASS")


SWE_LAYOUTS.add("swe_gym", SweLayout(_fits, read, rank=50), summary="Rows of SWE-Gym.")
