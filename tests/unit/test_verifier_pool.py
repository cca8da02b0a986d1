"""What a pool takes, what it refuses, and what crosses the border between it and its workers."""

import functools
import json
import math
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlvr_gym import errors
from rlvr_gym.errors import MissingExtraError, TaskError, UsageError
from rlvr_gym.types import Check, Status, Verdict
from rlvr_gym.verifiers.pool import VerifierBug, VerifierPool, shared_pool, trimmed, wire
from rlvr_gym.verifiers.pool.exchange import Exchange
from rlvr_gym.verifiers.pool.process import ForkServerHandle, Lost
from rlvr_gym.verifiers.pool.reference import Reference
from rlvr_gym.verifiers.pool.reply import pack_error, pack_value, unpack
from rlvr_gym.verifiers.pool.worker import Limits


class Holder:
    @staticmethod
    def inside(number: int) -> int:
        return number + 1


def plain(number: int) -> int:
    return number + 1


@functools.wraps(plain)
def shadow(number: int) -> int:
    return plain(number)


def twice(text: str) -> str:
    return 2 * text


def imported_by_path() -> str:
    return __name__


@pytest.fixture(scope="module")
def pool() -> Iterator[VerifierPool]:
    with VerifierPool(workers=1) as pool:
        yield pool


def test_data_comes_back_as_it_went(pool: VerifierPool) -> None:
    assert pool.call(math.hypot, (3, 4), timeout_s=30) == 5.0
    assert pool.call(Holder.inside, (1,), timeout_s=30) == 2


def test_several_calls_come_back_in_order(pool: VerifierPool) -> None:
    assert pool.call_several(plain, [(n,) for n in range(5)], timeout_s=30) == [1, 2, 3, 4, 5]
    assert pool.call_several(plain, [], timeout_s=30) == []


def test_a_large_argument_and_a_large_reply_pass(pool: VerifierPool) -> None:
    text = "ä" * 1_000_000
    assert pool.call(twice, (text,), timeout_s=30) == 2 * text


def test_a_module_that_no_import_finds_is_loaded_by_its_file(pool: VerifierPool) -> None:
    assert pool.call(imported_by_path, (), timeout_s=30) == __name__


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda: 1, "define the judge with def at the top of a module"),
        (functools.partial(plain, 1), "a judge is a function, not an object"),
        (shadow, "now holds something else than the judge"),
        ([], "a judge is a function, not an object"),
    ],
    ids=["lambda", "partial", "shadowed", "unhashable"],
)
def test_a_function_that_no_worker_can_find_gets_one_clear_line(
    pool: VerifierPool, function: object, message: str
) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        pool.call(function, (), timeout_s=1)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_a_closure_gets_one_clear_line(pool: VerifierPool) -> None:
    def inner() -> None: ...

    with pytest.raises(
        UsageError, match=r"<locals>\.inner cannot run in a worker: define the judge with def"
    ):
        pool.call(inner, (), timeout_s=1)


def test_a_function_of_a_session_gets_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    session = types.ModuleType("__main__")
    exec("def judge(): pass", session.__dict__)
    monkeypatch.setitem(sys.modules, "__main__", session)
    with pytest.raises(UsageError, match="judge cannot run in a worker: it was typed into a session"):
        Reference.of(session.judge)


def test_arguments_that_cannot_be_sent_get_one_clear_line(pool: VerifierPool) -> None:
    with pytest.raises(UsageError, match="plain: its arguments cannot go to a worker"):
        pool.call(plain, (lambda: 1,), timeout_s=1)


@pytest.mark.parametrize("numbers", [{"workers": 0}, {"max_jobs": 0}])
def test_a_pool_of_nothing_is_refused(numbers: dict[str, int]) -> None:
    with pytest.raises(UsageError, match="at least one"):
        VerifierPool(**numbers)


def test_a_new_pool_starts_nothing() -> None:
    with VerifierPool() as pool:
        assert pool.stats().idle == 0
        assert pool.stats().latency_p50_s == 0


def test_the_shared_pool_is_one_and_comes_back_after_a_close() -> None:
    first = shared_pool()
    assert shared_pool() is first
    first.close()
    assert shared_pool() is not first


