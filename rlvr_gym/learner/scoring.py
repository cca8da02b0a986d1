"""The current policy's view of a batch."""

from __future__ import annotations

from torch import Tensor

from rlvr_gym.learner.batch import Batch
from rlvr_gym.lm.logprobs import token_logprobs
from rlvr_gym.lm.model import TorchLM


def score(lm: TorchLM, batch: Batch, *, entropies: bool = False, hidden: bool = False) -> Batch:
    """Return ``batch`` with log-probabilities of ``lm`` and, if asked for, entropies and hidden states.

    Log-probabilities and entropies are differentiable; hidden states are detached.
    """
    stats = token_logprobs(
        lm,
        batch.ids_BL,
        batch.loss_BL,
        temperature=batch.temperatures_B,
        want_entropy=entropies,
        want_hidden=hidden,
    )
    hidden_BTH = None
    if stats.hidden_BTD is not None:
        found_NH = stats.hidden_BTD.detach()[batch.loss_BL]
        hidden_BTH = found_NH.new_zeros(*batch.mask_BT.shape, found_NH.shape[-1])
        hidden_BTH[batch.mask_BT] = found_NH
    return batch.scored(
        _compact(stats.logprobs_BT, batch),
        entropies_BT=_compact(stats.entropies_BT, batch) if stats.entropies_BT is not None else None,
        hidden_BTH=hidden_BTH,
    )


def _compact(values_BL: Tensor, batch: Batch) -> Tensor:
    """Move values from the L axis to the T axis."""
    return values_BL.new_zeros(batch.mask_BT.shape).masked_scatter(batch.mask_BT, values_BL[batch.loss_BL])
