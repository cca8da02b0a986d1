import importlib
import json
import pkgutil

import pytest

import rlvr_gym
from rlvr_gym.registry import REGISTRIES
from rlvr_gym.report.catalog import HOMES, catalog


def test_a_kind_is_shown_as_a_table(shell):
    result = shell("list", "env")
    assert result.code == 0
    assert "sums-v0" in result.out
    assert "digits=1" in result.out


def test_json_holds_settings_with_types_defaults_and_help(call):
    rows = json.loads(call("list", "env", "--json").out)["env"]["entries"]
    sums = next(row for row in rows if row["name"] == "sums-v0")
    digits = next(setting for setting in sums["settings"] if setting["name"] == "digits")
    assert digits == {
        "name": "digits",
        "type": "int >= 1 <= 18",
        "required": False,
        "default": 1,
        "help": "Most digits of a number.",
    }


def test_json_keeps_its_keys(call):
    found = json.loads(call("list", "--json").out)
    assert list(found) == list(HOMES)
    for kind in found.values():
        assert set(kind) == {"missing", "entries"}
        for entry in kind["entries"]:
            assert set(entry) == {"name", "summary", "paper", "settings"}


def test_every_registry_can_be_listed():
    for package in pkgutil.walk_packages(rlvr_gym.__path__, "rlvr_gym."):
        if package.ispkg:
            importlib.import_module(package.name)
    catalog()
    assert set(REGISTRIES) == set(HOMES)


@pytest.mark.parametrize("kind", HOMES)
def test_everything_says_what_it_is(kind):
    for thing in catalog(kind)[0].things:
        assert thing.summary, f"{kind} {thing.name} has no docstring"
        for setting in thing.settings:
            assert setting.help, f"{kind} {thing.name}: {setting.name} has no docstring"


def test_a_kind_whose_extra_is_missing_says_which(shell, tmp_path):
    # A package that cannot be imported stands in for one that is not installed.
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['torch'] = None\n")
    env = {"PYTHONPATH": str(tmp_path)}
    result = shell("list", "algorithm", env=env)
    assert result.code == 0
    assert "pip install 'rlvr-gym[train]'" in result.out.replace("\n", " ")
    assert json.loads(shell("list", "env", "--json", env=env).out)["env"]["missing"] is None
