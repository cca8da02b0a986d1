"""``task.toml``: the settings of a task. Names and defaults are those of Harbor 0.26 (schema 1.4)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    field_validator,
    model_validator,
)

from rlvr_gym.config import Config, build
from rlvr_gym.errors import ConfigError, did_you_mean
from rlvr_gym.repositories.harbor.errors import HarborError

SCHEMA = "1.4"
"""The version that we write."""

Network: TypeAlias = Literal["no-network", "public", "allowlist"]
_System: TypeAlias = Annotated[
    Literal["linux", "windows"],
    BeforeValidator(lambda value: value.lower() if isinstance(value, str) else value),
]
_UNITS = {"K": 1 / 1024, "M": 1.0, "G": 1024.0}


class Table(Config):
    """A table of ``task.toml``. Keys that it does not have are kept, and warned of."""

    model_config = ConfigDict(extra="allow")


class Author(Table):
    """Who wrote a task."""

    name: str
    email: str | None = None


class Package(Table):
    """``[task]``: the name under which a task is published."""

    name: Annotated[str, Field(pattern=r"^[a-zA-Z0-9][a-zA-Z0-9._-]*/[a-zA-Z0-9][a-zA-Z0-9._-]*$")]
    """``organisation/name``."""
    version: str | None = None
    description: str = ""
    authors: tuple[Author, ...] = ()
    keywords: tuple[str, ...] = ()


class _Networked(Table):
    network_mode: Network | None = None
    allowed_hosts: tuple[str, ...] | None = None

    @model_validator(mode="after")
    def _hosts_fit(self) -> _Networked:
        if self.allowed_hosts and self.network_mode != "allowlist":
            raise ValueError("allowed_hosts needs network_mode = 'allowlist'")
        return self


class Healthcheck(Table):
    """A command that tells when the environment is ready."""

    command: str
    interval_sec: PositiveFloat = 5.0
    timeout_sec: PositiveFloat = 30.0
    start_period_sec: float = 0.0
    start_interval_sec: float = 5.0
    retries: NonNegativeInt = 3


class Environment(_Networked):
    """``[environment]``: where the agent works."""

    build_timeout_sec: PositiveFloat = 600.0
    docker_image: str | None = None
    os: _System = "linux"
    cpus: PositiveFloat | None = None
    memory_mb: PositiveInt | None = None
    storage_mb: PositiveInt | None = None
    gpus: NonNegativeInt | None = None
    gpu_types: tuple[str, ...] | None = None
    tpu: Mapping[str, Any] | None = None
    mcp_servers: tuple[Mapping[str, Any], ...] = ()
    env: Mapping[str, str] = {}
    skills_dir: str | None = None
    healthcheck: Healthcheck | None = None
    workdir: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _old_keys(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        values = dict(values)
        for old in ("memory", "storage"):
            if isinstance(given := values.get(old), str):
                size = _megabytes(old, given)
                if values.get(f"{old}_mb", size) != size:
                    raise ValueError(f"{old} = '{given}' contradicts {old}_mb = {values[f'{old}_mb']}")
                values[f"{old}_mb"] = size
                del values[old]
        if isinstance(allowed := values.get("allow_internet"), bool):
            del values["allow_internet"]
            if "allowed_hosts" not in values:
                values.setdefault("network_mode", "public" if allowed else "no-network")
        return values


class Agent(_Networked):
    """``[agent]``: how long it may work, and as whom."""

    timeout_sec: PositiveFloat | None = None
    user: str | int | None = None


class Verifier(_Networked):
    """``[verifier]``: how ``tests/test.sh`` is run."""

    timeout_sec: PositiveFloat = 600.0
    env: Mapping[str, str] = {}
    user: str | int | None = None
    environment_mode: Literal["shared", "separate"] | None = None
    environment: Environment | None = None
    collect: tuple[Mapping[str, Any], ...] = ()

    @model_validator(mode="after")
    def _mode_fits(self) -> Verifier:
        if self.environment_mode == "shared" and self.environment is not None:
            raise ValueError("environment_mode = 'shared' contradicts a table [verifier.environment]")
        return self

    @property
    def is_separate(self) -> bool:
        """Whether the tests run in an environment of their own."""
        return self.environment_mode == "separate" or self.environment is not None


class Solution(Table):
    """``[solution]``: how ``solution/solve.sh`` is run."""

    env: Mapping[str, str] = {}


class Artifact(Table):
    """A file to keep from the agent's environment."""

    source: str
    destination: str | None = None
    exclude: tuple[str, ...] = ()
    service: str | None = None

    @field_validator("source", "destination")
    @classmethod
    def _stays(cls, value: str | None) -> str | None:
        if value and ".." in value.split("/"):
            raise ValueError("a path with '..'")
        return value


