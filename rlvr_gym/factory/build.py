"""The whole way from names of packages to a data set of validated instances."""

from __future__ import annotations

import itertools
import math
import os
import random
import re
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from rlvr_gym.errors import RLVRError, UsageError
from rlvr_gym.factory import releases as sources
from rlvr_gym.factory.bugs import Seeded, Trial, candidates, make_bug, try_bug
from rlvr_gym.factory.environments import Environment, make_environment, read_environment, requirements
from rlvr_gym.factory.fixes import Fix, make_fix
from rlvr_gym.factory.journal import Journal
from rlvr_gym.factory.recipe import FILE, Package, Recipe, write_recipe
from rlvr_gym.factory.releases import Release
from rlvr_gym.factory.subjects import Baseline, Subject, baseline, make_subject
from rlvr_gym.factory.validate import Bench, Dropped
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.rows import write_instances
from rlvr_gym.runtimes.base import Runtime
from rlvr_gym.store.files import FolderLock
from rlvr_gym.types import Json

Watch = Callable[[str, int, int, str], None]
"""Told what is being done, how much of it is, of how much, and live figures."""

_TRIES_PER_BUG = 5
_PATTERN = (1, 1, 1, 2)
"""How many bugs the instances hold, one after another."""
_SPARE = 1.05
"""So many more bugs are looked for than needed: a few do not hold when they are validated."""
_WORK = "work"
T = TypeVar("T")
R = TypeVar("R")


@dataclass(slots=True)
class Row:
    """What became of one package."""

    package: str
    license: str = ""
    releases: int = 0
    tried: Counter[str] = field(default_factory=Counter)
    """Candidates by kind: ``fix``, ``bug``."""
    made: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    """Reasons why candidates became no instances."""
    failed: str = ""
    """Why the package gave nothing at all."""
    seconds: float = 0.0


@dataclass(slots=True)
class Factory:
    """Makes data sets.

    Args:
        recipe: What to make.
        out: The folder of the data set; an interrupted command goes on in it.
        runtime: Where all code of the packages runs.
        processes: Candidates tried at a time.
        environment: A folder of dependencies that is there already, for all packages; pip makes them by default.
        watch: Told how it goes.
    """

    recipe: Recipe
    out: Path
    runtime: Runtime
    processes: int = 0
    environment: Path | None = None
    watch: Watch = lambda *_: None

    def build(self) -> list[Row]:
        """Make the data set and return what became of each package.

        Raises:
            UsageError: no packages.
            StoreError: another process works in the folder.
        """
        if not self.recipe.packages:
            raise UsageError("The factory needs at least one package.")
        self.out.mkdir(parents=True, exist_ok=True)
        lock = FolderLock(self.out)
        try:
            return self._build()
        finally:
            lock.close()

    def _build(self) -> list[Row]:
        journal = Journal(self.out / _WORK)
        rows, instances, resolved = [], [], []
        with _threads(self.processes or os.cpu_count() or 1) as threads:
            for package in self.recipe.packages:
                line = _Line(self, package, journal, threads)
                instances += line.run()
                rows.append(line.row)
                resolved.append(line.resolved)
        write_instances(self.out, instances)
        write_recipe(self.out / FILE, self.recipe.model_copy(update={"packages": tuple(resolved)}))
        self._tidy(instances)
        return rows

    def _tidy(self, instances: Sequence[Instance]) -> None:
        """Remove the releases and dependencies that no instance is about."""
        suites: list[Any] = [instance.suite for instance in instances]
        used = {suite.repository for suite in suites} | {suite.environment for suite in suites}
        for folder in ("repositories", "environments"):
            for tree in (self.out / folder).glob("*"):
                if tree not in used:
                    shutil.rmtree(tree)


