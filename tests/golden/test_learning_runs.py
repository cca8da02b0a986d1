"""The runs that the README promises, at full length: minutes each, so they are slow tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from rlvr_gym.selfplay import DEMO, RunReport, train
from rlvr_gym.store import RunStore

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]
RECIPES = Path(__file__).parents[2] / "recipes"


def accounts_hold(report: RunReport) -> bool:
    with RunStore.open(report.folder, readonly=True) as store:
        return store.verify_accounts() == []


def test_the_embedded_default_improves_both_roles_beyond_its_intervals(tmp_path: Path) -> None:
    report = train(DEMO, folder=tmp_path / "run")
    assert report.heldout_after["low"] > report.heldout_before["high"]
    assert report.valid_before is not None
    assert report.valid_after is not None
    assert report.valid_after["low"] > report.valid_before["high"]
    assert report.alarms == ()
    assert accounts_hold(report)


def test_naive_two_party_play_ruins_both_roles(tmp_path: Path) -> None:
    naive = 'loop={name="naive", unsafe_ungated=true, parents=8, siblings=6, attempts=6, practice=0}'
    report = train(DEMO, folder=tmp_path / "run", overrides=[naive, "steps=60"])
    assert report.valid_before is not None
    assert report.valid_after is not None
    assert report.valid_after["high"] < report.valid_before["low"]
    assert report.heldout_after["mean"] < report.heldout_before["mean"]
    assert accounts_hold(report)


def test_smollm2_learns_one_digit_sums(tmp_path: Path) -> None:
    report = train(RECIPES / "grpo_sums_smollm2.toml", folder=tmp_path / "run")
    assert report.heldout_after["mean"] >= 0.9 > report.heldout_before["mean"]
    assert accounts_hold(report)
