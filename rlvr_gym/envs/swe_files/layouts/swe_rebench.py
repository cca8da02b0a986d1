"""Rows of SWE-rebench and SWE-rebench-V2, whose ``install_config`` names the command and the parser."""

from __future__ import annotations

from collections.abc import Mapping

from rlvr_gym.envs.swe_files.commands import CONDA_PYTHON, files_of, marked, test_files, with_paths
from rlvr_gym.envs.swe_files.layout import SWE_LAYOUTS, SweLayout, Values, has, instance, parsed, tests, text
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.suites.script import ScriptSuite


def read(row: Values) -> Instance:
    """Read the columns of SWE-bench with ``install_config`` and ``docker_image`` or ``image_name``.

    In the second version (with ``language``) the command stands as it is, and the repository lies at ``/<its name>``;
    in the first the files of the tests follow the command.
    """
    config = parsed(row, "install_config")
    if not isinstance(config, Mapping):
        raise ValueError(f"'install_config' must be a table, got {config!r:.40}")
    given = config.get("test_cmd")
    commands = [given] if isinstance(given, str) else list(given or ())
    if not commands or not all(isinstance(command, str) for command in commands):
        raise ValueError(f"'install_config.test_cmd' must be a command, got {given!r:.40}")
    second = has(row, "language")
    if not second:
        paths = test_files(text(row, "test_patch")) or files_of(tests(row, "FAIL_TO_PASS"))
        commands = [*commands[:-1], with_paths(commands[-1], paths)]
    workdir = f"/{text(row, 'repo').rpartition('/')[2]}" if second else "/testbed"
    suite = ScriptSuite(
        image=_image(row),
        script=marked(commands, workdir=workdir, conda=not second),
        log_parser=text(config, "log_parser", "parse_log_pytest"),
        workdir=workdir,
        python="" if second else CONDA_PYTHON,
    )
    return instance(row, suite, layout="swe_rebench")


def _image(row: Values) -> str:
    for column in ("docker_image", "image_name"):
        if has(row, column):
            return text(row, column)
    return f"swerebench/sweb.eval.x86_64.{text(row, 'instance_id').replace('__', '_1776_')}:latest".lower()


SWE_LAYOUTS.add(
    "swe_rebench",
    SweLayout(lambda row: has(row, "instance_id", "install_config", "test_patch"), read, rank=20),
    summary="Rows of SWE-rebench and SWE-rebench-V2.",
)
