"""The zygote: warm interpreters that fork for each program."""

from __future__ import annotations

import contextlib
import json
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from rlvr_gym.runtimes.base import End, Limits, SandboxLostError, UnavailableError
from rlvr_gym.runtimes.local import LocalRuntime
from rlvr_gym.runtimes.zygote import Zygote
from tests.integration.as_nobody import lent_zygotes
from tests.integration.attacks import ATTACKS, END, PRELUDE
from tests.integration.attacks.runtimes import attacked_host
from tests.integration.leftovers import census, nothing_new_since, wait_until

LIMITS = Limits(
    wall_s=10,
    cpu_s=4,
    memory_mib=192,
    pids=32,
    disk_mib=32,
    inodes=2000,
    output_bytes=200_000,
    open_files=128,
)
# Of an agent's sandbox only: a run has no workspace that was prepared, and starts no shell of the user's.
_ELSEWHERE = {"changing_the_prepared_workspace"}


@pytest.fixture(scope="module")
def host() -> Iterator[dict[str, Any]]:
    with attacked_host() as facts:
        yield facts


@pytest.fixture(scope="module", params=["as this user", "as nobody"])
def zygote(request: pytest.FixtureRequest, host: dict[str, Any]) -> Iterator[Any]:
    with contextlib.ExitStack() as stack:
        make: Any = Zygote
        if request.param == "as nobody":
            if os.geteuid() != 0:
                pytest.skip("the other parameter already runs unprivileged")
            make = stack.enter_context(lent_zygotes()).Zygote
        try:
            made = make(imports=("math", "random"), workers=2, limits=LIMITS)
        except UnavailableError as error:
            pytest.skip(str(error))
        stack.callback(made.close)
        yield made


def test_a_program_runs_as_a_script(zygote: Any) -> None:
    source = """
import os, sys, math
def main():
    print(input(), __name__, sys.argv[1:], open("data/x").read(), math.pi > 3)
    print("problem", file=sys.stderr)
    sys.exit(3)
if __name__ == "__main__":
    main()
"""
    result = zygote.run(source, stdin=b"line", argv=["a", "b"], files={"data/x": b"content"})
    assert (result.end, result.code) == (End.EXITED, 3)
    assert result.stdout == b"line __main__ ['a', 'b'] content True\n"
    assert result.stderr == b"problem\n"


def test_an_exception_is_a_traceback_of_the_programs_own_frames(zygote: Any) -> None:
    result = zygote.run("def f(): return 1 / 0\nf()")
    assert result.code == 1
    assert result.stderr.endswith(b"ZeroDivisionError: division by zero\n")
    assert b"isolation" not in result.stderr


def test_exit_handlers_and_threads_finish(zygote: Any) -> None:
    source = """
import atexit, threading, time
atexit.register(lambda: print("handler"))
threading.Thread(target=lambda: (time.sleep(0.1), print("thread"))).start()
"""
    assert zygote.run(source).stdout == b"thread\nhandler\n"


@pytest.mark.parametrize("name", sorted(set(ATTACKS) - _ELSEWHERE))
def test_attack_gets_nothing(name: str, zygote: Any, host: dict[str, Any]) -> None:
    result = zygote.run(PRELUDE + ATTACKS[name] + END, argv=[json.dumps(host)])
    assert b"ESCAPED" not in result.stdout, result.stdout.decode()
    assert b"held" in result.stdout, result


SPINS = {
    "alone": "while True: pass",
    "in four processes": "import os\nos.fork(); os.fork()\nwhile True: pass",
    "asleep": "import time; time.sleep(60)",
    "forking": "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass",
}


@pytest.mark.parametrize("name", SPINS)
def test_what_does_not_end_is_ended(name: str, zygote: Any) -> None:
    assert zygote.run(SPINS[name], limits=replace(LIMITS, wall_s=0.3)).end is End.TIMEOUT
    assert zygote.run("print('alive')").stdout == b"alive\n"


@pytest.mark.parametrize(
    ("source", "ends"),
    [
        ("x = bytearray(1 << 30)", (End.MEMORY, End.EXITED)),
        ("while True: print('x' * 1000)", (End.OUTPUT,)),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\nos._exit(9)", (End.EXITED,)),
        (
            "import os\nwhile True:\n  try: os.close(os.open(str(os.urandom(8).hex()), os.O_CREAT))\n  except OSError: break",
            (End.EXITED,),
        ),
        ("import os\nif os.fork(): os._exit(0)\nos.setsid()\nimport time; time.sleep(60)", (End.EXITED,)),
    ],
)
def test_bombs_end_typed(source: str, ends: tuple[End, ...], zygote: Any) -> None:
    assert zygote.run(source).end in ends
    assert zygote.run("print('alive')").stdout == b"alive\n"


def test_a_harness_has_a_private_pipe(zygote: Any) -> None:
    harness = """
names = {}
exec(program, names)
print("to stdout")
send(repr(names["f"](int(payload))).encode())
"""
    result = zygote.call(harness, program="def f(x): return x + 1", payload=b"41")
    assert (result.channel, result.stdout) == (b"42", b"to stdout\n")
    assert zygote.call(harness, program="import os; os._exit(0)", payload=b"1").channel == b""


def test_a_program_has_no_private_pipe(zygote: Any) -> None:
    assert (
        zygote.run("import os\ntry: os.write(3, b'forged')\nexcept OSError: print('closed')").stdout
        == b"closed\n"
    )
    assert "send" not in zygote.run("print(sorted(globals()))").stdout.decode()


