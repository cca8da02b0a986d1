"""What a run measures of its policies besides training: held-out accuracy and the setter's valid share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rlvr_gym.agents import Domain
from rlvr_gym.evaluation import evaluate
from rlvr_gym.metrics import wilson
from rlvr_gym.policies import Policy, opening
from rlvr_gym.seeding import derive, generator
from rlvr_gym.selfplay.recipe import EvaluationConfig, SamplingConfig
from rlvr_gym.types import Json, SampleRequest, Status


def heldout_accuracy(
    policy: Policy,
    environment: str | Mapping[str, Any],
    config: EvaluationConfig,
    sampling: SamplingConfig,
    seed: int,
) -> Json:
    """Return ``{"mean", "low", "high", ...}``: accuracy on held-out tasks with a 95 % interval by task.

    ``mean`` is None when every attempt was masked.
    """
    report = evaluate(
        policy,
        environment,
        n=config.n,
        tasks=config.tasks,
        seed=derive(seed, "evaluate"),
        temperature=config.temperature,
        max_new_tokens=sampling.max_new_tokens,
        max_trajectory_tokens=sampling.max_trajectory_tokens,
        batch_size=config.batch_size,
    )
    figures = report.to_dict()
    return {**(figures["accuracy"] or {"mean": None, "low": 0.0, "high": 1.0}), **figures}


def valid_rate(
    policy: Policy, domain: Domain, config: EvaluationConfig, sampling: SamplingConfig, seed: int
) -> Json:
    """Return the share of proposals that pass the gate, with a Wilson interval and the reasons for the rest.

    Proposals that belong to the held-out split count by their gate alone. Undecided ones do not count.
    """
    rng, number = generator(seed, "valid_rate"), config.proposals
    parents = [domain.seed(rng) for _ in range(number)]
    requests = [
        SampleRequest(
            key=f"valid/{i}",
            prompt_ids=opening(policy, domain.proposer_view(parent)),
            seed=derive(seed, "valid_rate", i),
            max_new_tokens=sampling.max_new_tokens,
            temperature=sampling.temperature,
            top_p=sampling.top_p,
        )
        for i, parent in enumerate(parents)
    ]
    texts = [
        completion.text
        for start in range(0, number, config.batch_size)
        for completion in policy.sample(requests[start : start + config.batch_size])
    ]
    cases = [(domain.gate_task(text, parent), text) for text, parent in zip(texts, parents, strict=True)]
    verdicts = list(domain.gate.check_many(cases))
    decided = [v for v in verdicts if v.decided]
    passed = sum(v.passed for v in decided)
    interval = wilson(passed, len(decided)).to_dict() if decided else {"mean": None, "low": 0.0, "high": 1.0}
    reasons: dict[str, int] = {}
    for verdict in verdicts:
        if verdict.status is not Status.PASSED:
            code = verdict.reason.partition(":")[0]
            reasons[code] = reasons.get(code, 0) + 1
    return {
        **interval,
        "proposals": number,
        "reasons": dict(sorted(reasons.items())),
    }
