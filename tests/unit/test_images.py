"""Images in conversations: kept and sent as they are, named by their digests in records, never silently dropped."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlvr_gym.cli._playing import Turn
from rlvr_gym.cli._transcript import transcript
from rlvr_gym.envs import ENVS, SingleTurnEnv, make, register
from rlvr_gym.errors import TaskError, UsageError
from rlvr_gym.evaluation import evaluate, make_player
from rlvr_gym.policies import make_policy, opening
from rlvr_gym.policies.endpoint import END_ID, conversation_of
from rlvr_gym.policies.scripted import ScriptedPolicy
from rlvr_gym.types import Image, Message, SampleRequest, Status, Task, Verdict
from rlvr_gym.verifiers.judging.prompt import rubric_question

CHART = Image("image/png", b"\x89PNG\r\n\x00chart", "a chart of sales")
PHOTO = Image("image/jpeg", bytes(range(256)), "a cat")
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
IMAGES = st.builds(Image, st.sampled_from(["image/png", "image/webp"]), st.binary(max_size=300), TEXTS)
MESSAGES = st.builds(
    Message,
    st.sampled_from(["system", "user", "assistant", "tool"]),
    TEXTS,
    st.lists(IMAGES, max_size=3).map(tuple),
)


def _task(*images: Image, prompt: str = "What is shown?", reference: object = 7) -> Task:
    return Task("t", prompt, reference, public={"images": [image.to_dict() for image in images]})


@pytest.fixture(scope="module")
def endpoint():
    return make_policy({"name": "endpoint", "base_url": "http://localhost:9/v1", "model": "m"})


@given(message=MESSAGES)
def test_messages_and_images_survive_json(message):
    assert Message.from_json(json.loads(json.dumps(message.to_json()))) == message


def test_a_message_without_images_is_written_as_ever():
    # Run folders hold such rows.
    assert Message("user", "hi").to_json() == ["user", "hi"]
    assert Message.from_json(["user", "hi"]) == Message("user", "hi")


def test_every_field_of_an_image_counts_in_its_digest():
    others = [
        replace(CHART, media_type="image/gif"),
        replace(CHART, data=CHART.data + b"\0"),
        replace(CHART, text="another"),
        # The same bytes in all, divided otherwise.
        replace(CHART, text=CHART.text + "\n", data=CHART.data[1:]),
    ]
    assert len({CHART.digest, *(other.digest for other in others)}) == 5
    assert Image(CHART.media_type, CHART.data, CHART.text).digest == CHART.digest


@pytest.mark.parametrize("media_type", ["png", "text/html", "image/png;base64,AA", "image/", "image/png\n"])
def test_what_is_no_image_type_is_refused(media_type):
    # It becomes part of an address, where more than a type could change what is sent.
    with pytest.raises(ValueError, match="image/png"):
        Image(media_type, b"")


def test_a_task_shows_its_images_behind_the_prompt():
    task = Task.from_dict(json.loads(json.dumps(_task(CHART, PHOTO).to_dict())))
    assert task.conversation() == (Message("user", "What is shown?", (CHART, PHOTO)),)


@pytest.mark.parametrize(
    "rows", [["x"], [{"media_type": "image/png"}], [{"media_type": "image/png", "data": "%%%"}], 5, None]
)
def test_a_task_whose_images_cannot_be_read_is_refused(rows):
    with pytest.raises(TaskError, match=r"task 't': public\['images'\]"):
        Task("t", "p", public={"images": rows}).conversation()


def test_an_episode_keeps_its_images_in_state_copy_and_fingerprint():
    env, other = make("guess"), make("guess")
    plain, seen = _task(), _task(CHART)
    env.reset(options={"task": seen})
    env.step("3")
    other.set_state(json.loads(json.dumps(env.get_state())))
    copy = pickle.loads(pickle.dumps(env))
    assert env.conversation == other.conversation == copy.conversation
    assert env.conversation[0].images == (CHART,)
    fingerprints = {env.fingerprint()}
    for task in (plain, _task(PHOTO)):
        env.reset(options={"task": task})
        env.step("3")
        fingerprints.add(env.fingerprint())
    assert len(fingerprints) == 3


@pytest.mark.parametrize(
    "policy",
    [
        ScriptedPolicy(["x"]),
        make_policy({"name": "tiny", "layers": 1, "width": 32, "heads": 2, "context": 64}),
    ],
    ids=["scripted", "tiny"],
)
def test_policies_that_read_text_only_refuse_images(policy):
    assert len(policy.render((Message("user", "hi"),)))
    for render in (policy.render, policy.render_added, lambda said: opening(policy, said)):
        with pytest.raises(UsageError, match="reads text only, and the conversation holds 2 images: take"):
            render((Message("user", "hi", (CHART, PHOTO)),))


def test_a_policy_that_says_nothing_of_images_is_never_shown_any():
    class Foreign:
        """Written before there were images: it drops what it does not know."""

        version = "foreign"

        def render(self, conversation):
            return np.array([ord(c) for message in conversation for c in message.content], np.int32)

    assert opening(Foreign(), (Message("user", "hi"),)).tolist() == [104, 105]
    with pytest.raises(UsageError, match="holds 1 image:"):
        opening(Foreign(), (Message("user", "hi", (CHART,)),))


def test_a_scripted_policy_that_is_told_to_takes_images():
    policy = ScriptedPolicy({"What is shown?": "7"}, reads_images=True)
    ids = opening(policy, _task(CHART).conversation())
    (completion,) = policy.sample([SampleRequest("r", ids, 0, 9)])
    assert completion.text == "7"
    # Two images, two prompts.
    assert ids.tolist() != opening(policy, _task(PHOTO).conversation()).tolist()


def test_the_oracle_reads_what_it_need_not_see():
    env = make("guess")
    assert opening(make_player("oracle", env, [_task(CHART)]), _task(CHART).conversation()).size


@given(conversation=st.lists(MESSAGES, max_size=3).map(tuple), said=TEXTS)
def test_ids_of_an_endpoint_name_images_and_it_finds_them_again(endpoint, conversation, said):
    written = np.array([*said.encode(), END_ID], np.int32)
    ids = np.concatenate(
        [endpoint.render(conversation), written, endpoint.render_added((Message("user", "m"),))]
    )
    shown = {image.digest: image for message in conversation for image in message.images}
    found = conversation_of(ids, shown)
    assert found == (*conversation, Message("assistant", said), Message("user", "m"))
    assert endpoint.decode(ids) == "".join(message.content for message in found)


def test_an_image_in_the_record_is_its_digest(endpoint):
    plain, seen = endpoint.render((Message("user", "a"),)), endpoint.render((Message("user", "a", (CHART,)),))
    # A mark and 32 bytes more, whatever the image's size.
    assert len(seen) - len(plain) == 33
    assert bytes(seen[3:35].astype(np.uint8)).hex() == CHART.digest


def test_ids_with_an_unknown_image_are_refused(endpoint):
    unseen = make_policy({"name": "endpoint", "base_url": "http://localhost:9/v1", "model": "m"})
    ids = endpoint.render((Message("user", "a", (CHART,)),))
    with pytest.raises(UsageError, match=f"image {CHART.digest[:12]}"):
        unseen.sample([SampleRequest("r", ids, 0, 9)])


def test_people_and_judges_are_told_what_images_show():
    task, turn = _task(CHART), Turn(1, "7", "", Verdict.of(Status.FAILED, "no"))
    assert "[image/png, 12 bytes: a chart of sales]" in transcript("guess-v0", "p", task, [turn])
    with_images = rubric_question(task, "r", "is it right?", ("pass", "fail"), key=0, vote=0)
    assert "a chart of sales" in with_images.conversation[1].content
    # Judgements of tasks without images keep their codes, so that recorded ones stay valid.
    plain = rubric_question(_task(), "r", "is it right?", ("pass", "fail"), key=0, vote=0)
    assert "images" not in plain.conversation[1].content


class ChartEnv(SingleTurnEnv):
    """Asks for a number on a chart."""

    def __init__(self):
        super().__init__("number")

    def draw(self, rng):
        return _task(CHART)

    def oracle(self, task):
        return "7"


@pytest.fixture
def charts():
    register("test_charts", ChartEnv)
    yield "test_charts-v0"
    del ENVS._entries["test_charts-v0"]


def test_an_evaluation_records_which_images_were_shown(charts):
    report = evaluate("oracle", charts, tasks=1)
    assert report.statuses == {"passed": 1}
    assert report.attempts[0].to_dict()["images"] == [CHART.digest]
    with pytest.raises(UsageError, match="reads text only"):
        evaluate(ScriptedPolicy(["7"]), charts, tasks=1)