def test_a_run_leaves_nothing_to_the_next(zygote: Any) -> None:
    leave = """
import builtins, math, os, sys
math.pi = 4; builtins.len = None; sys.modules["random"] = None; os.environ["LEFT"] = "1"
open("/workspace/left", "w").close(); open("/tmp/left", "w").close(); open("/dev/shm/left", "w").close()
"""
    look = """
import builtins, math, os, random
print(math.pi == 4, builtins.len is None, "LEFT" in os.environ, *map(os.listdir, ("/workspace", "/tmp", "/dev/shm")))
"""
    for _ in range(2):
        assert zygote.run(leave).code == 0
    for _ in range(2):
        assert zygote.run(look).stdout == b"False False False [] [] []\n"


def test_a_run_cannot_read_what_an_earlier_one_was_given(zygote: Any) -> None:
    secret = os.urandom(8).hex()
    for _ in range(4):
        program = f"# {secret}\nprint('{secret}')"
        assert (
            secret.encode()
            in zygote.call("send(payload); exec(program)", program=program, payload=secret.encode()).channel
        )
    # A pattern that does not look like what it finds, so that the search does not find itself.
    search = f"""
import ctypes, re
pattern = re.compile(rb"{secret[:8]}[{secret[8]}]{secret[9:]}")
found = 0
for line in open("/proc/self/maps"):
    span, mode, *_ = line.split()
    name = line.split(maxsplit=5)[5:]
    if mode.startswith("rw") and (not name or name[0].startswith(("[heap]", "[stack]", "/dev/zero"))):
        start, end = (int(part, 16) for part in span.split("-"))
        for at in range(start, end, 1 << 20):
            found += len(pattern.findall(ctypes.string_at(at, min(1 << 20, end - at))))
print("found", found)
"""
    for _ in range(2):
        assert zygote.run(search).stdout == b"found 0\n"
    # The search works: a run finds what is in its own memory.
    assert zygote.run(f"held = '{secret}'.encode()" + search).stdout != b"found 0\n"


def test_runs_draw_different_random_numbers(zygote: Any) -> None:
    assert len({zygote.run("import random; print(random.random())").stdout for _ in range(4)}) == 4


def test_many_threads_share_the_workers(zygote: Any) -> None:
    with ThreadPoolExecutor(6) as pool:
        outputs = list(pool.map(lambda n: zygote.run(f"print({n})").stdout, range(60)))
    assert outputs == [f"{n}\n".encode() for n in range(60)]


@pytest.mark.parametrize("name", ["../outside", "/etc/passwd", "a/../../x"])
def test_a_file_that_would_lie_elsewhere_is_no_fault_of_the_program(name: str, zygote: Any) -> None:
    result = zygote.run("print(1)", files={name: b""})
    assert (result.end, result.code, result.stdout) == (End.LOST, None, b"")
    assert "did not start" in result.detail


def test_files_belong_to_the_program(zygote: Any) -> None:
    result = zygote.run(
        "open('given', 'a').write('more'); print(open('given').read())", files={"given": b"x"}
    )
    assert result.stdout == b"xmore\n"


def test_an_interrupted_request_leaves_no_answer_behind() -> None:
    if LocalRuntime().missing():
        pytest.skip("; ".join(LocalRuntime().missing()))

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with Zygote(workers=1) as zygote:
        before = signal.signal(signal.SIGALRM, interrupt)
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        try:
            with pytest.raises(KeyboardInterrupt):
                zygote.run("import time; time.sleep(1); print('late')")
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        assert zygote.run("print('next')").stdout == b"next\n"


def test_a_lost_worker_is_replaced() -> None:
    if LocalRuntime().missing():
        pytest.skip("; ".join(LocalRuntime().missing()))
    with Zygote(workers=1) as zygote:
        (worker,) = zygote._workers
        os.kill(worker._process.pid, signal.SIGKILL)
        assert zygote.run("print(1)").end is End.LOST
        assert zygote.run("print(1)").stdout == b"1\n"


def test_a_closed_zygote_says_so() -> None:
    if LocalRuntime().missing():
        pytest.skip("; ".join(LocalRuntime().missing()))
    zygote = Zygote(workers=1)
    zygote.close()
    zygote.close()
    with pytest.raises(SandboxLostError):
        zygote.run("print(1)")


def test_an_import_that_fails_is_named() -> None:
    if LocalRuntime().missing():
        pytest.skip("; ".join(LocalRuntime().missing()))
    with pytest.raises(UnavailableError, match="no_such_module"):
        Zygote(imports=("no_such_module",), workers=1)


def test_two_hundred_runs_leave_nothing() -> None:
    if LocalRuntime().missing():
        pytest.skip("; ".join(LocalRuntime().missing()))
    before = census()
    with Zygote(workers=2) as zygote:
        for number in range(200):
            assert zygote.run(f"open('x', 'w').write('y'); print({number})").code == 0
    assert wait_until(lambda: nothing_new_since(before))


@pytest.mark.slow
def test_a_thousand_runs_leave_nothing() -> None:
    if LocalRuntime().missing():
        pytest.skip("; ".join(LocalRuntime().missing()))
    before = census()
    with Zygote(workers=2, limits=LIMITS) as zygote, ThreadPoolExecutor(4) as pool:
        sources = [
            "print(1)",
            "import os\nif not os.fork(): os.setsid(); __import__('time').sleep(60)",
            "1 / 0",
        ]
        ends = list(pool.map(lambda n: zygote.run(sources[n % 3]).end, range(1000)))
    assert set(ends) == {End.EXITED}
    assert wait_until(lambda: nothing_new_since(before))
