"""Software engineering: an agent repairs a repository in a sandbox, and hidden tests decide."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import Field, PositiveFloat, PositiveInt, field_validator, model_validator

from rlvr_gym.config import Config
from rlvr_gym.envs.base import MultiTurnEnv, Reply
from rlvr_gym.envs.catalog import register
from rlvr_gym.envs.splits import Split
from rlvr_gym.envs.swe_play.actions import INSTRUCTION, SUBMITTED, ActionError, fenced, read_action
from rlvr_gym.envs.swe_play.choice import Choice, Origin, load_choice
from rlvr_gym.envs.swe_play.session import Session, Terms, TooMuchError
from rlvr_gym.envs.task_files import HubSet, OnBad, Source
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.patches import PatchError
from rlvr_gym.runtimes.base import RUNTIMES, Limits, SandboxLostError, make_runtime
from rlvr_gym.seeding import generator
from rlvr_gym.types import Conversation, Json, Status, Task, Verdict
from rlvr_gym.verifiers import VERIFIERS
from rlvr_gym.verifiers.swe import read_instance

_MAX_PROMPT_CHARS = 100_000
_FEW_TURNS = 3
"""Turns left from which on the agent is told their number."""


class Swe(Config):
    """Settings of the software-engineering environment. Without ``file``, repositories are our own."""

    file: Path | None = None
    """Instances: a folder that ``rlvr-gym swe-tasks`` wrote, rows of SWE-bench and its relatives, or Harbor tasks."""
    hub: str = ""
    """Data set of the Hugging Face hub."""
    hub_split: str = "test"
    """Its split; ``split`` divides it further."""
    layout: str = "auto"
    """Layout of the rows, or found out from each."""
    on_bad: OnBad = "refuse"
    """What to do with rows that are no instances."""
    ids: tuple[str, ...] = ()
    """Instances to take, whatever split they are in; all of the split when empty."""
    split: Split = "train"
    """Which instances; ``all`` for a file that is a split already."""
    runtime: str | dict[str, Any] = "local"
    """Where commands and tests run: a runtime's name, or a table of ``name`` and settings."""
    verifier: str | dict[str, Any] = "swe"
    """Judges the patch: a name, or a table with ``name`` and settings."""
    max_turns: PositiveInt = 50
    """How often the agent may act."""
    submit_at_limit: bool = False
    """Whether a limit (turns, time, characters) submits what is there; otherwise it earns nothing."""
    command_s: PositiveFloat = 60.0
    """Time of one command, in seconds."""
    episode_s: PositiveFloat = 1800.0
    """Time of all commands of an episode together."""
    memory_mib: int = Field(default=2048, ge=64)
    """Memory of the agent's sandbox."""
    pids: int = Field(default=256, ge=8)
    """Its processes and threads."""
    disk_mib: int = Field(default=1024, ge=8)
    """What may be written in it."""
    output_bytes: PositiveInt = 10_000_000
    """Most that one command may write; it is stopped then."""
    observation_chars: int = Field(default=10_000, ge=100, le=90_000)
    """Output that the agent is shown; the middle of a longer one is left out."""
    max_response_chars: PositiveInt = 262_144
    """Longest response; a longer one ends the episode as malformed."""
    max_episode_chars: PositiveInt = 2_000_000
    """All messages of an episode together."""
    max_patch_bytes: PositiveInt = 8_000_000
    """Content of all changed files together."""
    instruction: str | None = None
    """Follows every problem and tells how to act; one of our own if left out, nothing when empty."""

    @field_validator("runtime")
    @classmethod
    def _exists(cls, value: str | dict[str, Any]) -> str | dict[str, Any]:
        RUNTIMES.resolve(value, where="runtime")
        return value

    @model_validator(mode="after")
    def _one_source(self) -> Swe:
        if self.file and self.hub:
            raise ValueError("file and hub exclude each other")
        return self

    @property
    def source(self) -> Source | None:
        """Where rows come from, None for repositories of our own."""
        return HubSet(self.hub, None, self.hub_split) if self.hub else self.file

    @property
    def limits(self) -> Limits:
        """What an agent's sandbox may use."""
        return Limits(
            wall_s=self.command_s,
            # Several processes may be at work at once.
            cpu_s=4 * self.command_s,
            memory_mib=self.memory_mib,
            pids=self.pids,
            disk_mib=self.disk_mib,
            inodes=100_000,
            output_bytes=self.output_bytes,
        )

    @property
    def terms(self) -> Terms:
        """What an episode may use besides."""
        return Terms(self.command_s, self.episode_s, self.observation_chars, self.max_patch_bytes)


