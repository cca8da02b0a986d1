"""Runs attacks on a runtime, two at a time, in sandboxes that have to go on after each of them."""

from __future__ import annotations

import contextlib
import json
import queue
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from rlvr_gym.runtimes.base import Result, Sandbox, SandboxLostError, Spec
from tests.integration.attacks import ATTACKS, END, PRELUDE
from tests.integration.attacks.bombs import BOMBS, Bomb
from tests.integration.attacks.runtimes import LIMITS, fingerprint, seed_workspace

SPOIL = {"changing_the_prepared_workspace", "hard_links_and_whiteouts_in_the_overlay"}
"""Attacks that get a sandbox of their own, because they use up what is prepared in it."""
_CLEAN = 'rm -rf "${TMPDIR:-/tmp}"/* /dev/shm/* /workspace/bomb* bomb*'


PYTHON = ("python3", "-I", "-S")
"""The attacks need no site-packages, which would be half of their time."""


class Outcome(NamedTuple):
    """What became of an attack."""

    result: Result
    seconds: float
    goes_on: bool
    """Whether the sandbox runs a further command."""
    kept: bool
    """Whether the prepared folder and the secret on the host are as they were."""


class Turns:
    """Sandboxes that are used again: emptied after each turn, and replaced when they do not go on.

    Args:
        runtime: Starts them.
        spec: What they are started with.
        clean: Shell line that empties one.
    """

    def __init__(self, runtime: Any, spec: Spec, clean: str) -> None:
        self._runtime, self._spec, self._clean = runtime, spec, clean
        self._idle: queue.LifoQueue[Any] = queue.LifoQueue()

    @contextlib.contextmanager
    def turn(self) -> Iterator[Sandbox]:
        """Lend a sandbox that nobody else has."""
        try:
            sandbox = self._idle.get_nowait()
        except queue.Empty:
            sandbox = self._runtime.start(self._spec)
        clean = False
        try:
            yield sandbox
            with contextlib.suppress(SandboxLostError):
                clean = sandbox.exec(["sh", "-c", self._clean]).code == 0
        finally:
            self._idle.put(sandbox) if clean else sandbox.stop()

    def close(self) -> None:
        """Stop all of them."""
        while not self._idle.empty():
            self._idle.get().stop()


class Attackers:
    """Two threads that run attacks."""

    def __init__(self, runtime: Any, host: Mapping[str, Any], seed: Path, bombs: Mapping[str, Bomb]) -> None:
        self._runtime, self._host, self._seed, self._bombs = runtime, host, seed, bombs
        self._threads = ThreadPoolExecutor(2)
        self._turns = Turns(runtime, Spec(limits=LIMITS, workspace=seed), _CLEAN)
        self._outcomes: dict[str, Future[Outcome]] = {}

    def launch(self, names: list[str]) -> None:
        """Begin with the named attacks and bombs."""
        for name in names:
            self._outcomes[name] = self._threads.submit(self._run, name)

    def outcome(self, name: str) -> Outcome:
        """Return what became of an attack."""
        return self._outcomes[name].result(120)

    def _run(self, name: str) -> Outcome:
        bomb = self._bombs.get(name)
        source = bomb.source if bomb else ATTACKS[name]
        with self._sandbox(name, bomb) as sandbox:
            before = fingerprint(self._seed)
            sandbox.write("attack.py", (PRELUDE + source + END).encode())
            start = time.monotonic()
            wall_s = bomb.wall_s if bomb else None
            result = sandbox.exec([*PYTHON, "attack.py", json.dumps(dict(self._host))], wall_s=wall_s)
            seconds = time.monotonic() - start
            # A bomb has filled what there is to fill.
            sandbox.exec(["sh", "-c", _CLEAN])
            goes_on = sandbox.exec(["echo", "alive"]).stdout == b"alive\n"
            secret = Path(self._host["secret_path"]).read_text()
            kept = fingerprint(self._seed) == before and secret.startswith(self._host["secret_head"])
        return Outcome(result, seconds, goes_on, kept)

    def _sandbox(self, name: str, bomb: Bomb | None) -> contextlib.AbstractContextManager[Sandbox]:
        if name not in SPOIL and not (bomb and bomb.cpu_s):
            return self._turns.turn()
        limits = replace(LIMITS, cpu_s=bomb.cpu_s) if bomb else LIMITS
        started: Sandbox = self._runtime.start(Spec(limits=limits, workspace=self._seed))
        return started

    def close(self) -> None:
        """End all that runs."""
        self._threads.shutdown(cancel_futures=True)
        self._turns.close()


@contextlib.contextmanager
def attackers(
    runtime: Any, host: Mapping[str, Any], names: list[str], bombs: Mapping[str, Bomb] = BOMBS
) -> Iterator[Attackers]:
    """Yield attackers that have begun with ``names``: of ``ATTACKS``, or of ``bombs``."""
    with seed_workspace() as seed:
        started = Attackers(runtime, host, seed, bombs)
        try:
            started.launch(names)
            yield started
        finally:
            started.close()


def selected(request: pytest.FixtureRequest, **params: Any) -> list[str]:
    """Return the attacks of the tests that this session has selected from the module, with these parameters."""
    given = [getattr(item, "callspec", None) for item in request.session.items if item.path == request.path]
    wanted = [spec.params for spec in given if spec and params.items() <= spec.params.items()]
    return [found["attack"] for found in wanted if "attack" in found]


def assert_held(outcome: Outcome) -> None:
    """Assert that an attack got nothing, came to its end, and broke nothing."""
    assert b"ESCAPED" not in outcome.result.stdout, outcome.result.stdout.decode()
    assert b"held" in outcome.result.stdout, outcome.result
    assert outcome.kept
    assert outcome.goes_on


def assert_ended(outcome: Outcome, bomb: Bomb) -> None:
    """Assert that a bomb ended in one of the ways that are right for it, and broke nothing."""
    result = outcome.result
    assert result.end in bomb.ends, result
    assert b"ESCAPED" not in result.stdout, result.stdout[-500:]
    assert len(result.stdout) + len(result.stderr) <= LIMITS.output_bytes
    assert (result.code is None) == (result.end.value != "exited")
    # Generous: the suite shares its machine.
    assert outcome.seconds < bomb.wall_s + 10
    assert outcome.goes_on
