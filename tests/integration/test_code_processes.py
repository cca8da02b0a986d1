"""The code verifier gives the same verdicts from threads, event loops, forks and new processes, and leaves none behind."""

import asyncio
import multiprocessing
import pickle
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from rlvr_gym.types import Task
from rlvr_gym.verifiers import make_verifier

TASK = Task(id="a", prompt="", reference=["assert f(1) == 2"])
RIGHT = "```python\ndef f(x): return 2\n```"
WRONG = "```python\ndef f(x): return 1\n```"


def passes(response=RIGHT):
    return make_verifier("code").check(TASK, response).passed


def judge_in(queue):
    queue.put((passes(RIGHT), passes(WRONG)))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_another_process_judges_too_and_leaves_this_one_alone(method):
    assert passes()
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    process = context.Process(target=judge_in, args=(queue,))
    process.start()
    assert queue.get(timeout=60) == (True, False)
    process.join()
    assert process.exitcode == 0
    assert passes()


def test_threads_and_event_loops_judge_side_by_side():
    with ThreadPoolExecutor(6) as threads:
        assert list(threads.map(passes, [RIGHT, WRONG] * 12)) == [True, False] * 12

    async def several():
        verifier = make_verifier("code")
        return await asyncio.gather(*(verifier.acheck(TASK, each) for each in [RIGHT, WRONG] * 6))

    assert [verdict.passed for verdict in asyncio.run(several())] == [True, False] * 6


def test_many_cases_are_judged_in_their_order():
    verifier = pickle.loads(pickle.dumps(make_verifier("code")))
    cases = [(TASK, response) for response in [RIGHT, WRONG, "no code"] * 8]
    assert [str(verdict.status) for verdict in verifier.check_many(cases)] == [
        "passed",
        "failed",
        "malformed",
    ] * 8


SCRIPT = """
import sys, time
import psutil
from rlvr_gym import verify
assert verify("code", "```python\\ndef f(x): return 2\\n```", reference=["assert f(1) == 2"]).passed
print(*[child.pid for child in psutil.Process().children(recursive=True)], flush=True)
time.sleep(60 if sys.argv[1] == "killed" else 0)
"""


@pytest.mark.parametrize("how", ["killed", "ended"])
def test_nothing_is_left_when_the_process_is_gone(how):
    root = Path(__file__).parents[2]
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, how], cwd=root, stdout=subprocess.PIPE, text=True
    )
    with process:
        pids = [int(pid) for pid in process.stdout.readline().split()]
        assert pids
        if how == "killed":
            process.kill()
        process.wait(timeout=60)
    deadline = time.monotonic() + 10
    while any(map(psutil.pid_exists, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(map(psutil.pid_exists, pids))
