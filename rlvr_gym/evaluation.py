"""Evaluation: k samples per task, in batches, with intervals that count tasks and masked attempts kept apart."""

from __future__ import annotations

import os
import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from rlvr_gym.envs import MultiTurnEnv, TaskEnv, find, make_env
from rlvr_gym.errors import ConfigError, UsageError
from rlvr_gym.metrics import Interval, clustered_interval, pass_at_k
from rlvr_gym.policies import Policy, make_policy, opening, room_left
from rlvr_gym.policies.scripted import ScriptedPolicy
from rlvr_gym.seeding import derive
from rlvr_gym.types import Completion, Ids, Json, Message, SampleRequest, Task, Verdict

if TYPE_CHECKING:
    from rich.console import Group

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of attempts that are over and the number of all."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at one task, as judged."""

    task: Task
    index: int
    responses: tuple[str, ...]
    """What the policy wrote, one text per turn."""
    verdict: Verdict
    tokens: int
    """Sampled tokens of all turns."""
    truncated: bool
    """Whether a completion met the token limit."""

    def to_dict(self) -> dict[str, Json]:
        """Return the attempt as one row of JSON values."""
        images = self.task.conversation()[-1].images
        return {
            "task": self.task.id,
            "prompt": self.task.prompt,
            # The task holds the images themselves.
            **({"images": [image.digest for image in images]} if images else {}),
            "strata": dict(self.task.strata),
            "attempt": self.index,
            "responses": list(self.responses),
            "verdict": self.verdict.to_dict(),
            "masked": not self.verdict.decided,
            "tokens": self.tokens,
            "truncated": self.truncated,
        }


@dataclass(frozen=True, slots=True)
class Stratum:
    """The tasks that share one label."""

    name: str
    value: str
    num_tasks: int
    accuracy: Interval | None


