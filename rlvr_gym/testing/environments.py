"""The contract of an environment, for ours and for third parties'."""

from __future__ import annotations

import itertools
import json
import math
import pickle
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv, VectorEnv

from rlvr_gym.envs import TaskEnv, find, make
from rlvr_gym.errors import UsageError
from rlvr_gym.testing.contracts import run_contract, within_limit
from rlvr_gym.testing.hostile import HOSTILE
from rlvr_gym.types import Check, Status, Verdict

_ACTIONS = ("12", "\\boxed{x^2}", "no idea", "∫ 日本 😀\n", "50", "-1", "")
_NUM_TASKS = 12


class MakeEnv(Protocol):
    """Makes the environment under test, with changed settings where given."""

    def __call__(self, **settings: Any) -> TaskEnv:
        """Return a new environment."""
        ...


def check_environment(env: str, **settings: Any) -> list[Check]:
    """Return one check per claim of the environment contract.

    Args:
        env: Registered id.
        **settings: Settings to check it under.

    Raises:
        UnknownNameError: no such environment.
        ConfigError: a wrong setting.
    """
    make(env, **settings)

    def remade(**changed: Any) -> TaskEnv:
        return make(env, **{**settings, **changed})

    return [
        run_contract(name, lambda contract=contract: contract(remade))  # type: ignore[misc]
        for name, contract in ENVIRONMENT_CONTRACTS.items()
    ]


def gymnasium_accepts_it(make_env: MakeEnv) -> None:
    """Gymnasium's own ``check_env`` passes without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(make_env())


def same_seed_same_episode(make_env: MakeEnv) -> None:
    """Seed and actions fix everything that is returned, and seeds differ."""
    openings = []
    for seed in range(_NUM_TASKS):
        one, two = make_env(), make_env()
        opening = one.reset(seed=seed)
        assert opening == two.reset(seed=seed), f"reset(seed={seed}) gave two different episodes"
        openings.append(repr(opening))
        assert _rest(one) == _rest(two), f"the same actions after reset(seed={seed}) gave different results"
    assert len(set(openings)) > 1, f"seeds 0 to {_NUM_TASKS - 1} all give one task"


def make_seeds_like_reset(make_env: MakeEnv) -> None:
    """A seed given to ``make`` is a seed given to the first ``reset``, 0 included; without one, tasks go on."""
    made, reset = make_env(), make_env()
    made.seed_with(0)
    first = made.reset()
    assert first == reset.reset(seed=0), "seed_with(0) and reset(seed=0) give different tasks"
    openings = [repr(made.reset()) for _ in range(_NUM_TASKS)]
    assert len({repr(first), *openings}) > 1, "reset() without a seed repeats one task"
    assert openings == [repr(reset.reset()) for _ in range(_NUM_TASKS)], (
        "reset() does not go on from the seed"
    )


def order_of_calls_is_kept(make_env: MakeEnv) -> None:
    """A step before ``reset`` or after the end is refused, and so is an action that is no text."""
    env = make_env()
    _refuses(lambda: env.step("1"), "step() before reset()")
    env.reset(seed=0)
    _refuses(lambda: env.step(1), "an action that is no text")  # type: ignore[arg-type]
    _rest(env)
    _refuses(lambda: env.step("1"), "step() after the end")


def the_reference_is_hidden(make_env: MakeEnv) -> None:
    """Nothing the policy can read changes when only reference and hidden fields do."""
    env = make_env()
    for task, other in itertools.pairwise(env.tasks(_NUM_TASKS, seed=0)):
        swapped = replace(task, reference=other.reference, hidden=other.hidden)
        shown, shown_swapped = env.reset(options={"task": task}), env.reset(options={"task": swapped})
        assert shown == shown_swapped, f"the opening of task '{task.id}' depends on its reference"


def the_oracle_scores_1(make_env: MakeEnv) -> str:
    """The known right answers earn 1."""
    env = make_env()
    known = 0
    for task in env.tasks(_NUM_TASKS, seed=0):
        answer = env.oracle(task)
        if answer is None:
            continue
        known += 1
        env.reset(options={"task": task})
        _, reward, terminated, truncated, info = env.step(answer)
        assert (reward, terminated, truncated) == (1.0, True, False), (
            f"the oracle's answer to '{task.id}' earned {reward}: {info.get('verdict')}"
        )
    return f"{known} answers" if known else "no right answer is known"


def pickling_changes_nothing(make_env: MakeEnv) -> None:
    """A pickled environment goes on as the original, in an episode and after."""
    env = make_env()
    env.reset(seed=0)
    copy = pickle.loads(pickle.dumps(env))
    assert _rest(copy) == _rest(env), "the episode went on differently"
    assert copy.reset() == env.reset(), "the next task differs"


def states_restore_everything(make_env: MakeEnv) -> None:
    """Going on from a state, through JSON, equals going on."""
    env, other = make_env(), make_env()
    env.reset(seed=0)
    state = json.loads(json.dumps(env.get_state()))
    ahead = (_rest(env), env.reset(), _rest(env))
    for target in (other, env):
        target.set_state(state)
        assert (_rest(target), target.reset(), _rest(target)) == ahead, "the episodes went on differently"


def hostile_answers_get_verdicts(make_env: MakeEnv) -> None:
    """Every hostile text gets a typed verdict in under 2 s, and none passes."""
    env = make_env()
    task = env.tasks(1, seed=0)[0]
    for name, text in HOSTILE.items():
        verdict = within_limit(lambda text=text: env.judge(task, text), what=name)  # type: ignore[misc]
        assert isinstance(verdict, Verdict), f"{name}: judge() returned {type(verdict).__name__}"
        assert not verdict.passed, f"{name}: passed, {verdict.reason}"
        env.reset(options={"task": task})
        _coherent(name, env.step(text))


def an_overlong_answer_is_malformed(make_env: MakeEnv) -> None:
    """A text beyond the action space is malformed, not an error."""
    env = make_env()
    task = env.tasks(1, seed=0)[0]
    verdict = env.judge(task, "1" * (env.action_space.max_length + 1))  # type: ignore[attr-defined]
    assert verdict.status is Status.MALFORMED, f"an overlong answer is {verdict.status}"


def splits_share_no_task(make_env: MakeEnv) -> str | None:
    """No task is both for training and held out."""
    spec = make_env().spec
    if spec is None or "split" not in find(spec.id).config.model_fields:
        return "no splits"
    train = {task.id for task in make_env(split="train").tasks(100, seed=0)}
    heldout = {task.id for task in make_env(split="heldout").tasks(100, seed=0)}
    assert train, "there are no training tasks"
    assert heldout, "there are no held-out tasks"
    assert train.isdisjoint(heldout), f"in both splits: {sorted(train & heldout)[:3]}"
    return None


def vectors_give_the_same_texts(make_env: MakeEnv) -> None:
    """Gymnasium's sync and async vectors return what single environments do."""
    for kind in (SyncVectorEnv, AsyncVectorEnv):
        vector: VectorEnv[Any, Any, Any] = kind([make_env, make_env])
        try:
            _compare_vector(kind.__name__, vector, [make_env(), make_env()])
        finally:
            vector.close()