class SweEnv(MultiTurnEnv):
    """Repair a repository by shell commands and edits; tests that the agent never meets decide.

    The sandbox starts with the first action and ends with the episode. Each episode has one of its own, and what was
    done in it is done again where an environment goes on from a state.
    """

    max_live = 16

    def __init__(self, config: Swe) -> None:
        name, settings = _verifier_table(config)
        super().__init__(
            name,
            settings,
            max_turns=config.max_turns,
            max_prompt_chars=_MAX_PROMPT_CHARS,
            max_response_chars=config.max_response_chars,
        )
        self.config = config
        self.notes = self._rows().notes
        self._session: Session | None = None

    def draw(self, rng: np.random.Generator) -> Task:
        """Return an instance of the split, any alike."""
        instances = self._rows().instances
        return self._task_of(instances[int(rng.integers(len(instances)))])

    def tasks(self, num: int, *, seed: int) -> list[Task]:
        """Return ``num`` distinct tasks, fewer only when there are no more."""
        instances = self._rows().instances
        order = generator(seed, "task", "order").permutation(len(instances))
        return [self._complete(self._task_of(instances[int(index)])) for index in order[:num]]

    def all_tasks(self) -> list[Task]:
        """Return every task of the split, in the order of the rows."""
        return [self._complete(self._task_of(instance)) for instance in self._rows().instances]

    def oracle(self, task: Task) -> str | None:
        """Return the response that applies the reference patch and submits."""
        patch = task.hidden.get("patch")
        if patch is None:
            return None
        if "\r" in patch:
            # The shell's own lines end otherwise, and an action's do too.
            text = base64.b64encode(patch.encode()).decode()
            return fenced(f"base64 -d <<< {text} | git apply --whitespace=nowarn - &&\necho {SUBMITTED}")
        end = "END_OF_PATCH"
        while end in patch:
            end += "_"
        text = patch if patch.endswith("\n") else patch + "\n"
        return fenced(f"git apply --whitespace=nowarn - <<'{end}' &&\n{text}{end}\necho {SUBMITTED}")

    def forfeit(self) -> str:
        """Return the response that submits what is there."""
        return fenced("submit")

    def judge(self, task: Task, response: str) -> Verdict:
        """Return the verdict on a response that acts once, played in a sandbox of its own."""
        problem = self._unreadable(response)
        if problem is not None:
            return problem
        try:
            read_action(response)
        except ActionError as error:
            return self._verdict(Status.MALFORMED, str(error))
        session = self._start(task)
        try:
            if not session.play(response).submitted:
                return self._verdict(Status.FAILED, "nothing was submitted")
            return self._graded(task, session)
        except SandboxLostError as error:
            return self._verdict(Status.INFRASTRUCTURE, str(error))
        finally:
            session.stop()

    def reply(self, task: Task, conversation: Conversation) -> Reply:
        """Carry out the last response and return what came of it.

        Earlier responses are carried out first where this environment has not done so: they alone say what the
        sandbox holds.
        """
        responses = tuple(message.content for message in conversation if message.role == "assistant")
        try:
            session = self._session_after(task, responses[:-1])
            outcome = session.play(responses[-1])
            if outcome.submitted or (self.config.submit_at_limit and self._limit() is not None):
                return Reply(outcome.text, self._graded(task, session))
        except SandboxLostError as error:
            return Reply("", self._verdict(Status.INFRASTRUCTURE, str(error)))
        left = self.max_turns - len(responses)
        hint = f"\n({left} turn{'s' if left > 1 else ''} left)" if 0 < left <= _FEW_TURNS else ""
        return Reply(outcome.text + hint)

    def cut(self, reason: str) -> Verdict:
        """End the episode; with ``submit_at_limit`` the verdict is on what is there."""
        verdict = super().cut(reason)
        session = self._session
        try:
            if self.config.submit_at_limit and session is not None and session.ours:
                return self._graded(self.task, session)
        except SandboxLostError as error:
            return self._verdict(Status.INFRASTRUCTURE, str(error))
        finally:
            self.close()
        return verdict

    def fingerprint(self) -> str:
        """Return a hash of the files in the sandbox, git's own left out.

        Raises:
            SandboxLostError: the sandbox is gone.
        """
        responses = tuple(message.content for message in self.conversation if message.role == "assistant")
        return self._session_after(self.task, responses).fingerprint()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Start an episode, as ``TaskEnv.reset`` says; the sandbox of the one before is stopped."""
        self.close()
        return super().reset(seed=seed, options=options)

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Act, as ``TaskEnv.step`` says; the end of the episode stops the sandbox."""
        result = super().step(action)
        if self._over:
            self.close()
        return result

    def set_state(self, state: Mapping[str, Json]) -> None:
        """Continue where ``get_state`` was called; the actions until then are carried out again when the next comes."""
        self.close()
        super().set_state(state)

    def close(self) -> None:
        """Stop the sandbox. An episode that goes on after it starts another and does again what was done."""
        if self._session is not None:
            self._session.stop()
            self._session = None

    def __getstate__(self) -> dict[str, Any]:
        # A sandbox belongs to the process that started it; a copy starts its own.
        state = {**self.__dict__, "_session": None}
        state.pop("_runtime", None)
        return state

    def _session_after(self, task: Task, responses: tuple[str, ...]) -> Session:
        """Return a session in which exactly ``responses`` were carried out."""
        session = self._session
        if session is None or not session.ours or session.responses != responses:
            self.close()
            session = self._session = self._start(task)
            for response in responses:
                session.play(response)
        return session

    def _start(self, task: Task) -> Session:
        instance = read_instance(task.reference)
        limits = self.config.limits
        return Session(lambda: instance.suite.workspace(instance, limits), self._runtime, self.config.terms)

    @cached_property
    def _runtime(self) -> Any:
        return make_runtime(self.config.runtime, where=f"env '{self.id}': runtime")

    def _graded(self, task: Task, session: Session) -> Verdict:
        """Return the verdict on what the sandbox holds; it is stopped, since nothing in it counts from now on."""
        try:
            patch = session.patch()
        except (TooMuchError, PatchError) as error:
            return self._verdict(Status.MALFORMED, f"the changes cannot be taken out: {error}")
        finally:
            session.stop()
        if not patch:
            return self._verdict(Status.FAILED, "nothing was changed")
        return self.verifier.check(task, patch)

    def _limit(self) -> str | None:
        if reason := super()._limit():
            return reason.replace("answer", "submission")
        if self._session is not None and self._session.out_of_time:
            return f"no submission within {self.config.episode_s:g} s of commands"
        chars = sum(len(message.content) for message in self.conversation)
        if chars > self.config.max_episode_chars:
            return f"no submission within {self.config.max_episode_chars} characters"
        return None

    def _verdict(self, status: Status, reason: str) -> Verdict:
        return Verdict.of(status, reason, verifier=self.verifier.id)

    def _rows(self) -> Choice:
        config = self.config
        origin = Origin(config.source, config.layout, config.on_bad)
        return load_choice(origin, config.split, config.ids)

    def _task_of(self, instance: Instance) -> Task:
        instruction = INSTRUCTION if self.config.instruction is None else self.config.instruction
        return Task(
            id=instance.id,
            prompt=f"{instance.problem.strip()}\n\n{instruction}".strip(),
            reference=instance.to_dict(),
            hidden={"patch": instance.patch},
            strata={**({"repo": instance.repo} if instance.repo else {}), **instance.strata},
        )


def _verifier_table(config: Swe) -> tuple[str, dict[str, Any]]:
    table = {"name": config.verifier} if isinstance(config.verifier, str) else dict(config.verifier)
    # Tells what is wrong with the table.
    entry, _ = VERIFIERS.resolve(table, where="env 'swe': verifier")
    settings = {name: value for name, value in table.items() if name != "name"}
    if "runtime" in entry.config.model_fields:
        settings.setdefault("runtime", config.runtime)
    return entry.name, settings


register("swe", SweEnv, Swe)
