"""PPO's critic: a value head on the policy's own last hidden states, and GAE (arXiv:1707.06347)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from pydantic import Field, PositiveFloat
from torch import Tensor, nn

from rlvr_gym.config import Config
from rlvr_gym.learner.advantages.gae import gae, whiten
from rlvr_gym.learner.baselines.base import BASELINES, ScoredBatches
from rlvr_gym.learner.batch import Batch, Sample
from rlvr_gym.learner.optimizers.adamw import AdamW, AdamWConfig
from rlvr_gym.learner.reductions import token_mean
from rlvr_gym.lm.model import TorchLM


class CriticConfig(Config):
    """Settings of the critic."""

    lr: PositiveFloat = 1e-3
    """Learning rate of the value head, which has its own AdamW."""
    gamma: float = Field(default=1.0, ge=0.0, le=1.0)
    """Discount per token."""
    lam: float = Field(default=1.0, ge=0.0, le=1.0)
    """Lambda of GAE; 1 gives return minus value, 0 the one-step error."""
    value_clip: PositiveFloat = 0.2
    """How far a value may move from its old one before its loss is cut."""
    whiten: bool = True
    """Whether advantages are shifted and scaled to mean 0 and deviation 1 over the tokens of the update."""


class Critic:
    """A linear value head that reads detached hidden states.

    Detached, so that the value loss shapes no feature of the policy: a separate critic's safety at the price
    of a dot product, and no second model. The head starts at 0, hence the first advantages are the rewards.
    The reward is paid at the last token of a trajectory; in a dialogue, time runs over loss tokens only.
    """

    def __init__(self, config: CriticConfig, lm: TorchLM) -> None:
        self._config = config
        width = lm.head.weight.shape[1]
        self._weight = nn.Parameter(torch.zeros(width, device=lm.device))
        self._bias = nn.Parameter(torch.zeros((), device=lm.device))
        self._optimizer = AdamW([self._weight, self._bias], AdamWConfig(lr=config.lr))

    def values(self, batch: Batch) -> Float[Tensor, "B T"]:
        """Return the value of the state before each loss token."""
        assert batch.hidden_BTH is not None, "the trainer scores hidden states for a baseline"
        return batch.hidden_BTH.detach().float() @ self._weight + self._bias

    def credit(self, samples: Sequence[Sample], scored: ScoredBatches) -> list[Sample]:
        """Return the samples with GAE advantages, old values and returns."""
        found: dict[str, Sample] = {}
        for members, batch in scored:
            with torch.no_grad():
                values_BT = self.values(batch).cpu().numpy()
            for sample, values in zip(members, values_BT, strict=True):
                values_T = values[: sample.num_tokens].astype(np.float64)
                rewards_T = np.zeros_like(values_T)
                rewards_T[-1] = sample.reward
                advantages_T = gae(rewards_T, values_T, self._config.gamma, self._config.lam)
                found[sample.id] = replace(
                    sample,
                    advantages_T=advantages_T.astype(np.float32),
                    old_values_T=values_T.astype(np.float32),
                    returns_T=(advantages_T + values_T).astype(np.float32),
                )
        ordered = [found[sample.id] for sample in samples]
        if not self._config.whiten:
            return ordered
        whitened = whiten([sample.advantages_T for sample in ordered])
        return [replace(s, advantages_T=a.astype(np.float32)) for s, a in zip(ordered, whitened, strict=True)]

    def loss(self, batch: Batch) -> Float[Tensor, ""]:
        """Return half the squared error of the values, clipped around the old ones, averaged over tokens."""
        assert batch.old_values_BT is not None, "credit sets the old values"
        assert batch.returns_BT is not None, "credit sets the returns"
        values_BT = self.values(batch)
        step_BT = (values_BT - batch.old_values_BT).clamp(-self._config.value_clip, self._config.value_clip)
        error_BT = torch.maximum(
            (values_BT - batch.returns_BT).square(),
            (batch.old_values_BT + step_BT - batch.returns_BT).square(),
        )
        batch.note("value_loss", error_BT / 2)
        return token_mean(error_BT / 2, batch)

    def step(self) -> None:
        """Move the head along its gradient and clear it."""
        self._optimizer.step(lambda: None, self._config.lr)
        self._weight.grad = self._bias.grad = None

    def state_dict(self) -> dict[str, Any]:
        """Return the head and its moments."""
        return {
            "weight": self._weight.detach(),
            "bias": self._bias.detach(),
            "optimizer": self._optimizer.state_dict(),
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Take over what ``state_dict`` returned."""
        with torch.no_grad():
            self._weight.copy_(state["weight"])
            self._bias.copy_(state["bias"])
        self._optimizer.load_state_dict(state["optimizer"])


BASELINES.add("critic", Critic, config=CriticConfig, paper="arXiv:1707.06347")
