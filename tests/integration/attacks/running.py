"""Runs attacks on a runtime, two at a time, in sandboxes that have to go on after each of them."""

from __future__ import annotations

import contextlib
import json
import queue
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from rlvr_gym.runtimes.base import Result, Sandbox, SandboxLostError, Spec
from tests.integration.attacks import ATTACKS, END, PRELUDE
from tests.integration.attacks.bombs import BOMBS, Bomb
from tests.integration.attacks.runtimes import LIMITS, fingerprint, seed_workspace
from tests.integration.side_by_side import SideBySide

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


class Attacker:
    """Runs attacks in sandboxes that have to go on after each of them."""

    def __init__(self, runtime: Any, host: Mapping[str, Any], seed: Path, bombs: Mapping[str, Bomb]) -> None:
        self._runtime, self._host, self._seed, self._bombs = runtime, host, seed, bombs
        self._turns = Turns(runtime, Spec(limits=LIMITS, workspace=seed), _CLEAN)

    def run(self, name: str) -> Outcome:
        """Run an attack or a bomb to its end."""
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
        """Stop its sandboxes."""
        self._turns.close()


@contextlib.contextmanager
def attacked(
    runtime: Any, host: Mapping[str, Any], names: list[str], bombs: Mapping[str, Bomb] = BOMBS
) -> Iterator[SideBySide[Outcome]]:
    """Yield what becomes of the attacks and bombs with these names, while they run."""
    with (
        seed_workspace() as seed,
        contextlib.closing(Attacker(runtime, host, seed, bombs)) as attacker,
        SideBySide(attacker.run, names) as outcomes,
    ):
        yield outcomes


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
