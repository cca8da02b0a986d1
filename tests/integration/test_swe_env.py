"""Episodes of swe-v0 in real sandboxes: what an agent may do, what it is told, what pays, and what is left after it."""

from __future__ import annotations

import gc
import json
import math
import os
import pickle
import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rlvr_gym.envs import make
from rlvr_gym.envs.swe import SweEnv
from rlvr_gym.envs.swe_play.actions import fenced
from rlvr_gym.errors import ConfigError
from rlvr_gym.evaluation import evaluate
from rlvr_gym.policies.scripted import ScriptedPolicy
from rlvr_gym.repositories.checkouts import base_files, checkout
from rlvr_gym.repositories.patches import apply_patch, make_patch
from rlvr_gym.repositories.rows import write_instances
from rlvr_gym.repositories.suites.base import suite_to_dict
from rlvr_gym.repositories.suites.pytest import PytestSuite
from rlvr_gym.runtimes.base import SandboxLostError, UnavailableError
from rlvr_gym.runtimes.local import LocalRuntime
from rlvr_gym.types import Status, Task
from rlvr_gym.verifiers.swe import read_instance
from tests.integration.as_nobody import NOBODY, lent_runtime
from tests.integration.leftovers import census, nothing_new_since, wait_until

ID = "spans-touching"
RIGHT = """\
```edit spans/sets.py
<<<<<<< SEARCH
        if found and start < found[-1][1]:
=======
        if found and start <= found[-1][1]:
>>>>>>> REPLACE
```"""
WRONG = RIGHT.replace("start <= found", "start != found")
SUBMIT = "```bash\nsubmit\n```"
LIMITS = {"memory_mib": 512, "disk_mib": 64, "verifier": {"name": "swe", "memory_mib": 512, "disk_mib": 64}}


@pytest.fixture(autouse=True, scope="module")
def _isolates() -> None:
    if missing := LocalRuntime().missing():
        pytest.skip("; ".join(missing))


@pytest.fixture
def env() -> Iterator[SweEnv]:
    made = begin()
    yield made
    made.close()


def begin(**settings: Any) -> SweEnv:
    made = make("swe", ids=(ID,), **LIMITS, **settings)
    assert isinstance(made, SweEnv)
    made.reset(seed=0)
    return made


