"""Hostile answers: each ends in a typed verdict in under two seconds, from any thread and from asyncio."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable

import pytest

from rlvr_gym.types import Status, Task, Verdict
from rlvr_gym.verifiers.base import Verifier, make_verifier

TASK = Task(id="t", prompt="Integrate x.", reference="x")
SETTING = Task(id="s", prompt="Set an integral.")
LIMIT_S = 2.0

HOSTILE = {
    "200 nested brackets": "(" * 200 + "x^2/2" + ")" * 200,
    "200 nested bars": "|" * 200 + "x" + "|" * 200,
    "brackets that never close": "(" * 50_000,
    "a tower of nines": "9^9^9^9",
    "a tower of nines and the answer": "x^2/2 + 9^9^9^9",
    "a tower of the variable": "x^" * 300 + "x",
    "a long answer": "x^2/2 + " + "0*x + " * 9_000 + "0",
    "50 kB of letters": "x" * 50_000,
    "50 kB in a box": r"\boxed{" + "x+" * 25_000 + "x}",
    "a box that never closes": r"\boxed{" * 7_000,
    "nested boxes": r"\boxed{" * 500 + "x^3" + "}" * 500,
    "many boxes": r"\boxed{x^2/2} or " * 3_000,
    "a NUL": "x^2/2\0",
    "only NULs": "\0" * 1_000,
    "a thinking without end": "<think>" + "let me see " * 2_000 + "x^2/2",
    "many thinkings": "<think></think>" * 4_000 + "<think>",
    "code": "__import__('os').system('sleep 60')",
    "code as attributes": "().__class__.__base__.__subclasses__()",
    "Arabic-Indic digits": "x^٢/٢",
    "Devanagari digits": "x^२/२",
    "Cyrillic letters": "х^2/2",
    "a lone surrogate": "x^2/2\ud800",
    "a right-to-left mark": "x^2/2\u202e",
    "5,000 digits": "1" * 5_000,
    "5,000 digits as a coefficient": "1" * 5_000 + "x^2",
    "a decimal of 5,000 digits": "0." + "5" * 5_000 + "x^2",
    "a huge exponent": "x^" + "9" * 300,
    "a huge scientific number": "1e999999999 x",
    "20,000 displays": r"\[ " * 20_000,
    "50,000 dollars": "$ " * 50_000,
    "300 nested fractions": r"\frac{1}{1+" * 300 + "x" + "}" * 300,
    "fractions without arguments": r"\frac" * 3_000,
    "a sine of a tower": "sin(10^10^10)",
    "a sine of a large multiple": "sin(10^300 x)/10^300",
    "a tower of exponentials": "exp(" * 35 + "x" + ")" * 35,
    "repeated squaring": "((((((x^99)^99)^99)^99)^99)^99)",
    "a million as exponent": "(x+1/3)^999999 (x+1/7)^999999",
    "nowhere defined": "x^2/2 + 1/(x-x)",
    "nowhere defined and long": "1/(x-x)" + "+atan(sinh(x))" * 60,
    "a sum too small to see": "x^2/2 + x(1 - tanh(10^12(x^2+1)))",
    "many kinks": "+".join(f"|x-{i}|" for i in range(80)),
    "many hidden kinks": "+".join(f"|sin({i}x)|" for i in range(1, 40)),
    "roots that nearly meet": "|x^40 - (10^30 x - 1)^2|",
    "roots that nearly meet, often": "+".join(f"|x^9-(2^{i}x-1)^2|" for i in range(20, 31)),
    "a switch beyond every float": "x^2/2 + |x - 10^390| + x - 10^390",
    "signs": "-" * 3_900 + "x",
    "white space": " " * 60_000 + "x",
    "answer lines": "answer: " * 6_000,
    "tags": "<answer>" * 6_000,
}


def _in_main_thread(verifier: Verifier, answer: str) -> Verdict:
    return verifier.check(TASK, answer)


def _in_worker_thread(verifier: Verifier, answer: str) -> Verdict:
    found: list[Verdict] = []
    thread = threading.Thread(target=lambda: found.append(verifier.check(TASK, answer)))
    thread.start()
    thread.join()
    return found[0]


def _in_asyncio(verifier: Verifier, answer: str) -> Verdict:
    return asyncio.run(verifier.acheck(TASK, answer))


@pytest.fixture(scope="module")
def verifier() -> Verifier:
    """The verifier with its worker already started, as in a training run."""
    made = make_verifier("integral")
    assert made.check(TASK, HOSTILE["a sum too small to see"]).status is Status.UNDECIDED
    return made


@pytest.mark.parametrize("call", [_in_main_thread, _in_worker_thread, _in_asyncio])
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_answer_gets_a_typed_verdict_in_time(
    verifier: Verifier, name: str, call: Callable[[Verifier, str], Verdict]
) -> None:
    start = time.perf_counter()
    verdict = call(verifier, HOSTILE[name])
    assert time.perf_counter() - start < LIMIT_S
    assert verdict.status in (Status.FAILED, Status.MALFORMED, Status.UNDECIDED, Status.TIMEOUT), verdict
    assert not verdict.passed
    assert verdict.verifier == "integral@1"


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_proposal_gets_a_typed_verdict_in_time(name: str) -> None:
    setter = make_verifier(
        "integral_setter", max_chars=4_000, max_nodes=400, max_digits=400, max_exponent=10**6
    )
    for problem, answer in (
        (HOSTILE[name], "x^2/2"),
        ("x sin x", HOSTILE[name]),
        (HOSTILE[name], HOSTILE[name]),
    ):
        start = time.perf_counter()
        verdict = setter.check(SETTING, f"<problem>{problem}</problem><answer>{answer}</answer>")
        assert time.perf_counter() - start < LIMIT_S
        assert not verdict.passed, verdict


def test_threads_at_work_together_agree_with_one() -> None:
    """FLINT's precision is global, so threads must not change each other's."""
    verifier = make_verifier("integral")
    answers = ["x^2/2", "x^2/2 + 10^-300 x", "sin(10^30 x)", "x^2/2 + 10^40", "x|x|/2"] * 8
    alone = [verifier.check(TASK, answer) for answer in answers]

    async def together() -> list[Verdict]:
        return list(await asyncio.gather(*(verifier.acheck(TASK, answer) for answer in answers)))

    assert asyncio.run(together()) == alone
