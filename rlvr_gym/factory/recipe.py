"""Which packages the factory works on, as a user writes it down."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from pydantic import NonNegativeInt, PositiveFloat, PositiveInt

from rlvr_gym.config import Config, build, read_toml
from rlvr_gym.errors import UsageError

FILE = "recipe.toml"
"""Written beside the instances: makes the same ones again."""


class Package(Config):
    """One package."""

    name: str
    """As an index knows it, or a folder."""
    versions: tuple[str, ...] = ()
    """Releases, the oldest first; the newest ones by default. Bugs are seeded into the last."""
    requires: tuple[str, ...] = ()
    """What its tests need besides what it declares itself, as pip takes it."""
    fixes: NonNegativeInt | None = None
    """Most real fixes; the recipe's number by default."""
    bugs: NonNegativeInt | None = None
    """Seeded bugs; the recipe's number by default."""


class Recipe(Config):
    """What the factory makes."""

    packages: tuple[Package, ...] = ()
    """In the order they are worked on."""
    fixes: NonNegativeInt = 10
    """Most real fixes of a package, the newest first."""
    bugs: NonNegativeInt = 20
    """Seeded bugs of a package."""
    seed: NonNegativeInt = 0
    """Chooses the bugs."""
    slowest_s: PositiveFloat = 20.0
    """A release whose tests take longer is left out."""
    pairs_per_fix: PositiveInt = 3
    """How many pairs of releases are tried for each fix that is wanted."""


def package_of(text: str, requires: Sequence[str] = ()) -> Package:
    """Return the package that a user names: ``NAME``, ``NAME==V1,V2``, or a folder.

    Raises:
        UsageError: it is neither.

    Example:
        >>> package_of("parse==1.19.0,1.20.0").versions
        ('1.19.0', '1.20.0')
    """
    if "/" in text or text in (".", ".."):
        return Package(name=text, requires=tuple(requires))
    name, _, listed = text.partition("==")
    versions = tuple(part.strip() for part in listed.split(",") if part.strip())
    if not re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?", name) or ("==" in text and not versions):
        raise UsageError(
            f"'{text}' is no package: give NAME, NAME==VERSION,VERSION, or a folder such as ./NAME."
        )
    if wrong := [version for version in versions if not re.fullmatch(r"[A-Za-z0-9.!+_-]+", version)]:
        raise UsageError(f"'{text}': '{wrong[0]}' is no version.")
    return Package(name=name, versions=versions, requires=tuple(requires))


def read_recipe(path: Path) -> Recipe:
    """Return the recipe that a TOML file holds.

    Raises:
        ConfigError: it is missing, or a setting in it is wrong.
    """
    return build(Recipe, read_toml(path), where=str(path))


def write_recipe(path: Path, recipe: Recipe) -> None:
    """Write a recipe as TOML."""
    lines = [
        f"{name} = {json.dumps(getattr(recipe, name))}" for name in Recipe.model_fields if name != "packages"
    ]
    for package in recipe.packages:
        lines += ["", "[[packages]]", f"name = {json.dumps(package.name)}"]
        for name in ("versions", "requires"):
            if values := getattr(package, name):
                lines.append(f"{name} = {json.dumps(list(values))}")
        lines += [f"{n} = {v}" for n in ("fixes", "bugs") if (v := getattr(package, n)) is not None]
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
