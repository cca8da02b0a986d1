"""The learner's data: samples, micro-batches and the counts of the whole optimizer step.

Shape legend, used by every tensor name and signature of the learner:

    B  rows of a micro-batch, one trajectory each
    L  positions of a row's token ids, padded on the right
    T  loss tokens of a row, in order, padded on the right
    U  distinct prefixes of a micro-batch's rows, where a prefix is what precedes the first loss token
    P  positions of a prefix, padded on the right
    S  positions of a row after its prefix, without the last, padded on the right
    G  members of one group
    H  width of the hidden states

Prompt, environment and replayed tokens exist on the L axis only: a loss is computed on the T axis, so it
cannot reach them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy.typing import NDArray
from torch import Tensor

from rlvr_gym.errors import UsageError
from rlvr_gym.types import Floats, Ids, Trajectory


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """One trajectory as the learner trains on it; arrays on the T axis have one value per loss token."""

    id: str
    group: int
    """Index of its group in the update."""
    reward: float
    advantage: float
    """The group rule's advantage A."""
    ids: Ids
    """Token ids as *scored*, shape (L,): under the scored prompt where that differs from the shown one."""
    loss: NDArray[np.bool_]
    """True where the policy sampled the token in this rollout, shape (L,)."""
    old_logprobs_T: Floats
    """Log-probabilities under the law that sampled the tokens, hence under the shown prompt."""
    old_entropies_T: Floats
    advantages_T: Floats
    """A times the credit of each token, or the baseline's own advantage per token; plus ``extra``."""
    extra: float = 0.0
    """Weighted advantages of the group's channels, the same at every token."""
    temperature: float = 1.0
    top_p: float = 1.0
    num_replayed: int = 0
    """Length of the replayed prefix; statistics of such samples say nothing about the plain task."""
    truncated: bool = False
    ref_logprobs_T: Floats | None = None
    old_values_T: Floats | None = None
    returns_T: Floats | None = None

    @property
    def num_tokens(self) -> int:
        """Number of loss tokens."""
        return len(self.old_logprobs_T)

    @property
    def has_signal(self) -> bool:
        """True when some token has an advantage other than 0."""
        return bool(self.advantages_T.any())

    @classmethod
    def of(
        cls, trajectory: Trajectory, *, group: int, reward: float, advantage: float, extra: float = 0.0
    ) -> Sample:
        """Return the sample of a trajectory whose advantage is the same at every token, without ``extra`` as yet.

        Raises:
            UsageError: when the first token is a sampled one, so that nothing predicts it.
        """
        segments = trajectory.segments
        ids, loss = trajectory.ids, trajectory.loss_mask
        if len(loss) and loss[0]:
            raise UsageError(f"trajectory '{trajectory.id}' starts with a sampled token; it needs a prompt.")
        old_logprobs_T, old_entropies_T = trajectory.logprobs[loss], trajectory.entropies[loss]
        if trajectory.scored_prompt is not None:
            opening = next((i for i, s in enumerate(segments) if s.kind != "prompt"), len(segments))
            rest = sum(len(s.ids) for s in segments[opening:])
            ids = np.concatenate([trajectory.scored_prompt, ids[len(ids) - rest :]])
            loss = np.concatenate([np.zeros(len(trajectory.scored_prompt), bool), loss[len(loss) - rest :]])
        # What follows the last loss token predicts nothing.
        end = int(loss.nonzero()[0][-1]) + 1 if loss.any() else len(loss)
        return cls(
            id=trajectory.id,
            group=group,
            reward=reward,
            advantage=advantage,
            ids=ids[:end].astype(np.int32, copy=False),
            loss=loss[:end],
            old_logprobs_T=old_logprobs_T,
            old_entropies_T=old_entropies_T,
            advantages_T=np.full(int(loss.sum()), advantage, np.float32),
            extra=extra,
            # Greedy tokens carry untempered log-probabilities.
            temperature=trajectory.temperature or 1.0,
            top_p=trajectory.top_p,
            num_replayed=trajectory.num_replayed,
            truncated=trajectory.finish == "length",
        )


