"""A judge is taken out of its script without running the script."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rlvr_gym.verifiers.pool.script import load_script, needed


@pytest.fixture(autouse=True)
def _keep_main() -> Iterator[None]:
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


def kept(source: str, name: str = "judge") -> list[str]:
    body = ast.parse(source).body
    return [ast.unparse(body[index]) for index in sorted(needed(body, name))]


def test_only_what_the_judge_leads_to_is_kept() -> None:
    source = """
import re, json
import os
PATTERN = re.compile("x")
unused = os.environ
def judge(text): return helper(text)
def helper(text): return PATTERN.match(text)
judge("a call of the script")
"""
    assert kept(source) == [
        "import re, json",
        "PATTERN = re.compile('x')",
        "def judge(text):\n    return helper(text)",
        "def helper(text):\n    return PATTERN.match(text)",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "TABLE = {}",
        "TABLE: dict = {}",
        "TABLE['a'] = 1",
        "TABLE += [1]",
        "TABLE, other = f()",
        "import x.y as TABLE",
        "import TABLE.part",
        "from x import TABLE",
        "class TABLE:\n    pass",
        "try:\n    import TABLE\nexcept ImportError:\n    TABLE = None",
        "if big:\n    TABLE = 1\nelse:\n    other = 2",
        "from x import *",
    ],
)
def test_every_way_to_define_a_name_counts(line: str) -> None:
    assert line in kept(f"{line}\ndef judge(): return TABLE")


@pytest.mark.parametrize(
    "line",
    [
        "train()",
        "if __name__ == '__main__':\n    TABLE = train()",
        "for TABLE in data:\n    train(TABLE)",
        "with open('f') as TABLE:\n    pass",
        "other = TABLE",
    ],
)
def test_what_a_script_does_is_left_out(line: str) -> None:
    assert line not in kept(f"{line}\ndef judge(): return TABLE")


def test_settings_named_in_the_decorator_are_kept() -> None:
    source = "class S: pass\n@register('x', config=S)\ndef judge(text): return 1"
    assert kept(source)[0] == "class S:\n    pass"


def test_names_are_defined_once_and_when_asked_for(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from __future__ import annotations\n"
        "made = []\n"
        "def first(x: Unknown): made.append(1); return made\n"
        "def second(x: Unknown): return first(x)\n"
        "raise SystemExit('the script ran')\n"
    )
    module = load_script(script, None)
    assert sys.modules["__main__"] is module
    assert module.first(0) == [1]
    assert module.second(0) == [1, 1]
    assert load_script(script, None) is module
    with pytest.raises(AttributeError, match="defines no third at its top"):
        _ = module.third


def test_relative_imports_start_from_the_package(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("from .errors import TaskError\ndef judge(): return TaskError")
    assert load_script(script, "rlvr_gym").judge().__module__ == "rlvr_gym.errors"
