"""Every rule of the Verus subset, from both sides: programs that it accepts and programs that it refuses."""

from __future__ import annotations

import pytest

from rlvr_gym.verifiers.verus.engine import verify
from rlvr_gym.verifiers.verus.report import Outcome
from tests.verus_cases import RULES, Case, all_cases, read_cases

CASES = all_cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_rule_holds(case: Case) -> None:
    complaint = case.complaint(verify(case.source, dialect=case.dialect))
    assert not complaint, complaint


@pytest.mark.parametrize("path", sorted(RULES.glob("*.rs")), ids=lambda path: path.stem)
def test_each_group_of_rules_accepts_and_refuses(path) -> None:
    cases = read_cases(path)
    assert any(case.expected == {Outcome.VERIFIED} for case in cases)
    assert any(Outcome.VERIFIED not in case.expected for case in cases)
