"""The verifier decorator, the `Verifier` it makes, and `verify`."""

import asyncio
import os
import time
from collections.abc import Iterator

import pytest

from rlvr_gym.config import Config
from rlvr_gym.errors import ConfigError, DuplicateNameError, TaskError, UnknownNameError, UsageError
from rlvr_gym.types import Check, Status, Task, Verdict
from rlvr_gym.verifiers import VERIFIERS, Verifier, make_verifier, verifier, verify
from rlvr_gym.verifiers.base import Rules
from rlvr_gym.verifiers.pool import VerifierBug, VerifierPool


class Length(Config):
    """Settings of the verifiers below."""

    longest: int = 5
    """Characters that pass."""


def length(task: Task, response: str, config: Length) -> Verdict:
    """Pass short responses; the reason says which process judged.

    Not in the table.
    """
    status = Status.PASSED if len(response) <= config.longest else Status.FAILED
    return Verdict.of(status, f"{os.getpid()}")


def deep(task: Task, response: str, config: Length) -> Verdict:
    return Verdict.of(Status.PASSED, f"deep {os.getpid()}")


def shallow(task: Task, response: str, config: Length) -> Verdict:
    if response == "hard":
        return Verdict.of(Status.UNDECIDED, "too hard")
    return length(task, response, config)


def hang(task: Task, response: str, config: Length) -> Verdict:
    while response == "hang":
        10**10**8
    return length(task, response, config)


def careless(task: Task, response: str, config: Length) -> Verdict:
    if task.reference == "bad":
        raise TaskError("reference 'bad' does not parse.")
    if response == "bug":
        raise ZeroDivisionError("a bug")
    if response == "none":
        return None  # type: ignore[return-value]
    return Verdict.of(Status.FAILED, "r" * 5000, checks=(Check("n" * 5000, False, "d" * 5000),))


def asks_another(task: Task, response: str, config: Length) -> Verdict:
    if "test_inner" not in VERIFIERS:
        verifier("test_inner", config=Length)(length)
    return Verdict.of(Status.PASSED, f"{os.getpid()} {Verifier('test_inner').check(task, response).reason}")


def slow(task: Task, response: str, config: Length) -> Verdict:
    time.sleep(0.001)
    return (
        careless(task, response, config) if response in {"bug", "none"} else shallow(task, response, config)
    )


REGISTERED = {
    "test_length": (length, {"version": 3, "paper": "arXiv:1"}),
    "test_bounded": (length, {"bounded": True}),
    "test_escalate": (shallow, {"bounded": True, "escalate": deep}),
    "test_hang": (hang, {"timeout_s": 0.3}),
    "test_careless": (careless, {"timeout_s": 30.0}),
    "test_careless_bounded": (careless, {"bounded": True}),
    "test_asks_another": (asks_another, {"timeout_s": 30.0, "preload": ["fractions"]}),
    "test_slow": (slow, {"bounded": True, "escalate": deep, "timeout_s": 30.0}),
}


@pytest.fixture(scope="module", autouse=True)
def _registered() -> Iterator[None]:
    VERIFIERS.load()
    for name, (judge, rules) in REGISTERED.items():
        if name not in VERIFIERS:
            verifier(name, config=Length, **rules)(judge)  # type: ignore[arg-type]
    yield
    for name in REGISTERED:
        del VERIFIERS._entries[name]


@pytest.fixture(scope="module")
def pool() -> Iterator[VerifierPool]:
    with VerifierPool(workers=2) as pool:
        yield pool


def task(reference: object = None) -> Task:
    return Task(id="t", prompt="", reference=reference)


def test_the_decorator_returns_the_judge_and_registers_what_it_was_told() -> None:
    entry = VERIFIERS["test_length"]
    assert entry.value == Rules(length, False, None, 1.5, 3, ())
    assert (entry.config, entry.paper) == (Length, "arXiv:1")
    assert entry.summary == "Pass short responses; the reason says which process judged."
    assert verifier("test_once")(length) is length
    with pytest.raises(DuplicateNameError, match="verifier 'test_once' is registered twice"):
        verifier("test_once")(length)
    del VERIFIERS._entries["test_once"]