@dataclass(frozen=True, slots=True)
class Counts:
    """What a loss divides by: counts over one role of one whole optimizer step, whatever its micro-batches."""

    tokens: int
    sequences: int
    groups: int

    @classmethod
    def of(cls, samples: Sequence[Sample]) -> Counts:
        """Count the samples of one role of one optimizer step."""
        return cls(
            tokens=sum(s.num_tokens for s in samples),
            sequences=len(samples),
            groups=len({s.group for s in samples}),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Prefixes:
    """The rows of a micro-batch cut where the first loss token stands, with equal prefixes kept once."""

    ids_UP: Int[Tensor, "U P"]
    owners_B: Int[Tensor, " B"]
    """Each row's prefix."""
    lengths_B: Int[Tensor, " B"]
    """Length of each row's prefix, hence the position of its first loss token."""
    ids_BS: Int[Tensor, "B S"]
    """What follows the prefix, without each row's last token: nothing is predicted from that."""
    share_of_plain: float
    """Tokens read when prefixes are read once, as a share of those of whole rows."""

    @classmethod
    def of(cls, samples: Sequence[Sample], pad_id: int, device: torch.device | str) -> Prefixes:
        """Return the prefixes of ``samples``."""
        cuts = [int(s.loss.argmax()) for s in samples]
        found: dict[bytes, int] = {}
        owners = [
            found.setdefault(s.ids[:cut].tobytes(), len(found)) for s, cut in zip(samples, cuts, strict=True)
        ]
        prefixes = [np.frombuffer(prefix, np.int32) for prefix in found]
        suffixes = [s.ids[cut:-1] for s, cut in zip(samples, cuts, strict=True)]
        ids_UP, ids_BS = _padded(prefixes, pad_id), _padded(suffixes, pad_id)
        plain = len(samples) * (max(len(s.ids) for s in samples) - 1)
        return cls(
            ids_UP=torch.from_numpy(ids_UP).to(device),
            owners_B=torch.tensor(owners, device=device),
            lengths_B=torch.tensor(cuts, device=device),
            ids_BS=torch.from_numpy(ids_BS).to(device),
            share_of_plain=(ids_UP.size + ids_BS.size) / max(plain, 1),
        )


def _padded(rows: Sequence[Ids], pad_id: int) -> NDArray[np.int64]:
    padded = np.full((len(rows), max(len(row) for row in rows)), pad_id, np.int64)
    for target, row in zip(padded, rows, strict=True):
        target[: len(row)] = row
    return padded


@dataclass(frozen=True, eq=False)
class Batch:
    """One micro-batch of one role as tensors, with the current policy's values where it was scored."""

    ids_BL: Int[Tensor, "B L"]
    loss_BL: Bool[Tensor, "B L"]
    """True on loss tokens; its True entries, row by row, are the True entries of ``mask_BT``."""
    mask_BT: Bool[Tensor, "B T"]
    old_logprobs_BT: Float[Tensor, "B T"]
    old_entropies_BT: Float[Tensor, "B T"]
    advantages_BT: Float[Tensor, "B T"]
    rewards_B: Float[Tensor, " B"]
    temperatures_B: Float[Tensor, " B"]
    groups_B: Int[Tensor, " B"]
    """Index of each row's group in the update."""
    group_sizes_B: Float[Tensor, " B"]
    """Members of each row's group in the whole optimizer step."""
    counts: Counts
    prefixes: Prefixes
    logprobs_BT: Float[Tensor, "B T"]
    """Current log-probabilities, differentiable; the old ones until the batch was scored."""
    entropies_BT: Float[Tensor, "B T"] | None = None
    """Current entropies, differentiable, where the algorithm asks for them."""
    ref_logprobs_BT: Float[Tensor, "B T"] | None = None
    old_values_BT: Float[Tensor, "B T"] | None = None
    returns_BT: Float[Tensor, "B T"] | None = None
    hidden_BTH: Float[Tensor, "B T H"] | None = None
    """Last hidden state before each loss token, where a baseline asks for it."""
    notes: dict[str, Tensor] = field(default_factory=dict)
    """Diagnostics that a loss left: sums over loss tokens."""

    def note(self, name: str, values_BT: Tensor) -> None:
        """Leave a diagnostic, summed over the loss tokens; the trainer divides by their number."""
        total = torch.where(self.mask_BT, values_BT.detach().float(), 0.0).sum()
        self.notes[name] = self.notes[name] + total if name in self.notes else total

    def scored(
        self,
        logprobs_BT: Float[Tensor, "B T"],
        *,
        entropies_BT: Float[Tensor, "B T"] | None = None,
        hidden_BTH: Float[Tensor, "B T H"] | None = None,
    ) -> Batch:
        """Return the batch with the current policy's values and empty notes."""
        return replace(
            self, logprobs_BT=logprobs_BT, entropies_BT=entropies_BT, hidden_BTH=hidden_BTH, notes={}
        )

    @classmethod
    def of(
        cls,
        samples: Sequence[Sample],
        counts: Counts,
        group_sizes: dict[int, int],
        *,
        pad_id: int = 0,
        device: torch.device | str = "cpu",
    ) -> Batch:
        """Return the padded tensors of ``samples``.

        Args:
            samples: Rows, all of one role.
            counts: Of this role in the whole optimizer step.
            group_sizes: Group index -> members in the whole optimizer step.
            pad_id: Any valid token id; no value computed from padding is used.
            device: Where the tensors live.
        """
        num_rows = len(samples)
        length = max(len(s.ids) for s in samples)
        num_tokens = np.array([s.num_tokens for s in samples])
        ids = _padded([s.ids for s in samples], pad_id)
        loss = np.zeros((num_rows, length), bool)
        for row, sample in enumerate(samples):
            loss[row, : len(sample.ids)] = sample.loss
        mask = np.arange(num_tokens.max())[None, :] < num_tokens[:, None]

        def grid(values: Sequence[Floats | None]) -> Tensor | None:
            if any(v is None for v in values):
                return None
            padded = np.zeros(mask.shape, np.float32)
            padded[mask] = np.concatenate([v for v in values if v is not None])
            return torch.from_numpy(padded).to(device)

        def column(values: Sequence[float]) -> Tensor:
            return torch.tensor(values, dtype=torch.float32, device=device)

        old_logprobs_BT = grid([s.old_logprobs_T for s in samples])
        old_entropies_BT = grid([s.old_entropies_T for s in samples])
        advantages_BT = grid([s.advantages_T for s in samples])
        assert old_logprobs_BT is not None
        assert old_entropies_BT is not None
        assert advantages_BT is not None
        return cls(
            ids_BL=torch.from_numpy(ids).to(device),
            loss_BL=torch.from_numpy(loss).to(device),
            mask_BT=torch.from_numpy(mask).to(device),
            old_logprobs_BT=old_logprobs_BT,
            old_entropies_BT=old_entropies_BT,
            advantages_BT=advantages_BT,
            rewards_B=column([s.reward for s in samples]),
            temperatures_B=column([s.temperature for s in samples]),
            groups_B=torch.tensor([s.group for s in samples], device=device),
            group_sizes_B=column([group_sizes[s.group] for s in samples]),
            counts=counts,
            prefixes=Prefixes.of(samples, pad_id, device),
            logprobs_BT=old_logprobs_BT,
            ref_logprobs_BT=grid([s.ref_logprobs_T for s in samples]),
            old_values_BT=grid([s.old_values_T for s in samples]),
            returns_BT=grid([s.returns_T for s in samples]),
        )


def group_sizes(samples: Sequence[Sample]) -> dict[int, int]:
    """Return the number of members of each group."""
    return dict(Counter(sample.group for sample in samples))
