"""Log-probabilities of given tokens, without ever holding the logits of a whole batch.

Shapes: B sequences, T tokens, D width, V vocabulary, N tokens that carry loss.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from rlvr_gym.errors import UsageError
from rlvr_gym.lm.head import token_law
from rlvr_gym.lm.model import TorchLM


@dataclass(frozen=True, slots=True)
class TokenStats:
    """What the model says of the tokens with loss; 0 elsewhere."""

    logprobs_BT: Float[Tensor, "B T"]
    """Log-probability of token t given those before it."""
    entropies_BT: Float[Tensor, "B T"] | None = None
    """Entropy of the law that token t is drawn from, in nats."""
    hidden_BTD: Float[Tensor, "B T D"] | None = None
    """State *before* token t: the last hidden state at t - 1, zeros at t = 0. For value heads."""


def token_logprobs(
    lm: TorchLM,
    ids_BT: Int[Tensor, "B T"],
    mask_BT: Bool[Tensor, "B T"],
    *,
    temperature: float | Float[Tensor, " B"] = 1.0,
    want_entropy: bool = False,
    want_hidden: bool = False,
    chunk_rows: int | None = None,
) -> TokenStats:
    """Return log-probabilities (differentiable) of the tokens where ``mask_BT`` is true.

    Sequences begin at column 0 and are padded on the right with anything: attention is causal, so that padding
    reaches no token before it, and no attention mask is needed. Tokens without loss are not projected.

    Args:
        lm: The model.
        ids_BT: Token ids.
        mask_BT: True at tokens with loss. Column 0 must be false: nothing predicts the first token.
        temperature: Divides the logits, per sequence or for all. 0 (greedy) scores like 1, as the sampler does.
        want_entropy: Also return entropies, differentiable too.
        want_hidden: Also return hidden states, differentiable too.
        chunk_rows: Tokens projected at a time; their logits are computed again in the backward pass.
            By default as many as 40 MiB of logits hold. A batch that fits at once is not computed again.

    Raises:
        UsageError: loss on the first token.
    """
    if bool(mask_BT[:, 0].any()):
        raise UsageError("token_logprobs: mask_BT asks for the first token, which nothing predicts.")
    # Flat positions: torch copies and adds whole rows for them, several times faster than for index pairs.
    flat_N = mask_BT.flatten().nonzero()[:, 0]
    scale_B = torch.as_tensor(temperature, device=ids_BT.device, dtype=torch.float32).expand(len(ids_BT))
    scale_B = torch.where(scale_B == 0, 1.0, scale_B)
    with lm.precision():
        hidden_BTD = lm.hidden(ids_BT)
        logprobs_N, entropies_N = token_law(
            hidden_BTD.flatten(0, 1).index_select(0, flat_N - 1),
            lm.head,
            ids_BT.flatten()[flat_N].long(),
            scale_B[flat_N // ids_BT.shape[1]],
            want_entropy=want_entropy,
            chunk_rows=chunk_rows,
        )
    before_BTD = None
    if want_hidden:
        before_BTD = torch.cat([torch.zeros_like(hidden_BTD[:, :1]), hidden_BTD[:, :-1]], dim=1)
    return TokenStats(
        _spread(logprobs_N, flat_N, mask_BT),
        _spread(entropies_N, flat_N, mask_BT) if entropies_N is not None else None,
        before_BTD,
    )


def _spread(values_N: Tensor, flat_N: Tensor, like_BT: Tensor) -> Tensor:
    return values_N.new_zeros(like_BT.numel()).index_copy(0, flat_N, values_N).view_as(like_BT)
