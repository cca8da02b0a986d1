"""Environments by id: registration with this library and with Gymnasium, and making them."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import gymnasium

from rlvr_gym.config import Config, NoConfig
from rlvr_gym.envs.base import TaskEnv
from rlvr_gym.errors import ConfigError, UnknownNameError, UsageError, did_you_mean
from rlvr_gym.registry import Entry, Registry

EntryPoint: TypeAlias = str | Callable[..., TaskEnv]
"""Class or function that makes the environment, or where to import it from: ``"package.module:Class"``."""

NAMESPACE = "rlvr_gym"
_ID = re.compile(r"([a-z][a-z0-9_]*)(?:-v([0-9]+))?")

ENVS: Registry[EntryPoint] = Registry("env", "rlvr_gym.envs")
"""Environments by ``name-v<version>``."""


def register(id: str, entry_point: EntryPoint, config: type[Config] | None = None) -> None:
    """Make an environment known as ``id``, and to Gymnasium as ``rlvr_gym/<id>``.

    Args:
        id: ``name`` or ``name-v<version>``; the version rises when tasks or grading change, and starts at 0.
        entry_point: Called with the settings, or with nothing when there is no ``config``.
        config: Settings class of the environment.

    Raises:
        UsageError: an id that is not written so.
        DuplicateNameError: an id that is taken.
    """
    match = _ID.fullmatch(id)
    if match is None:
        raise UsageError(
            f"'{id}' is no environment id. Write it as name-v0, in small letters, digits and '_'."
        )
    key = f"{match[1]}-v{match[2] or 0}"
    summary = "" if isinstance(entry_point, str) else None
    ENVS.add(key, entry_point, config=config or NoConfig, summary=summary)
    gymnasium.register(
        id=f"{NAMESPACE}/{key}",
        entry_point=f"{__name__}:entry",
        kwargs={"env_name": key},
        # Our own contracts check more, our own errors say more, and a masked reward is rightly NaN.
        disable_env_checker=True,
        order_enforce=False,
    )


def find(id: str) -> Entry[EntryPoint]:
    """Return the entry of ``id``, its highest version when none is given.

    Raises:
        UnknownNameError: with the nearest known id.
    """
    name = id.removeprefix(f"{NAMESPACE}/")
    if re.search(r"-v[0-9]+\Z", name):
        return ENVS[name]
    versions = {key.rpartition("-v")[0]: key for key in sorted(ENVS, key=_version)}
    if name not in versions:
        raise UnknownNameError(f"No env is named '{id}'.{did_you_mean(name, versions)}")
    return ENVS[versions[name]]


def _version(key: str) -> int:
    return int(key.rpartition("-v")[2])


def make(id: str, *, seed: int | None = None, **settings: Any) -> TaskEnv:
    """Return a new environment.

    Args:
        id: Such as ``"sums-v0"``; without a version the highest one.
        seed: Seeds the tasks; 0 is a seed like any other. Without it every run draws others.
        **settings: Settings of the environment.

    Raises:
        UnknownNameError: no such environment.
        ConfigError: a wrong setting.

    Example:
        >>> env = make("sums", seed=0, digits=1)
        >>> prompt, info = env.reset()
        >>> _, reward, terminated, truncated, info = env.step("no idea")
        >>> reward, terminated, info["verdict"].status.value
        (0.0, True, 'malformed')
    """
    entry = find(id)
    config = entry.settings(settings, where=f"env '{entry.name}'")
    create = _resolve(entry.value, entry.name)
    env = create() if entry.config is NoConfig else create(config)
    spec = gymnasium.spec(f"{NAMESPACE}/{entry.name}")
    env.spec = gymnasium.envs.registration.EnvSpec(
        id=spec.id,
        entry_point=spec.entry_point,
        disable_env_checker=spec.disable_env_checker,
        order_enforce=spec.order_enforce,
        kwargs={**spec.kwargs, **settings},
    )
    if seed is not None:
        env.seed_with(seed)
    return env


def make_env(table: str | Mapping[str, Any], *, where: str = "env") -> TaskEnv:
    """Return the environment that a recipe's table names.

    Args:
        table: An id, or ``{"name": id, **settings}``.
        where: Names the place in messages.

    Raises:
        ConfigError: no name, an unknown name or a wrong setting.
    """
    settings = {"name": table} if isinstance(table, str) else dict(table)
    name = settings.pop("name", None)
    if not isinstance(name, str):
        raise ConfigError(f"{where}.name is required: which environment?")
    try:
        return make(name, **settings)
    except UnknownNameError as error:
        raise ConfigError(f"{where}: {error}") from None


def entry(env_name: str, **settings: Any) -> TaskEnv:
    """Return the environment for ``gymnasium.make``."""
    return make(env_name, **settings)


def _resolve(entry_point: EntryPoint, name: str) -> Callable[..., TaskEnv]:
    if not isinstance(entry_point, str):
        return entry_point
    module, colon, attribute = entry_point.partition(":")
    if not colon:
        raise UsageError(f"env '{name}': entry point '{entry_point}' must be written as 'module:Class'.")
    create: Callable[..., TaskEnv] = getattr(importlib.import_module(module), attribute)
    return create
