"""The law a token is drawn from: temperature, then top-p, renormalised. Shapes: R rows, V vocabulary."""

from __future__ import annotations

import torch
from jaxtyping import Float, Int
from torch import Tensor


def sampling_law(
    logits_RV: Float[Tensor, "R V"], temperature_R: Float[Tensor, " R"], top_p_R: Float[Tensor, " R"]
) -> Float[Tensor, "R V"]:
    """Return the log-probabilities of the law that tokens are drawn from.

    Top-p keeps the likeliest tokens until their mass reaches ``top_p`` (arXiv:1904.09751, section 3.1); the
    rest get ``-inf``. A row of temperature 0 is decoded greedily and has the law of temperature 1 without top-p.
    """
    greedy_R = temperature_R == 0
    logprobs_RV = (logits_RV / torch.where(greedy_R, 1.0, temperature_R)[:, None]).log_softmax(-1)
    cut_R = (top_p_R < 1) & ~greedy_R
    if not bool(cut_R.any()):
        return logprobs_RV
    sorted_RV, order_RV = logprobs_RV.sort(dim=-1, descending=True, stable=True)
    p_RV = sorted_RV.exp()
    # The mass before a token decides, so that the token which crosses top_p is kept.
    drop_RV = (p_RV.cumsum(-1) - p_RV >= top_p_R[:, None]) & cut_R[:, None]
    # Rounding in the sum must not drop the likeliest token.
    drop_RV[:, 0] = False
    kept_RV = logprobs_RV.masked_fill(torch.zeros_like(drop_RV).scatter(-1, order_RV, drop_RV), -torch.inf)
    return torch.where(cut_R[:, None], kept_RV.log_softmax(-1), logprobs_RV)


def draw(logprobs_RV: Float[Tensor, "R V"], u_R: Float[Tensor, " R"], greedy_R: Tensor) -> Int[Tensor, " R"]:
    """Return one token per row: inverse CDF at ``u`` in [0, 1), or the likeliest token of greedy rows."""
    # float64, since the last steps of a float32 sum over a large vocabulary are wider than rare tokens.
    cdf_RV = logprobs_RV.exp().double().cumsum_(-1)
    total_R1 = cdf_RV[:, -1:]
    # Below the total even when the product rounds up, so that the token found has a probability above 0.
    target_R1 = torch.minimum(u_R.double()[:, None] * total_R1, total_R1.nextafter(total_R1.new_zeros(1)))
    drawn_R = torch.searchsorted(cdf_RV, target_R1, right=True)[:, 0]
    return torch.where(greedy_R, logprobs_RV.argmax(-1), drawn_R)


def entropy(logprobs_RV: Float[Tensor, "R V"]) -> Float[Tensor, " R"]:
    """Return the entropy of each row in nats; tokens outside the law count as 0."""
    entropy_R: Float[Tensor, " R"] = torch.special.entr(logprobs_RV.exp()).sum(-1)
    return entropy_R
