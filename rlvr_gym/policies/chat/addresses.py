"""Where an endpoint is, and the key for it."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from rlvr_gym.errors import ConfigError


def address(value: str) -> str:
    """Return a base URL without a slash at its end.

    Raises:
        ValueError: it is none, or carries more than a place.
    """
    try:
        parts = urlsplit(value)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        usable = False
    if not usable or parts.query or parts.fragment or parts.username is not None:
        raise ValueError("write it as http://host:port/v1, without key, query or fragment")
    return value.rstrip("/")


def key_of(variable: str | None, *, where: str) -> str:
    """Return the key that an environment variable holds, nothing where none is named.

    Args:
        variable: Its name.
        where: Names the settings in messages.

    Raises:
        ConfigError: it is not set, or holds no key.
    """
    if not variable:
        return ""
    key = os.environ.get(variable, "").strip()
    if not key:
        raise ConfigError(f"{where}.api_key_env: the environment variable {variable} is not set.")
    if not (key.isascii() and key.isprintable()):
        raise ConfigError(f"{where}.api_key_env: {variable} holds characters that no key has.")
    return key
