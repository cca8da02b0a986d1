"""The judge over a real socket: good replies, failures of every kind, and time that is bounded in all of them."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from rlvr_gym.policies.quoting import AnswerForm, unquoted
from rlvr_gym.types import Status, Task, Verdict
from rlvr_gym.verifiers import Verifier

Act = Callable[["Handler"], None]
TASK = Task("t", "6 * 7?", reference="42")
KEY = "JUDGE_TEST_KEY"


class Handler(BaseHTTPRequestHandler):
    """Plays the acts of its server in turn, the last one over and over."""

    protocol_version = "HTTP/1.1"
    server: Endpoint
    body: dict[str, Any]

    def do_POST(self) -> None:
        self.body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.seen.append((self.path, dict(self.headers), self.body, time.monotonic()))
            act = self.server.acts.pop(0) if len(self.server.acts) > 1 else self.server.acts[0]
        try:
            act(self)
        except OSError:
            self.server.hung_up.set()
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def send(self, status: int, text: str, **headers: str) -> None:
        data = text.encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(data)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def reply(self, word: str | None = None) -> str:
        """Return a chat completion that rules by comparing response and reference, or says ``word``."""
        prompt = self.body["messages"][-1]["content"]
        form = AnswerForm.last_in(prompt)
        assert form is not None
        texts = unquoted(prompt, form.code)
        word = word or ("pass" if texts["response"] == texts["reference"] else "fail")
        content = f"Compared.\n{form.line({'': word})}"
        return json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}]})


class Endpoint(ThreadingHTTPServer):
    """An OpenAI-compatible endpoint that misbehaves on demand."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = threading.Lock()
        self.seen: list[tuple[str, dict[str, str], dict[str, Any], float]] = []
        self.acts: list[Act] = [good]
        self.hung_up = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


def good(handler: Handler) -> None:
    handler.send(200, handler.reply())


def sends(status: int, text: str, **headers: str) -> Act:
    return lambda handler: handler.send(status, text, **headers)


def hangs(handler: Handler) -> None:
    while True:
        time.sleep(0.02)
        handler.wfile.write(b"")
        if handler.server.hung_up.is_set():
            return


