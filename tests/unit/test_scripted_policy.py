"""Claims about the scripted policy: it plays what it is given, with exact log-probabilities."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlvr_gym.errors import ConfigError, UnknownNameError
from rlvr_gym.policies import Policy, make_policy
from rlvr_gym.policies.scripted import STOP_ID, ScriptedPolicy
from rlvr_gym.types import Message, SampleRequest


def _request(policy: Policy, text: str = "hi", **settings: object) -> SampleRequest:
    base = SampleRequest("r", policy.render((Message("system", "s"), Message("user", text))), 0, 100)
    return replace(base, **settings)


def test_a_table_answers_the_last_message() -> None:
    policy = ScriptedPolicy({"2+2": "four", "hi": "yo"})
    four, yo = policy.sample([_request(policy, "2+2"), _request(policy)])
    assert (four.text, yo.text) == ("four", "yo")
    assert four.ids.tolist() == [*map(ord, "four"), STOP_ID]
    assert four.finish == "stop"
    assert (four.logprobs == 0).all()
    assert (four.entropies == 0).all()
    assert four.version == policy.version


def test_a_message_without_answer_is_an_error() -> None:
    policy = ScriptedPolicy({"hello": "yo"})
    with pytest.raises(UnknownNameError, match="Did you mean 'hello'"):
        policy.sample([_request(policy, "helo")])


def test_a_list_is_played_in_turn_over_and_over() -> None:
    policy = ScriptedPolicy(["a", "b"])
    assert [c.text for c in policy.sample([_request(policy)] * 3)] == ["a", "b", "a"]
    assert policy.sample([_request(policy)])[0].text == "b"
    policy.position = 1
    assert policy.sample([_request(policy)])[0].text == "b"


def test_a_function_sees_message_and_request() -> None:
    policy = ScriptedPolicy(lambda message, request: f"{message}{request.seed}")
    assert policy.sample([_request(policy, seed=3)])[0].text == "hi3"


def test_draws_have_their_true_logprobs_token_by_token() -> None:
    policy = ScriptedPolicy.random(["ab", "ac", "d"], [1, 1, 2])
    seen = {c.text: c for c in policy.sample([_request(policy, seed=s) for s in range(50)])}
    half = np.log(0.5)
    np.testing.assert_allclose(seen["ab"].logprobs, [half, half, 0], rtol=1e-6)
    np.testing.assert_allclose(seen["ab"].entropies, [-half, -half, 0], rtol=1e-6)
    np.testing.assert_allclose(seen["d"].logprobs, [half, 0], rtol=1e-6)


@given(
    st.dictionaries(st.text("ab", max_size=3), st.integers(1, 9), min_size=1, max_size=5),
    st.integers(0, 10**6),
)
def test_logprobs_of_a_draw_add_up_to_its_probability(weights: dict[str, int], seed: int) -> None:
    policy = ScriptedPolicy.random(list(weights), list(weights.values()))
    (drawn,) = policy.sample([_request(policy, seed=seed)])
    assert drawn.logprobs.sum() == pytest.approx(
        np.log(weights[drawn.text] / sum(weights.values())), abs=1e-5
    )


def test_draws_follow_weights_and_seeds() -> None:
    policy = ScriptedPolicy.random(["x", "y", "x"], [1, 2, 1])
    requests = [_request(policy, seed=s) for s in range(2000)]
    first = [c.text for c in policy.sample(requests)]
    assert first == [c.text for c in policy.sample(requests[::-1])][::-1]
    assert Counter(first)["x"] == pytest.approx(1000, abs=100)


def test_temperature_zero_plays_the_likeliest_text() -> None:
    policy = ScriptedPolicy.random(["x", "y"], [1, 3])
    assert {
        c.text for c in policy.sample([_request(policy, seed=s, temperature=0.0) for s in range(20)])
    } == {"y"}


def test_limits_and_stop_texts_cut_the_answer() -> None:
    policy = ScriptedPolicy(lambda _message, _request: "abcdef")
    cut, stopped, whole, first = policy.sample(
        [
            _request(policy, max_new_tokens=3),
            _request(policy, stop=("cd",)),
            _request(policy, stop=("zz",)),
            _request(policy, stop=("cd",), max_new_tokens=2),
        ]
    )
    assert (cut.text, cut.finish, len(cut.ids)) == ("abc", "length", 3)
    assert (stopped.text, stopped.finish, len(stopped.ids)) == ("abcd", "stop", 4)
    assert (whole.text, whole.finish, len(whole.ids)) == ("abcdef", "stop", 7)
    assert (first.text, first.finish) == ("ab", "length")


@given(st.text())
def test_any_text_survives_the_round_trip(text: str) -> None:
    policy = ScriptedPolicy([text])
    request = _request(policy, text, max_new_tokens=1000)
    assert policy.decode(request.prompt_ids) == "s" + text
    assert policy.sample([request])[0].text == text


def test_a_turn_that_was_cut_is_ended_by_what_follows() -> None:
    policy = ScriptedPolicy(["x"])
    added = (Message("user", "b"),)
    assert policy.render_added(added, closed=False).tolist() == [STOP_ID, *policy.render_added(added)]


def test_it_is_made_from_settings() -> None:
    policy = make_policy({"name": "scripted", "answers": ["x", "y"], "mode": "random", "weights": [0, 1]})
    assert isinstance(policy, Policy)
    assert policy.sample([_request(policy)])[0].text == "y"
    table = make_policy({"name": "scripted", "answers": {"hi": "yo"}})
    assert table.sample([_request(table)])[0].text == "yo"


@pytest.mark.parametrize(
    "table",
    [
        {"answers": {"a": "b"}, "mode": "random"},
        {"answers": [], "mode": "random"},
        {"answers": []},
        {"answers": ["a"], "mode": "random", "weights": [-1]},
        {"answers": ["a"], "mode": "random", "weights": [1, 2]},
        {"answers": ["a"], "mode": "random", "weights": [0]},
    ],
)
def test_a_script_that_cannot_be_played_is_refused(table: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="scripted"):
        make_policy({"name": "scripted", **table})