@dataclass(frozen=True, slots=True)
class EvalReport:
    """What a policy did on a set of tasks. Masked attempts are in no estimate, only in ``num_masked`` and bounds."""

    env: str
    policy: str
    seed: int
    n: int
    temperature: float
    top_p: float
    max_new_tokens: int
    attempts: tuple[Attempt, ...] = field(repr=False)
    accuracy: Interval | None = None
    """avg@n: the share of attempts that passed, mean over tasks."""
    score: Interval | None = None
    """Mean score; differs from the accuracy where partial credit is given."""
    pass_at: Mapping[int, Interval | None] = field(default_factory=dict)
    """Unbiased pass@k by k, None where fewer than k attempts were made."""
    if_masked_wrong: float | None = None
    """Accuracy if every masked attempt had failed."""
    if_masked_right: float | None = None
    """Accuracy if every masked attempt had passed."""
    strata: tuple[Stratum, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def num_tasks(self) -> int:
        """Number of tasks attempted."""
        return len({attempt.task.id for attempt in self.attempts})

    @property
    def num_masked(self) -> int:
        """Number of attempts without a decided verdict."""
        return sum(not attempt.verdict.decided for attempt in self.attempts)

    @property
    def statuses(self) -> dict[str, int]:
        """Number of attempts by status, the most frequent first."""
        return dict(Counter(str(attempt.verdict.status) for attempt in self.attempts).most_common())

    @property
    def truncation_rate(self) -> float:
        """Share of attempts with a completion that met the token limit."""
        return _mean(attempt.truncated for attempt in self.attempts)

    @property
    def tokens_per_attempt(self) -> float:
        """Mean number of sampled tokens."""
        return _mean(attempt.tokens for attempt in self.attempts)

    def rows(self) -> list[dict[str, Json]]:
        """Return every attempt with its responses and verdict, as JSON values."""
        return [attempt.to_dict() for attempt in self.attempts]

    def to_dict(self) -> dict[str, Json]:
        """Return the figures as JSON values, without the attempts."""
        return {
            "env": self.env,
            "policy": self.policy,
            "seed": self.seed,
            "n": self.n,
            "num_tasks": self.num_tasks,
            "temperature": self.temperature,
            "top_p": self.top_p,
            "max_new_tokens": self.max_new_tokens,
            "accuracy": _plain(self.accuracy),
            "score": _plain(self.score),
            "pass_at": {str(k): _plain(interval) for k, interval in self.pass_at.items()},
            "num_attempts": len(self.attempts),
            "num_masked": self.num_masked,
            "if_masked_wrong": self.if_masked_wrong,
            "if_masked_right": self.if_masked_right,
            "statuses": self.statuses,
            "truncation_rate": self.truncation_rate,
            "tokens_per_attempt": self.tokens_per_attempt,
            "strata": [
                {"name": s.name, "value": s.value, "num_tasks": s.num_tasks, "accuracy": _plain(s.accuracy)}
                for s in self.strata
            ],
            "notes": list(self.notes),
        }

    def __rich__(self) -> Group:
        return self.table()

    def table(self) -> Group:
        """Return the figures as tables that ``rich`` prints."""
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        main = Table("figure", "value", title=f"{self.policy} on {self.env}", title_justify="left")
        main.add_row("tasks x attempts", f"{self.num_tasks} x {self.n}")
        main.add_row(f"accuracy (avg@{self.n})", _shown(self.accuracy))
        for k, interval in self.pass_at.items():
            main.add_row(f"pass@{k}", _shown(interval))
        main.add_row("score", _shown(self.score))
        if self.num_masked:
            bounds = f"{self.if_masked_wrong:.3f} to {self.if_masked_right:.3f}"
            main.add_row("masked", f"{self.num_masked} of {len(self.attempts)}: accuracy {bounds}")
        main.add_row("verdicts", ", ".join(f"{status} {count}" for status, count in self.statuses.items()))
        main.add_row("tokens per attempt", f"{self.tokens_per_attempt:.1f}")
        main.add_row("truncated", f"{self.truncation_rate:.1%}")
        parts: list[Any] = [main]
        if self.strata:
            table = Table("stratum", "value", "tasks", "accuracy")
            for s in self.strata:
                table.add_row(s.name, s.value, str(s.num_tasks), _shown(s.accuracy))
            parts.append(table)
        parts += [Text(f"note: {note}") for note in self.notes]
        return Group(*parts)


def evaluate(
    policy: Policy | str | os.PathLike[str] | Mapping[str, Any],
    env: TaskEnv | str | Mapping[str, Any],
    *,
    n: int = 1,
    k: Sequence[int] = (1,),
    tasks: int | os.PathLike[str] | Sequence[Task] = 100,
    seed: int = 0,
    temperature: float = 1.0,
    top_p: float = 1.0,
    max_new_tokens: int = 256,
    max_trajectory_tokens: int | None = None,
    batch_size: int = 64,
    progress: Progress | None = None,
) -> EvalReport:
    """Return how well ``policy`` solves the tasks of ``env``.

    Args:
        policy: A policy, its registered name, or a model directory, hub id or GGUF file. ``"oracle"`` answers each
            task with the environment's own solution, ``"empty"`` gives up at once: they check tasks and grading.
        env: An environment, or its id, or ``{"name": id, **settings}``. Given by id, the held-out split is
            played where there is one.
        n: Attempts per task.
        k: Which pass@k to report.
        tasks: How many tasks to draw; or a task file, all of whose rows are played; or the tasks themselves.
        seed: Fixes tasks and sampling; two policies evaluated with one seed meet the same tasks.
        temperature: 0 is greedy.
        top_p: Nucleus of the sampling.
        max_new_tokens: Limit of one completion.
        max_trajectory_tokens: Limit of a whole conversation, its prompt included; the policy's context when left
            out. An attempt that has no room for another turn ends there.
        batch_size: Requests per call of ``policy.sample``.
        progress: Told how many attempts are over.

    Raises:
        UsageError: counts below 1, an environment without tasks, or a file for one that reads none.
        UnknownNameError: no such environment.
        ConfigError: no such policy, or a wrong setting.
    """
    for name, count in {"n": n, "batch_size": batch_size, "max_new_tokens": max_new_tokens}.items():
        if count < 1:
            raise UsageError(f"evaluate: {name} must be at least 1, got {count}.")
    if any(each < 1 for each in k):
        raise UsageError(f"evaluate: every k must be at least 1, got {tuple(k)}.")
    # First what is quick to fail: a policy may take long to load.
    if isinstance(tasks, os.PathLike):
        world = _file_env(env, tasks)
    else:
        world = env if isinstance(env, TaskEnv) else _heldout_env(env)
    loaded = None if isinstance(policy, str) and policy in PLAYERS else _policy(policy)
    notes = list(world.notes)
    if isinstance(tasks, os.PathLike):
        chosen = world.all_tasks()
    elif isinstance(tasks, int):
        chosen = world.tasks(tasks, seed=derive(seed, "eval", "tasks"))
        if len(chosen) < tasks:
            notes.append(f"{world.id} has {len(chosen)} different tasks here, not {tasks}.")
    else:
        chosen = list(tasks)
    if not chosen:
        raise UsageError("evaluate: needs at least one task.")
    if len({task.id for task in chosen}) < len(chosen):
        raise UsageError("evaluate: two tasks share an id, so that their attempts could not be told apart.")

    player = loaded or make_player(str(policy), world, chosen)
    if loaded is None:
        # It is no model, whose answers would have to be short.
        max_new_tokens = world.max_response_chars

    def room(ids: Ids) -> int:
        left = room_left(player, max_trajectory_tokens, len(ids))
        return max_new_tokens if left is None else min(max_new_tokens, left)

    def request(episode: _Episode) -> SampleRequest:
        key = ("eval", episode.task.id, episode.index, len(episode.responses))
        return SampleRequest(
            key="/".join(map(str, key)),
            prompt_ids=episode.prompt_ids,
            seed=derive(seed, *key),
            max_new_tokens=room(episode.prompt_ids),
            temperature=temperature,
            top_p=top_p,
        )

    attempts = _roll_out(player, world, chosen, n, request, room, batch_size, progress)
    return _report(
        attempts,
        tuple(k),
        notes,
        env=world.id,
        policy=player.version,
        seed=seed,
        n=n,
        temperature=temperature,
        top_p=top_p,
        max_new_tokens=max_new_tokens,
    )


def _oracle(env: TaskEnv, tasks: Sequence[Task]) -> Policy:
    answers = {task.id: env.oracle(task) for task in tasks}

    def script(_message: str, request: SampleRequest) -> str:
        # By the task's id, since tasks may share a prompt: what for, task, attempt, turn.
        _, _, rest = request.key.partition("/")
        return answers.get(rest.rsplit("/", 2)[0]) or env.forfeit()

    return ScriptedPolicy(script, version="oracle", reads_images=True)


def _empty(env: TaskEnv, tasks: Sequence[Task]) -> Policy:
    return ScriptedPolicy(lambda _message, _request: env.forfeit(), version="empty", reads_images=True)


PLAYERS: Mapping[str, Callable[[TaskEnv, Sequence[Task]], Policy]] = {"oracle": _oracle, "empty": _empty}
"""Policies that know the environment they play in."""


def make_player(policy: str, env: TaskEnv, tasks: Sequence[Task]) -> Policy:
    """Return a policy, also one of `PLAYERS`, for ``tasks`` of ``env``.

    Raises:
        ConfigError: an unknown name or a wrong setting.
    """
    return PLAYERS[policy](env, tasks) if policy in PLAYERS else make_policy(policy)


@dataclass(slots=True)
class _Episode:
    """One attempt while it runs."""

    task: Task
    index: int
    env: TaskEnv
    prompt_ids: Ids
    responses: list[str] = field(default_factory=list)
    tokens: int = 0
    truncated: bool = False
    verdict: Verdict | None = None

    def step(self) -> str | None:
        """Play the last response; return the next observation, None when the attempt is over."""
        observation, _, terminated, truncated, info = self.env.step(self.responses[-1])
        if not (terminated or truncated):
            return observation
        self.verdict = info["verdict"]
        self.env.close()
        return None

    def cut(self) -> None:
        """End the attempt for want of room."""
        assert isinstance(self.env, MultiTurnEnv)
        self.verdict = self.env.cut(f"no room for another turn after {len(self.prompt_ids)} tokens")
        self.env.close()

    def finished(self) -> Attempt:
        assert self.verdict is not None
        responses = tuple(self.responses)
        return Attempt(self.task, self.index, responses, self.verdict, self.tokens, self.truncated)


def _roll_out(
    policy: Policy,
    env: TaskEnv,
    tasks: Sequence[Task],
    n: int,
    request: Callable[[_Episode], SampleRequest],
    room: Callable[[Ids], int],
    batch_size: int,
    progress: Progress | None,
) -> list[Attempt]:
    """Play all attempts in rounds; one round samples one turn of each that is not over."""
    # Pickled and read back here alone: a copy of our own environment, before it has met any response.
    blank = pickle.dumps(env)
    episodes = []
    for task in tasks:
        for index in range(n):
            own = pickle.loads(blank)
            own.reset(options={"task": task})
            episodes.append(_Episode(own.task, index, own, opening(policy, own.conversation)))
    live, waiting = _admitted([], episodes, env.max_live)
    # Verifiers wait for other processes, so that judging goes on while the next batch is sampled.
    with ThreadPoolExecutor(os.cpu_count() or 1) as judges, ExitStack() as ends:
        for episode in episodes:
            # Those that an exception leaves in the middle hold sandboxes.
            ends.callback(episode.env.close)
        while live:
            steps: list[Future[str | None]] = []
            written: list[Completion] = []
            for batch in _batches(live, batch_size):
                for episode, completion in zip(batch, policy.sample([*map(request, batch)]), strict=True):
                    episode.responses.append(completion.text)
                    episode.tokens += len(completion.ids)
                    episode.truncated |= completion.finish == "length"
                    written.append(completion)
                    steps.append(judges.submit(episode.step))
            still = []
            for episode, completion, step in zip(live, written, steps, strict=True):
                observation = step.result()
                if observation is not None:
                    # No stop texts are asked for, so that "stop" means a sampled stop token.
                    closed = completion.finish == "stop"
                    answer = policy.render_added((Message("user", observation),), closed=closed)
                    episode.prompt_ids = np.concatenate([episode.prompt_ids, completion.ids, answer])
                    if room(episode.prompt_ids) == 0:
                        episode.cut()
                    else:
                        still.append(episode)
            live, waiting = _admitted(still, waiting, env.max_live)
            if progress is not None:
                progress(len(episodes) - len(live) - len(waiting), len(episodes))
    return [episode.finished() for episode in episodes]


def _admitted(
    live: list[_Episode], waiting: list[_Episode], max_live: int | None
) -> tuple[list[_Episode], list[_Episode]]:
    """Return the episodes that go on or begin, and those that wait for one of them to end."""
    room = len(waiting) if max_live is None else max(max_live - len(live), 0)
    return [*live, *waiting[:room]], waiting[room:]


def _report(attempts: Sequence[Attempt], k: tuple[int, ...], notes: list[str], **given: Any) -> EvalReport:
    by_task: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        by_task.setdefault(attempt.task.id, []).append(attempt)
    decided = {id: [a for a in group if a.verdict.decided] for id, group in by_task.items()}
    known = [group for group in decided.values() if group]
    n = given["n"]
    num_masked = len(attempts) - sum(map(len, known))
    if num_masked:
        notes.append(f"{num_masked} of {len(attempts)} attempts were masked and are in no estimate.")
    pass_at: dict[int, Interval | None] = {}
    for each in k:
        found = (pass_at_k(len(g), sum(a.verdict.passed for a in g), each) for g in decided.values())
        estimates = [estimate for estimate in found if estimate is not None]
        pass_at[each] = clustered_interval(estimates, attempts=len(estimates) * n / each)
        if n < each:
            notes.append(f"pass@{each} is undefined for {n} attempts per task.")
        elif len(estimates) < len(by_task):
            missing = len(by_task) - len(estimates)
            notes.append(f"pass@{each} leaves out {missing} tasks with fewer than {each} decided attempts.")
    return EvalReport(
        attempts=tuple(attempts),
        accuracy=_accuracy(known),
        score=clustered_interval(
            [_mean(a.verdict.score or 0.0 for a in g) for g in known], attempts=_count(known)
        ),
        pass_at=pass_at,
        if_masked_wrong=_mean(_mean(a.verdict.passed for a in g) for g in by_task.values()),
        if_masked_right=_mean(
            _mean(a.verdict.passed or not a.verdict.decided for a in g) for g in by_task.values()
        ),
        strata=tuple(_strata(known)),
        notes=tuple(notes),
        **given,
    )


def _strata(groups: Sequence[Sequence[Attempt]]) -> Iterator[Stratum]:
    """Yield one stratum per label and value, leaving out labels that all tasks share."""
    labels: dict[str, dict[str | int, list[Sequence[Attempt]]]] = {}
    for group in groups:
        for name, value in group[0].task.strata.items():
            labels.setdefault(name, {}).setdefault(value, []).append(group)
    for name, values in labels.items():
        if len(values) < 2:
            continue
        for value in sorted(values, key=lambda value: (isinstance(value, str), value)):
            yield Stratum(name, str(value), len(values[value]), _accuracy(values[value]))


def _accuracy(groups: Sequence[Sequence[Attempt]]) -> Interval | None:
    return clustered_interval([_mean(a.verdict.passed for a in g) for g in groups], attempts=_count(groups))


def _count(groups: Sequence[Sequence[Attempt]]) -> int:
    return sum(map(len, groups))


def _heldout_env(env: str | Mapping[str, Any]) -> TaskEnv:
    settings, fields = _settings_of(env)
    if "split" in fields:
        settings.setdefault("split", "heldout")
    return make_env(settings, where="evaluate: env")


def _file_env(env: TaskEnv | str | Mapping[str, Any], file: os.PathLike[str]) -> TaskEnv:
    """Return the environment over all tasks of ``file``."""
    if isinstance(env, TaskEnv):
        raise UsageError(
            "evaluate: a task file needs the environment by its id, not one that is made already."
        )
    settings, fields = _settings_of(env)
    if "name" in settings and "file" not in fields:
        raise UsageError(f"evaluate: env '{settings['name']}' reads no task files, tasks={os.fspath(file)}.")
    if "file" in settings:
        raise UsageError(f"evaluate: two task files, {settings['file']} and {os.fspath(file)}.")
    # Every row, unless a split is asked for.
    return make_env({"split": "all", **settings, "file": file}, where="evaluate: env")


def _settings_of(env: str | Mapping[str, Any]) -> tuple[dict[str, Any], Set[str]]:
    """Return the settings with the name, and which settings there are."""
    settings = {"name": env} if isinstance(env, str) else dict(env)
    name = settings.get("name")
    return settings, find(name).config.model_fields.keys() if isinstance(name, str) else frozenset()


def _policy(policy: Policy | str | os.PathLike[str] | Mapping[str, Any]) -> Policy:
    if isinstance(policy, Policy):
        return policy
    if isinstance(policy, str | Mapping):
        return make_policy(policy)
    if isinstance(policy, os.PathLike):
        return make_policy({"name": "torch_lm", "model": os.fspath(policy)})
    raise ConfigError(f"evaluate: policy must be a Policy, a name or a path, got {type(policy).__name__}.")


def _batches(episodes: Sequence[_Episode], size: int) -> Iterator[Sequence[_Episode]]:
    for start in range(0, len(episodes), size):
        yield episodes[start : start + size]


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers)


def _plain(interval: Interval | None) -> dict[str, float] | None:
    return None if interval is None else interval.to_dict()


def _shown(interval: Interval | None) -> str:
    return "undefined" if interval is None else str(interval)