def play(env: SweEnv, *actions: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
    for action in actions[:-1]:
        _, reward, terminated, truncated, _ = env.step(action)
        assert (reward, terminated, truncated) == (0.0, False, False)
    return env.step(actions[-1])


def run(env: SweEnv, command: str) -> str:
    return env.step(fenced(command))[0]


def test_the_right_edit_earns_1(env: SweEnv) -> None:
    _, reward, terminated, truncated, info = play(env, fenced("cat spans/sets.py"), RIGHT, SUBMIT)
    assert (reward, terminated, truncated) == (1.0, True, False)
    assert info["verdict"].status is Status.PASSED


def test_output_submits_too(env: SweEnv) -> None:
    command = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT; git diff"
    assert run(env, f"true; false || {{ {command}; false; }}").startswith("Exit code 1")
    assert play(env, RIGHT, fenced(command))[1:4] == (1.0, True, False)


@pytest.mark.parametrize("actions", [[WRONG], [fenced("true")], [fenced("rm -r spans")], []])
def test_other_submissions_earn_0(env: SweEnv, actions: list[str]) -> None:
    _, reward, terminated, _, info = play(env, *actions, SUBMIT)
    assert (reward, terminated) == (0.0, True)
    assert info["verdict"].status is Status.FAILED


def test_malformed_actions_are_answered_and_cost_a_turn() -> None:
    env = begin(max_turns=3)
    for action in ("I give up.", "```bash\nls\n```\n```bash\nls\n```"):
        observation, reward, terminated, truncated, _ = env.step(action)
        assert observation.startswith("Error: ")
        assert (reward, terminated, truncated) == (0.0, False, False)
    assert "(1 turn left)" in observation
    assert env.step(RIGHT.replace("SEARCH", "SAERCH"))[1:4] == (0.0, False, True)


def test_an_edit_that_does_not_fit_is_answered_and_changes_nothing(env: SweEnv) -> None:
    before = env.fingerprint()
    assert "occurs" in env.step(RIGHT.replace("        if found and start < found[-1][1]:", "start"))[0]
    for path in ("../etc/passwd", "/etc/passwd", "spans", "link"):
        run(env, "ln -sf /etc/passwd link")
        assert env.step(RIGHT.replace("spans/sets.py", path))[0].startswith("Error: "), path
    run(env, "rm link")
    assert env.fingerprint() == before


def test_commands_are_told_with_exit_code_and_both_streams_in_order(env: SweEnv) -> None:
    assert run(env, "echo one; echo two >&2; echo three; exit 4") == "Exit code 4.\none\ntwo\nthree"
    assert run(env, 'pwd; read line; echo "<$line>"') == "Exit code 0.\n/workspace\n<>"
    assert run(env, "true") == "Exit code 0. No output."
    assert "syntax error" in run(env, "if")


def test_a_command_may_be_longer_than_arguments_can_be(env: SweEnv) -> None:
    content = "x" * 200_000
    assert run(env, f"cat > big <<'E'\n{content}\nE\nwc -c big") == "Exit code 0.\n200001 big"


def test_python_pytest_and_git_are_there_and_no_other_package_is(env: SweEnv) -> None:
    assert "24 passed" in run(env, "python -m pytest -q")
    assert run(env, "git status --porcelain") == "Exit code 0. No output."
    assert "ModuleNotFoundError" in run(env, "python -c 'import numpy'")
    assert "ModuleNotFoundError" in run(env, "python -c 'import rlvr_gym'")
    assert "Read-only" in run(env, "touch /environment/x")


def test_no_history_and_no_hidden_test_is_to_be_found(env: SweEnv) -> None:
    assert run(env, "git log --all --oneline | wc -l") == "Exit code 0.\n1"
    for command in (
        "git reflog",
        "git stash list",
        "git remote",
        "git tag",
        "git fsck --unreachable --lost-found",
    ):
        assert run(env, command) == "Exit code 0. No output."
    hidden = env.task.reference["fail_to_pass"][0].rpartition("::")[2]
    assert hidden in env.task.reference["test_patch"]
    assert run(env, f"grep -rs {hidden} /workspace /environment /tmp /tools || echo none").endswith("none")
    every = "git cat-file --batch-all-objects --batch-check='%(objectname)' | git cat-file --batch"
    assert run(env, f"{every} | grep -ac {hidden}").endswith("\n0")
    # The right line is nowhere, either.
    assert run(env, "grep -rs 'start <= found' /workspace /tools || echo none").endswith("none")


@pytest.mark.parametrize(
    "command",
    [
        "printf 'import pytest\\n@pytest.hookimpl(hookwrapper=True)\\ndef pytest_runtest_makereport(item, call):\\n"
        ' r = yield\\n r.get_result().outcome = "passed"\\n\' > conftest.py; cp conftest.py tests',
        "for f in tests/*.py; do echo 'def test_nothing(): pass' > $f; done",
        "rm -r tests; mkdir tests",
        "printf '[pytest]\\naddopts = --co\\n' > pytest.ini",
        "mkdir -p pytest; echo 'def main(*a, **k): return 0' > pytest/__init__.py",
        "echo 'import os; os._exit(0)' > sitecustomize.py; cp sitecustomize.py usercustomize.py",
        "git config core.hooksPath .; printf '#!/bin/sh\\nexit 0\\n' > post-applypatch; chmod +x post-applypatch",
        "rm -rf .git; ln -s /environment/pytest spans_link",
    ],
)
def test_tampering_earns_nothing(env: SweEnv, command: str) -> None:
    _, reward, terminated, _, _ = play(env, fenced(command), SUBMIT)
    assert (reward, terminated) == (0.0, True)


def test_the_patch_is_made_from_files_whatever_git_says(env: SweEnv) -> None:
    lies = "git add -A; git commit -qm done; git update-index --assume-unchanged spans/sets.py; rm -rf .git/objects"
    assert play(env, RIGHT, fenced(lies), SUBMIT)[1] == 1.0


def test_a_flood_is_stopped_and_cut() -> None:
    env = begin(output_bytes=100_000, observation_chars=1000)
    observation = run(env, "yes")
    assert observation.startswith("The command was stopped because it wrote too much")
    assert len(observation) < 1300
    assert run(env, "echo still here") == "Exit code 0.\nstill here"
    env.close()


def test_a_command_that_hangs_is_stopped() -> None:
    env = begin(command_s=0.5)
    assert run(env, "sleep 60 & sleep 60").startswith("The command was stopped at its time limit")
    assert run(env, "ps aux | grep -c '[s]leep 60'").endswith("\n0")
    env.close()


def test_the_time_of_an_episode_is_limited() -> None:
    env = begin(episode_s=1.0, command_s=10.0)
    _, reward, terminated, truncated, info = play(env, fenced("sleep 20"))
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert "within 1 s of commands" in info["verdict"].reason


def test_the_characters_of_an_episode_are_limited() -> None:
    env = begin(max_episode_chars=5_000)
    assert play(env, fenced("seq 1 3000"))[1:4] == (0.0, False, True)


@pytest.mark.parametrize(("submits", "reward"), [(False, 0.0), (True, 1.0)])
def test_a_limit_submits_only_where_asked(submits: bool, reward: float) -> None:
    env = begin(max_turns=2, submit_at_limit=submits)
    step = play(env, RIGHT, fenced("true"))
    assert step[1:4] == (reward, submits, not submits)


def test_too_large_a_change_is_malformed() -> None:
    env = begin(max_patch_bytes=1000)
    verdict = play(env, fenced("head -c 2000 /dev/zero > big"), SUBMIT)[4]["verdict"]
    assert (verdict.status, verdict.score) == (Status.MALFORMED, 0.0)


def test_a_lost_sandbox_masks_the_episode(env: SweEnv) -> None:
    run(env, "true")
    assert env._session is not None
    env._session._sandbox.stop()
    _, reward, terminated, truncated, info = env.step(fenced("ls"))
    assert math.isnan(reward)
    assert (terminated, truncated, info["masked"]) == (False, True, True)
    assert info["verdict"].status is Status.INFRASTRUCTURE


def test_a_state_is_restored_by_doing_everything_again(env: SweEnv) -> None:
    play(
        env,
        fenced("mkdir notes; echo a > notes/x; git add -A; git commit -qm x"),
        RIGHT,
        fenced("rm notes/x"),
    )
    state, print_ = json.loads(json.dumps(env.get_state())), env.fingerprint()
    other = make("swe", ids=(ID,), **LIMITS)
    other.set_state(state)
    assert other.fingerprint() == print_
    assert run(env, "echo more > y") == run(other, "echo more > y")  # type: ignore[arg-type]
    assert other.fingerprint() == env.fingerprint() != print_
    copy = pickle.loads(pickle.dumps(env))
    assert copy.fingerprint() == env.fingerprint()
    env.set_state(state)
    assert env.fingerprint() == print_
    for each in (env, other, copy):
        assert each.step(SUBMIT)[1] == 1.0


def test_twenty_episodes_at_once_leave_nothing(env: SweEnv) -> None:
    run(env, "true")
    env.close()
    before = census()
    with ThreadPoolExecutor(20) as threads:
        envs = [begin() for _ in range(20)]
        texts = [*threads.map(lambda each: run(each, "sleep 300 & echo $RANDOM > x; ls"), envs)]
        assert all("spans" in text for text in texts)
        prints = {each.fingerprint() for each in envs}
        assert len(prints) > 1
        # Some end, some are closed, some are forgotten.
        assert [*threads.map(lambda each: each.step(SUBMIT)[1], envs[:4])] == [0.0] * 4
        for each in envs[4:10]:
            each.close()
    del envs, each
    gc.collect()
    assert wait_until(lambda: nothing_new_since(before))


def test_an_unprivileged_user_plays_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid() != 0:
        pytest.skip("the runtime of an unprivileged user is what all other tests here have used")
    # Not below pytest's own folder, which is closed to the other user.
    with tempfile.TemporaryDirectory() as folder, lent_runtime() as lent:
        if missing := lent.missing():
            pytest.skip("; ".join(missing))
        Path(folder).chmod(0o755)
        env, as_root = begin(), begin()
        suite = read_instance(env.task.reference).suite
        monkeypatch.setenv("XDG_CACHE_HOME", folder)
        packages = Path(folder, "packages")
        shutil.copytree(suite.environment, packages)
        env.set_state({**env.get_state(), "task": _in(env, replace(suite, environment=packages)).to_dict()})
        env.__dict__["_runtime"] = lent
        checkout(read_instance(env.task.reference).suite)
        # An unprivileged user's own cache would be its own.
        for path in Path(folder).rglob("*"):
            os.chown(path, NOBODY, NOBODY)
        for action in (fenced("ls; git status --porcelain; python -m pytest -q 2>&1 | head -1"), RIGHT):
            assert env.step(action)[0] == as_root.step(action)[0]
        assert env.fingerprint() == as_root.fingerprint()
        assert env.step(SUBMIT)[1] == 1.0
        as_root.close()


def _in(env: SweEnv, suite: PytestSuite) -> Task:
    return replace(env.task, reference={**env.task.reference, "suite": suite_to_dict(suite)})


def test_the_oracle_solves_files_with_other_line_ends(env: SweEnv, tmp_path: Path) -> None:
    instance = read_instance(env.task.reference)
    before = base_files(instance.suite)
    crlf = {
        path: content.replace(b"\n", b"\r\n") if path.startswith("spans/") else content
        for path, content in before.items()
    }
    for path, content in crlf.items():
        place = tmp_path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    right = {path: content for path, content in apply_patch(instance.patch, before.get).items() if content}
    patch = make_patch(crlf, {**crlf, **{path: text.replace(b"\n", b"\r\n") for path, text in right.items()}})
    other = replace(instance, suite=replace(instance.suite, repository=tmp_path, setup_patch=""), patch=patch)
    task = replace(env.task, reference=other.to_dict(), hidden={"patch": patch})
    assert "\r" in patch
    assert env.judge(task, env.oracle(task) or "").passed


# The contract of environments does so with twelve of them.
@pytest.mark.slow
def test_the_oracle_solves_all_and_the_empty_agent_none() -> None:
    env = make("swe", split="all", **LIMITS)
    tasks = env.all_tasks()
    assert len(tasks) == 24
    solved = evaluate("oracle", env, tasks=tasks)
    assert solved.statuses == {"passed": 24}
    assert evaluate("empty", env, tasks=tasks).statuses == {"failed": 24}
    # Each of the tests counts.
    counts = [len(attempt.verdict.checks) for attempt in solved.attempts]
    wanted = [len(t.reference["fail_to_pass"]) + len(t.reference["pass_to_pass"]) for t in tasks]
    assert counts == wanted


def test_rows_of_a_folder_are_played(env: SweEnv, tmp_path: Path) -> None:
    other = make("swe", ids=("ledger-prefix",), **LIMITS).tasks(1, seed=0)[0]
    instances = [read_instance(task.reference) for task in (env.task, other)]
    file = write_instances(tmp_path / "rows", instances)
    for source in (file, file.parent):
        loaded = make("swe", file=source, split="all", **LIMITS)
        assert [task.id for task in loaded.all_tasks()] == [ID, "ledger-prefix"]
    assert evaluate("oracle", {"name": "swe", **LIMITS}, tasks=file).statuses == {"passed": 2}
    # The folders of the data set are played, not those that it was made from.
    assert str(tmp_path) in json.dumps(loaded.all_tasks()[0].reference)
    write_instances(tmp_path / "rows", instances[:1])
    assert len(make("swe", file=file, split="all").all_tasks()) == 1


def test_a_random_agent_gets_through_and_earns_nothing() -> None:
    actions = ["no idea", fenced("ls -R"), fenced("rm -rf *"), fenced("cat spans/*.py"), WRONG, SUBMIT]
    policy = ScriptedPolicy.random(actions)
    env = make("swe", ids=(ID,), max_turns=5, **LIMITS)
    report = evaluate(policy, env, tasks=1, n=6, max_new_tokens=1000, seed=1)
    assert set(report.statuses) <= {"failed"}
    assert max(len(attempt.responses) for attempt in report.attempts) > 1


def test_at_most_so_many_sandboxes_run_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SweEnv, "max_live", 2)
    seen = []

    def script(message: str, request: Any) -> str:
        seen.append(len(census().processes))
        return SUBMIT if "Exit code" in message else fenced("ls")

    before = len(census().processes)
    env = make("swe", ids=(ID,), **LIMITS)
    report = evaluate(ScriptedPolicy(script), env, tasks=1, n=5)
    assert report.statuses == {"failed": 5}
    # Two sandboxes are a launcher and a server each.
    assert max(seen) - before <= 4