def trickles_the_body(handler: Handler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    while True:
        handler.wfile.write(b" ")
        time.sleep(0.01)


def trickles_the_header(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while True:
        handler.wfile.write(b"x")
        time.sleep(0.01)


def drops_in_the_body(handler: Handler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')
    handler.close_connection = True


def drops_before_a_word(handler: Handler) -> None:
    handler.close_connection = True


def is_no_http(handler: Handler) -> None:
    handler.wfile.write(b"SSH-2.0-nonsense\r\n\r\n")
    handler.close_connection = True


def never_ends(handler: Handler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", str(1 << 40))
    handler.end_headers()
    while True:
        handler.wfile.write(b" " * 65_536)


@pytest.fixture(autouse=True, scope="module")
def _no_proxy() -> Iterator[None]:
    """Reach the local servers directly, whatever the machine's settings are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NO_PROXY", "*")
        yield


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.hung_up.set()
    server.shutdown()
    thread.join()
    server.server_close()


def _judge(endpoint: Endpoint | str, **settings: Any) -> Verifier:
    url = endpoint if isinstance(endpoint, str) else endpoint.url
    return Verifier("judge", {"base_url": url, "model": "m", "votes": 1, "backoff_s": 0.01, **settings})


def _failed(verdict: Verdict, says: str) -> None:
    assert verdict.status is Status.INFRASTRUCTURE, verdict
    assert verdict.score is None
    assert says in verdict.reason


def test_a_good_endpoint_gives_verdicts(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, "secret")
    judge = _judge(endpoint, votes=3, api_key_env=KEY, request={"top_k": 1, "temperature": None})
    assert judge.check(TASK, "42").status is Status.PASSED
    assert judge.check(TASK, "41").status is Status.FAILED
    path, headers, body, _ = endpoint.seen[0]
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == "Bearer secret"
    assert body["model"] == "m"
    assert body["max_tokens"] == 1024
    assert body["top_k"] == 1
    assert "temperature" not in body
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    seeds = [body["seed"] for _, _, body, _ in endpoint.seen]
    assert len(set(seeds)) == 6
    assert all(0 <= seed < 2**31 for seed in seeds)


def test_no_key_is_sent_unless_one_is_named(endpoint: Endpoint) -> None:
    assert _judge(endpoint).check(TASK, "42").passed
    assert "Authorization" not in endpoint.seen[0][1]


def test_the_same_response_asks_the_same_again(endpoint: Endpoint) -> None:
    for _ in range(2):
        assert _judge(endpoint).check(TASK, "42").passed
    assert endpoint.seen[0][2] == endpoint.seen[1][2]


def test_all_votes_are_asked_at_once_and_many_responses_side_by_side(endpoint: Endpoint) -> None:
    three = threading.Barrier(3, timeout=20)
    two = threading.Barrier(2, timeout=20)

    def together(barrier: threading.Barrier) -> Act:
        def act(handler: Handler) -> None:
            barrier.wait()
            good(handler)

        return act

    endpoint.acts = [together(three)]
    assert _judge(endpoint, votes=3).check(TASK, "42").passed
    endpoint.acts = [together(two)]
    cases = [(TASK, text) for text in ("42", "41", "42", "40")]
    assert [v.passed for v in _judge(endpoint).check_many(cases)] == [True, False, True, False]


@pytest.mark.parametrize(
    "trouble",
    [
        sends(500, "oops"),
        sends(503, ""),
        sends(429, "slow down"),
        sends(200, "<html>"),
        sends(200, '{"error": {"message": "overloaded"}}'),
        drops_in_the_body,
        drops_before_a_word,
        is_no_http,
    ],
)
def test_trouble_that_passes_is_tried_again(endpoint: Endpoint, trouble: Act) -> None:
    endpoint.acts = [trouble, trouble, good]
    assert _judge(endpoint).check(TASK, "42").passed
    assert len(endpoint.seen) == 3


@pytest.mark.parametrize(
    ("trouble", "says", "tries"),
    [
        (sends(500, "oops"), "HTTP 500: oops (try 3 of 3)", 3),
        (sends(429, ""), "HTTP 429: no text (try 3 of 3)", 3),
        (sends(401, "bad key"), "HTTP 401: is the key right? bad key", 1),
        (sends(404, "no model m"), "HTTP 404: are base_url and model right? no model m", 1),
        (sends(400, "context length exceeded"), "HTTP 400: context length exceeded", 1),
        (sends(302, "", Location="http://127.0.0.1:1/"), "HTTP 302", 1),
        (sends(200, "{"), "no chat completion: {", 3),
        (sends(200, "[" * 100_000), "no chat completion", 3),
        (sends(200, "1" * 100_000), "no chat completion", 3),
        (sends(200, '{"choices": []}'), "no chat completion", 3),
        (sends(200, '{"choices": [{"message": {"content": 1}}]}'), "content is int, not text", 3),
        (sends(200, "{}", Content_Encoding="gzip"), "compressed its reply", 1),
        (drops_in_the_body, "RemoteProtocolError", 3),
        (drops_before_a_word, "RemoteProtocolError", 3),
        (is_no_http, "RemoteProtocolError", 3),
        (never_ends, "more than 1048576 bytes", 1),
    ],
)
def test_trouble_that_stays_is_infrastructure_and_never_a_zero(
    endpoint: Endpoint, trouble: Act, says: str, tries: int
) -> None:
    endpoint.acts = [trouble]
    _failed(_judge(endpoint).check(TASK, "42"), says)
    assert len(endpoint.seen) == tries


def test_a_failing_vote_is_not_outvoted(endpoint: Endpoint) -> None:
    endpoint.acts = [good, sends(400, "no"), good]
    _failed(_judge(endpoint, votes=3).check(TASK, "42"), "HTTP 400")


def test_a_refused_connection_is_infrastructure() -> None:
    _failed(_judge("http://127.0.0.1:9/v1").check(TASK, "42"), "ConnectError")


def test_an_unknown_host_is_infrastructure() -> None:
    _failed(_judge("http://no-such-host.invalid/v1", timeout_s=5).check(TASK, "42"), "the judge's endpoint: ")


@pytest.mark.parametrize("trouble", [hangs, trickles_the_body, trickles_the_header])
def test_time_is_bounded_however_slowly_an_endpoint_talks(endpoint: Endpoint, trouble: Act) -> None:
    endpoint.acts = [trouble]
    started = time.monotonic()
    _failed(_judge(endpoint, votes=3, timeout_s=0.5).check(TASK, "42"), "no reply within 0.5 s")
    assert time.monotonic() - started < 5


def test_an_endpoint_that_asks_for_patience_gets_it(endpoint: Endpoint) -> None:
    endpoint.acts = [sends(429, "", Retry_After="1"), good]
    assert _judge(endpoint).check(TASK, "42").passed
    assert endpoint.seen[1][3] - endpoint.seen[0][3] > 0.95


def test_an_endpoint_that_asks_for_too_much_patience_gets_none(endpoint: Endpoint) -> None:
    endpoint.acts = [sends(429, "", Retry_After="3600")]
    _failed(_judge(endpoint).check(TASK, "42"), "to wait 3600 s more would pass the limit")
    assert len(endpoint.seen) == 1


@pytest.mark.parametrize("asks", ["-1", "nan", "inf", "9" * 400, "²", "Wed, 21 Oct 2015 07:28:00 GMT"])
def test_a_strange_wish_to_wait_is_left_to_the_backoff(endpoint: Endpoint, asks: str) -> None:
    endpoint.acts = [sends(503, "", Retry_After=asks), good]
    assert _judge(endpoint).check(TASK, "42").passed


def test_an_empty_reply_is_an_unreadable_vote(endpoint: Endpoint) -> None:
    endpoint.acts = [sends(200, '{"choices": [{"message": {"content": null}}]}')]
    verdict = _judge(endpoint).check(TASK, "42")
    assert (verdict.status, verdict.score) == (Status.UNDECIDED, None)


def test_the_event_loop_goes_on_while_the_judge_is_asked(endpoint: Endpoint) -> None:
    arrived, ticked = threading.Event(), threading.Event()

    def waits_for_the_loop(handler: Handler) -> None:
        arrived.set()
        # Only a loop that is not blocked can set this.
        assert ticked.wait(20)
        good(handler)

    endpoint.acts = [waits_for_the_loop]

    async def play() -> Verdict:
        asked = asyncio.create_task(_judge(endpoint).acheck(TASK, "42"))
        while not arrived.is_set():
            await asyncio.sleep(0.01)
        ticked.set()
        return await asked

    assert asyncio.run(play()).passed


def test_cancelling_hangs_up_at_once(endpoint: Endpoint) -> None:
    endpoint.acts = [trickles_the_body]

    async def play() -> None:
        asked = asyncio.create_task(_judge(endpoint).acheck(TASK, "42"))
        while not endpoint.seen:
            await asyncio.sleep(0.01)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked

    started = time.monotonic()
    asyncio.run(play())
    assert endpoint.hung_up.wait(20)
    assert time.monotonic() - started < 30


def test_failures_are_the_same_under_asyncio_and_from_threads(endpoint: Endpoint) -> None:
    endpoint.acts = [sends(404, "gone")]
    judge = _judge(endpoint)
    alone = judge.check(TASK, "42")
    _failed(alone, "HTTP 404")
    assert asyncio.run(judge.acheck(TASK, "42")) == alone
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda _: judge.check(TASK, "42"), range(8))) == [alone] * 8


def test_inside_a_running_loop_the_blocking_call_works_too(endpoint: Endpoint) -> None:
    async def play() -> Verdict:
        return _judge(endpoint).check(TASK, "42")

    assert asyncio.run(play()).passed


def test_a_real_model_gives_a_typed_verdict() -> None:
    policy = {"name": "smollm2", "device": "cpu"}
    judge = Verifier("judge", {"policy": policy, "votes": 1, "max_tokens": 12})
    verdict = judge.check(TASK, "42")
    assert verdict.status in {Status.PASSED, Status.FAILED, Status.UNDECIDED}
    assert verdict == judge.check(TASK, "42")
    assert verdict.label == "soft"
    too_long = Verifier("judge", {"policy": policy, "votes": 1, "max_response_chars": 10**6})
    assert too_long.check(TASK, "a1 " * 20_000).status is Status.UNSUPPORTED