def test_a_wrong_name_or_setting_says_the_right_one() -> None:
    with pytest.raises(
        UnknownNameError, match=r"No verifier is named 'test_lenght'\. Did you mean 'test_length'"
    ):
        Verifier("test_lenght")
    with pytest.raises(
        ConfigError, match=r"verifier 'test_length'.longst is not a setting. Did you mean 'longest'"
    ):
        make_verifier("test_length", longst=3)
    with pytest.raises(ConfigError, match=r"verifier 'test_length'.longest: .* got 'many'"):
        verify("test_length", "x", reference=None, longest="many")


def test_a_bounded_judge_runs_here_and_any_other_in_a_worker(pool: VerifierPool) -> None:
    here = Verifier("test_bounded", pool=pool).check(task(), "x")
    there = Verifier("test_length", pool=pool).check(task(), "x")
    assert here.reason == f"{os.getpid()}"
    assert there.passed
    assert there.reason != f"{os.getpid()}"
    assert (here.verifier, there.verifier) == ("test_bounded@1", "test_length@3")
    assert 0 < here.seconds < there.seconds


def test_settings_reach_the_judge_wherever_it_runs(pool: VerifierPool) -> None:
    for name in ("test_bounded", "test_length"):
        assert not Verifier(name, {"longest": 2}, pool=pool).check(task(), "abc").passed
        assert Verifier(name, {"longest": 3}, pool=pool).check(task(), "abc").passed


def test_what_stays_undecided_is_escalated_to_a_worker(pool: VerifierPool) -> None:
    check = Verifier("test_escalate", pool=pool).check
    assert check(task(), "easy").reason == f"{os.getpid()}"
    kind, pid = check(task(), "hard").reason.split()
    assert (kind, pid != f"{os.getpid()}") == ("deep", True)


def test_a_hang_is_a_timeout_and_nobody_is_paid(pool: VerifierPool) -> None:
    verdict = Verifier("test_hang", pool=pool).check(task(), "hang")
    assert (verdict.status, verdict.score, verdict.passed) == (Status.TIMEOUT, None, False)
    assert verdict.verifier == "test_hang@1"
    assert verdict.seconds >= 0.3


@pytest.mark.parametrize("name", ["test_careless", "test_careless_bounded"])
def test_texts_of_a_verdict_are_cut(name: str, pool: VerifierPool) -> None:
    verdict = Verifier(name, pool=pool).check(task(), "x")
    assert verdict.reason == "r" * 1997 + "..."
    assert verdict.checks == (Check("n" * 497 + "...", False, "d" * 497 + "..."),)


@pytest.mark.parametrize("name", ["test_careless", "test_careless_bounded"])
def test_a_bad_reference_raises_and_is_no_verdict(name: str, pool: VerifierPool) -> None:
    with pytest.raises(TaskError, match="reference 'bad' does not parse"):
        Verifier(name, pool=pool).check(task("bad"), "x")


def test_bugs_propagate(pool: VerifierPool) -> None:
    with pytest.raises(VerifierBug, match="ZeroDivisionError: a bug"):
        Verifier("test_careless", pool=pool).check(task(), "bug")
    with pytest.raises(ZeroDivisionError):
        Verifier("test_careless_bounded", pool=pool).check(task(), "bug")
    for name in ("test_careless", "test_careless_bounded"):
        with pytest.raises(TypeError, match=f"verifier '{name}' returned NoneType, not a Verdict"):
            Verifier(name, pool=pool).check(task(), "none")


def test_a_judge_that_asks_another_verifier_stays_in_its_worker(pool: VerifierPool) -> None:
    outer, inner = Verifier("test_asks_another", pool=pool).check(task(), "x").reason.split()
    assert outer == inner != f"{os.getpid()}"


