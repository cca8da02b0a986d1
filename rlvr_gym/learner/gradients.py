"""Diagnostics of gradients: whether what the reward asks for is what full passes ask for.

Each costs backward passes of its own. They read the weights and leave them, the gradients that an optimizer sees and
all random states alone. "Full" and "partial" are told by the raw reward, as in ``learner/diagnostics.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
import torch
from torch import Tensor

from rlvr_gym.learner.batch import Batch, Counts, Sample, group_sizes
from rlvr_gym.learner.diagnostics import FULL
from rlvr_gym.learner.packing import pack
from rlvr_gym.learner.scoring import score
from rlvr_gym.lm.model import TorchLM
from rlvr_gym.types import Group

Gradient: TypeAlias = tuple[Tensor, ...]
"""A tensor for each trainable parameter, in their order."""


def gradient(loss: Tensor, parameters: Sequence[Tensor]) -> Gradient:
    """Return the gradient of ``loss`` without touching ``.grad``; 0 where a parameter has no part in it."""
    return torch.autograd.grad(loss, parameters, allow_unused=True, materialize_grads=True)


def total(gradients: Iterable[Gradient]) -> Gradient | None:
    """Return the sum, None for nothing."""
    result: Gradient | None = None
    for one in gradients:
        result = one if result is None else tuple(a + b for a, b in zip(result, one, strict=True))
    return result


def dot(left: Gradient, right: Gradient) -> float:
    """Return the inner product over all parameters."""
    return math.fsum(float((a.float() * b.float()).sum()) for a, b in zip(left, right, strict=True))


def cosine(left: Gradient, right: Gradient) -> float | None:
    """Return the cosine of the angle between two gradients, None when one of them is 0."""
    lengths = math.sqrt(dot(left, left)) * math.sqrt(dot(right, right))
    return dot(left, right) / lengths if lengths > 0.0 else None


def mean_pairwise_cosine(gradients: Iterable[Gradient]) -> float | None:
    """Return the mean cosine over all pairs, None with fewer than two gradients that are not 0.

    The squared length of a sum of n unit vectors is n plus twice the sum of their pairs' cosines, so that one sum
    is kept, not n gradients.
    """
    units = 0
    summed: Gradient | None = None
    for one in gradients:
        length = math.sqrt(dot(one, one))
        if length > 0.0:
            unit = tuple(part / length for part in one)
            summed = total([unit] if summed is None else [summed, unit])
            units += 1
    if summed is None or units < 2:
        return None
    return (dot(summed, summed) - units) / (units * (units - 1))


def full_gradient(
    lm: TorchLM, parameters: Sequence[Tensor], groups: Sequence[Group], *, token_budget: int
) -> Gradient | None:
    """Return the gradient of log P(full pass), estimated from the full passes; None without any.

    grad log P(full | x) = E[grad log pi(y | x) | y passes in full]: the mean over a group's full passes, then over
    the groups that have one (arXiv:2605.02944, its reference direction).
    """
    chosen = []
    for index, group in enumerate(groups):
        full = list(_samples(group, index, lambda reward: reward >= FULL))
        chosen += [(sample, 1.0 / len(full)) for sample in full]
    if not chosen:
        return None
    num_groups = len({sample.group for sample, _ in chosen})
    samples = [
        replace(s, advantages_T=np.full(s.num_tokens, weight / num_groups, np.float32))
        for s, weight in chosen
    ]
    return total(_log_gradients(lm, parameters, pack(samples, token_budget)))


def conflict(lm: TorchLM, parameters: Sequence[Tensor], groups: Sequence[Group]) -> float | None:
    """Return the mean cosine between the gradients of two partial passes of one group, the mean over groups.

    The conflict diagnostic of arXiv:2605.02944. Each gradient is that of the response's log-probability. Low values
    mean that partial passes of one task push the weights apart, below 0 that they undo each other. None when no
    group has two partial passes.
    """
    found = []
    for index, group in enumerate(groups):
        partial = list(_samples(group, index, lambda reward: 0.0 < reward < FULL))
        if len(partial) > 1:
            value = mean_pairwise_cosine(_log_gradients(lm, parameters, [[s] for s in partial]))
            found += [value] if value is not None else []
    return math.fsum(found) / len(found) if found else None


def _samples(group: Group, index: int, chosen: Callable[[float], bool]) -> Iterator[Sample]:
    for member, reward in zip(group.members, group.rewards, strict=True):
        if reward is not None and chosen(reward):
            sample = Sample.of(member, group=index, reward=reward, advantage=1.0)
            if sample.num_tokens:
                yield sample


def _log_gradients(
    lm: TorchLM, parameters: Sequence[Tensor], parts: Iterable[Sequence[Sample]]
) -> Iterator[Gradient]:
    """Yield each part's gradient of its log-probabilities, weighted with the samples' advantages."""
    for part in parts:
        batch = score(lm, Batch.of(part, Counts.of(part), group_sizes(part), device=lm.device))
        weighted_BT = torch.where(batch.mask_BT, batch.logprobs_BT * batch.advantages_BT, 0.0)
        yield gradient(weighted_BT.sum(), parameters)
