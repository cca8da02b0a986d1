"""Gymnasium's own vectorisers must hand out the texts that a single environment gives."""

import math

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from rlvr_gym.envs import ENVS, MultiTurnEnv, Reply, SingleTurnEnv, make, register
from rlvr_gym.types import Status, Task, Verdict
from rlvr_gym.verifiers import VERIFIERS, verifier
from rlvr_gym.verifiers.number import Number, number

ALPHABET = "aZ∫πé日本語😀\n\t \x00'\""


class ScriptsEnv(MultiTurnEnv):
    """Long prompts in many scripts; three turns at most."""

    def __init__(self):
        super().__init__("number", max_turns=3, max_prompt_chars=5_000)

    def draw(self, rng):
        length = int(rng.choice([1, 40, 5_000]))
        prompt = "".join(ALPHABET[i] for i in rng.integers(0, len(ALPHABET), size=length))
        return Task(id=f"{length}:{prompt[:30]}", prompt=prompt, reference=1)

    def reply(self, task, conversation):
        said = conversation[-1].content
        if said == "unknown":
            return Reply("¿?", Verdict.of(Status.UNDECIDED, "cannot tell"))
        if said == "end":
            return Reply("終わり", Verdict.of(Status.PASSED, "ended"))
        return Reply(said[::-1] * 2)


class PooledEnv(SingleTurnEnv):
    """Judged in a killable worker process."""

    def __init__(self):
        super().__init__("test_pooled")

    def draw(self, rng):
        number = int(rng.integers(100))
        return Task(id=str(number), prompt=f"Repeat: {number}", reference=number)


@pytest.fixture(scope="module", autouse=True)
def _environments():
    register("test_scripts", ScriptsEnv)
    verifier("test_pooled", config=Number)(number)
    register("test_pooled", PooledEnv)
    yield
    del VERIFIERS._entries["test_pooled"]
    for id in ("test_scripts-v0", "test_pooled-v0"):
        del ENVS._entries[id]
        del gymnasium.registry[f"rlvr_gym/{id}"]


def vector(id, mode, num_envs=3, **vector_kwargs):
    return gymnasium.make_vec(
        f"rlvr_gym/{id}", num_envs=num_envs, vectorization_mode=mode, vector_kwargs=vector_kwargs
    )


MODES = [("sync", {}), ("async", {}), ("async", {"shared_memory": False}), ("async", {"copy": False})]


