"""The problem set: every specification has a proved solution, and its tests and its contract agree."""

from __future__ import annotations

from collections import Counter

import pytest

from rlvr_gym.envs.verus_problems import DIFFICULTIES, Problem, problems
from rlvr_gym.types import Json
from rlvr_gym.verifiers.verus.engine import verify
from rlvr_gym.verifiers.verus.report import Outcome
from tests.verus_probes import probe

PROBLEMS = problems()
OUTCOMES = [
    (problem, dict(example.given), outcome, allowed)
    for problem in PROBLEMS
    for example in problem.tests
    for outcomes, allowed in ((example.good, True), (example.bad, False))
    for outcome in outcomes
]
# What refutes these outcomes is a number that no term of the contract names: a divisor, a card that was lost.
NEEDS_A_WITNESS = frozenset({"is_prime_by_trial", "put_all_in_order"})


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.slug)
def test_the_reference_solution_is_proved_and_keeps_the_specification(problem: Problem) -> None:
    report = verify(problem.source, given=problem.spec, function=problem.function)
    assert report.verified, report.reason
    assert problem.function in report.functions


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.slug)
def test_the_hole_is_all_that_is_wrong_with_a_specification(problem: Problem) -> None:
    report = verify(problem.spec)
    assert report.outcome is Outcome.CHEAT
    assert [finding.function for finding in report.findings] == [problem.function]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.slug)
def test_a_specification_tells_nothing_of_the_proof(problem: Problem) -> None:
    assert problem.spec.count("unimplemented!()") == 1
    for word in ("proof fn", "invariant", "assert", "while", "for i in"):
        assert word not in problem.spec


@pytest.mark.parametrize(
    ("problem", "given", "outcome", "allowed"),
    OUTCOMES,
    ids=[f"{problem.slug}-{number}" for number, (problem, *_) in enumerate(OUTCOMES)],
)
def test_the_contract_allows_good_outcomes_and_no_bad_ones(
    problem: Problem, given: dict[str, Json], outcome: Json, allowed: bool
) -> None:
    report = verify(probe(problem, given, outcome))
    if allowed or problem.slug in NEEDS_A_WITNESS:
        # That the contract excludes it is the one thing that is not proved.
        assert [finding.message for finding in report.findings] == (
            ["postcondition not satisfied"] if allowed or report.findings else []
        )
    else:
        assert report.verified, f"{outcome} is not excluded: {report.reason}"


def test_every_grade_has_problems_enough() -> None:
    grades = Counter(problem.difficulty for problem in PROBLEMS)
    assert set(grades) == set(DIFFICULTIES)
    assert len(PROBLEMS) >= 70
    assert min(grades.values()) >= 10


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.slug)
def test_every_problem_is_described_and_tested(problem: Problem) -> None:
    assert len(problem.description.split()) >= 8
    assert any(example.good for example in problem.tests)
    assert any(example.bad for example in problem.tests)


def test_problems_ask_for_different_things() -> None:
    assert len({problem.description for problem in PROBLEMS}) == len(PROBLEMS)
    assert len({problem.function for problem in PROBLEMS}) == len(PROBLEMS)
