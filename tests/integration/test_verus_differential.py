"""The verifier against running programs: whatever it calls verified must do what its contract says.

The interpreter shares only the parser and type inference with the verifier. Three sources of programs: random ones, small
changes of verified ones that running shows to be wrong, and verified ones whose proofs were damaged.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

import rlvr_gym.envs.verus_problems
from rlvr_gym.verifiers.verus.engine import verify
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.interpreter import Interpreter, Violation
from rlvr_gym.verifiers.verus.report import Outcome
from tests.integration.verus_generator.mutants import Mutants
from tests.integration.verus_generator.programs import crate_of, program

pytest.importorskip("z3")

TASKS = sorted(Path(rlvr_gym.envs.verus_problems.__path__[0]).glob("*.rs"))


@dataclass(frozen=True)
class Figures:
    """What a campaign saw."""

    programs: int = 0
    verified: int = 0
    runs: int = 0
    """Runs of verified programs that came to their end."""
    wrong: int = 0
    """Mutants that running shows to be wrong."""
    survivors: int = 0
    """Mutants that are still verified, and right as far as running can tell."""

    def __add__(self, other: Figures) -> Figures:
        return Figures(*(getattr(self, name) + getattr(other, name) for name in Figures.__dataclass_fields__))


def run(crate: Crate, rng: random.Random, tries: int) -> tuple[Violation | None, int]:
    """Run every function on random inputs; return the first thing that went wrong, and the number of runs."""
    interpreter, runs = Interpreter(crate), 0
    for function in crate.functions:
        if function.mode == "spec" or function.body is None:
            continue
        tally = interpreter.tally(function, rng, tries, most=1)
        runs += tally.runs
        if tally.violations:
            return tally.violations[0], runs
    return None, runs


def judged(source: str, rng: random.Random, tries: int) -> Figures:
    """Verify a program; run it if it is verified."""
    report = verify(source)
    assert report.outcome is not Outcome.CRASH, f"{report.reason}\n{source}"
    if not report.verified:
        return Figures(programs=1)
    crate = crate_of(source)
    assert crate is not None
    violation, runs = run(crate, rng, tries)
    assert violation is None, f"verified, and yet: {violation}\n{source}"
    return Figures(programs=1, verified=1, runs=runs)


def random_programs(seed: int, count: int, tries: int) -> Figures:
    """Judge random programs."""
    rng, total = random.Random(seed), Figures()
    while total.programs < count:
        source = program(rng)
        if source is not None:
            total += judged(source, rng, tries)
    return total


def mutants(source: str, rng: random.Random, count: int, parts: tuple[str, ...]) -> Figures:
    """Judge small changes of one program: none that running shows to be wrong may be verified."""
    original = crate_of(source)
    assert original is not None
    total = Figures()
    for edit in Mutants(source, original).some(rng, count, parts):
        changed = edit.applied(source)
        crate = crate_of(changed)
        if crate is None:
            continue
        violation, _ = run(crate, rng, 10)
        if violation is None:
            found = judged(changed, rng, 40)
            total += replace(found, survivors=found.verified)
        else:
            report = verify(changed)
            assert report.outcome is not Outcome.CRASH, f"{report.reason}\n{changed}"
            assert not report.verified, f"verified, and yet: {violation}\n{changed}"
            total += Figures(programs=1, wrong=1)
    return total


def verified_programs(seed: int, count: int) -> list[str]:
    """Return random programs that are verified."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        source = program(rng)
        if source is not None and verify(source).verified:
            found.append(source)
    return found


def test_what_is_verified_does_as_it_says() -> None:
    figures = random_programs(seed=1, count=250, tries=40)
    assert figures.verified >= 40
    assert figures.runs >= 3_000


def test_tasks_do_as_they_say() -> None:
    rng = random.Random(2)
    for path in TASKS[::4]:
        crate = crate_of(path.read_text())
        assert crate is not None
        violation, runs = run(crate, rng, 10)
        assert violation is None, f"{path.name}: {violation}"
        assert runs


def test_no_wrong_mutant_is_verified() -> None:
    rng, total = random.Random(3), Figures()
    for source in verified_programs(seed=4, count=12):
        total += mutants(source, rng, 6, ("code", "contract"))
    for path in TASKS[1::13]:
        total += mutants(path.read_text(), rng, 5, ("code", "contract"))
    assert total.wrong >= 30


def test_what_outlives_a_damaged_proof_is_still_true() -> None:
    rng, total = random.Random(5), Figures()
    for path in TASKS[2::11]:
        total += mutants(path.read_text(), rng, 5, ("proof",))
    assert total.programs >= 20
    # Some invariants and assertions are needed: not everything may survive.
    assert total.survivors < total.programs * 0.8


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(100, 110))
def test_thousands_of_runs_contradict_nothing(seed: int) -> None:
    """Ten times 2,000 runs of at least 60 verified programs."""
    figures = random_programs(seed, count=300, tries=40)
    assert figures.verified >= 60
    assert figures.runs >= 2_000


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(200, 214))
def test_hundreds_of_wrong_mutants_are_refused(seed: int) -> None:
    """Fourteen times 150 wrong mutants of random programs and tasks; their proofs are damaged too."""
    rng, total = random.Random(seed), Figures()
    for source in verified_programs(seed, 40):
        total += mutants(source, rng, 10, ("code", "contract"))
        total += mutants(source, rng, 3, ("proof",))
    for path in rng.sample(TASKS, min(8, len(TASKS))):
        total += mutants(path.read_text(), rng, 8, ("code", "contract"))
        total += mutants(path.read_text(), rng, 4, ("proof",))
    assert total.wrong >= 150
    assert total.survivors
