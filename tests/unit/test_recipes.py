"""Recipes: every one loads, wrong ones are refused with one line that says where and what."""

from __future__ import annotations

from pathlib import Path

import pytest

from rlvr_gym.errors import ConfigError, StoreError
from rlvr_gym.selfplay import DEMO, load_recipe, train
from rlvr_gym.selfplay.cast import Cast
from rlvr_gym.store import RunStore

RECIPES = sorted((Path(__file__).parents[2] / "recipes").glob("*.toml"))
SMALL = {
    "loop": {"name": "rlvr", "prompts": 1, "attempts": 2},
    "environment": "sums-v0",
    "policies": {"main": {"name": "scripted", "answers": ["3", "4"], "mode": "random"}},
    "steps": 2,
    "evaluation": {"tasks": 2},
}


@pytest.mark.parametrize("path", [*RECIPES, DEMO], ids=lambda path: path.name)
def test_every_recipe_loads(path: Path) -> None:
    assert load_recipe(path).steps > 0


def test_there_are_recipes() -> None:
    assert {path.name for path in RECIPES} >= {"grpo_sums_smollm2.toml", "vhg_integral_smollm2.toml"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("loop.name=vhgg", "loop: No loop is named 'vhgg'. Did you mean 'vhg'?"),
        ("loop.attemps=3", "loop.attemps is not a setting. Did you mean 'attempts'?"),
        ("loop.attempts=0", "loop.attempts: Input should be greater than 0, got 0."),
        ("environment=sum-v0", "environment: No env is named 'sum-v0'. Did you mean 'sums-v0'?"),
        (
            "policies.main.name=scriptd",
            "policies.main: No policy is named 'scriptd'. Did you mean 'scripted'?",
        ),
        ("roles.solvr=main", "roles: this loop has no role 'solvr'. Did you mean 'solver'?"),
        ("roles.solver=mian", "roles.solver: no policy is named 'mian'. Did you mean 'main'?"),
        ("stepps=3", "recipe.stepps is not a setting. Did you mean 'steps'?"),
        (
            "alarms.masked=shout",
            "recipe.alarms.masked: Input should be 'ignore', 'warn', 'stop' or 'rollback'",
        ),
        ("alarms.maskd=stop", "alarms: no detector is named 'maskd'. Did you mean 'masked'?"),
        ("loop.name=naive", "loop.unsafe_ungated must be true"),
        ("loop.name=vhg", "env 'sums-v0' has no proposer"),
    ],
)
def test_a_wrong_setting_is_refused_by_name(change: str, message: str) -> None:
    loop = {"loop": {"name": "vhg"}} if "naive" in change or change == "loop.name=vhg" else {}
    with pytest.raises((ConfigError, ValueError)) as caught:
        Cast(load_recipe({**SMALL, **loop}, [change]))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_untrained_policy_plays_and_every_rollout_is_accounted_for(tmp_path: Path) -> None:
    report = train(SMALL, folder=tmp_path / "run")
    assert report.steps == 2
    assert report.summary()["valid_before"] is None
    assert (tmp_path / "run" / "summary.json").is_file()


def test_a_run_is_never_overwritten_and_never_resumed_from_nothing(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no run here to resume"):
        train(SMALL, folder=tmp_path / "run", resume=True)
    train(SMALL, folder=tmp_path / "run")
    with pytest.raises(StoreError, match="a run here already"):
        train(SMALL, folder=tmp_path / "run")
    with pytest.raises(StoreError, match=r"loop\.attempts"):
        train(SMALL, folder=tmp_path / "run", resume=True, overrides=["loop.attempts=3"])


def test_a_wrong_setting_leaves_no_folder_behind(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        train(SMALL, folder=tmp_path / "run", overrides=["loop.name=vhgg"])
    assert not (tmp_path / "run").exists()


def test_more_steps_go_on_where_the_run_ended(tmp_path: Path) -> None:
    train(SMALL, folder=tmp_path / "run")
    longer = train(SMALL, folder=tmp_path / "run", resume=True, overrides=["steps=4"])
    assert longer.steps == 4
    straight = train(SMALL, folder=tmp_path / "other", overrides=["steps=4"])
    assert longer.heldout_before == straight.heldout_before


def test_a_device_that_does_not_repeat_makes_begun_steps_void_on_resume(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Cast, "exact", False)

    def dies(stage: str, done: int, total: int, figures: object) -> None:
        if (stage, done) == ("step", 3):
            raise KeyboardInterrupt

    changes = ["steps=4", "checkpoint_every=2"]
    with pytest.raises(KeyboardInterrupt):
        train(SMALL, folder=tmp_path / "run", overrides=changes, watch=dies)
    report = train(SMALL, folder=tmp_path / "run", overrides=changes, resume=True)
    assert report.steps == 4
    with RunStore.open(tmp_path / "run", readonly=True) as store:
        assert store.branch == 1
        assert store.verify_accounts() == []
        assert {work.step for work in store.works() if work.state == "void"} == {3}
