"""The task factory on real packages, which pip downloads."""

from pathlib import Path

import pytest

from rlvr_gym.factory.build import Factory
from rlvr_gym.factory.recipe import read_recipe
from rlvr_gym.factory.validate import LIMITS
from rlvr_gym.repositories.rows import read_instances
from rlvr_gym.repositories.suites.base import Terms
from rlvr_gym.runtimes.local import LocalRuntime

RECIPE = Path(__file__).parents[2] / "examples" / "swe_packages.toml"


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_real_packages_give_fixes_and_bugs_that_their_own_patches_solve_and_empty_ones_do_not(tmp_path: Path):
    runtime = LocalRuntime()
    if missing := runtime.missing():
        pytest.skip(f"local: {'; '.join(missing)}")
    recipe = read_recipe(RECIPE)
    few = recipe.model_copy(update={"packages": recipe.packages[:2], "fixes": 2, "bugs": 3})
    rows = Factory(few, tmp_path / "out", runtime).build()
    if failed := [row.failed for row in rows if "pip" in row.failed or "ERROR" in row.failed]:
        pytest.skip(f"no index to download from: {failed[0]}")
    assert [(row.made["fix"], row.made["bug"]) for row in rows] == [(2, 3), (2, 3)]
    terms = Terms(runtime, LIMITS)
    for instance in read_instances(tmp_path / "out"):
        assert instance.suite.grade(instance, instance.patch, terms).passed
        assert not instance.suite.grade(instance, "", terms).passed
        assert instance.license
