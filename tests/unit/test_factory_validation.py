import os
import random
import time
from dataclasses import dataclass

import pytest

from rlvr_gym.factory.bugs import Seeded, Trial, candidates, mutated
from rlvr_gym.factory.build import _grouped
from rlvr_gym.factory.fixes import _same_version
from rlvr_gym.factory.journal import Journal
from rlvr_gym.factory.mutations import Edit
from rlvr_gym.factory.releases import Release
from rlvr_gym.factory.subjects import Baseline, Subject
from rlvr_gym.factory.validate import Bench, Dropped, confirm, load, split
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.suites.base import Terms
from rlvr_gym.repositories.suites.pytest import PytestSuite
from rlvr_gym.repositories.test_runs import TestRun
from rlvr_gym.runtimes.base import End
from rlvr_gym.runtimes.local import LocalRuntime
from rlvr_gym.types import Check, Status, Verdict


def run(**outcomes: str) -> TestRun:
    named = {f"t.py::{name}": outcome for name, outcome in outcomes.items()}
    return TestRun(named, End.EXITED, 0.1, "", True, ())


def test_tests_count_that_do_the_same_in_every_run():
    steady = dict.fromkeys("uvwxyz", "passed")
    before = [
        run(a="failed", b="passed", c="passed", d="failed", **steady),
        run(a="error", b="passed", c="failed", d="failed", **steady),
    ]
    after = [
        run(**dict.fromkeys("abcdn", "passed"), **steady),
        run(**dict.fromkeys("abcn", "passed"), d="failed", **steady),
    ]
    fails, passes = split(before, after)
    # n is a set of parameters that is new; c does not always pass before, d not always after.
    assert fails == ("t.py::a", "t.py::n")
    assert passes == ("t.py::b", *(f"t.py::{name}" for name in "uvwxyz"))


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        (run(a="passed"), run(a="passed"), "no test fails before"),
        (run(a="failed", b="passed"), run(a="failed", b="passed"), "no test fails before"),
        (run(a="failed", b="failed", c="passed"), run(a="passed", b="passed", c="passed"), "most tests fail"),
        (TestRun({"t.py": "error"}, End.EXITED, 0.1, "", True, ()), run(a="passed"), "cannot be imported"),
    ],
)
def test_what_tells_nothing_is_dropped_with_the_reason(before: TestRun, after: TestRun, reason: str):
    with pytest.raises(Dropped, match=reason):
        split([before], [after])


@pytest.mark.parametrize("name", ["a[<x 0x7f12ab34cd56>]", "a[/workspace/x]", "a[2026-11-30T10:00]", "a[é]"])
def test_ids_that_may_be_others_next_time_do_not_count(name: str):
    before, after = (
        {name: "failed", "b": "failed", "c": "passed", "d": "passed"},
        dict.fromkeys([name, *"bcd"], "passed"),
    )
    fails, _ = split([run(**before)], [run(**after)])
    assert fails == ("t.py::b",)


def test_only_lines_that_name_the_version_stay_as_they_were():
    before = b'__version__ = "1.0"\nVERSION = (1, 0)\nx = 1\n'
    after = b'__version__ = "1.1"\nVERSION = (1, 1)\nx = 2\n__version_date__ = 3\n'
    assert (
        _same_version(before, after)
        == b'__version__ = "1.0"\nVERSION = (1, 0)\nx = 2\n__version_date__ = 3\n'
    )


@dataclass(frozen=True)
class Scripted:
    """A suite whose gradings are known: the tests that fail in each."""

    failing: list[set[str]]

    def grade(self, instance: Instance, patch: str, terms: Terms) -> Verdict:
        failing = self.failing.pop(0)
        ids = (*instance.fail_to_pass, *instance.pass_to_pass)
        checks = tuple(Check(test, test not in failing) for test in ids)
        status = Status.PASSED if all(check.passed for check in checks) else Status.FAILED
        return Verdict.of(status, "scripted", checks=checks)


