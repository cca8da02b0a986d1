"""Claims about sampling: the log-probabilities are those of the law that was sampled, and seeds decide alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import GPT2Config, GPT2LMHeadModel, MistralConfig, MistralForCausalLM

from rlvr_gym.errors import UsageError
from rlvr_gym.lm import CharCodec, TorchLM, sample, tiny, token_logprobs
from rlvr_gym.lm.law import draw, entropy, sampling_law
from rlvr_gym.lm.stops import StopWatch
from rlvr_gym.seeding import generator
from rlvr_gym.types import Completion, SampleRequest

ALPHABET = "abcdefghij"


def _model(dtype: torch.dtype) -> TorchLM:
    codec = CharCodec(ALPHABET, ("<answer>", "</answer>"))
    lm = tiny(codec, layers=2, width=32, heads=2, context=64, dtype=dtype, device="cpu")
    with torch.no_grad():
        for parameter in lm.module.parameters():
            # Fresh weights give near-uniform laws, which would hide errors; larger ones amplify float32 rounding.
            parameter.mul_(6 if dtype == torch.float64 else 3)
    return lm


@pytest.fixture(scope="module")
def lm() -> TorchLM:
    return _model(torch.float64)


def _requests(lm: TorchLM, num: int = 12, **settings: object) -> list[SampleRequest]:
    prompts = ["a", "bcd", "abcdefg", "bcd"]
    defaults = SampleRequest("", lm.codec.encode("a"), 0, 20)
    return [
        replace(defaults, key=f"r{i}", prompt_ids=lm.codec.encode(prompts[i % 4]), seed=100 + i, **settings)
        for i in range(num)
    ]


def _rescored(lm: TorchLM, request: SampleRequest, completion: Completion) -> tuple[np.ndarray, np.ndarray]:
    ids = np.concatenate([request.prompt_ids, completion.ids])
    mask = np.arange(len(ids)) >= len(request.prompt_ids)
    stats = token_logprobs(
        lm,
        torch.as_tensor(ids)[None],
        torch.as_tensor(mask)[None],
        temperature=request.temperature,
        want_entropy=True,
    )
    assert stats.entropies_BT is not None
    return stats.logprobs_BT[0, mask].detach().numpy(), stats.entropies_BT[0, mask].detach().numpy()


def _numpy_law(logits: np.ndarray, temperature: float, top_p: float) -> np.ndarray:
    """Top-p by its definition: the smallest set of likeliest tokens whose mass reaches top_p."""
    p = np.exp(logits / temperature - (logits / temperature).max())
    p /= p.sum()
    order = np.argsort(-p, kind="stable")
    size = int(np.argmax(np.cumsum(p[order]) >= top_p)) + 1
    kept = np.zeros_like(p)
    kept[order[:size]] = p[order[:size]]
    return kept / kept.sum()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("temperature", [0.0, 0.7, 1.0])
def test_logprobs_equal_those_of_a_fresh_forward_pass(dtype: torch.dtype, temperature: float) -> None:
    lm = _model(dtype)
    requests = _requests(lm, temperature=temperature)
    for request, completion in zip(requests, lm.sample(requests), strict=True):
        logprobs, entropies = _rescored(lm, request, completion)
        np.testing.assert_allclose(completion.logprobs, logprobs, atol=1e-5)
        np.testing.assert_allclose(completion.entropies, entropies, atol=1e-5)


def test_logprobs_under_top_p_equal_an_independent_computation(lm: TorchLM) -> None:
    requests = _requests(lm, temperature=0.7, top_p=0.9)
    for request, completion in zip(requests, lm.sample(requests), strict=True):
        ids = np.concatenate([request.prompt_ids, completion.ids])
        with torch.no_grad():
            logits = lm.module(input_ids=torch.as_tensor(ids)[None]).logits[0].numpy()
        for i, token in enumerate(completion.ids):
            law = _numpy_law(logits[len(request.prompt_ids) + i - 1], 0.7, 0.9)
            assert completion.logprobs[i] == pytest.approx(np.log(law[token]), abs=1e-5)
            some = law[law > 0]
            assert completion.entropies[i] == pytest.approx(-(some * np.log(some)).sum(), abs=1e-5)


def test_greedy_is_argmax(lm: TorchLM) -> None:
    requests = _requests(lm, num=4, temperature=0.0)
    for request, completion in zip(requests, lm.sample(requests), strict=True):
        ids = list(request.prompt_ids)
        for token in completion.ids:
            with torch.no_grad():
                assert token == int(lm.module(input_ids=torch.tensor([ids])).logits[0, -1].argmax())
            ids.append(int(token))


def test_draws_are_the_inverse_cdf_of_the_requests_own_stream(lm: TorchLM) -> None:
    request = _requests(lm)[2]
    (completion,) = lm.sample([request])
    draws = generator(request.seed, "sample").random(request.max_new_tokens)
    ids = list(request.prompt_ids)
    for token, u in zip(completion.ids, draws, strict=False):
        with torch.no_grad():
            p = lm.module(input_ids=torch.tensor([ids])).logits[0, -1].softmax(-1).numpy()
        assert token == int(np.argmax(np.cumsum(p) > u))
        ids.append(int(token))


def _same(a: list[Completion], b: list[Completion]) -> None:
    for x, y in zip(a, b, strict=True):
        assert x.ids.tobytes() == y.ids.tobytes()
        assert x.logprobs.tobytes() == y.logprobs.tobytes()
        assert x.entropies.tobytes() == y.entropies.tobytes()
        assert (x.finish, x.text, x.version) == (y.finish, y.text, y.version)


def test_the_same_list_gives_the_same_bytes_whatever_the_global_random_state() -> None:
    lm = _model(torch.float32)
    requests = _requests(lm)
    torch.manual_seed(1)
    first = lm.sample(requests)
    torch.manual_seed(2)
    state = torch.get_rng_state()
    _same(first, lm.sample(requests))
    assert torch.equal(state, torch.get_rng_state())


def test_order_of_requests_and_batch_size_change_nothing_but_rounding(lm: TorchLM) -> None:
    requests = _requests(lm, num=12)
    base = lm.sample(requests)
    order = np.random.default_rng(0).permutation(12)
    for other in (
        [lm.sample([requests[i] for i in order])[int(np.flatnonzero(order == i)[0])] for i in range(12)],
        sample(lm, requests, max_rows=1),
        sample(lm, requests, max_rows=5),
        sample(lm, requests, cache_bytes=1),
    ):
        for a, b in zip(base, other, strict=True):
            assert a.ids.tolist() == b.ids.tolist()
            np.testing.assert_allclose(a.logprobs, b.logprobs, atol=1e-6)


def test_seeds_and_prompts_decide(lm: TorchLM) -> None:
    one, two = _requests(lm, num=2)
    twins = lm.sample([one, replace(one, key="again"), replace(one, seed=7), two])
    assert twins[0].ids.tolist() == twins[1].ids.tolist()
    assert twins[0].ids.tolist() != twins[2].ids.tolist()
    assert twins[0].ids.tolist() != twins[3].ids.tolist()


def test_requests_of_one_batch_keep_their_own_settings(lm: TorchLM) -> None:
    base = _requests(lm, num=4)
    mixed = [
        replace(base[0], temperature=0.0),
        replace(base[1], max_new_tokens=3),
        replace(base[2], temperature=0.5, top_p=0.5),
        replace(base[3], stop=("e",)),
    ]
    for request, completion in zip(mixed, lm.sample(mixed), strict=True):
        (alone,) = lm.sample([request])
        assert completion.ids.tolist() == alone.ids.tolist()
        np.testing.assert_allclose(completion.logprobs, alone.logprobs, atol=1e-6)


def test_finish_says_whether_a_stop_token_was_sampled(lm: TorchLM) -> None:
    completions = lm.sample(_requests(lm, num=64))
    assert {c.finish for c in completions} == {"stop", "length"}
    for c in completions:
        stops = np.isin(c.ids, lm.stop_ids)
        assert not stops[:-1].any()
        assert bool(stops[-1]) == (c.finish == "stop")
        assert len(c.ids) == 20 or c.finish == "stop"
        assert c.text == lm.decode(c.ids)
        assert c.version == lm.version


def test_a_stop_text_ends_the_completion_where_it_appears(lm: TorchLM) -> None:
    requests = _requests(lm, num=32)
    free = lm.sample(requests)
    pair = next(c.text[3:5] for c in free if len(c.text) > 6)
    ended = lm.sample([replace(r, stop=(pair, "</answer>")) for r in requests])
    hits = 0
    for a, b in zip(free, ended, strict=True):
        ends = [a.text.index(s) + len(s) for s in (pair, "</answer>") if s in a.text]
        if ends:
            hits += 1
            assert b.text == a.text[: min(ends)]
            assert b.finish == "stop"
        else:
            assert b.ids.tolist() == a.ids.tolist()
    assert hits


def test_a_stop_text_is_seen_across_tokens_that_show_nothing() -> None:
    codec = CharCodec(ALPHABET, ())
    watch = StopWatch(codec, [("ab",)])
    user = int(codec.render(())[0])
    a, b = codec.encode("ab")
    fed = [bool(watch.feed(np.array([0]), np.array([t], np.int32))[0]) for t in (b, a, *[user] * 20, b)]
    assert fed == [False] * 22 + [True]


def test_completions_end_at_the_models_context(lm: TorchLM) -> None:
    prompt = np.resize(lm.codec.encode("abc"), 60)
    (completion,) = lm.sample([replace(_requests(lm)[0], prompt_ids=prompt, max_new_tokens=50)])
    assert len(completion.ids) == 4 or completion.finish == "stop"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"prompt_ids": np.zeros(0, np.int32)}, "0 prompt tokens"),
        ({"prompt_ids": np.full(64, 9, np.int32)}, "64 prompt tokens"),
        ({"max_new_tokens": 0}, "max_new_tokens"),
        ({"top_p": 0.0}, "top_p"),
        ({"temperature": -1.0}, "temperature"),
        ({"temperature": float("nan")}, "temperature"),
    ],
)
def test_a_request_that_cannot_be_served_is_refused(
    lm: TorchLM, change: dict[str, object], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        lm.sample([replace(_requests(lm)[0], **change)])


def test_no_requests_give_no_completions(lm: TorchLM) -> None:
    assert lm.sample([]) == []


def test_equal_prompts_are_read_once(lm: TorchLM) -> None:
    read = []
    hook = lm.module.base_model.embed_tokens.register_forward_hook(
        lambda _m, args, _o: read.append(args[0].shape)
    )
    lm.sample(_requests(lm, num=12))
    hook.remove()
    assert tuple(read[0]) == (3, 7)


def test_rows_that_ended_are_dropped_from_the_batch(lm: TorchLM) -> None:
    read = []
    requests = [replace(r, max_new_tokens=2 + i) for i, r in enumerate(_requests(lm, num=16))]
    hook = lm.module.base_model.embed_tokens.register_forward_hook(
        lambda _m, args, _o: read.append(len(args[0]))
    )
    lm.sample(requests)
    hook.remove()
    assert read[1] >= 15
    assert read[-1] <= 2
    assert sorted(read[1:], reverse=True) == read[1:]


@settings(deadline=None, max_examples=60)
@given(
    logits=st.lists(st.integers(-6, 6), min_size=2, max_size=9),
    temperature=st.floats(0.1, 3),
    top_p=st.floats(0.01, 1),
    u=st.floats(0, 1, exclude_max=True),
)
def test_the_law_is_a_law_and_draws_stay_inside_it(
    logits: list[int], temperature: float, top_p: float, u: float
) -> None:
    def row(value: float) -> torch.Tensor:
        return torch.tensor([value], dtype=torch.float64)

    law = sampling_law(torch.tensor([logits], dtype=torch.float64), row(temperature), row(top_p))
    assert law.exp().sum().item() == pytest.approx(1)
    assert torch.isfinite(entropy(law)).all()
    token = draw(law, row(u), torch.tensor([False]))
    assert law[0, token].item() > -np.inf


def test_frequencies_follow_the_law() -> None:
    law = torch.tensor([[0.5, 0.0, 0.3, 0.2]], dtype=torch.float64).log().expand(1000, 4)
    u = (torch.arange(1000, dtype=torch.float64) + 0.5) / 1000
    counts = draw(law, u, torch.zeros(1000, dtype=torch.bool)).bincount(minlength=4)
    assert counts.tolist() == [500, 0, 300, 200]


def _sliding_window() -> torch.nn.Module:
    return MistralForCausalLM(
        MistralConfig(
            vocab_size=19, hidden_size=16, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2,
            num_key_value_heads=1, sliding_window=4, max_position_embeddings=64,
        )
    )  # fmt: skip


def _learned_positions() -> torch.nn.Module:
    return GPT2LMHeadModel(
        GPT2Config(
            vocab_size=19, n_embd=16, n_layer=2, n_head=2, n_positions=64, bos_token_id=1, eos_token_id=1
        )
    )


@pytest.mark.parametrize("make", [_sliding_window, _learned_positions])
def test_other_architectures_agree_with_themselves(make: Callable[[], torch.nn.Module]) -> None:
    with torch.random.fork_rng():
        torch.manual_seed(0)
        module = make().double()
    lm = TorchLM(module, CharCodec(ALPHABET, ("<answer>", "</answer>")), name="other")
    requests = _requests(lm)
    for request, completion in zip(requests, lm.sample(requests), strict=True):
        logprobs, entropies = _rescored(lm, request, completion)
        np.testing.assert_allclose(completion.logprobs, logprobs, atol=1e-5)
        np.testing.assert_allclose(completion.entropies, entropies, atol=1e-5)
