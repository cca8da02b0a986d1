"""Measure a policy: accuracy and pass@k with intervals that count tasks, not attempts."""

from rich.console import Console

from rlvr_gym import evaluate

# Any registered policy, model folder, hub id or GGUF file goes here; this one draws among two answers.
policy = {"name": "scripted", "answers": ["7", "12"], "mode": "random"}

report = evaluate(policy, {"name": "sums-v0", "digits": 1}, tasks=50, n=4, k=(1, 4), seed=0)
Console().print(report.table())
print(
    "accuracy between",
    report.if_masked_wrong,
    "and",
    report.if_masked_right,
    "whatever the masked attempts were",
)
