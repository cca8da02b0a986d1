"""Batched sampling with a KV cache. Shapes: R rows still being written, P prompt length, V vocabulary."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from transformers import DynamicCache
from transformers.cache_utils import DynamicLayer

from rlvr_gym.errors import UsageError
from rlvr_gym.lm.law import draw, entropy, sampling_law
from rlvr_gym.lm.model import TorchLM
from rlvr_gym.lm.stops import StopWatch
from rlvr_gym.seeding import generator
from rlvr_gym.types import Completion, SampleRequest

MAX_ROWS = 256
"""Completions written side by side."""
CACHE_BYTES = 2 << 30
"""Keys and values held at a time. A constant rather than free memory, so that batches are the same everywhere."""
_KEEP = 7 / 8
"""Finished rows are dropped once fewer than this share of the rows is still being written."""


def sample(
    lm: TorchLM,
    requests: Sequence[SampleRequest],
    *,
    max_rows: int = MAX_ROWS,
    cache_bytes: int = CACHE_BYTES,
) -> list[Completion]:
    """Return one completion per request, in order.

    A request's random numbers come from its own seed. Equal prompts of a batch are read once. Rows of a batch
    differ in length, so that logits (not laws) depend on the other rows by rounding alone.

    Raises:
        UsageError: a prompt that is empty or does not fit the model's context, or settings out of range.
    """
    for request in requests:
        _check(request, lm.context)
    done: dict[int, Completion] = {}
    for batch in _batches(lm, requests, max_rows, cache_bytes):
        with _no_gradients(lm), lm.precision():
            written = _Batch(lm, [requests[i] for i in batch]).write()
        done.update(zip(batch, written, strict=True))
    return [done[i] for i in range(len(requests))]


@contextlib.contextmanager
def _no_gradients(lm: TorchLM) -> Iterator[None]:
    """Keep gradients away, and let autocast keep the weights that it converts.

    It keeps them only outside inference mode and for parameters that ask for gradients; otherwise it converts every
    weight again at every token (torch 2.13).
    """
    if lm.autocast is None:
        with torch.inference_mode():
            yield
        return
    frozen = [p for p in lm.module.parameters() if not p.requires_grad]
    try:
        for parameter in frozen:
            parameter.requires_grad_(True)
        with torch.no_grad():
            yield
    finally:
        for parameter in frozen:
            parameter.requires_grad_(False)


def _check(request: SampleRequest, context: int) -> None:
    size = len(request.prompt_ids)
    if not 0 < size < context:
        raise UsageError(f"request {request.key}: {size} prompt tokens; the model takes 1 to {context - 1}.")
    if request.max_new_tokens < 1 or not 0 < request.top_p <= 1 or not request.temperature >= 0:
        raise UsageError(
            f"request {request.key}: needs max_new_tokens >= 1, 0 < top_p <= 1 and temperature >= 0, "
            f"got {request.max_new_tokens}, {request.top_p} and {request.temperature}."
        )


def _batches(
    lm: TorchLM, requests: Sequence[SampleRequest], max_rows: int, cache_bytes: int
) -> Iterator[list[int]]:
    """Yield positions of requests, neighbours in prompt length together, equal prompts side by side."""
    config = lm.config
    heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
    size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    token_bytes = 2 * config.num_hidden_layers * heads * size * lm.dtype.itemsize
    # Sliding windows and recurrent states count positions, so that rows of unequal length need batches of their own.
    ragged = all(type(layer) is DynamicLayer for layer in DynamicCache(config=config).layers)
    order = sorted(
        range(len(requests)), key=lambda i: (len(requests[i].prompt_ids), requests[i].prompt_ids.tobytes(), i)
    )
    batch: list[int] = []
    longest_new = 0
    for i in order:
        request = requests[i]
        new = max(longest_new, request.max_new_tokens)
        # Sorted by length, so that this prompt is the batch's longest.
        room = min(len(request.prompt_ids) + new, lm.context)
        full = len(batch) >= max_rows or (len(batch) + 1) * room * token_bytes > cache_bytes
        unequal = not ragged and batch and len(requests[batch[0]].prompt_ids) != len(request.prompt_ids)
        if batch and (full or unequal):
            yield batch
            batch, new = [], request.max_new_tokens
        batch.append(i)
        longest_new = new
    if batch:
        yield batch


class _Batch:
    """One batch being written. ``rows`` maps rows of the tensors to requests."""

    def __init__(self, lm: TorchLM, requests: Sequence[SampleRequest]) -> None:
        self._lm, self._requests = lm, requests
        lengths = np.array([len(r.prompt_ids) for r in requests])
        self._limits = np.minimum([r.max_new_tokens for r in requests], lm.context - lengths)
        self._width, steps = int(lengths.max()), int(self._limits.max())
        self._rows = np.arange(len(requests))
        self._cache = DynamicCache(config=lm.config)
        draws = np.stack([generator(r.seed, "sample").random(steps) for r in requests])
        self._draws_RS = torch.as_tensor(draws, device=lm.device)
        self._temperature_R = self._row([r.temperature for r in requests])
        self._top_p_R = self._row([r.top_p for r in requests])
        self._length_R = torch.as_tensor(lengths, device=lm.device)
        self._mask_RK = self._gap_mask(steps) if (lengths != self._width).any() else None
        self._ids = np.zeros((len(requests), steps), np.int32)
        self._logprobs = np.zeros((len(requests), steps), np.float32)
        self._entropies = np.zeros((len(requests), steps), np.float32)

    def _row(self, values: list[float]) -> Tensor:
        dtype = torch.float64 if self._lm.dtype == torch.float64 else torch.float32
        return torch.tensor(values, device=self._lm.device, dtype=dtype)

    def _gap_mask(self, steps: int) -> Tensor:
        """Return what is added to attention scores: it hides the padding between a prompt and its completion."""
        column_K = torch.arange(self._width + steps, device=self._lm.device)
        gap_RK = (column_K >= self._length_R[:, None]) & (column_K < self._width)
        dtype = self._lm.autocast or self._lm.dtype
        return torch.zeros(gap_RK.shape, dtype=dtype, device=gap_RK.device).masked_fill_(
            gap_RK, torch.finfo(dtype).min
        )

    def write(self) -> list[Completion]:
        """Sample until every request has ended."""
        num = len(self._requests)
        watch = StopWatch(self._lm.codec, [r.stop for r in self._requests])
        lengths, stopped = np.zeros(num, np.int64), np.zeros(num, bool)
        open_R = np.ones(num, bool)
        hidden_RD = self._prefill()
        for step in range(self._ids.shape[1]):
            token_R, tokens = self._draw(hidden_RD, step, open_R)
            lengths[self._rows[open_R]] = step + 1
            ended_R = np.zeros(len(open_R), bool)
            ended_R[open_R] = watch.feed(self._rows[open_R], tokens[open_R])
            stopped[self._rows[ended_R]] = True
            open_R &= ~ended_R & (step + 1 < self._limits[self._rows])
            if not open_R.any():
                break
            if open_R.sum() < _KEEP * len(open_R):
                token_R = self._compact(open_R, token_R)
                open_R = open_R[open_R]
            hidden_RD = self._decode(token_R, step)
        return [self._completion(i, int(lengths[i]), bool(stopped[i])) for i in range(num)]

    def _prefill(self) -> Tensor:
        """Read every distinct prompt once, and return each row's hidden state at its last prompt token."""
        prompts: dict[bytes, int] = {}
        owner = [prompts.setdefault(r.prompt_ids.tobytes(), len(prompts)) for r in self._requests]
        ids = np.full((len(prompts), self._width), self._lm.codec.pad_id, np.int64)
        for row, request in zip(owner, self._requests, strict=True):
            ids[row, : len(request.prompt_ids)] = request.prompt_ids
        # Padded on the right: causal attention keeps padding out of the prompt's states, and no row is all padding.
        hidden_UPD = self._lm.hidden(torch.as_tensor(ids, device=self._lm.device), cache=self._cache)
        owner_R = torch.as_tensor(owner, device=self._lm.device)
        if len(prompts) < len(owner):
            self._cache.batch_select_indices(owner_R)
        return hidden_UPD[owner_R, self._length_R - 1]

    def _draw(
        self, hidden_RD: Tensor, step: int, open_R: NDArray[np.bool_]
    ) -> tuple[Tensor, NDArray[np.int32]]:
        """Draw and record one token per row, and return the tokens twice, on the device and here."""
        law_RV = sampling_law(self._lm.project(hidden_RD), self._temperature_R, self._top_p_R)
        token_R = draw(law_RV, self._draws_RS[:, step], self._temperature_R == 0)
        logprob_R = law_RV.gather(-1, token_R[:, None])[:, 0]
        # One transfer; float64 holds token ids exactly.
        tokens, logprobs, entropies = (
            torch.stack([token_R.double(), logprob_R.double(), entropy(law_RV).double()]).cpu().numpy()
        )
        live = self._rows[open_R]
        self._ids[live, step] = tokens[open_R]
        self._logprobs[live, step] = logprobs[open_R]
        self._entropies[live, step] = entropies[open_R]
        return token_R, tokens.astype(np.int32)

    def _decode(self, token_R: Tensor, step: int) -> Tensor:
        mask = None if self._mask_RK is None else self._mask_RK[:, None, None, : self._width + step + 1]
        return self._lm.hidden(
            token_R[:, None],
            cache=self._cache,
            attention_mask=mask,
            position_ids=(self._length_R + step)[:, None],
        )[:, 0]

    def _compact(self, open_R: NDArray[np.bool_], token_R: Tensor) -> Tensor:
        """Drop the rows that have ended, and return the tokens of the others."""
        keep_R = torch.as_tensor(np.flatnonzero(open_R), device=self._lm.device)
        self._rows = self._rows[open_R]
        self._cache.batch_select_indices(keep_R)
        self._draws_RS, self._length_R = self._draws_RS[keep_R], self._length_R[keep_R]
        self._temperature_R, self._top_p_R = self._temperature_R[keep_R], self._top_p_R[keep_R]
        if self._mask_RK is not None:
            self._mask_RK = self._mask_RK[keep_R]
        return token_R[keep_R]

    def _completion(self, index: int, length: int, stopped: bool) -> Completion:
        ids = self._ids[index, :length].copy()
        shown = ids[:-1] if ids[-1] in self._lm.codec.stop_ids else ids
        return Completion(
            ids=ids,
            logprobs=self._logprobs[index, :length].copy(),
            entropies=self._entropies[index, :length].copy(),
            finish="stop" if stopped else "length",
            text=self._lm.codec.decode(shown),
            version=self._lm.version,
        )
