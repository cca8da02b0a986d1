"""Harbor tasks that run without a container engine, and hostile ones that do not get out."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rlvr_gym
from rlvr_gym.envs.swe_files import load_instances
from rlvr_gym.errors import TaskError
from rlvr_gym.repositories.harbor.build import prepare
from rlvr_gym.repositories.harbor.errors import HarborError
from rlvr_gym.repositories.harbor.folder import read_folder
from rlvr_gym.repositories.harbor.loading import find_folders, read_task
from rlvr_gym.repositories.harbor.validating import validate
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.patches import make_patch
from rlvr_gym.repositories.rows import read_instances, write_instances
from rlvr_gym.repositories.suites.base import Terms, suite_from_dict, suite_to_dict
from rlvr_gym.repositories.suites.harbor import HarborSuite
from rlvr_gym.runtimes.base import Limits
from rlvr_gym.runtimes.local import LocalRuntime
from rlvr_gym.types import Status, Task, Verdict
from rlvr_gym.verifiers import Verifier
from tests.harbor_folders import FILES, TEST_SH, TOML, write_files, write_task
from tests.integration.as_nobody import NOBODY
from tests.integration.attacks.runtimes import OPENERS

LIMITS = Limits(wall_s=60, cpu_s=60, memory_mib=512, pids=64, disk_mib=64, inodes=2000)
ADDER = FILES["environment/src/adder.py"].encode()
GOLD = make_patch({"adder.py": ADDER}, {"adder.py": b"def add(a, b):\n    return a + b\n"})


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache that everybody may read, and that goes with the test."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        monkeypatch.setenv("XDG_CACHE_HOME", name)
        yield Path(name)


@pytest.fixture(scope="module", params=["local-root", "local-unprivileged"])
def runtime(request: pytest.FixtureRequest) -> Iterator[Any]:
    with OPENERS[request.param]() as opened:
        if missing := opened.missing():
            pytest.skip(f"{request.param}: {'; '.join(missing)}")
        yield opened


@pytest.fixture
def local() -> LocalRuntime:
    runtime = LocalRuntime()
    if missing := runtime.missing():
        pytest.skip("; ".join(missing))
    return runtime


def graded(folder: Path, patch: str, runtime: Any, **more: Any) -> Verdict:
    suite = HarborSuite(folder, **more)
    prepared = prepare(read_folder(folder))
    if os.geteuid() == 0 and not isinstance(runtime, LocalRuntime):
        # The unprivileged runtime runs as nobody, who may change only what is nobody's.
        for path in [prepared.start.workspace, *prepared.start.workspace.rglob("*")]:
            os.lchown(path, NOBODY, NOBODY)
    instance = Instance("x", "", suite, "", "", ("tests/test.sh",), ())
    return suite.grade(instance, patch, Terms(runtime, LIMITS))


def test_a_solution_earns_one_and_nothing_earns_nothing(tmp_path: Path, runtime: Any) -> None:
    folder = write_task(tmp_path)
    verdict = graded(folder, GOLD, runtime)
    assert (verdict.status, verdict.score) == (Status.PASSED, 1.0), verdict
    assert verdict.checks[0].name == "tests/test.sh"
    assert verdict.checks[0].passed
    assert graded(folder, "", runtime).status is Status.FAILED


def test_a_task_of_shell_alone(tmp_path: Path, runtime: Any) -> None:
    write_files(
        tmp_path,
        {
            "task.toml": "[environment]\nworkdir = '/srv/job'\n[environment.env]\nWHO = 'env'\n"
            "[verifier.env]\nWANTED = 'three lines'\n",
            "instruction.md": "x",
            "environment/Dockerfile": "FROM debian:12\nENV WHO=file\nCOPY in.txt /srv/job/in.txt\n",
            "environment/in.txt": "3\n1\n2\n",
            "tests/test.sh": 'test "$(pwd)" = /srv/job && test "$WHO:$WANTED" = "env:three lines" || exit 1\n'
            'test "$(cat out.txt)" = "$(sort /srv/job/in.txt)" && echo 1 > /logs/verifier/reward.txt\n',
        },
    )
    right = make_patch({}, {"out.txt": b"1\n2\n3\n"})
    assert graded(tmp_path, right, runtime).passed
    wrong = graded(tmp_path, make_patch({}, {"out.txt": b"3\n"}), runtime)
    assert wrong.status is Status.FAILED
    assert "wrote neither" in wrong.reason


def test_a_patch_deletes_adds_scripts_and_keeps_modes(tmp_path: Path, runtime: Any) -> None:
    write_task(
        tmp_path,
        tests_test_sh="#!/bin/sh\ntest ! -e adder.py && test -x new.sh && test -x old.sh && test ! -x data && "
        "test ! -e './-rf x' && echo 1 > /logs/verifier/reward.txt\n",
    )
    write_files(tmp_path, {"environment/src/old.sh": "echo 1\n", "environment/src/-rf x": "x"})
    patch = make_patch(
        {"adder.py": ADDER, "old.sh": b"echo 1\n", "-rf x": b"x"},
        {"old.sh": b"echo 2\n", "deep/new": b"x", "new.sh": b"#!/bin/sh\n", "data": b"x"},
    )
    verdict = graded(tmp_path, patch, runtime)
    assert verdict.passed, verdict


def test_partial_credit_is_a_failure_with_a_score(tmp_path: Path, runtime: Any) -> None:
    script = """#!/bin/sh\necho '{"reward": 0.5, "style": 1}' > /logs/verifier/reward.json; echo 1 > /logs/verifier/reward.txt\n"""
    verdict = graded(write_task(tmp_path, tests_test_sh=script), "", runtime)
    assert (verdict.status, verdict.score) == (Status.FAILED, 0.5)
    assert [(check.name, check.passed) for check in verdict.checks[1:]] == [
        ("reward", False),
        ("style", True),
    ]
    assert graded(tmp_path, "", runtime, reward_key="style").passed


