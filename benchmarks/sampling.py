"""Sampling speed of tiny models against transformers' own `generate`, interleaved in one run, one thread.

Both sides sample at temperature 1 from the same weights and prompts; no row ends before the limit, so that the work is
equal (rows that end early favour ours, which drops them). Only ours returns log-probabilities and entropies.

    python benchmarks/sampling.py
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import torch

from rlvr_gym.lm import CharCodec, TorchLM, sample, tiny
from rlvr_gym.types import SampleRequest

REPEATS, NEW_TOKENS = 5, 32


def _ours(lm: TorchLM, num: int) -> int:
    prompt = lm.codec.encode("12+34=")
    requests = [SampleRequest(str(i), prompt, i, NEW_TOKENS) for i in range(num)]
    return sum(len(c.ids) for c in sample(lm, requests))


def _theirs(lm: TorchLM, num: int) -> int:
    prompt = torch.as_tensor(lm.codec.encode("12+34=")).long().expand(num, -1)
    settings = {"do_sample": True, "top_k": 0, "max_new_tokens": NEW_TOKENS, "eos_token_id": None}
    ids = lm.module.generate(prompt, attention_mask=torch.ones_like(prompt), **settings)  # type: ignore[operator]
    return num * (ids.shape[1] - prompt.shape[1])


def _speed(side: Callable[[TorchLM, int], int], lm: TorchLM, num: int) -> float:
    start = time.process_time()
    return side(lm, num) / (time.process_time() - start)


def main() -> None:
    """Print tokens per CPU second and the ratio, medians of the repeats."""
    torch.set_num_threads(1)
    print(f"{'model':8} {'batch':>6} {'ours':>8} {'generate':>9} {'ratio':>6}   tokens per CPU second")
    for layers in (2, 4):
        lm = tiny(CharCodec("0123456789+-=", ()), layers=layers, device="cpu")
        lm.codec.stop_ids = ()
        lm.module.generation_config.eos_token_id = None
        for num in (1, 32, 128):
            speeds = [(_speed(_ours, lm, num), _speed(_theirs, lm, num)) for _ in range(REPEATS + 1)][1:]
            ours, theirs = (statistics.median(side) for side in zip(*speeds, strict=True))
            ratio = statistics.median(a / b for a, b in speeds)
            print(f"{layers}x128    {num:6} {ours:8.0f} {theirs:9.0f} {ratio:6.2f}")


if __name__ == "__main__":
    main()
