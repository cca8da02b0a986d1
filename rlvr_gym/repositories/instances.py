"""An instance: a repository with a problem, the patch that solves it, and the tests that tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from rlvr_gym.types import Json


@dataclass(frozen=True, slots=True)
class PytestSuite:
    """Tests that our own harness runs, test by test, in a repository whose files are at hand."""

    repository: Path
    """Folder of the pristine files, without ``.git``."""
    environment: Path | None = None
    """Folder of what the repository needs besides Python (pytest among it), importable; never the package itself."""
    setup_patch: str = ""
    """Turns the pristine files into the state that the agent is given, such as by a seeded bug."""
    source_roots: tuple[str, ...] = (".",)
    """Folders of the repository that go on ``sys.path``, before ``environment``."""
    plugins: tuple[str, ...] = ()
    """Plugins of pytest that the tests need, as ``-p`` takes them; all others are off."""
    args: tuple[str, ...] = ()
    """Further arguments of pytest, such as ``--doctest-modules``."""

    kind = "pytest"


@dataclass(frozen=True, slots=True)
class ScriptSuite:
    """Tests that a script of the data set's runs in the data set's own container image; a parser reads its log."""

    image: str
    script: str
    """Text of the script, run as ``/bin/bash``, tests already installed by it or by ``test_patch``."""
    log_parser: str
    """Name of the parser of the log."""
    workdir: str = "/testbed"
    """Where the repository lies in the image."""
    eval_type: str = "pass_and_fail"
    """``pass_and_fail``, or ``fail_only`` where the log tells of failures alone."""

    kind = "script"


Suite: TypeAlias = PytestSuite | ScriptSuite


@dataclass(frozen=True, slots=True)
class Instance:
    """One software-engineering task. Patches are git-style unified diffs with ``a/`` and ``b/``."""

    id: str
    problem: str
    """What the agent reads."""
    suite: Suite
    patch: str
    """Solves the problem; relative to the state that the agent is given. Never shown."""
    test_patch: str
    """Installs the tests; relative to the same state. Applied after submission only."""
    fail_to_pass: tuple[str, ...]
    """Ids of tests that fail before ``patch`` and pass after it."""
    pass_to_pass: tuple[str, ...]
    """Ids of tests that pass before and after."""
    repo: str = ""
    """Name of the repository, for tables."""
    version: str = ""
    license: str = ""
    strata: Mapping[str, str | int] = field(default_factory=dict)
    """Labels such as ``kind`` (fix, bug) and ``changed_lines``."""
    provenance: Mapping[str, Json] = field(default_factory=dict)
    """Where it is from: files with their hashes, versions, mutations, how it was validated."""

    def to_dict(self) -> dict[str, Json]:
        """Return the instance as JSON values; folders as absolute paths."""
        suite = {
            name: str(value) if isinstance(value, Path) else list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self.suite).items()
        }
        row: dict[str, Json] = asdict(replace(self, suite=None))  # type: ignore[arg-type]  # filled in below
        for name in ("fail_to_pass", "pass_to_pass"):
            row[name] = list(row[name])
        return {**row, "suite": {"kind": self.suite.kind, **suite}}

    @classmethod
    def from_dict(cls, row: Mapping[str, Json]) -> Instance:
        """Read what ``to_dict`` wrote."""
        values = dict(row["suite"])
        kind = values.pop("kind")
        suite: Suite
        if kind == "script":
            suite = ScriptSuite(**values)
        else:
            for name in ("repository", "environment"):
                values[name] = Path(values[name]) if values[name] else None
            for name in ("source_roots", "plugins", "args"):
                values[name] = tuple(values[name])
            suite = PytestSuite(**values)
        tests = {name: tuple(row[name]) for name in ("fail_to_pass", "pass_to_pass")}
        return cls(**{**row, **tests, "suite": suite})
