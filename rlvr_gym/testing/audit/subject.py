"""What is audited, inside the process that may hang or die: a verifier, an environment or a plain function."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from rlvr_gym.envs import TaskEnv, make
from rlvr_gym.errors import TaskError
from rlvr_gym.testing.audit.functions import adapted
from rlvr_gym.testing.audit.outcome import ERROR, OPEN, REFUSED, Outcome
from rlvr_gym.testing.verifiers import Example
from rlvr_gym.types import Task, Verdict
from rlvr_gym.verifiers import Verifier
from rlvr_gym.verifiers.base import VERIFIERS
from rlvr_gym.verifiers.pool import shared_pool

_NUM_TASKS = 8


@dataclass(frozen=True, slots=True)
class Call:
    """One text to judge for one example."""

    case: int
    text: str
    id: str = "example"
    """Id of the task, where there is one."""
    reference: tuple[Any, ...] = ()
    """A reference that takes the example's place, if one is given."""


class Subject(Protocol):
    """Judges texts for its examples, from any thread."""

    @property
    def examples(self) -> Sequence[Example]:
        """What texts are judged for."""
        ...

    def judge(self, call: Call) -> Outcome:
        """Return what became of a text; never raises."""
        ...

    async def ajudge(self, call: Call) -> Outcome:
        """Return the same from a coroutine."""
        ...

    def twin(self) -> Subject:
        """Return another of the same kind and settings."""
        ...


def timed(call: Callable[[], Outcome]) -> Outcome:
    """Return the outcome of ``call`` with its time; whatever it raises is an outcome too."""
    start = time.perf_counter()
    try:
        outcome = call()
    except BaseException as error:
        outcome = _raised(error)
    return replace(outcome, seconds=time.perf_counter() - start)


async def atimed(awaited: Awaitable[Outcome]) -> Outcome:
    """Return what `timed` does, for a coroutine."""
    start = time.perf_counter()
    try:
        outcome = await awaited
    except BaseException as error:
        outcome = _raised(error)
    return replace(outcome, seconds=time.perf_counter() - start)


def _raised(error: BaseException) -> Outcome:
    """Return an exception as data, `SystemExit` included: in a trainer it would end the run."""
    message = str(error).strip().partition("\n")[0]
    if isinstance(error, TaskError):
        return Outcome(REFUSED, reason=message)
    return Outcome(ERROR, reason=f"{type(error).__name__}: {message}")


def _of_verdict(verdict: Verdict) -> Outcome:
    return Outcome(str(verdict.status), verdict.score, verdict.reason)


class VerifierSubject:
    """A registered verifier."""

    def __init__(self, name: str, settings: Mapping[str, Any], examples: Sequence[Example]) -> None:
        self._settings = dict(settings)
        self._verifier = Verifier(name, settings)
        self.examples = examples

    def judge(self, call: Call) -> Outcome:
        """Return the verdict."""
        return timed(lambda: _of_verdict(self._verifier.check(self._task(call), call.text)))

    async def ajudge(self, call: Call) -> Outcome:
        """Return the verdict of ``acheck``."""

        async def judged() -> Outcome:
            return _of_verdict(await self._verifier.acheck(self._task(call), call.text))

        return await atimed(judged())

    def twin(self) -> VerifierSubject:
        """Return a second verifier of the same settings."""
        return VerifierSubject(self._verifier.name, self._settings, self.examples)

    def _task(self, call: Call) -> Task:
        task = replace(self.examples[call.case].task(self._verifier.name), id=call.id)
        return replace(task, reference=call.reference[0]) if call.reference else task

    def warm(self) -> None:
        """Start the workers, if this verifier has work for them, so that their start is on nobody's clock."""
        rules = VERIFIERS[self._verifier.name].value
        if not rules.bounded or rules.escalate is not None:
            shared_pool().call(_nothing, (), timeout_s=60.0, preload=rules.preload)


def _nothing() -> None:
    """Do nothing, in a worker."""


class EnvironmentSubject:
    """A registered environment on its own tasks; every judgement is the first step of an episode."""

    def __init__(self, name: str, settings: Mapping[str, Any]) -> None:
        self._make: Callable[[], TaskEnv] = lambda: make(name, **settings)
        self._name, self._settings = name, settings
        env = self._make()
        self._tasks = env.tasks(_NUM_TASKS, seed=0)
        self.examples: Sequence[Example] = [
            Example(task.reference, env.oracle(task), _prompt(task)) for task in self._tasks
        ]
        # An environment holds one episode, so that every thread needs its own.
        self._here = threading.local()

    def judge(self, call: Call) -> Outcome:
        """Return what the first step earns."""
        return timed(lambda: self._step(call))

    async def ajudge(self, call: Call) -> Outcome:
        """Return the same; environments have no coroutines, so that it runs in a thread."""
        return await asyncio.to_thread(self.judge, call)

    def twin(self) -> EnvironmentSubject:
        """Return a second environment of the same settings."""
        return EnvironmentSubject(self._name, self._settings)

    def _step(self, call: Call) -> Outcome:
        env: TaskEnv | None = getattr(self._here, "env", None)
        if env is None:
            env = self._here.env = self._make()
        task = self._tasks[call.case]
        if call.id != "example":
            task = replace(task, id=call.id)
        env.reset(options={"task": task})
        _, reward, terminated, truncated, info = env.step(call.text)
        return _of_step(float(reward), terminated or truncated, info)


def _prompt(task: Task) -> str:
    return task.conversation()[-1].content


def _of_step(reward: float, over: bool, info: Mapping[str, Any]) -> Outcome:
    verdict = info.get("verdict")
    status = str(verdict.status) if isinstance(verdict, Verdict) else OPEN
    reason = verdict.reason if isinstance(verdict, Verdict) else ""
    problem = ""
    if over and not isinstance(verdict, Verdict):
        problem = "the episode ended without a Verdict in info"
    elif math.isnan(reward) and not info.get("masked"):
        problem = "the reward is NaN, and info does not say that it is masked"
    elif not math.isnan(reward) and info.get("masked"):
        problem = f"the reward is {reward:g}, and info says that it is masked"
    elif not math.isnan(reward):
        problem = _out_of_range(reward)
    return Outcome(status, None if math.isnan(reward) else reward, reason, problem)


def _out_of_range(score: float) -> str:
    return "" if 0.0 <= score <= 1.0 else f"the score is {score:g}, not in [0, 1]"


class FunctionSubject:
    """A plain reward function."""

    def __init__(self, function: Callable[..., Any], examples: Sequence[Example]) -> None:
        self._function = function
        self._call = adapted(function)
        self.examples = examples

    def judge(self, call: Call) -> Outcome:
        """Return the function's reward."""
        return timed(lambda: self._outcome(call))

    async def ajudge(self, call: Call) -> Outcome:
        """Return the same from a thread, as trainers with an event loop call it."""
        return await asyncio.to_thread(self.judge, call)

    def twin(self) -> FunctionSubject:
        """Return the function itself: it has no settings."""
        return FunctionSubject(self._function, self.examples)

    def _outcome(self, call: Call) -> Outcome:
        example = self.examples[call.case]
        reference = call.reference[0] if call.reference else example.reference
        result = self._call(example.prompt, call.text, reference)
        if result is None:
            return Outcome("masked", reason="None")
        # numpy's numbers and torch's one-element tensors have these methods too.
        score = float(result)  # type: ignore[arg-type]
        if math.isnan(score):
            return Outcome("nan", None, "", "the score is NaN")
        return Outcome("paid" if score > 0 else "unpaid", score, "", _out_of_range(score))
