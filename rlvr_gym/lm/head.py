"""From hidden states to the log-probability and entropy of given tokens, a chunk of rows at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

# Above 32 MiB glibc maps every block by itself and gives it back at once; smaller ones leave holes in its heap, which
# were measured to take as much memory again.
_CHUNK_BYTES = 40 << 20


def token_law(
    hidden_ND: Float[Tensor, "N D"],
    head: nn.Linear,
    targets_N: Int[Tensor, " N"],
    temperature_N: Float[Tensor, " N"],
    *,
    want_entropy: bool,
    chunk_rows: int | None = None,
) -> tuple[Float[Tensor, " N"], Float[Tensor, " N"] | None]:
    """Return log-probability and entropy of each row's law at temperature ``temperature_N``.

    Logits of at most ``chunk_rows`` rows exist at a time. They are not kept for the backward pass but computed
    again there, which costs one more matrix product of four and saves ``N * V`` numbers.
    """
    if chunk_rows is None:
        chunk_rows = max(1, _CHUNK_BYTES // (4 * head.weight.shape[0]))
    dtype = hidden_ND.dtype
    if torch.is_autocast_enabled(hidden_ND.device.type):
        dtype = torch.get_autocast_dtype(hidden_ND.device.type)
    scale_N = temperature_N.to(torch.promote_types(dtype, torch.float32))
    if len(hidden_ND) <= chunk_rows:
        logits_NV = nn.functional.linear(
            hidden_ND.to(dtype), head.weight.to(dtype), None if head.bias is None else head.bias.to(dtype)
        )
        law_NV = (logits_NV.to(scale_N.dtype) / scale_N[:, None]).log_softmax(-1)
        entropies_N = -(law_NV.exp() * law_NV).sum(-1) if want_entropy else None
        return law_NV.gather(-1, targets_N[:, None])[:, 0], entropies_N
    logprobs_N, chunked_N = _ChunkedLaw.apply(
        hidden_ND, head.weight, head.bias, targets_N, scale_N, want_entropy, chunk_rows, dtype
    )  # type: ignore[no-untyped-call]
    return logprobs_N, chunked_N if want_entropy else None


class _ChunkedLaw(torch.autograd.Function):
    """The branch above for many rows.

    With p = softmax(z / s), H its entropy and y the target: d log p_y / dz = (1_y - p) / s and
    dH / dz = -p (log p + H) / s.
    """

    @staticmethod
    def forward(
        ctx: Any,
        hidden_ND: Tensor,
        weight_VD: Tensor,
        bias_V: Tensor | None,
        targets_N: Tensor,
        scale_N: Tensor,
        want_entropy: bool,
        chunk_rows: int,
        dtype: torch.dtype,
    ) -> tuple[Tensor, Tensor]:
        logprobs_N, entropies_N = torch.empty_like(scale_N), torch.zeros_like(scale_N)
        for rows, _, law_NV in _laws(hidden_ND, weight_VD.to(dtype), bias_V, scale_N, chunk_rows):
            logprobs_N[rows] = law_NV.gather(-1, targets_N[rows, None])[:, 0]
            if want_entropy:
                entropies_N[rows] = -law_NV.mul_(law_NV.exp()).sum(-1)
        ctx.save_for_backward(hidden_ND, weight_VD, bias_V, targets_N, scale_N, entropies_N)
        ctx.want_entropy, ctx.chunk_rows, ctx.dtype = want_entropy, chunk_rows, dtype
        return logprobs_N, entropies_N

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        hidden_ND, weight_VD, bias_V, targets_N, scale_N, entropies_N = ctx.saved_tensors
        grad_logprobs_N, grad_entropies_N = (grad / scale_N for grad in grads)
        needs_hidden, needs_weight, needs_bias = ctx.needs_input_grad[:3]
        grad_hidden_ND = torch.empty_like(hidden_ND) if needs_hidden else None
        # Summed in float32 even for bfloat16 weights: small chunks must not vanish beside the sum.
        grad_weight_VD = torch.zeros_like(weight_VD, dtype=scale_N.dtype) if needs_weight else None
        grad_bias_V = torch.zeros_like(bias_V, dtype=scale_N.dtype) if needs_bias else None
        narrow_VD = weight_VD.to(ctx.dtype)
        for rows, chunk_ND, law_NV in _laws(hidden_ND, narrow_VD, bias_V, scale_N, ctx.chunk_rows):
            factor_N1 = grad_logprobs_N[rows, None]
            if ctx.want_entropy:
                inner_NV = (law_NV + entropies_N[rows, None]).mul_(grad_entropies_N[rows, None])
                grad_NV = law_NV.exp_().mul_(inner_NV.add_(factor_N1).neg_())
            else:
                grad_NV = law_NV.exp_().mul_(-factor_N1)
            grad_NV.scatter_add_(-1, targets_N[rows, None], factor_N1)
            if grad_bias_V is not None:
                grad_bias_V += grad_NV.sum(0)
            narrow_NV = grad_NV.to(ctx.dtype)
            if grad_hidden_ND is not None:
                grad_hidden_ND[rows] = narrow_NV @ narrow_VD
            if grad_weight_VD is not None:
                _add_product(grad_weight_VD, narrow_NV.T, chunk_ND)
        return (
            grad_hidden_ND,
            None if grad_weight_VD is None else grad_weight_VD.to(weight_VD.dtype),
            None if grad_bias_V is None else grad_bias_V.to(bias_V.dtype),
            *[None] * 5,
        )


def _laws(
    hidden_ND: Tensor, weight_VD: Tensor, bias_V: Tensor | None, scale_N: Tensor, chunk_rows: int
) -> Iterator[tuple[slice, Tensor, Tensor]]:
    """Yield chunks of rows with their hidden states in the type of ``weight_VD`` and their log-probabilities."""
    bias_V = None if bias_V is None else bias_V.to(weight_VD.dtype)
    for start in range(0, len(hidden_ND), chunk_rows):
        rows = slice(start, start + chunk_rows)
        chunk_ND = hidden_ND[rows].to(weight_VD.dtype)
        law_NV = nn.functional.linear(chunk_ND, weight_VD, bias_V).to(scale_N.dtype)
        law_NV = law_NV.div_(scale_N[rows, None]).log_softmax(-1)
        yield rows, chunk_ND, law_NV


def _add_product(total: Tensor, left: Tensor, right: Tensor) -> None:
    if total.dtype == left.dtype:
        total.addmm_(left, right)
    else:
        total += left @ right
