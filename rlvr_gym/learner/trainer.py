"""The learner: groups of trajectories in, one joint optimizer step over all roles out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from rlvr_gym.errors import StoreError, UsageError
from rlvr_gym.learner.batch import Batch, Counts, Sample, group_sizes
from rlvr_gym.learner.behaviour import fix_constants
from rlvr_gym.learner.clipping import clip
from rlvr_gym.learner.config import LearnerConfig, RoleConfig
from rlvr_gym.learner.diagnostics import full_reachable, reward_density
from rlvr_gym.learner.figures import Figures
from rlvr_gym.learner.gradients import conflict, cosine, full_gradient, gradient, total
from rlvr_gym.learner.optimizers import learning_rate, make_optimizer
from rlvr_gym.learner.packing import pack
from rlvr_gym.learner.report import DropReason, SFTReport, UpdateReport
from rlvr_gym.learner.roles import RoleRules
from rlvr_gym.learner.scoring import score
from rlvr_gym.learner.sft import SFTConfig, SFTExample, fine_tune
from rlvr_gym.learner.state import read_state, state_hash, write_state
from rlvr_gym.lm.model import TorchLM
from rlvr_gym.seeding import generator
from rlvr_gym.types import Group, Role


@dataclass(frozen=True, slots=True)
class _Part:
    """A micro-batch and the rules of its role."""

    rules: RoleRules
    samples: Sequence[Sample]
    batch: Batch


class Learner:
    """Trains a language model on groups of trajectories and on supervised examples.

    Several roles learn in one step: L = sum over roles of weight times the role's own loss, each with its own
    algorithm, advantages and denominators. The same inputs give the same weights, bit for bit, on one CPU.

    Args:
        config: Settings.
        lm: The model; trained in place. Parameters without ``requires_grad`` stay as they are.
        seed: Of the order in which groups are dealt to minibatches and examples to fine-tuning steps.

    Raises:
        ConfigError: an unknown algorithm, rule or setting.
        UsageError: a model without trainable parameters.
    """

    def __init__(self, config: LearnerConfig, lm: TorchLM, *, seed: int) -> None:
        self.config = config
        self.lm = lm
        self.num_updates = 0
        """Times the weights changed: applied updates and fine-tunings."""
        self._seed = seed
        self._num_steps = 0
        self._named = {n: p for n, p in lm.module.named_parameters() if p.requires_grad}
        if not self._named:
            raise UsageError(f"learner: model '{lm.name}' has no trainable parameters.")
        self._parameters = list(self._named.values())
        self._optimizer, self._schedule = make_optimizer(
            config.optimizer, self._parameters, where="learner: optimizer"
        )
        # Made now, so that a wrong setting is refused before anything was sampled.
        self._default = RoleConfig(algorithm=config.algorithm)
        others = RoleRules("default", self._default, lm)
        self._rules = {role: RoleRules(role, table, lm) for role, table in config.roles.items()}
        self._reference: TorchLM | None = None
        if others.wants_reference or any(r.wants_reference for r in self._rules.values()):
            self._reference = lm.snapshot()

    def update(self, groups: Sequence[Group], *, step: int) -> UpdateReport:
        """Take one update on the groups of all roles and return what was done.

        Groups of different roles may come in one call, in any order; ``lm.version`` becomes ``name:n`` with the
        n-th change of the weights. When every advantage is 0 nothing moves, KL and entropy terms included.

        Raises:
            UsageError: a reward that is not finite, a trajectory without a prompt or one that comes twice.
            NonFiniteGradientError: before the optimizer step that would have used it.
        """
        version = self.lm.version
        samples, dropped, roles = self._prepare(groups)
        signal = self._has_signal(samples)
        if signal or any(self._rules_of(role).baseline for role, members in samples.items() if members):
            samples = self._fixed(samples)
            # A learned baseline has replaced the advantages.
            signal = self._has_signal(samples)
        if self.config.diagnose_every and step % self.config.diagnose_every == 0:
            for role, members in samples.items():
                roles[role] |= self._diagnosed([g for g in groups if g.key.role == role], role, members)
        metrics: dict[str, float] = {}
        if signal:
            figures = Figures()
            for epoch in range(self.config.epochs):
                for minibatch in self._minibatches(samples, epoch):
                    self._step(minibatch, figures)
            self._weights_changed()
            metrics, by_role = figures.result()
            for role, values in by_role.items():
                roles[role] |= values
        else:
            dropped |= {s.id: "no_signal" for members in samples.values() for s in members}
        charged = tuple(s.id for members in samples.values() for s in members) if signal else ()
        return UpdateReport(
            step=step,
            applied=signal,
            version_in=version,
            version_out=self.lm.version,
            charged=charged,
            dropped=dropped,
            metrics=metrics,
            roles=roles,
        )

    def sft(
        self,
        examples: Sequence[SFTExample],
        config: SFTConfig | None = None,
        *,
        progress: Callable[[int, int, float], None] | None = None,
    ) -> SFTReport:
        """Fine-tune on weighted examples with an optimizer of its own, then forget the RL optimizer's moments.

        The moments describe gradients of other weights, so the next update starts without them.

        Args:
            examples: What to imitate; the weight multiplies an example's log-likelihood.
            config: Settings; the defaults when left out.
            progress: Called after each step with its number, the number of steps and its loss.
        """
        version = self.lm.version
        report = fine_tune(
            self.lm,
            self._parameters,
            examples,
            config or SFTConfig(),
            seed=self._seed,
            call=self.num_updates,
            progress=progress,
        )
        if report.num_steps:
            self._optimizer.reset()
            self._weights_changed()
        return replace(report, version_in=version, version_out=self.lm.version)

    def fingerprint(self) -> str:
        """Return a hash of all that the next update depends on: weights, optimizer, memories, counters."""
        return state_hash(self._state())

    def save(self, folder: Path) -> None:
        """Write all that ``fingerprint`` covers to ``folder``."""
        write_state(folder, {"fingerprint": self.fingerprint(), **self._state()})

    def load(self, folder: Path) -> None:
        """Continue as the learner that ``save`` wrote would, bit for bit.

        Raises:
            StoreError: a damaged folder, or one of another model or other settings.
        """
        state = read_state(folder)
        try:
            self._restore(state)
        except (KeyError, RuntimeError, TypeError, ValueError) as error:
            raise StoreError(f"{folder}: written by a learner of another kind ({error}).") from None
        if self.fingerprint() != state["fingerprint"]:
            raise StoreError(f"{folder}: the state differs from what was written.")

    def _rules_of(self, role: Role) -> RoleRules:
        if role not in self._rules:
            self._rules[role] = RoleRules(role, self._default, self.lm)
        return self._rules[role]

    def _prepare(
        self, groups: Sequence[Group]
    ) -> tuple[dict[Role, list[Sample]], dict[str, DropReason], dict[Role, dict[str, float]]]:
        ids = [member.id for group in groups for member in group.members]
        if len(set(ids)) < len(ids):
            twice = next(i for i in ids if ids.count(i) > 1)
            raise UsageError(f"trajectory '{twice}' comes twice in one update.")
        samples: dict[Role, list[Sample]] = {}
        dropped: dict[str, DropReason] = {}
        metrics: dict[Role, dict[str, float]] = {}
        for role in sorted({group.key.role for group in groups}):
            members = [(i, group) for i, group in enumerate(groups) if group.key.role == role]
            prepared = self._rules_of(role).prepare(members)
            samples[role] = list(prepared.samples)
            dropped |= prepared.dropped
            metrics[role] = prepared.metrics
        return samples, dropped, metrics

    @staticmethod
    def _has_signal(samples: Mapping[Role, Sequence[Sample]]) -> bool:
        return any(s.has_signal for members in samples.values() for s in members)

    def _fixed(self, samples: Mapping[Role, Sequence[Sample]]) -> dict[Role, list[Sample]]:
        return {
            role: fix_constants(
                members,
                self._rules_of(role),
                self.lm,
                self._reference,
                recompute=self.config.old_logprobs == "recompute",
                token_budget=self.config.token_budget,
            )
            for role, members in samples.items()
        }

    def _minibatches(
        self, samples: dict[Role, list[Sample]], epoch: int
    ) -> Iterator[dict[Role, list[Sample]]]:
        count = self.config.minibatches
        groups = sorted({s.group for members in samples.values() for s in members})
        if count == 1:
            yield samples
            return
        order = generator(self._seed, "minibatches", self.num_updates, epoch).permutation(len(groups))
        for number in range(count):
            chosen = {groups[i] for i in order[number::count]}
            yield {role: [s for s in members if s.group in chosen] for role, members in samples.items()}

    def _step(self, minibatch: Mapping[Role, Sequence[Sample]], figures: Figures) -> None:
        """Take one optimizer step, unless no sample of the minibatch has a signal."""
        if not self._has_signal(minibatch):
            return
        parts = [part for role, members in minibatch.items() for part in self._parts(role, members)]
        rate = learning_rate(self._schedule, self._num_steps)
        self._optimizer.step(lambda: self._gradient(parts, figures), rate)
        for rules in {part.rules.role: part.rules for part in parts}.values():
            if rules.baseline is not None:
                rules.baseline.step()
        for parameter in self._parameters:
            parameter.grad = None
        self._num_steps += 1
        figures.add_step(lr=rate)

    def _parts(self, role: Role, samples: Sequence[Sample]) -> list[_Part]:
        rules = self._rules_of(role)
        if not samples:
            return []
        counts, sizes = Counts.of(samples), group_sizes(samples)
        computed = list(samples)
        if self.config.skip_no_signal and rules.silent_without_advantage and not rules.algorithm.whole_groups:
            computed = [s for s in samples if s.has_signal]
        packed = pack(computed, self.config.token_budget, whole_groups=rules.algorithm.whole_groups)
        return [_Part(rules, part, Batch.of(part, counts, sizes, device=self.lm.device)) for part in packed]

    def _diagnosed(self, groups: Sequence[Group], role: Role, samples: Sequence[Sample]) -> dict[str, float]:
        """Return what the rewards of one role do to its gradient, at the weights before the update."""
        found = {**reward_density(groups), **full_reachable(groups)}
        budget = self.config.token_budget
        full = full_gradient(self.lm, self._parameters, groups, token_budget=budget)
        if full is not None and self._has_signal({role: samples}):
            parts = self._parts(role, samples)
            step = total(gradient(-self._loss(p, self._scored(p)), self._parameters) for p in parts)
            alignment = None if step is None else cosine(step, full)
            if alignment is not None:
                found["alignment"] = alignment
        pull = conflict(self.lm, self._parameters, groups)
        return found if pull is None else {**found, "conflict": pull}

    def _scored(self, part: _Part) -> Batch:
        return score(
            self.lm,
            part.batch,
            entropies=part.rules.settings.entropy_coef > 0,
            hidden=part.rules.baseline is not None,
            share=self.config.share_prefixes,
        )

    @staticmethod
    def _loss(part: _Part, batch: Batch) -> Tensor:
        return part.rules.weight * part.rules.algorithm.loss(batch, part.rules.settings)

    def _gradient(self, parts: Sequence[_Part], figures: Figures) -> None:
        for parameter in self._parameters:
            parameter.grad = None
        for part in parts:
            rules = part.rules
            batch = self._scored(part)
            loss = self._loss(part, batch)
            own = rules.baseline.loss(batch) if rules.baseline is not None else None
            (loss if own is None else loss + own).backward()  # type: ignore[no-untyped-call]
            figures.add(rules.role, part.samples, batch, loss.detach())
        norm = clip(self._parameters, self.config.max_grad_norm, where=f"update {self.num_updates}")
        figures.add_step(grad_norm=norm.detach())

    def _weights_changed(self) -> None:
        self.num_updates += 1
        self.lm.version = f"{self.lm.name}:{self.num_updates}"

    def _state(self) -> dict[str, Any]:
        reference = self._reference
        return {
            "version": self.lm.version,
            "num_updates": self.num_updates,
            "num_steps": self._num_steps,
            "weights": {name: p.detach() for name, p in self._named.items()},
            "optimizer": self._optimizer.state_dict(),
            "roles": {
                role: {
                    "advantage": rules.advantage.state_dict(),
                    "baseline": rules.baseline.state_dict() if rules.baseline is not None else None,
                    **({"channels": channels} if (channels := rules.channels.state_dict()) else {}),
                }
                for role, rules in sorted(self._rules.items())
            },
            "reference": {n: p.detach() for n, p in reference.module.named_parameters() if n in self._named}
            if reference is not None
            else None,
        }

    def _restore(self, state: Mapping[str, Any]) -> None:
        _copy_into(self._named, state["weights"])
        if self._reference is not None:
            own = dict(self._reference.module.named_parameters())
            _copy_into({name: own[name] for name in self._named}, state["reference"])
        self._optimizer.load_state_dict(state["optimizer"])
        # Roles met since the checkpoint have no memory in it.
        self._rules = {role: rules for role, rules in self._rules.items() if role in state["roles"]}
        for role, memory in state["roles"].items():
            rules = self._rules_of(role)
            rules.advantage.load_state_dict(memory["advantage"])
            rules.channels.load_state_dict(memory.get("channels", {}))
            if rules.baseline is not None:
                rules.baseline.load_state_dict(memory["baseline"])
        self.num_updates = state["num_updates"]
        self._num_steps = state["num_steps"]
        self.lm.version = state["version"]


@torch.no_grad()
def _copy_into(targets: Mapping[str, Tensor], values: Mapping[str, Tensor]) -> None:
    if targets.keys() != values.keys():
        raise KeyError(f"parameters differ: {sorted(targets.keys() ^ values.keys())[:3]}")
    for name, target in targets.items():
        if target.shape != values[name].shape:
            raise ValueError(f"{name} has the shape {tuple(values[name].shape)}, not {tuple(target.shape)}")
        target.copy_(values[name])
