"""What a verifier is, how it is registered, and how it is run so that it can always be killed."""

from __future__ import annotations

import asyncio
import itertools
import math
import statistics
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypeVar

from rlvr_gym.config import Config, NoConfig
from rlvr_gym.errors import RLVRError
from rlvr_gym.registry import Registry
from rlvr_gym.types import Json, Status, Task, Verdict
from rlvr_gym.verifiers.pool import VerifierBug, VerifierPool, in_worker, shared_pool, trimmed
from rlvr_gym.verifiers.ranges import ScoreRange, any_score

Judge: TypeAlias = Callable[[Task, str, Any], Verdict]
"""``judge(task, response, config)``: a pure function that extracts the answer and judges it."""


class Composed(Protocol):
    """What stands in for a judge that asks other verifiers: it waits for them in the caller's process."""

    range: ScoreRange

    def check(self, task: Task, response: str) -> Verdict:
        """Return the verdict."""

    async def acheck(self, task: Task, response: str) -> Verdict:
        """Return the verdict without blocking the event loop."""


Compose: TypeAlias = Callable[[Any, VerifierPool | None], Composed]
"""``compose(config, pool)`` builds the verifiers that a composed one asks."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How one verifier is registered.

    ``judge`` runs in a killable worker unless ``bounded`` says that its work is bounded by construction.
    What it leaves undecided goes to ``escalate``, which always runs in a worker. A verifier that asks others has
    ``compose`` in place of all this.
    """

    judge: Judge | None
    bounded: bool
    escalate: Judge | None
    timeout_s: float
    version: int
    preload: tuple[str, ...] = ()
    scores: Callable[[Any], ScoreRange] = any_score
    compose: Compose | None = None

    @classmethod
    def composed(cls, compose: Compose, *, version: int) -> Rules:
        """Return the rules of a verifier that asks others."""
        return cls(None, True, None, math.inf, version, compose=compose)


VERIFIERS: Registry[Rules] = Registry("verifier", "rlvr_gym.verifiers")
J = TypeVar("J", bound=Judge)

_FEW = 32
"""Cases of a bounded verifier that are not worth a worker."""
_CHUNK = 32
"""Cases of a bounded verifier that go to a worker in one call."""
_QUICK_S = 50e-6
"""Time below which judging costs less than sending the case away and reading its verdict."""


def verifier(
    name: str,
    *,
    config: type[Config] = NoConfig,
    bounded: bool = False,
    escalate: Judge | None = None,
    timeout_s: float = 1.5,
    version: int = 1,
    paper: str = "",
    preload: Sequence[str] = (),
    scores: Callable[[Any], ScoreRange] = any_score,
) -> Callable[[J], J]:
    """Register the decorated judge.

    Args:
        name: What tasks and recipes call it.
        config: Settings class, handed to the judge as its third argument.
        bounded: Set only when time and memory are bounded by the judge's own limits, whatever the text;
            it then runs in the caller's process.
        escalate: Slower judge for what the first leaves undecided; runs in a killable worker.
        timeout_s: Wall-clock limit of a worker's call, in seconds.
        version: Rises whenever any verdict can change.
        paper: Where the method is from.
        preload: Modules that the judges import inside themselves, such as ``"sympy"``. Workers import them
            beforehand, so that loading them takes nothing from ``timeout_s``; they must start no threads.
        scores: From the settings to the range of the scores; without it all of [0, 1] is possible.
    """

    def decorate(judge: J) -> J:
        summary = (judge.__doc__ or "").strip().partition("\n")[0]
        rules = Rules(judge, bounded, escalate, timeout_s, version, tuple(preload), scores)
        VERIFIERS.add(name, rules, config=config, paper=paper, summary=summary)
        return judge

    return decorate


