"""Hostile code earns nothing wherever the tests run: as commands of a sandbox, as root and as a user without rights."""

import contextlib
import os
import queue

import pytest

from rlvr_gym.runtimes import zygote
from rlvr_gym.runtimes.base import Spec
from rlvr_gym.runtimes.local import LocalRuntime
from rlvr_gym.verifiers.code import CodeConfig
from rlvr_gym.verifiers.code_tests.runners import ZYGOTE, SandboxRunner, ZygoteRunner
from rlvr_gym.verifiers.code_tests.running import Terms, run_test
from rlvr_gym.verifiers.code_tests.suite import read_suite
from tests.data.code_exploits import CALLS, EXPLOITS, HONEST, INSIDE, LIMITS, PATIENT
from tests.integration.as_nobody import lent_runtime, lent_zygotes
from tests.integration.side_by_side import SideBySide, selected

KINDS = {"calls": CALLS, "inside": INSIDE}
FEW = (
    "os._exit in the call",
    "kills all it can",
    "always equal",
    "writes everywhere and leaves",
    "answers for its judge",
    "reads the parent's memory",
    "reads the parent's descriptors",
    "reads its own memory",
    "takes a descriptor of its parent",
    "spins",
    "memory bomb",
    "huge output",
)


@pytest.fixture(scope="module", params=["commands", "commands as nobody", "zygote as nobody"])
def way(request):
    return request.param


@pytest.fixture(scope="module")
def runners(way):
    """Two runners of tests in the ways that the verifier does not choose here."""
    is_root = os.geteuid() == 0
    with contextlib.ExitStack() as stack:
        if way == "zygote as nobody":
            zygotes = stack.enter_context(lent_zygotes()) if is_root else zygote
            made = zygotes.Zygote(**ZYGOTE, workers=2)
            stack.callback(made.close)
            yield [ZygoteRunner(made), ZygoteRunner(made)]
            return
        as_nobody = way == "commands as nobody" and is_root
        runtime = stack.enter_context(lent_runtime()) if as_nobody else LocalRuntime()
        spec = Spec(limits=CodeConfig(**PATIENT).limits)
        yield [SandboxRunner(stack.enter_context(runtime.start(spec))) for _ in range(2)]


@pytest.fixture(scope="module")
def outcomes(way, runners, request):
    idle = queue.SimpleQueue()
    for runner in runners:
        idle.put(runner)

    def run(case):
        kind, name = case
        reference, code = HONEST[name] if kind == "honest" else (KINDS[kind], EXPLOITS[name])
        terms = Terms(CodeConfig(**(PATIENT if kind == "honest" else LIMITS)).limits)
        tests = read_suite(reference).tests
        runner = idle.get()
        try:
            return [
                run_test(test, code, "", runner, terms) for test in (tests if kind == "honest" else tests[:1])
            ]
        finally:
            idle.put(runner)

    with SideBySide(run, selected(request, "kind", "name", way=way)) as found:
        yield found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", FEW)
def test_an_exploit_earns_nothing_elsewhere(name, kind, outcomes):
    (outcome,) = outcomes[kind, name]
    assert outcome.kind in ("failed", "over_limit")


@pytest.mark.parametrize("kind", ["honest"])
@pytest.mark.parametrize("name", HONEST)
def test_honest_code_passes_elsewhere(name, kind, outcomes):
    found = outcomes[kind, name]
    assert found
    assert all(outcome.kind == "passed" for outcome in found), found


OPENED = r"""
import ctypes, os
def answer(n):
    libc, parent, found = ctypes.CDLL(None, use_errno=True), os.getppid(), []
    for name in ("mem", "maps", "environ", "fd", "task/%d/mem" % parent, "auxv", "syscall"):
        try:
            path = f"/proc/{parent}/{name}"
            os.listdir(path) if name == "fd" else open(path, "rb").read(0 if name == "mem" else 9)
            found.append(name)
        except OSError:
            pass
    if libc.ptrace(16, parent, 0, 0) == 0:
        found.append("ptrace")
    vector = (ctypes.c_size_t * 2)(id(found), 8)
    if libc.process_vm_readv(parent, ctypes.byref(vector), 1, ctypes.byref(vector), 1, 0) >= 0:
        found.append("process_vm_readv")
    pid = libc.syscall(434, parent, 0)
    if any(libc.syscall(438, pid, fd, 0) >= 0 for fd in range(32)):
        found.append("pidfd_getfd")
    return found
"""


def test_the_judges_process_is_closed_to_the_candidate(runners):
    other_runner = runners[0]
    # A loop, so that it runs inside; the parent of the candidate is then the process that knows what is expected.
    (test,) = read_suite(["for n in [1]:\n    assert answer(n) == []"]).tests
    terms = Terms(CodeConfig(**PATIENT).limits, show_expected=True)
    assert run_test(test, OPENED, "", other_runner, terms).kind == "passed"
    (test,) = read_suite(["for n in [1]:\n    assert answer(n) == 0"]).tests
    own = OPENED.replace("os.getppid()", "os.getpid()")
    assert (
        run_test(
            test, f"{own}\nlook = answer\ndef answer(n): return int(look(n) == [])", "", other_runner, terms
        ).kind
        == "passed"
    )
