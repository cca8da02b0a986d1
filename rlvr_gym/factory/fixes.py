"""Real fixes: what changed from one release to the next, judged by the tests of the next."""

from __future__ import annotations

import difflib
import random
import re
from dataclasses import dataclass
from typing import Any

from rlvr_gym.factory.changelogs import changelog
from rlvr_gym.factory.layout import is_source, is_test, modules
from rlvr_gym.factory.observing import observe
from rlvr_gym.factory.releases import Release
from rlvr_gym.factory.statements import example, statement
from rlvr_gym.factory.subjects import Subject, example_failures, touched
from rlvr_gym.factory.validate import GOLD_RUNS, Bench, Dropped, confirm, split
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.patches import changed_lines, make_patch

MOST_LINES = 200
"""Changed lines of source, above which a change is more than a fix."""
_MOST_TEST_PATCH = 1_000_000
_EXAMPLES = 2
_VERSION_LINE = re.compile(
    rb"\s*(__version__|__version_info__|__date__|__build__|version|VERSION|version_info|version_tuple|__version_tuple__"
    rb"|__copyright__|__updated__)\s*(:.*)?=.*"
)


@dataclass(frozen=True, slots=True)
class Fix:
    """Two releases that follow each other."""

    before: Subject
    after: Release

    @property
    def key(self) -> list[Any]:
        """What the result depends on."""
        return ["fix", self.before.key, self.after.sha256]


def make_fix(fix: Fix, bench: Bench) -> Instance:
    """Return the validated instance.

    Raises:
        Dropped: the two releases make none.
    """
    a, b = fix.before.release, fix.after
    code = fix.before.code | modules(b.files)
    source = {path: content for path, content in a.files.items() if is_source(path, code)}
    fixed = {
        path: _same_version(source.get(path, b""), content)
        for path, content in b.files.items()
        if is_source(path, code)
    }
    tests = {path: content for path, content in a.files.items() if is_test(path)}
    new_tests = {path: content for path, content in b.files.items() if is_test(path)}
    if not touched(source, fixed):
        raise Dropped("the releases differ in no source")
    if not touched(tests, new_tests):
        raise Dropped("the releases differ in no tests")
    patch, test_patch = make_patch(source, fixed), make_patch(tests, new_tests)
    if changed_lines(patch) > MOST_LINES:
        raise Dropped(f"more than {MOST_LINES} lines of source changed")
    if len(test_patch) > _MOST_TEST_PATCH:
        raise Dropped("the tests of the two releases differ too much")
    suite, new = fix.before.suite, touched(tests, new_tests)
    before = [bench.run(suite, new)]
    bench = bench.timed(before[0].seconds)
    after = [bench.run(suite, {**new, **touched(source, fixed)})]
    split(before, after)
    before.append(bench.run(suite, new))
    after.append(bench.run(suite, {**new, **touched(source, fixed)}))
    fails, passes = split(before, after)
    seen = observe(
        suite,
        {path: content for path, content in new.items() if content is not None},
        fails[:40],
        (),
        runtime=bench.runtime,
        limits=bench.limits,
    )
    told = changelog(a.files, b.files)
    examples = example_failures(seen.failures, fails, _EXAMPLES)
    instance = Instance(
        id=f"{a.name}-{b.version}-fix",
        problem=_problem(a.name, told, examples, seed=b.sha256),
        suite=suite,
        patch=patch,
        test_patch=test_patch,
        fail_to_pass=fails,
        pass_to_pass=passes,
        repo=a.name,
        version=a.version,
        license=a.license,
        strata={
            "kind": "fix",
            "package": a.name,
            "changed_lines": changed_lines(patch),
            "changed_files": len(touched(source, fixed)),
            "fail_to_pass": len(fails),
            "problem": "changelog" if told else "behaviour",
        },
        provenance={
            **fix.before.provenance(b),
            "validation": {
                "gold_runs": GOLD_RUNS + len(after),
                "gold_runs_under_load": 1,
                "empty_runs": len(before),
            },
        },
    )
    return confirm(instance, bench)


def _problem(package: str, told: str, examples: list[Any], *, seed: str) -> str:
    rng = random.Random(seed)
    if not told:
        if not any(example(failure) for failure in examples):
            raise Dropped("nothing says what changed")
        return statement(package, examples, rng)
    shown = [text for failure in examples if (text := example(failure))]
    parts = [f"In `{package}`, the following should be done:", told]
    return "\n\n".join([*parts, *(["For example:", *dict.fromkeys(shown)] if shown else [])])


def _same_version(before: bytes, after: bytes) -> bytes:
    """Return ``after`` with the lines that only name its version as they were before."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    kept = []
    for kind, a, b, start, end in difflib.SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        lines = new[start:end]
        if kind == "replace":
            was = {found[1]: line for line in old[a:b] if (found := _VERSION_LINE.fullmatch(line.rstrip()))}
            lines = [
                was.get(found[1], line) if (found := _VERSION_LINE.fullmatch(line.rstrip())) else line
                for line in lines
            ]
        kept += lines
    return b"".join(kept)
