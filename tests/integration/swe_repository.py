"""A small repository with a bug, made of nothing but what these tests need."""

import importlib
import shutil
from pathlib import Path

from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.patches import make_patch
from rlvr_gym.repositories.suites.pytest import PytestSuite

BUGGY = """\
\"\"\"Sums of money.\"\"\"


def total(prices, discount=0):
    return sum(prices) + discount


def cheapest(prices):
    return min(prices)
"""
RIGHT = BUGGY.replace("+ discount", "- discount")
OTHER = RIGHT.replace(
    "return sum(prices) - discount",
    "out = -discount\n    for each in prices:\n        out += each\n    return out",
)

FILES = {
    "shop/__init__.py": "from shop.core import cheapest, total\n",
    "shop/core.py": BUGGY,
    "conftest.py": "import shop\n",
    "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef prices():\n    return [3, 4]\n",
    "tests/helpers.py": "def check(left, right):\n    assert left == right\n",
    "tests/test_core.py": "from shop import total\n\n\ndef test_total(prices):\n    assert total(prices) == 7\n",
    "tests/test_more.py": """\
import unittest

import pytest
from helpers import check

import shop


class TestCheapest(unittest.TestCase):
    def test_cheapest(self):
        self.assertEqual(shop.cheapest([2, 1]), 1)

    def test_nothing(self):
        with self.assertRaises(ValueError):
            shop.cheapest([])


@pytest.mark.parametrize("n", [1, 2])
def test_many(n):
    check(shop.total([n] * n), n * n)


def test_none():
    with pytest.raises(TypeError):
        shop.total(None)
""",
    "pyproject.toml": '[project]\nname = "shop"\n\n[tool.pytest.ini_options]\naddopts = "-p no:nothing"\ntestpaths = ["tests"]\n',
}
NEW_TESTS = (
    FILES["tests/test_core.py"].replace("from shop", "from helpers import check\nfrom shop")
    + """

def test_discount(prices):
    assert total(prices, 2) == 5
    assert total([], 1) == -1


def test_discount_by_name(prices):
    check(total(prices, discount=7), 0)
"""
)
FAIL_TO_PASS = ("tests/test_core.py::test_discount", "tests/test_core.py::test_discount_by_name")
PASS_TO_PASS = (
    "tests/test_core.py::test_total",
    "tests/test_more.py::TestCheapest::test_cheapest",
    "tests/test_more.py::TestCheapest::test_nothing",
    "tests/test_more.py::test_many[1]",
    "tests/test_more.py::test_many[2]",
    "tests/test_more.py::test_none",
)


def encoded(files):
    return {
        path: content.encode() if isinstance(content, str) else content for path, content in files.items()
    }


def patch_of(changes):
    """Return the patch that makes these changes; None deletes a file."""
    before = encoded(FILES)
    after = {**before, **encoded({path: content for path, content in changes.items() if content is not None})}
    return make_patch(before, {path: after[path] for path in after if changes.get(path, "") is not None})


def make_environment(folder):
    """Return a folder with pytest and what it needs, and nothing else."""
    folder.mkdir(parents=True)
    for name in ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "py"):
        file = Path(importlib.import_module(name).__file__)
        if file.name == "__init__.py":
            shutil.copytree(file.parent, folder / name)
        else:
            shutil.copy2(file, folder)
    # Looks up its own version.
    (metadata,) = Path(importlib.import_module("pluggy").__file__).parents[1].glob("pluggy-*.dist-info")
    shutil.copytree(metadata, folder / metadata.name)
    return folder


def make_instance(folder, environment):
    for path, content in FILES.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content)
    tests = make_patch(encoded(FILES), encoded({**FILES, "tests/test_core.py": NEW_TESTS}))
    return Instance(
        id="shop-1",
        problem="A discount makes it dearer.",
        suite=PytestSuite(folder, environment),
        patch=patch_of({"shop/core.py": RIGHT}),
        test_patch=tests,
        fail_to_pass=FAIL_TO_PASS,
        pass_to_pass=PASS_TO_PASS,
    )