@pytest.mark.parametrize(
    ("script", "status", "told"),
    [
        ("sleep 60", Status.OVER_LIMIT, "ended at its limit (timeout)"),
        ("echo 2 > /logs/verifier/reward.txt", Status.UNSUPPORTED, "a score lies in [0, 1]"),
        ("mkfifo /logs/verifier/reward.txt", Status.FAILED, "holds no number"),
        ("ln -s /etc/hostname /logs/verifier/reward.txt", Status.FAILED, "holds no number: 'sandbox'"),
        ("head -c 90000 /dev/zero > /logs/verifier/reward.json", Status.FAILED, "is not JSON"),
        ("(sleep 1; echo 1 > /logs/verifier/reward.txt) &", Status.FAILED, "wrote neither"),
        ("exit 3", Status.FAILED, "wrote neither"),
    ],
)
def test_a_broken_reward_has_a_typed_verdict(
    tmp_path: Path, local: LocalRuntime, script: str, status: Status, told: str
) -> None:
    toml = TOML.replace("timeout_sec = 60", "timeout_sec = 2")
    folder = write_task(tmp_path, tests_test_sh=f"#!/bin/sh\n{script}\n", task_toml=toml)
    verdict = graded(folder, "", local)
    assert verdict.status is status, verdict
    assert told in verdict.reason


def test_the_exit_code_of_the_tests_does_not_count_as_in_harbor(tmp_path: Path, local: LocalRuntime) -> None:
    script = "#!/bin/sh\necho 1 > /logs/verifier/reward.txt; exit 1\n"
    assert graded(write_task(tmp_path, tests_test_sh=script), "", local).passed


def test_a_reward_that_a_patch_plants_is_not_there(tmp_path: Path, runtime: Any) -> None:
    folder = write_task(tmp_path, tests_test_sh="#!/bin/sh\nls -R /logs\n")
    planted = dict.fromkeys(
        ("logs/verifier/reward.txt", "verifier/reward.txt", "tmp/logs/verifier/reward.txt"), b"1\n"
    )
    verdict = graded(folder, make_patch({}, planted), runtime)
    assert verdict.status is Status.FAILED
    assert "wrote neither" in verdict.reason
    assert "reward" not in verdict.checks[0].detail
    for outside in ("../logs/verifier/reward.txt", "/logs/verifier/reward.txt"):
        patch = f"--- /dev/null\n+++ b/{outside}\n@@ -0,0 +1 @@\n+1\n"
        assert graded(folder, patch, runtime).status is Status.MALFORMED


def test_tested_code_cannot_change_the_tests(tmp_path: Path, runtime: Any) -> None:
    script = TEST_SH.replace("if ", "python3 adder.py\nif ")
    folder = write_task(tmp_path, tests_test_sh=script)
    evil = b"""\
def add(a, b): return a - b
if __name__ == "__main__":
    import os
    for what in ("open('/tests/test.sh', 'w').write('echo 1 > /logs/verifier/reward.txt')", "os.unlink('/tests/test.sh')",
                 "os.rename('/tests', '/t')", "os.symlink('/tmp', '/tests/x')", "os.chmod('/tests/test.sh', 0)"):
        try:
            eval(what)
        except OSError as error:
            print("refused")
"""
    verdict = graded(folder, make_patch({"adder.py": ADDER}, {"adder.py": evil}), runtime)
    assert verdict.status is Status.FAILED
    assert verdict.checks[0].detail.count("refused") == 5, verdict


