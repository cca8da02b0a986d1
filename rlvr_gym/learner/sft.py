"""Weighted supervised fine-tuning: cold starts, expert iteration, self-distillation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pydantic import PositiveFloat, PositiveInt
from torch import Tensor, nn

from rlvr_gym.config import Config
from rlvr_gym.errors import UsageError
from rlvr_gym.learner.batch import Batch, Counts, Sample
from rlvr_gym.learner.clipping import clip
from rlvr_gym.learner.optimizers import Optimizer, learning_rate, make_optimizer
from rlvr_gym.learner.packing import pack
from rlvr_gym.learner.reductions import token_mean
from rlvr_gym.learner.report import SFTReport
from rlvr_gym.learner.scoring import score
from rlvr_gym.learner.surrogates import policy_gradient
from rlvr_gym.lm.model import TorchLM
from rlvr_gym.seeding import generator
from rlvr_gym.types import Ids


@dataclass(frozen=True, slots=True, eq=False)
class SFTExample:
    """One completion to imitate."""

    prompt_ids: Ids
    completion_ids: Ids
    """What is trained on, its stop token included."""
    weight: float = 1.0
    """Factor on its log-likelihood; e^(r / beta) / Z makes the optimum a KL-regularised one."""
    imitated: NDArray[np.bool_] | None = None
    """Which tokens of the completion are trained on, in a conversation those that the policy wrote; all when left out."""


class SFTConfig(Config):
    """Settings of a fine-tuning."""

    optimizer: str | dict[str, object] = {"name": "adamw", "lr": 1e-4}
    """Registered optimizer with its learning rate and schedule."""
    epochs: PositiveInt = 1
    """Passes over the examples, each in an order drawn from the seed."""
    steps: PositiveInt | None = None
    """Number of optimizer steps instead of ``epochs``."""
    batch_size: PositiveInt = 32
    """Examples per optimizer step."""
    max_grad_norm: PositiveFloat = 1.0
    """Gradients longer than this are scaled down to it."""
    token_budget: PositiveInt = 16384
    """Most padded tokens in one micro-batch; does not change the result."""


def fine_tune(
    lm: TorchLM,
    parameters: Sequence[nn.Parameter],
    examples: Sequence[SFTExample],
    config: SFTConfig,
    *,
    seed: int,
    call: int,
    progress: Callable[[int, int, float], None] | None = None,
) -> SFTReport:
    """Minimise -sum_i w_i log pi(y_i) / (loss tokens of the batch), at temperature 1.

    Args:
        lm: Trained in place.
        parameters: The parameters to move.
        examples: Those of weight 0 and without completion are left out.
        config: Settings.
        seed: Of the order of the examples.
        call: Tells the orders of several calls apart.
        progress: Called after each step with its number, the number of steps and its loss.

    Raises:
        UsageError: an example without a prompt or with a negative weight.
        NonFiniteGradientError: before the optimizer step that would have used it.
    """
    samples = [_sample(i, e) for i, e in enumerate(examples) if e.weight != 0 and len(e.completion_ids)]
    if not samples:
        return SFTReport(0, 0, 0, float("nan"), float("nan"), lm.version, lm.version, "empty")
    batches = _batches(samples, config, seed, call)
    optimizer, schedule = make_optimizer(config.optimizer, parameters, where="sft: optimizer")
    losses, num_tokens = [], 0
    for step, members in enumerate(batches):
        losses.append(_step(lm, parameters, optimizer, members, config, learning_rate(schedule, step)))
        num_tokens += sum(s.num_tokens for s in members)
        if progress is not None:
            progress(step + 1, len(batches), losses[-1])
    tenth = max(1, len(losses) // 10)
    first, last = float(np.mean(losses[:tenth])), float(np.mean(losses[-tenth:]))
    return SFTReport(len(losses), len(samples), num_tokens, first, last, lm.version, lm.version)


def _sample(number: int, example: SFTExample) -> Sample:
    if example.weight < 0 or not len(example.prompt_ids):
        raise UsageError(f"sft: example {number} needs a prompt and a weight of at least 0.")
    written = example.imitated if example.imitated is not None else np.ones(len(example.completion_ids), bool)
    size = int(written.sum())
    zeros_T = np.zeros(size, np.float32)
    return Sample(
        id=str(number),
        group=number,
        reward=example.weight,
        advantage=example.weight,
        ids=np.concatenate([example.prompt_ids, example.completion_ids]).astype(np.int32),
        loss=np.concatenate([np.zeros(len(example.prompt_ids), bool), written]),
        old_logprobs_T=zeros_T,
        old_entropies_T=zeros_T,
        advantages_T=np.full(size, example.weight, np.float32),
    )


def _batches(samples: list[Sample], config: SFTConfig, seed: int, call: int) -> list[list[Sample]]:
    def orders() -> Iterator[list[Sample]]:
        epoch = 0
        while True:
            order = generator(seed, "sft", call, epoch).permutation(len(samples))
            for start in range(0, len(samples), config.batch_size):
                yield [samples[i] for i in order[start : start + config.batch_size]]
            epoch += 1

    per_epoch = -(-len(samples) // config.batch_size)
    count = config.steps or config.epochs * per_epoch
    return [batch for batch, _ in zip(orders(), range(count), strict=False)]


def _step(
    lm: TorchLM,
    parameters: Sequence[nn.Parameter],
    optimizer: Optimizer,
    samples: Sequence[Sample],
    config: SFTConfig,
    rate: float,
) -> float:
    counts = Counts.of(samples)
    parts = [
        Batch.of(part, counts, {s.group: 1 for s in part}, device=lm.device)
        for part in pack(samples, config.token_budget)
    ]
    losses: list[Tensor] = []

    def gradient() -> None:
        losses.clear()
        for parameter in parameters:
            parameter.grad = None
        for part in parts:
            batch = score(lm, part)
            loss = token_mean(-policy_gradient(batch), batch)
            loss.backward()  # type: ignore[no-untyped-call]
            losses.append(loss.detach())
        clip(parameters, config.max_grad_norm, where="sft")

    optimizer.step(gradient, rate)
    for parameter in parameters:
        parameter.grad = None
    return float(sum(losses))
