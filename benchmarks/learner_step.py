"""CPU seconds of one learner step (sampling, scoring, update) beside TRL's GRPOTrainer and a bare loop.

Every learner starts from the same weights and gets the same 16 prompts x 8 attempts per step. The steps are
interleaved: one of TRL, then one of each of ours, in one process on one thread, so that a busy machine slows all
alike. All reuse the sampler's log-probabilities. "Equal work" computes every sample whole, as TRL does; "as shipped"
reads a group's prompt once and leaves out samples whose advantage is 0. Run it with
``pip install 'rlvr-gym[bench]'``; about three minutes.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from rlvr_gym.learner import Learner, LearnerConfig, SFTConfig, SFTExample
from rlvr_gym.lm.char_codec import CharCodec
from rlvr_gym.lm.model import TorchLM
from rlvr_gym.lm.tiny import tiny
from rlvr_gym.types import Group, GroupKey, Message, SampleRequest, Trajectory

PROMPTS, ATTEMPTS, NEW_TOKENS = 16, 8, 12
LR, WARMUP = 1e-4, 10
SKIPPED = 5
"""First steps left out of the medians."""
CODEC = CharCodec(alphabet="0123456789x^+-*/() =", markers=())
EQUAL = {
    "name": "dapo",
    "admission": "all",
    "clip_high": 0.2,
    "advantage": {"name": "grpo", "std": "sample", "eps": 1e-4},
}
"""TRL's default loss: token mean, sample deviation, clip 0.2 on both sides, no filter."""


@dataclass(frozen=True)
class Problem:
    """Differentiate a x^n + b x^m."""

    text: str
    answer: str
    mistake: str
    """The systematic mistake of the warm start: exponents that are not lowered."""


def problem(rng: np.random.Generator) -> Problem:
    """Draw a problem whose text always has nine characters."""
    a, b = rng.integers(1, 10, 2)
    n, m = rng.integers(2, 10, 2)
    return Problem(f"{a}x^{n}+{b}x^{m}", f"{a * n}x^{n - 1}+{b * m}x^{m - 1}", f"{a * n}x^{n}+{b * m}x^{m}")


def warm_start(steps: int) -> TorchLM:
    """A 2 x 128 model fine-tuned on answers of which 65 % make the mistake."""
    lm = tiny(CODEC, layers=2, width=128, context=64, device="cpu")
    rng = np.random.default_rng(0)
    examples = []
    for _ in range(64 * steps):
        p = problem(rng)
        text = p.mistake if rng.random() < 0.65 else p.answer
        ids = np.array([*CODEC.encode(text), CODEC.stop_ids[0]], np.int32)
        examples.append(SFTExample(CODEC.render((Message("user", p.text),)), ids))
    config = SFTConfig(batch_size=64, optimizer={"name": "adamw", "lr": 1e-3})
    Learner(LearnerConfig(), lm, seed=0).sft(examples, config)
    return lm


@dataclass
class Record:
    """What one learner spent and earned, step by step."""

    seconds: list[float] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)

    def median(self) -> float:
        """Return the median CPU seconds of a step, the first steps apart."""
        return statistics.median(self.seconds[SKIPPED:])


def play(lm: TorchLM, problems: Sequence[Problem], step: int) -> list[Group]:
    """Sample and judge one batch."""
    requests = [
        SampleRequest(
            f"{step}/{i}/{k}", CODEC.render((Message("user", p.text),)), (step * 997 + i) * 97 + k, NEW_TOKENS
        )
        for i, p in enumerate(problems)
        for k in range(ATTEMPTS)
    ]
    completions = lm.sample(requests)
    groups = []
    for i, p in enumerate(problems):
        rows = range(i * ATTEMPTS, (i + 1) * ATTEMPTS)
        members = tuple(
            Trajectory.single_turn(requests[r].key, "solver", p.text, requests[r], completions[r])
            for r in rows
        )
        rewards = tuple(float(completions[r].text == p.answer) for r in rows)
        groups.append(Group(GroupKey("solver", "task", f"{i}"), members, rewards))
    return groups