def test_neither_tests_nor_solution_are_in_the_agents_sandbox(tmp_path: Path, local: LocalRuntime) -> None:
    instance = read_task(write_task(tmp_path), runtime=local)
    workspace = instance.suite.workspace(instance, LIMITS)
    assert workspace.files() == {"adder.py": ADDER}
    with local.start(workspace.spec) as sandbox:
        shown = sandbox.exec(
            ["sh", "-c", "ls -d /tests /solution; ls -A /app; cat /app/adder.py; pwd"]
        ).stdout
        assert shown == b"adder.py\n" + ADDER + b"/workspace\n"
        assert sandbox.exec(["touch", "/app/new"]).code == 0


def test_a_task_is_an_instance_whose_patch_is_its_solution(tmp_path: Path, local: LocalRuntime) -> None:
    write_task(tmp_path / "one")
    write_task(
        tmp_path / "two", task_toml=TOML.replace("adder", "second") + "[metadata]\ndifficulty = 'easy'\n"
    )
    one, two = load_instances(tmp_path)
    assert (one.id, one.problem, one.patch) == ("ours/adder", "Make add() add.\n", GOLD)
    assert (two.id, two.strata) == ("ours/second", {"kind": "harbor", "difficulty": "easy"})
    again = Instance.from_dict(one.to_dict())
    assert again == one
    (kept,) = read_instances(write_instances(tmp_path / "rows", [one]))
    assert kept.suite.folder == tmp_path / "rows/folder/one"
    assert read_folder(kept.suite.folder).files("tests") == read_folder(one.suite.folder).files("tests")
    assert suite_from_dict(suite_to_dict(one.suite)) == one.suite
    terms = Terms(local, LIMITS)
    assert again.suite.grade(again, again.patch, terms).passed
    write_task(tmp_path / "three", environment_Dockerfile="FROM alpine\n")
    with pytest.raises(TaskError, match=r"three/environment/Dockerfile:1: FROM alpine"):
        load_instances(tmp_path, "harbor")
    assert len(load_instances(tmp_path, "harbor", on_bad="skip")) == 2
    with pytest.raises(HarborError, match="no task folder"):
        find_folders(tmp_path / "one" / "tests")


def test_tests_and_solution_that_write_elsewhere_change_nothing_outside(
    tmp_path: Path, local: LocalRuntime
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("kept")
    tmp_path.chmod(0o777)
    evil = (
        f"#!/bin/sh\necho x > {victim}; rm -rf / 2>/dev/null; echo x > /tests/test.sh; echo x > /etc/hosts\n"
    )
    folder = write_task(tmp_path / "task", tests_test_sh=evil, solution_solve_sh=evil)
    finding = validate(folder, local)
    assert not finding.holds
    assert victim.read_text() == "kept"
    assert (folder / "tests/test.sh").read_text() == evil
    assert graded(folder, "", local).status is Status.FAILED


def test_validation_tells_what_does_not_hold(tmp_path: Path, local: LocalRuntime) -> None:
    assert validate(write_task(tmp_path / "good"), local).problems == ()
    lazy = validate(write_task(tmp_path / "lazy", solution_solve_sh="#!/bin/sh\n"), local)
    assert len(lazy.problems) == 2
    assert "the solution (1 of 2): failed: 'reward' is 0" in lazy.problems[0]
    free = validate(
        write_task(tmp_path / "free", tests_test_sh="#!/bin/sh\necho 1 > /logs/verifier/reward.txt\n"), local
    )
    assert len(free.problems) == 2
    assert "doing nothing (2 of 2): passed" in free.problems[1]
    none = validate(write_task(tmp_path / "none", solution_solve_sh=None), local)
    assert "nothing shows that it can be solved" in none.problems[0]
    other = validate(write_task(tmp_path / "other", environment_Dockerfile="FROM alpine\n"), local)
    assert not other.supported
    assert not validate(write_task(tmp_path / "bad", instruction_md=None), local).holds


def test_the_environment_plays_a_task_and_pays_part_marks_only_when_told(
    tmp_path: Path, local: LocalRuntime
) -> None:
    script = TEST_SH.replace("reward=0", "reward=0.5")
    instance = read_task(write_task(tmp_path, tests_test_sh=script), runtime=local)
    task = Task(id="x", prompt="", reference=instance.to_dict())
    binary, part = Verifier("swe"), Verifier("swe", {"part_marks": True})
    assert binary.check(task, GOLD).passed
    for verifier, score in ((binary, 0.0), (part, 0.5)):
        verdict = verifier.check(task, "")
        assert (verdict.status, verdict.score) == (Status.FAILED, score)
        assert verifier.range.holds(verdict)
    env = rlvr_gym.make("swe-v0", file=tmp_path, split="all")
    observation, _ = env.reset(seed=0)
    assert "Make add() add." in observation
    env.step("```bash\nsed -i 's/a - b/a + b/' /app/adder.py\n```")
    _, reward, terminated, _, _ = env.step("```bash\nsubmit\n```")
    assert (reward, terminated) == (1.0, True)
    env.close()
