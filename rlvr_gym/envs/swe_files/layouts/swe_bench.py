"""Classic rows of SWE-bench, which name neither image nor command: both follow from the repository."""

from __future__ import annotations

from rlvr_gym.envs.swe_files.commands import CONDA_PYTHON, files_of, marked, test_files, with_paths
from rlvr_gym.envs.swe_files.layout import SWE_LAYOUTS, SweLayout, Values, has, instance, tests, text
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.suites.script import ScriptSuite

_PYTEST = "pytest -rA"
_COMMANDS = {
    "astropy/astropy": ("pytest -rA -vv -o console_output_style=classic --tb=no", "astropy"),
    "django/django": ("./tests/runtests.py --verbosity 2 --settings=test_sqlite --parallel 1", "django"),
    "marshmallow-code/marshmallow": (_PYTEST, "marshmallow"),
    "matplotlib/matplotlib": (_PYTEST, "matplotlib"),
    "mwaskom/seaborn": ("pytest --no-header -rA", "seaborn"),
    "pallets/flask": (_PYTEST, "flask"),
    "psf/requests": (_PYTEST, "requests"),
    "pvlib/pvlib-python": (_PYTEST, "pvlib"),
    "pydata/xarray": (_PYTEST, "xarray"),
    "pydicom/pydicom": (_PYTEST, "pydicom"),
    "pylint-dev/astroid": (_PYTEST, "astroid"),
    "pylint-dev/pylint": (_PYTEST, "pylint"),
    "pytest-dev/pytest": (_PYTEST, "pytest"),
    "pyvista/pyvista": (_PYTEST, "pyvista"),
    "scikit-learn/scikit-learn": (_PYTEST, "scikit"),
    "sphinx-doc/sphinx": ("tox --current-env -epy39 -v --", "sphinx"),
    "sqlfluff/sqlfluff": (_PYTEST, "sqlfluff"),
    "sympy/sympy": ("bin/test -C --verbose", "sympy"),
}
"""Command and parser of each repository of the benchmark, at most of its versions."""
REPOSITORIES = frozenset(_COMMANDS)


def image_of(id: str) -> str:
    """Return the name of the image that the benchmark's makers publish for an instance."""
    return f"swebench/sweb.eval.x86_64.{id.replace('__', '_1776_')}:latest".lower()


def read(row: Values) -> Instance:
    """Read ``instance_id``, ``repo``, ``problem_statement``, both patches, ``FAIL_TO_PASS`` and ``PASS_TO_PASS``."""
    repo = text(row, "repo")
    command, parser = _COMMANDS.get(repo, (_PYTEST, "pytest"))
    paths = test_files(text(row, "test_patch")) or files_of(tests(row, "FAIL_TO_PASS"))
    if repo == "django/django":
        # Its runner takes modules, from the folder of the tests.
        names = [path.removeprefix("tests/").removesuffix(".py").replace("/", ".") for path in paths]
        paths = [name for path, name in zip(paths, names, strict=True) if path.endswith(".py")]
    suite = ScriptSuite(
        image=image_of(text(row, "instance_id")),
        script=marked([with_paths(command, paths)], workdir="/testbed", conda=True),
        log_parser=f"parse_log_{parser}",
        python=CONDA_PYTHON,
    )
    return instance(row, suite, layout="swe_bench")


SWE_LAYOUTS.add(
    "swe_bench",
    SweLayout(lambda row: has(row, "instance_id", "repo", "test_patch", "FAIL_TO_PASS"), read, rank=60),
    summary="Classic rows of SWE-bench.",
)
