"""A package with two releases, as files that pip finds without an index. Its code tries to leave a mark on the host."""

from __future__ import annotations

import io
import sys
import tarfile
from pathlib import Path

from rlvr_gym.factory.build import Factory, Row
from rlvr_gym.factory.recipe import Recipe, package_of
from rlvr_gym.runtimes.local import LocalRuntime

MARK = """\
import os, pathlib
try:
    pathlib.Path({mark!r}).write_text("here")
except OSError:
    pass
"""
CODE = '''\
"""Tallies."""

__version__ = "{version}"


def tally(words, least=1):
    """Return how often each word occurs that occurs at least ``least`` times."""
    counts = {{}}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return {{word: count for word, count in counts.items() if count {sign} least}}


def longest(words):
    """Return the longest word, and of several the first."""
    best = ""
    for word in words:
        if len(word) > len(best):
            best = word
    return best


def initials(name):
    """Return the first letters of a name."""
    if not name:
        return ""
    return "".join(part[0].upper() + "." for part in name.split(" "))
'''
TESTS = """\
{mark}
import unittest

import pytest

import tallies


def test_tally():
    assert tallies.tally(["a", "b", "a"], 0.5) == {{"a": 2, "b": 1}}


@pytest.mark.parametrize(("words", "word"), [(["a", "bb", "cc"], "bb"), ([], "")])
def test_longest(words, word):
    assert tallies.longest(words) == word


class TestInitials(unittest.TestCase):
    def test_initials(self):
        self.assertEqual(tallies.initials("ada lovelace"), "A.L.")

    def test_nothing(self):
        self.assertEqual(tallies.initials(""), "")
"""
NEW_TEST = """

def test_least():
    assert tallies.tally(["a", "b", "a"], 2) == {"a": 2}
"""
METADATA = "Metadata-Version: 2.1\nName: tallies\nVersion: {version}\nLicense: MIT\n"


def release(version: str, mark: Path) -> dict[str, str]:
    """Return the files of a release."""
    new = version != "1.0"
    marked = MARK.format(mark=str(mark))
    return {
        "PKG-INFO": METADATA.format(version=version),
        "CHANGES.md": ("## 1.1\n\n- ``least`` itself counts (#7)\n\n" if new else "") + "## 1.0\n\n- First\n",
        "setup.py": f"{marked}from setuptools import setup\nsetup(name='tallies', version={version!r})\n",
        "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "setup"\nbackend-path = ["."]\n',
        "tallies.py": CODE.format(version=version, sign=">=" if new else ">"),
        "tests/test_tallies.py": TESTS.format(mark=marked) + (NEW_TEST if new else ""),
    }


def write_archive(folder: Path, version: str, files: dict[str, str], top: str | None = None) -> Path:
    """Return a source archive with ``files`` below ``top``, the release's own folder unless given."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"tallies-{version}.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo((f"tallies-{version}/" if top is None else top) + name)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return path


def build(out: Path, environment: Path) -> list[Row]:
    """Make a small data set of the package in ``out``."""
    recipe = Recipe(packages=(package_of("tallies"),), fixes=1, bugs=1)
    return Factory(recipe, out, LocalRuntime(), environment=environment).build()


if __name__ == "__main__":
    build(Path(sys.argv[1]), Path(sys.argv[2]))
