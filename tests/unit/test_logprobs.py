"""Claims about token_logprobs: chunks change nothing, and only tokens with loss matter."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from beartype import beartype
from jaxtyping import TypeCheckError, jaxtyped

from rlvr_gym.errors import UsageError
from rlvr_gym.lm import CharCodec, TorchLM, tiny, token_logprobs
from rlvr_gym.lm.head import token_law


@pytest.fixture(scope="module")
def lm() -> TorchLM:
    codec = CharCodec("abcdefgh", ())
    model = tiny(codec, layers=2, width=16, heads=2, context=64, dtype=torch.float64, device="cpu")
    with torch.no_grad():
        for parameter in model.module.parameters():
            parameter.mul_(8)  # fresh weights give near-uniform laws, which would hide errors
    return model


def _batch(lm: TorchLM, seed: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    rng = np.random.default_rng(seed)
    ids = torch.as_tensor(rng.integers(0, lm.codec.vocab_size, (5, 13)))
    mask = torch.as_tensor(rng.random((5, 13)) < 0.6)
    mask[:, 0] = False
    return ids, mask


def _plain(lm: TorchLM, ids: torch.Tensor, temperature: torch.Tensor) -> torch.Tensor:
    logits = lm.module(input_ids=ids).logits[:, :-1] / temperature[:, None, None]
    return torch.cat([torch.zeros_like(logits[:, :1]), logits.log_softmax(-1)], dim=1)


def _gradients(lm: TorchLM, loss: torch.Tensor) -> dict[str, torch.Tensor]:
    lm.module.zero_grad()
    loss.backward()
    return {n: p.grad.clone() for n, p in lm.module.named_parameters() if p.grad is not None}


@pytest.mark.parametrize("chunk_rows", [1, 7, 1000])
def test_values_and_gradients_equal_the_full_forward_pass(lm: TorchLM, chunk_rows: int) -> None:
    ids, mask = _batch(lm)
    temperature = torch.tensor([1.0, 0.7, 1.3, 0.0, 1.0])
    weight = torch.as_tensor(np.random.default_rng(1).normal(size=(2, *mask.shape)))

    law = _plain(lm, ids, torch.where(temperature == 0, 1.0, temperature))
    logprobs = law.gather(-1, ids[..., None])[..., 0] * mask
    entropies = -(law.exp() * law).sum(-1) * mask
    expected = _gradients(lm, (weight[0] * logprobs + weight[1] * entropies).sum())

    stats = token_logprobs(lm, ids, mask, temperature=temperature, want_entropy=True, chunk_rows=chunk_rows)
    assert stats.entropies_BT is not None
    got = _gradients(lm, (weight[0] * stats.logprobs_BT + weight[1] * stats.entropies_BT).sum())

    torch.testing.assert_close(stats.logprobs_BT, logprobs, atol=1e-6, rtol=0)
    torch.testing.assert_close(stats.entropies_BT, entropies, atol=1e-6, rtol=0)
    assert got.keys() == expected.keys()
    for name, gradient in expected.items():
        torch.testing.assert_close(got[name], gradient, atol=1e-6, rtol=1e-6, msg=name)


def test_chunks_give_the_same_gradient_without_entropy(lm: TorchLM) -> None:
    ids, mask = _batch(lm, 2)
    once = _gradients(lm, token_logprobs(lm, ids, mask, chunk_rows=1000).logprobs_BT.sum())
    chunked = _gradients(lm, token_logprobs(lm, ids, mask, chunk_rows=3).logprobs_BT.sum())
    for name, gradient in once.items():
        torch.testing.assert_close(chunked[name], gradient, atol=1e-8, rtol=1e-8, msg=name)


def test_a_head_with_bias_is_chunked_alike() -> None:
    generator = torch.Generator().manual_seed(0)
    head = torch.nn.Linear(4, 6, dtype=torch.float64)
    hidden = torch.randn(9, 4, generator=generator, dtype=torch.float64)
    targets = torch.randint(0, 6, (9,), generator=generator)
    found = []
    for chunk_rows in (2, 100):
        head.zero_grad()
        logprobs, _ = token_law(
            hidden, head, targets, torch.full((9,), 0.5), want_entropy=False, chunk_rows=chunk_rows
        )
        (logprobs * torch.arange(9)).sum().backward()
        assert head.bias.grad is not None
        found.append(head.bias.grad.clone())
    torch.testing.assert_close(found[0], found[1], atol=1e-12, rtol=0)


def test_tokens_without_loss_are_zero_and_give_no_gradient(lm: TorchLM) -> None:
    ids, mask = _batch(lm)
    stats = token_logprobs(lm, ids, mask, want_entropy=True)
    assert stats.entropies_BT is not None
    assert (stats.logprobs_BT[~mask] == 0).all()
    assert (stats.entropies_BT[~mask] == 0).all()
    assert (stats.logprobs_BT[mask] < 0).all()
    gradients = _gradients(lm, (stats.logprobs_BT * ~mask).sum() + (stats.entropies_BT * ~mask).sum())
    assert all((g == 0).all() for g in gradients.values())


def test_what_stands_in_the_padding_changes_nothing(lm: TorchLM) -> None:
    ids, mask = _batch(lm)
    mask[:, 9:] = False
    other = ids.clone()
    other[:, 9:] = lm.codec.pad_id
    a = token_logprobs(lm, ids, mask).logprobs_BT
    b = token_logprobs(lm, other, mask).logprobs_BT
    short = token_logprobs(lm, ids[:, :9], mask[:, :9]).logprobs_BT
    torch.testing.assert_close(a, b, atol=1e-12, rtol=0)
    torch.testing.assert_close(a[:, :9], short, atol=1e-12, rtol=0)


def test_a_batch_without_loss_gives_zeros(lm: TorchLM) -> None:
    ids, mask = _batch(lm)
    stats = token_logprobs(lm, ids, torch.zeros_like(mask), want_entropy=True)
    assert stats.logprobs_BT.shape == ids.shape
    assert (stats.logprobs_BT == 0).all()
    stats.logprobs_BT.sum().backward()


def test_loss_on_the_first_token_is_refused(lm: TorchLM) -> None:
    ids, mask = _batch(lm)
    mask[2, 0] = True
    with pytest.raises(UsageError, match="first token"):
        token_logprobs(lm, ids, mask)


def test_hidden_states_are_those_before_each_token(lm: TorchLM) -> None:
    ids, mask = _batch(lm)
    hidden = token_logprobs(lm, ids, mask, want_hidden=True).hidden_BTD
    assert hidden is not None
    expected = lm.module.base_model(input_ids=ids).last_hidden_state
    assert (hidden[:, 0] == 0).all()
    torch.testing.assert_close(hidden[:, 1:], expected[:, :-1], atol=1e-12, rtol=0)


def test_gradients_reach_the_model_through_hidden_states(lm: TorchLM) -> None:
    ids, mask = _batch(lm)
    hidden = token_logprobs(lm, ids, mask, want_hidden=True).hidden_BTD
    assert hidden is not None
    assert any(g.abs().sum() > 0 for g in _gradients(lm, hidden.square().sum()).values())


def test_autocast_stays_near_full_precision() -> None:
    full = tiny(CharCodec("abcdefgh", ()), layers=1, width=32, heads=2, device="cpu")
    half = TorchLM(full.module, full.codec, name="half", autocast=torch.bfloat16)
    ids, mask = _batch(full)
    exact = token_logprobs(full, ids, mask).logprobs_BT
    for chunk_rows in (4, 1000):
        rounded = token_logprobs(half, ids, mask, chunk_rows=chunk_rows).logprobs_BT
        assert rounded.dtype == torch.float32
        torch.testing.assert_close(rounded, exact, atol=2e-2, rtol=0)
        rounded.sum().backward()


def test_shapes_in_signatures_are_true(lm: TorchLM) -> None:
    checked = jaxtyped(typechecker=beartype)(token_law)
    hidden, targets = torch.randn(6, 16, dtype=torch.float64), torch.zeros(6, dtype=torch.long)
    logprobs, entropies = checked(hidden, lm.head, targets, torch.ones(6), want_entropy=True, chunk_rows=2)
    assert logprobs.shape == entropies.shape == (6,)
    with pytest.raises(TypeCheckError):
        checked(hidden, lm.head, targets[:5], torch.ones(6), want_entropy=True)
    ids, mask = _batch(lm)
    whole = jaxtyped(typechecker=beartype)(token_logprobs)
    assert whole(lm, ids, mask, temperature=torch.ones(5)).logprobs_BT.shape == ids.shape
    with pytest.raises(TypeCheckError):
        whole(lm, ids, mask[:, 1:])