class Step(Table):
    """``[[steps]]``: one of several instructions that follow each other."""

    name: Annotated[
        str, Field(pattern=r'^[^<>:"/\\|?*\x00-\x1f\x7f]*[^<>:"/\\|?*\x00-\x1f\x7f. ]$', max_length=255)
    ]
    agent: Agent = Agent()
    verifier: Verifier = Verifier()
    min_reward: float | Mapping[str, float] | None = None
    healthcheck: Healthcheck | None = None
    artifacts: tuple[str | Artifact, ...] = ()


class TaskFile(Table):
    """All of ``task.toml``."""

    schema_version: str = SCHEMA
    source: str | None = None
    multi_step_reward_strategy: Literal["mean", "final"] | None = None
    artifacts: tuple[str | Artifact, ...] = ()
    task: Package | None = None
    metadata: Mapping[str, Any] = {}
    verifier: Verifier = Verifier()
    agent: Agent = Agent()
    environment: Environment = Environment()
    solution: Solution = Solution()
    steps: tuple[Step, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _old_version(cls, values: Any) -> Any:
        if isinstance(values, dict) and "version" in values:
            values = dict(values)
            values.setdefault("schema_version", values.pop("version"))
        return values

    @field_validator("steps")
    @classmethod
    def _distinct(cls, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        names = [step.name.casefold() for step in steps]
        if twice := [name for name in names if names.count(name) > 1]:
            raise ValueError(f"two steps are called '{twice[0]}'")
        return steps


def parse_settings(text: str, *, where: str) -> TaskFile:
    """Return the settings that the text of a ``task.toml`` holds.

    Raises:
        HarborError: one line per mistake, each with ``where`` and the key.
    """
    try:
        return build(TaskFile, tomllib.loads(text), where="")
    except (tomllib.TOMLDecodeError, ConfigError) as error:
        raise HarborError("\n".join(f"{where}: {line}" for line in str(error).splitlines())) from None


def unknown_keys(settings: TaskFile) -> list[str]:
    """Return a line for each key that this library does not know, with the nearest that it does."""
    return [
        f"{path} is not a key of the format, and has no effect.{did_you_mean(path.rpartition('.')[2], known)}"
        for path, known in _unknown("", settings)
    ]


def _unknown(path: str, value: Any) -> Iterator[tuple[str, list[str]]]:
    if isinstance(value, BaseModel):
        names = list(type(value).model_fields)
        for key in value.model_extra or {}:
            yield f"{path}{key}", names
        for name in names:
            yield from _unknown(f"{path}{name}.", getattr(value, name))
    elif isinstance(value, tuple):
        for number, each in enumerate(value):
            yield from _unknown(f"{path}{number}.", each)


def _megabytes(key: str, text: str) -> int:
    try:
        return int(float(text.strip()[:-1]) * _UNITS[text.strip()[-1:].upper()])
    except (KeyError, ValueError, OverflowError):
        raise ValueError(f"{key} = '{text}' is no size such as '2G' or '512M'") from None
