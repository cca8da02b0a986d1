"""A chat endpoint over a real socket as a policy: the whole conversation is sent, and failures are errors, not texts."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from rlvr_gym.envs import make
from rlvr_gym.evaluation import evaluate
from rlvr_gym.policies import Policy, make_policy
from rlvr_gym.policies.endpoint import END_ID, EndpointError
from rlvr_gym.types import Image, Message, SampleRequest

KEY = "ENDPOINT_TEST_KEY"


class Handler(BaseHTTPRequestHandler):
    """A chat model that plays 'guess a number' by halving, from nothing but the messages that it is sent."""

    protocol_version = "HTTP/1.1"
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.seen.append((self.path, dict(self.headers), body))
            self.server.open += 1
            self.server.most_open = max(self.server.most_open, self.server.open)
        status, text = self.server.answer(body)
        data = text.encode()
        with self.server.lock:
            self.server.open -= 1
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = threading.Lock()
        self.seen: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.open = self.most_open = 0
        self.answer: Any = lambda body: (200, reply(halving(body["messages"])))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1/"


def reply(text: str | None, finish: str = "stop") -> str:
    return json.dumps(
        {"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": finish}]}
    )


def halving(messages: list[dict[str, str]]) -> str:
    low, high = 1, 100
    for guess, hint in zip(messages[1::2], messages[2::2], strict=True):
        assert (guess["role"], hint["role"]) == ("assistant", "user")
        if hint["content"].startswith("Higher"):
            low = int(guess["content"]) + 1
        else:
            high = int(guess["content"]) - 1
    return str((low + high) // 2)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    # Reach the local server directly, whatever the machine's settings are.
    monkeypatch.setenv("NO_PROXY", "*")
    made = Server()
    thread = threading.Thread(target=made.serve_forever, args=(0.01,))
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


def policy_of(server: Server, **settings: Any) -> Policy:
    table = {"name": "endpoint", "base_url": server.url, "model": "m", "backoff_s": 0.01, **settings}
    return make_policy(table)


def request_of(policy: Policy, text: str = "hello", **settings: Any) -> SampleRequest:
    return SampleRequest("k", policy.render((Message("user", text),)), 2**40 + 7, 50, **settings)


def test_episodes_of_several_turns_are_played(server: Server) -> None:
    report = evaluate(policy_of(server), "guess-v0", tasks=12)
    assert report.statuses == {"passed": 12}
    assert max(len(attempt.responses) for attempt in report.attempts) > 3
    assert report.policy == "endpoint:m"


def test_a_request_holds_what_was_asked_for(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, "secret")
    policy = policy_of(server, api_key_env=KEY, request={"top_k": 5, "seed": None})
    server.answer = lambda body: (200, reply("∫ yes"))
    (completion,) = policy.sample([request_of(policy, "∫ 日本\n", temperature=0.5, top_p=0.9, stop=("END",))])
    path, headers, body = server.seen[0]
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == "Bearer secret"
    assert body == {
        "model": "m",
        "messages": [{"role": "user", "content": "∫ 日本\n"}],
        "temperature": 0.5,
        "top_p": 0.9,
        "max_tokens": 50,
        "stop": ["END"],
        "top_k": 5,
    }
    assert (completion.text, completion.finish, completion.version) == ("∫ yes", "stop", "endpoint:m")
    assert completion.ids.tolist() == [*"∫ yes".encode(), END_ID]
    assert policy.decode(completion.ids) == "∫ yes"
    # Nothing to learn from is made up.
    assert np.isnan(completion.logprobs).all()


def test_images_are_sent_as_parts_behind_the_text(server: Server) -> None:
    policy = policy_of(server)
    server.answer = lambda body: (200, reply("7"))
    chart, dot = Image("image/png", b"\x89PNG", "a chart"), Image("image/gif", b"GIF", "")
    opening = (Message("system", "s"), Message("user", "What is shown?", (chart, dot)))
    (completion,) = policy.sample([SampleRequest("k", policy.render(opening), 0, 50)])
    assert completion.text == "7"
    # "iVBORw==" and "R0lG" are the bytes in base64; what an image shows in words is not for those who see it.
    assert server.seen[0][2]["messages"] == [
        {"role": "system", "content": "s"},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "What is shown?"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}},
                {"type": "image_url", "image_url": {"url": "data:image/gif;base64,R0lG"}},
            ],
        },
    ]


def test_questions_about_figures_reach_the_endpoint_with_their_images(server: Server) -> None:
    env = make("kg", mode="open", images=True, distractors=6, split="all")
    tasks = {task.prompt: task for task in env.tasks(6, seed=0)}
    shown = {}

    def answer(body: dict[str, Any]) -> tuple[int, str]:
        (message,) = body["messages"]
        parts = message["content"]
        text = parts if isinstance(parts, str) else parts[0]["text"]
        shown[text] = [] if isinstance(parts, str) else [part["image_url"]["url"] for part in parts[1:]]
        return 200, reply(env.oracle(tasks[text]))

    server.answer = answer
    report = evaluate(policy_of(server), env, tasks=[*tasks.values()])
    assert report.statuses == {"passed": 6}
    assert any(shown.values())
    for prompt, task in tasks.items():
        images = task.conversation()[0].images
        assert [base64.b64decode(url.partition(",")[2]) for url in shown[prompt]] == [i.data for i in images]


def test_a_cut_answer_is_marked_and_left_open(server: Server) -> None:
    server.answer = lambda body: (200, reply("half an ans", "length"))
    policy = policy_of(server)
    (completion,) = policy.sample([request_of(policy)])
    assert (completion.finish, completion.text) == ("length", "half an ans")
    assert END_ID not in completion.ids


def test_an_empty_answer_is_one(server: Server) -> None:
    server.answer = lambda body: (200, reply(None))
    policy = policy_of(server)
    assert policy.sample([request_of(policy)])[0].text == ""


def test_no_more_requests_are_open_than_asked_for(server: Server) -> None:
    arrived = threading.Semaphore(0)

    def slow(body: dict[str, Any]) -> tuple[int, str]:
        arrived.release()
        threading.Event().wait(0.02)
        return 200, reply("x")

    server.answer = slow
    policy = policy_of(server, at_once=3)
    assert len(policy.sample([request_of(policy)] * 10)) == 10
    assert server.most_open == 3


def test_trouble_that_passes_is_tried_again(server: Server) -> None:
    server.answer = lambda body: (503, "busy") if len(server.seen) < 3 else (200, reply("x"))
    policy = policy_of(server)
    assert policy.sample([request_of(policy)])[0].text == "x"


@pytest.mark.parametrize(
    ("status", "text", "says"),
    [(401, "no", "is the key right"), (500, "oops", "HTTP 500: oops"), (200, "<html>", "no chat completion")],
)
def test_trouble_that_stays_is_an_error_and_no_text(
    server: Server, status: int, text: str, says: str
) -> None:
    server.answer = lambda body: (status, text)
    policy = policy_of(server, retries=1)
    with pytest.raises(EndpointError, match=says):
        policy.sample([request_of(policy)])
