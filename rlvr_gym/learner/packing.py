"""Micro-batches of similar length under a token budget."""

from __future__ import annotations

from collections.abc import Sequence

from rlvr_gym.learner.batch import Sample

SPLIT_COST = 512
"""Padded tokens that one more micro-batch must save: about what its fixed overhead costs."""


def pack(
    samples: Sequence[Sample], token_budget: int, *, whole_groups: bool = False, split_cost: int = SPLIT_COST
) -> list[list[Sample]]:
    """Return the samples in micro-batches of at most ``token_budget`` padded tokens each.

    A sample longer than the budget gets a micro-batch of its own. The split minimises padding plus
    ``split_cost`` per micro-batch; it is a function of the samples' lengths and order alone.

    Args:
        samples: Samples of one role and one optimizer step.
        token_budget: Most padded tokens in a micro-batch.
        whole_groups: Keep each group in one micro-batch, for losses over a group, even over the budget.
        split_cost: Padded tokens that a further micro-batch must save.
    """
    if whole_groups:
        by_group: dict[int, list[Sample]] = {}
        for sample in samples:
            by_group.setdefault(sample.group, []).append(sample)
        units = list(by_group.values())
    else:
        units = [[sample] for sample in samples]
    units.sort(key=lambda unit: -_length(unit))
    cuts = _cuts([len(unit) for unit in units], [_length(unit) for unit in units], token_budget, split_cost)
    return [[s for unit in units[start:end] for s in unit] for start, end in cuts]


def _length(unit: Sequence[Sample]) -> int:
    return max(len(sample.ids) for sample in unit)


def _cuts(sizes: list[int], lengths: list[int], budget: int, split_cost: int) -> list[tuple[int, int]]:
    """Return the cheapest (start, end) runs of units sorted by falling length."""
    count = len(sizes)
    # best[end] = (cost of the units before end, start of the last run)
    best: list[tuple[int, int]] = [(0, 0)] + [(-1, 0)] * count
    for start in range(count):
        cost = best[start][0]
        if cost < 0:
            continue
        rows, end = 0, start
        while end < count and (end == start or (rows + sizes[end]) * lengths[start] <= budget):
            rows += sizes[end]
            end += 1
            # A cut inside a run of equal lengths saves no padding; only the budget may ask for it.
            full = end == count or (rows + sizes[end]) * lengths[start] > budget
            if full or lengths[end] != lengths[end - 1]:
                total = cost + rows * lengths[start] + split_cost
                if best[end][0] < 0 or total < best[end][0]:
                    best[end] = (total, start)
    runs = []
    end = count
    while end > 0:
        start = best[end][1]
        runs.append((start, end))
        end = start
    return runs[::-1]
