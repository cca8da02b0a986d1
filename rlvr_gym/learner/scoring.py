"""The current policy's view of a batch: log-probabilities, entropies, hidden states of its loss tokens.

The states that predict the loss tokens come from one of two paths. The plain one reads every row. Where rows
begin alike, as the attempts of a group do, the shared one reads each distinct prefix once, lends its keys and
values to all rows that begin with it, and then reads what follows. Both have the same gradient.
"""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor
from transformers import DynamicCache
from transformers.cache_utils import DynamicLayer

from rlvr_gym.learner.batch import Batch, Prefixes
from rlvr_gym.lm.head import token_law
from rlvr_gym.lm.model import TorchLM

_WORTH = 0.8
"""The shared path is taken when it reads at most this share of the plain path's tokens."""


def score(
    lm: TorchLM, batch: Batch, *, entropies: bool = False, hidden: bool = False, share: bool = True
) -> Batch:
    """Return ``batch`` with log-probabilities of ``lm`` and, if asked for, entropies and hidden states.

    Log-probabilities and entropies are differentiable; hidden states are detached. Logits exist for some rows
    at a time only, and never for tokens without loss.

    Args:
        lm: The policy to score with.
        batch: What to score.
        entropies: Whether to set ``entropies_BT``.
        hidden: Whether to set ``hidden_BTH``.
        share: Whether prefixes may be read once; False takes the plain path always.
    """
    rows_N, columns_N = batch.loss_BL.nonzero(as_tuple=True)
    with lm.precision():
        prefixes = batch.prefixes
        if share and prefixes.share_of_plain <= _WORTH and _plain_cache(lm):
            states_ND = _shared(lm, batch, prefixes)[rows_N, columns_N - prefixes.lengths_B[rows_N]]
        else:
            states_ND = lm.hidden(batch.ids_BL[:, :-1])[rows_N, columns_N - 1]
        logprobs_N, entropies_N = token_law(
            states_ND,
            lm.head,
            batch.ids_BL[rows_N, columns_N],
            batch.temperatures_B[rows_N],
            want_entropy=entropies,
        )
    hidden_BTH = None
    if hidden:
        hidden_BTH = states_ND.new_zeros(*batch.mask_BT.shape, states_ND.shape[-1])
        hidden_BTH[batch.mask_BT] = states_ND.detach()
    return batch.scored(
        _grid(logprobs_N, batch),
        entropies_BT=_grid(entropies_N, batch) if entropies_N is not None else None,
        hidden_BTH=hidden_BTH,
    )


def _grid(values_N: Tensor, batch: Batch) -> Float[Tensor, "B T"]:
    return values_N.new_zeros(batch.mask_BT.shape).masked_scatter(batch.mask_BT, values_N)


def _plain_cache(lm: TorchLM) -> bool:
    """Tell whether every layer keeps all keys and values, which sliding windows and recurrent states do not."""
    layers = DynamicCache(config=lm.config).layers
    return bool(layers) and all(type(layer) is DynamicLayer for layer in layers)


def _shared(lm: TorchLM, batch: Batch, prefixes: Prefixes) -> Float[Tensor, "B S H"]:
    """Return the states before each token of a row from its first loss token on; S counts those tokens."""
    cache = DynamicCache(config=lm.config)
    prefix_UPH = lm.hidden(prefixes.ids_UP, cache=cache)
    first_B1H = prefix_UPH[prefixes.owners_B, prefixes.lengths_B - 1][:, None]
    if prefixes.ids_BS.shape[1] == 0:
        return first_B1H
    cache.batch_select_indices(prefixes.owners_B)
    dtype = lm.autocast or lm.dtype
    num_prefix, num_suffix = prefixes.ids_UP.shape[1], prefixes.ids_BS.shape[1]
    column_K = torch.arange(num_prefix + num_suffix, device=lm.device)
    step_S = torch.arange(num_suffix, device=lm.device)
    # Hidden: the padding between a prefix and what follows it, and the future.
    gap_B1K = ((column_K >= prefixes.lengths_B[:, None]) & (column_K < num_prefix))[:, None]
    future_SK = column_K - num_prefix > step_S[:, None]
    mask_BSK = torch.zeros(len(batch.ids_BL), num_suffix, len(column_K), dtype=dtype, device=lm.device)
    mask_BSK.masked_fill_(gap_B1K | future_SK, torch.finfo(dtype).min)
    suffix_BSH = lm.hidden(
        prefixes.ids_BS,
        cache=cache,
        attention_mask=mask_BSK[:, None],
        position_ids=prefixes.lengths_B[:, None] + step_S,
    )
    return torch.cat([first_B1H, suffix_BSH], dim=1)
