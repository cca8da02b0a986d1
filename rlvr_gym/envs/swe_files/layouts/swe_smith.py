"""Rows of SWE-smith: ``patch`` makes the bug, so the agent starts with it, and its reverse is the solution."""

from __future__ import annotations

from rlvr_gym.envs.swe_files.commands import CONDA_PYTHON, files_of, marked, with_paths
from rlvr_gym.envs.swe_files.layout import SWE_LAYOUTS, SweLayout, Values, has, instance, tests, text
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.patch_reversal import reversed_patch
from rlvr_gym.repositories.suites.script import ScriptSuite

_COMMAND = "pytest --disable-warnings --color=no --tb=no --verbose -rA"


def read(row: Values) -> Instance:
    """Read ``instance_id``, ``image_name``, ``repo``, ``problem_statement``, ``patch`` and the lists of tests.

    The files of the tests that have to turn are not given to the agent; they come from the image when it is graded.
    All files that hold a test of either list are run, not only those.
    """
    bug = text(row, "patch")
    turning, kept = tests(row, "FAIL_TO_PASS"), tests(row, "PASS_TO_PASS")
    suite = ScriptSuite(
        image=text(row, "image_name"),
        script=marked([with_paths(_COMMAND, files_of((*turning, *kept)))], workdir="/testbed", conda=True),
        log_parser="parse_log_pytest",
        python=CONDA_PYTHON,
        setup_patch=bug,
        removed=tuple(files_of(turning)),
    )
    return instance(row, suite, layout="swe_smith", patch=reversed_patch(bug), test_patch="")


def _fits(row: Values) -> bool:
    return (
        has(row, "instance_id", "image_name", "patch", "FAIL_TO_PASS")
        and not has(row, "install_config")
        and not has(row, "test_patch")
    )


SWE_LAYOUTS.add(
    "swe_smith", SweLayout(_fits, read, rank=30), summary="Rows of SWE-smith, whose patch makes the bug."
)
