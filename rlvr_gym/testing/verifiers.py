"""The contract of a verifier, for ours and for third parties'."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from rlvr_gym.envs import ENVS, make
from rlvr_gym.testing.contracts import run_contract, within_limit
from rlvr_gym.testing.hostile import HOSTILE
from rlvr_gym.types import Check, Json, Task, Verdict
from rlvr_gym.verifiers import Verifier

_NUM_EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Example:
    """Something to judge: a reference, and a response that must pass where one is known."""

    reference: Json
    right: str | None = None
    prompt: str = ""
    wrong: tuple[str, ...] = ()
    """Responses that must not pass; only an audit tries them."""

    def task(self, verifier: str) -> Task:
        """Return the example as a task."""
        return Task(id="example", prompt=self.prompt, reference=self.reference, verifier=verifier)


def check_verifier(name: str, *, examples: Sequence[Example] = (), **settings: Any) -> list[Check]:
    """Return one check per claim of the verifier contract.

    Args:
        name: Registered name.
        examples: What to judge; taken from an environment that uses the verifier when left out.
        **settings: Settings of the verifier.

    Raises:
        UnknownNameError: no such verifier.
        ConfigError: a wrong setting.
    """
    verifier = Verifier(name, settings)
    cases = list(examples) or examples_for(name)
    return [
        run_contract(contract, lambda claim=claim: claim(verifier, cases))  # type: ignore[misc]
        for contract, claim in VERIFIER_CONTRACTS.items()
    ]


def examples_for(name: str) -> list[Example]:
    """Return tasks of an environment that ``name`` judges, with its oracle's answers; else an empty reference."""
    for id in ENVS:
        env = make(id)
        if env.verifier.name == name:
            tasks = env.tasks(_NUM_EXAMPLES, seed=0)
            return [Example(task.reference, env.oracle(task), task.prompt) for task in tasks]
    return [Example(None)]


def right_answers_pass(verifier: Verifier, examples: Sequence[Example]) -> str:
    """Every known right answer passes, with a score above 0."""
    known = 0
    for example in examples:
        if example.right is None:
            continue
        known += 1
        verdict = verifier.check(example.task(verifier.name), example.right)
        assert verdict.passed, f"'{example.right:.80}' for {example.reference!r:.80}: {verdict.reason}"
        assert verdict.score, f"'{example.right:.80}' passed with score 0"
    return f"{known} answers" if known else "no right answer is known"


def any_text_gets_a_verdict(verifier: Verifier, examples: Sequence[Example]) -> None:
    """Every text gets a typed verdict that names its verifier, and no hostile text passes."""
    for name, verdict in _hostile_verdicts(verifier, examples[0]).items():
        assert isinstance(verdict, Verdict), f"{name}: returned {type(verdict).__name__}"
        assert verdict.verifier == verifier.id, f"{name}: signed '{verdict.verifier}', not '{verifier.id}'"
        assert verdict.reason, f"{name}: no reason"
        assert not verdict.passed, f"{name}: passed, {verdict.reason}"


def hostile_texts_take_under_2_seconds(verifier: Verifier, examples: Sequence[Example]) -> None:
    """No text holds the verifier for 2 s, called from the main thread, from another, or from asyncio."""
    task = examples[0].task(verifier.name)
    with ThreadPoolExecutor(1) as thread:
        callers: dict[str, Callable[[str], Verdict]] = {
            "main thread": lambda text: verifier.check(task, text),
            "worker thread": lambda text: thread.submit(verifier.check, task, text).result(),
            "asyncio": lambda text: asyncio.run(verifier.acheck(task, text)),
        }
        for name, text in HOSTILE.items():
            for caller, call in callers.items():
                within_limit(lambda call=call, text=text: call(text), what=f"{name}, {caller}")  # type: ignore[misc]


def the_same_text_gets_the_same_verdict(verifier: Verifier, examples: Sequence[Example]) -> None:
    """Judging again, or by a second verifier of the same settings, changes nothing."""
    twin = Verifier(verifier.name, verifier.config.model_dump())
    for example in examples:
        for text in _texts(example):
            task = example.task(verifier.name)
            verdicts = [judge.check(task, text) for judge in (verifier, verifier, twin)]
            assert verdicts[0] == verdicts[1] == verdicts[2], f"'{text:.80}': {verdicts}"


def threads_and_asyncio_change_nothing(verifier: Verifier, examples: Sequence[Example]) -> None:
    """Calls from several threads and from asyncio at once give the verdicts of calls one by one."""
    calls = [(example.task(verifier.name), text) for example in examples for text in _texts(example)]
    alone = [verifier.check(*call) for call in calls]
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(lambda call: verifier.check(*call), calls * 2))
    assert together == alone * 2, "verdicts differ between threads"

    async def all_at_once() -> list[Verdict]:
        return list(await asyncio.gather(*(verifier.acheck(*call) for call in calls)))

    assert asyncio.run(all_at_once()) == alone, "verdicts differ under asyncio"


def verdicts_survive_json(verifier: Verifier, examples: Sequence[Example]) -> None:
    """A verdict read back from JSON values is the same verdict."""
    for text in _texts(examples[0]):
        verdict = verifier.check(examples[0].task(verifier.name), text)
        assert Verdict.from_dict(verdict.to_dict()) == verdict, f"'{text:.80}'"


def scores_lie_in_the_stated_range(verifier: Verifier, examples: Sequence[Example]) -> str:
    """Every score lies where the verifier says for its settings."""
    stated = verifier.range
    for example in examples:
        for text in _texts(example):
            verdict = verifier.check(example.task(verifier.name), text)
            assert stated.holds(verdict), f"'{text:.80}' scores {verdict.score}, not {stated}"
    return str(stated)


VERIFIER_CONTRACTS: Mapping[str, Callable[[Verifier, Sequence[Example]], str | None]] = {
    contract.__name__: contract
    for contract in (
        right_answers_pass,
        any_text_gets_a_verdict,
        hostile_texts_take_under_2_seconds,
        the_same_text_gets_the_same_verdict,
        threads_and_asyncio_change_nothing,
        verdicts_survive_json,
        scores_lie_in_the_stated_range,
    )
}
"""Every claim by name; the first docstring line says what it claims."""


def _hostile_verdicts(verifier: Verifier, example: Example) -> dict[str, Verdict]:
    task = example.task(verifier.name)
    return {name: verifier.check(task, text) for name, text in HOSTILE.items()}


def _texts(example: Example) -> list[str]:
    right = [] if example.right is None else [example.right]
    return [*right, "", "no idea", "\\boxed{17}", "\\boxed{x^2+17}", HOSTILE["hedge"]]
