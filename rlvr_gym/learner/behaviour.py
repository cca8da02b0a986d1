"""All that a loss holds constant, fixed before the first gradient: old log-probabilities, reference, baseline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import torch

from rlvr_gym.learner.batch import Batch, Counts, Sample, group_sizes
from rlvr_gym.learner.packing import pack
from rlvr_gym.learner.roles import RoleRules
from rlvr_gym.learner.scoring import score
from rlvr_gym.lm.model import TorchLM
from rlvr_gym.types import Floats


def fix_constants(
    samples: Sequence[Sample],
    rules: RoleRules,
    lm: TorchLM,
    reference: TorchLM | None,
    *,
    recompute: bool,
    token_budget: int,
) -> list[Sample]:
    """Return the samples of one role, in their order, with what its loss reads besides the current policy.

    Args:
        samples: All of one role in one update.
        rules: Its rules; a learned baseline sets advantages here.
        lm: The policy before the update.
        reference: The frozen reference policy, where a rule needs it.
        recompute: Score the old log-probabilities again instead of taking the sampler's. Those drawn with top-p
            below 1 always are: their record is of a truncated law.
        token_budget: Most padded tokens at a time.
    """
    again = [s for s in samples if recompute or s.top_p < 1.0]
    found = _logprobs(lm, again, token_budget)
    fixed = [replace(s, old_logprobs_T=found[s.id]) if s.id in found else s for s in samples]
    if rules.wants_reference:
        assert reference is not None, "the learner keeps a reference when a rule wants it"
        found = _logprobs(reference, fixed, token_budget)
        fixed = [replace(s, ref_logprobs_T=found[s.id]) for s in fixed]
    if rules.baseline is not None:
        fixed = rules.credit(rules.baseline.credit(fixed, _scored(lm, fixed, token_budget, hidden=True)))
    return fixed


def _logprobs(lm: TorchLM, samples: Sequence[Sample], token_budget: int) -> dict[str, Floats]:
    found = {}
    for part, batch in _scored(lm, samples, token_budget):
        rows = batch.logprobs_BT.float().cpu().numpy()
        found.update({s.id: row[: s.num_tokens] for s, row in zip(part, rows, strict=True)})
    return found


def _scored(
    lm: TorchLM, samples: Sequence[Sample], token_budget: int, *, hidden: bool = False
) -> Iterator[tuple[list[Sample], Batch]]:
    counts, sizes = Counts.of(samples), group_sizes(samples)
    for part in pack(samples, token_budget):
        batch = Batch.of(part, counts, sizes, device=lm.device)
        with torch.no_grad():
            yield part, score(lm, batch, hidden=hidden)
