"""One registry per kind of thing. A new thing is a new file: its package is searched, then entry points."""

from __future__ import annotations

import importlib
import importlib.metadata
import pkgutil
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Generic, TypeVar

from rlvr_gym.config import Config, NoConfig, build
from rlvr_gym.errors import ConfigError, DuplicateNameError, MissingExtraError, UnknownNameError, did_you_mean

T = TypeVar("T")

REGISTRIES: dict[str, Registry[Any]] = {}
"""Every registry by its kind, in the order of definition."""


@dataclass(frozen=True, slots=True)
class Entry(Generic[T]):
    """A registered thing with its settings class and what the tables show of it."""

    name: str
    value: T
    config: type[Config] = NoConfig
    paper: str = ""
    summary: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)

    def settings(self, values: Mapping[str, Any], *, where: str) -> Config:
        """Return this thing's settings.

        Raises:
            ConfigError: a wrong setting, named with its place.
        """
        return build(self.config, values, where=where)


class Registry(Generic[T]):
    """Names of one kind. The package is imported when a name is first asked for, not before.

    Args:
        kind: Singular noun used in messages, such as ``"verifier"``.
        package: Package whose modules register things; entry points of the group ``rlvr_gym.<kind>s`` follow.
        needs: Extra that the package's modules need, such as ``"train"``.
    """

    def __init__(self, kind: str, package: str, *, needs: str = "") -> None:
        self.kind = kind
        self.package = package
        self.needs = needs
        self._entries: dict[str, Entry[T]] = {}
        self._loaded = False
        self._lock = threading.RLock()
        REGISTRIES[kind] = self

    def add(
        self,
        name: str,
        value: T,
        *,
        config: type[Config] = NoConfig,
        paper: str = "",
        summary: str | None = None,
        **extra: Any,
    ) -> T:
        """Register ``value`` and return it.

        Raises:
            DuplicateNameError: when the name is taken by something else.
        """
        if name in self._entries:
            raise DuplicateNameError(f"{self.kind} '{name}' is registered twice.")
        if summary is None:
            summary = (getattr(value, "__doc__", None) or "").strip().partition("\n")[0]
        self._entries[name] = Entry(name, value, config, paper, summary, extra)
        return value

    def load(self) -> None:
        """Import every module of the package and every entry point, once."""
        with self._lock:
            if self._loaded:
                return
            for module in self._modules():
                self._import(f"{self.package}.{module}")
            self._loaded = True
            for point in importlib.metadata.entry_points(group=f"rlvr_gym.{self.kind}s"):
                point.load()

    def _load_one(self, name: str) -> None:
        """Import the module that is named like the thing, if there is one: most are, and the rest need not load."""
        with self._lock:
            if not self._loaded and name in self._modules():
                self._import(f"{self.package}.{name}")

    def _modules(self) -> list[str]:
        return sorted(module.name for module in pkgutil.iter_modules(self._import(self.package).__path__))

    def _import(self, module: str) -> ModuleType:
        try:
            return importlib.import_module(module)
        except ModuleNotFoundError as error:
            if self.needs and not (error.name or "").startswith("rlvr_gym"):
                raise MissingExtraError(f"{self.kind}s", self.needs) from error
            raise

    def __getitem__(self, name: str) -> Entry[T]:
        """Return the entry named ``name``.

        Raises:
            UnknownNameError: with the nearest known name.
        """
        if name not in self._entries:
            self._load_one(name)
        if name not in self._entries:
            self.load()
        try:
            return self._entries[name]
        except KeyError:
            raise UnknownNameError(
                f"No {self.kind} is named '{name}'.{did_you_mean(name, self._entries)}"
            ) from None

    def __contains__(self, name: object) -> bool:
        self.load()
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        self.load()
        return iter(sorted(self._entries))

    def __len__(self) -> int:
        self.load()
        return len(self._entries)

    def entries(self) -> list[Entry[T]]:
        """Return all entries by name."""
        return [self[name] for name in self]

    def resolve(self, table: str | Mapping[str, Any], *, where: str) -> tuple[Entry[T], Config]:
        """Return the entry and the settings that a recipe's table names.

        Args:
            table: ``"gspo"`` or ``{"name": "gspo", "clip_low": 1e-3}``.
            where: Names the place in messages.

        Raises:
            ConfigError: no name, an unknown name or a wrong setting.
        """
        values = {"name": table} if isinstance(table, str) else dict(table)
        name = values.pop("name", None)
        if not isinstance(name, str):
            raise ConfigError(f"{where}.name is required: which {self.kind}?")
        try:
            entry = self[name]
        except UnknownNameError as error:
            raise ConfigError(f"{where}: {error}") from None
        return entry, entry.settings(values, where=where)
