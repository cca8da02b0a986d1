"""Settings of pytest as the trusted state of a repository has them, less what could bring in code or hide results."""

from __future__ import annotations

import configparser
import tomllib
from collections.abc import Mapping
from typing import Any

_FILES = (
    "pytest.toml",
    ".pytest.toml",
    "pytest.ini",
    ".pytest.ini",
    "pyproject.toml",
    "tox.ini",
    "setup.cfg",
)
"""In pytest's own order."""
_KEPT = frozenset(
    (
        "asyncio_default_fixture_loop_scope",
        "asyncio_mode",
        "consider_namespace_packages",
        "doctest_encoding",
        "doctest_optionflags",
        "filterwarnings",
        "markers",
        "norecursedirs",
        "python_classes",
        "python_files",
        "python_functions",
        "pythonpath",
        "testpaths",
        "usefixtures",
        "xfail_strict",
    )
)
"""Left out is above all ``addopts``: a suite names the arguments that it needs itself."""


def trusted_settings(base: Mapping[str, bytes]) -> str:
    """Return a ``pytest.ini`` with the settings of the repository ``base``."""
    found = next(filter(None, (_settings(name, base[name]) for name in _FILES if name in base)), {})
    kept = {name: value for name, value in found.items() if name in _KEPT}
    if "pythonpath" in kept:
        # Relative to the file that they stand in, which lies elsewhere.
        kept["pythonpath"] = [f"/workspace/{path}" for path in _words(kept["pythonpath"])]
    lines = ["[pytest]"]
    for name, value in sorted(kept.items()):
        items = value if isinstance(value, list) else str(value).splitlines()
        lines += [f"{name} =", *(f"    {item}" for item in items if str(item).strip())]
    return "\n".join([*lines, ""])


def _words(value: Any) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list) else str(value).split()


def _settings(name: str, content: bytes) -> dict[str, Any]:
    """Return the settings that a file has for pytest, nothing where it has none or cannot be read."""
    text = content.decode("utf-8", "replace")
    if name.endswith(".toml"):
        try:
            table = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            return {}
        if name == "pyproject.toml":
            tool = table.get("tool", {}).get("pytest", {})
            found: dict[str, Any] = tool.get("ini_options", tool)
            return found
        return dict(table.get("pytest", {}))
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return {}
    section = "tool:pytest" if name == "setup.cfg" else "pytest"
    return dict(parser[section]) if parser.has_section(section) else {}
