"""The frame in which a chat endpoint's conversations travel as ids."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlvr_gym.errors import ConfigError
from rlvr_gym.policies import make_policy
from rlvr_gym.policies.endpoint import END_ID, conversation_of
from rlvr_gym.types import Message

CONVERSATIONS = st.lists(
    st.builds(
        Message,
        st.sampled_from(["system", "user", "assistant", "tool"]),
        st.text(st.characters(exclude_categories=["Cs"])),
    ),
    max_size=4,
).map(tuple)


@pytest.fixture(scope="module")
def policy():
    return make_policy({"name": "endpoint", "base_url": "http://localhost:9/v1", "model": "m"})


@given(opening=CONVERSATIONS, said=st.text(st.characters(exclude_categories=["Cs"])), closed=st.booleans())
def test_ids_hold_the_whole_conversation(policy, opening, said, closed):
    written = np.array([*said.encode(), *([END_ID] if closed else [])], np.int32)
    answer = (Message("user", "∫ more"),)
    ids = np.concatenate([policy.render(opening), written, policy.render_added(answer, closed=closed)])
    assert conversation_of(policy.render(opening)) == opening
    assert conversation_of(ids) == (*opening, Message("assistant", said), *answer)
    assert policy.decode(written) == said


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"base_url": "localhost:8000", "model": "m"}, "http://host:port/v1"),
        ({"base_url": "http://user:key@host/v1", "model": "m"}, "without key"),
        ({"base_url": "http://host/v1", "model": ""}, "model"),
        ({"base_url": "http://host/v1"}, "model is required"),
        ({"base_url": "http://host/v1", "model": "m", "api_key_env": "RLVR_GYM_NO_SUCH_KEY"}, "is not set"),
    ],
)
def test_wrong_settings_are_told(settings, says):
    with pytest.raises(ConfigError, match=says):
        make_policy({"name": "endpoint", **settings})
