from pathlib import Path

import pytest

from rlvr_gym.errors import ConfigError, UsageError
from rlvr_gym.factory.environments import requirements
from rlvr_gym.factory.layout import belongs, is_source, is_test, modules, source_roots
from rlvr_gym.factory.recipe import Package, Recipe, package_of, read_recipe, write_recipe
from rlvr_gym.factory.releases import Release

FLAT = ("setup.py", "pkg/__init__.py", "pkg/core.py", "pkg/tests/test_core.py", "single.py", "docs/conf.py")
NESTED = ("src/pkg/__init__.py", "src/pkg/data.json", "tests/test_a.py", "tests/data/b.txt", "tasks.py")


def test_code_is_what_can_be_imported_and_is_no_test_and_no_tool():
    assert modules(FLAT) == {"pkg", "single.py"}
    assert modules(NESTED) == {"src/pkg"}
    assert source_roots(FLAT) == (".",)
    assert source_roots(NESTED) == ("src", ".")


@pytest.mark.parametrize(
    ("path", "source", "test"),
    [
        ("pkg/core.py", True, False),
        ("pkg/data.json", True, False),
        ("pkg/tests/test_core.py", False, True),
        ("pkg/test_core.py", False, True),
        ("pkg/conftest.py", False, True),
        ("tests/data/b.txt", False, True),
        ("docs/conf.py", False, False),
        ("setup.py", False, False),
    ],
)
def test_each_file_is_source_or_test_or_neither(path: str, source: bool, test: bool):
    assert (is_source(path, modules(FLAT)), is_test(path)) == (source, test)


@pytest.mark.parametrize(
    "path",
    [
        "pkg/a.pyc",
        "pkg/__pycache__/a.py",
        "pkg.egg-info/SOURCES.txt",
        "dist/pkg-1.0-py3-none-any.whl",
        "build/lib/pkg/a.py",
    ],
)
def test_what_may_hold_the_answer_is_left_out(path: str):
    assert not belongs(path)
    assert belongs("pkg/build/a.py")


def release(**more: object) -> Release:
    files = {"pkg/__init__.py": b"", "tests/test_a.py": b"import pytest, yaml, pkg, os\nfrom evil import x\n"}
    values = {
        "requires": ("six>=1; python_version > '3'",),
        "extras": ("PyYAML>=5", "sphinx"),
        "files": files,
    }
    return Release(
        **{"name": "pkg", "version": "1", "archive": "", "sha256": "", "license": "", **values, **more}
    )


def test_tests_get_what_the_release_declares_and_nothing_that_they_only_name():
    assert requirements(release()) == ("PyYAML>=5", "pytest", "six>=1; python_version > '3'")


def test_what_the_user_names_wins():
    assert requirements(release(), ["pytest==8.0", "evil"]) == (
        "PyYAML>=5",
        "evil",
        "pytest==8.0",
        "six>=1; python_version > '3'",
    )


@pytest.mark.parametrize("text", ["", "a b", "parse==", "parse==1;x", "--index-url=x", "-r"])
def test_what_is_no_package_is_refused(text: str):
    with pytest.raises(UsageError):
        package_of(text)


def test_a_recipe_that_is_written_is_read_again(tmp_path):
    packages = (
        Package(name="a", versions=("1.0", "1.1"), requires=('x; python_version > "3"',), fixes=0),
        Package(name="./b"),
    )
    recipe = Recipe(packages=packages, seed=7)
    write_recipe(tmp_path / "r.toml", recipe)
    assert read_recipe(tmp_path / "r.toml") == recipe


def test_a_wrong_setting_of_a_recipe_is_named(tmp_path):
    (tmp_path / "r.toml").write_text('[[packages]]\nnaem = "a"\n')
    with pytest.raises(ConfigError, match="Did you mean 'name'"):
        read_recipe(tmp_path / "r.toml")


def test_the_recipe_of_real_packages_names_every_version():
    recipe = read_recipe(Path(__file__).parents[2] / "examples" / "swe_packages.toml")
    assert len(recipe.packages) >= 6
    for package in recipe.packages:
        assert len(package.versions) > 1
        assert all("==" in line for line in package.requires)
