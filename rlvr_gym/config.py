"""Settings: frozen pydantic models, TOML in, dotted overrides, one style of error."""

from __future__ import annotations

import json
import tomllib
import typing
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from rlvr_gym.errors import ConfigError, did_you_mean


class Config(BaseModel):
    """Base of every settings class: frozen, unknown keys refused, field docstrings are the help text."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, ser_json_inf_nan="constants"
    )


class NoConfig(Config):
    """Settings of a thing that has none."""


C = TypeVar("C", bound=Config)


def build(cls: type[C], values: Mapping[str, Any], *, where: str) -> C:
    """Return ``cls(**values)``.

    Args:
        cls: The settings class.
        values: The settings as given.
        where: Names the place in messages, such as ``"vhg.toml: algorithm"``.

    Raises:
        ConfigError: one line per wrong setting, with the nearest right name.
    """
    try:
        return cls.model_validate(dict(values))
    except ValidationError as error:
        raise ConfigError("\n".join(_line(cls, e, where) for e in error.errors())) from None


def _line(cls: type[Config], error: Any, where: str) -> str:
    location = ".".join(str(part) for part in error["loc"])
    path = f"{where}.{location}" if where and location else where or location
    if error["type"] == "extra_forbidden":
        model: Any = cls
        for part in error["loc"][:-1]:
            if isinstance(part, int):
                # An item: its class stands in the type of the list.
                model = next(iter(typing.get_args(model)), None)
                continue
            annotation = getattr(model, "model_fields", {}).get(part)
            model = annotation.annotation if annotation is not None else None
        known = list(getattr(model, "model_fields", {}))
        return f"{path} is not a setting.{did_you_mean(str(error['loc'][-1]), known)}"
    if error["type"] == "missing":
        return f"{path} is required."
    inner = error.get("ctx", {}).get("error")
    if isinstance(inner, ConfigError):
        # A table inside names its own place and what was given.
        return "\n".join(f"{path}: {line}" for line in str(inner).splitlines())
    given = repr(error["input"])
    return f"{path}: {error['msg']}, got {given if len(given) <= 80 else given[:77] + '...'}."


def read_toml(path: Path) -> dict[str, Any]:
    """Return the tables of a TOML file.

    Raises:
        ConfigError: when the file is missing, unreadable or not TOML.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        siblings = [p.name for p in path.parent.glob("*.toml")] if path.parent.is_dir() else []
        raise ConfigError(f"{path}: no such file.{did_you_mean(path.name, siblings)}") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from None


def apply_overrides(values: Mapping[str, Any], overrides: Sequence[str]) -> dict[str, Any]:
    """Return ``values`` with each ``a.b=c`` set; ``c`` is read as a TOML value, else as plain text.

    Example:
        >>> apply_overrides({"a": {"b": 1}}, ["a.b=2", "c=x"])
        {'a': {'b': 2}, 'c': 'x'}

    Raises:
        ConfigError: when an override has no ``=`` or runs through a value that is no table.
    """
    result: dict[str, Any] = json.loads(json.dumps(values))
    for override in overrides:
        path, equals, text = override.partition("=")
        if not equals or not path.strip():
            raise ConfigError(f"--set {override}: write it as a.b=value.")
        keys = path.strip().split(".")
        table = result
        for key in keys[:-1]:
            table = table.setdefault(key, {})
            if not isinstance(table, dict):
                raise ConfigError(f"--set {override}: {key} is a value, not a table.")
        table[keys[-1]] = _value(text)
    return result


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
