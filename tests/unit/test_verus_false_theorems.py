"""False theorems about every construct are not proved; the true ones beside them are."""

from __future__ import annotations

import pytest

from rlvr_gym.verifiers.verus.engine import verify
from rlvr_gym.verifiers.verus.report import Outcome
from tests.verus_cases import RULES, Case, read_theorems

THEOREMS = read_theorems(RULES.parent / "false_theorems.rs")


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.name)
def test_only_true_theorems_are_proved(theorem: Case) -> None:
    report = verify(theorem.source, dialect=theorem.dialect)
    assert report.outcome in theorem.expected, report.reason


def test_the_battery_is_large_on_both_sides() -> None:
    true = [theorem for theorem in THEOREMS if theorem.expected == {Outcome.VERIFIED}]
    assert len(true) >= 60
    assert len(THEOREMS) - len(true) >= 150
