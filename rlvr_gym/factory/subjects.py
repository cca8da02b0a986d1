"""A release that is ready to be tried: its files on the disk, what it needs, and how its tests do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rlvr_gym.factory.environments import Environment, missing_imports
from rlvr_gym.factory.journal import Journal
from rlvr_gym.factory.layout import is_test, modules, python_source, source_roots
from rlvr_gym.factory.observing import observe
from rlvr_gym.factory.releases import Release, recorded, write_tree
from rlvr_gym.factory.validate import Bench, Dropped, passed
from rlvr_gym.repositories.suites.pytest import PytestSuite

_BASELINES = 2
_TRACED_SLOWER = 12.0
"""How many times slower tests run while their lines are noted."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A release, ready to be tried."""

    release: Release
    code: frozenset[str]
    """Where its own code lies, as `layout.modules` says."""
    suite: PytestSuite
    environment: Environment

    @property
    def key(self) -> list[Any]:
        """What results about it depend on."""
        return [self.release.name, self.release.sha256, list(self.environment.pins)]

    def provenance(self, *others: Release) -> dict[str, Any]:
        """Return where an instance made of it is from."""
        return {
            "made_by": "rlvr-gym swe-tasks",
            "sources": [recorded(each) for each in (self.release, *others)],
            "environment": list(self.environment.pins),
        }


@dataclass(frozen=True, slots=True)
class Baseline:
    """How the tests of a release do."""

    passing: tuple[str, ...]
    """Those that passed in every run."""
    seconds: float
    lines: Mapping[str, Mapping[str, frozenset[int]]]
    """Lines of source files that each of them runs."""


def make_subject(release: Release, environment: Environment, folder: Path) -> Subject:
    """Return a release whose files lie in ``folder``, the data set.

    Raises:
        Dropped: no code or no tests are in it.
    """
    code = modules(release.files)
    if not python_source(release.files, code):
        raise Dropped("no pure-Python code in the release")
    if not any(is_test(path) and path.endswith(".py") for path in release.files):
        raise Dropped("no tests in the release")
    if any((environment.folder / name).exists() for top in code for name in (Path(top).name, Path(top).stem)):
        raise Dropped("its dependencies hold the package itself, which would give every answer away")
    tree = write_tree(release, folder / "repositories" / f"{release.name}-{release.version}")
    suite = PytestSuite(
        repository=tree,
        environment=environment.folder,
        source_roots=source_roots(release.files),
        plugins=environment.plugins,
    )
    return Subject(release, code, suite, environment)


def baseline(subject: Subject, bench: Bench, journal: Journal) -> Baseline:
    """Return how the tests of a release do, and which lines each of them runs.

    Raises:
        Dropped: too few of them pass, or they take too long.
    """

    def measure() -> dict[str, Any]:
        runs = [bench.run(subject.suite, {}) for _ in range(_BASELINES)]
        passing = sorted(set.intersection(*map(passed, runs)))
        seconds = min(run.seconds for run in runs)
        found = {
            "passing": passing,
            "seconds": seconds,
            "of": max(len(run.outcomes) for run in runs),
            "lines": {},
        }
        if seconds <= bench.slowest_s and passing:
            limit = max(60.0, _TRACED_SLOWER * max(run.seconds for run in runs))
            seen = observe(
                subject.suite,
                {},
                (),
                python_source(subject.release.files, subject.code),
                runtime=bench.runtime,
                limits=replace(bench.limits, wall_s=limit, cpu_s=limit),
                lines=True,
            )
            found["lines"] = {
                test: {path: sorted(lines) for path, lines in seen.lines.get(test, {}).items()}
                for test in passing
            }
        return found

    def told() -> dict[str, Any]:
        try:
            return measure()
        except Dropped as reason:
            return {"dropped": str(reason)}

    found = journal.once(["baseline", subject.key, bench.slowest_s], told)
    if "dropped" in found:
        raise Dropped(found["dropped"])
    bench.timed(found["seconds"])
    if 2 * len(found["passing"]) < found["of"] or not found["passing"]:
        lacking = missing_imports(subject.release, subject.environment)
        raise Dropped(
            "most of its tests do not pass" + (f" (needed: {', '.join(lacking)})" if lacking else "")
        )
    return Baseline(
        passing=tuple(found["passing"]),
        seconds=found["seconds"],
        lines={
            test: {path: frozenset(lines) for path, lines in files.items()}
            for test, files in found["lines"].items()
        },
    )


def touched(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> dict[str, bytes | None]:
    """Return the files that differ, as they are after; None for one that is gone."""
    return {
        path: after.get(path)
        for path in sorted(before.keys() | after.keys())
        if before.get(path) != after.get(path)
    }


def example_failures(
    observed: Mapping[str, Mapping[str, Any]], tests: Sequence[str], most: int
) -> list[Mapping[str, Any]]:
    """Return how some of ``tests`` fail, those that say it in the fewest words first."""
    told = [observed[test] for test in tests if observed.get(test, {}).get("last")]
    return sorted(told, key=lambda failure: (int(failure.get("size", 0)), str(failure["last"])))[:most]