def confirmed(*failing: str) -> Instance:
    instance = Instance(
        "i",
        "",
        Scripted([set(each) for each in failing]),
        "patch",
        "",
        ("f",),
        ("a", "b", "c", "d", "e", "x"),
    )
    return confirm(instance, Bench(runtime=LocalRuntime()))


def test_an_instance_holds_whose_patch_passes_three_times():
    assert len(confirmed("", "", "").pass_to_pass) == 6


def test_a_test_that_fails_once_under_load_is_left_out():
    assert "x" not in confirmed("", "", "x").pass_to_pass
    assert len(confirmed("", "x", "x").pass_to_pass) == 5


@pytest.mark.parametrize("failing", [("f",), ("", "", "f"), ("x", "", "a"), ("", "xa")])
def test_an_instance_is_dropped_whose_telling_test_or_several_others_fail(failing):
    with pytest.raises(Dropped, match="does not pass each time"):
        confirmed(*failing)


def test_load_keeps_the_processors_busy_and_leaves_nothing():
    before = os.times()
    with load(), load():
        time.sleep(0.3)
    used = os.times()
    assert used.children_user - before.children_user > 0.02


def test_a_step_is_done_once_and_a_torn_result_again(tmp_path):
    journal, calls = Journal(tmp_path), []

    def compute():
        calls.append(1)
        return {"n": len(calls)}

    assert journal.once(["a", 1], compute) == journal.once(["a", 1], compute) == {"n": 1}
    assert journal.once(["a", 2], compute) == {"n": 2}
    for file in tmp_path.iterdir():
        file.write_text("{")
    assert Journal(tmp_path).once(["a", 1], compute) == {"n": 3}


FILES = {
    "pkg.py": b"def f(a):\n    return a + 1 + 2 + 3 + 4 + 5 + 6\n\n\ndef g(a):\n    return a[0]\n\n\ndef h(a):\n    return a[0]\n",
    "broken.py": b"def f(:\n",
}


@pytest.fixture
def subject(tmp_path):
    release = Release("pkg", "1", "pkg.tar.gz", "00", "MIT", (), (), FILES)
    return Subject(release, frozenset(FILES), PytestSuite(tmp_path), None)


BASE = Baseline(("t.py::a",), 0.1, {"t.py::a": {"pkg.py": frozenset({2, 6}), "broken.py": frozenset({1})}})


def test_bugs_are_seeded_only_where_tests_go_and_at_most_three_in_a_function(subject):
    found = list(candidates(subject, BASE, random.Random(0)))
    functions = [each.edit.function for each in found]
    assert functions.count("f") == 3
    assert set(functions) == {"f", "g"}
    assert {each.path for each in found} == {"pkg.py"}


def test_the_same_seed_gives_the_same_bugs_and_another_one_others(subject):
    lists = [list(candidates(subject, BASE, random.Random(seed))) for seed in (1, 1, 2)]
    assert lists[0] == lists[1]
    assert lists[0] != lists[2]


def test_edits_of_one_file_do_not_move_each_other(subject):
    text = FILES["pkg.py"]
    one, two = text.index(b"1"), text.index(b"a[0]")
    parts = [Seeded("pkg.py", Edit(one, one + 1, b"100")), Seeded("pkg.py", Edit(two, two + 4, b"a"))]
    expected = text.replace(b" 1 ", b" 100 ").replace(b"a[0]", b"a", 1)
    assert mutated(subject, parts) == mutated(subject, parts[::-1]) == {"pkg.py": expected}


def test_every_fourth_instance_holds_two_bugs_of_different_functions():
    trials = [
        Trial((Seeded("p", Edit(n, n, b"", "k", name)),), (), ()) for n, name in enumerate("aabcddefgh")
    ]
    groups = [[trial.parts[0].edit.function for trial in group] for group in _grouped(trials)]
    assert groups == [["a"], ["a"], ["b"], ["c", "d"], ["d"], ["e"], ["f"], ["g", "h"]]
