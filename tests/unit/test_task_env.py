import json
import math
import pickle
import subprocess
import sys

import gymnasium
import numpy as np
import pytest

from rlvr_gym.config import Config
from rlvr_gym.envs import ENVS, MultiTurnEnv, Reply, SingleTurnEnv, find, make, make_env, register
from rlvr_gym.errors import ConfigError, DuplicateNameError, TaskError, UnknownNameError, UsageError
from rlvr_gym.types import Message, Status, Task, Verdict
from rlvr_gym.verifiers import VERIFIERS, verifier


class EchoConfig(Config):
    size: int = 3


class EchoEnv(SingleTurnEnv):
    """Repeat a number."""

    def __init__(self, config=None):
        super().__init__("number", max_prompt_chars=200, max_response_chars=50)
        self.config = config

    def draw(self, rng):
        number = int(rng.integers(1000))
        return Task(id=str(number), prompt=f"Repeat: {number}", reference=number)


def by_name(task, response, config):
    """Give the status that the response names."""
    return Verdict.of(Status(response), "as asked")


@pytest.fixture(scope="module", autouse=True)
def _statuses_verifier():
    verifier("test_statuses", bounded=True)(by_name)
    yield
    # Contracts run over every registered verifier; this one is no example to follow.
    del VERIFIERS._entries["test_statuses"]


class StatusEnv(SingleTurnEnv):
    def __init__(self):
        super().__init__("test_statuses")

    def draw(self, rng):
        return Task(id=str(int(rng.integers(10**9))), prompt="Which status?")


class TalkEnv(MultiTurnEnv):
    def __init__(self):
        super().__init__("number", max_turns=3)

    def draw(self, rng):
        return Task(id="talk", prompt="Talk.", reference=1)

    def reply(self, task, conversation):
        if conversation[-1].content == "end":
            return Reply("Bye.", Verdict.of(Status.PASSED, "ended"))
        return Reply(f"You wrote {len(conversation)} messages with me.")


def test_a_decided_verdict_terminates_with_its_score():
    env = StatusEnv()
    for status, reward in {"passed": 1.0, "failed": 0.0, "malformed": 0.0, "over_limit": 0.0}.items():
        env.reset(seed=0)
        observation, *rest, info = env.step(status)
        assert (observation, *rest) == ("", reward, True, False)
        assert info["verdict"].status == status
        assert info["masked"] is False


@pytest.mark.parametrize("status", ["undecided", "unsupported", "timeout", "infrastructure"])
def test_an_undecided_verdict_truncates_with_a_reward_that_cannot_be_learned_from(status):
    env = StatusEnv()
    env.reset(seed=0)
    _, reward, terminated, truncated, info = env.step(status)
    assert math.isnan(reward)
    assert (terminated, truncated, info["masked"]) == (False, True, True)
    assert info["verdict"].status == status


def test_a_bug_of_the_verifier_propagates():
    env = StatusEnv()
    env.reset(seed=0)
    with pytest.raises(ValueError, match="is not a valid Status"):
        env.step("no status")


def test_the_turn_limit_truncates_with_reward_0_and_a_failed_verdict():
    env = TalkEnv()
    env.reset(seed=0)
    assert env.step("a") == (
        "You wrote 2 messages with me.",
        0.0,
        False,
        False,
        {"task_id": "talk", "masked": False},
    )
    assert env.step("b")[2:4] == (False, False)
    observation, reward, terminated, truncated, info = env.step("c")
    assert (observation, reward, terminated, truncated) == ("You wrote 6 messages with me.", 0.0, False, True)
    assert info["verdict"].status is Status.FAILED
    assert info["verdict"].reason == "no answer within 3 turns"
    assert info["masked"] is False


def test_a_verdict_on_the_last_turn_terminates():
    env = TalkEnv()
    env.reset(seed=0)
    env.step("a")
    env.step("b")
    assert env.step("end")[:4] == ("Bye.", 1.0, True, False)
    assert env.num_turns == 3
    assert env.conversation[-2:] == (Message("assistant", "end"), Message("user", "Bye."))


def test_seed_0_is_a_seed_and_no_seed_goes_on():
    env = EchoEnv()
    first = [env.reset(seed=0)[0], env.reset()[0], env.reset()[0]]
    assert [env.reset(seed=0)[0], env.reset()[0], env.reset()[0]] == first
    assert len(set(first)) == 3
    assert env.reset(seed=1)[0] != first[0]


def test_seeding_by_make_equals_seeding_by_reset():
    made, reset = make("sums", seed=7, digits=4), make("sums", digits=4)
    assert made.reset() == reset.reset(seed=7)
    assert made.np_random_seed == reset.np_random_seed == 7
    assert made.reset() == reset.reset()


def test_two_environments_share_no_random_stream():
    one, two = make("sums", seed=0, digits=6), make("sums", seed=0, digits=6)
    for _ in range(5):
        one.reset()
    assert two.reset() == make("sums", digits=6).reset(seed=0)


def test_a_given_task_is_played_and_draws_nothing():
    env, twin = EchoEnv(), EchoEnv()
    env.reset(seed=0)
    twin.reset(seed=0)
    task = Task(id="given", prompt="Repeat: 5", reference=5)
    observation, info = env.reset(options={"task": task})
    assert (observation, info) == ("Repeat: 5", {"task_id": "given"})
    assert env.step("5")[1] == 1.0
    assert env.reset() == twin.reset()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"tsk": 1}, UsageError, "Did you mean 'task'"),
        ({"task": "Repeat"}, UsageError, "must be a Task, got str"),
        ({"task": Task("a", "x" * 201, reference=1)}, TaskError, "at most 200 characters, it has 201"),
        ({"task": Task("a", "\ud800", reference=1)}, TaskError, "Unicode"),
        (
            {"task": Task("a", "x", verifier="integral")},
            TaskError,
            "judges with 'number', task 'a' asks for 'integral'",
        ),
    ],
)
def test_wrong_options_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        EchoEnv().reset(options=options)


