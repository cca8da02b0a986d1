"""From the groups of one role to its samples: shaping, admission, advantages, credit, channels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rlvr_gym.errors import UsageError
from rlvr_gym.learner.admissions import make_admission
from rlvr_gym.learner.advantages import make_advantage, rewards_of
from rlvr_gym.learner.algorithms import ALGORITHMS, Algorithm, AlgorithmConfig
from rlvr_gym.learner.baselines import Baseline, make_baseline
from rlvr_gym.learner.batch import Sample
from rlvr_gym.learner.channels import Channels
from rlvr_gym.learner.config import RoleConfig
from rlvr_gym.learner.credits import make_credit
from rlvr_gym.learner.diagnostics import group_health, masses
from rlvr_gym.learner.report import DropReason
from rlvr_gym.learner.shapings import make_shaping
from rlvr_gym.lm.model import TorchLM
from rlvr_gym.types import Group, Role


@dataclass(frozen=True, slots=True)
class Prepared:
    """The samples of one role of one update, before any scoring."""

    samples: tuple[Sample, ...]
    dropped: dict[str, DropReason]
    metrics: dict[str, float]


class RoleRules:
    """The algorithm of one role with all its rules, their memories included."""

    def __init__(self, role: Role, config: RoleConfig, lm: TorchLM) -> None:
        where = f"learner: role '{role}'"
        entry, settings = ALGORITHMS.resolve(config.algorithm, where=f"{where} algorithm")
        assert isinstance(settings, AlgorithmConfig)
        self.role = role
        self.weight = config.weight
        self.algorithm: Algorithm = entry.value
        self.settings = settings
        self.advantage = make_advantage(settings.advantage, where=f"{where} advantage")
        self.channels = Channels(lambda: make_advantage(settings.advantage, where=f"{where} advantage"))
        self.baseline: Baseline | None = (
            make_baseline(settings.baseline, lm, where=f"{where} baseline") if settings.baseline else None
        )
        self._shapings = [make_shaping(table, where=f"{where} shaping") for table in settings.shaping]
        self._admit = make_admission(settings.admission, where=f"{where} admission")
        self._credits = [make_credit(table, where=f"{where} credit") for table in settings.credit]

    @property
    def wants_reference(self) -> bool:
        """True when the loss needs the reference policy."""
        return self.settings.kl_coef > 0

    @property
    def silent_without_advantage(self) -> bool:
        """True when a sample of advantage 0 has no gradient, so that computing it is of no use."""
        return not (self.wants_reference or self.settings.entropy_coef > 0 or self.baseline is not None)

    def prepare(self, groups: Sequence[tuple[int, Group]]) -> Prepared:
        """Return samples with the rule's advantages and, without a learned baseline, with token credit.

        Args:
            groups: Groups of this role, each with its index in the update.

        Raises:
            UsageError: a reward that is not finite.
        """
        dropped: dict[str, DropReason] = {}
        metrics = group_health([group for _, group in groups])
        admitted: list[tuple[int, Group]] = []
        for index, group in groups:
            dropped |= {
                m.id: "masked" for m, r in zip(group.members, group.rewards, strict=True) if r is None
            }
            group = group.decided()
            for member, reward in zip(group.members, group.rewards, strict=True):
                if not math.isfinite(reward or 0.0):
                    raise UsageError(
                        f"trajectory '{member.id}' has the reward {reward}; None means undecided."
                    )
            for channel in group.channels:
                if not all(math.isfinite(x) for x in (channel.weight, *channel.rewards) if x is not None):
                    raise UsageError(
                        f"channel '{channel.name}' of group '{group.key.key}' has a weight or reward that is not finite."
                    )
            if not group.members:
                continue
            reason = self._admit(group)
            if reason is not None:
                dropped |= dict.fromkeys((m.id for m in group.members), reason)
                continue
            for shape in self._shapings:
                group = replace(group, rewards=tuple(shape(group).tolist()))
            admitted.append((index, group))
        advantages = self.advantage.credit([group for _, group in admitted])
        channels, figures = self.channels.credit([group for _, group in admitted])
        samples = []
        for (index, group), advantages_G, extra_G in zip(admitted, advantages, channels, strict=True):
            credited = zip(group.members, rewards_of(group), advantages_G, extra_G, strict=True)
            for member, reward, advantage, extra in credited:
                sample = Sample.of(
                    member,
                    group=index,
                    reward=float(reward),
                    advantage=float(advantage),
                    extra=float(extra),
                )
                reason = self._refusal(sample)
                if reason is None:
                    samples.append(sample)
                else:
                    dropped[member.id] = reason
        totals = [own_G + extra_G for own_G, extra_G in zip(advantages, channels, strict=True)]
        metrics |= masses(np.concatenate([np.zeros(0), *totals])) | figures
        return Prepared(tuple(self.credit(samples)), dropped, metrics)

    def credit(self, samples: Sequence[Sample]) -> list[Sample]:
        """Return the samples with each rule's token advantages, and on top of them those of channels."""
        result = list(samples)
        for rule in self._credits:
            result = [replace(s, advantages_T=a) for s, a in zip(result, rule(result), strict=True)]
        return [
            replace(s, advantages_T=s.advantages_T + np.float32(s.extra)) if s.extra else s for s in result
        ]

    def _refusal(self, sample: Sample) -> DropReason | None:
        if sample.num_tokens == 0:
            return "empty"
        if self.settings.drop_truncated and sample.truncated:
            return "truncated"
        if self.settings.drop_zero_advantage and sample.advantage + sample.extra == 0.0:
            return "zero_advantage"
        return None