def _compare_vector(kind: str, vector: VectorEnv[Any, Any, Any], singles: list[TaskEnv]) -> None:
    observations, infos = vector.reset(seed=[3, 4])  # type: ignore[arg-type]  # both vectors take a list
    openings = [env.reset(seed=seed) for env, seed in zip(singles, (3, 4), strict=True)]
    assert list(observations) == [observation for observation, _ in openings], f"{kind}: other prompts"
    assert list(infos["task_id"]) == [info["task_id"] for _, info in openings], f"{kind}: other tasks"
    actions = ("∫ 日本\n😀", "12")
    observations, rewards, terminated, truncated, infos = vector.step(actions)
    steps = [env.step(action) for env, action in zip(singles, actions, strict=True)]
    assert list(observations) == [step[0] for step in steps], f"{kind}: other observations"
    assert np.array_equal(rewards, [step[1] for step in steps], equal_nan=True), f"{kind}: other rewards"
    assert terminated.tolist() == [step[2] for step in steps], f"{kind}: other ends"
    assert truncated.tolist() == [step[3] for step in steps], f"{kind}: other truncations"
    for index, step in enumerate(steps):
        if "verdict" in step[4]:
            assert infos["verdict"][index] == step[4]["verdict"], f"{kind}: another verdict"


ENVIRONMENT_CONTRACTS: Mapping[str, Callable[[MakeEnv], str | None]] = {
    contract.__name__: contract
    for contract in (
        gymnasium_accepts_it,
        same_seed_same_episode,
        make_seeds_like_reset,
        order_of_calls_is_kept,
        the_reference_is_hidden,
        the_oracle_scores_1,
        pickling_changes_nothing,
        states_restore_everything,
        hostile_answers_get_verdicts,
        an_overlong_answer_is_malformed,
        splits_share_no_task,
        vectors_give_the_same_texts,
    )
}
"""Every claim by name; the first docstring line says what it claims."""


def _rest(env: TaskEnv) -> list[Any]:
    """Play the episode to its end and return what each step returned."""
    steps = []
    for action in itertools.islice(itertools.cycle(_ACTIONS), 10_000):
        observation, reward, terminated, truncated, info = env.step(action)
        _coherent(action, (observation, reward, terminated, truncated, info))
        # NaN differs from itself; its text does not.
        steps.append((observation, repr(reward), terminated, truncated, info))
        if terminated or truncated:
            return steps
    raise AssertionError("the episode did not end within 10,000 steps")


def _coherent(name: str, step: tuple[str, float, bool, bool, dict[str, Any]]) -> None:
    """Raise unless reward, ends and verdict of one step say the same."""
    _, reward, terminated, truncated, info = step
    verdict = info.get("verdict")
    if not (terminated or truncated):
        assert verdict is None, f"{name}: a verdict before the end"
        return
    assert isinstance(verdict, Verdict), f"{name}: the episode ended without a Verdict in info"
    assert info["masked"] is not verdict.decided, f"{name}: masked is {info['masked']} for {verdict.status}"
    if verdict.decided:
        assert reward == verdict.score, f"{name}: reward {reward} for a score of {verdict.score}"
    else:
        assert math.isnan(reward), f"{name}: reward {reward} for an undecided verdict"
        assert truncated, f"{name}: an undecided verdict must truncate"


def _refuses(call: Callable[[], object], what: str) -> None:
    try:
        call()
    except UsageError:
        return
    raise AssertionError(f"{what} was not refused with a UsageError")
