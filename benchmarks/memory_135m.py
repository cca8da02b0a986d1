"""Memory of one update of a 135M-parameter model on 16 x 128 tokens, logits in chunks against all at once.

Every row is measured in a process of its own. `head` is the output matrix alone (hidden states to log-probabilities
and back); `update` is forward, backward and AdamW of the whole model. Extra memory is the peak over what was resident
before the measured part began, with the moments of AdamW in place.

    python benchmarks/memory_135m.py [--autocast]
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

ROWS, LENGTH = 16, 128
CHUNKED, WHOLE = 0, ROWS * LENGTH


def _resident_mib() -> float:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def _peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(part: str, chunk_rows: int, autocast: bool) -> dict[str, float]:
    """Return extra memory in MiB, peak in MiB and CPU seconds of one part, in this process."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    from rlvr_gym.lm import CharCodec, TorchLM, token_logprobs
    from rlvr_gym.lm.head import token_law

    torch.set_num_threads(1)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=49152,
        hidden_size=576,
        intermediate_size=1536,
        num_hidden_layers=30 if part == "update" else 1,
        num_attention_heads=9,
        num_key_value_heads=3,
        tie_word_embeddings=True,
    )
    dtype = torch.bfloat16 if autocast else None
    lm = TorchLM(LlamaForCausalLM(config), CharCodec(), name="llama-135m", autocast=dtype)
    ids = torch.randint(0, 49152, (ROWS, LENGTH))
    optimizer = torch.optim.AdamW(lm.module.parameters(), lr=1e-5)
    hidden = torch.randn(ROWS * LENGTH, 576, requires_grad=True)

    def run(num: int) -> None:
        if part == "head":
            with lm.precision():
                logprobs, _ = token_law(
                    hidden[: num * LENGTH],
                    lm.head,
                    ids[:num].flatten(),
                    torch.ones(num * LENGTH),
                    want_entropy=False,
                    chunk_rows=chunk_rows or None,
                )
            (-logprobs.mean()).backward()
        else:
            mask = torch.ones_like(ids[:num], dtype=torch.bool)
            mask[:, 0] = False
            stats = token_logprobs(lm, ids[:num], mask, chunk_rows=chunk_rows or None)
            (-stats.logprobs_BT.mean()).backward()
            optimizer.step()
        optimizer.zero_grad()

    # What a first call loads, and the moments of AdamW, belong to every update.
    run(1)
    before, start = _resident_mib(), time.process_time()
    run(ROWS)
    seconds = time.process_time() - start
    return {"extra": _peak_mib() - before, "peak": _peak_mib(), "seconds": seconds}


def _in_a_process(part: str, chunk_rows: int, autocast: bool) -> dict[str, float]:
    command = [sys.executable, __file__, "--measure", part, str(chunk_rows)]
    shown = subprocess.run(
        command + ["--autocast"] * autocast, stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    result: dict[str, float] = json.loads(shown.splitlines()[-1])
    return result


def main() -> None:
    """Print the table, or measure one row of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--autocast", action="store_true", help="matrix products in bfloat16")
    parser.add_argument("--measure", nargs=2, metavar=("PART", "CHUNK_ROWS"), help="one row, as JSON")
    args = parser.parse_args()
    if args.measure:
        print(json.dumps(measure(args.measure[0], int(args.measure[1]), args.autocast)))
        return
    precision = "bfloat16 autocast" if args.autocast else "float32"
    print(f"134.5 M parameters, {ROWS} x {LENGTH} tokens, {precision}, one thread")
    print(f"{'part':8} {'logits':10} {'extra MiB':>10} {'peak MiB':>10} {'CPU s':>8}")
    for part in ("head", "update"):
        chunked, whole = (_in_a_process(part, rows, args.autocast) for rows in (CHUNKED, WHOLE))
        for name, row in (("chunked", chunked), ("whole", whole)):
            print(f"{part:8} {name:10} {row['extra']:10.0f} {row['peak']:10.0f} {row['seconds']:8.1f}")
        print(f"{part}: whole / chunked = {whole['extra'] / chunked['extra']:.2f}x extra memory")


if __name__ == "__main__":
    main()