@pytest.mark.parametrize(("mode", "settings"), MODES)
def test_texts_equal_those_of_single_environments(mode, settings):
    singles = [make("test_scripts-v0") for _ in range(3)]
    envs = vector("test_scripts-v0", mode, **settings)
    try:
        for seed in (0, 11):
            observations, infos = envs.reset(seed=seed)
            expected = [env.reset(seed=seed + i) for i, env in enumerate(singles)]
            assert list(observations) == [observation for observation, _ in expected]
            assert list(infos["task_id"]) == [info["task_id"] for _, info in expected]
            assert observations in envs.observation_space
            for actions in (("x", "ß∂ƒ\n", "日本 😀"), ("y" * 2_000, "", "\x00")):
                assert actions in envs.action_space
                observations, rewards, terminated, truncated, _ = envs.step(actions)
                steps = [env.step(action) for env, action in zip(singles, actions, strict=True)]
                assert list(observations) == [step[0] for step in steps]
                assert rewards.tolist() == [step[1] for step in steps]
                assert not terminated.any()
                assert not truncated.any()
    finally:
        envs.close()


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_the_next_step_after_an_end_gives_the_next_prompt(mode):
    envs, single = vector("test_scripts-v0", mode, num_envs=2), make("test_scripts-v0")
    try:
        envs.reset(seed=[4, 5])
        single.reset(seed=4)
        observations, rewards, terminated, _, infos = envs.step(("end", "go on"))
        assert list(observations) == ["終わり", "no ogno og"]
        assert (rewards.tolist(), terminated.tolist()) == ([1.0, 0.0], [True, False])
        assert infos["verdict"][0] == Verdict.of(Status.PASSED, "ended")
        assert infos["_verdict"].tolist() == [True, False]
        observations, rewards, terminated, truncated, infos = envs.step(("ignored", "b"))
        assert observations[0] == single.reset()[0]
        assert observations[1] == "bb"
        assert (rewards[0], terminated[0], truncated[0]) == (0.0, False, False)
        assert infos["task_id"][0] == single.task.id
    finally:
        envs.close()


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_a_reset_in_the_same_step_keeps_the_final_text_and_verdict(mode):
    envs = vector("test_scripts-v0", mode, num_envs=2, autoreset_mode=AutoresetMode.SAME_STEP)
    single = make("test_scripts-v0")
    try:
        envs.reset(seed=[4, 5])
        single.reset(seed=5)
        observations, rewards, terminated, truncated, infos = envs.step(("a", "unknown"))
        assert list(observations) == ["aa", single.reset()[0]]
        assert infos["final_obs"].tolist() == [None, "¿?"]
        assert infos["final_info"]["verdict"][1].status is Status.UNDECIDED
        assert infos["final_info"]["masked"].tolist()[1] is True
        assert rewards[0] == 0.0
        assert math.isnan(rewards[1])
        assert (terminated.tolist(), truncated.tolist()) == ([False, False], [False, True])
    finally:
        envs.close()


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_a_disabled_autoreset_resets_only_those_named(mode):
    envs = vector("test_scripts-v0", mode, num_envs=2, autoreset_mode=AutoresetMode.DISABLED)
    single = make("test_scripts-v0")
    try:
        envs.reset(seed=[4, 5])
        single.reset(seed=4)
        envs.step(("end", "go on"))
        observations, _ = envs.reset(options={"reset_mask": np.array([True, False])})
        assert list(observations) == [single.reset()[0], "no ogno og"]
    finally:
        envs.close()


def test_a_given_task_reaches_every_environment_of_a_vector():
    envs = vector("sums-v0", "async", num_envs=2)
    task = Task(id="given", prompt="What is 2 + 2?", reference=4)
    try:
        observations, _ = envs.reset(options={"task": task})
        assert observations == ("What is 2 + 2?",) * 2
        assert envs.step(("4", "5"))[1].tolist() == [1.0, 0.0]
    finally:
        envs.close()


def test_workers_that_are_started_afresh_know_the_environments():
    envs = vector("sums-v0", "async", num_envs=1, context="spawn")
    try:
        assert envs.reset(seed=2)[0] == (make("sums-v0").reset(seed=2)[0],)
    finally:
        envs.close()


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_integrals_are_judged_inside_workers(mode):
    envs = vector("integral-v0", mode, num_envs=3)
    singles = [make("integral-v0") for _ in range(3)]
    try:
        observations, _ = envs.reset(seed=0)
        assert list(observations) == [env.reset(seed=i)[0] for i, env in enumerate(singles)]
        answers = (singles[0].oracle(singles[0].task), "\\boxed{x^77}", "no idea")
        _, rewards, terminated, _, infos = envs.step(answers)
        assert rewards.tolist() == [1.0, 0.0, 0.0]
        assert terminated.all()
        assert [verdict.status for verdict in infos["verdict"]] == [
            Status.PASSED,
            Status.FAILED,
            Status.MALFORMED,
        ]
    finally:
        envs.close()


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_killable_workers_serve_the_processes_of_a_vector(mode):
    """Gymnasium's workers are daemons, which may not have children of multiprocessing's making."""
    single = make("test_pooled-v0")
    single.reset(seed=8)
    assert single.step(str(single.task.reference))[1] == 1.0
    envs = vector("test_pooled-v0", mode, num_envs=2)
    try:
        envs.reset(seed=8)
        _, rewards, _, _, infos = envs.step((str(single.task.reference), "no idea"))
        assert rewards.tolist() == [1.0, 0.0]
        assert infos["verdict"][0].verifier == "test_pooled@1"
    finally:
        envs.close()