class Verifier:
    """A registered verifier with its settings, callable from any thread and from asyncio.

    Args:
        name: Registered name.
        settings: Values of its settings class.
        pool: Where unbounded work runs; the process-wide pool by default.

    Raises:
        UnknownNameError: no such verifier.
        ConfigError: a wrong setting.
    """

    def __init__(
        self, name: str, settings: Mapping[str, Any] | None = None, *, pool: VerifierPool | None = None
    ) -> None:
        entry = VERIFIERS[name]
        self.name = name
        self.config = entry.settings(settings or {}, where=f"verifier '{name}'")
        self._rules = rules = entry.value
        self._id = f"{name}@{rules.version}"
        self._pool = pool
        self._composed = None if rules.compose is None else rules.compose(self.config, pool)

    @property
    def id(self) -> str:
        """``name@version``, as verdicts carry it."""
        return self._id

    @property
    def range(self) -> ScoreRange:
        """Where the scores of decided verdicts lie with these settings."""
        return self._rules.scores(self.config) if self._composed is None else self._composed.range

    def check(self, task: Task, response: str) -> Verdict:
        """Return the verdict on ``response``; blocks at most a little over the verifier's limit.

        Raises:
            RLVRError: a deliberate error, such as `TaskError` for a reference that does not parse.
            Exception: whatever else the judge raises, a `VerifierBug` if it did so in a worker: that is a bug of
                the verifier, never a verdict.
        """
        start = time.perf_counter()
        rules = self._rules
        if self._composed is not None:
            verdict = trimmed(self._composed.check(task, response))
        elif rules.bounded:
            verdict = self._here(task, response)
        else:
            verdict = self._in_worker(self._judge, task, response)
        if rules.escalate is not None and verdict.status is Status.UNDECIDED:
            verdict = self._in_worker(rules.escalate, task, response)
        return verdict.signed(self._id, time.perf_counter() - start)

    async def acheck(self, task: Task, response: str) -> Verdict:
        """Return the verdict without blocking the event loop; cancelling it ends the work in a worker at once."""
        start = time.perf_counter()
        rules = self._rules
        if self._composed is not None:
            verdict = trimmed(await self._composed.acheck(task, response))
        elif rules.bounded:
            verdict = await asyncio.to_thread(self._here, task, response)
        else:
            verdict = await self._ain_worker(self._judge, task, response)
        if rules.escalate is not None and verdict.status is Status.UNDECIDED:
            verdict = await self._ain_worker(rules.escalate, task, response)
        return verdict.signed(self._id, time.perf_counter() - start)

    def check_many(self, cases: Iterable[tuple[Task, str]]) -> Iterator[Verdict]:
        """Yield the verdict on each task and response, in order, judged side by side in the pool's workers.

        A bounded verifier judges the first few cases here, and all of them if it is so quick that sending them
        away would cost more. One that asks others waits for them in threads. No more than a few hundred cases are read ahead of what has been taken.

        Raises:
            Exception: what `check` raises on a case, in that case's place; nothing follows it.
        """
        cases = iter(cases)
        if self._composed is not None:
            yield from self._side_by_side(cases, size=1)
            return
        if self._rules.bounded:
            first = []
            for case in itertools.islice(cases, _FEW):
                # One by one: an exception leaves the verdicts before it where they belong.
                first.append(self.check(*case))
                yield first[-1]
            if not first or statistics.median(verdict.seconds for verdict in first) < _QUICK_S:
                yield from (self.check(*case) for case in cases)
                return
        yield from self._side_by_side(cases, size=_CHUNK if self._rules.bounded else 1)

    def _side_by_side(self, cases: Iterator[tuple[Task, str]], size: int) -> Iterator[Verdict]:
        width = self._own_pool().workers
        # Not a `with` block: leaving one would wait for calls that an interruption has made useless.
        threads = ThreadPoolExecutor(width, thread_name_prefix="verifier")
        ahead: deque[Future[list[Verdict | Exception]]] = deque()
        try:
            while True:
                while len(ahead) <= 2 * width and (chunk := list(itertools.islice(cases, size))):
                    ahead.append(threads.submit(self._chunk, chunk))
                if not ahead:
                    return
                for result in ahead.popleft().result():
                    if isinstance(result, Exception):
                        raise result
                    yield result
        finally:
            threads.shutdown(wait=False, cancel_futures=True)

    def _chunk(self, chunk: Sequence[tuple[Task, str]]) -> list[Verdict | Exception]:
        """Return the verdicts on some cases; an exception that `check` raises on one takes its place and ends it."""
        if len(chunk) > 1 and (together := self._together(chunk)) is not None:
            return [*together]
        found: list[Verdict | Exception] = []
        for case in chunk:
            try:
                found.append(self.check(*case))
            except Exception as error:
                # Raised again by the thread that asked.
                return [*found, error]
        return found

    def _together(self, chunk: Sequence[tuple[Task, str]]) -> list[Verdict] | None:
        """Return the verdicts on some cases from one call, None when any of them needs to be judged by itself."""
        start = time.perf_counter()
        rules = self._rules
        arguments = [(task, response, self.config) for task, response in chunk]
        timeout_s = rules.timeout_s * len(chunk)
        try:
            results = self._own_pool().call_several(
                self._judge, arguments, timeout_s=timeout_s, preload=rules.preload
            )
        except (RLVRError, VerifierBug):
            return None
        if isinstance(results, Verdict) or not all(isinstance(result, Verdict) for result in results):
            return None
        seconds = (time.perf_counter() - start) / len(chunk)
        verdicts = [verdict.signed(self._id, seconds) for verdict in results]
        if rules.escalate is not None:
            undecided = (i for i, verdict in enumerate(verdicts) if verdict.status is Status.UNDECIDED)
            for i in undecided:
                verdicts[i] = self.check(*chunk[i])
        return verdicts

    def _here(self, task: Task, response: str) -> Verdict:
        return trimmed(self._checked(self._judge(task, response, self.config)))

    def _in_worker(self, judge: Judge, task: Task, response: str) -> Verdict:
        if in_worker():
            # A judge that asks another verifier is under its own limit already.
            return trimmed(self._checked(judge(task, response, self.config)))
        arguments = task, response, self.config
        rules = self._rules
        return self._checked(
            self._own_pool().call(judge, arguments, timeout_s=rules.timeout_s, preload=rules.preload)
        )

    async def _ain_worker(self, judge: Judge, task: Task, response: str) -> Verdict:
        arguments = task, response, self.config
        rules = self._rules
        return self._checked(
            await self._own_pool().acall(judge, arguments, timeout_s=rules.timeout_s, preload=rules.preload)
        )

    @property
    def _judge(self) -> Judge:
        assert self._rules.judge is not None, "a composed verifier has no judge of its own"
        return self._rules.judge

    def _own_pool(self) -> VerifierPool:
        return self._pool or shared_pool()

    def _checked(self, result: object) -> Verdict:
        if isinstance(result, Verdict):
            return result
        raise TypeError(f"verifier '{self.name}' returned {type(result).__name__}, not a Verdict")


def make_verifier(name: str, **settings: Any) -> Verifier:
    """Return the verifier ``name`` with ``settings``."""
    return Verifier(name, settings)


def verify(
    name: str, response: str, *, reference: Json, prompt: str | None = None, **settings: Any
) -> Verdict:
    """Judge one response without an environment.

    Args:
        name: Registered verifier.
        response: The policy's text.
        reference: What to judge against; each verifier says what it takes.
        prompt: The problem as shown, for verifiers that need it.
        **settings: Settings of the verifier.

    Returns:
        The verdict; ``.status``, ``.passed``, ``.score`` and ``.reason`` tell what was found.

    Raises:
        UnknownNameError: no such verifier.
        ConfigError: a wrong setting.
        TaskError: a reference that this verifier cannot judge against.
    """
    task = Task(id="verify", prompt=prompt or "", reference=reference, verifier=name)
    return Verifier(name, settings).check(task, response)