def ours(lm: TorchLM, **config: Any) -> Callable[[Sequence[Problem], int], float]:
    """Return a function that takes one step and returns its mean reward."""
    settings = {
        "algorithm": EQUAL,
        "optimizer": {"name": "adamw", "lr": LR, "warmup_steps": WARMUP},
        **config,
    }
    learner = Learner(LearnerConfig.model_validate(settings), lm, seed=0)

    def step(problems: Sequence[Problem], number: int) -> float:
        report = learner.update(play(lm, problems, number), step=number)
        return report.roles["solver"]["reward_mean"]

    return step


def floor(lm: TorchLM) -> Callable[[Sequence[Problem], int], float]:
    """The bare work on the same tokens: plain generation, one forward and backward, AdamW, nothing else."""
    module: Any = lm.module
    optimizer = torch.optim.AdamW(module.parameters(), lr=LR, betas=(0.9, 0.95), weight_decay=0.0, fused=True)
    stop = CODEC.stop_ids[0]

    def generate(prompts_BP: torch.Tensor, steps: int) -> torch.Tensor:
        with torch.no_grad():
            ids_BP, cache, tokens = prompts_BP, None, []
            for _ in range(steps):
                output = module(ids_BP, cache=cache, use_cache=True, logits_to_keep=1)
                cache = output.past_key_values
                ids_BP = torch.multinomial(output.logits[:, -1].softmax(-1), 1)
                tokens.append(ids_BP)
            return torch.cat(tokens, 1)

    def step(problems: Sequence[Problem], number: int) -> float:
        prompts = np.stack(
            [CODEC.render((Message("user", p.text),)) for p in problems for _ in range(ATTEMPTS)]
        )
        prompts_BP = torch.from_numpy(prompts).long()
        written_BT = generate(prompts_BP, NEW_TOKENS)
        ended_BT = (written_BT == stop).cumsum(1)
        mask_BT = (ended_BT == 0) | ((written_BT == stop) & (ended_BT == 1))
        texts = [
            CODEC.decode(row[: int(m.sum())].numpy()) for row, m in zip(written_BT, mask_BT, strict=True)
        ]
        rewards = [float(t == problems[i // ATTEMPTS].answer) for i, t in enumerate(texts)]
        rewards_PG = torch.tensor(rewards).view(-1, ATTEMPTS)
        advantages_B1 = (
            (rewards_PG - rewards_PG.mean(1, True)) / (rewards_PG.std(1, keepdim=True) + 1e-4)
        ).view(-1, 1)
        logits_BTV = module(torch.cat([prompts_BP, written_BT], 1)).logits[:, prompts.shape[1] - 1 : -1]
        logprobs_BT = logits_BTV.log_softmax(-1).gather(-1, written_BT[..., None])[..., 0]
        loss = -(logprobs_BT * advantages_B1 * mask_BT).sum() / mask_BT.sum()
        optimizer.param_groups[0]["lr"] = LR * min(1.0, (number + 1) / WARMUP)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(module.parameters(), 1.0)
        optimizer.step()
        return float(rewards_PG.mean())

    return step


def run_trl(
    folder: Path, batches: Sequence[Sequence[Problem]], record: Record, between: Callable[[int], None]
) -> None:
    """Train with TRL's GRPOTrainer; ``between`` runs after each of its steps, outside its time."""
    from datasets import Dataset
    from transformers import AutoModelForCausalLM, AutoTokenizer, PrinterCallback, TrainerCallback
    from trl import GRPOConfig, GRPOTrainer

    tokenizer = AutoTokenizer.from_pretrained(folder, padding_side="left")
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    rows = [
        {"prompt": f"<user>{p.text}<assistant>", "answer": p.answer} for problems in batches for p in problems
    ]
    shown = CODEC.render((Message("user", batches[0][0].text),))
    assert tokenizer(rows[0]["prompt"], add_special_tokens=False).input_ids == shown.tolist()

    def reward(completions: list[str], answer: list[str], **_: Any) -> list[float]:
        scores = [float(c == a) for c, a in zip(completions, answer, strict=True)]
        record.rewards.append(statistics.mean(scores))
        return scores

    class Clock(TrainerCallback):  # type: ignore[misc]
        start = 0.0

        def on_train_begin(self, *_: Any, **__: Any) -> None:
            Clock.start = time.process_time()

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            record.seconds.append(time.process_time() - Clock.start)
            between(state.global_step - 1)
            Clock.start = time.process_time()

    config = GRPOConfig(
        output_dir=str(folder / "trl"),
        per_device_train_batch_size=PROMPTS * ATTEMPTS,
        num_generations=ATTEMPTS,
        max_completion_length=NEW_TOKENS,
        max_steps=len(batches),
        learning_rate=LR,
        lr_scheduler_type="constant_with_warmup",
        warmup_steps=WARMUP,
        adam_beta2=0.95,
        weight_decay=0.0,
        max_grad_norm=1.0,
        beta=0.0,
        loss_type="dapo",
        shuffle_dataset=False,
        gradient_checkpointing=False,
        bf16=False,
        use_cpu=True,
        use_vllm=False,
        logging_steps=1,
        report_to="none",
        save_strategy="no",
        disable_tqdm=True,
    )
    trainer = GRPOTrainer(
        model=model,
        reward_funcs=reward,
        args=config,
        train_dataset=Dataset.from_list(rows),
        processing_class=tokenizer,
        callbacks=[Clock()],
    )
    trainer.remove_callback(PrinterCallback)
    trainer.train()


def main() -> None:
    """Run the comparison and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--warm-steps", type=int, default=300)
    args = parser.parse_args()
    torch.set_num_threads(1)
    warm = warm_start(args.warm_steps)
    rng = np.random.default_rng(1)
    batches = [[problem(rng) for _ in range(PROMPTS)] for _ in range(args.steps)]
    learners = {
        "bare loop (floor)": floor(copy_of(warm)),
        "ours, equal work": ours(copy_of(warm), skip_no_signal=False, share_prefixes=False),
        "ours, prompts read once": ours(copy_of(warm), skip_no_signal=False),
        "ours, as shipped": ours(copy_of(warm)),
    }
    records = {name: Record() for name in learners}
    trl = Record()

    def between(step: int) -> None:
        for name, take in learners.items():
            start = time.process_time()
            reward = take(batches[step], step)
            records[name].seconds.append(time.process_time() - start)
            records[name].rewards.append(reward)

    with tempfile.TemporaryDirectory() as folder:
        warm.save(Path(folder))
        run_trl(Path(folder), batches, trl, between)
    report({"TRL 1.16 GRPOTrainer": trl, **records})


def copy_of(lm: TorchLM) -> TorchLM:
    """Return a trainable copy with the same weights."""
    copied = lm.snapshot()
    copied.module.requires_grad_(True)
    return copied


def report(records: dict[str, Record]) -> None:
    """Print medians, ratios and reward per CPU second."""
    base = records["TRL 1.16 GRPOTrainer"].median()
    bare = records["bare loop (floor)"].median()
    print(
        f"{'learner':24} {'cpu-s/step':>10} {'vs TRL':>8} {'vs floor':>8} {'reward':>12} {'reward/cpu-s':>12}"
    )
    for name, record in records.items():
        first, last = statistics.mean(record.rewards[:5]), statistics.mean(record.rewards[-5:])
        earned = (last - first) / sum(record.seconds)
        print(
            f"{name:24} {record.median():10.3f} {base / record.median():7.2f}x {record.median() / bare:7.2f}x "
            f"{first:.2f} -> {last:.2f} {earned:12.4f}"
        )
    equal, shipped = records["ours, equal work"].median(), records["ours, as shipped"].median()
    print(
        f"equal work: {base / equal:.2f}x faster than TRL (aim 1.15), {equal / bare:.2f}x of the floor (aim 1.1)"
    )
    print(f"as shipped: {base / shipped:.2f}x faster than TRL (aim 1.8)")


if __name__ == "__main__":
    main()
