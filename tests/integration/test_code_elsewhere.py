"""Hostile code earns nothing wherever the tests run: as commands of a sandbox, as root and as a user without rights."""

import contextlib
import os

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
def other_runner(request):
    """Runs tests in the ways that the verifier does not choose here."""
    is_root = os.geteuid() == 0
    with contextlib.ExitStack() as stack:
        if request.param == "zygote as nobody":
            zygotes = stack.enter_context(lent_zygotes()) if is_root else zygote
            made = zygotes.Zygote(**ZYGOTE, workers=1)
            stack.callback(made.close)
            yield ZygoteRunner(made)
            return
        as_nobody = request.param == "commands as nobody" and is_root
        runtime = stack.enter_context(lent_runtime()) if as_nobody else LocalRuntime()
        sandbox = stack.enter_context(runtime.start(Spec(limits=CodeConfig(**PATIENT).limits)))
        yield SandboxRunner(sandbox)


@pytest.mark.parametrize("reference", [CALLS, INSIDE], ids=["calls", "inside"])
@pytest.mark.parametrize("name", FEW)
def test_an_exploit_earns_nothing_elsewhere(name, reference, other_runner):
    terms = Terms(CodeConfig(**LIMITS).limits)
    for test in read_suite(reference).tests[:1]:
        assert run_test(test, EXPLOITS[name], "", other_runner, terms).kind in ("failed", "over_limit")


@pytest.mark.parametrize("name", HONEST)
def test_honest_code_passes_elsewhere(name, other_runner):
    reference, code = HONEST[name]
    terms = Terms(CodeConfig(**PATIENT).limits)
    for test in read_suite(reference).tests:
        outcome = run_test(test, code, "", other_runner, terms)
        assert outcome.kind == "passed", outcome


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


def test_the_judges_process_is_closed_to_the_candidate(other_runner):
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
