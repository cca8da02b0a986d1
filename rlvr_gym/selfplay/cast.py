"""The cast of a run: its domain, loop, policies and learners, built from the recipe and saved together."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rlvr_gym.agents import Demonstration, make_domain
from rlvr_gym.config import build
from rlvr_gym.errors import ConfigError, did_you_mean
from rlvr_gym.policies import Policy, make_policy
from rlvr_gym.seeding import derive, generator
from rlvr_gym.selfplay.asks import Sampling
from rlvr_gym.selfplay.detectors import DETECTORS
from rlvr_gym.selfplay.imitation import example_of
from rlvr_gym.selfplay.loops import LOOPS, Lesson, Plan
from rlvr_gym.selfplay.protocols import PROPOSER, SOLVER
from rlvr_gym.selfplay.recipe import Recipe, SamplingConfig, WarmStart
from rlvr_gym.store import reached
from rlvr_gym.types import Group, Json

if TYPE_CHECKING:
    from rlvr_gym.learner import Learner, UpdateReport
    from rlvr_gym.lm import TorchLM

Progress = Callable[[str, int, int, Mapping[str, Any]], None]
"""``progress(stage, done, total, figures)``."""


class Cast:
    """Everything that plays and learns in a run.

    A policy with weights has a learner; a policy without, such as a scripted one, plays and is never trained.
    """

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.domain = make_domain(recipe.environment)
        entry, settings = LOOPS.resolve(recipe.loop, where="loop")
        self.loop = entry.value(settings, self.domain)
        if PROPOSER in self.loop.roles:
            # Asked for now, so that a domain without a proposer is refused before anything is sampled.
            _ = self.domain.gate
        for name in recipe.alarms:
            if name not in DETECTORS:
                raise ConfigError(f"alarms: no detector is named '{name}'.{did_you_mean(name, DETECTORS)}")
        self._names = self._assign()
        self._policies: dict[str, Policy] = {
            name: make_policy(table, where=f"policies.{name}") for name, table in recipe.policies.items()
        }
        self._learners: dict[str, Learner] = {}
        for name, policy in self._policies.items():
            if hasattr(policy, "module"):
                self._learners[name] = self._learner(name, policy)
        self._frozen: dict[str, TorchLM] = {}

    def _assign(self) -> dict[str, str]:
        """Return role -> policy name."""
        recipe = self.recipe
        for role in [*recipe.roles, *recipe.sampling_of]:
            if role not in self.loop.roles:
                raise ConfigError(
                    f"roles: this loop has no role '{role}'.{did_you_mean(role, self.loop.roles)}"
                )
        first = next(iter(recipe.policies))
        names = {role: recipe.roles.get(role, first) for role in self.loop.roles}
        for role, name in names.items():
            if name not in recipe.policies:
                raise ConfigError(
                    f"roles.{role}: no policy is named '{name}'.{did_you_mean(name, recipe.policies)}"
                )
        return names

    def _learner(self, name: str, policy: Any) -> Learner:
        from rlvr_gym.learner import Learner, LearnerConfig

        if self.recipe.threads is not None:
            import torch

            torch.set_num_threads(self.recipe.threads)
        policy.name, policy.version = name, f"{name}:0"
        config = build(LearnerConfig, self.recipe.learner, where="learner")
        return Learner(config, policy, seed=derive(self.recipe.seed, "learner", name))

    @property
    def policies(self) -> dict[str, Policy]:
        """Role -> policy that plays it, with its present weights."""
        return {role: self._policies[name] for role, name in self._names.items()}

    @property
    def sampling(self) -> dict[str, Sampling]:
        """Role -> how it is sampled."""
        return {role: Sampling(**self.sampling_config(role).model_dump()) for role in self._names}

    def sampling_config(self, role: str) -> SamplingConfig:
        """Return the sampling settings of a role."""
        return self.recipe.sampling_of.get(role, self.recipe.sampling)

    def freeze(self, plan: Plan) -> None:
        """Take the solver's snapshot when a phase with a frozen solver begins, drop it when it is over."""
        if not plan.freeze:
            self._frozen.clear()
        elif SOLVER not in self._frozen:
            policy: Any = self.policies[SOLVER]
            if hasattr(policy, "snapshot"):
                self._frozen[SOLVER] = policy.snapshot()

    def playing(self, plan: Plan) -> dict[str, Policy]:
        """Return role -> policy for a plan, snapshots in their places."""
        return {**self.policies, **self._frozen} if plan.freeze else self.policies

    def untrained(self, role: str) -> str:
        """Return why a role never trains, empty if it does."""
        return "" if self._names[role] in self._learners else "no_learner"

    def update(self, groups: Sequence[Group], step: int) -> list[UpdateReport]:
        """Train each policy on the groups of its roles, in one joint step per policy."""
        reports = []
        for name, learner in self._learners.items():
            own = [group.decided() for group in groups if self._names[group.key.role] == name]
            if own:
                reports.append(learner.update(own, step=step))
        return reports

    def warm_start(self, config: WarmStart, root: int, watch: Progress) -> Json:
        """Fine-tune each policy on the domain's demonstrations of its roles and return what was done."""
        demonstrations = self.domain.demonstrations(
            generator(root, "demonstrations"), config.examples, config.mistakes
        )
        optimizer = {
            "name": "adamw",
            "lr": config.lr,
            "warmup_steps": config.warmup_steps,
            "decay": "cosine",
            "total_steps": config.steps,
        }
        settings = {"optimizer": optimizer, "steps": config.steps, "batch_size": config.batch_size}
        return self._imitate(demonstrations, settings, watch, stage="warm start")

    def teach(self, lesson: Lesson, watch: Progress) -> Json:
        """Fine-tune each policy on the lesson's demonstrations of its roles and return what was done."""
        optimizer = {"name": "adamw", "lr": lesson.lr}
        settings = {"optimizer": optimizer, "epochs": lesson.epochs, "batch_size": lesson.batch_size}
        return self._imitate(lesson.demonstrations, settings, watch, stage="imitation")

    def _imitate(
        self,
        demonstrations: Sequence[Demonstration],
        settings: Mapping[str, object],
        watch: Progress,
        *,
        stage: str,
    ) -> Json:
        from rlvr_gym.learner import SFTConfig

        config = build(SFTConfig, settings, where="imitation")
        done: dict[str, Json] = {}
        for name, learner in self._learners.items():
            lm = learner.lm
            examples = [example_of(demo, lm) for demo in demonstrations if self._names.get(demo.role) == name]

            def progress(at: int, total: int, loss: float) -> None:
                watch(stage, at, total, {"loss": loss})
                reached("sft")

            report = learner.sft(examples, config, progress=progress)
            done[name] = report.to_dict()
        return done

    @property
    def version(self) -> str:
        """Versions of all policies in one line."""
        return " ".join(self._policies[name].version for name in sorted(self._policies))

    @property
    def exact(self) -> bool:
        """Whether the same inputs give the same weights bit for bit, as they do on a CPU."""
        return all(learner.lm.device.type == "cpu" for learner in self._learners.values())

    def fingerprint(self) -> str:
        """Return a hash of all weights that learn.

        Optimizer state is left out, for speed: where it differs, so do the weights of the next step.
        """
        prints = [f"{name}={learner.lm.fingerprint()}" for name, learner in sorted(self._learners.items())]
        return hashlib.blake2b(" ".join(prints).encode(), digest_size=16).hexdigest()

    def save(self, folder: Path) -> None:
        """Write learners and snapshots to ``folder``."""
        for name, learner in self._learners.items():
            learner.save(folder / "learners" / name)
        for role, lm in self._frozen.items():
            lm.save(folder / "frozen" / role)

    def load(self, folder: Path, state: Json) -> None:
        """Restore what ``save`` wrote, and the loop from its state."""
        for name, learner in self._learners.items():
            learner.load(folder / "learners" / name)
        self._frozen = {}
        if (folder / "frozen").is_dir():
            from rlvr_gym.lm import TorchLM

            self._frozen = {path.name: TorchLM.load(path) for path in sorted((folder / "frozen").iterdir())}
        self.loop.load(state)