def test_acheck_agrees_with_check(pool: VerifierPool) -> None:
    cases = [
        ("test_bounded", "x"),
        ("test_bounded", "longer text"),
        ("test_hang", "x"),
        ("test_hang", "hang"),
    ]

    async def main() -> list[Verdict]:
        return await asyncio.gather(*(Verifier(name, pool=pool).acheck(task(), text) for name, text in cases))

    for (name, text), verdict in zip(cases, asyncio.run(main()), strict=True):
        again = Verifier(name, pool=pool).check(task(), text)
        assert (verdict.status, verdict.score, verdict.verifier) == (
            again.status,
            again.score,
            again.verifier,
        )


def test_acheck_escalates(pool: VerifierPool) -> None:
    verdict = asyncio.run(Verifier("test_escalate", pool=pool).acheck(task(), "hard"))
    assert verdict.reason.startswith("deep")


def test_verify_judges_without_an_environment() -> None:
    verdict = verify("test_bounded", "abcdef", reference=None, prompt="how?", longest=6)
    assert (verdict.status, verdict.passed, verdict.score) == (Status.PASSED, True, 1.0)


TEXTS = ["x" * (n % 9) for n in range(200)]
EXPECTED = [Status.PASSED if len(text) <= 5 else Status.FAILED for text in TEXTS]


@pytest.mark.parametrize("name", ["test_bounded", "test_slow", "test_hang"])
def test_many_verdicts_come_in_the_order_of_their_cases(name: str, pool: VerifierPool) -> None:
    check = Verifier(name, pool=pool)
    cases = ((task(), text) for text in TEXTS)
    assert [verdict.status for verdict in check.check_many(cases)] == EXPECTED
    assert list(check.check_many([])) == []


def test_many_cases_of_a_quick_verifier_stay_here_and_those_of_a_slow_one_leave(pool: VerifierPool) -> None:
    def judged_by(name: str) -> set[str]:
        return {v.reason for v in Verifier(name, pool=pool).check_many([(task(), "x")] * 200)}

    own = f"{os.getpid()}"
    assert judged_by("test_bounded") == {own}
    assert len(judged_by("test_slow") - {own}) >= 1


def test_a_hang_among_many_costs_only_its_own_verdict(pool: VerifierPool) -> None:
    texts = ["x", "hang", "x", "x", "hang", "x"]
    verdicts = list(Verifier("test_hang", pool=pool).check_many([(task(), text) for text in texts]))
    assert [v.status is Status.TIMEOUT for v in verdicts] == [text == "hang" for text in texts]


def test_many_escalate_only_what_is_undecided(pool: VerifierPool) -> None:
    texts = ["x", "hard"] * 40
    verdicts = list(Verifier("test_slow", pool=pool).check_many([(task(), text) for text in texts]))
    assert [v.reason.startswith("deep") for v in verdicts] == [text == "hard" for text in texts]


@pytest.mark.parametrize(("name", "kind"), [("test_slow", ZeroDivisionError), ("test_careless", VerifierBug)])
def test_a_bug_among_many_raises_in_its_place(name: str, kind: type[Exception], pool: VerifierPool) -> None:
    verdicts = Verifier(name, pool=pool).check_many([(task(), "x")] * 70 + [(task(), "bug"), (task(), "x")])
    assert len([next(verdicts) for _ in range(70)]) == 70
    with pytest.raises(kind, match="a bug"):
        next(verdicts)
    assert list(verdicts) == []


def test_many_read_ahead_by_a_bounded_number_of_cases(pool: VerifierPool) -> None:
    read = 0

    def cases() -> Iterator[tuple[Task, str]]:
        nonlocal read
        while True:
            read += 1
            yield task(), "x"

    verdicts = Verifier("test_slow", pool=pool).check_many(cases())
    for _ in range(40):
        next(verdicts)
    assert read < 300
    verdicts.close()  # type: ignore[attr-defined]
    assert pool.call(os.getpid, (), timeout_s=30) != os.getpid()


def test_a_judge_that_no_worker_can_find_says_so_when_it_judges() -> None:
    verifier("test_lambda", config=Length)(lambda task, response, config: Verdict.of(Status.PASSED, ""))
    try:
        with pytest.raises(UsageError, match="define the judge with def at the top of a module"):
            verify("test_lambda", "x", reference=None)
    finally:
        del VERIFIERS._entries["test_lambda"]
