"""A recipe: everything that fixes a run, one TOML file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt, model_validator

from rlvr_gym.config import Config, apply_overrides, build, read_toml

Table = str | dict[str, Any]
"""A registered name, or a table with ``name`` and settings."""


class SamplingConfig(Config):
    """How a role's text is sampled."""

    max_new_tokens: PositiveInt = 32
    """Token limit of a completion."""
    temperature: PositiveFloat = 1.0
    """Temperature of the sampling law; the learner scores under the same."""
    top_p: Annotated[float, Field(gt=0.0, le=1.0)] = 1.0
    """Nucleus of the sampling law."""
    max_trajectory_tokens: PositiveInt | None = None
    """Token limit of a whole conversation, its prompt included; the policy's context when left out."""


class WarmStart(Config):
    """Imitation before the first step, of demonstrations that hold mistakes on purpose."""

    examples: PositiveInt = 4096
    """How many demonstrations are drawn."""
    mistakes: dict[str, Annotated[float, Field(ge=0.0, le=1.0)]] = {"solver": 0.6, "proposer": 0.45}
    """Role -> share of demonstrations whose answer is wrong in a systematic way."""
    steps: PositiveInt = 300
    """Optimizer steps."""
    batch_size: PositiveInt = 64
    """Demonstrations per step."""
    lr: PositiveFloat = 1e-3
    """Learning rate, with its own optimizer state."""
    warmup_steps: NonNegativeInt = 10
    """Steps over which the learning rate rises; it then falls to 0 along a cosine."""

    @model_validator(mode="after")
    def _falls(self) -> WarmStart:
        if self.warmup_steps >= self.steps:
            raise ValueError(f"warmup_steps {self.warmup_steps} must be fewer than steps {self.steps}")
        return self


class EvaluationConfig(Config):
    """Held-out evaluation during a run."""

    every: NonNegativeInt = 0
    """Steps between evaluations; 0 evaluates before and after only."""
    tasks: PositiveInt = 200
    """Held-out tasks."""
    n: PositiveInt = 1
    """Samples per task."""
    batch_size: PositiveInt = 100
    """Requests sampled together."""
    temperature: Annotated[float, Field(ge=0.0)] = 1.0
    """Temperature of evaluation samples; 0 is greedy."""
    proposals: NonNegativeInt = 200
    """Proposals sampled to measure the valid share, for loops with a proposer."""


class Recipe(Config):
    """Settings of a run."""

    loop: Table
    """The self-play loop."""
    environment: Table
    """Where tasks come from."""
    policies: dict[str, Table] = {"main": "tiny"}
    """Policies by name."""
    roles: dict[str, str] = {}
    """Role -> policy name; a role left out plays the first policy."""
    seed: int = 0
    """Root of every random stream."""
    steps: PositiveInt = 100
    """Training steps."""
    batch_size: PositiveInt = 256
    """Requests sampled together."""
    checkpoint_every: PositiveInt = 10
    """Steps between checkpoints; the steps between are redone from the ledger after a stop."""
    sampling: SamplingConfig = SamplingConfig()
    """Sampling of every role."""
    sampling_of: dict[str, SamplingConfig] = {}
    """Role -> sampling that replaces it."""
    learner: dict[str, Any] = {}
    """Settings of the learner."""
    warm_start: WarmStart | None = None
    """Imitation before the first step."""
    evaluation: EvaluationConfig = EvaluationConfig()
    """Held-out evaluation."""
    alarms: dict[str, Literal["ignore", "warn", "stop", "rollback"]] = {}
    """Detector -> what its alarm does; ``warn`` for those left out."""
    window: PositiveInt = 20
    """Steps that detectors look back on."""
    max_rollbacks: NonNegativeInt = 2
    """After so many rollbacks an alarm that asks for one stops the run."""
    threads: PositiveInt | None = None
    """Torch threads; the machine's default if left out."""


def load_recipe(source: Path | dict[str, Any], overrides: Sequence[str] = ()) -> Recipe:
    """Return the recipe of a TOML file or table, overrides applied.

    Raises:
        ConfigError: an unreadable file or a wrong setting, named with its place.
    """
    where = source.name if isinstance(source, Path) else "recipe"
    values = read_toml(source) if isinstance(source, Path) else source
    return build(Recipe, apply_overrides(values, overrides), where=where)