def test_wrong_settings_are_told() -> None:
    with pytest.raises(ConfigError, match="Did you mean 'spans-touching'"):
        make("swe", ids=("spans-tuching",))
    with pytest.raises(ConfigError, match="runtime"):
        make("swe", runtime="lokal")
    with pytest.raises(ConfigError, match="exclude each other"):
        make("swe", file="x.jsonl", hub="y")


class Broken:
    """A runtime that cannot isolate."""

    def missing(self) -> list[str]:
        return ["a kernel"]

    def start(self, spec: object) -> object:
        raise UnavailableError("Missing: a kernel.")


@pytest.mark.parametrize("action", [fenced("ls"), RIGHT])
def test_where_nothing_isolates_nothing_runs(env: SweEnv, action: str) -> None:
    env.__dict__["_runtime"] = Broken()
    with pytest.raises(UnavailableError, match="a kernel"):
        env.step(action)


def test_a_sandbox_that_does_not_start_for_once_masks_the_episode(env: SweEnv) -> None:
    broken = Broken()
    broken.missing = list  # type: ignore[method-assign]
    env.__dict__["_runtime"] = broken
    assert env.step(RIGHT)[4]["verdict"].status is Status.INFRASTRUCTURE


def test_a_dead_sandbox_has_no_fingerprint(env: SweEnv) -> None:
    run(env, "true")
    assert env._session is not None
    env._session._sandbox.stop()
    with pytest.raises(SandboxLostError):
        env.fingerprint()
