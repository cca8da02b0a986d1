"""Seeded bugs: small edits of a release that its tests notice, alone or two at once."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rlvr_gym.factory.hiding import hidden
from rlvr_gym.factory.layout import python_source
from rlvr_gym.factory.mutations import Edit, Source, edits, sound
from rlvr_gym.factory.observing import observe
from rlvr_gym.factory.statements import example, statement
from rlvr_gym.factory.subjects import Baseline, Subject, example_failures, touched
from rlvr_gym.factory.validate import GOLD_RUNS, Bench, Dropped, confirm, passed
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.patches import changed_lines, make_patch
from rlvr_gym.runtimes.base import End

PER_FUNCTION = 3
MOST_FAILING = 20
"""Tests that a bug may fail; one that breaks more is easily found and says little."""
_SCREENED = 12
"""Tests that are run first, of those that run the line."""
_EXAMPLES = 2
_BROKEN_RUNS = 2
"""Runs in which the tests that tell must fail."""


@dataclass(frozen=True, slots=True)
class Seeded:
    """An edit of one file of a release."""

    path: str
    edit: Edit

    @property
    def record(self) -> dict[str, Any]:
        """What is written down about it."""
        edit = self.edit
        return {
            "path": self.path,
            "kind": edit.kind,
            "function": edit.function,
            "line": edit.line,
            "start": edit.start,
            "end": edit.end,
            "text": edit.text.decode(),
        }


@dataclass(frozen=True, slots=True)
class Trial:
    """A bug that tests notice."""

    parts: tuple[Seeded, ...]
    fails: tuple[str, ...]
    failures: tuple[Mapping[str, Any], ...]
    """How some of them fail."""


def candidates(subject: Subject, base: Baseline, rng: random.Random) -> Iterator[Seeded]:
    """Yield edits of lines that tests run, one kind after another, at most three in a function."""
    covered: dict[str, set[int]] = defaultdict(set)
    for files in base.lines.values():
        for path, lines in files.items():
            covered[path] |= lines
    kinds: dict[str, list[Seeded]] = defaultdict(list)
    sources: dict[str, Source] = {}
    for path in python_source(subject.release.files, subject.code):
        if path in covered:
            try:
                sources[path] = Source(subject.release.files[path])
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
            for edit in edits(sources[path]):
                if edit.line in covered[path]:
                    kinds[edit.kind].append(Seeded(path, edit))
    for listed in kinds.values():
        rng.shuffle(listed)
    order = sorted(kinds)
    rng.shuffle(order)
    counts: Counter[tuple[str, str]] = Counter()
    while any(kinds.values()):
        for kind in order:
            while kinds[kind]:
                seeded = kinds[kind].pop()
                function = (seeded.path, seeded.edit.function)
                if counts[function] < PER_FUNCTION and sound(sources[seeded.path], seeded.edit):
                    counts[function] += 1
                    yield seeded
                    break


def mutated(subject: Subject, parts: Sequence[Seeded]) -> dict[str, bytes]:
    """Return the files that ``parts`` change, changed."""
    files: dict[str, bytes] = {}
    # From the end, so that what comes before stays where it is.
    for part in sorted(parts, key=lambda part: (part.path, -part.edit.start)):
        files[part.path] = part.edit.apply(files.get(part.path, subject.release.files[part.path]))
    return files


def try_bug(subject: Subject, base: Baseline, parts: Sequence[Seeded], bench: Bench) -> Trial:
    """Return a bug with the tests that notice it: first some of those that run the line, then all.

    Raises:
        Dropped: none do, or too many.
    """
    files = mutated(subject, parts)
    near = _near(base, parts)
    seen = observe(subject.suite, files, near, (), runtime=bench.runtime, limits=bench.limits)
    if seen.end is End.TIMEOUT:
        raise Dropped("the bug makes tests run into a time limit")
    if all(seen.outcomes.get(test, "failed") == "passed" for test in near):
        raise Dropped("no test notices the bug")
    good = passed(bench.run(subject.suite, dict(files)))
    fails = tuple(test for test in base.passing if test not in good)
    if not fails:
        raise Dropped("no test notices the bug")
    if len(fails) > MOST_FAILING or 2 * len(fails) > len(base.passing):
        raise Dropped("too many tests notice the bug")
    failures = example_failures(seen.failures, [test for test in near if test in fails], _EXAMPLES)
    if not any(example(failure) for failure in failures):
        raise Dropped("no failure tells what is wrong")
    return Trial(tuple(parts), fails, tuple(failures))


def make_bug(subject: Subject, base: Baseline, trials: Sequence[Trial], bench: Bench) -> Instance:
    """Return the validated instance that holds the bugs of all ``trials``.

    Raises:
        Dropped: they overlap, or the instance does not hold.
    """
    parts = [part for trial in trials for part in trial.parts]
    pristine = subject.release.files
    broken = mutated(subject, parts)
    runs = [passed(bench.run(subject.suite, dict(broken))) for _ in range(_BROKEN_RUNS - (len(trials) == 1))]
    if len(trials) == 1:
        # The trial was a run of the same program.
        runs.append(set(base.passing) - set(trials[0].fails))
    ever, always = set.union(*runs), set.intersection(*runs)
    fails = tuple(test for test in base.passing if test not in ever)
    if any(not set(trial.fails) & set(fails) for trial in trials):
        raise Dropped("the tests that notice the bug change from run to run")
    tests = hidden(pristine, fails)
    start = {path: content for path, content in {**broken, **tests}.items() if content is not None}
    whole = {path: pristine[path] for path in (*broken, *tests)}
    patch = make_patch(broken, {path: pristine[path] for path in broken})
    digest = _digest(subject, parts)
    examples = [
        failure for trial in trials for failure in trial.failures[: _EXAMPLES if len(trials) == 1 else 1]
    ]
    instance = Instance(
        id=f"{subject.release.name}-{subject.release.version}-bug-{digest}",
        problem=statement(subject.release.name, examples, random.Random(digest)),
        suite=replace(subject.suite, setup_patch=make_patch(whole, start)),
        patch=patch,
        test_patch=make_patch(
            {path: content for path, content in tests.items() if content is not None},
            {path: pristine[path] for path in tests},
        ),
        fail_to_pass=fails,
        pass_to_pass=tuple(test for test in base.passing if test in always),
        repo=subject.release.name,
        version=subject.release.version,
        license=subject.release.license,
        strata={
            "kind": "bug",
            "package": subject.release.name,
            "changed_lines": changed_lines(patch),
            "changed_files": len(touched(broken, {path: pristine[path] for path in broken})),
            "fail_to_pass": len(fails),
            "bugs": len(parts),
            "mutation": "+".join(sorted(part.edit.kind for part in parts)),
        },
        provenance={
            **subject.provenance(),
            "mutations": [part.record for part in parts],
            "validation": {
                "gold_runs": GOLD_RUNS,
                "gold_runs_under_load": 1,
                "empty_runs": len(runs),
            },
        },
    )
    return confirm(instance, bench)


def _near(base: Baseline, parts: Sequence[Seeded]) -> list[str]:
    """Return some of the tests that run the changed lines: those that run little else first."""
    found = []
    for part in parts:
        running = [test for test, files in base.lines.items() if part.edit.line in files.get(part.path, ())]
        sizes = {test: sum(map(len, base.lines[test].values())) for test in running}
        found += sorted(running, key=lambda test: (sizes[test], test))[:_SCREENED]
    return sorted(set(found))


def _digest(subject: Subject, parts: Sequence[Seeded]) -> str:
    text = json.dumps(
        [subject.release.sha256, sorted(json.dumps(part.record, sort_keys=True) for part in parts)]
    )
    return hashlib.sha256(text.encode()).hexdigest()[:10]