class _Line:
    """The work on one package."""

    def __init__(self, factory: Factory, package: Package, journal: Journal, threads: _Threads) -> None:
        self.row = Row(package.name)
        self.resolved = package
        self._factory = factory
        self._package = package
        self._journal = journal
        self._threads = threads
        self._recipe = factory.recipe
        self._bench = Bench(factory.runtime, slowest_s=factory.recipe.slowest_s)

    def run(self) -> list[Instance]:
        """Return the instances of the package."""
        started = time.monotonic()
        found: list[Instance] = []
        try:
            self._tell(0, 1, "releases")
            listed = self._releases()
            self.row.releases = len(listed)
            self.row.license = listed[-1].license
            environment = self._environment(listed[-1])
            if all(release.archive for release in listed):
                self.resolved = self._package.model_copy(
                    update={"versions": tuple(each.version for each in listed), "requires": environment.pins}
                )
            found += self._fixes(listed, environment)
            found += self._bugs(listed[-1], environment)
        except Dropped as reason:
            self.row.failed = str(reason)
        except RLVRError as error:
            # One package that cannot be had does not stop the others.
            self.row.failed = str(error)
        self.row.seconds = time.monotonic() - started
        return found

    def _tell(self, done: int, total: int, what: str) -> None:
        made = " ".join(f"{kind} {count}" for kind, count in sorted(self.row.made.items()))
        self._factory.watch(f"{self._package.name}: {what}", done, total, made)

    def _wanted(self, kind: str) -> int:
        own = getattr(self._package, kind)
        wanted: int = getattr(self._recipe, kind) if own is None else own
        return wanted

    def _releases(self) -> list[Release]:
        name = self._package.name
        if "/" in name or name in (".", ".."):
            return [sources.read_folder(Path(name))]
        versions = list(self._package.versions)
        if not versions:
            most = self._wanted("fixes") * self._recipe.pairs_per_fix + 1
            final = [
                each for each in sources.versions_of(name) if re.fullmatch(r"[0-9.]+(\.?post[0-9]+)?", each)
            ]
            versions = final[-most:]
        if not versions:
            raise UsageError(f"package '{name}': no final release of it.")
        return list(self._threads.ordered(lambda version: sources.download(name, version), versions))

    def _environment(self, release: Release) -> Environment:
        if self._factory.environment is not None:
            return read_environment(self._factory.environment, release.name)
        lines = requirements(release, self._package.requires)
        made = make_environment(lines, release.name)
        kept = self._factory.out / "environments" / made.folder.name
        if not kept.exists():
            new = kept.with_name(f"{kept.name}.new")
            shutil.rmtree(new, ignore_errors=True)
            shutil.copytree(made.folder, new)
            new.rename(kept)
        return replace(made, folder=kept)

    def _fixes(self, listed: Sequence[Release], environment: Environment) -> list[Instance]:
        wanted = self._wanted("fixes")
        # Newest first: old ones need a Python of their time.
        pairs = list(itertools.pairwise(listed))[::-1] if wanted else []
        found: list[Instance] = []

        def attempt(pair: tuple[Release, Release]) -> Json:
            fix = Fix(make_subject(pair[0], environment, self._factory.out), pair[1])
            return self._journal.once(fix.key, lambda: _told(lambda: make_fix(fix, self._bench).to_dict()))

        for number, result in enumerate(
            self._threads.ordered(lambda pair: _told(lambda: attempt(pair)), pairs), 1
        ):
            if len(found) == wanted:
                break
            self._count("fix", result)
            if "dropped" not in result:
                found.append(self._read(result, environment))
            self._tell(number, len(pairs), "fixes")
        return found

    def _bugs(self, release: Release, environment: Environment) -> list[Instance]:
        wanted = self._wanted("bugs")
        if not wanted:
            return []
        subject = make_subject(release, environment, self._factory.out)
        self._tell(0, wanted, "first runs")
        base = baseline(subject, self._bench, self._journal)
        bench = self._bench.timed(base.seconds)
        groups = _grouped(self._trials(subject, base, bench, wanted))
        found: list[Instance] = []

        def attempt(trials: Sequence[Trial]) -> Json:
            parts = [part.record for trial in trials for part in trial.parts]
            inputs = ["bug", subject.key, parts]
            return self._journal.once(
                inputs, lambda: _told(lambda: make_bug(subject, base, trials, bench).to_dict())
            )

        for result in self._threads.ordered(attempt, groups):
            if len(found) == wanted:
                break
            if "dropped" in result:
                self.row.dropped[result["dropped"]] += 1
            else:
                self.row.made["bug"] += 1
                found.append(self._read(result, environment))
            self._tell(len(found), wanted, "validated bugs")
        return found

    def _trials(self, subject: Subject, base: Baseline, bench: Bench, wanted: int) -> list[Trial]:
        needed = math.ceil(wanted * sum(_PATTERN) / len(_PATTERN) * _SPARE)
        rng = random.Random(f"{self._recipe.seed} {subject.release.name} {subject.release.version}")
        stream = candidates(subject, base, rng)
        listed = [seeded for seeded, _ in zip(stream, range(needed * _TRIES_PER_BUG), strict=False)]
        found: list[Trial] = []

        def attempt(seeded: Seeded) -> tuple[Seeded, Json]:
            def compute() -> Json:
                trial = try_bug(subject, base, [seeded], bench)
                return {"fails": trial.fails, "failures": trial.failures}

            inputs = ["trial", subject.key, seeded.record]
            return seeded, self._journal.once(inputs, lambda: _told(compute))

        for seeded, result in self._threads.ordered(attempt, listed):
            if len(found) == needed:
                break
            self.row.tried["bug"] += 1
            if "dropped" in result:
                self.row.dropped[result["dropped"]] += 1
            else:
                found.append(Trial((seeded,), tuple(result["fails"]), tuple(result["failures"])))
            self._tell(len(found), needed, "bugs that tests notice")
        return found

    def _count(self, kind: str, result: Json) -> None:
        self.row.tried[kind] += 1
        if "dropped" in result:
            self.row.dropped[result["dropped"]] += 1
        else:
            self.row.made[kind] += 1

    def _read(self, result: Json, environment: Environment) -> Instance:
        """Return the instance of a finished step; the data set may lie elsewhere than when it was made."""
        instance = Instance.from_dict(result)
        suite: Any = instance.suite
        here = self._factory.out / "repositories" / suite.repository.name
        return replace(instance, suite=replace(suite, repository=here, environment=environment.folder))