def test_steps_out_of_order_say_what_to_call():
    env = EchoEnv()
    for early in (lambda: env.step("1"), lambda: env.task):
        with pytest.raises(UsageError, match=r"env 'EchoEnv' has no task yet: call reset\(\) first"):
            early()
    env.reset(seed=0)
    for action in (5, b"5", None, np.array("5")):
        with pytest.raises(UsageError, match="an action is a str, got"):
            env.step(action)
    env.step("5")
    with pytest.raises(UsageError, match="the episode is over"):
        env.step("5")


def test_an_overlong_or_broken_action_is_malformed_and_never_judged():
    env = EchoEnv()
    for action, reason in {"5" * 51: "51 characters, more than 50", "5\ud800": "lone surrogate"}.items():
        env.reset(seed=0)
        _, reward, terminated, _, info = env.step(action)
        assert (reward, terminated, info["verdict"].status) == (0.0, True, Status.MALFORMED)
        assert reason in info["verdict"].reason
        assert info["verdict"].verifier == "number@1"
        assert env.judge(env.task, action) == info["verdict"]


def play(env, turns):
    return [env.reset() if turn is None else env.step(turn)[:4] for turn in turns]


@pytest.mark.parametrize("id", ["guess-v0", "sums-v0"])
def test_going_on_from_a_state_equals_going_on(id):
    env = make(id, seed=3)
    env.reset()
    if id == "guess-v0":
        env.step("50")
    state = json.loads(json.dumps(env.get_state()))
    turns = ["7", None, "8", None, "9"] if id == "sums-v0" else ["7", "8", None, "9"]
    ahead = play(env, turns)
    for other in (make(id), pickle.loads(pickle.dumps(make(id, seed=9)))):
        other.set_state(state)
        assert play(other, turns) == ahead
        assert other.get_state() == env.get_state()


def test_a_state_from_before_the_first_episode_works_too():
    env, other = make("sums", seed=3), make("sums")
    other.set_state(json.loads(json.dumps(env.get_state())))
    assert other.reset() == env.reset()


@pytest.mark.parametrize("state", [{}, {"rng": {"bit_generator": "os"}}, {"rng": None}])
def test_a_state_that_is_none_is_refused(state):
    with pytest.raises(UsageError, match="no state of an environment"):
        make("sums").set_state(state)


@pytest.fixture
def registered():
    added = []

    def add(id, entry_point, config=None):
        register(id, entry_point, config)
        added.append(id)

    yield add
    for id in added:
        del ENVS._entries[id]
        del gymnasium.registry[f"rlvr_gym/{id}"]


def test_a_registered_environment_is_made_here_and_by_gymnasium(registered):
    registered("test_echo-v0", EchoEnv, EchoConfig)
    registered("test_echo-v10", EchoEnv, EchoConfig)
    registered("test_echo-v9", EchoEnv, EchoConfig)
    assert make("test_echo-v0", size=5).config.size == 5
    assert make("test_echo").id == "test_echo-v10"
    assert make("rlvr_gym/test_echo-v9").id == "test_echo-v9"
    env = gymnasium.make("rlvr_gym/test_echo-v10", size=7)
    assert env.unwrapped.config.size == 7
    assert gymnasium.make(env.spec).unwrapped.config.size == 7
    assert gymnasium.make(make("test_echo", size=8).spec).unwrapped.config.size == 8
    assert find("test_echo").summary == "Repeat a number."
    with pytest.raises(DuplicateNameError, match="test_echo-v0"):
        register("test_echo", EchoEnv)


def test_an_entry_point_may_be_text_and_needs_no_settings(registered):
    registered("test_lazy-v0", "rlvr_gym.envs.nowhere:Env")
    with pytest.raises(ModuleNotFoundError, match="nowhere"):
        make("test_lazy")
    registered("test_wrong-v0", "rlvr_gym.envs.base")
    with pytest.raises(UsageError, match="module:Class"):
        make("test_wrong")
    registered("test_plain-v0", EchoEnv)
    assert make("test_plain").config is None
    with pytest.raises(ConfigError, match="size is not a setting"):
        make("test_plain", size=1)


@pytest.mark.parametrize("id", ["Sums-v0", "sums-v", "sums v0", "ns/sums-v0", "", "0sums"])
def test_ids_are_small_letters_and_a_version(id):
    with pytest.raises(UsageError, match="name-v0"):
        register(id, EchoEnv)


def test_unknown_ids_name_the_nearest():
    for id, near in {"sms": "sums", "sums-v7": "sums-v0", "rlvr_gym/summs-v0": "sums-v0"}.items():
        with pytest.raises(UnknownNameError, match=f"Did you mean '{near}'"):
            make(id)
    with pytest.raises(ConfigError, match=r"vhg\.toml: env: No env is named 'sms'"):
        make_env({"name": "sms"}, where="vhg.toml: env")
    with pytest.raises(ConfigError, match=r"env\.name is required"):
        make_env({"digits": 2})
    assert make_env({"name": "sums", "digits": 2}).config.digits == 2


def test_importing_and_making_needs_no_torch_and_no_sympy():
    code = (
        "import sys, rlvr_gym.envs, gymnasium\n"
        "env = gymnasium.make('rlvr_gym/sums-v0'); env.reset(seed=0)\n"
        "assert not {'torch', 'sympy', 'transformers', 'rich'} & set(sys.modules), 'heavy import'"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