def test_a_reference_survives_its_encoding() -> None:
    reference = Reference.of(plain, ["sympy"])
    assert Reference.decode(reference.encode()) == reference
    assert reference.file == str(Path(__file__).resolve())


def test_a_function_that_is_gone_says_so() -> None:
    reference = Reference("math", "nothing", None, None, (), tuple(sys.path))
    with pytest.raises(ImportError, match="math has no function nothing"):
        reference.load()


verdicts = st.builds(
    Verdict.of,
    st.sampled_from(Status),
    st.text(max_size=50),
    checks=st.lists(
        st.builds(Check, st.text(max_size=9), st.booleans(), st.text(max_size=9)), max_size=3
    ).map(tuple),
)


@given(verdicts)
def test_a_verdict_survives_the_border(verdict: Verdict) -> None:
    assert unpack(wire.VALUE, pack_value(verdict), several=False) == verdict


@given(st.text(max_size=50) | st.just("\ud800") | st.just("a" * 5000))
def test_a_trimmed_verdict_fits_into_any_file(text: str) -> None:
    verdict = trimmed(Verdict.of(Status.FAILED, text, checks=(Check(text, False, text),) * 2000))
    json.dumps(verdict.to_dict(), ensure_ascii=False).encode("utf-8")
    assert len(verdict.reason) <= 2000
    assert len(verdict.checks) == 1000
    assert trimmed(verdict) == verdict


def test_the_largest_verdict_fits_into_a_reply() -> None:
    worst = "\U0001f600" * 10_000
    verdict = Verdict.of(Status.FAILED, worst, checks=(Check(worst, False, worst),) * 2000)
    assert unpack(wire.VALUE, pack_value(verdict), several=False) == trimmed(verdict)


@pytest.mark.parametrize("value", [object(), {1, 2}, b"bytes", float])
def test_what_is_neither_verdict_nor_json_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="neither a Verdict nor JSON"):
        pack_value(value)


@pytest.mark.parametrize(
    "error",
    [
        TaskError("a line"),
        MissingExtraError("verifier 'x'", "verus"),
        errors.UnknownNameError("No verifier is named 'x'."),
        errors.StoreError("full"),
    ],
    ids=lambda e: type(e).__name__,
)
def test_a_deliberate_error_keeps_class_and_message(error: Exception) -> None:
    back = unpack(wire.ERROR, pack_error(error), several=False)
    assert type(back) is type(error)
    assert str(back) == str(error)


def test_any_other_error_is_a_bug() -> None:
    back = unpack(wire.ERROR, pack_error(KeyError("x")), several=False)
    assert type(back) is VerifierBug
    assert "KeyError: 'x'" in str(back)


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"{}", b'{"verdict": {"status": "paid"}}', b'{"verdict": 3}']
)
def test_a_garbled_reply_is_none(body: bytes) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        unpack(wire.VALUE, body, several=False)


@pytest.fixture
def exchange() -> Iterator[Exchange]:
    server = ForkServerHandle(Limits(512, 64))
    worker = server.start([])
    yield Exchange(worker, function=1, timeout_s=1.0, start_s=60.0)
    worker.close()
    server.close()


def test_the_clock_starts_when_the_function_is_imported(exchange: Exchange) -> None:
    start = exchange.deadline
    exchange.feed(wire.frame(wire.READY, b"1"))
    assert (exchange.running, exchange.deadline) == (False, start)
    exchange.feed(wire.frame(wire.LOADED))
    assert exchange.running
    assert exchange.deadline < start - 50


def test_replies_may_come_byte_by_byte(exchange: Exchange) -> None:
    for byte in wire.frame(wire.VALUE, b'{"value": 1}'):
        assert exchange.reply is None
        exchange.feed(bytes([byte]))
    assert exchange.reply == (wire.VALUE, b'{"value": 1}')
    assert exchange.clean


@pytest.mark.parametrize(
    "data",
    [b"", wire.HEAD.pack(wire.VALUE, wire.MAX_REPLY + 1), 2 * wire.frame(wire.VALUE, b"1")],
    ids=["end", "too large", "twice"],
)
def test_a_worker_that_makes_no_sense_is_lost(exchange: Exchange, data: bytes) -> None:
    with pytest.raises(Lost):
        exchange.feed(data)