def _told(compute: Callable[[], Json]) -> Json:
    """Return a result, or why there is none, as JSON."""
    try:
        return compute()
    except Dropped as reason:
        return {"dropped": str(reason), "detail": reason.detail}


def _grouped(trials: Sequence[Trial]) -> list[list[Trial]]:
    """Return the trials alone or two together, in turn; those of one function are not put together."""
    rest = list(trials)
    found: list[list[Trial]] = []
    while rest:
        first = rest.pop(0)
        group = [first]
        if _PATTERN[len(found) % len(_PATTERN)] > 1:
            place = (first.parts[0].path, first.parts[0].edit.function)
            other = next(
                (each for each in rest if (each.parts[0].path, each.parts[0].edit.function) != place), None
            )
            if other is not None:
                rest.remove(other)
                group.append(other)
        found.append(group)
    return found


class _Threads:
    """Threads that try candidates, each of which runs in a process of its own."""

    def __init__(self, executor: ThreadPoolExecutor, width: int) -> None:
        self._executor = executor
        self._width = width

    def ordered(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Yield ``function`` of each item in order; little is begun that is not asked for."""
        waiting: list[Future[R]] = []
        try:
            for item in items:
                waiting.append(self._executor.submit(function, item))
                if len(waiting) > self._width:
                    yield waiting.pop(0).result()
            while waiting:
                yield waiting.pop(0).result()
        finally:
            for future in waiting:
                future.cancel()


@contextmanager
def _threads(width: int) -> Iterator[_Threads]:
    executor = ThreadPoolExecutor(width)
    try:
        yield _Threads(executor, width)
    finally:
        executor.shutdown(cancel_futures=True)
